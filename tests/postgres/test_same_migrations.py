"""`tests/unit/test_migrations.py`, on PostgreSQL."""

from tests.unit.test_migrations import *
