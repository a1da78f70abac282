"""A page with a long chat behind it: `python -m bench.page`.

A real server and Chromium, on a database with a chat of 5,000 messages, 400 summary versions and a receipt for
every reply, and one of 10 messages, measured in turn. Each fold lost something, and says so.
`ready_s` is from navigation to composer and last message standing there, in a browser that has loaded the
app before. `rerun_ms` is from Enter in the sidebar's search field (for blanks, which changes nothing on the
page) to the last thing the server says about it being drawn, by the browser's own clock. `script_ms` is
the server's part of such a rerun: the script run by `AppTest`, without network and browser.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import tempfile
import time
from pathlib import Path

from playwright.sync_api import BrowserContext, Page
from sqlalchemy import insert, select
from streamlit.testing.v1 import AppTest

from bench.setup import REPLY_TEXT, SUMMARY_TEXT, USER_TEXT, add_chat, open_app
from bench.start import PATIENCE_S, ROOT, chromium, serving, wait_for_composer
from chatmem.app import App
from chatmem.store.owners import LOCAL_OWNER
from chatmem.store.tables import ConversationRow, MessageRow, ReceiptRow, SummaryRow
from tests.scripted import ScriptedModel

SMALL, LARGE = 10, 5_000
VERSIONS = 400

CLOCK = """
const Plain = window.WebSocket
window.WebSocket = class extends Plain {
  constructor(...where) {
    super(...where)
    this.addEventListener('message', () => {
      window.toldAt = performance.now()
      requestAnimationFrame(() => setTimeout(() => { window.drawnAt = performance.now() }))
    })
  }
}
window.addEventListener('keydown', () => { window.pressedAt = performance.now() }, { capture: true })
"""
"""Notes when the server last said something, and when that was drawn. An idle page is told nothing."""

QUIET_MS = 500
IS_QUIET = f"toldAt > pressedAt && drawnAt >= toldAt && performance.now() - drawnAt > {QUIET_MS}"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--loads", type=int, default=7)
    parser.add_argument("--reruns", type=int, default=15)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        chats = make_chats(Path(folder))
        url = f"sqlite:///{Path(folder) / 'bench.db'}"
        result = in_browser(url, chats, options.loads, options.reruns)
        result |= on_server(url, chats, options.reruns)
    print(json.dumps(result))


def make_chats(folder: Path) -> dict[int, str]:
    app = open_app(folder, ScriptedModel())
    owner = app.store.owners.enter(LOCAL_OWNER, "local")
    chats = {size: add_chat(app, owner.id, size) for size in (SMALL, LARGE)}
    add_versions(app, chats[LARGE])
    for chat_id in chats.values():
        add_receipts(app, chat_id)
    app.close()
    return chats


def add_versions(app: App, chat_id: str) -> None:
    """Put a chain of versions in the place of the chat's one summary, each with what it folded, kept and lost."""
    with app.store._database.write() as session:
        chat = session.get_one(ConversationRow, chat_id)
        last = session.get_one(SummaryRow, chat.head_id)
        through, before = 0, last
        for version in range(1, VERSIONS + 1):
            first, through = through + 1, last.covers_through * version // VERSIONS
            details = [
                [number, USER_TEXT.format(number=number), str(number), "number"]
                for number in range(first, through + 1)
            ]
            row = SummaryRow(
                conversation_id=chat_id, version=version + 1, parent_id=before.id, base_id=before.id,
                covers_from=first, covers_through=through, folded=[[first, through]],
                survived=details[:4], lost=details[4:], text=SUMMARY_TEXT, pins=[[first, "the tomatoes"]],
                source="model", counted=11, kept=4, tokens=last.tokens, model="bench", created_at=last.created_at,
            )  # fmt: skip
            if version == 1:
                row.parent_id = row.base_id = None
            session.add(row)
            session.flush()
            before = row
        chat.head_id = before.id
        session.delete(last)


def add_receipts(app: App, chat_id: str) -> None:
    """For every reply, with the messages before it as its window."""
    with app.store._database.write() as session:
        query = select(MessageRow.id, MessageRow.number, MessageRow.role).where(
            MessageRow.conversation_id == chat_id
        )
        messages = session.execute(query.order_by(MessageRow.number)).all()
        receipts = [
            {
                "reply_id": id_,
                "layout": [[m.role, [f"m{m.id}"]] for m in messages[max(0, number - 10) : number - 1]],
                "sections": [["system", 120, 1500], ["window", 240, 4000], ["question", 30, 2000]],
                "window_from": max(1, number - 9),
                "window_through": number - 2,
                "expired": [],
                "facts": [[1, 0.71, "stable"], [2, 0.52, "recalled"], [3, 0.21, "below"]],
                "quotes": [],
                "provider": "teaching",
                "model": "bench",
                "prepared_ms": 4.0,
            }
            for id_, number, role in messages
            if role == "assistant"
        ]
        session.execute(insert(ReceiptRow), receipts)


def in_browser(url: str, chats: dict[int, str], loads: int, reruns: int) -> dict[str, float]:
    ready: dict[int, list[float]] = {size: [] for size in chats}
    rerun: dict[int, list[float]] = {size: [] for size in chats}
    unwatched = {"STREAMLIT_SERVER_FILE_WATCHER_TYPE": "none"}  # nobody's edits run a page again meanwhile
    with serving(url, CHATMEM_IDENTITY="local", **unwatched) as address, chromium() as browser:
        context = browser.new_context()
        context.add_init_script(CLOCK)
        for turn in range(loads + 1):
            for size, chat_id in chats.items():
                page, seconds = _load(context, f"{address}/?chat={chat_id}", size)
                if turn:  # the first one loads the app into the server and the browser
                    ready[size].append(seconds)
                if turn == loads:
                    rerun[size] = [_rerun(page, number) for number in range(reruns)]
                page.close()
        context.close()
    return {
        "ready_s": round(statistics.median(ready[LARGE]), 2),
        "ready_s_10": round(statistics.median(ready[SMALL]), 2),
        "rerun_ms": round(statistics.median(rerun[LARGE]), 1),
        "rerun_ms_10": round(statistics.median(rerun[SMALL]), 1),
    }


def _load(context: BrowserContext, address: str, size: int) -> tuple[Page, float]:
    page = context.new_page()
    started = time.perf_counter()
    page.goto(address, wait_until="commit")
    wait_for_composer(page)
    last = REPLY_TEXT.format(number=size)
    page.get_by_text(last, exact=True).last.wait_for(timeout=PATIENCE_S * 1000)
    return page, time.perf_counter() - started


def _rerun(page: Page, number: int) -> float:
    page.evaluate("window.pressedAt = 0")
    page.wait_for_function(IS_QUIET, timeout=PATIENCE_S * 1000)
    search = page.locator(".st-key-search input")
    search.fill(" " * (1 + number % 2))  # blanks find everything
    search.press("Enter")
    page.wait_for_function(IS_QUIET, timeout=PATIENCE_S * 1000)
    return float(page.evaluate("drawnAt - pressedAt"))


def on_server(url: str, chats: dict[int, str], reruns: int) -> dict[str, float]:
    os.environ |= {"DATABASE_URL": url, "CHATMEM_IDENTITY": "local"}
    tests: dict[int, AppTest] = {}
    for size, chat_id in chats.items():
        tests[size] = AppTest.from_file(str(ROOT / "streamlit_app.py"), default_timeout=PATIENCE_S)
        tests[size].query_params["chat"] = chat_id
        tests[size].run()
        assert not tests[size].exception
        assert tests[size].chat_message
    times: dict[int, list[float]] = {size: [] for size in chats}
    for _ in range(reruns):
        for size, test in tests.items():
            started = time.perf_counter()
            test.run()
            times[size].append((time.perf_counter() - started) * 1000)
    return {
        "script_ms": round(statistics.median(times[LARGE]), 1),
        "script_ms_10": round(statistics.median(times[SMALL]), 1),
    }


if __name__ == "__main__":
    main()
