"""Whether a statement fits a question in other ways than by its words: its subject and kinds of detail."""

from __future__ import annotations

import re

from chatmem.llm.teaching.details import (
    NAMED,
    NAMED_KO,
    NEVER_WITHOUT,
    NUMBER_WORD,
    Detail,
    must_show,
    offers,
    wanted,
)
from chatmem.llm.teaching.intent import is_personal
from chatmem.llm.teaching.lexicon import answers_for, concepts_of, in_group
from chatmem.llm.teaching.subjects import SELF, aliases_in, living_in, subject_of, unknown_topic
from chatmem.llm.teaching.words import same_word, words_of

_WHO_DO_I = re.compile(
    r"\bwho(?:m|se)? (?:do|did|am|was|will|should|can) (?:i|we)\b|(?:내가|나|제가|저).*누구(?:랑|와|하고"
    r"|한테|에게)",
    re.IGNORECASE,
)
_NAME_OF = re.compile(r"([가-힣]{2,}?)의?\s(?:이름|성함|닉네임|별명)")
_COUNTED = re.compile(r"몇\s?(명|마리|개|권|대|잔|층|건|반|등)")
"""Korean counts with a counter: a place in a race (2등) is no number of people (몇 명)."""
_POSSESSION = re.compile(r"\b(?:do|did) (?:i|we) (?:have|own|keep)\b|키우|키워|기르", re.IGNORECASE)
_ABOUT_ONESELF = frozenset(
    {"like", "favourite", "dislike", "want", "live", "work", "job", "age", "name", "birthday", "hobby"}
    | {"eat", "drink", "sleep", "wake", "fear", "allergy"}
)


NEVER = 9.0
"""A misfit that nothing makes up for: somebody else's birthday is not the person's own."""


def lacking_details(question: str, text: str) -> set[Detail]:
    """The kinds of detail without which a statement cannot answer, and which it does not show."""
    kinds = wanted(question)
    lacking = {kind for kind in kinds if must_show(text, kind) and not offers(text, kind)}
    if (counted := _COUNTED.search(question)) and not re.search(rf"\d\s*{counted.group(1)}|{NUMBER_WORD}", text):
        lacking.add("number")
    if "name" in kinds and not names_it(question, text):
        lacking.add("name")
    return lacking


def names_it(question: str, text: str) -> bool:
    """Whether a statement gives the name asked for: that of the one the question is about."""
    if not offers(text, "name"):
        return False
    asked = living_in(question)
    thing = _NAME_OF.search(question)
    if thing and not asked and not any(same_word(thing.group(1), word.stem) > 0.8 for word in words_of(text)):
        return False  # the guild's name is not its leader's
    named = set(aliases_in((text,)).values())
    return (
        not (asked or named)  # a name of neither person nor pet, as far as one can see
        or bool(NAMED.search(text) or NAMED_KO.search(text))
        or any(answers_for(one, want) for one in named for want in asked)
    )


def misfit_of(question: str, text: str, aliases: dict[str, str]) -> float:
    """How badly subject and kind of detail fit: 0 when nothing speaks against the statement."""
    misfit = 0.0
    kinds = wanted(question)
    if _WHO_DO_I.search(question) and subject_of(text) != SELF:
        misfit += 1.8
    lacking = [kind for kind in kinds if not offers(text, kind)]
    if lacking:
        misfit += max(3.2 if kind in NEVER_WITHOUT else 1.2 if must_show(text, kind) else 0.5 for kind in lacking)
    asked = living_in(question)
    subject = subject_of(text)
    subject = aliases.get(subject, subject)
    if "who" not in kinds and subject != SELF and not asked and is_personal(question):
        named = {word.stem for word in words_of(question)}
        if subject not in named and not _asks_through_name(question, subject, aliases):
            misfit += NEVER if _about_oneself(question) else 0.3
    if asked and subject not in (SELF, *asked) and _POSSESSION.search(question):
        misfit += 2.0
    return misfit if asked else misfit + _stranger(question, text)


def _stranger(question: str, text: str) -> float:
    """A Korean statement whose topic may be somebody's name does not tell the person's own age or job."""
    topic = unknown_topic(text)
    if not topic or not concepts_of(question) & {"age", "name", "birthday", "job", "live", "height"}:
        return 0.0
    return 0.0 if any(same_word(topic, word.stem) for word in words_of(question)) else 1.2


def _about_oneself(question: str) -> bool:
    """Whether a question asks for something that every person has: then whose it is decides."""
    concepts = concepts_of(question)
    return bool(concepts & _ABOUT_ONESELF) or any(
        in_group(concept, "attr", "instrument", "sport", "pastime", "body", "vehicle", "device")
        or concept == "instrument"
        for concept in concepts
    )


def _asks_through_name(question: str, subject: str, aliases: dict[str, str]) -> bool:
    return any(aliases.get(word.stem) == subject for word in words_of(question))
