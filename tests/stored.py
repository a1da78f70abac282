"""What a database holds, read past the app: a SQLite file by its path, one on a server by its address."""

from __future__ import annotations

import sqlite3
import time
from pathlib import Path
from typing import Any

import pytest

Database = Path | str


def behind(url: str) -> Database:
    return Path(url.removeprefix("sqlite:///")) if url.startswith("sqlite") else url


def file_of(url: str) -> Path:
    """For tests that need SQLite's own file: skipped on a server."""
    if not url.startswith("sqlite"):
        pytest.skip("about SQLite's file")
    return Path(url.removeprefix("sqlite:///"))


def rows(database: Database, query: str, *values: object) -> list[tuple[Any, ...]]:
    if isinstance(database, str):
        import psycopg

        with psycopg.connect(database) as server:
            return server.execute(query.replace("?", "%s").encode(), values or None).fetchall()
    connection = sqlite3.connect(database)
    try:
        return connection.execute(query, values).fetchall()
    finally:
        connection.close()


def wait_for_rows(database: Database, expected: list[tuple[Any, ...]], query: str, *values: object) -> None:
    """Wait until a query finds this, and fail with what it found instead."""
    deadline = time.monotonic() + 30
    while (found := rows(database, query, *values)) != expected:
        assert time.monotonic() < deadline, found
        time.sleep(0.05)


def execute(database: Database, statement: str, *values: object) -> None:
    """Change a database behind the app's back."""
    if isinstance(database, str):
        import psycopg

        with psycopg.connect(database) as server:
            server.execute(statement.replace("?", "%s").encode(), values or None)
        return
    connection = sqlite3.connect(database, timeout=10)
    try:
        with connection:
            connection.execute(statement, values)
    finally:
        connection.close()


def tables_of(database: Database) -> set[str]:
    schema = (
        "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"
        if isinstance(database, str)
        else "SELECT name FROM sqlite_master WHERE type = 'table'"
    )
    return {name for (name,) in rows(database, schema)}


def everything_stored(database: Database) -> str:
    """All files of a database as one text, to search for what must not be there; on a server all rows."""
    if isinstance(database, str):
        found = [rows(database, f'SELECT t::text FROM "{name}" AS t') for name in sorted(tables_of(database))]
        return "\n".join(text for table in found for (text,) in table)
    files = sorted(database.parent.glob(f"{database.name}*"))
    return "".join(file.read_bytes().decode("utf-8", errors="replace") for file in files)


def break_at(database: Database, table: str, column: str, value: str) -> None:
    """From now on a row with this value cannot be written, as if the disk were full."""
    if isinstance(database, str):
        execute(
            database,
            "CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS"
            " $$ BEGIN RAISE EXCEPTION 'no room' USING ERRCODE = 'disk_full'; END $$",
        )
        when, then = f"FOR EACH ROW WHEN (NEW.{column} = '{value}')", "EXECUTE FUNCTION fail()"
    else:
        when, then = f"WHEN NEW.{column} = '{value}'", "BEGIN SELECT RAISE(ABORT, 'no room'); END"
    execute(database, f"CREATE TRIGGER broken BEFORE INSERT ON {table} {when} {then}")


def mend(database: Database, table: str) -> None:
    execute(database, f"DROP TRIGGER broken ON {table}" if isinstance(database, str) else "DROP TRIGGER broken")
