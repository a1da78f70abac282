"""All of an owner at once, for export and import: read as one moment, written as one transaction."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

from sqlalchemy import select
from sqlalchemy.orm import Session

from chatmem.domain import FactStatus
from chatmem.errors import NotFound
from chatmem.search_terms import terms
from chatmem.store.archive_chats import add_chat, insert_rows, prepare_chat, refer
from chatmem.store.archived import ids_of, in_order, load_chats, load_facts, pieces
from chatmem.store.fact_rows import OPEN, fingerprint, step
from chatmem.store.records import (
    Contents,
    ConversationRecord,
    FactRecord,
    fingerprint_of,
)
from chatmem.store.rows import owned
from chatmem.store.tables import FactEvidenceRow, FactRow, MessageRow, OwnerRow

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
    conversation_ids: tuple[str, ...] = ()
    """Of the chats that were added, in the order of the file."""
    left_out: int = 0
    """Messages of another program's chats that the file has on other branches: edited since, or answered anew."""


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

    def read_chat(self, owner_id: int, conversation_id: str) -> Contents:
        """One chat, and the facts that it proves with the quotes that stand in it. Raises `NotFound`."""
        with self._database.read() as session:
            owned(session, owner_id, conversation_id)
            chats = dict(load_chats(session, [conversation_id]))
            facts = load_facts(session, owner_id)
        return _proved_by_its_chats(in_order(chats, facts))

    def write(
        self,
        owner_id: int,
        contents: Contents,
        count_tokens: Callable[[str], int],
        progress: Callable[[float], None] = lambda share: None,
    ) -> Imported:
        """Add what the owner does not have yet: all of it or nothing. The contents have been checked.

        A conversation is known when the owner has an equal one. A fact is known when the same words
        stand already, or when the owner has had this very fact and it has ended since. `progress` is told
        from 0 to 1, also inside the transaction: it has to be quick.
        """
        counted, written = _progress_of(contents.conversations, progress)
        prepared = []
        for chat in contents.conversations:
            prepared.append(prepare_chat(chat, count_tokens))  # outside the transaction: others write meanwhile
            counted(chat)
        with self._database.write() as session:
            _lock_owner(session, owner_id)
            found = _known_chats(session, owner_id, contents.conversations)
            ids = []
            for id_, chat, made in zip(found, contents.conversations, prepared, strict=True):
                ids.append(id_ or add_chat(session, owner_id, chat, made))
                written(chat)
            facts = _add_facts(session, owner_id, contents.facts, ids)
        new = [chat for id_, chat in zip(found, contents.conversations, strict=True) if id_ is None]
        return Imported(
            conversations=len(new),
            messages=sum(len(chat.messages) for chat in new),
            facts=facts,
            known_conversations=len(found) - len(new),
            known_facts=len(contents.facts) - facts,
            conversation_ids=tuple(id_ for id_, known in zip(ids, found, strict=True) if known is None),
        )


COUNTED = 0.35
"""How far a write is when all tokens have been counted: measured on a large import."""


def _progress_of(
    chats: Sequence[ConversationRecord], progress: Callable[[float], None]
) -> tuple[Callable[[ConversationRecord], None], Callable[[ConversationRecord], None]]:
    """For counting and for writing: to be told of each chat that is done."""
    sizes = {id(chat): 1 + sum(len(message.text) for message in chat.messages) for chat in chats}
    total = sum(sizes[id(chat)] for chat in chats)

    def between(start: float, end: float) -> Callable[[ConversationRecord], None]:
        done = 0

        def tell(chat: ConversationRecord) -> None:
            nonlocal done
            done += sizes[id(chat)]
            progress(start + (end - start) * done / total)

        return tell

    return between(0.0, COUNTED), between(COUNTED, 1.0)


def _proved_by_its_chats(contents: Contents) -> Contents:
    """Less the facts that no words in these chats speak for, and what other chats say for those that stay."""
    facts = [
        replace(fact, evidence=tuple(one for one in fact.evidence if one.chat is not None))
        for fact in contents.facts
        if any(one.chat is not None and not one.against for one in fact.evidence)
    ]
    refs: dict[int | None, int] = {fact.ref: ref for ref, fact in enumerate(facts, start=1)}
    return Contents(contents.conversations, tuple(
        replace(fact, ref=refs[fact.ref], replaces=refs.get(fact.replaces), rival=refs.get(fact.rival))
        for fact in facts
    ))  # fmt: skip


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
    made = insert_rows(session, FactRow, [
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
        refer(session, FactRow, [{"id": id_, f"{name}_id": ids[ref]} for id_, ref in pairs if ref is not None])
    evidence = [(ids[fact.ref], one) for fact in new for one in fact.evidence]
    cited = {conversation_ids[one.chat] for _, one in evidence if one.chat is not None}
    messages = _messages_of(session, cited)
    insert_rows(session, FactEvidenceRow, [
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
