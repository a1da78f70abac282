"""Everything a model's server was ever seen to do wrong, in one table: `tests/wire/test_faults.py` does each of
them to the whole app, over both APIs, and `python -m tests.wire.faults > docs/faults.md` writes it down.
"""

from __future__ import annotations

import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Literal

from chatmem import errors
from chatmem.llm.providers import Api
from tests.wire.server import ModelServer, Reply, _Chat, _Responses, failure, refusal_of

SOON = {"retry_after_ms": "1"}
"""Keeps the SDK's own retries from taking their time."""

SILENCE_SECONDS = 0.4
CONNECT_SECONDS = 0.4
"""What the tests wait for instead of 90 and 5 seconds."""

Address = Literal["refused", "unknown name", "no TLS", "no answer"]


@dataclass(frozen=True)
class Fault:
    """What happens, and what becomes of it.

    `error` is None where the person gets a whole reply all the same. `shown` is the text before the error, `text`
    that of a whole reply. `reply` is what the server answers; with `address` it is not even reached. A `lasting`
    fault is met by every try of a request, others by the first alone.
    """

    happens: str
    reply: Reply | Callable[[Api], Reply] | None = None
    error: type[errors.ModelError] | None = None
    shown: str = ""
    text: str = "One two three."
    cut_off: bool = False
    lasting: bool = True
    address: Address | None = None
    api: Api | None = None

    def answer(self, api: Api) -> Reply:
        assert self.reply
        return self.reply(api) if callable(self.reply) else self.reply


def _half_a_character(api: Api) -> Reply:
    """The stream ends inside a character of three bytes."""
    speech = (_Responses if api == "responses" else _Chat)("m", Reply(pieces=("One", " 안녕")))
    whole = b"".join([*speech.opening(), *speech.deltas()])
    return Reply(raw=whole[: whole.rindex("녕".encode()) + 1])


def _in_one_piece(api: Api, **changes: object) -> Reply:
    speech = (_Responses if api == "responses" else _Chat)("m", replace(Reply("One two three."), **changes))  # type: ignore[arg-type]
    return Reply(body=speech.whole())


def _tokens(count: int) -> Callable[[Api], Reply]:
    """A server that does not keep to the cap, and writes as fast as it can."""

    def reply(api: Api) -> Reply:
        speech = (_Responses if api == "responses" else _Chat)("m", Reply(pieces=("so on ",)))
        [delta] = speech.deltas()
        return Reply(raw=b"".join(speech.opening()) + delta * count)

    return reply


ENDLESS = "so on " * 200_000
OK = Reply("One two three.")
AGAIN = "Reply 2."
"""What the server says to the second try, in `tests/wire/test_faults.py`."""

FAULTS: dict[str, Fault] = {
    # nobody there
    "refused": Fault("Nothing listens at the address", error=errors.ModelUnreachable, address="refused"),
    "unknown name": Fault("The address has no such name (DNS)", error=errors.ModelUnreachable, address="unknown name"),
    "tls": Fault("The TLS handshake fails", error=errors.ModelUnreachable, address="no TLS"),
    "connect": Fault("The connection is not accepted in time", error=errors.ModelUnreachable, address="no answer"),
    "silent": Fault("Not a word for longer than the limit", Reply(mute=True), errors.ModelTimeout),
    "silent later": Fault(
        "Falls silent in the middle", Reply("One two three.", silent_after=1), errors.ModelTimeout, "One"
    ),
    # an answer that is none
    "400 too long": Fault(
        "400: the context is too long",
        failure(400, "This model's maximum context length is 4096 tokens.", code="context_length_exceeded"),
        errors.ContextTooLong,
    ),
    "400 parameter": Fault(
        "400: a parameter is not supported",
        lambda api: refusal_of("max_tokens" if api == "chat" else "max_output_tokens"),
        text=AGAIN, lasting=False,
    ),
    "400 role": Fault("400: no system role", failure(400, "System role not supported"), text=AGAIN, lasting=False),
    "400 other": Fault("400: any other reason", failure(400, "The moon is full"), errors.RequestRejected),
    "401": Fault("401: the key is wrong", failure(401, "Incorrect API key provided"), errors.KeyRefused),
    "402": Fault("402: nothing left to pay with", failure(402, "Insufficient Balance"), errors.QuotaExhausted),
    "403": Fault("403: the key may not use the model", failure(403, "no access"), errors.ModelForbidden),
    "404": Fault(
        "404: there is no such model",
        failure(404, "The model does not exist", code="model_not_found"),
        errors.ModelUnknown,
    ),
    "408": Fault("408: the server's own time-out", failure(408, "timeout", **SOON), errors.ModelTimeout),
    "409": Fault("409: a conflict", failure(409, "conflict", **SOON), errors.ModelOverloaded),
    "413": Fault("413: the request is too large", failure(413, "Payload too large"), errors.ContextTooLong),
    "422": Fault(
        "422: the request is malformed in the server's eyes",
        Reply(status=422, body={"detail": [{"loc": ["body", "x"], "msg": "bad"}]}),
        errors.RequestRejected,
    ),
    "429": Fault("429 with Retry-After", failure(429, "slow down", retry_after="30"), errors.RateLimited),
    "429 without": Fault("429 without Retry-After", failure(429, "slow down", **SOON), errors.RateLimited),
    "429 quota": Fault(
        "429: the quota is used up", failure(429, "no quota", code="insufficient_quota"), errors.QuotaExhausted
    ),
    "500": Fault("500 again and again", failure(500, "oops", **SOON), errors.ModelOverloaded),
    "500 once": Fault("500 once", failure(500, "oops", **SOON), text=AGAIN, lasting=False),
    "502": Fault(
        "502 with a web page",
        Reply(status=502, body="<html><b>Bad gateway</b></html>", headers={"retry-after-ms": "1"}),
        errors.ModelOverloaded,
    ),
    "503": Fault("503", failure(503, "busy", **SOON), errors.ModelOverloaded),
    "529": Fault("529", failure(529, "Overloaded", **SOON), errors.ModelOverloaded),
    "web page": Fault(
        "200 with a web page (a hotel's network)", Reply(body="<html>Welcome</html>"), errors.ReplyMalformed
    ),
    # a stream that breaks
    "cut": Fault(
        "Hangs up in the middle of a word", Reply("One two three.", cut_after=2), errors.ReplyCutOff, "One two"
    ),
    "cut in a character": Fault(
        "Ends inside a character", _half_a_character, errors.ReplyCutOff, "One"
    ),
    "cut at once": Fault("Hangs up before the first token", Reply(cut_after=0), errors.ReplyCutOff),
    "no end": Fault(
        "Ends without its end event", Reply("One two three.", no_end=True), errors.ReplyCutOff, "One two three."
    ),
    "told inside": Fault(
        "Tells of an error inside the stream",
        lambda api: Reply("One two", error=_told(api, "server_error", "sorry")),
        errors.ModelOverloaded,
        "One two",
    ),
    "malformed": Fault("Sends events that are no JSON", Reply(raw=b"data: {not json\n\n"), errors.ReplyMalformed),
    "huge line": Fault(
        "Sends a line that does not end", Reply(raw=b"data: " + b"x" * 5_000_000), errors.ReplyMalformed
    ),
    # a stream that is whole, and no reply
    "empty": Fault("Writes nothing", Reply(text=""), errors.ReplyEmpty),
    "only reasoning": Fault(
        "Thinks, and writes nothing", Reply(text="", reasoning=("hm", " hm"), finish="length"), errors.ReplyEmpty
    ),
    "filtered": Fault(
        "Is stopped by a content filter", Reply("One two", finish="content_filter"), errors.ContentFiltered, "One two"
    ),
    "400 filtered": Fault(
        "400: a content filter", failure(400, "blocked", code="content_filter"), errors.ContentFiltered
    ),
    "refusal": Fault("Refuses to answer", Reply(refusal="I cannot help with that."), errors.ModelRefused),
    "tool call": Fault("Calls a tool nobody offered", Reply(finish="tool_calls"), errors.ReplyEmpty),
    # odd, and good enough
    "incomplete": Fault(
        "Stops at the cap (`incomplete`)", Reply("One two", finish="length"), text="One two", cut_off=True
    ),
    "200,000 tokens": Fault(
        "Ignores the cap and writes 200,000 tokens", _tokens(200_000), text=ENDLESS, cut_off=True
    ),
    "no usage": Fault("Reports no usage", replace(OK, usage=None)),
    "wrong usage": Fault("Reports a wrong usage", replace(OK, usage=(0, 0))),
    "slow": Fault(
        "Writes a token just before each time-out (every 30 seconds, say)",
        replace(OK, per_token=0.6 * SILENCE_SECONDS),
    ),
    "odd chunks": Fault("Sends every byte by itself", replace(OK, one_byte_chunks=True)),
    "no done": Fault("Keeps the connection after the end", replace(OK, no_done=True, usage=None), api="chat"),
    "one piece": Fault("Does not stream, but sends the whole reply at once", _in_one_piece),
    "one piece, empty": Fault(
        "The same, with nothing in it", lambda api: _in_one_piece(api, text=""), errors.ReplyEmpty
    ),
    "one piece, cap": Fault(
        "The same, stopped at the cap", lambda api: _in_one_piece(api, finish="length"), cut_off=True
    ),
    "one piece, error": Fault(
        "An error with status 200",
        Reply(body={"error": {"message": "Overloaded", "code": "server_error"}}),
        errors.ModelOverloaded,
    ),
}  # fmt: skip


def _told(api: Api, code: str, message: str) -> dict[str, object]:
    if api == "responses":
        return {"type": "error", "code": code, "message": message, "param": None, "sequence_number": 3}
    return {"error": {"code": code, "message": message}}


# --- nobody there ---------------------------------------------------------------------------------------------


@contextmanager
def unreachable(kind: Address, server: ModelServer) -> Iterator[str]:
    """A base URL where nobody answers, for as long as it lasts. `server` is one that speaks no TLS."""
    with socket.socket() as taken, socket.socket() as waiting:
        taken.bind(("127.0.0.1", 0))  # bound and not listening: connections are refused
        host, port = taken.getsockname()
        match kind:
            case "refused":
                yield f"http://{host}:{port}/v1"
            case "unknown name":
                yield "http://nowhere.invalid/v1"
            case "no TLS":
                yield server.base_url.replace("http://", "https://")
            case "no answer":
                taken.listen(0)
                waiting.connect((host, port))  # the one that may wait: Linux lets the next one's call go unheard
                with socket.socket() as another:
                    another.setblocking(False)
                    another.connect_ex((host, port))
                    yield f"http://{host}:{port}/v1"


# --- in words ---------------------------------------------------------------------------------------------------

_HEAD = """\
# What can go wrong with a model's server

Made by `python -m tests.wire.faults > docs/faults.md` from the table that `tests/wire/test_faults.py` does to the
whole app, over the Responses API and over Chat Completions; a test compares this page with it. Whatever happens, the
question is kept, what was written is kept and marked, nothing is stored that nobody said, and later turns go on as
if it had not been. The same happening to the helper model (summaries, facts, titles) leaves the chat alone.

| what the server does | what the person reads | 한국어 | text so far | Retry |
|---|---|---|---|---|
"""
_DETAILS = {"server": "example.com", "model": "a-model", "seconds": "30", "reason": "The moon is full"}


def page() -> str:
    """The table as Markdown."""
    return _HEAD + "".join(_row(fault) for fault in FAULTS.values())


def _row(fault: Fault) -> str:
    kept = "kept" if fault.shown else "–"
    if fault.error is None:
        said = ("the reply, cut at its limit", "답변, 한도에서 끊김") if fault.cut_off else ("the reply", "답변")
        return f"| {fault.happens} | {said[0]} | {said[1]} | whole | – |\n"
    error = fault.error(**({} if fault.error is errors.RateLimited and "without" in fault.happens else _DETAILS))
    retry = "helps" if error.retryable else "after a change"
    return f"| {fault.happens} | {error.say('en')} | {error.say('ko')} | {kept} | {retry} |\n"


if __name__ == "__main__":
    sys.stdout.write(page())
