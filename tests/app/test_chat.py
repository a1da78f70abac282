"""The chat page: sending, commands, drafts that are kept, addresses that lead nowhere, reset and undo."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest

from chatmem.folder import Folder
from pages.parts import inspector
from pages.parts.enter import Room
from tests.app.tab import CHAT, HISTORY, MEMORY, WAIT_SECONDS, Tab, running_app
from tests.stored import everything_stored, rows


def test_a_message_gets_one_question_and_one_answer_and_the_chat_an_address(tab: Tab, database: Path) -> None:
    tab.open().say("My dog is called Bori.")
    assert tab.said[0] == ("user", "My dog is called Bori.")
    assert tab.said[1][0] == "assistant"
    assert "Bori" in tab.said[1][1]
    assert rows(database, "SELECT number, role, status FROM messages") == [
        (1, "user", "complete"),
        (2, "assistant", "complete"),
    ]
    assert rows(database, "SELECT id FROM conversations") == [(tab.chat_id,)]
    assert len(tab.chats) == 1


def test_korean_questions_get_korean_answers(korean_tab: Tab) -> None:
    korean_tab.open().say("내 강아지 이름은 보리야.")
    korean_tab.say("내 강아지 이름이 뭐야?")
    assert "보리" in korean_tab.said[-1][1]


def test_the_teaching_model_says_what_it_is_before_and_in_its_first_answer(tab: Tab) -> None:
    tab.open()
    assert any("teaching model" in notice for notice in tab.notices)
    tab.say("Hello")
    assert "teaching model" in tab.said[1][1]


def test_a_suggestion_is_sent_as_it_reads(tab: Tab) -> None:
    pills = tab.open().at.button_group(key="suggestion")
    text = pills.options[1]
    pills.set_value(text)
    tab.run()
    assert tab.said[0] == ("user", text)


def test_the_next_send_after_a_suggestion_is_another_message(tab: Tab, database: Path) -> None:
    pills = tab.open().at.button_group(key="suggestion")
    pills.set_value(pills.options[0])
    tab.run()
    tab.run()
    tab.say("And I live in Busan.")
    questions = rows(database, "SELECT text FROM messages WHERE role = 'user' ORDER BY number")
    assert questions == [(pills.options[0],), ("And I live in Busan.",)]


@pytest.mark.parametrize("text", ["   ", "\n\n", "\u200b"])
def test_a_blank_message_is_a_sentence_and_stores_nothing(tab: Tab, database: Path, text: str) -> None:
    tab.open().send(text)
    assert any("nothing to send" in notice for notice in tab.notices)
    assert rows(database, "SELECT * FROM messages") == []


def test_a_message_that_is_too_long_keeps_the_draft_and_says_the_limit(tab: Tab, database: Path) -> None:
    long = "A sentence about gardens. " * 1_000
    tab.open().send(long)
    assert any("2,000" in notice for notice in tab.notices)
    assert tab.draft == long
    assert rows(database, "SELECT * FROM messages") == []
    tab.at.chat_input[0].set_value("A shorter one.")
    tab.run()
    assert tab.said[0] == ("user", "A shorter one.")
    assert tab.draft == ""


def test_the_notice_is_gone_with_the_next_run(tab: Tab) -> None:
    tab.open().send("   ")
    assert tab.run().notices == Tab().open().notices


# --- commands -----------------------------------------------------------------------------------------------


def test_help_lists_every_command_in_the_pages_language(korean_tab: Tab) -> None:
    korean_tab.open().send("/help")
    listed = next(notice for notice in korean_tab.notices if "/history" in notice)
    for command in ("/history", "/summary", "/memory", "/reset", "/retry", "/temp", "/help"):
        assert command in listed
    assert "/quit" not in listed
    assert "요약" in listed


@pytest.mark.parametrize(
    ("command", "title"),
    [("/history", "This chat has no messages yet."), ("/summary", "There is no summary yet.")],
)
def test_dialogs_of_a_chat_without_messages_say_so(tab: Tab, command: str, title: str) -> None:
    tab.open().send(command)
    assert title in tab.words


def test_history_shows_what_the_model_has_and_then_all_messages(tab: Tab) -> None:
    tab.open().say("My dog is called Bori.")
    tab.send("/history")
    assert "The model has 2 messages in its window; 2 in this chat." in tab.words
    assert tab.words.index("What the model has now") < tab.words.rindex("All messages")
    assert "1 · You" in tab.words
    assert "2 · Chat" in tab.words


def test_the_buttons_open_the_same_dialogs(tab: Tab) -> None:
    tab.open().say("My dog is called Bori.")
    assert "The model has 2 messages" in tab.click("open-history").words
    assert (
        "There is no summary yet. One is made when the window holds more than 10"
        in tab.click("open-summary").words
    )
    assert "**Goes:** the 2 messages" in tab.click("open-reset").words


def test_a_command_is_no_message(tab: Tab, database: Path) -> None:
    tab.open()
    for command in ("/help", "/history", "/SUMMARY ", "/memory", "/reset", "/retry", "/temp", "/nope"):
        tab.send(command)
    assert rows(database, "SELECT * FROM messages") == []


def test_an_unknown_command_is_named_and_its_draft_kept(tab: Tab) -> None:
    tab.open().send("/hsitory")
    assert any("/hsitory" in notice and "/help" in notice for notice in tab.notices)
    assert tab.draft == "/hsitory"


@pytest.mark.parametrize("text", ["/usr/bin/env is a path", "/help me with my garden", "/", "//"])
def test_a_sentence_that_begins_with_a_slash_is_a_message(tab: Tab, text: str) -> None:
    tab.open().say(text)
    assert tab.said[0] == ("user", text)


def test_retry_replaces_the_answer_and_keeps_the_question(tab: Tab, database: Path) -> None:
    tab.open().say("My dog is called Bori.")
    tab.say("/retry")
    assert [name for name, _ in tab.said] == ["user", "assistant"]
    assert rows(database, "SELECT number, role, retired_at IS NULL FROM messages") == [
        (1, "user", 1),
        (2, "assistant", 0),
        (3, "assistant", 1),
    ]
    tab.click("retry-")
    assert rows(database, "SELECT count(*) FROM messages WHERE role = 'user'") == [(1,)]


def test_retry_without_an_answer_is_a_sentence(tab: Tab) -> None:
    tab.open().send("/retry")
    assert tab.notices


# --- a temporary chat ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", ["command", "button"])
def test_a_temporary_chat_leaves_nothing_in_the_database(tab: Tab, database: Path, way: str) -> None:
    tab.open()
    if way == "command":
        tab.send("/temp")
    else:
        tab.click("temporary-chat")
    assert tab.chat_id == "temporary"
    assert any("gone with this tab" in notice for notice in tab.notices)
    tab.say("My secret is xylophone.")
    tab.say("What is my secret?")
    assert "xylophone" in tab.said[-1][1]
    assert tab.chats == []
    assert "xylophone" not in everything_stored(database)
    assert rows(database, "SELECT * FROM owners") == []


def test_a_temporary_chat_survives_a_look_at_another_page(tab: Tab) -> None:
    tab.open().send("/temp").say("My secret is xylophone.")
    tab.open(HISTORY)
    assert "xylophone" not in tab.words
    tab.at.query_params = {"chat": "temporary"}
    assert tab.open(CHAT).said[0] == ("user", "My secret is xylophone.")


def test_a_temporary_chat_is_gone_in_another_tab_with_a_sentence() -> None:
    tab = Tab(chat="temporary").open()
    assert any("temporary chat is gone" in notice for notice in tab.notices)
    tab.click("new-chat-here").say("Hello")
    assert tab.said[0] == ("user", "Hello")


# --- addresses that lead nowhere ----------------------------------------------------------------------------


@pytest.mark.parametrize("chat", ["unknown", "", "../../etc/passwd", "' OR 1=1 --", "가" * 500])
def test_an_unknown_chat_is_not_found_and_a_new_one_can_be_begun(chat: str) -> None:
    tab = Tab(chat=chat).open()
    assert ("This chat was not found." in tab.notices) == bool(chat)
    assert not tab.at.chat_input or not chat
    tab.click("new-chat").say("Hello")
    assert tab.said[0] == ("user", "Hello")


def test_a_foreign_chat_looks_like_an_unknown_one(tab: Tab) -> None:
    tab.open().say("My secret is xylophone.")
    stranger = Tab(chat=tab.chat_id).open()
    unknown = Tab(chat="unknown").open()
    assert stranger.words == unknown.words
    assert "xylophone" not in stranger.words
    assert "xylophone" not in Tab(chat=tab.chat_id).open(HISTORY).words


def test_not_found_is_told_in_korean_too() -> None:
    assert "대화를 찾을 수 없습니다." in Tab("ko-KR", chat="unknown").open().notices


# --- reset --------------------------------------------------------------------------------------------------


def test_reset_asks_empties_the_memory_and_can_be_undone_until_the_next_send(tab: Tab, database: Path) -> None:
    tab.open(MEMORY).at.toggle(key="switch-learns").set_value(False)
    tab.run().open().say("My dog is called Bori.")
    tab.click("open-reset")
    assert "2 messages" in tab.words
    assert "can undo this until you send the next message" in tab.words
    tab.click("reset-confirm")
    assert tab.said == []
    assert rows(database, "SELECT count(*) FROM messages WHERE retired_at IS NULL") == [(0,)]

    tab.click("undo-reset")
    assert tab.said[0] == ("user", "My dog is called Bori.")
    assert not tab.has_button("undo-reset")

    tab.click("open-reset").click("reset-confirm").say("What is my dog called?")
    assert not tab.has_button("undo-reset")
    assert "Bori" not in "".join(text for _, text in tab.said)
    tab.open(HISTORY)
    assert "My dog is called Bori." in tab.words
    assert "retired" in tab.words


def test_what_is_known_about_the_person_outlives_a_reset_and_its_dialog_says_so(tab: Tab) -> None:
    tab.open().say("My dog is called Bori.")
    assert "what is known about you" in tab.click("open-reset").words
    tab.click("reset-confirm").say("What is my dog called?")
    assert "Bori" in tab.said[-1][1]


def test_cancelling_a_reset_changes_nothing(tab: Tab) -> None:
    tab.open().say("My dog is called Bori.")
    tab.click("open-reset").click("reset-cancel")
    assert len(tab.said) == 2
    assert not tab.has_button("reset-confirm")


# --- folding ------------------------------------------------------------------------------------------------

STATEMENTS = [f"Fact {number}: I own {number} red bicycles." for number in range(1, 7)]


def test_the_eleventh_message_folds_the_first_seven_and_the_screen_tells(tab: Tab, database: Path) -> None:
    tab.open()
    for text in STATEMENTS:
        tab.say(text)
    labels = [expander.label for expander in tab.at.main.expander]
    assert labels == ["messages 1–7 → summary v1  ·  11 → summary + 4"]
    assert "Summary v1 · messages 1–7" in tab.words
    tab.click("open-summary")
    assert "Summary v1: messages 1–7" in tab.words
    assert not tab.has_button("undo-fold-"), "what is closed is not drawn"
    tab.dismiss()
    [summary] = rows(database, "SELECT id FROM summaries")
    tab.unfold(f"fold-open-{summary[0]}").click("undo-fold-")
    assert tab.at.main.expander == [] or len(tab.at.main.expander) == 0
    assert any("taken back" in notice for notice in tab.notices)
    assert rows(database, "SELECT head_id FROM conversations") == [(None,)]


def test_a_chats_own_preset_holds_for_that_chat_alone(tab: Tab, database: Path) -> None:
    tab.open().say("My dog is called Bori.")
    first = tab.chat_id
    choice = tab.at.selectbox(key=f"preset-{first}")
    assert choice.options[0] == "As in Settings (Classic)"
    choice.set_value("window_only")
    tab.run()
    assert "the newest 10 are sent" in tab.words
    tab.click("new-chat").say("Another chat")
    assert rows(database, "SELECT preset FROM conversations WHERE id = ?", first) == [("window_only",)]
    assert rows(database, "SELECT preset FROM conversations WHERE id != ?", first) == [(None,)]
    tab.click(f"chat-{first}")
    assert tab.at.selectbox(key=f"preset-{first}").value == "window_only"
    tab.at.selectbox(key=f"preset-{first}").set_value("")
    tab.run()
    assert rows(database, "SELECT preset FROM conversations WHERE id = ?", first) == [(None,)]


def test_a_fold_that_ends_while_the_page_is_being_drawn_is_on_the_page(
    tab: Tab, environment: pytest.MonkeyPatch
) -> None:
    app = running_app()
    drawn, fold, pending = threading.Event(), Folder.fold, inspector._pending

    def held(*plan: Any) -> Any:
        assert drawn.wait(WAIT_SECONDS)
        return fold(*plan)

    def after_the_fold(room: Room) -> list[str]:
        drawn.set()  # the messages stand on the page already, without the divider
        app.background.wait(WAIT_SECONDS)
        return pending(room)

    tab.open()
    for text in STATEMENTS[:5]:
        tab.say(text)
    environment.setattr(Folder, "fold", held)
    environment.setattr(inspector, "_pending", after_the_fold)
    turn = app.chat.send(app.store.owners.get(1), tab.chat_id, "a draft", STATEMENTS[5], language="en")
    app.generations.wait(turn.reply.id, WAIT_SECONDS)
    assert "fold" in app.chat.pending(tab.chat_id)
    tab.run()
    assert "messages 1–7 → summary v1" in tab.words
