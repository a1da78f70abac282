"""How much of a question a statement covers: by word, concept, kind of detail, or likeness."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from chatmem.embeddings import Embedder
from chatmem.llm.teaching.details import capitals, offers
from chatmem.llm.teaching.fitting import names_it
from chatmem.llm.teaching.lexicon import answers_for, concepts_of, in_group, is_rival
from chatmem.llm.teaching.reading import Statement
from chatmem.llm.teaching.subjects import SELF, living_in, subject_of
from chatmem.llm.teaching.terms import Term
from chatmem.llm.teaching.words import Word, content_of, same_word, words_of

WORD_ALIKE = 0.58
"""Cosine from which two different words may mean the same; below lie mere neighbours of a topic."""

KIND_ALIKE = 0.5
"""The same for a kind and one of its kind, which the lexicon may not list ("instrument", "bagpipes")."""
_KINDS = frozenset(
    {"food", "fruit", "drink", "instrument", "sport", "hobby", "pet", "color", "humanlang", "subject"}
    | {"city", "country", "job", "medicine", "flower"}
)


class WordLikeness:
    """How alike a term and a word of a statement are by their embeddings; all words embedded at once."""

    def __init__(self, embedder: Embedder, terms: Sequence[Term], statements: Sequence[Statement]) -> None:
        self._place: dict[str, int] = {}
        names: list[str] = []
        for text in [term.text for term in terms] + [word.text for s in statements for word in _content(s.text)]:
            if text not in self._place:
                self._place[text] = len(names)
                names.append(text)
        self._vectors = embedder.embed(names)

    def __call__(self, one: str, other: str) -> float:
        return float(self._vectors[self._place[one]] @ self._vectors[self._place[other]])


def _content(text: str) -> list[Word]:
    return [word for word in content_of(text) if not word.number]


@dataclass(frozen=True, slots=True)
class Coverage:
    """How a statement stands to a question's terms: the weighted share covered, how many needed ones are
    missing, how many a rival displaces, whether that is another person or animal than the one asked for, and
    whether anything but the likeness of two words speaks for it."""

    share: float
    missing: int
    rivals: int
    another: bool
    grounded: bool


def coverage(
    question: str, terms: Sequence[Term], statement: Statement, aliases: dict[str, str], alike: WordLikeness
) -> Coverage:
    total = got = 0.0
    missing = rivals = 0
    another = grounded = False
    for term in terms:
        covered = _covers(question, term, statement.text, aliases, alike)
        if covered < 0.6 and statement.around:
            covered = max(covered, 0.75 * _said_there(term, statement.around))
        somebody_else = term.proper and subject_of(statement.text) not in (SELF, term.stem)
        displaced = _has_rival(term, statement.text)
        another = another or (displaced and _is_living(term)) or (somebody_else and covered <= 0.5)
        if displaced or ((somebody_else or _is_living(term)) and covered <= 0.5):
            rivals += 1
        elif term.required and covered <= 0.5:
            missing += 1
        grounded = grounded or bool(term.concepts) or _said_there(term, statement.text) >= 0.6
        total += term.weight
        got += term.weight * covered
    return Coverage(got / total if total else 0.0, missing, rivals, another, grounded)


def _is_living(term: Term) -> bool:
    return any(in_group(concept, "person", "animal") for concept in term.concepts)


def _said_there(term: Term, text: str) -> float:
    by_concept = max(
        (answers_for(have, want) for have in concepts_of(text) for want in term.concepts), default=0.0
    )
    by_word = max((same_word(term.stem, word.stem) for word in words_of(text)), default=0.0)
    if by_word < 0.9 and _is_living(term):
        return by_concept  # 여자친구 and 여자애 merely begin alike
    return max(by_concept, by_word)


def _covers(question: str, term: Term, text: str, aliases: dict[str, str], alike: WordLikeness) -> float:
    best = _said_there(term, text)
    if best >= 0.9:
        return best
    if term.proper:
        known = aliases.get(term.stem)
        return max(best, 0.85 if known and known in living_in(text) and not _other_name(text, term) else 0.0)
    if _is_living(term):
        names = {word.stem for word in words_of(text)}
        if any(
            name in names and any(answers_for(kin, want) == 1 for want in term.concepts)
            for name, kin in aliases.items()
        ):
            return 1.0
        return best
    best = max(best, _by_detail(question, term, text))
    kind_of_things = any(concept in _KINDS for concept in term.concepts)
    if best < 0.8 and (kind_of_things or not term.closed):
        others = [
            word for word in _content(text) if not (word.korean and len(word.stem) < 3 and len(term.stem) < 3)
        ]
        likeness = max((alike(term.text, word.text) for word in others), default=0.0)
        alike_from = KIND_ALIKE if kind_of_things else WORD_ALIKE
        if likeness >= alike_from:
            best = max(best, min(0.45 + 1.6 * (likeness - alike_from), 0.8))
    return best


def _other_name(text: str, term: Term) -> bool:
    return any(name.lower() != term.text.lower() for name in capitals(text))


def _by_detail(question: str, term: Term, text: str) -> float:
    """A term can be covered by a kind of detail instead of a word: "age" by "3 years old"."""
    concepts = term.concepts
    if "name" in concepts:
        return 0.9 if names_it(question, text) else 0.0
    if "age" in concepts and offers(text, "age"):
        return 1.0
    if concepts & {"money", "budget"} and offers(text, "price"):
        return 0.9 if "money" in concepts else 0.5
    if "weekday" in concepts and offers(text, "when"):
        return 0.7
    if concepts & {"country", "city"} and offers(text, "where"):
        return 0.7 if capitals(text) or "city" in concepts else 0.4
    if concepts & {"job"} and subject_of(text) in (SELF, *living_in(question)) and _says_what_one_is(text):
        return 0.5
    return 0.0


def _says_what_one_is(text: str) -> bool:
    lowered = text.lower().replace("’", "'")
    english = ("i'm a ", "i'm an ", "i am a ", "i am an ", "work as", " is a ", " is an ")
    return any(start in lowered for start in english) or bool(
        re.search(r"(?:이야|야|입니다|이에요|예요)[.!~]*$", text)
    )


def _has_rival(term: Term, text: str) -> bool:
    """Whether the statement speaks of something that excludes the term, and not of the term itself."""
    concepts = concepts_of(text)
    if any(answers_for(have, want) or answers_for(want, have) for have in concepts for want in term.concepts):
        return False
    return any(is_rival(have, want) for have in concepts for want in term.concepts)
