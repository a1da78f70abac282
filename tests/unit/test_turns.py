"""One turn: what is stored before anything can fail, and how replies end."""

from __future__ import annotations

import threading
import time

import pytest

from chatmem.domain import Status, new_id
from chatmem.errors import (
    ChatmemError,
    ContentFiltered,
    EmptyMessage,
    KeyRefused,
    MessageTooLong,
    ModelOverloaded,
    NotFound,
    NothingToRetry,
    RateLimited,
    ReplyCutOff,
    ReplyInProgress,
    from_failure,
)
from chatmem.llm.protocol import Completion, ModelRequest
from tests.conftest import Person
from tests.scripted import ScriptedModel


def sent(model: ScriptedModel) -> str:
    return "\n".join(m.text for m in model.asked("chat")[-1].messages)


def wait_until(condition: object, seconds: float = 10) -> None:
    end = time.monotonic() + seconds
    while not condition():  # type: ignore[operator]
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.01)


def test_the_question_is_stored_before_the_model_is_asked(person: Person, model: ScriptedModel) -> None:
    seen: list[str] = []

    def answer(request: ModelRequest) -> str:
        seen.extend(m.text for m in person.messages if m.role == "user")
        return "Hello."

    model.answers["chat"] = answer
    person.say("Hi, it's me")
    assert seen == ["Hi, it's me"]


@pytest.mark.parametrize("error", [KeyRefused(), ModelOverloaded(), RateLimited(seconds=7), ContentFiltered()])
def test_a_failed_turn_keeps_the_question_and_can_be_retried(
    person: Person, model: ScriptedModel, error: ChatmemError
) -> None:
    model.answers["chat"] = error
    reply = person.say("What is my name?")
    assert (reply.status, reply.text) == (Status.FAILED, "")
    assert reply.failure
    assert from_failure(reply.failure).say("ko") == error.say("ko")
    model.answers["chat"] = "I do not know."
    assert person.retry().text == "I do not know."
    live = [(m.role, m.text) for m in person.messages if m.live]
    assert live == [("user", "What is my name?"), ("assistant", "I do not know.")]


def test_a_failed_turn_is_left_out_of_every_later_request(person: Person, model: ScriptedModel) -> None:
    person.say("My name is Mina")
    model.answers["chat"] = ContentFiltered()
    person.say("something the filter dislikes")
    model.answers["chat"] = "Fine."
    person.say("And now?")
    assert "dislikes" not in sent(model)
    assert "filter" not in sent(model)
    assert "My name is Mina" in sent(model)


def test_error_text_is_never_sent_as_history(person: Person, model: ScriptedModel) -> None:
    for error in (KeyRefused(), ModelOverloaded()):
        model.answers["chat"] = error
        person.say("are you there?")
        model.answers["chat"] = "Yes."
        person.say("now?")
        for language in ("en", "ko"):
            assert error.say(language) not in sent(model)


def test_a_rate_limit_says_how_long_to_wait(person: Person) -> None:
    assert "7 seconds" in RateLimited(seconds=7).say("en")
    assert "7초" in RateLimited(seconds=7).say("ko")
    assert "moment" in RateLimited().say("en")


def test_an_empty_reply_is_a_notice_and_no_blank_bubble(person: Person, model: ScriptedModel) -> None:
    model.answers["chat"] = "   "
    reply = person.say("Hello?")
    assert reply.status is Status.FAILED
    assert reply.failure
    assert reply.failure.code == "ReplyEmpty"


def test_a_stopped_reply_keeps_its_text_and_is_sent_later(person: Person, model: ScriptedModel) -> None:
    model.gate = threading.Event()
    model.answers["chat"] = "First part, second part."
    turn = person.send("Tell me")
    wait_until(lambda: person.app.chat.follow(person.owner, turn.reply.id).text)
    assert person.app.chat.stop(person.owner, person.chat_id)
    reply = person.app.chat.follow(person.owner, turn.reply.id)
    assert (reply.status, reply.text) == (Status.STOPPED, "First")
    model.gate = None
    person.say("Go on")
    assert "First" in [m.text for m in model.asked("chat")[-1].messages]


def test_stopping_before_the_first_word_voids_the_turn_and_keeps_the_question(
    person: Person, model: ScriptedModel
) -> None:
    model.first_piece_after_s = 0.5
    turn = person.send("Tell me")
    person.app.chat.stop(person.owner, person.chat_id)
    reply = person.app.chat.follow(person.owner, turn.reply.id)
    assert (reply.status, reply.void) == (Status.STOPPED, True)
    assert [m.text for m in person.messages if m.role == "user"] == ["Tell me"]
    model.first_piece_after_s = 0
    assert person.retry().status is Status.COMPLETE


def test_a_reply_that_breaks_off_keeps_what_came_and_is_marked(person: Person, model: ScriptedModel) -> None:
    class Breaking(ScriptedModel):
        def stream(self, request: ModelRequest):  # type: ignore[no-untyped-def]
            self.requests.append(request)

            class Stream:
                completion = None

                def __iter__(self):  # type: ignore[no-untyped-def]
                    yield "Half an ans"
                    raise ReplyCutOff()

                def close(self) -> None: ...

            return Stream()

    person.app.models._teaching = Breaking()
    reply = person.say("Tell me")
    assert (reply.status, reply.text) == (Status.INTERRUPTED, "Half an ans")
    assert reply.failure
    assert reply.failure.code == "ReplyCutOff"
    person.app.models._teaching = model
    assert person.retry().text == "Understood."


def test_a_reply_at_its_length_limit_is_complete_and_says_so(person: Person, model: ScriptedModel) -> None:
    model.answers["chat"] = Completion("As long as it", "scripted-1", cut_off=True)
    reply = person.say("Tell me everything")
    assert reply.status is Status.COMPLETE
    assert reply.failure
    assert reply.failure.code == "ReplyCutOff"
    assert reply.live


def test_the_same_draft_twice_is_one_question_and_one_call(person: Person, model: ScriptedModel) -> None:
    draft = new_id()
    first = person.send("Hello", draft)
    again = person.send("Hello", draft)
    person.app.chat.wait(first, 20)
    assert again.reply.id == first.reply.id
    assert not again.fresh
    assert len(model.asked("chat")) == 1
    assert len(person.messages) == 2


def test_a_hundred_sends_of_one_draft_at_once_are_one_turn(person: Person, model: ScriptedModel) -> None:
    draft = new_id()
    barrier = threading.Barrier(20)
    outcomes: list[str] = []

    def press_enter() -> None:
        barrier.wait()
        try:
            outcomes.append(str(person.send("Hello", draft).reply.id))
        except ReplyInProgress:
            outcomes.append("in progress")

    threads = [threading.Thread(target=press_enter) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    person.app.background.wait(20)
    wait_until(lambda: not person.app.generations.count)
    assert len(outcomes) == 20
    assert len(model.asked("chat")) == 1
    assert [m.role for m in person.messages] == ["user", "assistant"]


def test_one_reply_at_a_time_in_a_chat(person: Person, model: ScriptedModel) -> None:
    model.gate = threading.Event()
    turn = person.send("First question, please answer at length")
    with pytest.raises(ReplyInProgress):
        person.send("Second question")
    with pytest.raises(ReplyInProgress):
        person.app.chat.retry(person.owner, person.chat_id, language="en")
    model.gate.set()
    person.app.chat.wait(turn, 20)
    assert [m.text for m in person.messages if m.role == "user"] == ["First question, please answer at length"]


@pytest.mark.parametrize("text", ["", "   ", "\n\t ", "\u200b\u200b", "\x00\x07", "\ufeff"])
def test_nothing_to_see_is_nothing_to_send(person: Person, text: str) -> None:
    with pytest.raises(EmptyMessage):
        person.send(text)
    with pytest.raises(NotFound):
        person.app.store.conversations.get(person.owner.id, person.chat_id)


def test_a_question_beyond_its_share_is_refused_with_its_limit(person: Person) -> None:
    with pytest.raises(MessageTooLong) as error:
        person.send("word " * 3_000)
    assert "2,000" in error.value.say("en")
    assert "2,000" in error.value.say("ko")


def test_a_paste_of_a_megabyte_is_refused_at_once(person: Person) -> None:
    for paste in ("a" * 1_000_000, "가" * 1_000_001, "x y" * 400_000):
        with pytest.raises(MessageTooLong):
            person.send(paste)


@pytest.mark.parametrize(
    ("typed", "stored"),
    [
        ("a\x00b\x1bc", "abc"),
        ("half \ud800 pair", "half \ufffd pair"),
        ("two\r\nlines\rthree", "two\nlines\nthree"),
        ("  spaces stay  ", "  spaces stay  "),
        ("<img src=x onerror=alert(1)>", "<img src=x onerror=alert(1)>"),
        ("한글 조합 ㅎㅏㄴ", "한글 조합 ㅎㅏㄴ"),
    ],
)
def test_what_can_be_stored_is_stored_as_typed(person: Person, typed: str, stored: str) -> None:
    person.say(typed)
    assert person.messages[0].text == stored


def test_only_the_last_turn_can_be_retried(person: Person, model: ScriptedModel) -> None:
    with pytest.raises(NotFound):
        person.retry()
    person.say("one")
    model.answers["chat"] = "Another answer."
    person.retry()
    texts = [(m.text, m.retired_at is not None) for m in person.messages]
    assert texts == [("one", False), ("Understood.", True), ("Another answer.", False)]
    person.app.chat.reset(person.owner, person.chat_id)
    with pytest.raises(NothingToRetry):
        person.retry()


def test_the_title_falls_back_to_the_first_words(person: Person, model: ScriptedModel) -> None:
    model.answers["title"] = ModelOverloaded()
    person.say("How do I bake sourdough bread at home without a Dutch oven and with little time?")
    title = person.app.store.conversations.get(person.owner.id, person.chat_id).title
    assert title == "How do I bake sourdough bread at home…"


@pytest.mark.parametrize(
    ("output", "title"),
    [
        ("“Baking bread”", "Baking bread"),
        ("\n\n**Baking bread**\n\nI chose this since it is short.", "Baking bread"),
        ("# Title: Baking bread", "Baking bread"),
        ("제목： 빵 굽기", "빵 굽기"),
        ("Baking\u0000 bread\r\n", "Baking bread"),
        ("bread " * 100, "bread bread bread bread bread bread bread bread bread…"),
        ("", "How do I bake it?"),
        ("\u200b\u2060", "How do I bake it?"),
        ("\"\n***\n'", "How do I bake it?"),
        (Completion("Baking bre", "scripted-1", cut_off=True), "How do I bake it?"),
    ],
)
def test_whatever_a_model_makes_of_it_a_title_is_one_line_that_can_be_read(
    person: Person, model: ScriptedModel, output: str | Completion, title: str
) -> None:
    model.answers["title"] = output
    person.say("How do I bake it?")
    assert person.app.store.conversations.get(person.owner.id, person.chat_id).title == title


def test_a_title_is_asked_for_once_and_a_persons_own_name_stays(person: Person, model: ScriptedModel) -> None:
    person.say("Hello")
    person.say("And again")
    conversations = person.app.store.conversations
    assert conversations.get(person.owner.id, person.chat_id).title == "A title"
    assert len(model.asked("title")) == 1
    conversations.rename(person.owner.id, person.chat_id, "My name for it")
    conversations.suggest_title(person.owner.id, person.chat_id, "Too late")
    assert conversations.get(person.owner.id, person.chat_id).title == "My name for it"


def test_there_is_always_one_system_message_and_it_is_first(person: Person, model: ScriptedModel) -> None:
    for number in range(1, 20):
        person.say(f"statement {number}")
    for request in model.asked("chat"):
        assert [m.role for m in request.messages].count("system") == 1
        assert request.messages[0].role == "system"


def test_a_receipt_rebuilds_what_the_model_was_sent(person: Person, model: ScriptedModel) -> None:
    replies = [person.say(f"statement {number}") for number in range(1, 16)]
    for reply, request in zip(replies, model.asked("chat"), strict=True):
        receipt = person.app.store.receipts.get(person.owner.id, reply.id)
        rebuilt = [(m.role, m.text) for m in receipt.context.messages]
        assert rebuilt == [(m.role, m.text) for m in request.messages]
        assert receipt.total_ms is not None
        assert receipt.first_token_ms is not None


def test_a_receipt_names_what_did_not_fit(person: Person) -> None:
    person.prefer(preset="window_only")
    for number in range(1, 8):
        reply = person.say(f"statement {number}")
    context = person.app.store.receipts.get(person.owner.id, reply.id).context
    assert (context.window_from, context.window_through) == (4, 13)
    assert context.unsent == (1, 3)


def test_a_stranger_finds_nothing(person: Person, stranger: Person) -> None:
    reply = person.say("My secret is blue")
    store = person.app.store
    for attempt in (
        lambda: store.conversations.get(stranger.owner.id, person.chat_id),
        lambda: store.turns.page(stranger.owner.id, person.chat_id),
        lambda: store.turns.message(stranger.owner.id, reply.id),
        lambda: store.receipts.get(stranger.owner.id, reply.id),
        lambda: store.memory.reset(stranger.owner.id, person.chat_id),
        lambda: store.memory.read(stranger.owner.id, person.chat_id, 10),
        lambda: person.app.chat.follow(stranger.owner, reply.id),
        lambda: person.app.chat.stop(stranger.owner, person.chat_id),
        lambda: store.conversations.hide(stranger.owner.id, person.chat_id),
    ):
        with pytest.raises(NotFound):
            attempt()
    with pytest.raises(NotFound):
        person.app.chat.send(stranger.owner, person.chat_id, new_id(), "let me in", language="en")
    assert len(person.messages) == 2


def test_a_temporary_chat_leaves_nothing_in_the_database(person: Person, tmp_path: object) -> None:
    temporary = person.app.temporary()
    visitor = Person(temporary, temporary.store.owners.enter("t" * 64, "temporary"))
    visitor.say("The code word is xylophone")
    assert visitor.memory.window_count == 2
    assert person.app.store.conversations.recent(person.owner.id) == []
    for file in tmp_path.iterdir():  # type: ignore[attr-defined]
        assert b"xylophone" not in file.read_bytes()


def test_reset_retires_everything_and_can_be_undone_until_the_next_send(
    person: Person, model: ScriptedModel
) -> None:
    for number in range(1, 7):
        person.say(f"statement {number}")
    before = person.memory
    assert person.app.chat.reset(person.owner, person.chat_id) == 12
    assert (person.memory.head, person.memory.window_count) == (None, 0)
    person.app.store.memory.undo_reset(person.owner.id, person.chat_id)
    assert person.memory.head == before.head
    assert person.memory.window == before.window
    person.app.chat.reset(person.owner, person.chat_id)
    person.say("a new beginning")
    assert "statement" not in sent(model)
    with pytest.raises(ChatmemError):
        person.app.store.memory.undo_reset(person.owner.id, person.chat_id)
    assert len(person.messages) == 14
