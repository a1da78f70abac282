"""What a database file holds, read past the app."""

from __future__ import annotations

import sqlite3
import time
from pathlib import Path
from typing import Any


def rows(database: Path, query: str, *values: object) -> list[tuple[Any, ...]]:
    connection = sqlite3.connect(database)
    try:
        return connection.execute(query, values).fetchall()
    finally:
        connection.close()


def wait_for_rows(database: Path, expected: list[tuple[Any, ...]], query: str, *values: object) -> None:
    """Wait until a query finds this, and fail with what it found instead."""
    deadline = time.monotonic() + 30
    while (found := rows(database, query, *values)) != expected:
        assert time.monotonic() < deadline, found
        time.sleep(0.05)


def execute(database: Path, statement: str, *values: object) -> None:
    """Change a database behind the app's back."""
    connection = sqlite3.connect(database, timeout=10)
    try:
        with connection:
            connection.execute(statement, values)
    finally:
        connection.close()


def everything_stored(database: Path) -> str:
    """All files of a database as one text, to search for what must not be there."""
    files = sorted(database.parent.glob(f"{database.name}*"))
    return "".join(file.read_bytes().decode("utf-8", errors="replace") for file in files)
