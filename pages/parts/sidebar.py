"""The sidebar: chats, this chat's buttons, the inspector, and the way to the other pages."""

from __future__ import annotations

import streamlit as st

from pages.parts.chat_list import draw_chats, draw_undo
from pages.parts.dialog_state import open_dialog
from pages.parts.dialogs import BUTTON_DIALOGS, draw_dialog
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
from pages.parts.notices import draw_notice


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
        draw_chats(here, room)
        draw_undo(here)
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
