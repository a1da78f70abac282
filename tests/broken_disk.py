"""Faults of storage that are SQLite's own: a file that may not grow, and another process that holds it.

And apps on a file, for what has to be opened again.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import event

from chatmem.app import App
from chatmem.llm.models import Models
from chatmem.settings import Settings
from chatmem.store import Store
from chatmem.tokens import count_tokens
from tests.conftest import Person
from tests.scripted import ScriptedModel

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


def opened(file: Path) -> App:
    return opened_at(f"sqlite:///{file}")


def opened_at(url: str) -> App:
    settings = Settings(database_url=url)
    return App(settings, Store(url), Models(settings, ScriptedModel(), count_tokens), lambda: datetime.now(UTC))


def in_it(app: App, chat_id: str | None = None) -> Person:
    """The one whose chats these are."""
    return Person(app, app.store.owners.enter("a" * 64, "browser"), chat_id)


def said(person: Person) -> list[str]:
    return [message.text for message in person.messages if message.role == "user"]
