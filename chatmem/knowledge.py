"""What is known about an owner, for pages and the terminal: reading it, and the person's own acts.

Everything a person writes here is checked like what a helper extracts: in one line, not too long, not
known already, and instruction-like text is kept but quarantined.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from chatmem.background import Background
from chatmem.domain import FACT_KINDS, Fact, FactKind, FactStatus, NewFact
from chatmem.errors import FactKnown, NotFound
from chatmem.llm.teaching import relation
from chatmem.memory.facts import checked_text
from chatmem.memory.quarantine import acts_as_instruction
from chatmem.memory.recall import Recall
from chatmem.store import Store

NEIGHBOURS = 10
"""Facts that a new one is compared with: those most like it."""


MOST_AT_ONCE = 1_000
"""Pending facts that one "keep all" takes in."""


@dataclass(frozen=True, slots=True)
class Overview:
    """How much is known, and what waits for the person."""

    by_kind: dict[FactKind, int]
    pending: int
    quarantined: int
    conflicts: int

    @property
    def live(self) -> int:
        return sum(self.by_kind.values())


class Knowledge:
    """The person's hand on long-term memory. Every method acts for one owner."""

    def __init__(self, store: Store, recall: Recall, background: Background) -> None:
        self._facts = store.facts
        self._recall = recall
        self._background = background

    # --- reading --------------------------------------------------------------------------------

    def overview(self, owner_id: int) -> Overview:
        counts = self._facts.counts(owner_id)

        def of(status: FactStatus) -> int:
            return sum(count for (one, _), count in counts.items() if one is status)

        return Overview(
            by_kind={kind: counts.get((FactStatus.LIVE, kind), 0) for kind in FACT_KINDS},
            pending=of(FactStatus.PENDING),
            quarantined=of(FactStatus.QUARANTINED),
            conflicts=len(self._facts.conflicts(owner_id)),
        )

    def page(
        self, owner_id: int, kind: FactKind | None = None, search: str = "", limit: int = 50, offset: int = 0
    ) -> tuple[list[Fact], int]:
        """Live facts, pinned ones first, then the latest said, and how many there are in all."""
        live = (FactStatus.LIVE,)
        total = self._facts.count(owner_id, live, kind, search)
        return self._facts.page(owner_id, live, kind, search, limit, offset), total

    def waiting(self, owner_id: int, status: FactStatus, limit: int = 50) -> list[Fact]:
        """What is pending or quarantined, the latest first."""
        return self._facts.page(owner_id, (status,), limit=limit)

    def conflicts(self, owner_id: int) -> list[tuple[Fact, Fact]]:
        """Pairs that seem to contradict each other: (earlier, later)."""
        return self._facts.conflicts(owner_id)

    def history(self, owner_id: int, fact_id: int) -> list[Fact]:
        """What a fact took the place of, the latest first."""
        return self._facts.history(owner_id, fact_id)

    # --- the person's acts ----------------------------------------------------------------------

    def add(self, owner_id: int, kind: FactKind, text: str) -> Fact:
        """Raises `FactEmpty`, `FactTooLong` or `FactKnown`. Instruction-like text comes back quarantined."""
        return self._after(owner_id, lambda: self._facts.add(owner_id, self._new(owner_id, kind, text, None)))

    def edit(self, owner_id: int, fact_id: int, kind: FactKind, text: str) -> Fact:
        """A new wording in the place of the old, which becomes history. Raises as `add` does, or `NotFound`."""
        new = self._new(owner_id, kind, text, fact_id)
        old = self._facts.get(owner_id, fact_id)
        edited = self._after(owner_id, lambda: self._facts.edit(owner_id, fact_id, new))
        waited = old.status is FactStatus.PENDING and edited.id != old.id
        if waited and old.replaces_id is not None and edited.status is FactStatus.LIVE:
            # In the person's own words the pending fact still takes the place of what it was to replace.
            self._facts.settle(owner_id, old.replaces_id, edited.id, edited.id)
        return edited

    def pin(self, owner_id: int, fact_id: int, pinned: bool) -> None:
        """Pinned facts open every request, whatever their kind."""
        self._facts.pin(owner_id, fact_id, pinned)

    def approve(self, owner_id: int, fact_id: int) -> None:
        """Take in a pending fact; what it replaces becomes history."""
        self._facts.approve(owner_id, fact_id)

    def approve_all(self, owner_id: int) -> int:
        """Take in everything pending; how many. One that is gone or known meanwhile is passed over."""
        kept = 0
        for fact_id in [fact.id for fact in self.waiting(owner_id, FactStatus.PENDING, MOST_AT_ONCE)]:
            with suppress(NotFound, FactKnown):
                self.approve(owner_id, fact_id)
                kept += 1
        return kept

    def dismiss(self, owner_id: int, fact_id: int) -> None:
        """No to a pending fact: it is deleted. What it was to replace stands."""
        self._facts.dismiss(owner_id, fact_id)

    def retract(self, owner_id: int, fact_id: int) -> None:
        """No longer true: kept as history, never sent again."""
        self._facts.retract(owner_id, fact_id)

    def bring_back(self, owner_id: int, fact_id: int) -> None:
        """Take back `retract`."""
        self._facts.bring_back(owner_id, fact_id)

    def settle(self, owner_id: int, earlier_id: int, later_id: int, keep: int | None) -> None:
        """Decide a conflict: keep one of the two, or (None) both."""
        self._facts.settle(owner_id, earlier_id, later_id, keep)

    def forget(self, owner_id: int, fact_id: int) -> None:
        """Delete a fact for good, with what it took the place of. The messages it came from stay."""
        self._facts.forget(owner_id, fact_id)
        self._recall.index.drop(owner_id)

    # --- checks ---------------------------------------------------------------------------------

    def _new(self, owner_id: int, kind: FactKind, text: str, replacing: int | None) -> NewFact:
        text = checked_text(text)
        rival: int | None = None
        for fact, likeness in self._neighbours(owner_id, text):
            how = relation(text, fact.text, likeness)
            if fact.id == replacing:
                continue
            if how == "same":
                raise FactKnown()
            if how in ("rivals", "replaces"):
                rival = fact.id
        status = FactStatus.QUARANTINED if acts_as_instruction(text) else FactStatus.LIVE
        return NewFact(
            kind=kind, text=text, status=status, quote=text,
            rival_id=rival if status is FactStatus.LIVE else None,
        )  # fmt: skip

    def _neighbours(self, owner_id: int, text: str) -> list[tuple[Fact, float | None]]:
        near = dict(next(iter(self._recall.index.nearest(owner_id, [text], NEIGHBOURS)), []))
        found = {one.fact.id: one.fact for one in self._recall.index.search(owner_id, text, NEIGHBOURS)}
        found |= {fact.id: fact for fact in self._facts.these(owner_id, [i for i in near if i not in found])}
        return [(fact, near.get(fact.id)) for fact in found.values()]

    def _after(self, owner_id: int, act: Callable[[], Fact]) -> Fact:
        fact = act()
        self._background.embed(owner_id)
        return fact
