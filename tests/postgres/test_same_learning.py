"""`tests/unit/test_learning.py`, on PostgreSQL."""

from tests.unit.test_learning import *
