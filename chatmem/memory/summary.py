"""Folding: when it is due, what it takes, and the gate a new version has to pass.

Planning and the gate are pure functions of values; `background` does the reading, the call and the
writing around them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from chatmem.domain import PIN_CHARACTERS, Language, Memory, Message, NewSummary, Pin, Refusal, Summary
from chatmem.errors import SummaryRefused
from chatmem.llm.protocol import Completion
from chatmem.policy import MemoryPolicy
from chatmem.prompts import HEADINGS, is_instruction
from chatmem.text import language_of

CHUNK_TOKENS = 6_000
"""The most message tokens one fold call takes; a larger backlog is folded in several versions."""

PIN_LIMIT = 24
"""Pins a version carries at most; the oldest leave first. About 400 tokens of short quotes."""

WORTH_SHORTENING = 300
"""Tokens above which a summary must be shorter than what it replaces."""

REFUSALS_BEFORE_EXTRACTIVE = 3

RETRY_DELAYS = (timedelta(0), timedelta(seconds=10), timedelta(minutes=1), timedelta(minutes=5))
"""How long after the n-th attempt that came to nothing a turn may try again; the last for all later."""

FoldReason = Literal["count", "tokens", "expired"]


@dataclass(frozen=True, slots=True)
class FoldPlan:
    """Fold the live messages after `after` up to `through`; `counted` were in the window, `kept` stay."""

    conversation_id: str
    parent: Summary | None
    continues: bool
    after: int
    through: int
    counted: int
    kept: int
    reason: FoldReason


@dataclass(frozen=True, slots=True)
class Draft:
    """What a summariser wrote, parsed: nothing of it is checked yet."""

    text: str
    pins: tuple[Pin, ...] = ()
    dropped: tuple[str, ...] = ()
    is_marked: bool = True
    """It stood between `<summary>` tags, or has lines with headings: it is meant as a summary."""


def plan_fold(memory: Memory, policy: MemoryPolicy, now: datetime) -> FoldPlan | None:
    """What to fold now, or None. The window's last message is the question and always stays.

    Due when the window holds more than `fold_above` messages, when its tokens pass its share, or
    when its last message is older than the preset allows. A person who holds folding puts off the first of
    these only.
    """
    if not policy.folds:
        return None
    kept, reason = policy.keep, _due(memory, policy, now)
    if reason is None or (reason == "count" and memory.conversation.holds_fold):
        return None
    if reason == "expired":
        kept = 1
    if memory.window_count <= kept:
        return None
    head = memory.head
    continues = not (head and policy.summary_age and now - head.created_at > policy.summary_age)
    return FoldPlan(
        conversation_id=memory.conversation.id,
        parent=head,
        continues=continues,
        after=memory.covered,
        through=memory.window[-kept - 1].number,
        counted=memory.window_count,
        kept=kept,
        reason=reason,
    )


def _due(memory: Memory, policy: MemoryPolicy, now: datetime) -> FoldReason | None:
    age = now - memory.last_active if memory.last_active else timedelta(0)
    if policy.window_age and age > policy.window_age:
        return "expired"
    if memory.window_count > policy.fold_above:
        return "count"
    return "tokens" if memory.window_tokens > policy.shares.window else None


def may_try(refusals: Sequence[Refusal], now: datetime) -> bool:
    """Whether the back-off after earlier attempts at the same plan is over."""
    if not refusals:
        return True
    delay, since = RETRY_DELAYS[min(len(refusals), len(RETRY_DELAYS)) - 1], now - refusals[-1].created_at
    # An attempt that is still to come was made before the clock went back: there is no telling how long ago.
    return since >= delay or since < timedelta(0)


def use_extractive(refusals: Sequence[Refusal]) -> bool:
    """Whether the gate has refused this plan often enough. Calls that failed do not count."""
    return sum(not r.reason.startswith("failed") for r in refusals) >= REFUSALS_BEFORE_EXTRACTIVE


def first_chunk(messages: Sequence[Message]) -> Sequence[Message]:
    """The beginning of a backlog that one call can take: whole messages, at least one."""
    total = 0
    for index, message in enumerate(messages):
        total += message.tokens
        if total > CHUNK_TOKENS and index:
            return messages[:index]
    return messages


def summary_language(parent: Summary | None, folded: Sequence[Message], screen: Language) -> Language:
    """The conversation's language: the script most of the person's text is in, else the screen's."""
    said = "\n".join(message.text for message in folded if message.role == "user")
    return language_of(said) or (language_of(parent.text) if parent else None) or screen


# --- what the model wrote -----------------------------------------------------------------------

_BLOCK = r"<{tag}>(.*?)(?:</{tag}>|\Z)"
_PIN_LINE = re.compile(r"^\s*[-*]?\s*\[?(\d+)\]?[.):|]?\s+(.+?)\s*$")


def parse(output: str) -> Draft:
    """Summary, pins and dropped pins of a summariser's output. Without tags all of it is the summary."""
    summary = re.search(_BLOCK.format(tag="summary"), output, re.DOTALL)
    pins = re.search(_BLOCK.format(tag="pins"), output, re.DOTALL)
    dropped = re.search(_BLOCK.format(tag="dropped_pins"), output, re.DOTALL)
    if summary:
        text = summary.group(1)
    else:
        text = re.sub(r"<(pins|dropped_pins)>.*?(</\1>|\Z)", "", output, flags=re.DOTALL)
    text = "\n".join(line.strip() for line in text.strip().splitlines() if line.strip())
    return Draft(
        text=text,
        pins=tuple(_pin_lines(pins.group(1))) if pins else (),
        dropped=tuple(_quotes(dropped.group(1))) if dropped else (),
        is_marked=bool(summary) or any(re.match(r"^[\w ]{2,20}\s*[:：]", line) for line in text.splitlines()),
    )


def _pin_lines(block: str) -> list[Pin]:
    found = (_PIN_LINE.match(line) for line in block.splitlines())
    return [Pin(int(m.group(1)), _unquoted(m.group(2))) for m in found if m]


def _quotes(block: str) -> list[str]:
    lines = (re.sub(r"^\s*[-*]?\s*(\[\d+\])?\s*", "", line).strip() for line in block.splitlines())
    return [_unquoted(line) for line in lines if line]


def _unquoted(text: str) -> str:
    return text[1:-1] if len(text) > 2 and text[0] + text[-1] in ('""', "“”", "''", "‘’") else text


# --- the gate -----------------------------------------------------------------------------------


def accept(
    plan: FoldPlan,
    folded: Sequence[Message],
    counted: int,
    draft: Draft,
    completion: Completion,
    policy: MemoryPolicy,
    source: Literal["model", "extractive"],
    language: Language,
    count_tokens: Callable[[str], int],
    own_pins: Sequence[Pin] = (),
) -> NewSummary:
    """The new version, if the draft passes. Raises `SummaryRefused` with its reason otherwise.

    Pins are carried over unchanged, less those the draft drops; a new pin is taken only when it
    stands word for word in the message it names. The person's `own_pins` are carried whatever the draft says.
    """
    parent = plan.parent if plan.continues else None
    replaced = sum(m.tokens for m in folded) + (parent.tokens if parent else 0)
    tokens = count_tokens(draft.text)
    if reason := _refusal(draft, completion, tokens, replaced, policy, language):
        raise SummaryRefused(reason=reason)
    return NewSummary(
        parent_id=parent.id if parent else None,
        base_id=plan.parent.id if plan.parent else None,
        folded=runs(message.number for message in folded),
        covers_from=plan.after + 1,
        covers_through=folded[-1].number,
        text=draft.text,
        pins=_carry(parent.pins if parent else (), draft, folded, own_pins),
        source=source,
        counted=counted,
        kept=counted - len(folded),
        tokens=tokens,
        model=completion.model,
    )


def _refusal(
    draft: Draft,
    completion: Completion,
    tokens: int,
    replaced: int,
    policy: MemoryPolicy,
    language: Language,
) -> str | None:
    if not draft.text:
        return "empty"
    if completion.cut_off:
        return "cut_off"
    if re.search(r"</?think(ing)?>|<\|?(im_start|channel|analysis)", draft.text, re.IGNORECASE):
        return "reasoning"
    if not draft.is_marked or (tokens < 6 and replaced > 40):
        return "not_a_summary"
    lines = [line.strip().lower() for line in draft.text.splitlines()]
    if len(set(lines)) < len(lines) or any(is_instruction(line) for line in lines):
        return "parroting"
    if tokens > policy.caps.summary:
        return "too_long"
    if language_of(draft.text) not in (language, None) or _has_foreign_heading(draft.text, language):
        return "wrong_language"
    if replaced > WORTH_SHORTENING and tokens >= replaced:
        return "not_shorter"
    return None


def _has_foreign_heading(text: str, language: Language) -> bool:
    other: Language = "en" if language == "ko" else "ko"
    headings = tuple(f"{heading}:" for heading in HEADINGS[other])
    return any(line.lstrip("-* ").startswith(headings) for line in text.splitlines())


def _carry(
    before: Sequence[Pin], draft: Draft, folded: Sequence[Message], own_pins: Sequence[Pin]
) -> tuple[Pin, ...]:
    said = {message.number: message.text for message in folded}
    own = [pin for pin in own_pins if pin in before or pin.quote in said.get(pin.number, "")]
    pins = [pin for pin in before if pin not in own and " ".join(pin.quote.split()) not in draft.dropped]
    for pin in draft.pins:
        is_quote = pin.quote and pin.quote in said.get(pin.number, "") and len(pin.quote) <= PIN_CHARACTERS
        if is_quote and pin not in pins and pin not in own:
            pins.append(pin)
    room = max(0, PIN_LIMIT - len(own))
    return (*own, *pins[len(pins) - min(room, len(pins)) :])


def runs(numbers: Iterable[int]) -> tuple[tuple[int, int], ...]:
    """Growing numbers as runs without a gap, (first, last) each."""
    found: list[tuple[int, int]] = []
    for number in numbers:
        if found and found[-1][1] == number - 1:
            found[-1] = (found[-1][0], number)
        else:
            found.append((number, number))
    return tuple(found)
