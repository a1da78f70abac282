"""How near a statement is to a question, where no rule is sure: what a hedged answer quotes.

Being near asks for less than answering does: a word in another form, the likeness of the sentence
together with the one before it. What the rules forbid (a rival, somebody else's birthday) stays out.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from chatmem.embeddings import Embedder
from chatmem.llm.teaching.intent import is_personal
from chatmem.llm.teaching.reading import Statement
from chatmem.llm.teaching.words import Word, akin, content_of, words_of

NEAR = 0.1
"""Below this nearness nothing is quoted: neither a word nor the sense is shared (that would be -0.4)."""
NEAR_GENERAL = 0.9
"""The same for a question that names neither the person nor what was told, and may be about the world."""
AS_NEAR = 0.4
"""A second statement is quoted that is at least this share as near as the first."""
MOST_NEAR = 2

_SHARED_ENOUGH = 0.7
_MOST_SHARED = 2.0
_OF_THE_WORLD = re.compile(
    r"\b(?:in the world|on earth|capital of|population of|(?:who|when was .{1,40}) (?:invent|discover|wr[io]te"
    r"|paint|found)\w*|weather|what (?:is|are) (?:an?\s)?\w+\?*$|how (?:do|does|can) (?:you|one|an?|the)\b)"
    r"|세계|지구|수도(?=[가는 ]|$)|날씨|(?:발명|발견)한|몇 년에 (?:일어|시작|끝)|(?:이란|란|는) (?:무엇|뭐)",
    re.IGNORECASE,
)


def needed(question: str) -> float:
    """The nearness from which on a statement may be quoted."""
    if is_personal(question):
        return NEAR
    return math.inf if _OF_THE_WORLD.search(question) else NEAR_GENERAL


def shared_words(question: str, statements: Sequence[Statement]) -> list[float]:
    """For each statement how much of the question's wording it shares, in [0, `_MOST_SHARED`].

    A word counts the less the more statements have it: in a chat about a band, "band" tells nothing.
    """
    asked = content_of(question)
    said = [words_of(statement.text) for statement in statements]
    shares = [[_best(word, words) for words in said] for word in asked]
    totals = [0.0] * len(statements)
    for row in shares:
        holders = sum(share >= _SHARED_ENOUGH for share in row)
        rarity = math.log(1 + len(said) / (1 + holders)) / math.log(1 + len(said))
        totals = [total + share * rarity for total, share in zip(totals, row, strict=True)]
    return [min(total, _MOST_SHARED) for total in totals]


def likeness_with_before(question: str, statements: Sequence[Statement], embedder: Embedder) -> list[float]:
    """The similarity of the question and each statement read on from the one before it."""
    texts = [statement.text for statement in statements]
    pairs = [f"{before} {text}" for before, text in zip(["", *texts], texts, strict=False)]
    vectors = embedder.embed([question, *pairs])
    return [float(likeness) for likeness in vectors[1:] @ vectors[0]]


def _best(word: Word, words: Sequence[Word]) -> float:
    return max((akin(word, other) for other in words), default=0.0)
