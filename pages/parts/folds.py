"""The divider where a fold happened: what was folded, the summary on demand, and what was lost on the way."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from chatmem.domain import Detail, Pin, Summary
from pages.parts.enter import Here, Room
from pages.parts.labels import inert
from pages.parts.notices import attempt, tell
from pages.parts.text import draw_user_text

LOST_SHOWN = 12


def draw_summary(here: Here, version: Summary) -> None:
    """A version's text and pins, verbatim: they hold people's words."""
    if version.suspended_at is not None:
        st.caption(f":material/visibility_off: {here.say('versions.suspended_about')}")
        return
    draw_user_text(version.text)
    if version.source == "extractive":
        st.caption(f":material/format_quote: {here.say('summary.extractive')}")
    if version.pins:
        st.caption(f":material/keep: {here.say('summary.pins')}")
        draw_user_text("\n".join(f"[{pin.number}] {pin.quote}" for pin in version.pins))


def how_key(version: Summary) -> str:
    """The text that says on what occasion a version was made."""
    how: str = "pin" if version.how == "edit" and version.source != "person" else version.how
    return f"versions.how.{how}"


def still_lost(version: Summary, head: Summary | None, own_pins: Sequence[Pin]) -> tuple[Detail, ...]:
    """What a version lost and nobody has put back since."""
    pinned = {(pin.number, pin.quote) for pin in (*own_pins, *(head.pins if head else ()))}
    return tuple(detail for detail in version.lost if (detail.number, detail.quote) not in pinned)


def draw_fold(here: Here, room: Room, version: Summary, head: Summary, busy: bool) -> None:
    """One line until it is opened; only then is the rest drawn."""
    first, last = version.covers_from, version.covers_through
    own_pins = room.conversation.pins if room.conversation else ()
    lost = still_lost(version, head, own_pins)
    parts = [here.say("chat.fold", first=first, last=last, version=version.version)]
    parts.append(here.say("chat.fold_counts", counted=version.counted, kept=version.kept))
    if version.how != "fold":
        parts.append(here.say(how_key(version), runs=f"{first}–{last}"))
    if lost:
        parts.append(here.say("loss.label_one" if len(lost) == 1 else "loss.label", count=len(lost)))
    with st.container(key=f"fold-{version.id}", border=True):
        opened = st.expander(
            "  ·  ".join(parts),
            key=_open_key(version),
            icon=":material/compress:",
            type="compact",
            on_change="rerun",
        )
        if not opened.open:
            return
        with opened:
            draw_summary(here, version)
            st.caption(here.say("chat.fold_about", first=first, last=last))
            if version.version == head.version and not busy:
                _draw_undo(here, room, version)
            _draw_lost(here, room, version, head, lost)


def _open_key(version: Summary) -> str:
    return f"fold-open-{version.id}"


def _draw_undo(here: Here, room: Room, version: Summary) -> None:
    def undo() -> None:
        store = room.app.store.versions
        if attempt(here, lambda: store.undo_fold(room.owner.id, room.conversation_id, version.version)):
            tell(here.say("chat.fold_undone"))

    st.button(
        here.say("chat.fold_undo"),
        key=f"undo-fold-{version.id}",
        icon=":material/undo:",
        type="tertiary",
        on_click=undo,
    )


def _draw_lost(here: Here, room: Room, version: Summary, head: Summary, lost: Sequence[Detail]) -> None:
    if not lost:
        if version.how == "fold":
            st.caption(f":material/task_alt: {here.say('loss.none')}")
        return

    def put_back(details: Sequence[Detail]) -> None:
        def act() -> None:
            made = room.app.versions.put_back(room.owner.id, room.conversation_id, head.version, details)
            st.session_state[_open_key(made)] = version.version == head.version  # it takes this one's place

        if attempt(here, act):
            tell(here.say("loss.done"))

    with st.container(gap="xsmall", key=f"lost-{version.id}"):
        st.markdown(f"**{here.say('loss.title')}** :gray[{len(lost)}]", help=here.say("loss.about"))
        for place, detail in enumerate(lost[:LOST_SHOWN]):
            with st.container(horizontal=True, gap="small", vertical_alignment="center", wrap=False):
                kind = here.say(f"detail.{detail.kind}")
                around = "" if detail.quote.strip() == detail.what else f" :small[:gray[“{inert(detail.quote)}”]]"
                st.markdown(
                    f"**{inert(detail.what)}** :small[:gray[{kind} · {detail.number}]]{around}", width="stretch"
                )
                st.button(
                    here.say("loss.put_back"),
                    key=f"put-back-{version.id}-{place}",
                    type="tertiary",
                    icon=":material/keep:",
                    on_click=put_back,
                    args=([detail],),
                )
        if len(lost) > LOST_SHOWN:
            st.caption(here.say("facts.more", count=len(lost) - LOST_SHOWN))
        if len(lost) > 1:
            st.button(
                here.say("loss.put_back_all"),
                key=f"put-back-all-{version.id}",
                icon=":material/keep:",
                on_click=put_back,
                args=(lost,),
            )
