"""What can go wrong between here and a server, and the one place where it becomes an error of ours.

Read `translate` first. An error is read into `Said` (what the server complained about), translated from
that, and kept as the cause only after `cleaned` took the key out of it. The SDK is imported inside the
functions, for the reason that `openai_client` gives.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from chatmem import errors


class Closed(Exception):
    """The reply was closed while its request was under way."""


class Silence(Exception):
    """Nothing came in time. Not one of the SDK's own, so that the SDK does not ask three times."""


class Endless(ValueError):
    """More came than any reply can be."""


class Told(Exception):
    """An error that the server sent as an event of its stream."""

    def __init__(self, code: object, message: object) -> None:
        super().__init__(str(message or code or ""))
        self.code = str(code or "")


def failures() -> tuple[type[Exception], ...]:
    """What can go wrong between here and a server, and while reading what it sent."""
    import httpx2
    import openai

    wire = (openai.OpenAIError, httpx2.HTTPError, httpx2.InvalidURL, httpx2.StreamError, OSError)
    return (*wire, Closed, Silence, Told, ValueError, TypeError, AttributeError, LookupError)


# --- what the server said -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Said:
    """A server's complaint.

    `status` is None inside a stream. `words` are for deciding: code, type, parameter and message as they
    came. `message` is for showing, so it has no key in it. `wait` is in seconds.
    """

    status: int | None = None
    words: str = ""
    message: str = ""
    wait: float | None = None

    @classmethod
    def by(cls, error: Exception, without_key: Callable[[str], str]) -> Said:
        """What an error of the SDK, or one told inside the stream, says; nothing for any other."""
        import openai

        if isinstance(error, Told):
            return cls(None, f"{error.code} {error}", without_key(str(error)))
        if not isinstance(error, openai.APIError):
            return cls()
        message = _message(error.body) or error.message
        # Quoted, as servers quote the names of parameters in their sentences.
        words = f"{error.code or ''} {error.type or ''} '{error.param or ''}' {message}"
        if isinstance(error, openai.APIStatusError):
            return cls(error.status_code, words, without_key(message), retry_after(error.response.headers))
        return cls(None, words, without_key(message))


def _message(body: object) -> str:
    """The sentence in an error's body, in the forms of OpenAI, FastAPI (`detail`), Gemini and Ollama."""
    if isinstance(body, list):
        return "; ".join(_message(part) for part in body[:3])
    if isinstance(body, dict):
        if "loc" in body:  # a failed validation: the parameter's name, but not the input it repeats
            return f"{'.'.join(map(str, body['loc']))}: {body.get('msg', '')}"
        for name in ("message", "detail", "error"):
            if body.get(name):
                return _message(body[name])
        return json.dumps(body)[:500]
    text = str(body or "")
    return "" if text.lstrip().startswith("<") else text[:2000]  # a proxy's page says nothing to a person


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds the server asks to wait: `retry-after-ms`, or `retry-after` as seconds or as a date."""
    for name, unit in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        value = headers.get(name, "")
        with suppress(ValueError):
            wait = float(value) / unit
            return wait if 0 < wait < math.inf else None
        with suppress(ValueError, TypeError):
            when = parsedate_to_datetime(value)
            return max(1.0, (when.replace(tzinfo=when.tzinfo or UTC) - datetime.now(UTC)).total_seconds())
    return None


# --- what it means ------------------------------------------------------------------------------

_NO_CREDIT = re.compile(r"insufficient_quota|credit balance is too low|insufficient balance", re.IGNORECASE)
_BAD_KEY = re.compile(
    r"api[ _-]?key (is )?(not valid|invalid|expired)|(invalid|incorrect) api[ _-]?key", re.IGNORECASE
)
_NO_MODEL = re.compile(r"model_not_found|model\b.{0,80}\b(not found|does not exist)", re.IGNORECASE)
_TOO_LONG = re.compile(
    r"context[ _](length|window|size)|exceed_context|prompt is too long|too many (input )?tokens"
    r"|input (is )?too long|maximum (number of )?(input )?tokens|request too large",
    re.IGNORECASE,
)
_FILTERED = re.compile(r"content_filter|content[ _](management )?policy|invalid_prompt|\bflagged\b", re.IGNORECASE)
_RATE = re.compile(r"rate.?limit|\b429\b", re.IGNORECASE)
_BUSY = re.compile(r"overloaded|server_error|internal|unavailable|\b(50\d|529)\b", re.IGNORECASE)


def speaks_of_credit(words: str) -> bool:
    """Whether an error says that the account has nothing left to pay with, which no retry mends."""
    return bool(_NO_CREDIT.search(words))


def translate(error: Exception, said: Said, server: str, model: str, answered: bool) -> errors.ModelError:
    """Our error for one of `failures`, `said` being what was read from it.

    `server` and `model` are the names to show; `answered` is whether the stream had been opened.
    """
    import httpx2
    import openai

    if isinstance(error, httpx2.InvalidURL):
        return errors.ModelUnreachable(server=server)
    if isinstance(error, Silence):
        return errors.ModelTimeout()
    if isinstance(error, openai.APIConnectionError):
        connecting = isinstance(error.__cause__, httpx2.ConnectTimeout)
        if isinstance(error, openai.APITimeoutError) and not connecting:
            return errors.ModelTimeout()
        return errors.ReplyCutOff() if answered else errors.ModelUnreachable(server=server)
    if isinstance(error, UnicodeDecodeError) and error.reason == "unexpected end of data":
        return errors.ReplyCutOff()
    told = isinstance(error, openai.APIError | Told)
    if told and not isinstance(error, openai.APIResponseValidationError):
        return _by_words(said, model)
    return errors.ReplyMalformed()


def _by_words(said: Said, model: str) -> errors.ModelError:
    """What a status and a sentence mean. Servers use 400 for nearly everything, so words come first."""
    status, words = said.status, said.words
    inside = status is None
    vague = status in (None, 400, 422, 500)
    if status == 402 or speaks_of_credit(words):
        return errors.QuotaExhausted()
    if status == 401 or (vague and _BAD_KEY.search(words)):
        return errors.KeyRefused()
    if vague and _FILTERED.search(words):
        return errors.ContentFiltered()
    if status == 403:
        return errors.ModelForbidden(model=model)
    if status == 413 or (vague and _TOO_LONG.search(words)):
        return errors.ContextTooLong()
    if status == 404 or (vague and _NO_MODEL.search(words)):
        return errors.ModelUnknown(model=model)
    if status == 429 or (inside and _RATE.search(words)):
        return errors.RateLimited(seconds=math.ceil(said.wait)) if said.wait else errors.RateLimited()
    if status == 408:
        return errors.ModelTimeout()
    if status == 409 or (status or 0) >= 500 or (inside and _BUSY.search(words)):
        return errors.ModelOverloaded()
    reason = " ".join(said.message.split())[:200]
    if inside:
        return errors.ModelError(reason=reason)
    return errors.RequestRejected(reason=reason or f"HTTP {status}")


# --- what is kept of it -------------------------------------------------------------------------


def cleaned(error: Exception, without_key: Callable[[str], str]) -> Exception:
    """The same error, kept as the cause, without the key: servers like to repeat it, and logs keep it."""
    seen: BaseException | None = error
    known: set[int] = set()
    while seen is not None and id(seen) not in known:
        known.add(id(seen))
        seen.args = tuple(_clean(part, without_key) for part in seen.args)
        for name in ("message", "body"):
            if value := getattr(seen, name, None):
                setattr(seen, name, _clean(value, without_key))
        seen = seen.__cause__ or seen.__context__
    return error


def _clean(part: object, without_key: Callable[[str], str]) -> object:
    if part is None or isinstance(part, int):
        return part
    text = part.decode(errors="replace") if isinstance(part, bytes) else str(part)
    clean = without_key(text)
    return part if clean == text else clean
