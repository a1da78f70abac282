"""Whom a statement or a question is about, and which names stand for whom."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from chatmem.llm.teaching.lexicon import Mention, in_group, mentions
from chatmem.llm.teaching.words import english_stem, is_stop, words_of

SELF = "self"

_PLACES = ("cityname", "countryname")

_SELF_EN = re.compile(
    r"\b(?:i|i['’]m|i['’]ve|i['’]d|i['’]ll|we|we['’]re|we['’]ve|call(?:s|ed)? me|the (?:user|person))\b",
    re.IGNORECASE,
)
_SELF_KO = re.compile(
    r"^(?:나|난|내가|나는|나도|나만|나한테는?|나에게는?|저|전|저는|제가|저도|저한테는?|저에게는?|우리는"
    r"|우리가|저희는|저희가)$"
)
_KO_SUBJECT = re.compile(r"(?:은|는|이|가|의|네|께서|께서는|도|이는|이가|한테는|에게는)$")
_KO_NOT_SUBJECT = re.compile(r"(?:랑|이랑|와|과|하고|한테|에게|를|을|에|에서|으로|로|보다|처럼|이랑은|한테서)$")
_SENTENCE_NAME = re.compile(
    r"^([A-ZÀ-Þ][\wÀ-ɏ-]+)(?:['’]s)?\s+(?:is|was|has|lives?|works?|likes?|loves?|hates?|plays?|wants?"
    r"|turns?|studies|(?!(?:as|always|his|its|this|pets|across|besides|sometimes|towards)\b)[a-z]+s)\b"
)
_NAMES_EN = (
    re.compile(
        r"\b(?:[Mm]y|[Oo]ur|[Tt]he|[Aa]n?) (?:\w+ ){0,2}?(?P<kin>[\w-]+),?(?: who| which| that)?(?: is|'s|’s"
        r"| was| are)?,? (?:also |just )?(?:called|named) (?P<name>[A-ZÀ-Þ][\w-]+)"),
    re.compile(
        r"\b(?:[Mm]y|[Oo]ur) (?:\w+ ){0,2}?(?P<kin>[\w-]+?)(?:'s|’s|s')? names? (?:is|are) "
        r"(?P<name>[A-ZÀ-Þ][\w-]+)"),
    re.compile(r"\b(?:[Mm]y|[Oo]ur) (?:\w+ ){0,2}?(?P<kin>[a-z][\w-]+),? (?P<name>[A-ZÀ-Þ][a-zÀ-ɏ][\w-]*)"),
    re.compile(r"\b(?P<name>[A-ZÀ-Þ][\w-]+)(?:, (?:my|our)| is (?:my|our)) (?:\w+ ){0,2}?(?P<kin>[\w-]+)"),
    re.compile(r"\b(?P<kin>[a-z][\w-]+)(?:,| -|:) (?P<name>[A-ZÀ-Þ][a-zÀ-ɏ][\w-]*)"
        r"(?= and [A-Z]|, [A-Z]|[.!]|$)"),
    re.compile(r"\b[Mm]y (?P<kin>[\w-]+) is (?P<name>[A-ZÀ-Þ][a-z][\w-]*)\b"),
)  # fmt: skip
_AFTER_PREPOSITION = re.compile(
    r"\b(?:with|for|of|from|to|at|by|like)\s+(?:my|our|the|an?)\s+(?:\w+\s)?$", re.IGNORECASE
)
_OPENS_WITH = re.compile(r"(?:\w+,\s+)?(?:(?:my|our)\s+)?(?:\w+[ -]){0,2}$", re.IGNORECASE)
_TO_BE_KO = r"(?:이고|이며|고|이야|야|이에요|예요|이예요|입니다|라고|이라고|인데|다|이다)"
_NAMES_KO = (
    re.compile(r"(?P<kin>[가-힣]+?)(?:의)?\s*(?:이름|성함)(?:은|이|은요)?\s*(?P<name>[가-힣]{2,4}?)"
        + _TO_BE_KO),
    re.compile(
        r"(?P<kin>[가-힣]+?)(?:은|는|이|가)\s*(?P<name>[가-힣]{2,4}?)(?:라고|이라고)\s*(?:해|불러|합니다"
        r"|부르|하고)"),
    re.compile(r"(?P<name>[가-힣]{2,4}?)(?:이라는|라는)\s*(?P<kin>[가-힣]+)"),
    re.compile(
        r"(?P<kin>[가-힣]*[가-힣](?<![을를은는이가와과랑에]))\s+(?P<name>[가-힣]{2,3})(?:는|가|이는|이가"
        r"|랑|이랑|씨|님)(?=\s)"),
    re.compile(r"(?P<kin>[가-힣]+)\s(?P<name>[가-힣]{1,3})(?:를|을|이를)\s(?=키우|키워|키운|기르|기른|길러)"),
    re.compile(r"(?P<kin>[가-힣]+?)(?:은|는|이|가)\s*(?P<name>[가-힣]{2,3})(?:야|이야|이에요|예요|입니다)[.!~]*$"),
)  # fmt: skip


def _is_living(mention: Mention) -> bool:
    return in_group(mention.concept, "person", "animal") and mention.concept not in ("person", "customer")


@lru_cache(maxsize=4096)
def living_in(text: str) -> frozenset[str]:
    """The people and animals a text mentions, as concepts."""
    return frozenset(mention.concept for mention in mentions(text) if _is_living(mention))


@lru_cache(maxsize=4096)
def subject_of(text: str) -> str:
    """Whom a statement is about: SELF, a concept ("sister"), or a name in lower case."""
    living = [mention for mention in mentions(text) if _is_living(mention)]
    if re.search(r"[가-힣]", text):
        return _korean_subject(text, living)
    own = _SELF_EN.search(text)
    if living and (own is None or living[0].start < own.start()):
        before = text[: living[0].start]
        if not _AFTER_PREPOSITION.search(before) and _OPENS_WITH.match(f"{before.strip()} ".lstrip()):
            return living[0].concept
    if own is None and (name := _SENTENCE_NAME.match(text)):
        word = words_of(name.group(1))
        if word and not is_stop(word[0]) and not _not_a_name(name.group(1)):
            return name.group(1).lower()
    return SELF


def _not_a_name(word: str) -> bool:
    """Words that are capitalised without naming a person: months, days, places, languages, or any plural."""
    known = [mention.concept for mention in mentions(word)]
    return any(in_group(concept, "weekday", "season", "language") or concept in _PLACES for concept in known) or (
        bool(known) and word.endswith("s")
    )


def _korean_subject(text: str, living: list[Mention]) -> str:
    for word in words_of(text):
        if _SELF_KO.match(word.text):
            return SELF
        here = [mention for mention in living if word.start <= mention.start < word.start + len(word.text)]
        if not here:
            if living and word.start > living[0].start:
                break
            continue
        if _KO_NOT_SUBJECT.search(word.text) and not _KO_SUBJECT.search(word.text):
            continue
        return here[-1].concept
    return SELF


@lru_cache(maxsize=4096)
def unknown_topic(text: str) -> str:
    """A Korean topic word the lexicon does not know ("민수는 …"), which may well be somebody's name."""
    for word in words_of(text)[:2]:
        if (
            word.korean
            and re.search(r"(?<![에서])(?:은|는|이는|이가)$", word.text)
            and not is_stop(word)
            and not mentions(word.text)
        ):
            return word.stem
        if _SELF_KO.match(word.text):
            return ""
    return ""


def aliases_in(texts: Sequence[str]) -> dict[str, str]:
    """Names and the concept each stands for, as the texts tell it: "my dog Biscuit" gives biscuit: dog."""
    found: dict[str, str] = {}
    for text in texts:
        for name, concept in _aliases(text):
            found[name] = concept
    return found


@lru_cache(maxsize=4096)
def _aliases(text: str) -> tuple[tuple[str, str], ...]:
    found = []
    for pattern in (*_NAMES_EN, *_NAMES_KO):
        for match in pattern.finditer(text):
            kin = [mention.concept for mention in mentions(match.group("kin")) if _is_living(mention)]
            name = match.group("name")
            hangul = bool(re.match("[가-힣]", name))
            if kin and not (mentions(name) if hangul else _not_a_name(name)) and name.lower() not in ("the", "i"):
                found.append((name if hangul else english_stem(name), kin[-1]))
    return tuple(found)
