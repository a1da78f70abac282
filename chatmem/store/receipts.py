"""Receipts: what each reply's model saw, rebuilt exactly, stored small.

A request's message array is kept as a layout: per message its role and a list of references.
`m12` is the text of message 12 (by id); `x` something forgotten since; any other word is the hash of a
part kept once per owner, together with what it was made of, so that forgetting a fact finds its copies.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from sqlalchemy import bindparam, case, func, not_, or_, select, update
from sqlalchemy.orm import Session, aliased

from chatmem.domain import (
    ChatMessage,
    Context,
    FactStatus,
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
from chatmem.store.rows import owned
from chatmem.store.tables import ConversationRow, FactEvidenceRow, FactRow, MessageRow, PartRow, ReceiptRow

FORGOTTEN = "x"
"""Stands in a layout where a part has been forgotten: not even its hash is kept."""


@dataclass(frozen=True, slots=True)
class ReceiptLine:
    """What the line under a reply says; read without what was sent.

    `facts` and `quotes` count those that were sent, `tokens` the whole request: as the provider `reported`
    them, or estimated. `saved` counts the live facts that this turn's question was the first to prove.
    """

    reply_id: int
    facts: int
    quotes: int
    summary_version: int | None
    window_from: int | None
    window_through: int | None
    tokens: int
    reported: bool
    saved: int


# Read at every run of the chat page, so built once: building a statement costs as much as running it.

_LINES = (
    select(
        ReceiptRow.reply_id,
        ReceiptRow.facts,
        func.json_array_length(ReceiptRow.quotes).label("quotes"),
        # Reading JSON is most of the work: not where the provider has reported the tokens.
        case((ReceiptRow.input_tokens.is_(None), ReceiptRow.sections)).label("sections"),
        ReceiptRow.summary_version,
        ReceiptRow.window_from,
        ReceiptRow.window_through,
        ReceiptRow.input_tokens,
        MessageRow.answers_id,
    )
    .join(MessageRow, MessageRow.id == ReceiptRow.reply_id)
    .where(
        MessageRow.conversation_id == bindparam("conversation_id"),
        ReceiptRow.reply_id.in_(bindparam("reply_ids", expanding=True)),
    )
)

_FIRST = aliased(FactEvidenceRow)
_FIRST_PROOF = (
    select(func.min(_FIRST.id))
    .where(_FIRST.fact_id == FactEvidenceRow.fact_id, not_(_FIRST.against))
    .scalar_subquery()
)
_SAVED = (
    select(FactEvidenceRow.message_id, func.count().label("saved"))
    .join(FactRow, FactRow.id == FactEvidenceRow.fact_id)
    .where(
        FactEvidenceRow.message_id.in_(bindparam("question_ids", expanding=True)),
        FactEvidenceRow.id == _FIRST_PROOF,
        FactRow.owner_id == bindparam("owner_id"),
        FactRow.status == FactStatus.LIVE,
    )
    .group_by(FactEvidenceRow.message_id)
)


def _is_of(owner_id: int, reply_id: int) -> Any:
    return (
        select(MessageRow.id)
        .join(ConversationRow, ConversationRow.id == MessageRow.conversation_id)
        .where(MessageRow.id == reply_id, ConversationRow.owner_id == owner_id)
        .exists()
    )


class Receipts:
    def __init__(self, database: Database) -> None:
        self._database = database

    def freeze(self, owner_id: int, receipt: Receipt, sent: tuple[ChatMessage, ...]) -> None:
        """Keep what is about to be sent: `sent` is the array in the shape the server gets it.

        Raises `NotFound` for a reply that is not the owner's.
        """
        context = receipt.context
        with self._database.write() as session:
            if not session.scalar(select(_is_of(owner_id, receipt.reply_id))):
                raise NotFound()
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
            theirs = (ReceiptRow.reply_id == reply_id, _is_of(owner_id, reply_id))
            session.execute(update(ReceiptRow).where(*theirs).values(**values))

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

    def lines(self, owner_id: int, conversation_id: str, reply_ids: Collection[int]) -> dict[int, ReceiptLine]:
        """The lines of these replies by id, in two queries. A reply that was never asked for has none, and
        neither has one that is not of this chat. Raises `NotFound` for the chat.
        """
        with self._database.read() as session:
            owned(session, owner_id, conversation_id)
            wanted = {"conversation_id": conversation_id, "reply_ids": list(reply_ids)}
            rows = session.execute(_LINES, wanted).all() if reply_ids else []
            asked = {"owner_id": owner_id, "question_ids": [row.answers_id for row in rows]}
            saved = {row.message_id: row.saved for row in session.execute(_SAVED, asked)} if rows else {}
        return {
            row.reply_id: ReceiptLine(
                reply_id=row.reply_id,
                facts=sum(1 for _, _, how in row.facts if how != "below"),
                quotes=row.quotes,
                summary_version=row.summary_version,
                window_from=row.window_from,
                window_through=row.window_through,
                tokens=row.input_tokens if row.sections is None else sum(tokens for _, tokens, _ in row.sections),
                reported=row.input_tokens is not None,
                saved=saved.get(row.answers_id, 0),
            )
            for row in rows
        }

    def before(self, owner_id: int, reply_id: int) -> Receipt | None:
        """The receipt of the turn before a reply's, on the path the chat had when that reply was made.

        It is the nearest reply before the question that was not set aside yet: another answer to the same
        question is no turn before it, nor is what an edit or a reset had put away, or a failed turn that the
        question took the place of. One that was set aside later counts. Where the reply's window reaches, only
        what was sent in it is on the path: a branch brought back since is told apart by that. None for a chat's
        first turn. Raises `NotFound` for a reply without a receipt.
        """
        with self._database.read() as session:
            row = self._row(session, owner_id, MessageRow.id == reply_id)
            reply = session.get_one(MessageRow, reply_id)
            question = session.get(MessageRow, reply.answers_id) if reply.answers_id else None
            sent = [int(r[1:]) for _, references in row.layout for r in references if r.startswith("m")]
            number = question.number if question else reply.number
            earlier = session.scalars(
                select(ReceiptRow)
                .join(MessageRow, MessageRow.id == ReceiptRow.reply_id)
                .where(
                    MessageRow.conversation_id == reply.conversation_id,
                    MessageRow.number < number,
                    or_(MessageRow.retired_at.is_(None), MessageRow.retired_at > reply.created_at),
                    or_(MessageRow.number < (row.window_from or number), MessageRow.id.in_(sent)),
                )
                .order_by(MessageRow.number.desc())
                .limit(1)
            ).first()
            return _receipt_of(earlier, _rebuild(session, owner_id, earlier.layout)) if earlier else None

    def _one(self, owner_id: int, *where: Any) -> Receipt:
        with self._database.read() as session:
            row = self._row(session, owner_id, *where)
            return _receipt_of(row, _rebuild(session, owner_id, row.layout))

    def _row(self, session: Session, owner_id: int, *where: Any) -> ReceiptRow:
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
        return row


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
        f"m{id_}": Segment(text, f"message:{id_}", redacted=forgotten_at is not None)
        for id_, text, forgotten_at in session.execute(
            select(MessageRow.id, MessageRow.text, MessageRow.forgotten_at)
            .join(ConversationRow)
            .where(MessageRow.id.in_(ids), ConversationRow.owner_id == owner_id)
        )
    }
    for address, text, source in session.execute(
        select(PartRow.hash, PartRow.text, PartRow.source).where(
            PartRow.owner_id == owner_id, PartRow.hash.in_(wanted)
        )
    ):
        found[address] = Segment(text, source, redacted=not text)  # no part was empty when it was sent
    gone = Segment("", redacted=True)
    return tuple(ChatMessage(role, tuple(found.get(r, gone) for r in references)) for role, references in layout)


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
