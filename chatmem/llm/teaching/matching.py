"""Which statements answer a question: covered terms, kinds of detail, subjects, then similarity.

The encoder alone cannot refuse ("cat" is nearer to "dog" than "corgi" is), so the rules may veto what
it likes, and it may lift what the rules find plausible.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from chatmem.embeddings import Embedder
from chatmem.llm.teaching.corrections import overtakes
from chatmem.llm.teaching.coverage import WordLikeness, coverage
from chatmem.llm.teaching.details import HARD, NEVER_WITHOUT, Detail, offers, wanted
from chatmem.llm.teaching.fitting import lacking_details, misfit_of
from chatmem.llm.teaching.intent import asks_the_past
from chatmem.llm.teaching.reading import Statement
from chatmem.llm.teaching.subjects import aliases_in
from chatmem.llm.teaching.terms import terms_of

SURE = 0.45
"""From this score on an answer is given as one."""
CLOSE = 0.33
"""From this score on a statement is offered as the closest thing known, without asserting it."""
SEVERAL = 0.22
"""From this score on further statements join an answer that may have several parts ("what do I like …")."""
FAINT = 0.1
"""The same for statements against which nothing speaks: no term missing, subject and details fitting."""
MOST_QUOTES = 4

LIKELY = 0.45
"""The similarity of a question and its answer on average: taken as given where no embeddings are."""

Sureness = Literal["sure", "unsure", "nothing"]


@dataclass(frozen=True, slots=True)
class Match:
    """A statement, its score in [0, 1], the share of the question's terms it covers, and whether nothing
    speaks against it."""

    statement: Statement
    score: float
    covered: float
    fits: bool


@dataclass(frozen=True, slots=True)
class Findings:
    """What the context says about a question, best first; empty when it says nothing."""

    sureness: Sureness
    matches: tuple[Match, ...] = ()


def find(question: str, statements: Sequence[Statement], embedder: Embedder, previous: str = "") -> Findings:
    """The statements that answer `question`. `previous` is the question before, for "and my cat?"."""
    ranked = rank(question, statements, embedder, previous)
    if not ranked or ranked[0].score < CLOSE:
        return Findings("nothing")
    standing = ranked if asks_the_past(question) else _standing(ranked, wanted(question))
    if not standing or standing[0].score < CLOSE:
        return Findings("nothing")
    best = standing[0]
    if best.score < SURE:
        return Findings("unsure", (best,))
    several = not any(kind in HARD for kind in wanted(question))
    floor = SEVERAL if several else max(CLOSE, best.score * 0.75)
    good = [match for match in standing if match.score >= floor and match.covered >= 0.6 * best.covered]
    if several:
        good += [match for match in standing if match not in good and _belongs(match, best)]
    return Findings("sure", tuple(good[:MOST_QUOTES]))


def _belongs(match: Match, best: Match) -> bool:
    """Whether a statement, though said in other words, is about the same as the best one."""
    return match.fits and match.score >= FAINT and match.covered >= 0.6 * best.covered


def _standing(ranked: Sequence[Match], kinds: Sequence[Detail]) -> list[Match]:
    """Without the statements that a later one has overtaken, if that one tells what is asked as well."""
    return [
        match
        for match in ranked
        if not any(
            other.statement.order > match.statement.order
            and other.covered >= 0.5 * match.covered
            and all(offers(other.statement.text, k) or not offers(match.statement.text, k) for k in kinds)
            and overtakes(other.statement.text, match.statement.text)
            for other in ranked
        )
    ]


def rank(question: str, statements: Sequence[Statement], embedder: Embedder, previous: str = "") -> list[Match]:
    """All statements with their scores, best first."""
    terms = terms_of(question, previous)
    if not statements or not terms:
        return []
    aliases = aliases_in([statement.text for statement in statements])
    vectors = embedder.embed([question, *(statement.text for statement in statements)])
    similarities = vectors[1:] @ vectors[0]
    nearest = float(similarities.max())
    alike = WordLikeness(embedder, terms, statements)
    matches = []
    for statement, similarity in zip(statements, similarities, strict=True):
        covered, missing, rivals = coverage(question, terms, statement, aliases, alike)
        likeness = float(similarity) if embedder.available else LIKELY * covered
        behind = nearest - likeness if embedder.available else 0.0
        evidence = 4.0 * covered + 5.0 * likeness - 3.3 * behind - 0.85 * min(missing, 2) - 2.5 * min(rivals, 1)
        misfit = misfit_of(question, statement.text, aliases)
        evidence -= misfit
        score = 1 / (1 + math.exp(3.8 - evidence))
        lacking = lacking_details(question, statement.text)
        if lacking:
            score = min(score, 0.9 * SURE)
        if lacking & NEVER_WITHOUT:
            score = min(score, 0.0 if missing else CLOSE)
        if rivals or (missing and "name" in wanted(question)):
            score = min(score, 0.9 * CLOSE)
        matches.append(Match(statement, score, covered, not (missing or rivals or lacking or misfit)))
    return sorted(matches, key=lambda match: (-match.score, -match.statement.order))
