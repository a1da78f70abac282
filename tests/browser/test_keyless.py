"""chatmem without a key in a real browser: every page first, the guided experiment, who sees what."""

from __future__ import annotations

import os
import re
from pathlib import Path
from types import SimpleNamespace

import pytest
from playwright.sync_api import expect

from bench.setup import add_chat
from chatmem.store import Store
from tests.browser.conftest import NewScreen, StartApp
from tests.browser.running import RunningApp
from tests.browser.screen import PATIENCE, Screen
from tests.stored import everything_stored, execute, rows, wait_for_rows

SHOTS = os.environ.get("CHATMEM_SHOTS")
"""A folder for pictures of what the tests see, for a person to look at."""


def shot(screen: Screen, name: str) -> None:
    if SHOTS:
        screen.page.screenshot(path=Path(SHOTS) / f"{name}.png")


# --- every page first ---------------------------------------------------------------------------------------

FIRST = {
    "/": "A chat whose memory you can see",
    "/history": "All messages",
    "/memory": "Memory",
    "/settings": "Settings",
}


@pytest.mark.parametrize("path", FIRST)
def test_a_page_that_is_the_first_of_a_fresh_server_is_whole(
    start_app: StartApp, new_screen: NewScreen, path: str
) -> None:
    app = start_app()
    screen = new_screen(app).open(path)
    expect(screen.page.get_by_role("heading", name=FIRST[path])).to_be_visible()
    expect(screen.button("new-chat")).to_be_visible()
    assert app.errors == ""
    screen.button("new-chat").click()
    screen.say("Hello")
    expect(screen.bubble(0)).to_have_text("Hello")
    app.stop()


@pytest.mark.parametrize("path", FIRST)
def test_no_page_asks_anything_of_another_server(
    keyless_app: RunningApp, new_screen: NewScreen, path: str
) -> None:
    screen = new_screen(keyless_app)
    asked: list[str] = []
    screen.page.on("request", lambda request: asked.append(request.url))
    screen.open(path)
    expect(screen.button("new-chat")).to_be_visible()
    screen.page.wait_for_load_state("networkidle")
    assert any(url.startswith(keyless_app.url) for url in asked)
    assert [url for url in asked if not url.startswith((keyless_app.url, "data:", "blob:"))] == []


# --- the guided experiment ----------------------------------------------------------------------------------

EXPERIMENT = {
    "en-US": (
        (
            "I'm studying AI agents",
            "I mostly build things around Python",
            "I like very detailed code explanations",
            "Please explain the overall flow first",
            "I want to build an agent for real work",
            "I think tool calling matters",
        ),
        "messages 1–7 → summary v1",
        "11 → summary + 4",
        "How do I like code to be explained?",
        ("detailed", "overall flow"),
    ),
    "ko-KR": (
        (
            "나는 AI 에이전트를 공부하고 있어",
            "주로 파이썬을 중심으로 개발해",
            "나는 아주 자세한 코드 설명을 좋아해",
            "전체 흐름을 먼저 설명해 주면 좋겠어",
            "실무에서 쓸 에이전트를 만들고 싶어",
            "도구 호출이 중요하다고 생각해",
        ),
        "메시지 1–7 → 요약 v1",
        "11개 → 요약 + 4개",
        "내가 코드를 설명받을 때 어떤 방식을 좋아한다고 했지?",
        ("자세", "전체 흐름"),
    ),
}


@pytest.mark.parametrize("locale", EXPERIMENT)
def test_six_statements_fold_and_a_question_about_the_folded_ones_is_answered(
    keyless_app: RunningApp, new_screen: NewScreen, locale: str
) -> None:
    statements, fold, counts, question, expected = EXPERIMENT[locale]
    screen = new_screen(keyless_app, locale=locale).open()
    for text in statements:
        screen.say(text)
    expect(screen.folds).to_have_count(1)
    expect(screen.folds).to_contain_text(fold)
    expect(screen.folds).to_contain_text(counts)
    screen.say(question)
    shot(screen, f"experiment_{locale[:2]}")
    answer = screen.last.inner_text()
    assert [word for word in expected if word not in answer] == [], answer


@pytest.mark.parametrize("locale", EXPERIMENT)
def test_with_the_window_only_the_same_question_is_not_answered(
    keyless_app: RunningApp, new_screen: NewScreen, locale: str
) -> None:
    statements, _, _, question, expected = EXPERIMENT[locale]
    screen = new_screen(keyless_app, locale=locale).open()
    for text in statements[:1]:
        screen.say(text)
    screen.choose_preset("Window only" if locale == "en-US" else "창만")
    expect(screen.sidebar).to_contain_text(re.compile("the newest 10 are sent|최근 10개를 보냄"))
    weather = "The weather is fine today" if locale == "en-US" else "오늘은 날씨가 맑아"
    for text in [*statements[1:], *[f"{weather} {number}" for number in range(1, 5)]]:
        screen.say(text)
    expect(screen.folds).to_have_count(0)
    screen.say(question)
    answer = screen.last.inner_text()
    assert [word for word in expected if word in answer] == [], answer


# --- narrow, dark, long -------------------------------------------------------------------------------------

DOG = "My dog is called Bori."


@pytest.mark.parametrize("path", FIRST)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_at_360_pixels_nothing_scrolls_sideways(
    keyless_app: RunningApp, new_screen: NewScreen, path: str, scheme: str
) -> None:
    screen = new_screen(
        keyless_app, viewport={"width": 360, "height": 740}, color_scheme=scheme, locale="ko-KR"
    ).open(path)
    shot(screen, f"360_{scheme}_{path.strip('/') or 'chat'}")
    assert screen.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_at_360_pixels_composer_and_sidebar_are_usable(keyless_app: RunningApp, new_screen: NewScreen) -> None:
    screen = new_screen(keyless_app, viewport={"width": 360, "height": 740}, has_touch=True).open()
    long_word = "Donaudampfschifffahrtsgesellschaftskapitän" * 3
    screen.say(f"{DOG} {long_word}")
    assert screen.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    box = screen.composer.bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 360
    expect(screen.sidebar).to_have_attribute("data-collapsed", "true")
    screen.page.get_by_test_id("stExpandSidebarButton").click()
    expect(screen.sidebar).to_have_attribute("data-collapsed", "false")
    expect(screen.button("open-history")).to_be_in_viewport(ratio=1)
    shot(screen, "360_sidebar")
    screen.button("open-history").click()
    expect(screen.dialog).to_contain_text("What the model has now")
    shot(screen, "360_history")
    box = screen.dialog.bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 360


def test_a_chat_of_5000_messages_opens_with_the_newest_and_loads_earlier_ones(
    keyless_app: RunningApp, new_screen: NewScreen
) -> None:
    screen = new_screen(keyless_app, color_scheme="dark").open()
    screen.say(DOG)
    (owner,) = rows(
        keyless_app.database, "SELECT owner_id FROM conversations WHERE id = ?", screen.wait_for_chat()
    )[0]
    chat = add_long_chat(keyless_app, owner, 5_000)
    screen.open(f"/?chat={chat}")
    expect(screen.bubbles).to_have_count(24, timeout=PATIENCE)
    expect(screen.bubbles.last).to_contain_text("number 5000")
    expect(screen.bubbles.last).to_be_in_viewport()
    shot(screen, "dark_long")
    screen.button("earlier").click()
    expect(screen.bubbles).to_have_count(74, timeout=PATIENCE)
    expect(screen.bubbles.first).to_contain_text("number 4927")


def add_long_chat(app: RunningApp, owner_id: int, messages: int) -> str:
    store = Store(f"sqlite:///{app.database}")
    try:
        return add_chat(SimpleNamespace(store=store), owner_id, messages)  # type: ignore[arg-type]
    finally:
        store.close()


# --- other people's words -----------------------------------------------------------------------------------

SCRIPTS = (
    "<img src=x onerror=\"document.title='owned'\">",
    "<script>document.title='owned'</script>",
    "[click](javascript:alert(1)) ![a](https://evil.test/a.png)",
)


def test_stored_scripts_are_words_wherever_they_stand(keyless_app: RunningApp, new_screen: NewScreen) -> None:
    screen = new_screen(keyless_app).open()
    away: list[str] = []
    screen.page.on("request", lambda r: away.append(r.url) if "evil.test" in r.url else None)
    screen.page.on("dialog", lambda box: pytest.fail(f"a script ran: {box.message}"))
    for text in SCRIPTS:
        screen.say(text)
        expect(screen.bubbles.nth(screen.bubbles.count() - 2)).to_contain_text(text)
    chat = screen.wait_for_chat()
    everything = "\n".join(SCRIPTS)
    execute(keyless_app.database, "UPDATE conversations SET title = ? WHERE id = ?", everything[:200], chat)
    execute(
        keyless_app.database,
        "UPDATE messages SET text = ? WHERE conversation_id = ? AND number = 2",
        everything,
        chat,
    )
    for text in ("I live in Busan", "I have a cat", "I like rain"):
        screen.say(text)
    execute(keyless_app.database, "UPDATE summaries SET text = ? WHERE conversation_id = ?", everything, chat)
    screen.reload()
    screen.page.locator("[class*='st-key-fold-'] summary").click()
    expect(screen.folds).to_contain_text(SCRIPTS[1])
    screen.button("open-summary").click()
    expect(screen.dialog).to_contain_text(SCRIPTS[1])
    screen.open(f"/history?chat={chat}")
    expect(screen.page.get_by_test_id("stMain")).to_contain_text(SCRIPTS[1])
    assert screen.page.title() != "owned"
    assert screen.page.locator("img[src=x], a[href^=javascript]").count() == 0
    assert away == []


def test_money_stays_money_in_question_answer_and_title(keyless_app: RunningApp, new_screen: NewScreen) -> None:
    screen = new_screen(keyless_app).open()
    text = "It costs $5 in the morning and $10 at night"
    screen.say(text)
    expect(screen.bubble(0)).to_have_text(text)
    expect(screen.sidebar).to_contain_text("$5")
    screen.say("What did I say it costs in the morning?")
    expect(screen.last).to_contain_text("$5 in the morning and $10 at night")
    assert screen.page.locator(".katex").count() == 0
    stored = rows(keyless_app.database, "SELECT text FROM messages WHERE text = ?", text)
    assert stored == [(text,)]


def test_a_paste_of_a_megabyte_is_a_sentence_and_leaves_page_and_chat_usable(
    keyless_app: RunningApp, new_screen: NewScreen
) -> None:
    screen = new_screen(keyless_app).open()
    paste = "All work and no play. " * 47_700
    screen.composer.click()
    screen.composer.evaluate(
        """(area, text) => {
            const set = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value").set
            set.call(area, text)
            area.dispatchEvent(new Event("input", { bubbles: true }))
        }""",
        paste,
    )
    screen.composer.press("Enter")
    expect(screen.alert("at most 2,000 fit")).to_be_visible(timeout=PATIENCE)
    screen.page.wait_for_function(
        "length => document.querySelector('[data-testid=stChatInputTextArea]').value.length === length",
        arg=len(paste),
    )
    screen.composer.fill("")
    screen.say(DOG)
    expect(screen.bubble(0)).to_have_text(DOG)


# --- whose chats --------------------------------------------------------------------------------------------


def test_two_browsers_do_not_see_each_others_chats_and_a_reload_is_the_same_visitor(
    keyless_app: RunningApp, new_screen: NewScreen
) -> None:
    mine = new_screen(keyless_app).open().say("My secret is xylophone.")
    address = mine.page.url
    theirs = new_screen(keyless_app).open().say("My secret is a trombone.")
    expect(theirs.button("chat-")).to_have_count(1)
    theirs.page.goto(address)
    theirs.wait_until_drawn()
    expect(theirs.alert("This chat was not found.")).to_be_visible()
    assert "xylophone" not in theirs.page.inner_text("body")

    visited: list[str] = []
    mine.page.on("request", lambda request: visited.append(request.url))
    mine.reload()
    expect(mine.bubble(0)).to_have_text("My secret is xylophone.")
    expect(mine.button("chat-")).to_have_count(1)
    (token,) = [c["value"] for c in mine.page.context.cookies() if c["name"] == "chatmem_visitor"]
    assert visited
    assert all(token not in url for url in [*visited, mine.page.url])
    assert token not in everything_stored(keyless_app.database)
    assert token not in keyless_app.log.read_text(errors="replace")


# --- temporary ----------------------------------------------------------------------------------------------


def test_a_temporary_chat_is_in_no_file_and_gone_after_a_reload_with_a_sentence(
    keyless_app: RunningApp, new_screen: NewScreen
) -> None:
    screen = new_screen(keyless_app).open()
    screen.button("temporary-chat").click()
    expect(screen.alert("gone with this tab")).to_be_visible()
    screen.say("My secret word is glockenspiel.")
    screen.say("What is my secret word?")
    expect(screen.last).to_contain_text("glockenspiel")
    shot(screen, "temporary")
    assert "glockenspiel" not in everything_stored(keyless_app.database)
    screen.reload()
    expect(screen.alert("temporary chat is gone")).to_be_visible()
    assert "glockenspiel" not in screen.page.inner_text("body")


def test_the_command_opens_a_temporary_chat_too(keyless_app: RunningApp, new_screen: NewScreen) -> None:
    screen = new_screen(keyless_app).open().send("/temp")
    expect(screen.alert("gone with this tab")).to_be_visible()
    screen.say("My secret word is harmonium.")
    assert "harmonium" not in everything_stored(keyless_app.database)


# --- the keyboard -------------------------------------------------------------------------------------------


def press_until_focused(screen: Screen, selector: str, key: str = "Tab", most: int = 60) -> None:
    for _ in range(most):
        if screen.page.evaluate("selector => !!document.activeElement?.closest(selector)", selector):
            return
        screen.page.keyboard.press(key)
    pytest.fail(f"{selector} was not reached with {key}")


def test_everything_is_reached_with_the_keyboard_alone(keyless_app: RunningApp, new_screen: NewScreen) -> None:
    screen = new_screen(keyless_app).open()
    press_until_focused(screen, "[data-testid=stChatInput]")
    screen.page.keyboard.type(DOG)
    screen.page.keyboard.press("Enter")
    expect(screen.bubbles).to_have_count(2, timeout=PATIENCE)
    screen.wait_until_idle()
    for key in ("retry-", "open-history"):
        press_until_focused(screen, f"[class*=st-key-{key}]")
    screen.page.keyboard.press("Enter")
    expect(screen.dialog).to_contain_text("The model has 2 messages")
    screen.page.keyboard.press("Escape")
    expect(screen.dialog).to_have_count(0)
    press_until_focused(screen, "[class*=st-key-retry-]")
    screen.page.keyboard.press("Enter")
    screen.wait_until_idle()
    expect(screen.bubbles).to_have_count(2)
    chat = screen.chat_id
    count = "SELECT count(*) FROM messages WHERE conversation_id = ? AND role = ?"
    assert rows(keyless_app.database, count, chat, "user") == [(1,)]
    wait_for_rows(keyless_app.database, [(2,)], count, chat, "assistant")
