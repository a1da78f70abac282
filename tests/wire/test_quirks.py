"""Servers differ: what one refuses is left out on the next try, remembered, and asked of nobody else."""

from __future__ import annotations

import threading
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chatmem import errors
from chatmem.domain import ChatMessage, Segment
from chatmem.llm import providers
from chatmem.llm.openai_client import OpenAICompatible
from chatmem.llm.providers import Quirks, quirks_of, remember
from tests.wire.conftest import MESSAGES, MakeModel, ask
from tests.wire.server import ModelServer, Reply, failure, refusal_of

Body = dict[str, Any]

LEARNED = st.builds(
    Quirks,
    st.sampled_from(providers.CAP_NAMES),
    st.sampled_from(providers.EFFORTS),
    st.frozensets(st.sampled_from(["store", "text", "reasoning"])),
    st.booleans(),
    st.booleans(),
)


def picky(**refusals: Reply) -> Callable[[Body], str | Reply]:
    """A server that refuses some parameters, each in its own words."""

    def answer(body: Body) -> str | Reply:
        return next((reply for name, reply in refusals.items() if name in body), Reply("Fine."))

    return answer


@pytest.mark.parametrize(
    "words",
    [
        refusal_of("max_tokens"),
        failure(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."),
        Reply(status=422, body={"detail": [{"loc": ["body", "max_tokens"], "msg": "Extra inputs", "input": 2}]}),
    ],
)
def test_an_old_name_for_the_cap_is_replaced_and_remembered(
    server: ModelServer, make_model: MakeModel, words: Reply
) -> None:
    model = make_model(api="chat")
    server.answer = picky(max_tokens=words)
    assert model.complete(ask()).text == "Fine."
    assert model.complete(ask()).text == "Fine."
    first, second, third = server.bodies
    assert first["max_tokens"] == 2100
    assert "max_tokens" not in second
    assert second["max_completion_tokens"] == third["max_completion_tokens"] == 2100


@pytest.mark.parametrize("name", ["max_output_tokens", "store"])
def test_a_refused_parameter_of_responses_is_left_out(
    server: ModelServer, make_model: MakeModel, name: str
) -> None:
    model = make_model(api="responses")
    server.answer = picky(**{name: refusal_of(name)})
    model.complete(ask())
    model.complete(ask())
    assert [name in body for body in server.bodies] == [True, False, False]


def test_store_is_not_given_up_for_a_sentence_that_merely_has_the_word(
    server: ModelServer, make_model: MakeModel
) -> None:
    server.script(failure(400, "The vector store could not be read."))
    with pytest.raises(errors.RequestRejected):
        make_model(api="responses").complete(ask())
    assert len(server.bodies) == 1


def test_a_cap_larger_than_the_model_is_left_out(server: ModelServer, make_model: MakeModel) -> None:
    words = "'max_tokens' is too large: 2100. This model's maximum context length is 2048 tokens."
    server.answer = picky(max_tokens=failure(400, words))
    assert make_model(api="chat").complete(ask()).text == "Fine."
    assert "max_completion_tokens" not in server.bodies[-1]


def test_several_refusals_are_mended_one_after_the_other(server: ModelServer, make_model: MakeModel) -> None:
    server.answer = picky(
        stream_options=refusal_of("stream_options"),
        max_tokens=refusal_of("max_tokens"),
        reasoning_effort=refusal_of("reasoning_effort"),
    )
    model = make_model(api="chat")
    assert model.complete(ask(purpose="fold")).text == "Fine."
    asked = len(server.bodies)
    assert asked == 4
    model.complete(ask(purpose="fold"))
    assert len(server.bodies) == asked + 1


def effort_in(body: Body) -> str | None:
    effort: str | None = body.get("reasoning_effort") or (body.get("reasoning") or {}).get("effort")
    return effort


@pytest.mark.parametrize(
    ("supported", "expected"),
    [(("minimal", "low", "medium", "high"), "minimal"), (("low", "high"), "low"), (("high",), None)],
)
def test_the_least_effort_that_a_model_supports_is_found(
    server: ModelServer, model: OpenAICompatible, supported: tuple[str, ...], expected: str | None
) -> None:
    name = "reasoning.effort" if model.api == "responses" else "reasoning_effort"

    def answer(body: Body) -> str | Reply:
        effort = effort_in(body)
        fits = effort is None or effort in supported
        return "Fine." if fits else refusal_of(name, value=effort or "", supported=supported)

    server.answer = answer
    model.complete(ask(purpose="extract"))
    model.complete(ask(purpose="extract"))
    assert [effort_in(body) for body in server.bodies] == ["none", expected, expected]


def test_a_model_that_cannot_think_is_not_asked_to_stop_thinking(
    server: ModelServer, make_model: MakeModel
) -> None:
    server.answer = picky(reasoning_effort=failure(400, '"gemma3" does not support thinking'))
    assert make_model(api="chat").complete(ask(purpose="title")).text == "Fine."


def test_a_server_that_refuses_everything_is_not_asked_for_ever(
    server: ModelServer, model: OpenAICompatible
) -> None:
    every = "store max_tokens max_completion_tokens max_output_tokens reasoning stream_options 'store' "
    server.answer = lambda body: failure(400, every + "System role not supported. Roles must alternate.")
    with pytest.raises(errors.RequestRejected):
        model.complete(ask(purpose="fold"))
    assert 2 <= len(server.bodies) <= 5


def test_what_did_not_help_is_not_remembered(server: ModelServer, make_model: MakeModel) -> None:
    model = make_model(api="chat")
    server.script(refusal_of("max_tokens"), failure(400, "no"))
    with pytest.raises(errors.RequestRejected):
        model.complete(ask())
    assert quirks_of(model.base_url, model.name) == Quirks()


def test_a_request_begun_before_another_learned_something_does_not_take_it_back(
    server: ModelServer, make_model: MakeModel
) -> None:
    """A title is on its way, asked for in the old form; meanwhile an extraction finds a parameter refused."""
    model = make_model(api="chat")
    going_on = threading.Event()
    server.script(Reply("a slow title", hold=going_on))
    slow = threading.Thread(target=model.complete, args=(ask(),))
    slow.start()
    server.wait_for_requests(1)
    server.answer = picky(max_tokens=refusal_of("max_tokens"))
    model.complete(ask())
    going_on.set()
    slow.join(10)
    model.complete(ask())
    assert ["max_tokens" in body for body in server.bodies] == [True, True, False, False]


@given(first=LEARNED, second=LEARNED)
def test_what_two_requests_learned_is_kept_whichever_ends_first(first: Quirks, second: Quirks) -> None:
    both = first.joined(second)
    assert both == second.joined(first) == both.joined(first)
    assert first.joined(first) == first
    assert first.refused <= both.refused
    assert both.alternates >= first.alternates
    assert both.folds_system >= first.folds_system


def test_one_models_quirks_are_not_anothers(server: ModelServer, make_model: MakeModel) -> None:
    server.answer = lambda body: (
        refusal_of("max_tokens") if body["model"] == "new" and "max_tokens" in body else "Fine."
    )
    make_model(api="chat", name="new").complete(ask())
    make_model(api="chat", name="old").complete(ask())
    assert "max_tokens" in server.bodies[-1]


def test_what_is_remembered_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(providers, "_learned", type(providers._learned)())
    for number in range(1000):
        remember("http://h/v1", f"model-{number}", Quirks(alternates=True))
    assert len(providers._learned) <= 256
    assert quirks_of("http://h/v1/", "model-999").alternates


# --- roles --------------------------------------------------------------------------------------


def sent_json(messages: tuple[ChatMessage, ...]) -> list[dict[str, str]]:
    return [{"role": message.role, "content": message.text} for message in messages]


def gemma(body: Body) -> str | Reply:
    """A template that knows no system role and wants strict turns, as llama.cpp tells it."""
    roles = [message["role"] for message in body.get("messages") or body["input"]]
    if "system" in roles:
        return failure(500, "Jinja Exception: System role not supported")
    if roles != ["user" if number % 2 == 0 else "assistant" for number in range(len(roles))]:
        return failure(500, "Jinja Exception: Conversation roles must alternate user/assistant/user/assistant/...")
    return "Fine."


TWO_USERS = (MESSAGES[0], ChatMessage.of("user", "(summary)", "summary:2"), *MESSAGES[1:])


def test_a_server_without_system_role_and_with_strict_turns_gets_what_it_wants(
    server: ModelServer, model: OpenAICompatible
) -> None:
    server.answer = gemma
    completion = model.complete(ask(TWO_USERS))
    assert len(server.requests) == 3, "each template error is asked once, without the SDK's retries"
    assert completion.sent is not None
    assert server.requests[-1].messages == sent_json(completion.sent)
    assert [message.role for message in completion.sent] == ["user", "assistant", "user"]
    assert completion.sent[0].segments == (
        Segment("Answer briefly."),
        Segment("\n\n"),
        Segment("(summary)", "summary:2"),
        Segment("\n\n"),
        Segment("안녕, I am Mina.", "message:1"),
    )

    prepared = model.prepare(TWO_USERS)
    assert prepared == completion.sent, "from now on the receipt knows the shape beforehand"
    again = model.complete(ask(prepared))
    assert again.sent is None
    assert len(server.requests) == 4


@pytest.mark.parametrize(
    "words",
    [
        "System role not supported",
        "Unsupported value: 'messages[0].role' does not support 'system' with this model.",
        "Developer instruction is not enabled for models/gemma-3-27b-it",
        "Only user, assistant and tool roles are supported, got system",
        "This model does not support system messages. A system message is not supported.",
    ],
)
def test_the_many_words_for_no_system_role_are_understood(
    server: ModelServer, model: OpenAICompatible, words: str
) -> None:
    server.script(failure(400, words))
    completion = model.complete(ask())
    assert [message["role"] for message in server.requests[-1].messages] == ["user", "assistant", "user"]
    assert completion.sent is not None


def test_a_template_error_inside_the_stream_is_mended_too(server: ModelServer, model: OpenAICompatible) -> None:
    server.script(Reply(raw=b'event: error\ndata: {"error": {"message": "System role not supported"}}\n\n'))
    assert model.complete(ask()).sent is not None
    assert len(server.requests) == 2


def test_strict_turns_keep_the_system_message(server: ModelServer, model: OpenAICompatible) -> None:
    words = "After the optional system message, conversation roles must alternate user/assistant"
    server.script(failure(400, words))
    model.complete(ask(TWO_USERS))
    roles = [message["role"] for message in server.requests[-1].messages]
    assert roles == ["system", "user", "assistant", "user"]


def test_strict_turns_begin_with_the_user_even_when_the_window_does_not() -> None:
    window = (MESSAGES[0], ChatMessage.of("assistant", "Hello."), ChatMessage.of("user", "Hi."))
    shaped = Quirks(alternates=True).shape(window)
    assert [message.role for message in shaped] == ["user", "assistant", "user"]


chat_messages = st.lists(
    st.builds(ChatMessage.of, st.sampled_from(["user", "assistant"]), st.text(max_size=8)), max_size=8
)


@given(chat_messages, st.booleans(), st.booleans())
def test_shaping_loses_no_word_and_doing_it_twice_changes_nothing(
    spoken: list[ChatMessage], folds_system: bool, alternates: bool
) -> None:
    messages = (ChatMessage.of("system", "rules"), *spoken)
    quirks = Quirks(folds_system=folds_system, alternates=alternates)
    shaped = quirks.shape(messages)
    assert quirks.shape(shaped) == shaped
    pieces = [segment for message in messages for segment in message.segments]
    kept = [segment for message in shaped for segment in message.segments]
    for piece in pieces:
        assert kept.count(piece) >= pieces.count(piece)
    roles = [message.role for message in shaped]
    if folds_system:
        assert "system" not in roles
    if alternates:
        assert all(one != other for one, other in pairwise(roles))
