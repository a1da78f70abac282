"""Forgetting: finding every place a thing lives, and taking it out of all of them in one transaction.

Ids stay, so that nothing that refers to a forgotten message breaks; its words go: from the row, the
search index, vectors, facts, summaries, pins, refused summaries, titles and the parts of receipts.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from sqlalchemy import String, cast, delete, func, select, update
from sqlalchemy.orm import Session

from chatmem.domain import Fact, Status
from chatmem.errors import NotFound
from chatmem.store.database import Database
from chatmem.store.fact_rows import owned_fact, step, values_of
from chatmem.store.heads import advance, base_before
from chatmem.store.receipts import FORGOTTEN
from chatmem.store.rows import is_live
from chatmem.store.search import index_messages
from chatmem.store.tables import (
    ConversationRow,
    FactEvidenceRow,
    FactRow,
    FoldRefusalRow,
    MessageRow,
    MessageVectorRow,
    OwnerRow,
    PartRow,
    ReceiptRow,
    RetirementRow,
    SummaryRow,
)
from chatmem.store.traces import (
    Traces,
    covering,
    facts_going,
    layouts,
    owned_messages,
    parts_of,
    receipts_with,
    references_in,
)
from chatmem.text import first_words


class Forgetting:
    def __init__(self, database: Database) -> None:
        self._database = database

    # --- finding --------------------------------------------------------------------------------

    def facts_holding(self, owner_id: int, words: str, limit: int) -> list[Fact]:
        with self._database.read() as session:
            rows = session.scalars(
                select(FactRow)
                .where(FactRow.owner_id == owner_id, FactRow.text.icontains(words, autoescape=True))
                .order_by(FactRow.id.desc())
                .limit(limit)
            ).all()
            return values_of(session, rows)

    def summaries_holding(self, owner_id: int, words: str, limit: int) -> list[tuple[str, int]]:
        """(title of the chat, version) of summaries that hold these words, in text or pins."""
        pins = cast(SummaryRow.pins, String).icontains(json.dumps(words)[1:-1], autoescape=True)
        with self._database.read() as session:
            rows = session.execute(
                select(ConversationRow.title, SummaryRow.version)
                .join(ConversationRow, ConversationRow.id == SummaryRow.conversation_id)
                .where(
                    ConversationRow.owner_id == owner_id, SummaryRow.text.icontains(words, autoescape=True) | pins
                )
                .limit(limit)
            )
            return [(title, version) for title, version in rows]

    def traces(self, owner_id: int, message_ids: Collection[int], fact_ids: Collection[int]) -> Traces:
        with self._database.read() as session:
            facts = facts_going(session, owner_id, message_ids, fact_ids)
            versions = covering(session, owner_id, message_ids)
            titles = {row.conversation_id: "" for row in versions}
            for id_, title in session.execute(
                select(ConversationRow.id, ConversationRow.title).where(ConversationRow.id.in_(titles))
            ):
                titles[id_] = title
            parts = parts_of(session, owner_id, message_ids, facts, versions)
            references = {*parts, *(f"m{id_}" for id_ in message_ids)}
            return Traces(
                facts=tuple(values_of(session, facts)),
                versions=tuple((titles[row.conversation_id], row.version) for row in versions if row.text),
                receipts=len(receipts_with(session, owner_id, references)),
            )

    def writing_with(self, owner_id: int, message_ids: Collection[int], fact_ids: Collection[int]) -> list[str]:
        """The chats in which a reply is being written with one of these in what was sent."""
        with self._database.read() as session:
            facts = facts_going(session, owner_id, message_ids, fact_ids)
            versions = covering(session, owner_id, message_ids)
            references = {
                *parts_of(session, owner_id, message_ids, facts, versions),
                *(f"m{id_}" for id_ in message_ids),
            }
            rows = session.execute(
                select(MessageRow.conversation_id, ReceiptRow.layout)
                .join(ReceiptRow, ReceiptRow.reply_id == MessageRow.id)
                .join(ConversationRow, ConversationRow.id == MessageRow.conversation_id)
                .where(ConversationRow.owner_id == owner_id, MessageRow.status == Status.STREAMING)
            )
            return [chat_id for chat_id, layout in rows if references & references_in(layout)]

    # --- forgetting -----------------------------------------------------------------------------

    def forget(
        self, owner_id: int, message_ids: Collection[int], fact_ids: Collection[int], marks: Collection[str]
    ) -> list[str]:
        """Take messages and facts out of every place, in one transaction; the chats that were touched.

        A title that holds one of the `marks` goes too. A reply among the messages that is being written ends
        here, whoever writes it. Raises `NotFound` for what is not this owner's; then nothing is done.
        """
        with self._database.write() as session:
            rows = list(session.scalars(owned_messages(owner_id, message_ids)))
            if len(rows) < len(set(message_ids)):
                raise NotFound()
            for fact_id in fact_ids:
                owned_fact(session, owner_id, fact_id)
            facts = facts_going(session, owner_id, message_ids, fact_ids)
            versions = covering(session, owner_id, message_ids)
            _redact_receipts(session, owner_id, parts_of(session, owner_id, message_ids, facts, versions))
            _forget_facts(session, owner_id, message_ids, facts)
            touched = sorted({row.conversation_id for row in rows})
            for chat_id in touched:
                mine = [row for row in rows if row.conversation_id == chat_id]
                _forget_in_chat(session, chat_id, mine, marks, self._database.now())
            return touched

    def forget_everything(self, owner_id: int) -> None:
        """Delete all chats, facts, receipts and choices of an owner. What they spent today stays counted."""
        with self._database.write() as session:
            if session.get(OwnerRow, owner_id) is None:
                raise NotFound()
            step(session, owner_id, by_hand=True)
            chats = session.scalars(select(ConversationRow.id).where(ConversationRow.owner_id == owner_id)).all()
            for chat_id in chats:
                delete_chat(session, chat_id)
            for table in (FactRow, PartRow):
                session.execute(delete(table).where(table.owner_id == owner_id))
            session.execute(update(OwnerRow).where(OwnerRow.id == owner_id).values(preferences={}))


def delete_chat(session: Session, conversation_id: str) -> None:
    """A chat with all that is in it, its entries in the search index too."""
    ids = session.scalars(select(MessageRow.id).where(MessageRow.conversation_id == conversation_id)).all()
    session.execute(delete(ConversationRow).where(ConversationRow.id == conversation_id))
    index_messages(session, conversation_id, ids)  # they are gone: so are their words


def delete_unused_parts(session: Session, owner_id: int) -> None:
    """Parts that no receipt of the owner refers to any more: those of deleted chats."""
    used: set[str] = set()
    for layout in session.scalars(layouts(owner_id)):
        used |= references_in(layout)
    there = session.scalars(select(PartRow.hash).where(PartRow.owner_id == owner_id)).all()
    _delete_parts(session, owner_id, set(there) - used)


def facts_only_of(session: Session, owner_id: int, conversation_id: str) -> list[FactRow]:
    """The facts that were learned in a chat, and that nothing outside it proves."""
    ids = session.scalars(select(MessageRow.id).where(MessageRow.conversation_id == conversation_id)).all()
    return facts_going(session, owner_id, ids, ())


def forget_facts(session: Session, owner_id: int, facts: Sequence[FactRow]) -> None:
    """Facts with their receipts' copies."""
    _redact_receipts(session, owner_id, parts_of(session, owner_id, (), facts, ()))
    _forget_facts(session, owner_id, (), facts)


# --- taking it out --------------------------------------------------------------------------------


def _redact_receipts(session: Session, owner_id: int, hashes: set[str]) -> None:
    """Not even the hash stays: of a short sentence it could be guessed back."""
    for reply_id in receipts_with(session, owner_id, hashes):
        row = session.get_one(ReceiptRow, reply_id)
        row.layout = [[role, [FORGOTTEN if r in hashes else r for r in refs]] for role, refs in row.layout]
    session.flush()
    _delete_parts(session, owner_id, hashes)


def _delete_parts(session: Session, owner_id: int, hashes: Iterable[str]) -> None:
    rest = sorted(hashes)
    while rest:
        some, rest = rest[:500], rest[500:]
        session.execute(delete(PartRow).where(PartRow.owner_id == owner_id, PartRow.hash.in_(some)))


def _forget_facts(session: Session, owner_id: int, message_ids: Collection[int], facts: Sequence[FactRow]) -> None:
    step(session, owner_id, by_hand=True)
    session.execute(delete(FactEvidenceRow).where(FactEvidenceRow.message_id.in_(message_ids)))
    session.execute(delete(FactRow).where(FactRow.id.in_([row.id for row in facts])))


def _forget_in_chat(
    session: Session, chat_id: str, rows: Sequence[MessageRow], marks: Collection[str], now: Any
) -> None:
    chat = session.get_one(ConversationRow, chat_id)
    numbers = {row.number for row in rows}
    suspended = covering(session, chat.owner_id, [row.id for row in rows])
    for row in sorted(rows, key=lambda row: -row.number):
        _close_the_gap(session, row)
    for row in rows:
        row.text, row.tokens, row.failure = "", 0, None
        row.retired_at, row.retirement_id, row.forgotten_at = now, None, now
        if row.status == Status.STREAMING:
            row.status, row.run_token, row.heartbeat, row.stop_requested = Status.STOPPED, None, None, False
    # A reply that came to nothing says nothing without its question.
    session.execute(
        update(MessageRow)
        .where(
            MessageRow.answers_id.in_([row.id for row in rows]), MessageRow.void, MessageRow.retired_at.is_(None)
        )
        .values(retired_at=now)
    )
    session.execute(delete(MessageVectorRow).where(MessageVectorRow.message_id.in_([row.id for row in rows])))
    for version in suspended:
        version.text, version.tokens, version.suspended_at = "", 0, now
        version.pins, version.survived, version.lost = [], [], []
    session.execute(
        update(FoldRefusalRow)
        .where(FoldRefusalRow.conversation_id == chat_id, FoldRefusalRow.through >= min(numbers))
        .values(text="")
    )
    chat.pins = [pin for pin in chat.pins if pin[0] not in numbers]
    session.flush()
    if any(mark in chat.title.casefold() for mark in marks) or 1 in numbers:
        chat.title = _title_without(session, chat_id, marks)
    chat.title_settled = True  # a title that is being thought of would come too late
    session.flush()
    index_messages(session, chat_id, [row.id for row in rows])
    head_id = base_before(session, chat.head_id, 2**31)
    advance(session, chat_id, chat.memory_epoch, head_id=head_id)


def _title_without(session: Session, chat_id: str, marks: Collection[str]) -> str:
    """The first words of what the person said and has not forgotten."""
    said = session.scalars(
        select(MessageRow.text)
        .where(MessageRow.conversation_id == chat_id, MessageRow.role == "user", is_live())
        .order_by(MessageRow.number)
        .limit(20)
    )
    titles = (first_words(text) for text in said)
    return next((title for title in titles if not any(mark in title.casefold() for mark in marks)), "…")


def _close_the_gap(session: Session, row: MessageRow) -> None:
    """Branches that grew from a forgotten message grow from the one before it."""
    before = MessageRow.number < row.number
    if row.retirement_id is None:
        path = is_live()
        fallback = 0
    else:
        path = MessageRow.retirement_id == row.retirement_id
        branch = session.get(RetirementRow, row.retirement_id)
        fallback = branch.after_number if branch else 0
    number = session.scalar(
        select(func.max(MessageRow.number)).where(
            MessageRow.conversation_id == row.conversation_id, before, path, MessageRow.forgotten_at.is_(None)
        )
    )
    session.execute(
        update(RetirementRow)
        .where(RetirementRow.conversation_id == row.conversation_id, RetirementRow.after_number == row.number)
        .values(after_number=fallback if number is None else number)
    )
