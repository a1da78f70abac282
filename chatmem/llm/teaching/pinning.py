"""Pins of a fold: the exact details of the person's messages, verbatim."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from chatmem.domain import Pin, Role
from chatmem.llm.teaching.corrections import overtakes
from chatmem.llm.teaching.details import exact_details
from chatmem.llm.teaching.reading import sentences, statements_in

MOST_PINS = 12
"""New pins of one fold."""
LONGEST_PIN = 200
"""Characters of a pin; of longer sentences the clauses with exact details are taken."""
CLAUSE = re.compile(
    r",\s+(?:and|but)\s+|\s+(?:and|but)\s+|[,;]\s+|(?<=[가-힣]고)\s+|(?<=지만)\s+|(?<=는데)\s+|(?<=며)\s+"
)
_FENCE_LIKE = re.compile(r"[\n\r‹]|</?(?:summary|pins|dropped_pins|transcript|message)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Said:
    """A message of a transcript, as far as a summary needs it."""

    number: int
    role: Role
    text: str


def _quotes(message: Said) -> list[str]:
    """The parts of a message that hold exact details, verbatim."""
    stated = statements_in(message.text)
    found = []
    for sentence in sentences(message.text):
        if not any(sentence in statement or statement in sentence for statement in stated):
            continue
        pieces = [sentence] if len(sentence) <= LONGEST_PIN else CLAUSE.split(sentence)
        for piece in pieces:
            quote = piece.strip()
            if 2 < len(quote) <= LONGEST_PIN and quote in message.text and exact_details(quote):
                found.append(quote)
    return [quote for quote in found if not _FENCE_LIKE.search(quote)]


def new_pins(users: Sequence[Said], previous: Sequence[Pin]) -> tuple[Pin, ...]:
    known = {pin.quote for pin in previous}
    new = [Pin(message.number, quote) for message in users for quote in dict.fromkeys(_quotes(message))]
    stated = [(message.number, text) for message in users for text in statements_in(message.text)]
    standing: list[Pin] = []
    for pin in new:
        after = [text for number, text in stated if number > pin.number]
        if (
            pin.quote not in known
            and pin.quote not in {other.quote for other in standing}
            and not any(overtakes(text, pin.quote) for text in after)
        ):
            standing.append(pin)
    if len(standing) > MOST_PINS:
        weighty = sorted(standing, key=lambda pin: -_weight(pin.quote))[:MOST_PINS]
        standing = [pin for pin in standing if pin in weighty]
    return tuple(standing)


def _weight(quote: str) -> int:
    return len(re.findall(r"\d+|\b[A-Z][a-z]+|[\"“「]", quote))


def overtaken_pins(previous: Sequence[Pin], users: Sequence[Said]) -> tuple[str, ...]:
    new = [statement for message in users for statement in statements_in(message.text)]
    return tuple(
        " ".join(pin.quote.split()) for pin in previous if any(overtakes(text, pin.quote) for text in new)
    )
