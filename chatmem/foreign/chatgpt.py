"""ChatGPT's export: every chat is a tree of messages, of which the person sees one branch."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Any, Literal

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
from chatmem.store.records import UP_TO_THE_FIRST_FAULT, Record

SEEN_TYPES = ("text", "multimodal_text")
"""Not code for tools and what they gave back, thoughts, custom instructions, pages that were read …"""

# What is read of it. All other fields are passed over.


@dataclass(frozen=True, slots=True)
class _Author(Record):
    role: str = ""


@dataclass(frozen=True, slots=True)
class _Content(Record):
    content_type: str = ""
    parts: Annotated[tuple[Any, ...], UP_TO_THE_FIRST_FAULT] | None = None


@dataclass(frozen=True, slots=True)
class _Metadata(Record):
    model_slug: str | None = None
    is_visually_hidden_from_conversation: bool | None = None
    is_user_system_message: bool | None = None
    attachments: Files = None


@dataclass(frozen=True, slots=True)
class _Message(Record):
    author: _Author | None = None
    content: _Content | None = None
    create_time: float | None = None
    recipient: str | None = None
    channel: str | None = None
    metadata: _Metadata | None = None


@dataclass(frozen=True, slots=True)
class _Node(Record):
    parent: str | None = None
    message: _Message | None = None


@dataclass(frozen=True, slots=True)
class ChatGptChat(Record):
    mapping: Annotated[dict[str, _Node], UP_TO_THE_FIRST_FAULT]
    current_node: str | None = None
    conversation_id: str | None = None
    id: str | None = None
    title: str | None = None
    create_time: float | None = None
    update_time: float | None = None


def told_by_chatgpt(chat: ChatGptChat, where: str) -> Told:
    """Raises `ArchiveDamaged` for a tree that is none, times out of range, and messages too long."""
    inside = f"{where}.mapping"
    parents = {id_: node.parent for id_, node in chat.mapping.items()}
    demand(in_circle(parents) is None, inside, "circle")
    said = {id_: _said(node.message, inside) for id_, node in chat.mapping.items() if node.message}
    leaf = chat.current_node if chat.current_node in parents else _youngest_leaf(chat.mapping)
    branch = [one for id_ in branch_to(leaf, parents) if (one := said.get(id_))]
    made = _time(chat.create_time, f"{where}.create_time")
    changed = _time(chat.update_time, f"{where}.update_time")
    record = record_of(chat.title, made, changed, branch, inside)
    left_out = sum(one is not None for one in said.values()) - len(branch)
    return Told(chat.conversation_id or chat.id or "", record, left_out)


_ROLES: Mapping[str, Literal["user", "assistant"]] = {"user": "user", "assistant": "assistant"}


def _said(message: _Message, where: str) -> Said | None:
    """What the person saw of it, if anything."""
    at = _time(message.create_time, f"{where}.….message.create_time")
    content, about = message.content or _Content(), message.metadata or _Metadata()
    role = message.author.role if message.author else ""
    if about.is_visually_hidden_from_conversation or about.is_user_system_message:
        return None
    if message.recipient not in (None, "all") or message.channel == "analysis":
        return None
    if content.content_type not in SEEN_TYPES or role not in _ROLES:
        return None
    text = _text(content, f"{where}.….message.content.parts") or file_names(about.attachments or ())
    return Said(_ROLES[role], text, at, model_name(about.model_slug, role)) if text else None


_PLACEHOLDERS = {"image_asset_pointer": "[image]", "audio_asset_pointer": "[audio]"}


def _text(content: _Content, where: str) -> str:
    """The words. Only where there are none, what stands for pictures and sound."""
    texts: list[str] = []
    others: dict[str, None] = {}
    for part in content.parts or ():
        demand(part is None or isinstance(part, str | dict), where, "kind")
        if isinstance(part, str):
            texts.append(_MARK.sub(_shown, part) if "\ue200" in part else part)
        elif part:
            words, kind = part.get("text"), part.get("content_type")
            if isinstance(words, str):  # what was said aloud, written down
                texts.append(words)
            elif isinstance(kind, str) and kind in _PLACEHOLDERS:
                others[_PLACEHOLDERS[kind]] = None
    return written(texts) or " ".join(others)


_MARK = re.compile("\ue200([^\ue200-\ue202]*)(?:\ue202([^\ue200\ue201]*))?\ue201")
"""Between private characters stands what ChatGPT draws itself: links to sources, cards for names."""


def _shown(mark: re.Match[str]) -> str:
    kind, inside = mark[1], mark[2] or ""
    if kind == "url":
        return inside.split("\ue202")[0]
    if kind != "entity":
        return ""
    try:
        card = json.loads(inside)
    except (ValueError, RecursionError):
        return inside
    return card[1] if isinstance(card, list) and len(card) > 1 and isinstance(card[1], str) else ""


def _youngest_leaf(mapping: Mapping[str, _Node]) -> str | None:
    """For a chat that does not say where it stands. Of equals the last in the file."""
    inner = {node.parent for node in mapping.values()}
    leaves = [id_ for id_ in mapping if id_ not in inner]
    return max(reversed(leaves), key=lambda id_: _made(mapping[id_].message), default=None)


def _made(message: _Message | None) -> float:
    return (message.create_time or 0.0) if message else -1.0


_END = datetime(2200, 1, 1, tzinfo=UTC)


def _time(seconds: float | None, where: str) -> datetime | None:
    """From seconds since 1970."""
    if seconds is None:
        return None
    demand(math.isfinite(seconds) and 0 <= seconds < _END.timestamp(), where, "range")
    at = datetime.fromtimestamp(seconds, UTC)
    demand(at < _END, where, "range")  # the last half of a microsecond is rounded up
    return at
