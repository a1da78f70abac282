"""Export and import: everything of an owner in one documented file (see `docs/format.md`).

A file comes from anywhere, so nothing of it is believed: its form, its bounds and every reference are
checked before anything is written, and then all of it is written or nothing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from datetime import datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from chatmem.background import Background
from chatmem.domain import FactStatus
from chatmem.errors import (
    ArchiveDamaged,
    ArchiveForeign,
    ArchiveNotJson,
    ArchiveTooLarge,
    ArchiveTooNew,
    FactEmpty,
    FactTooLong,
)
from chatmem.memory.facts import checked_text
from chatmem.memory.quarantine import acts_as_instruction
from chatmem.store import Store
from chatmem.store.archive import ArchiveStore, Imported
from chatmem.store.fact_rows import OPEN, fingerprint
from chatmem.store.records import Contents, ConversationRecord, FactRecord, MessageRecord, cleaned

if TYPE_CHECKING:
    from pydantic import TypeAdapter, ValidationError

__all__ = ["Archive", "Imported"]

FORMAT: Literal["chatmem"] = "chatmem"
VERSION: Literal[1] = 1

MOST_MEGABYTES = 100
MOST_BYTES = MOST_MEGABYTES * 1_000_000
MOST_VALUES = 6_000_000
"""Commas and brackets in a file. A hundred megabytes of chats have about three million; a hostile file of
nothing else would fill the memory with a hundred bytes for each."""


@dataclass(frozen=True, slots=True)
class _File(Contents):
    format: Literal["chatmem"]
    version: Literal[1]


@dataclass(frozen=True, slots=True)
class _Header:
    """What is read of a file first: of a newer version nothing else need be right."""

    format: str
    version: int


class Archive:
    """Both directions. Every method acts for one owner."""

    def __init__(self, store: Store, count_tokens: Callable[[str], int], background: Background) -> None:
        self._store = ArchiveStore(store)
        self._count_tokens = count_tokens
        self._background = background

    def export(self, owner_id: int) -> str:
        """Everything of an owner but what is deleted; the same text whenever nothing has changed."""
        contents = self._store.read(owner_id)
        file = _File(contents.conversations, contents.facts, FORMAT, VERSION)
        return json.dumps(file, default=_plain, sort_keys=True, ensure_ascii=False) + "\n"

    def import_(self, owner_id: int, data: bytes | str) -> Imported:
        """Add what a file holds and the owner does not have yet: all of it or nothing.

        Raises `ArchiveNotJson`, `ArchiveForeign`, `ArchiveTooNew`, `ArchiveDamaged` or `ArchiveTooLarge`.
        """
        contents = _checked(_read(data))
        imported = self._store.write(owner_id, contents, self._count_tokens)
        if imported.facts:
            self._background.embed(owner_id)
        return imported


def _plain(value: object) -> object:
    """What JSON has no word for: records and times."""
    if isinstance(value, datetime):
        return value.isoformat(timespec="microseconds").replace("+00:00", "Z")
    assert is_dataclass(value), type(value)
    return {field.name: getattr(value, field.name) for field in fields(value)}


# --- the form -----------------------------------------------------------------------------------


@lru_cache
def _forms() -> tuple[TypeAdapter[_Header], TypeAdapter[_File]]:
    # Here and not above: pydantic takes a tenth of a second to load, and most people never import.
    from pydantic import TypeAdapter

    return TypeAdapter(_Header), TypeAdapter(_File)


def _read(data: bytes | str) -> _File:
    """The file as records. Their types and bounds are right; what they refer to is not checked yet."""
    from pydantic import ValidationError

    raw = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else bytes(data)
    if len(raw) > MOST_BYTES or sum(raw.count(mark) for mark in (b",", b"[", b"{")) > MOST_VALUES:
        raise ArchiveTooLarge(limit=MOST_MEGABYTES, values=MOST_VALUES // 1_000_000)
    raw = raw.removeprefix(b"\xef\xbb\xbf")  # some editors put it before all they save
    header_form, file_form = _forms()
    try:
        header = header_form.validate_json(raw)
    except ValidationError as error:
        kind, where = _first_fault(error)
        if kind == "json_invalid":
            raise ArchiveNotJson() from error
        if where == "version":
            raise ArchiveDamaged(where=where, why=_why(kind)) from error
        raise ArchiveForeign() from error
    if header.format != FORMAT:
        raise ArchiveForeign()
    if header.version > VERSION:
        raise ArchiveTooNew(version=header.version, known=VERSION)
    try:
        return file_form.validate_json(raw)
    except ValidationError as error:
        kind, where = _first_fault(error)
        raise ArchiveDamaged(where=where, why=_why(kind)) from error


def _first_fault(error: ValidationError) -> tuple[str, str]:
    """Its kind, and where it is. Only names of the format are repeated: others are shown by nobody."""
    fault = error.errors(include_url=False, include_context=False, include_input=False)[0]
    where = ""
    for step in fault["loc"]:
        if isinstance(step, int):
            where += f"[{step}]"
        else:
            where += "." + (step if re.fullmatch(r"[a-z_]{1,20}", step) else "…")
    return fault["type"], where.lstrip(".")


def _why(kind: str) -> str:
    if kind == "missing":
        return kind
    is_bound = kind.endswith(("_equal", "_than", "too_long", "too_short", "_size"))
    return "range" if is_bound else "kind"


# --- what the form cannot say -------------------------------------------------------------------


def _checked(file: _File) -> Contents:
    """The contents as they may be stored. Raises `ArchiveDamaged` for what does not hold together."""
    contents = cleaned(Contents(file.conversations, file.facts))
    for place, chat in enumerate(contents.conversations):
        _check_messages(chat, f"conversations[{place}]")
        _check_summaries(chat, f"conversations[{place}]")
    facts = tuple(_checked_fact(fact, f"facts[{place}]") for place, fact in enumerate(contents.facts))
    _check_references(facts)
    _check_evidence(facts, contents.conversations)
    return Contents(contents.conversations, facts)


def _demand(holds: bool, where: str, why: str) -> None:
    if not holds:
        raise ArchiveDamaged(where=where, why=why)


def _check_messages(chat: ConversationRecord, path: str) -> None:
    roles: dict[int, str] = {}
    last = 0
    for place, message in enumerate(chat.messages):
        where = f"{path}.messages[{place}]"
        _demand(message.number != last, f"{where}.number", "twice")
        _demand(message.number > last, f"{where}.number", "order")
        _demand(message.role == "assistant" or message.status == "complete", f"{where}.status", "kind")
        _demand(message.void or message.status != "failed", f"{where}.void", "kind")
        if message.answers is not None:
            _demand(message.role == "assistant", f"{where}.answers", "kind")
            _demand(roles.get(message.answers) == "user", f"{where}.answers", "reference")
        _check_failure(message, where)
        last = message.number
        roles[last] = message.role


def _check_failure(message: MessageRecord, where: str) -> None:
    """The names become arguments of an error again (see `errors.from_failure`)."""
    for name in message.failure.details if message.failure else ():
        _demand(name.isidentifier() and name != "self", f"{where}.failure.details", "name")


def _check_summaries(chat: ConversationRecord, path: str) -> None:
    numbers = {message.number for message in chat.messages}
    last_number = chat.messages[-1].number if chat.messages else 0
    covered: dict[int, int] = {}
    last = 0
    for place, summary in enumerate(chat.summaries):
        where = f"{path}.summaries[{place}]"
        _demand(summary.version != last, f"{where}.version", "twice")
        _demand(summary.version > last, f"{where}.version", "order")
        _demand(summary.covers_from <= summary.covers_through, f"{where}.covers_from", "order")
        _demand(summary.covers_through <= last_number, f"{where}.covers_through", "reference")
        if summary.parent is not None:
            _demand(summary.parent in covered, f"{where}.parent", "reference")
            _demand(covered[summary.parent] <= summary.covers_through, f"{where}.covers_through", "order")
        _demand(all(number in numbers for number, _ in summary.pins), f"{where}.pins", "reference")
        last = summary.version
        covered[last] = summary.covers_through
    _demand(chat.head is None or chat.head in covered, f"{path}.head", "reference")


def _checked_fact(fact: FactRecord, where: str) -> FactRecord:
    """In one line, like every fact; one that gives orders is shown and never sent."""
    try:
        text = checked_text(fact.text)
    except (FactEmpty, FactTooLong) as error:
        raise ArchiveDamaged(where=f"{where}.text", why="range") from error
    status = fact.status
    if status in (FactStatus.LIVE, FactStatus.PENDING) and acts_as_instruction(text):
        status = "quarantined"
    return replace(fact, text=text, status=status)


def _check_references(facts: Sequence[FactRecord]) -> None:
    last = 0
    standing: set[str] = set()
    replaces = {fact.ref: fact.replaces for fact in facts}
    for place, fact in enumerate(facts):
        where = f"facts[{place}]"
        _demand(fact.ref != last, f"{where}.ref", "twice")
        _demand(fact.ref > last, f"{where}.ref", "order")
        last = fact.ref
        for name, other in (("replaces", fact.replaces), ("rival", fact.rival)):
            _demand(other is None or other in replaces, f"{where}.{name}", "reference")
            _demand(other != fact.ref, f"{where}.{name}", "circle")
        if fact.status in OPEN:
            words = fingerprint(fact.text)
            _demand(words not in standing, f"{where}.text", "twice")
            standing.add(words)
    _check_circles(replaces, facts)


def _check_circles(replaces: Mapping[int, int | None], facts: Sequence[FactRecord]) -> None:
    """Each fact is walked through once, however long the chains are."""
    ends: set[int] = set()
    for place, fact in enumerate(facts):
        path: dict[int, None] = {}
        step: int | None = fact.ref
        while step is not None and step not in ends:
            _demand(step not in path, f"facts[{place}].replaces", "circle")
            path[step] = None
            step = replaces[step]
        ends.update(path)


def _check_evidence(facts: Sequence[FactRecord], chats: Sequence[ConversationRecord]) -> None:
    numbers: dict[int, set[int]] = {}
    for place, fact in enumerate(facts):
        for index, evidence in enumerate(fact.evidence):
            where = f"facts[{place}].evidence[{index}]"
            chat = evidence.chat
            if chat is None or evidence.message is None:
                _demand(chat is None and evidence.message is None, where, "missing")
                continue
            _demand(chat < len(chats), f"{where}.chat", "reference")
            if chat not in numbers:
                numbers[chat] = {message.number for message in chats[chat].messages}
            _demand(evidence.message in numbers[chat], f"{where}.message", "reference")
