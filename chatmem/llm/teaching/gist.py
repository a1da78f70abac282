"""What a stored fact says, whoever worded it: words, values and negation in one form for both languages.

Only for comparing facts. Finding an answer may be generous (배포 finds 배포일); saying that two facts are
one may not, so here a word equals another only as a listed synonym or as a form of the same word.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from chatmem.llm.teaching.corrections import announces_change
from chatmem.llm.teaching.lexicon import concepts_of, in_group
from chatmem.llm.teaching.romanising import romanised
from chatmem.llm.teaching.tables_same import SILENT_EN, SILENT_KO, SYNONYMS
from chatmem.llm.teaching.words import HANGUL, Word, english_stem, korean_stem, words_of

SAYS_LITTLE = frozenset({"name", "have", "be", "job", "also", "now", "people", "very", "time", "do"})
"""Canonical words that one wording has and another leaves out: "my dog Bori", "my dog is called Bori"."""

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = re.compile(
    r"\b(?:(?:january|february|march|april|june|july|august|september|october|november|december)\b"
    r"|(?:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)\b\.?(?=\s*\d)"
    r"|(?:(?<=\d )|(?<=\dst )|(?<=\dnd )|(?<=\drd )|(?<=\dth ))(?:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov"
    r"|dec)\b"
    r"|(?:(?<=in )|(?<=of ))may\b)",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"(\d[\d,]*(?:\.\d+)?)(?::(\d\d))?\s*(억|천만|백만|십만|만|천|k\b|million\b|thousand\b)?(월)?", re.IGNORECASE
)
_SCALE = {"억": 10**8, "천만": 10**7, "백만": 10**6, "십만": 10**5, "만": 10**4, "천": 10**3}
_SCALE |= {"k": 10**3, "thousand": 10**3, "million": 10**6}
_SMALL = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve",
)  # fmt: skip
_SMALL_EN = {word: number for number, word in enumerate(_SMALL)}
_ORDINAL = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_SMALL_KO = {"한": 1, "두": 2, "세": 3, "네": 4, "다섯": 5, "여섯": 6, "일곱": 7, "여덟": 8, "아홉": 9, "열": 10}
_SMALL_KO |= {"하나": 1, "둘": 2, "셋": 3, "넷": 4}
_TENS = {"스무": 20, "스물": 20, "서른": 30, "마흔": 40, "쉰": 50, "예순": 60, "일흔": 70, "여든": 80, "아흔": 90}
_ONES = _SMALL_KO | {"여섯": 6, "일곱": 7, "여덟": 8, "아홉": 9}
_TENS_KO = re.compile(
    rf"(?<![가-힣])({'|'.join(_TENS)})({'|'.join(_ONES)})?(?=\s?(?:살|명|개|마리|번|이|야|$|[.,!]))"
)
_COUNTED_KO = re.compile(
    r"(?<![가-힣])(한|두|세|네|다섯|여섯|일곱|여덟|아홉|열|하나|둘|셋|넷)\s?"
    r"(?=(?:개|명|번|마리|살|시간|달|잔|권|대|시|병|박|채|켤레|군데)(?![가-힣]{2}))|(?<![가-힣])(하나|둘|셋"
    r"|넷)(?![가-힣]{2})"
)
_UNIT = re.compile(
    r"#\s*(?:(?:st|nd|rd|th|years? old|years?|won)\b|(?:일|시|분|년|원|살|세|층|번|월|개월|개|명|마리|잔|권|대"
    r"|시간|달|병|박|채)"
    r"(?:을|를|은|는|이|가|에|까지|부터|쯤|씩|째)?(?:이에요|예요|이야|야|이다|다|입니다|임)?(?![가-힣]))?"
)
_WEEKDAY = re.compile(
    r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|[월화수목금토일]요일(?:에|은|마다)?(?:이에요|예요|이야|야"
    r"|이다|다|입니다|임)?",
    re.IGNORECASE,
)
_DAY_PART = {
    "am": r"\b\d{1,2}(?::\d\d)?\s*a\.?m\b|오전", "pm": r"\b\d{1,2}(?::\d\d)?\s*p\.?m\b|오후|\bafternoons?\b",
    "morning": r"\bmornings?\b|아침", "evening": r"\bevenings?\b|저녁", "night": r"\bnights?\b|(?<![가-힣])밤",
    "dawn": r"새벽", "weekend": r"\bweekends?\b|주말", "weekday": r"\bweekdays?\b|평일",
}  # fmt: skip
_DAY_PART_KO = r"(?:오전|오후|아침(?!밥)|저녁(?!밥)|새벽|주말|평일|(?<![가-힣])밤)(?:에는|에도|에만|에|은|마다)?"
_DAY_PART_EN = r"\b(?:mornings?|evenings?|nights?|afternoons?|weekends?|weekdays?)\b|(?<=\d)\s*[ap]\.?m\b\.?"
_DISLIKE = re.compile(
    r"\b(?:can['’]?t|cannot|can not) (?:stand|bear)\b|\b(?:do|does|did)(?:n['’]t| not) (?:\w+ )?(?:like|enjoy"
    r"|love)\b"
    r"|\bnot (?:\w+ )?(?:a fan|fond|into|keen)\b(?: of| on)?|\bno fan of\b"
    r"|(?:좋아|선호)하(?:지|진|질) (?:않|못)\S*|(?:별로 )?안 좋아\S*|(?:별로|좀) 안 즐\S*",
    re.IGNORECASE,
)
_NOT = re.compile(
    r"\b(?:not|no|never|without|cannot|none|nor|stopped|quit|gave up)\b|n['’]t\b|\bno longer\b|(?<![가-힣])(?:안"
    r"|못)(?![가-힣])"
    r"|않|없(?![이애])|(?<![가-힣])아니|지 ?말|지 ?마|끊었|끊은|끊음|그만뒀|그만둔",
    re.IGNORECASE,
)
_PAST = re.compile(
    r"\b(?:used to|previously|formerly|former|ex-\w+|back then|as a (?:child|kid|student)|when (?:i|he|she"
    r"|they) (?:was|were)"
    r"|was born|grew up|years? ago|until|once (?:lived|worked))\b|예전에|옛날에|어릴 때|어렸을|원래는|했었|살았"
    r"|태어|전에는|까지만",
    re.IGNORECASE,
)
_ABOUT_NOW = re.compile(
    r"\b(?:these days|nowadays|at the moment|right now|so far|at present)\b|요즘(?:은|엔)?|현재(?:는)?",
    re.IGNORECASE,
)
_COMPARES = re.compile(r"\b(?:than|prefer\w* .{1,30} to|over|instead of)\b|보다|대신", re.IGNORECASE)
_HOME_MOVE = re.compile(
    r"\b(?:mov(?:ed|ing)|relocated)\s+(?:from [\w ]+ )?(?:in )?to\b|이사\s?(?:했|왔|갔|옴|감|함|하였|를 했|를 왔"
    r"|를 갔)",
    re.IGNORECASE,
)
_PERSON_MARK = re.compile(
    r"(?<![가-힣])(?:사용자|그|그녀|본인|나|내|난|저|제|전|우리|저희)(?:는|은|가|의|이|도|에게|한테|에겐"
    r"|한텐)?(?![가-힣])"
    r"|\b(?:the )?(?:user|person)(?:['’]s)?\b",
    re.IGNORECASE,
)
_SILENT = frozenset(SILENT_EN.split())
_SILENT_KO = frozenset(SILENT_KO.split())
_PREDICATE = re.compile(
    r"(?:이었습니다|였습니다|입니다|이에요|예요|이야|이다|이고|인데|이며|임|했습니다|했어요|했어|했다|합니다|한다"
    r"|해요|하는|하고"
    r"|하기|하며|하지|하면|해서|해야|해|함|됩니다|된다|돼요|돼|야|고요|네요|어요|아요|여요|거든|거든요|더라"
    r"|더라고|죠|지요"
    r"|는다|습니다|ㅂ니다|었어|았어|었다|았다|다|요|음|어|아|고|는|지|기)$"
)


@dataclass(frozen=True, slots=True)
class Gist:
    """A fact in canonical words and values. `names` are words that only a name or a place can be."""

    words: frozenset[str]
    values: frozenset[str]
    places: frozenset[str]
    names: frozenset[str]
    denies: bool
    past: bool
    openly: bool
    korean: bool
    order: tuple[str, ...] = ()
    """The words as they follow each other, where that matters: "tea rather than coffee"."""

    @property
    def core(self) -> frozenset[str]:
        return self.words - SAYS_LITTLE


@lru_cache(maxsize=8192)
def gist_of(text: str) -> Gist:
    korean = bool(HANGUL.search(text))
    text = re.sub(r"(?:제일|가장) (?:좋아하는|좋은)", "최애", text)
    text = re.sub(r"\$\s?(\d[\d,.]*\d|\d)", r"\1 dollars", text)
    plain = _DISLIKE.sub(" 싫어해 " if korean else " dislike ", text)
    moved = bool(_HOME_MOVE.search(plain))
    values, rest = _values(_ABOUT_NOW.sub(" ", _PERSON_MARK.sub(" ", plain)))
    words: set[str] = set()
    names: set[str] = set()
    ordered: list[str] = []
    for word in words_of(rest):
        if token := _canonical(word, rest):
            words.add(token)
            ordered.append(token)
            if not word.korean and word.text[0].isupper() and (word.start > 0 or _name_first(rest)):
                names.add(token)
    if moved:
        words = {word for word in words if word not in ("move", "relocat", "이사")} | {"live"}
    if "favourite" in words:
        words.discard("like")
    places = frozenset(_places(rest)) if "live" in words else frozenset()
    return Gist(
        frozenset(words),
        frozenset(values),
        places,
        frozenset(names),
        bool(_NOT.search(plain)),
        bool(_PAST.search(text)),
        announces_change(text),
        korean,
        tuple(word for word in ordered if word not in SAYS_LITTLE) if _COMPARES.search(text) else (),
    )


def _name_first(text: str) -> bool:
    """Whether the first word is a name and not a verb: "Anna is …" against "Lives in …"."""
    first = re.match(r"\s*([A-Z][\w-]+)(?:['’]s)?\s+(?:is|was|has|[a-z]+s)\b", text)
    return bool(first) and not concepts_of(first.group(1)) if first else False


def _values(text: str) -> tuple[set[str], str]:
    """Months, weekdays, numbers and parts of the day in one form, and the text without the numbers."""
    found: set[str] = set()
    for name, pattern in _DAY_PART.items():
        if re.search(pattern, text, re.IGNORECASE):
            found.add(name)
        text = re.sub(_DAY_PART_KO, " ", text) if name == "weekday" else text
    text = re.sub(_DAY_PART_EN, " ", text, flags=re.IGNORECASE)
    found.update(f"w:{one}" for one in concepts_of(text) if in_group(one, "weekday"))
    text = _WEEKDAY.sub(" ", text)
    for match in _MONTH.finditer(text):
        found.add(f"m:{_MONTHS.index(match.group()[:3].lower()) + 1}")
    text = _MONTH.sub(" ", text)
    for match in _NUMBER.finditer(text):
        if match.group(4):
            found.add(f"m:{match.group(1)}")
            continue
        number = float(match.group(1).replace(",", "") or 0) * _SCALE.get((match.group(3) or "").lower(), 1)
        found.add(f"{number:g}" if number < 10**6 else f"{number:.0f}")
        if match.group(2) and match.group(2) != "00":
            found.add(f":{match.group(2)}")
    text = _NUMBER.sub(lambda match: " " if match.group(4) else " # ", text)
    for match in _TENS_KO.finditer(text):
        found.add(str(_TENS[match.group(1)] + _ONES.get(match.group(2) or "", 0)))
    text = _TENS_KO.sub(" # ", text)
    for match in _COUNTED_KO.finditer(text):
        found.add(str(_SMALL_KO[match.group(1) or match.group(2)]))
    text = _COUNTED_KO.sub(" # ", text)
    text = _UNIT.sub(" ", text)
    for place, word in enumerate(_ORDINAL, 1):
        if re.search(rf"\b{word}\b", text, re.IGNORECASE):
            found.add(str(place))
            text = re.sub(rf"\b{word}\b", " ", text, flags=re.IGNORECASE)
    if re.search(r"\b(?:have|has|own|owns|keep|keeps) (?:only |just )?one\b", text, re.IGNORECASE):
        found.add("1")
        text = re.sub(r"\bone\b", " ", text, flags=re.IGNORECASE)
    for word, number in _SMALL_EN.items():
        if number > 1 and re.search(rf"\b{word}\b", text, re.IGNORECASE):
            found.add(str(number))
            text = re.sub(rf"\b{word}\b", " ", text, flags=re.IGNORECASE)
    return found, text


def _canonical(word: Word, text: str) -> str:
    if word.korean:
        return _korean(word.text)
    lowered = re.sub(r"['’]s$", "", word.text.lower().replace("’", "'"))
    if lowered in _SILENT or word.number:
        return "have" if lowered in ("have", "has", "had") else ""
    capital = word.text[0].isupper() and text[: word.start].strip() != ""
    stem = lowered if capital else english_stem(lowered)
    return _synonyms()[0].get(english_stem(lowered), stem)


def _korean(text: str) -> str:
    if text in _SILENT_KO:
        return "have" if text.startswith("있") else ""
    for piece, row in _synonyms()[1]:
        if (text.startswith(piece) and len(piece) >= 2) or piece in (text, korean_stem(text)):
            return row
    stem = korean_stem(text)
    if stem in _SILENT_KO:
        return ""
    root = _PREDICATE.sub("", stem)
    root = root if root and (len(root) >= 2 or len(stem) <= 2) else stem
    return romanised(root)


@lru_cache(maxsize=1)
def _synonyms() -> tuple[dict[str, str], list[tuple[str, str]]]:
    english: dict[str, str] = {}
    korean: list[tuple[str, str]] = []
    for row in SYNONYMS.strip().splitlines():
        members = row.split()
        for member in members:
            if HANGUL.match(member):
                korean.append((member, members[0]))
            else:
                english[english_stem(member)] = members[0]
    return english, sorted(korean, key=lambda pair: -len(pair[0]))


_PLACE_EN = re.compile(
    r"\b(?i:live|lives|living|reside|resides|based|home is|moved|relocated|moving)\b[^.;]*?"
    r"\b(?:in|to|at)\s+((?:[A-Z][\w'-]+,?\s?)+)"
)
_PLACE_KO = re.compile(
    r"([가-힣A-Za-z]{2,}?)(?:시|특별시|광역시)?(?:에서|에|으로|로)\s+(?=\S*(?:살|산다|사는|삽"
    r"|거주|이사|옮))"
)

_CITY_KO = re.compile(
    r"(?<![가-힣])(?:서울|부산|대구|인천|대전|광주|울산|수원|성남|제주|전주|강릉|춘천"
    r"|세종)(?=(?:시|에|에서|으로|로)?\s)"
)


def _places(text: str) -> set[str]:
    found = {romanised(match.group(1)) for match in _PLACE_KO.finditer(text)}
    found.update(romanised(match.group()) for match in _CITY_KO.finditer(text))
    for match in _PLACE_EN.finditer(text):
        found.update(re.sub(r"\W", "", word).lower() for word in match.group(1).split())
    return found - {""}
