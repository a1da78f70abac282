"""Rows into values, and the two checks every method begins with."""

from __future__ import annotations

from datetime import date
from typing import Any, Literal, cast

from sqlalchemy import ColumnElement, and_, bindparam, not_, select
from sqlalchemy.orm import Session

from chatmem.domain import (
    Conversation,
    Detail,
    Evidence,
    Fact,
    FactKind,
    FactStatus,
    Failure,
    Message,
    Pin,
    Status,
    Summary,
)
from chatmem.errors import NotFound
from chatmem.store.tables import ConversationRow, FactRow, MessageRow, SummaryRow

_OWNED = select(ConversationRow).where(
    ConversationRow.id == bindparam("conversation_id"),
    ConversationRow.owner_id == bindparam("owner_id"),
    ConversationRow.hidden_at.is_(None),
)
# Built once, like the others of every turn: building a statement costs as much as running it.


def owned(session: Session, owner_id: int, conversation_id: str) -> ConversationRow:
    """The conversation, if this owner has it. Foreign, hidden and missing are the same `NotFound`."""
    if "\0" in conversation_id:
        raise NotFound()  # PostgreSQL takes no such character, and no id has one
    row = session.scalar(_OWNED, {"conversation_id": conversation_id, "owner_id": owner_id})
    if row is None:
        raise NotFound()
    return row


def is_live() -> ColumnElement[bool]:
    """`Message.live` in SQL, worded so that the partial index of live messages serves it."""
    return and_(
        not_(MessageRow.void),
        MessageRow.retired_at.is_(None),
        MessageRow.status != Status.STREAMING,
    )


def conversation_of(row: ConversationRow) -> Conversation:
    return Conversation(
        id=row.id,
        title=row.title,
        created_at=row.created_at,
        updated_at=row.updated_at,
        head_id=row.head_id,
        memory_epoch=row.memory_epoch,
        preset=row.preset,
        can_undo_reset=row.reset_undo is not None,
        uses_facts=row.uses_facts,
        learns=row.learns,
        holds_fold=row.holds_fold,
        pins=tuple(Pin(number, quote) for number, quote in row.pins),
    )


def message_of(row: MessageRow) -> Message:
    return Message(
        id=row.id,
        number=row.number,
        role="user" if row.role == "user" else "assistant",
        text=row.text,
        status=Status(row.status),
        created_at=row.created_at,
        tokens=row.tokens,
        void=row.void,
        retired_at=row.retired_at,
        failure=failure_of(row.failure),
        model=row.model,
        retirement_id=row.retirement_id,
        forgotten_at=row.forgotten_at,
    )


def summary_of(row: SummaryRow) -> Summary:
    return Summary(
        id=row.id,
        version=row.version,
        parent_id=row.parent_id,
        base_id=row.base_id,
        how=cast("Literal['fold', 'edit', 'rebuild']", row.how),
        folded=tuple((first, last) for first, last in row.folded),
        survived=tuple(map(detail_of, row.survived)),
        lost=tuple(map(detail_of, row.lost)),
        suspended_at=row.suspended_at,
        covers_from=row.covers_from,
        covers_through=row.covers_through,
        text=row.text,
        pins=tuple(Pin(number, quote) for number, quote in row.pins),
        source=cast("Literal['model', 'extractive', 'person']", row.source),
        counted=row.counted,
        kept=row.kept,
        tokens=row.tokens,
        created_at=row.created_at,
        model=row.model,
    )


def detail_of(value: list[Any]) -> Detail:
    number, quote, what, kind, *days = value
    return Detail(number, quote, what, kind, tuple(map(date.fromisoformat, days)))


def detail_value(detail: Detail) -> list[Any]:
    return [detail.number, detail.quote, detail.what, detail.kind, *(day.isoformat() for day in detail.days)]


def failure_of(value: dict[str, Any] | None) -> Failure | None:
    return Failure(value["code"], value.get("details", {})) if value else None


def failure_value(failure: Failure | None) -> dict[str, Any] | None:
    return {"code": failure.code, "details": failure.details} if failure else None


def fact_of(row: FactRow, evidence: tuple[Evidence, ...]) -> Fact:
    return Fact(
        id=row.id,
        kind=cast("FactKind", row.kind),
        text=row.text,
        status=FactStatus(row.status),
        origin=cast("Literal['learned', 'added', 'imported']", row.origin),
        created_at=row.created_at,
        confirmed_at=row.confirmed_at,
        pinned=row.pinned,
        ended_at=row.ended_at,
        replaces_id=row.replaces_id,
        rival_id=row.rival_id,
        evidence=evidence,
    )
