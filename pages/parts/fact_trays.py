"""What waits for the person on the Memory page: new facts, contradictions, and text that is never sent."""

from __future__ import annotations

import streamlit as st

from chatmem.domain import Fact, FactStatus
from pages.parts.enter import Here
from pages.parts.facts import (
    act,
    draw_edit,
    draw_edit_button,
    draw_forget_button,
    draw_sources,
    on_act,
)
from pages.parts.notices import tell
from pages.parts.text import draw_user_text
from pages.parts.times import ago

SHOWN = 10
"""Of each tray at a time: what is decided makes room for the next."""


def draw_trays(here: Here) -> None:
    """Each is there only while there is something in it."""
    known = here.app.knowledge.overview(here.owner.id)
    if known.pending:
        _draw_pending(here, known.pending)
    if known.conflicts:
        _draw_conflicts(here)
    if known.quarantined:
        _draw_quarantine(here, known.quarantined)


def _head(icon: str, title: str, about: str) -> None:
    with st.container(gap=None):
        st.markdown(f"**{icon} {title}**")
        st.caption(about)


def _draw_rest(here: Here, count: int) -> None:
    if count > SHOWN:
        st.caption(here.say("facts.more", count=count - SHOWN))


# --- new facts ------------------------------------------------------------------------------------


def _draw_pending(here: Here, count: int) -> None:
    knowledge, owner_id = here.app.knowledge, here.owner.id

    def keep_all() -> None:
        act(here, lambda: tell(here.say("facts.kept", count=knowledge.approve_all(owner_id))))

    with st.container(border=True, key="pending"):
        _head(":material/inbox:", here.say("facts.pending", count=count), here.say("facts.pending_about"))
        for fact in knowledge.waiting(owner_id, FactStatus.PENDING, SHOWN):
            _draw_waiting(here, fact)
        _draw_rest(here, count)
        if count > 1:
            st.button(
                here.say("facts.keep_all", count=count),
                key="keep-all",
                icon=":material/done_all:",
                on_click=keep_all,
            )


def _draw_waiting(here: Here, fact: Fact) -> None:
    knowledge, owner_id = here.app.knowledge, here.owner.id
    if st.session_state.get("editing") == fact.id:
        draw_edit(here, fact)
        return
    with st.container(gap="xsmall", key=f"waiting-{fact.id}"):
        draw_user_text(fact.text)
        st.caption(f"{here.say(f'kind.{fact.kind}')} · {ago(here.say, fact.confirmed_at)}")
        draw_sources(here, fact)
        if fact.replaces_id is not None:
            for old in knowledge.history(owner_id, fact.id)[:1]:
                st.text(here.say("facts.in_place_of", text=old.text))
        with st.container(horizontal=True, gap="small"):
            st.button(
                here.say("facts.keep"),
                key=f"keep-{fact.id}",
                icon=":material/check:",
                on_click=on_act(
                    here, lambda: knowledge.approve(owner_id, fact.id), here.say("facts.kept", count=1)
                ),
            )
            draw_edit_button(here, fact)
            st.button(
                here.say("facts.dismiss"),
                key=f"dismiss-{fact.id}",
                icon=":material/close:",
                type="tertiary",
                on_click=on_act(here, lambda: knowledge.dismiss(owner_id, fact.id)),
            )


# --- contradictions -------------------------------------------------------------------------------


def _draw_conflicts(here: Here) -> None:
    pairs = here.app.knowledge.conflicts(here.owner.id)
    with st.container(border=True, key="conflicts"):
        title = here.say("facts.conflicts", count=len(pairs))
        _head(":material/compare_arrows:", title, here.say("facts.conflicts_about"))
        for earlier, later in pairs[:SHOWN]:
            _draw_pair(here, earlier, later)
        _draw_rest(here, len(pairs))


def _draw_pair(here: Here, earlier: Fact, later: Fact) -> None:
    def settle(keep: int | None) -> None:
        act(
            here,
            lambda: here.app.knowledge.settle(here.owner.id, earlier.id, later.id, keep),
            here.say("facts.settled"),
        )

    pair = f"{earlier.id}-{later.id}"
    with st.container(key=f"pair-{pair}", gap="small"):
        for side, fact, name in zip(
            st.columns(2, border=True), (earlier, later), ("earlier", "later"), strict=True
        ):
            with side:
                st.caption(f"{here.say(f'facts.{name}')} · {ago(here.say, fact.confirmed_at)}")
                draw_user_text(fact.text)
                draw_sources(here, fact)
                st.button(
                    here.say("facts.keep_this"),
                    key=f"true-{pair}-{name}",
                    icon=":material/check:",
                    on_click=settle,
                    args=(fact.id,),
                )
        st.button(
            here.say("facts.keep_both"),
            key=f"both-{pair}",
            icon=":material/done_all:",
            type="tertiary",
            on_click=settle,
            args=(None,),
        )


# --- what is never sent ---------------------------------------------------------------------------


def _draw_quarantine(here: Here, count: int) -> None:
    with st.container(border=True, key="quarantine"):
        title = here.say("facts.quarantined", count=count)
        _head(":material/shield:", title, here.say("facts.quarantine_about"))
        for fact in here.app.knowledge.waiting(here.owner.id, FactStatus.QUARANTINED, SHOWN):
            if st.session_state.get("editing") == fact.id:
                draw_edit(here, fact)
                continue
            with st.container(gap="xsmall", key=f"kept-away-{fact.id}"):
                draw_user_text(fact.text)
                draw_sources(here, fact)
                with st.container(horizontal=True, gap="small"):
                    draw_edit_button(here, fact)
                    draw_forget_button(here, fact)
        _draw_rest(here, count)
