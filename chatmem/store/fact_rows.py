"""Rows of facts: making and ending them, and what every change of them has to do."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Sequence
from typing import Any

from sqlalchemy import bindparam, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from chatmem.domain import Evidence, Fact, FactStatus, NewFact
from chatmem.errors import FactKnown, NotFound
from chatmem.search_terms import terms
from chatmem.store.rows import fact_of
from chatmem.store.tables import (
    ConversationRow,
    FactEvidenceRow,
    FactRow,
    MessageRow,
    OwnerRow,
)

OPEN = (FactStatus.LIVE, FactStatus.PENDING, FactStatus.QUARANTINED)
"""What stands and can be acted on; the others are history."""


class once:
    """Inside, a second open fact of the same words is `FactKnown`, whoever was faster."""

    def __enter__(self) -> None: ...

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        if isinstance(error, IntegrityError):
            raise FactKnown() from error


def fingerprint(text: str) -> str:
    """Equal for texts that differ in case, spacing, punctuation and full- or half-width forms only."""
    letters = (c for c in unicodedata.normalize("NFKC", text).casefold() if not c.isspace())
    bare = "".join(c for c in letters if unicodedata.category(c)[0] not in "PC")
    return hashlib.sha256((bare or text.strip()).encode()).hexdigest()


def step(session: Session, owner_id: int, by_hand: bool = False) -> int:
    """The owner's next `facts_epoch`. What a person does by hand shows at once in every chat."""
    values = {"facts_epoch": OwnerRow.facts_epoch + 1}
    if by_hand:
        values["hand_epoch"] = OwnerRow.hand_epoch + 1
    epoch: int | None = session.scalar(
        update(OwnerRow).where(OwnerRow.id == owner_id).values(**values).returning(OwnerRow.facts_epoch)
    )
    if epoch is None:
        raise NotFound()
    return epoch


def insert_fact(session: Session, owner_id: int, epoch: int, new: NewFact, now: Any, origin: str) -> FactRow:
    """A row with its evidence. What it replaces or contradicts is left out when the owner has no such fact.

    Raises `NotFound` for a message that is not the owner's, and IntegrityError for a second open copy: see `once`.
    """
    message = owned_message(session, owner_id, new.message_id) if new.message_id else None
    named = {new.replaces_id, new.rival_id} - {None}
    theirs = select(FactRow.id).where(FactRow.owner_id == owner_id, FactRow.id.in_(named))
    known = set(session.scalars(theirs)) if named else set()
    row = FactRow(
        owner_id=owner_id, kind=new.kind, text=new.text, fingerprint=fingerprint(new.text),
        terms=" ".join(dict.fromkeys(terms(new.text))), status=new.status, origin=origin, pinned=False,
        replaces_id=new.replaces_id if new.replaces_id in known else None,
        rival_id=new.rival_id if new.rival_id in known else None,
        created_at=now, confirmed_at=now, revision=epoch,
    )  # fmt: skip
    session.add(row)
    session.flush()
    session.add(
        FactEvidenceRow(
            fact_id=row.id, message_id=new.message_id, quote=new.quote, against=False,
            conversation_id=message.conversation_id if message else None,
            said_at=message.created_at if message else now,
        )
    )  # fmt: skip
    session.flush()
    return row


def end_fact(row: FactRow, status: FactStatus, epoch: int, now: Any) -> None:
    """Make a fact history. Nothing contradicts it any more, and it contradicts nothing."""
    row.status, row.ended_at, row.revision, row.rival_id = status, now, epoch, None


def owned_message(session: Session, owner_id: int, message_id: int) -> MessageRow:
    """The message, if it is in a chat of this owner. Raises `NotFound`, the same for a foreign one as for none."""
    row = session.scalar(
        select(MessageRow)
        .join(ConversationRow, ConversationRow.id == MessageRow.conversation_id)
        .where(MessageRow.id == message_id, ConversationRow.owner_id == owner_id)
    )
    if row is None:
        raise NotFound()
    return row


def owned_fact(session: Session, owner_id: int, fact_id: int) -> FactRow:
    """The fact, if this owner has it. Raises `NotFound`, the same for a foreign fact as for none."""
    row = session.scalar(select(FactRow).where(FactRow.id == fact_id, FactRow.owner_id == owner_id))
    if row is None:
        raise NotFound()
    return row


_EVIDENCE = (
    select(
        FactEvidenceRow.fact_id,
        FactEvidenceRow.quote,
        FactEvidenceRow.said_at,
        FactEvidenceRow.message_id,
        FactEvidenceRow.against,
        MessageRow.conversation_id,
        MessageRow.number,
    )
    .outerjoin(MessageRow, MessageRow.id == FactEvidenceRow.message_id)
    .where(FactEvidenceRow.fact_id.in_(bindparam("ids", expanding=True)))
    .order_by(FactEvidenceRow.id)
)


def values_of(session: Session, rows: Sequence[FactRow]) -> list[Fact]:
    """Rows with their evidence, as values."""
    evidence: dict[int, list[Evidence]] = {}
    proofs = session.execute(_EVIDENCE, {"ids": [row.id for row in rows]}).all() if rows else []
    for proof in proofs:
        evidence.setdefault(proof.fact_id, []).append(
            Evidence(
                proof.quote, proof.said_at, proof.message_id, proof.conversation_id, proof.number, proof.against
            )
        )
    return [fact_of(row, tuple(evidence.get(row.id, ()))) for row in rows]
