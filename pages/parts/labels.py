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
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]")


def plain_markdown(text: str) -> str:
    """The text as Markdown that shows exactly it: every mark escaped, so nothing is a link, image or directive."""
    return _MARKS.sub(r"\\\1", text)


def inert(text: str) -> str:
    """The same in one line, and no address in it becomes a link, no arrow a sign."""
    return _BREAKS.sub(":small[]", plain_markdown(" ".join(text.split())))


def one_line(text: str, characters: int) -> str:
    """The beginning of a text as a label that shows exactly it, whichever way its script runs."""
    shown = text if len(text) <= characters else f"{text[: characters - 1].rstrip()}…"
    if _RIGHT_TO_LEFT.search(shown):
        shown = f"\u2068{shown}\u2069"  # what follows in the label stays behind it
    return inert(shown)
