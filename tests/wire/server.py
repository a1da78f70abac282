"""A model's server on loopback: real HTTP, both APIs, and every fault we know of.

    with ModelServer(lambda body: "Hello") as server:
        model = OpenAICompatible("other", "m", server.base_url, "key", "chat")

`answer(body)` gets the request's JSON and returns a text or a `Reply`. What is queued by `script` goes
first, one `Reply` for each request. Everything received stands in `requests`.
"""

from __future__ import annotations

import json
import re
import select
import socket
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any

Json = dict[str, Any]


@dataclass(frozen=True)
class Reply:
    """One scripted answer. Without anything set it streams `text` word by word and ends properly.

    Times are seconds; `first_token` and `per_token` of None mean the server's own.
    """

    text: str = "OK"
    pieces: tuple[str, ...] = ()
    """The deltas, where word by word is not wanted."""
    reasoning: tuple[str, ...] = ()
    """Reasoning deltas, sent before the text."""
    finish: str = "stop"
    """`stop`, `length`, `content_filter` or `tool_calls`; translated for the Responses API."""
    refusal: str = ""
    usage: tuple[int, int] | None = (11, 7)
    status: int = 200
    body: object = None
    """The body of an error: JSON, or a text or bytes as they are."""
    headers: dict[str, str] = field(default_factory=dict)
    error: Json | None = None
    """An error told inside the stream, after the text."""
    first_token: float | None = None
    per_token: float | None = None
    cut_after: int | None = None
    """Hang up in the middle of an event after so many deltas."""
    silent_after: int | None = None
    """Say nothing more after so many deltas (0: only headers), until the client hangs up."""
    hold: threading.Event | None = None
    """Wait in the middle of the deltas until it is set."""
    mute: bool = False
    """Say nothing at all, not even headers, until the client hangs up."""
    no_end: bool = False
    """Leave out the end event, but close the stream properly."""
    no_done: bool = False
    """Chat Completions: keep the connection open and silent after the finish reason."""
    one_byte_chunks: bool = False
    """Split every event into HTTP chunks of one byte, through the middle of characters."""
    raw: bytes | None = None
    """The whole stream as it is."""


def refusal_of(parameter: str, *, value: str = "", supported: tuple[str, ...] = ()) -> Reply:
    """OpenAI's answer to a parameter, or to one value of it, that a model does not take."""
    message = f"Unsupported parameter: '{parameter}' is not supported with this model."
    if value:
        message = f"Unsupported value: '{parameter}' does not support '{value}' with this model."
    if supported:
        message += f" Supported values are: {', '.join(repr(name) for name in supported)}."
    code = "unsupported_value" if value else "unsupported_parameter"
    return failure(400, message, code=code, param=parameter)


def failure(
    status: int, message: str, *, code: str | None = None, param: str | None = None, **headers: str
) -> Reply:
    """An error in OpenAI's form. Headers are given with underscores: `retry_after="7"`."""
    body = {"error": {"message": message, "type": "error", "param": param, "code": code}}
    return Reply(
        status=status, body=body, headers={name.replace("_", "-"): value for name, value in headers.items()}
    )


@dataclass(frozen=True)
class Request:
    """What a client sent. Header names are in small letters."""

    path: str
    headers: dict[str, str]
    body: Json

    @property
    def messages(self) -> list[Json]:
        found: list[Json] = self.body.get("messages") or self.body.get("input") or []
        return found

    @property
    def raw(self) -> str:
        """Everything in one text, to search for what must not be there."""
        return json.dumps([self.path, self.headers, self.body], ensure_ascii=False)


def echo(body: Json) -> str:
    """The answer of a server nobody scripted."""
    messages = body.get("messages") or body.get("input") or [{"content": ""}]
    return f"You said: {messages[-1]['content']}"


class ModelServer:
    """Serves from its construction to `close`. `one_slot` answers one request at a time, like a small GPU."""

    def __init__(
        self,
        answer: Callable[[Json], str | Reply] = echo,
        *,
        one_slot: bool = False,
        first_token: float = 0.0,
        per_token: float = 0.0,
        port: int = 0,
    ) -> None:
        self.answer = answer
        self.first_token = first_token
        self.per_token = per_token
        self.requests: list[Request] = []
        self.hung_up = threading.Event()
        """Set when a client left before its reply was over."""
        self.stopping = threading.Event()
        self.slot = threading.Lock() if one_slot else nullcontext()
        self._queue: deque[Reply] = deque()
        self._lock = threading.Lock()
        self._http = _Server(("127.0.0.1", port), _Handler)
        self._http.model = self
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self._http.server_address[1]}"

    @property
    def base_url(self) -> str:
        return f"http://{self.address}/v1"

    @property
    def bodies(self) -> list[Json]:
        return [request.body for request in self.requests]

    def script(self, *replies: str | Reply) -> None:
        """Queue replies; when they are used up, `answer` speaks again."""
        with self._lock:
            self._queue.extend(reply if isinstance(reply, Reply) else Reply(reply) for reply in replies)

    def take(self, request: Request) -> Reply:
        with self._lock:
            self.requests.append(request)
            if self._queue:
                return self._queue.popleft()
        reply = self.answer(request.body)
        return reply if isinstance(reply, Reply) else Reply(reply)

    def wait_for_requests(self, count: int, seconds: float = 10.0) -> None:
        """Wait until so many requests have arrived."""
        deadline = time.monotonic() + seconds
        while len(self.requests) < count:
            assert time.monotonic() < deadline, f"{len(self.requests)} of {count} requests came"
            time.sleep(0.01)

    def close(self) -> None:
        self.stopping.set()
        self._http.shutdown()
        self._http.server_close()

    def __enter__(self) -> ModelServer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256
    model: ModelServer

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that hangs up is part of the tests, not something to print."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def log_message(self, format: str, *args: object) -> None:
        """Quiet."""

    def do_GET(self) -> None:
        self._send_json(200, {"object": "list", "data": [{"id": "test-model", "object": "model"}]})

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("content-length", 0)))
        headers = {name.lower(): value for name, value in self.headers.items()}
        request = Request(self.path, headers, json.loads(raw or b"{}"))
        if not self.path.endswith(("/responses", "/chat/completions", "/embeddings")):
            self._send_json(404, {"error": {"message": f"no route {self.path}"}})
            return
        reply = self.server.model.take(request)
        with self.server.model.slot:
            try:
                self._answer(request, reply)
            except (OSError, _HungUp):
                self.server.model.hung_up.set()
                self.close_connection = True

    def _answer(self, request: Request, reply: Reply) -> None:
        if reply.mute:
            self._be_silent()
        if reply.status != 200 or reply.body is not None:
            self._send_json(reply.status, reply.body, reply.headers)
            return
        model = self.server.model
        first = model.first_token if reply.first_token is None else reply.first_token
        speak = _Responses if self.path.endswith("/responses") else _Chat
        speech = speak(str(request.body.get("model", "")), reply)
        if not request.body.get("stream"):
            self._pause(first)
            self._send_json(200, speech.whole())
            return
        self._start_stream(reply.headers)
        if reply.raw is not None:
            self._chunk(reply.raw)
            self._end_stream()
            return
        for event in speech.opening():
            self._event(event, reply)
        self._pause(first)
        per_token = model.per_token if reply.per_token is None else reply.per_token
        deltas = speech.deltas()
        for number, event in enumerate(deltas):
            if number == reply.silent_after:
                self._be_silent()
            if number == len(deltas) // 2:
                while reply.hold and not reply.hold.is_set():
                    self._pause(0.02)
            if number == reply.cut_after:
                self._chunk(event[: len(event) // 2])
                self._hang_up()
                return
            if number:
                self._pause(per_token)
            self._event(event, reply)
        if reply.silent_after is not None:
            self._be_silent()
        if reply.cut_after is not None:
            self._hang_up()
            return
        closing = [] if reply.no_end else speech.closing(request.body)
        for event in [_sse(reply.error, "error")] if reply.error else closing:
            self._event(event, reply)
        if reply.no_done:
            self._be_silent()
        if speak is _Chat and not reply.no_end and not reply.error:
            self._chunk(b"data: [DONE]\n\n")
        self._end_stream()

    # --- bytes ---

    def _send_json(self, status: int, body: object, headers: dict[str, str] | None = None) -> None:
        text = body if isinstance(body, str | bytes) else json.dumps(body, ensure_ascii=False)
        raw = text if isinstance(text, bytes) else text.encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(raw)))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(raw)

    def _start_stream(self, headers: dict[str, str]) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream; charset=utf-8")
        self.send_header("transfer-encoding", "chunked")
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()

    def _event(self, event: bytes, reply: Reply) -> None:
        if reply.one_byte_chunks:
            for byte in event:
                self._chunk(bytes([byte]))
        else:
            self._chunk(event)

    def _chunk(self, raw: bytes) -> None:
        if raw:
            self.wfile.write(b"%x\r\n%s\r\n" % (len(raw), raw))
            self.wfile.flush()

    def _end_stream(self) -> None:
        self.wfile.write(b"0\r\n\r\n")

    def _hang_up(self) -> None:
        self.close_connection = True
        with suppress(OSError):
            self.connection.shutdown(socket.SHUT_RDWR)

    def _pause(self, seconds: float) -> None:
        """Sleep, but notice when there is nobody left to answer."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            if self.server.model.stopping.is_set():
                raise _HungUp
            if select.select([self.connection], [], [], min(left, 0.02))[0]:
                if not self.connection.recv(1, socket.MSG_PEEK):
                    raise _HungUp
                time.sleep(min(left, 0.02))

    def _be_silent(self) -> None:
        self._pause(600.0)


class _HungUp(Exception):
    """The client is gone, or the server is being closed."""


def _sse(data: Json, name: str = "") -> bytes:
    head = f"event: {name}\n" if name else ""
    return f"{head}data: {json.dumps(data, ensure_ascii=False)}\n\n".encode()


def _words(reply: Reply) -> tuple[str, ...]:
    return reply.pieces or tuple(re.findall(r"\s*\S+|\s+$", reply.text))


class _Chat:
    """Chat Completions."""

    def __init__(self, model: str, reply: Reply) -> None:
        self.model, self.reply = model, reply

    def _frame(self, delta: Json | None, finish: str | None = None, usage: Json | None = None) -> bytes:
        choices = [] if delta is None else [{"index": 0, "delta": delta, "finish_reason": finish}]
        frame = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": self.model}
        return _sse({**frame, "choices": choices, "usage": usage})

    def opening(self) -> list[bytes]:
        return [self._frame({"role": "assistant", "content": ""})]

    def deltas(self) -> list[bytes]:
        thoughts = [self._frame({"reasoning_content": piece}) for piece in self.reply.reasoning]
        if self.reply.refusal:
            return [*thoughts, self._frame({"refusal": self.reply.refusal})]
        if self.reply.finish == "tool_calls":
            call = {"index": 0, "id": "call_1", "function": {"name": "search", "arguments": "{}"}}
            return [*thoughts, self._frame({"tool_calls": [call]})]
        return [*thoughts, *(self._frame({"content": piece}) for piece in _words(self.reply))]

    def _usage(self) -> Json | None:
        if self.reply.usage is None:
            return None
        into, out = self.reply.usage
        return {"prompt_tokens": into, "completion_tokens": out, "total_tokens": into + out}

    def closing(self, body: Json) -> list[bytes]:
        frames = [self._frame({}, self.reply.finish)]
        if (body.get("stream_options") or {}).get("include_usage") and self.reply.usage:
            frames.append(self._frame(None, usage=self._usage()))
        return frames

    def whole(self) -> Json:
        text, refusal = "".join(_words(self.reply)), self.reply.refusal or None
        message = {"role": "assistant", "content": text, "refusal": refusal}
        choice = {"index": 0, "message": message, "finish_reason": self.reply.finish}
        frame = {"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": self.model}
        return {**frame, "choices": [choice], "usage": self._usage()}


class _Responses:
    """The Responses API."""

    def __init__(self, model: str, reply: Reply) -> None:
        self.model, self.reply = model, reply
        self._number = 0

    def _event(self, kind: str, **data: object) -> bytes:
        self._number += 1
        return _sse({"type": kind, "sequence_number": self._number, **data}, kind)

    def _at(self) -> Json:
        return {"item_id": "msg_1", "output_index": 0, "content_index": 0}

    def opening(self) -> list[bytes]:
        response = {**self.whole(), "status": "in_progress", "output": [], "usage": None}
        return [
            self._event("response.created", response=response),
            self._event("response.in_progress", response=response),
        ]

    def deltas(self) -> list[bytes]:
        events = [
            self._event("response.reasoning_text.delta", delta=piece, **self._at())
            for piece in self.reply.reasoning
        ]
        if self.reply.refusal:
            return [*events, self._event("response.refusal.delta", delta=self.reply.refusal, **self._at())]
        if self.reply.finish == "tool_calls":
            call = {"type": "function_call", "call_id": "call_1", "name": "search", "arguments": "{}"}
            return [*events, self._event("response.output_item.done", output_index=0, item=call)]
        return events + [
            self._event("response.output_text.delta", delta=piece, logprobs=[], **self._at())
            for piece in _words(self.reply)
        ]

    def closing(self, body: Json) -> list[bytes]:
        whole = self.whole()
        return [self._event(f"response.{whole['status']}", response=whole)]

    def whole(self) -> Json:
        reason = {"length": "max_output_tokens", "content_filter": "content_filter"}.get(self.reply.finish)
        part = {"type": "output_text", "text": "".join(_words(self.reply)), "annotations": []}
        message = {"type": "message", "id": "msg_1", "role": "assistant", "content": [part]}
        into, out = self.reply.usage or (0, 0)
        usage = {
            "input_tokens": into,
            "input_tokens_details": {"cached_tokens": 0},
            "output_tokens": out,
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": into + out,
        }
        return {
            "id": "resp_1",
            "object": "response",
            "created_at": 1,
            "model": self.model,
            "status": "incomplete" if reason else "completed",
            "incomplete_details": {"reason": reason} if reason else None,
            "error": None,
            "output": [message],
            "parallel_tool_calls": True,
            "tool_choice": "auto",
            "tools": [],
            "usage": usage if self.reply.usage else None,
        }
