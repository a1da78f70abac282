"""How often pages look again at what is under way: less often, the more replies there are in this process.

What a page does again and again is what holds up the others: all of them share one core.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Pace:
    """A reply is followed for a `share` of every `follow_s` seconds, at `frames` a second; in the rest clicks get
    their turn. The inspector looks every `panel_s` seconds."""

    follow_s: float
    share: float
    frames: int
    panel_s: float


_PACES = {
    6: Pace(0.4, 0.5, 8, 1.0),
    30: Pace(1.2, 0.85, 5, 4.0),
    60: Pace(2.0, 0.9, 4, 4.0),
}
"""Up to so many replies."""

_SLOWEST = Pace(3.0, 0.9, 3, 4.0)


def pace_of(live: int) -> Pace:
    """The pace with so many replies being written."""
    return next((pace for most, pace in _PACES.items() if live <= most), _SLOWEST)
