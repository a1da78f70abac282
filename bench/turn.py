"""Own work per turn, from the question to the request going out: `python -m bench.turn`.

In one database: a chat of 10 messages and one of 100,000, measured in turn, so that the noise of the
machine meets both. Beside them the OpenAI Agents SDK's `SQLAlchemySession` stores a question and loads
what it would send: all messages at 10, the newest 10 at 100,000 (it has no summary). Its two database
calls are awaited in an event loop of their own, as a synchronous app would.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import tempfile
import time
from pathlib import Path

from bench.setup import REPLY_TEXT, USER_TEXT, add_chat, open_app
from chatmem.app import App
from chatmem.domain import Owner, new_id
from chatmem.llm.protocol import ModelRequest
from tests.scripted import ScriptedModel

SMALL, LARGE = 10, 100_000


class StampingModel(ScriptedModel):
    """Notes when a request reaches it."""

    def stream(self, request: ModelRequest):  # type: ignore[no-untyped-def]
        self.reached = time.perf_counter()
        return super().stream(request)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--turns", type=int, default=200)
    turns = parser.parse_args().turns
    with tempfile.TemporaryDirectory() as folder:
        model = StampingModel()
        app = open_app(Path(folder), model)
        owner = app.store.owners.enter("a" * 64, "browser")
        chats = {size: add_chat(app, owner.id, size) for size in (SMALL, LARGE)}
        peer = Peer(Path(folder))
        ours: dict[int, list[float]] = {SMALL: [], LARGE: []}
        theirs: dict[int, list[float]] = {SMALL: [], LARGE: []}
        for turn in range(turns + 5):
            for size in (SMALL, LARGE):
                mine, his = _turn(app, model, owner, chats[size]), peer.turn(size)
                if turn >= 5:  # the first ones load and compile
                    ours[size].append(mine)
                    theirs[size].append(his)
        app.close()
    small, large = (statistics.median(ours[size]) for size in (SMALL, LARGE))
    peer_small, peer_large = (statistics.median(theirs[size]) for size in (SMALL, LARGE))
    print(
        json.dumps(
            {
                "turns": turns,
                "median_ms": round(small, 2),
                "median_ms_100000": round(large, 2),
                "ratio": round(large / small, 3),
                "peer_median_ms": round(peer_small, 2),
                "peer_median_ms_100000": round(peer_large, 2),
                "peer_ratio": round(small / peer_small, 3),
                "peer_ratio_100000": round(large / peer_large, 3),
            }
        )
    )


def _turn(app: App, model: StampingModel, owner: Owner, conversation_id: str) -> float:
    text = USER_TEXT.format(number=0)
    started = time.perf_counter()
    turn = app.chat.send(owner, conversation_id, new_id(), text, language="en")
    app.chat.wait(turn, 30)
    return (model.reached - started) * 1000


class Peer:
    """`SQLAlchemySession` over aiosqlite, on a database of its own with the same two histories."""

    def __init__(self, folder: Path) -> None:
        from agents.extensions.memory import SQLAlchemySession

        self._loop = asyncio.new_event_loop()
        url = f"sqlite+aiosqlite:///{folder / 'peer.db'}"
        self._sessions = {}
        for size in (SMALL, LARGE):
            session = SQLAlchemySession.from_url(f"chat-{size}", url=url, create_tables=True)
            self._sessions[size] = session
            items = [
                {
                    "role": "user" if number % 2 else "assistant",
                    "content": (USER_TEXT if number % 2 else REPLY_TEXT).format(number=number),
                }
                for number in range(1, size + 1)
            ]
            for start in range(0, size, 5_000):
                self._run(session.add_items(items[start : start + 5_000]))

    def turn(self, size: int) -> float:
        """Milliseconds to load what is sent and to store the question; the reply's storing is not counted."""
        session = self._sessions[size]
        started = time.perf_counter()
        self._run(session.get_items(limit=SMALL))
        self._run(session.add_items([{"role": "user", "content": USER_TEXT.format(number=0)}]))
        elapsed = (time.perf_counter() - started) * 1000
        self._run(session.add_items([{"role": "assistant", "content": REPLY_TEXT.format(number=0)}]))
        return elapsed

    def _run(self, coroutine):  # type: ignore[no-untyped-def]
        return self._loop.run_until_complete(coroutine)


if __name__ == "__main__":
    main()
