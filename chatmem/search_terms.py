"""Text into search terms: what recall matches on, the same for what is stored and for what is asked.

Latin words are stemmed lightly (the plural, past and `-ing` steps of Porter, "An algorithm for suffix
stripping", 1980). Chinese, Japanese and Korean runs become overlapping pairs of characters, so that
neither missing spaces nor particles stand in the way: "배포는" and "배포일이" share "배포". A noun of one
syllable would drown in its particle ("빵은", "빵을"), so it is also kept alone.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

LONGEST_TEXT = 20_000
"""Characters of a message that are indexed: its beginning. What is searched for in a pasted book is
found by what was said around it; a megabyte of terms would slow down every write."""

LONGEST_TERM = 32
"""Characters of a term; the rest of a longer word is cut off, the same way on both sides."""

_CJK = "\u1100-\u11ff\u3040-\u30ff\u3130-\u318f\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff"
_LETTER = rf"(?![{_CJK}_])\w"
_RUNS = re.compile(rf"(?P<cjk>[{_CJK}]+)|(?P<word>(?:{_LETTER})+)(?:['’](?:{_LETTER})+)*")

_PARTICLES = frozenset("은는이가을를에의도와과로만랑")
_LONG_PARTICLES = frozenset(
    ("에서", "으로", "이랑", "까지", "부터", "한테", "에게", "처럼", "보다", "이나", "이야", "이지")
)


def terms(text: str) -> list[str]:
    """The terms of a text in order, with repetitions, of its first `LONGEST_TEXT` characters.

    What follows an apostrophe is left out: "Anna's" is "anna", "don't" is "don".
    """
    found: list[str] = []
    for run in _RUNS.finditer(unicodedata.normalize("NFC", text[:LONGEST_TEXT]).casefold()):
        if word := run["word"]:
            found.append(stem(word[:LONGEST_TERM]))
        else:
            found.extend(_pairs(run["cjk"]))
    return found


def question_terms(question: str) -> list[str]:
    """The distinct terms of a question that can point at something: no question words, no fillers.

    None where all that is left is how people keep a talk going: "sounds good, thanks a lot for your help".
    """
    found: dict[str, None] = {}
    before = ""
    for term in terms(question):
        # "디에" of "어디에" is the tail of a question word, no more of a hint than "어디" itself.
        tail = before in _FILLERS and _is_pair(before) and _is_pair(term) and term[0] == before[-1]
        if term not in _FILLERS and not tail:
            found[term] = None
        before = term
    return [] if all(term in WEAK for term in found) else list(found)


def unmet(asked: Sequence[str], met: Collection[str]) -> int:
    """How many of a question's terms nothing answers to. A pair of CJK characters beside one that is met does
    not count: "쇠가" of "열쇠가" is the noun's end with its particle, and says nothing of its own.
    """
    pairs = [term for term in met if _is_pair(term)]
    begins, ends = {pair[0] for pair in pairs}, {pair[-1] for pair in pairs}
    return sum(
        not (_is_pair(term) and (term[0] in ends or term[-1] in begins)) for term in asked if term not in met
    )


def _is_pair(term: str) -> bool:
    run = _RUNS.fullmatch(term) if len(term) == 2 else None
    return bool(run and run["cjk"])


def without_words(question: str, unwanted: frozenset[str]) -> str:
    """The question less the words all of whose terms are unwanted."""

    def kept(run: re.Match[str]) -> str:
        found = set(terms(run[0]))
        return "" if found and found <= unwanted else run[0]

    return " ".join(_RUNS.sub(kept, unicodedata.normalize("NFC", question)).split())


def _pairs(run: str) -> list[str]:
    if len(run) == 1:
        return [run]
    found = [run[start : start + 2] for start in range(len(run) - 1)]
    if (len(run) == 2 and run[1] in _PARTICLES) or run[1:] in _LONG_PARTICLES:
        found.append(run[0])
    return found


_VOWEL = re.compile("[aeiouy]")
_DOUBLE = re.compile(r"([^aeiouylsz])\1$")
_SHORT = re.compile("[^aeiou]?[aeiouy][^aeiouwxy]")


@lru_cache(maxsize=16_384)
def stem(word: str) -> str:
    """A Latin word without its inflection: "painted", "paints" and "painting" are all "paint".

    Words of other scripts, numbers and words of three letters or fewer stay as they are.
    """
    if len(word) < 4 or not word.isascii() or not word.isalpha():
        return word
    if word.endswith("sses"):
        word = word[:-2]
    elif word.endswith("ies"):
        word = word[:-3] + ("ie" if len(word) == 4 else "y")
    elif word.endswith("s") and word[-2] not in "su":
        word = word[:-1]
    if len(word) == 4 and word.endswith("ied"):
        return word[:-1]  # tied, died
    if word.endswith("ied"):
        return word[:-3] + ("i" if len(word) > 5 else "y")
    for ending in ("ed", "ing"):
        before = word.removesuffix(ending)
        if before != word and len(before) > 1 and _VOWEL.search(before):
            short = "e" if _SHORT.fullmatch(before) else ""  # "hoping" is of "hope", not of "hop"
            word = before[:-1] if _DOUBLE.search(before) else before + short
            break
    if len(word) > 4 and word.endswith("e"):  # "time" is not "Tim"
        word = word[:-1]
    if len(word) > 3 and word.endswith("y") and word[-2] not in "aeiou":
        word = word[:-1] + "i"
    return word


_FILLERS = frozenset(
    terms(
        """
    a an the this that these those it its i me my mine we us our you your yours he him his he's she her hers they
    them their what which who whom whose when where why how is am are was were be been being do does did doing done
    have has had having can could will would shall should may might must of to in on at by for from with about
    into as and or but if than then so not no yes there here some any all both also just very too
    hi hello hey thanks thank ok okay please bye yeah yep nope hm hmm oh wow great good nice cool sure right
    tell know think remember say said told mention kind type many much often long

    언제 어디 어디서 누구 누가 뭐 뭐야 무엇 무슨 어떤 어떻게 왜 몇 얼마 얼마나 그리고 그런데 그래서 하지만 나는
    내가 나의 저는 제가 너는 네가 우리 그건 그거 이거 이건 저거 있어 있었 있는 했어 했지 했던 하는 였지 였어 이었지
    이야 인가 인지 나요 까요 습니다 안녕 안녕하세요 고마워 고마워요 감사 감사합니다 감사해요 네 예 응 그래 아니
    뭐였더라 뭐였지 뭐지 뭐더라 누구더라 누구였지 언제였지 언제더라 어디였지 어디더라 했더라 하더라 이었더라 이더라
    아니요 알겠어 알겠습니다 좋아 좋아요 오케이 말해 말했 알려줘 기억 기억나 기억해 거야 건가 것은 것이
    """
    )
)

WEAK = frozenset(
    terms(
        """
    again another anything appreciate awesome back better bit brief briefly clear continue correct detail different
    easy else even everything example exactly excellent explain explanation fair few fine first fix funny further
    get give go got guess haha happy help helpful interesting joke keep kidding later leave less let line little
    lol look lot make makes maybe mean more morning much never new next night nothing now only other part perfect
    point ready really repeat rephrase reply rest same second see sense short shorter simple simpler so sorry
    something sounds start step still stop summarize sum super take talk thing things third time times today
    tomorrow tonight translate try understand understood up use wait well will wonderful work wrong wrote write way

    다시 계속 설명 설명해 설명해줘 설명해주세요 자세히 더 짧게 쉽게 번역 번역해줘 요약 요약해줘 고쳐줘 도와줘
    도와주세요 부탁 부탁해 부탁해요 해줘 해주세요 만들어줘 써줘 그럼 그거로 그걸로 그렇구나 맞아 맞아요 아니야
    진짜 정말 대박 ㅋㅋ ㅎㅎ ㅠㅠ 미안 미안해 죄송해요 수고 수고했어 이해 이해했어 이해가 안돼 왜요 뭐라고 오늘
    지금 내일 아침 저녁 잘자 반가워
    """
    )
)
"""Terms of small talk and of bare requests. They count beside others and say nothing by themselves."""


@dataclass(frozen=True, slots=True)
class AskedDate:
    """A date as a question names it: any part may be missing."""

    year: int | None
    month: int | None
    day: int | None

    @property
    def term(self) -> str | None:
        """What `date_terms` of a matching message holds; None for a mere year, which points at too much."""
        if self.month is None:
            return None
        year = f"{self.year:04}" if self.year else ""
        return f"§{year}{self.month:02}" + (f"{self.day:02}" if self.day else "z")

    def nearness(self, moment: datetime) -> float:
        """How well a message of that moment fits, 0 to 1: the day 1, the month 0.7, the year 0.2."""
        if (self.year and moment.year != self.year) or (self.month and moment.month != self.month):
            return 0.0
        if self.day:
            away = abs(moment.day - self.day)
            return 1.0 if not away else max(0.0, 0.5 * (1 - away / 15))
        return 0.7 if self.month else 0.2


def date_terms(moment: datetime) -> list[str]:
    """The terms by which a message's date is found; they begin with "§", as no term of a text does."""
    year, month, day = f"{moment.year:04}", f"{moment.month:02}", f"{moment.day:02}"
    return [f"§{year}{month}{day}", f"§{year}{month}z", f"§{month}{day}", f"§{month}z"]


_MONTHS = ("january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
           "november", "december")  # fmt: skip
_MONTH_NUMBERS = {name[:3]: place for place, name in enumerate(_MONTHS, 1)}
_MONTH = "(?P<month>" + "|".join(rf"{name[:3]}(?:{name[3:]})?" for name in _MONTHS) + ")"
_DAY = r"(?P<day>[0-3]?\d)"
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_DATES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?:\bon\s+)?\b{_YEAR}-(?P<month>\d\d?)-{_DAY}\b",
        rf"(?:\bon\s+)?\b{_DAY}(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH}\b\.?(?:,?\s*{_YEAR}\b)?",
        rf"(?:\bon\s+)?\b{_MONTH}\b\.?\s+{_DAY}(?:st|nd|rd|th)?\b(?:,?\s*{_YEAR}\b)?",
        rf"(?:\bin\s+)?\b{_MONTH}\b\.?,?\s+(?:of\s+)?{_YEAR}\b",
        rf"\b(?:in|of|since|by|during|until|last|early|late|mid)\s+{_MONTH}\b",
        rf"(?:{_YEAR}년\s*)?(?P<month>1?\d)월(?:\s*{_DAY}일)?(?:에|의)?",
        rf"(?:\bin\s+)?\b{_YEAR}\b(?:년에?)?",
    )
)


def asked_dates(question: str) -> tuple[list[AskedDate], str]:
    """The dates a question names, in English or Korean words or ISO, and the question without them."""
    found: list[AskedDate] = []
    for pattern in _DATES:
        for match in pattern.finditer(question):
            named = match.groupdict()
            month, day, year = (named.get(part) for part in ("month", "day", "year"))
            number = None if not month else int(month) if month.isdigit() else _MONTH_NUMBERS[month[:3].lower()]
            found.append(AskedDate(int(year) if year else None, number, int(day) if day else None))
        question = pattern.sub(" ", question)
    return found, question
