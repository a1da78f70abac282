"""Promise 3 over real HTTP: what is kept about a reply is, as a JSON value, what the server received.

Sixty turns with all that happens to a chat: folds, refusals, retries, edits, branches brought back, rollbacks.
Everything is compared at the end, when memory has moved on from what most requests held.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from chatmem.app import App
from chatmem.domain import Receipt, Role, Status, Summary, new_id
from chatmem.llm import models as llm_models
from chatmem.llm.models import Models
from chatmem.llm.providers import OPENAI, Api
from chatmem.proof import parts
from chatmem.settings import Settings
from chatmem.store import Store
from chatmem.tokens import count_tokens
from tests.conftest import WAIT_SECONDS, Clock, Person
from tests.scripted import ScriptedModel
from tests.wire.conftest import KEY
from tests.wire.server import Json, ModelServer, Reply, Request, failure
from tests.wire.test_chat_over_http import purpose

TURNS = 60
SECRET = "내 사물함 번호는 KX-20417"
SUMMARY = (
    "<summary>\nBackground: a person who counts, version {number}.\n</summary>\n<pins>\n[{pin}] statement\n</pins>"
)
ALTERNATION = "Conversation roles must alternate user/assistant/user/assistant/..."
PLACES = ("Busan", "Daegu", "Jeju", "Incheon", "Suwon")


class Server:
    """Answers like a model; strict ones accept nothing but one voice after the other."""

    def __init__(self, strict: bool) -> None:
        self.strict = strict
        self.asked: dict[str, int] = {}

    def __call__(self, body: Json) -> Reply:
        array = body.get("messages") or body["input"]
        roles = [message["role"] for message in array if message["role"] != "system"]
        if self.strict and (roles[0] != "user" or any(a == b for a, b in pairwise(roles))):
            return failure(400, ALTERNATION)
        kind = purpose(body)
        self.asked[kind] = number = self.asked.get(kind, 0) + 1
        answers: dict[str, Callable[[], str]] = {
            "chat": lambda: f"Reply {number}: 네, 알겠어요.",
            "fold": lambda: SUMMARY.format(number=number, pin=_first_number(array[-1]["content"])),
            "title": lambda: "Counting",
            "extract": lambda: _learned(array[-1]["content"]),
        }
        return Reply(answers[kind](), usage=(100 + number, 10))


def _first_number(transcript: str) -> str:
    return transcript.partition('<message n="')[2].partition('"')[0]


def _learned(text: str) -> str:
    """A fact for each "I live in …" of the newest message."""
    for place in PLACES:
        said = f"I live in {place}."
        if said in text.partition("</known>")[2]:
            number = text.rpartition(said)[0].rpartition('<message n="')[2].partition('"')[0]
            operation = {
                "op": "add", "target": None, "kind": "profile", "text": said, "quote": said, "message": int(number),
            }  # fmt: skip
            return json.dumps({"operations": [operation]})
    return '{"operations": []}'


@pytest.fixture(params=[False, True], ids=["lenient", "strict alternation"])
def speaker(request: pytest.FixtureRequest) -> Server:
    return Server(request.param)


@pytest.fixture
def server(speaker: Server) -> Iterator[ModelServer]:
    with ModelServer(speaker) as running:
        yield running


@pytest.fixture
def app(
    api: Api, server: ModelServer, database_url: str, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> Iterator[App]:
    settings = Settings(
        database_url=database_url, server_key=KEY, daily_tokens=0, model_name="big-model", helper_name="small"
    )
    if api == "responses":
        monkeypatch.setattr(llm_models, "OPENAI", replace(OPENAI, base_url=server.base_url))
    else:
        settings = replace(settings, server_url=server.base_url)
    app = App(settings, Store(database_url, clock), Models(settings, ScriptedModel(), count_tokens), clock)
    yield app
    app.background.wait(WAIT_SECONDS)
    app.close()


class Recorder:
    """A person whose every reply is remembered together with the request that the server received for it."""

    def __init__(self, person: Person, server: ModelServer) -> None:
        self.person = person
        self.server = server
        self.kept: list[tuple[int, Request]] = []
        self.statuses: list[Status] = []

    def say(self, text: str, instead_of: int | None = None) -> None:
        person = self.person
        self._after(
            lambda: person.app.chat.send(
                person.owner, person.chat_id, new_id(), text, language="en", instead_of=instead_of
            )
        )

    def retry(self) -> None:
        person = self.person
        self._after(lambda: person.app.chat.retry(person.owner, person.chat_id, language="en"))

    def _after(self, begin: Callable[[], Any]) -> None:
        before = len(self.server.requests)
        turn = begin()
        self.person.app.chat.wait(turn, WAIT_SECONDS)
        # The last one: what a server refuses on account of its shape is asked once more in another.
        asked = [request for request in self.server.requests[before:] if purpose(request.body) == "chat"]
        self.kept.append((turn.reply.id, asked[-1]))
        self.statuses.append(self.person.app.chat.follow(self.person.owner, turn.reply.id).status)

    def receipt(self, reply_id: int) -> Receipt:
        return self.person.app.store.receipts.get(self.person.owner.id, reply_id)

    def question(self, back: int) -> int:
        """The id of a live question, so many before the last."""
        live = [m for m in self.person.messages if m.role == "user" and m.live]
        return live[-1 - back].id


def as_value(receipt: Receipt) -> list[dict[str, str]]:
    return [{"role": message.role, "content": message.text} for message in receipt.context.messages]


def live_through(chat: Recorder) -> None:
    """Sixty turns in which everything happens that can happen to a chat, each thing more than once."""
    store, person = chat.person.app.store, chat.person
    for number in range(1, TURNS + 1):
        text = f"statement {number}: 나는 {number}살"
        if number % 11 == 0:
            text = f"I live in {PLACES[number // 11 - 1]}. {text}"
        if number == 35:
            text = f"{SECRET}. {text}"
        if number in (7, 33):
            chat.server.script(failure(401, "bad key"))
            chat.say(text)
            chat.retry()
        elif number in (13, 41):
            chat.server.script(failure(500, "out of memory", x_should_retry="false"))
            chat.say(text)  # failed, and taken the place of by the next message
        elif number in (17, 29, 53):
            chat.say(f"{text}, in other words", instead_of=chat.question(back=2))
        elif number in (22, 47):
            chat.say(text)
            chat.retry()  # another answer to a question that has one
        elif number in (26, 50):
            store.versions.undo_fold(person.owner.id, person.chat_id, head_of(person).version)
            chat.say(text)
        elif number == 37:
            store.versions.put_in_force(person.owner.id, person.chat_id, None, head_of(person).version)
            chat.say(text)
        elif number == 44:
            [*_, branch] = store.branches.of_chat(person.owner.id, person.chat_id)
            store.branches.bring_back(person.owner.id, person.chat_id, branch.id)
            chat.say(text)
        else:
            chat.say(text)


def head_of(person: Person) -> Summary:
    head: Summary | None = person.memory.head
    assert head
    return head


def test_the_frozen_context_of_every_reply_equals_what_the_server_received(
    person: Person, server: ModelServer, speaker: Server
) -> None:
    chat = Recorder(person, server)
    live_through(chat)
    assert chat.statuses.count(Status.FAILED) == 4
    assert len(chat.kept) == TURNS + 4  # of which two retries of failed replies, two of good ones
    for reply_id, request in chat.kept:
        assert as_value(chat.receipt(reply_id)) == request.messages
    assert speaker.asked["fold"] > 5
    assert person.app.store.facts.page(person.owner.id), "facts were learned and sent"
    assert any(chat.receipt(reply_id).context.facts for reply_id, _ in chat.kept)
    if speaker.strict:
        assert any("\n\n" in message.text for message in chat.receipt(chat.kept[-1][0]).context.messages)

    assert_every_message_leads_to_its_replies(chat)

    (secret,) = [message for message in person.messages if message.text.startswith(SECRET)]
    plan = person.app.forgetting.of_message(person.owner.id, secret.id)
    assert person.app.forgetting.forget(person.owner, plan, plan.chosen).probe.is_clean
    held = [assert_equal_or_redacted(chat.receipt(reply_id), request) for reply_id, request in chat.kept]
    assert 1 < held.count(True) < held.count(False)


def assert_equal_or_redacted(receipt: Receipt, request: Request) -> bool:
    """Whether something of it was forgotten. The rest stands in its place, word for word."""
    messages = receipt.context.messages
    if not any(segment.redacted for message in messages for segment in message.segments):
        assert as_value(receipt) == request.messages
        assert not any(SECRET in sent["content"] for sent in request.messages)
        return False
    assert [message.role for message in messages] == [sent["role"] for sent in request.messages]
    for message, sent in zip(messages, request.messages, strict=True):
        rest = sent["content"]
        for segment in message.segments:
            assert not (segment.redacted and segment.text)
            _, found, rest = rest.partition(segment.text) if segment.text else ("", "", rest)
            assert found == segment.text
        assert SECRET not in message.text
    return True


def assert_every_message_leads_to_its_replies(chat: Recorder) -> None:
    person = chat.person
    contexts = {reply_id: chat.receipt(reply_id).context for reply_id, _ in chat.kept}
    for message in person.messages:
        of_it = (f"message:{message.id}", f"quote:{message.id}")
        held = {
            reply_id
            for reply_id, context in contexts.items()
            if any(segment.source in of_it for sent in context.messages for segment in sent.segments)
        }
        trace = person.app.proof.trace(person.owner.id, message.id)
        assert {sending.reply_id for sending in trace.sent} == held
        assert trace.sent_count == len(held)


def test_the_sections_of_a_frozen_context_join_to_exactly_what_was_sent(
    person: Person, server: ModelServer
) -> None:
    """Also where a server's shape has merged messages: nothing is shown twice, nothing is left out."""
    chat = Recorder(person, server)
    for number in range(1, 16):
        chat.say(f"statement {number}")
    for reply_id, request in chat.kept:
        joined: list[dict[str, str]] = []
        role: Role
        for part in parts(chat.receipt(reply_id).context.messages):
            role = part.role
            if part.opens:
                joined.append({"role": role, "content": ""})
            joined[-1]["content"] += part.text
        assert joined == request.messages
        last = parts(chat.receipt(reply_id).context.messages)[-1]
        assert last.section == "question"
