"""Clocks that step back, a day that most years do not have, and ids that keep the order where times cannot."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from chatmem.domain import Refusal, Status
from chatmem.errors import ModelOverloaded
from chatmem.memory.exact.details import details
from chatmem.memory.summary import RETRY_DELAYS, may_try
from chatmem.search_terms import asked_dates, date_terms
from chatmem.store import Store
from tests.conftest import Clock, Person
from tests.scripted import ScriptedModel
from tests.stored import behind, execute
from tests.unit.test_facts import message
from tests.unit.test_fold import GOOD, check_invariant
from tests.unit.test_learning import another_chat, finds, learns_what_is_said, sent

BACK = timedelta(hours=-1)
NOW = datetime(2028, 2, 29, 12, tzinfo=UTC)


def set_to(clock: Clock, moment: datetime) -> None:
    clock.ahead = moment - datetime.now(UTC)


# --- the clock steps back ---------------------------------------------------------------------------------------


def test_a_chat_stays_in_order_and_whole_while_the_clock_steps_back_again_and_again(
    person: Person, clock: Clock
) -> None:
    for number in range(1, 21):
        clock.ahead += BACK
        person.say(f"K{number:02}")
        check_invariant(person)
    assert [m.text for m in person.messages if m.role == "user"] == [f"K{n:02}" for n in range(1, 21)]
    times = [m.created_at for m in person.messages]
    assert times != sorted(times)  # the clock did step back
    assert person.memory.head.version > 1


def test_a_failure_that_seems_to_lie_in_the_future_does_not_hold_folding_up(
    person: Person, model: ScriptedModel, clock: Clock
) -> None:
    model.answers["fold"] = ModelOverloaded()
    for number in range(1, 9):
        person.say(f"statement {number}")
    assert person.memory.head is None
    clock.ahead += BACK
    model.answers["fold"] = GOOD.format(text="all of it")
    person.say("later, on an earlier clock")
    assert person.memory.head.text == "Background: all of it"


@pytest.mark.parametrize("failures", range(1, len(RETRY_DELAYS) + 2))
@pytest.mark.parametrize("since", [timedelta(days=-400), timedelta(seconds=-1), timedelta(days=400)])
def test_the_pause_after_failures_ends_whatever_the_clock_does(failures: int, since: timedelta) -> None:
    assert may_try([Refusal("failed", NOW - since)] * failures, NOW)


def test_the_pause_after_failures_is_kept_where_the_clock_is_right() -> None:
    refusals = [Refusal("failed", NOW)] * 2
    assert not may_try(refusals, NOW + RETRY_DELAYS[1] - timedelta(seconds=1))
    assert may_try(refusals, NOW + RETRY_DELAYS[1])


def test_an_orphan_whose_heartbeat_seems_to_lie_in_the_future_is_interrupted_all_the_same(
    database_url: str,
) -> None:
    store = Store(database_url)
    owner = store.owners.enter("a" * 64, "browser")
    turn = store.turns.begin(owner.id, "c1", "d1", "hello", 1, "hello")
    execute(behind(database_url), "UPDATE messages SET heartbeat = heartbeat + 3600, text = 'so far'")
    # Its process may be alive and write again in a moment: it gets its thirty seconds, counted from now.
    assert store.turns.interrupt_stale() == 0
    execute(behind(database_url), "UPDATE messages SET heartbeat = heartbeat - 29")
    assert store.turns.interrupt_stale() == 0
    execute(behind(database_url), "UPDATE messages SET heartbeat = heartbeat - 3")
    assert store.turns.interrupt_stale() == 1
    reply = store.turns.message(owner.id, turn.reply.id)
    assert (reply.status, reply.text) == (Status.INTERRUPTED, "so far")


def test_of_two_statements_the_one_said_later_holds_though_the_clock_calls_it_earlier(
    person: Person, model: ScriptedModel, clock: Clock
) -> None:
    model.answers["extract"] = learns_what_is_said
    person.say("I live in Busan")
    clock.ahead += BACK
    person.say("I live in Seoul")
    model.answers["extract"] = finds()
    another_chat(person).say("Where do I live?")
    assert "Seoul" in sent(model)
    assert "Busan" not in sent(model)


def test_a_deleted_chat_is_purged_once_the_clock_is_right_again(person: Person, clock: Clock) -> None:
    person.say("about the garden")
    conversations = person.app.store.conversations
    conversations.hide(person.owner.id, person.chat_id)
    clock.ahead += BACK
    assert conversations.purge() == 0
    clock.ahead -= BACK
    clock.ahead += timedelta(seconds=11)
    assert conversations.purge() == 1


# --- 29 February ------------------------------------------------------------------------------------------------


def test_a_chat_held_on_a_leap_day_is_remembered_exported_and_expires_a_month_later(
    person: Person, model: ScriptedModel, clock: Clock
) -> None:
    person.prefer(preset="three_tiers")
    set_to(clock, NOW)
    for number in range(1, 10):
        person.say(f"statement {number}")
    head = person.memory.head
    assert head.created_at.date() == NOW.date()
    exported = person.app.archive.export(person.owner.id)
    assert b"2028-02-29T12:" in (exported if isinstance(exported, bytes) else exported.encode())

    set_to(clock, NOW + timedelta(days=29))
    person.say("before the month is over")
    expired = person.app.store.receipts.get(person.owner.id, person.messages[-1].id).context.expired
    assert not any("summary" in name for name in expired)
    set_to(clock, NOW + timedelta(days=70))
    person.say("long after it")
    expired = person.app.store.receipts.get(person.owner.id, person.messages[-1].id).context.expired
    assert any("summary" in name for name in expired)
    check_invariant(person)


@pytest.mark.parametrize(
    "text", ["The party is on 2028-02-29.", "Born on 29 February", "생일은 2월 29일이야", "2027-02-29"]
)
def test_the_day_is_a_date_in_both_languages_even_in_a_year_without_it(text: str) -> None:
    [detail] = details([message(1, text)])
    assert "29" in detail.what


@pytest.mark.parametrize(
    "question", ["What did we do on 29 February?", "2월 29일에 뭐 했어?", "What was on 2028-02-29?"]
)
def test_what_was_said_that_day_is_found_by_its_date(question: str) -> None:
    [asked], _ = asked_dates(question)
    assert asked.term in date_terms(NOW)
