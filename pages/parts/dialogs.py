"""The dialogs: History, Summary, Reset and Memory for the chat on screen, and renaming any chat.

Which one is open is kept in the session, so that the end of a reply knows to leave the page alone:
a full rerun would close what somebody is reading.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import streamlit as st

from chatmem.domain import Conversation, Message, Status
from pages.parts.enter import HISTORY_PAGE, MEMORY_PAGE, Here, Room
from pages.parts.facts import draw_known
from pages.parts.messages import draw_summary
from pages.parts.notices import attempt
from pages.parts.text import draw_user_text
from pages.parts.times import local_time

ChatDialog = Literal["history", "summary", "reset", "memory"]
BUTTON_DIALOGS: tuple[ChatDialog, ...] = ("history", "summary", "reset")
"""Those with a button of their own in the sidebar, where the inspector leads to the Memory page."""
ALL_MESSAGES_SHOWN = 100
TITLE_LENGTH = 100


def dialog_open() -> bool:
    """Whether somebody is reading a dialog just now."""
    return bool(st.session_state.get("dialog"))


def open_dialog(name: ChatDialog) -> None:
    st.session_state["dialog"] = name


def open_rename(chat: Conversation) -> None:
    st.session_state["dialog"] = chat


def close_dialog() -> None:
    st.session_state["dialog"] = None


def draw_dialog(here: Here, room: Room | None) -> None:
    """The dialog that is open, if any. Called once in a full run, at its end."""
    wanted: ChatDialog | Conversation | None = st.session_state.get("dialog")
    if isinstance(wanted, Conversation):
        rename = st.dialog(here.say("side.rename"), icon=":material/edit:", on_dismiss=close_dialog)
        rename(_rename)(here, wanted)
    elif wanted and room:
        icon, width, body = _CHAT_DIALOGS[wanted]
        dialog = st.dialog(here.say(f"{wanted}.title"), width=width, icon=icon, on_dismiss=close_dialog)
        dialog(body)(here, room)
    elif wanted:
        close_dialog()  # left behind by a link out of it


def _rename(here: Here, chat: Conversation) -> None:
    with st.form("rename", border=False):
        title = st.text_input(here.say("side.title"), chat.title, max_chars=TITLE_LENGTH) or ""
        if st.form_submit_button(here.say("side.save"), type="primary") and title.strip():
            close_dialog()
            new = title.strip()[:TITLE_LENGTH]
            attempt(here, lambda: here.app.store.conversations.rename(here.owner.id, chat.id, new))
            st.rerun()


def _history(here: Here, room: Room) -> None:
    if room.conversation is None:
        st.write(here.say("history.empty"))
        return
    memory = room.app.chat.memory(room.owner, room.conversation_id)
    total, _ = room.app.store.turns.counts(room.owner.id, room.conversation_id)
    head = memory.head
    summary = (
        here.say("history.with_summary", version=head.version, first=1, last=head.covers_through) if head else ""
    )
    st.markdown(f"**{here.say('history.now')}**")
    st.write(here.say("history.total", window=memory.window_count, summary=summary, total=total))
    if head:
        with st.container(border=True):
            draw_summary(here, head)
    for message in memory.window[-ALL_MESSAGES_SHOWN:]:
        draw_line(here, message)
    st.divider()
    st.markdown(f"**{here.say('history.all')}**")
    for message in room.app.store.turns.page(
        room.owner.id, room.conversation_id, limit=ALL_MESSAGES_SHOWN, retired=True
    ):
        draw_line(here, message)
    if not room.temporary:
        st.page_link(
            HISTORY_PAGE, label=here.say("history.open_page"), icon=":material/open_in_full:",
            query_params={"chat": room.conversation_id},
        )  # fmt: skip


def draw_line(here: Here, message: Message, marks: tuple[str, ...] = ()) -> None:
    """One numbered message, verbatim."""
    words = list(marks)
    if message.status is not Status.COMPLETE:
        words.append(here.say(f"status.{message.status}"))
    if message.retired_at:
        words.append(here.say("status.retired"))
    mark = f" · {', '.join(words)}" if words else ""
    with st.container(gap=None):
        st.caption(f"{message.number} · {here.say(f'role.{message.role}')}{mark}")
        draw_user_text(message.text)


def _summary(here: Here, room: Room) -> None:
    head = room.app.chat.memory(room.owner, room.conversation_id).head if room.conversation else None
    if head is None:
        policy = room.app.chat.policy(room.owner, room.conversation.preset if room.conversation else None)
        key = "summary.none" if policy.folds else "summary.never"
        st.write(here.say(key, limit=policy.fold_above))
        return
    title = here.say("summary.head", version=head.version, first=1, last=head.covers_through, tokens=head.tokens)
    st.markdown(f"**{title}**")
    draw_summary(here, head)
    st.caption(here.say("summary.source", model=head.model, time=local_time(head.created_at)))


def _reset(here: Here, room: Room) -> None:
    _, live = room.app.store.turns.counts(room.owner.id, room.conversation_id) if room.conversation else (0, 0)
    st.markdown(here.say("reset.goes", count=live))
    st.markdown(here.say("reset.stays"))

    def confirm() -> None:
        close_dialog()
        attempt(here, lambda: room.app.chat.reset(room.owner, room.conversation_id))

    with st.container(horizontal=True, horizontal_alignment="right"):
        if st.button(here.say("cancel"), key="reset-cancel", on_click=close_dialog):
            st.rerun()
        if st.button(here.say("reset.confirm"), type="primary", key="reset-confirm", on_click=confirm):
            st.rerun()


def _memory(here: Here, room: Room) -> None:
    if room.temporary:
        st.write(here.say("memory.temporary"))
        return
    draw_known(here)
    st.page_link(MEMORY_PAGE, label=here.say("memory.open_page"), icon=":material/open_in_full:")


_CHAT_DIALOGS: dict[ChatDialog, tuple[str, Literal["small", "medium"], Callable[[Here, Room], None]]] = {
    "history": (":material/history:", "medium", _history),
    "summary": (":material/notes:", "medium", _summary),
    "reset": (":material/restart_alt:", "small", _reset),
    "memory": (":material/psychology:", "medium", _memory),
}
