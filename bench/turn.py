"""Own work per turn, from the question to the request going out, recall included: `python -m bench.turn`.

In one database: chats of 10 messages and one of 100,000, all of a person of whom 100 facts are known,
measured in turn, so that the noise of the machine meets both. Each question asks for something, so that
facts are searched, and in the long chat its folded messages too; all words of it are in half of them.
Beside them the OpenAI Agents SDK's `SQLAlchemySession` stores a question and loads what it would send: all
messages at 10, the newest 10 at 100,000 (it has no summary). Its two database calls are awaited in an event
loop of their own, as a synchronous app would.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import statistics
import tempfile
import time
from pathlib import Path

from bench.setup import REPLY_TEXT, USER_TEXT, add_chat, open_app
from chatmem.app import App
from chatmem.domain import NewFact, Owner, new_id
from chatmem.embeddings import Embedder
from chatmem.llm.protocol import ModelRequest
from tests.scripted import ScriptedModel

SMALL, LARGE = 10, 100_000
FACTS = 100
FACT_TEXT = "Bed number {number} of the garden gets {number} hours of sun in a week."
QUESTION = "What did I say about the garden and the sun the tomatoes want, number {number}?"
NUMBERS = itertools.count()


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
        model, embedder = StampingModel(), Embedder()
        embedder.embed(["warm up"])
        app = open_app(Path(folder), model, embedder)
        app.recall.warm_up()
        owner = app.store.owners.enter("a" * 64, "browser")
        for number in range(FACTS):
            text = FACT_TEXT.format(number=number)
            app.store.facts.add(owner.id, NewFact(kind="fact", text=text, quote=text))
        app.learner.embed_facts(owner.id)
        large = add_chat(app, owner.id, LARGE)
        peer = Peer(Path(folder))
        ours: dict[int, list[float]] = {SMALL: [], LARGE: []}
        theirs: dict[int, list[float]] = {SMALL: [], LARGE: []}
        for turn in range(turns + 5):
            small = add_chat(app, owner.id, SMALL - 2)
            _turn(app, model, owner, small)  # its first turn, which makes ten messages of eight
            for size, chat in ((SMALL, small), (LARGE, large)):
                mine, his = _turn(app, model, owner, chat), peer.turn(size)
                if turn >= 5:  # the first ones load and compile
                    ours[size].append(mine)
                    theirs[size].append(his)
        app.close()
    at_small, at_large = (statistics.median(ours[size]) for size in (SMALL, LARGE))
    peer_small, peer_large = (statistics.median(theirs[size]) for size in (SMALL, LARGE))
    print(
        json.dumps(
            {
                "turns": turns,
                "median_ms": round(at_small, 2),
                "median_ms_100000": round(at_large, 2),
                "ratio": round(at_large / at_small, 3),
                "peer_median_ms": round(peer_small, 2),
                "peer_median_ms_100000": round(peer_large, 2),
                "peer_ratio": round(at_small / peer_small, 3),
                "peer_ratio_100000": round(at_large / peer_large, 3),
            }
        )
    )


def _turn(app: App, model: StampingModel, owner: Owner, conversation_id: str) -> float:
    text = QUESTION.format(number=next(NUMBERS))
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
