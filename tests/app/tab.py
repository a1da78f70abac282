"""A tab under AppTest: Streamlit's own runner in this process, without a browser."""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import Any

from streamlit.testing.v1 import AppTest

from chatmem.app import App
from pages.parts import enter

ROOT = Path(__file__).resolve().parents[2]
WAIT_SECONDS = 60

CHAT, HISTORY, SETTINGS = "pages/chat.py", "pages/history.py", "pages/settings.py"
MEMORY = "pages/memory.py"


def as_seen(markdown: str) -> str:
    """The text without what keeps a person's words from being Markdown."""
    return re.sub(r"\\([^A-Za-z0-9\s])", r"\1", markdown.replace(":small[]", ""))


class Tab:
    """One tab of a browser nobody has used yet: what it shows, and what a person does in it."""

    def __init__(self, locale: str = "en-US", **query: str) -> None:
        self.at = AppTest.from_file(ROOT / "streamlit_app.py", default_timeout=WAIT_SECONDS)
        self.at.context = {"locale": locale, "timezone": "Asia/Seoul"}
        self.at.query_params.update(query)

    # --- what a person does ---

    def open(self, page: str = CHAT) -> Tab:
        """Load a page: as the first of a fresh server when nothing ran before."""
        if page != CHAT or self.at._finished_page_script_hash:
            self.at.switch_page(page)
        self.run()
        self.at._page_hash = ""  # from now on it stays where the app itself goes
        return self

    def run(self) -> Tab:
        self.at.run()
        self.assert_no_exception()
        return self

    def send(self, text: str) -> Tab:
        """Type and press Enter; the reply may still be on its way."""
        self.at.chat_input[0].set_value(text)
        return self.run()

    def say(self, text: str) -> Tab:
        """Send, and look again until the reply and what follows it are over."""
        return self.send(text).settle()

    def settle(self) -> Tab:
        """Look again until nothing is on its way."""
        deadline = time.monotonic() + WAIT_SECONDS
        while self.has_button("stop") or self.pending:
            assert time.monotonic() < deadline, f"no end to the reply:\n{self.words}"
            self.run()
        return self

    def click(self, key: str) -> Tab:
        self.button(key).click()
        return self.run()

    def choose(self, chat_id: str, option: str) -> Tab:
        """An entry of the menu beside a chat."""
        self.at.menu_button(key=f"menu-{chat_id}").click(option)
        return self.run()

    def act(self, message_id: int, option: str) -> Tab:
        """An entry of the menu beside a message."""
        self.at.menu_button(key=f"menu-message-{message_id}").click(option)
        return self.run()

    def dismiss(self) -> Tab:
        """Close the dialog with its own ✕, or with a click beside it."""
        self.at.session_state["dialog"] = None
        return self.run()

    def unfold(self, key: str) -> Tab:
        """Open an expander that draws what is in it only then."""
        self.at.session_state[key] = True
        return self.run()

    # --- what they see ---

    def button(self, key: str) -> Any:
        """A button by the beginning of its key; the last one of several."""
        return [button for button in self.at.button if (button.key or "").startswith(key)][-1]

    def has_button(self, key: str) -> bool:
        return any((button.key or "").startswith(key) for button in self.at.button)

    @property
    def pending(self) -> bool:
        return any(":material/pending:" in caption.value for caption in self.at.caption)

    @property
    def words(self) -> str:
        """Everything on screen that is text, in order."""
        return _words(self.at._tree)

    @property
    def dialog(self) -> str:
        """The words of the dialog that is open; empty when none is."""
        return "\n".join(_words(box) for box in self.at.get("dialog"))

    @property
    def chats(self) -> list[str]:
        """The titles in the sidebar, as buttons show them."""
        return [button.label for button in self.at.button if (button.key or "").startswith("chat-")]

    @property
    def chat_ids(self) -> list[str]:
        keys = [button.key or "" for button in self.at.button]
        return [key.removeprefix("chat-") for key in keys if key.startswith("chat-")]

    @property
    def said(self) -> list[tuple[str, str]]:
        """The bubbles: who, and the first text in each."""
        return [
            (bubble.name, "\n".join(part.value for part in [*bubble.text, *bubble.markdown, *bubble.code]))
            for bubble in self.at.chat_message
        ]

    @property
    def chat_id(self) -> str:
        value = self.at.query_params.get("chat", "")
        assert isinstance(value, str)
        return value

    @property
    def draft(self) -> str:
        """What stands in the composer after the run."""
        return str(self.at.chat_input[0].proto.value)

    @property
    def notices(self) -> list[str]:
        at = self.at
        return [as_seen(box.value) for box in [*at.warning, *at.error, *at.info, *at.success]]

    def assert_no_exception(self) -> None:
        assert not self.at.exception, [error.message for error in self.at.exception]


def _words(nodes: Any) -> str:
    found: list[str] = []
    for node in nodes:
        for name in ("value", "label", "text"):
            text = getattr(node, name, None) or getattr(getattr(node, "proto", None), name, None)
            if isinstance(text, str) and text:
                found.append(text)
        found += [option for option in getattr(node, "options", ()) if isinstance(option, str)]
    return "\n".join(map(as_seen, found))


def running_app() -> App:
    """The App that the pages use."""
    return enter._app(enter._settings(enter._CODE), enter._CODE)
