"""Chats as ChatGPT and Claude hand them to their users, as records (see `docs/format.md`).

What a person saw is kept: their own words and the answers. What the program said to itself is not: system
messages, tools, reasoning, what was hidden. Of a chat with several branches, the one in use is kept.

Read `chats` first, then `chatgpt` and `claude`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any

from chatmem.archive_checks import damaged, demand, first_fault, too_large
from chatmem.errors import ArchiveForeign, ArchiveNotJson
from chatmem.foreign.chatgpt import ChatGptChat, told_by_chatgpt
from chatmem.foreign.chats import Told
from chatmem.foreign.claude import ClaudeChat, told_by_claude
from chatmem.foreign.zipped import is_zip, unzipped
from chatmem.store.records import UP_TO_THE_FIRST_FAULT, Contents, ConversationRecord

if TYPE_CHECKING:
    from pydantic import TypeAdapter

__all__ = ["Found", "is_zip", "read_foreign", "unzipped"]


MOST_MESSAGES = 500_000
"""Each becomes a record of ten values and more: as many as our own file has room for (see `MOST_VALUES`). A large
real export has a tenth of them."""


@dataclass(frozen=True, slots=True)
class Found:
    """What a file holds. `left_out` counts messages of other branches: edited since, or answered anew."""

    contents: Contents
    left_out: int = 0


def read_foreign(texts: Iterable[bytes]) -> Found:
    """The chats of one export, which may come in several texts. Chats in which nobody said a word are passed over.

    Raises `ArchiveNotJson`, `ArchiveForeign`, `ArchiveDamaged` or `ArchiveTooLarge`.
    """
    room = MOST_MESSAGES
    chats: list[ConversationRecord] = []
    known: dict[str, ConversationRecord | None] = {}
    left_out = 0
    for raw in texts:
        parsed = _parsed(raw)
        room -= sum(map(_size, parsed))
        if room < 0:
            raise too_large()
        for place, told in enumerate(_told(parsed)):
            if told.id in known:
                # Parts of an export may overlap; but two different chats under one id cannot both be right.
                demand(known[told.id] == told.record, f"[{place}].id", "twice")
                continue
            if told.id:
                known[told.id] = told.record
            if told.record:
                chats.append(told.record)
                left_out += told.left_out
    return Found(Contents(tuple(chats), ()), left_out)


_Chats = Sequence[ChatGptChat | ClaudeChat]


def _size(chat: ChatGptChat | ClaudeChat) -> int:
    return len(chat.mapping if isinstance(chat, ChatGptChat) else chat.chat_messages)


def _told(chats: _Chats) -> Iterator[Told]:
    for place, chat in enumerate(chats):
        if isinstance(chat, ClaudeChat):
            yield told_by_claude(chat, f"[{place}]")
        elif isinstance(chat, ChatGptChat):
            yield told_by_chatgpt(chat, f"[{place}]")


@lru_cache
def _forms() -> tuple[tuple[str, TypeAdapter[Any]], ...]:
    """Each with the field that no other form has."""
    from pydantic import TypeAdapter

    return (
        ("mapping", TypeAdapter(Annotated[tuple[ChatGptChat, ...], UP_TO_THE_FIRST_FAULT])),
        ("chat_messages", TypeAdapter(Annotated[tuple[ClaudeChat, ...], UP_TO_THE_FIRST_FAULT])),
    )


def _parsed(raw: bytes, is_mended: bool = False) -> _Chats:
    """What the first chat looks like decides whose file it is."""
    from pydantic import ValidationError

    for own_field, form in _forms():
        try:
            chats: _Chats = form.validate_json(raw)
        except ValidationError as error:
            kind, where = first_fault(error)
            if kind == "json_invalid" and "hex escape" in str(error) and not is_mended:
                return _parsed(_without_halves(raw), is_mended=True)
            if kind == "json_invalid":
                raise ArchiveNotJson() from error
            if where == "[0]":
                break
            if (kind, where) != ("missing", f"[0].{own_field}"):
                raise damaged(kind, where) from error
        else:
            if chats:
                return chats
    raise ArchiveForeign()


_ESCAPED = re.compile(rb"\\\\|\\u[dD][89abAB]..\\u[dD][c-fC-F]..|(\\u[dD][89a-fA-F]..)", re.DOTALL)


def _without_halves(raw: bytes) -> bytes:
    """Half of an emoji is what remains where a text was cut inside one: no reason to refuse years of chats."""
    return _ESCAPED.sub(lambda found: rb"\ufffd" if found[1] else found[0], raw)
