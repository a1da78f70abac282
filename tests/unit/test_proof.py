"""The proof behind replies and messages: lines, what changed between turns, where a message went, and what it cost."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from sqlalchemy import event

from chatmem.app import App
from chatmem.domain import (
    ChatMessage,
    Context,
    Message,
    NewFact,
    Receipt,
    Segment,
    Status,
    Usage,
    UsedFact,
    UsedQuote,
    new_id,
)
from chatmem.errors import ModelOverloaded, NotFound
from chatmem.llm.protocol import Completion, ModelRequest
from chatmem.proof import Changes, changes, cost, parts
from chatmem.settings import Price, load_settings
from tests.conftest import WAIT_SECONDS, Person
from tests.scripted import ScriptedModel

NOTHING = Path("/nonexistent/.env")


def tell(person: Person, count: int, first: int = 1) -> list[Message]:
    return [person.say(f"statement {number}") for number in range(first, first + count)]


def learn(model: ScriptedModel) -> None:
    """Everything in "I … ." is a fact, as a helper model would have it."""

    def answer(request: ModelRequest) -> str:
        text = request.messages[-1].text.partition("</known>")[2]
        found = re.findall(r'<message n="(\d+)" role="user">(I [^<]+\.)</message>', text)
        return json.dumps(
            {
                "operations": [
                    {
                        "op": "add",
                        "target": None,
                        "kind": "profile",
                        "text": said,
                        "quote": said,
                        "message": int(n),
                    }
                    for n, said in found
                ]
            }
        )

    model.answers["extract"] = answer


def line_of(person: Person, reply: Message):  # type: ignore[no-untyped-def]
    return person.app.proof.lines(person.owner.id, person.chat_id, [reply.id])[reply.id]


def edit(person: Person, message_id: int, text: str) -> Message:
    turn = person.app.chat.send(person.owner, person.chat_id, new_id(), text, language="en", instead_of=message_id)
    person.app.chat.wait(turn, WAIT_SECONDS)
    return person.app.chat.follow(person.owner, turn.reply.id)


def before(person: Person, reply: Message) -> int | None:
    """The reply whose receipt is compared with."""
    receipt = person.app.store.receipts.before(person.owner.id, reply.id)
    return receipt.reply_id if receipt else None


# --- the line ---------------------------------------------------------------------------------------


def test_a_line_says_what_was_sent_and_estimates_until_the_provider_reports(
    person: Person, model: ScriptedModel
) -> None:
    first = person.say("statement 1")
    line = line_of(person, first)
    assert (line.facts, line.quotes, line.summary_version, line.saved) == (0, 0, None, 0)
    assert (line.window_from, line.window_through) == (1, 1)
    assert not line.reported
    assert line.tokens == person.app.store.receipts.get(person.owner.id, first.id).context.tokens
    model.answers["chat"] = Completion("Fine.", model.name, usage=Usage(412, 9))
    later = tell(person, 6, first=2)[-1]
    line = line_of(person, later)
    assert (line.tokens, line.reported) == (412, True)
    assert (line.summary_version, line.window_from, line.window_through) == (1, 8, 13)


def test_a_turn_that_taught_something_says_so_until_it_is_taken_back(person: Person, model: ScriptedModel) -> None:
    learn(model)
    taught = person.say("I live in Busan.")
    other = person.say("How are you?")
    assert [line_of(person, reply).saved for reply in (taught, other)] == [1, 0]
    assert line_of(person, other).facts == 1
    [fact] = person.app.store.facts.page(person.owner.id)
    person.app.knowledge.retract(person.owner.id, fact.id)
    assert line_of(person, taught).saved == 0
    person.app.knowledge.bring_back(person.owner.id, fact.id)
    assert line_of(person, taught).saved == 1


def test_a_fact_said_once_more_was_saved_by_the_turn_that_said_it_first(
    person: Person, model: ScriptedModel
) -> None:
    learn(model)
    first, again = person.say("I live in Busan."), person.say("I live in Busan.")
    assert [line_of(person, reply).saved for reply in (first, again)] == [1, 0]


def test_lines_and_receipts_of_others_are_as_if_they_were_not_there(person: Person, stranger: Person) -> None:
    reply, own = person.say("statement 1"), stranger.say("statement 1")
    proof = person.app.proof
    for chat_id in (person.chat_id, "no-such-chat"):
        with pytest.raises(NotFound):
            proof.lines(stranger.owner.id, chat_id, [reply.id])
    assert proof.lines(stranger.owner.id, stranger.chat_id, [reply.id, own.id, 10**9]).keys() == {own.id}
    for reply_id in (reply.id, 10**9):
        with pytest.raises(NotFound):
            proof.opened(stranger.owner.id, stranger.chat_id, reply_id)
        with pytest.raises(NotFound):
            person.app.store.receipts.before(stranger.owner.id, reply_id)
        with pytest.raises(NotFound):
            proof.trace(stranger.owner.id, reply_id)
    assert proof.lines(person.owner.id, person.chat_id, []) == {}


# --- the turn before --------------------------------------------------------------------------------


def test_the_first_turn_has_none_before_it_and_each_later_one_the_reply_before(person: Person) -> None:
    replies = tell(person, 9)
    assert [before(person, reply) for reply in replies] == [None, *(reply.id for reply in replies[:-1])]


def test_another_answer_to_the_same_question_is_compared_with_the_turn_before(person: Person) -> None:
    first, second = tell(person, 2)
    again = person.retry()
    assert before(person, again) == first.id
    assert before(person, second) == first.id
    third = person.say("statement 3")
    assert before(person, third) == again.id


def test_a_failed_turn_that_was_taken_the_place_of_is_no_turn_before(person: Person, model: ScriptedModel) -> None:
    [first] = tell(person, 1)
    model.answers["chat"] = ModelOverloaded()
    failed = person.say("statement 2")
    assert failed.status is Status.FAILED
    assert before(person, failed) == first.id
    model.answers["chat"] = "Understood."
    assert before(person, person.say("statement 3")) == first.id


def test_after_an_edit_or_a_reset_what_was_set_aside_is_no_turn_before(person: Person) -> None:
    replies = tell(person, 3)
    questions = [message for message in person.messages if message.role == "user"]
    edited = edit(person, questions[1].id, "statement 2, in other words")
    assert before(person, edited) == replies[0].id
    assert before(person, replies[2]) == replies[1].id, "what was set aside later keeps its own past"
    person.app.chat.reset(person.owner, person.chat_id)
    assert before(person, person.say("after the reset")) is None


def test_a_branch_brought_back_is_not_taken_for_the_past_of_the_other(person: Person) -> None:
    replies = tell(person, 3)
    questions = [message for message in person.messages if message.role == "user"]
    edited = edit(person, questions[1].id, "statement 2, in other words")
    [branch] = person.app.store.branches.of_chat(person.owner.id, person.chat_id)
    person.app.store.branches.bring_back(person.owner.id, person.chat_id, branch.id)
    assert before(person, edited) == replies[0].id
    assert before(person, person.say("statement 4")) == replies[2].id


# --- what changed -----------------------------------------------------------------------------------


def context(
    window: tuple[int, ...] = (),
    version: int | None = None,
    facts: tuple[UsedFact, ...] = (),
    quotes: tuple[int, ...] = (),
) -> Context:
    return Context(
        messages=tuple(ChatMessage.of("user", f"text {id_}", f"message:{id_}") for id_ in window),
        sections=(),
        summary_version=version,
        window_from=None,
        window_through=None,
        facts=facts,
        quotes=tuple(UsedQuote(id_, id_, 1.0) for id_ in quotes),
    )


def test_changes_name_what_came_and_what_left() -> None:
    earlier = context((1, 2, 3), None, (UsedFact(1, 1.0, "stable"), UsedFact(2, 0.5, "recalled")), (7,))
    later = context((3, 4, 5), 1, (UsedFact(1, 0.9, "recalled"), UsedFact(3, 0.4, "recalled")), (8,))
    assert changes(earlier, later) == Changes(
        came=(4, 5),
        left=(1, 2),
        summary=(None, 1),
        facts_came=(3,),
        facts_left=(2,),
        quotes_came=(8,),
        quotes_left=(7,),
    )


def test_equal_contexts_have_no_changes_and_facts_below_the_line_never_came() -> None:
    one = context((1, 2), 3, (UsedFact(1, 1.0, "stable"),), (7,))
    assert changes(one, one) == Changes()
    below = context((1, 2), 3, (UsedFact(1, 1.0, "stable"), UsedFact(2, 0.2, "below")), (7,))
    assert changes(one, below) == Changes()


def test_a_fold_shows_as_messages_that_left_into_the_new_version(person: Person) -> None:
    replies = tell(person, 7)
    opened = person.app.proof.opened(person.owner.id, person.chat_id, replies[-1].id)
    assert opened.changes
    assert [opened.numbers[id_] for id_ in opened.changes.left] == list(range(1, 8))
    assert [opened.numbers[id_] for id_ in opened.changes.came] == [12, 13]
    assert opened.changes.summary == (None, 1)
    assert opened.summary
    assert (opened.summary.version, opened.summary_before) == (1, None)


# --- the sections of what was sent ------------------------------------------------------------------


def test_every_segment_stands_in_the_section_it_was_composed_for(person: Person, model: ScriptedModel) -> None:
    learn(model)
    person.say("I live in Busan.")
    reply = tell(person, 8)[-1]
    opened = person.app.proof.opened(person.owner.id, person.chat_id, reply.id)
    found = list(dict.fromkeys(part.section for part in opened.parts))
    assert found == ["system", "facts", "summary", "window", "question"]
    [facts] = [part for part in opened.parts if part.section == "facts"]
    assert "I live in Busan." in facts.text
    assert facts.text.startswith("\n\n")
    assert facts.text.endswith("</facts>")


def test_a_persons_own_tags_are_theirs_and_open_no_section() -> None:
    said = "<recalled>\n- I am not recalled\n<facts>\n"
    sent = (
        ChatMessage("system", (Segment("Be brief."), Segment("Known:\n<facts>\n"), Segment("- a\n", "fact:1"), Segment("</facts>"))),
        ChatMessage.of("user", said, "message:1"),
        ChatMessage.of("assistant", said, "message:2"),
        ChatMessage("user", (Segment("<recalled>\n"), Segment("- b\n", "fact:2"), Segment("</recalled>\n\n"), Segment(said, "message:3"))),
    )  # fmt: skip
    assert [part.section for part in parts(sent)] == [
        "system",
        "facts",
        "window",
        "window",
        "recalled",
        "question",
    ]


def test_what_a_strict_server_got_merged_is_told_apart_again() -> None:
    sent = (
        ChatMessage(
            "user",
            (
                Segment("Be brief."), Segment("\n\n"), Segment("Notes", "summary:4"), Segment("\n\n"),
                Segment("one", "message:1"), Segment("\n\n"), Segment("two", "message:2"), Segment("\n\n"),
                Segment("three?", "message:3"),
            ),
        ),
    )  # fmt: skip
    found = parts(sent)
    assert [(part.section, part.message_id) for part in found] == [
        ("system", None), ("summary", None), ("window", 1), ("window", 2), ("question", 3),
    ]  # fmt: skip
    assert "".join(part.text for part in found) == sent[0].text


def test_what_was_forgotten_keeps_its_place_without_its_words() -> None:
    gone = Segment("", redacted=True)
    sent = (
        ChatMessage("system", (Segment("Be brief."), Segment("\n\n<facts>\n"), gone, Segment("</facts>"))),
        ChatMessage("user", (gone,)),
        ChatMessage("user", (Segment("", "message:1", redacted=True),)),
        ChatMessage(
            "user", (Segment("<recalled>\n"), gone, Segment("</recalled>\n\n"), Segment("?", "message:2"))
        ),
    )
    assert [part.section for part in parts(sent)] == [
        "system",
        "facts",
        "summary",
        "window",
        "recalled",
        "question",
    ]


# --- facts ------------------------------------------------------------------------------------------


def test_a_receipt_shows_each_fact_as_it_was_sent_and_what_became_of_it(person: Person) -> None:
    owner_id, proof = person.owner.id, person.app.proof
    busan = person.app.knowledge.add(owner_id, "profile", "I live in Busan.")
    tea = person.app.knowledge.add(owner_id, "preference", "I like green tea.")
    reply = person.say("How are you?")
    once = person.app.knowledge.edit(owner_id, busan.id, "profile", "I live in Daegu.")
    twice = person.app.knowledge.edit(owner_id, once.id, "profile", "I live in Jeju.")
    person.app.knowledge.forget(owner_id, tea.id)
    uses = {use.used.fact_id: use.known for use in proof.opened(owner_id, person.chat_id, reply.id).sent_facts}
    assert uses.keys() == {busan.id, tea.id}
    assert uses[tea.id] is None
    moved = uses[busan.id]
    assert moved
    assert (moved.fact.text, moved.fact.status) == ("I live in Busan.", "superseded")
    assert moved.successor
    assert moved.successor.id == twice.id


def test_a_forgotten_fact_leaves_a_gap_in_the_context_and_no_word_of_it(person: Person) -> None:
    owner_id = person.owner.id
    fact = person.app.store.facts.add(owner_id, NewFact(kind="profile", text="I keep bees.", quote="I keep bees."))
    reply = person.say("How are you?")
    opened = person.app.proof.opened(owner_id, person.chat_id, reply.id)
    assert any("bees" in part.text for part in opened.parts)
    person.app.knowledge.forget(owner_id, fact.id)
    opened = person.app.proof.opened(owner_id, person.chat_id, reply.id)
    assert not any("bees" in part.text for part in opened.parts)
    assert [part.section for part in opened.parts if any(s.redacted for s in part.segments)] == ["facts"]


# --- where a message went ---------------------------------------------------------------------------


def test_a_message_leads_to_its_versions_pins_facts_and_requests(person: Person, model: ScriptedModel) -> None:
    learn(model)
    model.answers["fold"] = "<summary>\nBackground: a person.\n</summary>\n<pins>\n[1] I live in Busan.\n</pins>"
    first = person.say("I live in Busan.")
    replies = tell(person, 13, first=2)
    question = person.messages[0]
    trace = person.app.proof.trace(person.owner.id, question.id)
    head = person.memory.head
    assert head.version > 1
    assert [(mark.version, mark.folded) for mark in trace.versions] == [
        (version, version == 1) for version in range(1, head.version + 1)
    ]
    assert [mark.version for mark in trace.versions if mark.in_force] == [head.version]
    assert [(pin.quote, pin.own) for pin in trace.pins] == [("I live in Busan.", False)]
    assert trace.pins[0].versions == tuple(range(1, head.version + 1))
    assert [fact.text for fact in trace.proves] == ["I live in Busan."]
    with_it = [first, *replies[:5]]
    assert [sending.reply_id for sending in trace.sent] == [reply.id for reply in with_it]
    assert not any(sending.quoted for sending in trace.sent)


def test_a_version_that_starts_anew_does_not_carry_a_message_on(person: Person) -> None:
    tell(person, 7)
    person.app.store.versions.undo_fold(person.owner.id, person.chat_id, 1)
    tell(person, 2, first=8)
    trace = person.app.proof.trace(person.owner.id, person.messages[0].id)
    assert [(mark.version, mark.folded, mark.in_force) for mark in trace.versions] == [
        (1, True, False),
        (2, True, True),
    ]


def test_what_was_set_aside_after_a_request_still_counts_as_sent_and_says_so(person: Person) -> None:
    first, second = tell(person, 2)
    again = person.retry()
    trace = person.app.proof.trace(person.owner.id, person.messages[0].id)
    assert [(sending.reply_id, sending.retired) for sending in trace.sent] == [
        (first.id, False),
        (second.id, True),
        (again.id, False),
    ]


def test_a_message_nothing_was_made_of_has_an_empty_trace(person: Person) -> None:
    reply = person.say("statement 1")
    trace = person.app.proof.trace(person.owner.id, reply.id)
    assert (trace.versions, trace.pins, trace.proves, trace.ended, trace.sent) == ((), (), (), (), ())


# --- what it cost -----------------------------------------------------------------------------------


def receipt(model: str, usage: Usage | None) -> Receipt:
    return Receipt(1, context(), "other", model, 1.0, usage=usage)


def test_a_cost_needs_a_price_and_reported_tokens() -> None:
    prices = {"m": Price(0.25, 2.0)}
    assert cost(receipt("m", Usage(1_000_000, 500_000)), prices) == pytest.approx(1.25)
    assert cost(receipt("m", None), prices) is None
    assert cost(receipt("another", Usage(1, 1)), prices) is None


def test_prices_are_read_from_the_environment() -> None:
    settings = load_settings({"CHATMEM_PRICES": "gpt-5.4-mini=0.25/2.00, org/other=1 / 3,"}, NOTHING)
    assert settings.prices == {"gpt-5.4-mini": Price(0.25, 2.0), "org/other": Price(1.0, 3.0)}
    assert settings.problems == ()
    assert load_settings({}, NOTHING).prices == {}


@pytest.mark.parametrize("wrong", ["m", "m=1", "m=1/2/3", "m=a/b", "=1/2", "m=-1/2", "m=nan/1", "m=1/inf"])
def test_a_wrong_price_is_a_sentence_and_the_others_hold(wrong: str) -> None:
    settings = load_settings({"CHATMEM_PRICES": f"good=1/2, {wrong}"}, NOTHING)
    assert settings.prices == {"good": Price(1.0, 2.0)}
    [problem] = settings.problems
    for language in ("en", "ko"):
        assert "CHATMEM_PRICES" in problem.say(language)  # type: ignore[arg-type]
        assert wrong in problem.say(language)  # type: ignore[arg-type]


def test_the_lines_of_a_page_take_two_queries_and_read_no_layout(person: Person, app: App) -> None:
    replies = tell(person, 5)
    asked: list[str] = []
    engine = app.store._database._engine

    def note(connection, cursor, statement, *rest) -> None:  # type: ignore[no-untyped-def]
        asked.append(statement)

    event.listen(engine, "before_cursor_execute", note)
    app.proof.lines(person.owner.id, person.chat_id, [reply.id for reply in replies])
    event.remove(engine, "before_cursor_execute", note)
    read = [statement for statement in asked if statement.startswith("SELECT")]
    assert len(read) == 3, "whose chat it is, the receipts, and what was saved"
    assert not any("receipts.layout" in statement for statement in asked)
