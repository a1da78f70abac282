"""The tables. Only `store` imports them; what leaves `store` is a value of `domain`.

A change here needs a migration in `migrations/versions`; a test compares the two.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    DateTime,
    Dialect,
    Float,
    ForeignKey,
    Index,
    Integer,
    String,
    Text,
    TypeDecorator,
    UniqueConstraint,
    false,
    text,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column


class UtcDateTime(TypeDecorator[datetime]):
    """Aware datetimes in, aware datetimes out, UTC in the database: SQLite keeps no time zone."""

    impl = DateTime
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return value.astimezone(UTC).replace(tzinfo=None) if value else None

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return value.replace(tzinfo=UTC) if value else None


class Cut(TypeDecorator[str]):
    """A name that somebody else chose: PostgreSQL refuses what is too long, and no reply may be lost for that."""

    impl = String
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        return value[: self.impl_instance.length] if value else value  # type: ignore[attr-defined]


class Base(DeclarativeBase):
    type_annotation_map = {datetime: UtcDateTime(), dict[str, Any]: JSON(), list[Any]: JSON()}


class OwnerRow(Base):
    """A person, known by the hash of what their browser holds, or the one owner of this machine."""

    __tablename__ = "owners"

    id: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str] = mapped_column(String(16))
    token_hash: Mapped[str] = mapped_column(String(64), unique=True)
    preferences: Mapped[dict[str, Any]] = mapped_column(default=dict)
    created_at: Mapped[datetime]
    # Grows with every change of the owner's facts; who has read facts and comes to write names it.
    facts_epoch: Mapped[int] = mapped_column(default=0, server_default="0")
    # Of these, the changes by the person's own hand: they show at once in every chat.
    hand_epoch: Mapped[int] = mapped_column(default=0, server_default="0")


class ConversationRow(Base):
    """`head_id` and `memory_epoch` decide what is remembered: see `store.memory`."""

    __tablename__ = "conversations"
    __table_args__ = (Index("ix_conversations_owner", "owner_id", "updated_at"),)

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    owner_id: Mapped[int] = mapped_column(ForeignKey("owners.id", ondelete="CASCADE"))
    title: Mapped[str] = mapped_column(Cut(200))
    title_settled: Mapped[bool] = mapped_column(Boolean, default=False)
    preset: Mapped[str | None] = mapped_column(String(32))
    head_id: Mapped[int | None] = mapped_column(Integer)
    memory_epoch: Mapped[int] = mapped_column(default=0)
    last_number: Mapped[int] = mapped_column(default=0)
    reset_undo: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    created_at: Mapped[datetime]
    updated_at: Mapped[datetime]
    hidden_at: Mapped[datetime | None]
    # What was learned in it alone goes with it, when it is purged.
    takes_facts: Mapped[bool] = mapped_column(Boolean, default=False, server_default=false())
    uses_facts: Mapped[bool | None] = mapped_column(Boolean)
    learns: Mapped[bool | None] = mapped_column(Boolean)
    # Facts were extracted from the messages up to this number; moves in the transaction that writes them.
    extracted_through: Mapped[int] = mapped_column(default=0, server_default="0")
    # Attempts since it last moved: [[reason, time], …].
    extraction_refusals: Mapped[list[Any]] = mapped_column(default=list, server_default="[]")
    # The facts that open every request, frozen so that the prefix stays equal: see `store.facts`.
    frozen_facts: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    # The person has put folding off: see `plan_fold`.
    holds_fold: Mapped[bool] = mapped_column(Boolean, default=False, server_default=false())
    # What the person has pinned, [[number, quote], …]: every version that covers it carries it.
    pins: Mapped[list[Any]] = mapped_column(default=list, server_default="[]")


class MessageRow(Base):
    """Append-only: a text changes while its reply streams, and when a person has it forgotten."""

    __tablename__ = "messages"
    __table_args__ = (
        UniqueConstraint("conversation_id", "number"),
        UniqueConstraint("conversation_id", "draft_id"),
        # What is live, in order: the one query of every turn. Other chats never slow it down.
        Index(
            "ix_messages_live",
            "conversation_id",
            "number",
            sqlite_where=text("void = 0 AND retired_at IS NULL"),
            postgresql_where=text("NOT void AND retired_at IS NULL"),
        ),
        # At most one reply at a time in a chat, whatever tabs and processes do.
        Index(
            "ix_messages_streaming",
            "conversation_id",
            unique=True,
            sqlite_where=text("status = 'streaming'"),
            postgresql_where=text("status = 'streaming'"),
        ),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    conversation_id: Mapped[str] = mapped_column(ForeignKey("conversations.id", ondelete="CASCADE"))
    number: Mapped[int]
    role: Mapped[str] = mapped_column(String(16))
    text: Mapped[str] = mapped_column(Text)
    tokens: Mapped[int] = mapped_column(default=0)
    status: Mapped[str] = mapped_column(String(16))
    void: Mapped[bool] = mapped_column(Boolean, default=False)
    failure: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    model: Mapped[str] = mapped_column(Cut(200), default="")
    draft_id: Mapped[str | None] = mapped_column(String(64))
    answers_id: Mapped[int | None] = mapped_column(ForeignKey("messages.id", ondelete="CASCADE"))
    retired_at: Mapped[datetime | None]
    # The act that retired it, if it can be brought back: see `RetirementRow`.
    retirement_id: Mapped[int | None] = mapped_column(Integer)
    # A forgotten message is retired too, and its text is gone.
    forgotten_at: Mapped[datetime | None]
    created_at: Mapped[datetime]
    # Only while streaming: whose thread writes here, when it was last alive (seconds since 1970 by
    # the database's clock), and whether somebody asked it to stop.
    run_token: Mapped[str | None] = mapped_column(String(32))
    heartbeat: Mapped[int | None] = mapped_column(Integer().with_variant(BigInteger(), "postgresql"))
    stop_requested: Mapped[bool] = mapped_column(Boolean, default=False)


class RetirementRow(Base):
    """An earlier branch: what an edit, a deletion or another answer set aside, and what it takes to bring it back.

    The live messages of a chat are one path in the tree of all it ever had: whatever sets messages aside
    sets all aside that follow. So the branch can come back while message `after_number` is live, and the
    head that was in force then fits again. `facts` are those that ended or came back with it: [id, status before].
    """

    __tablename__ = "retirements"
    __table_args__ = (Index("ix_retirements", "conversation_id", "after_number"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    conversation_id: Mapped[str] = mapped_column(ForeignKey("conversations.id", ondelete="CASCADE"))
    kind: Mapped[str] = mapped_column(String(16))
    after_number: Mapped[int]
    first_number: Mapped[int]
    head_id: Mapped[int | None] = mapped_column(Integer)
    extracted_through: Mapped[int]
    facts: Mapped[list[Any]] = mapped_column(default=list)
    created_at: Mapped[datetime]


class SummaryRow(Base):
    """One immutable version of a chat's summary. Only forgetting takes its text away, and says so.

    `base_id` is the version that was in force before it; `parent_id` the one whose text it carries on,
    which an expired one is not. `folded` are the runs of numbers it took from the window, [[first, last], …].
    `survived` and `lost` are what the loss meter found: [[number, quote, what, kind], …].
    """

    __tablename__ = "summaries"
    __table_args__ = (UniqueConstraint("conversation_id", "version"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    conversation_id: Mapped[str] = mapped_column(ForeignKey("conversations.id", ondelete="CASCADE"))
    version: Mapped[int]
    parent_id: Mapped[int | None] = mapped_column(Integer)
    base_id: Mapped[int | None] = mapped_column(Integer)
    how: Mapped[str] = mapped_column(String(16), default="fold", server_default="fold")
    folded: Mapped[list[Any]] = mapped_column(default=list, server_default="[]")
    survived: Mapped[list[Any]] = mapped_column(default=list, server_default="[]")
    lost: Mapped[list[Any]] = mapped_column(default=list, server_default="[]")
    suspended_at: Mapped[datetime | None]
    covers_from: Mapped[int]
    covers_through: Mapped[int]
    text: Mapped[str] = mapped_column(Text)
    pins: Mapped[list[Any]] = mapped_column(default=list)
    source: Mapped[str] = mapped_column(String(16))
    counted: Mapped[int]
    kept: Mapped[int]
    tokens: Mapped[int]
    model: Mapped[str] = mapped_column(Cut(200), default="")
    created_at: Mapped[datetime]


class FoldRefusalRow(Base):
    """A fold that was tried and not accepted, with the reason and what the model wrote."""

    __tablename__ = "fold_refusals"
    __table_args__ = (Index("ix_fold_refusals", "conversation_id", "after"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    conversation_id: Mapped[str] = mapped_column(ForeignKey("conversations.id", ondelete="CASCADE"))
    after: Mapped[int]
    through: Mapped[int]
    reason: Mapped[str] = mapped_column(Cut(64))
    text: Mapped[str] = mapped_column(Text, default="")
    created_at: Mapped[datetime]


class ReceiptRow(Base):
    """What a reply used. `layout` is the request's message array, its texts replaced by references."""

    __tablename__ = "receipts"

    reply_id: Mapped[int] = mapped_column(ForeignKey("messages.id", ondelete="CASCADE"), primary_key=True)
    layout: Mapped[list[Any]]
    sections: Mapped[list[Any]]
    summary_version: Mapped[int | None] = mapped_column(Integer)
    window_from: Mapped[int | None] = mapped_column(Integer)
    window_through: Mapped[int | None] = mapped_column(Integer)
    unsent: Mapped[list[Any] | None] = mapped_column(JSON(none_as_null=True))
    expired: Mapped[list[Any]]
    facts: Mapped[list[Any]] = mapped_column(default=list, server_default="[]")
    quotes: Mapped[list[Any]] = mapped_column(default=list, server_default="[]")
    provider: Mapped[str] = mapped_column(Cut(64))
    model: Mapped[str] = mapped_column(Cut(200))
    prepared_ms: Mapped[float] = mapped_column(Float)
    first_token_ms: Mapped[float | None] = mapped_column(Float)
    total_ms: Mapped[float | None] = mapped_column(Float)
    input_tokens: Mapped[int | None] = mapped_column(Integer)
    output_tokens: Mapped[int | None] = mapped_column(Integer)


class PartRow(Base):
    """A text that receipts refer to by its hash. Kept per owner: equal texts of two people never meet.

    `source` is what the text was made of (`fact:12`, `summary:3`), so that forgetting finds it.
    """

    __tablename__ = "parts"

    owner_id: Mapped[int] = mapped_column(ForeignKey("owners.id", ondelete="CASCADE"), primary_key=True)
    hash: Mapped[str] = mapped_column(String(64), primary_key=True)
    text: Mapped[str] = mapped_column(Text)
    source: Mapped[str] = mapped_column(String(32), default="", server_default="")


class SpendingRow(Base):
    """Tokens an owner spent on the shared key on one day (UTC)."""

    __tablename__ = "spending"

    owner_id: Mapped[int] = mapped_column(ForeignKey("owners.id", ondelete="CASCADE"), primary_key=True)
    day: Mapped[str] = mapped_column(String(10), primary_key=True)
    tokens: Mapped[int] = mapped_column(default=0)


class FactRow(Base):
    """One thing known about an owner. Only forgetting deletes a row; everything else ends it."""

    __tablename__ = "facts"
    __table_args__ = (
        Index("ix_facts_owner", "owner_id", "status", "id"),
        Index("ix_facts_revision", "owner_id", "revision"),
        Index("ix_facts_rival", "rival_id"),
        # Never two live copies, whatever tabs and processes do.
        Index(
            "ix_facts_once",
            "owner_id",
            "fingerprint",
            unique=True,
            sqlite_where=text("status IN ('live', 'pending', 'quarantined')"),
            postgresql_where=text("status IN ('live', 'pending', 'quarantined')"),
        ),
        # The id of a forgotten fact is never given again: receipts name facts by it.
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    owner_id: Mapped[int] = mapped_column(ForeignKey("owners.id", ondelete="CASCADE"))
    kind: Mapped[str] = mapped_column(String(16))
    text: Mapped[str] = mapped_column(Text)
    fingerprint: Mapped[str] = mapped_column(String(64))
    # What search compares, separated by spaces: see `search_terms`.
    terms: Mapped[str] = mapped_column(Text)
    status: Mapped[str] = mapped_column(String(16))
    origin: Mapped[str] = mapped_column(String(16))
    pinned: Mapped[bool] = mapped_column(Boolean, default=False)
    replaces_id: Mapped[int | None] = mapped_column(ForeignKey("facts.id", ondelete="SET NULL"))
    rival_id: Mapped[int | None] = mapped_column(ForeignKey("facts.id", ondelete="SET NULL"))
    created_at: Mapped[datetime]
    confirmed_at: Mapped[datetime]
    ended_at: Mapped[datetime | None]
    # The owner's `facts_epoch` when this row last changed.
    revision: Mapped[int]


class FactEvidenceRow(Base):
    """A person's words that prove a fact, or that ended it."""

    __tablename__ = "fact_evidence"
    __table_args__ = (
        Index("ix_fact_evidence", "fact_id"),
        Index("ix_fact_evidence_message", "message_id"),
        Index("ix_fact_evidence_chat", "conversation_id"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    fact_id: Mapped[int] = mapped_column(ForeignKey("facts.id", ondelete="CASCADE"))
    message_id: Mapped[int | None] = mapped_column(ForeignKey("messages.id", ondelete="SET NULL"))
    # The message's chat: each turn asks what of its own chat is outdated, however long it is.
    conversation_id: Mapped[str | None] = mapped_column(ForeignKey("conversations.id", ondelete="SET NULL"))
    quote: Mapped[str] = mapped_column(Text)
    said_at: Mapped[datetime]
    against: Mapped[bool] = mapped_column(Boolean, default=False)


class FactVectorRow(Base):
    """A fact's embedding by one model, as float32 bytes."""

    __tablename__ = "fact_vectors"

    fact_id: Mapped[int] = mapped_column(ForeignKey("facts.id", ondelete="CASCADE"), primary_key=True)
    model: Mapped[str] = mapped_column(Cut(100), primary_key=True)
    vector: Mapped[bytes]


class MessageVectorRow(Base):
    """A message's embedding by one model, as float16 bytes."""

    __tablename__ = "message_vectors"

    message_id: Mapped[int] = mapped_column(ForeignKey("messages.id", ondelete="CASCADE"), primary_key=True)
    model: Mapped[str] = mapped_column(Cut(100), primary_key=True)
    vector: Mapped[bytes]
