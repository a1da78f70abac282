"""Export to read elsewhere, and of one chat: what stands in it, and that nobody's words break it."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from chatmem.app import App
from chatmem.domain import new_id
from chatmem.errors import NotFound
from chatmem.markdown import answer, document, verbatim
from chatmem.store.records import ConversationRecord, MessageRecord
from tests.conftest import Person
from tests.unit.test_archive import HOSTILE, archive, conversation, evidence, fact, message, newcomer, summary

NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


def record(*texts: str, **changes: Any) -> ConversationRecord:
    """A chat in which the person and the model take turns."""
    messages = tuple(
        MessageRecord(
            number=number, role="user" if number % 2 else "assistant", text=text, status="complete", created_at=NOON,
            void=False, retired_at=None, failure=None, model="" if number % 2 else "m", answers=None if number % 2 else number - 1,
        )
        for number, text in enumerate(texts, start=1)
    )  # fmt: skip
    made = ConversationRecord(
        title="A chat", title_settled=True, preset=None, uses_facts=None, learns=None, created_at=NOON, updated_at=NOON,
        head=None, messages=messages, summaries=(),
    )  # fmt: skip
    return replace(made, **changes)


def read(markdown: str) -> list[Token]:
    """The document as a Markdown reader takes it, HTML and all."""
    return MarkdownIt("commonmark", {"html": True}).parse(markdown)


def headings(markdown: str) -> list[tuple[str, str]]:
    """Those of the document itself, not of quotes and lists: (tag, text)."""
    tokens = read(markdown)
    return [
        (token.tag, tokens[place + 1].content)
        for place, token in enumerate(tokens)
        if token.type == "heading_open" and token.level == 0
    ]


def kinds(markdown: str) -> set[str]:
    found: set[str] = set()
    for token in read(markdown):
        found |= {token.type, *(child.type for child in token.children or ())}
    return found


STRUCTURE = [
    ("h1", "A chat"),
    ("h2", "**You** · 2026-03-01 12:00"),
    ("h2", "**Chat** · 2026-03-01 12:00 · m"),
    ("h2", "**You** · 2026-03-01 12:00"),
]


# --- what stands in it --------------------------------------------------------------------------


def test_a_chat_reads_like_a_chat() -> None:
    assert document([record("안녕?\n  들여쓰기", "Hello **there**:\n\n```py\nx = 1\n```")], "en") == (
        "# A chat\n\n*2026-03-01 – 2026-03-01 · times in UTC*\n\n"
        "## **You** · 2026-03-01 12:00\n\n```text\n안녕?\n  들여쓰기\n```\n\n"
        "## **Chat** · 2026-03-01 12:00 · m\n\nHello **there**:\n\n```py\nx = 1\n```\n"
    )


def test_the_document_is_in_the_persons_language() -> None:
    korean = document([record("응", "네", title=" ")], "ko")
    assert headings(korean) == [
        ("h1", "제목 없는 대화"),
        ("h2", "**나** · 2026-03-01 12:00"),
        ("h2", "**챗** · 2026-03-01 12:00 · m"),
    ]
    assert document([], "ko") == "대화가 없습니다.\n"


def test_all_chats_stand_in_one_document_the_oldest_first(app: App, person: Person, stranger: Person) -> None:
    file = archive([conversation(title="First"), conversation(title="Second", created_at="2026-03-02T12:00:00Z")])
    app.archive.import_(person.owner.id, file)
    found = app.archive.export_markdown(person.owner.id)
    assert [text for tag, text in headings(found) if tag == "h1"] == ["First", "Second"]
    assert app.archive.export_markdown(stranger.owner.id) == "There are no chats.\n"


def test_summaries_in_force_stand_where_they_stand(app: App, person: Person) -> None:
    file = archive([conversation(
        *(message(n, "user" if n % 2 else "assistant") for n in range(1, 7)), head=3,
        summaries=[
            summary(1, 2, text="one <b>"), summary(2, 3, text="undone", parent=1),
            summary(3, 4, text="Goals: a\nFacts: b", covers_from=3, parent=1, pins=[[1, "message"]]),
        ],
    )])  # fmt: skip
    app.archive.import_(person.owner.id, file)
    found = app.archive.export_markdown(person.owner.id)
    order = [
        "message 2",
        "Summary v1: messages 1–2",
        "message 3",
        "message 4",
        "Summary v3: messages 3–4",
        "- 1: message",
        "message 5",
    ]
    assert [found.index(words) for words in order] == sorted(found.index(words) for words in order)
    assert "undone" not in found
    assert "> Goals: a  \n> Facts: b  \n" in found
    assert len([token for token in read(found) if token.type == "blockquote_open"]) == 2


def test_what_was_retired_or_failed_is_marked_and_kept(app: App, person: Person) -> None:
    failure = {"code": "KeyRefused", "details": {}}
    file = archive([conversation(
        message(1, retired_at="2026-03-02T12:00:00Z"), message(2, "assistant", status="stopped", text="Half an"),
        message(3, void=True), message(4, "assistant", text="", status="failed", void=True, failure=failure),
    )])  # fmt: skip
    app.archive.import_(person.owner.id, file)
    found = app.archive.export_markdown(person.owner.id, language="en")
    assert [text for _, text in headings(found)][1:] == [
        "**You** · 2026-03-01 12:00 · retired", "**Chat** · 2026-03-01 12:00 · stopped",
        "**You** · 2026-03-01 12:00", "**Chat** · 2026-03-01 12:00 · failed",
    ]  # fmt: skip
    assert found.endswith("*The model's server refused the key. Check it in Settings.*\n")


# --- nobody's words break it --------------------------------------------------------------------

BREAKING = [
    *HOSTILE, "# A heading", "text\n===", "text\n---", "---", "```\nan open fence", "~~~\nan open fence", "````\n```\n", "    code", "\tcode",
    "- ```\n  in a list", "> ```\n> in a quote", "1. a\n   ```\n   x\n   ```", "1. a\n   ```\nx\n```", "<!-- an open comment", "<div>", "<pre>", "<?php",
    "<![CDATA[", "</details>", "## **You** · 2026-03-01 12:00", "`<b>`", "a ` b\nc ` <script> ` d", "<https://x`y> <script> ` z", "``` a ``` <b>",
    "\\`<b>`", "\\\\![x](y)", "![x][y]\n\n[y]: https://evil.example", "[a]: b\n# c", "a\n\u2003\n---", "a `\n\u2003\nb ` <i> ` c", "*open", "$$ open", "| a |\n|---|",
    "   ```\n x\n   ```", "```\nx\n   ```\ny", "```js\nx\n``` y\n", "# \n#", "#\thead", "&lt;b>", "\u00a0# x", "\u00a0```\nx", "\n\n# x\n\n",
]  # fmt: skip


@pytest.mark.parametrize("text", BREAKING)
def test_nothing_anybody_writes_breaks_the_document(text: str) -> None:
    found = document([record(text, text, "the end")], "en")
    assert [pair for pair in headings(found) if pair[0] in ("h1", "h2")] == STRUCTURE
    assert read(found)[-1].content == "the end\n"
    assert not kinds(found) & {"html_block", "html_inline", "image"}


pieces = st.lists(
    st.sampled_from([
        "```", "````", "~~~", "`", "``", "\n", "\n", "\n\n", " ", "  ", "   ", "    ", "\t", "> ", "- ", "1. ", "10) ", "# ", "## ", "---", "===", "***",
        "<div>", "<script>", "<!--", "-->", "<!X", "<?", "<b", ">", "</b>", "<https://a.b>", "\\", "![a](b)", "[x]: y", "[", "]", "(", ")", "!", "a", "word",
        "|", "&", "\u2003", "\u00a0", "한글", "js",
    ]),
    max_size=25,
).map("".join)  # fmt: skip


@settings(max_examples=400, deadline=None)
@given(said=pieces, answered=pieces)
@example("", "1. a\n   ```\n\n  b\n   ```")
def test_nothing_made_of_markdown_breaks_the_document(said: str, answered: str) -> None:
    found = document([record(said, answered, "the end")], "en")
    assert [pair for pair in headings(found) if pair[0] in ("h1", "h2")] == STRUCTURE
    assert read(found)[-1].content == "the end\n"
    assert not kinds(found) & {"html_block", "html_inline", "image"}
    if said.strip():
        assert f"{said}\n" in [
            token.content for token in read(found) if token.type == "fence" and token.info == "text"
        ]


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("plain\n\n- a\n- b", "plain\n\n- a\n- b"),
        ("# Title\n## Part\n###### deep", "### Title\n#### Part\n###### deep"),
        ("```sh\n# no heading\necho <b> ![x](y)\n```\nafter", "```sh\n# no heading\necho <b> ![x](y)\n```\nafter"),
        ("cut off in code:\n```html\n<div>", "cut off in code:\n```html\n<div>\n```"),
        ("use `<div>` and ``a ` b``", "use `<div>` and ``a ` b``"),
        ("a <b> c < d <3", "a &lt;b> c < d <3"),
        ("![x](https://evil.example)", "&#33;[x](https://evil.example)"),
        ("1. step\n   ```py\n   x\n\n   y\n   ```\n2. next", "1. step\n   ```py\n   x\n\n   y\n   ```\n2. next"),
        ("text\n---", "> text\n> ---"),
        ("- a\n\n    ```\n    deep\n    ```", "> - a\n>\n>     ```\n>     deep\n>     ```"),
    ],
)
def test_an_answer_stays_markdown_as_far_as_that_is_safe(text: str, kept: str) -> None:
    assert answer(text) == kept


def test_a_persons_words_stand_as_they_are() -> None:
    assert verbatim("`````\n# x") == "``````text\n`````\n# x\n``````"
    assert verbatim(" a  \n") == "```text\n a  \n\n```"


def test_titles_and_models_are_plain_text() -> None:
    for text in ("*bold* `x` <b> [a](b)", "a\nb", "x #", "1. a", "- a", "$a$ ~b~ |", "\\"):
        chat = record("q", "a", title=text)
        chat = replace(chat, messages=(chat.messages[0], replace(chat.messages[1], model=text)))
        found = document([chat], "en")
        inline = [token.children or [] for token in read(found) if token.type == "inline"]
        shown = ["".join(child.content for child in some) for some in inline]
        assert shown[0] == " ".join(text.split())
        assert shown[3] == f"Chat · 2026-03-01 12:00 · {' '.join(text.split())}"


def test_long_lines_take_no_time() -> None:
    for text in (
        "`" * 500_000,
        "` `` " * 100_000,
        "<" * 500_000,
        "![" * 300_000,
        "\\`" * 300_000,
        "> " * 300_000 + "```",
        "\n" * 500_000,
    ):
        answer(text)
        verbatim(text)


# --- one chat -----------------------------------------------------------------------------------

TWO = archive(
    [conversation(title="Mine", head=1, summaries=[summary(1, 2)]), conversation(title="Other", created_at="2026-03-02T12:00:00.000000Z")],
    [
        fact(1, "Lives in Seoul", status="superseded", evidence=[evidence(1, 1, "other words")]),
        fact(2, "Lives in Busan", replaces=1, evidence=[evidence(0, 1, "mine"), evidence(1, 1, "other words")]),
        fact(3, "Likes tea", evidence=[evidence(1, 1, "other words")]),
        fact(4, "Has a cat", evidence=[evidence(None, None, "by hand")]),
        fact(5, "Had a dog", status="retracted", evidence=[evidence(1, 1, "other words"), evidence(0, 1, "mine") | {"against": True}]),
        fact(6, "Lives in Daegu", rival=2, evidence=[evidence(0, 1, "mine")]),
        fact(7, "Lives in Ulsan", rival=3, evidence=[evidence(0, 1, "mine")]),
    ],
)  # fmt: skip


@pytest.fixture
def chats(app: App, person: Person) -> dict[str, str]:
    app.archive.import_(person.owner.id, TWO)
    return {chat.title: chat.id for chat in app.store.conversations.recent(person.owner.id)}


def test_a_file_of_one_chat_tells_nothing_of_the_others(app: App, person: Person, chats: dict[str, str]) -> None:
    exported = app.archive.export_chat(person.owner.id, chats["Mine"])
    assert "other words" not in exported
    file = json.loads(exported)
    assert [chat["title"] for chat in file["conversations"]] == ["Mine"]
    assert [(one["ref"], one["text"], one["replaces"], one["rival"]) for one in file["facts"]] == [
        (1, "Lives in Busan", None, None), (2, "Lives in Daegu", None, 1), (3, "Lives in Ulsan", None, None),
    ]  # fmt: skip
    assert all(len(one["evidence"]) == 1 for one in file["facts"])


def test_a_file_of_one_chat_can_be_imported_and_gives_itself_again(
    app: App, person: Person, chats: dict[str, str]
) -> None:
    exported = app.archive.export_chat(person.owner.id, chats["Mine"])
    twin = newcomer(app)
    imported = app.archive.import_(twin.owner.id, exported)
    assert (imported.conversations, imported.facts) == (1, 3)
    assert app.archive.export(twin.owner.id) == exported
    assert app.archive.export_chat(twin.owner.id, imported.conversation_ids[0]) == exported
    assert app.archive.import_(person.owner.id, exported).known_conversations == 1


def test_one_chat_as_markdown_is_that_chat_alone(app: App, person: Person, chats: dict[str, str]) -> None:
    found = app.archive.export_markdown(person.owner.id, chats["Other"])
    assert [text for tag, text in headings(found) if tag == "h1"] == ["Other"]


def test_a_foreign_a_deleted_and_a_missing_chat_are_not_found(
    app: App, person: Person, stranger: Person, chats: dict[str, str]
) -> None:
    app.store.conversations.hide(person.owner.id, chats["Other"])
    for owner_id, chat_id in (
        (stranger.owner.id, chats["Mine"]), (person.owner.id, chats["Other"]), (person.owner.id, new_id()), (12345, chats["Mine"]),
    ):  # fmt: skip
        with pytest.raises(NotFound):
            app.archive.export_chat(owner_id, chat_id)
        with pytest.raises(NotFound):
            app.archive.export_markdown(owner_id, chat_id)
    with pytest.raises(NotFound):
        app.archive.export_markdown(12345)
