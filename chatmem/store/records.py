"""What stands in an exported file (see `docs/format.md`), with the bounds that a file is checked against.

The records name each other by numbers, versions and positions, never by ids.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, is_dataclass
from datetime import UTC, datetime
from typing import Annotated, Any, ClassVar, Literal, TypeVar, cast

from annotated_types import Ge, Le, Lt, MaxLen

from chatmem.domain import FACT_CHARACTERS, BranchKind, DetailKind, FactKind, content_hash
from chatmem.text import clean_text


class _UpToTheFirstFault:
    """For the checker: one fault in a list is enough. A hostile file would have millions of them."""

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> Any:
        return {**handler(source), "fail_fast": True}


UP_TO_THE_FIRST_FAULT = _UpToTheFirstFault()

_FIRST = UP_TO_THE_FIRST_FAULT

Number = Annotated[int, Ge(1), Le(1_000_000_000)]
Count = Annotated[int, Ge(0), Le(1_000_000_000)]
Words = Annotated[str, MaxLen(1_000_000)]
Name = Annotated[str, MaxLen(200)]
Time = Annotated[datetime, Ge(datetime(1970, 1, 1, tzinfo=UTC)), Lt(datetime(2200, 1, 1, tzinfo=UTC))]


@dataclass(frozen=True, slots=True)
class Record:
    """Values must be of their own kinds; fields that are not known are passed over, however many there are."""

    __pydantic_config__: ClassVar[dict[str, object]] = {"extra": "ignore", "strict": True}


@dataclass(frozen=True, slots=True)
class FailureRecord(Record):
    code: Annotated[str, MaxLen(100)]
    details: Annotated[dict[Annotated[str, MaxLen(40)], Annotated[str, MaxLen(10_000)]], MaxLen(20), _FIRST]


@dataclass(frozen=True, slots=True)
class MessageRecord(Record):
    """`answers` is the number of the question that a reply belongs to, `branch` the `ref` of the branch it was
    set aside with. What version 2 of the format added has a default, and does not make two chats differ."""

    number: Number
    role: Literal["user", "assistant"]
    text: Words
    status: Literal["complete", "stopped", "failed", "interrupted"]
    created_at: Time
    void: bool
    retired_at: Time | None
    failure: FailureRecord | None
    model: Name
    answers: Number | None
    branch: Number | None = field(default=None, repr=False)
    forgotten_at: Time | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class DetailRecord(Record):
    """An exact detail as the loss meter knows it: it stands in `quote`, in message `number`."""

    number: Number
    quote: Words
    what: Words
    kind: DetailKind
    days: Annotated[tuple[Annotated[str, MaxLen(10)], ...], MaxLen(20), _FIRST]


Details = Annotated[tuple[DetailRecord, ...], MaxLen(5_000), _FIRST]
Pins = Annotated[tuple[tuple[Number, Words], ...], MaxLen(1_000), _FIRST]


@dataclass(frozen=True, slots=True)
class SummaryRecord(Record):
    """`parent` and `base` are versions. Pins are (message number, quote), `folded` runs of numbers."""

    version: Number
    parent: Number | None
    covers_from: Number
    covers_through: Number
    text: Words
    pins: Pins
    source: Literal["model", "extractive", "person"]
    counted: Count
    kept: Count
    model: Name
    created_at: Time
    base: Number | None = field(default=None, repr=False)
    how: Literal["fold", "edit", "rebuild"] = field(default="fold", repr=False)
    folded: Annotated[tuple[tuple[Number, Number], ...], _FIRST] = field(default=(), repr=False)
    survived: Details = field(default=(), repr=False)
    lost: Details = field(default=(), repr=False)
    suspended_at: Time | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class BranchRecord(Record):
    """Messages set aside after message `after` (0: from the beginning on), with the version then in force."""

    ref: Number
    kind: BranchKind
    after: Count
    first: Number
    head: Number | None
    extracted_through: Count
    created_at: Time


@dataclass(frozen=True, slots=True)
class ConversationRecord(Record):
    """`head` is the version of the summary in force."""

    title: Name
    title_settled: bool
    preset: Annotated[str, MaxLen(32)] | None
    uses_facts: bool | None
    learns: bool | None
    created_at: Time
    updated_at: Time
    head: Number | None
    messages: Annotated[tuple[MessageRecord, ...], _FIRST]
    summaries: Annotated[tuple[SummaryRecord, ...], _FIRST]
    branches: Annotated[tuple[BranchRecord, ...], _FIRST] = field(default=(), repr=False)
    holds_fold: bool = field(default=False, repr=False)
    pins: Pins = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class EvidenceRecord(Record):
    """`chat` is a position among the conversations, from 0, and `message` a number in it."""

    quote: Words
    said_at: Time
    against: bool
    chat: Count | None
    message: Number | None


@dataclass(frozen=True, slots=True)
class FactRecord(Record):
    """`replaces` and `rival` are the `ref` of other facts."""

    ref: Number
    kind: FactKind
    text: Annotated[str, MaxLen(FACT_CHARACTERS)]
    status: Literal["live", "pending", "quarantined", "superseded", "retracted"]
    origin: Literal["learned", "added", "imported"]
    pinned: bool
    created_at: Time
    confirmed_at: Time
    ended_at: Time | None
    replaces: Number | None
    rival: Number | None
    evidence: Annotated[tuple[EvidenceRecord, ...], _FIRST]


@dataclass(frozen=True, slots=True)
class Contents(Record):
    """Everything of one owner. Conversations stand in the order of their making, facts in that of `ref`."""

    conversations: Annotated[tuple[ConversationRecord, ...], _FIRST]
    facts: Annotated[tuple[FactRecord, ...], _FIRST]


Value = TypeVar("Value")


def cleaned(value: Value) -> Value:
    """A record with all its texts as they may be stored (see `clean_text`) and its times in UTC."""
    made: Any = value
    if isinstance(value, str):
        made = clean_text(value)
    elif isinstance(value, datetime):
        made = value.astimezone(UTC) if value.tzinfo else value.replace(tzinfo=UTC)
    elif isinstance(value, tuple):
        made = tuple(cleaned(one) for one in value)
    elif isinstance(value, dict):
        made = dict(sorted((clean_text(name), cleaned(one)) for name, one in value.items()))
    elif is_dataclass(value) and not isinstance(value, type):
        made = type(value)(**{one.name: cleaned(getattr(value, one.name)) for one in fields(value)})
    return cast("Value", made)


def fingerprint_of(record: Record) -> str:
    """Equal for equal records that are `cleaned`: comparing each with each would take long."""
    return content_hash(repr(record))
