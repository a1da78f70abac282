"""Upgrading: an older database is copied first, then changed as a whole or not at all."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from chatmem.errors import ChatmemError
from chatmem.store import Store, migrate
from chatmem.store import database as databases


@pytest.fixture
def old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A database as the first version left it, with a chat of four messages in it."""
    file = tmp_path / "대화 기록.db"
    with monkeypatch.context() as earlier:
        earlier.setattr(migrate, "HEAD", "0001")
        Store(f"sqlite:///{file}").close()
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute(
            "INSERT INTO owners (id, kind, token_hash, preferences, created_at) VALUES (1, 'local', ?, '{}', '2026-01-01')",
            ("a" * 64,),
        )
        connection.execute(
            "INSERT INTO conversations (id, owner_id, title, title_settled, memory_epoch, last_number, created_at, updated_at)"
            " VALUES ('chat', 1, 'Tides', 1, 0, 4, '2026-01-01', '2026-01-01')"
        )
        for number, text in enumerate(("배포는 금요일이야", "Noted.", "The tide turns at noon", "Noted."), 1):
            connection.execute(
                "INSERT INTO messages (conversation_id, number, role, text, tokens, status, void, model, stop_requested, created_at)"
                " VALUES ('chat', ?, ?, ?, 5, 'complete', 0, '', 0, '2026-01-01')",
                (number, "user" if number % 2 else "assistant", text),
            )
    return file


def backups(file: Path) -> list[Path]:
    return list(file.parent.glob(f"*{databases.BACKUP_SUFFIX}"))


def test_an_older_database_keeps_everything_and_can_be_searched(old_file: Path) -> None:
    store = Store(f"sqlite:///{old_file}")
    assert [m.text for m in store.turns.page(1, "chat")] == [
        "배포는 금요일이야",
        "Noted.",
        "The tide turns at noon",
        "Noted.",
    ]
    found = store.search.messages(1, "chat", "배포일이 언제였지?", through=4)
    assert "배포는 금요일이야" in [one.message.text for one in found.candidates]
    store.close()


def test_nothing_is_learned_from_what_was_said_before_the_upgrade(old_file: Path) -> None:
    store = Store(f"sqlite:///{old_file}")
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
    old_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(sqlite3.connect(old_file)) as connection, connection:
        connection.execute("CREATE TABLE message_vectors (odd TEXT)")  # the last table of the upgrade
    with pytest.raises(ChatmemError) as error:
        Store(f"sqlite:///{old_file}")
    assert error.value.say("ko")
    with closing(sqlite3.connect(old_file)) as connection:
        assert connection.execute("SELECT version_num FROM alembic_version").fetchone() == ("0001",)
        tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    assert "facts" not in tables
    assert len(backups(old_file)) == 1


def test_a_new_database_needs_no_copy(tmp_path: Path) -> None:
    file = tmp_path / "new.db"
    Store(f"sqlite:///{file}").close()
    assert backups(file) == []


def test_older_summaries_know_what_they_took_and_what_was_in_force_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "chat.db"
    with monkeypatch.context() as earlier:
        earlier.setattr(migrate, "HEAD", "0002")
        Store(f"sqlite:///{file}").close()
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute(
            "INSERT INTO owners (id, kind, token_hash, preferences, created_at) VALUES (1, 'local', ?, '{}', '2026-01-01')",
            ("a" * 64,),
        )
        connection.execute(
            "INSERT INTO conversations (id, owner_id, title, title_settled, memory_epoch, last_number, head_id, created_at, updated_at)"
            " VALUES ('chat', 1, 'Tides', 1, 0, 9, 3, '2026-01-01', '2026-01-01')"
        )
        for number in range(1, 10):
            retired = {3: "2026-01-02", 5: "2026-01-05"}.get(number)  # before and after the first version
            connection.execute(
                "INSERT INTO messages (conversation_id, number, role, text, tokens, status, void, model, stop_requested, retired_at, created_at)"
                " VALUES ('chat', ?, 'user', 'x', 5, 'complete', ?, '', 0, ?, '2026-01-01')",
                (number, number == 7, retired),
            )
        for id_, parent, first, last in ((1, None, 1, 6), (2, 1, 7, 8), (3, None, 9, 9)):
            connection.execute(
                "INSERT INTO summaries (id, conversation_id, version, parent_id, covers_from, covers_through, text, pins, source, counted, kept, tokens, model, created_at)"
                " VALUES (?, 'chat', ?, ?, ?, ?, 'text', '[]', 'model', 11, 4, 1, '', '2026-01-03')",
                (id_, id_, parent, first, last),
            )
    store = Store(f"sqlite:///{file}")
    versions = store.versions.page(1, "chat")[::-1]
    assert [version.folded for version in versions] == [((1, 2), (4, 6)), ((8, 8),), ((9, 9),)]
    assert [version.base_id for version in versions] == [None, 1, 2]
    assert [version.version for version in store.versions.leading_to_head(1, "chat")] == [1, 2, 3]
    store.close()
