"""Alembic migrations, run by `migrate` when a store opens."""
