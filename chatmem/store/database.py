"""One database: its engine, its two kinds of transaction, and its errors put into words."""

from __future__ import annotations

import logging
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from glob import escape as glob_escape
from pathlib import Path
from typing import Any

from sqlalchemy import (
    BigInteger,
    Connection,
    Engine,
    ScalarSelect,
    cast,
    create_engine,
    event,
    extract,
    func,
    select,
)
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.orm import Session
from sqlalchemy.pool import QueuePool

from chatmem.errors import (
    BadSetting,
    StorageDamaged,
    StorageError,
    StorageFull,
    StorageLocked,
    StorageReadOnly,
)
from chatmem.store import postgres

_log = logging.getLogger(__name__)

IN_MEMORY = "sqlite://"

BACKUP_SUFFIX = ".backup"

BUSY_TIMEOUT_MS = 10_000
"""How long a writer waits for another one. Twenty writers at once finish well within it."""

SCRUB_TIMEOUT_MS = 500
"""How long emptying the log waits for readers: it is tried again later, and somebody is looking at the page."""


class Database:
    """An engine with transactions for reading and for writing.

    A writer takes the database's write lock at its beginning (SQLite's BEGIN IMMEDIATE; on a server see
    `postgres`), so that what it has read cannot change before it writes and no lock is upgraded half-way; a
    reader never waits. `now` is the clock that rows are stamped by.
    """

    def __init__(self, url: str, now: Callable[[], datetime]) -> None:
        self.now = now
        self._engine = _engine(url)
        self._on_server = self._engine.dialect.name == "postgresql"
        self._reader = postgres.for_reading(self._engine) if self._on_server else self._engine
        self._writer: Engine = self._engine.execution_options(chatmem_write=True)
        if self._on_server:
            self._writer = postgres.for_writing(self._writer)
        self._turn = threading.Lock()
        self._shared = threading.local()

    @contextmanager
    def read(self) -> Iterator[Session]:
        """A read transaction: one consistent view. Inside `one_view` it is the one that is open already."""
        with self._view() as session, _understood():
            yield session

    @contextmanager
    def _view(self) -> Iterator[Session]:
        session: Session | None = getattr(self._shared, "session", None)
        if session is not None:
            with self._translated():
                yield session
            return
        with self._translated(), Session(self._reader) as session, session.begin():
            yield session

    @contextmanager
    def one_view(self) -> Iterator[None]:
        """Inside, all reading of this thread is one transaction: one moment, and its cost once.

        Keep it short, and write nothing inside: a database in memory has but one connection.
        """
        with self._view() as session:
            self._shared.session = session
            try:
                yield
            finally:
                self._shared.session = None

    @contextmanager
    def write(self) -> Iterator[Session]:
        """A write transaction: all or nothing. Never hold one across a model call."""
        with (
            self._translated(),
            self._in_turn(),
            Session(self._writer, expire_on_commit=False) as session,
            session.begin(),
            _understood(),
        ):
            yield session

    @contextmanager
    def write_connection(self) -> Iterator[Connection]:
        """A bare write transaction, for migrations."""
        with self._translated(), self._in_turn(), self._writer.begin() as connection:
            yield connection

    @contextmanager
    def _in_turn(self) -> Iterator[None]:
        """This process's writers wait here for each other, and only one of them for other processes.

        On a server each would else hold one of the few connections while it waits. SQLite does not queue writers:
        it has each sleep and try again, up to a tenth of a second at a time, so that of thirty most slept while
        nobody wrote. A lock wakes the next one at once.
        """
        patience = postgres.TURN_TIMEOUT_S if self._on_server else BUSY_TIMEOUT_MS / 1000
        if not self._turn.acquire(timeout=patience):
            raise StorageLocked()
        try:
            yield
        finally:
            self._turn.release()

    def back_up(self, name: str) -> None:
        """Copy the whole database beside itself, as last committed, by SQLite's backup API.

        Does nothing for a database in memory or on a server. Raises `StorageFull` and its kin.
        """
        if (file := self._file()) is None:
            return
        with self._translated():
            source = self._engine.raw_connection()
            try:
                with closing(sqlite3.connect(_backup_path(file, name))) as target:
                    source.driver_connection.backup(target)  # type: ignore[union-attr]
            except sqlite3.Error as error:
                raise DBAPIError.instance("backup", None, error, sqlite3.Error) from error
            finally:
                source.close()

    def delete_backups(self) -> None:
        """Delete the copies that earlier upgrades left: what is forgotten must not live on in them."""
        if (file := self._file()) is None:
            return
        for path in file.parent.glob(f"{glob_escape(file.name)}.*{BACKUP_SUFFIX}"):
            try:
                path.unlink()
            except OSError as error:
                _log.warning("a backup could not be deleted: %s", error.strerror)

    def scrub(self) -> bool:
        """Have the files hold nothing of what was deleted: the write-ahead log is written back and emptied.

        False while somebody who reads an older state is in the way; then it has to be tried again. Pages that
        were freed have been overwritten already (`secure_delete`). On a server there is nothing to do here.
        """
        if self._engine.dialect.name != "sqlite":
            return True
        with self._translated():
            connection = self._engine.raw_connection()
            try:
                cursor = connection.cursor()
                cursor.execute(f"PRAGMA busy_timeout = {SCRUB_TIMEOUT_MS}")
                busy, _, _ = cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
                cursor.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MS}")
                cursor.close()
                return not busy
            except sqlite3.Error as error:
                raise DBAPIError.instance("checkpoint", None, error, sqlite3.Error) from error
            finally:
                connection.close()

    @contextmanager
    def _translated(self) -> Iterator[None]:
        """Database errors leave as `StorageError`, with the cause kept."""
        try:
            yield
        except PoolTimeout as error:
            raise StorageLocked() from error
        except DBAPIError as error:
            if self._on_server:
                raise postgres.storage_error(error, self._engine.url) from error
            raise _storage_error(error) from error
        except UnicodeDecodeError as error:
            raise StorageDamaged(reason=error.reason) from error  # in the text of SQLite's own error
        except SQLAlchemyError as error:
            raise StorageError(reason=type(error).__name__) from error

    def _file(self) -> Path | None:
        name = self._engine.url.database
        if self._engine.dialect.name != "sqlite" or name in (None, "", ":memory:") or name.startswith("file:"):
            return None
        return Path(name)

    def close(self) -> None:
        self._engine.dispose()


@contextmanager
def _understood() -> Iterator[None]:
    """A date that is none, a status nobody knows: what stands in the row is not what was written to it."""
    try:
        yield
    except ValueError as error:
        raise StorageDamaged(reason="a row cannot be read") from error


def now_seconds(session: Session) -> ScalarSelect[int]:
    """The database's own clock in seconds since 1970, as SQL: processes need not agree on the time."""
    if session.get_bind().dialect.name == "sqlite":
        return select(func.unixepoch()).scalar_subquery()
    return select(cast(func.floor(extract("epoch", func.clock_timestamp())), BigInteger)).scalar_subquery()


def _engine(url: str) -> Engine:
    try:
        parsed = make_url(url)
        if postgres.is_postgres(parsed):
            return postgres.make_engine(parsed)
        options: dict[str, Any] = {}
        if parsed.get_backend_name() == "sqlite":
            if "?" in url and "uri" not in parsed.query:
                # Else it would be left out, and another file be opened than the one that was meant.
                raise BadSetting(name="DATABASE_URL", value=url, expected="write %3F for a ? in the file's name")
            options["connect_args"] = {"check_same_thread": False, "timeout": BUSY_TIMEOUT_MS / 1000}
            options["poolclass"] = QueuePool
            if parsed.database in (None, "", ":memory:"):
                # An in-memory database lives in its one connection: threads take turns with it.
                options |= {"pool_size": 1, "max_overflow": 0}
        engine = create_engine(parsed, **options)
    except (ArgumentError, NoSuchModuleError, ModuleNotFoundError, ValueError) as error:
        expected = f"use sqlite:///path/to/file.db or {postgres.EXPECTED}"
        if isinstance(error, postgres.BadAddress):
            expected = f"{error}; {expected}"
        raise BadSetting(name="DATABASE_URL", value=_without_password(url), expected=expected) from error
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _set_up_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
    return engine


def _backup_path(file: Path, name: str) -> Path:
    return file.with_name(f"{file.name}.{name}{BACKUP_SUFFIX}")


def _without_password(url: str) -> str:
    """Nor anything that may be one: in an address with a slip in it the password may stand anywhere."""
    scheme, colon, rest = url.partition(":")
    if not colon or scheme == "sqlite":
        return url.rpartition("@")[2]
    _, at, host = rest.rpartition("@")
    return f"{scheme}://{host.partition('?')[0] if at else '…'}"


def _set_up_sqlite(connection: Any, _record: Any) -> None:
    # SQLAlchemy says BEGIN itself (below); sqlite3's own, implicit one comes too late for that.
    connection.isolation_level = None
    cursor = connection.cursor()
    for pragma in (
        f"busy_timeout = {BUSY_TIMEOUT_MS}",
        "foreign_keys = ON",
        "secure_delete = ON",
        "synchronous = NORMAL",
    ):
        cursor.execute(f"PRAGMA {pragma}")
    try:
        cursor.execute("PRAGMA journal_mode = WAL")
    except sqlite3.Error as error:
        # A read-only database keeps the mode it has; the first write says so in words.
        _log.info("write-ahead log not set: %s", error)
    cursor.close()


def _begin_sqlite(connection: Connection) -> None:
    write = connection.get_execution_options().get("chatmem_write")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if write else "BEGIN")


_SQLITE_KINDS: tuple[tuple[str, type[StorageError]], ...] = (
    ("SQLITE_BUSY", StorageLocked),
    ("SQLITE_LOCKED", StorageLocked),
    ("SQLITE_FULL", StorageFull),
    ("SQLITE_READONLY", StorageReadOnly),
    ("SQLITE_CANTOPEN", StorageReadOnly),
    ("SQLITE_PERM", StorageReadOnly),
    ("SQLITE_CORRUPT", StorageDamaged),
    ("SQLITE_NOTADB", StorageDamaged),
)


def _storage_error(error: DBAPIError) -> StorageError:
    name = getattr(error.orig, "sqlite_errorname", "")
    reason = str(error.orig).splitlines()[0] if str(error.orig) else type(error.orig).__name__
    for prefix, kind in _SQLITE_KINDS:
        if name.startswith(prefix):
            return kind(reason=reason)
    if reason.startswith("Could not decode to UTF-8"):
        return StorageDamaged(reason=reason)  # Python's own, without a name: everything was stored as UTF-8
    return StorageError(reason=reason)
