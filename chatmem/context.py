"""Composes the context: the only place that decides what the model sees.

The order keeps the beginning of consecutive requests equal, for providers that cache prefixes: the
system prompt with the stable facts, then summary and pins, then the window, and last the question,
with what was recalled for it before its text.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from chatmem import prompts
from chatmem.domain import (
    NOTHING,
    ChatMessage,
    Context,
    Fact,
    Language,
    Memory,
    Message,
    Pin,
    Recalled,
    Section,
    Segment,
    Summary,
    UsedFact,
    UsedQuote,
)
from chatmem.policy import MemoryPolicy

MESSAGE_OVERHEAD = 4
"""Tokens a message costs beside its text: its role and its ends, in OpenAI's chat format."""


def window_limit(policy: MemoryPolicy) -> int:
    """How many of the window's newest messages have to be read to compose and to plan."""
    most_that_fit = policy.shares.window // (MESSAGE_OVERHEAD + 1) + 1
    sent = min(policy.send_at_most or most_that_fit, most_that_fit)
    return max(sent, policy.keep) + 1


@dataclass(frozen=True, slots=True)
class SentWindow:
    """What of a window is sent before the question, and what stays behind: too much, or too old."""

    sent: tuple[Message, ...]
    question: Message
    unsent: tuple[int, int] | None = None
    expired: tuple[int, int] | None = None

    @property
    def first(self) -> int:
        """The number of the first message sent; those below it can be recalled."""
        return (self.sent[0] if self.sent else self.question).number


def split_window(memory: Memory, policy: MemoryPolicy, now: datetime) -> SentWindow:
    """Nothing is cut inside a message: the newest that fit their share are sent.

    A window that has expired is not sent at all, whether its fold has landed or not: until then what a
    question needs of it can be recalled.
    """
    *earlier, question = memory.window
    behind = (memory.covered + 1, question.number - 1) if memory.window_count > 1 else None
    if policy.window_age and memory.last_active and now - memory.last_active > policy.window_age:
        return SentWindow((), question, expired=behind)
    sent = _newest_that_fit(earlier, policy)
    unsent = None
    if memory.window_count > len(sent) + 1:
        unsent = (memory.covered + 1, (sent[0] if sent else question).number - 1)
    return SentWindow(tuple(sent), question, unsent)


def stable_room(policy: MemoryPolicy, language: Language, count_tokens: Callable[[str], int]) -> int:
    """Tokens that the system prompt leaves of its share to stable facts."""
    return policy.shares.system - count_tokens(prompts.system(language).text) - prompts.FACTS_OVERHEAD


def compose(
    memory: Memory,
    policy: MemoryPolicy,
    language: Language,
    now: datetime,
    count_tokens: Callable[[str], int],
    stable: Sequence[Fact] = (),
    recalled: Recalled = NOTHING,
    outdated: Collection[int] = (),
) -> Context:
    """The context of one request. The question is the window's last message.

    `outdated` are the numbers of messages whose content is known not to hold any more: no pin of theirs
    is sent. What did not fit is named in `unsent`, what was too old in `expired`. The `stable` facts and
    what was `recalled` have been made to fit by whoever chose them.
    """
    window = split_window(memory, policy, now)
    head = memory.head
    expired: tuple[str, ...] = ()
    if head and policy.summary_age and now - head.created_at > policy.summary_age:
        expired, head = (f"summary v{head.version}",), None
    if window.expired:
        expired += ("messages {}-{}".format(*window.expired),)

    prompt = _cost([prompts.system(language)], count_tokens)
    system = prompts.system(language, stable)
    own_pins = memory.conversation.pins
    notes = _notes(head, own_pins, outdated, policy.shares.summary, language, count_tokens) if head else None
    found = prompts.recalled(
        sorted((fact for fact, _ in recalled.facts), key=lambda fact: fact.created_at),
        sorted(((quote.message, quote.text) for quote in recalled.quotes), key=lambda pair: pair[0].number),
        language,
    )
    asked = ChatMessage("user", (*found, Segment(window.question.text, f"message:{window.question.id}")))
    messages = [system, *([notes] if notes else []), *map(_as_said, window.sent), asked]

    return Context(
        messages=tuple(messages),
        sections=(
            Section("system", prompt, policy.shares.system),
            Section("facts", _cost([system], count_tokens) - prompt, policy.shares.system - prompt),
            Section("summary", _cost([notes] if notes else [], count_tokens), policy.shares.summary),
            Section("window", _stored_cost(window.sent), policy.shares.window),
            Section("recalled", sum(count_tokens(part.text) for part in found), policy.shares.recalled),
            Section("question", _stored_cost([window.question]), policy.shares.question),
        ),
        summary_version=head.version if head else None,
        window_from=window.first,
        window_through=window.question.number,
        unsent=window.unsent,
        expired=expired,
        facts=(
            *(UsedFact(fact.id, 1.0, "stable") for fact in stable),
            *(UsedFact(fact.id, score, "recalled") for fact, score in recalled.facts),
            *(UsedFact(fact.id, score, "below") for fact, score in recalled.below),
        ),
        quotes=tuple(UsedQuote(quote.message.id, quote.message.number, quote.score) for quote in recalled.quotes),
    )


def _as_said(message: Message) -> ChatMessage:
    return ChatMessage.of(message.role, message.text, f"message:{message.id}")


def _newest_that_fit(earlier: Sequence[Message], policy: MemoryPolicy) -> list[Message]:
    room = policy.shares.window
    most = len(earlier) if policy.send_at_most is None else policy.send_at_most - 1
    sent: list[Message] = []
    for message in reversed(earlier):
        room -= message.tokens + MESSAGE_OVERHEAD
        if room < 0 or len(sent) == most:
            break
        sent.append(message)
    return sent[::-1]


def _notes(
    head: Summary,
    own_pins: Collection[Pin],
    outdated: Collection[int],
    share: int,
    language: Language,
    count_tokens: Callable[[str], int],
) -> ChatMessage:
    def render(pins: Sequence[Pin]) -> str:
        return prompts.notes(head.text, pins, 1, head.covers_through, language)

    room = share - count_tokens(render(())) - MESSAGE_OVERHEAD
    pins: list[Pin] = []
    # The person's own first, then the newest: they are the likelier to hold still.
    newest_first = tuple(reversed(head.pins))
    for pin in sorted(newest_first, key=lambda pin: pin not in own_pins):
        if pin.number in outdated or pin.quote.rstrip(" .!?。") in head.text:
            continue  # what the prose has word for word need not be said twice
        room -= count_tokens(prompts.pin_lines([pin])) + 1
        if room < 0:
            break
        pins.append(pin)
    pins.sort(key=head.pins.index)
    return ChatMessage.of("user", render(pins), f"summary:{head.id}")


def _cost(messages: Sequence[ChatMessage], count_tokens: Callable[[str], int]) -> int:
    return sum(count_tokens(message.text) + MESSAGE_OVERHEAD for message in messages)


def _stored_cost(messages: Sequence[Message]) -> int:
    return sum(message.tokens + MESSAGE_OVERHEAD for message in messages)
