"""How much is remembered: presets, their numbers, and the shares of what is sent. Pure values."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Literal, get_args

PresetName = Literal["classic", "three_tiers", "window_only", "summary_only", "full_history"]

PRESET_NAMES: tuple[PresetName, ...] = get_args(PresetName)


@dataclass(frozen=True, slots=True)
class Shares:
    """The most tokens each section of the context may take; 10,000 in all."""

    system: int = 1_500
    summary: int = 1_500
    window: int = 4_000
    recalled: int = 1_000
    question: int = 2_000


@dataclass(frozen=True, slots=True)
class Caps:
    """The most tokens an output may show. What a model spends on reasoning is not counted."""

    reply: int = 2_048
    summary: int = 500
    extraction: int = 200


@dataclass(frozen=True, slots=True)
class MemoryPolicy:
    """What happens to messages as a chat grows.

    `long_term`: whether facts are learned and sent, and earlier messages recalled when a question
    needs them; the presets that are there for comparison show a chat without.
    `folds`: whether there is a summary at all; without, one made earlier is not sent either.
    `fold_above`: more messages than this in the window, the question included, make a fold due.
    `keep`: how many of the newest then stay in the window, the question included; at least 1.
    `send_at_most`: how many messages of the window are sent, the question included; None is all
    that fit. `window_age` and `summary_age` are how long either is sent; None is for ever.
    """

    preset: PresetName = "classic"
    folds: bool = True
    long_term: bool = True
    fold_above: int = 10
    keep: int = 4
    send_at_most: int | None = None
    window_age: timedelta | None = None
    summary_age: timedelta | None = None
    shares: Shares = field(default_factory=Shares)
    caps: Caps = field(default_factory=Caps)


PRESETS: dict[PresetName, MemoryPolicy] = {
    "classic": MemoryPolicy(),
    "three_tiers": MemoryPolicy(
        preset="three_tiers",
        fold_above=15,
        keep=11,
        send_at_most=20,
        window_age=timedelta(hours=24),
        summary_age=timedelta(days=30),
    ),
    "window_only": MemoryPolicy(preset="window_only", folds=False, long_term=False, send_at_most=10),
    "summary_only": MemoryPolicy(preset="summary_only", long_term=False, fold_above=2, keep=1),
    "full_history": MemoryPolicy(
        preset="full_history", folds=False, long_term=False, shares=Shares(window=100_000)
    ),
}

NUMBER_BOUNDS: dict[str, tuple[int, int]] = {
    "fold_above": (2, 200),
    "keep": (1, 100),
    "system": (200, 20_000),
    "summary": (100, 20_000),
    "window": (200, 1_000_000),
    "recalled": (0, 20_000),
    "question": (50, 100_000),
    "reply_cap": (16, 100_000),
    "summary_cap": (50, 4_000),
    "extraction_cap": (50, 4_000),
}
"""Every number a person may set, with its bounds, both included."""


def policy_for(preset: PresetName, numbers: dict[str, int]) -> MemoryPolicy:
    """A preset with a person's numbers laid over it; numbers a preset has no use for do nothing.

    The caller has checked the bounds. `keep` is held below `fold_above`: a fold that keeps as much
    as it found would fold nothing, for ever.
    """
    base = PRESETS[preset]
    shares = replace(base.shares, **{k: v for k, v in numbers.items() if k in Shares.__slots__})
    caps = replace(
        base.caps,
        reply=numbers.get("reply_cap", base.caps.reply),
        summary=numbers.get("summary_cap", base.caps.summary),
        extraction=numbers.get("extraction_cap", base.caps.extraction),
    )
    policy = replace(base, shares=shares, caps=caps)
    if preset == "classic":
        fold_above = numbers.get("fold_above", base.fold_above)
        keep = min(numbers.get("keep", base.keep), fold_above)
        policy = replace(policy, fold_above=fold_above, keep=keep)
    return policy
