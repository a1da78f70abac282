"""A reply on its way: what is shown, when it counts as complete, and how it is closed."""

from __future__ import annotations

import threading
import time

import pytest

from chatmem import errors
from chatmem.llm.openai_client import OpenAICompatible
from tests.wire.conftest import MakeModel, ask
from tests.wire.server import ModelServer, Reply

KOREAN = "안녕하세요, 민아님! 🍵 서울은 맑아요. 漢字 ñ é"


def test_pieces_arrive_one_by_one_and_make_up_the_text(server: ModelServer, model: OpenAICompatible) -> None:
    server.script("one two three")
    reply = model.stream(ask())
    assert reply.completion is None
    assert list(reply) == ["one", " two", " three"]
    assert reply.completion is not None
    assert reply.completion.text == "one two three"
    assert not reply.completion.cut_off


def test_the_first_piece_is_there_before_the_last_is_written(server: ModelServer, model: OpenAICompatible) -> None:
    server.script(Reply("one two three", silent_after=1))
    reply = model.stream(ask())
    assert next(iter(reply)) == "one"
    reply.close()


def test_characters_split_across_chunks_stay_whole(server: ModelServer, model: OpenAICompatible) -> None:
    server.script(Reply(KOREAN, one_byte_chunks=True))
    assert model.complete(ask()).text == KOREAN


def test_reasoning_is_never_shown(server: ModelServer, model: OpenAICompatible) -> None:
    server.script(Reply("Seoul.", reasoning=("They asked", " where.")))
    assert list(model.stream(ask())) == ["Seoul."]


@pytest.mark.parametrize(
    ("pieces", "shown"),
    [
        (("<think>", "hidden", "</think>", "\n\nSeoul", "."), "Seoul."),
        (("\n<th", "ink>hid", "den</thi", "nk>\n", "Seoul."), "Seoul."),
        (("<think>a</think><think>b</think>Seoul.",), "Seoul."),
        (("<thinking>a < b</think> c</thinking>", "Seoul."), "Seoul."),
        (("<", "b>bold</b>"), "<b>bold</b>"),
        (("<thin", "g> is a tag"), "<thing> is a tag"),
        (("Use <think> tags: <think>x</think>",), "Use <think> tags: <think>x</think>"),
        (("<",), "<"),
        (("  ", "Seoul."), "Seoul."),
    ],
)
def test_think_blocks_at_the_start_are_hidden_and_others_kept(
    server: ModelServer, model: OpenAICompatible, pieces: tuple[str, ...], shown: str
) -> None:
    server.script(Reply(pieces=pieces))
    reply = model.stream(ask())
    assert "".join(reply) == shown
    assert reply.completion is not None
    assert reply.completion.text == shown


@pytest.mark.parametrize(
    "answer",
    [
        Reply(text="", reasoning=("thinking", " on"), finish="length"),
        Reply(text="", reasoning=("thinking",)),
        Reply(text=""),
        Reply(text=" \n"),
        Reply(text="<think>never ends", finish="length"),
        Reply(text="<think>only this</think>\n"),
        Reply(finish="tool_calls"),
    ],
)
def test_a_reply_without_text_is_empty_and_not_a_blank_bubble(
    server: ModelServer, model: OpenAICompatible, answer: Reply
) -> None:
    server.script(answer)
    with pytest.raises(errors.ReplyEmpty):
        model.complete(ask())


def test_an_output_that_hit_its_cap_says_so(server: ModelServer, model: OpenAICompatible) -> None:
    server.script(Reply("half a", finish="length"))
    completion = model.complete(ask())
    assert (completion.text, completion.cut_off) == ("half a", True)


def shown_before(model: OpenAICompatible, error: type[errors.ModelError]) -> str:
    """What was yielded until the error came; nothing may count as complete."""
    reply = model.stream(ask())
    pieces: list[str] = []
    with pytest.raises(error):
        pieces.extend(reply)
    assert reply.completion is None
    return "".join(pieces)


def test_a_stream_cut_mid_word_is_cut_off_and_keeps_what_came(
    server: ModelServer, model: OpenAICompatible
) -> None:
    server.script(Reply("one two three four", cut_after=2))
    assert shown_before(model, errors.ReplyCutOff) == "one two"
    assert len(server.requests) == 1


def test_a_stream_without_its_end_event_is_cut_off_and_not_complete(
    server: ModelServer, model: OpenAICompatible
) -> None:
    server.script(Reply("one two three", no_end=True))
    assert shown_before(model, errors.ReplyCutOff) == "one two three"


def test_a_stream_that_ends_inside_a_character_is_cut_off(server: ModelServer, model: OpenAICompatible) -> None:
    server.script(Reply(raw='data: {"choices": [{"delta": {"content": "안'.encode()[:-1]))
    assert shown_before(model, errors.ReplyCutOff) == ""


def test_a_whole_reply_counts_even_when_the_server_then_falls_silent(
    server: ModelServer, make_model: MakeModel
) -> None:
    server.script(Reply("All of it.", no_done=True))
    model = make_model(api="chat", silence_seconds=20.0)
    assert model.complete(ask()).text == "All of it."
    server.script(Reply("All of it.", no_done=True, usage=None))
    model = make_model(api="chat", silence_seconds=0.3)
    assert model.complete(ask()).text == "All of it."


@pytest.mark.parametrize(
    "raw",
    [
        b"data: {this is not json\n\n",
        b'data: {"choices": "nonsense", "type": 7}\n\ndata: []\n\n',
        b"data: \xff\xfe\n\n",
    ],
)
def test_malformed_events_are_malformed_and_nothing_worse(
    server: ModelServer, model: OpenAICompatible, raw: bytes
) -> None:
    server.script(Reply(raw=raw))
    assert shown_before(model, errors.ReplyMalformed) == ""


def test_a_web_page_instead_of_a_stream_is_malformed(server: ModelServer, model: OpenAICompatible) -> None:
    server.script(Reply(body="<html>Welcome to the hotel's network</html>"))
    assert shown_before(model, errors.ReplyMalformed) == ""


def test_parts_of_a_message_are_read_without_the_thoughts(server: ModelServer, make_model: MakeModel) -> None:
    thoughts = '{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "Seoul."}'
    choice = '{"delta": {"content": [' + thoughts + ']}, "finish_reason": "stop"}'
    raw = f'data: {{"choices": [{choice}]}}\n\n'
    server.script(Reply(raw=raw.encode()))
    assert make_model(api="chat").complete(ask()).text == "Seoul."


def test_a_filter_in_mid_reply_is_told_and_the_next_message_works(
    server: ModelServer, model: OpenAICompatible
) -> None:
    server.script(Reply("one two", finish="content_filter"))
    assert shown_before(model, errors.ContentFiltered) == "one two"
    assert model.complete(ask()).text


def test_a_refusal_is_told_as_one(server: ModelServer, model: OpenAICompatible) -> None:
    server.script(Reply(refusal="I cannot help with that."))
    assert shown_before(model, errors.ModelRefused) == ""


# --- silence and closing ------------------------------------------------------------------------


@pytest.mark.parametrize("fault", [Reply("one two three", silent_after=1), Reply(mute=True)])
def test_a_server_that_falls_silent_times_out_once(
    server: ModelServer, make_model: MakeModel, fault: Reply
) -> None:
    server.answer = lambda body: fault
    model = make_model(silence_seconds=0.3)
    assert shown_before(model, errors.ModelTimeout) in ("one", "")
    assert len(server.requests) == 1, "a slow server must not be asked three times"


@pytest.mark.parametrize(
    "fault", [Reply("one two three", silent_after=1), Reply(silent_after=0), Reply(mute=True)]
)
def test_closing_from_another_thread_ends_a_silent_stream(
    server: ModelServer, model: OpenAICompatible, fault: Reply
) -> None:
    server.script(fault)
    reply = model.stream(ask())
    pieces: list[str] = []
    reader = threading.Thread(target=lambda: pieces.extend(reply), daemon=True)
    reader.start()
    server.wait_for_requests(1)
    time.sleep(0.2)  # let it wait on the socket
    reply.close()
    reader.join(5)
    assert not reader.is_alive()
    assert pieces in (["one"], [])
    assert reply.completion is None
    assert server.hung_up.wait(5), "the server must learn that nobody listens any more"
    assert len(server.requests) == 1


def test_closing_frees_the_only_slot_of_a_server() -> None:
    with ModelServer(one_slot=True) as server:
        model = OpenAICompatible("other", "m", server.base_url, "", "chat")
        server.script(Reply("never ends", silent_after=1))
        stopped = model.stream(ask())
        next(iter(stopped))
        stopped.close()
        assert model.complete(ask()).text.startswith("You said")


def test_closing_is_safe_at_any_time_and_more_than_once(server: ModelServer, model: OpenAICompatible) -> None:
    unstarted = model.stream(ask())
    unstarted.close()
    unstarted.close()
    assert list(unstarted) == []
    assert server.requests == []

    halfway = model.stream(ask())
    next(iter(halfway))
    halfway.close()
    assert list(halfway) == []
    assert halfway.completion is None

    finished = model.stream(ask())
    text = "".join(finished)
    finished.close()
    assert finished.completion is not None
    assert finished.completion.text == text
    assert model.complete(ask()).text == text, "closing one reply leaves the client usable"
