"""What the programs have in common: from what was said, on one branch, to a chat as we keep it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import groupby
from typing import Annotated, Literal

from chatmem.archive_checks import demand
from chatmem.store.records import UP_TO_THE_FIRST_FAULT, ConversationRecord, MessageRecord, Record
from chatmem.text import clean_text, first_words, is_blank

MOST_CHARACTERS = 1_000_000
"""Of a message, as in our own file."""

NAME_CHARACTERS = 200

BEGINNING = datetime(1970, 1, 1, tzinfo=UTC)
"""For a chat that tells no time at all: one that is the same whenever the file is read, or a second import
would not know the chat again."""


@dataclass(frozen=True, slots=True)
class NamedFile(Record):
    """A file that a message came with; the programs name its fields differently."""

    name: str | None = None
    file_name: str | None = None
    extracted_content: str | None = None


Files = Annotated[tuple[NamedFile, ...], UP_TO_THE_FIRST_FAULT] | None


@dataclass(frozen=True, slots=True)
class Said:
    """What the person saw of one message. `at` is None where nothing tells the time."""

    role: Literal["user", "assistant"]
    text: str
    at: datetime | None
    model: str = ""


@dataclass(frozen=True, slots=True)
class Told:
    """One chat of a file: nothing where nobody said a word. `left_out` counts messages of other branches.

    The `id` tells twins in one file, and nothing else.
    """

    id: str
    record: ConversationRecord | None
    left_out: int


def record_of(
    title: str | None, made: datetime | None, changed: datetime | None, said: Sequence[Said], where: str
) -> ConversationRecord | None:
    """A missing time of a message is the chat's; a missing one of the chat is that of its messages."""
    if not said:
        return None
    times = [one.at for one in said if one.at]
    made = made or min(times, default=changed or BEGINNING)
    changed = changed or max(times, default=made)
    messages: list[MessageRecord] = []
    question: int | None = None
    for number, one in enumerate(_one_reply_each(said), start=1):
        demand(len(one.text) <= MOST_CHARACTERS, where, "range")
        is_reply = one.role == "assistant"
        question = question if is_reply else number
        messages.append(
            MessageRecord(
                number=number, role=one.role, text=one.text, status="complete", created_at=one.at or made,
                void=False, retired_at=None, failure=None, model=one.model,
                answers=question if is_reply else None,
            )
        )  # fmt: skip
    return ConversationRecord(
        title=one_line(title or "") or first_words(clean_text(messages[0].text)), title_settled=True, preset=None,
        uses_facts=None, learns=None, created_at=made, updated_at=changed, head=None, messages=tuple(messages),
        summaries=(),
    )  # fmt: skip


def _one_reply_each(said: Iterable[Said]) -> Iterator[Said]:
    """A question has one reply here. An answer with tools in it comes in several messages, which the person
    saw as one: they are joined, as far as they fit."""
    for role, group in groupby(said, key=lambda one: one.role):
        waiting: list[Said] = []
        room = MOST_CHARACTERS
        for one in group:
            if waiting and (role == "user" or len(one.text) + 2 > room):
                yield _joined(waiting)
                waiting, room = [], MOST_CHARACTERS
            waiting.append(one)
            room -= len(one.text) + 2
        yield _joined(waiting)


def _joined(said: Sequence[Said]) -> Said:
    model = next((one.model for one in reversed(said) if one.model), "")
    return Said(said[0].role, "\n\n".join(one.text for one in said), said[0].at, model)


def branch_to(leaf: str | None, parents: Mapping[str, str | None]) -> list[str]:
    """From the beginning to the leaf. A parent that is not in the file is where the chat begins.

    There must be no circle in it (see `in_circle`).
    """
    path: list[str] = []
    while leaf is not None and leaf in parents:
        path.append(leaf)
        leaf = parents[leaf]
    return path[::-1]


def one_line(text: str) -> str:
    """A title or another name, as long as names may be."""
    line = " ".join(clean_text(text).split())
    return line if len(line) <= NAME_CHARACTERS else line[: NAME_CHARACTERS - 1] + "…"


def model_name(name: str | None, role: str) -> str:
    return one_line(name) if name and role == "assistant" else ""


def written(texts: Iterable[str]) -> str:
    """The texts with something to read in them, as paragraphs."""
    return "\n\n".join(text for text in texts if not is_blank(text))


def file_names(files: Iterable[NamedFile]) -> str:
    """What stands for a message that was nothing but files."""
    names = (one_line(one.name or one.file_name or "") for one in files)
    return " ".join(f"[file: {name}]" if name else "[file]" for name in names)
