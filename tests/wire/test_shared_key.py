"""A key that an installation shares: every visitor has a daily share of it, and a sentence at its end."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from chatmem.app import App
from chatmem.domain import Status
from chatmem.llm.models import Models
from chatmem.settings import Settings
from chatmem.store import Store
from chatmem.tokens import count_tokens
from tests.conftest import WAIT_SECONDS, Clock, Person
from tests.scripted import ScriptedModel
from tests.wire.server import ModelServer, Reply

LIMIT = 300


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer(lambda body: Reply("Fine.", usage=(100, 10))) as running:
        yield running


@pytest.fixture
def app(server: ModelServer, database_url: str, clock: Clock) -> Iterator[App]:
    settings = Settings(
        database_url=database_url, server_key="sk-shared", server_url=server.base_url, daily_tokens=LIMIT
    )
    app = App(settings, Store(database_url), Models(settings, ScriptedModel(), count_tokens), clock)
    yield app
    app.background.wait(WAIT_SECONDS)
    app.close()


def use_up(person: Person) -> None:
    while person.app.store.owners.spent_today(person.owner.id) < LIMIT:
        assert person.say("Hello").status is Status.COMPLETE


def test_a_visitor_who_used_up_the_days_share_is_told_and_loses_nothing(
    person: Person, server: ModelServer
) -> None:
    use_up(person)
    asked = len(server.requests)
    reply = person.say("One more?")
    assert reply.status is Status.FAILED
    assert reply.failure
    assert (reply.failure.code, reply.failure.details["limit"]) == ("DailyLimitReached", "300")
    assert len(server.requests) == asked
    assert person.messages[-2].text == "One more?"


def test_another_visitor_and_the_teaching_model_are_not_affected(person: Person, stranger: Person) -> None:
    use_up(person)
    assert stranger.say("Hello").status is Status.COMPLETE
    person.prefer(provider="teaching")
    assert person.say("Hello").status is Status.COMPLETE
