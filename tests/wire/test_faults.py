"""The table of faults, done to the whole app: what is told, what is kept, and that it goes on afterwards."""

# ruff: noqa: F811  (fixtures of another file, taken by their names)

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import get_args

import pytest

from chatmem import errors
from chatmem.app import App
from chatmem.domain import LANGUAGES, Message, Status
from chatmem.errors import from_failure
from chatmem.llm import models as llm_models
from chatmem.llm.openai_client import OpenAICompatible
from chatmem.llm.providers import OPENAI, Api
from tests.conftest import Clock, Person
from tests.unit.test_fold import check_invariant
from tests.wire.conftest import KEY
from tests.wire.faults import CONNECT_SECONDS, FAULTS, SILENCE_SECONDS, Fault, page, unreachable
from tests.wire.server import Json, ModelServer, Reply
from tests.wire.test_chat_over_http import SUMMARY, Speaker, app, asked, purpose, server, speaker  # noqa: F401

DOCUMENT = Path(__file__).parents[2] / "docs" / "faults.md"
QUESTION = "Where do I live, 그리고 왜?"


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    defaults = OpenAICompatible.__init__.__kwdefaults__
    monkeypatch.setitem(defaults, "connect_seconds", CONNECT_SECONDS)
    monkeypatch.setitem(defaults, "silence_seconds", SILENCE_SECONDS)


class Broken(Speaker):
    """Does a fault to requests of one purpose, as long as `fault` is set; everything else is answered."""

    def __init__(self, api: Api) -> None:
        super().__init__()
        self.api = api
        self.fault: Fault | None = None
        self.at = "chat"
        self._lock = threading.Lock()

    def __call__(self, body: Json) -> Reply:
        with self._lock:
            fault = self.fault
            if fault and purpose(body) == self.at:
                if not fault.lasting:
                    self.fault = None
                return fault.answer(self.api)
            return super().__call__(body)


@pytest.fixture
def speaker(api: Api) -> Broken:
    return Broken(api)


@pytest.fixture
def address(
    app: App, api: Api, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[[Fault | None], None]]:
    """`address(fault)` moves the installation's server to where nobody answers, `address(None)` back."""
    with ExitStack() as stack:

        def move(fault: Fault | None) -> None:
            url = (
                stack.enter_context(unreachable(fault.address, server))
                if fault and fault.address
                else server.base_url
            )
            app.models._shared.clear()
            if api == "responses":
                monkeypatch.setattr(llm_models, "OPENAI", replace(OPENAI, base_url=url))
            else:
                monkeypatch.setattr(app.models, "_settings", replace(app.settings, server_url=url))

        yield move


def happening(name: str) -> list[object]:
    """The fault over both APIs, or over the one that it can happen to."""
    fault = FAULTS[name]
    return [pytest.param(name, api, id=f"{name}-{api}") for api in get_args(Api) if fault.api in (None, api)]


EVERY = [one for name in FAULTS for one in happening(name)]
REACHED = [
    happening(name)[place % 2 - 1] for place, (name, fault) in enumerate(FAULTS.items()) if not fault.address
]
"""Over one of the APIs each, by turns: what becomes of a fault is the same for every purpose of a request."""


def sentences(reply: Message) -> dict[str, str]:
    assert reply.failure
    return {language: from_failure(reply.failure).say(language) for language in LANGUAGES}


@pytest.mark.parametrize(("name", "api"), EVERY)
def test_a_fault_is_one_sentence_and_takes_nothing_with_it(
    person: Person,
    speaker: Broken,
    server: ModelServer,
    address: Callable[[Fault | None], None],
    name: str,
    api: Api,
) -> None:
    fault = FAULTS[name]
    person.say("I live in Busan")
    speaker.fault = fault
    address(fault)
    reply = person.say(QUESTION)
    speaker.fault = None
    address(None)

    assert [m.text for m in person.messages if m.role == "user"] == ["I live in Busan", QUESTION]
    if fault.error is None:
        code = reply.failure.code if reply.failure else None
        assert (reply.status, code) == (Status.COMPLETE, "ReplyCutOff" if fault.cut_off else None)
        assert fault.text.startswith(reply.text)
        assert len(reply.text) == min(len(fault.text), 32 * 2048)
    else:
        # What a filter stopped is not for later turns; any other beginning stays in the chat.
        stays = fault.shown and fault.error is not errors.ContentFiltered
        assert (reply.status, reply.text) == (Status.INTERRUPTED if stays else Status.FAILED, fault.shown)
        assert reply.failure
        assert reply.failure.code == fault.error.__name__
        told = sentences(reply)
        assert len(set(told.values())) == len(LANGUAGES)
        for text in told.values():
            assert 10 < len(text) < 250
            assert not re.search(rf"<|Traceback|Error\b|{KEY}|\n", text)
        # Retry asks the same once more, and there is one answer.
        again = person.retry()
        assert again.status is Status.COMPLETE
        assert [m.text for m in person.messages if m.live] == ["I live in Busan", "Reply 1.", QUESTION, again.text]

    assert person.say("And later?").status is Status.COMPLETE
    sent = json.dumps(asked(server, "chat")[-1].messages, ensure_ascii=False)
    # Once; or left out and named, behind a reply that fills the window.
    assert sent.count("Where do I live") == (len(reply.text) < 10_000)
    if fault.error:
        assert not any(text in sent for text in sentences(reply).values())
        assert not fault.shown or fault.shown not in sent
    assert all(m.text for m in person.messages if m.status is Status.COMPLETE)
    check_invariant(person)


@pytest.mark.parametrize(("name", "api"), REACHED)
def test_a_fault_of_the_helper_leaves_the_chat_alone_and_is_made_up_for(
    person: Person,
    speaker: Broken,
    server: ModelServer,
    clock: Clock,
    name: str,
    api: Api,
) -> None:
    fault = FAULTS[name]
    for number in range(1, 6):
        person.say(f"statement {number}")
    speaker.fault, speaker.at = fault, "fold"
    reply = person.say("statement 6")
    assert (reply.status, reply.text) == (Status.COMPLETE, "Reply 6.")
    check_invariant(person)
    if fault.lasting:  # whatever came in its place is no summary
        assert person.memory.head is None
        assert len(person.app.store.memory.refusals(person.owner.id, person.chat_id, 0)) == 1
    speaker.fault = None
    clock.ahead += timedelta(minutes=10)
    assert person.say("statement 7").status is Status.COMPLETE
    assert person.memory.head
    assert "version" in person.memory.head.text
    check_invariant(person)
    assert [m.text for m in person.messages if m.role == "user"] == [f"statement {n}" for n in range(1, 8)]


@pytest.mark.parametrize("at", ["extract", "title"])
@pytest.mark.parametrize("api", get_args(Api))
@pytest.mark.parametrize("name", ["401", "500", "silent", "cut", "malformed", "empty", "filtered", "web page"])
def test_a_fault_of_the_helper_in_other_work_is_not_noticed(
    person: Person, speaker: Broken, name: str, api: Api, at: str
) -> None:
    speaker.fault, speaker.at = FAULTS[name], at
    reply = person.say("I live in Busan")
    assert (reply.status, reply.text, reply.failure) == (Status.COMPLETE, "Reply 1.", None)
    chat = person.app.store.conversations.get(person.owner.id, person.chat_id)
    assert chat.title == ("I live in Busan" if at == "title" else "Counting")
    assert person.app.store.facts.count(person.owner.id) == 0
    assert len(person.messages) == 2


def test_every_error_of_a_server_is_in_the_table() -> None:
    happening_here = {fault.error for fault in FAULTS.values()} - {None}
    assert happening_here == set(errors.ModelError.__subclasses__())


def test_the_page_about_faults_is_what_the_table_says() -> None:
    assert DOCUMENT.read_text(encoding="utf-8") == page()
