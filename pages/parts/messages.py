"""Drawing messages: bubbles, what became of a reply, what can be done with it, and where the path forked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import streamlit as st

from chatmem.domain import Branch, Message, Status, Summary
from chatmem.errors import ReplyCutOff, from_failure
from chatmem.store.receipts import ReceiptLine
from pages.parts.copy_button import copy_button
from pages.parts.editing import draw_edit_form, draw_menu, draw_pager, draw_set_aside, is_edited
from pages.parts.enter import SETTINGS_PAGE, Here, Room
from pages.parts.folds import draw_fold
from pages.parts.receipt import draw_receipt, draw_receipt_line, is_open
from pages.parts.reveal import reveal
from pages.parts.text import draw_model_text, draw_user_text

AVATARS = {"user": ":material/person:", "assistant": ":material/psychology:"}


@dataclass(frozen=True)
class Scene:
    """What stands around the messages on screen.

    `before` is the number of the message above them, 0 for none; `at_end` that none follows below. `sought` is
    one that the address names.
    `busy`: a reply is being written. `retry` answers the last question again.
    """

    versions: Sequence[Summary] = ()
    branches: Sequence[Branch] = ()
    lines: Mapping[int, ReceiptLine] = field(default_factory=dict)
    before: int = 0
    sought: int | None = None
    at_end: bool = True
    busy: bool = False
    retry: Callable[[], None] | None = None

    def grown_from(self, number: int) -> list[Branch]:
        return [branch for branch in self.branches if branch.after_number == number]


def draw_messages(here: Here, room: Room, messages: Sequence[Message], scene: Scene) -> None:
    """The chat in order, each summary version after the last message it covers."""
    dividers = {version.covers_through: version for version in scene.versions}
    drawn = [message for message in messages if message.status is not Status.STREAMING]
    before: int | None = scene.before
    for index, message in enumerate(drawn):
        is_last = scene.at_end and index == len(drawn) - 1
        forks = [] if scene.busy or before is None else scene.grown_from(before)
        following = len(drawn) - 1 - index if scene.at_end else None
        if message.number == scene.sought:
            with st.container(border=True, key="sought"):
                _draw_message(here, room, message, scene, forks, is_last, following)
                reveal("sought", str(message.id))
        else:
            _draw_message(here, room, message, scene, forks, is_last, following)
        if version := dividers.get(message.number):
            draw_fold(here, room, version, scene.versions[-1], scene.busy)
        before = message.number if message.live else None
    if scene.at_end and not scene.busy and before is not None:
        draw_set_aside(here, room, scene.grown_from(before))


def _draw_message(
    here: Here,
    room: Room,
    message: Message,
    scene: Scene,
    forks: Sequence[Branch],
    is_last: bool,
    following: int | None,
) -> None:
    with st.chat_message(message.role, avatar=AVATARS[message.role]):
        retry = scene.retry if is_last and not scene.busy else None
        if message.role == "user":
            _draw_question(here, room, message, scene, following)
            if retry:
                _draw_retry(here, message, retry)  # its answer was deleted or forgotten
        else:
            draw_model_text(message.text)
            draw_ending(here, message)
            _draw_row(here, room, message, scene.lines.get(message.id), retry)
        if forks:
            draw_pager(here, room, message, forks)


def _draw_question(here: Here, room: Room, message: Message, scene: Scene, following: int | None) -> None:
    if is_edited(message):
        draw_edit_form(here, room, message, following, scene.busy)
        return
    with st.container(
        horizontal=True, gap="small", wrap=False, vertical_alignment="center", key=f"said-{message.id}"
    ):
        draw_user_text(message.text)
        draw_menu(here, room, message)


def _draw_row(
    here: Here, room: Room, message: Message, line: ReceiptLine | None, retry: Callable[[], None] | None
) -> None:
    """Below a reply: copy, its receipt in one quiet line, another answer, and the rest in a menu."""
    if not message.text and not retry:
        return
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key=f"row-{message.id}"):
        if message.text:
            copy_button(
                message.text, label=here.say("chat.copy"), copied=here.say("chat.copied"), key=f"copy-{message.id}"
            )
        if retry:
            _draw_retry(here, message, retry)
        if message.text:
            draw_menu(here, room, message)
        if line:
            draw_receipt_line(here, room, message, line)  # last: on a narrow screen it has a line of its own
    if line and is_open(message.id):
        draw_receipt(here, room, message.id)


def _draw_retry(here: Here, message: Message, retry: Callable[[], None]) -> None:
    st.button(
        here.say("chat.retry"),
        key=f"retry-{message.id}",
        icon=":material/refresh:",
        type="tertiary",
        on_click=retry,
    )


def draw_ending(here: Here, message: Message) -> None:
    """How a reply ended, if not in the ordinary way, in one sentence."""
    if message.failure and message.failure.code == ReplyCutOff.__name__ and message.status is Status.COMPLETE:
        st.caption(f":material/content_cut: {here.say('chat.cut_off')}")
    elif message.failure:
        error = from_failure(message.failure)
        st.warning(here.explain(error), icon=":material/error:")
        if error.mended_in_settings:
            st.page_link(SETTINGS_PAGE, label=here.say("nav.settings"), icon=":material/settings:")
    elif message.status in (Status.STOPPED, Status.INTERRUPTED):
        empty = "" if message.text.strip() else "_empty"
        icon = ":material/stop_circle:" if message.status is Status.STOPPED else ":material/bolt:"
        st.caption(f"{icon} {here.say(f'chat.status.{message.status}{empty}')}")
