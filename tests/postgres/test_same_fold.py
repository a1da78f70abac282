"""`tests/unit/test_fold.py`, on PostgreSQL."""

from tests.unit.test_fold import *
