"""All of an owner at once, for export and import: read as one moment, written as one transaction."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from sqlalchemy import insert, select, update
from sqlalchemy.orm import Session

from chatmem.domain import FactStatus, new_id
from chatmem.errors import NotFound
from chatmem.search_terms import terms
from chatmem.store.archived import ids_of, in_order, load_chats, load_facts, pieces
from chatmem.store.fact_rows import OPEN, fingerprint, step
from chatmem.store.records import (
    Contents,
    ConversationRecord,
    FactRecord,
    MessageRecord,
    SummaryRecord,
    fingerprint_of,
)
from chatmem.store.search import index_messages
from chatmem.store.tables import ConversationRow, FactEvidenceRow, FactRow, MessageRow, OwnerRow, SummaryRow

if TYPE_CHECKING:
    from chatmem.store.store import Store


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import added, and how much of the file was there already."""

    conversations: int
    messages: int
    facts: int
    known_conversations: int
    known_facts: int


class ArchiveStore:
    def __init__(self, store: Store) -> None:
        self._database = store._database

    def read(self, owner_id: int) -> Contents:
        """Everything of an owner that is not deleted, as of one moment. A reply in progress is interrupted."""
        with self._database.read() as session:
            if session.get(OwnerRow, owner_id) is None:
                raise NotFound()
            chats = dict(load_chats(session, ids_of(session, owner_id)))
            facts = load_facts(session, owner_id)
        return in_order(chats, facts)

    def write(self, owner_id: int, contents: Contents, count_tokens: Callable[[str], int]) -> Imported:
        """Add what the owner does not have yet: all of it or nothing. The contents have been checked.

        A conversation is known when the owner has an equal one. A fact is known when the same words
        stand already, or when the owner has had this very fact and it has ended since.
        """
        tokens = [
            ([count_tokens(m.text) for m in chat.messages], [count_tokens(s.text) for s in chat.summaries])
            for chat in contents.conversations
        ]
        with self._database.write() as session:
            _lock_owner(session, owner_id)
            found = _known_chats(session, owner_id, contents.conversations)
            ids = [
                id_ or _add_chat(session, owner_id, chat, *counts)
                for id_, chat, counts in zip(found, contents.conversations, tokens, strict=True)
            ]
            facts = _add_facts(session, owner_id, contents.facts, ids)
        new = [chat for id_, chat in zip(found, contents.conversations, strict=True) if id_ is None]
        return Imported(
            conversations=len(new),
            messages=sum(len(chat.messages) for chat in new),
            facts=facts,
            known_conversations=len(found) - len(new),
            known_facts=len(contents.facts) - facts,
        )


def _lock_owner(session: Session, owner_id: int) -> None:
    """Raises `NotFound`. Two imports of one owner take turns, on a server too."""
    if session.scalar(select(OwnerRow.id).where(OwnerRow.id == owner_id).with_for_update()) is None:
        raise NotFound()


def _known_chats(session: Session, owner_id: int, chats: Sequence[ConversationRecord]) -> list[str | None]:
    """For each chat the id of an equal one of the owner's; each of those is equal to one only."""
    there: dict[str, list[str]] = defaultdict(list)
    for id_, record in load_chats(session, ids_of(session, owner_id, (chat.created_at for chat in chats))):
        there[fingerprint_of(record)].append(id_)
    return [same.pop() if (same := there.get(fingerprint_of(chat))) else None for chat in chats]


def _add_chat(
    session: Session,
    owner_id: int,
    chat: ConversationRecord,
    message_tokens: Sequence[int],
    summary_tokens: Sequence[int],
) -> str:
    """Nothing is learned from it by itself: its facts come with it."""
    last = chat.messages[-1].number if chat.messages else 0
    row = ConversationRow(
        id=new_id(), owner_id=owner_id, title=chat.title, title_settled=chat.title_settled, preset=chat.preset,
        memory_epoch=0, last_number=last, extracted_through=last, extraction_refusals=[],
        uses_facts=chat.uses_facts, learns=chat.learns, created_at=chat.created_at, updated_at=chat.updated_at,
    )  # fmt: skip
    session.add(row)
    session.flush()
    ids = _add_messages(session, row.id, chat.messages, message_tokens)
    row.head_id = _add_summaries(session, row.id, chat.summaries, summary_tokens).get(chat.head)
    session.flush()
    for some in pieces(ids):
        index_messages(session, row.id, some)
    return row.id


def _add_messages(
    session: Session, conversation_id: str, messages: Sequence[MessageRecord], tokens: Sequence[int]
) -> list[int]:
    ids = _insert(session, MessageRow, [
        {
            "conversation_id": conversation_id, "number": one.number, "role": one.role, "text": one.text,
            "tokens": count, "status": one.status, "void": one.void, "model": one.model,
            "failure": {"code": one.failure.code, "details": one.failure.details} if one.failure else None,
            "retired_at": one.retired_at, "created_at": one.created_at,
        }
        for one, count in zip(messages, tokens, strict=True)
    ])  # fmt: skip
    by_number = {one.number: id_ for one, id_ in zip(messages, ids, strict=True)}
    _refer(session, MessageRow, [
        {"id": by_number[one.number], "answers_id": by_number[one.answers]}
        for one in messages if one.answers is not None
    ])  # fmt: skip
    return ids


def _add_summaries(
    session: Session, conversation_id: str, summaries: Sequence[SummaryRecord], tokens: Sequence[int]
) -> dict[int | None, int]:
    """The ids by version."""
    ids = _insert(session, SummaryRow, [
        {
            "conversation_id": conversation_id, "version": one.version, "covers_from": one.covers_from,
            "covers_through": one.covers_through, "text": one.text, "pins": [list(pin) for pin in one.pins],
            "source": one.source, "counted": one.counted, "kept": one.kept, "tokens": count, "model": one.model,
            "created_at": one.created_at,
        }
        for one, count in zip(summaries, tokens, strict=True)
    ])  # fmt: skip
    by_version: dict[int | None, int] = {one.version: id_ for one, id_ in zip(summaries, ids, strict=True)}
    _refer(session, SummaryRow, [
        {"id": by_version[one.version], "parent_id": by_version[one.parent]}
        for one in summaries if one.parent is not None
    ])  # fmt: skip
    return by_version


def _add_facts(
    session: Session, owner_id: int, facts: Sequence[FactRecord], conversation_ids: Sequence[str]
) -> int:
    """How many were new. What refers to a known one refers to the one that stands."""
    ids, new = _known_facts(session, owner_id, facts), []
    for fact in facts:
        if fact.ref not in ids:
            new.append(fact)
    if not new:
        return 0
    epoch = step(session, owner_id, by_hand=True)
    made = _insert(session, FactRow, [
        {
            "owner_id": owner_id, "kind": one.kind, "text": one.text, "fingerprint": fingerprint(one.text),
            "terms": " ".join(dict.fromkeys(terms(one.text))), "status": one.status, "origin": one.origin,
            "pinned": one.pinned, "created_at": one.created_at, "confirmed_at": one.confirmed_at,
            "ended_at": one.ended_at, "revision": epoch,
        }
        for one in new
    ])  # fmt: skip
    ids.update({one.ref: id_ for one, id_ in zip(new, made, strict=True)})
    for name in ("replaces", "rival"):
        pairs = [(ids[one.ref], getattr(one, name)) for one in new]
        _refer(session, FactRow, [{"id": id_, f"{name}_id": ids[ref]} for id_, ref in pairs if ref is not None])
    evidence = [(ids[fact.ref], one) for fact in new for one in fact.evidence]
    cited = {conversation_ids[one.chat] for _, one in evidence if one.chat is not None}
    messages = _messages_of(session, cited)
    _insert(session, FactEvidenceRow, [
        {
            "fact_id": fact_id, "quote": one.quote, "said_at": one.said_at, "against": one.against,
            "message_id": None if one.chat is None else messages[conversation_ids[one.chat], one.message],
            "conversation_id": None if one.chat is None else conversation_ids[one.chat],
        }
        for fact_id, one in evidence
    ])  # fmt: skip
    return len(new)


def _known_facts(session: Session, owner_id: int, facts: Sequence[FactRecord]) -> dict[int, int]:
    """The ids of known facts by their `ref` in the file."""
    standing: dict[str, int] = {}
    ever: dict[tuple[str, datetime], int] = {}
    for id_, words, status, at in session.execute(
        select(FactRow.id, FactRow.fingerprint, FactRow.status, FactRow.created_at).where(
            FactRow.owner_id == owner_id
        )
    ):
        ever[words, at] = id_
        if status in OPEN:
            standing[words] = id_
    found: dict[int, int] = {}
    for fact in facts:
        words = fingerprint(fact.text)
        known = standing.get(words) if FactStatus(fact.status) in OPEN else None
        known = known or ever.get((words, fact.created_at))
        if known is not None:
            found[fact.ref] = known
    return found


def _messages_of(session: Session, conversation_ids: Iterable[str]) -> dict[tuple[str, int | None], int]:
    """Ids of messages by chat and number."""
    found: dict[tuple[str, int | None], int] = {}
    for some in pieces(sorted(conversation_ids)):
        rows = session.execute(
            select(MessageRow.conversation_id, MessageRow.number, MessageRow.id).where(
                MessageRow.conversation_id.in_(some)
            )
        )
        found |= {(chat_id, number): id_ for chat_id, number, id_ in rows}
    return found


def _insert(session: Session, table: Any, rows: Sequence[dict[str, Any]]) -> list[int]:
    """The new ids, in the order of the rows."""
    if not rows:
        return []
    return list(session.scalars(insert(table).returning(table.id, sort_by_parameter_order=True), rows))


def _refer(session: Session, table: Any, rows: Sequence[dict[str, Any]]) -> None:
    """Set references, once the rows they point at are there."""
    if rows:
        session.execute(update(table), rows)
