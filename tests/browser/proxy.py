"""A proxy as hosts put before an app: it passes Streamlit's own routes only, and no cookie of the server's."""

from __future__ import annotations

import asyncio
import re
import threading
from contextlib import suppress

PASSED = re.compile(
    rb"(?:GET|HEAD|PUT|POST|DELETE|OPTIONS) /(?:_stcore/|static/|media/|component/|[a-z]*(?:\?| ))"
)
SET_COOKIE = re.compile(rb"\r\nset-cookie:[^\r]*", re.IGNORECASE)


class StrictProxy:
    """Serves an app's port on loopback, at `url`, from its construction to `close`."""

    def __init__(self, port: int) -> None:
        self._to = port
        self._tasks: set[asyncio.Task[None]] = set()  # the loop itself holds its tasks weakly
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        listening = asyncio.start_server(self._serve, "127.0.0.1", 0)
        self._server = asyncio.run_coroutine_threadsafe(listening, self._loop).result(10)
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    def close(self) -> None:
        asyncio.run_coroutine_threadsafe(self._end(), self._loop).result(10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()

    async def _end(self) -> None:
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _serve(self, browser: asyncio.StreamReader, to_browser: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task
        self._tasks.add(task)
        with suppress(OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
            head = await browser.readuntil(b"\r\n\r\n")
            if not PASSED.match(head):
                to_browser.write(b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
                await to_browser.drain()
                return
            app, to_app = await asyncio.open_connection("127.0.0.1", self._to)
            if b"upgrade: websocket" not in head.lower():  # one request for each connection: its head is the first
                head = re.sub(rb"\r\nconnection:[^\r]*", b"", head, flags=re.IGNORECASE)
                head = head.replace(b"\r\n", b"\r\nConnection: close\r\n", 1)
            to_app.write(head)
            self._tasks.add(asyncio.create_task(_pipe(browser, to_app)))
            answer = await app.readuntil(b"\r\n\r\n")
            to_browser.write(SET_COOKIE.sub(b"", answer))
            await _pipe(app, to_browser)
            to_app.close()
        to_browser.close()


async def _pipe(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while piece := await source.read(65536):
            target.write(piece)
            await target.drain()
