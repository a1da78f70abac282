"""The sidebar: chats, this chat's buttons, the inspector, and the way to the other pages."""

from __future__ import annotations

import time
from datetime import datetime, timedelta

import streamlit as st

from chatmem.domain import Conversation
from pages.parts.dialogs import BUTTON_DIALOGS, draw_dialog, open_dialog, open_rename
from pages.parts.enter import (
    CHAT_PAGE,
    HISTORY_PAGE,
    MEMORY_PAGE,
    SETTINGS_PAGE,
    TEMPORARY,
    Here,
    Room,
    go_to,
    open_temporary,
)
from pages.parts.inspector import draw_inspector
from pages.parts.labels import plain_markdown
from pages.parts.notices import attempt, draw_notice
from pages.parts.times import visitor_zone

FIRST_SHOWN = 15
UNDO_SECONDS = 10


def draw_sidebar(here: Here, room: Room | None, on_chat_page: bool) -> None:
    """`room` is the chat on screen, or None where there is none."""
    with st.sidebar:
        if not on_chat_page:
            draw_notice()
        with st.container(horizontal=True, gap="small"):
            if st.button(
                here.say("side.new"), icon=":material/add:", type="primary", key="new-chat", width="stretch"
            ):
                go_to(None)
            if st.button(
                here.say("side.temporary"),
                icon=":material/timer_off:",
                help=here.say("side.temporary_help"),
                key="temporary-chat",
                width="stretch",
            ):
                open_temporary(here)
                go_to(TEMPORARY)
        _draw_chats(here, room)
        _draw_undo(here)
        if room and on_chat_page:
            _draw_chat_buttons(here)
            draw_inspector(here, room)
        st.divider()
        st.page_link(CHAT_PAGE, label=here.say("nav.chat"), icon=":material/chat:", query_params=_last_chat())
        st.page_link(
            HISTORY_PAGE,
            label=here.say("nav.history"),
            icon=":material/history:",
            query_params=_last_stored_chat(),
        )
        st.page_link(MEMORY_PAGE, label=here.say("nav.memory"), icon=":material/psychology:")
        st.page_link(SETTINGS_PAGE, label=here.say("nav.settings"), icon=":material/settings:")
    draw_dialog(here, room)


def _last_chat() -> dict[str, str]:
    last = st.session_state.get("last_chat")
    return {"chat": last} if last else {}


def _last_stored_chat() -> dict[str, str]:
    return {} if st.session_state.get("last_chat") == TEMPORARY else _last_chat()


def _draw_chat_buttons(here: Here) -> None:
    st.markdown(f"**:material/forum: {here.say('side.this_chat')}**")
    with st.container(horizontal=True, gap="xsmall", key="chat-buttons"):
        for name in BUTTON_DIALOGS:
            st.button(
                here.say(f"side.{name}"),
                key=f"open-{name}",
                on_click=open_dialog,
                args=(name,),
                width="stretch",
            )


def _draw_chats(here: Here, room: Room | None) -> None:
    search = st.text_input(
        here.say("side.search"), key="search", type="search", placeholder=here.say("side.search"),
        label_visibility="collapsed", icon=":material/search:",
    )  # fmt: skip
    shown = st.session_state.get("chats_shown", FIRST_SHOWN)
    chats = here.app.store.conversations.recent(here.owner.id, search or "", limit=shown + 1)
    if not chats:
        st.caption(here.say("side.no_match", text=plain_markdown(search)) if search else here.say("side.no_chats"))
        return
    with st.container(key="chat-list", height=260 if len(chats) > 4 else "content", border=False, gap=None):
        group = ""
        for chat in chats[:shown]:
            if (name := _group(here, chat.updated_at)) != group:
                group = name
                st.caption(group)
            _draw_chat(here, chat, is_open=room is not None and chat.id == room.conversation_id)
        if len(chats) > shown and st.button(here.say("side.more"), key="more-chats", type="tertiary"):
            st.session_state["chats_shown"] = shown + 50
            st.rerun()


def _draw_chat(here: Here, chat: Conversation, is_open: bool) -> None:
    title = plain_markdown(chat.title)
    with st.container(horizontal=True, gap="xxsmall", vertical_alignment="center", wrap=False):
        if st.button(
            title, key=f"chat-{chat.id}", type="secondary" if is_open else "tertiary", width="stretch", wrap=False,
        ):  # fmt: skip
            go_to(chat.id)
        chosen = st.menu_button(
            "⋯",
            ["rename", "delete"],
            key=f"menu-{chat.id}",
            type="tertiary",
            help=here.say("side.options", title=title),
            format_func=lambda option: here.say(f"side.{option}"),
        )
    if chosen == "rename":
        open_rename(chat)
    elif chosen == "delete":
        _delete(here, chat, is_open)


def _delete(here: Here, chat: Conversation, is_open: bool) -> None:
    def delete() -> None:
        here.app.chat.stop(here.owner, chat.id)
        here.app.store.conversations.hide(here.owner.id, chat.id)
        st.session_state["deleted"] = (chat.id, chat.title, time.monotonic())

    if attempt(here, delete) and is_open:
        go_to(None)
    st.rerun()


def _draw_undo(here: Here) -> None:
    if "deleted" in st.session_state:
        st.fragment(_undo, run_every=2)(here)


def _undo(here: Here) -> None:
    chat_id, title, since = st.session_state.get("deleted", ("", "", 0.0))
    if time.monotonic() - since > UNDO_SECONDS:
        st.session_state.pop("deleted", None)
        attempt(here, here.app.store.conversations.purge)
        st.rerun()

    def bring_back() -> None:
        st.session_state.pop("deleted", None)
        attempt(here, lambda: here.app.store.conversations.unhide(here.owner.id, chat_id))

    with st.container(horizontal=True, border=True, vertical_alignment="center", key="deleted-chat"):
        st.text(here.say("side.deleted", title=title))
        if st.button(here.say("side.undo"), key="undo-delete", icon=":material/undo:", on_click=bring_back):
            st.rerun()


def _group(here: Here, moment: datetime) -> str:
    zone = visitor_zone()
    days = (datetime.now(zone).date() - moment.astimezone(zone).date()) // timedelta(days=1)
    if days <= 0:
        return here.say("side.today")
    if days == 1:
        return here.say("side.yesterday")
    if days <= 7:
        return here.say("side.week")
    return here.say("side.month") if days <= 30 else here.say("side.older")
