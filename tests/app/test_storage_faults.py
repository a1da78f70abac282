"""What a page says when its database cannot: a sentence in place of an exception, and the draft is kept."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path
from typing import Any

import pytest

from chatmem.app import App
from chatmem.store import Store
from chatmem.store import database as databases
from chatmem.store.owners import LOCAL_OWNER
from pages.parts import chat_list
from tests.app.tab import CHAT, HISTORY, MEMORY, SETTINGS, Tab
from tests.broken_disk import Disk, Holder
from tests.conftest import Person
from tests.scripted import ScriptedModel
from tests.stored import execute, rows

LONG = ("a long story " * 300).strip()


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A writer waits only a moment for another one. Stands before `app`."""
    monkeypatch.setattr(databases, "BUSY_TIMEOUT_MS", 200)


def errors(tab: Tab) -> str:
    return "\n".join(box.value for box in tab.at.error)


# --- full, or held ------------------------------------------------------------------------------


def test_a_disk_that_fills_up_in_a_chat_is_a_sentence_and_the_draft_stays(app: App, tab: Tab) -> None:
    disk = Disk(app)
    tab.open().say("first")
    with disk.full():
        tab.send(LONG)
        assert any("disk is full" in notice for notice in tab.notices)
        assert tab.draft == LONG
        assert [who for who, _ in tab.said] == ["user", "assistant"]
    tab.say(LONG)
    assert [who for who, _ in tab.said] == ["user", "assistant"] * 2


@pytest.mark.usefixtures("impatient")
def test_a_database_that_is_held_by_another_program_is_a_sentence_and_the_draft_stays(
    app: App, korean_tab: Tab, database: Path
) -> None:
    tab = korean_tab.open().say("first")
    with Holder(database):
        tab.send("second")
        assert any("다른 프로그램" in notice for notice in tab.notices)
        assert tab.draft == "second"
        for page in (HISTORY, MEMORY, SETTINGS):
            Tab("ko-KR").open(page)  # reading waits for nobody
    tab.say("second")
    assert [text for who, text in tab.said if who == "user"] == ["first", "second"]


# --- not to be written, or broken half-way ----------------------------------------------------------


def test_a_database_that_is_read_only_is_read_and_keeps_the_draft(
    database: Path, chat_before: str, environment: pytest.MonkeyPatch
) -> None:
    environment.setenv("DATABASE_URL", f"sqlite:///file:{database}?mode=ro&uri=true")
    tab = Tab(chat=chat_before).open()
    assert len(tab.said) > 10
    tab.send("one more")
    assert any("cannot be written" in notice for notice in tab.notices)
    assert tab.draft == "one more"
    for page in (HISTORY, MEMORY, SETTINGS):
        Tab().open(page)


@pytest.mark.usefixtures("impatient")
def test_a_database_that_fails_half_way_through_a_turn_says_so_at_the_reply(
    app: App, model: ScriptedModel, tab: Tab, database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tab.open().say("first")
    holder = Holder(database)

    def held(messages: object) -> object:
        holder.__enter__()
        return messages

    with monkeypatch.context() as once:
        once.setattr(model, "prepare", held)
        tab.send("second")
    assert tab.draft == ""  # it is stored
    holder.__exit__()
    tab.settle()
    assert "Another program is holding the database" in tab.words
    tab.click("retry-").settle()
    assert tab.said[-1] == ("assistant", "Understood.")
    assert [text for who, text in tab.said if who == "user"] == ["first", "second"]


# --- damaged ------------------------------------------------------------------------------------


@pytest.fixture
def chat_before(database: Path, environment: pytest.MonkeyPatch) -> str:
    """A chat that an earlier process left; its id."""
    environment.setenv("CHATMEM_IDENTITY", "local")
    store = Store(f"sqlite:///{database}")
    owner = store.owners.enter(LOCAL_OWNER, "local")
    for number in range(30):
        turn = store.turns.begin(owner.id, "c1", f"d{number}", f"question {number}" * 30, 5, "Title")
        store.turns.finish(turn.reply.id, turn.run_token, turn.question.status, "answer " * 40, 5)
    store.close()
    return "c1"


@pytest.mark.parametrize("page", [CHAT, HISTORY, MEMORY, SETTINGS])
def test_a_file_that_is_damaged_at_the_start_is_a_sentence(database: Path, chat_before: str, page: str) -> None:
    raw = database.read_bytes()
    database.write_bytes(raw[:100] + b"\xa5" * 3_000 + raw[3_100:])
    tab = Tab("ko-KR", chat=chat_before).open(page)
    assert "손상" in errors(tab)
    assert tab.said == []


def test_messages_that_are_damaged_are_a_sentence_and_not_an_empty_chat(database: Path, chat_before: str) -> None:
    (root,) = rows(database, "SELECT rootpage FROM sqlite_master WHERE name = 'messages'")[0]
    raw = bytearray(database.read_bytes())
    raw[(root - 1) * 4096 : root * 4096] = b"\xa5" * 4096
    database.write_bytes(raw)
    tab = Tab(chat=chat_before).open()
    assert "damaged" in errors(tab)
    assert not tab.has_button("example")


def test_a_row_that_is_damaged_is_a_sentence(database: Path, chat_before: str) -> None:
    execute(database, "UPDATE messages SET created_at = 'xxxx' WHERE number = 5")
    tab = Tab(chat=chat_before).open()
    assert "damaged" in errors(tab)


def test_the_app_comes_back_when_the_file_is_mended(database: Path, chat_before: str) -> None:
    """The sentence is no state of the process: a copy put in its place is opened at the next visit."""
    raw = database.read_bytes()
    database.write_bytes(b"\xa5" * len(raw))
    assert "damaged" in errors(Tab(chat=chat_before).open())
    database.write_bytes(raw)
    for beside in database.parent.glob(f"{database.name}-*"):
        beside.unlink()
    tab = Tab(chat=chat_before).open()
    assert errors(tab) == ""
    assert len(tab.said) > 10


# --- two time zones -----------------------------------------------------------------------------


class FirstOfMarch(datetime):
    """Half past midnight on the first of March 2028 in Seoul; to the west of it, it is still the leap day before."""

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> Any:
        return datetime(2028, 2, 29, 15, 30, tzinfo=UTC).astimezone(tz)


@pytest.mark.parametrize(
    ("zone", "list_"),
    [
        ("Asia/Seoul", ["Today", "chat a", "Yesterday", "chat b", "chat c"]),
        ("America/Los_Angeles", ["Today", "chat a", "chat b", "Yesterday", "chat c"]),
        ("Nowhere/AtAll", ["Today", "chat a", "chat b", "Yesterday", "chat c"]),
    ],
)
def test_each_visitor_has_their_own_today(
    person: Person, database: Path, monkeypatch: pytest.MonkeyPatch, zone: str, list_: list[str]
) -> None:
    change = "UPDATE conversations SET title = ?, updated_at = ? WHERE id = ?"
    for name, hours in (("a", 0.0), ("b", 3.0), ("c", 23.6)):
        person.chat_id = f"chat-{name}"
        person.say("hello")
        moment = FirstOfMarch.now(UTC) - timedelta(hours=hours)
        execute(database, change, f"chat {name}", f"{moment:%Y-%m-%d %H:%M:%S.%f}", person.chat_id)
    monkeypatch.setattr(chat_list, "datetime", FirstOfMarch)
    tab = Tab()
    tab.at.context = {"locale": "en-US", "timezone": zone}
    tab.open()
    assert [word for word in tab.words.splitlines() if word in ("Today", "Yesterday", *list_)] == list_
