"""Memory's own transactions: reading it as one moment, moving the watermark, resetting.

One row decides. Whoever changes memory names the `memory_epoch` it has seen; if the row has moved
on meanwhile, nothing is written and the work is thrown away.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, func, insert, select, update
from sqlalchemy.orm import Session

from chatmem.domain import Memory, Message, NewSummary, Refusal, Status, Summary
from chatmem.errors import NothingToUndo
from chatmem.store.database import Database
from chatmem.store.rows import conversation_of, is_live, message_of, owned, summary_of
from chatmem.store.tables import ConversationRow, FoldRefusalRow, MessageRow, SummaryRow

LAST = 2**31 - 1
"""Above every message's number."""

# Statements of every turn are built once: building one costs as much as running it.

_IN_WINDOW = (
    MessageRow.conversation_id == bindparam("chat_id"),
    MessageRow.number > bindparam("after"),
    MessageRow.number <= bindparam("through"),
    is_live(),
)
_WINDOW = select(MessageRow).where(*_IN_WINDOW).order_by(MessageRow.number.desc()).limit(bindparam("newest"))
_WINDOW_SIZE = select(func.count(), func.coalesce(func.sum(MessageRow.tokens), 0)).where(*_IN_WINDOW)
_LAST_ACTIVE = (
    select(MessageRow.created_at)
    .where(MessageRow.conversation_id == bindparam("chat_id"), is_live(), MessageRow.number < bindparam("below"))
    .order_by(MessageRow.number.desc())
    .limit(1)
)


class MemoryStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    def read(
        self,
        owner_id: int,
        conversation_id: str,
        newest: int,
        through: int | None = None,
        with_summary: bool = True,
    ) -> Memory:
        """What the chat remembers up to message `through` (or now), with the window's `newest` messages.

        Without its summary, a chat's window is all that is live.
        """
        with self._database.read() as session:
            chat = owned(session, owner_id, conversation_id)
            head = session.get(SummaryRow, chat.head_id) if chat.head_id and with_summary else None
            wanted = {
                "chat_id": chat.id,
                "after": head.covers_through if head else 0,
                "through": LAST if through is None else through,
            }
            rows = session.scalars(_WINDOW, {**wanted, "newest": newest}).all()
            count, tokens = len(rows), sum(row.tokens for row in rows)
            if count == newest:
                count, tokens = session.execute(_WINDOW_SIZE, wanted).one()
            return Memory(
                conversation=conversation_of(chat),
                head=summary_of(head) if head else None,
                window=tuple(message_of(row) for row in reversed(rows)),
                window_count=count,
                window_tokens=tokens,
                last_active=session.scalar(
                    _LAST_ACTIVE, {"chat_id": chat.id, "below": LAST if through is None else through}
                ),
            )

    def live_between(self, owner_id: int, conversation_id: str, after: int, through: int) -> list[Message]:
        """The live messages with numbers above `after` up to `through`, in order: what a fold takes."""
        with self._database.read() as session:
            owned(session, owner_id, conversation_id)
            rows = session.scalars(
                select(MessageRow)
                .where(
                    MessageRow.conversation_id == conversation_id,
                    MessageRow.number > after,
                    MessageRow.number <= through,
                    is_live(),
                )
                .order_by(MessageRow.number)
            )
            return [message_of(row) for row in rows]

    def commit_fold(self, owner_id: int, conversation_id: str, seen_epoch: int, new: NewSummary) -> Summary | None:
        """Make a new version the head. None, and nothing written, if memory changed since `seen_epoch`."""
        with self._database.write() as session:
            chat = owned(session, owner_id, conversation_id)
            if not _advance(session, chat.id, seen_epoch):
                return None
            last = session.scalar(
                select(func.max(SummaryRow.version)).where(SummaryRow.conversation_id == chat.id)
            )
            row = SummaryRow(
                conversation_id=chat.id,
                version=(last or 0) + 1,
                parent_id=new.parent_id,
                covers_from=new.covers_from,
                covers_through=new.covers_through,
                text=new.text,
                pins=[[pin.number, pin.quote] for pin in new.pins],
                source=new.source,
                counted=new.counted,
                kept=new.kept,
                tokens=new.tokens,
                model=new.model,
                created_at=self._database.now(),
            )
            session.add(row)
            session.flush()
            chat.head_id = row.id
            return summary_of(row)

    def refuse_fold(
        self, owner_id: int, conversation_id: str, after: int, through: int, reason: str, text: str
    ) -> None:
        """Keep why a fold was not accepted, and what the model wrote."""
        with self._database.write() as session:
            owned(session, owner_id, conversation_id)
            session.execute(
                insert(FoldRefusalRow).values(
                    conversation_id=conversation_id,
                    after=after,
                    through=through,
                    reason=reason,
                    text=text,
                    created_at=self._database.now(),
                )
            )

    def refusals(self, owner_id: int, conversation_id: str, after: int) -> list[Refusal]:
        """The refused attempts at folding what comes after message `after`, the oldest first."""
        with self._database.read() as session:
            owned(session, owner_id, conversation_id)
            rows = session.scalars(
                select(FoldRefusalRow)
                .where(FoldRefusalRow.conversation_id == conversation_id, FoldRefusalRow.after == after)
                .order_by(FoldRefusalRow.id)
            )
            return [Refusal(row.reason, row.created_at) for row in rows]

    def versions(self, owner_id: int, conversation_id: str, limit: int = 50) -> list[Summary]:
        """The newest versions that lead to the head, in order. None from before a reset."""
        with self._database.read() as session:
            chat = owned(session, owner_id, conversation_id)
            found: list[Summary] = []
            next_id = chat.head_id
            rows = {
                row.id: row
                for row in session.scalars(
                    select(SummaryRow)
                    .where(SummaryRow.conversation_id == chat.id)
                    .order_by(SummaryRow.id.desc())
                    .limit(limit)
                )
            }
            while next_id in rows:
                found.append(summary_of(rows[next_id]))
                next_id = rows[next_id].parent_id
            return found[::-1]

    def undo_fold(self, owner_id: int, conversation_id: str, version: int) -> Summary | None:
        """Put the version before `version` in force again, if `version` is the head; the new head."""
        with self._database.write() as session:
            chat = owned(session, owner_id, conversation_id)
            head = session.get(SummaryRow, chat.head_id) if chat.head_id else None
            if head is None or head.version != version:
                raise NothingToUndo()
            _advance(session, chat.id, chat.memory_epoch, head_id=head.parent_id)
            parent = session.get(SummaryRow, head.parent_id) if head.parent_id else None
            return summary_of(parent) if parent else None

    def reset(self, owner_id: int, conversation_id: str) -> int:
        """Retire all messages and the head summary; how many messages. Undone by `undo_reset`."""
        with self._database.write() as session:
            chat = owned(session, owner_id, conversation_id)
            now = self._database.now()
            retired = session.execute(
                update(MessageRow)
                .where(
                    MessageRow.conversation_id == chat.id,
                    MessageRow.retired_at.is_(None),
                    MessageRow.status != Status.STREAMING,
                )
                .values(retired_at=now)
            )
            undo = {"head_id": chat.head_id, "retired_at": now.isoformat()}
            _advance(session, chat.id, chat.memory_epoch, head_id=None, reset_undo=undo)
            return int(retired.rowcount)  # type: ignore[attr-defined]

    def undo_reset(self, owner_id: int, conversation_id: str) -> None:
        """Bring back what the last reset retired. Raises `NothingToUndo` once something was sent."""
        with self._database.write() as session:
            chat = owned(session, owner_id, conversation_id)
            if chat.reset_undo is None:
                raise NothingToUndo()
            session.execute(
                update(MessageRow)
                .where(
                    MessageRow.conversation_id == chat.id,
                    MessageRow.retired_at == datetime.fromisoformat(chat.reset_undo["retired_at"]),
                )
                .values(retired_at=None)
            )
            _advance(session, chat.id, chat.memory_epoch, head_id=chat.reset_undo["head_id"], reset_undo=None)


def _advance(session: Session, conversation_id: str, seen_epoch: int, **values: Any) -> bool:
    """Step the epoch, if it is still the one seen; the values go with it."""
    moved = session.execute(
        update(ConversationRow)
        .where(ConversationRow.id == conversation_id, ConversationRow.memory_epoch == seen_epoch)
        .values(memory_epoch=seen_epoch + 1, **values)
    )
    return bool(moved.rowcount)  # type: ignore[attr-defined]
