"""Numbers, dates and times as they are written, and what they mean: "3천 원" is "3,000 won", "3월 14일" is "3/14".

`read` finds them in a text, in English and Korean, digits or words. A reading may have several meanings
("3:30" is half past three by day or by night, "4/5" is April 5 or May 4), and two readings say the same thing
when a meaning of one agrees with one of the other. Reading detail and summary by the same rules is what makes a
reformatted detail count as kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from chatmem.memory.exact.dates import DATES, MONTH_ALONE, Clock, Day, month_alone, same_day
from chatmem.memory.exact.numerals import (
    AGES,
    DIGITS,
    MIXED,
    NATIVE,
    NTH,
    ORDINALS,
    SINO,
    WORDS,
    native_value,
    sino_value,
    word_value,
)
from chatmem.memory.exact.units import (
    COUNTED,
    CURRENCIES,
    SMALL,
    Amount,
    counted_at,
    is_talk,
    same_amount,
    unit_at,
)
from chatmem.memory.exact.words import either


@dataclass(frozen=True, slots=True)
class Code:
    """Digits that are no quantity: a telephone number, a version, "0926"."""

    digits: str


Meaning = Amount | Day | Clock | Code
Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Reading:
    start: int
    end: int
    kind: Literal["number", "date"]
    meanings: tuple[Meaning, ...]

    @property
    def span(self) -> Span:
        return self.start, self.end


LONG = 7
"""Digits from which a bare number may be a telephone number written without its hyphens."""


def agree(said: Meaning, held: Meaning) -> bool:
    """Whether `held` still tells what was `said`. It may tell more, never less."""
    match said, held:
        case Amount(), Amount():
            return same_amount(said, held)
        case Day(), Day():
            return same_day(said, held)
        case _:
            return said == held


_PHONE = re.compile(
    r"(?<![A-Za-z0-9_.-])(?:\+\d{1,3}[ -]?)?\(?\d{2,4}\)?(?:[ -]\d{2,4}){1,4}(?![A-Za-z0-9_-]|,\d|[.]\d)"
)
_VERSION = re.compile(r"(?<![\w.])v?(\d+(?:\.\d+){2,})(?!\d)", re.IGNORECASE)
_IS_DATE = re.compile(r"\s*(?:(?:19|20)\d\d[-.]\d\d?[-.]\d\d?|\d\d?\.\d\d?\.(?:19|20)\d\d)\s*")
_DURATION = re.compile(
    r"(?<![\d.,])(\d+)\s?(?:시간|hours?|hrs?|h)\s?(?:and\s)?(\d+)\s?(?:분|minutes?|mins?|m)(?![A-Za-z])"
)
_SCALE = re.compile(
    r"(?:\s?(?P<k>k)|(?P<m>m)|\s?(?P<word>thousand|million|billion|bn|mn))(?![A-Za-z])", re.IGNORECASE
)
_AFTER_SINO = (
    "원|명|년|층|호|퍼센트|프로|개|달러|점|킬로|미터|페이지|분(?!의)|초(?![가-힣])|리터|그램|살|세(?![가-힣])"
)
_COUNTER = "|".join(
    (
        "분(?!의)|주(?!인|소|변)|장(?!소|점)|대(?!학|화)|병(?!원)",
        either(
            "개 명 마리 살 시간 달 잔 권 곳 아이 사람 그릇 박 채 송이 켤레 번 군데 쪽 조각 통 판 벌 캔 팩 봉지 "
            "알 정 층 학기 과목 끼 식구 형제 자매 남매 가지"
        ),
    )
)
_AFTER_AGE = "이고|이야|이에요|이세요|이신|이시|입니다|이다|인데|인|에|의|이|을|은|이라"
_AFTER_ORDINAL = (
    "floor|grade|edition|birthday|child|daughter|son|year|trimester|semester|round|week|month|anniversary|half"
)
_NUMBER = re.compile(
    "|".join(
        (
            rf"(?P<currency>[$€£¥₩]\s?)?(?<![\d.,A-Za-z])(?:(?P<mixed>{MIXED})(?!나)|(?P<digits>{DIGITS}))(?!\d)",
            rf"(?P<sino>{SINO})(?=\s?(?:{_AFTER_SINO}))",
            r"(?<![가-힣])(?P<one>[삼오육칠팔])(?=\s?(?:년|개월|층|학년|킬로))",
            rf"(?P<native>{NATIVE})(?=\s?(?:{_COUNTER}))",
            rf"(?<![가-힣])(?P<age>{AGES})(?=(?:{_AFTER_AGE})?(?![가-힣]))",
            rf"(?P<nth>{NTH})째(?!로|[,.])",
            rf"(?P<words>{WORDS})",
            rf"\b(?P<ordinal>{'|'.join(ORDINALS)})(?=\s(?:{_AFTER_ORDINAL})\b)",
            rf"\b(?P<rank>{'|'.join(list(ORDINALS)[2:])})\b(?![,:]|\sof\b)",
        )
    ),
    re.IGNORECASE,
)
_ONE = re.compile(r"(?:한\s|one\b)", re.IGNORECASE)
_RATE = re.compile(r"1\s?(?:년|개월|달|주|일|시간|분|회|인|명|개)")
_PER = re.compile(r"에|당|마다")
_OF_THE_TALK = re.compile(r"\s(?:other|more|of (?:us|them))\b")


def read(text: str, taken: Sequence[Span] = ()) -> list[Reading]:
    """All numbers, dates and times of a text, in order. `taken` are stretches that are none: names, codes."""
    text = blank(text, taken)
    found = [
        Reading(*match.span(), "number", (Code(match[1]),))
        for match in _VERSION.finditer(text)
        if not _IS_DATE.fullmatch(match[1])
    ]
    for match in _PHONE.finditer(text):
        digits = re.sub(r"\D", "", match[0])
        if len(digits) > LONG and not _IS_DATE.fullmatch(match[0]):
            found.append(Reading(*match.span(), "number", (Code(digits),)))
    text = blank(text, [reading.span for reading in found])
    for pattern, meaning in DATES:
        dates = []
        for match in pattern.finditer(text):
            if meant := meaning(match):
                start = match.end() - len(match[0].lstrip())
                dates.append(Reading(start, match.start() + len(match[0].rstrip()), "date", meant))
        text = blank(text, [reading.span for reading in dates])
        found += dates
    found += [Reading(*match.span(), "date", (month_alone(match),)) for match in MONTH_ALONE.finditer(text)]
    for match in _DURATION.finditer(text):
        seconds = Decimal(3600 * int(match[1]) + 60 * int(match[2]))
        found.append(Reading(*match.span(), "number", (Amount(seconds, "time"),)))
    found += _amounts(blank(text, [reading.span for reading in found]))
    return sorted(found, key=lambda reading: reading.start)


def _amounts(text: str) -> Iterator[Reading]:
    for match in _NUMBER.finditer(text):
        named = match.groupdict()
        value, end, family, nouns = _value(match), match.end(), "", frozenset[str]()
        digits = named["digits"] or ""
        scale = _SCALE.match(text, end) if digits else None
        if scale and (named["currency"] or not scale["m"]):
            value, end = value * _factor(scale), scale.end()
        if named["currency"]:
            family = CURRENCIES[named["currency"].strip()]
        elif named["nth"] or named["ordinal"] or named["rank"]:
            family = "ordinal"
        elif unit := unit_at(text, end):
            family, value, end = unit[0], value * unit[1], unit[2]
        else:
            nouns, end = counted_at(text, end)
        is_bare = digits.isdigit() and not family and not nouns and end == match.end()
        amount = Amount(value, family, nouns)
        if is_bare and re.fullmatch(r"(?:19|20)\d\d", digits):
            yield Reading(match.start(), end, "date", (Day(year=int(digits)), amount))
        elif is_bare and re.fullmatch(r"0\d+", digits):
            yield Reading(match.start(), end, "number", (Code(digits),))
        elif is_bare and len(digits) >= LONG:
            yield Reading(match.start(), end, "number", (amount, Code(digits)))
        else:
            yield Reading(match.start(), end, "number", (amount,))


def _factor(scale: re.Match[str]) -> Decimal:
    if scale["k"]:
        return Decimal(1_000)
    return word_value(
        {"bn": "billion", "mn": "million"}.get(scale["word"], scale["word"]) if scale["word"] else "million"
    )


def _value(match: re.Match[str]) -> Decimal:
    named = match.groupdict()
    if digits := named["digits"]:
        return Decimal(digits.replace(",", ""))
    if korean := named["mixed"] or named["sino"] or named["one"]:
        return sino_value(korean)
    if native := named["native"] or named["age"] or named["nth"]:
        return Decimal(native_value(native))
    if words := named["words"]:
        return word_value(words)
    return Decimal(ORDINALS[(named["ordinal"] or named["rank"]).lower()])


def is_trivial(reading: Reading, text: str) -> bool:
    """Zero and one without a measure, and what a talk counts about itself: "one thing", "두 가지"."""
    match reading.meanings:
        case (Amount(value, family, nouns),):
            what = text[reading.start : reading.end]
            of_the_talk = (
                is_talk(nouns) or what.endswith("가지") or (not family and _OF_THE_TALK.match(text, reading.end))
            )
            is_rate = _RATE.fullmatch(what) and _PER.match(text, reading.end)  # "1년에", a year
            return bool(of_the_talk or is_rate or _ONE.match(what)) or (value <= 1 and family in COUNTED)
        case _:
            return False


def is_bare(reading: Reading) -> bool:
    """A small number of nothing: "then two"."""
    match reading.meanings:
        case (Amount(value, "", nouns),):
            return value <= SMALL and not nouns
        case _:
            return False


def blank(text: str, spans: Sequence[Span]) -> str:
    """The text with these stretches as NULs, so that places stay what they were."""
    if not spans:
        return text
    pieces: list[str] = []
    at = 0
    for start, end in sorted(spans):
        if start >= at:
            pieces += [text[at:start], "\0" * (end - start)]
            at = end
    return "".join([*pieces, text[at:]])
