"""The History page, and the ways in and out of a person's data: searching, jumping, exporting, importing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from bench.setup import add_chat
from chatmem.domain import new_id
from tests.browser.conftest import StartApp, Visit
from tests.browser.running import RunningApp
from tests.browser.screen import PATIENCE, PHONE, Screen

LONG = 200
"""Messages of a chat that is far too long to be drawn at once."""


@pytest.fixture(scope="module")
def app(start_app: StartApp) -> Iterator[RunningApp]:
    running = start_app(CHATMEM_TEACHING_PACE="0")
    yield running
    running.stop()


def search(screen: Screen, words: str) -> None:
    field = screen.main.get_by_role("searchbox")
    field.fill(words)
    field.press("Enter")


# --- searching ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("locale", "said", "words"),
    [
        ("en-US", "I planted three magnolias behind the house.", "magnolia"),
        ("ko-KR", "뒷마당에 목련 세 그루를 심었어.", "목련"),
    ],
)
def test_a_message_is_found_by_its_words_and_opened_in_its_chat(
    app: RunningApp, visit: Visit, locale: str, said: str, words: str
) -> None:
    screen, person = visit(app, locale=locale)
    person.say(said)
    first, person.chat_id = person.chat_id, new_id()
    person.say("It rained." if locale == "en-US" else "비가 왔어.")
    screen.open("/history")
    search(screen, words)
    mine = screen.keyed("found-").filter(has_text=said)
    expect(mine).to_have_count(1)
    expect(mine.locator("span").filter(has_text=words).first).to_be_visible()
    screen.shot(f"search-{locale[:2]}")
    mine.get_by_role("link", name="Open in its chat" if locale == "en-US" else "대화에서 열기").click()
    expect(screen.sought).to_contain_text(said)
    assert screen.wait_for_chat() == first
    screen.assert_no_exception()


def test_what_is_not_there_is_said_in_a_sentence(app: RunningApp, visit: Visit) -> None:
    screen, person = visit(app)
    person.say("I planted three magnolias.")
    screen.open("/history")
    search(screen, "rhododendron")
    expect(screen.main).to_contain_text("No message holds all of these words.")
    search(screen, "")
    expect(screen.main).to_contain_text("I planted three magnolias.")


@pytest.mark.parametrize("options", [{}, {**PHONE, "color_scheme": "dark"}], ids=["wide", "phone"])
def test_a_message_far_back_in_a_long_chat_is_shown_in_its_place_and_the_way_leads_back(
    app: RunningApp, visit: Visit, options: dict[str, Any]
) -> None:
    screen, person = visit(app, **options)
    chat = add_chat(person.app, person.owner.id, LONG)
    screen.open("/history")
    search(screen, "garden 51")
    found = screen.keyed("found-").filter(has_text="number 51:")
    found.get_by_role("link", name="Open in its chat").click()
    expect(screen.sought).to_contain_text("number 51:", timeout=PATIENCE)
    screen.wait_until_the_sought_rests()
    assert screen.wait_for_chat() == chat
    looking = screen.keyed("looking")
    expect(looking).to_contain_text(f"of {LONG}")
    expect(screen.main).not_to_contain_text(f"number {LONG} is noted")
    screen.shot(f"far-back-{'phone' if options else 'wide'}")
    screen.assert_fits()
    screen.button("to-newest").click()
    expect(screen.bubbles.last).to_contain_text(f"number {LONG} is noted")
    expect(looking).to_have_count(0)
    expect(screen.sought).to_have_count(0)


# --- taking it along ----------------------------------------------------------------------------------------


def test_a_chat_is_exported_to_read_and_to_take_along(app: RunningApp, visit: Visit) -> None:
    screen, person = visit(app)
    person.say("I planted three magnolias.")
    screen.open(f"/history?chat={person.chat_id}")
    screen.main.get_by_role("button", name="Export this chat").click()
    expect(screen.button("export-markdown-")).to_be_visible()
    screen.shot("export")
    with screen.page.expect_download() as started:
        screen.button("export-markdown-").click()
    assert started.value.suggested_filename.endswith(".md")
    assert "I planted three magnolias." in Path(started.value.path()).read_text("utf-8")
    with screen.page.expect_download() as started:
        screen.button("export-json-").click()
    exported = json.loads(Path(started.value.path()).read_text("utf-8"))
    assert "I planted three magnolias." in json.dumps(exported)


def mapping(title: str, *texts: str) -> dict[str, Any]:
    """One chat in the form in which ChatGPT exports it."""
    nodes: dict[str, Any] = {"root": {"id": "root", "message": None, "parent": None, "children": ["0"]}}
    for place, text in enumerate(texts):
        nodes[str(place)] = {
            "id": str(place),
            "parent": str(place - 1) if place else "root",
            "children": [str(place + 1)] if place + 1 < len(texts) else [],
            "message": {
                "id": str(place),
                "author": {"role": "assistant" if place % 2 else "user"},
                "create_time": 1_700_000_000.0 + place,
                "content": {"content_type": "text", "parts": [text]},
                "status": "finished_successfully",
                "recipient": "all",
                "metadata": {},
            },
        }
    return {
        "title": title, "create_time": 1_700_000_000.0, "update_time": 1_700_000_100.0, "mapping": nodes,
        "current_node": str(len(texts) - 1), "conversation_id": title,
    }  # fmt: skip


def bring(screen: Screen, name: str, content: bytes) -> None:
    screen.page.locator("input[type=file]").set_input_files(
        {"name": name, "mimeType": "application/json", "buffer": content}
    )
    screen.button("import-now").click()


def test_chats_of_chatgpt_are_imported_and_read(app: RunningApp, visit: Visit) -> None:
    screen, _ = visit(app)
    screen.open("/settings")
    chats = [
        mapping("A trip to Jeju", "Where shall I go?", "To Jeju."),
        mapping("빵 굽기", "빵은 어떻게 구워?", "오븐에서요."),
    ]
    bring(screen, "conversations.json", json.dumps(chats).encode())
    expect(screen.alert("Imported 2 chats with 4 messages")).to_be_visible(timeout=PATIENCE)
    expect(screen.button("learn-now")).to_contain_text("new chats (2)")
    screen.shot("imported")
    screen.sidebar.get_by_role("button", name="A trip to Jeju", exact=True).click()
    expect(screen.bubbles).to_have_count(2, timeout=PATIENCE)
    expect(screen.bubble(1)).to_have_text("To Jeju.")
    screen.open("/history")
    search(screen, "구워")
    expect(screen.keyed("found-")).to_have_count(1)


HOSTILE = (
    "<script>document.title='owned'</script>",
    "<img src=x onerror=\"document.title='owned'\">",
    "![a](https://evil.test/a.png) [b](javascript:alert(1)) :material/home: $x$",
)


def test_a_hostile_file_is_words_and_asks_nothing_of_anybody(app: RunningApp, visit: Visit) -> None:
    screen, _ = visit(app)
    away: list[str] = []
    screen.page.on(
        "request", lambda r: away.append(r.url) if not r.url.startswith((app.url, "data:", "blob:")) else 0
    )
    screen.page.on("dialog", lambda box: pytest.fail(f"a script ran: {box.message}"))
    screen.open("/settings")
    chats = [mapping(text, text, text) for text in HOSTILE]
    bring(screen, "conversations.json", json.dumps(chats).encode())
    expect(screen.alert("Imported 3 chats with 6 messages")).to_be_visible(timeout=PATIENCE)
    screen.shot("hostile-settings")
    screen.open("/history")
    for text in HOSTILE:
        screen.main.get_by_role("combobox").click()
        screen.page.get_by_role("option", name=text[:30]).click()
        expect(screen.main.get_by_text(text, exact=True).first).to_be_visible()
    search(screen, "owned")
    expect(screen.keyed("found-")).to_have_count(4)
    screen.shot("hostile-search")
    for text in HOSTILE:
        screen.sidebar.get_by_role("button", name=text[:20]).first.click()
        expect(screen.bubbles.first).to_contain_text(text[:30])
    assert screen.page.title() != "owned"
    assert screen.page.locator("img[src=x], a[href^=javascript]").count() == 0
    assert away == []


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("conversations.json", b"[" * 50_000),
        ("conversations.json", b"\x00\xff\xfe"),
        ("a.zip", b"PK\x03\x04nothing"),
    ],
    ids=["nested", "binary", "broken-zip"],
)
def test_a_file_that_cannot_be_read_is_a_sentence(
    app: RunningApp, visit: Visit, name: str, content: bytes
) -> None:
    screen, _ = visit(app)
    screen.open("/settings")
    bring(screen, name, content)
    expect(screen.page.get_by_test_id("stAlert").first).to_be_visible(timeout=PATIENCE)
    screen.assert_no_exception()
    expect(screen.button("chat-")).to_have_count(0)
