"""Receipts: what each reply's model saw, rebuilt exactly, stored small.

A request's message array is kept as a layout: per message its role and a list of references.
`m12` is the text of message 12 (by id); any other word is the hash of a part kept once per owner,
together with what it was made of, so that forgetting a fact finds its copies.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from chatmem.domain import (
    ChatMessage,
    Context,
    Receipt,
    Section,
    Segment,
    Usage,
    UsedFact,
    UsedQuote,
    content_hash,
)
from chatmem.errors import NotFound
from chatmem.store.database import Database
from chatmem.store.tables import ConversationRow, MessageRow, PartRow, ReceiptRow


class Receipts:
    def __init__(self, database: Database) -> None:
        self._database = database

    def freeze(self, owner_id: int, receipt: Receipt, sent: tuple[ChatMessage, ...]) -> None:
        """Keep what is about to be sent: `sent` is the array in the shape the server gets it."""
        context = receipt.context
        with self._database.write() as session:
            session.add(
                ReceiptRow(
                    reply_id=receipt.reply_id,
                    layout=_lay_out(session, owner_id, sent),
                    sections=[[s.name, s.tokens, s.share] for s in context.sections],
                    summary_version=context.summary_version,
                    window_from=context.window_from,
                    window_through=context.window_through,
                    unsent=list(context.unsent) if context.unsent else None,
                    expired=list(context.expired),
                    facts=[[used.fact_id, round(used.score, 4), used.how] for used in context.facts],
                    quotes=[[used.message_id, used.number, round(used.score, 4)] for used in context.quotes],
                    provider=receipt.provider,
                    model=receipt.model,
                    prepared_ms=receipt.prepared_ms,
                )
            )

    def complete(
        self,
        owner_id: int,
        reply_id: int,
        first_token_ms: float | None,
        total_ms: float,
        usage: Usage | None,
        sent: tuple[ChatMessage, ...] | None,
    ) -> None:
        """Add how it went; `sent` when the array was reshaped on its way."""
        values: dict[str, Any] = {"first_token_ms": first_token_ms, "total_ms": total_ms}
        if usage:
            values |= {"input_tokens": usage.input_tokens, "output_tokens": usage.output_tokens}
        with self._database.write() as session:
            if sent is not None:
                values["layout"] = _lay_out(session, owner_id, sent)
            session.execute(update(ReceiptRow).where(ReceiptRow.reply_id == reply_id).values(**values))

    def get(self, owner_id: int, reply_id: int) -> Receipt:
        """The receipt of one reply, its message array rebuilt. Raises `NotFound`."""
        return self._one(owner_id, MessageRow.id == reply_id)

    def latest(self, owner_id: int, conversation_id: str) -> Receipt | None:
        """The receipt of the chat's newest reply that is not retired."""
        try:
            return self._one(
                owner_id,
                MessageRow.conversation_id == conversation_id,
                MessageRow.retired_at.is_(None),
            )
        except NotFound:
            return None

    def _one(self, owner_id: int, *where: Any) -> Receipt:
        with self._database.read() as session:
            row = session.scalars(
                select(ReceiptRow)
                .join(MessageRow, MessageRow.id == ReceiptRow.reply_id)
                .join(ConversationRow, ConversationRow.id == MessageRow.conversation_id)
                .where(ConversationRow.owner_id == owner_id, ConversationRow.hidden_at.is_(None), *where)
                .order_by(MessageRow.number.desc())
                .limit(1)
            ).first()
            if row is None:
                raise NotFound()
            return _receipt_of(row, _rebuild(session, owner_id, row.layout))


def _lay_out(session: Session, owner_id: int, messages: tuple[ChatMessage, ...]) -> list[Any]:
    parts: dict[str, Segment] = {}

    def reference(segment: Segment) -> str:
        kind, _, number = segment.source.partition(":")
        if kind == "message":
            return f"m{number}"
        address = content_hash(segment.text)
        parts[address] = segment
        return address

    layout = [[m.role, [reference(s) for s in m.segments if s.text]] for m in messages]
    if parts:
        rows = [
            {"owner_id": owner_id, "hash": address, "text": part.text, "source": part.source}
            for address, part in parts.items()
        ]
        # Many rows for one statement, not one statement of many rows: that would be compiled each time.
        session.execute(_insert(session)(PartRow).on_conflict_do_nothing(), rows)
    return layout


def _insert(session: Session) -> Any:
    """The dialect's own INSERT, which knows ON CONFLICT. Imported here: each dialect costs a tenth of a second."""
    if session.get_bind().dialect.name == "sqlite":
        from sqlalchemy.dialects.sqlite import insert
    else:
        from sqlalchemy.dialects.postgresql import insert  # type: ignore[assignment]
    return insert


def _rebuild(session: Session, owner_id: int, layout: list[Any]) -> tuple[ChatMessage, ...]:
    wanted = {reference for _, references in layout for reference in references}
    ids = [int(reference[1:]) for reference in wanted if reference.startswith("m")]
    found = {
        f"m{id_}": Segment(text, f"message:{id_}")
        for id_, text in session.execute(
            select(MessageRow.id, MessageRow.text)
            .join(ConversationRow)
            .where(MessageRow.id.in_(ids), ConversationRow.owner_id == owner_id)
        )
    }
    for address, text, source in session.execute(
        select(PartRow.hash, PartRow.text, PartRow.source).where(
            PartRow.owner_id == owner_id, PartRow.hash.in_(wanted)
        )
    ):
        found[address] = Segment(text, source)
    return tuple(
        ChatMessage(role, tuple(found[r] for r in references if r in found)) for role, references in layout
    )


def _receipt_of(row: ReceiptRow, messages: tuple[ChatMessage, ...]) -> Receipt:
    usage = None
    if row.input_tokens is not None and row.output_tokens is not None:
        usage = Usage(row.input_tokens, row.output_tokens)
    return Receipt(
        reply_id=row.reply_id,
        context=Context(
            messages=messages,
            sections=tuple(Section(name, tokens, share) for name, tokens, share in row.sections),
            summary_version=row.summary_version,
            window_from=row.window_from,
            window_through=row.window_through,
            unsent=(row.unsent[0], row.unsent[1]) if row.unsent else None,
            expired=tuple(row.expired),
            facts=tuple(UsedFact(*used) for used in row.facts),
            quotes=tuple(UsedQuote(*used) for used in row.quotes),
        ),
        provider=row.provider,
        model=row.model,
        prepared_ms=row.prepared_ms,
        first_token_ms=row.first_token_ms,
        total_ms=row.total_ms,
        usage=usage,
    )
