"""The whole core over real HTTP: what is stored about a request is what a server received."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from chatmem import prompts
from chatmem.app import App
from chatmem.domain import ChatMessage, Receipt, Status, Usage, new_id
from chatmem.llm import models as llm_models
from chatmem.llm.models import Models
from chatmem.llm.providers import OPENAI, Api
from chatmem.settings import Settings
from chatmem.store import Store
from chatmem.tokens import count_tokens
from tests.conftest import WAIT_SECONDS, Clock, Person
from tests.scripted import ScriptedModel
from tests.wire.conftest import KEY
from tests.wire.server import Json, ModelServer, Reply, Request, _Chat, _Responses, failure

TURNS = 20
CHAT_MODEL, HELPER = "big-model", "small-helper"
SUMMARY = (
    "<summary>\nBackground: a person who counts, version {version}.\n</summary>\n<pins>\n[1] statement 1\n</pins>"
)


def purpose(body: Json) -> str:
    """Why a request was made, by its first words."""
    array = body.get("messages") or body["input"]
    if array[0]["content"] == prompts.title("", "", "en")[0].text:
        return "title"
    if "<known>" in array[-1]["content"]:
        return "extract"
    return "fold" if "<transcript>" in array[-1]["content"] else "chat"


class Speaker:
    """Answers chat, folds, extractions and titles; reports a usage that differs with each request."""

    def __init__(self) -> None:
        self.fold: Callable[[int], str | Reply] = lambda version: SUMMARY.format(version=version)
        self.extract: Callable[[Json], str | Reply] = lambda body: '{"operations": []}'
        self._asked: dict[str, int] = {}

    def __call__(self, body: Json) -> Reply:
        kind = purpose(body)
        self._asked[kind] = number = self._asked.get(kind, 0) + 1
        answers = {
            "chat": f"Reply {number}.",
            "fold": self.fold(number),
            "title": "Counting",
            "extract": self.extract(body),
        }
        answer = answers[kind]
        if isinstance(answer, Reply):
            return answer
        return Reply(answer, usage=(100 + number, 10 + number))


@pytest.fixture
def speaker() -> Speaker:
    return Speaker()


@pytest.fixture
def server(speaker: Speaker) -> Iterator[ModelServer]:
    with ModelServer(speaker) as running:
        yield running


@pytest.fixture
def app(
    api: Api, server: ModelServer, database_url: str, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> Iterator[App]:
    """An installation with a key of its own: at an address of its own, or at "OpenAI", which is this server."""
    names = {"model_name": CHAT_MODEL, "helper_name": HELPER, "allow_visitor_servers": True}
    settings = Settings(database_url=database_url, server_key=KEY, daily_tokens=0, **names)  # type: ignore[arg-type]
    if api == "responses":
        monkeypatch.setattr(llm_models, "OPENAI", replace(OPENAI, base_url=server.base_url))
    else:
        settings = replace(settings, server_url=server.base_url)
    app = App(settings, Store(database_url), Models(settings, ScriptedModel(), count_tokens), clock)
    yield app
    app.background.wait(WAIT_SECONDS)
    app.close()


def asked(server: ModelServer, kind: str) -> list[Request]:
    return [request for request in server.requests if purpose(request.body) == kind]


def as_json(messages: tuple[ChatMessage, ...]) -> str:
    return json.dumps([{"role": m.role, "content": m.text} for m in messages])


def receipt_of(person: Person, reply_id: int) -> Receipt:
    return person.app.store.receipts.get(person.owner.id, reply_id)


def test_in_twenty_turns_every_receipt_is_what_the_server_received(person: Person, server: ModelServer) -> None:
    replies = [person.say(f"statement {number}: 나는 {number}살") for number in range(1, TURNS + 1)]
    assert [reply.status for reply in replies] == [Status.COMPLETE] * TURNS
    received = asked(server, "chat")
    assert len(received) == TURNS
    # Asked for at the end, when folds have moved the memory on.
    for reply, request in zip(replies, received, strict=True):
        assert as_json(receipt_of(person, reply.id).context.messages) == json.dumps(request.messages)
    assert {request.body["model"] for request in received} == {CHAT_MODEL}


def test_the_helper_folds_and_later_requests_carry_its_summary(person: Person, server: ModelServer) -> None:
    replies = [person.say(f"statement {number}") for number in range(1, TURNS + 1)]
    folds = asked(server, "fold")
    assert {request.body["model"] for request in folds} == {HELPER}
    memory = person.memory
    assert memory.head
    assert memory.head.version == len(folds) > 2
    assert memory.covered + memory.window_count == 2 * TURNS
    for reply in replies:
        context = receipt_of(person, reply.id).context
        written = [m.text for m in context.messages if f"version {context.summary_version}." in m.text]
        assert len(written) == bool(context.summary_version)
    # Each call had the version before and the newly folded messages only.
    assert "version 1." in folds[1].raw
    assert "statement 1<" not in folds[1].raw
    assert "[1] statement 1" in folds[1].raw


def test_a_title_is_asked_for_once(person: Person, server: ModelServer) -> None:
    for number in range(1, 4):
        person.say(f"statement {number}")
    [request] = asked(server, "title")
    assert request.body["model"] == HELPER
    assert person.app.store.conversations.get(person.owner.id, person.chat_id).title == "Counting"


def test_the_usage_a_server_reports_lands_in_the_receipt_and_in_the_days_sum(
    person: Person, server: ModelServer
) -> None:
    replies = [person.say(f"statement {number}") for number in range(1, 7)]
    for number, reply in enumerate(replies, 1):
        receipt = receipt_of(person, reply.id)
        assert receipt.usage == Usage(100 + number, 10 + number)
        assert receipt.first_token_ms is not None
        assert receipt.first_token_ms <= (receipt.total_ms or 0)
    counts = [len(asked(server, kind)) for kind in ("chat", "fold", "title", "extract")]
    assert counts == [6, 1, 1, 6]
    spent = sum(110 + 2 * number for count in counts for number in range(1, count + 1))
    assert person.app.store.owners.spent_today(person.owner.id) == spent


def test_a_helper_that_fails_leaves_everything_and_folds_later(
    person: Person, server: ModelServer, speaker: Speaker, clock: Clock
) -> None:
    speaker.fold = lambda version: failure(500, "out of memory", x_should_retry="false")
    for number in range(1, 8):
        assert person.say(f"statement {number}").status is Status.COMPLETE
    memory = person.memory
    assert (memory.head, memory.window_count) == (None, 14)
    refusals = person.app.store.memory.refusals(person.owner.id, person.chat_id, 0)
    assert {refusal.reason for refusal in refusals} == {"failed: ModelOverloaded"}
    assert [m["content"] for m in asked(server, "chat")[-1].messages[1::2]] == [
        f"statement {number}" for number in range(1, 8)
    ]
    speaker.fold = lambda version: SUMMARY.format(version=1)
    clock.ahead += timedelta(minutes=6)
    person.say("statement 8")
    memory = person.memory
    assert memory.head
    assert memory.covered + memory.window_count == 16


def test_a_reply_that_fails_keeps_the_question_and_retrying_sends_the_same(
    person: Person, server: ModelServer
) -> None:
    person.say("statement 1")
    server.script(failure(401, "bad key"))
    failed = person.say("statement 2")
    assert (failed.status, failed.text) == (Status.FAILED, "")
    reply = person.retry()
    assert reply.status is Status.COMPLETE
    first, second = asked(server, "chat")[-2:]
    assert first.messages == second.messages
    assert as_json(receipt_of(person, failed.id).context.messages) == json.dumps(first.messages)
    assert as_json(receipt_of(person, reply.id).context.messages) == json.dumps(second.messages)


def test_where_a_server_wants_another_shape_the_receipt_has_that_shape(
    person: Person, server: ModelServer
) -> None:
    server.script(failure(400, "System role not supported"))
    replies = [person.say(f"statement {number}") for number in range(1, 9)]
    received = [request for request in server.requests if "<transcript>" not in request.raw]
    assert received[0].messages[0]["role"] == "system"
    assert len(received) == 9
    for reply, request in zip(replies, received[1:], strict=True):
        assert "system" not in [message["role"] for message in request.messages]
        assert as_json(receipt_of(person, reply.id).context.messages) == json.dumps(request.messages)
    assert person.memory.head


@pytest.mark.parametrize(
    ("pieces", "stored"),
    [
        (("so ", r"\ud83d", r"\ude00", " it is"), "so 😀 it is"),
        (("so ", r"\ud83d", " it is"), "so \ufffd it is"),
        (("so ", r"\u0000\u001b[2J", " it is"), "so [2J it is"),
    ],
    ids=["a character in two deltas", "half a character", "control characters"],
)
def test_what_of_a_models_text_cannot_be_stored_does_not_take_the_rest_with_it(
    person: Person, server: ModelServer, api: Api, pieces: tuple[str, ...], stored: str
) -> None:
    server.script(escaped(api, pieces))
    reply = person.say("statement 1")
    assert (reply.status, reply.text) == (Status.COMPLETE, stored)


def escaped(api: Api, pieces: tuple[str, ...]) -> Reply:
    """A stream of these deltas, their `\\u…` meant as JSON's escapes: only so can half a character travel."""
    reply = Reply(pieces=pieces)
    speech = (_Responses if api == "responses" else _Chat)(CHAT_MODEL, reply)
    closing = speech.closing({"stream_options": {"include_usage": True}})
    return replace(reply, raw=b"".join([*speech.opening(), *speech.deltas(), *closing]).replace(rb"\\u", rb"\u"))


def test_the_installations_key_goes_to_its_own_address_only(person: Person, server: ModelServer) -> None:
    typed = "sk-typed-by-the-visitor"
    with ModelServer() as other:
        person.say("to the installation's own server")
        for keys in ({}, {other.base_url: typed}, {other.base_url + "/": typed}):
            person.prefer(provider="other", base_url=other.base_url, model_name="m")
            _say_with_keys(person, keys)
        person.prefer(provider="ollama", base_url=other.base_url, model_name="m")
        _say_with_keys(person, {})
        person.prefer()
        _say_with_keys(person, {other.base_url: typed})
        assert len(other.requests) >= 4
        assert not [request for request in other.requests if KEY in request.raw]
        assert [request for request in other.requests if typed in request.raw]
    assert server.requests
    assert {request.headers["authorization"] for request in server.requests} == {f"Bearer {KEY}"}


def _say_with_keys(person: Person, keys: dict[str, Any]) -> None:
    turn = person.app.chat.send(
        person.owner, person.chat_id, new_id(), "hello", language=person.language, keys=keys
    )
    person.app.chat.wait(turn, WAIT_SECONDS)
    assert person.app.chat.follow(person.owner, turn.reply.id).status is Status.COMPLETE
