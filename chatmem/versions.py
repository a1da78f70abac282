"""The person's hand on mid-term memory: what the next fold takes, and the versions of a summary.

Everything here can be taken back: versions are immutable, so that editing, pinning and rebuilding each
make a new one, and any that still fits can be put in force again.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from chatmem.domain import Detail, Memory, NewSummary, Pin, Summary
from chatmem.errors import ChatChanged, SummaryEmpty, SummaryTooLong
from chatmem.folder import MOST_FACTS
from chatmem.memory.loss import account, details
from chatmem.policy import MemoryPolicy
from chatmem.store import Store
from chatmem.text import clean_text


@dataclass(frozen=True, slots=True)
class Forecast:
    """What the next message will fold: messages `first` to `last`, unless it is `held`."""

    first: int
    last: int
    held: bool


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text in a comparison of two versions."""

    text: str
    change: Literal["same", "added", "removed"]


class Versions:
    """Every method acts for one owner."""

    def __init__(self, store: Store, count_tokens: Callable[[str], int]) -> None:
        self._store = store
        self._count_tokens = count_tokens

    # --- reading --------------------------------------------------------------------------------

    def forecast(self, memory: Memory, policy: MemoryPolicy) -> Forecast | None:
        """What the next message would fold by count, were it sent now."""
        window = memory.window
        if not policy.folds or memory.window_count + 1 <= policy.fold_above or len(window) < policy.keep:
            return None
        kept = policy.keep - 1  # the message that is coming stays too
        last = window[len(window) - kept - 1].number
        return Forecast(memory.covered + 1, last, memory.conversation.holds_fold)

    def about_to_fold(self, owner_id: int, conversation_id: str, forecast: Forecast) -> tuple[Detail, ...]:
        """The exact details in the messages that the next one folds: what may be worth a pin."""
        messages = self._store.memory.live_between(owner_id, conversation_id, forecast.first - 1, forecast.last)
        return details(messages)

    # --- the person's acts ----------------------------------------------------------------------

    def edit(
        self, owner_id: int, conversation_id: str, seen: int, text: str, pins: Sequence[Pin], limit: int
    ) -> Summary:
        """A new version in the person's words, with those of the pins that they kept.

        `seen` is the version they edited. Raises `SummaryEmpty`, `SummaryTooLong` for more than `limit` tokens,
        `ChatChanged` when another one is in force, and `NotFound`.
        """
        text = "\n".join(line.rstrip() for line in clean_text(text).strip().splitlines() if line.strip())
        if not text:
            raise SummaryEmpty()
        if (tokens := self._count_tokens(text)) > limit:
            raise SummaryTooLong(tokens=f"{tokens:,}", limit=f"{limit:,}")
        memory, head = self._in_force(owner_id, conversation_id, seen)
        kept = tuple(pin for pin in head.pins if pin in pins)
        dropped = [pin for pin in head.pins if pin not in pins]
        self._store.versions.pin(owner_id, conversation_id, dropped, pinned=False)
        return self._commit(owner_id, memory, head, text, kept)

    def put_back(self, owner_id: int, conversation_id: str, seen: int, lost: Sequence[Detail]) -> Summary:
        """Pin what a fold lost: a new version of the same text, with these quotes beside it.

        Raises `ChatChanged`, `NotInMessage` or `NotFound`.
        """
        memory, head = self._in_force(owner_id, conversation_id, seen)
        new = [Pin(detail.number, detail.quote) for detail in lost]
        self._store.versions.pin(owner_id, conversation_id, new)
        pins = (*head.pins, *(pin for pin in dict.fromkeys(new) if pin not in head.pins))
        return self._commit(owner_id, memory, head, head.text, pins)

    def pin(self, owner_id: int, conversation_id: str, pins: Sequence[Pin]) -> None:
        """Have these quotes carried along when their messages are folded. Raises `NotInMessage`."""
        self._store.versions.pin(owner_id, conversation_id, pins)

    def unpin(self, owner_id: int, conversation_id: str, pins: Sequence[Pin]) -> None:
        """Take `pin` back; versions made meanwhile keep what they have."""
        self._store.versions.pin(owner_id, conversation_id, pins, pinned=False)

    def hold(self, owner_id: int, conversation_id: str, holds: bool) -> None:
        """Put off folds that are due by count; what passes the window's tokens is still folded."""
        self._store.memory.hold(owner_id, conversation_id, holds)

    def put_in_force(
        self, owner_id: int, conversation_id: str, version: int | None, seen: int | None
    ) -> Summary | None:
        """Roll back to a version, or forward to one; None for none at all. Raises `ChatChanged`."""
        return self._store.versions.put_in_force(owner_id, conversation_id, version, seen)

    # --- within ---------------------------------------------------------------------------------

    def _in_force(self, owner_id: int, conversation_id: str, seen: int) -> tuple[Memory, Summary]:
        memory = self._store.memory.read(owner_id, conversation_id, newest=1)
        if memory.head is None or memory.head.version != seen:
            raise ChatChanged()
        return memory, memory.head

    def _commit(self, owner_id: int, memory: Memory, head: Summary, text: str, pins: tuple[Pin, ...]) -> Summary:
        chat_id = memory.conversation.id
        told = account((*head.survived, *head.lost), (), text, pins, self._store.facts.texts(owner_id, MOST_FACTS))
        by_hand = text != head.text
        new = NewSummary(
            parent_id=head.id, base_id=head.id, how="edit", covers_from=head.covers_from,
            covers_through=head.covers_through, text=text, pins=pins,
            source="person" if by_hand else head.source, counted=head.counted, kept=head.kept,
            tokens=self._count_tokens(text), model="" if by_hand else head.model,
            survived=told.kept, lost=told.lost,
        )  # fmt: skip
        made = self._store.memory.commit(owner_id, chat_id, memory.conversation.memory_epoch, new)
        if made is None:
            raise ChatChanged()
        return made


def compare(before: str, after: str) -> list[Piece]:
    """Two texts as stretches of words: what stayed, what went and what came."""
    old, new = _words(before), _words(after)
    pieces: list[Piece] = []
    for tag, a, b, c, d in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            pieces.append(Piece("".join(old[a:b]), "same"))
            continue
        if b > a:
            pieces.append(Piece("".join(old[a:b]), "removed"))
        if d > c:
            pieces.append(Piece("".join(new[c:d]), "added"))
    return pieces


def _words(text: str) -> list[str]:
    """Words with the space behind them, so that they join to the text again."""
    return re.findall(r"\S+\s*|\s+", text)
