"""Importing what ChatGPT and Claude hand to their users: what is kept of it, and what is refused."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from copy import deepcopy
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from chatmem import foreign
from chatmem.app import App
from chatmem.archive import MOST_BYTES, MOST_VALUES, Imported
from chatmem.domain import Message
from chatmem.errors import (
    ArchiveDamaged,
    ArchiveForeign,
    ArchiveNotJson,
    ArchiveTooLarge,
    ChatmemError,
    StorageError,
)
from chatmem.foreign import zipped
from chatmem.llm.models import Models
from chatmem.settings import Settings
from chatmem.store import Store
from chatmem.tokens import count_tokens
from tests.conftest import Clock, Person
from tests.scripted import ScriptedModel
from tests.stored import Database, behind, break_at
from tests.unit.test_archive import HOSTILE, SAMPLE, archive, content, newcomer, stored

# --- files as the two programs write them -------------------------------------------------------

SEARCHED = "\ue200cite\ue202turn0search1\ue201"


def node(parent: str | None, role: str = "user", text: str | None = None, **changes: Any) -> dict[str, Any]:
    """A node of ChatGPT's tree, as in an export of 2026."""
    message = {
        "id": "m", "author": {"role": role, "name": None, "metadata": {}}, "create_time": 1767262800.5, "update_time": None,
        "content": {"content_type": "text", "parts": [text]}, "status": "finished_successfully", "end_turn": True,
        "weight": 1.0, "metadata": {}, "recipient": "all", "channel": None,
    } | changes  # fmt: skip
    return {
        "id": "n",
        "parent": parent,
        "children": [],
        "message": None if text is None and not changes else message,
    }


def tree(mapping: dict[str, Any], current: str | None = None, **changes: Any) -> dict[str, Any]:
    return {
        "title": "부산 여행", "create_time": 1767262800.0, "update_time": 1767266400.25, "mapping": mapping,
        "moderation_results": [], "current_node": current or next(reversed(mapping), None), "plugin_ids": None,
        "conversation_id": "6958-a", "gizmo_id": None, "is_archived": False, "safe_urls": [], "id": "6958-a",
    } | changes  # fmt: skip


def line(*texts: str, **changes: Any) -> dict[str, Any]:
    """A chat without branches: question, answer, question …"""
    mapping: dict[str, Any] = {"root": node(None)}
    for place, text in enumerate(texts):
        parent = f"n{place - 1}" if place else "root"
        mapping[f"n{place}"] = node(parent, ("user", "assistant")[place % 2], text)
    return tree(mapping, **changes)


CHATGPT = [
    tree(
        {
            "client-created-root": node(None),
            "s": node("client-created-root", "system", "", metadata={"is_visually_hidden_from_conversation": True}),
            "c": node("s", "user", content={"content_type": "user_editable_context", "user_profile": "secret", "user_instructions": "x"}),
            "h": node("c", "user", "custom instructions", metadata={"is_user_system_message": True}),
            "u1": node("h", "user", "주말에 부산에 가려고 해.\n- 바다\n- 시장", create_time=1767262801.0),
            "old": node("u1", "assistant", "다시 만들기 전의 답"),
            "t": node("u1", "assistant", content={"content_type": "thoughts", "thoughts": [{"content": "Hmm"}]}),
            "p": node("t", "assistant", "찾아볼게요.", create_time=1767262802.0, metadata={"model_slug": "gpt-5"}),
            "call": node("p", "assistant", 'search("부산")', recipient="web.run", content={"content_type": "code", "text": "search()"}),
            "tool": node("call", "tool", "a page"),
            "recap": node("tool", "assistant", content={"content_type": "reasoning_recap", "content": "Thought for 3 s"}),
            "a": node("recap", "assistant", "channel of thought", channel="analysis"),
            "a1": node("a", "assistant", f"해운대가 좋아요.{SEARCHED}", create_time=None, metadata={"model_slug": "gpt-5-thinking"}),
            "u2": node("a1", "user", content={"content_type": "multimodal_text", "parts": [{"content_type": "image_asset_pointer", "asset_pointer": "file://x"}, ""]}),
            "a2": node("u2", "assistant", "지하철 노선도네요."),
        }
    ),
    line("What is a watermark?", "A mark that only moves forward.", title=None, id="2", conversation_id=None, create_time=None, update_time=None),
    tree({"root": node(None)}, id="3", conversation_id="3"),
]  # fmt: skip


def said(sender: str, text: str, **changes: Any) -> dict[str, Any]:
    return {
        "uuid": f"m-{text[:20]}-{changes.get('created_at')}", "text": text, "content": [{"type": "text", "text": text, "citations": []}],
        "sender": sender, "created_at": "2026-03-01T12:00:01.000001Z", "updated_at": "2026-03-01T12:00:01Z",
        "attachments": [], "files": [],
    } | changes  # fmt: skip


def talk(*messages: dict[str, Any], **changes: Any) -> dict[str, Any]:
    return {
        "uuid": "c-1", "name": "저녁 메뉴", "summary": "", "created_at": "2026-03-01T12:00:00.000000Z",
        "updated_at": "2026-03-01T13:00:00+01:00", "account": {"uuid": "secret"}, "chat_messages": list(messages),
    } | changes  # fmt: skip


FILLER = "```\nThis block is not supported on your current device yet.\n```"

CLAUDE = [
    talk(
        said("human", "매운 건 못 먹어. 저녁 뭐 먹지?"),
        said(
            "assistant", "", created_at="2026-03-01T12:00:09Z",
            content=[{"type": "thinking", "thinking": "hidden thought", "text": None}, {"type": "text", "text": "칼국수 어때요?"},
                     {"type": "tool_use", "name": "web_search", "input": {}}, {"type": "tool_result", "content": [{"text": "a page"}]},
                     {"type": "text", "text": "근처에 세 곳이 있어요."}],
        ),
        said("human", "", attachments=[{"file_name": "menu.pdf", "file_type": "pdf", "file_size": 9, "extracted_content": "long"}], files=[{"file_name": "사진.png"}]),
        said("assistant", f"Let me look.\n{FILLER}\n\nIt is a menu."),
        said("human", "여기:", attachments=[{"file_name": "paste.txt", "extracted_content": "1. 칼국수\n2. 만두"}]),
        said("system", "not shown"),
    ),
    talk(uuid="c-2"),
]  # fmt: skip


def found(app: App, owner_id: int, file: object) -> list[list[Message]]:
    """Import, and give back the messages of each chat as they are kept."""
    imported = app.archive.import_(owner_id, json.dumps(file))
    return [app.store.turns.page(owner_id, id_, limit=10_000) for id_ in imported.conversation_ids]


def texts(messages: list[Message]) -> list[tuple[str, str]]:
    return [(message.role, message.text) for message in messages]


@pytest.fixture
def database(database_url: str) -> Database:
    return behind(database_url)


# --- ChatGPT ------------------------------------------------------------------------------------


def test_of_chatgpts_tree_what_the_person_saw_is_kept(app: App, person: Person) -> None:
    first, second = found(app, person.owner.id, CHATGPT)
    assert texts(first) == [
        ("user", "주말에 부산에 가려고 해.\n- 바다\n- 시장"),
        ("assistant", "찾아볼게요.\n\n해운대가 좋아요."),
        ("user", "[image]"),
        ("assistant", "지하철 노선도네요."),
    ]
    assert texts(second) == [("user", "What is a watermark?"), ("assistant", "A mark that only moves forward.")]
    assert [(m.number, m.status, m.model) for m in first] == [
        (1, "complete", ""), (2, "complete", "gpt-5-thinking"), (3, "complete", ""), (4, "complete", ""),
    ]  # fmt: skip
    kept = content(person)["conversations"]
    assert [m["answers"] for m in kept[0]["messages"]] == [None, 1, None, 3]


def test_times_that_are_missing_are_the_chats_and_a_title_is_its_first_words(app: App, person: Person) -> None:
    first, _ = found(app, person.owner.id, CHATGPT)
    assert [m.created_at.timestamp() for m in first] == [1767262801.0, 1767262802.0, 1767262800.5, 1767262800.5]
    one, two = (app.store.conversations.get(person.owner.id, id_) for id_ in _ids(app, person))
    assert (one.title, one.created_at.timestamp(), one.updated_at.timestamp()) == (
        "부산 여행",
        1767262800,
        1767266400.25,
    )
    assert (two.title, two.created_at.timestamp()) == ("What is a watermark?", 1767262800.5)
    timeless = line("When?", title="t", create_time=None, update_time=None, id="9", conversation_id="9")
    timeless["mapping"]["n0"]["message"]["create_time"] = None
    ((only,),) = found(app, person.owner.id, [timeless])
    assert only.created_at == datetime(1970, 1, 1, tzinfo=UTC)
    dated = line("When?", "Then.", id="10", conversation_id="10", create_time=1500000000)
    dated["mapping"]["n1"]["message"]["create_time"] = None
    ((_, reply),) = found(app, person.owner.id, [dated])
    assert reply.created_at.timestamp() == 1500000000


def _ids(app: App, person: Person) -> list[str]:
    chats = app.store.conversations.recent(person.owner.id)
    return [chat.id for chat in sorted(chats, key=lambda chat: chat.title != "부산 여행")]


def test_what_was_left_on_other_branches_is_counted(app: App, person: Person) -> None:
    assert app.archive.import_(person.owner.id, json.dumps(CHATGPT)).left_out == 1
    edited = line("first try", "an answer", id="e", conversation_id="e")
    edited["mapping"]["n2"] = node("root", "user", "second try")
    edited["mapping"]["n3"] = node("n2", "assistant", "a better answer")
    edited["current_node"] = "n3"
    imported = app.archive.import_(person.owner.id, json.dumps([edited]))
    assert (imported.messages, imported.left_out) == (2, 2)


@pytest.mark.parametrize("current", [None, "nowhere"])
def test_a_chat_that_does_not_say_where_it_stands_stands_at_its_youngest_leaf(
    app: App, person: Person, current: str | None
) -> None:
    chat = line("a question", "an old answer")
    chat["mapping"]["new"] = node("n0", "assistant", "a new answer", create_time=1767262900.0)
    chat["mapping"]["tie"] = node("n0", "assistant", "as old as the first")
    chat["current_node"] = current
    (messages,) = found(app, person.owner.id, [chat])
    assert texts(messages)[-1] == ("assistant", "a new answer")


def test_a_chat_whose_beginning_is_missing_begins_where_it_does(app: App, person: Person) -> None:
    chat = line("a question", "an answer")
    chat["mapping"]["n0"]["parent"] = "not in the file"
    (messages,) = found(app, person.owner.id, [chat])
    assert [m.text for m in messages] == ["a question", "an answer"]


def test_what_was_said_aloud_is_kept_as_written_down(app: App, person: Person) -> None:
    spoken = {"content_type": "audio_transcription", "text": "들리니?", "direction": "in"}
    sound = {"content_type": "audio_asset_pointer", "asset_pointer": "x"}
    chat = tree({
        "u": node(None, "user", content={"content_type": "multimodal_text", "parts": [spoken, sound]}),
        "a": node("u", "assistant", content={"content_type": "multimodal_text", "parts": [sound]}),
        "f": node("a", "user", content={"content_type": "text", "parts": [""]}, metadata={"attachments": [{"name": "a.pdf"}, {"name": "../../b\n"}]}),
    })  # fmt: skip
    (messages,) = found(app, person.owner.id, [chat])
    assert [m.text for m in messages] == ["들리니?", "[audio]", "[file: a.pdf] [file: ../../b]"]


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("See \ue200cite\ue202turn0search1\ue202turn0search2\ue201.", "See ."),
        ('In \ue200entity\ue202["city","Seoul","capital"]\ue201 now', "In Seoul now"),
        ("In \ue200entity\ue202Seoul\ue201 now", "In Seoul now"),
        ("At \ue200url\ue202the site\ue202https://example.com\ue201", "At the site"),
        ("An open \ue200cite mark", "An open \ue200cite mark"),
        ("\ue200" * 5 + "x" + "\ue201", "\ue200" * 4),
        ('\ue200entity\ue202["a", 5]\ue201 and more', " and more"),
    ],
)
def test_marks_for_links_and_cards_read_as_they_were_shown(app: App, person: Person, raw: str, shown: str) -> None:
    ((message,),) = found(app, person.owner.id, [line(raw)])
    assert message.text == shown


def test_answers_too_long_to_be_one_stay_several(app: App, person: Person) -> None:
    chat = line("q", "a" * 600_000)
    chat["mapping"]["n2"] = node("n1", "assistant", "b" * 600_000)
    chat["mapping"]["n3"] = node("n2", "assistant", "c")
    chat["current_node"] = "n3"
    (messages,) = found(app, person.owner.id, [chat])
    assert [(m.role, len(m.text)) for m in messages] == [
        ("user", 1),
        ("assistant", 600_000),
        ("assistant", 600_003),
    ]


def test_half_an_emoji_does_not_cost_the_file(app: App, person: Person) -> None:
    raw = json.dumps([line("cut \ud83d", "whole 🙂, and \\\\ud83d in words")])
    imported = app.archive.import_(person.owner.id, raw)
    messages = app.store.turns.page(person.owner.id, imported.conversation_ids[0])
    assert [m.text for m in messages] == ["cut \ufffd", "whole 🙂, and \\\\ud83d in words"]


# --- Claude -------------------------------------------------------------------------------------


def test_of_claudes_list_what_the_person_saw_is_kept(app: App, person: Person) -> None:
    (messages,) = found(app, person.owner.id, CLAUDE)
    assert texts(messages) == [
        ("user", "매운 건 못 먹어. 저녁 뭐 먹지?"),
        ("assistant", "칼국수 어때요?\n\n근처에 세 곳이 있어요."),
        ("user", "[file: menu.pdf] [file: 사진.png]"),
        ("assistant", "Let me look.\n\nIt is a menu."),
        ("user", "여기:\n\n1. 칼국수\n2. 만두"),
    ]
    (chat,) = content(person)["conversations"]
    assert (chat["title"], chat["updated_at"]) == ("저녁 메뉴", "2026-03-01T12:00:00.000000Z")
    assert chat["messages"][0]["created_at"] == "2026-03-01T12:00:01.000001Z"


ROOT = "00000000-0000-4000-8000-000000000000"


def _branched(**changes: Any) -> dict[str, Any]:
    return talk(
        said("human", "one", uuid="1", parent_message_uuid=ROOT),
        said("assistant", "two", uuid="2", parent_message_uuid="1"),
        said("human", "two again", uuid="3", parent_message_uuid="1"),
        said("assistant", "three", uuid="4", parent_message_uuid="3"),
        **changes,
    )


def test_of_a_branched_claude_chat_the_branch_in_use_is_kept(app: App, person: Person) -> None:
    imported = app.archive.import_(person.owner.id, json.dumps([_branched()]))
    assert (imported.messages, imported.left_out) == (3, 1)
    (older,) = found(app, person.owner.id, [_branched(current_leaf_message_uuid="2", uuid="c-9")])
    assert [m.text for m in older] == ["one", "two"]


def test_where_not_all_parents_are_told_everything_is_kept_in_order(app: App, person: Person) -> None:
    chat = _branched()
    chat["chat_messages"][2]["parent_message_uuid"] = "gone"
    (messages,) = found(app, person.owner.id, [chat])
    assert [m.text for m in messages] == ["one", "two", "two again", "three"]


# --- both ---------------------------------------------------------------------------------------

BOTH = {"ChatGPT": CHATGPT, "Claude": CLAUDE}


@pytest.mark.parametrize("name", BOTH)
def test_the_same_file_again_adds_nothing(app: App, person: Person, name: str) -> None:
    file = json.dumps(BOTH[name])
    first = app.archive.import_(person.owner.id, file)
    before = app.archive.export(person.owner.id)
    again = app.archive.import_(person.owner.id, file)
    assert (again.conversations, again.messages, again.conversation_ids) == (0, 0, ())
    assert again.known_conversations == first.conversations == len(first.conversation_ids)
    assert app.archive.export(person.owner.id) == before
    twin = newcomer(app)
    app.archive.import_(twin.owner.id, before)
    assert app.archive.export(twin.owner.id) == before


@pytest.mark.parametrize("name", BOTH)
def test_nothing_is_covered_or_learned_and_the_chat_goes_on(
    app: App, person: Person, model: ScriptedModel, name: str
) -> None:
    imported = app.archive.import_(person.owner.id, json.dumps(BOTH[name]))
    app.background.wait(30)
    assert app.store.facts.page(person.owner.id) == []
    person.chat_id = imported.conversation_ids[0]
    kept = person.messages
    assert person.memory.head is None
    assert [m.number for m in person.memory.window] == [m.number for m in kept]
    assert all(m.live and m.tokens == count_tokens(m.text) for m in kept)
    assert app.store.learning.lesson(person.owner.id, person.chat_id, 20).messages == ()
    assert person.say("Go on").number == len(kept) + 2
    sent = [message.text for message in model.requests[0].messages]
    assert all(any(m.text in text for text in sent) for m in kept)


def test_a_long_imported_chat_is_folded_in_chunks_when_it_goes_on(
    app: App, person: Person, model: ScriptedModel
) -> None:
    long = line(*(f"statement {n} " + "word " * 300 for n in range(60)))
    imported = app.archive.import_(person.owner.id, json.dumps([long]))
    person.chat_id = imported.conversation_ids[0]
    assert person.memory.window_count == 60
    person.say("Go on")
    app.background.wait(30)
    covered = person.memory.covered
    assert covered >= 40
    assert [m.number for m in person.memory.window] == list(range(covered + 1, 63))


def test_a_reply_from_elsewhere_can_be_tried_again(app: App, person: Person) -> None:
    imported = app.archive.import_(person.owner.id, json.dumps([line("What is a pin?", "A needle.")]))
    person.chat_id = imported.conversation_ids[0]
    assert person.retry().number == 3
    assert [m.retired_at is None for m in person.messages] == [True, False, True]


def test_imported_words_are_found_again(app: App, person: Person) -> None:
    imported = app.archive.import_(person.owner.id, json.dumps([line("My locker is number 4711", "Noted.")]))
    hits = app.store.search.messages(
        person.owner.id, imported.conversation_ids[0], "which locker?", 100
    ).candidates
    assert 1 in {hit.message.number for hit in hits}


def test_hostile_texts_names_and_ids_stay_plain_text(app: App, person: Person) -> None:
    for place, text in enumerate(HOSTILE):
        gpt = line(text, text, title=text, id=text, conversation_id=text)
        gpt["mapping"] = {text + key if key != "root" else key: one for key, one in gpt["mapping"].items()}
        for one in gpt["mapping"].values():
            one["parent"] = text + one["parent"] if one["parent"] not in (None, "root") else one["parent"]
        gpt["current_node"] = text + "n1"
        claude = talk(said("human", text, uuid=text), name=text, uuid=text)
        for file in ([gpt], [claude]):
            someone = newcomer(app)
            messages = found(app, someone.owner.id, file)[0]
            assert {m.text for m in messages} == {text}, place
            assert content(someone)["conversations"][0]["title"] == " ".join(text.split())


def test_a_long_title_is_cut_and_stays_in_one_line(app: App, person: Person) -> None:
    for title, kept in (
        ("x" * 201, "x" * 199 + "…"),
        ("x" * 200, "x" * 200),
        ("a\nb\u0000\tc", "a b c"),
        (" \n", "hello"),
    ):
        chat = line("hello", title=title, id=title, conversation_id=None)
        imported = app.archive.import_(person.owner.id, json.dumps([chat]))
        assert app.store.conversations.get(person.owner.id, imported.conversation_ids[0]).title == kept


def test_an_overlap_in_one_export_is_read_once(app: App, person: Person) -> None:
    assert app.archive.import_(person.owner.id, json.dumps([CHATGPT[0], CHATGPT[0]])).conversations == 1
    nameless = [talk(said("human", "hi"), uuid=None), talk(said("human", "hi"), uuid=None)]
    assert app.archive.import_(person.owner.id, json.dumps(nameless)).conversations == 2


def test_progress_goes_from_nothing_to_all(app: App, person: Person) -> None:
    chats = [line(f"question {n}", "answer", id=f"{n}", conversation_id=None) for n in range(300)]
    told: list[float] = []
    app.archive.import_(person.owner.id, json.dumps(chats), told.append)
    assert told == sorted(told)
    assert (told[0], told[-1]) == (0.0, 1.0)
    assert 20 < len(told) <= 201


@pytest.mark.parametrize("when", [0.05, 0.5, 0.95])
def test_an_import_that_is_broken_off_leaves_nothing(
    app: App, person: Person, database: Database, when: float
) -> None:
    class LeftThePage(BaseException): ...

    def leave(share: float) -> None:
        if share >= when:
            raise LeftThePage

    before = stored(database)
    chats = [line(f"question {n}", "answer", id=f"{n}", conversation_id=None) for n in range(50)]
    with pytest.raises(LeftThePage):
        app.archive.import_(person.owner.id, json.dumps(chats), leave)
    assert stored(database) == before


def test_a_disk_that_fails_leaves_nothing(app: App, person: Person, database: Database) -> None:
    before = stored(database)
    break_at(database, "messages", "text", "the last")
    with pytest.raises(StorageError):
        app.archive.import_(
            person.owner.id, json.dumps([*CHATGPT, line("the last", id="l", conversation_id=None)])
        )
    assert stored(database) == before


# --- what is refused ----------------------------------------------------------------------------


def _gpt(**changes: Any) -> list[Any]:
    return [line("a good chat", id="0", conversation_id="0"), line("q", "a") | changes]


def _gpt_message(**changes: Any) -> list[Any]:
    file = _gpt()
    file[1]["mapping"]["n0"]["message"] |= changes
    return file


def _claude_message(**changes: Any) -> list[Any]:
    return [talk(said("human", "hi"), said("assistant", "hello") | changes)]


def _mutual() -> dict[str, Any]:
    return {"a": node("b", "user", "x"), "b": node("a", "assistant", "y")}


_OFF_BRANCH = {"root": node(None), "u": node("root", "user", "q"), **_mutual()}

DAMAGED = {
    "parents of each other": (_gpt(mapping=_mutual(), current_node="a"), "[1].mapping", "circle"),
    "a parent of itself": (_gpt(mapping={"a": node("a", "user", "x")}), "[1].mapping", "circle"),
    "a circle off the branch": (_gpt(mapping=_OFF_BRANCH, current_node="u"), "[1].mapping", "circle"),
    "two chats under one id": (_gpt(id="0", conversation_id="0"), "[1].id", "twice"),
    "a tree that is a list": (_gpt(mapping=[]), "[1].mapping", "kind"),
    "no tree": ([line("a"), {"title": "x"}], "[1].mapping", "missing"),
    "a title of another kind": (_gpt(title=7), "[1].title", "kind"),
    "a time in words": (_gpt(create_time="yesterday"), "[1].create_time", "kind"),
    "a time before time": (_gpt(create_time=-1), "[1].create_time", "range"),
    "a time after time": (_gpt(update_time=7258118400), "[1].update_time", "range"),
    "the very end of time": (_gpt(update_time=7258118399.9999999), "[1].update_time", "range"),
    "no number": (_gpt(create_time=float("nan")), "[1].create_time", "range"),
    "endless": (_gpt(update_time=float("inf")), "[1].update_time", "range"),
    "a huge time": (_gpt(update_time=1e300), "[1].update_time", "range"),
    "a time of a message": (_gpt_message(create_time=1e18), "[1].mapping.….message.create_time", "range"),
    "parts of another kind": (_gpt_message(content={"content_type": "text", "parts": [5]}), "[1].mapping.….message.content.parts", "kind"),
    "a role of another kind": (_gpt_message(author={"role": []}), "[1].mapping.….message.author.role", "kind"),
    "a message that is a word": (_gpt(mapping={"6958-m": {"parent": None, "message": "hi"}}), "[1].mapping.….message", "kind"),
    "a long message": (_gpt_message(content={"content_type": "text", "parts": ["x" * 1_000_001]}), "[1].mapping", "range"),
    "a chat that is none": ([line("a"), "b"], "[1]", "kind"),
    "a Claude chat in ChatGPT's file": ([line("a"), talk()], "[1].mapping", "missing"),
    "a ChatGPT chat in Claude's file": ([talk(), line("a")], "[1].chat_messages", "missing"),
    "Claude's list as a tree": ([talk(chat_messages={})], "[0].chat_messages", "kind"),
    "Claude's time as a number": (_claude_message(created_at=5), "[0].chat_messages[1].created_at", "kind"),
    "Claude's time out of time": (_claude_message(created_at="9999-12-31T23:59:59-14:00"), "[0].chat_messages[1].created_at", "range"),
    "Claude's text as a number": (_claude_message(text=5), "[0].chat_messages[1].text", "kind"),
    "Claude's ids twice": ([talk(said("human", "a", uuid="1"), said("human", "b", uuid="1"))], "[0].chat_messages", "twice"),
    "Claude's parents in a circle": ([talk(said("human", "a", uuid="1", parent_message_uuid="2"), said("human", "b", uuid="2", parent_message_uuid="1"))], "[0].chat_messages", "circle"),
    "a long message of Claude's": (_claude_message(text="x" * 1_000_001), "[0].chat_messages", "range"),
}  # fmt: skip


@pytest.mark.parametrize("name", DAMAGED)
def test_a_damaged_file_is_refused_with_where_and_why(
    app: App, person: Person, name: str, database: Database
) -> None:
    file, where, why = DAMAGED[name]
    before = stored(database)
    with pytest.raises(ArchiveDamaged) as error:
        app.archive.import_(person.owner.id, json.dumps(file))
    assert error.value.details == {"where": where, "why": why}
    assert where in error.value.say("ko")
    assert stored(database) == before


NEIGHBOURS = {
    "at the beginning of time": _gpt(create_time=0),
    "just before the end of time": _gpt(update_time=7258118399),
    "a whole number for a time": _gpt(create_time=1767262800),
    "the longest message": _gpt_message(content={"content_type": "text", "parts": ["x" * 1_000_000]}),
    "no parts": _gpt_message(content={"content_type": "text"}),
    "nothing among the parts": _gpt_message(content={"content_type": "text", "parts": [None, "x"]}),
    "no author": _gpt_message(author=None),
    "no metadata": _gpt_message(metadata=None),
    "no recipient": _gpt_message(recipient=None),
    "what nobody knows yet": _gpt(new_field={"deep": [[["x"]]]}),
    "Claude without ids": [talk(said("human", "a", uuid=None), said("assistant", "b", uuid=None), uuid=None)],
    "Claude's text as nothing": _claude_message(text=None),
    "Claude without a name and times": [talk(said("human", "a", created_at=None), name=None, created_at=None, updated_at=None)],
}  # fmt: skip


@pytest.mark.parametrize("name", NEIGHBOURS)
def test_what_is_only_unusual_is_read(app: App, person: Person, name: str) -> None:
    imported = app.archive.import_(person.owner.id, json.dumps(NEIGHBOURS[name]))
    assert imported.conversations == len(NEIGHBOURS[name])


@pytest.mark.parametrize("depth", [10_000, 60_000])
def test_a_chain_of_any_depth_is_walked(app: App, person: Person, depth: int) -> None:
    mapping: dict[str, Any] = {"n0": node(None, "user", "the first")}
    for place in range(1, depth):
        mapping[f"n{place}"] = {"parent": f"n{place - 1}", "message": None}
    mapping["last"] = node(f"n{depth - 1}", "assistant", "the last")
    (messages,) = found(app, person.owner.id, [tree(mapping)])
    assert [m.text for m in messages] == ["the first", "the last"]
    mapping["n0"]["parent"] = "last"
    with pytest.raises(ArchiveDamaged):
        app.archive.import_(person.owner.id, json.dumps([tree(mapping)]))


NOT_JSON: dict[str, bytes | str] = {
    "half of ChatGPT's": json.dumps(CHATGPT)[:900],
    "half of Claude's": json.dumps(CLAUDE)[:-1],
    "a well": "[" * 200_000,
    "a well inside": json.dumps(CHATGPT).replace('"thoughts": [', '"thoughts": ' + "[" * 5_000 + "]" * 5_000 + ', "x": [', 1),
    "two files in one": json.dumps(CHATGPT) * 2,
    "a ZIP's beginning": b"PK\x03\x04" + b"\x00" * 500,
}  # fmt: skip


@pytest.mark.parametrize("name", NOT_JSON)
def test_what_cannot_be_read_is_said_so(app: App, person: Person, name: str) -> None:
    with pytest.raises(ArchiveNotJson) as error:
        app.archive.import_(person.owner.id, NOT_JSON[name])
    for language in ("en", "ko"):
        assert "ChatGPT" in error.value.say(language)
        assert "Claude" in error.value.say(language)


@pytest.mark.parametrize(
    "file", ["[]", "[[]]", "[1]", '[{"a": 1}]', '[{"messages": []}]', '["x"]', "[null]", '{"mapping": {}}']
)
def test_other_programs_files_are_said_so(app: App, person: Person, file: str) -> None:
    with pytest.raises(ArchiveForeign) as error:
        app.archive.import_(person.owner.id, file)
    for language in ("en", "ko"):
        assert "ChatGPT" in error.value.say(language)
        assert "Claude" in error.value.say(language)


@pytest.mark.parametrize("name", BOTH)
def test_more_messages_than_there_is_room_for_are_refused(
    app: App, person: Person, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    nodes = sum(len(chat.get("mapping") or chat.get("chat_messages") or ()) for chat in BOTH[name])
    monkeypatch.setattr(foreign, "MOST_MESSAGES", nodes - 1)
    with pytest.raises(ArchiveTooLarge):
        app.archive.import_(person.owner.id, json.dumps(BOTH[name]))
    monkeypatch.setattr(foreign, "MOST_MESSAGES", nodes)
    assert app.archive.import_(person.owner.id, json.dumps(BOTH[name])).conversations


# --- the ZIP ------------------------------------------------------------------------------------


def packed(members: dict[str, object], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", method) as folder:
        for name, value in members.items():
            folder.writestr(name, value if isinstance(value, str | bytes) else json.dumps(value))
    return made.getvalue()


OTHERS: dict[str, object] = {"user.json": {"id": "x"}, "chat.html": "<html>", "img/conversations.json.png": "x"}


@pytest.mark.parametrize(
    "members",
    [
        {"conversations.json": CHATGPT},
        {"an export/2026/Conversations.JSON": CHATGPT, "__MACOSX/._conversations.json": "junk"},
        {"../../etc/conversations.json": CHATGPT},
        {"C:\\Users\\me\\conversations.json": CHATGPT},
        {"conversations-000.json": CHATGPT[:1], "conversations-001.json": CHATGPT[1:]},
        {"conversations.json": CHATGPT, "conversations-000.json": "[{"},
        {"conversations.json": json.dumps(CHATGPT).encode("utf-8-sig")},
    ],
)
@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED])
def test_the_zip_is_as_good_as_its_file(
    app: App, person: Person, members: dict[str, object], method: int, tmp_path: Path
) -> None:
    before = {path.name for path in tmp_path.parent.rglob("*conversations*")}
    imported = app.archive.import_(person.owner.id, packed(OTHERS | members, method))
    assert (imported.conversations, imported.messages) == (2, 6)
    assert {path.name for path in tmp_path.parent.rglob("*conversations*")} == before


def test_our_own_file_in_a_zip_is_read_too(app: App, person: Person) -> None:
    assert app.archive.import_(person.owner.id, packed({"conversations.json": SAMPLE})).conversations == 2


def _locked() -> bytes:
    raw = bytearray(packed({"conversations.json": CHATGPT}))
    raw[6] |= 1
    raw[raw.index(b"PK\x01\x02") + 8] |= 1
    return bytes(raw)


def _wrong_checksum() -> bytes:
    raw = bytearray(packed({"conversations.json": CHATGPT}, zipfile.ZIP_STORED))
    place = raw.index(b"client-created-root")
    raw[place] ^= 1
    return bytes(raw)


ZIPS = {
    "without chats": (packed(OTHERS), ArchiveForeign),
    "empty": (packed({}), ArchiveForeign),
    "of a folder": (packed({"conversations.json/": ""}), ArchiveForeign),
    "of two of ours": (packed({"a/conversations.json": SAMPLE, "b/conversations.json": SAMPLE}), ArchiveForeign),
    "cut off": (packed({"conversations.json": CHATGPT})[:-30], ArchiveNotJson),
    "locked": (_locked(), ArchiveNotJson),
    "with another checksum": (_wrong_checksum(), ArchiveNotJson),
    "packed in a rare way": (packed({"conversations.json": CHATGPT}, zipfile.ZIP_LZMA), ArchiveNotJson),
    "in a ZIP": (packed({"conversations.json": packed({"conversations.json": CHATGPT})}), ArchiveNotJson),
    "of half a file": (packed({"conversations.json": json.dumps(CHATGPT)[:500]}), ArchiveNotJson),
}


@pytest.mark.parametrize("name", ZIPS)
def test_a_zip_that_is_no_export_is_refused(app: App, person: Person, name: str, database: Database) -> None:
    raw, kind = ZIPS[name]
    before = stored(database)
    with pytest.raises(kind):
        app.archive.import_(person.owner.id, raw)
    assert stored(database) == before


def test_a_zip_that_unpacks_to_too_much_is_refused(app: App, person: Person) -> None:
    bomb = packed({"conversations.json": b" " * (MOST_BYTES + 1)})
    halves = packed({f"{n}/conversations.json": b" " * (MOST_BYTES // 2 + 1) for n in range(2)})
    for raw in (bomb, halves):
        assert len(raw) < MOST_BYTES / 100
        with pytest.raises(ArchiveTooLarge):
            app.archive.import_(person.owner.id, raw)
    values = packed({"conversations.json": b"[" + b"1," * (MOST_VALUES + 1)})
    with pytest.raises(ArchiveTooLarge):
        app.archive.import_(person.owner.id, values)


def test_a_zip_that_lies_about_its_size_is_not_believed(
    app: App, person: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(zipped, "MOST_BYTES", 1_000)
    raw = bytearray(packed({"conversations.json": b" " * 5_000_000}))
    for sign, place in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        at = raw.index(sign) + place
        raw[at : at + 4] = (900).to_bytes(4, "little")
    with pytest.raises((ArchiveTooLarge, ArchiveNotJson)):
        app.archive.import_(person.owner.id, bytes(raw))


def test_a_zip_of_too_many_names_is_refused(app: App, person: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zipped, "MOST_MEMBERS", 20)
    with pytest.raises(ArchiveTooLarge):
        app.archive.import_(person.owner.id, packed({f"{n}.png": "" for n in range(21)}))


# --- whatever comes -----------------------------------------------------------------------------

odd = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.just(10**400), st.just(-(10**30)), st.text(max_size=5),
    st.just("\ud800"), st.just("\ue200entity\ue202[[[\ue201"), st.just([]), st.just({}), st.just([[None]]), st.just({"text": 5}),
    st.just("9999-12-31T23:59:59Z"), st.just("n0"), st.just("root"),
)  # fmt: skip


def _places(value: Any) -> list[tuple[Any, Any]]:
    keys = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else []
    return [(value, key) for key in keys] + [place for key in keys for place in _places(value[key])]


@st.composite
def accidents(draw: st.DrawFn) -> bytes:
    """A good file of either program in which something has gone wrong, or nothing has."""
    file: Any = deepcopy(draw(st.sampled_from([CHATGPT, CLAUDE, [_branched()], [line("q", "a")]])))
    for _ in range(draw(st.integers(0, 4))):
        if not (places := _places(file)):
            break
        container, key = draw(st.sampled_from(places))
        match draw(st.sampled_from(["value", "gone", "swapped", "twice"])):
            case "value":
                container[key] = draw(odd)
            case "gone":
                del container[key]
            case "swapped":
                other, place = draw(st.sampled_from(places))
                with suppress(LookupError):  # what was deleted before
                    container[key] = deepcopy(other[place])
            case "twice" if isinstance(container, list):
                container.append(deepcopy(container[key]))
    raw = json.dumps(file, ensure_ascii=draw(st.booleans())).encode("utf-8", "surrogatepass")
    match draw(st.sampled_from(["whole", "whole", "whole", "zip", "broken zip", "cut", "bytes"])):
        case "zip":
            raw = packed({"conversations.json": raw})
        case "broken zip":
            raw = packed(
                {"conversations.json": raw}, draw(st.sampled_from([zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED]))
            )
            for _ in range(draw(st.integers(1, 4))):
                place = draw(st.integers(4, len(raw) - 1) | st.integers(max(4, len(raw) - 100), len(raw) - 1))
                raw = raw[:place] + draw(st.binary(min_size=1, max_size=4)) + raw[place + 1 :]
        case "cut":
            raw = raw[: draw(st.integers(0, len(raw)))]
        case "bytes":
            place = draw(st.integers(0, len(raw)))
            raw = raw[:place] + draw(st.binary(max_size=3)) + raw[place + 1 :]
    return raw


anything = st.recursive(
    odd,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["mapping", "chat_messages", "message", "parent", "current_node", "content", "parts", "author",
                "role", "sender", "text", "create_time", "created_at", "uuid", "format", "version", "n0"]),
            inner, max_size=5,
        )
    ),
    max_leaves=20,
)  # fmt: skip


@pytest.fixture(scope="module")
def shared_app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    url, clock = f"sqlite:///{tmp_path_factory.mktemp('foreign')}/chat.db", Clock()
    configured = Settings(database_url=url)
    app = App(configured, Store(url, clock), Models(configured, ScriptedModel(), count_tokens), clock)
    yield app
    app.background.wait(30)
    app.close()


def _refused_or_imported(app: App, raw: bytes) -> None:
    someone = newcomer(app)
    imported: Imported | None = None
    refused: ChatmemError | None = None
    try:
        imported = app.archive.import_(someone.owner.id, raw)
    except ChatmemError as error:
        refused = error
    assert imported or (refused and refused.say("en") and refused.say("ko"))
    kept = app.archive.export(someone.owner.id)
    if imported is None:
        assert kept == archive()
        return
    assert len(json.loads(kept)["conversations"]) == imported.conversations == len(imported.conversation_ids)
    again = app.archive.import_(someone.owner.id, raw)
    assert (again.conversations, again.known_conversations) == (0, imported.conversations)
    twin = newcomer(app)
    app.archive.import_(twin.owner.id, kept)
    assert app.archive.export(twin.owner.id) == kept
    assert app.archive.export_markdown(twin.owner.id)


bounded = settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)


@bounded
@given(raw=accidents())
def test_whatever_happened_to_a_file_it_is_refused_or_imported(shared_app: App, raw: bytes) -> None:
    _refused_or_imported(shared_app, raw)


@bounded
@given(file=st.lists(anything, max_size=3))
def test_any_list_at_all_is_refused_or_imported(shared_app: App, file: list[Any]) -> None:
    _refused_or_imported(shared_app, json.dumps(file).encode())
