"""What was made of a message or a fact: the facts, summary versions and parts of receipts that go with it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from chatmem.domain import Fact
from chatmem.store.tables import (
    ConversationRow,
    FactEvidenceRow,
    FactRow,
    MessageRow,
    PartRow,
    ReceiptRow,
    SummaryRow,
)


@dataclass(frozen=True, slots=True)
class Traces:
    """What was made of some messages and facts, beside them: it goes with them.

    `facts` are those that nothing else proves, `versions` (title of the chat, version), `receipts` how many
    replies were given with one of them in what was sent.
    """

    facts: tuple[Fact, ...]
    versions: tuple[tuple[str, int], ...]
    receipts: int


def owned_messages(owner_id: int, message_ids: Collection[int]) -> Any:
    return (
        select(MessageRow)
        .join(ConversationRow, ConversationRow.id == MessageRow.conversation_id)
        .where(
            ConversationRow.owner_id == owner_id,
            ConversationRow.hidden_at.is_(None),
            MessageRow.id.in_(message_ids),
        )
    )


def facts_going(
    session: Session, owner_id: int, message_ids: Collection[int], fact_ids: Collection[int]
) -> list[FactRow]:
    """The facts named, with all they took the place of, and those learned from these messages alone."""
    cited = select(FactEvidenceRow.fact_id).where(
        FactEvidenceRow.message_id.in_(message_ids), FactEvidenceRow.against.is_(False)
    )
    elsewhere = select(FactEvidenceRow.fact_id).where(
        FactEvidenceRow.against.is_(False),
        FactEvidenceRow.message_id.is_(None) | FactEvidenceRow.message_id.not_in(message_ids),
    )
    learned = session.scalars(
        select(FactRow).where(FactRow.owner_id == owner_id, FactRow.id.in_(cited), FactRow.id.not_in(elsewhere))
    )
    found = {row.id: row for row in learned}
    for fact_id in fact_ids:
        row = session.get(FactRow, fact_id)
        while row is not None and row.owner_id == owner_id and row.id not in found:
            found[row.id] = row
            row = session.get(FactRow, row.replaces_id) if row.replaces_id else None
    return list(found.values())


def covering(session: Session, owner_id: int, message_ids: Collection[int]) -> list[SummaryRow]:
    """The versions that folded one of these messages, and all that carried their text on."""
    numbers: dict[str, set[int]] = {}
    for chat_id, number in session.execute(
        select(MessageRow.conversation_id, MessageRow.number)
        .join(ConversationRow, ConversationRow.id == MessageRow.conversation_id)
        .where(MessageRow.id.in_(message_ids), ConversationRow.owner_id == owner_id)
    ):
        numbers.setdefault(chat_id, set()).add(number)
    covering: dict[int, SummaryRow] = {}
    rows = session.scalars(
        select(SummaryRow).where(SummaryRow.conversation_id.in_(numbers)).order_by(SummaryRow.id)
    )
    for row in rows:
        gone = numbers[row.conversation_id]
        folded = any(first <= number <= last for first, last in row.folded for number in gone)
        if folded or row.parent_id in covering:
            covering[row.id] = row
    return list(covering.values())


def parts_of(
    session: Session,
    owner_id: int,
    message_ids: Collection[int],
    facts: Sequence[FactRow],
    versions: Sequence[SummaryRow],
) -> set[str]:
    """The hashes of receipts' parts that were made of these."""
    sources = [f"quote:{id_}" for id_ in message_ids]
    sources += [f"fact:{row.id}" for row in facts] + [f"summary:{row.id}" for row in versions]
    return set(
        session.scalars(
            select(PartRow.hash).where(PartRow.owner_id == owner_id, PartRow.source.in_(sources))
        ).all()
    )


def layouts(owner_id: int) -> Any:
    return (
        select(ReceiptRow.layout)
        .join(MessageRow, MessageRow.id == ReceiptRow.reply_id)
        .join(ConversationRow, ConversationRow.id == MessageRow.conversation_id)
        .where(ConversationRow.owner_id == owner_id)
    )


def references_in(layout: list[Any]) -> set[str]:
    return {reference for _, references in layout for reference in references}


def receipts_with(session: Session, owner_id: int, references: set[str]) -> list[int]:
    if not references:
        return []
    rows = session.execute(layouts(owner_id).add_columns(ReceiptRow.reply_id))
    return [reply_id for layout, reply_id in rows if references & references_in(layout)]
