"""A short title for a chat, from its first words."""

from __future__ import annotations

import re

from chatmem.llm.teaching.intent import is_small_talk
from chatmem.llm.teaching.reading import sentences

LONGEST_TITLE = 40
"""Characters."""

_LEADING = re.compile(
    r"^(?:(?:hi|hello|hey|please|so|well|ok(?:ay)?|can you|could you|tell me|i (?:just )?want(?:ed)? to "
    r"(?:ask|know)(?: about)?)\b[,!.]?\s+"
    r"|(?:안녕(?:하세요)?|저기|음|혹시)[,!.]?\s+)+",
    re.IGNORECASE,
)


def title(first_message: str) -> str:
    """At most `LONGEST_TITLE` characters, cut between words; the first sentence that says something."""
    spoken = sentences(first_message)
    telling = [sentence for sentence in spoken if not is_small_talk(sentence) and re.search(r"\w", sentence)]
    text = (telling or spoken or [first_message])[0]
    text = re.sub(r"<[^>]{1,40}>|[`*_#>]+", " ", text)
    text = re.sub(r"\s+", " ", _LEADING.sub("", text.strip()) or text).strip(" .,;:!?~\"“”'")
    if len(text) > LONGEST_TITLE:
        cut = text[: LONGEST_TITLE - 1]
        text = (cut.rsplit(" ", 1)[0] if " " in cut[15:] else cut).rstrip(" ,;:") + "…"
    return text[:1].upper() + text[1:]
