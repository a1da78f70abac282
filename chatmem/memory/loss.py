"""The loss meter: which exact details of the folded messages a summary version no longer holds anywhere.

A detail survives when the summary, a pin or a known fact says the same, whatever the writing: "3천 원" for
"3,000 won", "3/14" for "March 14", "수빈과" for "수빈이랑". A name written in the other script ("마르타" for
"Marta") counts as lost. No model is asked: the meter must be able to contradict the one that wrote the summary.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from datetime import date

from chatmem.domain import Detail, Message, Pin
from chatmem.memory.exact.dates import Day
from chatmem.memory.exact.details import LONGEST_TEXT, details, identity, plain, without_title
from chatmem.memory.exact.names import code_spans
from chatmem.memory.exact.names_ko import FAMILY, TAIL
from chatmem.memory.exact.quantities import Meaning, agree, read
from chatmem.memory.exact.units import Amount

__all__ = ["Account", "account", "details", "survives"]


@dataclass(frozen=True, slots=True)
class Account:
    """What became of the details of one version, both in the order of their messages."""

    kept: tuple[Detail, ...]
    lost: tuple[Detail, ...]


def survives(detail: Detail, texts: Sequence[str]) -> bool:
    """Whether one of these texts holds the detail, in whatever writing."""
    return _Held(texts).holds(detail)


def account(
    before: Sequence[Detail],
    folded: Sequence[Message],
    summary: str,
    pins: Sequence[Pin],
    facts: Sequence[str],
) -> Account:
    """What a new version keeps and loses: of the details its parent still held (`before`), and of those of the
    messages it folds. What an earlier version has lost is not lost again.
    """
    held = _Held([summary, *(pin.quote for pin in pins), *facts])
    known: dict[Hashable, Detail] = {}
    for detail in (*before, *details(folded)):
        known.setdefault(identity(detail), detail)
    kept: list[Detail] = []
    lost: list[Detail] = []
    for detail in sorted(known.values(), key=lambda detail: detail.number):
        (kept if held.holds(detail) else lost).append(detail)
    return Account(tuple(kept), tuple(lost))


class _Held:
    """What some texts hold, read once: the cost is that of the texts plus that of the details."""

    def __init__(self, texts: Sequence[str]) -> None:
        texts = [text[:LONGEST_TEXT] for text in texts]
        self._text = "\n".join(map(plain, texts))
        self._unspaced = re.sub(r"[^\S\n]", "", self._text)
        self._meanings: defaultdict[Hashable, list[Meaning]] = defaultdict(list)
        for text in texts:
            for reading in read(text, code_spans(text)):
                for meaning in reading.meanings:
                    for place in _places(meaning):
                        self._meanings[place].append(meaning)

    def holds(self, detail: Detail) -> bool:
        if detail.kind == "quote":
            return self._has_quotation(plain(detail.what).strip(" .,!?…"))
        if detail.kind == "name":
            return self._has_name(without_title(plain(detail.what)))
        readings = read(detail.what)
        return bool(readings) and all(self._has(reading.meanings, detail.days) for reading in readings)

    def _has(self, meanings: Sequence[Meaning], days: Sequence[date] = ()) -> bool:
        wanted = [*meanings, *(Day(day.year, day.month, day.day) for day in days)]
        return any(agree(said, held) for said in wanted for held in self._meanings.get(_places(said)[0], ()))

    def _has_name(self, name: str) -> bool:
        numbered = re.fullmatch(r"(.*[^\d.\s-]) (\d[\d.]*)", name)
        if numbered and self._has_word(numbered[1]) and self._has(read(numbered[2])[0].meanings):
            return True  # "Python(3.12)" for "Python 3.12"
        return self._has_word(name)

    def _has_word(self, name: str) -> bool:
        """As a whole word: with Korean particles after it, or a family name before it; hyphens do not matter."""
        pieces = [re.escape(piece) for piece in re.split(r"[\s-]+", name) if piece]
        if not pieces:
            return False
        before, after = "", ""
        if name[0].isalnum():
            before = rf"(?<![가-힣])[{FAMILY}]?" if "가" <= name[0] <= "힣" else r"(?<![^\W_가-힣])"
        if name[-1].isalnum():
            after = rf"(?:{TAIL}|(?=이?(?:시|역|점|팀|행|편)))" if "가" <= name[-1] <= "힣" else r"(?![^\W가-힣])"
        return bool(re.search(before + r"[^\S\n]?-?[^\S\n]?".join(pieces) + after, self._text))

    def _has_quotation(self, words: str) -> bool:
        if re.search(r"[가-힣]", words):
            return words.replace(" ", "") in self._unspaced
        return bool(re.search(rf"(?<!\w){re.escape(words)}(?!\w)", self._text))


def _places(meaning: Meaning) -> list[Hashable]:
    """Where a meaning of the texts is filed; the first is where one of a detail is looked for."""
    match meaning:
        case Amount():
            return [("amount", meaning.value)]
        case Day():
            parts = ("day", "month", "year", "weekday")
            return [(part, getattr(meaning, part)) for part in parts if getattr(meaning, part) is not None]
        case _:
            return [meaning]
