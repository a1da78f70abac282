"""Drawing messages: bubbles, what became of a reply, and the divider where a fold happened."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from chatmem.domain import Message, Status, Summary
from chatmem.errors import ReplyCutOff, from_failure
from pages.parts.copy_button import copy_button
from pages.parts.enter import SETTINGS_PAGE, Here
from pages.parts.text import draw_model_text, draw_user_text

AVATARS = {"user": ":material/person:", "assistant": ":material/psychology:"}


@dataclass(frozen=True)
class Actions:
    """What the buttons below messages do; None where there is no such button."""

    retry: Callable[[], None] | None = None
    undo_fold: Callable[[int], None] | None = None


def draw_messages(
    here: Here, messages: list[Message], versions: list[Summary], streaming: bool, actions: Actions
) -> None:
    """The chat in order, each summary version after the last message it covers."""
    dividers = {version.covers_through: version for version in versions}
    drawn = [message for message in messages if message.status is not Status.STREAMING]
    for index, message in enumerate(drawn):
        is_last = index == len(drawn) - 1
        draw_message(here, message, actions if is_last and not streaming else Actions())
        if version := dividers.get(message.number):
            is_head = version is versions[-1]
            draw_fold(here, version, actions.undo_fold if is_head and not streaming else None)


def draw_message(here: Here, message: Message, actions: Actions) -> None:
    with st.chat_message(message.role, avatar=AVATARS[message.role]):
        if message.role == "user":
            draw_user_text(message.text)
            return
        draw_model_text(message.text)
        draw_ending(here, message)
        if message.text or actions.retry:
            with st.container(horizontal=True, gap="small", vertical_alignment="center"):
                if message.text:
                    copy_button(
                        message.text,
                        label=here.say("chat.copy"),
                        copied=here.say("chat.copied"),
                        key=f"copy-{message.id}",
                    )
                if actions.retry:
                    st.button(
                        here.say("chat.retry"),
                        key=f"retry-{message.id}",
                        icon=":material/refresh:",
                        type="tertiary",
                        on_click=actions.retry,
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


def draw_fold(here: Here, version: Summary, undo: Callable[[int], None] | None) -> None:
    """The divider: what was folded, the counts before and after, and the summary itself on demand."""
    first, last = version.covers_from, version.covers_through
    label = (
        f"{here.say('chat.fold', first=first, last=last, version=version.version)}"
        f"  ·  {here.say('chat.fold_counts', counted=version.counted, kept=version.kept)}"
    )
    with (
        st.container(key=f"fold-{version.id}", border=True),
        st.expander(label, icon=":material/compress:", type="compact"),
    ):
        draw_summary(here, version)
        st.caption(here.say("chat.fold_about", first=first, last=last))
        if undo:
            st.button(
                here.say("chat.fold_undo"),
                key=f"undo-fold-{version.id}",
                icon=":material/undo:",
                type="tertiary",
                on_click=undo,
                args=(version.version,),
            )


def draw_summary(here: Here, version: Summary) -> None:
    """A version's text and pins, verbatim: they hold people's words."""
    draw_user_text(version.text)
    if version.source == "extractive":
        st.caption(f":material/format_quote: {here.say('summary.extractive')}")
    if version.pins:
        st.caption(f":material/keep: {here.say('summary.pins')}")
        draw_user_text("\n".join(f"[{pin.number}] {pin.quote}" for pin in version.pins))
