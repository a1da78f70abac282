"""Forgetting on the screen: every place is shown first, then all of it goes, and a look afterwards tells."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from chatmem.llm.protocol import ModelRequest
from pages.parts import chat_list, forget
from tests.app.tab import CHAT, HISTORY, MEMORY, SETTINGS, Tab
from tests.conftest import Person
from tests.scripted import ScriptedModel
from tests.stored import everything_stored, execute, rows
from tests.unit.test_learning import learns_what_is_said

SECRET = "My locker code is Quetzalcoatl."
AGAIN = "Is Quetzalcoatl a good code?"


def parrot(request: ModelRequest) -> str:
    """Repeats the question, as models do."""
    return f"You said: {request.messages[-1].segments[-1].text}"


@pytest.fixture(autouse=True)
def gossip(model: ScriptedModel) -> None:
    model.answers["chat"] = parrot
    model.answers["title"] = "A code"


@pytest.fixture
def told(person: Person, model: ScriptedModel) -> Person:
    """A secret in a message, its answer and a fact; later said again, outside of any fact."""
    model.answers["extract"] = learns_what_is_said
    person.say(SECRET)
    person.app.background.wait()
    model.answers["extract"] = '{"operations": []}'
    person.say(AGAIN)
    person.say("Let us talk about rain.")
    return person


def look(person: Person, locale: str = "en-US") -> Tab:
    return Tab(locale, chat=person.chat_id).open()


def ask(person: Person, number: int = 1, locale: str = "en-US") -> Tab:
    """The dialog about a message."""
    return look(person, locale).act(person.message(number).id, "forget")


def ask_fact(fact_id: int = 1, locale: str = "en-US") -> Tab:
    """The dialog about a fact, on the Memory page."""
    return Tab(locale).open(MEMORY).unfold(f"fact-{fact_id}").click(f"ask-{fact_id}")


def ticks(tab: Tab) -> dict[str, tuple[bool, bool]]:
    """By the beginning of their labels: whether each message is ticked, and whether that is fixed."""
    return {box.label.partition("  \n")[0].replace("\\", ""): (box.value, box.disabled) for box in tab.at.checkbox}


def stored(database: Path) -> str:
    return everything_stored(database).casefold()


# --- a message --------------------------------------------------------------------------------------


def test_every_place_is_shown_with_what_goes_already_ticked(told: Person) -> None:
    tab = ask(told)
    assert ticks(tab) == {
        SECRET: (True, True),
        f"You said: {SECRET}": (True, False),
        AGAIN: (False, False),
        f"You said: {AGAIN}": (True, False),
    }
    dialog = tab.dialog
    assert "Forget message 1?" in tab.at.get("dialog")[0].proto.dialog.title
    assert "This cannot be undone" in dialog
    assert "1 · You · what is to be forgotten" in dialog
    assert "2 · Chat · the answer, which repeats it" in dialog
    assert "3 · You · you mention it here too" in dialog
    assert f"• {SECRET}" in dialog
    assert "Receipts that will say “forgotten” in its place: 3" in dialog
    assert "search entries, vectors" in dialog
    assert "with them; we ask them not to store it" in dialog


def test_the_preview_speaks_korean(told: Person) -> None:
    tab = ask(told, locale="ko-KR")
    dialog = tab.dialog
    assert "메시지 1번을 잊을까요?" in tab.at.get("dialog")[0].proto.dialog.title
    for words in (
        "되돌릴 수 없습니다",
        "잊을 것",
        "그것을 되풀이한 답",
        "여기서도 말함",
        "영수증: 3개",
        "요청하며 보냅니다",
    ):
        assert words in dialog
    assert [tab.button(f"forget-{name}").label for name in ("cancel", "confirm")] == ["취소", "잊기"]


def test_summaries_that_go_are_named(told: Person, model: ScriptedModel) -> None:
    model.answers["fold"] = "<summary>\nBackground: a person whose code is Quetzalcoatl.\n</summary>"
    for number in range(4, 7):
        told.say(f"Rain again, number {number}.")
    assert told.memory.head is not None
    assert "Summaries whose text goes, and that are made anew: v1" in ask(told).dialog


@pytest.mark.parametrize("way", ["cancel", "dismiss"])
def test_not_confirming_does_nothing(told: Person, database: Path, way: str) -> None:
    before = rows(database, "SELECT * FROM messages"), rows(database, "SELECT * FROM facts")
    tab = ask(told)
    tab = tab.click("forget-cancel") if way == "cancel" else tab.dismiss()
    assert tab.dialog == ""
    assert (rows(database, "SELECT * FROM messages"), rows(database, "SELECT * FROM facts")) == before


def test_ticks_of_a_dialog_that_was_left_are_not_remembered(told: Person) -> None:
    tab = ask(told)
    for box in tab.at.checkbox:
        if not box.disabled:
            box.set_value(not box.value)
    tab.run().dismiss().act(told.message(1).id, "forget")
    assert ticks(tab)[AGAIN] == (False, False)
    assert ticks(tab)[f"You said: {SECRET}"] == (True, False)


def test_with_everything_ticked_nothing_is_left_and_the_notice_says_so(told: Person, database: Path) -> None:
    tab = ask(told)
    next(box for box in tab.at.checkbox if not box.value).check()
    tab.click("forget-confirm")
    assert "Forgotten. Looked for it everywhere: nothing found." in tab.notices
    assert tab.dialog == ""
    assert rows(database, "SELECT count(*) FROM facts") == [(0,)]
    assert "quetzalcoatl" not in stored(database)
    assert "Quetzalcoatl" not in tab.open(HISTORY).words
    assert "forgotten on 20" in tab.words


def test_what_was_left_unticked_is_counted_in_the_notice(told: Person, database: Path) -> None:
    tab = ask(told).click("forget-confirm")
    [notice] = tab.notices
    assert notice == "Forgotten. These words still stand in: messages (1)."
    assert rows(database, "SELECT number FROM messages WHERE text LIKE '%Quetzalcoatl%'") == [(3,)]


def test_an_unticked_answer_stays_too(told: Person, database: Path) -> None:
    tab = ask(told)
    for box in tab.at.checkbox:
        if not box.disabled:
            box.uncheck()
    tab.click("forget-confirm")
    assert "These words still stand in: messages (3)." in tab.notices[0]
    assert rows(database, "SELECT number FROM messages WHERE forgotten_at NOT NULL") == [(1,)]


def test_the_outcome_is_told_in_korean(told: Person) -> None:
    tab = ask(told, locale="ko-KR").click("forget-confirm")
    assert tab.notices == ["잊었습니다. 이 말이 아직 남아 있는 곳: 메시지 1개."]


def test_a_forgotten_message_stands_in_its_chat_as_forgotten_or_not_at_all(told: Person) -> None:
    tab = ask(told).click("forget-confirm")
    assert "locker" not in "".join(text for _, text in tab.said)
    assert tab.say("What now?").said[-1][1].startswith("You said: What now?")


def test_a_message_forgotten_in_another_tab_is_gone_already(told: Person) -> None:
    tab = ask(told)
    button = tab.button("forget-confirm")
    plan = told.app.forgetting.of_message(told.owner.id, told.message(1).id)
    told.app.forgetting.forget(told.owner, plan, plan.chosen)
    button.click()
    tab.run()
    assert tab.dialog == ""
    assert tab.notices


@pytest.mark.parametrize("what", ["the chat", "everything"])
def test_a_dialog_about_what_another_tab_deleted_is_no_stack_trace(told: Person, what: str) -> None:
    tab = ask(told)
    button = tab.button("forget-confirm")
    if what == "the chat":
        told.app.store.conversations.hide(told.owner.id, told.chat_id)
    else:
        told.app.forgetting.forget_everything(told.owner)
    button.click()
    assert "This chat was not found." in tab.run().notices
    assert tab.dialog == ""


def test_many_messages_are_listed_up_to_a_number_and_the_rest_goes_with_them(
    person: Person, environment: pytest.MonkeyPatch, database: Path
) -> None:
    environment.setattr(forget, "SHOWN", 3)
    for number in range(1, 5):
        person.say(f"Number {number} about Quetzalcoatl")
    tab = ask(person)
    assert len(tab.at.checkbox) == 3
    assert "and 5 more" in tab.dialog
    for box in tab.at.checkbox:
        if not box.disabled:
            box.check()
    tab.click("forget-confirm")
    left = rows(database, "SELECT role FROM messages WHERE text LIKE '%Quetzalcoatl%'")
    assert left
    assert {role for (role,) in left} == {"user"}, "answers that repeat it were ticked, below too"
    assert "forget-1" not in tab.at.session_state, "nothing of it stays in the session"


def test_a_message_of_a_temporary_chat_is_forgotten_there(person: Person, tab: Tab) -> None:
    tab.open().send("/temp").say(SECRET)
    box = next(box for box in tab.at.menu_button if "Edit" in box.options)
    box.click("forget")
    tab.run()
    assert SECRET in "".join(ticks(tab))
    tab.click("forget-confirm")
    assert "Forgotten. Looked for it everywhere: nothing found." in tab.notices
    assert "Quetzalcoatl" not in tab.words


# --- a fact -----------------------------------------------------------------------------------------


def test_a_fact_is_asked_about_with_the_messages_it_came_from(told: Person) -> None:
    tab = ask_fact()
    assert f"• {SECRET}" in tab.dialog
    assert ticks(tab)[SECRET] == (True, True)
    assert tab.button("forget-only-fact").label == "Only the fact; the messages stay"
    assert ask_fact(locale="ko-KR").button("forget-only-fact").label == "기억만 지우기 (메시지는 남김)"


def test_only_the_fact_goes_when_that_is_asked(told: Person, database: Path) -> None:
    tab = ask_fact().click("forget-only-fact")
    assert tab.dialog == ""
    assert any("stays in History" in notice for notice in tab.notices)
    assert rows(database, "SELECT count(*) FROM facts") == [(0,)]
    assert rows(database, "SELECT count(*) FROM messages WHERE forgotten_at NOT NULL") == [(0,)]


def test_a_fact_goes_with_everything_it_came_from(told: Person, database: Path) -> None:
    tab = ask_fact()
    next(box for box in tab.at.checkbox if not box.value).check()
    tab.click("forget-confirm")
    assert "Forgotten. Looked for it everywhere: nothing found." in tab.notices
    assert "quetzalcoatl" not in stored(database)


def test_another_fact_with_the_same_words_is_offered_and_goes_when_ticked(told: Person, database: Path) -> None:
    told.app.knowledge.add(told.owner.id, "fact", "Quetzalcoatl is a feathered serpent")
    tab = ask_fact()
    [box] = [box for box in tab.at.checkbox if "serpent" in box.label]
    assert "holds the same words" in box.label
    assert not box.value
    box.check()
    tab.click("forget-confirm")
    assert rows(database, "SELECT count(*) FROM facts") == [(0,)]


def test_another_fact_that_stays_is_counted(told: Person) -> None:
    told.app.knowledge.add(told.owner.id, "fact", "Quetzalcoatl is a feathered serpent")
    tab = ask_fact().click("forget-confirm")
    assert "messages (1), facts (1)" in tab.notices[0]


def test_a_fact_that_is_gone_when_its_dialog_is_drawn_again_says_so(told: Person) -> None:
    tab = ask_fact()
    told.app.knowledge.forget(told.owner.id, 1)
    assert "This is gone already." in tab.run().dialog
    assert not tab.has_button("forget-confirm")


@pytest.mark.parametrize("fact_id", [0, 2, 999, -1])
def test_a_foreign_or_unknown_fact_has_a_dialog_without_anything_in_it(
    told: Person, stranger_fact: int, fact_id: int
) -> None:
    from pages.parts.dialog_state import OpenDialog

    assert stranger_fact == 2
    tab = Tab().open(MEMORY)
    tab.at.session_state["dialog"] = OpenDialog("forget-fact", fact_id)
    assert tab.run().dialog == "This is gone already."


@pytest.fixture
def stranger_fact(told: Person) -> int:
    other = told.app.store.owners.enter("b" * 64, "browser")
    return told.app.knowledge.add(other.id, "goal", "The stranger's goal").id


@pytest.mark.parametrize("name", ["where", "forget"])
def test_a_strangers_message_opens_no_dialog(told: Person, name: str) -> None:
    from pages.parts.dialog_state import OpenDialog

    other = Person(told.app, told.app.store.owners.enter("b" * 64, "browser"))
    other.say("The stranger's words")
    tab = look(told)
    tab.at.session_state["dialog"] = OpenDialog(name, other.message(1).id)
    assert tab.run().dialog == ""
    assert "stranger" not in tab.words


# --- a chat -----------------------------------------------------------------------------------------


def let_undo_pass(tab: Tab, database: Path) -> None:
    chat_id, title, _ = tab.at.session_state["deleted"]
    tab.at.session_state["deleted"] = (chat_id, title, time.monotonic() - chat_list.UNDO_SECONDS - 1)
    execute(database, "UPDATE conversations SET hidden_at = datetime('now', '-1 minute') WHERE hidden_at NOT NULL")
    tab.run()


@pytest.mark.parametrize("with_facts", [False, True])
def test_a_chat_goes_with_what_was_learned_in_it_only_when_that_is_ticked(
    told: Person, database: Path, with_facts: bool
) -> None:
    tab = look(told).choose(told.chat_id, "delete")
    assert "Delete “A code”?" in tab.dialog
    assert "in ten seconds; until then it can be brought back" in tab.dialog
    box = tab.at.checkbox(key="forget-chat-facts")
    assert (box.label, box.value) == ("Also forget the one fact learned only in it", False)
    box.set_value(with_facts)
    tab.click("delete-confirm")
    assert tab.dialog == ""
    assert tab.chat_id == ""
    assert "Deleted “A code”" in tab.words
    let_undo_pass(tab, database)
    assert rows(database, "SELECT count(*) FROM messages") == [(0,)]
    assert rows(database, "SELECT count(*) FROM facts") == [(0 if with_facts else 1,)]
    assert ("quetzalcoatl" in stored(database)) is not with_facts


def test_a_chat_that_is_brought_back_has_its_facts_too(told: Person, database: Path) -> None:
    tab = look(told).choose(told.chat_id, "delete")
    tab.at.checkbox(key="forget-chat-facts").check()
    tab.click("delete-confirm").click("undo-delete")
    assert len(tab.chats) == 1
    assert rows(database, "SELECT status FROM facts") == [("live",)]
    assert rows(database, "SELECT takes_facts FROM conversations") == [(0,)]


def test_the_question_about_a_chat_speaks_korean(told: Person) -> None:
    tab = look(told, "ko-KR").choose(told.chat_id, "delete")
    assert "“A code” 대화를 지울까요?" in tab.dialog
    assert "이 대화에서만 알게 된 기억 1개도 잊기" in tab.dialog


def test_a_chat_deleted_from_another_page_leaves_no_way_to_not_found(told: Person) -> None:
    tab = look(told).open(SETTINGS)
    tab.choose(told.chat_id, "delete").click("delete-confirm")
    links = [link.proto for link in tab.at.sidebar.get("page_link") if link.proto.label == "Chat"]
    assert told.chat_id not in links[0].query_string
    assert "This chat was not found." not in tab.open(CHAT).notices


def test_a_chat_that_another_tab_deleted_while_asking_is_gone_already(told: Person) -> None:
    tab = look(told).choose(told.chat_id, "delete")
    told.app.store.conversations.hide(told.owner.id, told.chat_id)
    assert "This is gone already." in tab.run().dialog
    assert not tab.has_button("delete-confirm")


# --- everything -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("locale", "wrong", "word"), [("en-US", "forge", " Forget "), ("ko-KR", "forget", "잊기")]
)
def test_forgetting_everything_needs_its_word(
    told: Person, database: Path, locale: str, wrong: str, word: str
) -> None:
    tab = Tab(locale).open(SETTINGS).click("forget-everything")
    assert ("All chats (1), all facts (1)" if locale == "en-US" else "대화 1개와 기억 1개") in tab.dialog
    assert tab.button("everything-confirm").disabled
    tab.at.text_input(key="forget-word").set_value(wrong)
    assert tab.run().button("everything-confirm").disabled
    tab.at.text_input(key="forget-word").set_value(word)
    assert not tab.run().button("everything-confirm").disabled
    tab.click("everything-confirm")
    assert tab.dialog == ""
    assert ("Everything is forgotten." if locale == "en-US" else "모두 잊었습니다.") in tab.notices
    for table in ("conversations", "messages", "facts", "summaries", "receipts"):
        assert rows(database, f"SELECT count(*) FROM {table}") == [(0,)], table
    assert "quetzalcoatl" not in stored(database)
    assert tab.chats == []


def test_cancelling_keeps_everything_and_the_word_is_asked_anew(told: Person, database: Path) -> None:
    tab = Tab().open(SETTINGS).click("forget-everything")
    tab.at.text_input(key="forget-word").set_value("forget")
    tab.run().click("everything-cancel")
    assert rows(database, "SELECT count(*) FROM messages") == [(6,)]
    assert tab.click("forget-everything").button("everything-confirm").disabled


def test_after_forgetting_everything_a_new_chat_can_begin(told: Person) -> None:
    tab = look(told).open(SETTINGS).click("forget-everything")
    tab.at.text_input(key="forget-word").set_value("forget")
    tab.run().click("everything-confirm")
    tab.open(CHAT).click("new-chat").say("Hello again")
    assert tab.said[0] == ("user", "Hello again")
    assert len(tab.chats) == 1


def test_who_left_nothing_has_nothing_to_forget(tab: Tab) -> None:
    assert tab.open(SETTINGS).button("forget-everything").disabled
