"""Whether a statement is worth remembering for later chats, and as what kind of fact.

Most of what is said is not: moods, the moment, talk about the talk, the world at large. What stays is
lasting and the person's own. A missed fact can be told again; a wrong one has to be found and forgotten.
"""

from __future__ import annotations

import re

from chatmem.domain import FactKind
from chatmem.llm.teaching import signs as signs_en
from chatmem.llm.teaching import signs_ko
from chatmem.llm.teaching.intent import has_hangul, is_lasting_wish, is_preference
from chatmem.llm.teaching.lexicon import concepts_of
from chatmem.llm.teaching.once import happened_once
from chatmem.llm.teaching.passing import is_no_fact, is_passing
from chatmem.llm.teaching.subjects import SELF, aliases_in, subject_of
from chatmem.llm.teaching.words import content_of, words_of

_THIS_ANSWER = re.compile(
    r"\byour (?:answer|reply|explanation)s? (?:is|are|was|were)\b|\bagain\b|^never ?mind|다시|이번|바꿔|고쳐"
    r"|더 (?:짧|길|쉽|쉬|재|자세)|방금|이거|이걸",
    re.IGNORECASE,
)
"""About the answer just given, not about answers to come."""
_WISH_KO = re.compile(
    r"^(?!.*[을를]\s).*[은는]\s.*(?:게|로|만)\s\S+\s?(?:줘|주세요|달라)|(?:꼭|항상|무조건|언제나|매번"
    r"|앞으로)\s.*(?:줘|주세요|말아|마)[.!~]*$"
)
_GOAL = re.compile(
    r"\b(?:goals?|aim|hope to|hoping to|plan(?:s|ning)? to|plan is|wants? to|would like to|['’]d like to"
    r"|would love to|['’]d love to|dream|saving (?:up )?for"
    r"|deadline|due (?:on|by|in)|going to|trying to|working towards|intend to|training for|preparing for"
    r"|thinking about|thinking of|booked|next (?:week|month|year|spring|summer|autumn|fall|winter))\b"
    r"|싶|목표|(?<![가-힣])꿈|계획|되려고|할 거야|할 거예요|할 예정|예정|하려고|[려]고 (?:해|합|한다|생각|준비)"
    r"|마감|가기로|하기로|준비 ?(?:중|하고)|모으고|도전|장래희망"
    r"|내년|다음 (?:주|달)",
    re.IGNORECASE,
)
_WHO_ONE_IS = frozenset(
    {
        "name",
        "age",
        "birthday",
        "job",
        "profession",
        "live",
        "liveformer",
        "nationality",
        "address",
        "height",
        "weight",
        "bloodtype",
    }
    | {
        "mbti",
        "gender",
        "university",
        "highschool",
        "middleschool",
        "major",
        "workplace",
        "email",
        "phone",
        "lastname",
    }
    | {"wedding", "anniversary"}
)
_ALIKE = re.compile(
    r"\b(?:smell|look|feel|sound|taste|seem|work|is|was|are|be|stuff|things?|something|anything|just"
    r"|more)s? like\b",
    re.IGNORECASE,
)
"""A "like" that likes nothing."""
_IS_SOMEBODY = re.compile(
    r"\b(?:i['’]m|i am|is|was|been|works?|working|job)\b|(?:이야|야|이에요|예요|입니다|이다|다|임|이고"
    r"|인데)[.!~]*$|일하|일해"
    r"|근무",
    re.IGNORECASE,
)


def is_worth_keeping(statement: str, known_names: frozenset[str] = frozenset()) -> bool:
    """Whether a statement tells something lasting about the person or their world; that has to show.

    `known_names` are names, in lower case, of people and pets the person has told about.
    """
    text = statement.strip()
    if len(words_of(text)) < 2 or not content_of(text):
        return False
    if is_wish(text):
        return True
    if is_no_fact(text):
        return False
    signs = signs_ko if has_hangul(text) else signs_en
    if signs.is_certain(text):
        return True
    return not is_passing(text) and (signs.is_likely(text) or _tells_of(text, known_names))


def _tells_of(text: str, known_names: frozenset[str]) -> bool:
    """Whether somebody the person has told about is what a statement is about."""
    if has_hangul(text):
        return not signs_ko.is_past(text) and any(word.stem.lower() in known_names for word in words_of(text)[:2])
    first = [word.text.lower().removesuffix("'s").removesuffix("’s") for word in words_of(text)[:1]]
    return bool(known_names.intersection(first)) and not happened_once(text)


def is_wish(statement: str) -> bool:
    """Whether a statement tells how the person wants to be answered from now on."""
    if _THIS_ANSWER.search(statement):
        return False
    return bool(_WISH_KO.search(statement)) or (is_lasting_wish(statement) and is_preference(statement))


_WHAT_ONE_DOES = re.compile(
    r"(?i:^(?:hi[,!.]? |hello[,!.]? )?i(?:['’]m| am)) [A-Z][a-z]+\b"
    r"|(?i:\bi(?:['’]m| am)? (?:(?:mostly|mainly|currently|also) )?(?:work|stud(?:y|ying)|majoring)\b)"
    r"|(?:공부|전공)(?:하고 있|하는 중|해|이야|이에요|합니다)|(?:로|으로|에서) 일(?:해|하고|합니다|해요)"
    r"|^(?:나는|난|저는|전) [가-힣]{1,4}(?:이야|야|이에요|예요|입니다)[.!]*$"
)
"""Names oneself, or tells what one works at or studies."""


def kind_of(statement: str) -> FactKind:
    """Which kind of fact a statement is; what fits nowhere else is a plain fact."""
    if is_wish(statement):
        return "preference"
    statement = _ALIKE.sub(" ", statement)
    concepts = concepts_of(statement)
    if not _IS_SOMEBODY.search(statement):
        concepts = concepts - {"job", "profession"}
    goal = bool(_GOAL.search(statement)) and not concepts & {"allergy"}
    if goal and not re.search(r"\b(?:likes? to|love to)\b", statement):
        return "goal"
    if is_preference(statement) and subject_of(statement) == SELF and "allergy" not in concepts:
        return "preference"
    is_profile = concepts & _WHO_ONE_IS or aliases_in((statement,)) or _WHAT_ONE_DOES.search(statement)
    return "profile" if is_profile else "fact"
