"""Forgetting with proof: gone from every place, down to the bytes of the files, and nothing else with it."""

from __future__ import annotations

import json
import threading

import pytest

from chatmem.app import App
from chatmem.domain import Status
from chatmem.errors import ModelOverloaded, NotFound
from chatmem.llm.protocol import ModelRequest
from chatmem.search_terms import terms
from tests.conftest import Person
from tests.scripted import ScriptedModel
from tests.stored import Database, behind, everything_stored, file_of
from tests.unit.test_fold import check_invariant
from tests.unit.test_learning import finds, live

SECRETS = ("앵무새호텔", "Quetzalcoatl", "KX-8041726395")
"""Ten digits: of five, one number in 140 stands somewhere in a server's rows by chance, in hashes written as hex."""
SENTENCE = "나는 앵무새호텔에 묵고 Quetzalcoatl 방의 열쇠는 KX-8041726395이야"


def in_files(database: Database) -> set[str]:
    """Which of the secret words stand in the database's files (on a server: in its rows): as UTF-8, as \\u
    escapes, as search terms."""
    if isinstance(database, str):
        data = everything_stored(database).encode()
    else:
        data = b"".join(file.read_bytes() for file in database.parent.glob(database.name + "*"))
    data = data.lower()
    found = set()
    for word in SECRETS:
        forms = {word.lower(), json.dumps(word)[1:-1].lower(), *telling(word)}
        if any(form.encode() in data for form in forms):
            found.add(word)
    return found


def telling(word: str) -> list[str]:
    """Its search terms, less those so short that any bytes hold them by chance."""
    return [term for term in terms(word) if len(term.encode()) > 4]


def parrot(request: ModelRequest) -> str:
    """Repeats the question, as models do."""
    return f"You said: {request.messages[-1].segments[-1].text}"


def gossip(model: ScriptedModel) -> None:
    """A model that spreads what it hears to every place there is."""
    model.answers["chat"] = parrot
    model.answers["title"] = SENTENCE[:40]
    model.answers["extract"] = lambda request: finds(
        *(
            {"text": SENTENCE, "message": 1, "kind": "profile"}
            for _ in range(1)
            if SENTENCE in request.messages[1].text
        )
    )
    model.answers["fold"] = f"<summary>\n배경: {SENTENCE}\n</summary>\n<pins>\n[1] {SENTENCE}\n</pins>"


def told(person: Person, model: ScriptedModel) -> None:
    """The secret in a message, its reply, a fact, two summaries with a pin, receipts, titles and a refusal."""
    gossip(model)
    person.language = "ko"
    person.say(SENTENCE)
    for number in range(2, 12):
        person.say(f"문장 {number}")
    person.app.background.wait(20)
    assert len(person.app.store.versions.numbers(person.owner.id, person.chat_id)) >= 2
    other = Person(person.app, person.owner)
    other.say("앵무새호텔 열쇠가 뭐였지?")


def forget_message(person: Person, number: int = 1):  # type: ignore[no-untyped-def]
    plan = person.app.forgetting.of_message(person.owner.id, person.message(number).id)
    everything = [found.place.message.id for found in plan.messages]
    return person.app.forgetting.forget(person.owner, plan, everything, [fact.id for fact in plan.mentions])


def test_after_forgetting_a_message_no_file_holds_its_words(
    person: Person, model: ScriptedModel, database_url: str
) -> None:
    database = behind(database_url)
    told(person, model)
    assert in_files(database) == set(SECRETS)  # else this test could not fail
    outcome = forget_message(person)
    assert outcome.scrubbed
    assert outcome.probe.is_clean
    assert in_files(database) == set()
    check_invariant(person)


def test_after_forgetting_a_fact_no_file_holds_its_words(
    person: Person, model: ScriptedModel, database_url: str
) -> None:
    database = behind(database_url)
    told(person, model)
    (fact,) = person.app.store.facts.page(person.owner.id)
    plan = person.app.forgetting.of_fact(person.owner.id, fact.id)
    assert {found.why for found in plan.messages} >= {"source", "answer"}
    outcome = person.app.forgetting.forget(person.owner, plan, [found.place.message.id for found in plan.messages])
    assert outcome.probe.is_clean
    assert live(person) == []
    assert in_files(database) == set()


def test_after_deleting_a_chat_with_its_facts_no_file_holds_its_words(
    app: App, person: Person, model: ScriptedModel, database_url: str
) -> None:
    from datetime import timedelta

    database = behind(database_url)
    gossip(model)
    person.say(SENTENCE)
    for number in range(2, 9):
        person.say(f"sentence {number}")
    app.background.wait(20)
    assert app.store.conversations.learned_in(person.owner.id, person.chat_id) == 1
    app.store.conversations.hide(person.owner.id, person.chat_id, with_facts=True)
    assert app.store.conversations.purge(timedelta(0)) == 1
    assert app.forgetting.scrub()
    assert in_files(database) == set()
    assert live(person) == []


def test_a_deleted_chat_leaves_its_facts_unless_told_otherwise(
    app: App, person: Person, model: ScriptedModel
) -> None:
    from datetime import timedelta

    gossip(model)
    person.say(SENTENCE)
    app.background.wait(20)
    app.store.conversations.hide(person.owner.id, person.chat_id)
    app.store.conversations.purge(timedelta(0))
    assert live(person) == [SENTENCE]


def test_forgetting_everything_leaves_nothing_but_the_owner(
    person: Person, stranger: Person, model: ScriptedModel, database_url: str
) -> None:
    database = behind(database_url)
    stranger.say("mine stays")
    told(person, model)
    person.prefer(preset="classic")
    assert person.app.forgetting.forget_everything(person.owner)
    assert in_files(database) == set()
    assert person.app.store.conversations.recent(person.owner.id) == []
    assert person.app.store.owners.get(person.owner.id).preferences == {}
    assert next(message.text for message in stranger.messages) == "mine stays"


def test_a_forgotten_message_keeps_its_place_and_nothing_is_sent_of_it(
    person: Person, model: ScriptedModel
) -> None:
    told(person, model)
    forget_message(person)
    message = person.message(1)
    assert (message.text, message.live, message.forgotten_at is not None) == ("", False, True)
    person.say("무슨 얘기를 했지?")
    sent = "".join(m.text for m in model.asked("chat")[-1].messages)
    assert not any(word in sent for word in SECRETS)


def test_versions_that_covered_it_are_suspended_and_made_again(person: Person, model: ScriptedModel) -> None:
    told(person, model)
    model.answers["fold"] = "<summary>\n배경: 문장을 여러 개 말했다\n</summary>"
    forget_message(person)
    assert person.memory.head is None
    assert person.app.chat.fold_now(person.owner, person.chat_id, language="ko")
    person.app.background.wait(20)
    head = person.memory.head
    assert head is not None
    assert head.covers_through > 7
    versions = person.app.store.versions.page(person.owner.id, person.chat_id)
    assert all(v.suspended_at and not v.text and not v.pins for v in versions if v.id != head.id)
    check_invariant(person)


def test_receipts_say_what_is_missing(person: Person, model: ScriptedModel) -> None:
    told(person, model)
    reply = person.message(4)
    before = person.app.store.receipts.get(person.owner.id, reply.id).context
    assert not any(segment.redacted for m in before.messages for segment in m.segments)
    forget_message(person)
    after = person.app.store.receipts.get(person.owner.id, reply.id).context
    assert [m.role for m in after.messages] == [m.role for m in before.messages]
    redacted = [segment for m in after.messages for segment in m.segments if segment.redacted]
    assert redacted
    assert all(segment.text == "" for segment in redacted)


def test_the_same_words_said_again_do_not_come_back_into_old_receipts(
    person: Person, model: ScriptedModel
) -> None:
    gossip(model)
    person.say(SENTENCE)
    person.app.background.wait(20)
    reply = person.say("그게 뭐였지?")
    (fact,) = person.app.store.facts.page(person.owner.id)
    assert SENTENCE in person.app.store.receipts.get(person.owner.id, reply.id).context.messages[0].text
    person.app.knowledge.forget(person.owner.id, fact.id)
    person.app.knowledge.add(person.owner.id, "fact", SENTENCE)
    person.say("그리고?")
    old = person.app.store.receipts.get(person.owner.id, reply.id).context.messages[0]
    assert SENTENCE not in old.text
    assert any(segment.redacted for segment in old.segments)


def test_other_messages_of_the_person_are_shown_and_stay_unless_chosen(
    person: Person, model: ScriptedModel
) -> None:
    person.say("My parrot is called Quetzalcoatl")
    person.say("What does Quetzalcoatl eat?")
    plan = person.app.forgetting.of_message(person.owner.id, person.message(1).id)
    (mention,) = [found for found in plan.messages if found.why == "mentions"]
    assert mention.place.message.number == 3
    assert not mention.chosen
    outcome = person.app.forgetting.forget(person.owner, plan, plan.chosen)
    assert [place.message.number for place in outcome.probe.messages] == [3]
    assert person.message(3).text == "What does Quetzalcoatl eat?"


def test_replies_that_do_not_repeat_it_stay(person: Person) -> None:
    person.say("My parrot is called Quetzalcoatl")
    person.say("And the weather?")
    forget_message(person)
    assert [m.text for m in person.live()] == ["Understood.", "And the weather?", "Understood."]


def test_a_common_word_is_no_mark(person: Person, model: ScriptedModel) -> None:
    model.answers["chat"] = "A garden answer about the garden."
    for number in range(15):
        person.say(f"garden question {number}")
    person.say("the garden gate code is 90417")
    plan = person.app.forgetting.of_message(person.owner.id, person.message(31).id)
    assert "garden" not in plan.marks
    assert "90417" in plan.marks
    assert len(plan.messages) <= 2


def test_a_fact_known_from_elsewhere_too_stays(person: Person, model: ScriptedModel) -> None:
    from tests.unit.test_learning import learns_what_is_said

    model.answers["extract"] = learns_what_is_said
    person.say("I love tea")
    other = Person(person.app, person.owner)
    other.say("I love tea")
    person.app.background.wait(20)
    plan = person.app.forgetting.of_message(person.owner.id, person.message(1).id)
    assert plan.traces.facts == ()
    person.app.forgetting.forget(person.owner, plan, [person.message(1).id])
    assert live(person) == ["I love tea"]


def test_forgetting_while_a_reply_uses_it_stops_the_reply(person: Person, model: ScriptedModel) -> None:
    gossip(model)
    person.say(SENTENCE)
    person.app.background.wait(20)
    model.gate = threading.Event()
    model.answers["chat"] = f"{SENTENCE}, as you said, and more of it"
    turn = person.send("그게 뭐였지?")
    while not person.app.chat.follow(person.owner, turn.reply.id).text:
        pass
    outcome = forget_message(person)
    model.gate.set()
    person.app.generations.wait(turn.reply.id, 20)
    reply = person.app.chat.follow(person.owner, turn.reply.id)
    assert reply.status is Status.STOPPED
    assert outcome.probe.is_clean
    assert not any(word in reply.text for word in SECRETS)


def test_what_was_being_learned_or_summarised_from_it_is_thrown_away(
    person: Person, model: ScriptedModel, database_url: str
) -> None:
    database = behind(database_url)
    asked, go_on = threading.Event(), threading.Event()

    def slowly(answer: str):  # type: ignore[no-untyped-def]
        def answered(_: object) -> str:
            asked.set()
            go_on.wait(20)
            return answer

        return answered

    model.answers["extract"] = slowly(finds({"text": SENTENCE, "message": 1}))
    model.answers["title"] = slowly(SENTENCE)
    turn = person.send(SENTENCE)
    person.app.generations.wait(turn.reply.id, 20)
    assert asked.wait(20)
    forget_message(person)
    go_on.set()
    person.app.background.wait(20)
    assert live(person) == []
    person.app.forgetting.scrub()
    assert in_files(database) == set()


def test_a_refused_summary_that_arrives_late_is_not_kept(
    person: Person, model: ScriptedModel, database_url: str
) -> None:
    database = behind(database_url)
    model.answers["fold"] = f"BANANA {SENTENCE}"
    person.say(SENTENCE)
    for number in range(2, 7):
        person.say(f"sentence {number}")
    person.app.background.wait(20)
    assert in_files(database) == set(SECRETS)
    forget_message(person)
    assert in_files(database) == set()


def test_while_somebody_reads_an_older_state_it_is_pending_and_tried_again(
    person: Person, model: ScriptedModel, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    import sqlite3
    import time

    from chatmem import forgetting

    monkeypatch.setattr(forgetting, "SCRUB_AGAIN_SECONDS", (0.05,) * 100)
    database = file_of(database_url)
    person.say(SENTENCE)
    reader = sqlite3.connect(database)
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM messages").fetchone()
    outcome = forget_message(person)
    assert not outcome.scrubbed
    assert person.app.forgetting.pending
    reader.rollback()
    reader.close()
    until = time.monotonic() + 20
    while person.app.forgetting.pending and time.monotonic() < until:
        time.sleep(0.02)
    assert not person.app.forgetting.pending
    assert in_files(database) == set()


def test_a_forgotten_message_does_not_come_back_with_its_branch_or_a_reset(person: Person) -> None:
    person.say("one")
    person.say("the word is Quetzalcoatl")
    branch = person.app.store.branches.delete_from(person.owner.id, person.chat_id, person.message(3).id)
    forget_message(person, 3)
    person.app.store.branches.bring_back(person.owner.id, person.chat_id, branch.id)
    assert [m.text for m in person.live()] == ["one", "Understood.", "Understood."]
    person.app.chat.reset(person.owner, person.chat_id)
    forget_message(person, 1)
    person.app.store.memory.undo_reset(person.owner.id, person.chat_id)
    assert [m.text for m in person.live()] == ["Understood.", "Understood."]
    check_invariant(person)


def test_a_branch_that_grew_from_a_forgotten_message_can_still_come_back(person: Person) -> None:
    for word in ("one", "two", "three"):
        person.say(word)
    person.edit(person.message(5), "three b")
    (branch,) = person.app.store.branches.of_chat(person.owner.id, person.chat_id)
    assert branch.after_number == 4
    plan = person.app.forgetting.of_message(person.owner.id, person.message(4).id)
    person.app.forgetting.forget(person.owner, plan, [person.message(4).id])
    (branch,) = person.app.store.branches.of_chat(person.owner.id, person.chat_id)
    person.app.store.branches.bring_back(person.owner.id, person.chat_id, branch.id)
    assert [m.text for m in person.live()] == ["one", "Understood.", "two", "three", "Understood."]


def test_strangers_forget_nothing_and_learn_nothing(person: Person, stranger: Person) -> None:
    person.say(SENTENCE)
    forgetting = person.app.forgetting
    plan = forgetting.of_message(person.owner.id, person.message(1).id)
    for act in (
        lambda: forgetting.of_message(stranger.owner.id, person.message(1).id),
        lambda: forgetting.forget(stranger.owner, plan, plan.chosen),
        lambda: forgetting.of_message(stranger.owner.id, 10**9),
    ):
        with pytest.raises(NotFound):
            act()
    assert forgetting.probe(stranger.owner.id, plan.marks).is_clean
    assert person.message(1).text == SENTENCE


def test_one_foreign_id_among_many_forgets_nothing(person: Person, stranger: Person) -> None:
    person.say("one")
    stranger.say("theirs")
    plan = person.app.forgetting.of_message(person.owner.id, person.message(1).id)
    with pytest.raises(NotFound):
        person.app.forgetting.forget(person.owner, plan, [person.message(1).id, stranger.message(1).id])
    assert person.message(1).text == "one"


def test_the_end_of_a_long_message_is_forgotten_too(
    person: Person, model: ScriptedModel, database_url: str
) -> None:
    database = behind(database_url)
    model.answers["chat"] = parrot
    filler = " ".join(f"{word}{number}" for number in range(40) for word in ("oak", "elm", "ash"))
    person.say(f"{filler} and {SENTENCE}")
    forget_message(person)
    assert in_files(database) == set()


def test_a_chat_is_named_after_what_is_left(app: App, person: Person) -> None:
    person.say("The locker code is KX-80417")
    person.say("Tides turn at noon")
    forget_message(person)
    assert app.store.conversations.get(person.owner.id, person.chat_id).title.startswith("Tides turn")


def test_a_failed_reply_goes_with_its_forgotten_question(person: Person, model: ScriptedModel) -> None:
    model.answers["chat"] = ModelOverloaded()
    person.say("The locker code is KX-80417")
    forget_message(person)
    assert [m for m in person.messages if m.retired_at is None] == []


def test_a_deleted_chat_is_purged_whether_or_not_its_tab_is_still_open(
    person: Person, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    import time
    from datetime import timedelta

    from chatmem import forgetting

    monkeypatch.setattr(forgetting, "UNDO_DELETE", timedelta(seconds=-0.9))
    person.say(SENTENCE)
    person.app.store.conversations.hide(person.owner.id, person.chat_id)
    person.app.forgetting.purge_soon()
    until = time.monotonic() + 20
    while in_files(behind(database_url)) and time.monotonic() < until:
        time.sleep(0.05)
    assert in_files(behind(database_url)) == set()


@pytest.mark.parametrize("said", ["자물쇠 번호는 4417이야", "열쇠는 KX-204예요", "회의실은 Atlas입니다"])
def test_grammar_behind_a_number_or_a_latin_word_is_no_mark(person: Person, said: str) -> None:
    person.say("강아지는 세 살이야, 보리예요, 흰색입니다")
    person.say(said)
    plan = person.app.forgetting.of_message(person.owner.id, person.message(3).id)
    assert [found.why for found in plan.messages] == ["source"]
