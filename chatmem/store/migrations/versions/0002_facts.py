"""Long-term memory: facts with their evidence, vectors, and the search index of messages."""

import sqlalchemy as sa
from alembic import op

from chatmem.store.search import create_search, index_everything

revision = "0002"
down_revision = "0001"

LIVE = sa.text("status IN ('live', 'pending', 'quarantined')")


def upgrade() -> None:
    op.add_column("owners", sa.Column("facts_epoch", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("owners", sa.Column("hand_epoch", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("conversations", sa.Column("uses_facts", sa.Boolean(), nullable=True))
    op.add_column("conversations", sa.Column("learns", sa.Boolean(), nullable=True))
    op.add_column(
        "conversations", sa.Column("extracted_through", sa.Integer(), nullable=False, server_default="0")
    )
    op.add_column(
        "conversations", sa.Column("extraction_refusals", sa.JSON(), nullable=False, server_default="[]")
    )
    op.add_column("conversations", sa.Column("frozen_facts", sa.JSON(none_as_null=True), nullable=True))
    op.add_column("receipts", sa.Column("facts", sa.JSON(), nullable=False, server_default="[]"))
    op.add_column("receipts", sa.Column("quotes", sa.JSON(), nullable=False, server_default="[]"))
    op.add_column("parts", sa.Column("source", sa.String(length=32), nullable=False, server_default=""))
    op.create_table(
        "facts",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("owner_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("fingerprint", sa.String(length=64), nullable=False),
        sa.Column("terms", sa.Text(), nullable=False),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("origin", sa.String(length=16), nullable=False),
        sa.Column("pinned", sa.Boolean(), nullable=False),
        sa.Column("replaces_id", sa.Integer(), nullable=True),
        sa.Column("rival_id", sa.Integer(), nullable=True),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.Column("confirmed_at", sa.DateTime(), nullable=False),
        sa.Column("ended_at", sa.DateTime(), nullable=True),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["owner_id"], ["owners.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["replaces_id"], ["facts.id"], ondelete="SET NULL"),
        sa.ForeignKeyConstraint(["rival_id"], ["facts.id"], ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("id"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_facts_owner", "facts", ["owner_id", "status", "id"], unique=False)
    op.create_index("ix_facts_revision", "facts", ["owner_id", "revision"], unique=False)
    op.create_index("ix_facts_rival", "facts", ["rival_id"], unique=False)
    op.create_index(
        "ix_facts_once", "facts", ["owner_id", "fingerprint"], unique=True,
        sqlite_where=LIVE, postgresql_where=LIVE,
    )  # fmt: skip
    op.create_table(
        "fact_evidence",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("fact_id", sa.Integer(), nullable=False),
        sa.Column("message_id", sa.Integer(), nullable=True),
        sa.Column("conversation_id", sa.String(length=32), nullable=True),
        sa.Column("quote", sa.Text(), nullable=False),
        sa.Column("said_at", sa.DateTime(), nullable=False),
        sa.Column("against", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["fact_id"], ["facts.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["message_id"], ["messages.id"], ondelete="SET NULL"),
        sa.ForeignKeyConstraint(["conversation_id"], ["conversations.id"], ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_fact_evidence", "fact_evidence", ["fact_id"], unique=False)
    op.create_index("ix_fact_evidence_chat", "fact_evidence", ["conversation_id"], unique=False)
    op.create_index("ix_fact_evidence_message", "fact_evidence", ["message_id"], unique=False)
    for name, column in (("fact_vectors", "fact_id"), ("message_vectors", "message_id")):
        op.create_table(
            name,
            sa.Column(column, sa.Integer(), nullable=False),
            sa.Column("model", sa.String(length=100), nullable=False),
            sa.Column("vector", sa.LargeBinary(), nullable=False),
            sa.ForeignKeyConstraint([column], [f"{column[:-3]}s.id"], ondelete="CASCADE"),
            sa.PrimaryKeyConstraint(column, "model"),
        )
    # Nothing is learned from what was said before this app could learn, unless somebody asks for it.
    op.execute("UPDATE conversations SET extracted_through = last_number")
    # What an index holds can be made again at any time, so the code of today may make it.
    create_search(op.get_bind())
    index_everything(op.get_bind())
