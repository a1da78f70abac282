"""Time goes backwards, a leap day comes, and people live in different zones: nothing rests on any of it."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone

import pytest

from chatmem.app import App
from chatmem.domain import Message, Refusal, Status
from chatmem.errors import ModelOverloaded
from chatmem.memory.exact.dates import weekday_dates
from chatmem.memory.loss import details, survives
from chatmem.memory.summary import RETRY_DELAYS, may_try
from chatmem.search_terms import asked_dates, date_terms
from chatmem.store import Store
from tests.conftest import Clock, Person
from tests.scripted import ScriptedModel
from tests.stored import behind, execute
from tests.unit.test_fold import check_invariant

HOUR = timedelta(hours=1)
NOW = datetime(2028, 2, 29, 12, tzinfo=UTC)


def set_to(clock: Clock, moment: datetime) -> None:
    clock.ahead = moment - datetime.now(UTC)


# --- backwards ----------------------------------------------------------------------------------


def test_messages_keep_their_order_when_the_clock_goes_back_between_them(person: Person, clock: Clock) -> None:
    for number in range(16):
        person.say(f"statement {number}")
        clock.ahead -= HOUR
        check_invariant(person)
    assert [m.text for m in person.messages if m.role == "user"] == [f"statement {n}" for n in range(16)]
    assert person.memory.covered > 0


def test_a_chat_of_three_tiers_does_not_expire_when_the_clock_goes_back(
    person: Person, clock: Clock, model: ScriptedModel
) -> None:
    person.prefer(preset="three_tiers")
    person.say("my dog is called Bello")
    clock.ahead -= timedelta(days=400)
    person.say("what is my dog called?")
    assert "my dog is called Bello" in [message.text for message in model.asked("chat")[-1].messages]
    assert person.memory.head is None


def test_a_fold_that_failed_before_the_clock_went_back_is_tried_again_at_once(
    person: Person, clock: Clock, model: ScriptedModel
) -> None:
    """Else it would wait for as long as the clock went back."""
    summary = model.answers["fold"]
    model.answers["fold"] = ModelOverloaded()
    for number in range(9):  # several attempts, so that the next one is minutes away
        person.say(f"statement {number}")
        clock.ahead += timedelta(minutes=10)
    model.answers["fold"] = summary
    clock.ahead -= timedelta(days=1)
    person.say("one more")
    assert person.memory.covered > 0
    check_invariant(person)


def test_facts_are_learned_though_the_clock_went_back_after_a_failure(
    person: Person, clock: Clock, model: ScriptedModel
) -> None:
    model.answers["extract"] = ModelOverloaded()
    person.say("I keep bees")
    person.say("They live in the garden")
    clock.ahead -= timedelta(days=1)
    model.answers["extract"] = (
        '{"operations": [{"op": "add", "kind": "fact", "text": "Keeps bees", "quote": "I keep bees", "message": 1,'
        ' "target": null}]}'
    )
    person.say("And they like clover")
    assert person.app.store.facts.texts(person.owner.id, 10) == ["Keeps bees"]


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


def test_what_was_deleted_or_reset_can_be_undone_when_the_clock_goes_back(person: Person, clock: Clock) -> None:
    person.say("first")
    conversations, owner_id = person.app.store.conversations, person.owner.id
    conversations.hide(owner_id, person.chat_id)
    clock.ahead -= HOUR
    assert conversations.purge() == 0
    conversations.unhide(owner_id, person.chat_id)
    person.app.chat.reset(person.owner, person.chat_id)
    clock.ahead -= HOUR
    person.app.store.memory.undo_reset(owner_id, person.chat_id)
    assert len(person.live()) == 2


def test_the_newest_word_holds_though_the_clock_went_back(
    person: Person, clock: Clock, model: ScriptedModel
) -> None:
    def learns(op: str, text: str, message: int, target: str = "null") -> str:
        return (
            f'{{"operations": [{{"op": "{op}", "kind": "profile", "text": "{text}", "quote": "{text}",'
            f' "message": {message}, "target": {target}}}]}}'
        )

    model.answers["extract"] = learns("add", "I live in Busan", 1)
    person.say("I live in Busan")
    clock.ahead -= timedelta(days=1)
    model.answers["extract"] = learns("supersede", "I live in Seoul", 3, "1")
    person.say("I live in Seoul")
    assert person.app.store.facts.texts(person.owner.id, 10) == ["I live in Seoul"]


# --- the day's share ----------------------------------------------------------------------------


def test_the_share_of_a_day_begins_anew_at_midnight_and_is_not_given_twice(app: App, clock: Clock) -> None:
    owners = app.store.owners
    owner_id = owners.enter("a" * 64, "browser").id
    set_to(clock, datetime(2028, 2, 28, 23, 59, tzinfo=UTC))
    owners.spend(owner_id, 70)
    for day, spent in ((29, 0), (28, 70)):  # over midnight, and back
        set_to(clock, datetime(2028, 2, day, 12, tzinfo=UTC))
        assert owners.spent_today(owner_id) == spent


@pytest.mark.parametrize("hours", [14, 9, -11])
def test_the_day_of_a_share_is_the_same_wherever_the_server_stands(
    app: App, clock: Clock, monkeypatch: pytest.MonkeyPatch, hours: int
) -> None:
    owners = app.store.owners
    owner_id = owners.enter("a" * 64, "browser").id
    set_to(clock, datetime(2028, 2, 29, 23, 30, tzinfo=UTC))
    owners.spend(owner_id, 5)
    there = timezone(timedelta(hours=hours))
    monkeypatch.setattr(app.store._database, "now", lambda: clock().astimezone(there))
    assert owners.spent_today(owner_id) == 5


# --- a leap day ---------------------------------------------------------------------------------


def test_a_chat_begun_on_a_leap_day_folds_and_expires_like_any(person: Person, clock: Clock) -> None:
    set_to(clock, datetime(2028, 2, 29, 12, tzinfo=UTC))
    person.prefer(preset="three_tiers")
    for number in range(9):
        person.say(f"statement {number}")
    head = person.memory.head
    assert head
    set_to(clock, datetime(2028, 3, 30, 11, tzinfo=UTC))  # 29 days and 23 hours
    person.say("in a month")
    assert person.memory.head.parent_id == head.id
    check_invariant(person)
    set_to(clock, datetime(2029, 2, 28, 12, tzinfo=UTC))  # the year after has no such day
    person.say("in a year")
    check_invariant(person)
    assert f"{head.created_at:%Y-%m-%d}" == "2028-02-29"


def test_a_leap_day_is_exported_and_imported(person: Person, stranger: Person, clock: Clock) -> None:
    set_to(clock, datetime(2028, 2, 29, 23, 59, 59, tzinfo=UTC))
    person.say("only every four years")
    file = person.app.archive.export(person.owner.id)
    assert "2028-02-29T23:59:59" in file
    set_to(clock, datetime(2029, 2, 28, tzinfo=UTC))
    person.app.archive.import_(stranger.owner.id, file)
    assert person.app.archive.export(stranger.owner.id) == file


def test_a_weekday_around_a_leap_day_means_the_right_dates() -> None:
    leap_day = date(2028, 2, 29)  # a Tuesday
    assert weekday_dates(4, leap_day) == (date(2028, 3, 3), date(2028, 3, 10), date(2028, 3, 17))
    assert weekday_dates(1, date(2028, 3, 2))[0] == leap_day
    assert weekday_dates(1, date(2027, 3, 2))[0] == date(2027, 3, 2)


@pytest.mark.parametrize(
    ("written", "held"),
    [
        ("the hall is booked for 29 February 2028", "hall: 2028-02-29"),
        ("the hall is booked for February 29", "hall: 29 Feb."),
        ("강당은 2028년 2월 29일로 잡았어", "강당: 2028-02-29"),
    ],
)
def test_a_leap_day_in_a_message_is_a_date_like_any(written: str, held: str) -> None:
    moment = datetime(2028, 2, 29, tzinfo=UTC)
    said = Message(1, 1, "user", written, Status.COMPLETE, moment, tokens=9)
    (detail,) = [detail for detail in details([said]) if detail.kind == "date"]
    assert survives(detail, [held])
    assert not survives(detail, [held.replace("29", "27")])


@pytest.mark.parametrize(
    "question", ["What did we do on 29 February?", "2월 29일에 뭐 했어?", "What was on 2028-02-29?"]
)
def test_what_was_said_that_day_is_found_by_its_date(question: str) -> None:
    [asked], _ = asked_dates(question)
    assert asked.term in date_terms(NOW)
