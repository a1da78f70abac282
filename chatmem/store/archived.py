"""What an owner has, as records: chats and facts read in a few queries, and put in a stable order."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, TypeVar

from sqlalchemy import and_, select
from sqlalchemy.orm import Session

from chatmem.domain import Status
from chatmem.store.records import (
    BranchRecord,
    Contents,
    ConversationRecord,
    DetailRecord,
    EvidenceRecord,
    FactRecord,
    FailureRecord,
    MessageRecord,
    SummaryRecord,
    cleaned,
    fingerprint_of,
)
from chatmem.store.tables import ConversationRow, FactEvidenceRow, FactRow, MessageRow, RetirementRow, SummaryRow

AT_ONCE = 500
"""Chats read, or messages indexed, by one statement."""

Value = TypeVar("Value")


def ids_of(session: Session, owner_id: int, made_at: Iterable[datetime] | None = None) -> list[str]:
    """The ids of an owner's chats; on request only of those made at one of these times."""
    wanted = None if made_at is None else set(made_at)
    rows = session.execute(
        select(ConversationRow.id, ConversationRow.created_at)
        .where(ConversationRow.owner_id == owner_id, ConversationRow.hidden_at.is_(None))
        .order_by(ConversationRow.created_at, ConversationRow.id)
    )
    return [id_ for id_, at in rows if wanted is None or at in wanted]


def pieces(values: Sequence[Value]) -> Iterator[Sequence[Value]]:
    return (values[start : start + AT_ONCE] for start in range(0, len(values), AT_ONCE))


def load_chats(session: Session, ids: Sequence[str]) -> Iterator[tuple[str, ConversationRecord]]:
    for some in pieces(ids):
        messages, summaries, branches = defaultdict(list), defaultdict(list), defaultdict(list)
        for message in session.execute(
            select(*MessageRow.__table__.c)
            .where(MessageRow.conversation_id.in_(some))
            .order_by(MessageRow.conversation_id, MessageRow.number)
        ):
            messages[message.conversation_id].append(message)
        for summary in session.execute(
            select(*SummaryRow.__table__.c)
            .where(SummaryRow.conversation_id.in_(some))
            .order_by(SummaryRow.conversation_id, SummaryRow.version)
        ):
            summaries[summary.conversation_id].append(summary)
        for branch in session.execute(
            select(*RetirementRow.__table__.c)
            .where(RetirementRow.conversation_id.in_(some))
            .order_by(RetirementRow.conversation_id, RetirementRow.id)
        ):
            branches[branch.conversation_id].append(branch)
        for chat in session.execute(select(*ConversationRow.__table__.c).where(ConversationRow.id.in_(some))):
            yield chat.id, cleaned(_conversation(chat, messages[chat.id], summaries[chat.id], branches[chat.id]))


def _conversation(
    chat: Any, messages: Sequence[Any], summaries: Sequence[Any], branches: Sequence[Any]
) -> ConversationRecord:
    refs = {row.id: ref for ref, row in enumerate(branches, start=1)}
    numbers = {row.id: row.number for row in messages}
    versions = {row.id: row.version for row in summaries}
    # A reply in progress is exported as what it would be if its process died now.
    unanswered = {row.answers_id for row in messages if row.status == Status.STREAMING and not row.text.strip()}
    return ConversationRecord(
        title=chat.title[:200],
        title_settled=chat.title_settled,
        preset=chat.preset,
        uses_facts=chat.uses_facts,
        learns=chat.learns,
        created_at=chat.created_at,
        updated_at=chat.updated_at,
        head=versions.get(chat.head_id),
        messages=tuple(_message(row, numbers, refs, row.id in unanswered) for row in messages),
        summaries=tuple(_summary(row, versions) for row in summaries),
        branches=tuple(
            BranchRecord(
                ref=refs[row.id],
                kind=row.kind,
                after=row.after_number,
                first=row.first_number,
                head=versions.get(row.head_id),
                extracted_through=row.extracted_through,
                created_at=row.created_at,
            )
            for row in branches
        ),
        holds_fold=chat.holds_fold,
        pins=tuple((number, quote) for number, quote in chat.pins),
    )


def _summary(row: Any, versions: dict[int, int]) -> SummaryRecord:
    return SummaryRecord(
        version=row.version,
        parent=versions.get(row.parent_id),
        covers_from=row.covers_from,
        covers_through=row.covers_through,
        text=row.text,
        pins=tuple((number, quote) for number, quote in row.pins),
        source=row.source,
        counted=row.counted,
        kept=row.kept,
        model=row.model,
        created_at=row.created_at,
        base=versions.get(row.base_id),
        how=row.how,
        folded=tuple((first, last) for first, last in row.folded),
        survived=tuple(map(_detail, row.survived)),
        lost=tuple(map(_detail, row.lost)),
        suspended_at=row.suspended_at,
    )


def _detail(value: Sequence[Any]) -> DetailRecord:
    number, quote, what, kind, *days = value
    return DetailRecord(number, quote, what, kind, tuple(days))


def _message(row: Any, numbers: dict[int, int], refs: dict[int, int], is_unanswered: bool) -> MessageRecord:
    streaming = row.status == Status.STREAMING
    return MessageRecord(
        number=row.number,
        role=row.role,
        text=row.text,
        status=Status.INTERRUPTED.value if streaming else row.status,
        created_at=row.created_at,
        void=row.void or is_unanswered or (streaming and not row.text.strip()),
        retired_at=row.retired_at,
        failure=FailureRecord(row.failure["code"], row.failure.get("details", {})) if row.failure else None,
        model=row.model,
        answers=numbers.get(row.answers_id),
        branch=refs.get(row.retirement_id),
        forgotten_at=row.forgotten_at,
    )


_Evidence = tuple[EvidenceRecord, str | None]
"""With the id of its chat, until the chats have their places."""


def load_facts(session: Session, owner_id: int) -> list[tuple[FactRecord, list[_Evidence]]]:
    evidence: dict[int, list[_Evidence]] = defaultdict(list)
    shown = and_(
        ConversationRow.id == MessageRow.conversation_id,
        ConversationRow.owner_id == owner_id,
        ConversationRow.hidden_at.is_(None),
    )
    for row, number, chat_id in session.execute(
        select(FactEvidenceRow, MessageRow.number, ConversationRow.id)
        .join(FactRow, FactRow.id == FactEvidenceRow.fact_id)
        .outerjoin(MessageRow, MessageRow.id == FactEvidenceRow.message_id)
        .outerjoin(ConversationRow, shown)
        .where(FactRow.owner_id == owner_id)
        .order_by(FactEvidenceRow.id)
    ):
        seen = number if chat_id else None
        record = EvidenceRecord(row.quote, row.said_at, row.against, chat=None, message=seen)
        evidence[row.fact_id].append((cleaned(record), chat_id))
    rows = session.scalars(select(FactRow).where(FactRow.owner_id == owner_id).order_by(FactRow.id)).all()
    refs = {row.id: ref for ref, row in enumerate(rows, start=1)}
    return [(cleaned(_fact(row, refs)), evidence[row.id]) for row in rows]


def _fact(row: Any, refs: dict[int, int]) -> FactRecord:
    return FactRecord(
        ref=refs[row.id],
        kind=row.kind,
        text=row.text,
        status=row.status,
        origin=row.origin,
        pinned=row.pinned,
        created_at=row.created_at,
        confirmed_at=row.confirmed_at,
        ended_at=row.ended_at,
        replaces=refs.get(row.replaces_id),
        rival=refs.get(row.rival_id),
        evidence=(),
    )


def in_order(
    chats: dict[str, ConversationRecord], facts: Sequence[tuple[FactRecord, Sequence[_Evidence]]]
) -> Contents:
    """Chats by when they were made, then by content; equal ones by which facts rest on them."""
    same_moment = Counter(chat.created_at for chat in chats.values())
    cited: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for fact, evidence in facts:
        for place, (_, chat_id) in enumerate(evidence):
            if chat_id:
                cited[chat_id].append((fact.ref, place))

    def order(id_: str) -> tuple[datetime, str, list[tuple[int, int]]]:
        made = chats[id_].created_at
        return made, fingerprint_of(chats[id_]) if same_moment[made] > 1 else "", cited[id_]

    ids = sorted(chats, key=order)
    places: dict[str | None, int] = {id_: place for place, id_ in enumerate(ids)}
    return Contents(
        conversations=tuple(chats[id_] for id_ in ids),
        facts=tuple(
            replace(fact, evidence=tuple(replace(one, chat=places.get(id_)) for one, id_ in evidence))
            for fact, evidence in facts
        ),
    )
