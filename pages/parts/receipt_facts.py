"""The facts and originals that a reply used, and what a person can do about each fact on the spot."""

from __future__ import annotations

import streamlit as st

from chatmem.domain import Fact, FactStatus
from chatmem.proof import FactUse, Opened, QuoteUse
from pages.parts.dialog_state import open_dialog
from pages.parts.enter import HISTORY_PAGE, Here, Room
from pages.parts.facts import draw_edit, draw_edit_button, on_act
from pages.parts.labels import inert
from pages.parts.receipt_context import draw_forgotten
from pages.parts.text import draw_user_text


def draw_used(here: Here, room: Room, opened: Opened) -> None:
    """Facts sent, those that just missed, the originals recalled, and what the turn itself taught."""
    if not (opened.sent_facts or opened.below or opened.quotes or opened.saved):
        st.caption(here.say("receipt.no_facts"))
        return
    _draw_uses(here, "receipt.facts_sent", opened.sent_facts)
    _draw_uses(here, "receipt.facts_below", opened.below)
    if opened.quotes:
        _head(here, "receipt.quotes_sent")
        for quote in opened.quotes:
            _draw_quote(here, room, quote)
    used = {use.used.fact_id for use in (*opened.sent_facts, *opened.below)}
    saved = [fact for fact in opened.saved if fact.id not in used]
    if saved:
        _head(here, "receipt.saved_title")
        for fact in saved:
            _draw_fact(here, fact, (), None)


def _head(here: Here, key: str) -> None:
    st.markdown(f"**{here.say(key)}**")


def _draw_uses(here: Here, key: str, uses: tuple[FactUse, ...]) -> None:
    if not uses:
        return
    _head(here, key)
    for use in uses:
        how = here.say(f"receipt.how_{use.used.how}", score=f"{use.used.score:.2f}")
        if use.known is None:
            with st.container(gap=None, key=f"used-{use.used.fact_id}"):
                st.markdown(
                    f":gray-badge[:material/ink_eraser: {here.say('receipt.fact_forgotten')}] :small[:gray[{how}]]"
                )
        else:
            _draw_fact(here, use.known.fact, (how,), use.known.successor)


def _draw_fact(here: Here, fact: Fact, marks: tuple[str, ...], successor: Fact | None) -> None:
    """As it was sent; below it what has become of it since, and what the person can do."""
    if st.session_state.get("editing") == fact.id:
        draw_edit(here, fact)
        return
    with st.container(gap=None, key=f"used-{fact.id}"):
        draw_user_text(fact.text)
        words = [here.say(f"kind.{fact.kind}"), *marks]
        if fact.status is not FactStatus.LIVE:
            words.append(f":orange[{here.say(f'receipt.fact_{fact.status}')}]")
        if successor:
            words.append(here.say("receipt.fact_now", text=inert(successor.text)))
        _draw_acts(here, fact, " · ".join(words))


def _draw_acts(here: Here, fact: Fact, words: str) -> None:
    knowledge, owner_id = here.app.knowledge, here.owner.id
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key=f"used-acts-{fact.id}"):
        st.caption(words, width="content")
        # Of its own, so that on a narrow screen they stay together.
        with st.container(horizontal=True, gap="small", width="content"):
            if fact.status is FactStatus.LIVE:
                st.button(
                    here.say("receipt.wrong"),
                    key=f"wrong-{fact.id}",
                    icon=":material/thumb_down:",
                    type="tertiary",
                    help=here.say("facts.retract_help"),
                    on_click=on_act(here, lambda: knowledge.retract(owner_id, fact.id)),
                )
                draw_edit_button(here, fact)
            elif fact.status is FactStatus.RETRACTED:
                st.button(
                    here.say("facts.undo"),
                    key=f"back-{fact.id}",
                    icon=":material/undo:",
                    type="tertiary",
                    on_click=on_act(here, lambda: knowledge.bring_back(owner_id, fact.id), here.say("facts.back")),
                )
            st.button(
                here.say("facts.forget"),
                key=f"forget-used-{fact.id}",
                icon=":material/delete:",
                type="tertiary",
                on_click=open_dialog,
                args=("forget-fact", fact.id),
            )


def _draw_quote(here: Here, room: Room, quote: QuoteUse) -> None:
    used = quote.used
    with st.container(gap="xxsmall", key=f"quoted-{used.message_id}"):
        if quote.line:
            draw_user_text(quote.line.strip())
        else:
            draw_forgotten(here)
        # No score: it is on another scale than that of facts, and side by side they would mislead.
        if room.temporary:  # the History page knows nothing of it
            st.caption(here.say("receipt.message", first=used.number))
            return
        st.page_link(
            HISTORY_PAGE,
            label=here.say("receipt.original", number=used.number),
            icon=":material/arrow_outward:",
            query_params={"chat": room.conversation_id, "message": str(used.number)},
        )
