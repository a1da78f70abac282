"""Faults of storage that are SQLite's own: a file that may not grow, and another process that holds it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import event

from chatmem.app import App

NO_LIMIT = 2**30

HOLD = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None, timeout=20)
connection.execute("BEGIN IMMEDIATE")
print("held", flush=True)
sys.stdin.readline()
"""


class Disk:
    """Full while a test says so: SQLite gets no page more than it has, and answers as on a disk without room."""

    def __init__(self, app: App) -> None:
        self.is_full = False
        self.refused = 0
        engine = app.store._database._engine
        event.listen(engine, "checkout", self._limit)
        event.listen(engine, "handle_error", self._count)

    @contextmanager
    def full(self) -> Iterator[None]:
        self.is_full = True
        try:
            yield
        finally:
            self.is_full = False

    def _limit(self, connection: Any, *_: object) -> None:
        # A limit below the database's size becomes that size.
        connection.execute(f"PRAGMA max_page_count = {1 if self.is_full else NO_LIMIT}").close()

    def _count(self, context: Any) -> None:
        self.refused += getattr(context.original_exception, "sqlite_errorname", "") == "SQLITE_FULL"


class Holder:
    """Another process, in the middle of writing to the database; until the end of the `with` block."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def __enter__(self) -> Holder:
        self._process = subprocess.Popen(
            [sys.executable, "-c", HOLD, str(self._file)], text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        assert self._process.stdout
        assert self._process.stdout.readline() == "held\n"
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate("\n")
