"""How two stored facts stand to each other: one fact twice, a correction, rivals, or two facts.

A wrong "same" loses what the person said and a wrong "replaces" hides it; a missed one only shows two
rows. So each of the three needs proof in words and values, and the likeness of the two sentences may
only veto: the encoder finds "3rd floor" and "4th floor" as alike as two wordings of one fact.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Literal, TypeAlias

from chatmem.llm.teaching.corrections import overtakes
from chatmem.llm.teaching.gist import Gist, gist_of
from chatmem.llm.teaching.lexicon import concepts_of, in_group
from chatmem.llm.teaching.romanising import romanised
from chatmem.llm.teaching.subjects import subject_of
from chatmem.llm.teaching.words import words_of

Relation: TypeAlias = Literal["same", "replaces", "rivals", "apart"]

UNLIKE = 0.4
"""Cosine below which two wordings are not one fact, whatever their words. On the development pairs the
least alike wordings of one fact lie at 0.52 in one language and at 0.61 across two."""

_ATTRIBUTES = frozenset(
    {"birthday", "age", "height", "weight", "bloodtype", "address", "email", "number", "salary", "rent", "budget"}
    | {"deadline"}
)
"""What a person or a thing has one of: another value contradicts, however the sentence is built."""
_AGE = re.compile(
    r"\b(?:years? old|aged?|turned|turning)\b|\b(?:i['’]m|i am|is) \d{1,2}\b(?!\s*(?:cm|kg|[%:]))"
    r"|\d+\s*(?:살|세(?![가-힣]))|(?:스물|스무|서른|마흔|쉰|예순|일흔|여든)\S{0,3}\s?살",
    re.IGNORECASE,
)
_SCHEDULED = re.compile(
    r"\b(?:is|are|was|will be|starts?|begins?|ends?|due|set|scheduled|takes place|falls|leaves|closes|opens"
    r"|costs?)\b"
    r"|(?:\d\S{0,3}|요일|오전|오후|아침|저녁)\s?(?:이다|이야|야|이에요|예요|입니다|다|임)[.!~]*$"
    r"|(?:시작|끝나|끝난|열려|열린|있어|있다|있음|있습니다)\S{0,4}[.!~]*$",
    re.IGNORECASE,
)
_HABIT = re.compile(
    r"\b(?:every|each|on \w+days|(?:mon|tues|wednes|thurs|fri|satur|sun)days|often|sometimes|likes?|loves?"
    r"|enjoys?"
    r"|prefers?|goes|go|takes?|does|do|practi[sc]es?|plays?|works?|visits?|calls?|runs?|swims?|watches)\b|마다"
    r"|매주"
    r"|매일|가끔|자주|다닌|다녀|가요|간다|해요|한다",
    re.IGNORECASE,
)
_COUNTS = re.compile(
    r"\b(?:have|has|owns?|keeps?|got) (?:only |just )?(?:\d+|one|two|three|four|five|six|seven|eight|nine"
    r"|ten) [a-z]"
    r"|(?:\d+|한|두|세|네|다섯|여섯)\s?(?:마리|명|대|개|채)",
    re.IGNORECASE,
)
_OWN_NAME = re.compile(
    r"^(?:my |the user['’]s |the person['’]s |his |her )?name(?: is|['’]s)\s+(?P<name>[\w' -]+?)[.!]*$"
    r"|^(?:i am|i['’]m|is|(?:please )?call me|(?:is )?(?:called|named))\s+(?P<called>[A-Z][\w'-]+)[.!]*$"
    r"|^(?:(?:내|제|나의|저의|사용자의?)\s*)?이름은\s*(?P<korean>[가-힣A-Za-z]{2,5}?)(?:이라고 해|라고 해|이에요"
    r"|예요|이야|야|이다|다|입니다"
    r"|임)?[.!~]*$",
    re.IGNORECASE,
)
_LEAD = re.compile(r"^(?:(?:correction|actually|sorry|no|now|사실은?|아니|정정)[,:]?\s+)+", re.IGNORECASE)
_WORKS_FOR = re.compile(
    r"\b(?i:work|works|working|employed) (?:at|for|with) (?P<firm>[A-Z][\w&'-]*(?: [A-Z][\w&'-]*)*)"
    r"|(?P<korean>[가-힣A-Za-z0-9]{2,}?)에(?:서)? (?:다닌|다녀|다니|재직|근무)"
)
_TRADES = (
    "nurse midwife paramedic|간호사 조산사", "teacher professor tutor instructor lecturer|교사 선생님 교수 강사",
    "developer engineer programmer coder"
    "|개발자 엔지니어 프로그래머", "doctor surgeon dentist vet|의사 치과의사 수의사",
    "lawyer judge|변호사 판사", "chef cook baker|요리사 셰프 제빵사", "designer artist illustrator|디자이너 화가",
    "accountant"
    "|회계사 세무사", "firefighter|소방관", "pilot|조종사", "electrician plumber carpenter|전기기사 목수",
    "pharmacist|약사", "librarian|사서", "police|경찰", "farmer|농부", "architect|건축가",
)  # fmt: skip
_IS_A = re.compile(
    r"\b(?:i['’]m|i am|is|works? as|working as) (?:an? )?(?:\w+ ){0,2}?(?P<trade>[a-z]+)(?= (?:at|in|for"
    r"|from)\b|[.!,]|$)"
    r"|(?P<korean>[가-힣]{2,}?)(?:예요|이에요|입니다|이야|야|이다|다|로 일\S+)[.!~]*$",
    re.IGNORECASE,
)


def outdates(later: str, earlier: str) -> bool:
    """Whether `earlier` is not to be told any more once `later` was said: corrected, or contradicted by it."""
    return overtakes(later, earlier) or relation(later, earlier) in ("replaces", "rivals")


def current(texts: Sequence[str]) -> list[int]:
    """The places of those statements, given in the order they were said, that still stand."""
    return [
        place for place, text in enumerate(texts) if not any(outdates(later, text) for later in texts[place + 1 :])
    ]


@lru_cache(maxsize=65536)
def relation(later: str, earlier: str, likeness: float | None = None) -> Relation:
    """How `later`, learned after `earlier`, stands to it; both may be in either language and any person.

    "same": one fact in other words. "replaces": `later` openly says that it is different now. "rivals":
    both cannot well be true, and nothing says which one is. "apart": everything else. `likeness` is the
    cosine of their sentence embeddings, in [-1, 1], if known.
    """
    mine, theirs = gist_of(later), gist_of(earlier)
    if _bare(later) == _bare(earlier):
        return "same"
    ages = bool(_AGE.search(later) and _AGE.search(earlier)) and not (mine.core | theirs.core) - {"age"}
    if ages and mine.values == theirs.values:
        return "same"  # the encoder does not know that 서른넷 is 34
    if _says_the_same(mine, theirs) and (likeness is None or likeness >= UNLIKE):
        return "same"
    if mine.past or (theirs.past and not theirs.openly):
        return "apart"
    contradicts = _contradict(later, earlier, mine, theirs)
    if mine.openly and _says_no_other(mine, theirs):
        return "apart"
    if mine.openly:
        corrects = contradicts or (overtakes(later, earlier) and _about_one_thing(mine, theirs))
        return "replaces" if corrects else "apart"
    return "rivals" if contradicts else "apart"


def adds_nothing(later: str, earlier: str) -> bool:
    """Whether `later` only repeats part of what `earlier` says: nothing new to keep."""
    mine, theirs = gist_of(later), gist_of(earlier)
    return (
        len(mine.core) >= 2
        and mine.core <= theirs.core
        and mine.values <= theirs.values
        and mine.denies == theirs.denies
        and mine.past == theirs.past
        and mine.openly <= theirs.openly
    )


@lru_cache(maxsize=8192)
def _bare(text: str) -> str:
    return re.sub(r"[\s.,!?~\"'“”‘’]+", "", text).lower()


def _says_the_same(mine: Gist, theirs: Gist) -> bool:
    if mine.order != theirs.order:
        return False
    return (
        bool(mine.core | mine.values)
        and mine.core == theirs.core
        and mine.values == theirs.values
        and mine.denies == theirs.denies
        and mine.past == theirs.past
        and bool(mine.core or len(mine.values) > 1)
    )


def _says_no_other(mine: Gist, theirs: Gist) -> bool:
    """Whether a hint at change ("these days", "now") comes with nothing that was not said before."""
    return mine.core == theirs.core and mine.values == theirs.values and mine.denies == theirs.denies


def _about_one_thing(mine: Gist, theirs: Gist) -> bool:
    """What a correction shares with what it corrects; a guard for the looser rules of `overtakes`."""
    return bool(mine.core & theirs.core) or bool(mine.places and theirs.places)


def _contradict(later: str, earlier: str, mine: Gist, theirs: Gist) -> bool:
    if _denied(mine, theirs):
        return True
    if mine.denies or theirs.denies:
        return False
    return (
        (_other_home(mine, theirs) and subject_of(later) == subject_of(earlier))
        or _other_favourite(mine, theirs)
        or _other_name(later, earlier)
        or _other_firm(later, earlier, mine, theirs)
        or _other_trade(later, earlier, mine, theirs)
        or _other_value(later, earlier, mine, theirs)
    )


def _denied(mine: Gist, theirs: Gist) -> bool:
    """The same said once with and once without "not", or once with "like" and once with "dislike"."""
    if mine.values != theirs.values:
        return False
    if mine.core == theirs.core and mine.core and mine.denies != theirs.denies:
        return True
    poles = {"like", "dislike"}
    rest = mine.core - poles
    return bool(rest) and rest == theirs.core - poles and mine.denies == theirs.denies and (
        mine.core & poles | theirs.core & poles == poles
    )  # fmt: skip


def _other_home(mine: Gist, theirs: Gist) -> bool:
    if not (mine.places and theirs.places) or mine.places & theirs.places or mine.values or theirs.values:
        return False
    if mine.korean != theirs.korean and not all(map(_is_known_place, mine.places | theirs.places)):
        return False  # 런던 and London look different without being so
    if any(_level(one) != _level(other) for one in mine.places for other in theirs.places):
        return False
    apart = (mine.core - mine.places) ^ (theirs.core - theirs.places)
    return not any(_is_somebody(word) or word in mine.names | theirs.names for word in apart)


def _is_known_place(place: str) -> bool:
    return any(
        in_group(concept, "") and concept in ("cityname", "countryname") for concept in concepts_of(place)
    ) or (place in ("seoul", "busan", "daegu", "incheon", "daejeon", "gwangju", "jeju", "suwon", "ulsan"))


def _level(place: str) -> str:
    """City or country: who lives in Busan lives in Korea as well. Korean districts have levels of their own."""
    if place in ("korea", "hanguk") or "countryname" in concepts_of(place.capitalize()):
        return "country"
    return place[-2:] if re.search(r"(?:gu|dong)$", place) else "city"


def _is_somebody(word: str) -> bool:
    family = ("youngersister", "youngerbrother", "oldersister", "olderbrother", "friend", "team")
    return word in family or any(in_group(concept, "person", "animal") for concept in concepts_of(word))


def _other_favourite(mine: Gist, theirs: Gist) -> bool:
    """Two favourites of one kind: "favourite colour is blue", "favourite colour is green"."""
    if "favourite" not in mine.core or "favourite" not in theirs.core or mine.values != theirs.values:
        return False
    shared, one, other = mine.core & theirs.core, mine.core - theirs.core, theirs.core - mine.core
    return len(shared) >= 2 and len(one) == 1 and len(other) == 1 and not any(map(_is_somebody, one | other))


def _other_name(later: str, earlier: str) -> bool:
    """Two names of the person; names of pets and people live in their own sentences."""
    one, other = (_OWN_NAME.match(_LEAD.sub("", text.strip())) for text in (later, earlier))
    if not one or not other:
        return False
    mine, theirs = (next(group for group in match.groups() if group).lower() for match in (one, other))
    if bool(re.search("[가-힣]", mine)) != bool(re.search("[가-힣]", theirs)):
        return False
    return (
        mine != theirs
        and not (set(mine.split()) & set(theirs.split()))
        and mine not in theirs
        and theirs not in mine
    )


def _other_firm(later: str, earlier: str, mine: Gist, theirs: Gist) -> bool:
    one, other = _WORKS_FOR.search(later), _WORKS_FOR.search(earlier)
    if not one or not other or mine.korean != theirs.korean or mine.values or theirs.values:
        return False
    firms = [(match.group("firm") or match.group("korean")).lower() for match in (one, other)]
    if firms[0] in firms[1] or firms[1] in firms[0]:
        return False
    named = {word for firm in firms for text in [firm] for word in (w.text.lower() for w in words_of(text))}
    named |= {romanised(word) for word in named}
    apart = (mine.core ^ theirs.core) - named
    return not any(_is_somebody(word) or word in mine.names | theirs.names for word in apart) and len(apart) <= 3


def _other_trade(later: str, earlier: str, mine: Gist, theirs: Gist) -> bool:
    """A nurse is hardly an accountant as well; trades close to each other may be one."""
    one, other = _IS_A.search(later.strip()), _IS_A.search(earlier.strip())
    if not one or not other:
        return False
    trades = [_trade((match.group("trade") or match.group("korean")).lower()) for match in (one, other)]
    if None in trades or trades[0] == trades[1]:
        return False
    return len(mine.core) <= 2 and len(theirs.core) <= 2 and not any(map(_is_somebody, _less_trades(mine, theirs)))


def _less_trades(mine: Gist, theirs: Gist) -> set[str]:
    return {word for word in mine.core | theirs.core if _trade(word) is None}


def _trade(word: str) -> int | None:
    for place, row in enumerate(_TRADES):
        if word in re.split(r"[ |]", row):
            return place
    return None


def _other_value(later: str, earlier: str, mine: Gist, theirs: Gist) -> bool:
    """One thing with two values: a date, a time, a number, an age."""
    if not mine.values or not theirs.values or mine.values == theirs.values:
        return False
    if mine.values <= theirs.values or theirs.values <= mine.values or _kinds(mine) != _kinds(theirs):
        return False
    ages = bool(_AGE.search(later)) and bool(_AGE.search(earlier))
    if ages and mine.core - {"age"} == theirs.core - {"age"}:
        return True
    attributes = mine.core & theirs.core & _ATTRIBUTES
    apart = mine.core ^ theirs.core
    if attributes and not any(_is_somebody(word) or word in mine.names | theirs.names for word in apart):
        return len(apart) <= 1 or apart <= {"pay", "cost", "won", "month", "need", "nae", "nappu"}
    if mine.core != theirs.core or not mine.core:
        return False
    if _COUNTS.search(later) and _COUNTS.search(earlier):
        return all(value.replace(".", "").isdigit() for value in mine.values | theirs.values)
    scheduled = bool(_SCHEDULED.search(later)) and bool(_SCHEDULED.search(earlier))
    return scheduled and not (_HABIT.search(later) or _HABIT.search(earlier))


def _kinds(gist: Gist) -> tuple[int, int, int]:
    """How many months, weekdays and numbers: 3 May and 5 May differ in value, 3 May and Friday in kind."""
    months = sum(value.startswith("m:") for value in gist.values)
    weekdays = sum(value.startswith("w:") for value in gist.values)
    numbers = sum(value.replace(".", "").isdigit() for value in gist.values)
    return months, weekdays, numbers
