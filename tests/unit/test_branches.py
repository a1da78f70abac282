"""Editing history: what an edit, a deletion and another answer set aside can be brought back, whole."""

from __future__ import annotations

import threading

import pytest

from chatmem.domain import FactStatus, Status
from chatmem.errors import ChatChanged, ModelOverloaded, NotFound, NothingToUndo, ReplyInProgress
from tests.conftest import Person
from tests.scripted import ScriptedModel
from tests.unit.test_fold import check_invariant
from tests.unit.test_learning import learns_what_is_said
from tests.unit.test_learning import live as known


def branches(person: Person):  # type: ignore[no-untyped-def]
    return person.app.store.branches.of_chat(person.owner.id, person.chat_id)


def texts(person: Person) -> list[str]:
    return [message.text for message in person.live()]


def said(person: Person, *words: str) -> None:
    for word in words:
        person.say(word)


def delete_from(person: Person, number: int):  # type: ignore[no-untyped-def]
    message = person.message(number)
    return person.app.store.branches.delete_from(person.owner.id, person.chat_id, message.id)


def bring_back(person: Person, branch):  # type: ignore[no-untyped-def]
    return person.app.store.branches.bring_back(person.owner.id, person.chat_id, branch.id)


def test_an_edited_question_is_asked_in_the_place_of_the_old_one(person: Person, model: ScriptedModel) -> None:
    said(person, "one", "two", "three")
    person.edit(person.message(3), "two, but better")
    assert texts(person) == ["one", "Understood.", "two, but better", "Understood."]
    sent = [message.text for message in model.asked("chat")[-1].messages]
    assert sent[1:] == ["one", "Understood.", "two, but better"]
    check_invariant(person)


def test_what_an_edit_set_aside_can_be_looked_at_and_brought_back(person: Person) -> None:
    said(person, "one", "two", "three")
    before = texts(person)
    person.edit(person.message(3), "two, but better")
    after = texts(person)
    (branch,) = branches(person)
    assert (branch.kind, branch.after_number, branch.first_number, branch.count) == ("edit", 2, 3, 4)
    stored = person.app.store.branches.messages(person.owner.id, person.chat_id, branch.id)
    assert [message.text for message in stored] == before[2:]
    other = bring_back(person, branch)
    assert texts(person) == before
    bring_back(person, other)
    assert texts(person) == after
    check_invariant(person)


def test_every_other_answer_is_kept(person: Person, model: ScriptedModel) -> None:
    answers = ["first", "second", "third"]
    model.answers["chat"] = lambda _: answers[len(model.asked("chat")) - 1]
    person.say("one")
    person.retry()
    person.retry()
    assert [b.kind for b in branches(person)] == ["retry", "retry"]
    bring_back(person, branches(person)[0])
    assert texts(person) == ["one", "first"]
    assert [b.count for b in branches(person)] == [1, 1]


def test_an_answer_that_failed_is_no_branch(person: Person, model: ScriptedModel) -> None:
    model.answers["chat"] = ModelOverloaded()
    person.say("one")
    model.answers["chat"] = "now it works"
    person.retry()
    assert branches(person) == []


def test_a_failed_question_can_be_edited(person: Person, model: ScriptedModel) -> None:
    said(person, "one")
    model.answers["chat"] = ModelOverloaded()
    person.say("two")
    model.answers["chat"] = "fine"
    assert person.edit(person.message(3), "two, again").status is Status.COMPLETE
    assert texts(person) == ["one", "Understood.", "two, again", "fine"]


def test_deleting_from_a_message_sets_all_after_it_aside(person: Person, model: ScriptedModel) -> None:
    said(person, "one", "two", "three")
    branch = delete_from(person, 3)
    assert (branch.kind, branch.count) == ("delete", 4)
    assert texts(person) == ["one", "Understood."]
    person.say("four")
    assert [m.text for m in model.asked("chat")[-1].messages][1:] == ["one", "Understood.", "four"]
    bring_back(person, branch)
    assert texts(person) == ["one", "Understood.", "two", "Understood.", "three", "Understood."]


def test_the_last_summary_that_does_not_cover_it_is_in_force_again(person: Person, model: ScriptedModel) -> None:
    model.answers["fold"] = lambda request: f"<summary>\nBackground: fold {len(model.asked('fold'))}\n</summary>"
    said(person, *(f"K{n:02}" for n in range(1, 11)))
    versions = person.app.store.versions.leading_to_head(person.owner.id, person.chat_id)
    assert [v.covers_through for v in versions] == [7, 15]
    person.edit(person.message(11), "K06, but better")
    assert person.memory.head == versions[0]
    check_invariant(person)
    assert "K06" not in "".join(m.text for m in model.asked("chat")[-1].messages[:-1])


def test_an_edited_covered_message_is_nowhere_in_what_is_sent(person: Person, model: ScriptedModel) -> None:
    model.answers["fold"] = lambda request: "<summary>\nBackground: the word is ALBATROSS\n</summary>"
    person.say("the word is ALBATROSS")
    said(person, *(f"K{n:02}" for n in range(2, 8)))
    assert person.memory.head is not None
    person.edit(person.message(1), "there is no word")
    assert person.memory.head is None
    assert "ALBATROSS" not in "".join(message.text for message in model.asked("chat")[-1].messages)


def test_a_branch_comes_back_with_the_summary_it_had(person: Person) -> None:
    said(person, *(f"K{n:02}" for n in range(1, 11)))
    head = person.memory.head
    person.edit(person.message(3), "another way")
    assert person.memory.head is None
    (branch,) = branches(person)
    bring_back(person, branch)
    assert person.memory.head == head
    check_invariant(person)


def test_a_branch_of_a_branch_waits_for_the_one_it_grew_from(person: Person) -> None:
    said(person, "one", "two", "three")
    person.edit(person.message(5), "three b")
    inner = branches(person)[0]
    person.edit(person.message(3), "two b")
    assert [b.id for b in branches(person)] != [inner.id]
    with pytest.raises(ChatChanged):
        bring_back(person, inner)
    bring_back(person, branches(person)[0])
    bring_back(person, inner)
    assert [t for t in texts(person) if t != "Understood."] == ["one", "two", "three"]


def test_a_fact_that_only_an_edited_message_proved_ends_and_comes_back_with_it(
    person: Person, model: ScriptedModel
) -> None:
    model.answers["extract"] = learns_what_is_said
    said(person, "I love tea", "I love rain")
    person.edit(person.message(3), "I love snow")
    assert known(person) == ["I love tea", "I love snow"]
    bring_back(person, branches(person)[0])
    assert known(person) == ["I love tea", "I love rain"]


def test_what_a_deleted_message_ended_stands_again(person: Person, model: ScriptedModel) -> None:
    model.answers["extract"] = learns_what_is_said
    said(person, "I live in Busan", "I live in Seoul now")
    facts = person.app.store.facts
    old, new = sorted(facts.page(person.owner.id, tuple(FactStatus)), key=lambda fact: fact.id)
    if new.rival_id:
        facts.settle(person.owner.id, old.id, new.id, new.id)
    assert known(person) == ["I live in Seoul now"]
    branch = delete_from(person, 3)
    assert known(person) == ["I live in Busan"]
    bring_back(person, branch)
    assert known(person) == ["I live in Seoul now"]


def test_a_fact_that_another_message_proves_stays(person: Person, model: ScriptedModel) -> None:
    model.answers["extract"] = learns_what_is_said
    said(person, "I love tea", "I love tea")
    delete_from(person, 3)
    assert known(person) == ["I love tea"]


def test_the_second_of_two_tabs_that_edit_one_message_is_told_so(person: Person) -> None:
    said(person, "one", "two")
    message = person.message(3)
    person.edit(message, "from the first tab")
    before = [m.text for m in person.messages]
    with pytest.raises(ChatChanged):
        person.edit(message, "from the second tab")
    assert [m.text for m in person.messages] == before


def test_twenty_tabs_editing_at_once_make_one_turn(person: Person) -> None:
    said(person, "one", "two")
    message, outcomes = person.message(3), []

    def edit(number: int) -> None:
        try:
            person.edit(message, f"edit {number}")
            outcomes.append("done")
        except (ChatChanged, ReplyInProgress) as error:
            outcomes.append(error.code)

    threads = [threading.Thread(target=edit, args=(number,)) for number in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert outcomes.count("done") == 1
    assert len(outcomes) == 20
    assert len(person.live()) == 4
    check_invariant(person)


def test_nothing_is_edited_or_deleted_while_a_reply_is_written(person: Person, model: ScriptedModel) -> None:
    person.say("one")
    model.gate = threading.Event()
    turn = person.send("two")
    for act in (lambda: person.edit(person.message(1), "x"), lambda: delete_from(person, 1)):
        with pytest.raises(ReplyInProgress):
            act()
    model.gate.set()
    person.app.chat.wait(turn, 20)
    assert texts(person) == ["one", "Understood.", "two", "Understood."]


def test_only_a_question_can_be_edited(person: Person) -> None:
    person.say("one")
    with pytest.raises(ChatChanged):
        person.edit(person.message(2), "a reply in my words")
    assert texts(person) == ["one", "Understood."]


def test_strangers_neither_edit_nor_delete_nor_bring_back(person: Person, stranger: Person) -> None:
    said(person, "one", "two")
    branch = delete_from(person, 3)
    store = person.app.store.branches
    foreign = stranger.owner.id
    for act in (
        lambda: store.delete_from(foreign, person.chat_id, person.message(1).id),
        lambda: store.bring_back(foreign, person.chat_id, branch.id),
        lambda: store.of_chat(foreign, person.chat_id),
        lambda: store.messages(foreign, person.chat_id, branch.id),
    ):
        with pytest.raises(NotFound):
            act()
    stranger.say("mine")
    with pytest.raises(NothingToUndo):
        store.bring_back(foreign, stranger.chat_id, branch.id)
    with pytest.raises(ChatChanged):
        stranger.edit(person.message(1), "theirs")
    assert texts(person) == ["one", "Understood."]


def test_a_fold_that_was_under_way_when_a_message_was_edited_is_thrown_away(
    person: Person, model: ScriptedModel
) -> None:
    said(person, *(f"K{n:02}" for n in range(1, 6)))
    asked, go_on = threading.Event(), threading.Event()

    def waits(_: object) -> str:
        asked.set()
        go_on.wait(20)
        return "<summary>\nBackground: too late\n</summary>"

    model.answers["fold"] = waits
    turn = person.send("K06")
    assert asked.wait(20)
    person.app.generations.wait(turn.reply.id, 20)
    delete_from(person, 3)
    go_on.set()
    person.app.background.wait(20)
    assert person.memory.head is None
    check_invariant(person)


def test_a_question_whose_answer_was_deleted_can_be_answered_again(person: Person) -> None:
    said(person, "one", "two")
    delete_from(person, 4)
    person.retry()
    assert texts(person) == ["one", "Understood.", "two", "Understood."]
    check_invariant(person)
