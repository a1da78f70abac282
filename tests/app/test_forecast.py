"""The forecast in the inspector: what the next message folds, holding it, and pinning what must not be lost."""

from __future__ import annotations

from typing import Any

import pytest

from chatmem.domain import Pin
from chatmem.errors import ModelOverloaded
from tests.app.tab import Tab
from tests.conftest import Person
from tests.scripted import ScriptedModel

SAID = "My sister Marta went to Lisbon on March 14."


@pytest.fixture
def chat(person: Person) -> Person:
    """Ten messages: one more makes a summary."""
    person.say(SAID)
    for word in ("so", "then", "well", "yes"):
        person.say(f"And {word} on")
    return person


def look(person: Person, locale: str = "en-US") -> Tab:
    return Tab(locale, chat=person.chat_id).open()


def pins(person: Person) -> tuple[Pin, ...]:
    return person.app.store.conversations.get(person.owner.id, person.chat_id).pins


def tick(tab: Tab, what: str) -> None:
    box = next(box for box in tab.at.checkbox if f"**{what}**" in box.label)
    box.set_value(not box.value)


def test_nothing_is_forecast_before_a_fold_is_near(person: Person) -> None:
    person.say("Hello")
    tab = look(person)
    assert not tab.has_button("hold")
    assert not tab.has_button("open-pins")


def test_the_forecast_says_which_messages_are_next_and_keeps_its_word(chat: Person) -> None:
    tab = look(chat)
    assert "The next message folds 1–7" in tab.words
    tab.say("The eleventh")
    assert chat.memory.head.covers_through == 7
    assert "The next message folds" not in tab.words


def test_the_forecast_speaks_korean(chat: Person) -> None:
    tab = look(chat, "ko-KR")
    assert "다음 메시지에서 1–7번을 요약합니다" in tab.words
    assert (tab.button("hold").label, tab.button("open-pins").label) == ("미루기", "핀 꽂기…")
    assert "요약을 미뤄 둠: 1–7번은 그대로 둡니다" in tab.click("hold").words


def test_a_fold_on_hold_waits_until_it_is_let_go(chat: Person) -> None:
    tab = look(chat).click("hold")
    assert "Folding is on hold: 1–7 stay as they are" in tab.words
    tab.say("The eleventh")
    assert chat.memory.head is None
    assert "Folding is on hold: 1–9 stay as they are" in tab.words
    tab.click("hold")
    assert "The next message folds 1–9" in tab.words
    tab.say("The thirteenth")
    assert chat.memory.head.covers_through == 9


def test_holding_is_each_chats_own(chat: Person) -> None:
    look(chat).click("hold")
    other = Person(chat.app, chat.owner)
    for number in range(5):
        other.say(f"Number {number} of another")
    assert "The next message folds 1–7" in look(other).words


def test_a_pinned_detail_is_carried_along_whatever_the_summary_says(chat: Person, model: ScriptedModel) -> None:
    tab = look(chat).click("open-pins")
    assert "Lisbon" in tab.dialog
    assert "March 14" in tab.dialog
    tick(tab, "Lisbon")
    tab.click("pins-save")
    assert tab.dialog == ""
    assert any("Pinned: 1" in notice for notice in tab.notices)
    assert [pin.number for pin in pins(chat)] == [1]
    tab.say("The eleventh")
    assert chat.memory.head.pins == pins(chat)
    assert "Lisbon" in chat.memory.head.pins[0].quote


def test_what_is_pinned_is_ticked_when_the_dialog_opens_again_and_can_be_let_go(chat: Person) -> None:
    tab = look(chat).click("open-pins")
    tick(tab, "Lisbon")
    tab.click("pins-save").click("open-pins")
    assert any(box.value for box in tab.at.checkbox)
    for box in tab.at.checkbox:
        box.uncheck()
    tab.click("pins-save")
    assert pins(chat) == ()


@pytest.mark.parametrize("way", ["cancel", "dismiss"])
def test_a_dialog_that_is_not_saved_pins_nothing_and_opens_anew(chat: Person, way: str) -> None:
    tab = look(chat).click("open-pins")
    tick(tab, "Lisbon")
    if way == "cancel":
        tab.click("pins-cancel")
    else:
        tab.run().dismiss()
    assert tab.dialog == ""
    assert pins(chat) == ()
    assert not any(box.value for box in tab.click("open-pins").at.checkbox)


def test_without_details_the_dialog_says_so(person: Person) -> None:
    for word in ("so", "then", "well", "yes", "no"):
        person.say(f"and {word} on")
    tab = look(person).click("open-pins")
    assert "There is no name, number, date or quotation in messages 1–7." in tab.dialog
    assert not tab.has_button("pins-save")
    assert "메시지 1–7에는 이름, 숫자, 날짜, 인용이 없습니다." in look(person, "ko-KR").click("open-pins").dialog


def test_messages_folded_while_the_dialog_was_open_are_a_sentence(chat: Person) -> None:
    tab = look(chat).click("open-pins")
    chat.say("The eleventh, from another tab")
    assert "These messages have been folded meanwhile." in tab.run().dialog
    assert not tab.has_button("pins-save")


def test_a_chat_deleted_in_another_tab_while_the_dialog_was_open_is_no_stack_trace(chat: Person) -> None:
    tab = look(chat).click("open-pins")
    tick(tab, "Lisbon")
    chat.app.store.conversations.hide(chat.owner.id, chat.chat_id)
    tab.click("pins-save")
    assert "This chat was not found." in tab.notices


def test_a_temporary_chat_has_a_forecast_too(person: Person, tab: Tab) -> None:
    tab.open().send("/temp").say(SAID)
    for word in ("so", "then", "well", "yes"):
        tab.say(f"And {word} on")
    assert "The next message folds 1–7" in tab.words
    tab.click("open-pins")
    tick(tab, "Lisbon")
    tab.click("pins-save").say("The eleventh")
    assert "pins: 1" in tab.words


@pytest.mark.parametrize(
    ("written", "locale", "reason"),
    [
        (ModelOverloaded(), "en-US", "The model's server is overloaded or failing just now."),
        ("<summary>\n</summary>", "en-US", "The model wrote nothing."),
        ("<summary>\n배경: 리스본에 간 여동생이 있는 사람\n</summary>", "ko-KR", "대화와 다른 언어로 쓰였습니다."),
        ("I am sorry, I cannot do that.", "ko-KR", "모델이 쓴 것이 요약이 아니었습니다."),
    ],
)
def test_why_no_summary_was_made_is_a_sentence(
    chat: Person, model: ScriptedModel, written: Any, locale: str, reason: str
) -> None:
    model.answers["fold"] = written
    tab = look(chat, locale).say("The eleventh")
    assert chat.memory.head is None
    told = "No summary could be made last time." if locale == "en-US" else "지난번에는 요약하지 못했습니다."
    assert f"{told} {reason}" in tab.words


def test_a_setting_that_makes_no_summary_has_no_forecast(chat: Person) -> None:
    chat.app.store.conversations.set_preset(chat.owner.id, chat.chat_id, "window_only")
    assert not look(chat).has_button("hold")
