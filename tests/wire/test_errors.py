"""Every way a server fails is one error of ours, with what the person needs and never with the key."""

from __future__ import annotations

import logging
import socket
import traceback
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from chatmem import errors
from chatmem.domain import ChatMessage
from chatmem.llm.openai_client import OpenAICompatible, check
from tests.wire.conftest import KEY, MESSAGES, MakeModel, ask
from tests.wire.server import ModelServer, Reply, failure

SOON = {"retry_after_ms": "1"}
"""Keeps the SDK's own retries from making the tests slow."""


def error_of(model: OpenAICompatible) -> errors.ModelError:
    with pytest.raises(errors.ModelError) as caught:
        model.complete(ask())
    return caught.value


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (failure(401, "Incorrect API key provided"), errors.KeyRefused),
        (failure(400, "API key not valid. Please pass a valid API key."), errors.KeyRefused),
        (failure(403, "no access"), errors.ModelForbidden),
        (failure(404, "The model `test-model` does not exist", code="model_not_found"), errors.ModelUnknown),
        (failure(400, "The model gpt-5.4-nope does not exist"), errors.ModelUnknown),
        (failure(400, "too long", code="context_length_exceeded"), errors.ContextTooLong),
        (failure(400, "This model's maximum context length is 4096 tokens."), errors.ContextTooLong),
        (failure(400, "prompt is too long: 210000 tokens > 200000 maximum"), errors.ContextTooLong),
        (failure(400, "the request exceeds the available context size"), errors.ContextTooLong),
        (failure(413, "Payload too large"), errors.ContextTooLong),
        (failure(400, "blocked", code="content_filter"), errors.ContentFiltered),
        (failure(429, "slow down", retry_after="30"), errors.RateLimited),
        (failure(429, "You exceeded your quota", code="insufficient_quota"), errors.QuotaExhausted),
        (failure(402, "Insufficient Balance"), errors.QuotaExhausted),
        (failure(400, "Your credit balance is too low to access the API"), errors.QuotaExhausted),
        (failure(408, "timeout", **SOON), errors.ModelTimeout),
        (failure(500, "oops", **SOON), errors.ModelOverloaded),
        (failure(503, "busy", **SOON), errors.ModelOverloaded),
        (failure(529, "Overloaded", **SOON), errors.ModelOverloaded),
        (
            Reply(status=502, body="<html>Bad gateway</html>", headers={"retry-after-ms": "1"}),
            errors.ModelOverloaded,
        ),
        (failure(400, "something else"), errors.RequestRejected),
        (failure(418, "a teapot"), errors.RequestRejected),
        (Reply(status=422, body={"detail": [{"loc": ["body", "x"], "msg": "bad"}]}), errors.RequestRejected),
        (Reply(status=400, body={"error": "plain words"}), errors.RequestRejected),
        (Reply(status=405, body=""), errors.RequestRejected),
    ],
)
def test_each_status_becomes_its_own_error(
    server: ModelServer, model: OpenAICompatible, answer: Reply, expected: type[errors.ModelError]
) -> None:
    server.answer = lambda body: answer
    error = error_of(model)
    assert type(error) is expected
    assert error.__cause__ is not None
    assert error.say("en")
    assert error.say("ko")


@pytest.mark.parametrize("status", [403, 404])
def test_an_error_about_the_model_names_it(server: ModelServer, model: OpenAICompatible, status: int) -> None:
    server.script(failure(status, "no"))
    assert "test-model" in error_of(model).say("ko")


def test_a_rejection_gives_the_servers_reason_in_one_short_line(
    server: ModelServer, model: OpenAICompatible
) -> None:
    server.script(failure(400, "Strange\n  parameter. " + "x" * 5000))
    reason = error_of(model).details["reason"]
    assert reason.startswith("Strange parameter.")
    assert len(reason) <= 200


# --- waiting and trying again -------------------------------------------------------------------


def test_a_long_rate_limit_is_told_at_once_with_its_wait_and_asked_once(
    server: ModelServer, model: OpenAICompatible
) -> None:
    server.script(failure(429, "slow down", retry_after="37"))
    error = error_of(model)
    assert error.details == {"seconds": "37"}
    assert "37" in error.say("ko")
    assert error.retryable
    assert len(server.requests) == 1
    assert model.complete(ask()).text, "the way on: the same request, later"


def test_a_rate_limit_may_name_a_date(server: ModelServer, model: OpenAICompatible) -> None:
    when = format_datetime(datetime.now(UTC) + timedelta(seconds=50), usegmt=True)
    server.script(failure(429, "slow down", retry_after=when))
    assert 30 <= int(error_of(model).details["seconds"]) <= 50


def test_a_rate_limit_without_a_wait_says_in_a_moment(server: ModelServer, model: OpenAICompatible) -> None:
    server.answer = lambda body: failure(429, "slow down", x_should_retry="false")
    error = error_of(model)
    assert error.details == {}
    assert "in a moment" in error.say("en")


def test_an_overloaded_server_that_asks_for_minutes_is_not_waited_for(
    server: ModelServer, model: OpenAICompatible
) -> None:
    server.script(failure(503, "maintenance", retry_after="100", x_should_retry="true"))
    assert isinstance(error_of(model), errors.ModelOverloaded)
    assert len(server.requests) == 1


def test_a_short_hiccup_is_tried_again_before_the_first_token(
    server: ModelServer, model: OpenAICompatible
) -> None:
    server.script(failure(503, "busy", **SOON), failure(429, "busy", **SOON), "Here I am.")
    assert model.complete(ask()).text == "Here I am."
    assert len(server.requests) == 3


def test_nothing_is_tried_again_once_text_was_shown(server: ModelServer, model: OpenAICompatible) -> None:
    server.script(Reply("one two", error={"error": {"message": "Overloaded", "type": "overloaded_error"}}))
    assert isinstance(error_of(model), errors.ModelOverloaded)
    assert len(server.requests) == 1


def test_an_empty_account_is_not_asked_again(server: ModelServer, model: OpenAICompatible) -> None:
    server.script(failure(429, "no money", code="insufficient_quota"))
    error = error_of(model)
    assert isinstance(error, errors.QuotaExhausted)
    assert not error.retryable
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ({"message": "Rate limit reached", "code": "rate_limit_exceeded"}, errors.RateLimited),
        ({"message": "down", "code": "server_error"}, errors.ModelOverloaded),
        ({"message": "upstream", "code": 502}, errors.ModelOverloaded),
        ({"message": "Your input exceeds the context window of this model"}, errors.ContextTooLong),
        ({"message": "flagged", "code": "invalid_prompt"}, errors.ContentFiltered),
        ({"message": "Something odd"}, errors.ModelError),
    ],
)
def test_an_error_told_inside_the_stream_is_translated_too(
    server: ModelServer, model: OpenAICompatible, told: dict[str, object], expected: type[errors.ModelError]
) -> None:
    server.script(Reply("one", error={"error": told}))
    assert type(error_of(model)) is expected


def test_a_failed_response_and_an_error_event_are_translated(server: ModelServer, make_model: MakeModel) -> None:
    model = make_model(api="responses")
    event = {"type": "error", "code": "server_error", "message": "sorry", "param": None, "sequence_number": 3}
    server.script(Reply("one", error=event))
    assert isinstance(error_of(model), errors.ModelOverloaded)
    failed = {"id": "r", "status": "failed", "error": {"code": "rate_limit_exceeded", "message": "slow"}}
    server.script(Reply("one", error={"type": "response.failed", "response": failed}))
    assert isinstance(error_of(model), errors.RateLimited)


# --- no connection ------------------------------------------------------------------------------


def closed_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def test_a_server_that_is_not_there_is_unreachable_and_named(make_model: MakeModel) -> None:
    port = closed_port()
    error = error_of(make_model(base_url=f"http://user:word@127.0.0.1:{port}/v1/secret-path"))
    assert isinstance(error, errors.ModelUnreachable)
    assert error.details == {"server": f"127.0.0.1:{port}"}


@pytest.mark.parametrize("url", ["http://nowhere.invalid/v1", "", "not an address", "http://[::1", "ftp://h/v1"])
def test_an_address_that_leads_nowhere_is_unreachable(url: str) -> None:
    model = OpenAICompatible("other", "m", url, KEY, "chat")
    assert isinstance(error_of(model), errors.ModelUnreachable)


def test_a_failed_tls_handshake_is_unreachable(server: ModelServer, make_model: MakeModel) -> None:
    model = make_model(base_url=server.base_url.replace("http://", "https://"))
    assert isinstance(error_of(model), errors.ModelUnreachable)


def test_the_connection_test_raises_what_is_wrong(server: ModelServer, model: OpenAICompatible) -> None:
    server.script(failure(401, "no"))
    with pytest.raises(errors.KeyRefused):
        check(model)


# --- what stays behind --------------------------------------------------------------------------


def test_an_error_leaves_nothing_in_the_next_request(server: ModelServer, model: OpenAICompatible) -> None:
    server.script(failure(400, "UNIQUE-ERROR-TEXT"), Reply("half UNIQUE-REPLY", cut_after=1))
    error_of(model)
    error_of(model)
    model.complete(ask())
    assert "UNIQUE" not in server.requests[-1].raw
    assert server.requests[-1].messages == [{"role": m.role, "content": m.text} for m in MESSAGES]


def test_a_filtered_message_does_not_block_the_next_one(server: ModelServer, model: OpenAICompatible) -> None:
    def filtering(body: dict[str, object]) -> str | Reply:
        return failure(400, "no", code="content_filter") if "FORBIDDEN" in str(body) else "Fine."

    server.answer = filtering
    with pytest.raises(errors.ContentFiltered):
        model.complete(ask((ChatMessage.of("user", "FORBIDDEN"),)))
    assert model.complete(ask()).text == "Fine."


@pytest.mark.parametrize("status", [200, 400, 401, 403, 404, 422, 429, 500])
@pytest.mark.parametrize("form", ["json", "text", "stream"])
def test_the_key_is_in_no_error_no_repr_and_no_log(
    server: ModelServer,
    model: OpenAICompatible,
    caplog: pytest.LogCaptureFixture,
    status: int,
    form: str,
) -> None:
    caplog.set_level(logging.DEBUG)
    words = f"Invalid key {KEY} (Bearer {KEY}) for you"
    if form == "stream":
        answer = Reply("one", error={"error": {"message": words, "code": KEY}})
    elif form == "text":
        answer = Reply(status=status, body=words, headers={"retry-after-ms": "1"})
    else:
        answer = failure(status, words, code=KEY, param=KEY, **SOON)
    server.answer = lambda body: answer
    error = error_of(model)
    said = [str(error), repr(error), repr(error.details), repr(model), str(vars(error)), caplog.text]
    said += traceback.format_exception(error)
    cause: BaseException | None = error
    while cause is not None:
        said += [str(cause), repr(cause), repr(cause.args), repr(getattr(cause, "body", ""))]
        cause = cause.__cause__ or cause.__context__
    assert KEY not in "\n".join(said)
    assert KEY[3:] not in "\n".join(said)


@pytest.mark.parametrize("key", ["sk-korean-열쇠-12345", "sk-two-lines-1234\nX-Evil: 1", "sk-with space-1234"])
def test_a_key_that_cannot_be_sent_is_refused_without_asking(
    server: ModelServer, make_model: MakeModel, key: str
) -> None:
    error = error_of(make_model(api_key=key))
    assert isinstance(error, errors.KeyRefused)
    assert server.requests == []
    assert "1234" not in "".join(traceback.format_exception(error))


def test_a_pasted_key_may_have_blanks_around_it(server: ModelServer, make_model: MakeModel) -> None:
    make_model(api_key=f"  {KEY}\n").complete(ask())
    assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"


def test_a_rejections_reason_hides_what_looks_like_a_key(server: ModelServer, model: OpenAICompatible) -> None:
    server.script(failure(400, "strange: Bearer abcdef1234567890 and AIzaSyA1234567890"))
    assert "1234567890" not in error_of(model).say("en")
