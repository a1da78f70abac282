"""The values everything else is made of. Frozen; they know no database, no screen and no model.

Numbers count the messages of one conversation from 1. They are given once and never reused, so
"messages 3-9" means the same for ever; a retired message leaves a gap.
"""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass, field
from datetime import datetime
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


@dataclass(frozen=True, slots=True)
class Pin:
    """An exact detail carried beside the prose of a summary: copied from message `number`, as said."""

    number: int
    quote: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NewSummary:
    """A summary that passed the gate and asks to become the head: everything up to `covers_through`.

    `parent_id` is the version whose text it carries on, if any. `source` says who wrote it: a model, or
    the extractive fallback after refusals. `counted` and `kept` are the counts of the window before
    and after, as planned: 11 -> summary + 4.
    """

    parent_id: int | None
    covers_from: int
    covers_through: int
    text: str
    pins: tuple[Pin, ...]
    source: Literal["model", "extractive"]
    counted: int
    kept: int
    tokens: int
    model: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary(NewSummary):
    """An immutable version of mid-term memory."""

    id: int
    version: int
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of what is said to the model, and where it came from.

    `source` is `message:12`, `summary:3` or empty for our own words; a receipt refers to it
    instead of copying the text.
    """

    text: str
    source: str = ""


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


SectionName = Literal["system", "summary", "window", "recalled", "question"]


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
    what was left out because of its age.
    """

    messages: tuple[ChatMessage, ...]
    sections: tuple[Section, ...]
    summary_version: int | None
    window_from: int | None
    window_through: int | None
    unsent: tuple[int, int] | None = None
    expired: tuple[str, ...] = ()

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
