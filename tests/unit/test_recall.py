"""Recall through the whole core: what has left the window comes back when a question needs it, and only then."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest

from chatmem.app import App
from chatmem.domain import Context, Fact, NewFact
from chatmem.embeddings import Embedder
from chatmem.errors import ModelOverloaded
from chatmem.memory.recall import asked_part, asks_something, excerpt
from chatmem.tokens import count_tokens
from tests.conftest import Clock, Person
from tests.scripted import ScriptedModel

DETAIL = "The key to the boat house hangs behind the blue barrel"
QUESTION = "Where does the boat house key hang?"
FILLERS = ("The roof was mended today", "My neighbour painted the fence green", "Lunch was soup again")


def recalled(model: ScriptedModel) -> str:
    """What stands fenced before the question."""
    return model.asked("chat")[-1].messages[-1].text.partition("</recalled>")[0]


def context_of(person: Person) -> Context:
    receipt = person.app.store.receipts.latest(person.owner.id, person.chat_id)
    assert receipt
    return receipt.context


def fold_away(person: Person, detail: str = DETAIL) -> None:
    person.say(detail)
    for number in range(8):
        person.say(f"{FILLERS[number % 3]}, day {number}")
    assert person.memory.covered >= 2


def learn_and_fold_away(person: Person, model: ScriptedModel) -> None:
    """The detail becomes a fact, and its message leaves the window."""
    found = {"op": "add", "kind": "fact", "text": DETAIL, "quote": DETAIL, "message": 1, "target": None}
    answers = iter([json.dumps({"operations": [found]})])
    model.answers["extract"] = lambda request: next(answers, '{"operations": []}')
    fold_away(person)


def know(app: App, owner_id: int, text: str, kind: str = "fact") -> Fact:
    return app.store.facts.add(owner_id, NewFact(kind=kind, text=text, quote=text))  # type: ignore[arg-type]


# --- earlier messages ---------------------------------------------------------------------------


def test_a_detail_that_was_folded_away_comes_back_as_a_dated_quote(person: Person, model: ScriptedModel) -> None:
    fold_away(person)
    person.say(QUESTION)
    day = person.messages[0].created_at
    assert f"- [{day:%Y-%m-%d}] person: {DETAIL}" in recalled(model)
    assert context_of(person).quotes[0].number == 1


def test_a_korean_detail_comes_back_too(person: Person, model: ScriptedModel) -> None:
    person.language = "ko"
    model.answers["fold"] = "<summary>\n배경: 이야기하는 사람\n논의: 지붕 고치기\n</summary>"
    person.say("보트 창고 열쇠는 파란 통 뒤에 걸려 있어")
    for number in range(8):
        person.say(f"오늘은 지붕을 고쳤어 {number}")
    person.say("창고 열쇠가 어디에 걸려 있었지?")
    assert "사용자: 보트 창고 열쇠는 파란 통 뒤에 걸려 있어" in recalled(model)


def test_who_tells_something_gets_no_quotations(person: Person, model: ScriptedModel) -> None:
    fold_away(person)
    person.say("The key to the boat house is lost")
    assert recalled(model) == "The key to the boat house is lost"


def test_what_is_still_in_the_window_is_not_quoted_again(person: Person, model: ScriptedModel) -> None:
    person.say(DETAIL)
    person.say(QUESTION)
    assert recalled(model) == QUESTION


def test_what_was_reset_is_never_recalled_and_comes_back_with_its_undo(
    person: Person, model: ScriptedModel
) -> None:
    fold_away(person)
    person.app.chat.reset(person.owner, person.chat_id)
    person.app.store.memory.undo_reset(person.owner.id, person.chat_id)
    person.say(QUESTION)
    assert DETAIL in recalled(model)
    person.app.chat.reset(person.owner, person.chat_id)
    for number in range(7):
        person.say(f"Something new {number}")
    person.say(QUESTION)
    assert "barrel" not in recalled(model)


def test_another_chats_messages_are_never_quoted(person: Person, model: ScriptedModel) -> None:
    fold_away(person)
    other = Person(person.app, person.owner)
    fold_away(other, "Nothing about that")
    other.say(QUESTION)
    assert "barrel" not in "\n".join(m.text for m in model.asked("chat")[-1].messages)


def test_a_failed_turn_is_never_quoted(person: Person, model: ScriptedModel) -> None:
    model.answers["chat"] = ModelOverloaded()
    person.say(DETAIL)
    model.answers["chat"] = "Fine."
    fold_away(person, "Nothing about that")
    person.say(QUESTION)
    assert "barrel" not in recalled(model)


def test_what_was_too_long_for_the_window_can_be_recalled(person: Person, model: ScriptedModel) -> None:
    person.prefer(numbers={"window": 300, "fold_above": 200, "keep": 4})
    model.answers["fold"] = ModelOverloaded()
    person.say(DETAIL)
    for number in range(3):
        person.say(f"{FILLERS[number]}. " + "And so on and on. " * 30)
    person.say(QUESTION)
    assert context_of(person).unsent is not None
    assert DETAIL in recalled(model)


def test_what_expired_from_the_window_can_be_recalled_before_its_summary_is_there(
    person: Person, model: ScriptedModel, clock: Clock
) -> None:
    person.prefer(preset="three_tiers")
    model.answers["fold"] = ModelOverloaded()
    person.say(DETAIL)
    clock.ahead = timedelta(hours=25)
    person.say(QUESTION)
    assert context_of(person).expired == ("messages 1-2",)
    assert DETAIL in recalled(model)


@pytest.mark.parametrize("preset", ["window_only", "summary_only", "full_history"])
def test_presets_for_comparison_recall_nothing(person: Person, model: ScriptedModel, preset: str) -> None:
    person.prefer(preset=preset)
    person.say(DETAIL)
    for number in range(8):
        person.say(f"{FILLERS[number % 3]}, day {number}")
    person.say(QUESTION)
    assert recalled(model) == QUESTION


def test_a_message_whose_only_fact_has_ended_is_not_quoted(person: Person, model: ScriptedModel) -> None:
    learn_and_fold_away(person, model)
    (fact,) = person.app.store.facts.page(person.owner.id)
    person.app.knowledge.retract(person.owner.id, fact.id)
    person.say(QUESTION)
    assert "barrel" not in recalled(model)


def test_recalled_text_stays_within_its_share(person: Person, model: ScriptedModel) -> None:
    person.prefer(numbers={"recalled": 60})
    for number in range(12):
        person.say(f"The boat house key number {number} hangs behind the blue barrel number {number}")
    person.say(QUESTION)
    section = next(section for section in context_of(person).sections if section.name == "recalled")
    assert 0 < section.tokens <= 60 + 10


def test_a_share_of_zero_switches_recall_off(person: Person, model: ScriptedModel) -> None:
    person.prefer(numbers={"recalled": 0})
    know(person.app, person.owner.id, "The cat is called Miso.")
    fold_away(person)
    person.say(QUESTION)
    assert recalled(model) == QUESTION


def test_recalled_things_stand_in_the_order_of_time(person: Person, model: ScriptedModel) -> None:
    person.say("The boat house key was painted red")
    person.say("The boat house key hangs behind the barrel")
    for number in range(8):
        person.say(f"{FILLERS[number % 3]}, day {number}")
    person.say("What about the boat house key?")
    text = recalled(model)
    assert 0 < text.index("painted red") < text.index("behind the barrel")


# --- facts --------------------------------------------------------------------------------------


def test_in_a_new_chat_the_right_facts_are_sent_and_the_wrong_ones_are_not(
    person: Person, model: ScriptedModel
) -> None:
    for text in (
        "The cat is called Miso.",
        "The rent is 640 euros.",
        "Has a meeting with the landlord on Monday.",
    ):
        know(person.app, person.owner.id, text)
    person.say("What is my cat called?")
    assert "Miso" in recalled(model)
    assert "640" not in recalled(model)


def test_who_the_person_is_and_what_they_like_opens_every_request(person: Person, model: ScriptedModel) -> None:
    know(person.app, person.owner.id, "Is a nurse.", "profile")
    know(person.app, person.owner.id, "Likes the overall flow first.", "preference")
    know(person.app, person.owner.id, "The rent is 640 euros.")
    person.say("hello there")
    system = model.asked("chat")[-1].messages[0]
    assert system.role == "system"
    assert "Is a nurse." in system.text
    assert "overall flow" in system.text
    assert "640" not in system.text
    assert [used.how for used in context_of(person).facts] == ["stable", "stable"]


def test_a_pinned_fact_opens_every_request_whatever_its_kind(person: Person, model: ScriptedModel) -> None:
    fact = know(person.app, person.owner.id, "The rent is 640 euros.")
    person.app.knowledge.pin(person.owner.id, fact.id, True)
    person.say("hello there")
    assert "640" in model.asked("chat")[-1].messages[0].text


def test_what_opens_the_requests_changes_only_at_a_fold_or_by_hand(person: Person, model: ScriptedModel) -> None:
    know(person.app, person.owner.id, "Is a nurse.", "profile")
    model.answers["extract"] = (
        '{"operations": [{"op": "add", "kind": "profile", "text": "I keep bees", "quote": "I keep bees", "message": 1, "target": null}]}'
    )
    person.say("I keep bees")
    model.answers["extract"] = '{"operations": []}'

    def opening() -> str:
        return model.asked("chat")[-1].messages[0].text

    first = opening()
    person.say("hello again")
    assert opening() == first, "a fact that was learned meanwhile waits for the fold"
    while person.memory.head is None:
        person.say("and so on")
    person.say("after the fold")
    assert "I keep bees" in opening()
    person.app.knowledge.add(person.owner.id, "profile", "Plays the cello.")
    person.say("after my own hand")
    assert "cello" in opening()


def test_stable_facts_stay_within_their_share(person: Person, model: ScriptedModel) -> None:
    for number in range(200):
        know(
            person.app, person.owner.id, f"Likes dish number {number} from the long list of dishes.", "preference"
        )
    person.say("hello there")
    sections = {section.name: section for section in context_of(person).sections}
    assert sections["system"].tokens + sections["facts"].tokens <= sections["system"].share
    assert sections["facts"].tokens > 500


def test_facts_just_below_the_line_are_named_and_not_sent(person: Person, model: ScriptedModel) -> None:
    for number in range(12):
        know(person.app, person.owner.id, f"The cat number {number} is called Miso {number}.")
    person.say("What is my cat called?")
    used = context_of(person).facts
    below = [one.fact_id for one in used if one.how == "below"]
    assert len([one for one in used if one.how == "recalled"]) == 8
    assert below
    texts = [fact.text for fact in person.app.store.facts.these(person.owner.id, below)]
    assert not any(text in recalled(model) for text in texts)


def test_a_fact_said_in_this_window_is_not_quoted_beside_itself(person: Person, model: ScriptedModel) -> None:
    learn_and_fold_away(person, model)
    person.say(QUESTION)
    assert recalled(model).count("behind the blue barrel") == 1


# --- small things -------------------------------------------------------------------------------


def test_a_reply_never_waits_for_the_encoder_to_load() -> None:
    class Loading(Embedder):
        def embed(self, texts):  # type: ignore[no-untyped-def, override]
            raise AssertionError("somebody waits")

        def warm_up(self) -> None: ...

    embedder = Loading()
    embedder._installed = True
    assert embedder.at_hand(["a question"]) is None


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("What is my cat called?", "What is my cat called?"),
        ("It rained all day. My shoes are wet. What is my cat called?", "What is my cat called?"),
        ("비가 왔어. 신발이 젖었어. 고양이 이름이 뭐였지?", "고양이 이름이 뭐였지?"),
        ("It rained all day. My shoes are wet.", "It rained all day. My shoes are wet."),
    ],
)
def test_a_question_is_looked_up_without_what_stands_around_it(text: str, asked: str) -> None:
    assert asked_part(text) == asked


@pytest.mark.parametrize("text", ["Where is it?", "어디였지?", "Write me a plan for dinner", "저녁 메뉴 추천해줘"])
def test_questions_and_requests_ask_something(text: str) -> None:
    assert asks_something(text)


@pytest.mark.parametrize("text", ["I live in Busan.", "부산에 살아", "Thanks!", ""])
def test_statements_ask_nothing(text: str) -> None:
    assert not asks_something(text)


def test_of_a_long_message_the_part_is_quoted_that_the_question_is_about() -> None:
    long = "The weather was fine. " * 60 + "The boat house key hangs behind the barrel. " + "Soup again. " * 60
    quoted = excerpt(long, QUESTION, 60, count_tokens)
    assert "boat house key" in quoted
    assert quoted.startswith("… ")
    assert quoted.endswith(" …")
    assert count_tokens(quoted) <= 70


@pytest.mark.parametrize("text", ["x" * 50_000, "가" * 50_000, "\n\n\n", "a b c " * 20_000])
def test_an_excerpt_of_any_text_fits_and_ends(text: str) -> None:
    assert count_tokens(excerpt(text, QUESTION, 60, count_tokens)) <= 70
