"""What is said when SQLite cannot write for now, that nothing is half-written then, and that it goes on afterwards."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from chatmem import generation
from chatmem.app import App, build_app
from chatmem.domain import Status, new_id
from chatmem.errors import StorageFull, StorageLocked
from chatmem.settings import Settings
from chatmem.store import Store, migrate
from chatmem.store import database as databases
from tests.broken_disk import Disk, Holder, in_it, opened, said
from tests.conftest import WAIT_SECONDS, Clock, Person
from tests.scripted import ScriptedModel
from tests.stored import execute, file_of, rows
from tests.unit.test_fold import check_invariant

ROOT = Path(__file__).resolve().parents[2]
LONG = ("a long story " * 300).strip()
LONGER = "a much longer answer " * 2_000


@pytest.fixture(autouse=True)
def file(database_url: str, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The database's file, on which a writer waits only a moment for another one."""
    monkeypatch.setattr(databases, "BUSY_TIMEOUT_MS", 200)
    return file_of(database_url)


@pytest.fixture
def disk(app: App) -> Disk:
    return Disk(app)


def wait_until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + WAIT_SECONDS
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.01)


# --- full ---------------------------------------------------------------------------------------


def test_a_question_that_finds_no_room_is_a_sentence_and_the_same_draft_goes_later(
    person: Person, disk: Disk
) -> None:
    person.say("first")
    draft = new_id()
    with disk.full():
        for _ in range(2):
            with pytest.raises(StorageFull) as error:
                person.send(LONG, draft)
        assert "full" in error.value.say("en")
        assert said(person) == ["first"]
    turn = person.send(LONG, draft)
    person.app.chat.wait(turn, WAIT_SECONDS)
    assert [m.status for m in person.messages] == [Status.COMPLETE] * 4
    assert said(person) == ["first", LONG]
    check_invariant(person)


def test_a_reply_that_ends_while_there_is_no_room_is_kept_whole(
    person: Person, model: ScriptedModel, disk: Disk
) -> None:
    person.say("first")
    model.answers["chat"], model.gate = LONGER, threading.Event()
    turn = person.send("second")
    with disk.full():
        model.gate.set()
        # Neither the texts so far nor the end find room: both are tried again.
        wait_until(lambda: disk.refused > 1)
        assert person.app.store.turns.message(person.owner.id, turn.reply.id).status is Status.STREAMING
    person.app.chat.wait(turn, WAIT_SECONDS)
    reply = person.app.store.turns.message(person.owner.id, turn.reply.id)
    assert (reply.status, reply.text) == (Status.COMPLETE, LONGER)
    model.answers["chat"], model.gate = "Understood.", None
    assert person.say("third").text == "Understood."


def test_a_fold_that_cannot_be_stored_leaves_everything_and_is_made_later(
    person: Person, model: ScriptedModel, file: Path
) -> None:
    for number in range(5):
        person.say(f"statement {number}")
    holder, summary = Holder(file), model.answers["fold"]

    def held(_: object) -> object:
        holder.__enter__()
        return summary

    model.answers["fold"] = held  # type: ignore[assignment]
    person.send("statement 5")
    wait_until(lambda: bool(model.asked("fold")))
    wait_until(lambda: "fold" not in person.app.chat.pending(person.chat_id))
    holder.__exit__()
    wait_until(lambda: not person.app.chat.pending(person.chat_id))
    assert person.memory.head is None
    assert [m.status for m in person.messages] == [Status.COMPLETE] * 12
    check_invariant(person)
    model.answers["fold"] = summary
    person.say("statement 6")
    assert person.memory.covered > 0
    check_invariant(person)


OUT_OF_SPACE = """
import resource, sys
from pathlib import Path
from tests.broken_disk import in_it, opened
from chatmem.errors import ChatmemError

file, chat = Path(sys.argv[1]), sys.argv[2]
person = in_it(opened(file), chat)
person.say("before")
size = max(each.stat().st_size for each in file.parent.glob("chat.db*"))
resource.setrlimit(resource.RLIMIT_FSIZE, (size + 60_000, resource.RLIM_INFINITY))
for number in range(60):
    try:
        turn = person.send(f"{number} " + "a long story " * 50)
    except ChatmemError as error:
        print("refused", error.code, error.say("ko"), flush=True)
        break
    print("stored", number, flush=True)
    person.app.generations.wait(turn.reply.id, 0.5)
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
import time; time.sleep(2)
print("after", person.say("after").status, flush=True)
"""


def test_a_disk_that_really_takes_no_more_costs_nothing_that_was_stored(file: Path) -> None:
    """The system's own limit on the size of a file: writing fails half-way, as with a quota."""
    chat = new_id()
    child = subprocess.run(
        [sys.executable, "-c", OUT_OF_SPACE, str(file), chat], cwd=ROOT, text=True, capture_output=True, check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT)}, timeout=120,
    )  # fmt: skip
    lines = child.stdout.splitlines()
    assert any(line.startswith("refused Storage") for line in lines), child
    assert "Traceback" not in child.stderr
    assert lines[-1] == "after complete", child
    assert rows(file, "PRAGMA integrity_check") == [("ok",)]
    app = opened(file)
    person = in_it(app, chat)
    stored = [line.split()[1] for line in lines if line.startswith("stored")]
    assert [text.split()[0] for text in said(person)] == ["before", *stored, "after"]
    check_invariant(person)
    app.close()


# --- held by another program --------------------------------------------------------------------


def test_a_database_that_another_program_holds_is_a_sentence_and_can_be_read(person: Person, file: Path) -> None:
    person.say("first")
    draft = new_id()
    with Holder(file):
        with pytest.raises(StorageLocked) as error:
            person.send("second", draft)
        assert "다른 프로그램" in error.value.say("ko")
        assert said(person) == ["first"]
    person.app.chat.wait(person.send("second", draft), WAIT_SECONDS)
    assert said(person) == ["first", "second"]


def test_a_reply_that_ends_while_another_program_holds_the_database_is_kept_whole(
    person: Person, model: ScriptedModel, file: Path
) -> None:
    model.answers["chat"], model.gate = LONGER, threading.Event()
    turn = person.send("first")
    with Holder(file):
        model.gate.set()
        time.sleep(1.0)  # several attempts
        assert person.app.store.turns.message(person.owner.id, turn.reply.id).status is Status.STREAMING
    person.app.chat.wait(turn, WAIT_SECONDS)
    reply = person.app.store.turns.message(person.owner.id, turn.reply.id)
    assert (reply.status, reply.text) == (Status.COMPLETE, LONGER)


def test_the_end_of_a_reply_waits_longer_than_half_a_minute() -> None:
    """Somebody's backup may hold the database for so long."""
    assert sum(generation.SAVE_AGAIN_SECONDS) > 30


def test_a_turn_whose_database_fails_half_way_keeps_its_question_and_says_why(
    person: Person, model: ScriptedModel, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the question and its reply: a sentence of the reply, not one as if nothing had been stored."""
    holder = Holder(file)

    def held(messages: object) -> object:
        holder.__enter__()
        return messages

    with monkeypatch.context() as once:
        once.setattr(model, "prepare", held)
        turn = person.send("first")
    assert said(person) == ["first"]
    holder.__exit__()
    person.app.chat.wait(turn, WAIT_SECONDS)
    reply = person.app.chat.follow(person.owner, turn.reply.id)
    assert reply.status is Status.FAILED
    assert reply.failure
    assert reply.failure.code == "StorageLocked"
    assert person.retry().text == "Understood."
    assert said(person) == ["first"]


def test_an_older_database_that_another_program_holds_is_left_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = tmp_path / "old.db"
    with monkeypatch.context() as earlier:
        earlier.setattr(migrate, "HEAD", "0001")
        Store(f"sqlite:///{old}").close()
    with Holder(old), pytest.raises(StorageLocked):
        Store(f"sqlite:///{old}")
    assert rows(old, "SELECT version_num FROM alembic_version") == [("0001",)]
    assert not list(tmp_path.glob(f"*{databases.BACKUP_SUFFIX}"))
    Store(f"sqlite:///{old}").close()
    assert rows(old, "SELECT version_num FROM alembic_version") == [(migrate.HEAD,)]


@pytest.mark.parametrize("fault", ["held", "read-only"])
def test_the_app_starts_and_can_be_read_while_there_is_something_to_tidy(
    person: Person, file: Path, fault: str, clock: Clock
) -> None:
    """A reply whose process is gone, and a chat whose undo is over: neither is worth keeping everybody out."""
    person.say("first")
    person.app.store.turns.begin(person.owner.id, person.chat_id, "d2", "second", 1, "second")
    gone = Person(person.app, person.owner)
    gone.say("deleted")
    person.app.store.conversations.hide(person.owner.id, gone.chat_id)
    execute(file, "UPDATE messages SET heartbeat = heartbeat - 31 WHERE status = 'streaming'")
    clock.ahead = timedelta(days=1)
    url = f"sqlite:///file:{file}?mode=ro&uri=true" if fault == "read-only" else f"sqlite:///{file}"
    with Holder(file):
        app = build_app(Settings(database_url=url), ScriptedModel(), clock)
        assert said(in_it(app, person.chat_id)) == ["first", "second"]
        app.close()
    app = build_app(Settings(database_url=f"sqlite:///{file}"), ScriptedModel(), clock)
    assert rows(file, "SELECT count(*) FROM messages WHERE status = 'streaming'") == [(0,)]
    assert rows(file, "SELECT count(*) FROM conversations") == [(1,)]
    app.close()
