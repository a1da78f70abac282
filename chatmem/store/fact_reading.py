"""What is known about an owner: reading it, and the vectors that recall compares."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from sqlalchemy import bindparam, delete, func, select, update
from sqlalchemy.orm import Session, aliased

from chatmem.domain import Fact, FactKind, FactStatus, Opening
from chatmem.store.database import Database
from chatmem.store.fact_rows import OPEN, owned_fact, step, values_of
from chatmem.store.rows import owned
from chatmem.store.tables import (
    FactEvidenceRow,
    FactRow,
    FactVectorRow,
    MessageRow,
    OwnerRow,
)


@dataclass(frozen=True, slots=True)
class FactEntry:
    """What recall compares of one fact. `vector` is of the model asked for, as float32 bytes."""

    id: int
    revision: int
    is_live: bool
    text: str
    terms: str
    vector: bytes | None


@dataclass(frozen=True, slots=True)
class FactNews:
    """What has changed, as of `epoch`. `live` counts the live facts there are: a forgotten one leaves no entry."""

    epoch: int
    live: int
    entries: list[FactEntry]


class FactReading:
    def __init__(self, database: Database) -> None:
        self._database = database

    # --- reading --------------------------------------------------------------------------------

    def get(self, owner_id: int, fact_id: int) -> Fact:
        """Raises `NotFound`, the same for a foreign fact as for none."""
        with self._database.read() as session:
            return values_of(session, [owned_fact(session, owner_id, fact_id)])[0]

    def these(self, owner_id: int, fact_ids: Sequence[int]) -> list[Fact]:
        """The facts among these ids that may be sent, in the order given."""
        if not fact_ids:
            return []
        with self._database.read() as session:
            rows = session.scalars(_THESE, {"owner_id": owner_id, "ids": list(fact_ids)}).all()
            by_id = {fact.id: fact for fact in values_of(session, rows)}
        return [by_id[id_] for id_ in fact_ids if id_ in by_id]

    def page(
        self,
        owner_id: int,
        statuses: Sequence[FactStatus] = (FactStatus.LIVE,),
        kind: FactKind | None = None,
        search: str = "",
        limit: int = 50,
        offset: int = 0,
    ) -> list[Fact]:
        """An owner's facts with any of these statuses: pinned ones first, then the latest said."""
        query = _filtered(select(FactRow), owner_id, statuses, kind, search)
        query = query.order_by(*_BY_WEIGHT)
        with self._database.read() as session:
            return values_of(session, session.scalars(query.limit(limit).offset(offset)).all())

    def texts(self, owner_id: int, limit: int) -> list[str]:
        """The texts of live facts, the latest said first."""
        live = (FactRow.owner_id == owner_id, FactRow.status == FactStatus.LIVE)
        with self._database.read() as session:
            return list(session.scalars(select(FactRow.text).where(*live).order_by(*_BY_WEIGHT).limit(limit)))

    def count(
        self,
        owner_id: int,
        statuses: Sequence[FactStatus] = (FactStatus.LIVE,),
        kind: FactKind | None = None,
        search: str = "",
    ) -> int:
        with self._database.read() as session:
            query = _filtered(select(func.count()).select_from(FactRow), owner_id, statuses, kind, search)
            return session.scalar(query) or 0

    def counts(self, owner_id: int) -> dict[tuple[FactStatus, FactKind], int]:
        """How many facts there are of each status and kind."""
        with self._database.read() as session:
            rows = session.execute(
                select(FactRow.status, FactRow.kind, func.count())
                .where(FactRow.owner_id == owner_id)
                .group_by(FactRow.status, FactRow.kind)
            )
            return {(FactStatus(status), cast("FactKind", kind)): count for status, kind, count in rows}

    def conflicts(self, owner_id: int) -> list[tuple[Fact, Fact]]:
        """Pairs of live facts that seem to contradict each other: (earlier, later)."""
        with self._database.read() as session:
            later = session.scalars(
                select(FactRow)
                .where(
                    FactRow.owner_id == owner_id,
                    FactRow.status == FactStatus.LIVE,
                    FactRow.rival_id.is_not(None),
                )
                .order_by(FactRow.id)
            ).all()
            earlier = {
                row.id: row
                for row in session.scalars(
                    select(FactRow).where(
                        FactRow.id.in_([row.rival_id for row in later]), FactRow.status == FactStatus.LIVE
                    )
                )
            }
            pairs = [(earlier[row.rival_id], row) for row in later if row.rival_id in earlier]
            values = iter(values_of(session, [row for pair in pairs for row in pair]))
            return list(zip(values, values, strict=True))

    def history(self, owner_id: int, fact_id: int) -> list[Fact]:
        """The facts that this one took the place of, the latest first."""
        with self._database.read() as session:
            row: FactRow | None = owned_fact(session, owner_id, fact_id)
            rows: list[FactRow] = []
            while row is not None and row.replaces_id is not None and len(rows) < 100:
                row = session.get(FactRow, row.replaces_id)
                if row is not None:
                    rows.append(row)
            return values_of(session, rows)

    def epoch(self, owner_id: int) -> int:
        """Grows with every change of the owner's facts; 0 before the first."""
        with self._database.read() as session:
            return session.scalar(select(OwnerRow.facts_epoch).where(OwnerRow.id == owner_id)) or 0

    def entries(self, owner_id: int, after_revision: int, model: str) -> FactNews:
        """What has changed after a revision (0: all that live), for recall to compare; vectors of `model` only."""
        changed = FactRow.revision > after_revision if after_revision else FactRow.status == FactStatus.LIVE
        with self._database.read() as session:
            epoch = session.scalar(select(OwnerRow.facts_epoch).where(OwnerRow.id == owner_id)) or 0
            live = session.scalar(
                select(func.count())
                .select_from(FactRow)
                .where(FactRow.owner_id == owner_id, FactRow.status == FactStatus.LIVE)
            )
            rows = session.execute(
                select(
                    FactRow.id, FactRow.revision, FactRow.status, FactRow.text, FactRow.terms, FactVectorRow.vector
                )
                .outerjoin(FactVectorRow, (FactVectorRow.fact_id == FactRow.id) & (FactVectorRow.model == model))
                .where(FactRow.owner_id == owner_id, changed)
                .order_by(FactRow.id)
            )
            entries = [
                FactEntry(id_, revision, status == FactStatus.LIVE, text, words, vector)
                for id_, revision, status, text, words, vector in rows
            ]
            return FactNews(epoch, live or 0, entries)

    # --- what opens a chat's requests -----------------------------------------------------------

    def opening(self, owner_id: int, conversation_id: str) -> Opening:
        """The facts frozen for a chat; those of them that still stand."""
        with self._database.read() as session:
            chat = owned(session, owner_id, conversation_id)
            owner = session.get_one(OwnerRow, owner_id)
            frozen = chat.frozen_facts or {}
            ids = frozen.get("ids", [])
            rows = session.scalars(_THESE, {"owner_id": owner_id, "ids": ids}).all() if ids else []
            by_id = {row.id: row for row in rows}
            current = {"ids": list(by_id), "head": chat.head_id, "hand": owner.hand_epoch}
            return Opening(
                facts=tuple(values_of(session, [by_id[id_] for id_ in ids if id_ in by_id])),
                holds=bool(frozen) and {**frozen, "ids": sorted(ids)} == {**current, "ids": sorted(by_id)},
                facts_epoch=owner.facts_epoch,
                hand_epoch=owner.hand_epoch,
                outdated=_outdated(session, owner_id, chat.id) if owner.facts_epoch else {},
            )

    def stable(self, owner_id: int, limit: int) -> list[Fact]:
        """Live facts fit to open every request: pinned ones first, then the latest said."""
        query = _LIVE.where(FactRow.pinned | FactRow.kind.in_(("profile", "preference")))
        query = query.order_by(*_BY_WEIGHT).limit(limit)
        with self._database.read() as session:
            return values_of(session, session.scalars(query, {"owner_id": owner_id}).all())

    def freeze(
        self, owner_id: int, conversation_id: str, fact_ids: Sequence[int], head_id: int | None, hand_epoch: int
    ) -> None:
        """Keep which facts open this chat's requests, and what that was decided on."""
        with self._database.write() as session:
            chat = owned(session, owner_id, conversation_id)
            chat.frozen_facts = {"ids": list(fact_ids), "head": head_id, "hand": hand_epoch}

    def outdated(self, owner_id: int, conversation_id: str) -> dict[int, str]:
        """The messages of a chat that prove only facts which have ended: their numbers, and the words that did."""
        with self._database.read() as session:
            return _outdated(session, owner_id, conversation_id)

    # --- vectors --------------------------------------------------------------------------------

    def without_vector(self, owner_id: int, model: str, limit: int) -> list[tuple[int, str]]:
        """(id, text) of open facts that `model` has not embedded yet, the newest first."""
        with self._database.read() as session:
            embedded = select(FactVectorRow.fact_id).where(
                FactVectorRow.fact_id == FactRow.id, FactVectorRow.model == model
            )
            rows = session.execute(
                select(FactRow.id, FactRow.text)
                .where(FactRow.owner_id == owner_id, FactRow.status.in_(OPEN), ~embedded.exists())
                .order_by(FactRow.id.desc())
                .limit(limit)
            )
            return [(id_, text) for id_, text in rows]

    def owners_without_vectors(self, model: str) -> list[int]:
        """Owners with an open fact that `model` has not embedded."""
        with self._database.read() as session:
            embedded = select(FactVectorRow.fact_id).where(
                FactVectorRow.fact_id == FactRow.id, FactVectorRow.model == model
            )
            query = select(FactRow.owner_id).where(FactRow.status.in_(OPEN), ~embedded.exists())
            return list(session.scalars(query.distinct()))

    def save_vectors(self, owner_id: int, model: str, vectors: Sequence[tuple[int, bytes]]) -> None:
        """Keep embeddings. A fact that is gone meanwhile is passed over; another model's vectors go."""
        if not vectors:
            return
        with self._database.write() as session:
            epoch = step(session, owner_id)
            for fact_id, vector in vectors:
                touched = session.execute(
                    update(FactRow)
                    .where(FactRow.id == fact_id, FactRow.owner_id == owner_id)
                    .values(revision=epoch)
                )
                if touched.rowcount:  # type: ignore[attr-defined]
                    session.execute(delete(FactVectorRow).where(FactVectorRow.fact_id == fact_id))
                    session.add(FactVectorRow(fact_id=fact_id, model=model, vector=vector))


def _outdated(session: Session, owner_id: int, conversation_id: str) -> dict[int, str]:
    wanted = {"owner_id": owner_id, "conversation_id": conversation_id}
    rows = session.execute(_PROOFS_IN_CHAT, wanted).all()
    standing = {number for number, status, _ in rows if status in OPEN}
    return {number: quote for number, _, quote in rows if number not in standing}


_BY_WEIGHT = (FactRow.pinned.desc(), FactRow.confirmed_at.desc(), FactRow.id.desc())


# Statements of every turn are built once: building one costs as much as running it.

_later = aliased(FactRow)
_LIVE = select(FactRow).where(
    FactRow.owner_id == bindparam("owner_id"),
    FactRow.status == FactStatus.LIVE,
    # Of two that contradict each other only the later one, until the person decides.
    ~select(_later.id)
    .where(
        _later.owner_id == bindparam("owner_id"),
        _later.status == FactStatus.LIVE,
        _later.rival_id == FactRow.id,
    )
    .exists(),
)
"""What may be sent."""

_THESE = _LIVE.where(FactRow.id.in_(bindparam("ids", expanding=True)))

_PROOFS_IN_CHAT = (
    select(MessageRow.number, FactRow.status, FactEvidenceRow.quote)
    .join(FactEvidenceRow, FactEvidenceRow.message_id == MessageRow.id)
    .join(FactRow, FactRow.id == FactEvidenceRow.fact_id)
    .where(
        FactEvidenceRow.conversation_id == bindparam("conversation_id"),
        FactRow.owner_id == bindparam("owner_id"),
        FactEvidenceRow.against.is_(False),
    )
)


def _filtered(
    query: Any, owner_id: int, statuses: Sequence[FactStatus], kind: FactKind | None, search: str
) -> Any:
    query = query.where(FactRow.owner_id == owner_id, FactRow.status.in_(statuses))
    if kind:
        query = query.where(FactRow.kind == kind)
    for word in search.replace("\0", " ").split():
        query = query.where(FactRow.text.icontains(word, autoescape=True))
    return query
