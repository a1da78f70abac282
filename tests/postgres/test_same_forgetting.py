"""`tests/unit/test_forgetting.py`, on PostgreSQL."""

from tests.unit.test_forgetting import *
