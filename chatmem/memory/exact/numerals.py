"""Numbers written in words: "forty-five", "two hundred", 삼백만, "4만 5천", 열두, 스무."""

from __future__ import annotations

import re
from decimal import Decimal

from chatmem.memory.exact.words import either


def _numbered(words: str, start: int = 0, step: int = 1) -> dict[str, int]:
    return {word: start + step * place for place, word in enumerate(words.split())}


_ONES = _numbered(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen"
)
_TENS = _numbered("twenty thirty forty fifty sixty seventy eighty ninety", 20, 10)
_SCALES = {"dozen": 12, "hundred": 100, "thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000}
_WORD = "(?:" + "|".join([*sorted(_ONES, key=len, reverse=True), *_TENS, *_SCALES]) + ")"
WORDS = (
    r"(?<![A-Za-z-])(?:(?:half )?an? (?=dozen|hundred|thousand|million))?"
    rf"{_WORD}(?:[ -](?:and )?{_WORD}){{0,7}}(?!-?[A-Za-z])"
)
"""A run of English number words. "And" joins only before another: "two hundred and fifty"."""

ORDINALS = _numbered("first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth", 1)

_SINO = _numbered("일 이 삼 사 오 육 칠 팔 구", 1) | {"영": 0, "공": 0}
_LOW = {"십": 10, "백": 100, "천": 1_000}
_HIGH = {"만": 10_000, "억": 10**8, "조": 10**12}
DIGITS = r"(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?"
MIXED = (
    rf"(?:{DIGITS})[십백천만억조](?:\s?(?:{DIGITS})?[일이삼사오육칠팔구]?[십백천만억조]){{0,4}}"
    rf"(?:\s?{DIGITS}(?=\s?원))?"
)
"""Digits with Korean scales: "120만", "4만 5천", "1억 2천만", "2만5000원"."""
_SINO_RUN = "[일이삼사오육칠팔구]?[십백천만억][일이삼사오육칠팔구십백천만억]*"
SINO = rf"(?<![가-힣]){_SINO_RUN}(?:\s{_SINO_RUN}){{0,3}}"

_NATIVE_ONES = _numbered("하나 둘 셋 넷 다섯 여섯 일곱 여덟 아홉", 1)
_BEFORE_COUNTER = {"한": 1, "두": 2, "세": 3, "석": 3, "네": 4, "넉": 4}
_NATIVE_TENS = _numbered("열 스물 서른 마흔 쉰 예순 일흔 여든 아흔", 10, 10) | {"스무": 20}
_FROM_FIVE = "다섯|여섯|일곱|여덟|아홉"
_COUNTING = "|".join(_BEFORE_COUNTER) + "|" + _FROM_FIVE
_TEN = "|".join(_NATIVE_TENS)
NATIVE = rf"(?<![가-힣])(?:(?:{_TEN})(?:{_COUNTING})?|{_COUNTING})"
"""What stands before a counter: 두, 열두, 스무."""
NTH = rf"(?<![가-힣])(?:열(?:둘|셋|넷|{_FROM_FIVE})?|둘|셋|넷|{_FROM_FIVE})"
AGES = rf"(?:{_TEN})(?:하나|둘|셋|넷|{_FROM_FIVE})|{either('서른 마흔 쉰 예순 일흔 여든 아흔')}"
"""How old somebody is, without a counter: 여든셋."""
HOUR_KO = rf"(?:열두|열한|열|{_FROM_FIVE}|한|두|세|네)"


def word_value(words: str) -> Decimal:
    """The value of a run of English number words: "two hundred and fifty" is 250, "half a million" 500,000."""
    total = current = Decimal(0)
    for word in re.findall(r"[a-z]+", words.lower()):
        if word in _ONES or word in _TENS:
            current += _ONES.get(word, 0) + _TENS.get(word, 0)
        elif word in ("hundred", "dozen"):
            current = max(current, Decimal(1)) * _SCALES[word]
        elif word in _SCALES:
            total += max(current, Decimal(1)) * _SCALES[word]
            current = Decimal(0)
    return (total + current) / (2 if words.lower().startswith("half") else 1)


def sino_value(text: str) -> Decimal:
    """The value of digits and Korean numerals in one: "3,000만" is 30,000,000, "만 오천" 15,000."""
    total = section = Decimal(0)
    digit: Decimal | None = None
    for token in re.findall(rf"{DIGITS}|[가-힣]", text):
        if token in _LOW:
            section += (digit if digit is not None else 1) * _LOW[token]
            digit = None
        elif token in _HIGH:
            total += (section + (digit or 0) or 1) * _HIGH[token]
            section, digit = Decimal(0), None
        else:
            digit = Decimal(_SINO[token]) if token in _SINO else Decimal(token.replace(",", ""))
    return total + section + (digit or 0)


def native_value(text: str) -> int:
    """열두 is 12, 스무 is 20, 세 is 3; 0 for what is no such word."""
    ones = _NATIVE_ONES | _BEFORE_COUNTER
    for tens, value in _NATIVE_TENS.items():
        if text.startswith(tens):
            return value + ones.get(text[len(tens) :], 0)
    return ones.get(text, 0)
