"""Full-text search over all chats, and the way from a message found to its place."""

from __future__ import annotations

import re

import streamlit as st

from chatmem.store.places import Place, words_of
from pages.parts.enter import CHAT_PAGE, HISTORY_PAGE, Here
from pages.parts.labels import inert
from pages.parts.times import local_time

SHOWN = 40
AROUND = 90
"""Characters shown to both sides of the first word found."""


def draw_search(here: Here) -> bool:
    """The field, and what it found; False while nothing is searched for."""
    # A link to a message found leads to this same page: at another address the field is empty again.
    address = "-".join(st.query_params.get(name, "") for name in ("chat", "message"))
    search = st.text_input(
        here.say("history.search"), key=f"history-search-{address}", type="search", icon=":material/search:",
        placeholder=here.say("history.search"), label_visibility="collapsed",
    )  # fmt: skip
    words = words_of(search or "")
    if not words:
        return False
    found = here.app.store.places.search(here.owner.id, search or "", limit=SHOWN + 1)
    if not found:
        st.caption(here.say("history.none_found"))
        return True
    key = "history.found_more" if len(found) > SHOWN else "history.found"
    st.caption(here.say(key, count=min(len(found), SHOWN)))
    for place in found[:SHOWN]:
        _draw_found(here, place, words)
    return True


def _draw_found(here: Here, place: Place, words: list[str]) -> None:
    message = place.message
    marks = [
        inert(place.title),
        str(message.number),
        here.say(f"role.{message.role}"),
        local_time(message.created_at),
    ]
    if message.retired_at is not None:
        marks.append(here.say("history.aside" if message.retirement_id else "status.retired"))
    with st.container(border=True, gap="xsmall", key=f"found-{message.id}"):
        st.caption(" · ".join(marks))
        st.markdown(_excerpt(message.text, words))
        address = {"chat": place.conversation_id, "message": str(message.number)}
        with st.container(horizontal=True, gap="small"):
            if message.retired_at is None:
                st.page_link(
                    CHAT_PAGE, label=here.say("history.open_chat"), icon=":material/chat:", query_params=address
                )
            st.page_link(
                HISTORY_PAGE, label=here.say("history.open_here"), icon=":material/arrow_outward:",
                query_params=address,
            )  # fmt: skip


def _excerpt(text: str, words: list[str]) -> str:
    """The text around the first word found, as Markdown that shows it as it is, with every word marked."""
    pattern = re.compile("|".join(re.escape(word) for word in sorted(words, key=len, reverse=True)), re.IGNORECASE)
    first = pattern.search(text)
    at = first.start() if first else 0
    start, end = max(0, at - AROUND), min(len(text), at + AROUND * 2)
    shown, pieces, done = text[start:end], [], 0
    for match in pattern.finditer(shown):
        pieces += [_plain(shown[done : match.start()]), f":orange-background[{_plain(match[0])}]"]
        done = match.end()
    pieces.append(_plain(shown[done:]))
    return f"{'…' if start else ''}{''.join(pieces)}{'…' if end < len(text) else ''}"


def _plain(text: str) -> str:
    """In one line and inert, its spaces at both ends kept."""
    if not text.strip():
        return " " if text else ""
    left, right = " " * text[0].isspace(), " " * text[-1].isspace()
    return f"{left}{inert(text)}{right}"
