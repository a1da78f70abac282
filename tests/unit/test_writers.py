"""Writers of one process queue before the database, and what waits there stands in nobody's way."""

from __future__ import annotations

import threading
from contextlib import ExitStack

import pytest
from sqlalchemy import text

from chatmem.app import App
from chatmem.errors import StorageLocked
from chatmem.store import database as databases
from tests.conftest import WAIT_SECONDS, Person
from tests.stored import file_of

MANY = 30
"""More than the pool has connections."""


@pytest.fixture(autouse=True)
def file(database_url: str) -> None:
    file_of(database_url)  # on a server: tests/postgres


def test_writers_that_wait_hold_no_connection_and_each_gets_its_turn(app: App, person: Person) -> None:
    person.say("one")
    database = app.store._database
    pool = database._engine.pool
    begun, done = threading.Barrier(MANY + 1), []

    def write(number: int) -> None:
        begun.wait(WAIT_SECONDS)
        with database.write() as session:
            session.execute(text("SELECT 1"))
            done.append(number)

    writers = [threading.Thread(target=write, args=(number,)) for number in range(MANY)]
    with ExitStack() as held:
        held.enter_context(database.write()).execute(text("SELECT 1"))
        for writer in writers:
            writer.start()
        begun.wait(WAIT_SECONDS)
        for _ in range(100):
            assert len(person.messages) == 2
            assert pool.checkedout() == 1  # type: ignore[attr-defined]
        assert not done
    for writer in writers:
        writer.join(WAIT_SECONDS)
    assert sorted(done) == list(range(MANY))


def test_a_writer_that_waits_too_long_for_another_one_says_that_it_is_held(
    app: App, person: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    person.say("one")
    monkeypatch.setattr(databases, "BUSY_TIMEOUT_MS", 50)
    heard: list[str] = []

    def write() -> None:
        with pytest.raises(StorageLocked) as error, app.store._database.write():
            heard.append("written")
        heard.append(error.value.say("en"))

    with app.store._database.write():
        other = threading.Thread(target=write)
        other.start()
        other.join(WAIT_SECONDS)
    assert heard == [StorageLocked().say("en")]
    assert person.say("two").text
