"""A power cut, as the files would stand after it: the newest part of the log is missing, or half of it is there.

SQLite runs with `synchronous=NORMAL`: it makes the log durable only when it writes it back into the file. So a cut
may take the log's tail, anywhere in a row or a page; and it may come while the log is being written back.
"""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from sqlalchemy import event

from chatmem.domain import Status, new_id
from chatmem.errors import NotFound
from tests.broken_disk import in_it, opened
from tests.conftest import WAIT_SECONDS
from tests.unit.test_fold import check_invariant

CUTS = 40
PAGE, SECTOR = 4096, 512
CHATS, TURNS = 2, 8


@dataclass
class Files:
    """The database's two files before a cut, and how long the log was when each question had been stored."""

    database: bytes
    log: bytes
    written_back: bytes
    chats: tuple[str, ...] = field(default_factory=lambda: tuple(new_id() for _ in range(CHATS)))
    stored: list[tuple[str, str, int]] = field(default_factory=list)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Files:
    """Chats with folds, all of it in the log; then the same written back into the database."""
    file = tmp_path_factory.mktemp("power") / "chat.db"
    app = opened(file)
    log = file.with_name("chat.db-wal")
    event.listen(app.store._database._engine, "checkout", _never_written_back)
    app.store.scrub()  # all before this is in the file
    made = Files(file.read_bytes(), b"", b"")
    people = [in_it(app, chat) for chat in made.chats]
    for number in range(TURNS):
        for person in people:
            question = f"{number}:" + " something to remember" * 20
            turn = person.send(question)
            made.stored.append((person.chat_id, question, log.stat().st_size))
            app.chat.wait(turn, WAIT_SECONDS)
    assert all(person.memory.covered for person in people)
    assert file.read_bytes() == made.database, "the log was written back too early"
    made.log = log.read_bytes()
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
        made.written_back = file.read_bytes()
    app.close()
    return made


def _never_written_back(connection: sqlite3.Connection, *_: object) -> None:
    connection.execute("PRAGMA wal_autocheckpoint = 0").close()


def lay_out(folder: Path, database: bytes, log: bytes) -> Path:
    for old in folder.glob("chat.db*"):
        old.unlink()
    (folder / "chat.db-wal").write_bytes(log)
    (folder / "chat.db").write_bytes(database)
    return folder / "chat.db"


def check(file: Path, files: Files, log_length: int, go_on: bool) -> int:
    """Whole, a moment of its past, and with all that the log had taken by then; how many questions there are."""
    app = opened(file)
    found = 0
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        if go_on:
            connection.execute("UPDATE messages SET heartbeat = heartbeat - 31 WHERE status = 'streaming'")
            connection.commit()
    for chat in files.chats:
        person = in_it(app, chat)
        asked = [text for of, text, _ in files.stored if of == chat]
        durable = [text for of, text, length in files.stored if of == chat and length <= log_length]
        try:
            said = [m.text for m in person.messages if m.role == "user"]
        except NotFound:
            said = []  # not even begun
        assert said == asked[: len(said)]
        assert len(said) >= len(durable)
        found += len(said)
        if said:
            assert [m.number for m in person.messages] == list(range(1, 2 * len(said) + 1))
            check_invariant(person)
        if go_on:
            assert person.say("and on").status is Status.COMPLETE
            check_invariant(person)
    app.close()
    return found


def test_whatever_a_power_cut_takes_from_the_log_the_rest_is_whole(files: Files, tmp_path: Path) -> None:
    chance, found = random.Random(12), set[int]()
    for number in range(CUTS):
        length = chance.choice([0, 20, chance.randrange(len(files.log)), chance.randrange(len(files.log))])
        file = lay_out(tmp_path, files.database, files.log[:length])
        found.add(check(file, files, length, go_on=number % 5 == 0))
    assert len(found) > 5, "the cuts were all alike"


def test_sectors_that_never_reached_the_disk_end_the_log_there(files: Files, tmp_path: Path) -> None:
    """A disk writes in an order of its own: what comes after a hole does not count."""
    chance = random.Random(13)
    for number in range(CUTS // 2):
        at = chance.randrange(len(files.log) // SECTOR) * SECTOR
        hole = chance.choice([bytes(SECTOR), chance.randbytes(SECTOR)])
        file = lay_out(tmp_path, files.database, files.log[:at] + hole + files.log[at + SECTOR :])
        check(file, files, at, go_on=number % 5 == 0)


def test_a_cut_while_the_log_is_written_back_loses_nothing(files: Files, tmp_path: Path) -> None:
    """The log is durable by then, so that pages which are half old and half new do not matter."""
    chance = random.Random(14)
    for number in range(CUTS // 4):
        pages = bytearray(files.database.ljust(len(files.written_back), b"\0"))
        for start in range(0, len(pages), SECTOR):
            if chance.random() < number / 10:
                pages[start : start + SECTOR] = files.written_back[start : start + SECTOR]
        file = lay_out(tmp_path, bytes(pages), files.log)
        assert check(file, files, len(files.log), go_on=number % 5 == 0) == len(files.stored)
