"""A tab of the browser with chatmem in it: what a person does there, and what they see."""

from __future__ import annotations

import os
import re
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Locator, Page, TimeoutError, expect

from tests.browser.running import RunningApp

PATIENCE = 30_000
"""Milliseconds. Two cores may be busy with other things."""


SHOTS = os.environ.get("CHATMEM_SHOTS")
"""A folder for pictures of what the tests see, for a person to look at."""

MAIN = "[data-testid=stMain], [data-testid=stAppScrollToBottomContainer]"
"""The page without its sidebar; a page with a composer has the latter."""

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True}


class Screen:
    def __init__(self, page: Page, app: RunningApp) -> None:
        self.page = page
        self.app = app
        page.set_default_timeout(PATIENCE)

    def open(self, path: str = "/") -> Screen:
        self.page.goto(self.app.url + path)
        return self.wait_until_drawn()

    def reload(self) -> Screen:
        self.page.reload()
        return self.wait_until_drawn()

    def wait_until_drawn(self) -> Screen:
        """The last thing of every page is the sidebar's last link."""
        expect(self.page.get_by_test_id("stPageLink").last).to_be_attached(timeout=PATIENCE)
        self.assert_no_exception()
        return self

    def assert_no_exception(self) -> None:
        assert self.page.get_by_test_id("stException").count() == 0, self.app.errors

    # --- writing ---

    @property
    def composer(self) -> Locator:
        return self.page.get_by_test_id("stChatInputTextArea")

    def type(self, text: str) -> Screen:
        expect(self.composer).to_be_enabled(timeout=PATIENCE)
        self.composer.fill(text)
        return self

    def send(self, text: str) -> Screen:
        """Type and press Enter; the reply may take its time."""
        self.type(text).composer.press("Enter")
        return self

    def say(self, text: str) -> Screen:
        """Send and wait until the reply is there and nothing is pending."""
        before = self.bubbles.count()
        self.send(text)
        expect(self.bubbles).to_have_count(before + 2, timeout=PATIENCE)
        return self.wait_until_idle()

    def wait_until_idle(self) -> Screen:
        expect(self.stop_button).to_have_count(0, timeout=PATIENCE)
        expect(self.composer).to_be_enabled(timeout=PATIENCE)
        expect(self.page.get_by_test_id("stSidebar").get_by_text(IDLE)).to_be_attached(timeout=PATIENCE)
        return self

    # --- what is there ---

    @property
    def bubbles(self) -> Locator:
        return self.page.get_by_test_id("stChatMessage")

    def bubble(self, index: int) -> Locator:
        """The words of one bubble, without its avatar and buttons."""
        return self.bubbles.nth(index).locator(".stMarkdown, .stText, .stCode").first

    @property
    def last(self) -> Locator:
        """The words of the last bubble."""
        return self.bubbles.last.locator(".stMarkdown, .stText, .stCode").first

    @property
    def stop_button(self) -> Locator:
        return self.page.locator(".st-key-stop button")

    @property
    def dialog(self) -> Locator:
        return self.page.get_by_role("dialog")

    @property
    def sidebar(self) -> Locator:
        return self.page.get_by_test_id("stSidebar")

    def button(self, key: str) -> Locator:
        """A button by the beginning of its key. Beside one with help Streamlit hides a second one, for phones."""
        return self.page.locator(f".stElementContainer[class*='st-key-{key}'] button:visible")

    def ask(self, key: str) -> Screen:
        """Press a button that opens a dialog. A run that ends just then may take the press along: then once more."""
        for _ in range(3):
            self.button(key).click()
            try:
                self.dialog.wait_for(timeout=PATIENCE / 3)
            except TimeoutError:
                continue
            break
        return self

    @property
    def folds(self) -> Locator:
        """The dividers where messages became a summary."""
        return self.page.locator("[class*='st-key-fold-']:not([class*='st-key-fold-open-'])")

    def choose_preset(self, name: str) -> Screen:
        """How this chat remembers. A list that the end of a run has closed is opened again."""
        option = self.page.get_by_role("option", name=name, exact=True)
        for _ in range(5):
            self.sidebar.get_by_test_id("stSelectbox").click()
            try:
                option.click(timeout=3_000)
            except TimeoutError:
                continue
            break
        expect(self.sidebar.get_by_role("combobox")).to_have_value(name, timeout=PATIENCE)
        return self

    def choose_in_menu(self, chat: str, name: str) -> Screen:
        """An entry of the menu beside a chat. A menu that the end of a run has closed is opened again."""
        entry = self.page.get_by_role("menuitem", name=name).or_(self.page.get_by_role("option", name=name))
        for _ in range(5):
            self.button(f"menu-{chat}").click()
            try:
                entry.click(timeout=3_000)
            except TimeoutError:
                continue
            return self
        raise TimeoutError(f"no {name} in the menu of {chat}")

    def choose_for_message(self, message_id: int, name: str) -> Screen:
        """An entry of a message's own menu."""
        return self.choose_in_menu(f"message-{message_id}", name)

    def open_chat(self, chat_id: str) -> Screen:
        """A chat that is there already, with nothing pending in it."""
        self.open(f"/?chat={chat_id}")
        expect(self.bubbles.first).to_be_visible(timeout=PATIENCE)
        return self

    @property
    def main(self) -> Locator:
        return self.page.locator(MAIN)

    @property
    def sought(self) -> Locator:
        """The message that the address names."""
        return self.page.locator(".st-key-sought")

    def wait_until_the_sought_rests(self) -> Screen:
        """It stands in view, and has done so for a second of frames: nothing scrolls it away any more."""
        self.page.wait_for_function(
            """() => {
                const box = document.querySelector(".st-key-sought")?.getBoundingClientRect()
                const seen = box && box.top >= 0 && box.bottom <= innerHeight && box.top === window.lastTop
                window.lastTop = box?.top
                window.frames_ = seen ? (window.frames_ ?? 0) + 1 : 0
                return window.frames_ > 60
            }"""
        )
        return self

    def keyed(self, key: str) -> Locator:
        """Containers by the beginning of their key."""
        return self.page.locator(f"[class*='st-key-{key}']")

    def assert_fits(self) -> None:
        """Nothing is wider than the window."""
        assert self.page.evaluate(
            """main => document.documentElement.scrollWidth <= innerWidth
                && [...document.querySelectorAll(`${main}, [role=dialog]`)].every(d => d.scrollWidth <= innerWidth)""",
            MAIN,
        )

    def shot(self, name: str) -> None:
        if SHOTS:
            self.page.screenshot(path=Path(SHOTS) / f"{name}.png")

    def alert(self, words: str) -> Locator:
        """A box with a sentence."""
        return self.page.get_by_test_id("stAlert").filter(has_text=words)

    @property
    def chat_id(self) -> str:
        return parse_qs(urlsplit(self.page.url).query).get("chat", [""])[0]

    def wait_for_chat(self) -> str:
        """The id in the address, once it is there."""
        self.page.wait_for_url(re.compile(r"[?&]chat="), timeout=PATIENCE)
        return self.chat_id


IDLE = re.compile(r"nothing pending|진행 중인 일 없음")
