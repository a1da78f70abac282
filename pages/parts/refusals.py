"""Why a summary was not made, in words for a person: what is stored is a stable word or an error's code."""

from __future__ import annotations

from chatmem.domain import Failure
from chatmem.errors import from_failure
from pages.parts.enter import Here

GATE = (
    "empty",
    "cut_off",
    "reasoning",
    "not_a_summary",
    "parroting",
    "too_long",
    "wrong_language",
    "not_shorter",
)
"""The words of the gate that a new version has to pass."""


def why_refused(here: Here, reason: str) -> str:
    """A sentence."""
    code = reason.removeprefix("failed: ")
    return here.say(f"refused.{code}") if code in GATE else here.explain(from_failure(Failure(code)))
