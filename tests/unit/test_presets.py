"""What the presets send and leave out."""

from __future__ import annotations

from datetime import timedelta

import pytest

from chatmem.domain import Context
from chatmem.errors import ModelOverloaded
from tests.conftest import Clock, Person
from tests.scripted import ScriptedModel


def texts(model: ScriptedModel) -> list[str]:
    return [message.text for message in model.asked("chat")[-1].messages]


def last_context(person: Person) -> Context:
    receipt = person.app.store.receipts.latest(person.owner.id, person.chat_id)
    assert receipt is not None
    return receipt.context


def test_window_only_sends_the_last_ten_messages_and_makes_no_summary(
    person: Person, model: ScriptedModel
) -> None:
    person.prefer(preset="window_only")
    for number in range(1, 12):
        person.say(f"statement {number}")
    sent = texts(model)
    assert len(sent) == 1 + 10
    assert sent[-1] == "statement 11"
    assert "statement 6" not in sent
    assert not model.asked("fold")


@pytest.mark.parametrize("preset", ["window_only", "full_history"])
def test_a_summary_made_before_is_not_sent_by_presets_without_one(
    person: Person, model: ScriptedModel, preset: str
) -> None:
    for number in range(1, 8):
        person.say(f"statement {number}")
    assert person.memory.head is not None
    person.prefer(preset=preset)
    person.say("and now?")
    assert not any("<summary>" in text for text in texts(model))
    assert ("statement 1" in texts(model)) is (preset == "full_history")
    person.prefer(preset="classic")
    person.say("as before")
    assert any("<summary>" in text for text in texts(model))


def test_full_history_sends_everything(person: Person, model: ScriptedModel) -> None:
    person.prefer(preset="full_history")
    for number in range(1, 31):
        person.say(f"statement {number}")
    assert [t for t in texts(model) if t.startswith("statement")] == [f"statement {n}" for n in range(1, 31)]


def test_summary_only_keeps_nothing_verbatim_that_is_folded(person: Person, model: ScriptedModel) -> None:
    person.prefer(preset="summary_only")
    for number in range(1, 5):
        person.say(f"statement {number}")
    sent = texts(model)
    assert "<summary>" in sent[1]
    assert "statement 1" not in sent
    assert "statement 2" not in sent
    assert sent[-1] == "statement 4"


def test_three_tiers_folds_above_fifteen_and_keeps_ten_and_the_question(
    person: Person, model: ScriptedModel
) -> None:
    person.prefer(preset="three_tiers")
    for number in range(1, 9):
        person.say(f"statement {number}")
        assert person.memory.head is None or number == 8
    head = person.memory.head
    assert head is None  # 15 messages with the eighth question: not yet above
    person.say("statement 9")
    head = person.memory.head
    assert (head.counted, head.kept) == (17, 11)


def test_three_tiers_folds_what_is_older_than_a_day_and_leaves_it_out(
    person: Person, model: ScriptedModel, clock: Clock
) -> None:
    person.prefer(preset="three_tiers")
    person.say("yesterday's statement")
    clock.ahead = timedelta(hours=25)
    person.say("today's first")
    assert "yesterday's statement" not in texts(model)
    assert last_context(person).expired == ("messages 1-2",)
    assert last_context(person).unsent is None
    assert person.memory.covered == 2
    person.say("today's second")
    assert "yesterday's statement" not in texts(model)
    assert last_context(person).expired == ()


def test_a_window_that_expired_is_folded_and_left_out_even_while_its_fold_fails(
    person: Person, model: ScriptedModel, clock: Clock
) -> None:
    person.prefer(preset="three_tiers")
    model.answers["fold"] = ModelOverloaded()
    person.say("yesterday's statement")
    clock.ahead = timedelta(hours=25)
    person.say("today's first")
    assert person.memory.covered == 0
    assert "yesterday's statement" not in texts(model)
    person.say("today's second")  # the chat is alive again: what it said an hour ago counts
    assert "today's first" in texts(model)


@pytest.mark.parametrize(("hours", "is_sent"), [(23, True), (25, False)])
def test_three_tiers_short_term_runs_from_the_chats_last_message(
    person: Person, model: ScriptedModel, clock: Clock, hours: int, is_sent: bool
) -> None:
    person.prefer(preset="three_tiers")
    for step in range(4):  # each message renews the whole window
        clock.ahead = timedelta(hours=20 * step)
        person.say(f"statement {step}")
    clock.ahead = timedelta(hours=60 + hours)
    person.say("and now?")
    assert ("statement 0" in texts(model)) is is_sent


def test_three_tiers_a_fold_renews_the_summary_for_thirty_days(
    person: Person, model: ScriptedModel, clock: Clock
) -> None:
    person.prefer(preset="three_tiers")
    for number in range(1, 10):
        person.say(f"statement {number}")
    for days in (20, 40):  # each time the window has expired, so its fold makes a new version
        clock.ahead = timedelta(days=days)
        person.say(f"after {days} days")
    assert person.memory.head.version == 3
    assert any("<summary>" in text for text in texts(model))
    clock.ahead = timedelta(days=71)
    person.say("much later")
    assert "summary v3" in last_context(person).expired


def test_three_tiers_sends_at_most_twenty_messages(person: Person, model: ScriptedModel) -> None:
    person.prefer(preset="three_tiers")
    model.answers["fold"] = ModelOverloaded()
    for number in range(1, 15):
        person.say(f"statement {number}")
    assert len(texts(model)) == 1 + 20
    assert last_context(person).unsent == (1, 7)


def test_three_tiers_keeps_facts_for_ever(person: Person, model: ScriptedModel, clock: Clock) -> None:
    person.prefer(preset="three_tiers")
    person.app.knowledge.add(person.owner.id, "profile", "Is a vegetarian.")
    clock.ahead = timedelta(days=4000)
    person.say("hello again")
    assert "Is a vegetarian." in texts(model)[0]


def test_an_expired_summary_is_left_out_named_and_not_built_upon(
    person: Person, model: ScriptedModel, clock: Clock
) -> None:
    person.prefer(preset="three_tiers")
    for number in range(1, 10):
        person.say(f"statement {number}")
    assert person.memory.head.version == 1
    clock.ahead = timedelta(days=31)
    person.say("after a month")
    assert last_context(person).expired == ("summary v1", "messages 7-18")
    assert not any("<summary>" in text for text in texts(model))
    assert "previous_summary" not in model.asked("fold")[-1].messages[1].text
    assert person.memory.head.version == 2
    assert person.memory.head.parent_id is None


def test_a_chat_may_remember_in_its_own_way(person: Person, model: ScriptedModel) -> None:
    person.say("statement 1")
    person.app.store.conversations.set_preset(person.owner.id, person.chat_id, "window_only")
    for number in range(2, 10):
        person.say(f"statement {number}")
    assert not model.asked("fold")


def test_a_persons_numbers_change_when_a_fold_is_due(person: Person) -> None:
    person.prefer(numbers={"fold_above": 4, "keep": 2})
    person.say("statement 1")
    person.say("statement 2")
    assert person.memory.head is None
    person.say("statement 3")
    assert (person.memory.head.counted, person.memory.head.kept) == (5, 2)


def test_the_window_sends_the_newest_that_fit_its_share(person: Person, model: ScriptedModel) -> None:
    person.prefer(preset="window_only", numbers={"window": 600})
    for number in range(1, 7):
        person.say(f"K{number} " + "word " * 200)
    kept = [text[:2] for text in texts(model) if text.startswith("K")]
    assert kept == ["K4", "K5", "K6"] or kept == ["K5", "K6"]
    context = last_context(person)
    assert context.unsent is not None
    assert context.unsent[0] == 1
    window = next(section for section in context.sections if section.name == "window")
    assert window.tokens <= 600


def test_what_stands_before_the_window_changes_only_with_a_fold(person: Person, model: ScriptedModel) -> None:
    beginnings = []
    for number in range(1, 25):
        person.say(f"statement {number}")
        context = last_context(person)
        sent = [m.text for m in model.asked("chat")[-1].messages]
        beginnings.append((context.summary_version, sent[: 2 if context.summary_version else 1]))
    versions = {version for version, _ in beginnings}
    assert len(versions) > 3
    assert len({tuple(texts) for _, texts in beginnings}) == len(versions)


# --- what is retired is nowhere in what is sent (edits come later; these are the ways there are) ----


def test_what_was_reset_is_nowhere_in_what_is_sent(person: Person, model: ScriptedModel) -> None:
    model.answers["fold"] = "<summary>\nBackground: about the blue bicycle\n</summary>"
    for number in range(1, 8):
        person.say(f"the blue bicycle {number}")
    person.app.chat.reset(person.owner, person.chat_id)
    person.say("something else")
    assert "bicycle" not in "\n".join(texts(model))


def test_an_answer_that_was_tried_again_is_nowhere_in_what_is_sent(person: Person, model: ScriptedModel) -> None:
    model.answers["chat"] = "The wrong bicycle."
    person.say("Which one?")
    model.answers["chat"] = "The right one."
    person.retry()
    person.say("Thanks")
    assert "wrong bicycle" not in "\n".join(texts(model))


def test_an_undone_summary_is_nowhere_in_what_is_sent(person: Person, model: ScriptedModel) -> None:
    model.answers["fold"] = "<summary>\nBackground: a wrong idea of the person\n</summary>"
    for number in range(1, 7):
        person.say(f"statement {number}")
    person.app.store.versions.undo_fold(person.owner.id, person.chat_id, 1)
    person.say("and now?")
    assert "wrong idea" not in "\n".join(texts(model))
    assert "statement 1" in texts(model)
