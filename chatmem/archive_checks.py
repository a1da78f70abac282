"""What a file to import has to be: its size, its form, and what holds together in it.

A file comes from anywhere, so nothing of it is believed: its form, its bounds and every reference are
checked before anything is written.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache
from typing import TYPE_CHECKING, Literal, TypeVar

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
from chatmem.store.fact_rows import OPEN, fingerprint
from chatmem.store.records import (
    Contents,
    ConversationRecord,
    FactRecord,
    MessageRecord,
    SummaryRecord,
    cleaned,
)

if TYPE_CHECKING:
    from pydantic import TypeAdapter, ValidationError

FORMAT: Literal["chatmem"] = "chatmem"
VERSION: Literal[2] = 2

MOST_MEGABYTES = 100
MOST_BYTES = MOST_MEGABYTES * 1_000_000
MOST_VALUES = 6_000_000
"""Commas and brackets in a file. A hundred megabytes of chats have about three million; a hostile file of
nothing else would fill the memory with a hundred bytes for each."""

Step = TypeVar("Step")


@dataclass(frozen=True, slots=True)
class File(Contents):
    format: Literal["chatmem"]
    version: Literal[1, 2]


@dataclass(frozen=True, slots=True)
class _Header:
    """What is read of a file first: of a newer version nothing else need be right."""

    format: str
    version: int


def too_large() -> ArchiveTooLarge:
    return ArchiveTooLarge(limit=MOST_MEGABYTES, values=MOST_VALUES // 1_000_000)


def check_size(texts: Sequence[bytes]) -> None:
    """Before anything is parsed: what a parser makes of a text takes many times the text's room."""
    values = sum(text.count(mark) for text in texts for mark in (b",", b"[", b"{"))
    if sum(map(len, texts)) > MOST_BYTES or values > MOST_VALUES:
        raise too_large()


def demand(holds: bool, where: str, why: str) -> None:
    """Raises `ArchiveDamaged` unless it holds. `why` is one of its `reasons`."""
    if not holds:
        raise ArchiveDamaged(where=where, why=why)


# --- the form -----------------------------------------------------------------------------------


@lru_cache
def _forms() -> tuple[TypeAdapter[_Header], TypeAdapter[File]]:
    # Here and not above: pydantic takes a tenth of a second to load, and most people never import.
    from pydantic import TypeAdapter

    return TypeAdapter(_Header), TypeAdapter(File)


def read_own(raw: bytes) -> Contents:
    """Our own file as records. Their types and bounds are right; what they refer to is not checked yet."""
    from pydantic import ValidationError

    header_form, file_form = _forms()
    try:
        header = header_form.validate_json(raw)
    except ValidationError as error:
        kind, where = first_fault(error)
        if kind == "json_invalid":
            raise ArchiveNotJson() from error
        if where == "version":
            raise damaged(kind, where) from error
        raise ArchiveForeign() from error
    if header.format != FORMAT:
        raise ArchiveForeign()
    if header.version > VERSION:
        raise ArchiveTooNew(version=header.version, known=VERSION)
    try:
        file = file_form.validate_json(raw)
    except ValidationError as error:
        raise damaged(*first_fault(error)) from error
    return Contents(file.conversations, file.facts)


def first_fault(error: ValidationError) -> tuple[str, str]:
    """Its kind, and where it is. Only names of the format are repeated: others are shown by nobody."""
    fault = error.errors(include_url=False, include_context=False, include_input=False)[0]
    where = ""
    for step in fault["loc"]:
        if isinstance(step, int):
            where += f"[{step}]"
        else:
            where += "." + (step if re.fullmatch(r"[a-z_]{1,20}", step) else "…")
    return fault["type"], where.lstrip(".")


def damaged(kind: str, where: str) -> ArchiveDamaged:
    """The error for a fault as `first_fault` tells it."""
    if kind == "missing":
        return ArchiveDamaged(where=where, why=kind)
    is_bound = kind.endswith(("_equal", "_than", "too_long", "too_short", "_size"))
    return ArchiveDamaged(where=where, why="range" if is_bound else "kind")


# --- what the form cannot say -------------------------------------------------------------------


def checked(contents: Contents) -> Contents:
    """The contents as they may be stored. Raises `ArchiveDamaged` for what does not hold together."""
    contents = cleaned(contents)
    for place, chat in enumerate(contents.conversations):
        _check_branches(chat, f"conversations[{place}]")
        _check_messages(chat, f"conversations[{place}]")
        _check_summaries(chat, f"conversations[{place}]")
    facts = tuple(_checked_fact(fact, f"facts[{place}]") for place, fact in enumerate(contents.facts))
    _check_references(facts)
    _check_evidence(facts, contents.conversations)
    return Contents(contents.conversations, facts)


def _check_branches(chat: ConversationRecord, path: str) -> None:
    versions = {summary.version for summary in chat.summaries}
    last = 0
    for place, branch in enumerate(chat.branches):
        where = f"{path}.branches[{place}]"
        demand(branch.ref != last, f"{where}.ref", "twice")
        demand(branch.ref > last, f"{where}.ref", "order")
        demand(branch.after < branch.first, f"{where}.after", "order")
        demand(branch.head is None or branch.head in versions, f"{where}.head", "reference")
        last = branch.ref


def _check_messages(chat: ConversationRecord, path: str) -> None:
    roles: dict[int, str] = {}
    branches = {branch.ref for branch in chat.branches}
    last = 0
    for place, message in enumerate(chat.messages):
        where = f"{path}.messages[{place}]"
        demand(message.branch is None or message.branch in branches, f"{where}.branch", "reference")
        is_aside = message.branch is not None or message.forgotten_at is not None
        demand(message.retired_at is not None or not is_aside, f"{where}.retired_at", "missing")
        demand(message.forgotten_at is None or not message.text, f"{where}.text", "kind")
        demand(message.number != last, f"{where}.number", "twice")
        demand(message.number > last, f"{where}.number", "order")
        demand(message.role == "assistant" or message.status == "complete", f"{where}.status", "kind")
        demand(message.void or message.status != "failed", f"{where}.void", "kind")
        if message.answers is not None:
            demand(message.role == "assistant", f"{where}.answers", "kind")
            demand(roles.get(message.answers) == "user", f"{where}.answers", "reference")
        _check_failure(message, where)
        last = message.number
        roles[last] = message.role


def _check_failure(message: MessageRecord, where: str) -> None:
    """The names become arguments of an error again (see `errors.from_failure`)."""
    for name in message.failure.details if message.failure else ():
        demand(name.isidentifier() and name != "self", f"{where}.failure.details", "name")


def _check_summaries(chat: ConversationRecord, path: str) -> None:
    numbers = {message.number for message in chat.messages}
    last_number = chat.messages[-1].number if chat.messages else 0
    covered: dict[int, int] = {}
    last = 0
    for place, summary in enumerate(chat.summaries):
        where = f"{path}.summaries[{place}]"
        demand(summary.version != last, f"{where}.version", "twice")
        demand(summary.version > last, f"{where}.version", "order")
        demand(summary.covers_from <= summary.covers_through, f"{where}.covers_from", "order")
        demand(summary.covers_through <= last_number, f"{where}.covers_through", "reference")
        if summary.parent is not None:
            demand(summary.parent in covered, f"{where}.parent", "reference")
            demand(covered[summary.parent] <= summary.covers_through, f"{where}.covers_through", "order")
        demand(summary.base is None or summary.base in covered, f"{where}.base", "reference")
        demand(all(number in numbers for number, _ in summary.pins), f"{where}.pins", "reference")
        demand(summary.suspended_at is None or not summary.text, f"{where}.text", "kind")
        demand(summary.suspended_at is None or chat.head != summary.version, f"{path}.head", "reference")
        _check_runs(summary, where)
        _check_details(summary, numbers, where)
        last = summary.version
        covered[last] = summary.covers_through
    demand(chat.head is None or chat.head in covered, f"{path}.head", "reference")
    demand(all(number in numbers for number, _ in chat.pins), f"{path}.pins", "reference")


def _check_runs(summary: SummaryRecord, where: str) -> None:
    before = 0
    for first, last in summary.folded:
        demand(before < first <= last <= summary.covers_through, f"{where}.folded", "order")
        before = last


def _check_details(summary: SummaryRecord, numbers: Collection[int], where: str) -> None:
    for name, found in (("survived", summary.survived), ("lost", summary.lost)):
        for detail in found:
            demand(detail.number in numbers, f"{where}.{name}", "reference")
            for day in detail.days:
                demand(
                    re.fullmatch(r"\d{4}-\d\d-\d\d", day) is not None and _is_day(day), f"{where}.{name}", "kind"
                )


def _is_day(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


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
        demand(fact.ref != last, f"{where}.ref", "twice")
        demand(fact.ref > last, f"{where}.ref", "order")
        last = fact.ref
        for name, other in (("replaces", fact.replaces), ("rival", fact.rival)):
            demand(other is None or other in replaces, f"{where}.{name}", "reference")
            demand(other != fact.ref, f"{where}.{name}", "circle")
        if fact.status in OPEN:
            words = fingerprint(fact.text)
            demand(words not in standing, f"{where}.text", "twice")
            standing.add(words)
    circular = in_circle(replaces)
    if circular is not None:
        raise ArchiveDamaged(where=f"facts[{list(replaces).index(circular)}].replaces", why="circle")


def in_circle(follows: Mapping[Step, Step | None]) -> Step | None:
    """Where a walk would never end, or None. Each step is taken once, however long the chains are."""
    ends: set[Step] = set()
    for start in follows:
        path: dict[Step, None] = {}
        step: Step | None = start
        while step is not None and step not in ends:
            if step in path:
                return start
            path[step] = None
            step = follows.get(step)
        ends.update(path)
    return None


def _check_evidence(facts: Sequence[FactRecord], chats: Sequence[ConversationRecord]) -> None:
    numbers: dict[int, set[int]] = {}
    for place, fact in enumerate(facts):
        for index, evidence in enumerate(fact.evidence):
            where = f"facts[{place}].evidence[{index}]"
            chat = evidence.chat
            if chat is None or evidence.message is None:
                demand(chat is None and evidence.message is None, where, "missing")
                continue
            demand(chat < len(chats), f"{where}.chat", "reference")
            if chat not in numbers:
                numbers[chat] = {message.number for message in chats[chat].messages}
            demand(evidence.message in numbers[chat], f"{where}.message", "reference")
