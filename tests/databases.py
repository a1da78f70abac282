"""Where tests get their databases: a SQLite file each, or, inside `on_server`, a database each on a server.

The whole unit suite runs on PostgreSQL with `CHATMEM_TEST_DATABASE=postgres pytest tests/unit`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.postgres_server import Server

_servers: list[Server] = []


@cache
def server() -> Server:
    """The one of this process."""
    from tests.postgres_server import Server

    return Server()


@contextmanager
def on_server() -> Iterator[Server]:
    """Inside, every new database is one of the server's; after it, they are taken back."""
    _servers.append(server())
    try:
        yield _servers[-1]
    finally:
        _servers.pop().take_back()


def everything_on_server() -> bool:
    return os.environ.get("CHATMEM_TEST_DATABASE") == "postgres"


def new_database(folder: Path, name: str = "chat") -> str:
    """The address of a database with nothing in it."""
    return _servers[-1].new_database() if _servers else f"sqlite:///{folder / name}.db"


def empty_database(folder: Path, name: str = "chat") -> str:
    """The address of a database that does not exist yet, or has no tables."""
    return _servers[-1].empty_database() if _servers else f"sqlite:///{folder / name}.db"
