"""What is known about an owner: the person's own acts; reading is `FactReading`.

Every change steps the owner's `facts_epoch` and leaves it on the rows it touched, so that whoever
keeps facts in memory reads only what has changed since.
"""

from __future__ import annotations

from chatmem.domain import Fact, FactStatus, NewFact
from chatmem.errors import NotFound
from chatmem.store.fact_reading import FactReading
from chatmem.store.fact_rows import OPEN, end_fact, insert_fact, once, owned_fact, step, values_of
from chatmem.store.forgetting import forget_facts
from chatmem.store.tables import FactRow


class Facts(FactReading):
    """Facts as a person handles them."""

    def add(self, owner_id: int, new: NewFact) -> Fact:
        """A fact in the person's own hand. Raises `FactKnown` when it stands already."""
        with self._database.write() as session, once():
            row = insert_fact(
                session, owner_id, step(session, owner_id, by_hand=True), new, self._database.now(), "added"
            )
            return values_of(session, [row])[0]

    def edit(self, owner_id: int, fact_id: int, new: NewFact) -> Fact:
        """Put a new wording in the place of an open fact, which becomes history. Its pin stays."""
        with self._database.write() as session, once():
            old = owned_fact(session, owner_id, fact_id)
            if old.status not in OPEN:
                raise NotFound()
            epoch, now = step(session, owner_id, by_hand=True), self._database.now()
            if new.text == old.text:
                old.kind, old.revision = new.kind, epoch
                return values_of(session, [old])[0]
            pinned = old.pinned
            end_fact(old, FactStatus.SUPERSEDED, epoch, now)
            session.flush()
            row = insert_fact(session, owner_id, epoch, new, now, "added")
            row.replaces_id, row.pinned = old.id, pinned
            session.flush()
            return values_of(session, [row])[0]

    def pin(self, owner_id: int, fact_id: int, pinned: bool) -> None:
        """Pinned facts open every request, whatever their kind."""
        with self._database.write() as session:
            row = owned_fact(session, owner_id, fact_id)
            row.pinned, row.revision = pinned, step(session, owner_id, by_hand=True)

    def approve(self, owner_id: int, fact_id: int) -> Fact:
        """Take in a pending fact; what it replaces becomes history."""
        with self._database.write() as session, once():
            row = owned_fact(session, owner_id, fact_id)
            if row.status != FactStatus.PENDING:
                raise NotFound()
            epoch, now = step(session, owner_id, by_hand=True), self._database.now()
            row.status, row.revision = FactStatus.LIVE, epoch
            if (
                row.replaces_id
                and (old := session.get(FactRow, row.replaces_id))
                and old.status == FactStatus.LIVE
            ):
                end_fact(old, FactStatus.SUPERSEDED, epoch, now)
            session.flush()
            return values_of(session, [row])[0]

    def dismiss(self, owner_id: int, fact_id: int) -> None:
        """Delete a pending fact, and nothing but that."""
        with self._database.write() as session:
            row = owned_fact(session, owner_id, fact_id)
            if row.status != FactStatus.PENDING:
                raise NotFound()
            step(session, owner_id, by_hand=True)
            session.delete(row)

    def retract(self, owner_id: int, fact_id: int) -> None:
        """No longer true: kept as history, never sent again. `bring_back` takes it back."""
        with self._database.write() as session:
            row = owned_fact(session, owner_id, fact_id)
            end_fact(row, FactStatus.RETRACTED, step(session, owner_id, by_hand=True), self._database.now())

    def bring_back(self, owner_id: int, fact_id: int) -> None:
        """Take back a retraction. Raises `FactKnown` when the same stands again meanwhile."""
        with self._database.write() as session, once():
            row = owned_fact(session, owner_id, fact_id)
            row.status, row.ended_at, row.revision = FactStatus.LIVE, None, step(session, owner_id, by_hand=True)
            session.flush()

    def settle(self, owner_id: int, earlier_id: int, later_id: int, keep: int | None) -> None:
        """Decide a conflict: keep one of the two, the other becoming history, or (None) keep both."""
        with self._database.write() as session:
            earlier, later = owned_fact(session, owner_id, earlier_id), owned_fact(session, owner_id, later_id)
            epoch, now = step(session, owner_id, by_hand=True), self._database.now()
            later.rival_id, later.revision = None, epoch
            if keep == later.id:
                later.replaces_id = later.replaces_id or earlier.id
                end_fact(earlier, FactStatus.SUPERSEDED, epoch, now)
            elif keep == earlier.id:
                end_fact(later, FactStatus.RETRACTED, epoch, now)

    def forget(self, owner_id: int, fact_id: int) -> int:
        """Delete a fact for good, with all it took the place of, their vectors, and receipts' copies.

        Returns how many rows. The messages it was learned from stay; see `Forgetting` for those.
        """
        with self._database.write() as session:
            rows: list[FactRow] = []
            row: FactRow | None = owned_fact(session, owner_id, fact_id)
            while row is not None and row not in rows:
                rows.append(row)
                row = session.get(FactRow, row.replaces_id) if row.replaces_id is not None else None
            forget_facts(session, owner_id, rows)
            return len(rows)
