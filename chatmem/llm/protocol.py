"""What a language model is to the rest of chatmem: a request goes in, deltas and one completion come out.

Every model, the teaching model and the tests' scripted one included, is a `LanguageModel`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, Protocol

from chatmem.domain import ChatMessage, Language, Usage

Purpose = Literal["chat", "fold", "title", "extract"]
"""Why a request is made. Said by the caller; a model never guesses it from the text."""


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """One request. `max_tokens` caps the visible output; a client adds its own room for reasoning.

    `schema` is the JSON Schema that the output shall follow. A server may not know how to hold its
    model to it, so the output is checked all the same.
    """

    purpose: Purpose
    messages: tuple[ChatMessage, ...]
    max_tokens: int
    language: Language
    schema: Mapping[str, object] | None = None


@dataclass(frozen=True, slots=True)
class Completion:
    """The end of a request that succeeded.

    `cut_off` is true when the output stopped at its cap: a reply is then shown with a notice, a
    summary is refused. `sent` is the message array as the server received it, when a client had to
    change its shape after `prepare` (a server without a system role, say).
    """

    text: str
    model: str
    usage: Usage | None = None
    cut_off: bool = False
    sent: tuple[ChatMessage, ...] | None = None


class ReplyStream(Protocol):
    """A reply on its way. Iterating yields pieces of text; afterwards `completion` is set.

    Iterating raises a `ModelError`; what was yielded before stays good. `close()` may be called
    from any thread, at any time, more than once; iteration then ends or raises soon.
    """

    @property
    def completion(self) -> Completion | None: ...

    def __iter__(self) -> Iterator[str]: ...

    def close(self) -> None: ...


class LanguageModel(Protocol):
    """A chat model or a helper model, ready to use: its key and address are inside."""

    provider: str
    name: str

    def prepare(self, messages: tuple[ChatMessage, ...]) -> tuple[ChatMessage, ...]:
        """The messages in the shape this model's server wants; pure and quick. A receipt keeps it."""
        ...

    def stream(self, request: ModelRequest) -> ReplyStream:
        """Start a reply. Raises a `ModelError` at once or while iterating."""
        ...

    def complete(self, request: ModelRequest) -> Completion:
        """The whole output of a helper call. Raises a `ModelError`; an empty output is `ReplyEmpty`."""
        ...
