"""The frozen context of a receipt, word for word, and what changed in it since the turn before."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import groupby

import streamlit as st

from chatmem.domain import SectionName, Summary
from chatmem.memory.summary import runs
from chatmem.proof import Changes, Opened, Part
from pages.parts.enter import Here, Room
from pages.parts.labels import inert, one_line
from pages.parts.sections import SECTIONS
from pages.parts.text import draw_user_text
from pages.parts.word_diff import draw_word_diff

LONG_CHARS = 200
LONG_LINES = 6
"""Above either, a part is collapsed: the receipt is for looking over, and every word is one click away."""
LABEL_CHARS = 70
PARTS_SHOWN = 24
"""Messages of the window drawn at first, as many as the chat itself shows; the rest on demand."""
MORE_PARTS = 50


# --- what was sent ----------------------------------------------------------------------------------


def draw_sent(here: Here, room: Room, opened: Opened) -> None:
    """Section by section, each in its colour, in the order in which it was sent."""
    reply_id = opened.receipt.reply_id
    st.html(f"<style>{''.join(_edge(name, color) for name, (_, color) in SECTIONS.items())}</style>")
    st.caption(here.say("receipt.sent_about"))
    tokens = {section.name: section.tokens for section in opened.receipt.context.sections}
    for place, (section, group) in enumerate(groupby(opened.parts, key=lambda part: part.section)):
        parts = list(group)
        with st.container(key=f"sent-{section}-{reply_id}-{place}", gap="small"):
            st.markdown(
                f"**{here.say(SECTIONS[section][0])}** "
                f":small[:gray[{here.say('receipt.section_tokens', tokens=f'{tokens.get(section, 0):,}')}]]"
            )
            for number, part in enumerate(_newest(here, parts, f"{reply_id}-{place}")):
                _draw_part(here, opened, part, f"{reply_id}-{place}-{number}")


def _edge(section: SectionName, color: str) -> str:
    return f'[class*="st-key-sent-{section}-"]{{border-left:3px solid {color};padding-left:.8rem}}'


def _newest(here: Here, parts: Sequence[Part], place: str) -> Sequence[Part]:
    key = f"parts-shown-{place}"
    shown = st.session_state.get(key, PARTS_SHOWN)
    hidden = len(parts) - shown
    if hidden <= 0:
        return parts

    def more() -> None:
        st.session_state[key] = shown + MORE_PARTS

    st.button(
        here.say("receipt.earlier", count=min(hidden, MORE_PARTS)),
        key=f"more-{place}",
        icon=":material/expand_less:",
        type="tertiary",
        on_click=more,
    )
    return parts[-shown:]


def _draw_part(here: Here, opened: Opened, part: Part, place: str) -> None:
    """A message of the chat by its number; of our own messages, the role they were sent in."""
    if part.message_id is not None:
        number = opened.numbers.get(part.message_id)
        who = here.say("role.user" if part.role == "user" else "role.assistant")
        head = f"{number} · {who}" if number else who
    else:
        head = here.say("receipt.as_role", role=part.role) if part.opens else ""
    with st.container(gap=None, key=f"part-{place}"):
        if head:
            st.caption(head)
        text = ""
        for segment in part.segments:
            if segment.redacted:
                _draw_text(text)
                text = ""
                draw_forgotten(here)
            else:
                text += segment.text
        _draw_text(text)


def _draw_text(text: str) -> None:
    text = text.strip("\n")
    if not text:
        return
    if len(text) <= LONG_CHARS and text.count("\n") < LONG_LINES:
        draw_user_text(text)
        return
    with st.expander(one_line(" ".join(text[: 2 * LABEL_CHARS].split()), LABEL_CHARS), type="compact"):
        draw_user_text(text)


def draw_forgotten(here: Here) -> None:
    """In the place of words that were sent, and have been forgotten since."""
    st.markdown(_forgotten_badge(here))


def _forgotten_badge(here: Here) -> str:
    return f":gray-badge[:material/ink_eraser: {here.say('receipt.forgotten')}]"


# --- what changed -----------------------------------------------------------------------------------


def draw_changes(here: Here, room: Room, opened: Opened) -> None:
    changed = opened.changes
    if changed is None:
        st.caption(here.say("receipt.first_turn"))
        return
    st.caption(here.say("receipt.changed_about"))
    _draw_window(here, opened, changed)
    if changed.summary:
        _draw_summary(here, opened, *changed.summary)
    _draw_facts(here, opened, "receipt.facts_came", "\\+", changed.facts_came)
    _draw_facts(here, opened, "receipt.facts_left", "−", changed.facts_left)
    _draw_numbers(here, opened, "receipt.quotes_came", "\\+", changed.quotes_came)
    _draw_numbers(here, opened, "receipt.quotes_left", "−", changed.quotes_left)
    if not (changed.summary or changed.left or changed.facts or changed.quotes_came or changed.quotes_left):
        st.caption(here.say("receipt.same_context"))


def _draw_window(here: Here, opened: Opened, changed: Changes) -> None:
    covered = opened.summary.covers_through if opened.summary else 0
    folded = [id_ for id_ in changed.left if opened.numbers.get(id_, covered + 1) <= covered]
    _draw_numbers(here, opened, "receipt.came", "\\+", changed.came)
    if folded and opened.summary:
        title = here.say("receipt.left_to", version=opened.summary.version)
        _draw_change("−", title, _run_words(here, opened, folded))
    _draw_numbers(here, opened, "receipt.left", "−", [id_ for id_ in changed.left if id_ not in folded])


def _draw_numbers(here: Here, opened: Opened, key: str, sign: str, message_ids: Sequence[int]) -> None:
    if message_ids:
        _draw_change(sign, here.say(key), _run_words(here, opened, message_ids))


def _run_words(here: Here, opened: Opened, message_ids: Collection[int]) -> str:
    numbers = sorted(opened.numbers[id_] for id_ in message_ids if id_ in opened.numbers)
    return ", ".join(
        here.say("receipt.message" if first == last else "receipt.messages", first=first, last=last)
        for first, last in runs(numbers)
    )


def _draw_change(sign: str, title: str, words: str) -> None:
    st.markdown(f"{sign} {title}: {words}")


def _draw_summary(here: Here, opened: Opened, before: int | None, after: int | None) -> None:
    if before is None:
        st.markdown(f"\\+ {here.say('receipt.summary_new', version=after)}")
    elif after is None:
        st.markdown(f"− {here.say('receipt.summary_gone', version=before)}")
        return
    else:
        st.markdown(f"± {here.say('receipt.summary_changed', before=before, after=after)}")
    with st.container(border=True, key=f"summary-diff-{opened.receipt.reply_id}"):
        suspended = any(one and one.suspended_at for one in (opened.summary, opened.summary_before))
        if opened.summary is None or suspended:
            draw_forgotten(here)
        elif before is None or opened.summary_before is None:
            draw_user_text(_whole(opened.summary))
        else:
            draw_word_diff(_whole(opened.summary_before), _whole(opened.summary))


def _whole(version: Summary) -> str:
    return "".join(
        f"{line}\n" for line in (version.text, *(f"[{pin.number}] {pin.quote}" for pin in version.pins))
    )


def _draw_facts(here: Here, opened: Opened, key: str, sign: str, fact_ids: Sequence[int]) -> None:
    if not fact_ids:
        return
    known = [opened.known.get(id_) for id_ in fact_ids]
    texts = [inert(one.fact.text) if one else _forgotten_badge(here) for one in known]
    st.markdown("\n".join([f"{sign} {here.say(key)}:", *(f"- {text}" for text in texts)]))
