"""The values everything else is made of. Frozen; they know no database, no screen and no model.

Numbers count the messages of one conversation from 1. They are given once and never reused, so
"messages 3-9" means the same for ever; a retired message leaves a gap.
"""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum
from typing import Literal

Role = Literal["system", "user", "assistant"]
Language = Literal["ko", "en"]

LANGUAGES: tuple[Language, ...] = ("ko", "en")


def new_id() -> str:
    """An unguessable id for a conversation or a draft: 144 random bits, safe in a URL."""
    return secrets.token_urlsafe(18)


class Status(StrEnum):
    """What has become of a message. A user's message is complete from the start."""

    COMPLETE = "complete"
    STREAMING = "streaming"
    STOPPED = "stopped"
    FAILED = "failed"
    INTERRUPTED = "interrupted"


@dataclass(frozen=True, slots=True)
class Owner:
    """Whose memory it is. `preferences` holds the person's own settings, validated on the way in."""

    id: int
    preferences: dict[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Conversation:
    """One chat thread.

    `head_id` is the summary version in force and `memory_epoch` grows with every change of memory:
    a fold, a reset, a rollback. Whoever writes memory names the epoch it has seen.
    """

    id: str
    title: str
    created_at: datetime
    updated_at: datetime
    head_id: int | None = None
    memory_epoch: int = 0
    preset: str | None = None
    can_undo_reset: bool = False
    uses_facts: bool | None = None
    """This chat's own answer to "use memory"; None follows the owner's. So does `learns`."""
    learns: bool | None = None
    holds_fold: bool = False
    """The person has put folding off."""
    pins: tuple[Pin, ...] = ()
    """What the person has pinned themselves; every version that covers it carries it."""


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a reply failed: the error's `code` (see `errors`) and what its sentence needs."""

    code: str
    details: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Message:
    """One utterance. `tokens` counts its text; `void` marks both messages of a turn that came to nothing."""

    id: int
    number: int
    role: Role
    text: str
    status: Status
    created_at: datetime
    tokens: int
    void: bool = False
    retired_at: datetime | None = None
    failure: Failure | None = None
    model: str = ""
    retirement_id: int | None = None
    """The branch it was set aside with, if it can be brought back."""
    forgotten_at: datetime | None = None

    @property
    def live(self) -> bool:
        """Part of what the chat remembers: final, not retired, of a turn that did not fail."""
        return not self.void and self.retired_at is None and self.status is not Status.STREAMING


@dataclass(frozen=True, slots=True)
class Turn:
    """A user's message and the reply to it. `fresh` is false when the same draft was sent before."""

    conversation_id: str
    question: Message
    reply: Message
    run_token: str
    fresh: bool = True


PIN_CHARACTERS = 200
"""A pin is a detail, not a message."""


@dataclass(frozen=True, slots=True)
class Pin:
    """An exact detail carried beside the prose of a summary: copied from message `number`, as said."""

    number: int
    quote: str


DetailKind = Literal["name", "number", "date", "quote"]


@dataclass(frozen=True, slots=True)
class Detail:
    """An exact thing that was said in message `number`: `what` it is, and the `quote` it stands in, verbatim.

    `days` are those that a weekday can mean, by when it was said: "next Friday" survives as "March 13".
    """

    number: int
    quote: str
    what: str
    kind: DetailKind
    days: tuple[date, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class NewSummary:
    """A summary that passed the gate and asks to become the head: everything up to `covers_through`.

    `parent_id` is the version whose text it carries on, if any, and `base_id` the one in force before it.
    `source` says who wrote it: a model, the extractive fallback after refusals, or the person. `how` says
    on what occasion. `folded` are the runs of message numbers it took from the window. `counted` and
    `kept` are the counts of the window before and after, as planned: 11 -> summary + 4. `survived` and
    `lost` are the exact details of all it covers: those it still carries, and those that went with it.
    """

    parent_id: int | None
    base_id: int | None = None
    how: Literal["fold", "edit", "rebuild"] = "fold"
    folded: tuple[tuple[int, int], ...] = ()
    survived: tuple[Detail, ...] = ()
    lost: tuple[Detail, ...] = ()
    covers_from: int
    covers_through: int
    text: str
    pins: tuple[Pin, ...]
    source: Literal["model", "extractive", "person"]
    counted: int
    kept: int
    tokens: int
    model: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary(NewSummary):
    """An immutable version of mid-term memory. A suspended one covered something forgotten: its text is gone."""

    id: int
    version: int
    created_at: datetime
    suspended_at: datetime | None = None


BranchKind = Literal["edit", "delete", "retry", "switch"]


@dataclass(frozen=True, slots=True)
class Branch:
    """Messages that an act of the person set aside after message `after_number`; they can be brought back."""

    id: int
    kind: BranchKind
    after_number: int
    first_number: int
    count: int
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of what is said to the model, and where it came from.

    `source` is `message:12`, `summary:3` or empty for our own words; a receipt refers to it
    instead of copying the text. A redacted one was sent, and has been forgotten since: its text is empty.
    """

    text: str
    source: str = ""
    redacted: bool = False


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """One message of a request, in segments, so that a receipt can say what each part was."""

    role: Role
    segments: tuple[Segment, ...]

    @property
    def text(self) -> str:
        return "".join(segment.text for segment in self.segments)

    @classmethod
    def of(cls, role: Role, text: str, source: str = "") -> ChatMessage:
        return cls(role, (Segment(text, source),))


FactKind = Literal["profile", "preference", "goal", "fact"]

FACT_KINDS: tuple[FactKind, ...] = ("profile", "preference", "goal", "fact")

FACT_CHARACTERS = 300
"""The longest fact: one thing known, not a page."""


class FactStatus(StrEnum):
    """What has become of a fact. Only live ones are ever sent; a forgotten one has no row."""

    LIVE = "live"
    PENDING = "pending"
    QUARANTINED = "quarantined"
    SUPERSEDED = "superseded"
    RETRACTED = "retracted"


@dataclass(frozen=True, slots=True)
class Evidence:
    """What proves a fact, or what ended it: the person's own words, and where and when they said them.

    A fact added by hand is its own quote and has no message; so has one whose chat was deleted.
    """

    quote: str
    said_at: datetime
    message_id: int | None = None
    conversation_id: str | None = None
    number: int | None = None
    against: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One thing known about the owner. Its text never changes: an edit is a new fact that supersedes.

    `replaces_id` is the fact it took the place of (or will, while it is pending); `rival_id` one it
    seems to contradict, until the person has decided. `confirmed_at` is when it was last said.
    """

    id: int
    kind: FactKind
    text: str
    status: FactStatus
    origin: Literal["learned", "added", "imported"]
    created_at: datetime
    confirmed_at: datetime
    pinned: bool = False
    ended_at: datetime | None = None
    replaces_id: int | None = None
    rival_id: int | None = None
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True)
class Opening:
    """The facts that open a chat's requests, as frozen for it, and whether they still hold.

    They are chosen anew at a fold, after an act of the person, and when one of them is no longer
    true; in between they stay, so that consecutive requests begin alike. `facts_epoch` is 0 when the
    owner has no facts at all. `outdated` are the chat's messages that prove only facts which have ended:
    their numbers, and the words that did.
    """

    facts: tuple[Fact, ...]
    holds: bool
    facts_epoch: int
    hand_epoch: int
    outdated: dict[int, str]


@dataclass(frozen=True, slots=True)
class UsedFact:
    """A fact's part in one reply. `below`: found, but under the line, and not sent."""

    fact_id: int
    score: float
    how: Literal["stable", "recalled", "below"]


@dataclass(frozen=True, slots=True)
class UsedQuote:
    """An earlier message that was recalled for one reply."""

    message_id: int
    number: int
    score: float


@dataclass(frozen=True, slots=True)
class Quote:
    """An earlier message that a question needs, or the piece of it that does."""

    message: Message
    text: str
    score: float


@dataclass(frozen=True, slots=True)
class Recalled:
    """What was found for one question: facts and earlier messages, best first, and what just missed."""

    facts: tuple[tuple[Fact, float], ...] = ()
    quotes: tuple[Quote, ...] = ()
    below: tuple[tuple[Fact, float], ...] = ()


NOTHING = Recalled()


SectionName = Literal["system", "facts", "summary", "window", "recalled", "question"]


@dataclass(frozen=True, slots=True)
class Section:
    """A named part of the context, with its tokens and the most it may take."""

    name: SectionName
    tokens: int
    share: int


@dataclass(frozen=True, slots=True)
class Context:
    """What one request sends to the model, and what stayed behind.

    `unsent` are the numbers of window messages that did not fit, first and last; `expired` names
    what was left out because of its age: `summary v2`, `messages 3-9`.
    """

    messages: tuple[ChatMessage, ...]
    sections: tuple[Section, ...]
    summary_version: int | None
    window_from: int | None
    window_through: int | None
    unsent: tuple[int, int] | None = None
    expired: tuple[str, ...] = ()
    facts: tuple[UsedFact, ...] = ()
    quotes: tuple[UsedQuote, ...] = ()

    @property
    def tokens(self) -> int:
        return sum(section.tokens for section in self.sections)


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as the provider reported them."""

    input_tokens: int
    output_tokens: int


@dataclass(frozen=True, slots=True)
class Receipt:
    """What a reply used, frozen at send and completed at its end. Times are milliseconds."""

    reply_id: int
    context: Context
    provider: str
    model: str
    prepared_ms: float
    first_token_ms: float | None = None
    total_ms: float | None = None
    usage: Usage | None = None


def content_hash(text: str) -> str:
    """The address of a text in a receipt's store of parts."""
    return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Memory:
    """What a chat remembers at one moment, as read in one transaction.

    The window is everything live after `head.covers_through`: `window` holds its newest messages,
    `window_count` and `window_tokens` speak of all of it. `last_active` is when the message before
    the question was made.
    """

    conversation: Conversation
    head: Summary | None
    window: tuple[Message, ...]
    window_count: int
    window_tokens: int
    last_active: datetime | None = None

    @property
    def covered(self) -> int:
        return self.head.covers_through if self.head else 0


@dataclass(frozen=True, slots=True)
class Refusal:
    """A fold that was tried and not accepted."""

    reason: str
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class NewFact:
    """A fact that asks to be stored. `replaces_id` ends that one in the same transaction, if this is live."""

    kind: FactKind
    text: str
    status: FactStatus = FactStatus.LIVE
    quote: str
    message_id: int | None = None
    replaces_id: int | None = None
    rival_id: int | None = None


@dataclass(frozen=True, slots=True)
class Witness:
    """Words of a message that speak for a known fact once more, or against it."""

    fact_id: int
    message_id: int
    quote: str


@dataclass(frozen=True, slots=True)
class FactChanges:
    """What one extraction found. All of it is written together with the cursor, or none."""

    new: tuple[NewFact, ...] = ()
    confirmed: tuple[Witness, ...] = ()
    retracted: tuple[Witness, ...] = ()


@dataclass(frozen=True, slots=True)
class Lesson:
    """What an extraction is made from, as read in one transaction: the messages after the cursor.

    `messages` are live and in order, the assistant's among them for reading only. Whoever writes what
    came of it names the cursor and the epoch it has seen.
    """

    conversation_id: str
    after: int
    facts_epoch: int
    messages: tuple[Message, ...]
    refusals: tuple[Refusal, ...]
    uses_facts: bool | None = None
    learns: bool | None = None
