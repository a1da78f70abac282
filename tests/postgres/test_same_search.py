"""`tests/unit/test_search.py`, on PostgreSQL."""

from tests.unit.test_search import *
