"""What a fold leaves out because it is known not to hold any more: the words that proved an ended fact."""

from __future__ import annotations

import re
from collections.abc import Sequence

from chatmem.llm.teaching.comparing import relation
from chatmem.llm.teaching.reading import sentences
from chatmem.llm.teaching.words import content_of

_MARK = re.compile(r"^\s*[-*•]\s+")


def listed(block: str) -> tuple[str, ...]:
    """The lines of a block of outdated statements, without their list marks."""
    return tuple(text for line in block.splitlines() if (text := _MARK.sub("", line).strip()))


def says(text: str, outdated: Sequence[str]) -> bool:
    """Whether a text says what one of the outdated ones says: contains it, is a part of it, or is its twin."""
    bare = _bare(text)
    parts = len(content_of(text)) >= 2
    return any(
        (known in bare) or (parts and bare in known) or relation(text, quote) == "same"
        for quote in outdated
        if (known := _bare(quote))
    )


def without(text: str, outdated: Sequence[str]) -> str:
    """A text without its sentences that are outdated; empty when nothing is left."""
    if not says(text, outdated):
        return text
    parts = sentences(text)
    left = [part for part in parts if not says(part, outdated)]
    return " ".join(left) if len(parts) > 1 and len(left) < len(parts) else ""


def is_of(text: str, outdated: Sequence[str]) -> bool:
    """Whether a text is, word for word, (part of) one of the outdated ones. Other words say it anew."""
    bare = _bare(text)
    parts = len(content_of(text)) >= 2
    return any(bare == known or (parts and bare in known) for known in map(_bare, outdated))


def _bare(text: str) -> str:
    return re.sub(r"[\s.,!?;~\"'“”‘’。]+", "", text).lower()
