"""The trunk: owners, conversations, messages, summaries, receipts."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "owners",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("preferences", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("token_hash"),
    )
    op.create_table(
        "conversations",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("owner_id", sa.Integer(), nullable=False),
        sa.Column("title", sa.String(length=200), nullable=False),
        sa.Column("title_settled", sa.Boolean(), nullable=False),
        sa.Column("preset", sa.String(length=32), nullable=True),
        sa.Column("head_id", sa.Integer(), nullable=True),
        sa.Column("memory_epoch", sa.Integer(), nullable=False),
        sa.Column("last_number", sa.Integer(), nullable=False),
        sa.Column("reset_undo", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.Column("updated_at", sa.DateTime(), nullable=False),
        sa.Column("hidden_at", sa.DateTime(), nullable=True),
        sa.ForeignKeyConstraint(["owner_id"], ["owners.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_conversations_owner", "conversations", ["owner_id", "updated_at"], unique=False)
    op.create_table(
        "parts",
        sa.Column("owner_id", sa.Integer(), nullable=False),
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["owner_id"], ["owners.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("owner_id", "hash"),
    )
    op.create_table(
        "spending",
        sa.Column("owner_id", sa.Integer(), nullable=False),
        sa.Column("day", sa.String(length=10), nullable=False),
        sa.Column("tokens", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["owner_id"], ["owners.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("owner_id", "day"),
    )
    op.create_table(
        "fold_refusals",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("conversation_id", sa.String(length=32), nullable=False),
        sa.Column("after", sa.Integer(), nullable=False),
        sa.Column("through", sa.Integer(), nullable=False),
        sa.Column("reason", sa.String(length=64), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(["conversation_id"], ["conversations.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_fold_refusals", "fold_refusals", ["conversation_id", "after"], unique=False)
    op.create_table(
        "messages",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("conversation_id", sa.String(length=32), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("role", sa.String(length=16), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("tokens", sa.Integer(), nullable=False),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("void", sa.Boolean(), nullable=False),
        sa.Column("failure", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("model", sa.String(length=200), nullable=False),
        sa.Column("draft_id", sa.String(length=64), nullable=True),
        sa.Column("answers_id", sa.Integer(), nullable=True),
        sa.Column("retired_at", sa.DateTime(), nullable=True),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.Column("run_token", sa.String(length=32), nullable=True),
        sa.Column("heartbeat", sa.Integer().with_variant(sa.BigInteger(), "postgresql"), nullable=True),
        sa.Column("stop_requested", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["answers_id"], ["messages.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["conversation_id"], ["conversations.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("conversation_id", "draft_id"),
        sa.UniqueConstraint("conversation_id", "number"),
    )
    op.create_index(
        "ix_messages_live",
        "messages",
        ["conversation_id", "number"],
        unique=False,
        sqlite_where=sa.text("void = 0 AND retired_at IS NULL"),
        postgresql_where=sa.text("NOT void AND retired_at IS NULL"),
    )
    op.create_index(
        "ix_messages_streaming",
        "messages",
        ["conversation_id"],
        unique=True,
        sqlite_where=sa.text("status = 'streaming'"),
        postgresql_where=sa.text("status = 'streaming'"),
    )
    op.create_table(
        "summaries",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("conversation_id", sa.String(length=32), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("parent_id", sa.Integer(), nullable=True),
        sa.Column("covers_from", sa.Integer(), nullable=False),
        sa.Column("covers_through", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("pins", sa.JSON(), nullable=False),
        sa.Column("source", sa.String(length=16), nullable=False),
        sa.Column("counted", sa.Integer(), nullable=False),
        sa.Column("kept", sa.Integer(), nullable=False),
        sa.Column("tokens", sa.Integer(), nullable=False),
        sa.Column("model", sa.String(length=200), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(["conversation_id"], ["conversations.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("conversation_id", "version"),
    )
    op.create_table(
        "receipts",
        sa.Column("reply_id", sa.Integer(), nullable=False),
        sa.Column("layout", sa.JSON(), nullable=False),
        sa.Column("sections", sa.JSON(), nullable=False),
        sa.Column("summary_version", sa.Integer(), nullable=True),
        sa.Column("window_from", sa.Integer(), nullable=True),
        sa.Column("window_through", sa.Integer(), nullable=True),
        sa.Column("unsent", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("expired", sa.JSON(), nullable=False),
        sa.Column("provider", sa.String(length=64), nullable=False),
        sa.Column("model", sa.String(length=200), nullable=False),
        sa.Column("prepared_ms", sa.Float(), nullable=False),
        sa.Column("first_token_ms", sa.Float(), nullable=True),
        sa.Column("total_ms", sa.Float(), nullable=True),
        sa.Column("input_tokens", sa.Integer(), nullable=True),
        sa.Column("output_tokens", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["reply_id"], ["messages.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("reply_id"),
    )
