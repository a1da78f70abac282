"""Bringing a database to the schema this code needs, at start, safely beside other processes."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Connection, inspect, text

from chatmem.errors import StorageForeign, StorageTooNew
from chatmem.store.database import Database

HEAD = "0003"
"""The revision this code was written for; a test holds it against the migrations' own head."""

_SCRIPTS = Path(__file__).parent / "migrations"


def migrate(database: Database) -> None:
    """Create or upgrade the schema. Raises `StorageTooNew` for a database from the future, untouched.

    The version is read first without a lock, since it nearly always fits, and again inside the
    write transaction, since another process may have migrated in between. An older database is
    copied first; the copy is deleted by the next start that finds the database in order.
    """
    with database.read() as session:
        if _version(session.connection()) == HEAD:
            database.delete_backups()
            return
    with database.write_connection() as connection:
        version = _version(connection)
        if version == HEAD:
            return
        if not version.isdecimal() if version else inspect(connection).get_table_names():
            raise StorageForeign()
        if version is not None and version > HEAD:
            raise StorageTooNew(found=version)
        if version is not None:
            database.back_up(f"before-{HEAD}")
        _upgrade(connection)


def _version(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    return connection.execute(text("SELECT version_num FROM alembic_version")).scalar()


def _upgrade(connection: Connection) -> None:
    from alembic import command  # here, since it is needed once in a database's life
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(_SCRIPTS).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, HEAD)
