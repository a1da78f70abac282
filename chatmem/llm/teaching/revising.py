"""Which known fact a message is news of: "The spare key has moved, … so Anselm keeps it".

Looser than `comparing.relation`, which sees two sentences only: here the message itself says that something
is different now, and of all that is known one fact shares by far the most with it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TypeVar

from chatmem.llm.teaching.corrections import rivals_apart
from chatmem.llm.teaching.details import capitals
from chatmem.llm.teaching.gist import gist_of
from chatmem.llm.teaching.words import content_of, same_word

Place = TypeVar("Place")

_NEWS = re.compile(
    r"\b(?:has|have|had|got|been|was|were) (?:\w+ )?(?:moved|changed|pushed|postponed|bumped|replaced"
    r"|rescheduled|delayed|switched)\b"
    r"|\bhad to (?:push|move|change|postpone|delay|switch)\b|\bchanged?\b|\bswitched\b|\bgave up on\b"
    r"|\bno longer\b|\bany ?more\b"
    r"|\b(?:plans?|date|time|address|number|name|price|rent) (?:is|are) (?:new|different)\b|\bnew again\b"
    r"|\binstead\b"
    r"|\bthe (?:correct|right|new|actual|real) \w+ (?:is|are|will be)\b|\b(?:apologi[sz]ed|mistake|mistaken"
    r"|correction|i was wrong)\b"
    r"|\bafter all\b|\bit (?:is|runs|lives|goes) .{1,40}\bnow\b|\bfrom (?:now|this \w+) on\b"
    r"|바꿨|바뀌|바뀐|달라졌|달라져|변경|옮겼|옮기|미뤄(?! ?[둔두놓])|미뤘|연기|앞당|정정|아니라|대신|잘못|취소"
    r"|갈아탔|그만뒀"
    r"|때문에 .{1,30}(?:한대|된대|됐대|했대|한다고|하기로)|결국 .{1,30}(?:대|대요|기로)[.!~]",
    re.IGNORECASE,
)
_BESIDE = re.compile(
    r"\b(?:too|also|another|as well|both|second)\b|또 하나|하나 더|[가-힣]도 (?:키|배|다|살|사|쓰|써|시작)",
    re.IGNORECASE,
)
_FOR_ONCE = re.compile(
    r"(?<!from )(?<!as of )\bthis week\b|\b(?:just|only) (?:for )?(?:this|once|today)\b|이번 주(?:는|만|에는)"
    r"|(?:오늘|이번)만(?=\s)",
    re.IGNORECASE,
)
_ONLY_NEWS = re.compile(
    r"\b(?:moved|changed|switched|new again|(?:got|been) (?:pushed|bumped|postponed)|change of (?:plans?|heart"
    r"|mind))\b[^.!,]{0,24}[.!]*$"
    r"|(?:바꿨|바뀌었|달라졌|옮겼|변경됐|변경했)\S{0,4}[.!~]*$",
    re.IGNORECASE,
)
_CUE_WORDS = re.compile(
    r"\b(?:changed?|moved|plan|plans|new|week|month|year|day|correct|mistake|now|after|time|anymore)\b|계획"
    r"|이제|결국|오늘",
    re.IGNORECASE,
)
FEWEST_SHARED = 2
"""Words that news must share with the fact it is of: "spare" and "key"."""


def is_for_once(statement: str) -> bool:
    """Whether a change is for this time only: "yoga instead of swimming this week"."""
    return bool(_FOR_ONCE.search(statement))


def announces_only(sentence: str) -> bool:
    """Whether a sentence says that something has changed and leaves it to the next to say to what."""
    return bool(_ONLY_NEWS.search(sentence)) and not re.search(r"\b(?:every|some)thing\b|\bto [A-Z\d]", sentence)


def revised(statement: str, standing: Sequence[tuple[str, Place]]) -> Place | None:
    """Where the one fact stands that `statement` says to be different now; None when that is not plain.

    The fact must share at least `FEWEST_SHARED` words with it and more than any other, and lack a value it has.
    """
    if not _NEWS.search(statement) or _BESIDE.search(statement):
        return None
    mine = _stems(statement)
    scored: list[tuple[int, Place]] = []
    for text, place in standing:
        if rivals_apart(statement, text) or not _has_other_value(statement, text):
            continue
        theirs = _stems(text)
        scored.append((sum(any(_alike(one, other) for other in theirs) for one in mine), place))
    scored.sort(key=lambda one: -one[0])
    if not scored or scored[0][0] < FEWEST_SHARED:
        return None
    return scored[0][1] if len(scored) == 1 or scored[0][0] > scored[1][0] else None


def _stems(text: str) -> frozenset[str]:
    """The content words, but for numbers and names: a place that two facts share makes them not one fact."""
    names = capitals(text)
    words = content_of(_CUE_WORDS.sub(" ", text))
    return frozenset(word.stem for word in words if not word.number and word.text not in names)


def _alike(one: str, other: str) -> bool:
    return same_word(one, other) >= 0.9


def _has_other_value(statement: str, text: str) -> bool:
    """Whether the statement tells a value, a name or (in Korean) any word that the fact does not have."""
    mine, theirs = gist_of(statement), gist_of(text)
    if mine.values:
        return bool(mine.values - theirs.values) and bool(theirs.values or capitals(text))
    if mine.korean:
        return bool(mine.core - theirs.core)
    return bool(
        {word.lower() for word in capitals(statement)} - {word.lower() for word in capitals(text)}
    ) or bool(mine.core - theirs.core)
