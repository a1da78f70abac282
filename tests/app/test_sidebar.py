"""The list of chats: searching, naming, deleting with undo; and the history page that follows it."""

from __future__ import annotations

import time
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from typing import Any

import pytest

from bench.setup import add_chat
from chatmem.app import App
from pages.parts import chat_list
from tests.app.tab import HISTORY, Tab, running_app
from tests.conftest import Person
from tests.stored import execute, rows


@pytest.fixture
def two_chats(tab: Tab) -> Tab:
    """A chat about a dog, then one about a cat, which is on screen."""
    tab.open().say("My dog is called Bori.")
    tab.click("new-chat").say("My cat is called Nabi.")
    return tab


def test_chats_are_listed_the_latest_first_and_open_with_a_click(two_chats: Tab) -> None:
    tab = two_chats
    assert len(tab.chats) == 2
    assert "Today" in tab.words
    _, dog = tab.chat_ids
    tab.click(f"chat-{dog}")
    assert tab.said[0] == ("user", "My dog is called Bori.")
    assert tab.chat_id == dog


@pytest.mark.parametrize(
    ("zone", "group"),
    [
        ("Asia/Seoul", "Today"),  # 1 March, noon; the chat is from 5 in the morning
        ("Pacific/Honolulu", "Today"),  # 29 February, 17:00 and 10:00
        ("Europe/London", "Yesterday"),  # 3 in the night of 1 March; the chat is from 29 February, 20:00
        ("Nowhere/At-All", "Yesterday"),  # as UTC
    ],
)
def test_a_chat_is_listed_by_the_day_of_the_visitors_own_zone(
    app: App, person: Person, environment: pytest.MonkeyPatch, database: Path, zone: str, group: str
) -> None:
    class Fixed(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> datetime:  # type: ignore[override]
            return datetime(2028, 3, 1, 3, tzinfo=UTC).astimezone(tz)

    person.say("Hello")
    execute(database, "UPDATE conversations SET updated_at = '2028-02-29 20:00:00'")
    environment.setattr(chat_list, "datetime", Fixed)
    tab = Tab()
    tab.at.context["timezone"] = zone
    assert group in tab.open().words


def test_search_finds_words_of_messages_and_says_when_nothing_holds_them(two_chats: Tab) -> None:
    tab = two_chats
    for text, found in (("Bori", 1), ("bori", 1), ("called", 2), ("100%", 0), ("_", 0)):
        tab.at.text_input(key="search").set_value(text)
        tab.run()
        assert len(tab.chats) == found, text
        assert (f"No chat holds “{text}”." in tab.words) == (found == 0)
    tab.at.text_input(key="search").set_value("")
    assert len(tab.run().chats) == 2


def rename(tab: Tab, title: str) -> Tab:
    tab.choose(tab.chat_id, "rename")
    dialog_input = next(box for box in tab.at.text_input if box.label == "Name")
    dialog_input.set_value(title)
    next(button for button in tab.at.button if button.label == "Save").click()
    return tab.run()


def test_a_given_name_stays(tab: Tab, database: Path) -> None:
    tab.open().say("My dog is called Bori.")
    rename(tab, "  The dog  ")
    assert tab.chats == ["The dog"]
    tab.say("Bori likes rain.")
    assert rows(database, "SELECT title, title_settled FROM conversations") == [("The dog", 1)]


@pytest.mark.parametrize("title", ["# *x* [y](z) :red[a] $5 $6 <b>", "1. `code` ~~x~~ | > !", "a_b_c {x} \\ ^ +"])
def test_a_name_is_shown_as_it_is_written(tab: Tab, title: str) -> None:
    tab.open().say("Hello")
    rename(tab, title)
    assert tab.chats[0].replace("\\\\", "\0").replace("\\", "").replace("\0", "\\") == title


def test_an_empty_name_changes_nothing(tab: Tab, database: Path) -> None:
    tab.open().say("Hello")
    before = rows(database, "SELECT title FROM conversations")
    rename(tab, "   ")
    assert rows(database, "SELECT title FROM conversations") == before


def test_a_chat_that_taught_nothing_is_deleted_without_a_question(two_chats: Tab, database: Path) -> None:
    tab = two_chats
    tab.click("new-chat").say("What is the capital of France?")
    tab.choose(tab.chat_id, "delete")
    assert tab.dialog == ""
    assert len(tab.chats) == 2
    assert tab.chat_id == ""
    assert "Deleted “" in tab.words


def test_a_chat_that_taught_something_is_asked_about_and_can_be_kept(two_chats: Tab, database: Path) -> None:
    tab = two_chats
    tab.choose(tab.chat_id, "delete")
    assert "Also forget the one fact learned only in it" in tab.dialog
    assert len(tab.chats) == 2
    tab.click("delete-cancel")
    assert tab.dialog == ""
    assert len(tab.chats) == 2
    assert rows(database, "SELECT count(*) FROM conversations WHERE hidden_at IS NULL") == [(2,)]


def delete(tab: Tab, chat_id: str) -> Tab:
    """A chat that facts were learned in; they stay."""
    return tab.choose(chat_id, "delete").click("delete-confirm")


def test_a_deleted_chat_is_gone_at_once_and_comes_back_on_undo(two_chats: Tab) -> None:
    tab = two_chats
    deleted = tab.chat_id
    delete(tab, deleted)
    assert len(tab.chats) == 1
    assert tab.chat_id == ""
    assert "Deleted “" in tab.words
    assert "This chat was not found." in Tab(chat=deleted).open().notices
    tab.click("undo-delete")
    assert len(tab.chats) == 2
    assert not tab.has_button("undo-delete")
    tab.click(f"chat-{deleted}")
    assert tab.said[0] == ("user", "My cat is called Nabi.")


def test_a_deleted_chat_is_purged_when_its_undo_is_over(two_chats: Tab, database: Path) -> None:
    tab = two_chats
    delete(tab, tab.chat_id)
    let_undo_pass(tab, database)
    assert not tab.has_button("undo-delete")
    assert len(rows(database, "SELECT id FROM conversations")) == 1
    assert rows(database, "SELECT count(*) FROM messages") == [(2,)]


def let_undo_pass(tab: Tab, database: Path) -> None:
    """As if its seconds were over, in the session and in the database."""
    chat_id, title, _ = tab.at.session_state["deleted"]
    tab.at.session_state["deleted"] = (chat_id, title, time.monotonic() - chat_list.UNDO_SECONDS - 1)
    execute(database, "UPDATE conversations SET hidden_at = datetime('now', '-1 minute') WHERE hidden_at NOT NULL")
    tab.run()


def test_deleting_another_chat_leaves_the_one_on_screen(two_chats: Tab) -> None:
    tab = two_chats
    cat, dog = tab.chat_ids
    delete(tab, dog)
    assert tab.chat_id == cat
    assert tab.said[0] == ("user", "My cat is called Nabi.")


def test_more_chats_than_fit_are_a_click_away(tab: Tab) -> None:
    tab.open()
    for number in range(chat_list.FIRST_SHOWN + 2):
        tab.click("new-chat").send(f"Chat number {number}")
    tab.run()
    assert len(tab.chats) == chat_list.FIRST_SHOWN
    tab.click("more-chats")
    assert len(tab.chats) == chat_list.FIRST_SHOWN + 2


# --- the history page ---------------------------------------------------------------------------------------


def test_history_shows_every_message_with_what_became_of_it(tab: Tab) -> None:
    tab.open()
    for number in range(1, 7):
        tab.say(f"Fact {number}: I own {number} red bicycles.")
    tab.open(HISTORY)
    assert "1 · You · in the summary" in tab.words
    assert "7 · You · in the summary" in tab.words
    assert "8 · Chat · in the window" in tab.words
    assert "12 · Chat · in the window" in tab.words
    tab.click("back")
    assert tab.said[0] == ("user", "Fact 1: I own 1 red bicycles.")


def test_history_tells_chats_of_the_same_name_apart(tab: Tab) -> None:
    for animal in ("dog", "cat"):
        tab.open().click("new-chat").say(f"My animal is a {animal}.")
        rename(tab, "Animals")
    cat, dog = tab.chat_ids
    for chat, animal in ((dog, "dog"), (cat, "cat"), (dog, "dog")):
        tab.at.query_params = {"chat": chat}
        tab.open(HISTORY)
        assert f"My animal is a {animal}." in tab.words
    assert sorted(history_choice(tab).options) == ["Animals", "Animals (2)"]


def history_choice(tab: Tab) -> Any:
    return next(box for box in tab.at.selectbox if (box.key or "").startswith("history-chat"))


def test_history_follows_the_chat_that_is_chosen(two_chats: Tab) -> None:
    tab = two_chats.open(HISTORY)
    cat, dog = tab.chat_ids
    assert history_choice(tab).value == cat
    history_choice(tab).set_value(dog)
    tab.run()
    assert "My dog is called Bori." in tab.words
    assert "My cat is called Nabi." not in tab.words
    assert tab.chat_id == dog
    tab.click("back")
    assert tab.chat_id == dog
    assert tab.said[0] == ("user", "My dog is called Bori.")


def test_history_of_a_chat_with_many_messages_is_in_pages(tab: Tab) -> None:
    tab.open().say("Hello")
    chat = add_chat(running_app(), 1, 120)
    tab.at.query_params = {"chat": chat}
    tab.open(HISTORY)
    assert "120 · Chat" in tab.words
    assert "20 · Chat" not in tab.words.replace("120 · Chat", "")
    tab.at.get("pagination")[0].set_value(1)
    tab.run()
    assert "1 · You · in the summary" in tab.words
    assert "20 · Chat" in tab.words
    assert "21 · You" not in tab.words


def test_a_long_chat_opens_with_its_newest_messages_and_loads_earlier_ones(tab: Tab) -> None:
    tab.open().say("Hello")
    chat = add_chat(running_app(), 1, 120)
    tab.at.query_params = {"chat": chat}
    tab.run()
    assert len(tab.said) == 24
    tab.click("earlier")
    assert len(tab.said) == 74
    tab.click("earlier")
    assert len(tab.said) == 120
    assert not tab.has_button("earlier")
