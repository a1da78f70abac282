"""Where things went: from a message to the versions, pins, facts and requests that were made of it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Text, and_, cast, func, or_, select
from sqlalchemy.orm import Session

from chatmem.domain import Fact, FactStatus, Message
from chatmem.errors import NotFound
from chatmem.store.database import Database
from chatmem.store.fact_rows import values_of
from chatmem.store.rows import message_of
from chatmem.store.tables import (
    ConversationRow,
    FactEvidenceRow,
    FactRow,
    MessageRow,
    ReceiptRow,
    SummaryRow,
)

SENT_AT_MOST = 100
"""Requests named, the newest: with the whole history sent, a chat's first message stands in every one."""


@dataclass(frozen=True, slots=True)
class VersionMark:
    """A summary version that holds a message: it `folded` it, or carries on a version that did."""

    version: int
    created_at: datetime
    folded: bool
    in_force: bool
    suspended: bool


@dataclass(frozen=True, slots=True)
class PinMark:
    """Words of a message that are carried verbatim, and by which versions. `own`: pinned by the person."""

    quote: str
    versions: tuple[int, ...]
    own: bool


@dataclass(frozen=True, slots=True)
class Sending:
    """A reply whose request held a message: in the window, as the question, or `quoted` as recalled."""

    reply_id: int
    number: int
    quoted: bool
    retired: bool
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Trace:
    """What was made of one message. `sent` are the newest of `sent_count`, in order."""

    message: Message
    versions: tuple[VersionMark, ...]
    pins: tuple[PinMark, ...]
    proves: tuple[Fact, ...]
    ended: tuple[Fact, ...]
    sent: tuple[Sending, ...]
    sent_count: int


@dataclass(frozen=True, slots=True)
class KnownFact:
    """A fact whatever has become of it, and what stands in its place now, if anything does."""

    fact: Fact
    successor: Fact | None = None


class Provenance:
    def __init__(self, database: Database) -> None:
        self._database = database

    def trace(self, owner_id: int, message_id: int) -> Trace:
        """Everything that was made of a message. Raises `NotFound`, the same for a foreign one as for none."""
        with self._database.read() as session:
            found = session.execute(
                select(MessageRow, ConversationRow)
                .join(ConversationRow, ConversationRow.id == MessageRow.conversation_id)
                .where(
                    MessageRow.id == message_id,
                    ConversationRow.owner_id == owner_id,
                    ConversationRow.hidden_at.is_(None),
                )
            ).one_or_none()
            if found is None:
                raise NotFound()
            message, chat = found
            versions, pins = _versions(session, chat, message.number)
            facts = _facts_resting_on(session, owner_id, message.id)
            sent, sent_count = _sendings(session, message)
            return Trace(
                message=message_of(message),
                versions=versions,
                pins=pins,
                proves=tuple(f for f in facts if _speaks(f, message.id, against=False)),
                ended=tuple(f for f in facts if _speaks(f, message.id, against=True)),
                sent=sent,
                sent_count=sent_count,
            )

    def facts(self, owner_id: int, fact_ids: Collection[int]) -> dict[int, KnownFact]:
        """These facts by id, whatever has become of them. Those that were forgotten are not among them."""
        if not fact_ids:
            return {}
        with self._database.read() as session:
            wanted = select(FactRow).where(FactRow.owner_id == owner_id)
            rows = {row.id: row for row in session.scalars(wanted.where(FactRow.id.in_(fact_ids)))}
            newer, later = set(rows), dict[int, int]()
            while newer:
                found = session.scalars(wanted.where(FactRow.replaces_id.in_(newer))).all()
                newer = {row.id for row in found if row.id not in rows}
                later |= {row.replaces_id: row.id for row in found if row.replaces_id}
                rows |= {row.id: row for row in found}
            facts = {fact.id: fact for fact in values_of(session, list(rows.values()))}
        return {id_: KnownFact(facts[id_], _standing(facts, later, id_)) for id_ in fact_ids if id_ in facts}

    def saved(self, owner_id: int, reply_id: int) -> list[Fact]:
        """The facts that the question of a reply proves, whatever has become of them."""
        with self._database.read() as session:
            question_id = session.scalar(
                select(MessageRow.answers_id)
                .join(ConversationRow, ConversationRow.id == MessageRow.conversation_id)
                .where(MessageRow.id == reply_id, ConversationRow.owner_id == owner_id)
            )
            if question_id is None:
                return []
            facts = _facts_resting_on(session, owner_id, question_id)
            return [fact for fact in facts if _speaks(fact, question_id, against=False)]

    def numbers(self, owner_id: int, message_ids: Collection[int]) -> dict[int, int]:
        """The numbers of an owner's messages by their ids."""
        with self._database.read() as session:
            rows = session.execute(
                select(MessageRow.id, MessageRow.number)
                .join(ConversationRow, ConversationRow.id == MessageRow.conversation_id)
                .where(MessageRow.id.in_(message_ids), ConversationRow.owner_id == owner_id)
            )
            return {row.id: row.number for row in rows}


def _standing(facts: Mapping[int, Fact], later: Mapping[int, int], fact_id: int) -> Fact | None:
    """The live fact at the end of what took this one's place."""
    passed = {fact_id}
    while (fact_id := later.get(fact_id, fact_id)) not in passed:
        passed.add(fact_id)
    fact = facts[fact_id]
    return fact if len(passed) > 1 and fact.status is FactStatus.LIVE else None


def _versions(
    session: Session, chat: ConversationRow, number: int
) -> tuple[tuple[VersionMark, ...], tuple[PinMark, ...]]:
    """The versions that took a message from the window and all that carry their text on; its quotes in them."""
    rows = session.execute(
        select(
            SummaryRow.id,
            SummaryRow.version,
            SummaryRow.parent_id,
            SummaryRow.folded,
            SummaryRow.pins,
            SummaryRow.created_at,
            SummaryRow.suspended_at,
        )
        .where(SummaryRow.conversation_id == chat.id)
        .order_by(SummaryRow.version)
    )
    holding: set[int] = set()
    marks: list[VersionMark] = []
    quoted: dict[str, list[int]] = {quote: [] for told, quote in chat.pins if told == number}
    own = set(quoted)
    for row in rows:
        for told, quote in row.pins:
            if told == number:
                quoted.setdefault(quote, []).append(row.version)
        folded = any(first <= number <= last for first, last in row.folded)
        if folded or row.parent_id in holding:
            holding.add(row.id)
            marks.append(
                VersionMark(
                    row.version, row.created_at, folded, row.id == chat.head_id, row.suspended_at is not None
                )
            )
    pins = tuple(PinMark(quote, tuple(versions), quote in own) for quote, versions in quoted.items())
    return tuple(marks), pins


def _facts_resting_on(session: Session, owner_id: int, message_id: int) -> list[Fact]:
    resting = select(FactEvidenceRow.fact_id).where(FactEvidenceRow.message_id == message_id)
    rows: Sequence[FactRow] = session.scalars(
        select(FactRow).where(FactRow.owner_id == owner_id, FactRow.id.in_(resting)).order_by(FactRow.id)
    ).all()
    return values_of(session, rows)


def _speaks(fact: Fact, message_id: int, against: bool) -> bool:
    return any(proof.message_id == message_id and proof.against is against for proof in fact.evidence)


def _sendings(session: Session, message: MessageRow) -> tuple[tuple[Sending, ...], int]:
    """Layouts are searched as the text they are stored as: only those of later replies of the same chat."""
    in_window = and_(
        ReceiptRow.window_from <= message.number,
        ReceiptRow.window_through >= message.number,
        cast(ReceiptRow.layout, Text).like(f'%"m{message.id}"%'),
    )
    quoted = cast(ReceiptRow.quotes, Text).like(f"%[{message.id}, %")
    where = (
        MessageRow.conversation_id == message.conversation_id,
        MessageRow.number > message.number,
        or_(in_window, quoted),
    )
    of_reply = MessageRow.id == ReceiptRow.reply_id
    count = session.scalar(select(func.count()).select_from(ReceiptRow).join(MessageRow, of_reply).where(*where))
    rows = session.execute(
        select(
            MessageRow.id, MessageRow.number, MessageRow.retired_at, MessageRow.created_at, quoted.label("quoted")
        )
        .join(ReceiptRow, of_reply)
        .where(*where)
        .order_by(MessageRow.number.desc())
        .limit(SENT_AT_MOST)
    ).all()
    return tuple(
        Sending(row.id, row.number, bool(row.quoted), row.retired_at is not None, row.created_at)
        for row in reversed(rows)
    ), count or 0
