"""What only PostgreSQL needs: its address, its connections, its two kinds of transaction, its errors in words.

The promises are those of SQLite. A reader has one consistent view (REPEATABLE READ READ ONLY) and waits for
nobody. Writers take turns: each begins with one lock for the whole database, as BEGIN IMMEDIATE takes, so
that what it has read cannot change before it writes, and the same code, tested once, holds on both. Writes
are short, and one flusher a process batches those of all replies. After the lock a writer is READ COMMITTED:
a snapshot taken before it was its turn would show it what the one before has changed since.

Everything is said inside the transaction, and nothing is prepared on the server: poolers of hosted
databases hand a connection from transaction to transaction.
"""

from __future__ import annotations

import re
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event
from sqlalchemy.exc import DBAPIError, OperationalError

from chatmem.errors import (
    StorageDamaged,
    StorageError,
    StorageFull,
    StorageLocked,
    StorageMissing,
    StorageReadOnly,
    StorageRefused,
    StorageUnreachable,
)

EXPECTED = "postgresql://user:password@host/database (in the password, %40 for @)"


class BadAddress(ValueError):
    """Its text can be shown: no password is in it."""


WRITE_TURN = int.from_bytes(b"chatmem", "big")
"""The advisory lock that writers take in turn: no other program of the database is likely to use it."""

TURN_TIMEOUT_S = 10
"""How long a writer waits for another one, as on SQLite."""

HUNG_WRITER_S = 60
"""A writer that says nothing for so long inside its transaction (a frozen process, a cut cable) loses its turn."""

_POOL: dict[str, Any] = {
    # One writer at a time and readers of milliseconds: eight serve a hundred threads, and hosted databases
    # have few to give. Three stay open.
    "pool_size": 3,
    "max_overflow": 5,
    "pool_timeout": TURN_TIMEOUT_S,
    # A connection that was lost while it lay idle is found out before it is used, and made anew.
    "pool_pre_ping": True,
    "pool_recycle": 600,
    "pool_use_lifo": True,
}

_CONNECTION: dict[str, Any] = {
    "prepare_threshold": None,
    "connect_timeout": TURN_TIMEOUT_S,
    # A server that is gone without a word is noticed within a minute, not after the system's hours.
    "keepalives_idle": 30,
    "keepalives_interval": 10,
    "keepalives_count": 3,
    "tcp_user_timeout": 60_000,
    "application_name": "chatmem",
}


def is_postgres(url: URL) -> bool:
    return url.get_backend_name() in ("postgres", "postgresql")


def make_engine(url: URL) -> Engine:
    """Raises `BadAddress`."""
    # Hosts hand out postgres://…; whatever driver is named, psycopg is the one that is installed.
    url = url.set(drivername="postgresql+psycopg")
    if any("@" in (part or "") for part in (url.host, url.database)):
        raise BadAddress("it has more than one @")
    wanted = {name: value for name, value in _CONNECTION.items() if name not in url.query}
    engine = create_engine(url, connect_args=wanted, **_POOL)
    _check_options(url)
    event.listen(engine, "begin", _begin)
    return engine


def for_reading(engine: Engine) -> Engine:
    return engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)


def for_writing(engine: Engine) -> Engine:
    return engine.execution_options(isolation_level="READ COMMITTED")  # a server may have another default


def _check_options(url: URL) -> None:
    from psycopg import ProgrammingError
    from psycopg.conninfo import make_conninfo

    try:
        make_conninfo(**dict.fromkeys(url.query, ""))
    except ProgrammingError as error:
        raise BadAddress(str(error).strip()) from error


def _begin(connection: Connection) -> None:
    if not connection.get_execution_options().get("chatmem_write"):
        return
    connection.exec_driver_sql(  # one round trip
        f"SET LOCAL lock_timeout = '{TURN_TIMEOUT_S}s';"
        f" SET LOCAL idle_in_transaction_session_timeout = '{HUNG_WRITER_S}s';"
        f" SELECT pg_advisory_xact_lock({WRITE_TURN})"
    )


_KINDS: tuple[tuple[str, type[StorageError]], ...] = (
    ("55P03", StorageLocked),  # the lock was not to be had in time
    ("40", StorageLocked),  # deadlock, serialization
    ("57014", StorageLocked),  # cancelled by a time limit
    ("53300", StorageLocked),  # all connections are taken
    ("53100", StorageFull),
    ("25006", StorageReadOnly),  # a standby
    ("42501", StorageReadOnly),  # a role that may not write
    ("28", StorageRefused),
    ("3D000", StorageMissing),
    ("57P", StorageUnreachable),  # shutting down or starting up
    ("25P03", StorageUnreachable),
    ("08", StorageUnreachable),
    ("XX001", StorageDamaged),
    ("XX002", StorageDamaged),
)

# A connection that was not made has no code, only words.
_WORDS: tuple[tuple[str, type[StorageError]], ...] = (
    (r"too many (clients|connections)|connection slots", StorageLocked),
    (r"authentication|no password supplied|role .* does not exist|pg_hba", StorageRefused),
    (r"database .* does not exist", StorageMissing),
)


def storage_error(error: DBAPIError, url: URL) -> StorageError:
    """An error in words that name the server and the database, never the password."""
    code = getattr(error.orig, "sqlstate", None) or ""
    said = " ".join(str(error.orig).splitlines()[:1])
    details = {"reason": said, "server": url.host or url.query.get("host", "localhost"), "database": url.database}
    for prefix, kind in _KINDS:
        if code.startswith(prefix):
            return kind(**details)
    if code:
        return StorageError(**details)
    for words, kind in _WORDS:
        if re.search(words, str(error.orig)):
            return kind(**details)
    lost = error.connection_invalidated or isinstance(error, OperationalError)
    return (StorageUnreachable if lost else StorageError)(**details)
