"""The chats in the sidebar: finding, opening, naming, and deleting with a way back."""

from __future__ import annotations

import time
from datetime import datetime, timedelta

import streamlit as st

from chatmem.domain import Conversation
from pages.parts.dialog_state import open_dialog
from pages.parts.enter import Here, Room, go_to
from pages.parts.labels import plain_markdown
from pages.parts.notices import attempt
from pages.parts.times import visitor_zone

FIRST_SHOWN = 15
UNDO_SECONDS = 10


def draw_chats(here: Here, room: Room | None) -> None:
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
            here.say("side.options", title=title),
            ["rename", "delete"],
            key=f"menu-{chat.id}",
            icon=":material/more_horiz:",
            type="tertiary",
            format_func=lambda option: here.say(f"side.{option}"),
        )
    if chosen == "rename":
        open_dialog("rename", chat.id)
    elif chosen == "delete":
        _delete(here, chat, is_open)


def _delete(here: Here, chat: Conversation, is_open: bool) -> None:
    """At once, with a way back; only where facts were learned in it, a question first."""
    learned: list[int] = []
    attempt(here, lambda: learned.append(here.app.store.conversations.learned_in(here.owner.id, chat.id)))
    if any(learned):
        open_dialog("delete-chat", chat.id)
    elif delete_chat(here, chat) and is_open:
        go_to(None)
    st.rerun()


def delete_chat(here: Here, chat: Conversation, with_facts: bool = False) -> bool:
    """Hide a chat; for ten seconds it can be brought back. False, with a complaint, if it could not be."""

    def delete() -> None:
        here.app.chat.stop(here.owner, chat.id)
        here.app.store.conversations.hide(here.owner.id, chat.id, with_facts)
        here.app.forgetting.purge_soon()
        st.session_state["deleted"] = (chat.id, chat.title, time.monotonic())
        if st.session_state.get("last_chat") == chat.id:
            del st.session_state["last_chat"]  # where the way back to the chat page leads

    return attempt(here, delete)


def draw_undo(here: Here) -> None:
    if "deleted" in st.session_state:
        st.fragment(_undo, run_every=2)(here)


def _undo(here: Here) -> None:
    chat_id, title, since = st.session_state.get("deleted", ("", "", 0.0))
    if time.monotonic() - since > UNDO_SECONDS:
        st.session_state.pop("deleted", None)
        if attempt(here, here.app.store.conversations.purge):
            here.app.forgetting.scrub()
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
