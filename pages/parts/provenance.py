"""Where a message went: the body of a dialog."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from chatmem.domain import Fact, FactStatus, Message
from chatmem.errors import NotFound
from chatmem.store.provenance import Sending, Trace, VersionMark
from pages.parts.enter import HISTORY_PAGE, MEMORY_PAGE, Here, Room
from pages.parts.labels import inert, one_line
from pages.parts.text import draw_user_text
from pages.parts.times import local_time
from pages.parts.versions import open_version

LINKS = 3
"""Replies that can be opened from here, the newest: numbers say the rest."""
NUMBERS = 24
VERSIONS_SHOWN = 12
SAID_CHARS = 160


def draw_provenance(here: Here, room: Room, message: Message) -> None:
    """From a message to every summary, pin, fact and request that came of it."""
    try:
        trace = room.app.proof.trace(room.owner.id, message.id)
    except NotFound:
        st.caption(here.say("trace.gone"))
        return
    _draw_message(here, trace.message)
    if not (trace.versions or trace.pins or trace.proves or trace.ended or trace.sent):
        st.caption(here.say("trace.nothing"))
        return
    _draw_versions(here, room, trace.versions)
    _draw_pins(here, trace)
    _draw_facts(here, "trace.facts", trace.proves)
    _draw_facts(here, "trace.ended", trace.ended)
    if (trace.proves or trace.ended) and not room.temporary:
        st.page_link(MEMORY_PAGE, label=here.say("trace.memory_page"), icon=":material/psychology:")
    _draw_sendings(here, room, trace)


def _draw_message(here: Here, message: Message) -> None:
    with st.container(border=True, gap=None, key=f"traced-{message.id}"):
        st.caption(f"{message.number} · {here.say(f'role.{message.role}')} · {local_time(message.created_at)}")
        if message.forgotten_at:
            st.markdown(f":gray-badge[:material/ink_eraser: {here.say('receipt.forgotten')}]")
            st.caption(here.say("trace.forgotten"))
        else:
            st.markdown(one_line(message.text, SAID_CHARS))


def _draw_versions(here: Here, room: Room, versions: Sequence[VersionMark]) -> None:
    if not versions:
        return
    st.markdown(f"**:material/compress: {here.say('trace.summaries')}**")
    with st.container(gap="xxsmall"):
        for mark in versions:
            if mark.folded:
                told = here.say("trace.folded", version=mark.version, time=local_time(mark.created_at))
                st.markdown(" · ".join([told, *_notes(here, mark)]))
        carried = [mark for mark in versions if not mark.folded]
        if carried:
            shown = carried if len(carried) <= VERSIONS_SHOWN else carried[-VERSIONS_SHOWN:]
            names = ", ".join(_version_name(here, mark) for mark in shown)
            st.markdown(here.say("trace.carried", versions=f"… {names}" if len(shown) < len(carried) else names))
    with st.container(horizontal=True, gap="small"):
        for mark in [mark for mark in versions if mark.folded][-LINKS:]:
            if st.button(
                here.say("trace.open_version", version=mark.version),
                key=f"open-version-{mark.version}",
                icon=":material/notes:",
                type="tertiary",
                on_click=open_version,
                args=(room, mark.version),
            ):
                st.rerun()  # that dialog in the place of this one


def _version_name(here: Here, mark: VersionMark) -> str:
    notes = _notes(here, mark)
    return f"v{mark.version} ({', '.join(notes)})" if notes else f"v{mark.version}"


def _notes(here: Here, mark: VersionMark) -> list[str]:
    notes = [f"**{here.say('trace.in_force')}**"] if mark.in_force else []
    return [*notes, here.say("trace.suspended")] if mark.suspended else notes


def _draw_pins(here: Here, trace: Trace) -> None:
    if not trace.pins:
        return
    st.markdown(f"**:material/keep: {here.say('trace.pins')}**")
    for pin in trace.pins:
        with st.container(gap=None):
            draw_user_text(pin.quote)
            words = [here.say("trace.pin_own")] if pin.own else []
            if pin.versions:
                names = ", ".join(f"v{version}" for version in pin.versions[-VERSIONS_SHOWN:])
                words.append(here.say("trace.pin_in", versions=names))
            st.caption(" · ".join(words))


def _draw_facts(here: Here, key: str, facts: Sequence[Fact]) -> None:
    if not facts:
        return
    st.markdown(f"**:material/psychology: {here.say(key)}**")
    with st.container(gap="xxsmall"):
        for fact in facts:
            status = (
                ""
                if fact.status is FactStatus.LIVE
                else f" :small[:orange[{here.say(f'receipt.fact_{fact.status}')}]]"
            )
            st.markdown(f"{inert(fact.text)}{status}")


def _draw_sendings(here: Here, room: Room, trace: Trace) -> None:
    if not trace.sent:
        return
    count = trace.sent_count
    how_often = here.say("trace.sent_one") if count == 1 else here.say("trace.sent_count", count=count)
    st.markdown(f"**:material/outbox: {here.say('trace.sent')}** :gray[{how_often}]")
    with st.container(gap="xxsmall"):
        for key, quoted in (("trace.as_said", False), ("trace.as_quoted", True)):
            sent = [one for one in trace.sent if one.quoted is quoted][-NUMBERS:]
            if sent:
                st.markdown(here.say(key, numbers=", ".join(map(_number, sent))))
        if any(one.retired for one in trace.sent):
            st.caption(here.say("trace.set_aside"))
        if count > len(trace.sent):
            st.caption(here.say("trace.newest", count=len(trace.sent)))
    if room.temporary:
        return
    with st.container(horizontal=True, gap="small"):
        for one in trace.sent[-LINKS:]:
            st.page_link(
                HISTORY_PAGE,
                label=here.say("trace.open_reply", number=one.number),
                icon=":material/arrow_outward:",
                query_params={"chat": room.conversation_id, "message": str(one.number)},
            )


def _number(sending: Sending) -> str:
    return f"({sending.number})" if sending.retired else str(sending.number)
