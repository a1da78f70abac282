"""Versions of a summary: looked at, compared, edited, rolled back, rebuilt, and what the next fold will take."""

from __future__ import annotations

import pytest

from chatmem.domain import Detail, Pin
from chatmem.errors import ChatChanged, ModelOverloaded, NotFound, NotInMessage, SummaryEmpty, SummaryTooLong
from chatmem.versions import compare
from tests.conftest import Person
from tests.scripted import ScriptedModel
from tests.unit.test_fold import check_invariant


def talk(person: Person, model: ScriptedModel, turns: int = 10) -> None:
    model.answers["fold"] = lambda _: (
        f"<summary>\nBackground: what a person said, fold {len(model.asked('fold'))}\n</summary>"
    )
    for number in range(1, turns + 1):
        person.say(f"K{number:02} was said")


def versions(person: Person):  # type: ignore[no-untyped-def]
    return person.app.store.versions.page(person.owner.id, person.chat_id)


def acts(person: Person):  # type: ignore[no-untyped-def]
    return person.app.versions, person.owner.id, person.chat_id


def test_a_version_knows_the_messages_it_took_and_the_one_before_it(person: Person, model: ScriptedModel) -> None:
    talk(person, model)
    second, first = versions(person)
    assert (first.folded, second.folded) == (((1, 7),), ((8, 15),))
    assert (first.base_id, second.base_id, second.parent_id) == (None, first.id, first.id)


def test_folded_runs_leave_out_what_was_set_aside(person: Person, model: ScriptedModel) -> None:
    person.say("K01")
    person.retry()
    talk(person, model, 6)
    (first,) = versions(person)
    assert first.folded[0] == (1, 1)
    assert first.folded[1][0] == 3


def test_an_earlier_version_is_put_in_force_and_the_later_one_again(person: Person, model: ScriptedModel) -> None:
    talk(person, model)
    app_versions, owner_id, chat_id = acts(person)
    app_versions.put_in_force(owner_id, chat_id, 1, seen=2)
    assert person.memory.head.version == 1
    check_invariant(person)
    app_versions.put_in_force(owner_id, chat_id, None, seen=1)
    assert person.memory.head is None
    check_invariant(person)
    app_versions.put_in_force(owner_id, chat_id, 2, seen=None)
    assert person.memory.head.version == 2
    check_invariant(person)


def test_who_rolls_back_from_an_old_page_is_told_so(person: Person, model: ScriptedModel) -> None:
    talk(person, model)
    app_versions, owner_id, chat_id = acts(person)
    with pytest.raises(ChatChanged):
        app_versions.put_in_force(owner_id, chat_id, None, seen=1)
    assert person.memory.head.version == 2


def test_a_version_of_another_branch_does_not_fit(person: Person, model: ScriptedModel) -> None:
    talk(person, model)
    person.edit(person.message(5), "another way")
    app_versions, owner_id, chat_id = acts(person)
    assert not person.app.store.versions.fits(owner_id, chat_id, 2)
    with pytest.raises(ChatChanged):
        app_versions.put_in_force(owner_id, chat_id, 2, seen=None)
    check_invariant(person)


def test_a_rollback_during_a_fold_wins(person: Person, model: ScriptedModel) -> None:
    import threading

    talk(person, model, 9)
    asked, go_on = threading.Event(), threading.Event()

    def waits(_: object) -> str:
        asked.set()
        go_on.wait(20)
        return "<summary>\nBackground: too late\n</summary>"

    model.answers["fold"] = waits
    turn = person.send("K10")
    assert asked.wait(20)
    app_versions, owner_id, chat_id = acts(person)
    app_versions.put_in_force(owner_id, chat_id, None, seen=1)
    go_on.set()
    person.app.chat.wait(turn, 20)
    assert person.memory.head is None
    assert [v.version for v in versions(person)] == [1]
    check_invariant(person)


def test_an_edit_is_a_new_version_in_the_persons_words(person: Person, model: ScriptedModel) -> None:
    talk(person, model, 6)
    app_versions, owner_id, chat_id = acts(person)
    made = app_versions.edit(owner_id, chat_id, 1, "  In my own words.\n\n", (), limit=500)
    assert (made.version, made.text, made.source, made.how) == (2, "In my own words.", "person", "edit")
    assert person.memory.head == made
    check_invariant(person)
    person.say("next")
    assert "In my own words." in "".join(m.text for m in model.asked("chat")[-1].messages)
    app_versions.put_in_force(owner_id, chat_id, 1, seen=2)
    assert person.memory.head.version == 1


def test_the_next_fold_carries_the_edited_text_on(person: Person, model: ScriptedModel) -> None:
    talk(person, model, 6)
    app_versions, owner_id, chat_id = acts(person)
    app_versions.edit(owner_id, chat_id, 1, "In my own words.", (), limit=500)
    for number in range(7, 12):
        person.say(f"K{number:02} was said")
    assert "In my own words." in "".join(m.text for m in model.asked("fold")[-1].messages)
    assert person.memory.head.parent_id == versions(person)[1].id


@pytest.mark.parametrize(("text", "error"), [(" \n ", SummaryEmpty), ("word " * 600, SummaryTooLong)])
def test_a_summary_that_cannot_be_is_refused_with_a_sentence(
    person: Person, model: ScriptedModel, text: str, error: type[Exception]
) -> None:
    talk(person, model, 6)
    app_versions, owner_id, chat_id = acts(person)
    with pytest.raises(error):
        app_versions.edit(owner_id, chat_id, 1, text, (), limit=500)
    assert [v.version for v in versions(person)] == [1]


def test_two_tabs_that_edit_one_version_make_one(person: Person, model: ScriptedModel) -> None:
    talk(person, model, 6)
    app_versions, owner_id, chat_id = acts(person)
    app_versions.edit(owner_id, chat_id, 1, "first tab", (), limit=500)
    with pytest.raises(ChatChanged):
        app_versions.edit(owner_id, chat_id, 1, "second tab", (), limit=500)
    assert person.memory.head.text == "first tab"


def test_what_was_lost_is_put_back_as_a_pin_and_stays(person: Person, model: ScriptedModel) -> None:
    talk(person, model, 6)
    app_versions, owner_id, chat_id = acts(person)
    made = app_versions.put_back(owner_id, chat_id, 1, [Detail(1, "K01 was said", "K01", "name")])
    assert made.pins == (Pin(1, "K01 was said"),)
    assert made.text == versions(person)[1].text
    for number in range(7, 16):
        person.say(f"K{number:02} was said")
    assert Pin(1, "K01 was said") in person.memory.head.pins
    assert "K01 was said" in "".join(m.text for m in model.asked("chat")[-1].messages)


def test_only_what_was_said_can_be_pinned(person: Person, model: ScriptedModel) -> None:
    talk(person, model, 6)
    app_versions, owner_id, chat_id = acts(person)
    for pin in (Pin(1, "never said"), Pin(99, "K01"), Pin(1, " "), Pin(1, "K01 was said" * 40)):
        with pytest.raises(NotInMessage):
            app_versions.pin(owner_id, chat_id, [pin])
    assert person.memory.conversation.pins == ()


def test_a_pin_before_the_fold_is_carried_by_it_whatever_the_model_says(
    person: Person, model: ScriptedModel
) -> None:
    person.say("the key is under the mat")
    app_versions, owner_id, chat_id = acts(person)
    app_versions.pin(owner_id, chat_id, [Pin(1, "under the mat")])
    model.answers["fold"] = "<summary>\nBackground: x\n</summary><dropped_pins>\nunder the mat\n</dropped_pins>"
    for number in range(2, 12):
        person.say(f"K{number:02}")
    assert person.memory.head.version > 1
    assert Pin(1, "under the mat") in person.memory.head.pins


def test_a_rebuild_is_made_from_the_originals_alone(person: Person, model: ScriptedModel) -> None:
    talk(person, model)
    app_versions, owner_id, chat_id = acts(person)
    app_versions.edit(owner_id, chat_id, 2, "MY OWN WORDS", (), limit=500)
    model.answers["fold"] = "<summary>\nBackground: made from the originals and nothing else\n</summary>"
    person.app.chat.rebuild(person.owner, chat_id, language="en")
    person.app.background.wait(20)
    head = person.memory.head
    assert (head.text, head.how, head.parent_id, head.covers_through) == (
        "Background: made from the originals and nothing else",
        "rebuild",
        None,
        15,
    )
    assert head.folded == ((1, 15),)
    request = "".join(m.text for m in model.asked("fold")[-1].messages)
    assert "MY OWN WORDS" not in request
    assert all(f"K{n:02} was said" in request for n in range(1, 9))
    check_invariant(person)


def test_every_message_of_a_long_rebuild_is_in_some_prompt(person: Person, model: ScriptedModel) -> None:
    model.answers["fold"] = "<summary>\nBackground: a person who says one word over and over\n</summary>"
    person.prefer(numbers={"question": 4000, "window": 100_000})
    for number in range(1, 9):
        person.say(f"K{number:02} " + "word " * 2000)
    before = len(model.asked("fold"))
    covered = person.memory.covered
    person.app.chat.rebuild(person.owner, person.chat_id, language="en")
    person.app.background.wait(20)
    prompts = "".join(m.text for request in model.asked("fold")[before:] for m in request.messages)
    assert len(model.asked("fold")) - before >= 2
    assert all(m.text in prompts for m in person.live() if m.number <= covered)
    assert person.memory.head.how == "rebuild"
    assert person.memory.covered == covered


def test_a_rebuild_that_fails_leaves_the_summary_and_says_why(person: Person, model: ScriptedModel) -> None:
    talk(person, model)
    before = person.memory.head
    model.answers["fold"] = ModelOverloaded()
    person.app.chat.rebuild(person.owner, person.chat_id, language="en")
    person.app.background.wait(20)
    assert person.memory.head == before
    refusals = person.app.store.memory.refusals(person.owner.id, person.chat_id, -1)
    assert refusals[-1].reason == "failed: ModelOverloaded"


def test_a_rebuild_the_gate_refuses_uses_the_messages_own_words(person: Person, model: ScriptedModel) -> None:
    talk(person, model)
    model.answers["fold"] = "BANANA"
    person.app.chat.rebuild(person.owner, person.chat_id, language="en")
    person.app.background.wait(20)
    assert (person.memory.head.how, person.memory.head.source) == ("rebuild", "extractive")


def test_the_forecast_names_what_the_next_message_folds(person: Person, model: ScriptedModel) -> None:
    talk(person, model, 4)
    policy = person.app.chat.policy(person.owner, None)
    assert person.app.versions.forecast(person.memory, policy) is None
    person.say("K05 was said")
    forecast = person.app.versions.forecast(person.memory, policy)
    assert (forecast.first, forecast.last, forecast.held) == (1, 7, False)
    person.say("K06 was said")
    assert person.memory.covered == forecast.last


def test_what_is_held_is_not_folded_until_it_is_let_go(person: Person, model: ScriptedModel) -> None:
    talk(person, model, 5)
    app_versions, owner_id, chat_id = acts(person)
    app_versions.hold(owner_id, chat_id, True)
    for number in range(6, 9):
        person.say(f"K{number:02}")
    assert person.memory.head is None
    assert person.memory.window_count == 16
    app_versions.hold(owner_id, chat_id, False)
    person.say("K09")
    assert person.memory.covered == 13
    check_invariant(person)


def test_a_hold_never_lets_the_window_pass_its_tokens(person: Person, model: ScriptedModel) -> None:
    talk(person, model, 1)
    app_versions, owner_id, chat_id = acts(person)
    app_versions.hold(owner_id, chat_id, True)
    model.answers["fold"] = "<summary>\nBackground: a person who says one word over and over\n</summary>"
    for number in range(5):
        person.say(f"L{number} " + "word " * 1500)
    assert person.memory.head is not None


def test_a_comparison_joins_to_both_texts_again() -> None:
    before, after = "Lives in Busan.\nLikes tea.", "Lives in Seoul.\nLikes tea. Has a cat."
    pieces = compare(before, after)
    assert "".join(p.text for p in pieces if p.change != "added") == before
    assert "".join(p.text for p in pieces if p.change != "removed") == after
    assert next(p.text.strip() for p in pieces if p.change == "removed") == "Busan."


def test_strangers_see_and_change_no_version(person: Person, stranger: Person, model: ScriptedModel) -> None:
    talk(person, model, 6)
    app_versions, foreign, chat_id = person.app.versions, stranger.owner.id, person.chat_id
    store = person.app.store.versions
    for act in (
        lambda: store.page(foreign, chat_id),
        lambda: store.get(foreign, chat_id, 1),
        lambda: store.numbers(foreign, chat_id),
        lambda: store.fits(foreign, chat_id, 1),
        lambda: app_versions.put_in_force(foreign, chat_id, None, 1),
        lambda: app_versions.edit(foreign, chat_id, 1, "x", (), 500),
        lambda: app_versions.put_back(foreign, chat_id, 1, []),
        lambda: app_versions.pin(foreign, chat_id, [Pin(1, "K01")]),
        lambda: app_versions.hold(foreign, chat_id, True),
        lambda: person.app.chat.rebuild(stranger.owner, chat_id, language="en"),
    ):
        try:
            act()
        except NotFound:
            continue
        person.app.background.wait(20)
    assert person.memory.head.version == 1
    assert person.memory.head.text == "Background: what a person said, fold 1"
    assert not person.memory.conversation.holds_fold


def test_the_way_to_a_head_far_back_is_found_however_many_versions_there_are(
    person: Person, model: ScriptedModel
) -> None:
    talk(person, model, 6)
    app_versions, owner_id, chat_id = acts(person)
    for number in range(1, 70):
        app_versions.edit(owner_id, chat_id, number, f"Words {number}.", (), limit=500)
    app_versions.put_in_force(owner_id, chat_id, 3, seen=70)
    store = person.app.store.versions
    assert [v.version for v in store.leading_to_head(owner_id, chat_id)] == [1, 2, 3]
    app_versions.put_in_force(owner_id, chat_id, 70, seen=3)
    assert [v.version for v in store.leading_to_head(owner_id, chat_id)] == list(range(21, 71))
