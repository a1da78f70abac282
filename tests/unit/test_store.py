"""The database: schema, rules of its own, and what is said when it cannot be used."""

from __future__ import annotations

import sqlite3
import threading
from datetime import timedelta
from pathlib import Path

import psycopg
import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine

import chatmem.store.migrations as migrations
from chatmem.domain import Status, new_id
from chatmem.errors import (
    BadSetting,
    NotFound,
    NothingToUndo,
    StorageDamaged,
    StorageForeign,
    StorageReadOnly,
    StorageTooNew,
)
from chatmem.store import Store
from chatmem.store.migrate import HEAD
from chatmem.store.tables import Base
from tests.conftest import Person
from tests.databases import empty_database
from tests.stored import behind, execute, file_of, rows, tables_of


def test_migrations_and_tables_say_the_same(database_url: str) -> None:
    Store(database_url).close()
    engine = create_engine(database_url.replace("postgresql:", "postgresql+psycopg:"))
    with engine.connect() as connection:
        # The search index is no table of ours: each database has its own, SQLite several.
        ours = {"include_name": lambda name, kind, parents: not str(name).startswith("message_search")}
        assert compare_metadata(MigrationContext.configure(connection, opts=ours), Base.metadata) == []
    engine.dispose()


def test_the_code_knows_the_newest_migration() -> None:
    config = Config()
    config.set_main_option("script_location", str(Path(migrations.__file__).parent))
    assert ScriptDirectory.from_config(config).get_current_head() == HEAD


def test_many_processes_may_open_a_new_database_at_once(tmp_path: Path) -> None:
    url = empty_database(tmp_path)
    stores: list[Store] = []
    threads = [threading.Thread(target=lambda: stores.append(Store(url))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(stores) == 8
    assert len({store.owners.enter("a" * 64, "browser").id for store in stores}) == 1


def test_deleted_words_are_overwritten_in_the_file(database_url: str) -> None:
    assert file_of(database_url)
    store = Store(database_url)
    with store._database.read() as session:
        pragmas = {
            name: session.connection().exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "foreign_keys", "secure_delete", "synchronous")
        }
    assert pragmas == {"journal_mode": "wal", "foreign_keys": 1, "secure_delete": 1, "synchronous": 1}


def test_a_newer_database_is_refused_and_untouched(database_url: str) -> None:
    Store(database_url).close()
    database = behind(database_url)
    execute(database, "UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(StorageTooNew) as error:
        Store(database_url)
    assert "9999" in error.value.say("ko")
    assert rows(database, "SELECT version_num FROM alembic_version") == [("9999",)]


@pytest.mark.parametrize("table", ["holiday_photos (id INTEGER)", "alembic_version (version_num TEXT)"])
def test_another_programs_database_is_refused_and_untouched(tmp_path: Path, table: str) -> None:
    url = empty_database(tmp_path)
    execute(behind(url), f"CREATE TABLE {table}")
    if table.startswith("alembic"):
        execute(behind(url), "INSERT INTO alembic_version VALUES ('8f3a55c1d2e4')")
    with pytest.raises(StorageForeign) as error:
        Store(url)
    assert "another program" in error.value.say("en")
    assert tables_of(behind(url)) == {table.split()[0]}


def test_a_file_that_is_no_database_is_a_sentence(tmp_path: Path) -> None:
    file = tmp_path / "chat.db"
    file.write_text("this is a diary, not a database, and it is long enough to look at" * 50)
    with pytest.raises(StorageDamaged):
        Store(f"sqlite:///{file}")


@pytest.mark.parametrize("url", ["nonsense", "mysql://x/y", "sqlite:////proc/nowhere/chat.db", "sqlite:////"])
def test_an_address_that_cannot_be_is_a_sentence(url: str) -> None:
    with pytest.raises((BadSetting, StorageReadOnly)) as error:
        Store(url)
    assert error.value.say("en")


def test_a_password_never_shows_in_the_sentence() -> None:
    with pytest.raises(BadSetting) as error:
        Store("mysql+nodriver://user:hunter2@host/db")
    assert "hunter2" not in error.value.say("en")


def test_twenty_writers_at_once_lose_nothing(person: Person) -> None:
    people = [Person(person.app, person.app.store.owners.enter(f"{n:064}", "browser")) for n in range(20)]
    errors: list[Exception] = []

    def chat(someone: Person) -> None:
        try:
            for number in range(6):
                someone.say(f"statement {number}")
        except Exception as error:  # noqa: BLE001 - any at all is a failure of this test
            errors.append(error)

    threads = [threading.Thread(target=chat, args=(someone,)) for someone in people]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    for someone in people:
        assert [m.number for m in someone.messages] == list(range(1, 13))
        assert all(m.status is Status.COMPLETE for m in someone.messages)


def test_messages_of_one_second_keep_their_order(person: Person) -> None:
    for number in range(20):
        person.say(f"{number}")
    users = [m.text for m in person.messages if m.role == "user"]
    assert users == [str(number) for number in range(20)]


def test_two_starts_of_one_reply_cannot_stand_side_by_side(database_url: str) -> None:
    store = Store(database_url)
    owner = store.owners.enter("a" * 64, "browser")
    store.turns.begin(owner.id, "c1", "d1", "hello", 1, "hello")
    with pytest.raises((sqlite3.IntegrityError, psycopg.IntegrityError)):
        execute(
            behind(database_url),
            "INSERT INTO messages (conversation_id, number, role, text, tokens, status, void, model,"
            " stop_requested, created_at)"
            " VALUES ('c1', 99, 'assistant', '', 0, 'streaming', FALSE, '', FALSE, '2026-01-01')",
        )


def test_only_the_holder_of_the_run_token_ends_a_reply_and_only_once(database_url: str) -> None:
    store = Store(database_url)
    owner = store.owners.enter("a" * 64, "browser")
    turn = store.turns.begin(owner.id, "c1", "d1", "hello", 1, "hello")
    assert not store.turns.finish(turn.reply.id, "somebody else", Status.COMPLETE, "wrong", 1)
    assert store.turns.finish(turn.reply.id, turn.run_token, Status.COMPLETE, "right", 1)
    assert not store.turns.finish(turn.reply.id, turn.run_token, Status.COMPLETE, "late", 1)
    assert store.turns.message(owner.id, turn.reply.id).text == "right"


def test_a_silent_process_loses_its_reply_after_thirty_seconds_not_before(database_url: str) -> None:
    store = Store(database_url)
    owner = store.owners.enter("a" * 64, "browser")
    turn = store.turns.begin(owner.id, "c1", "d1", "hello", 1, "hello")
    assert store.turns.interrupt_stale() == 0
    execute(behind(database_url), "UPDATE messages SET heartbeat = heartbeat - 29, text = 'so far'")
    assert store.turns.interrupt_stale() == 0
    execute(behind(database_url), "UPDATE messages SET heartbeat = heartbeat - 3")
    assert store.turns.interrupt_stale() == 1
    reply = store.turns.message(owner.id, turn.reply.id)
    assert (reply.status, reply.text) == (Status.INTERRUPTED, "so far")


def test_a_deleted_chat_is_gone_at_once_comes_back_on_undo_and_is_purged(person: Person) -> None:
    person.say("about the garden")
    conversations, owner_id = person.app.store.conversations, person.owner.id
    conversations.hide(owner_id, person.chat_id)
    assert conversations.recent(owner_id) == []
    with pytest.raises(NotFound):
        conversations.get(owner_id, person.chat_id)
    conversations.unhide(owner_id, person.chat_id)
    assert len(conversations.recent(owner_id)) == 1
    conversations.hide(owner_id, person.chat_id)
    assert conversations.purge() == 0
    assert conversations.purge(timedelta(0)) == 1
    with pytest.raises(NotFound):
        conversations.unhide(owner_id, person.chat_id)


def test_chats_are_found_by_title_and_by_what_was_said(person: Person) -> None:
    person.say("배포는 금요일이고 100% 확실해")
    search = person.app.store.conversations.recent
    owner_id = person.owner.id
    for text in ("배포", "금요일", "100%", "A TITLE"):
        assert len(search(owner_id, text)) == 1
    for text in ("화요일", "100_", "%_%"):
        assert search(owner_id, text) == []


def test_what_a_provisional_owner_did_moves_to_the_browsers_own(person: Person, stranger: Person) -> None:
    reply = person.say("written before the browser was recognised")
    stranger.say("an older chat of the same browser")
    owners = person.app.store.owners
    owners.spend(person.owner.id, 10)
    owners.spend(stranger.owner.id, 5)
    owners.move(person.owner.id, stranger.owner.id)
    chats = person.app.store.conversations.recent(stranger.owner.id)
    assert {chat.id for chat in chats} == {person.chat_id, stranger.chat_id}
    assert owners.spent_today(stranger.owner.id) == 15
    receipt = person.app.store.receipts.get(stranger.owner.id, reply.id)
    assert receipt.context.messages[-1].text == "written before the browser was recognised"
    with pytest.raises(NotFound):
        owners.get(person.owner.id)


def test_an_undo_after_the_next_send_is_refused(person: Person) -> None:
    person.say("one")
    with pytest.raises(NothingToUndo):
        person.app.store.memory.undo_reset(person.owner.id, person.chat_id)
    with pytest.raises(NothingToUndo):
        person.app.store.versions.undo_fold(person.owner.id, person.chat_id, 1)


def test_ids_of_chats_cannot_be_guessed() -> None:
    ids = {new_id() for _ in range(1_000)}
    assert len(ids) == 1_000
    assert all(len(id_) == 24 for id_ in ids)


def test_a_sign_that_no_text_has_finds_nothing_and_breaks_nothing(person: Person) -> None:
    person.say("The tide turns at noon")
    store, owner_id = person.app.store, person.owner.id
    assert len(store.places.search(owner_id, "tide\0noon", limit=10)) == 1
    assert len(store.conversations.recent(owner_id, "\0tide")) == 1
    assert store.facts.page(owner_id, search="\0") == []
    with pytest.raises(NotFound):
        store.conversations.get(owner_id, "\0")
