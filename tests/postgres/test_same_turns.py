"""`tests/unit/test_turns.py`, on PostgreSQL."""

from tests.unit.test_turns import *
