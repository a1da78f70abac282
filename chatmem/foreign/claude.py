"""Claude's export: every chat is a list of messages, since 2025 with their parents."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from chatmem.archive_checks import demand, in_circle
from chatmem.foreign.chats import (
    Files,
    Said,
    Told,
    branch_to,
    file_names,
    model_name,
    record_of,
    written,
)
from chatmem.store.records import UP_TO_THE_FIRST_FAULT, Record, Time
from chatmem.text import is_blank

# What is read of it. All other fields are passed over.


@dataclass(frozen=True, slots=True)
class _Block(Record):
    type: str = ""
    text: str | None = None


@dataclass(frozen=True, slots=True)
class _Message(Record):
    uuid: str | None = None
    parent_message_uuid: str | None = None
    sender: str = ""
    text: str | None = None
    content: Annotated[tuple[_Block, ...], UP_TO_THE_FIRST_FAULT] | None = None
    created_at: Time | None = None
    attachments: Files = None
    files: Files = None


@dataclass(frozen=True, slots=True)
class ClaudeChat(Record):
    chat_messages: Annotated[tuple[_Message, ...], UP_TO_THE_FIRST_FAULT]
    current_leaf_message_uuid: str | None = None
    uuid: str | None = None
    name: str | None = None
    model: str | None = None
    created_at: Time | None = None
    updated_at: Time | None = None


def told_by_claude(chat: ClaudeChat, where: str) -> Told:
    """Raises `ArchiveDamaged` for ids that stand there twice, circles, and messages too long."""
    inside = f"{where}.chat_messages"
    said = [_said(message, chat.model) for message in chat.chat_messages]
    chosen = [one for place in _current(chat.chat_messages, chat.current_leaf_message_uuid, inside)
              if (one := said[place])]  # fmt: skip
    record = record_of(chat.name, chat.created_at, chat.updated_at, chosen, inside)
    return Told(chat.uuid or "", record, sum(one is not None for one in said) - len(chosen))


def _current(messages: Sequence[_Message], leaf: str | None, where: str) -> Sequence[int]:
    """The places of the branch that ends with the leaf, or else with the last message.

    All of them, in order, where the parents do not lead every message back to one beginning: an older
    file without parents, or one with gaps.
    """
    places = {message.uuid: place for place, message in enumerate(messages) if message.uuid}
    demand(len(places) == sum(bool(message.uuid) for message in messages), where, "twice")
    parents = {id_: messages[place].parent_message_uuid for id_, place in places.items()}
    demand(in_circle(parents) is None, where, "circle")
    beginnings = {parent for parent in parents.values() if parent not in places}
    tells_parents = any(parents.values())
    if len(places) < len(messages) or len(beginnings) > 1 or not tells_parents:
        return range(len(messages))
    return [places[id_] for id_ in branch_to(leaf if leaf in places else messages[-1].uuid, parents)]


_SENDERS: Mapping[str, Literal["user", "assistant"]] = {"human": "user", "assistant": "assistant"}

_NOT_SHOWN = re.compile(r"^```\nThis block is not supported on your current device yet\.\n```$", re.MULTILINE)
"""What the export has for every tool that was used. Nobody saw it."""

_PASTED = re.compile(r"(paste[\w -]*\.txt)?", re.IGNORECASE)
"""The name of what was no file: a long paste becomes an attachment."""


def _said(message: _Message, model: str | None) -> Said | None:
    """What the person saw of it, with what they pasted. Files are named only where there is nothing else."""
    role = _SENDERS.get(message.sender)
    if role is None:
        return None
    files = (*(message.attachments or ()), *(message.files or ()))
    pasted = (one.extracted_content or "" for one in files if _PASTED.fullmatch(one.file_name or ""))
    text = message.text or ""
    if is_blank(text):
        text = written(block.text or "" for block in message.content or () if block.type == "text")
    if len(pieces := _NOT_SHOWN.split(text)) > 1:
        text = written(piece.strip("\n") for piece in pieces)
    text = written((text, *pasted)) or file_names(files)
    return Said(role, text, message.created_at, model_name(model, role)) if text else None
