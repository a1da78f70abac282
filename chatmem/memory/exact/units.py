"""Amounts: a value with its unit, or with the noun that is counted."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

from chatmem.memory.exact.words import either


@dataclass(frozen=True, slots=True)
class Amount:
    """A value in the base unit of its family (seconds, metres); `nouns` are what is counted, when no unit is."""

    value: Decimal
    family: str = ""
    nouns: frozenset[str] = frozenset()


SMALL = 20
"""Up to here the same number easily stands for something else, so what is counted has to fit too."""

DATES_END = 31
"""A bare number above this is not taken for any number of minutes or euros that happens to be the same."""

COUNTED = frozenset({"", "people", "animals", "age", "floor", "score", "times", "ordinal", "room"})
"""Families that a noun may stand for: "80 guests" are 80 people; it is never 80 dollars or 80 minutes."""

CURRENCIES = {"$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY", "₩": "KRW"}


def same_amount(said: Amount, held: Amount) -> bool:
    """The same value, of the same family where both have one, else of what may be the same thing."""
    if said.value != held.value:
        return False
    if said.family and held.family:
        return said.family == held.family
    if said.nouns and held.nouns and said.value <= SMALL:
        return bool(said.nouns & held.nouns)
    if held.family not in COUNTED:  # "12" or "12 cats", and a text that says "12 minutes"
        return not said.nouns and said.value > DATES_END
    return said.family in COUNTED or not held.nouns


_COUNTERS = "|".join(
    (
        "개(?!월)|대(?!학)",
        either(
            "건 행 장 권 잔 병 곳 그릇 켤레 송이 채 가지 학년 학기 기수 "
            "줄 통 판 벌 캔 팩 알 끼 군데 과목 식구 형제 남매 자매"
        ),
    )
)
_UNITS = (  # family, factor to its base, Latin spellings, Korean spellings
    ("time", "0.001", r"ms|milliseconds?", "밀리초"),
    ("time", "1", r"seconds?|secs?|s", "초(?!등|반)"),
    ("time", "60", r"minutes?|mins?", "분(?!기|의)"),
    ("time", "3600", r"hours?|hrs?|h", "시간"),
    ("time", "86400", r"days?", r"일간|일(?=\s?(?:동안|째|만에|이내|정도))"),
    ("time", "604800", r"weeks?|wks?", "주일|주(?!년)"),
    ("nights", "1", r"nights?", "박"),
    ("months", "1", r"months?", "개월|달(?!러)"),
    ("months", "12", r"years?(?![- ]olds?)|yrs?", "년(?!생|대)"),
    ("length", "0.001", r"mm", "밀리미터"),
    ("length", "0.01", r"cm", "센티미터|센티|센치"),
    ("length", "1000", r"km|kilomet(?:er|re)s?|k(?=\srun|\srace)", "킬로미터"),
    ("area", "1", r"m²|m2|㎡|sqm|square met(?:er|re)s", "제곱미터"),
    ("area", "3.3", "", "평(?!균|일)"),
    ("length", "1", r"met(?:er|re)s?|m", "미터"),
    ("length", "1609", r"miles?", "마일"),
    ("length", "0.3048", r"feet|foot|ft", "피트"),
    ("length", "0.0254", r"inch(?:es)?", "인치"),
    ("mass", "0.001", r"mg", "밀리그램"),
    ("mass", "1", r"g|grams?", "그램"),
    ("mass", "1000", r"kgs?|kilos?|kilograms?", "킬로그램|킬로|키로"),
    ("mass", "453.6", r"lbs?", ""),
    ("volume", "1", r"ml", "밀리리터"),
    ("volume", "1000", r"l|lit(?:er|re)s?", "리터"),
    ("percent", "1", r"%|percent|per cent", "퍼센트|프로(?![가-힣]{2})"),
    ("KRW", "1", r"won|krw|₩", "원(?!룸|피스|장|격)"),
    ("USD", "1", r"dollars?|bucks|usd|\$", "달러|불(?![가-힣])"),
    ("EUR", "1", r"euros?|eur|€", "유로"),
    ("GBP", "1", r"pounds?|quid|gbp|£", "파운드"),
    ("JPY", "1", r"yen|jpy|¥", "엔(?!진)"),
    ("people", "1", r"people|persons?", "명|인분|인(?![가-힣])|사람"),
    ("animals", "1", "", "마리"),
    ("age", "1", r"years?[- ]olds?|yo", "살|세(?!트)"),
    ("floor", "1", r"floors", "층"),
    ("room", "1", "", "호실|호(?!선)"),
    ("score", "1", r"points?|pts", "점"),
    ("times", "1", r"times", "번(?!째|호)|회(?!의|사|원)"),
    ("ordinal", "1", r"st|nd|rd|th", "번째|째(?![가-힣])|등(?![가-힣])|위(?![가-힣])"),
    ("temperature", "1", r"°c|°|℃|degrees?", "도(?![가-힣])"),
    ("data", "1", r"kb", "킬로바이트"),
    ("data", "1000", r"mb", "메가"),
    ("data", "1000000", r"gb|gigabytes?", "기가"),
    ("data", "1000000000", r"tb", "테라"),
    ("page", "1", r"pages?", "쪽|페이지"),
    ("speed", "1", r"km/h|kph", ""),
    ("quarter", "1", "", "분기"),
    ("", "1", "", _COUNTERS),
)
_UNIT = re.compile(
    "[ -]?(?:"
    + "|".join(
        f"(?P<u{place}>" + "|".join(filter(None, (latin and rf"(?:{latin})(?![A-Za-z²])", hangul))) + ")"
        for place, (_, _, latin, hangul) in enumerate(_UNITS)
    )
    + ")",
    re.IGNORECASE,
)
_NOUN = re.compile(r"(?:[ -]([a-z]{3,}))(?:[ -]([a-z]{3,}))?(?:[ ]([a-z]{3,}))?")
_NO_NOUN = frozenset(
    either("was has does always this his its plus minus across yes less unless perhaps towards goes").split("|")
)
_DISCOURSE = frozenset(
    either(
        "thing way option point step reason question part kind type idea example choice suggestion case sort tip"
    ).split("|")
)
"""What a talk counts about itself: "two options", "three reasons". No details of anybody's life."""


def unit_at(text: str, at: int) -> tuple[str, Decimal, int] | None:
    """Family, factor and end of the unit that follows a number."""
    match = _UNIT.match(text, at)
    if not match or not match.lastgroup:
        return None
    family, factor, _, _ = _UNITS[int(match.lastgroup[1:])]
    return family, Decimal(factor), match.end()


def counted_at(text: str, at: int) -> tuple[frozenset[str], int]:
    """The plural among the next three words, "two young kids", and where it ends if it follows at once."""
    match = _NOUN.match(text, at)
    for place, word in enumerate(match.groups() if match else (), 1):
        if word and word not in _NO_NOUN and (word == "children" or (word[-1] == "s" and word[-2] != "s")):
            assert match
            return frozenset({_singular(word)}), match.end(1) if place == 1 else at
    return frozenset(), at


def is_talk(nouns: frozenset[str]) -> bool:
    return bool(nouns & _DISCOURSE)


def _singular(noun: str) -> str:
    return "kid" if noun == "children" else noun.removesuffix("s")
