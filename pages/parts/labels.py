"""Other people's words inside our own sentences and labels, which Streamlit reads as Markdown."""

from __future__ import annotations

import re

_MARKS = re.compile(r"([\\`*_{}\[\]()#+\-.!|:$~<>&])")


def plain_markdown(text: str) -> str:
    """The text as Markdown that shows exactly it: every mark escaped, so nothing is a link, image or directive."""
    return _MARKS.sub(r"\\\1", text)
