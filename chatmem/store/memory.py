"""Memory's own transactions: reading it as one moment, moving the watermark, resetting; see also `versions`.

One row decides. Whoever changes memory names the `memory_epoch` it has seen; if the row has moved
on meanwhile, nothing is written and the work is thrown away.
"""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import bindparam, func, insert, select, update

from chatmem.domain import Memory, Message, NewSummary, Refusal, Status, Summary
from chatmem.errors import NothingToUndo
from chatmem.store.database import Database
from chatmem.store.heads import advance, still_fitting, try_advance
from chatmem.store.rows import conversation_of, detail_value, is_live, message_of, owned, summary_of
from chatmem.store.tables import FoldRefusalRow, MessageRow, SummaryRow

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

    def commit(self, owner_id: int, conversation_id: str, seen_epoch: int, new: NewSummary) -> Summary | None:
        """Make a new version the head. None, and nothing written, if memory changed since `seen_epoch`."""
        with self._database.write() as session:
            chat = owned(session, owner_id, conversation_id)
            if not try_advance(session, chat.id, seen_epoch):
                return None
            last = session.scalar(
                select(func.max(SummaryRow.version)).where(SummaryRow.conversation_id == chat.id)
            )
            row = summary_row(chat.id, (last or 0) + 1, new, self._database.now())
            session.add(row)
            session.flush()
            chat.head_id = row.id
            return summary_of(row)

    def refuse_fold(
        self,
        owner_id: int,
        conversation_id: str,
        seen_epoch: int,
        after: int,
        through: int,
        reason: str,
        text: str,
    ) -> None:
        """Keep why a fold was not accepted, and what the model wrote; nothing if memory changed meanwhile.

        What it wrote may repeat something that has been forgotten since.
        """
        with self._database.write() as session:
            if owned(session, owner_id, conversation_id).memory_epoch != seen_epoch:
                return
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

    def hold(self, owner_id: int, conversation_id: str, holds: bool) -> None:
        """Put folding off, or let it go on."""
        with self._database.write() as session:
            owned(session, owner_id, conversation_id).holds_fold = holds

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
            advance(session, chat.id, chat.memory_epoch, head_id=None, reset_undo=undo)
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
            session.flush()
            head_id = still_fitting(session, chat.id, chat.reset_undo["head_id"])
            advance(session, chat.id, chat.memory_epoch, head_id=head_id, reset_undo=None)


def summary_row(conversation_id: str, version: int, new: NewSummary, now: datetime) -> SummaryRow:
    return SummaryRow(
        conversation_id=conversation_id,
        version=version,
        parent_id=new.parent_id,
        base_id=new.base_id,
        how=new.how,
        folded=[list(run) for run in new.folded],
        survived=[detail_value(one) for one in new.survived],
        lost=[detail_value(one) for one in new.lost],
        covers_from=new.covers_from,
        covers_through=new.covers_through,
        text=new.text,
        pins=[[pin.number, pin.quote] for pin in new.pins],
        source=new.source,
        counted=new.counted,
        kept=new.kept,
        tokens=new.tokens,
        model=new.model,
        created_at=now,
    )
