"""Other people's words inside our own sentences and labels, which Streamlit reads as Markdown."""

from __future__ import annotations

import re

_MARKS = re.compile(r"([\\`*_{}\[\]()#+\-.!|:$~<>&])")
_BREAKS = re.compile(
    r"(?<=\\:)(?=//)|(?<=www)(?=\\\.)|(?<=@)"
    r"|(?<=\\-)(?=\\[->])|(?<=\\<)(?=\\-|=)|(?<=\\>)(?==)|(?<=\\~)(?==)",
    re.IGNORECASE,
)
"""Inside addresses and arrows. Streamlit looks for these in the text that Markdown leaves, escaped or not, and
makes links and signs of them; a directive of its own that draws nothing keeps them apart."""
_DIRECTION = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""Invisible orders about the direction of text. In a label they would turn our own words behind it around."""
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]")


def plain_markdown(text: str) -> str:
    """The text as Markdown that shows exactly it: every mark escaped, so nothing is a link, image or directive.

    Orders about direction are left out: nothing of them could be seen but what they do to our own words.
    """
    return _MARKS.sub(r"\\\1", _DIRECTION.sub("", text))


def inert(text: str) -> str:
    """The same in one line, and no address in it becomes a link, no arrow a sign."""
    return _BREAKS.sub(":small[]", plain_markdown(" ".join(text.split())))


def one_line(text: str, characters: int) -> str:
    """The beginning of a text as a label that shows exactly it, whichever way its script runs."""
    shown = text if len(text) <= characters else f"{text[: characters - 1].rstrip()}…"
    label = inert(shown)
    # Isolated, what follows in the label stays behind it.
    return f"\u2068{label}\u2069" if _RIGHT_TO_LEFT.search(label) else label
