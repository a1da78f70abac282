"""`tests/unit/test_branches.py`, on PostgreSQL."""

from tests.unit.test_branches import *
