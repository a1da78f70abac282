"""Alembic's way in. It is handed an open transaction and never configures logging."""

from alembic import context

from chatmem.store.tables import Base

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    render_as_batch=True,
    # One transaction around everything, begun by `migrate` under the write lock.
    transactional_ddl=True,
    transaction_per_migration=False,
)
context.run_migrations()
