"""The versions of a chat's summary: reading them, putting one in force, and what the person has pinned."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import bindparam, literal, select
from sqlalchemy.orm import Session

from chatmem.domain import PIN_CHARACTERS, Pin, Summary
from chatmem.errors import ChatChanged, NotFound, NothingToUndo, NotInMessage
from chatmem.store.database import Database
from chatmem.store.heads import advance, fits, still_fitting
from chatmem.store.rows import is_live, owned, summary_of
from chatmem.store.tables import MessageRow, SummaryRow


class Versions:
    def __init__(self, database: Database) -> None:
        self._database = database

    def leading_to_head(self, owner_id: int, conversation_id: str, limit: int = 50) -> list[Summary]:
        """The versions that were in force one after the other up to the head, in order: the last `limit` of them.

        None from before a reset, and none of other branches.
        """
        with self._database.read() as session:
            head_id = owned(session, owner_id, conversation_id).head_id
            if head_id is None:
                return []
            return [summary_of(row) for row in session.scalars(_CHAIN, {"head_id": head_id, "limit": limit})]

    def page(self, owner_id: int, conversation_id: str, limit: int = 50, offset: int = 0) -> list[Summary]:
        """Every version there ever was, the newest first, those of other branches and suspended ones too."""
        with self._database.read() as session:
            owned(session, owner_id, conversation_id)
            rows = session.scalars(
                select(SummaryRow)
                .where(SummaryRow.conversation_id == conversation_id)
                .order_by(SummaryRow.version.desc())
                .limit(limit)
                .offset(offset)
            )
            return [summary_of(row) for row in rows]

    def numbers(self, owner_id: int, conversation_id: str) -> list[int]:
        """The numbers of all versions, the newest first."""
        with self._database.read() as session:
            owned(session, owner_id, conversation_id)
            rows = session.scalars(
                select(SummaryRow.version)
                .where(SummaryRow.conversation_id == conversation_id)
                .order_by(SummaryRow.version.desc())
            )
            return list(rows)

    def get(self, owner_id: int, conversation_id: str, version: int) -> Summary:
        """Raises `NotFound`."""
        with self._database.read() as session:
            owned(session, owner_id, conversation_id)
            return summary_of(_version(session, conversation_id, version))

    def by_id(self, owner_id: int, conversation_id: str, summary_id: int) -> Summary | None:
        """A version by its id, as `parent_id` and `base_id` name it."""
        with self._database.read() as session:
            owned(session, owner_id, conversation_id)
            row = session.get(SummaryRow, summary_id)
            return summary_of(row) if row is not None and row.conversation_id == conversation_id else None

    def fits(self, owner_id: int, conversation_id: str, version: int) -> bool:
        """Whether a version may be the head: what it covers is live, and nothing of it was forgotten."""
        with self._database.read() as session:
            owned(session, owner_id, conversation_id)
            return fits(session, _version(session, conversation_id, version))

    def put_in_force(
        self, owner_id: int, conversation_id: str, version: int | None, seen_head: int | None
    ) -> Summary | None:
        """Make an earlier or later version the head, or (None) no version at all; the new head.

        `seen_head` is the version that the person saw in force. Raises `ChatChanged` when it is another now,
        or when the version does not fit any more, and `NotFound`.
        """
        with self._database.write() as session:
            chat = owned(session, owner_id, conversation_id)
            head = session.get(SummaryRow, chat.head_id) if chat.head_id else None
            row = _version(session, conversation_id, version) if version is not None else None
            if (head.version if head else None) != seen_head or (row is not None and not fits(session, row)):
                raise ChatChanged()
            advance(session, chat.id, chat.memory_epoch, head_id=row.id if row else None)
            return summary_of(row) if row else None

    def undo_fold(self, owner_id: int, conversation_id: str, version: int) -> Summary | None:
        """Put what was in force before `version` in force again, if `version` is the head; the new head."""
        with self._database.write() as session:
            chat = owned(session, owner_id, conversation_id)
            head = session.get(SummaryRow, chat.head_id) if chat.head_id else None
            if head is None or head.version != version:
                raise NothingToUndo()
            base_id = still_fitting(session, chat.id, head.base_id)
            advance(session, chat.id, chat.memory_epoch, head_id=base_id)
            base = session.get(SummaryRow, base_id) if base_id else None
            return summary_of(base) if base else None

    def pin(self, owner_id: int, conversation_id: str, pins: Sequence[Pin], pinned: bool = True) -> None:
        """Keep (or no longer keep) these quotes in every version that covers them. Others stay as they are.

        A pin whose message is not of this chat, or does not hold the quote, raises `NotInMessage`.
        """
        with self._database.write() as session:
            chat = owned(session, owner_id, conversation_id)
            kept = [[number, quote] for number, quote in chat.pins]
            for pin in pins:
                entry = [pin.number, pin.quote]
                if not pinned:
                    kept = [one for one in kept if one != entry]
                elif entry not in kept:
                    _demand_quote(session, chat.id, pin)
                    kept.append(entry)
            chat.pins = kept


def _version(session: Session, conversation_id: str, version: int) -> SummaryRow:
    row = session.scalar(
        select(SummaryRow).where(SummaryRow.conversation_id == conversation_id, SummaryRow.version == version)
    )
    if row is None:
        raise NotFound()
    return row


def _demand_quote(session: Session, conversation_id: str, pin: Pin) -> None:
    said = session.scalar(
        select(MessageRow.text).where(
            MessageRow.conversation_id == conversation_id, MessageRow.number == pin.number, is_live()
        )
    )
    if not said or not pin.quote.strip() or pin.quote not in said or len(pin.quote) > PIN_CHARACTERS:
        raise NotInMessage(number=pin.number, limit=PIN_CHARACTERS)


_first = (
    select(SummaryRow.id, SummaryRow.base_id, literal(1).label("depth"))
    .where(SummaryRow.id == bindparam("head_id"))
    .cte("chain", recursive=True)
)
_chain = _first.union_all(
    select(SummaryRow.id, SummaryRow.base_id, _first.c.depth + 1).where(
        SummaryRow.id == _first.c.base_id, _first.c.depth < bindparam("limit")
    )
)
_CHAIN = select(SummaryRow).join(_chain, SummaryRow.id == _chain.c.id).order_by(_chain.c.depth.desc())
"""From the head down. Read at every run of the chat page, so built once."""
