"""Long-term memory in a real browser: told in one chat, listed on its page, recalled in another, changed, forgotten."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from chatmem.domain import NewFact
from chatmem.store import Store
from chatmem.store.fact_rows import insert_fact, step
from tests.browser.conftest import NewScreen
from tests.browser.running import RunningApp
from tests.browser.screen import PATIENCE, Screen
from tests.stored import rows

SHOTS = os.environ.get("CHATMEM_SHOTS")
"""A folder for pictures of what the tests see, for a person to look at."""

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True}


def shot(screen: Screen, name: str) -> None:
    if SHOTS:
        screen.page.screenshot(path=Path(SHOTS) / f"memory-{name}.png")


def lines(screen: Screen) -> Locator:
    """The facts as they are listed."""
    return screen.page.get_by_test_id("stMain").locator("[class*='st-key-fact-'] summary")


def line(screen: Screen, words: str) -> Locator:
    return lines(screen).filter(has_text=words)


def unfold(screen: Screen, words: str) -> Screen:
    """Open the line of a fact, and wait for what stands below it."""
    line(screen, words).click()
    expect(screen.button("edit-").last).to_be_visible()
    return screen


def owner_of(app: RunningApp, chat: str) -> int:
    [(owner,)] = rows(app.database, "SELECT owner_id FROM conversations WHERE id = ?", chat)
    return int(owner)


def with_store(app: RunningApp, act: Callable[[Store], None]) -> None:
    store = Store(f"sqlite:///{app.database}")
    try:
        act(store)
    finally:
        store.close()


def fits(screen: Screen) -> bool:
    """Nothing is wider than the window."""
    wide: bool = screen.page.evaluate(
        """() => document.documentElement.scrollWidth <= innerWidth
            && document.querySelector('[data-testid=stMain]').scrollWidth <= innerWidth"""
    )
    return wide


# --- told, listed, recalled, forgotten ----------------------------------------------------------------------


def test_facts_told_in_korean_are_listed_recalled_in_a_new_chat_and_lead_to_their_message(
    keyless_app: RunningApp, new_screen: NewScreen
) -> None:
    screen = new_screen(keyless_app, locale="ko-KR").open()
    screen.say("나는 부산에 살아").say("나는 아주 자세한 코드 설명을 좋아해")
    expect(screen.sidebar).to_contain_text("나에 대한 기억: 2개")
    chat = screen.wait_for_chat()
    screen.sidebar.get_by_role("link", name="나에 대한 기억").click()
    expect(screen.page.get_by_role("heading", name="기억")).to_be_visible()
    expect(lines(screen)).to_have_count(2, timeout=PATIENCE)
    shot(screen, "told-ko")

    unfold(screen, "코드 설명")
    screen.page.get_by_role("link", name="메시지 열기").click()
    expect(screen.page.locator(".st-key-sought")).to_contain_text("나는 아주 자세한 코드 설명을 좋아해")
    expect(screen.page.locator(".st-key-sought")).to_contain_text("3 · 나")
    assert f"chat={chat}" in screen.page.url
    shot(screen, "source-ko")

    screen.button("new-chat").click()
    expect(screen.bubbles).to_have_count(0)
    screen.say("내가 어디에 산다고 했지?")
    expect(screen.last).to_contain_text("부산")
    expect(screen.sidebar).to_contain_text("나에 대한 기억")
    shot(screen, "recalled-ko")


def test_a_fact_is_edited_pinned_taken_back_and_forgotten(keyless_app: RunningApp, new_screen: NewScreen) -> None:
    screen = new_screen(keyless_app).open()
    screen.say("I live in Busan.").say("I like green tea.")
    owner = owner_of(keyless_app, screen.wait_for_chat())
    screen.open("/memory")
    expect(lines(screen)).to_have_count(2)

    unfold(screen, "Busan")
    screen.button("edit-").click()
    field = screen.page.get_by_label("What is remembered", exact=True)
    field.fill("x" * 301)
    screen.page.get_by_role("button", name="Save").click()
    expect(screen.alert("at most 300 characters")).to_be_visible()
    expect(field).to_have_value("x" * 301)
    shot(screen, "edit-mistake")
    field.fill("I live in Seoul.")
    screen.page.get_by_role("button", name="Save").click()
    expect(line(screen, "I live in Seoul.")).to_be_visible()
    expect(screen.page.get_by_text("before: I live in Busan.")).to_be_visible()

    screen.button("pin-").click()
    expect(screen.button("pin-")).to_contain_text("Unpin")
    shot(screen, "pinned")

    screen.button("retract-").click()
    expect(line(screen, "Seoul")).to_have_count(0)
    expect(screen.button("undo-retract")).to_be_in_viewport()
    shot(screen, "undo")
    screen.button("undo-retract").click()
    expect(line(screen, "Seoul")).to_be_visible()

    unfold(screen, "Seoul")
    screen.ask("ask-")
    expect(screen.dialog).to_contain_text("Everything below goes for good")
    shot(screen, "forget")
    screen.button("forget-only-fact").click()
    expect(line(screen, "Seoul")).to_have_count(0)
    expect(lines(screen)).to_have_count(1)
    assert rows(keyless_app.database, "SELECT text FROM facts WHERE owner_id = ?", owner) == [
        ("I like green tea.",)
    ]
    screen.page.reload()
    expect(lines(screen)).to_have_count(1)


def test_facts_that_wait_are_kept_with_a_click(keyless_app: RunningApp, new_screen: NewScreen) -> None:
    screen = new_screen(keyless_app).open("/memory")
    screen.page.get_by_text("Ask first").click()
    expect(screen.page.get_by_text("waits here for your yes")).to_be_visible()
    screen.open("/").say("I live in Busan.").say("I like green tea.")
    expect(screen.sidebar).to_contain_text("Waiting for you: 2")
    screen.open("/memory")
    expect(screen.page.get_by_text("Waiting for your yes: 2")).to_be_visible()
    screen.button("keep-all").click()
    expect(lines(screen)).to_have_count(2)
    expect(screen.page.get_by_text("Waiting for your yes")).to_have_count(0)


def test_the_slash_command_opens_the_list(keyless_app: RunningApp, new_screen: NewScreen) -> None:
    screen = new_screen(keyless_app, **PHONE).open()
    screen.say("I live in Busan.")
    screen.send("/memory")
    expect(screen.dialog).to_contain_text("I live in Busan.")
    shot(screen, "360-dialog")
    screen.dialog.get_by_role("link", name="Open the Memory page").click()
    expect(screen.page.get_by_role("heading", name="Memory")).to_be_visible()
    expect(lines(screen)).to_have_count(1)


def test_the_chats_own_switches_fit_into_the_sidebar(keyless_app: RunningApp, new_screen: NewScreen) -> None:
    screen = new_screen(keyless_app, locale="ko-KR").open()
    screen.say("안녕하세요")
    chat = screen.wait_for_chat()
    screen.sidebar.get_by_text("이 대화에서의 기억").click()
    group = screen.sidebar.locator(f".st-key-chat-uses-{chat}")
    group.get_by_role("radio", name="끔", exact=True).click()
    box, panel = group.bounding_box(), screen.sidebar.bounding_box()
    assert box is not None
    assert panel is not None
    assert box["x"] + box["width"] <= panel["x"] + panel["width"]
    shot(screen, "switches-ko")
    screen.wait_until_idle()
    expect(group.get_by_role("radio", name="끔", exact=True)).to_be_checked()
    assert rows(keyless_app.database, "SELECT uses_facts FROM conversations WHERE id = ?", chat) == [(0,)]


# --- narrow, dark, many -------------------------------------------------------------------------------------

WORDS = (
    "<script>document.title='owned'</script> <b>x</b>",
    "[b](javascript:alert(1)) https://evil.test www.evil.test a@evil.test",
    ":smile: :red[a] $x$ and $y$ `c` **d** _e_ ~~f~~ a -> b -- c <- d >= e <= f | > # 1. - =",
    "أريد أن أتعلم الكورية قبل نهاية السنة",
    "🐶🐱🎉",
    "Donaudampfschifffahrtsgesellschaftskapitän" * 2,
    ("나는 올해 안에 실무에서 쓸 수 있는 에이전트를 만들어서 회사에 소개하려고 해. " * 8)[:299],
)


def add_facts(app: RunningApp, owner: int, texts: list[str]) -> None:
    def act(store: Store) -> None:
        with store.facts._database.write() as session:
            epoch = step(session, owner)
            for text in texts:
                new = NewFact(kind="fact", text=text, quote=text)
                insert_fact(session, owner, epoch, new, store.facts._database.now(), "added")

    with_store(app, act)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_any_text_is_shown_as_it_is_at_360_pixels_too(
    keyless_app: RunningApp, new_screen: NewScreen, scheme: str
) -> None:
    screen = new_screen(keyless_app, locale="ko-KR", color_scheme=scheme, **PHONE).open()
    away: list[str] = []
    screen.page.on("request", lambda r: away.append(r.url) if "evil.test" in r.url else None)
    screen.page.on("dialog", lambda box: pytest.fail(f"a script ran: {box.message}"))
    screen.say("안녕하세요")
    add_facts(keyless_app, owner_of(keyless_app, screen.wait_for_chat()), list(WORDS))
    screen.open("/memory")
    expect(lines(screen)).to_have_count(len(WORDS))
    for text in WORDS:
        shown = text if len(text) <= 120 else text[:119].rstrip()
        expect(line(screen, shown)).to_have_count(1)
    assert lines(screen).locator("a, img, .katex, code, em, strong, del").count() == 0
    assert fits(screen)
    line(screen, WORDS[-1][:50]).click()
    expect(screen.page.get_by_text(WORDS[-1].strip(), exact=True)).to_be_visible()
    assert fits(screen)
    shot(screen, f"360-words-{scheme}")
    assert "owned" not in screen.page.title()
    assert away == []
    assert keyless_app.errors == ""


def test_5000_facts_are_searched_and_paged_at_once(keyless_app: RunningApp, new_screen: NewScreen) -> None:
    screen = new_screen(keyless_app, color_scheme="dark").open()
    screen.say("Hello there")
    owner = owner_of(keyless_app, screen.wait_for_chat())
    add_facts(keyless_app, owner, [f"Number {n} stands in the garden of 민아" for n in range(1, 5_001)])
    screen.open("/memory")
    expect(screen.page.get_by_role("radio", name=re.compile("All 5,000"))).to_be_visible()
    screen.button("all-fact").click()
    expect(lines(screen)).to_have_count(25)
    expect(screen.page.get_by_test_id("stPagination")).to_be_visible()
    shot(screen, "many")
    field = screen.page.get_by_placeholder("Search what is remembered")
    field.fill("4321 민아")
    field.press("Enter")
    expect(lines(screen)).to_have_count(1)
    expect(lines(screen)).to_contain_text("Number 4321 stands")
