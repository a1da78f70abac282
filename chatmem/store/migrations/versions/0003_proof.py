"""Proof: branches, versions with their base and their losses, the person's pins, forgetting."""

from collections.abc import Sequence
from itertools import groupby

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.add_column(
        "conversations", sa.Column("holds_fold", sa.Boolean(), nullable=False, server_default=sa.false())
    )
    op.add_column("conversations", sa.Column("pins", sa.JSON(), nullable=False, server_default="[]"))
    op.add_column(
        "conversations", sa.Column("takes_facts", sa.Boolean(), nullable=False, server_default=sa.false())
    )
    op.add_column("messages", sa.Column("retirement_id", sa.Integer(), nullable=True))
    op.add_column("messages", sa.Column("forgotten_at", sa.DateTime(), nullable=True))
    op.add_column("summaries", sa.Column("base_id", sa.Integer(), nullable=True))
    op.add_column("summaries", sa.Column("how", sa.String(length=16), nullable=False, server_default="fold"))
    op.add_column("summaries", sa.Column("folded", sa.JSON(), nullable=False, server_default="[]"))
    op.add_column("summaries", sa.Column("survived", sa.JSON(), nullable=False, server_default="[]"))
    op.add_column("summaries", sa.Column("lost", sa.JSON(), nullable=False, server_default="[]"))
    op.add_column("summaries", sa.Column("suspended_at", sa.DateTime(), nullable=True))
    op.create_table(
        "retirements",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("conversation_id", sa.String(length=32), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("after_number", sa.Integer(), nullable=False),
        sa.Column("first_number", sa.Integer(), nullable=False),
        sa.Column("head_id", sa.Integer(), nullable=True),
        sa.Column("extracted_through", sa.Integer(), nullable=False),
        sa.Column("facts", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(["conversation_id"], ["conversations.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_retirements", "retirements", ["conversation_id", "after_number"], unique=False)
    _tell_what_was_folded(op.get_bind())
    if op.get_bind().dialect.name == "postgresql":
        _keep_words_out_of_statistics()


def _keep_words_out_of_statistics() -> None:
    """PostgreSQL keeps samples of each column for its planner: forgotten words would live on in them."""
    for table, columns in (
        ("conversations", ("title",)),
        ("messages", ("text",)),
        ("summaries", ("text",)),
        ("fold_refusals", ("text",)),
        ("parts", ("text", "hash")),
        ("facts", ("text", "terms", "fingerprint")),
        ("fact_evidence", ("quote",)),
    ):
        for column in columns:
            op.execute(f'ALTER TABLE {table} ALTER COLUMN "{column}" SET STATISTICS 0')


def _tell_what_was_folded(connection: sa.Connection) -> None:
    """For the versions there are: what was in force before each, and which messages were live when it was made."""
    summaries = sa.table(
        "summaries",
        *(sa.column(name) for name in ("id", "conversation_id", "parent_id", "covers_from", "covers_through")),
        sa.column("base_id"),
        sa.column("created_at", sa.DateTime()),
        sa.column("folded", sa.JSON()),
    )
    messages = sa.table(
        "messages",
        *(sa.column(name) for name in ("conversation_id", "number")),
        sa.column("void", sa.Boolean()),
        sa.column("retired_at", sa.DateTime()),
    )
    made: dict[tuple[str, int], int] = {}
    for row in connection.execute(sa.select(summaries).order_by(summaries.c.id)).all():
        numbers = connection.scalars(
            sa.select(messages.c.number)
            .where(
                messages.c.conversation_id == row.conversation_id,
                messages.c.number.between(row.covers_from, row.covers_through),
                sa.not_(messages.c.void),
                sa.or_(messages.c.retired_at.is_(None), messages.c.retired_at > row.created_at),
            )
            .order_by(messages.c.number)
        ).all()
        base = row.parent_id or made.get((row.conversation_id, row.covers_from - 1))
        connection.execute(
            sa.update(summaries).where(summaries.c.id == row.id).values(base_id=base, folded=_runs(numbers))
        )
        made[row.conversation_id, row.covers_through] = row.id


def _runs(numbers: Sequence[int]) -> list[list[int]]:
    found = []
    for _, run in groupby(enumerate(numbers), key=lambda pair: pair[1] - pair[0]):
        members = [number for _, number in run]
        found.append([members[0], members[-1]])
    return found
