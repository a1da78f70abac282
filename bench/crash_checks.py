"""What must hold of a database whose process was killed, for `bench.crash`."""

from __future__ import annotations

import shutil
import sqlite3
import sys
from collections import Counter
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from bench.crash_child import fact_of
from bench.setup import text_of
from chatmem.app import App
from chatmem.domain import Message, Status
from chatmem.llm.models import Models
from chatmem.settings import Settings
from chatmem.store import Store, migrate
from chatmem.store.database import BACKUP_SUFFIX
from chatmem.tokens import count_tokens
from tests.conftest import Person
from tests.scripted import ScriptedModel
from tests.unit.test_fold import check_invariant

if TYPE_CHECKING:
    from bench.crash_world import World

IMPORTED_CHATS, IMPORTED_MESSAGES, IMPORTED_FACTS = 3, 100, 10
"""What a file to be imported holds: chats, messages of each, facts."""

SCHEMA = "SELECT name, sql FROM sqlite_master ORDER BY name"
LEFT_TO_LEARN = "SELECT extracted_through FROM conversations WHERE id = ?"


class Findings:
    """What broke a promise, each once."""

    def __init__(self) -> None:
        self.found: dict[str, set[str]] = {"lost": set(), "doubled": set(), "unusable": set()}

    def add(self, kind: str, what: str) -> None:
        if what not in self.found[kind]:
            self.found[kind].add(what)
            print(f"{kind}: {what}", file=sys.stderr)

    def counts(self) -> dict[str, int]:
        return {kind: len(what) for kind, what in self.found.items()}


class Checks:
    """The promises of one world, held against its database."""

    def __init__(self, world: World) -> None:
        self._world, self._add = world, world.findings.add
        with closing(sqlite3.connect(world.file)) as connection:
            self._old_schema = connection.execute(SCHEMA).fetchall()
            (self._old_messages,) = connection.execute("SELECT count(*) FROM messages").fetchone()
        self._version = world.version
        self._partials: dict[int, str] = {}

    def look_at_a_copy(self) -> None:
        """Right after the kill. The files themselves stay as they are: whoever opens them first repairs them."""
        world = self._world
        folder = world.folder / "copy"
        folder.mkdir()
        for name in ("chat.db", "chat.db-wal"):
            if (world.folder / name).exists():
                shutil.copy(world.folder / name, folder)
        with closing(sqlite3.connect(folder / "chat.db")) as connection:
            for pragma, good in (("integrity_check", [("ok",)]), ("foreign_key_check", [])):
                if (found := connection.execute(f"PRAGMA {pragma}").fetchall()) != good:
                    self._add("unusable", f"{world.file}: {found}")
            (self._version,) = connection.execute("SELECT version_num FROM alembic_version").fetchone()
            is_old = (self._version, connection.execute(SCHEMA).fetchall()) == (world.version, self._old_schema)
            if self._version != migrate.HEAD and not is_old:
                self._add("unusable", f"{world.file}: half upgraded, {self._version}")
            streaming = connection.execute("SELECT id, text FROM messages WHERE status = 'streaming'")
            self._partials = dict(streaming.fetchall())
        shutil.rmtree(folder)

    def everything(self, settled: bool) -> None:
        """Every promise; `settled` when everybody has gone on, so that nothing may be open any more."""
        self._check_backups(settled)
        world, settings = self._world, Settings(database_url=self._world.url)
        models = Models(settings, ScriptedModel(), count_tokens)
        app = App(settings, Store(world.url), models, lambda: datetime.now(UTC))
        try:
            for who in world.people:
                owner = app.store.owners.enter(who * 64, "browser")
                for chat, whose in world.chats.items():
                    if whose == who:
                        self._check_chat(Person(app, owner, chat), world.old_messages, settled)
                self._check_facts(app, who, owner.id)
            owner = app.store.owners.enter(world.importer * 64, "browser")
            long = app.store.turns.page(owner.id, world.long, limit=10**6)
            self._check_old(world.long, long, self._old_messages - len(world.chats) * world.old_messages)
            self._check_imports(app, owner.id, settled)
        finally:
            app.close()

    def _check_old(self, chat: str, messages: list[Message], count: int) -> None:
        if [m.text for m in messages[:count]] != [text_of(number) for number in range(1, count + 1)]:
            self._add("lost", f"{chat}: what an older version had stored")

    def _check_chat(self, person: Person, old: int, settled: bool) -> None:
        chat, messages = person.chat_id, person.messages
        self._check_old(chat, messages, old)
        if [m.number for m in messages] != list(range(1, len(messages) + 1)):
            self._add("lost", f"{chat}: its numbers have gaps")
        asked_for = Counter(m.text for m in messages[old:] if m.role == "user")
        replies = {m.text for m in messages[old:] if m.role == "assistant" and m.status is Status.COMPLETE}
        for asked in [asked for asked in self._world.asked.values() if asked.chat == chat]:
            if asked_for[asked.text] > 1:
                self._add("doubled", f"{chat}: {asked.text}")
            if asked_for[asked.text] == 0 and (asked.stored or settled):
                self._add("lost", f"{chat}: {asked.text}")
            if asked.reply and asked.reply not in replies:
                self._add("lost", f"{chat}: the reply to {asked.text}")
        for m in messages:
            if m.id in self._partials and m.text != self._partials[m.id]:
                self._add("lost", f"{chat}: a partial text that was stored, {m.number}")
            if settled and m.status is Status.STREAMING:
                self._add("unusable", f"{chat}: a reply that never ends, {m.number}")
        try:
            check_invariant(person)
        except AssertionError as error:
            self._add("lost", f"{chat}: a message is neither covered nor in the window, or both: {error}")

    def _check_facts(self, app: App, who: str, owner_id: int) -> None:
        known = Counter(app.store.facts.texts(owner_id, 10**6))
        for text, times in known.items():
            if times > 1:
                self._add("doubled", f"{who}: {text}")
        for whose, text in self._world.facts:
            if whose == who and text not in known:
                self._add("lost", f"{who}: {text}")
        with closing(sqlite3.connect(self._world.file)) as connection:
            for chat in [chat for chat, whose in self._world.chats.items() if whose == who]:
                (through,) = connection.execute(LEFT_TO_LEARN, (chat,)).fetchone()
                for m in app.store.memory.live_between(owner_id, chat, 0, through):
                    if m.role == "user" and (fact := fact_of(m.text)) and fact not in known:
                        self._add("lost", f"{who}: passed over by the extraction: {fact}")

    def _check_imports(self, app: App, owner_id: int, settled: bool) -> None:
        titles, store = app.store.conversations.recent(owner_id, limit=1_000), app.store
        facts = store.facts.texts(owner_id, 10**6)
        whole = (IMPORTED_CHATS, IMPORTED_CHATS * IMPORTED_MESSAGES, IMPORTED_FACTS)
        for file, done in self._world.imports.items():
            mark = f"{Path(file).stem}, "
            chats = [chat for chat in titles if chat.title.startswith(mark)]
            messages = sum(store.turns.total(owner_id, chat.id) for chat in chats)
            found = (len(chats), messages, sum(text.startswith(mark) for text in facts))
            if found == whole or (found == (0, 0, 0) and not done and not settled):
                continue
            self._add("doubled" if found > whole else "lost", f"import of {file}: {found}")

    def _check_backups(self, settled: bool) -> None:
        """One whole copy after an upgrade, and none after the next start (which the check itself is)."""
        world = self._world
        ours = {f"chat.db{kind}" for kind in ("", "-wal", "-shm")}
        beside = {file for file in world.folder.glob("chat.db*") if file.name not in ours}
        if world.starts > 1 or self._version == migrate.HEAD or settled:
            for file in beside:
                self._add("doubled", f"{file} stays")
            return
        copy = world.folder / f"chat.db.before-{migrate.HEAD}{BACKUP_SUFFIX}"
        if beside != {copy}:
            self._add("lost", f"{copy}: {beside}")
            return
        with closing(sqlite3.connect(copy)) as connection:
            whole = connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            count = connection.execute("SELECT count(*) FROM messages").fetchone()
        if not whole or count != (self._old_messages,):
            self._add("lost", f"{copy} is not whole")
