"""People at their browsers, many in one process: `python -m bench.crowd_client` (started by `bench.crowd`).

Each speaks Streamlit's websocket protocol and does what its page in the browser does: keeps the widgets' states
and sends them with every rerun, runs the timers of fragments, keeps large messages and answers for them, follows
the address. It draws nothing. A person opens a new chat, asks, reads the whole reply, thinks, asks again.
Writes what happened as one JSON object.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import re
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Delta_pb2 import Delta
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from bench.crowd_model import question

PATIENCE_S = 60.0
THINKING_S = (1.0, 3.0)
ARRIVING_S = 0.1
"""Between one person's arrival and the next one's."""
MARK = re.compile(rb"answer(\d+)x(\d+)x")


@dataclass
class Turn:
    """One question. Times are seconds; None for what never came."""

    person: int
    number: int
    first: float | None = None
    whole: float | None = None


@dataclass
class Seen:
    """What all people saw."""

    turns: list[Turn] = field(default_factory=list)
    load_s: list[float] = field(default_factory=list)
    wrong_chat: int = 0
    errors: list[str] = field(default_factory=list)
    messages: int = 0
    reruns: int = 0


class Page:
    """One browser tab."""

    def __init__(self, person: int, socket: ClientConnection, seen: Seen) -> None:
        self._person, self._socket, self._seen = person, socket, seen
        self._query = self._page_hash = self._composer = ""
        self._busy = True
        self._states: dict[str, WidgetState] = {}
        self._timers: dict[str, tuple[float, asyncio.Task[None]]] = {}
        self._kept: dict[str, Delta] = {}
        self._turn: Turn | None = None
        self._asked = 0.0
        self._end = b""
        self._ended = False
        self._settled = asyncio.Event()

    async def open(self) -> None:
        """Load the page, up to a composer that can be used."""
        started = time.monotonic()
        await self._rerun()
        await asyncio.wait_for(self._settled.wait(), PATIENCE_S)
        self._seen.load_s.append(time.monotonic() - started)

    async def ask(self, turn: Turn) -> None:
        """Send a question and wait until its reply stands there whole and the composer is free again."""
        self._turn, self._ended = turn, False
        self._end = f"end{turn.person}x{turn.number}x".encode()
        self._settled.clear()
        state = WidgetState(id=self._composer)
        state.chat_input_value.data = question(turn.person, turn.number)
        self._asked = time.monotonic()
        await self._rerun(trigger=state)
        await asyncio.wait_for(self._settled.wait(), PATIENCE_S)
        turn.whole = time.monotonic() - self._asked

    async def read(self) -> None:
        async for raw in self._socket:
            assert isinstance(raw, bytes)
            self._seen.messages += 1
            self._look(raw)
            self._receive(ForwardMsg.FromString(raw))

    def close(self) -> None:
        for _, timer in self._timers.values():
            timer.cancel()
        self._timers.clear()

    # --- what the server says ---

    def _look(self, raw: bytes) -> None:
        """Whose replies are in a message, and whether the awaited one has begun or ended."""
        for mark in MARK.finditer(raw):
            if int(mark[1]) != self._person:
                self._seen.wrong_chat += 1
            elif self._turn and self._turn.first is None and int(mark[2]) == self._turn.number:
                self._turn.first = time.monotonic() - self._asked
        if self._end and self._end in raw:
            self._ended = True

    def _receive(self, said: ForwardMsg) -> None:
        kind = said.WhichOneof("type")
        if kind == "delta":
            if said.metadata.cacheable:
                self._kept[said.hash] = said.delta
            self._draw(said.delta)
        elif kind == "ref_hash":
            self._draw(self._kept[said.ref_hash])
        elif kind == "new_session":
            self._page_hash = said.new_session.page_script_hash
            if not said.metadata.run.fragment_ids:
                self.close()
        elif kind == "page_info_changed":
            self._query = said.page_info_changed.query_string
        elif kind == "auto_rerun":
            self._start_timer(said.auto_rerun.fragment_id, said.auto_rerun.interval)
        elif kind == "stop_auto_rerun":
            for fragment in said.stop_auto_rerun.fragment_ids:
                if fragment in self._timers:
                    self._timers.pop(fragment)[1].cancel()
        elif kind == "script_finished":
            whole = said.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY
            if whole and self._composer and not self._busy and (self._ended or self._turn is None):
                self._settled.set()

    def _draw(self, delta: Delta) -> None:
        if delta.WhichOneof("type") != "new_element":
            return
        element = delta.new_element
        kind = element.WhichOneof("type")
        if kind == "chat_input":
            self._composer, self._busy = element.chat_input.id, element.chat_input.disabled
        elif kind == "text_input":
            self._keep_text(element.text_input.id, element.text_input.default)
        elif kind == "selectbox" and element.selectbox.options:
            self._keep_text(element.selectbox.id, element.selectbox.options[element.selectbox.default])
        elif kind == "exception":
            self._seen.errors.append(f"{element.exception.type}: {element.exception.message}"[:300])
        elif kind == "alert" and element.alert.format in (element.alert.ERROR, element.alert.WARNING):
            self._seen.errors.append(element.alert.body[:300])

    def _keep_text(self, widget: str, default: str) -> None:
        self._states.setdefault(widget, WidgetState(id=widget, string_value=default))

    # --- what the page says ---

    def _start_timer(self, fragment: str, interval: float) -> None:
        if fragment in self._timers:
            if self._timers[fragment][0] == interval:
                return
            self._timers.pop(fragment)[1].cancel()

        async def tick() -> None:
            due = time.monotonic()
            while True:
                due += interval
                await asyncio.sleep(max(0.0, due - time.monotonic()))
                await self._rerun(fragment)

        self._timers[fragment] = interval, asyncio.create_task(tick())

    async def _rerun(self, fragment: str = "", trigger: WidgetState | None = None) -> None:
        message = BackMsg()
        wanted = message.rerun_script
        wanted.query_string, wanted.page_script_hash = self._query, self._page_hash
        wanted.fragment_id, wanted.is_auto_rerun = fragment, bool(fragment)
        wanted.widget_states.widgets.extend(self._states.values())
        if trigger:
            wanted.widget_states.widgets.append(trigger)
        wanted.cached_message_hashes.extend(self._kept)
        wanted.context_info.timezone, wanted.context_info.locale = "Asia/Seoul", "en-US"
        wanted.context_info.url = f"http://localhost/?{self._query}"
        self._seen.reruns += 1
        await self._socket.send(message.SerializeToString())


async def visit(person: int, url: str, turns: int, seen: Seen, asked: int, until: float) -> int:
    """One stay in a new chat; how many questions the person has asked by now."""
    cookie = {"Cookie": "chatmem_visitor=" + f"person-{person:05}".ljust(32, "_")}
    async with connect(
        url, subprotocols=[Subprotocol("streamlit")], additional_headers=cookie, max_size=None, proxy=None
    ) as ws:
        page = Page(person, ws, seen)

        async def chat() -> int:
            last = asked
            await page.open()
            for number in range(asked + 1, asked + 1 + turns):
                if time.monotonic() > until:
                    break
                last = number
                seen.turns.append(turn := Turn(person, number))
                await page.ask(turn)
                await asyncio.sleep(random.uniform(*THINKING_S))
            return last

        chatting, reading = asyncio.create_task(chat()), asyncio.create_task(page.read())
        try:
            await asyncio.wait((chatting, reading), return_when=asyncio.FIRST_COMPLETED)
            if not chatting.done():
                await reading  # it has failed, and nothing more would be heard
                raise ConnectionError("the server has hung up")
            return await chatting
        finally:
            page.close()
            chatting.cancel()
            reading.cancel()


async def stay(person: int, url: str, turns: int, seen: Seen, seconds: float) -> None:
    """Visits until the time is up; a single one without a time."""
    until = time.monotonic() + seconds if seconds else float("inf")
    await asyncio.sleep(random.uniform(0, ARRIVING_S) + (person % 1000) * ARRIVING_S)
    asked = 0
    while time.monotonic() < until:
        try:
            asked = await visit(person, url, turns, seen, asked, until)
        except (TimeoutError, ConnectionClosed, OSError) as error:
            seen.errors.append(f"{type(error).__name__} in the tab of {person}: {error}"[:300])
            asked = max((turn.number for turn in seen.turns if turn.person == person), default=0)
        if not seconds:
            break


async def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("url")
    parser.add_argument("seen", type=Path, help="the file to write what happened to")
    parser.add_argument("--people", type=int, default=1)
    parser.add_argument("--first", type=int, default=1, help="number of the first person")
    parser.add_argument("--turns", type=int, default=8, help="turns of a visit")
    parser.add_argument("--seconds", type=float, default=0.0, help="come back until so much time has passed")
    options = parser.parse_args()
    seen = Seen()
    people = range(options.first, options.first + options.people)
    await asyncio.gather(*(stay(one, options.url, options.turns, seen, options.seconds) for one in people))
    options.seen.write_text(json.dumps(asdict(seen)))


if __name__ == "__main__":
    asyncio.run(main())
