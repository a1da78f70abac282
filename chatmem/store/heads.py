"""The head of a chat's summaries: moving it, and which version fits what is live.

Every change of memory steps the `memory_epoch`; whoever comes with an older one is too late.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from chatmem.errors import ChatChanged
from chatmem.store.rows import is_live
from chatmem.store.tables import ConversationRow, MessageRow, SummaryRow


def try_advance(session: Session, conversation_id: str, seen_epoch: int, **values: Any) -> bool:
    """Step the epoch, if it is still the one seen; the values go with it."""
    moved = session.execute(
        update(ConversationRow)
        .where(ConversationRow.id == conversation_id, ConversationRow.memory_epoch == seen_epoch)
        .values(memory_epoch=seen_epoch + 1, **values)
    )
    return bool(moved.rowcount)  # type: ignore[attr-defined]


def advance(session: Session, conversation_id: str, seen_epoch: int, **values: Any) -> None:
    """The same for an act of the person. Raises `ChatChanged`."""
    if not try_advance(session, conversation_id, seen_epoch, **values):
        raise ChatChanged()


def base_before(session: Session, head_id: int | None, number: int) -> int | None:
    """The last version, from the head down, that covers nothing from message `number` on."""
    row = session.get(SummaryRow, head_id) if head_id else None
    while row is not None and (row.covers_through >= number or row.suspended_at is not None):
        row = session.get(SummaryRow, row.base_id) if row.base_id else None
    return row.id if row is not None else None


def still_fitting(session: Session, conversation_id: str, head_id: int | None) -> int | None:
    """This version, or the last below it that may be the head now."""
    row = session.get(SummaryRow, head_id) if head_id else None
    while row is not None and not fits(session, row):
        row = session.get(SummaryRow, row.base_id) if row.base_id else None
    return row.id if row is not None else None


def fits(session: Session, row: SummaryRow) -> bool:
    """Whether a version may be the head: nothing it covers was forgotten, and its messages are the live ones.

    The live messages are one path (see `branches`), so its last message being live says it of all.
    """
    if row.suspended_at is not None:
        return False
    found = select(MessageRow.id).where(
        MessageRow.conversation_id == row.conversation_id, MessageRow.number == row.covers_through, is_live()
    )
    return session.scalar(found) is not None
