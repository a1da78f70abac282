"""Extraction's own transactions: what is still to be learned from, and writing what was learned.

Facts and the cursor move together or not at all. The writer names the cursor and the `facts_epoch`
it has seen; when either has moved on meanwhile, nothing is written and the work is thrown away.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from chatmem.domain import Fact, FactChanges, FactStatus, Lesson, NewFact, Refusal, Witness
from chatmem.store.database import Database
from chatmem.store.fact_rows import end_fact, insert_fact, owned_message, step, values_of
from chatmem.store.rows import is_live, message_of, owned
from chatmem.store.tables import ConversationRow, FactEvidenceRow, FactRow, MessageRow, OwnerRow


class Learning:
    def __init__(self, database: Database) -> None:
        self._database = database

    def lesson(self, owner_id: int, conversation_id: str, most_messages: int) -> Lesson:
        """The next messages to learn from, at most `most_messages`, and the reply before them to read along.

        They end with a user's message; without one there are none.
        """
        with self._database.read() as session:
            chat = owned(session, owner_id, conversation_id)
            after = [MessageRow.number > chat.extracted_through]
            rows = _live(session, chat.id, after, most_messages)
            while rows and rows[-1].role != "user":
                rows.pop()
            if rows:
                rows = _reply_before(session, chat.id, rows[0].number) + rows
            return Lesson(
                conversation_id=chat.id,
                after=chat.extracted_through,
                facts_epoch=session.scalar(select(OwnerRow.facts_epoch).where(OwnerRow.id == owner_id)) or 0,
                messages=tuple(message_of(row) for row in rows),
                refusals=tuple(
                    Refusal(reason, datetime.fromisoformat(at)) for reason, at in chat.extraction_refusals
                ),
                uses_facts=chat.uses_facts,
                learns=chat.learns,
            )

    def commit(self, owner_id: int, lesson: Lesson, through: int, changes: FactChanges) -> list[Fact] | None:
        """Write what was learned and move the cursor to message `through`; the new facts.

        None, and nothing written, if facts, cursor or the messages it rests on changed meanwhile.
        """
        with self._database.write() as session:
            chat = owned(session, owner_id, lesson.conversation_id)
            seen = (lesson.after, lesson.facts_epoch)
            epoch_now = session.scalar(select(OwnerRow.facts_epoch).where(OwnerRow.id == owner_id))
            if (chat.extracted_through, epoch_now) != seen or not _still_live(session, chat.id, changes):
                return None
            rows: list[FactRow] = []
            if changes.new or changes.confirmed or changes.retracted:
                rows = _write(session, owner_id, changes, self._database.now())
            chat.extracted_through, chat.extraction_refusals = through, []
            return values_of(session, rows)

    def skip(self, owner_id: int, conversation_id: str, through: int) -> None:
        """Learn nothing from the messages up to `through`: said while learning was off."""
        with self._database.write() as session:
            session.execute(
                update(ConversationRow)
                .where(
                    ConversationRow.id == conversation_id,
                    ConversationRow.owner_id == owner_id,
                    ConversationRow.extracted_through < through,
                )
                .values(extracted_through=through, extraction_refusals=[])
            )

    def start_over(self, owner_id: int, conversation_id: str) -> None:
        """Learn from all of a chat again, as after an import: what is known already is only confirmed."""
        with self._database.write() as session:
            chat = owned(session, owner_id, conversation_id)
            chat.extracted_through, chat.extraction_refusals = 0, []

    def put_off(self, owner_id: int, lesson: Lesson, reason: str) -> None:
        """Keep why an attempt came to nothing; what it was about is tried again later."""
        with self._database.write() as session:
            chat = owned(session, owner_id, lesson.conversation_id)
            if chat.extracted_through == lesson.after:
                chat.extraction_refusals = [*chat.extraction_refusals, [reason, self._database.now().isoformat()]]


def _live(session: Session, conversation_id: str, where: list[Any], limit: int) -> list[MessageRow]:
    query = select(MessageRow).where(MessageRow.conversation_id == conversation_id, is_live(), *where)
    return list(session.scalars(query.order_by(MessageRow.number).limit(limit)))


def _reply_before(session: Session, conversation_id: str, number: int) -> list[MessageRow]:
    row = session.scalars(
        select(MessageRow)
        .where(MessageRow.conversation_id == conversation_id, is_live(), MessageRow.number < number)
        .order_by(MessageRow.number.desc())
        .limit(1)
    ).first()
    return [row] if row is not None and row.role == "assistant" else []


def _still_live(session: Session, conversation_id: str, changes: FactChanges) -> bool:
    witnesses = {fact.message_id for fact in changes.new}
    witnesses |= {witness.message_id for witness in (*changes.confirmed, *changes.retracted)}
    found = session.scalars(
        select(MessageRow.id).where(
            MessageRow.id.in_(witnesses), MessageRow.conversation_id == conversation_id, is_live()
        )
    )
    return set(found) == witnesses


def _write(session: Session, owner_id: int, changes: FactChanges, now: datetime) -> list[FactRow]:
    epoch = step(session, owner_id)
    for witness in changes.confirmed:
        if (row := _known(session, owner_id, witness.fact_id)) is not None:
            row.confirmed_at, row.revision = now, epoch
            _add_evidence(session, row, witness)
    for witness in changes.retracted:
        if (row := _known(session, owner_id, witness.fact_id)) is not None:
            end_fact(row, FactStatus.RETRACTED, epoch, now)
            _add_evidence(session, row, witness, against=True)
    rows = [_insert(session, owner_id, epoch, new, now) for new in changes.new]
    return [row for row in rows if row is not None]


def _insert(session: Session, owner_id: int, epoch: int, new: NewFact, now: datetime) -> FactRow | None:
    """The new row; None when the very same stands already."""
    try:
        with session.begin_nested():
            old = _known(session, owner_id, new.replaces_id) if new.replaces_id else None
            if old is not None and new.status == FactStatus.LIVE:
                end_fact(old, FactStatus.SUPERSEDED, epoch, now)
                session.flush()
            return insert_fact(session, owner_id, epoch, new, now, "learned")
    except IntegrityError:
        return None


def _known(session: Session, owner_id: int, fact_id: int) -> FactRow | None:
    return session.scalar(
        select(FactRow).where(
            FactRow.id == fact_id, FactRow.owner_id == owner_id, FactRow.status == FactStatus.LIVE
        )
    )


def _add_evidence(session: Session, row: FactRow, witness: Witness, against: bool = False) -> None:
    message = owned_message(session, row.owner_id, witness.message_id)
    session.add(
        FactEvidenceRow(
            fact_id=row.id,
            message_id=message.id,
            conversation_id=message.conversation_id,
            quote=witness.quote,
            said_at=message.created_at,
            against=against,
        )
    )
    session.flush()
