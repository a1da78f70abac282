"""The same with `streamlit run` and three people in Chromium, for `bench.crash`: what a page has shown is stored.

A model's server on loopback answers slowly. Each round all three press Enter, and the server is killed at a random
moment after that: before a question is stored, in the middle of the answers, or in what follows them. Then it
starts again, everybody loads the page, sends what is not there once more, and has one more turn.
"""

from __future__ import annotations

import json
import random
import re
import secrets
import socket
import sqlite3
import time
from collections import Counter
from contextlib import ExitStack, closing
from datetime import UTC, datetime
from pathlib import Path

from playwright.sync_api import Browser, expect

from bench.crash_checks import Findings
from bench.crash_child import PIECES, fact_of, full_reply, question
from bench.start import chromium
from chatmem.app import App
from chatmem.domain import Status
from chatmem.llm.models import Models
from chatmem.settings import Settings
from chatmem.store import Store
from chatmem.store.owners import hash_token
from chatmem.tokens import count_tokens
from tests.browser.running import RunningApp
from tests.browser.screen import PATIENCE, Screen
from tests.conftest import Person
from tests.scripted import SUMMARY, ScriptedModel
from tests.unit.test_fold import check_invariant
from tests.wire.server import Json, ModelServer

PEOPLE = 3
PER_TOKEN_S = 0.01
LONGEST_S = 2.5
"""About how long a turn takes with all that follows it."""

_SAID = re.compile(r'<message n="(\d+)" role="user">(.*?)</message>', re.DOTALL)


def answer(body: Json) -> str:
    """What the model's server says: replies as long as in the other worlds, and what was said as facts."""
    last = str(body["messages"][-1]["content"])
    if "<known>" in last:
        found = [(number, fact) for number, text in _SAID.findall(last) if (fact := fact_of(text))]
        return json.dumps({"operations": [
            {"op": "add", "kind": "fact", "text": fact, "quote": fact, "message": int(number), "target": None}
            for number, fact in found
        ]})  # fmt: skip
    if "<transcript>" in last:
        return f"<summary>\n{SUMMARY}\n</summary>"
    return full_reply(last)


class Visitor:
    """Somebody in a browser of their own, with one chat."""

    def __init__(self, browser: Browser, app: RunningApp) -> None:
        context = browser.new_context(locale="en-US")
        self.token = secrets.token_urlsafe(24)
        context.add_cookies([{"name": "chatmem_visitor", "value": self.token, "url": app.url}])
        self.screen = Screen(context.new_page(), app).open()
        self.chat = self.last = ""
        self.shown: list[str] = []
        """What the page has shown as sent."""

    def sends(self) -> None:
        self.last = question(secrets.token_hex(5))
        self.screen.send(self.last)

    def looks(self) -> bool:
        """Whether the page shows what was sent last."""
        seen = self.screen.bubbles.get_by_text(self.last).count() > 0
        if seen and self.last not in self.shown:
            self.shown.append(self.last)
        return seen

    def reads(self) -> None:
        """Wait for the end of the answer."""
        end = self.screen.bubbles.get_by_text(f"{PIECES - 1}: {self.last}")
        expect(end).to_be_visible(timeout=PATIENCE)
        self.screen.wait_until_idle()
        self.looks()

    def comes_back(self) -> None:
        """Load the page; what is not there is sent once more."""
        self.screen.open(f"/?chat={self.chat}").wait_until_idle()
        if not self.looks():
            self.screen.send(self.last)
            self.reads()


def kill_served(kills: int, chance: random.Random, findings: Findings, folder: Path) -> Counter[str]:
    """So many kills of one server; what was under way at them."""
    under_way = Counter[str]()
    folder.mkdir()
    with ExitStack() as stack:
        server = stack.enter_context(ModelServer(answer, per_token=PER_TOKEN_S))
        names = {"OPENAI_BASE_URL": server.base_url, "MODEL_NAME": "big", "SUMMARY_MODEL_NAME": "small"}
        app = RunningApp(folder, free_port(), **names).start()
        stack.callback(app.kill)
        browser = stack.enter_context(chromium())
        people = [Visitor(browser, app) for _ in range(PEOPLE)]
        for visitor in people:
            visitor.sends()
            visitor.chat = visitor.screen.wait_for_chat()
            visitor.reads()
        for _ in range(kills):
            under_way.update(_kill(app, people, chance))
            _recover(app, people, findings)
    return under_way


def _kill(app: RunningApp, people: list[Visitor], chance: random.Random) -> set[str]:
    for visitor in people:
        visitor.sends()
    until = time.monotonic() + chance.uniform(0, LONGEST_S)
    while time.monotonic() < until:
        for visitor in people:
            visitor.looks()
        time.sleep(0.01)
    app.kill()
    with closing(sqlite3.connect(app.database)) as connection:
        streaming = connection.execute("SELECT count(*) FROM messages WHERE status = 'streaming'").fetchone()
        connection.execute("UPDATE messages SET heartbeat = heartbeat - 31 WHERE status = 'streaming'")
        connection.commit()
    return {"answer in a browser"} if streaming != (0,) else set()


def _recover(app: RunningApp, people: list[Visitor], findings: Findings) -> None:
    app.start()
    for act in (Visitor.comes_back, Visitor.sends, Visitor.reads):  # all three at a time
        for visitor in people:
            try:
                act(visitor)
            except Exception as error:  # noqa: BLE001 - whatever keeps somebody from going on
                findings.add("unusable", f"{visitor.chat}: {error}")
    if app.errors:
        findings.add("unusable", app.errors)
    _check(app, people, findings)


def _check(app: RunningApp, people: list[Visitor], findings: Findings) -> None:
    with closing(sqlite3.connect(app.database)) as connection:
        if (found := connection.execute("PRAGMA integrity_check").fetchall()) != [("ok",)]:
            findings.add("unusable", str(found))
    settings = Settings(database_url=f"sqlite:///{app.database}")
    core = App(
        settings, Store(settings.database_url), Models(settings, ScriptedModel(), count_tokens),
        lambda: datetime.now(UTC),
    )  # fmt: skip
    for visitor in people:
        person = Person(core, core.store.owners.enter(hash_token(visitor.token), "browser"), visitor.chat)
        messages = person.messages
        asked = Counter(message.text for message in messages if message.role == "user")
        for text in visitor.shown:
            if asked[text] != 1:
                findings.add("doubled" if asked[text] else "lost", f"{visitor.chat}: {text}")
        facts = Counter(core.store.facts.texts(person.owner.id, 10**6))
        for text, times in facts.items():
            if times > 1:
                findings.add("doubled", text)
        if any(message.status is Status.STREAMING for message in messages):
            findings.add("unusable", f"{visitor.chat}: a reply that never ends")
        try:
            check_invariant(person)
        except AssertionError as error:
            findings.add(
                "lost", f"{visitor.chat}: a message is neither covered nor in the window, or both: {error}"
            )
    core.close()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
