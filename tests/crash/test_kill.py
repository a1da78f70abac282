"""Promise 1 against kill -9: a real process dies in the middle, and the database has lost nothing."""

from __future__ import annotations

import json
import random
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from queue import Queue
from threading import Thread
from typing import Any

import pytest

from bench.crash import run
from bench.crash_world import PHASES
from chatmem.app import App
from chatmem.domain import Message, Status, new_id
from chatmem.errors import ReplyInProgress
from chatmem.llm.models import Models
from chatmem.settings import Settings
from chatmem.store import Store
from chatmem.tokens import count_tokens
from tests.conftest import Person
from tests.crash.child import PIECES, full_reply
from tests.scripted import ScriptedModel

ROOT = Path(__file__).resolve().parents[2]
KILLS = 10
PATIENCE = 60.0
TURNS_UNTIL_A_FOLD = 6
"""After a fold the window holds 5 messages; more than 10 make the next one due."""


class Child:
    """The process that chats: `tests.crash.child`."""

    def __init__(self, url: str, chat_id: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.crash.child", url, chat_id],
            cwd=ROOT, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )  # fmt: skip
        self._told: Queue[dict[str, Any]] = Queue()
        self._heard: list[dict[str, Any]] = []
        """Told since the last order, and not waited for yet: its threads tell in any order."""
        self._listener = Thread(target=self._listen, daemon=True)
        self._listener.start()
        self.wait_for("ready")

    def _listen(self) -> None:
        assert self._process.stdout
        for line in self._process.stdout:
            if line.endswith("\n"):  # else it was killed while it wrote
                self._told.put(json.loads(line))

    def order(self, draft: str, text: str, piece_s: float = 0.0, fold_s: float = 0.0) -> None:
        assert self._process.stdin
        self._heard = []
        order = {"draft": draft, "text": text, "piece_s": piece_s, "fold_s": fold_s}
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()

    def wait_for(self, what: str) -> dict[str, Any]:
        """The first thing of this kind that it tells of the last order, whatever else comes before it."""
        until = time.monotonic() + PATIENCE
        while True:
            for told in self._heard:
                if told["what"] == what:
                    self._heard.remove(told)
                    return told
            told = self._told.get(timeout=max(0.01, until - time.monotonic()))
            assert told["what"] != "refused", told
            self._heard.append(told)

    def kill(self) -> list[dict[str, Any]]:
        """SIGKILL; what it had told until then and nobody has heard."""
        self._process.kill()
        self._process.wait()
        self._listener.join()
        while not self._told.empty():
            self._heard.append(self._told.get())
        return self._heard


class Chat:
    """One chat that outlives its processes, and what is known to be stored of it."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.id = new_id()
        self.questions: dict[str, str] = {}
        """By draft: what was sent at all."""
        self.stored: set[str] = set()
        """The drafts whose storing the process reported."""
        self.child = Child(url, self.id)

    def say(self, **slowness: float) -> str:
        """Send a new question to the process, and do not wait; the draft."""
        draft = new_id()
        self.questions[draft] = f"Q{len(self.questions):03} something to remember"
        self.child.order(draft, self.questions[draft], **slowness)
        return draft

    def wait_stored(self) -> None:
        self.stored.add(self.child.wait_for("stored")["draft"])

    def say_and_wait(self) -> str:
        self.say()
        self.wait_stored()
        return str(self.child.wait_for("ended")["status"])

    def kill(self) -> None:
        self.stored |= {told["draft"] for told in self.child.kill() if told["what"] == "stored"}

    def start_again(self) -> None:
        self.child = Child(self.url, self.id)

    def make_a_fold(self) -> None:
        before = self._version()
        for _ in range(TURNS_UNTIL_A_FOLD):
            assert self.say_and_wait() == Status.COMPLETE
            if self._version() > before:
                return
        pytest.fail(f"no fold in {TURNS_UNTIL_A_FOLD} turns after summary v{before}")

    def turns_until_a_fold_is_due(self) -> None:
        """Send until one more question makes a fold due."""
        while self._window() + 1 <= 10:
            assert self.say_and_wait() == Status.COMPLETE

    def _version(self) -> int:
        with opened(self.url) as person:
            person.chat_id = self.id
            head = person.memory.head if self.stored else None
            return head.version if head else 0

    def _window(self) -> int:
        with opened(self.url) as person:
            person.chat_id = self.id
            return person.memory.window_count if self.stored else 0


class opened:
    """The database of a chat, opened by this process, as the person whose chat it is."""

    def __init__(self, url: str) -> None:
        settings = Settings(database_url=url)
        store = Store(url)
        models = Models(settings, ScriptedModel(), count_tokens)
        self._app = App(settings, store, models, lambda: datetime.now(UTC))
        self._person = Person(self._app, store.owners.enter("c" * 64, "browser"))

    def __enter__(self) -> Person:
        return self._person

    def __exit__(self, *_: object) -> None:
        self._app.close()


@pytest.fixture
def chat(tmp_path: Path) -> Iterator[Chat]:
    made = Chat(f"sqlite:///{tmp_path / 'chat.db'}")
    yield made
    made.child.kill()


def rows(chat: Chat, query: str) -> list[tuple[Any, ...]]:
    """Read past chatmem's own code."""
    with sqlite3.connect(chat.url.removeprefix("sqlite:///")) as connection:
        return connection.execute(query).fetchall()


def make_heartbeats_stale(chat: Chat) -> None:
    """As if half a minute had passed."""
    with sqlite3.connect(chat.url.removeprefix("sqlite:///")) as connection:
        connection.execute("UPDATE messages SET heartbeat = heartbeat - 31 WHERE status = 'streaming'")


def check(chat: Chat) -> list[Message]:
    """Everything that must hold of a database whose process was killed; the chat's messages."""
    assert rows(chat, "PRAGMA integrity_check") == [("ok",)]
    assert rows(chat, "PRAGMA foreign_key_check") == []
    with opened(chat.url) as person:
        person.chat_id = chat.id
        messages, memory = person.messages, person.memory
        window = person.app.store.memory.live_between(person.owner.id, chat.id, memory.covered, 10**9)
        versions = person.app.store.versions.leading_to_head(person.owner.id, chat.id)

    asked = Counter(message.text for message in messages if message.role == "user")
    for draft, text in chat.questions.items():
        assert asked[text] == 1 or (draft not in chat.stored and asked[text] == 0), text
    assert [message.number for message in messages] == list(range(1, len(messages) + 1))
    doubled = """SELECT answers_id FROM messages WHERE answers_id IS NOT NULL AND retired_at IS NULL
                 GROUP BY answers_id HAVING count(*) > 1"""
    assert rows(chat, doubled) == []
    unanswered = """SELECT text FROM messages AS asked WHERE role = 'user'
                    AND NOT EXISTS (SELECT * FROM messages WHERE answers_id = asked.id)"""
    assert rows(chat, unanswered) == []
    without_receipt = """SELECT number FROM messages WHERE role = 'assistant' AND status = 'complete'
                         AND id NOT IN (SELECT reply_id FROM receipts WHERE total_ms IS NOT NULL)"""
    assert len(rows(chat, without_receipt)) <= 1  # of a reply that was killed between its end and its receipt

    live = [message.number for message in messages if message.live]
    assert [n for n in live if n <= memory.covered] + [m.number for m in window] == live
    assert memory.window_count == len(window)
    ends = [0, *(version.covers_through for version in versions)]
    assert [version.covers_from for version in versions] == [end + 1 for end in ends[:-1]]
    return messages


def check_the_orphan(chat: Chat, draft: str) -> Status | None:
    """What the next process makes of the reply that was being written; None if it was not even begun."""
    before = [m for m in check(chat) if m.status is Status.STREAMING]
    assert len(before) <= 1
    make_heartbeats_stale(chat)
    chat.start_again()
    after = {m.id: m for m in check(chat)}
    assert not [m for m in after.values() if m.status is Status.STREAMING]
    for orphan in before:
        reply = after[orphan.id]
        assert (reply.status, reply.text) == (Status.INTERRUPTED, orphan.text)
        assert reply.live is bool(orphan.text.strip())
        assert full_reply(chat.questions[draft]).startswith(reply.text)
        return reply.status
    return None


def send_the_draft_again(chat: Chat, draft: str) -> None:
    """What a browser does that never heard whether its question arrived: the same draft, once more."""
    chat.child.order(draft, chat.questions[draft])
    chat.wait_stored()
    chat.child.wait_for("ended")
    check(chat)


def test_ten_kills_during_a_reply_lose_nothing(chat: Chat) -> None:
    chance = random.Random(20_11)
    outcomes: list[Status | None] = []
    partials = 0
    for _ in range(KILLS):
        draft = chat.say(piece_s=0.03)
        if chance.random() < 0.7:
            chat.wait_stored()
        time.sleep(chance.uniform(0.0, PIECES * 0.03))
        chat.kill()
        outcomes.append(check_the_orphan(chat, draft))
        partials += sum(m.status is Status.INTERRUPTED and bool(m.text) for m in check(chat)[-1:])
        send_the_draft_again(chat, draft)
        assert chat.say_and_wait() == Status.COMPLETE
        check(chat)
    chat.make_a_fold()
    check(chat)
    assert outcomes.count(Status.INTERRUPTED) > KILLS // 2, "the kills came too late to mean anything"
    assert partials > 0


def test_ten_kills_during_a_fold_lose_nothing_and_the_fold_is_made_again(chat: Chat) -> None:
    chance = random.Random(20_12)
    thrown_away = 0
    for _ in range(KILLS):
        chat.turns_until_a_fold_is_due()
        version = chat._version()
        draft = chat.say(piece_s=0.01, fold_s=0.5)
        chat.child.wait_for("stored")
        chat.stored.add(draft)
        chat.child.wait_for("folding")
        time.sleep(chance.uniform(0.0, 0.6))
        chat.kill()
        check_the_orphan(chat, draft)
        thrown_away += chat._version() == version
        send_the_draft_again(chat, draft)
        chat.make_a_fold()
        check(chat)
    assert thrown_away > KILLS // 2, "the kills came too late to mean anything"


def test_a_new_process_leaves_a_reply_alone_that_may_still_be_alive(chat: Chat) -> None:
    chat.say(piece_s=0.05)
    chat.wait_stored()
    time.sleep(0.5)
    chat.kill()
    chat.start_again()
    with opened(chat.url) as person:
        person.chat_id = chat.id
        streaming = person.app.store.turns.streaming(person.owner.id, chat.id)
        assert streaming
        with pytest.raises(ReplyInProgress):
            person.send("and?")
        make_heartbeats_stale(chat)
        reply = person.app.chat.follow(person.owner, streaming.id)
        assert reply.status is Status.INTERRUPTED
        if reply.void:
            assert person.say("and?").text == "Understood."
    check(chat)


@pytest.mark.parametrize("act", ["send", "retry"])
def test_a_process_that_ran_all_along_can_use_the_chat_once_the_reply_is_stale(chat: Chat, act: str) -> None:
    with opened(chat.url) as person:
        person.chat_id = chat.id
        chat.say(piece_s=0.05)
        chat.wait_stored()
        time.sleep(0.5)
        chat.kill()
        make_heartbeats_stale(chat)
        reply = person.say("and?") if act == "send" else person.retry()
        assert reply.text == "Understood."
    check(chat)


def test_one_kill_in_each_kind_of_work_loses_nothing() -> None:
    """The beginning of `python -m bench.crash`: an upgrade, answers, folds, extraction, an import."""
    result = run(len(PHASES), seed=20_13)
    assert (result["lost"], result["doubled"], result["unusable"]) == (0, 0, 0)
    assert set(result["aimed_at"]) == set(PHASES)
    assert len(result["under_way"]) >= 3, "the kills came too late to mean anything"
