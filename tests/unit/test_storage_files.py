"""A SQLite file that is damaged, read-only, without its log, or at an odd place: a sentence, or it just works."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

import pytest

from chatmem.errors import (
    BadSetting,
    ChatmemError,
    StorageDamaged,
    StorageError,
    StorageFull,
    StorageLocked,
    StorageReadOnly,
)
from chatmem.store import Store, migrate
from chatmem.store import database as databases
from tests.broken_disk import in_it, opened, opened_at, said
from tests.conftest import WAIT_SECONDS, Person
from tests.stored import execute, file_of, rows
from tests.unit.test_fold import check_invariant

PAGE = 4096


@pytest.fixture
def file(database_url: str) -> Path:
    return file_of(database_url)


# --- not to be written --------------------------------------------------------------------------


@pytest.fixture(scope="module")
def sixty_messages(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, str]:
    file = tmp_path_factory.mktemp("sixty") / "chat.db"
    app = opened(file)
    person = in_it(app)
    for number in range(30):
        person.say(f"Q{number} the garden wants {number} more hours of sun than it gets " + "and so on " * 30)
    app.background.wait(WAIT_SECONDS)
    app.close()
    return file.read_bytes(), person.chat_id


@pytest.fixture
def filled(file: Path, sixty_messages: tuple[bytes, str]) -> tuple[Path, str]:
    """A chat of sixty messages, closed; the file and the chat's id."""
    raw, chat = sixty_messages
    for beside in file.parent.glob(f"{file.name}*"):
        beside.unlink()
    file.write_bytes(raw)
    return file, chat


def test_a_database_that_cannot_be_written_is_read_and_says_so(filled: tuple[Path, str]) -> None:
    file, chat = filled
    app = opened_at(f"sqlite:///file:{quote(str(file))}?mode=ro&uri=true")
    person = in_it(app, chat)
    assert len(said(person)) == 30
    for act in (lambda: person.send("one more"), lambda: app.store.conversations.hide(person.owner.id, chat)):
        with pytest.raises(StorageReadOnly) as error:
            act()
        assert "쓸 수 없습니다" in error.value.say("ko")
    app.close()
    app = opened(file)
    assert len(said(in_it(app, chat))) == 30
    app.close()


# --- damaged ------------------------------------------------------------------------------------


def everything(file: Path, chat: str) -> list[object]:
    app = opened(file)
    try:
        person = in_it(app, chat)
        texts = [message.text for message in person.messages]
        versions = app.store.versions.leading_to_head(person.owner.id, chat)
        chats = app.store.conversations.recent(person.owner.id)
        return [texts, versions, chats, app.archive.export(person.owner.id)]
    finally:
        app.close()


def damaged(file: Path, raw: bytes) -> Path:
    beside = file.with_name("damaged.db")
    for old in beside.parent.glob("damaged.db*"):
        old.unlink()
    beside.write_bytes(raw)
    return beside


def test_a_damaged_page_is_a_sentence_or_no_matter_and_never_an_empty_list(filled: tuple[Path, str]) -> None:
    file, chat = filled
    whole, raw, chance = everything(file, chat), file.read_bytes(), random.Random(29)
    sentences = 0
    for start in range(0, len(raw), PAGE):
        rubbish = chance.choice([bytes(PAGE), b"\xa5" * PAGE, chance.randbytes(PAGE)])
        try:
            found = everything(damaged(file, raw[:start] + rubbish + raw[start + PAGE :]), chat)
        except StorageDamaged:
            sentences += 1
        else:
            assert found == whole, f"page {start // PAGE + 1}"
    assert sentences > 10


@pytest.mark.parametrize(
    ("statement", "value"),
    [
        ("UPDATE messages SET created_at = ? WHERE number = 3", "2026-0xxxxxx"),
        ("UPDATE messages SET status = ? WHERE number = 3", "comxxxxx"),
        ("UPDATE messages SET text = CAST(? AS TEXT) WHERE number = 3", b"\xa5\xa5\xa5"),
        ("UPDATE summaries SET pins = ?", "[[1, xxxxx"),
        ("UPDATE conversations SET updated_at = ?", "xxxxx"),
    ],
)
def test_a_row_that_cannot_be_read_is_a_sentence(filled: tuple[Path, str], statement: str, value: object) -> None:
    file, chat = filled
    execute(file, statement, value)
    with pytest.raises(StorageDamaged):
        everything(file, chat)
    if "conversations" in statement:
        app = opened(file)
        with pytest.raises(StorageDamaged):
            in_it(app, chat).send("one more")
        app.close()


@pytest.mark.parametrize("share", [0.02, 0.5, 0.98])
def test_a_file_that_ends_too_early_is_a_sentence(filled: tuple[Path, str], share: float) -> None:
    file, chat = filled
    raw = file.read_bytes()
    with pytest.raises(StorageDamaged):
        everything(damaged(file, raw[: int(len(raw) * share)]), chat)


def test_an_empty_file_is_a_new_database(tmp_path: Path) -> None:
    file = tmp_path / "empty.db"
    file.touch()
    app = opened(file)
    assert in_it(app).say("hello").text == "Understood."
    app.close()


def test_the_sentence_about_a_damaged_file_names_nothing_that_was_said(filled: tuple[Path, str]) -> None:
    file, chat = filled
    execute(file, "UPDATE messages SET created_at = 'my secret' WHERE number = 3")
    with pytest.raises(StorageDamaged) as error:
        everything(file, chat)
    assert "secret" not in error.value.say("en")


# --- its other files ----------------------------------------------------------------------------


def test_without_the_file_of_shared_memory_nothing_is_missing(person: Person, file: Path, tmp_path: Path) -> None:
    person.say("first")
    copy = tmp_path / "copy" / "chat.db"
    copy.parent.mkdir()
    for kind in ("", "-wal"):
        copy.with_name(f"chat.db{kind}").write_bytes(file.with_name(f"{file.name}{kind}").read_bytes())
    app = opened(copy)
    assert said(in_it(app, person.chat_id)) == ["first"]
    app.close()


def test_a_log_that_was_deleted_costs_what_stood_in_it_alone_and_never_the_rest(
    filled: tuple[Path, str], tmp_path: Path
) -> None:
    file, chat = filled
    app = opened(file)
    person = in_it(app, chat)
    person.say("only in the log")
    copy = tmp_path / "copy.db"
    copy.write_bytes(file.read_bytes())  # not its log
    app.background.wait(WAIT_SECONDS)
    app.close()
    assert rows(copy, "PRAGMA integrity_check") == [("ok",)]
    app = opened(copy)
    person = in_it(app, chat)
    assert len(said(person)) == 30
    check_invariant(person)
    assert person.say("and on").text == "Understood."
    app.close()


# --- where it is --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["한글 이름", "a#b", "50% off", "tea & cake", "it's", "[brackets]*", "a=b;c"])
def test_a_path_may_hold_spaces_korean_and_signs(tmp_path: Path, name: str) -> None:
    folder = tmp_path / f"대화 폴더 {name}"
    app = opened(folder / f"{name}.db")
    assert in_it(app).say("hello").text == "Understood."
    app.close()
    assert [file.name for file in folder.iterdir()] == [f"{name}.db"]


def test_signs_of_an_address_can_be_written_as_such(tmp_path: Path) -> None:
    for name in ("why?.db", "100%25.db"):
        Store(f"sqlite:///{quote(str(tmp_path / name))}").close()
        assert (tmp_path / name).exists()


@pytest.mark.parametrize("name", ["why?.db", "chat.db?mode=ro", "chat.db?timeout=1"])
def test_what_sqlite_would_pass_over_in_an_address_is_refused(tmp_path: Path, name: str) -> None:
    """Else another file would be opened than the one that was meant, or one to be read only be written."""
    with pytest.raises(BadSetting) as error:
        Store(f"sqlite:///{tmp_path / name}")
    assert "%3F" in error.value.say("ko")
    assert list(tmp_path.iterdir()) == []


def test_a_backup_beside_a_path_of_signs_is_found_and_deleted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = f"sqlite:///{tmp_path / '한글 [a]*.db'}"
    with monkeypatch.context() as earlier:
        earlier.setattr(migrate, "HEAD", "0002")
        Store(url).close()
    Store(url).close()
    (copy,) = tmp_path.glob(f"*{databases.BACKUP_SUFFIX}")
    with closing(sqlite3.connect(copy)) as connection:
        assert connection.execute("SELECT version_num FROM alembic_version").fetchone() == ("0002",)
    Store(url).close()
    assert not list(tmp_path.glob(f"*{databases.BACKUP_SUFFIX}"))


def test_every_fault_of_a_file_has_a_sentence_of_its_own_in_both_languages() -> None:
    kinds: list[type[ChatmemError]] = [StorageFull, StorageLocked, StorageReadOnly, StorageDamaged, StorageError]
    for language in ("en", "ko"):
        assert len({kind(reason="r").say(language) for kind in kinds}) == len(kinds)  # type: ignore[arg-type]
