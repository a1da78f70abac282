"""What is said when SQLite cannot, that nothing is half-written then, and that it goes on afterwards."""

from __future__ import annotations

import os
import random
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import quote

import pytest

from chatmem import generation
from chatmem.app import App, build_app
from chatmem.domain import Status, new_id
from chatmem.errors import (
    BadSetting,
    ChatmemError,
    StorageDamaged,
    StorageError,
    StorageFull,
    StorageLocked,
    StorageReadOnly,
)
from chatmem.llm.models import Models
from chatmem.settings import Settings
from chatmem.store import Store, migrate
from chatmem.store import database as databases
from chatmem.tokens import count_tokens
from tests.broken_disk import Disk, Holder
from tests.conftest import WAIT_SECONDS, Clock, Person
from tests.scripted import ScriptedModel
from tests.stored import execute, file_of, rows
from tests.unit.test_fold import check_invariant

ROOT = Path(__file__).resolve().parents[2]
PAGE = 4096
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


def opened(file: Path) -> App:
    return opened_at(f"sqlite:///{file}")


def opened_at(url: str) -> App:
    settings = Settings(database_url=url)
    return App(settings, Store(url), Models(settings, ScriptedModel(), count_tokens), lambda: datetime.now(UTC))


def in_it(app: App, chat_id: str | None = None) -> Person:
    return Person(app, app.store.owners.enter("a" * 64, "browser"), chat_id)


def said(person: Person) -> list[str]:
    return [message.text for message in person.messages if message.role == "user"]


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
from tests.unit.test_storage_faults import in_it, opened
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


# --- not to be written --------------------------------------------------------------------------


@pytest.fixture(scope="module")
def sixty_messages(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, str]:
    file = tmp_path_factory.mktemp("sixty") / "chat.db"
    app = opened(file)
    person = in_it(app)
    for number in range(30):
        person.say(f"Q{number} the garden wants {number} more hours of sun than it gets " + "and so on " * 30)
    app.background.wait(WAIT_SECONDS)
    app.close()
    return file.read_bytes(), person.chat_id


@pytest.fixture
def filled(file: Path, sixty_messages: tuple[bytes, str]) -> tuple[Path, str]:
    """A chat of sixty messages, closed; the file and the chat's id."""
    raw, chat = sixty_messages
    for beside in file.parent.glob(f"{file.name}*"):
        beside.unlink()
    file.write_bytes(raw)
    return file, chat


def test_a_database_that_cannot_be_written_is_read_and_says_so(filled: tuple[Path, str]) -> None:
    file, chat = filled
    app = opened_at(f"sqlite:///file:{quote(str(file))}?mode=ro&uri=true")
    person = in_it(app, chat)
    assert len(said(person)) == 30
    for act in (lambda: person.send("one more"), lambda: app.store.conversations.hide(person.owner.id, chat)):
        with pytest.raises(StorageReadOnly) as error:
            act()
        assert "쓸 수 없습니다" in error.value.say("ko")
    app.close()
    app = opened(file)
    assert len(said(in_it(app, chat))) == 30
    app.close()


# --- damaged ------------------------------------------------------------------------------------


def everything(file: Path, chat: str) -> list[object]:
    app = opened(file)
    try:
        person = in_it(app, chat)
        texts = [message.text for message in person.messages]
        versions = app.store.versions.leading_to_head(person.owner.id, chat)
        chats = app.store.conversations.recent(person.owner.id)
        return [texts, versions, chats, app.archive.export(person.owner.id)]
    finally:
        app.close()


def damaged(file: Path, raw: bytes) -> Path:
    beside = file.with_name("damaged.db")
    for old in beside.parent.glob("damaged.db*"):
        old.unlink()
    beside.write_bytes(raw)
    return beside


def test_a_damaged_page_is_a_sentence_or_no_matter_and_never_an_empty_list(filled: tuple[Path, str]) -> None:
    file, chat = filled
    whole, raw, chance = everything(file, chat), file.read_bytes(), random.Random(29)
    sentences = 0
    for start in range(0, len(raw), PAGE):
        rubbish = chance.choice([bytes(PAGE), b"\xa5" * PAGE, chance.randbytes(PAGE)])
        try:
            found = everything(damaged(file, raw[:start] + rubbish + raw[start + PAGE :]), chat)
        except StorageDamaged:
            sentences += 1
        else:
            assert found == whole, f"page {start // PAGE + 1}"
    assert sentences > 10


@pytest.mark.parametrize(
    ("statement", "value"),
    [
        ("UPDATE messages SET created_at = ? WHERE number = 3", "2026-0xxxxxx"),
        ("UPDATE messages SET status = ? WHERE number = 3", "comxxxxx"),
        ("UPDATE messages SET text = CAST(? AS TEXT) WHERE number = 3", b"\xa5\xa5\xa5"),
        ("UPDATE summaries SET pins = ?", "[[1, xxxxx"),
        ("UPDATE conversations SET updated_at = ?", "xxxxx"),
    ],
)
def test_a_row_that_cannot_be_read_is_a_sentence(filled: tuple[Path, str], statement: str, value: object) -> None:
    file, chat = filled
    execute(file, statement, value)
    with pytest.raises(StorageDamaged):
        everything(file, chat)
    if "conversations" in statement:
        app = opened(file)
        with pytest.raises(StorageDamaged):
            in_it(app, chat).send("one more")
        app.close()


@pytest.mark.parametrize("share", [0.02, 0.5, 0.98])
def test_a_file_that_ends_too_early_is_a_sentence(filled: tuple[Path, str], share: float) -> None:
    file, chat = filled
    raw = file.read_bytes()
    with pytest.raises(StorageDamaged):
        everything(damaged(file, raw[: int(len(raw) * share)]), chat)


def test_an_empty_file_is_a_new_database(tmp_path: Path) -> None:
    file = tmp_path / "empty.db"
    file.touch()
    app = opened(file)
    assert in_it(app).say("hello").text == "Understood."
    app.close()


def test_the_sentence_about_a_damaged_file_names_nothing_that_was_said(filled: tuple[Path, str]) -> None:
    file, chat = filled
    execute(file, "UPDATE messages SET created_at = 'my secret' WHERE number = 3")
    with pytest.raises(StorageDamaged) as error:
        everything(file, chat)
    assert "secret" not in error.value.say("en")


# --- its other files ----------------------------------------------------------------------------


def test_without_the_file_of_shared_memory_nothing_is_missing(person: Person, file: Path, tmp_path: Path) -> None:
    person.say("first")
    copy = tmp_path / "copy" / "chat.db"
    copy.parent.mkdir()
    for kind in ("", "-wal"):
        copy.with_name(f"chat.db{kind}").write_bytes(file.with_name(f"{file.name}{kind}").read_bytes())
    app = opened(copy)
    assert said(in_it(app, person.chat_id)) == ["first"]
    app.close()


def test_a_log_that_was_deleted_costs_what_stood_in_it_alone_and_never_the_rest(
    filled: tuple[Path, str], tmp_path: Path
) -> None:
    file, chat = filled
    app = opened(file)
    person = in_it(app, chat)
    person.say("only in the log")
    copy = tmp_path / "copy.db"
    copy.write_bytes(file.read_bytes())  # not its log
    app.background.wait(WAIT_SECONDS)
    app.close()
    assert rows(copy, "PRAGMA integrity_check") == [("ok",)]
    app = opened(copy)
    person = in_it(app, chat)
    assert len(said(person)) == 30
    check_invariant(person)
    assert person.say("and on").text == "Understood."
    app.close()


# --- where it is --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["한글 이름", "a#b", "50% off", "tea & cake", "it's", "[brackets]*", "a=b;c"])
def test_a_path_may_hold_spaces_korean_and_signs(tmp_path: Path, name: str) -> None:
    folder = tmp_path / f"대화 폴더 {name}"
    app = opened(folder / f"{name}.db")
    assert in_it(app).say("hello").text == "Understood."
    app.close()
    assert [file.name for file in folder.iterdir()] == [f"{name}.db"]


def test_signs_of_an_address_can_be_written_as_such(tmp_path: Path) -> None:
    for name in ("why?.db", "100%25.db"):
        Store(f"sqlite:///{quote(str(tmp_path / name))}").close()
        assert (tmp_path / name).exists()


@pytest.mark.parametrize("name", ["why?.db", "chat.db?mode=ro", "chat.db?timeout=1"])
def test_what_sqlite_would_pass_over_in_an_address_is_refused(tmp_path: Path, name: str) -> None:
    """Else another file would be opened than the one that was meant, or one to be read only be written."""
    with pytest.raises(BadSetting) as error:
        Store(f"sqlite:///{tmp_path / name}")
    assert "%3F" in error.value.say("ko")
    assert list(tmp_path.iterdir()) == []


def test_a_backup_beside_a_path_of_signs_is_found_and_deleted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = f"sqlite:///{tmp_path / '한글 [a]*.db'}"
    with monkeypatch.context() as earlier:
        earlier.setattr(migrate, "HEAD", "0002")
        Store(url).close()
    Store(url).close()
    (copy,) = tmp_path.glob(f"*{databases.BACKUP_SUFFIX}")
    with closing(sqlite3.connect(copy)) as connection:
        assert connection.execute("SELECT version_num FROM alembic_version").fetchone() == ("0002",)
    Store(url).close()
    assert not list(tmp_path.glob(f"*{databases.BACKUP_SUFFIX}"))


def test_every_fault_of_a_file_has_a_sentence_of_its_own_in_both_languages() -> None:
    kinds: list[type[ChatmemError]] = [StorageFull, StorageLocked, StorageReadOnly, StorageDamaged, StorageError]
    for language in ("en", "ko"):
        assert len({kind(reason="r").say(language) for kind in kinds}) == len(kinds)  # type: ignore[arg-type]
