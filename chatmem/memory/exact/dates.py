"""Dates, weekdays and times of day, in English and Korean, and what each can mean."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

from chatmem.memory.exact.numerals import HOUR_KO, native_value, word_value
from chatmem.memory.exact.units import Amount


@dataclass(frozen=True, slots=True)
class Day:
    """Any part may be missing. The weekday (Monday is 0) only counts where there is no date."""

    year: int | None = None
    month: int | None = None
    day: int | None = None
    weekday: int | None = None


@dataclass(frozen=True, slots=True)
class Clock:
    minute: int
    """Of the day."""


Meant = tuple[Amount | Day | Clock, ...]
_Match = re.Match[str]


def same_day(said: Day, held: Day) -> bool:
    """Whether `held` names at least what was `said`: a date for its month, not a month for a date."""
    if said.day is None and said.month is None and said.year is None:
        return said.weekday == held.weekday
    has_year = said.year in (None, held.year) or (held.year is None and said.month is not None)
    return has_year and said.month in (None, held.month) and said.day in (None, held.day)


def weekday_dates(weekday: int, written: date) -> tuple[date, ...]:
    """The days "Friday" or "next Friday" can mean in a message of that day: this week's and the two after."""
    monday = written - timedelta(days=written.weekday())
    return tuple(monday + timedelta(days=weekday + 7 * weeks) for weeks in (0, 1, 2))


_MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
           "November", "December")  # fmt: skip
_MONTH_PLACES = {name[:3].lower(): place for place, name in enumerate(_MONTHS, 1)}
_MONTH = "(?P<month>" + "|".join(rf"{name[:3]}(?:{name[3:]})?" for name in _MONTHS) + r"|Sept)\b\.?"
_WEEKDAY_PLACES = {name: place for place, name in enumerate(("mon", "tue", "wed", "thu", "fri", "sat", "sun"))}
_WEEKDAY_PLACES |= {name: place for place, name in enumerate("월화수목금토일")}
_WEEKDAY = r"(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?\b\.?"
_FULL_WEEKDAY = "(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_WEEKDAY_KO = r"[월화수목금토일]요일|\([월화수목금토일](?:요일)?\)"
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_DAY = r"(?P<day>[0-3]?\d)(?:st|nd|rd|th)?(?![\d:]|,\d{3}|\s?[ap]m)"
_PART_KO = r"(?P<part>오전|오후|새벽|아침|점심|저녁|밤|낮)?\s{0,2}"
_PART = r"(?P<part>in the (?:morning|afternoon|evening)|at night|tonight)"
_HOUR = "(?P<hour>1[0-2]|0?[1-9]|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
_AFTER_AT = (
    r"(?=\s*(?:$|[.,;!?)\n]|(?:and|on|in the|at night|tonight|sharp|every|with|for|so|but|tomorrow|today|or"
    r"|because|if|then|when|to|until|we|i|he|she|they|next|this|from|by|local)\b))"
)
_NO_DAY = "floor|time|birthday|grade|place|edition|century|anniversary"


def _date(match: _Match) -> Meant:
    named = match.groupdict()
    month = named.get("month")
    number = (int(month) if month.isdigit() else _MONTH_PLACES[month[:3].lower()]) if month else None
    year, day = (int(named[part]) if named.get(part) else None for part in ("year", "day"))
    return (Day(year, number, day),) if _is_possible(number, day) else ()


def _is_possible(month: int | None, day: int | None) -> bool:
    return (month is None or 1 <= month <= 12) and (day is None or 1 <= day <= 31)


def _slashed(match: _Match) -> Meant:
    a, b = int(match["a"]), int(match["b"])
    year = int(match["year"]) if match["year"] else None
    return tuple(
        Day(year, month, day) for month, day in dict.fromkeys(((a, b), (b, a))) if _is_possible(month, day)
    )


def _weekday(match: _Match) -> Meant:
    name = match["weekday"].lower()
    return (Day(weekday=_WEEKDAY_PLACES[name if name in _WEEKDAY_PLACES else name[:3]]),)


def _clock(match: _Match) -> Meant:
    """One time, or two where the half of the day is left open."""
    named = match.groupdict()
    part = (named.get("part") or "").lower().replace(".", "")
    hour = _hour(named["hour"])
    minute = 30 if named.get("half") else int(named.get("minute") or 0)
    if hour > 24 or minute > 59:
        return ()
    if part in ("오후", "저녁", "pm", "in the afternoon", "in the evening", "tonight"):
        hours = [hour % 12 + 12]
    elif part in ("밤", "at night"):
        hours = [hour % 12 + (12 if 6 <= hour < 12 else 0)]
    elif part in ("점심", "낮"):
        hours = [hour + 12 if hour < 6 else hour]
    elif part:
        hours = [hour % 12]
    elif hour > 12 or named["hour"].startswith("0"):
        hours = [hour % 24]
    else:
        hours = [hour % 12, hour % 12 + 12]
    return tuple(Clock(60 * one + minute) for one in hours)


def _hour(text: str) -> int:
    return int(text) if text.isdigit() else native_value(text) or int(word_value(text))


def _half_past(match: _Match) -> Meant:
    minutes = (30 if match["share"].lower() == "half" else 15) * (-1 if match["to"] else 1)
    base = 60 * (_hour(match["hour"]) % 12) + minutes
    return (Clock(base % 1440), Clock((base + 720) % 1440))


def _ordinal(match: _Match) -> Meant:
    value = int(match["n"])
    return (Day(day=value), Amount(Decimal(value), "ordinal")) if 1 <= value <= 31 else ()


def _day_of_month(match: _Match) -> Meant:
    """ "14일" is the 14th, or fourteen days."""
    value = int(match["day"])
    return (Day(day=value), Amount(Decimal(value) * 86400, "time")) if 1 <= value <= 31 else ()


DATES: tuple[tuple[re.Pattern[str], Callable[[_Match], Meant]], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), meaning)
    for pattern, meaning in (
        (rf"(?<![\d-]){_YEAR}[-./](?P<month>\d\d?)[-./](?P<day>\d\d?)(?![\d-])", _date),
        (rf"(?<!\d)(?:{_YEAR}년\s*)?(?P<month>1?\d)월\s*(?P<day>[0-3]?\d)일(?:\s*(?:{_WEEKDAY_KO}))?", _date),
        (rf"(?:{_WEEKDAY},?\s+)?(?:the\s)?\b{_DAY}\s+(?:of\s+)?{_MONTH}(?:,?\s{_YEAR}\b)?", _date),
        (rf"(?:{_WEEKDAY},?\s+)?\b{_MONTH}\s+(?:the\s)?{_DAY}(?:,?\s{_YEAR}\b)?(?:\s\({_WEEKDAY}\))?", _date),
        (rf"\b{_MONTH}\s{_YEAR}\b", _date),
        (rf"(?<!\d){_YEAR}년(?:\s*(?P<month>1?\d)월)?(?!\s?(?:동안|간))", _date),
        (r"(?<!\d)(?P<month>1[0-2]|[1-9])월(?![가-힣]*요일)", _date),
        (r"(?<![\d/.])(?P<a>\d\d?)[/.](?P<b>\d\d?)[/.](?P<year>(?:19|20)\d\d)(?!\d)", _slashed),
        (r"(?<![\d/.,])(?P<a>\d\d?)/(?P<b>\d\d?)(?P<year>)(?![\d/])", _slashed),
        (r"(?<![\d-])(?P<a>0[1-9]|1[0-2])-(?P<b>[0-3]\d)(?P<year>)(?![\d-])", _slashed),
        (rf"\b{_HOUR}(?::(?P<minute>\d\d))?\s{_PART}\b", _clock),
        (r"(?<![\d.,])(?P<hour>\d\d?)(?:[:.](?P<minute>\d\d))?\s?(?P<part>[ap]\.?m)\b\.?", _clock),
        (rf"{_PART_KO}(?<!\d)(?P<hour>\d\d?)\s?:\s?(?P<minute>\d\d)(?![\d:])", _clock),
        (rf"{_PART_KO}(?<![\d가-힣])(?P<hour>\d\d?|{HOUR_KO})\s?시(?!간|즌|대|작|도|험|리)"
         r"(?:\s*(?P<minute>\d\d?)분|\s?(?P<half>반))?", _clock),
        (rf"\b{_HOUR}(?::(?P<minute>\d\d))?\s?o['’]?clock(?:\s{_PART}\b)?", _clock),
        (rf"\b(?:a )?(?P<share>half|quarter) (?:past|(?P<to>to)) {_HOUR}\b", _half_past),
        (rf"\b(?:at|by|until|till) {_HOUR}{_AFTER_AT}", _clock),
        (r"\bnoon\b|정오", lambda _: (Clock(720),)),
        (r"\bmidnight\b|자정", lambda _: (Clock(0),)),
        (r"(?:(?:다다음|다음|이번|지난)\s?주\s?|매주\s?)?(?P<weekday>[월화수목금토일])요일", _weekday),
        (rf"\b(?:(?:next|last|this|every)\s)?(?P<weekday>{_FULL_WEEKDAY})s?\b", _weekday),
        (rf"\b(?:the|on|until|by) (?P<n>[0-3]?\d)(?:st|nd|rd|th)(?!\s(?:{_NO_DAY}|[a-z]+ary)|-)\b", _ordinal),
        (r"(?<![\d.])(?P<day>[0-3]?\d)일(?!\s?(?:동안|간|째|만에|이내|정도)|곱)", _day_of_month),
        (r"(?<!\d)(?P<month>1[0-2]|[1-9])월", _date),
    )
)  # fmt: skip
"""Tried in this order; what one has taken, the next do not see."""

MONTH_ALONE = re.compile(
    r"\b(?P<month>" + "|".join(name for name in _MONTHS if name != "May") + r")\b"
    r"|\b(?:[Ii]n|[Ss]ince|[Uu]ntil|[Bb]y|[Nn]ext|[Ll]ast|[Tt]his|[Ee]arly|[Ll]ate|[Mm]id|[Ff]rom|of)[ -]"
    r"(?P<may>May)\b"
)
"""A month without its day. "May" and "march" are words too: a capital, and for May a preposition before it."""


def month_alone(match: _Match) -> Day:
    return Day(month=_MONTH_PLACES[(match["month"] or match["may"])[:3].lower()])
