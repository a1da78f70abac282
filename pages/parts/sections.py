"""The sections of a context on the screen: their names, their colours, and the bar they make up."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape

import streamlit as st

from chatmem.domain import Section, SectionName
from pages.parts.enter import Here

SECTIONS: dict[SectionName, tuple[str, str]] = {
    "system": ("memory.system", "#8a8f9e"),
    "facts": ("memory.facts_part", "#d15b8f"),
    "summary": ("memory.summary_part", "#9a6dd7"),
    "window": ("memory.window_part", "#4f8bd5"),
    "recalled": ("memory.recalled_part", "#3fa878"),
    "question": ("memory.question", "#e08a3c"),
}
"""The name and the colour of each section; the colours hold on light and dark ground."""


def draw_bar(here: Here, sections: Sequence[Section]) -> None:
    """One stacked bar with its legend, from our own words and numbers only."""
    shown = [
        (here.say(SECTIONS[section.name][0]), SECTIONS[section.name][1], section.tokens)
        for section in sections
        if section.tokens
    ]
    pieces = "".join(f'<div style="flex:{tokens};background:{color}"></div>' for _, color, tokens in shown)
    legend = "".join(
        f'<div style="display:flex;gap:.4rem;align-items:center"><span style="width:.6rem;height:.6rem;'
        f'border-radius:2px;background:{color}"></span><span style="flex:1">{escape(name)}</span>'
        f"<span>{tokens:,}</span></div>"
        for name, color, tokens in shown
    )
    st.html(
        '<div style="display:flex;height:.5rem;border-radius:4px;overflow:hidden;gap:1px" aria-hidden="true">'
        f'{pieces}</div><div style="font-size:.8rem;margin-top:.4rem;line-height:1.5">{legend}</div>'
    )


def expired_words(here: Here, what: str) -> str:
    """An entry of `Context.expired` in the person's language; one of another form stays as it is."""
    if found := re.fullmatch(r"summary v(\d+)", what):
        return here.say("memory.summary", version=found[1])
    if found := re.fullmatch(r"messages (\d+)-(\d+)", what):
        return here.say("memory.covers", first=found[1], last=found[2])
    return what
