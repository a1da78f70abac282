"""`tests/unit/test_store.py`, on PostgreSQL."""

from tests.unit.test_store import *
