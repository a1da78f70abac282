"""Editing history on the screen: another wording, another answer, deleting from a message on, and the ways back."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from bench.setup import add_chat
from chatmem.domain import Message
from chatmem.llm.protocol import ModelRequest
from tests.app.tab import CHAT, HISTORY, Tab
from tests.conftest import Person
from tests.scripted import ScriptedModel
from tests.stored import everything_stored, rows

OLD = ["one", "To one.", "two", "To two.", "three", "To three."]


def answer(request: ModelRequest) -> str:
    return f"To {request.messages[-1].text}."


@pytest.fixture(autouse=True)
def answers(model: ScriptedModel) -> None:
    model.answers["chat"] = answer


@pytest.fixture
def chat(person: Person) -> Person:
    """Somebody who has said three things."""
    for text in OLD[::2]:
        person.say(text)
    return person


def look(person: Person, locale: str = "en-US", **query: str) -> Tab:
    return Tab(locale, chat=person.chat_id, **query).open()


def texts(tab: Tab) -> list[str]:
    """The bubbles, without what stands below their words."""
    return [text.splitlines()[0] for _, text in tab.said]


def open_form(tab: Tab, message: Message) -> Tab:
    return tab.act(message.id, "edit")


def typed(tab: Tab, message: Message) -> str:
    return str(tab.at.text_area(key=f"edit-message-{message.id}").value)


def edit(tab: Tab, message: Message, text: str) -> Tab:
    """Type another text into the form that is open, and send it."""
    tab.at.text_area(key=f"edit-message-{message.id}").set_value(text)
    return tab.click(f"edit-send-{message.id}").settle()


def has_form(tab: Tab) -> bool:
    return any((area.key or "").startswith("edit-message-") for area in tab.at.text_area)


def asides(tab: Tab) -> list[str]:
    return [caption.value for caption in tab.at.caption if "et aside here" in caption.value]


# --- the menu ---------------------------------------------------------------------------------------


def test_a_question_can_be_edited_and_a_reply_cannot(chat: Person) -> None:
    tab = look(chat)
    question, reply = (tab.at.menu_button(key=f"menu-message-{chat.message(number).id}") for number in (1, 2))
    assert question.options == ["Edit", "Where this went", "Delete from here", "Forget for good…"]
    assert reply.options == question.options[1:]
    korean = look(chat, "ko-KR").at.menu_button(key=f"menu-message-{chat.message(1).id}")
    assert korean.options == ["고쳐서 다시 보내기", "이 메시지가 간 곳", "여기부터 지우기", "완전히 잊기…"]


def test_where_a_message_went_opens_from_its_menu(chat: Person) -> None:
    tab = look(chat).act(chat.message(1).id, "where")
    assert "one" in tab.dialog
    assert "Sent" in tab.dialog


# --- another wording --------------------------------------------------------------------------------


def test_an_edited_question_makes_a_branch_and_the_pager_goes_back_and_forth(chat: Person) -> None:
    tab = look(chat)
    second = chat.message(3)
    open_form(tab, second)
    assert typed(tab, second) == "two"
    assert "This message and the 3 after it are set aside, and can be brought back." in tab.words
    edit(tab, second, "two, but better")
    new = [*OLD[:2], "two, but better", "To two, but better."]
    assert texts(tab) == new
    assert not has_form(tab)
    assert "2 of 2" in tab.words
    assert tab.button("branch-after").disabled
    assert texts(tab.click("branch-before")) == OLD
    assert "1 of 2" in tab.words
    assert tab.button("branch-before").disabled
    assert texts(tab.click("branch-after")) == new


def test_the_form_and_the_pager_speak_korean(chat: Person) -> None:
    tab = look(chat, "ko-KR")
    second = chat.message(3)
    open_form(tab, second)
    assert "이 메시지와 뒤의 3개를 따로 치워 둡니다. 언제든 되돌릴 수 있습니다." in tab.words
    assert tab.button("edit-send").label == "보내기"
    assert "2개 중 2" in edit(tab, second, "둘").words


def test_three_wordings_are_paged_in_the_order_they_were_written(chat: Person) -> None:
    chat.edit(chat.message(3), "two again")
    third = chat.edit(chat.live()[2], "two at last")
    tab = look(chat)
    assert texts(tab)[2:] == ["two at last", third.text]
    assert "3 of 3" in tab.words
    assert texts(tab.click("branch-before"))[2] == "two again"
    assert "2 of 3" in tab.words
    assert texts(tab.click("branch-before"))[2:] == OLD[2:]
    assert "1 of 3" in tab.words


def test_a_last_question_without_an_answer_says_that_its_old_wording_stays(chat: Person) -> None:
    chat.app.store.branches.delete_from(chat.owner.id, chat.chat_id, chat.message(6).id)
    tab = open_form(look(chat), chat.message(5))
    assert "The old wording is set aside, and can be brought back." in tab.words


def test_cancelling_changes_nothing_and_the_form_opens_anew(chat: Person) -> None:
    tab = look(chat)
    second = chat.message(3)
    open_form(tab, second).at.text_area(key=f"edit-message-{second.id}").set_value("half a thou")
    tab.click("edit-cancel")
    assert texts(tab) == OLD
    assert not has_form(tab)
    assert typed(open_form(tab, second), second) == "two"
    assert len(chat.messages) == 6


def test_one_message_is_edited_at_a_time(chat: Person) -> None:
    tab = open_form(look(chat), chat.message(1))
    open_form(tab, chat.message(5))
    assert [area.value for area in tab.at.text_area] == ["three"]


@pytest.mark.parametrize("way", ["another chat", "another page"])
def test_a_form_left_behind_is_closed(chat: Person, way: str) -> None:
    other = Person(chat.app, chat.owner)
    other.say("elsewhere")
    tab = look(chat)
    second = chat.message(3)
    open_form(tab, second).at.text_area(key=f"edit-message-{second.id}").set_value("half a thou")
    tab.run()
    if way == "another chat":
        tab.click(f"chat-{other.chat_id}")
    else:
        tab.open(HISTORY)
    tab.at.query_params = {"chat": chat.chat_id}
    tab.open(CHAT)
    assert texts(tab) == OLD
    assert not has_form(tab)
    assert typed(open_form(tab, second), second) == "two"


@pytest.mark.parametrize(
    ("text", "sentence"), [("   ", "nothing to send"), ("A sentence about gardens. " * 1_000, "2,000")]
)
def test_a_mistake_is_named_and_what_was_typed_is_kept(chat: Person, text: str, sentence: str) -> None:
    tab = look(chat)
    second = chat.message(3)
    edit(open_form(tab, second), second, text)
    assert any(sentence in notice for notice in tab.notices)
    assert typed(tab, second) == text
    assert len(chat.messages) == 6
    assert edit(tab, second, "two, but better").said[2][1].startswith("two, but better")
    assert not has_form(tab)


def test_a_command_in_an_edit_is_a_message(chat: Person) -> None:
    tab = look(chat)
    edit(open_form(tab, chat.message(3)), chat.message(3), "/reset")
    assert texts(tab)[2:] == ["/reset", "To /reset."]


def test_an_edit_before_a_fold_takes_its_divider_away_and_the_way_back_brings_it_again(person: Person) -> None:
    for number in range(1, 7):
        person.say(f"number {number}")
    tab = look(person)
    assert "messages 1–7 → summary v1" in tab.words
    second = person.message(3)
    edit(open_form(tab, second), second, "another two")
    assert "summary v1" not in "".join(box.label for box in tab.at.main.expander)
    tab.click("branch-before")
    assert "messages 1–7 → summary v1" in tab.words


# --- two tabs ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("locale", ["en-US", "ko-KR"])
def test_of_two_tabs_that_edit_a_message_the_second_is_told_and_keeps_its_text(chat: Person, locale: str) -> None:
    second = chat.message(3)
    first_tab, second_tab = look(chat), look(chat, locale)
    for tab in (first_tab, second_tab):
        open_form(tab, second)
    edit(first_tab, second, "from the first tab")
    edit(second_tab, second, "from the second tab")
    [notice] = second_tab.notices
    told = (
        ("has changed meanwhile", "in the message field below")
        if locale == "en-US"
        else ("바뀌었습니다", "아래 입력란")
    )
    assert all(words in notice for words in told)
    assert second_tab.draft == "from the second tab"
    assert texts(second_tab)[2] == "from the first tab"
    assert not has_form(second_tab)
    assert len(chat.messages) == 8


def test_while_another_tabs_reply_is_written_the_form_stays_and_waits(chat: Person, model: ScriptedModel) -> None:
    tab = look(chat)
    second = chat.message(3)
    open_form(tab, second)
    model.gate = threading.Event()
    turn = chat.send("four")
    assert tab.run().has_button("stop")
    assert has_form(tab), "a browser keeps what is typed in it"
    assert tab.button("edit-send").disabled
    model.gate.set()
    chat.app.chat.wait(turn)
    assert not tab.settle().button("edit-send").disabled
    assert texts(edit(tab, second, "two, but better"))[2] == "two, but better"


def test_an_edit_sent_while_a_reply_is_written_keeps_the_form_and_says_so(
    chat: Person, model: ScriptedModel
) -> None:
    tab = look(chat)
    second = chat.message(3)
    open_form(tab, second)
    model.gate = threading.Event()
    turn = chat.send("four")
    tab.at.text_area(key=f"edit-message-{second.id}").set_value("two, but better")
    tab.click("edit-send")
    assert any("still being written" in notice for notice in tab.notices)
    assert typed(tab, second) == "two, but better"
    model.gate.set()
    chat.app.chat.wait(turn)


def test_deleting_while_a_reply_is_written_is_a_sentence(chat: Person, model: ScriptedModel) -> None:
    tab = look(chat)
    model.gate = threading.Event()
    turn = chat.send("four")
    tab.act(chat.message(3).id, "delete")
    assert any("still being written" in notice for notice in tab.notices)
    model.gate.set()
    chat.app.chat.wait(turn)
    assert texts(tab.settle()) == [*OLD, "four", "To four."]


def test_what_another_tab_set_aside_already_is_a_sentence(chat: Person) -> None:
    tab = look(chat)
    third = chat.message(5)
    chat.app.store.branches.delete_from(chat.owner.id, chat.chat_id, chat.message(3).id)
    tab.act(third.id, "delete")
    assert any("has changed meanwhile" in notice for notice in tab.notices)
    assert texts(tab) == OLD[:2]


def test_a_form_in_a_chat_that_another_tab_deleted_says_not_found(chat: Person) -> None:
    tab = look(chat)
    second = chat.message(3)
    open_form(tab, second)
    chat.app.store.conversations.hide(chat.owner.id, chat.chat_id)
    tab.click("edit-send")
    assert "This chat was not found." in tab.notices


# --- deleting and bringing back ---------------------------------------------------------------------


def test_deleting_from_a_message_on_can_be_looked_at_and_brought_back(chat: Person) -> None:
    tab = look(chat).act(chat.message(3).id, "delete")
    assert texts(tab) == OLD[:2]
    assert asides(tab) == ["Set aside here: 4 messages"]
    tab.click("look-")
    for text in OLD[2:]:
        assert text in tab.dialog
    assert "nothing of them is sent" in tab.dialog
    tab.dismiss().click("bring-back-")
    assert texts(tab) == OLD
    assert asides(tab) == []


def test_one_deleted_reply_is_counted_as_one_and_can_be_answered_anew(chat: Person) -> None:
    tab = look(chat).act(chat.message(6).id, "delete")
    assert asides(tab) == ["Set aside here: 1 message"]
    tab.click("retry-").settle()
    assert texts(tab) == OLD
    assert "2 of 2" in tab.words


def test_deleting_the_first_message_leaves_a_way_back_and_a_composer(chat: Person) -> None:
    tab = look(chat).act(chat.message(1).id, "delete")
    assert tab.said == []
    assert asides(tab) == ["Set aside here: 6 messages"]
    tab.say("a fresh start")
    assert texts(tab) == ["a fresh start", "To a fresh start."]
    assert "2 of 2" in tab.words
    assert texts(tab.click("branch-before")) == OLD


def test_what_was_set_aside_here_is_told_in_korean(chat: Person) -> None:
    tab = look(chat, "ko-KR").act(chat.message(3).id, "delete")
    assert "여기서 치워 둔 메시지 4개" in tab.words
    assert tab.button("bring-back-").label == "되돌리기"
    assert "치워 둔 메시지" in tab.click("look-").words


def test_a_branch_that_came_back_in_another_tab_is_a_sentence(chat: Person) -> None:
    tab = look(chat).act(chat.message(3).id, "delete")
    [branch] = chat.app.store.branches.of_chat(chat.owner.id, chat.chat_id)
    tab.click("look-")
    chat.app.store.branches.bring_back(chat.owner.id, chat.chat_id, branch.id)
    assert "gone already" in tab.run().dialog
    tab.dismiss()
    assert texts(tab) == OLD


def test_bringing_back_twice_is_a_sentence(chat: Person) -> None:
    tab = look(chat).act(chat.message(3).id, "delete")
    [branch] = chat.app.store.branches.of_chat(chat.owner.id, chat.chat_id)
    button = tab.button("bring-back-")
    chat.app.store.branches.bring_back(chat.owner.id, chat.chat_id, branch.id)
    button.click()
    assert any("nothing to undo any more" in notice for notice in tab.run().notices)
    assert texts(tab) == OLD


# --- another answer ---------------------------------------------------------------------------------


def test_retry_keeps_the_other_answer_and_the_pager_switches(chat: Person, model: ScriptedModel) -> None:
    model.answers["chat"] = "Quite another answer."
    tab = look(chat).click("retry-").settle()
    assert texts(tab) == [*OLD[:5], "Quite another answer."]
    assert "2 of 2" in tab.words
    assert texts(tab.click("branch-before")) == OLD
    assert texts(tab.click("branch-after"))[-1] == "Quite another answer."


# --- where an edit meets the rest -------------------------------------------------------------------


def test_a_temporary_chat_can_be_edited_too_and_leaves_nothing(person: Person, tab: Tab, database: Path) -> None:
    tab.open().send("/temp").say("xylophone one").say("xylophone two")
    [first, _] = [box for box in tab.at.menu_button if "Edit" in box.options]
    first.click("edit")
    tab.run()
    [area] = tab.at.text_area
    area.set_value("xylophone three")
    tab.click("edit-send").settle()
    assert texts(tab)[0] == "xylophone three"
    assert "2 of 2" in tab.words
    assert texts(tab.click("branch-before"))[::2] == ["xylophone one", "xylophone two"]
    assert "xylophone" not in everything_stored(database)


def test_an_edit_at_an_old_place_of_a_long_chat_shows_its_reply(person: Person) -> None:
    person.chat_id = add_chat(person.app, person.owner.id, 120)
    tab = look(person, message="51")
    old = person.message(51)
    assert "This message and all that follow are set aside" in open_form(tab, old).words
    edit(tab, old, "fifty-one, but better")
    assert texts(tab)[-2:] == ["fifty-one, but better", "To fifty-one, but better."]
    assert not tab.has_button("to-newest")
    assert "message" not in tab.at.query_params


def test_paging_at_an_old_place_stays_there(person: Person) -> None:
    person.chat_id = add_chat(person.app, person.owner.id, 120)
    person.edit(person.message(51), "fifty-one, but better")
    tab = look(person, message="121")
    tab.click("branch-before")
    assert "number 51:" in "".join(texts(tab))
    assert "1 of 2" in tab.words
    assert tab.has_button("to-newest")
    tab.click("branch-after")
    assert texts(tab)[-2] == "fifty-one, but better"


def test_an_edit_is_kept_in_the_database_beside_what_it_replaced(chat: Person, database: Path) -> None:
    tab = look(chat)
    edit(open_form(tab, chat.message(3)), chat.message(3), "two, but better")
    assert rows(database, "SELECT number, retired_at IS NULL FROM messages ORDER BY number") == [
        (1, 1), (2, 1), (3, 0), (4, 0), (5, 0), (6, 0), (7, 1), (8, 1),
    ]  # fmt: skip
