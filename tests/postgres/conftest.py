"""The same tests on PostgreSQL, and those of what only a server has."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from tests import databases
from tests.postgres_server import Server


@pytest.fixture(scope="session")
def can_run() -> None:
    """Starts the server. Where it cannot run, its tests are skipped and say so; with CI set that is a failure."""
    try:
        databases.server()
    except Exception as error:  # noqa: BLE001 - its package raises what it likes
        reason = f"no PostgreSQL: {type(error).__name__} {error}"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)


@pytest.fixture(autouse=True)
def chosen_database(can_run: None) -> Iterator[Server]:
    """Every database of these tests is one of the server's."""
    with databases.on_server() as server:
        yield server


@pytest.fixture
def server(chosen_database: Server) -> Server:
    return chosen_database
