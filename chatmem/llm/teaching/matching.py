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
from chatmem.llm.teaching.comparing import outdates
from chatmem.llm.teaching.corrections import is_news_of, updates
from chatmem.llm.teaching.coverage import WordLikeness, coverage
from chatmem.llm.teaching.details import HARD, NEVER_WITHOUT, Detail, offers, wanted
from chatmem.llm.teaching.fitting import lacking_details, misfit_of
from chatmem.llm.teaching.intent import asks_the_past, is_preference
from chatmem.llm.teaching.lexicon import concepts_of
from chatmem.llm.teaching.nearest import AS_NEAR, MOST_NEAR, likeness_with_before, needed, shared_words
from chatmem.llm.teaching.reading import Statement
from chatmem.llm.teaching.subjects import aliases_in
from chatmem.llm.teaching.terms import terms_of

SURE = 0.45
"""From this score on an answer may be given as one."""
DOUBTFUL = 0.7
"""Below this score an answer is only offered when another statement is nearer to the question, or when
anything speaks against it: a term missing, another subject, a detail not shown."""
WEAK = 0.3
"""The most that a statement scores which lacks what every answer would show."""
SEVERAL = 0.22
"""From this score on further statements join an answer that may have several parts ("what do I like …")."""
FAINT = 0.1
"""The same for statements against which nothing speaks: no term missing, subject and details fitting."""
MOST_QUOTES = 4
MOSTLY = 0.7
"""The share of a question's terms without which a statement that misses a needed one is only near."""
ON_TOPIC = 0.5
"""The share of a question's terms from which on a statement is about what is asked."""

LIKELY = 0.45
"""The similarity of a question and its answer on average: taken as given where no embeddings are."""

Sureness = Literal["sure", "unsure", "nothing"]


@dataclass(frozen=True, slots=True)
class Match:
    """A statement, its score in [0, 1], the share of the question's terms it covers, whether nothing
    speaks against it, how near it is to the question (minus infinity: not to be quoted), whether it lacks
    a detail that an answer needs, and whether it tells of another person or animal."""

    statement: Statement
    score: float
    covered: float
    fits: bool
    near: float
    lacks: bool
    another: bool


@dataclass(frozen=True, slots=True)
class Findings:
    """What the context says about a question, best first; empty when it says nothing."""

    sureness: Sureness
    matches: tuple[Match, ...] = ()


def find(question: str, statements: Sequence[Statement], embedder: Embedder, previous: str = "") -> Findings:
    """The statements that answer `question`. `previous` is the question before, for "and my cat?"."""
    ranked = rank(question, statements, embedder, previous)
    standing = ranked if asks_the_past(question) else _standing(ranked, wanted(question))
    if not standing:
        return Findings("nothing")
    best = standing[0]
    nearest = _nearest(question, standing)
    if best.score < SURE or (best.score < DOUBTFUL and (best not in nearest[:1] or not best.fits)):
        near = _with_news(nearest, standing)[: MOST_NEAR + 1]
        return Findings("unsure", tuple(near)) if near else Findings("nothing")
    several = not any(kind in HARD for kind in wanted(question))
    floor = SEVERAL if several else max(WEAK, best.score * 0.75)
    good = [match for match in standing if match.score >= floor and match.covered >= 0.6 * best.covered]
    if several:
        good += [match for match in standing if match not in good and _belongs(question, match, best)]
    return Findings("sure", tuple(_with_news(good[:MOST_QUOTES], standing)))


def _with_news(quoted: Sequence[Match], matches: Sequence[Match]) -> list[Match]:
    """With the later statements that announce a change of something only they and a quoted one speak of."""
    texts = [match.statement.text for match in matches]
    news = [
        match
        for match in matches
        if match not in quoted
        and any(
            match.statement.order > one.statement.order
            and is_news_of(match.statement.text, one.statement.text, texts)
            for one in quoted[:1]
        )
    ]
    return [*quoted, *news[:1]]


def _nearest(question: str, matches: Sequence[Match]) -> list[Match]:
    """The nearest statement, with the next one when that is about as near; none when nothing is near."""
    by_nearness = sorted(matches, key=lambda match: (-match.near, -match.statement.order))
    near = [match for match in by_nearness if match.near >= max(needed(question), AS_NEAR * by_nearness[0].near)]
    return near[:MOST_NEAR]


def _belongs(question: str, match: Match, best: Match) -> bool:
    """Whether a statement, though said in other words, is about the same as the best one.

    "How do I like things explained?" is answered by every wish about explaining, liked or wished for.
    """
    if not match.fits:
        return False
    if match.score >= FAINT and match.covered >= 0.6 * best.covered:
        return True
    asked = concepts_of(question)
    return (
        "like" in asked
        and bool((asked - {"like"}) & concepts_of(match.statement.text))
        and is_preference(match.statement.text)
    )


def _standing(ranked: Sequence[Match], kinds: Sequence[Detail]) -> list[Match]:
    """Without the statements that a later one has overtaken, if that one tells what is asked as well."""
    return [
        match
        for match in ranked
        if not any(
            other.statement.order > match.statement.order
            and other.covered >= 0.5 * match.covered
            and all(offers(other.statement.text, k) or not offers(match.statement.text, k) for k in kinds)
            and (
                outdates(other.statement.text, match.statement.text)
                or (
                    match.covered >= ON_TOPIC
                    and other.covered >= 0.9 * match.covered
                    and not (other.lacks or match.another or other.another)
                    and updates(other.statement.text, match.statement.text, bool(HARD & set(kinds)))
                )
            )
            for other in ranked
        )
    ]


def rank(question: str, statements: Sequence[Statement], embedder: Embedder, previous: str = "") -> list[Match]:
    """All statements with their scores, best first."""
    terms = terms_of(question, previous)
    if not statements:
        return []
    aliases = aliases_in([statement.text for statement in statements])
    vectors = embedder.embed([question, *(statement.text for statement in statements)])
    similarities = vectors[1:] @ vectors[0]
    nearest = float(similarities.max())
    alike = WordLikeness(embedder, terms, statements)
    shared = shared_words(question, statements)
    read_on = likeness_with_before(question, statements, embedder)
    matches = []
    for place, (statement, similarity) in enumerate(zip(statements, similarities, strict=True)):
        found = coverage(question, terms, statement, aliases, alike)
        covered, missing, rivals = found.share, found.missing, found.rivals
        likeness = float(similarity) if embedder.available else LIKELY * covered
        behind = nearest - likeness if embedder.available else 0.0
        evidence = 4.0 * covered + 5.0 * likeness - 3.3 * behind - 0.85 * min(missing, 2) - 2.5 * min(rivals, 1)
        misfit = misfit_of(question, statement.text, aliases)
        evidence -= misfit
        score = 1 / (1 + math.exp(3.8 - evidence)) if terms else 0.0
        lacking = lacking_details(question, statement.text)
        if lacking or not found.grounded or (missing and covered < MOSTLY):
            score = min(score, 0.9 * SURE)
        if lacking & NEVER_WITHOUT:
            score = min(score, 0.0 if missing else WEAK)
        if rivals or (missing and "name" in wanted(question)):
            score = min(score, WEAK)
        near = likeness + read_on[place] + 0.5 * shared[place] + 1.5 * covered - 0.2 * min(missing, 2)
        near -= 0.75 * bool(lacking) + 0.2 * min(misfit, 4.0) + 0.5 * min(rivals, 1)
        if found.another:
            near = -math.inf
        fits = not (missing or rivals or lacking or misfit)
        matches.append(Match(statement, score, covered, fits, near, bool(lacking), found.another))
    return sorted(matches, key=lambda match: (-match.score, -match.statement.order))
