"""Another process on the same database: `python -m tests.postgres.child DATABASE_URL CHAT_ID NAME COUNT`.

It chats for an owner, in a chat that others write to and in one of its own.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

from chatmem.app import App
from chatmem.domain import Status, new_id
from chatmem.errors import ReplyInProgress
from chatmem.llm.models import Models
from chatmem.settings import Settings
from chatmem.store import Store
from chatmem.tokens import count_tokens
from tests.conftest import Person
from tests.scripted import ScriptedModel


@contextmanager
def opened(url: str) -> Iterator[App]:
    """An app like that of any process, whose model takes a moment, so that replies and folds overlap."""
    settings, model = Settings(database_url=url), ScriptedModel()
    model.answers["chat"] = "Understood, and remembered as it was said. " * 3
    model.first_piece_after_s = 0.01
    app = App(settings, Store(url), Models(settings, model, count_tokens), lambda: datetime.now(UTC))
    try:
        yield app
    finally:
        app.background.wait(30)
        app.close()


def chat_away(person: Person, shared: str, name: str, count: int) -> None:
    """Say `count` things in the shared chat, whenever nobody else is at it there, and in an own chat."""
    own = person.chat_id
    for number in range(count):
        draft = new_id()
        person.chat_id = shared
        while True:
            try:
                turn = person.send(f"{name} {number}", draft)
            except ReplyInProgress:
                time.sleep(0.005)
                continue
            break
        person.app.generations.wait(turn.reply.id, 30)
        person.chat_id = own
        assert person.say(f"{name} {number}").status is Status.COMPLETE


def main(url: str, shared: str, name: str, count: str) -> None:
    with opened(url) as app:
        person = Person(app, app.store.owners.enter("c" * 64, "browser"))
        print("ready", flush=True)  # noqa: T201
        sys.stdin.readline()
        chat_away(person, shared, name, int(count))
        print(person.chat_id, flush=True)  # noqa: T201


if __name__ == "__main__":
    main(*sys.argv[1:])
