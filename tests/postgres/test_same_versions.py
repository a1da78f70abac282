"""`tests/unit/test_versions.py`, on PostgreSQL."""

from tests.unit.test_versions import *
