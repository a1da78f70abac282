"""Two processes on one database, and connections that are lost."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from chatmem.app import App
from chatmem.domain import Status, new_id
from chatmem.errors import StorageUnreachable
from tests.conftest import WAIT_SECONDS, Person
from tests.postgres.child import chat_away, opened
from tests.scripted import ScriptedModel
from tests.stored import rows
from tests.unit.test_fold import check_invariant

ROOT = Path(__file__).resolve().parents[2]
EACH = 12


def cut_all_connections(url: str) -> None:
    """As when the server restarts, or a host's proxy gives up."""
    with psycopg.connect(url) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid != pg_backend_pid()"
        )


@pytest.fixture
def other_process(database_url: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    shared = new_id()
    child = subprocess.Popen(
        [sys.executable, "-m", "tests.postgres.child", database_url, shared, "child", str(EACH)],
        cwd=ROOT, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip
    try:
        yield child, shared
    finally:
        child.kill()
        child.communicate()


def said(person: Person) -> list[str]:
    return [message.text for message in person.messages if message.role == "user"]


def test_two_processes_race_and_nothing_is_lost_or_doubled(
    other_process: tuple[subprocess.Popen[str], str], database_url: str
) -> None:
    child, shared = other_process
    assert child.stdout
    assert child.stdin
    assert child.stdout.readline() == "ready\n"
    with opened(database_url) as app:
        person = Person(app, app.store.owners.enter("c" * 64, "browser"))
        child.stdin.write("go\n")
        child.stdin.flush()
        chat_away(person, shared, "parent", EACH)
        theirs = child.stdout.readline().strip()
        assert child.wait(WAIT_SECONDS) == 0
        app.background.wait(WAIT_SECONDS)

        for chat_id, names in ((person.chat_id, ["parent"]), (theirs, ["child"]), (shared, ["parent", "child"])):
            person.chat_id = chat_id
            expected = [f"{name} {number}" for name in names for number in range(EACH)]
            assert sorted(said(person)) == sorted(expected)
            messages = person.messages
            assert [message.number for message in messages] == list(range(1, 2 * len(expected) + 1))
            assert {message.status for message in messages} == {Status.COMPLETE}
            assert len({message.text for message in messages if message.role == "assistant"}) == 1
            check_invariant(person)
            taken = [
                number
                for version in app.store.versions.leading_to_head(person.owner.id, chat_id)
                for first, last in version.folded
                for number in range(first, last + 1)
            ]
            assert taken == list(range(1, person.memory.covered + 1))
            assert taken
        indexed = rows(database_url, "SELECT count(DISTINCT message_id) FROM message_search")
        assert indexed == rows(database_url, "SELECT count(*) FROM messages")


def test_a_connection_lost_between_two_calls_is_not_even_noticed(person: Person, database_url: str) -> None:
    person.say("one")
    cut_all_connections(database_url)
    assert person.say("two").status is Status.COMPLETE
    assert said(person) == ["one", "two"]


@pytest.mark.parametrize("times", [1, 3])
def test_connections_lost_in_the_middle_of_a_reply_cost_none_of_its_text(
    person: Person, model: ScriptedModel, database_url: str, times: int
) -> None:
    model.gate = threading.Event()
    model.answers["chat"] = "A long answer. " * 20
    turn = person.send("one")
    for _ in range(times):
        cut_all_connections(database_url)
    model.gate.set()
    person.app.chat.wait(turn, WAIT_SECONDS)
    reply = person.app.chat.follow(person.owner, turn.reply.id)
    assert (reply.status, reply.text) == (Status.COMPLETE, "A long answer. " * 20)
    assert person.say("two").status is Status.COMPLETE
    check_invariant(person)


def test_a_connection_lost_in_the_middle_of_a_write_leaves_nothing_of_it(
    app: App, person: Person, database_url: str
) -> None:
    person.say("one")
    database = app.store._database
    with pytest.raises(StorageUnreachable) as error, database.write() as session:  # noqa: PT012
        session.connection().exec_driver_sql("UPDATE messages SET text = 'half'")
        cut_all_connections(database_url)
        session.connection().exec_driver_sql("UPDATE messages SET text = 'whole'")
    assert error.value.retryable
    assert all(error.value.say(language) for language in ("en", "ko"))
    assert said(person) == ["one"]
    assert person.say("two").status is Status.COMPLETE


def test_a_connection_lost_in_the_middle_of_a_view_is_a_sentence_and_the_next_one_works(
    app: App, person: Person, database_url: str
) -> None:
    person.say("one")
    with pytest.raises(StorageUnreachable), app.store.one_view():  # noqa: PT012
        assert said(person) == ["one"]
        cut_all_connections(database_url)
        said(person)
    assert said(person) == ["one"]
    with app.store.one_view():
        assert said(person) == ["one"]
