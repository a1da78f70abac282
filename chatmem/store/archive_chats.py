"""Writing one imported chat: its messages, branches and summary versions, with ids of their own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import insert, update
from sqlalchemy.orm import Session

from chatmem.domain import new_id
from chatmem.store.archived import pieces
from chatmem.store.records import ConversationRecord, DetailRecord, MessageRecord, SummaryRecord
from chatmem.store.search import index_terms, search_entry
from chatmem.store.tables import ConversationRow, MessageRow, RetirementRow, SummaryRow


@dataclass(frozen=True, slots=True)
class Prepared:
    """What a chat's texts come to, worked out before anything is locked: tokens, and terms of live messages."""

    message_tokens: Sequence[int]
    summary_tokens: Sequence[int]
    terms: Sequence[Sequence[str] | None]


def prepare_chat(chat: ConversationRecord, count_tokens: Callable[[str], int]) -> Prepared:
    return Prepared(
        [count_tokens(message.text) for message in chat.messages],
        [count_tokens(summary.text) for summary in chat.summaries],
        [
            search_entry(one.text, one.created_at) if not one.void and one.retired_at is None else None
            for one in chat.messages
        ],
    )


def add_chat(session: Session, owner_id: int, chat: ConversationRecord, prepared: Prepared) -> str:
    """The new chat's id. Nothing is learned from it by itself: its facts come with it."""
    last = chat.messages[-1].number if chat.messages else 0
    row = ConversationRow(
        id=new_id(), owner_id=owner_id, title=chat.title, title_settled=chat.title_settled, preset=chat.preset,
        memory_epoch=0, last_number=last, extracted_through=last, extraction_refusals=[],
        uses_facts=chat.uses_facts, learns=chat.learns, holds_fold=chat.holds_fold,
        pins=[list(pin) for pin in chat.pins], created_at=chat.created_at, updated_at=chat.updated_at,
    )  # fmt: skip
    session.add(row)
    session.flush()
    branches = _add_branches(session, row.id, chat)
    ids = _add_messages(session, row.id, chat.messages, prepared.message_tokens, branches)
    versions = _add_summaries(session, row.id, chat, prepared.summary_tokens)
    row.head_id = versions.get(chat.head)
    refer(session, RetirementRow, [
        {"id": branches[one.ref], "head_id": versions[one.head]} for one in chat.branches if one.head is not None
    ])  # fmt: skip
    session.flush()
    entries = {id_: terms for id_, terms in zip(ids, prepared.terms, strict=True) if terms is not None}
    for some in pieces(list(entries)):
        index_terms(session, row.id, {id_: entries[id_] for id_ in some})
    return row.id


def _add_branches(session: Session, conversation_id: str, chat: ConversationRecord) -> dict[int | None, int]:
    """The ids by `ref`. Which facts came back with a branch is not in a file."""
    ids = insert_rows(session, RetirementRow, [
        {
            "conversation_id": conversation_id, "kind": one.kind, "after_number": one.after,
            "first_number": one.first, "extracted_through": one.extracted_through, "facts": [],
            "created_at": one.created_at,
        }
        for one in chat.branches
    ])  # fmt: skip
    return {one.ref: id_ for one, id_ in zip(chat.branches, ids, strict=True)}


def _add_messages(
    session: Session,
    conversation_id: str,
    messages: Sequence[MessageRecord],
    tokens: Sequence[int],
    branches: dict[int | None, int],
) -> list[int]:
    ids = insert_rows(session, MessageRow, [
        {
            "conversation_id": conversation_id, "number": one.number, "role": one.role, "text": one.text,
            "tokens": count, "status": one.status, "void": one.void, "model": one.model,
            "failure": {"code": one.failure.code, "details": one.failure.details} if one.failure else None,
            "retired_at": one.retired_at, "created_at": one.created_at, "forgotten_at": one.forgotten_at,
            "retirement_id": branches.get(one.branch),
        }
        for one, count in zip(messages, tokens, strict=True)
    ])  # fmt: skip
    by_number = {one.number: id_ for one, id_ in zip(messages, ids, strict=True)}
    refer(session, MessageRow, [
        {"id": by_number[one.number], "answers_id": by_number[one.answers]}
        for one in messages if one.answers is not None
    ])  # fmt: skip
    return ids


def _add_summaries(
    session: Session, conversation_id: str, chat: ConversationRecord, tokens: Sequence[int]
) -> dict[int | None, int]:
    """The ids by version."""
    ids = insert_rows(session, SummaryRow, [
        {
            "conversation_id": conversation_id, "version": one.version, "covers_from": one.covers_from,
            "covers_through": one.covers_through, "text": one.text, "pins": [list(pin) for pin in one.pins],
            "source": one.source, "counted": one.counted, "kept": one.kept, "tokens": count, "model": one.model,
            "created_at": one.created_at, "how": one.how, "folded": _folded(one, chat.messages),
            "survived": [_detail(detail) for detail in one.survived],
            "lost": [_detail(detail) for detail in one.lost], "suspended_at": one.suspended_at,
        }
        for one, count in zip(chat.summaries, tokens, strict=True)
    ])  # fmt: skip
    by_version: dict[int | None, int] = {one.version: id_ for one, id_ in zip(chat.summaries, ids, strict=True)}
    for name in ("parent", "base"):
        refer(session, SummaryRow, [
            {"id": by_version[one.version], f"{name}_id": by_version[version]}
            for one in chat.summaries
            if (version := getattr(one, name) or (one.parent if name == "base" else None)) is not None
        ])  # fmt: skip
    return by_version


def _folded(summary: SummaryRecord, messages: Sequence[MessageRecord]) -> list[list[int]]:
    """The runs it took; a file of version 1 does not tell, and then it is what was live when it was made."""
    if summary.folded or summary.how != "fold":
        return [list(run) for run in summary.folded]
    found: list[list[int]] = []
    for one in messages:
        was_live = not one.void and (one.retired_at is None or one.retired_at > summary.created_at)
        if summary.covers_from <= one.number <= summary.covers_through and was_live:
            if found and found[-1][1] == one.number - 1:
                found[-1][1] = one.number
            else:
                found.append([one.number, one.number])
    return found


def _detail(record: DetailRecord) -> list[Any]:
    return [record.number, record.quote, record.what, record.kind, *record.days]


def insert_rows(session: Session, table: Any, rows: Sequence[dict[str, Any]]) -> list[int]:
    """The new ids, in the order of the rows."""
    if not rows:
        return []
    return list(session.scalars(insert(table).returning(table.id, sort_by_parameter_order=True), rows))


def refer(session: Session, table: Any, rows: Sequence[dict[str, Any]]) -> None:
    """Set references, once the rows they point at are there."""
    if rows:
        session.execute(update(table), rows)
