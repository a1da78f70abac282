"""Editing history: setting messages aside from one on, and bringing them back.

The live messages of a chat are one path in the tree of all it ever had. Whatever sets a message aside
sets aside all that follow it, so the path down to any message never changes: a branch can come back
whenever the message it grew from is live, and the head that was in force then fits again.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import cast

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from chatmem.domain import Branch, BranchKind, FactStatus, Message
from chatmem.errors import ChatChanged, NothingToUndo, ReplyInProgress
from chatmem.store.database import Database
from chatmem.store.fact_rows import OPEN, end_fact, step
from chatmem.store.heads import advance, base_before, still_fitting
from chatmem.store.rows import is_live, message_of, owned
from chatmem.store.tables import ConversationRow, FactEvidenceRow, FactRow, MessageRow, RetirementRow


class Branches:
    def __init__(self, database: Database) -> None:
        self._database = database

    def delete_from(self, owner_id: int, conversation_id: str, message_id: int) -> Branch:
        """Set a message aside with all that follow. Raises `ChatChanged`, `ReplyInProgress` or `NotFound`."""
        with self._database.write() as session:
            chat = owned(session, owner_id, conversation_id)
            first = live_message(session, chat, message_id)
            row = retire_from(session, chat, first, "delete", self._database.now())
            return _branch_of(row, _size(session, row.id))

    def bring_back(self, owner_id: int, conversation_id: str, branch_id: int) -> Branch | None:
        """Make a branch the chat's own again; what stands in its place is set aside, and is returned as a branch.

        Raises `NothingToUndo` when nothing of it is left, `ChatChanged` when what it grew from is not live.
        """
        with self._database.write() as session:
            chat = owned(session, owner_id, conversation_id)
            row = session.get(RetirementRow, branch_id)
            if row is None or row.conversation_id != chat.id or not _size(session, row.id):
                raise NothingToUndo()
            if row.after_number and not _is_live_number(session, chat.id, row.after_number):
                raise ChatChanged()
            now = self._database.now()
            aside = _set_rest_aside(session, chat, row.after_number, now)
            session.execute(
                update(MessageRow)
                .where(MessageRow.retirement_id == row.id, MessageRow.forgotten_at.is_(None))
                .values(retired_at=None, retirement_id=None)
            )
            session.flush()
            _restore_facts(session, chat.owner_id, row.facts, now)
            head_id = still_fitting(session, chat.id, row.head_id)
            chat.extracted_through = min(chat.extracted_through, row.extracted_through)
            session.delete(row)
            session.flush()
            advance(session, chat.id, chat.memory_epoch, head_id=head_id, reset_undo=None)
            return _branch_of(aside, _size(session, aside.id)) if aside else None

    def of_chat(self, owner_id: int, conversation_id: str) -> list[Branch]:
        """The branches that can come back now, in the order of their first messages."""
        grown_from = select(MessageRow.number).where(MessageRow.conversation_id == conversation_id, is_live())
        with self._database.read() as session:
            owned(session, owner_id, conversation_id)
            rows = session.execute(
                select(RetirementRow, func.count())
                .join(MessageRow, MessageRow.retirement_id == RetirementRow.id)
                .where(
                    RetirementRow.conversation_id == conversation_id,
                    (RetirementRow.after_number == 0) | RetirementRow.after_number.in_(grown_from),
                    MessageRow.forgotten_at.is_(None),
                )
                .group_by(RetirementRow.id)
                .order_by(RetirementRow.first_number, RetirementRow.id)
            ).all()
            return [_branch_of(row, count) for row, count in rows]

    def messages(self, owner_id: int, conversation_id: str, branch_id: int) -> list[Message]:
        """What stands in a branch, in order."""
        with self._database.read() as session:
            owned(session, owner_id, conversation_id)
            rows = session.scalars(
                select(MessageRow)
                .where(MessageRow.conversation_id == conversation_id, MessageRow.retirement_id == branch_id)
                .order_by(MessageRow.number)
            )
            return [message_of(row) for row in rows]


def live_message(session: Session, chat: ConversationRow, message_id: int) -> MessageRow:
    """A message that an act speaks of. Raises `ChatChanged` if it was set aside meanwhile."""
    row = session.get(MessageRow, message_id)
    if row is None or row.conversation_id != chat.id or row.retired_at is not None:
        raise ChatChanged()
    return row


def retire_from(
    session: Session, chat: ConversationRow, first: MessageRow, kind: BranchKind, now: datetime
) -> RetirementRow:
    """Set `first` and all after it aside: the last version that does not cover it becomes the head again, and
    facts that only these messages prove end. Raises `ReplyInProgress` while a reply is being written.
    """
    after = session.scalar(
        select(func.max(MessageRow.number)).where(
            MessageRow.conversation_id == chat.id, MessageRow.number < first.number, is_live()
        )
    )
    row = RetirementRow(
        conversation_id=chat.id, kind=kind, after_number=after or 0, first_number=first.number,
        head_id=chat.head_id, extracted_through=chat.extracted_through, facts=[], created_at=now,
    )  # fmt: skip
    session.add(row)
    session.flush()
    gone = session.execute(
        update(MessageRow)
        .where(
            MessageRow.conversation_id == chat.id,
            MessageRow.number >= first.number,
            MessageRow.retired_at.is_(None),
        )
        .values(retired_at=now, retirement_id=row.id)
        .returning(MessageRow.id, MessageRow.status)
    ).all()
    if any(status == "streaming" for _, status in gone):
        raise ReplyInProgress()
    row.facts = _unlearn(session, chat.owner_id, [id_ for id_, _ in gone], now)
    session.flush()
    head_id = base_before(session, chat.head_id, first.number)
    advance(session, chat.id, chat.memory_epoch, head_id=head_id, reset_undo=None)
    return row


def _set_rest_aside(session: Session, chat: ConversationRow, after: int, now: datetime) -> RetirementRow | None:
    first = session.scalars(
        select(MessageRow)
        .where(MessageRow.conversation_id == chat.id, MessageRow.number > after, MessageRow.retired_at.is_(None))
        .order_by(MessageRow.number)
        .limit(1)
    ).first()
    return retire_from(session, chat, first, "switch", now) if first is not None else None


def _is_live_number(session: Session, conversation_id: str, number: int) -> bool:
    found = select(MessageRow.id).where(
        MessageRow.conversation_id == conversation_id, MessageRow.number == number, is_live()
    )
    return session.scalar(found) is not None


def _size(session: Session, branch_id: int) -> int:
    wanted = select(func.count()).where(MessageRow.retirement_id == branch_id, MessageRow.forgotten_at.is_(None))
    return session.scalar(wanted) or 0


def _branch_of(row: RetirementRow, count: int) -> Branch:
    kind = cast("BranchKind", row.kind)
    return Branch(row.id, kind, row.after_number, row.first_number, count, row.created_at)


# --- what was learned from it ---------------------------------------------------------------------


def _unlearn(session: Session, owner_id: int, message_ids: Sequence[int], now: datetime) -> list[list[object]]:
    """End the facts that nothing else proves, and bring back what only these messages ended.

    Returns what changed, [fact id, status before], so that it can be taken back.
    """
    touched = _cited(session, owner_id, message_ids)
    if not touched:
        return []
    proven = _resting_elsewhere(session, [row.id for row in touched], against=False)
    gone = [row for row in touched if row.status in OPEN and row.origin == "learned" and row.id not in proven]
    ended_by_others = _resting_elsewhere(session, [row.id for row in touched], against=True)
    back = [
        row
        for row in touched
        if row.status == FactStatus.RETRACTED and row.id in proven and row.id not in ended_by_others
    ]
    replaced = [row.replaces_id for row in gone if row.status == FactStatus.LIVE and row.replaces_id]
    standing = _resting_elsewhere(session, replaced, against=False)
    back += session.scalars(
        select(FactRow).where(FactRow.id.in_(standing), FactRow.status == FactStatus.SUPERSEDED)
    ).all()
    if not gone and not back:
        return []
    changes: list[list[object]] = [[row.id, row.status] for row in (*gone, *back)]
    epoch = step(session, owner_id, by_hand=True)
    for row in gone:
        end_fact(row, FactStatus.RETRACTED, epoch, now)
    session.flush()
    for row in back:
        _stand_again(session, row, FactStatus.LIVE, epoch)
    return changes


def _restore_facts(session: Session, owner_id: int, changes: Sequence[Sequence[object]], now: datetime) -> None:
    """Give the facts the status they had; what has been forgotten or settled since stays so."""
    if not changes:
        return
    epoch = step(session, owner_id, by_hand=True)
    before = {cast("int", id_): FactStatus(cast("str", status)) for id_, status in changes}
    rows = session.scalars(select(FactRow).where(FactRow.owner_id == owner_id, FactRow.id.in_(before))).all()
    # First those that end again: of two that say the same only one may stand.
    for row in rows:
        if before[row.id] not in OPEN and row.status == FactStatus.LIVE:
            end_fact(row, before[row.id], epoch, now)
    session.flush()
    for row in rows:
        if before[row.id] in OPEN and row.status == FactStatus.RETRACTED:
            _stand_again(session, row, before[row.id], epoch)


def _stand_again(session: Session, row: FactRow, status: FactStatus, epoch: int) -> None:
    """Unless the same stands already."""
    twin = select(FactRow.id).where(
        FactRow.owner_id == row.owner_id, FactRow.fingerprint == row.fingerprint, FactRow.status.in_(OPEN)
    )
    if session.scalar(twin) is None:
        row.status, row.ended_at, row.revision = status, None, epoch
        session.flush()


def _cited(session: Session, owner_id: int, message_ids: Sequence[int]) -> list[FactRow]:
    cited = select(FactEvidenceRow.fact_id).where(FactEvidenceRow.message_id.in_(message_ids))
    return list(session.scalars(select(FactRow).where(FactRow.owner_id == owner_id, FactRow.id.in_(cited))))


def _resting_elsewhere(session: Session, fact_ids: Sequence[int], against: bool) -> set[int]:
    """Those of the facts that a message not set aside, or no message at all, speaks for (or against)."""
    return set(
        session.scalars(
            select(FactEvidenceRow.fact_id)
            .outerjoin(MessageRow, MessageRow.id == FactEvidenceRow.message_id)
            .where(
                FactEvidenceRow.fact_id.in_(fact_ids),
                FactEvidenceRow.against.is_(against),
                MessageRow.retired_at.is_(None),
            )
        )
    )
