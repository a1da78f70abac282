"""A key that an installation shares: every visitor has a daily share of it, and a sentence at its end."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from chatmem.app import App
from chatmem.domain import Status
from chatmem.llm.models import Models
from chatmem.llm.openai_client import ROOM_FOR_REASONING
from chatmem.settings import Settings
from chatmem.store import Store
from chatmem.tokens import count_tokens
from tests.conftest import WAIT_SECONDS, Clock, Person
from tests.scripted import ScriptedModel
from tests.wire.server import ModelServer, Reply, failure

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


# --- many at once, and processes that die -----------------------------------------------------------------


MOST_OF_A_CALL = 4_000
"""Far more than what a short question and the cap of its reply come to."""


@pytest.mark.parametrize("processes", [1, 2])
def test_twenty_chats_of_one_visitor_at_once_pass_the_limit_by_one_call_at_most(
    person: Person, server: ModelServer, database_url: str, clock: Clock, processes: int
) -> None:
    # Each call uses all that it may.
    server.answer = lambda body: Reply(
        "Fine.", usage=(100, body["max_tokens"] - ROOM_FOR_REASONING), first_token=0.2
    )
    limit = 10_000
    apps = []
    for _ in range(processes):
        settings = replace(person.app.settings, daily_tokens=limit)
        apps.append(App(settings, Store(database_url), Models(settings, ScriptedModel(), count_tokens), clock))
    visitors = [Person(apps[number % processes], person.owner) for number in range(20)]
    with ThreadPoolExecutor(20) as pool:
        replies = list(pool.map(lambda one: one.say("Hello"), visitors))
    for app in apps:
        app.background.wait(WAIT_SECONDS)
        app.close()
    answered = [reply for reply in replies if reply.status is Status.COMPLETE]
    refused = [reply for reply in replies if reply.failure and reply.failure.code == "DailyLimitReached"]
    assert len(answered) + len(refused) == 20
    assert answered
    assert len(refused) > 10
    assert person.app.store.owners.spent_today(person.owner.id) < limit + MOST_OF_A_CALL


def test_what_a_process_that_died_had_reserved_stays_used(
    person: Person, server: ModelServer, database_url: str, clock: Clock
) -> None:
    server.script(Reply("one two three", silent_after=1))
    turn = person.send("Hello")
    server.wait_for_requests(1)
    again = Store(database_url, clock)  # the next process, while the first is as good as dead
    assert again.owners.spent_today(person.owner.id) > LIMIT
    person.app.chat.stop(person.owner, person.chat_id)
    person.app.chat.wait(turn, WAIT_SECONDS)
    assert 0 < again.owners.spent_today(person.owner.id) < MOST_OF_A_CALL


def test_a_server_that_fails_at_once_costs_nothing(person: Person, server: ModelServer) -> None:
    server.answer = lambda body: failure(401, "no")
    for _ in range(3):
        assert person.say("Hello").status is Status.FAILED
    assert person.app.store.owners.spent_today(person.owner.id) == 0
