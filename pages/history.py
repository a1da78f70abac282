"""Every message of every chat: found by its words, or page by page, folded and retired ones marked."""

from __future__ import annotations

import math
import re

import streamlit as st

from chatmem.domain import Conversation, Message
from chatmem.errors import NotFound
from pages.parts.dialogs import draw_line
from pages.parts.enter import ICON, Here, enter, go_to, guarded
from pages.parts.history_search import draw_search
from pages.parts.own_data import draw_chat_export
from pages.parts.reveal import reveal
from pages.parts.sidebar import draw_sidebar

PAGE_SIZE = 50
MOST_CHATS = 200


def main() -> None:
    st.set_page_config(page_title="History · chatmem", page_icon=ICON, layout="centered")
    here = enter()
    draw_sidebar(here, None, on_chat_page=False)
    st.title(here.say("nav.history"), anchor=False)
    chats = _chats(here)
    if not chats:
        st.caption(here.say("page.history.none"))
        return
    st.caption(here.say("page.history.about"))
    if not draw_search(here):
        _draw_messages(here, _choose(here, chats))


def _chats(here: Here) -> list[Conversation]:
    """The latest chats, and the one that the address names."""
    chats = here.app.store.conversations.recent(here.owner.id, limit=MOST_CHATS)
    wanted = st.query_params.get("chat")
    if wanted and all(chat.id != wanted for chat in chats):
        try:
            chats.append(here.app.store.conversations.get(here.owner.id, wanted))
        except NotFound as error:
            st.warning(here.explain(error), icon=":material/search_off:")
    return chats


def _choose(here: Here, chats: list[Conversation]) -> Conversation:
    wanted = st.query_params.get("chat")
    by_id = {chat.id: chat for chat in chats}
    labels = _labels(chats)
    key = f"history-chat-{wanted}"  # the address decides, whoever changes it

    def follow() -> None:
        st.query_params.pop("message", None)
        st.query_params["chat"] = st.session_state[key]

    chosen: str = st.selectbox(
        here.say("page.history.choose"),
        list(by_id),
        index=list(by_id).index(wanted) if wanted in by_id else 0,
        format_func=labels.__getitem__,
        key=key,
        on_change=follow,
    )
    with st.container(horizontal=True, gap="small"):
        if st.button(here.say("page.history.back"), icon=":material/arrow_back:", type="tertiary", key="back"):
            go_to(chosen)
        draw_chat_export(here, by_id[chosen])
    return by_id[chosen]


def _labels(chats: list[Conversation]) -> dict[str, str]:
    """Titles by id. Equal ones get a number: a select box tells its options apart by their labels."""
    labels: dict[str, str] = {}
    for chat in chats:
        label, number = chat.title, 1
        while label in labels.values():
            number += 1
            label = f"{chat.title} ({number})"
        labels[chat.id] = label
    return labels


def _draw_messages(here: Here, chat: Conversation) -> None:
    memory = here.app.chat.memory(here.owner, chat.id)
    total = here.app.store.turns.total(here.owner.id, chat.id)
    pages = max(1, math.ceil(total / PAGE_SIZE))
    sought = _sought(chat, total)
    page = pages
    if pages > 1:
        at_first = pages - (total - sought) // PAGE_SIZE if sought else pages
        page = st.pagination(pages, default=at_first, key=f"history-page-{chat.id}-{sought or ''}")
    messages = here.app.store.turns.page(
        here.owner.id, chat.id, limit=PAGE_SIZE, offset=(pages - page) * PAGE_SIZE, retired=True
    )
    for message in messages:
        marks = _marks(here, message, memory.covered)
        if message.number == sought:
            with st.container(border=True, key="sought"):
                draw_line(here, message, (*marks, f":orange-badge[{here.say('page.history.sought')}]"))
                reveal("sought", str(message.id))
        else:
            draw_line(here, message, marks)


def _sought(chat: Conversation, total: int) -> int | None:
    """The message that the address names, as a link from a fact does. Numbers count from 1, without a gap."""
    named = st.query_params.get("message", "")
    if st.query_params.get("chat") != chat.id or not re.fullmatch(r"[0-9]{1,9}", named):
        return None
    return int(named) if 1 <= int(named) <= total else None


def _marks(here: Here, message: Message, covered: int) -> tuple[str, ...]:
    if not message.live:
        return ()
    key = "page.history.folded" if message.number <= covered else "page.history.window"
    return (here.say(key),)


guarded(main)()
