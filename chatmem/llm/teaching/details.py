"""Kinds of detail: which kind a question wants, and whether a statement offers it."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

from chatmem.llm.teaching.lexicon import answers_for, concepts_of, in_group
from chatmem.llm.teaching.subjects import aliases_in

Detail = Literal[
    "who",
    "when",
    "clock",
    "where",
    "why",
    "how",
    "name",
    "number",
    "age",
    "price",
    "duration",
    "often",
    "color",
    "phone",
    "email",
]

_WANTS: tuple[tuple[Detail, str], ...] = (
    ("name", r"\b(?:name|names|called)\b|이름|성함|닉네임|별명|뭐라고 (?:불러|부르)"),
    ("who", r"\b(?:who|whom|whose)\b|누구|누가"),
    ("age", r"\bhow old\b|\bwhat age\b|\bage\b|몇 살|나이|연세"),
    (
        "price",
        r"\bhow much (?:do(?:es)?|did|is|was|are|will|money|can i spend|i (?:pay|earn|spend))\b"
        r"|\b(?:cost|price|fee|salary|budget|rent)\b(?=.*\?)"
        r"|(?:가격|비용|예산|연봉|월급|월세|수강료|용돈|회비|요금|값)"
        r"|얼마(?:씩|를)?\s?(?:받|벌|내|냈|주고|줬|드리|드렸|쓰|썼|팔|샀|사)",
    ),
    ("duration", r"\bhow long\b|얼마나 (?:오래|걸|동안|됐|되었)|몇 (?:분|시간|년째|개월|주째|년 동안|박)"),
    ("often", r"\bhow often\b|얼마나 자주|몇 번"),
    ("clock", r"\b(?:what|which) time\b|몇 시(?!간)"),
    (
        "when",
        r"\b(?:when|(?:what|which) (?:day|date|month|year))\b|언제|며칠|몇 월|몇 년|무슨 요일"
        r"|무슨요일|날짜",
    ),
    (
        "number",
        r"\bhow (?:many|tall|far|big|heavy|high|fast|large|deep|wide)\b|\b(?:number|rating|score"
        r"|percent|size)\b|몇 (?!살|시)|몇이|얼마나 (?:자주|많)|번호",
    ),
    ("number", r"\bhow much\b|얼마(?!나)"),
    (
        "where",
        r"\b(?:where|(?:what|which) (?:city|country|place|town))\b|어디|어딜|어딘|어느 (?:나라|도시"
        r"|동네|지역)|무슨 (?:나라|도시)",
    ),
    ("color", r"\bcolou?r\b|색깔|무슨 색|색이|색상"),
    ("why", r"\bwhy\b|(?<![가-힣])왜(?![가-힣])|이유"),
    ("phone", r"\b(?:phone|telephone|mobile) number\b|전화번호|연락처"),
    ("email", r"\be-?mail(?: address)?\b|이메일|메일 주소"),
)

NUMBER_WORD = (
    r"\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen"
    r"|seventeen|eighteen"
    r"|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million|dozen|half"
    r"|once|twice|a couple"
    r"|an? (?:hour|week|day|month|year|pair)|one (?:\w+))\b"
    r"|(?:하나|둘(?!째)|셋|넷|다섯|여섯|일곱|여덟|아홉|열|스무|서른|마흔|쉰)"
    r"|(?:^|\s)(?:한|두|세|석|네|넉|몇)\s?(?:개|명|번|마리|살|시간|달|주|잔|권|장|대|곳|가지|분|아이|사람"
    r"|시|병|그릇|박|채|송이|켤레|자매|형제)"
)
_CLOCK = (
    r"\b\d{1,2}(?::\d\d)?\s*(?:am|pm|a\.m|p\.m|o'clock|uhr)\b|\b\d{1,2}:\d\d\b|\bat (?:\d{1,2}|noon"
    r"|midnight|seven|eight|nine|ten|eleven|twelve|one|two|three|four|five|six|half)\b"
    r"|\buntil (?:\d{1,2}|noon|midnight)\b|\d{1,2}\s*시(?!간)|(?:한|두|세|네|다섯|여섯|일곱|여덟|아홉|열"
    r"|열한|열두)\s?시(?!간)|정오|자정|\bnoon\b|\bmidnight\b"
)
_DATE = (
    r"\b(?:january|february|march|april|june|july|august|september|october|november|december|jan|feb|mar"
    r"|apr|jun|jul|aug|sept?|oct|nov|dec)\b"
    r"|\b(?:in|on|by|early|late|mid|this|next|last|since) may\b|\bmay \d"
    r"|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\b(?:19|20)\d\d\b|\b\d{1,2}/\d{1,2}\b"
    r"|\b\d{1,2}(?:st|nd|rd|th)\b"
    r"|\b(?:today|tomorrow|yesterday|tonight|weekends?|christmas|easter|halloween|thanksgiving|spring"
    r"|summer|autumn|fall|winter)\b"
    r"|\b(?:last|next|this|every|each|in \w+|\w+) (?:weeks?|months?|years?|days?|mornings?|evenings?"
    r"|nights?|afternoons?|hours?)\b"
    r"|\b(?:morning|evening|afternoon|night|daily|weekly|monthly|ago|since|before|after|until|lately"
    r"|recently)\b"
    r"|\d+\s*(?:년|월|일|주|개월|달)|[월화수목금토일]요일|오전|오후|아침|저녁|밤|새벽|점심|내일|어제|그제"
    r"|오늘|모레|주말|평일|매일|매주|매달|매년"
    r"|다음\s?(?:주|달|해)|이번\s?(?:주|달|해|학기)|지난\s?(?:주|달|해|번)|작년|내년|올해|재작년|봄|여름"
    r"|가을|겨울|방학|크리스마스|추석|설날|명절|연말|연초"
)
_PLACE = (
    r"\b(?:in|at|to|from|near|around|inside|outside|under|above|behind|beside|next to|on the|on my"
    r"|opposite|through)\s+(?:the\s+|my\s+|a\s+)?(?!"
    r"\d|(?:the\s+)?(?:morning|evening|afternoon|weekend|week|month|year|summer|winter|spring|autumn"
    r"|january|february|march|april|may|june|july|august"
    r"|september|october|november|december|mondays?|tuesdays?|wednesdays?|thursdays?|fridays?|saturdays?"
    r"|sundays?|noon|midnight|night|six|seven|eight|nine|ten"
    r"|eleven|twelve|one|two|three|four|five|be|have|do|get|go|see|eat|sleep|learn|become|know)\b)\w"
    r"|[가-힣A-Za-z](?:에서|에게서|(?<!때문)에(?![가-힣])|으로|(?<=[가-힣])로(?![가-힣])|까지|근처)|(?:시"
    r"|도|동|구|역|군|읍|면)(?=\s|이|에|$|야|입)|고향|출신"
)
_OFFERS: dict[Detail, str] = {
    "number": r"\d|" + NUMBER_WORD,
    "clock": _CLOCK,
    "when": _DATE + "|" + _CLOCK,
    "where": _PLACE,
    "age": r"\b\d{1,3}[- ]?(?:years?|yrs?|months?|weeks?)\b|\b(?:i['’]?m|i am|is|are|turns?|turned|turning"
    r"|aged?|he['’]s|she['’]s) (?:only |just |now |almost )?(?:\d{1,3}|[a-z]+(?:een|ty(?:-\w+)?)"
    r"|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|one)\b(?!\s*(?:cm|kg|km|%|m\b))"
    r"|\b(?:born in|years? old)\b|\d+\s*(?:살|세(?![가-힣])|개월|대(?![가-힣]))|(?:한|두|세|네"
    r"|다섯|여섯|일곱|여덟|아홉|열|스무|서른|마흔|쉰)\s?(?:한|두|세|네|다섯|여섯|일곱|여덟"
    r"|아홉)?\s?살|년생|(?:서른|마흔|쉰|예순|일흔|여든|아흔|스물)(?:하나|둘|셋|넷|다섯|여섯"
    r"|일곱|여덟|아홉)?(?![가-힣]*\s?(?:잔|개|명|번|권|장|마리|대|분|시간|곳|병|가지|그루|송이|판|통|줄|건|킬로))",
    "price": r"[$€£¥₩]\s?\d|\d[\d.,]*\s*(?:k\b|dollars?|euros?|pounds?|quid|won\b|yen|bucks|usd|eur|krw|gbp"
    r"|cents?|원|달러|유로|엔|만|천|억)|\b(?:hundred|thousand|million|grand)\b"
    r"|[일이삼사오육칠팔구십백천만]+\s?원",
    "duration": r"(?:\d+|"
    + NUMBER_WORD
    + r")[\s-]*(?:min(?:ute)?s?|hours?|hrs?|days?|nights?|weeks?|months?|years?|분|시간|일|박|주"
    r"|개월|달|년)|\b(?:since|all (?:day|night)|an? (?:hour|week|day|month|year)|for (?:years"
    r"|ages|months|weeks|decades))\b|부터|동안|째|하루|이틀|사흘|일주일|한\s?달|보름|반년",
    "often": r"\b(?:every|each|daily|weekly|monthly|times|once|twice|always|never|often|rarely|sometimes"
    r"|mondays|tuesdays|wednesdays|thursdays|fridays|saturdays|sundays|weekends)\b|매일|매주|매달"
    r"|마다|번|자주|가끔|하루",
    "why": r"\b(?:because|since|so|so that|due to|thanks to|to \w+|for my|for the|afraid|allergic)\b"
    r"|때문|해서|라서|어서|아서|여서|니까|려고|위해|덕분|므로|느라",
    "phone": r"\d[\d\s-]{6,}\d",
    "email": r"\S+@\S+",
}
_QUOTED = re.compile(
    r"[\"“”‘’「『](?P<quote>[^\"“”‘’」』\n]{2,60})[\"“”‘’」』]|(?<![\w])'(?P<single>[^'\n]{2,60})'(?!\w)"
)
_CAPITAL = re.compile(r"(?<![.!?]\s)(?<!^)(?<![\"“(])\b(?!I\b|I['’])[A-ZÀ-Þ][\wÀ-ɏ'’-]*")
NAMED = re.compile(
    r"\b(?:called|named|name\s+is|name['’]s|names\s+are|call\s+(?:me|him|her|it))\b|이름은|이름이"
    r"|(?:이)?라고\s*(?:해|불러|합니다|부르|불리|지었)|(?:이)?라는"
)

_NOT_A_NAME = re.compile(
    r"\b(?:in|from|to|on|near|since|until|by|for|of|every|next|last)\s+(?:the\s+)?[A-ZÀ-Þ][\w-]*(?:,\s*[A-ZÀ-Þ][\w-]*)*|\b(?:Jan"
    r"|Febr)uary\b|\b(?:March|April|June|July|August|(?:Septem|Octo|Novem|Decem)ber"
    r"|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?|English|French|German|Spanish|Italian|Korean|Japanese"
    r"|Chinese)\b"
)
_NOT_A_PERSON = re.compile(
    r"\b(?:in|from|near|on|at)\s+(?:the\s+)?[A-ZÀ-Þ][\w-]*|\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?\b"
)
NAMED_KO = re.compile(
    r"[가-힣]{2,4}\s?(?:씨|님)(?![가-힣]{2})|(?:이름|성함|별명|닉네임)(?:은|이)"
    r"|[은는]\s[김이박최정강조윤장임한오서신권황안송류전홍고문양손배백허유남심노하곽성차주우구민][가-힣]{2}\s?"
    r"(?:선생|교수|대리|과장|부장|팀장|원장|코치|감독|사장)님?(?:이|인|입|세|예)"
)
_TITLED = re.compile(r"\b(?:Dr|Mr|Mrs|Ms|Prof)\.? [A-ZÀ-Þ]|\bProfessor [A-ZÀ-Þ]")

HARD: frozenset[Detail] = frozenset(
    {"name", "number", "age", "price", "clock", "color", "phone", "email", "when", "duration", "where", "who"}
)
"""A question for one of these is not answered by a statement without it; for others that is only a hint."""


@lru_cache(maxsize=1024)
def wanted(question: str) -> tuple[Detail, ...]:
    """The kinds of detail that a question asks for; narrower kinds replace "number"."""
    found: list[Detail] = list(
        dict.fromkeys(detail for detail, pattern in _WANTS if re.search(pattern, question, re.IGNORECASE))
    )
    if "number" in found and any(
        kind in found for kind in ("age", "price", "duration", "clock", "phone", "often")
    ):
        found.remove("number")
    if "number" in found and "when" in found:
        found.remove("number")
    return tuple(found)


@lru_cache(maxsize=8192)
def offers(statement: str, detail: Detail) -> bool:
    """Whether a statement contains a detail of this kind."""
    if detail == "color":
        return any(in_group(concept, "color") for concept in concepts_of(statement))
    if detail == "who":
        if re.search(r"[가-힣]", statement):
            return True  # Korean has no capitals: any word may be a name
        bare = _NOT_A_PERSON.sub(" ", statement)
        return any(pattern.search(bare) for pattern in (_CAPITAL, NAMED, _TITLED)) or any(
            in_group(concept, "person") or answers_for(concept, "person") for concept in concepts_of(statement)
        )
    if detail == "name":
        bare = _NOT_A_NAME.sub(" ", statement)
        return bool(
            any(pattern.search(bare) for pattern in (NAMED, _CAPITAL, NAMED_KO, _TITLED))
            or aliases_in((statement,))
        )
    if detail == "how":
        return True
    return bool(re.search(_OFFERS[detail], statement, re.IGNORECASE))


def capitals(text: str) -> list[str]:
    """Capitalised words that do not merely begin a sentence."""
    return _CAPITAL.findall(text)


def exact_details(text: str) -> bool:
    """Whether a text holds something that must not be rephrased: a number, date, name or quotation."""
    return bool(
        re.search(r"\d", text) or _CAPITAL.search(text) or _QUOTED.search(text) or NAMED.search(text)
        or re.search(_DATE, text, re.IGNORECASE) or re.search(NUMBER_WORD, text, re.IGNORECASE)
    )  # fmt: skip


def values_of(text: str, detail: Detail) -> set[str]:
    """The details of one kind as they stand, in lower case."""
    if detail == "color":
        return {concept for concept in concepts_of(text) if in_group(concept, "color")}
    if detail in ("name", "who"):
        return {word.lower() for word in capitals(text)}
    return {match.group().lower() for match in re.finditer(_OFFERS[detail], text, re.IGNORECASE)}


NEVER_WITHOUT: frozenset[Detail] = frozenset({"name", "price", "age", "color", "phone", "email", "number"})
"""Of the hard kinds those that every mention of the thing would show: without it, nothing was told."""


def must_show(statement: str, kind: Detail) -> bool:
    """Whether a statement without this detail cannot answer. Korean places and people bear no mark."""
    return kind in HARD and not (kind in ("where", "who") and bool(re.search(r"[가-힣]", statement)))
