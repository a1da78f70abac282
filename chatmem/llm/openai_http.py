"""The HTTP under the SDK: one client's connections, what may leave on them, and how a reply is ended.

`new_client` makes the HTTP client that a model's requests share; its hooks see every one of them, and
find the `Wire` of the reply it belongs to. The SDK's HTTP library is imported inside the functions, for
the reason that `openai_client` gives.
"""

from __future__ import annotations

import functools
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

from chatmem.llm.openai_errors import Closed, Endless, Silence, retry_after, speaks_of_credit
from chatmem.llm.providers import on_own_network, speaks_of_roles

if TYPE_CHECKING:
    import httpx2

LONGEST_RETRY_WAIT = 2.0
"""Seconds. A server that asks for more is not waited for: the person is told how long it will be."""

MOST_BYTES = 64 * 2**20
"""Of one answer: some hundred thousand tokens as events. More is no reply, and nobody's memory may go to it."""

MOST_LINE_BYTES = 4 * 2**20
"""Of one line in it, which the SDK collects until it ends."""

_HEADERS_SENT = frozenset(
    {"host", "connection", "accept", "accept-encoding", "user-agent"}
    | {"authorization", "content-type", "content-length"}
)


class Wire:
    """The wire under one reply: the socket of its request, and the way to end it from any thread.

    A thread that waits on a socket is woken by shutting that socket down; closing it would not do.
    Two waits have no socket to shut down, so `close` is noticed at their end: making a connection (up
    to the client's `connect_seconds`), and the SDK's pause before a retry (`LONGEST_RETRY_WAIT`).
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._socket: socket.socket | None = None
        self._closed = False

    @property
    def closed(self) -> bool:
        return self._closed

    def close(self) -> None:
        """End the request under way, and every later one."""
        with self._lock, suppress(OSError):
            self._closed = True
            if self._socket is not None:
                # The plain socket's method: SSLSocket's own would pull the rug from under a read.
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)

    @contextmanager
    def in_use(self) -> Iterator[None]:
        """Inside, this thread's requests belong to this wire."""
        token = _in_use.set(self)
        try:
            yield
        finally:
            _in_use.reset(token)

    def watch(self, event: str, info: dict[str, Any]) -> None:
        """The HTTP client's trace: learns the socket, and stops a request that nobody wants any more."""
        import httpcore2

        if event.endswith(("connect_tcp.complete", "start_tls.complete")):
            with self._lock:
                self._socket = info["return_value"].get_extra_info("socket")
        error = info.get("exception")
        if "response_closed" in event or (error is not None and not isinstance(error, Exception)):
            return  # the connection is being given back, which must not be stopped
        if self._closed:
            raise Closed
        if isinstance(error, httpcore2.ReadTimeout):
            raise Silence


_in_use: ContextVar[Wire | None] = ContextVar("wire in use", default=None)
"""Lets the hooks of the shared HTTP client know whose request they see."""


def new_client(base_url: str, connect_seconds: float, silence_seconds: float) -> httpx2.Client:
    """An HTTP client for one address. `silence_seconds` is the longest wait between two pieces."""
    import httpx2

    return httpx2.Client(
        timeout=httpx2.Timeout(connect=connect_seconds, read=silence_seconds, write=30.0, pool=5.0),
        verify=certificates(),
        # One connection per request: a stream can then be ended by its socket alone.
        limits=httpx2.Limits(max_keepalive_connections=0),
        # A key, and a visitor's words, go to the address they were meant for and no further.
        follow_redirects=False,
        # Proxies are for the way out; localhost would be looked for on the proxy's own machine.
        trust_env=not on_own_network(base_url),
        event_hooks={"request": [_before_sending], "response": [_within_bounds, _before_retrying]},
    )


@functools.cache
def certificates() -> Any:
    """The certificates, read once: 30 ms for each client otherwise, and there is one per visitor."""
    import httpx2

    return httpx2.create_ssl_context()


def _before_sending(request: httpx2.Request) -> None:
    # An allow-list: organisation, project and any custom header of the environment stay at home.
    for name in [name for name in request.headers if name.lower() not in _HEADERS_SENT]:
        del request.headers[name]
    if wire := _in_use.get():
        if wire.closed:
            raise Closed
        request.extensions["trace"] = wire.watch


def _within_bounds(response: httpx2.Response) -> None:
    import httpx2

    assert isinstance(response.stream, httpx2.SyncByteStream)
    whole: httpx2.SyncByteStream = response.stream

    class Bounded(httpx2.SyncByteStream):
        def __iter__(self) -> Iterator[bytes]:
            taken = line = 0
            for chunk in whole:
                taken += len(chunk)
                line = len(chunk) - chunk.rfind(b"\n") - 1 + (line if b"\n" not in chunk else 0)
                if taken > MOST_BYTES or line > MOST_LINE_BYTES:
                    raise Endless
                yield chunk

        def close(self) -> None:
            whole.close()

    response.stream = Bounded()


def _before_retrying(response: httpx2.Response) -> None:
    # The SDK would sleep for up to two minutes, and ask again where that cannot help.
    if response.status_code < 400:
        return
    response.read()
    hopeless = speaks_of_credit(response.text) or speaks_of_roles(response.text)
    if hopeless or (retry_after(response.headers) or 0) > LONGEST_RETRY_WAIT:
        response.headers["x-should-retry"] = "false"
