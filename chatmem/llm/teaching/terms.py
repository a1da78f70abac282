"""What a question asks about, as weighted terms that a statement covers or does not."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

from chatmem.llm.teaching.intent import is_elliptic
from chatmem.llm.teaching.lexicon import ancestors, group_of, is_rival, mentions
from chatmem.llm.teaching.wordlists import LIGHT_CONCEPTS, LIGHT_WORDS, OPTIONAL_CONCEPTS
from chatmem.llm.teaching.words import Word, english_stem, is_stop, words_of

_WEIGHTS = {concept: weight for weight, concepts in LIGHT_CONCEPTS.items() for concept in concepts}
_LIGHT_STEMS = frozenset(english_stem(word) for word in LIGHT_WORDS)


@dataclass(frozen=True, slots=True)
class Term:
    """One thing a question asks about: a word, and the concepts it may stand for."""

    text: str
    stem: str
    concepts: frozenset[str]
    weight: float
    required: bool
    proper: bool = False
    closed: bool = False
    """Of a group the lexicon knows well: there likeness proves nothing, since rivals are the most alike."""


def terms_of(question: str, previous: str = "") -> tuple[Term, ...]:
    """The terms of a question. An elliptic one ("and my cat?") borrows what it lacks from `previous`."""
    own = _terms(question)
    if previous and previous != question and is_elliptic(question):
        borrowed = [
            replace(term, required=False)
            for term in _terms(previous)
            if not any(is_rival(one, other) for mine in own for one in mine.concepts for other in term.concepts)
            and not term.proper
            and not any(term.concepts & mine.concepts or term.stem == mine.stem for mine in own)
        ]
        return (*own, *borrowed)
    return own


@lru_cache(maxsize=1024)
def _terms(question: str) -> tuple[Term, ...]:
    found: list[Term] = []
    concepts_at: dict[int, set[str]] = {}
    words = words_of(question)
    phrase_at: dict[int, str] = {}
    for mention in mentions(question):
        word = _word_at(words, mention.start)
        if word is not None:
            concepts_at.setdefault(word.start, set()).add(mention.concept)
            if mention.end > word.start + len(word.text):
                phrase_at[word.start] = question[mention.start : mention.end]
    covered_phrases = [(mention.start, mention.end) for mention in mentions(question)]
    for word in words:
        concepts = _narrowest(concepts_at.get(word.start, set()))
        inside = any(start < word.start < end for start, end in covered_phrases)
        if inside or (not concepts and is_stop(word)):
            continue
        if not concepts and word.number and len(word.text) < 2:
            continue
        term = _term(word, concepts)
        found.append(replace(term, text=phrase_at.get(word.start, term.text)))
    return _merged(found)


def _narrowest(concepts: set[str]) -> frozenset[str]:
    """Without those that another one is a kind of: a final exam is asked for, not any exam."""
    return frozenset(one for one in concepts if not any(one in ancestors(other) for other in concepts))


def _term(word: Word, concepts: frozenset[str]) -> Term:
    proper = not concepts and not word.korean and word.text[0].isupper() and word.start > 0
    if concepts:
        weight = max(_WEIGHTS.get(concept, 1.0) for concept in concepts)
        required = not any(concept in OPTIONAL_CONCEPTS for concept in concepts)
        closed = any(group_of(concept) for concept in concepts)
        return Term(word.text, word.stem, concepts, weight, required, False, closed)
    if word.stem in _LIGHT_STEMS:
        return Term(word.text, word.stem, concepts, 0.35, False)
    return Term(word.text, word.stem, concepts, 1.0 if proper else 0.75, len(word.stem) >= 2, proper)


def _merged(terms: list[Term]) -> tuple[Term, ...]:
    """Terms that say the same thing twice ("how much money … spend") count once."""
    kept: list[Term] = []
    for term in terms:
        if not any(
            term.stem == other.stem or (term.concepts and term.concepts == other.concepts) for other in kept
        ):
            kept.append(term)
    return tuple(kept)


def _word_at(words: tuple[Word, ...], place: int) -> Word | None:
    for word in words:
        if word.start <= place < word.start + len(word.text):
            return word
    return None
