"""Composes the context: the only place that decides what the model sees.

The order keeps the beginning of consecutive requests equal, for providers that cache prefixes:
the system prompt, then summary and pins, then the window, and last the question.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from chatmem import prompts
from chatmem.domain import ChatMessage, Context, Language, Memory, Message, Pin, Section, Summary
from chatmem.policy import MemoryPolicy

MESSAGE_OVERHEAD = 4
"""Tokens a message costs beside its text: its role and its ends, in OpenAI's chat format."""


def window_limit(policy: MemoryPolicy) -> int:
    """How many of the window's newest messages have to be read to compose and to plan."""
    most_that_fit = policy.shares.window // (MESSAGE_OVERHEAD + 1) + 1
    sent = min(policy.send_at_most or most_that_fit, most_that_fit)
    return max(sent, policy.keep) + 1


def compose(
    memory: Memory,
    policy: MemoryPolicy,
    language: Language,
    now: datetime,
    count_tokens: Callable[[str], int],
) -> Context:
    """The context of one request. The question is the window's last message.

    Nothing is cut inside a message: the window sends the newest messages that fit its share, and
    what did not fit is named in `unsent`.
    """
    *earlier, question = memory.window
    head = memory.head
    expired: tuple[str, ...] = ()
    if head and policy.summary_age and now - head.created_at > policy.summary_age:
        expired, head = (f"summary v{head.version}",), None

    system = ChatMessage.of("system", prompts.system(language))
    notes = _notes(head, policy.shares.summary, language, count_tokens) if head else None
    sent = _newest_that_fit(earlier, policy)
    messages = [system, *([notes] if notes else []), *map(_as_said, sent), _as_said(question)]

    return Context(
        messages=tuple(messages),
        sections=(
            Section("system", _cost([system], count_tokens), policy.shares.system),
            Section("summary", _cost([notes] if notes else [], count_tokens), policy.shares.summary),
            Section("window", _stored_cost(sent), policy.shares.window),
            Section("question", _stored_cost([question]), policy.shares.question),
        ),
        summary_version=head.version if head else None,
        window_from=(sent[0] if sent else question).number,
        window_through=question.number,
        unsent=_unsent(memory, sent, question),
        expired=expired,
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


def _unsent(memory: Memory, sent: Sequence[Message], question: Message) -> tuple[int, int] | None:
    if memory.window_count == len(sent) + 1:
        return None
    first_sent = sent[0] if sent else question
    return (memory.covered + 1, first_sent.number - 1)


def _notes(head: Summary, share: int, language: Language, count_tokens: Callable[[str], int]) -> ChatMessage:
    def render(pins: Sequence[Pin]) -> str:
        return prompts.notes(head.text, pins, 1, head.covers_through, language)

    room = share - count_tokens(render(())) - MESSAGE_OVERHEAD
    pins: list[Pin] = []
    for pin in reversed(head.pins):  # the newest first: they are the likelier to hold still
        room -= count_tokens(prompts.pin_lines([pin])) + 1
        if room < 0:
            break
        pins.append(pin)
    return ChatMessage.of("user", render(pins[::-1]), f"summary:{head.id}")


def _cost(messages: Sequence[ChatMessage], count_tokens: Callable[[str], int]) -> int:
    return sum(count_tokens(message.text) + MESSAGE_OVERHEAD for message in messages)


def _stored_cost(messages: Sequence[Message]) -> int:
    return sum(message.tokens + MESSAGE_OVERHEAD for message in messages)
