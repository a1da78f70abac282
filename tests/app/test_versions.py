"""The Summary dialog: every version of a summary, what it came from, and what a person can do with it."""

from __future__ import annotations

from typing import Any

import pytest

from chatmem.domain import Summary
from chatmem.errors import ModelOverloaded
from chatmem.llm.protocol import ModelRequest
from tests.app.tab import SETTINGS, Tab
from tests.conftest import Person
from tests.scripted import ScriptedModel

PIN = "my locker is number 4711"


@pytest.fixture
def chat(person: Person, model: ScriptedModel) -> Person:
    """A chat with two versions: of messages 1–7, and of 1–15."""
    talk(person, model)
    return person


def talk(person: Person, model: ScriptedModel, turns: int = 10) -> None:
    model.answers["fold"] = lambda _: (
        f"<summary>\nBackground: what a person said, fold {len(model.asked('fold'))}\n</summary>\n"
        f"<pins>\n[1] {PIN}\n</pins>"
    )
    person.say(f"By the way, {PIN}.")
    for number in range(2, turns + 1):
        person.say(f"K{number:02} was said")


def versions(person: Person) -> list[Summary]:
    return person.app.store.versions.page(person.owner.id, person.chat_id)


def in_force(person: Person) -> int | None:
    head = person.memory.head
    return head.version if head else None


def look(person: Person, locale: str = "en-US") -> Tab:
    return Tab(locale, chat=person.chat_id).open().click("open-summary")


def choice(tab: Tab) -> Any:
    return next(box for box in tab.at.get("dialog")[0].selectbox)


def choose(tab: Tab, version: int) -> Tab:
    choice(tab).set_value(version)
    return tab.run()


# --- looking ----------------------------------------------------------------------------------------


def test_the_dialog_opens_with_the_version_in_force_and_where_it_came_from(chat: Person) -> None:
    tab = look(chat)
    assert choice(tab).options == ["v2 · in force", "v1"]
    assert choice(tab).value == 2
    assert "Summary v2: messages 1–15" in tab.dialog
    assert "folded messages 8–15 · written by scripted-1" in tab.dialog
    assert "what a person said, fold 2" in tab.dialog
    assert f"[1] {PIN}" in tab.dialog
    [link] = tab.at.get("dialog")[0].get("page_link")
    assert link.proto.page == "history"
    assert link.proto.query_string == f"chat={chat.chat_id}&message=8"


def test_the_dialog_speaks_korean(chat: Person) -> None:
    tab = look(chat, "ko-KR")
    assert choice(tab).options == ["v2 · 사용 중", "v1"]
    assert "메시지 8–15번을 요약함 · scripted-1 모델이 씀" in tab.dialog
    for key, label in (("edit", "고치기"), ("rebuild", "다시 만들기"), ("none", "요약 없이 쓰기")):
        assert tab.button(f"version-{key}").label == label
    assert choose(tab, 1).button("version-use").label == "이 버전 쓰기"


def test_an_earlier_version_is_chosen_or_opened_from_the_one_that_carries_it_on(chat: Person) -> None:
    tab = look(chat)
    assert "fold 1" in choose(tab, 1).dialog
    assert not tab.has_button("version-edit"), "only the one in force is edited"
    assert not tab.has_button("parent-")
    assert "fold 1" in choose(tab, 2).click("parent-2").dialog
    assert choice(tab).value == 1


def test_two_versions_are_compared_word_by_word_when_that_is_opened(chat: Person) -> None:
    tab = look(chat)
    assert "Compare with v1" in tab.dialog
    [before] = [len(tab.at.get("dialog")[0].get("html"))]
    tab.unfold("compare-2")
    shown = "".join(str(html.proto.body) for html in tab.at.get("dialog")[0].get("html"))
    assert len(tab.at.get("dialog")[0].get("html")) > before
    assert "<del" in shown
    assert "<ins" in shown


def test_a_version_whose_text_is_the_same_as_its_parents_says_so(chat: Person) -> None:
    head = chat.memory.head
    chat.app.versions.edit(chat.owner.id, chat.chat_id, 2, head.text, (), 500)
    tab = look(chat)
    assert "pins put back by you" in tab.dialog
    assert "The text is the same." in tab.unfold("compare-3").dialog


def test_one_version_needs_no_choice(person: Person, model: ScriptedModel) -> None:
    talk(person, model, 6)
    tab = look(person)
    assert "Summary v1: messages 1–7" in tab.dialog
    assert not tab.at.get("dialog")[0].selectbox


def test_another_chats_dialog_opens_with_its_own_version_in_force(chat: Person, model: ScriptedModel) -> None:
    other = Person(chat.app, chat.owner)
    talk(other, model)
    tab = choose(look(chat), 1)
    tab.dismiss().click(f"chat-{other.chat_id}").click("open-summary")
    assert choice(tab).value == 2
    tab.dismiss().click(f"chat-{chat.chat_id}").click("open-summary")
    assert choice(tab).value == 2


# --- editing ----------------------------------------------------------------------------------------


def write(tab: Tab, text: str) -> Tab:
    tab.at.text_area[0].set_value(text)
    return tab.click("summary-save")


def test_an_edit_is_a_new_version_in_the_persons_words(chat: Person) -> None:
    tab = write(look(chat).click("version-edit"), "Background: what I say it is.")
    assert choice(tab).value == 3
    assert choice(tab).options[0] == "v3 · in force"
    assert "edited by you" in tab.dialog
    assert "what I say it is" in tab.dialog
    assert f"[1] {PIN}" in tab.dialog
    assert in_force(chat) == 3


def test_a_pin_can_be_left_out_of_the_edited_version(chat: Person) -> None:
    tab = look(chat).click("version-edit")
    assert "Pins to keep" in tab.dialog
    [tick] = [box for box in tab.at.checkbox if PIN in box.label]
    tick.uncheck()
    tab.click("summary-save")
    assert versions(chat)[0].pins == ()
    assert f"[1] {PIN}" not in tab.dialog


@pytest.mark.parametrize(
    ("text", "sentence"),
    [("  \n ", "needs some text"), ("word " * 700, "500")],
    ids=["empty", "too long"],
)
def test_a_mistake_in_an_edit_is_named_and_what_was_typed_is_kept(chat: Person, text: str, sentence: str) -> None:
    tab = write(look(chat).click("version-edit"), text)
    [error] = tab.at.get("dialog")[0].error
    assert sentence in error.value
    assert tab.at.text_area[0].value == text
    assert in_force(chat) == 2
    assert "what it is" in write(tab, "Background: what it is.").dialog
    assert in_force(chat) == 3


def test_an_edit_of_a_version_that_another_tab_replaced_is_told_and_kept(chat: Person) -> None:
    tab = look(chat).click("version-edit")
    chat.app.versions.edit(chat.owner.id, chat.chat_id, 2, "Background: from the other tab.", (), 500)
    write(tab, "Background: from this tab.")
    [error] = tab.at.get("dialog")[0].error
    assert "has changed meanwhile" in error.value
    assert tab.at.text_area[0].value == "Background: from this tab."
    assert in_force(chat) == 3


def test_a_cancelled_edit_changes_nothing_and_opens_anew(chat: Person) -> None:
    tab = look(chat).click("version-edit")
    original = tab.at.text_area[0].value
    tab.at.text_area[0].set_value("half a thou")
    tab.click("summary-cancel")
    assert "fold 2" in tab.dialog
    assert tab.click("version-edit").at.text_area[0].value == original
    assert in_force(chat) == 2


def test_an_edit_that_was_left_open_is_not_there_when_the_dialog_opens_again(
    chat: Person, model: ScriptedModel
) -> None:
    """Neither in its own chat nor, with the first chat's words, in another."""
    other = Person(chat.app, chat.owner)
    talk(other, model)
    tab = write(look(chat).click("version-edit"), "  ")
    assert tab.at.text_area
    tab.dismiss().click("open-summary")
    assert not tab.at.text_area
    tab.click("version-edit").dismiss().click(f"chat-{other.chat_id}").click("open-summary")
    assert not tab.at.text_area
    assert "Summary v2: messages 1–15" in tab.dialog
    assert tab.click("version-edit").at.text_area[0].value == other.memory.head.text


# --- which one is in force --------------------------------------------------------------------------


def test_another_version_is_put_in_force_and_the_page_tells(chat: Person) -> None:
    tab = choose(look(chat), 1).click("version-use")
    assert tab.dialog == ""
    assert any("Summary v1 is in force now." in notice for notice in tab.notices)
    assert "Summary v1 · messages 1–7" in tab.words
    assert in_force(chat) == 1
    choose(tab.click("open-summary"), 2).click("version-use")
    assert in_force(chat) == 2


def test_no_summary_at_all_can_be_used_and_the_old_one_again(chat: Person) -> None:
    tab = look(chat).click("version-none")
    assert any("No summary is in force now" in notice for notice in tab.notices)
    assert in_force(chat) is None
    assert "No summary yet" in tab.words
    tab.click("open-summary")
    assert choice(tab).options == ["v2", "v1"]
    tab.click("version-use")
    assert in_force(chat) == 2


def test_a_version_that_covers_what_is_set_aside_says_why_it_cannot_be_used(chat: Person) -> None:
    message = chat.message(9)
    chat.app.store.branches.delete_from(chat.owner.id, chat.chat_id, message.id)
    tab = look(chat)
    assert choice(tab).value == 1
    choose(tab, 2)
    assert "It covers messages that are set aside: bring those back to use it." in tab.dialog
    assert not tab.has_button("version-use")


def test_a_version_that_covered_something_forgotten_says_only_that(chat: Person, model: ScriptedModel) -> None:
    plan = chat.app.forgetting.of_message(chat.owner.id, chat.message(1).id)
    chat.app.forgetting.forget(chat.owner, plan, plan.chosen)
    tab = look(chat)
    for version in (1, 2):
        choose(tab, version)
        assert "This version covered something that was forgotten. Its text is gone." in tab.dialog
        assert "fold" not in tab.dialog.replace("folded", "")
        assert "4711" not in tab.dialog
        assert not tab.has_button("version-use")
        assert not tab.has_button("version-edit")


def test_a_version_that_another_tab_put_in_force_first_is_a_sentence(chat: Person) -> None:
    tab = choose(look(chat), 1)
    button = tab.button("version-use")
    chat.app.versions.put_in_force(chat.owner.id, chat.chat_id, None, seen=2)
    button.click()
    assert any("has changed meanwhile" in notice for notice in tab.run().notices)
    assert in_force(chat) is None


# --- rebuilding -------------------------------------------------------------------------------------


def test_a_rebuild_makes_the_summary_from_the_original_messages(chat: Person, model: ScriptedModel) -> None:
    model.answers["fold"] = "<summary>\nBackground: what the person said, made anew from the start.\n</summary>"
    tab = look(chat).click("version-rebuild")
    assert tab.dialog == ""
    chat.app.background.wait()
    tab.settle().click("open-summary")
    assert choice(tab).value == 3
    assert "rebuilt from messages 1–15" in tab.dialog
    assert "made anew" in tab.dialog
    assert "Compare with v2" in tab.dialog


def test_while_it_is_being_rebuilt_the_dialog_says_so(chat: Person, model: ScriptedModel) -> None:
    import threading

    held = threading.Event()

    def slowly(request: ModelRequest) -> str:
        held.wait(30)
        return "<summary>\nBackground: what the person said, made anew from the start.\n</summary>"

    model.answers["fold"] = slowly
    tab = look(chat).click("version-rebuild").click("open-summary")
    assert "Being rebuilt from the original messages" in tab.dialog
    assert not tab.has_button("version-edit")
    held.set()
    chat.app.background.wait()
    assert "made anew" in tab.run().dialog or "made anew" in choose(tab, 3).dialog


def test_a_rebuild_that_came_to_nothing_leaves_the_summary_and_says_why(
    chat: Person, model: ScriptedModel
) -> None:
    model.answers["fold"] = ModelOverloaded()
    tab = look(chat).click("version-rebuild")
    chat.app.background.wait()
    tab.settle().click("open-summary")
    assert in_force(chat) == 2
    assert "The last rebuild came to nothing" in tab.dialog
    assert "The model's server is overloaded or failing just now." in tab.dialog


# --- what is gone meanwhile -------------------------------------------------------------------------


@pytest.mark.parametrize("dialog", ["open-summary", "open-history", "open-reset"])
def test_a_dialog_of_a_chat_that_another_tab_deleted_is_no_stack_trace(chat: Person, dialog: str) -> None:
    tab = Tab(chat=chat.chat_id).open().click(dialog)
    chat.app.store.conversations.hide(chat.owner.id, chat.chat_id)
    tab.run()
    assert "This chat was not found." in tab.notices
    assert tab.dialog == ""


def test_the_dialog_is_closed_on_another_page(chat: Person) -> None:
    tab = look(chat).open(SETTINGS)
    assert tab.dialog == ""
