"""Every page opens, keyless and first on a fresh server, in the browser's language or the chosen one."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.app.tab import CHAT, HISTORY, MEMORY, SETTINGS, Tab
from tests.stored import rows

TITLES = {
    CHAT: {"en": "A chat whose memory you can see", "ko": "기억이 보이는 대화"},
    HISTORY: {"en": "All messages", "ko": "모든 메시지"},
    MEMORY: {"en": "Memory", "ko": "기억"},
    SETTINGS: {"en": "Settings", "ko": "설정"},
}


@pytest.mark.parametrize("language", ["en", "ko"])
@pytest.mark.parametrize("page", TITLES)
def test_a_page_opened_first_on_a_fresh_server_works_without_a_key(page: str, language: str) -> None:
    tab = Tab("ko-KR" if language == "ko" else "en-GB").open(page)
    assert tab.at.title[0].value == TITLES[page][language]
    assert tab.button("new-chat").label == {"en": "New chat", "ko": "새 대화"}[language]
    assert tab.notices == [] or page == CHAT


@pytest.mark.parametrize("page", TITLES)
def test_a_page_works_after_the_chat_page_as_well(tab: Tab, page: str) -> None:
    tab.open().open(page)
    assert tab.at.title[0].value == TITLES[page]["en"]


@pytest.mark.parametrize("page", [HISTORY, MEMORY, SETTINGS])
def test_a_page_opened_first_leads_to_a_new_chat(tab: Tab, page: str) -> None:
    tab.open(page).click("new-chat")
    assert tab.at.title[0].value == TITLES[CHAT]["en"]
    tab.say("My dog is called Bori.")
    assert tab.said[0] == ("user", "My dog is called Bori.")


def test_looking_around_stores_nobody(tab: Tab, database: Path) -> None:
    for page in (CHAT, HISTORY, MEMORY, SETTINGS, CHAT):
        tab.open(page)
    assert rows(database, "SELECT * FROM owners") == []
    tab.say("Hello")
    assert rows(database, "SELECT kind FROM owners") == [("browser",)]


@pytest.mark.parametrize("locale", ["fr-FR", "", "zz"])
def test_other_locales_read_english(locale: str) -> None:
    assert Tab(locale).open().at.title[0].value == TITLES[CHAT]["en"]


def test_the_chosen_language_stays_on_every_page_and_after_going_back_to_the_browsers(korean_tab: Tab) -> None:
    tab = korean_tab.open(SETTINGS)
    language = tab.at.button_group(key="set-language")
    assert language.value == ""
    assert language.options == ["브라우저를 따름", "한국어", "English"]
    language.set_value("en")
    tab.run()
    assert tab.at.title[0].value == "Settings"
    assert "Saved." in tab.notices
    for page in (HISTORY, CHAT):
        assert tab.open(page).at.title[0].value == TITLES[page]["en"]
    tab.open(SETTINGS).at.button_group(key="set-language").set_value("")
    assert tab.run().at.title[0].value == "설정"


def test_the_installations_language_comes_before_the_browsers(
    korean_tab: Tab, environment: pytest.MonkeyPatch
) -> None:
    environment.setenv("CHATMEM_LANGUAGE", "en")
    assert korean_tab.open().at.title[0].value == TITLES[CHAT]["en"]


# --- what the installation got wrong ------------------------------------------------------------------------


def test_nonsense_in_the_environment_is_told_in_a_sentence_each_and_the_chat_works(
    tab: Tab, environment: pytest.MonkeyPatch
) -> None:
    environment.setenv("CHATMEM_PRESET", "goldfish")
    environment.setenv("CHATMEM_DAILY_TOKENS", "many")
    environment.setenv("CHATMEM_ALLOW_VISITOR_SERVERS", "maybe")
    environment.setenv("OPENAI_BASE_URL", "not an address")
    tab.open()
    for name in ("CHATMEM_PRESET", "CHATMEM_DAILY_TOKENS", "CHATMEM_ALLOW_VISITOR_SERVERS", "OPENAI_BASE_URL"):
        assert sum(name in notice for notice in tab.notices) == 1, tab.notices
    assert any("“goldfish”" in notice and "classic" in notice for notice in tab.notices)
    tab.say("My cat is called Nabi.")
    assert tab.said[1][0] == "assistant"
    for page in (HISTORY, MEMORY, SETTINGS):
        assert tab.open(page).at.title[0].value == TITLES[page]["en"]


UNUSABLE = {
    "nonsense": "what is this",
    "unknown": "mongodb://somewhere/db",
    "no folder": "sqlite:////dev/null/chat.db",
}


@pytest.mark.parametrize("url", UNUSABLE.values(), ids=UNUSABLE.keys())
@pytest.mark.parametrize("page", TITLES)
def test_an_unusable_database_is_a_sentence(environment: pytest.MonkeyPatch, url: str, page: str) -> None:
    environment.setenv("DATABASE_URL", url)
    tab = Tab().open(page)
    assert len(tab.at.error) == 1
    assert not tab.at.chat_input


def test_a_database_password_is_not_shown(environment: pytest.MonkeyPatch, tab: Tab) -> None:
    environment.setenv("DATABASE_URL", "nosuch://anna:geheim@db.example.com/chat")
    tab.open()
    assert "DATABASE_URL" in tab.words
    assert "geheim" not in tab.words


def test_a_file_that_is_no_database_is_a_korean_sentence(korean_tab: Tab, database: Path) -> None:
    database.write_text("Dear diary, " * 500)
    korean_tab.open()
    assert "데이터베이스" in korean_tab.notices[0]
    assert database.read_text().startswith("Dear diary")


def test_a_database_that_is_mended_works_without_a_restart(
    environment: pytest.MonkeyPatch, tab: Tab, tmp_path: Path
) -> None:
    in_the_way = tmp_path / "data"
    in_the_way.write_text("a file where the folder should be")
    environment.setenv("DATABASE_URL", f"sqlite:///{in_the_way / 'chat.db'}")
    tab.open()
    assert tab.at.error
    in_the_way.unlink()
    tab.run()
    assert not tab.at.error
    assert tab.at.title[0].value == TITLES[CHAT]["en"]


def test_a_database_that_is_held_by_another_program_is_told_at_every_act_and_the_draft_is_kept(
    tab: Tab, database: Path, environment: pytest.MonkeyPatch
) -> None:
    environment.setattr("chatmem.store.database.BUSY_TIMEOUT_MS", 50)
    tab.open().say("My dog is called Bori.")
    chat = tab.chat_id
    with held_by_another_program(database):
        assert_told(tab.send("Does this arrive?"))
        assert tab.draft == "Does this arrive?"
        tab.at.selectbox(key=f"preset-{chat}").set_value("window_only")
        assert_told(tab.run())
        assert_told(tab.choose(chat, "delete").click("delete-confirm"))
        assert_told(tab.click("retry-"))
        assert_told(tab.click("open-reset").click("reset-confirm"))
        assert_told(tab.open(SETTINGS).click("save-memory"))
        tab.open(MEMORY).at.toggle(key="switch-uses").set_value(False)
        assert_told(tab.run())
        assert_told(tab.choose(chat, "delete").click("delete-confirm"))
    assert tab.open(CHAT).said[0] == ("user", "My dog is called Bori.")
    assert rows(database, "SELECT count(*) FROM messages WHERE retired_at IS NULL") == [(2,)]


@contextmanager
def held_by_another_program(database: Path) -> Iterator[None]:
    connection = sqlite3.connect(database, isolation_level=None)
    connection.execute("BEGIN IMMEDIATE")
    yield
    connection.close()


def assert_told(tab: Tab) -> None:
    assert sum("holding the database" in notice for notice in tab.notices) == 1, tab.notices


@pytest.mark.parametrize("page", TITLES)
def test_a_database_that_fails_while_a_page_is_drawn_is_a_sentence(tab: Tab, database: Path, page: str) -> None:
    tab.open().say("Hello")
    with sqlite3.connect(database) as connection:
        for table in (
            "fact_vectors",
            "fact_evidence",
            "facts",
            "receipts",
            "summaries",
            "messages",
            "conversations",
        ):
            connection.execute(f"DROP TABLE {table}")
    tab.open(page)
    assert any("database" in notice for notice in tab.notices)


# --- logging in (against a real provider: tests/browser/test_login.py) --------------------------------------


@pytest.mark.parametrize(
    ("locale", "sentence"), [("en-US", "Logging in is not set up"), ("ko-KR", "아직 로그인이")]
)
@pytest.mark.parametrize("page", [CHAT, HISTORY, MEMORY, SETTINGS])
def test_where_logging_in_is_asked_for_but_not_set_up_nobody_gets_in(
    environment: pytest.MonkeyPatch, locale: str, sentence: str, page: str
) -> None:
    environment.setenv("CHATMEM_IDENTITY", "login")
    tab = Tab(locale).open(page)
    assert not tab.at.exception
    assert sentence in tab.at.error[0].value
    assert not tab.at.sidebar.button
    assert not tab.at.chat_input
