"""Two texts compared word by word on the screen."""

from __future__ import annotations

from html import escape
from itertools import zip_longest

import streamlit as st

from chatmem.versions import compare

_STYLES = {
    "added": ("ins", "text-decoration:none;background:rgba(63,168,120,.28);border-radius:3px;padding:0 .1em"),
    "removed": ("del", "background:rgba(214,86,86,.22);border-radius:3px;padding:0 .1em;opacity:.75"),
}


def draw_word_diff(before: str, after: str) -> None:
    """What went stands struck out, what came is marked; the words are shown, never read as Markdown or HTML."""
    pieces: list[str] = []
    compared = compare(before, after)
    for piece, follower in zip_longest(compared, compared[1:]):
        text = escape(piece.text)
        if piece.change == "same":
            pieces.append(text)
            continue
        tag, style = _STYLES[piece.change]
        body = text.rstrip()
        # What took its place stands beside it, in its line.
        gap = " " if follower and follower.change == "added" else text[len(body) :]
        pieces.append(f'<{tag} style="{style}">{body}</{tag}>{gap}')
    st.html(
        '<div style="white-space:pre-wrap;overflow-wrap:anywhere;font-size:.9rem;line-height:1.6">'
        f"{''.join(pieces)}</div>"
    )
