"""Every message of one chat, folded and retired ones marked, page by page."""

from __future__ import annotations

import math

import streamlit as st

from chatmem.domain import Conversation, Message
from pages.parts.dialogs import draw_line
from pages.parts.enter import Here, enter, go_to
from pages.parts.sidebar import draw_sidebar

PAGE_SIZE = 50


def main() -> None:
    st.set_page_config(page_title="History · chatmem", page_icon=":material/history:", layout="centered")
    here = enter()
    draw_sidebar(here, None, on_chat_page=False)
    st.title(here.say("nav.history"), anchor=False)
    chats = here.app.store.conversations.recent(here.owner.id, limit=200)
    if not chats:
        st.caption(here.say("page.history.none"))
        return
    st.caption(here.say("page.history.about"))
    _draw_messages(here, _choose(here, chats))


def _choose(here: Here, chats: list[Conversation]) -> Conversation:
    wanted = st.query_params.get("chat")
    index = next((i for i, chat in enumerate(chats) if chat.id == wanted), 0)

    def follow() -> None:
        st.query_params["chat"] = st.session_state["history-chat"].id

    chosen = st.selectbox(
        here.say("page.history.choose"),
        chats,
        index=index,
        format_func=lambda chat: chat.title,
        key="history-chat",
        on_change=follow,
    )
    if st.button(here.say("page.history.back"), icon=":material/arrow_back:", type="tertiary", key="back"):
        go_to(chosen.id)
    return chosen


def _draw_messages(here: Here, chat: Conversation) -> None:
    memory = here.app.chat.memory(here.owner, chat.id)
    total = here.app.store.turns.total(here.owner.id, chat.id)
    pages = max(1, math.ceil(total / PAGE_SIZE))
    page = pages
    if pages > 1:
        page = st.pagination(pages, default=pages, key=f"history-page-{chat.id}")
    messages = here.app.store.turns.page(
        here.owner.id, chat.id, limit=PAGE_SIZE, offset=(pages - page) * PAGE_SIZE, retired=True
    )
    for message in messages:
        draw_line(here, message, _marks(here, message, memory.covered))


def _marks(here: Here, message: Message, covered: int) -> tuple[str, ...]:
    if not message.live:
        return ()
    key = "page.history.folded" if message.number <= covered else "page.history.window"
    return (here.say(key),)


main()
