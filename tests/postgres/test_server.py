"""What only a database on a server has: an address, a password, few connections, writers elsewhere."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

from chatmem.domain import NewFact, Status
from chatmem.errors import (
    BadSetting,
    ChatmemError,
    StorageFull,
    StorageLocked,
    StorageMissing,
    StorageReadOnly,
    StorageRefused,
    StorageUnreachable,
)
from chatmem.settings import Settings, load_settings
from chatmem.store import Store, postgres
from tests.conftest import Person
from tests.postgres_server import Server
from tests.scripted import ScriptedModel
from tests.stored import break_at, rows

ROOT = Path(__file__).resolve().parents[2]


@contextmanager
def another_writer(url: str) -> Iterator[None]:
    """Somebody else's turn: a process that does not come to an end."""
    with psycopg.connect(url) as connection:
        connection.execute(f"SELECT pg_advisory_xact_lock({postgres.WRITE_TURN})")
        yield


# --- addresses ------------------------------------------------------------------------------------


@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+psycopg", "postgresql+psycopg2"])
def test_any_way_of_naming_postgres_will_do(database_url: str, scheme: str) -> None:
    store = Store(scheme + database_url.removeprefix("postgresql"))
    assert store.owners.enter("a" * 64, "browser").id
    store.close()


@pytest.mark.parametrize(
    "url",
    [
        "postgres://me:hunter2@host:notaport/db",
        "postgres://me:hunter2",
        "postgres:/me:hunter2@host/db",
        "postgres//me:hunter2@host/db",
        "postgres://me:hunter2@@host/db",
        "postgres://me:pw@hunter2@host/db",
        "postgres://me:pw@hunter2/more@host/db",
        "postgres://me:pw@hunter2:more@host/db",
        "postgres://me:hunter2@host/db?sslmood=require",
        "postgres://host/db?passwort=hunter2",
    ],
)
def test_an_address_with_a_slip_in_it_is_a_sentence_without_the_password(url: str) -> None:
    with pytest.raises(BadSetting) as error:
        Store(url)
    for language in ("en", "ko"):
        said = error.value.say(language)
        assert "DATABASE_URL" in said
        assert "postgresql://user:password@host/database" in said
        assert "hunter2" not in said
        assert "\n" not in said


def test_a_server_that_is_not_there_is_a_sentence_that_names_it() -> None:
    for host in ("127.0.0.1:1", "no-such-host.invalid"):
        with pytest.raises(StorageUnreachable) as error:
            Store(f"postgres://me:hunter2@{host}/db")
        for language in ("en", "ko"):
            assert host.partition(":")[0] in error.value.say(language)
            assert "hunter2" not in error.value.say(language)
            assert "\n" not in error.value.say(language)
        assert error.value.retryable


def test_a_wrong_password_a_missing_user_and_a_missing_database_are_told_apart(
    server: Server, database_url: str
) -> None:
    server.execute("DROP ROLE IF EXISTS visitor")
    server.execute("CREATE ROLE visitor LOGIN PASSWORD 'right'")
    name = database_url.partition("@/")[2].partition("?")[0]
    expected: list[tuple[str, type[ChatmemError]]] = [
        (server.url(name, "visitor:hunter2"), StorageRefused),
        (server.url(name, "visitor"), StorageRefused),
        (server.url(name, "nobody:hunter2"), StorageRefused),
        (server.url("nowhere"), StorageMissing),
        # The right password, but a role that was given nothing yet.
        (server.url(name, "visitor:right"), StorageReadOnly),
    ]
    for url, kind in expected:
        with pytest.raises(kind) as error:
            Store(url)
        assert type(error.value) is kind
        assert not error.value.retryable
        assert not {"hunter2", "right"} & set(error.value.say("en").replace("”", " ").split())
        assert error.value.say("ko")


def test_settings_can_be_printed_without_the_password() -> None:
    assert "hunter2" not in repr(Settings(database_url="postgres://me:hunter2@host/db"))
    assert load_settings({"DATABASE_URL": " postgres://me:pw@host/db "}).problems == ()


def test_the_terminal_chats_on_it(database_url: str, tmp_path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "chatmem", "--language", "en", "--db", database_url],
        cwd=ROOT, text=True, input="My name is Mina.\nWhat is my name?\n", capture_output=True, timeout=60,
        env={**os.environ, "CHATMEM_TEACHING_PACE": "0", "DATABASE_URL": f"sqlite:///{tmp_path}/unused.db"},
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    assert "Mina" in ran.stdout
    assert rows(database_url, "SELECT count(*) FROM messages") == [(4,)]
    assert list(tmp_path.iterdir()) == []


# --- transactions ---------------------------------------------------------------------------------


def test_a_reader_sees_one_moment_and_writes_nothing(person: Person) -> None:
    person.say("one")
    counts = []
    with person.app.store.one_view():
        counts.append(len(person.messages))
        writer = threading.Thread(target=lambda: person.app.store.owners.enter("d" * 64, "browser"))
        writer.start()
        writer.join()
        other = threading.Thread(target=lambda: person.say("two"))
        other.start()
        other.join()
        counts.append(len(person.messages))
    counts.append(len(person.messages))
    assert counts == [2, 2, 4]
    with pytest.raises(StorageReadOnly), person.app.store._database.read() as session:
        session.connection().exec_driver_sql("DELETE FROM messages")


def test_a_writer_that_waits_too_long_says_so_and_readers_wait_for_nobody(
    person: Person, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    person.say("one")
    monkeypatch.setattr(postgres, "TURN_TIMEOUT_S", 1)
    with another_writer(database_url):
        writers = [threading.Thread(target=_locked_out, args=(person,)) for _ in range(30)]
        for writer in writers:
            writer.start()
        assert len(person.messages) == 2
        with pytest.raises(StorageLocked):
            person.send("two")
        (connections,) = rows(
            database_url, "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
        )
        assert connections[0] <= 5  # this one, the writer there, one that waits, readers: thirty hold none
        for writer in writers:
            writer.join()
    assert person.say("two").status is Status.COMPLETE


def _locked_out(person: Person) -> None:
    with pytest.raises(StorageLocked):
        person.app.store.owners.spend(person.owner.id, 1)


def test_writers_of_two_processes_take_turns(database_url: str) -> None:
    stores = [Store(database_url), Store(database_url)]
    owner = stores[0].owners.enter("a" * 64, "browser")

    def spend(store: Store) -> None:
        for _ in range(25):
            store.owners.spend(owner.id, 1)  # reads what is there, and writes one more

    threads = [threading.Thread(target=spend, args=(store,)) for store in stores for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert stores[0].owners.spent_today(owner.id) == 150
    for store in stores:
        store.close()


def test_a_writer_that_hangs_loses_its_turn(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgres, "HUNG_WRITER_S", 1)
    store, other = Store(database_url), Store(database_url)
    owner = store.owners.enter("a" * 64, "browser")
    with pytest.raises(StorageUnreachable), store._database.write() as session:  # noqa: PT012
        session.connection().exec_driver_sql("UPDATE owners SET kind = 'hung'")
        other.owners.spend(owner.id, 1)  # as soon as the one that hangs is put out
        session.connection().exec_driver_sql("UPDATE owners SET kind = 'late'")
    assert rows(database_url, "SELECT kind FROM owners") == [("browser",)]
    store.close()
    other.close()


def test_no_words_are_kept_in_the_planners_statistics(person: Person, server: Server, database_url: str) -> None:
    for number in range(6):
        person.say(f"I keep Quetzalcoatl number {number} in a parrot hotel")
    fact = NewFact(kind="fact", text="Keeps Quetzalcoatl.", quote="Quetzalcoatl", message_id=person.message(1).id)
    person.app.store.facts.add(person.owner.id, fact)
    server.execute("ANALYZE", database_url.partition("@/")[2].partition("?")[0])
    (kept,) = rows(database_url, "SELECT string_agg(s::text, '') FROM pg_stats AS s WHERE schemaname = 'public'")
    assert "complete" in kept[0]  # there are statistics, else this test could not fail
    assert "uetzalcoatl" not in kept[0]


def test_a_full_disk_is_a_sentence(person: Person, database_url: str) -> None:
    break_at(database_url, "messages", "role", "user")
    with pytest.raises(StorageFull):
        person.send("one")


def test_names_longer_than_their_columns_cost_no_reply(person: Person, model: ScriptedModel) -> None:
    model.name = "vendor/" + "long" * 100
    assert person.say("one").model == model.name[:200]
    person.app.store.conversations.rename(person.owner.id, person.chat_id, "long " * 100)
    assert person.app.store.conversations.get(person.owner.id, person.chat_id).title == ("long " * 100)[:200]


def test_a_hundred_threads_share_a_few_connections(person: Person, database_url: str) -> None:
    person.say("one")
    most, errors, done = [0], [], threading.Event()

    def read_and_write(number: int) -> None:
        try:
            assert len(person.messages) == 2
            person.app.store.owners.spend(person.owner.id, number)
        except Exception as error:  # noqa: BLE001 - any at all is a failure of this test
            errors.append(error)

    def watch() -> None:
        with psycopg.connect(database_url, autocommit=True) as connection:
            while not done.is_set():
                row = connection.execute(
                    "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'chatmem'"
                    " AND datname = current_database()"
                ).fetchone()
                most[0] = max(most[0], row[0] if row else 0)
                time.sleep(0.005)

    watcher = threading.Thread(target=watch)
    watcher.start()
    threads = [threading.Thread(target=read_and_write, args=(1,)) for _ in range(100)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    done.set()
    watcher.join()
    assert errors == []
    assert 0 < most[0] <= 8
    assert person.app.store.owners.spent_today(person.owner.id) == 100
