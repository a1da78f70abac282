"""Upgrading: an older database is copied first, then changed as a whole or not at all."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from chatmem.errors import ChatmemError
from chatmem.store import Store, migrate
from chatmem.store import database as databases
from tests.databases import empty_database
from tests.stored import behind, execute, file_of, rows, tables_of


@pytest.fixture
def old_url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A database as the first version left it, with a chat of four messages in it."""
    url = empty_database(tmp_path, "대화 기록")
    with monkeypatch.context() as earlier:
        earlier.setattr(migrate, "HEAD", "0001")
        Store(url).close()
    database = behind(url)
    execute(
        database,
        "INSERT INTO owners (id, kind, token_hash, preferences, created_at) VALUES (1, 'local', ?, '{}', '2026-01-01')",
        "a" * 64,
    )
    execute(
        database,
        "INSERT INTO conversations (id, owner_id, title, title_settled, memory_epoch, last_number, created_at, updated_at)"
        " VALUES ('chat', 1, 'Tides', TRUE, 0, 4, '2026-01-01', '2026-01-01')",
    )
    for number, text in enumerate(("배포는 금요일이야", "Noted.", "The tide turns at noon", "Noted."), 1):
        execute(
            database,
            "INSERT INTO messages (conversation_id, number, role, text, tokens, status, void, model, stop_requested, created_at)"
            " VALUES ('chat', ?, ?, ?, 5, 'complete', FALSE, '', FALSE, '2026-01-01')",
            number,
            "user" if number % 2 else "assistant",
            text,
        )
    return url


@pytest.fixture
def old_file(old_url: str) -> Path:
    return file_of(old_url)


def backups(file: Path) -> list[Path]:
    return list(file.parent.glob(f"*{databases.BACKUP_SUFFIX}"))


def test_an_older_database_keeps_everything_and_can_be_searched(old_url: str) -> None:
    store = Store(old_url)
    assert [m.text for m in store.turns.page(1, "chat")] == [
        "배포는 금요일이야",
        "Noted.",
        "The tide turns at noon",
        "Noted.",
    ]
    found = store.search.messages(1, "chat", "배포일이 언제였지?", through=4)
    assert "배포는 금요일이야" in [one.message.text for one in found.candidates]
    store.close()


def test_nothing_is_learned_from_what_was_said_before_the_upgrade(old_url: str) -> None:
    store = Store(old_url)
    assert store.learning.lesson(1, "chat", 20).messages == ()
    store.close()


def test_an_older_database_is_copied_first_and_the_copy_goes_after_a_good_start(old_file: Path) -> None:
    Store(f"sqlite:///{old_file}").close()
    (copy,) = backups(old_file)
    with closing(sqlite3.connect(copy)) as connection:
        assert connection.execute("SELECT version_num FROM alembic_version").fetchone() == ("0001",)
        assert connection.execute("SELECT count(*) FROM messages").fetchone() == (4,)
    Store(f"sqlite:///{old_file}").close()
    assert backups(old_file) == []


def test_a_copy_of_another_database_beside_it_is_left_alone(old_file: Path) -> None:
    other = old_file.with_name(f"another.db.before-0002{databases.BACKUP_SUFFIX}")
    other.write_bytes(b"not ours")
    for _ in range(2):
        Store(f"sqlite:///{old_file}").close()
    assert backups(old_file) == [other]


def test_an_upgrade_that_fails_half_way_leaves_the_database_as_it_was(
    old_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = behind(old_url)
    execute(database, "CREATE TABLE message_vectors (odd TEXT)")  # the last table of the upgrade
    with pytest.raises(ChatmemError) as error:
        Store(old_url)
    assert error.value.say("ko")
    assert rows(database, "SELECT version_num FROM alembic_version") == [("0001",)]
    assert "facts" not in tables_of(database)
    if isinstance(database, Path):
        assert len(backups(database)) == 1


def test_a_new_database_needs_no_copy(tmp_path: Path) -> None:
    file = tmp_path / "new.db"
    Store(f"sqlite:///{file}").close()
    assert backups(file) == []


def test_older_summaries_know_what_they_took_and_what_was_in_force_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = empty_database(tmp_path)
    with monkeypatch.context() as earlier:
        earlier.setattr(migrate, "HEAD", "0002")
        Store(url).close()
    database = behind(url)
    execute(
        database,
        "INSERT INTO owners (id, kind, token_hash, preferences, created_at) VALUES (1, 'local', ?, '{}', '2026-01-01')",
        "a" * 64,
    )
    execute(
        database,
        "INSERT INTO conversations (id, owner_id, title, title_settled, memory_epoch, last_number, head_id, created_at, updated_at)"
        " VALUES ('chat', 1, 'Tides', TRUE, 0, 9, 3, '2026-01-01', '2026-01-01')",
    )
    for number in range(1, 10):
        retired = {3: "2026-01-02", 5: "2026-01-05"}.get(number)  # before and after the first version
        execute(
            database,
            "INSERT INTO messages (conversation_id, number, role, text, tokens, status, void, model, stop_requested, retired_at, created_at)"
            " VALUES ('chat', ?, 'user', 'x', 5, 'complete', ?, '', FALSE, ?, '2026-01-01')",
            number,
            number == 7,
            retired,
        )
    for id_, parent, first, last in ((1, None, 1, 6), (2, 1, 7, 8), (3, None, 9, 9)):
        execute(
            database,
            "INSERT INTO summaries (id, conversation_id, version, parent_id, covers_from, covers_through, text, pins, source, counted, kept, tokens, model, created_at)"
            " VALUES (?, 'chat', ?, ?, ?, ?, 'text', '[]', 'model', 11, 4, 1, '', '2026-01-03')",
            id_,
            id_,
            parent,
            first,
            last,
        )
    store = Store(url)
    versions = store.versions.page(1, "chat")[::-1]
    assert [version.folded for version in versions] == [((1, 2), (4, 6)), ((8, 8),), ((9, 9),)]
    assert [version.base_id for version in versions] == [None, 1, 2]
    assert [version.version for version in store.versions.leading_to_head(1, "chat")] == [1, 2, 3]
    store.close()
