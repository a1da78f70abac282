"""A model behind any server that speaks OpenAI's HTTP: the Responses API, or Chat Completions.

Read `OpenAICompatible` first, then `StreamedReply`: one request, from opening to its last piece. Under
them stand `openai_events` (what a stream says), `openai_http` (connections, and ending them) and
`openai_errors` (what went wrong). The SDK is imported when the first request is made, or by `warm_up`:
it takes half a second, and a page must not wait.
"""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Generator, Iterator
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, Any

from chatmem import errors
from chatmem.domain import ChatMessage
from chatmem.llm.openai_errors import Said, cleaned, failures, translate
from chatmem.llm.openai_events import End, Visible, in_one_piece, read
from chatmem.llm.openai_http import Wire, certificates, new_client
from chatmem.llm.protocol import Completion, LanguageModel, ModelRequest
from chatmem.llm.providers import Api, quirks_of, remember, server_name

if TYPE_CHECKING:
    import openai

ROOM_FOR_REASONING = 2000
"""Output caps count the reasoning too: a summary capped at 500 would otherwise come back empty."""

CONNECT_SECONDS = 5.0
SILENCE_SECONDS = 90.0
"""The longest wait between two tokens. Reasoning models are silent for long; nobody waits for ever."""

RETRIES = 2
"""By the SDK, of a request that met no server or a busy one. `openai_http` cuts hopeless ones short."""

MOST_CHARACTERS = 32
"""Of a reply, for each token of its cap: eight times the usual. A server that ignores the cap is left there."""

MOST_TRIES = 5
"""How often a request is made anew without what its server refused; each try gives up one thing."""

NO_KEY = "none"
"""Sent to servers that need no key. Without any, the SDK would take the environment's."""


def warm_up() -> None:
    """Do ahead what the first request would wait for: import the SDK, and read the certificates.

    Meant for a background thread.
    """
    import_module("openai")
    certificates()


class OpenAICompatible:
    """A `LanguageModel` at one address, with one key. Safe to use from many threads.

    `api` says which of the two APIs the server speaks. `base_url` and `api_key` belong together and
    are the only ones used: no environment variable of the SDK reaches the request.
    """

    def __init__(
        self,
        provider: str,
        name: str,
        base_url: str,
        api_key: str,
        api: Api = "chat",
        *,
        connect_seconds: float = CONNECT_SECONDS,
        silence_seconds: float = SILENCE_SECONDS,
    ) -> None:
        self.provider = provider
        self.name = name
        self.base_url = base_url
        self.api: Api = api
        self._key = api_key.strip()
        self._seconds = (connect_seconds, silence_seconds)
        self._made: openai.OpenAI | None = None
        self._lock = threading.Lock()

    def __repr__(self) -> str:
        return f"OpenAICompatible({self.provider!r}, {self.name!r}, server={server_name(self.base_url)!r})"

    def prepare(self, messages: tuple[ChatMessage, ...]) -> tuple[ChatMessage, ...]:
        """The messages in the shape this server is known to want. See `LanguageModel.prepare`."""
        return quirks_of(self.base_url, self.name).shape(messages)

    def stream(self, request: ModelRequest) -> StreamedReply:
        """A reply that is asked for when it is first iterated, so that it can be closed from the start."""
        return StreamedReply(self, request)

    def complete(self, request: ModelRequest) -> Completion:
        """The whole output at once. It streams inside: a silent server is noticed the same way."""
        reply = self.stream(request)
        for _ in reply:
            pass
        if reply.completion is None:
            raise errors.ReplyCutOff()
        return reply.completion

    def open(self, sent: tuple[ChatMessage, ...], parameters: dict[str, object]) -> openai.Stream[Any]:
        """Make one request and return its events. For `StreamedReply`; raises what the SDK raises."""
        from openai import Stream

        messages = [{"role": message.role, "content": message.text} for message in sent]
        path, array = ("/responses", "input") if self.api == "responses" else ("/chat/completions", "messages")
        body = {"model": self.name, array: messages, "stream": True, **parameters}
        return self.sdk().post(path, cast_to=object, body=body, stream=True, stream_cls=Stream[Any])

    def sdk(self) -> openai.OpenAI:
        """The SDK's client, made when it is first needed. For `StreamedReply` and embeddings."""
        if not (self._key.isascii() and self._key.isprintable() and " " not in self._key):
            # Refused here: as a header it would fail with the whole key in the error's text.
            raise errors.KeyRefused()
        with self._lock:
            if self._made is None:
                self._made = self._make_sdk()
            return self._made

    def _make_sdk(self) -> openai.OpenAI:
        import openai

        http = new_client(self.base_url, *self._seconds)
        key = self._key or NO_KEY
        return openai.OpenAI(
            api_key=key,
            base_url=self.base_url,
            admin_api_key="",
            organization="",
            project="",
            webhook_secret="",
            # Explicit, because OPENAI_CUSTOM_HEADERS may hold another one.
            default_headers={"Authorization": f"Bearer {key}"},
            timeout=http.timeout,
            max_retries=RETRIES,
            http_client=http,
        )

    def without_key(self, text: str) -> str:
        """A server's words without the key, and without anything that looks like one."""
        if len(self._key) > 3:
            text = text.replace(self._key, "***")
        return re.sub(r"(?i)\b(bearer\s+|sk-|pk-|gsk_|xai-|AIza|hf_)[\w\-.*]{6,}", "***", text)


def check(model: LanguageModel) -> float:
    """Test a connection with one tiny request; returns its milliseconds. Raises a `ModelError`."""
    started = time.perf_counter()
    model.complete(ModelRequest("title", (ChatMessage.of("user", "Reply with OK"),), 16, "en"))
    return (time.perf_counter() - started) * 1000


class StreamedReply:
    """One reply on its way: see `ReplyStream`. How soon `close` is noticed stands in `Wire`."""

    def __init__(self, model: OpenAICompatible, request: ModelRequest) -> None:
        self.completion: Completion | None = None
        self._model = model
        self._request = request
        self._wire = Wire()
        self._answered = False
        self._shown: list[str] = []
        self._pieces = self._run()

    def __iter__(self) -> Iterator[str]:
        return self._pieces

    def close(self) -> None:
        """End the reply, from any thread. What was yielded stays good; `completion` may stay None."""
        self._wire.close()
        with suppress(ValueError):  # it is being iterated just now, and has been woken
            self._pieces.close()

    def _run(self) -> Generator[str, None, None]:
        model, request = self._model, self._request
        quirks = quirks_of(model.base_url, model.name)
        for tried in range(1, MOST_TRIES + 1):
            sent = quirks.shape(request.messages)
            cap = request.max_tokens + ROOM_FOR_REASONING
            parameters = quirks.parameters(model.api, cap, request.purpose != "chat", request.schema)
            try:
                yield from self._attempt(sent, parameters)
            except failures() as error:
                if self._wire.closed:
                    return
                said = Said.by(error, model.without_key)
                better = quirks.after_refusal(said.status, said.words, parameters)
                if self._shown or better is None or tried == MOST_TRIES:
                    server = server_name(model.base_url)
                    ours = translate(error, said, server, model.name, self._answered)
                    raise ours from cleaned(error, model.without_key)
                quirks, self._answered = better, False
            else:
                if self._answered:
                    remember(model.base_url, model.name, quirks)
                return

    def _attempt(self, sent: tuple[ChatMessage, ...], parameters: dict[str, object]) -> Iterator[str]:
        if self._wire.closed:
            return
        with self._wire.in_use():
            events = self._model.open(sent, parameters)
        self._answered = True
        end, visible, room = End(), Visible(), MOST_CHARACTERS * self._request.max_tokens
        kind, api = events.response.headers.get("content-type", ""), self._model.api
        try:
            source = in_one_piece(api, events.response.read()) if "/json" in kind else events
            for delta in read(api, source, end):
                if piece := visible.of(delta)[:room]:
                    room -= len(piece)
                    self._shown.append(piece)
                    yield piece
                if not room:
                    end.reached = end.cut_off = True
                    break
        except Exception:
            if not end.reached:  # else only the trailer is missing, and the reply is whole
                raise
        finally:
            events.close()
        if not end.reached:
            if self._wire.closed:
                return
            if "event-stream" not in kind:
                raise errors.ReplyMalformed()  # a web page, say, where the address of an API was expected
        if rest := visible.rest():
            self._shown.append(rest)
            yield rest
        self.completion = self._judge(end, sent)

    def _judge(self, end: End, sent: tuple[ChatMessage, ...]) -> Completion:
        text = "".join(self._shown)
        if end.filtered:
            raise errors.ContentFiltered()
        if end.refused:
            raise errors.ModelRefused()
        if not end.reached:
            raise errors.ReplyCutOff()
        if not text.strip():
            raise errors.ReplyEmpty()
        changed = sent if sent != self._request.messages else None
        return Completion(text, end.model or self._model.name, end.usage, end.cut_off, changed)
