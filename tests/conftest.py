"""What most tests stand on: a real SQLite file, the scripted model, and a person who chats."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from chatmem.app import App
from chatmem.domain import Language, Message, Owner, Turn, new_id
from chatmem.llm.models import Models
from chatmem.settings import Settings
from chatmem.store import Store
from chatmem.tokens import count_tokens
from tests.databases import everything_on_server, new_database, on_server
from tests.scripted import ScriptedModel

WAIT_SECONDS = 30


class Clock:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.ahead = timedelta(0)

    def __call__(self) -> datetime:
        return datetime.now(UTC) + self.ahead


class Person:
    """One owner in one chat, who waits for replies and for what follows them."""

    def __init__(self, app: App, owner: Owner, conversation_id: str | None = None) -> None:
        self.app = app
        self.owner = owner
        self.chat_id = conversation_id or new_id()
        self.language: Language = "en"

    def send(self, text: str, draft_id: str | None = None) -> Turn:
        return self.app.chat.send(self.owner, self.chat_id, draft_id or new_id(), text, language=self.language)

    def say(self, text: str) -> Message:
        """Send, wait, and return the reply as it ended."""
        turn = self.send(text)
        self.app.chat.wait(turn, WAIT_SECONDS)
        return self.app.chat.follow(self.owner, turn.reply.id)

    def retry(self) -> Message:
        turn = self.app.chat.retry(self.owner, self.chat_id, language=self.language)
        self.app.chat.wait(turn, WAIT_SECONDS)
        return self.app.chat.follow(self.owner, turn.reply.id)

    def edit(self, message: Message, text: str) -> Message:
        """Send another text in a question's place, wait, and return the reply."""
        turn = self.app.chat.send(
            self.owner, self.chat_id, new_id(), text, language=self.language, instead_of=message.id
        )
        self.app.chat.wait(turn, WAIT_SECONDS)
        return self.app.chat.follow(self.owner, turn.reply.id)

    def live(self) -> list[Message]:
        return [message for message in self.messages if message.live]

    def message(self, number: int) -> Message:
        return next(message for message in self.messages if message.number == number)

    def prefer(self, **preferences: object) -> None:
        self.app.store.owners.save_preferences(self.owner.id, preferences)
        self.owner = self.app.store.owners.get(self.owner.id)

    @property
    def memory(self):  # type: ignore[no-untyped-def]
        return self.app.chat.memory(self.owner, self.chat_id)

    @property
    def messages(self) -> list[Message]:
        return self.app.store.turns.page(self.owner.id, self.chat_id, limit=10_000, retired=True)


@pytest.fixture
def model() -> ScriptedModel:
    return ScriptedModel()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(autouse=True)
def chosen_database() -> Iterator[None]:
    """`CHATMEM_TEST_DATABASE=postgres` has every test of the store run on a server."""
    if not everything_on_server():
        yield
        return
    with on_server():
        yield


@pytest.fixture
def database_url(tmp_path: Path) -> str:
    return new_database(tmp_path)


@pytest.fixture
def app(database_url: str, model: ScriptedModel, clock: Clock) -> Iterator[App]:
    settings = Settings(database_url=database_url)
    app = App(settings, Store(database_url, clock), Models(settings, model, count_tokens), clock)
    yield app
    app.background.wait(WAIT_SECONDS)
    app.close()


@pytest.fixture
def person(app: App) -> Person:
    return Person(app, app.store.owners.enter("a" * 64, "browser"))


@pytest.fixture
def stranger(app: App) -> Person:
    return Person(app, app.store.owners.enter("b" * 64, "browser"))
