"""Which of the messages that a search found the question is about: pure functions of values.

A score is a weighted sum of what can be said about a candidate. The weights were fitted once, by
listwise logistic regression (ListNet's top-one loss, Cao et al. 2007), on half of the conversations of
LoCoMo; `bench.locomo` measures both halves.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from chatmem.domain import Message
from chatmem.search_terms import asked_dates, terms, without_words
from chatmem.store.search import Candidate, Found

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]
    Values = NDArray[np.float64]

WEIGHTS = {
    # Shares of the question's terms: see `Candidate`.
    "own": 1.0,
    "with_previous": 1.8,
    "near": 2.4,
    "around": 2.9,
    # Cosines to the question: the message's own, its neighbours', and its sitting's best together.
    "cosine": 4.5,
    "cosine_previous": 1.9,
    "cosine_next": 0.8,
    "cosine_second_previous": 2.0,
    "cosine_sitting": 3.7,
    "date": 7.0,
    "named_speaker": 1.0,
    "asks": -1.0,
    "after_a_question": 0.9,
    "tells_when": 2.6,
    "length": 0.3,
}

FLOOR = 6.0
"""Below it a message is not recalled. Of the evidence among the candidates of LoCoMo's dev half 96 % scores
above it; a request that has nothing to do with the chat ("explain quantum entanglement") below it."""

SITTING_GAP = timedelta(hours=4)
"""A longer pause between two messages begins another sitting."""

TYPICAL_COSINE = 0.1
"""Stands for the cosine of a message that has no vector (yet), where no candidate has one."""

SHARPNESS = 15.0
"""Of the soft maximum over a sitting: the higher, the more its best message counts alone."""

GENERIC_QUESTIONS = (
    "What did you do yesterday?", "When did he go to the market?", "Where is my brother living now?",
    "Who called her last week?", "Which book did she recommend?", "Why was the meeting moved?",
    "How many people came to dinner?", "How long have they been married?", "What is the name of his dog?",
    "When is the next exam?", "What kind of music does she like?", "Does he have any allergies?",
    "What are my plans for the summer?", "Where did we park the car?", "Who is responsible for the budget?",
    "What would be a good present for her?", "How did the interview go?", "Which city did they move to?",
    "What was the reason for the delay?", "When was the house built?", "What does my sister do for a living?",
    "How often does the team meet?", "Did I ever mention a doctor?", "What problem did we have with the printer?",
    "언제 가기로 했지?", "우리 집 주소가 뭐야?", "누가 전화했어?", "내가 좋아하는 음식이 뭐였지?",
    "어디에서 만나기로 했어?", "왜 일정이 바뀌었지?", "몇 명이 오기로 했어?", "강아지 이름이 뭐였더라?",
)  # fmt: skip
"""Questions about anything. Their mean vector is what all questions share; taken off, a question lies
near the statements that answer it, no longer near other questions."""


@dataclass(frozen=True, slots=True)
class Ranked:
    message: Message
    score: float


def rank(question: str, found: Found, vector: Vectors | None) -> list[Ranked]:
    """The candidates, the best first. `vector` is `question_vector`'s; without it words alone decide."""
    if not found.candidates:
        return []
    import numpy as np

    scores = features(question, found, vector) @ np.array(list(WEIGHTS.values()))
    order = np.argsort(-scores, kind="stable")
    return [Ranked(found.candidates[place].message, float(scores[place])) for place in order]


def half_bytes(vector: Vectors) -> bytes:
    """A vector as it is stored for a message: float16, which a ranking does not notice."""
    return vector.astype("float16").tobytes()


def meant_text(question: str, found: Found) -> str:
    """What of a question is compared by meaning: without names that are in every other message, and without
    dates, which are compared as dates. The question itself, where there are none.
    """
    stripped = without_words(asked_dates(question)[1], found.common).strip().rstrip("?？")
    return (stripped or question.rstrip("?？")) + ("?" if question.endswith(("?", "？")) else "")


def question_vector(
    at_hand: Callable[[Sequence[str]], Vectors | None], question: str, found: Found
) -> Vectors | None:
    """The unit vector of what is meant, less what all questions share. None when `at_hand` has none."""
    import numpy as np

    vectors = at_hand([meant_text(question, found), *GENERIC_QUESTIONS])
    if vectors is None:
        return None
    cleared = vectors[0] - vectors[1:].mean(axis=0)
    unit: Vectors = cleared / max(float(np.linalg.norm(cleared)), 1e-9)
    return unit


def features(question: str, found: Found, vector: Vectors | None) -> Values:
    """One row a candidate, one column a key of `WEIGHTS`."""
    import numpy as np

    candidates = found.candidates
    messages = [candidate.message for candidate in candidates]
    place_of = {message.number: place for place, message in enumerate(messages)}
    sittings = _sittings(messages)
    cosines = _cosines(candidates, vector)
    asks = np.array([message.text.rstrip().endswith(("?", "？")) for message in messages], dtype=float)
    holds_question = np.array(["?" in message.text or "？" in message.text for message in messages], dtype=float)
    common_cosine = float(cosines.mean())

    def beside(away: int, values: Values, otherwise: float) -> Values:
        places = [place_of.get(message.number + away, -1) for message in messages]
        there = np.array([
            other >= 0 and sittings[other] == sittings[place] for place, other in enumerate(places)
        ])  # fmt: skip
        return np.where(there, values[places], otherwise)

    asked_when = bool(_ASKS_WHEN.search(question))
    columns = {
        "own": [candidate.own for candidate in candidates],
        "with_previous": [candidate.with_previous for candidate in candidates],
        "near": [candidate.near for candidate in candidates],
        "around": [candidate.around for candidate in candidates],
        "cosine": cosines,
        "cosine_previous": beside(-1, cosines, common_cosine),
        "cosine_next": beside(1, cosines, common_cosine),
        "cosine_second_previous": beside(-2, cosines, common_cosine),
        "cosine_sitting": _soft_maximum(cosines, sittings),
        "date": [
            max((date.nearness(message.created_at) for date in found.dates), default=0.0) for message in messages
        ],
        "named_speaker": _named_speaker(question, messages),
        "asks": asks,
        "after_a_question": beside(-1, holds_question, 0.0),
        "tells_when": [asked_when and bool(_TELLS_WHEN.search(message.text[:4_000])) for message in messages],
        "length": np.log1p([min(len(message.text), 4_000) / 6 for message in messages]),
    }
    table: Values = np.array([columns[name] for name in WEIGHTS], dtype=float).T
    return table


_ASKS_WHEN = re.compile(
    r"^\W*(when|how long|(?:in |on )?(what|which) (year|month|date|day))\b|언제|며칠|몇 ?[년월일시]", re.I
)
_TELLS_WHEN = re.compile(
    r"\b(yesterday|today|tonight|tomorrow|last|next|ago|week|month|year|day|morning|evening|since|recently|monday|"
    r"tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|may|june|july|august|"
    r"september|october|november|december|weekend|\d{4})s?\b|"
    r"어제|오늘|내일|모레|지난|다음|주말|[월화수목금토일]요일|\d ?[년월일시]",
    re.I,
)
_LABEL = re.compile(r"\s*([^\n:]{1,40}):\s")


def _named_speaker(question: str, messages: Sequence[Message]) -> list[float]:
    """1 where a message opens with a label, as in a pasted group chat ("Anna: …"), that the question names."""
    asked = set(terms(question))
    labels = [_LABEL.match(message.text) for message in messages]
    named = {label[1]: bool(asked.intersection(terms(label[1]))) for label in labels if label}
    return [float(label is not None and named[label[1]]) for label in labels]


def _sittings(messages: Sequence[Message]) -> list[int]:
    """For each message, in order, which sitting it belongs to, counted from 0."""
    sitting, found = 0, []
    for place, message in enumerate(messages):
        if place and message.created_at - messages[place - 1].created_at > SITTING_GAP:
            sitting += 1
        found.append(sitting)
    return found


def _cosines(candidates: Sequence[Candidate], vector: Vectors | None) -> Values:
    """Cosines of the candidates to the question; the mean of the others' for one without a vector."""
    import numpy as np

    cosines = np.full(len(candidates), np.nan)
    if vector is not None:
        places = [place for place, one in enumerate(candidates) if len(one.vector or b"") == 2 * len(vector)]
        if places:
            held = b"".join(candidates[place].vector or b"" for place in places)
            cosines[places] = (
                np.frombuffer(held, dtype=np.float16).reshape(-1, len(vector)).astype(np.float32) @ vector
            )
    known = cosines[~np.isnan(cosines)]
    filled: Values = np.nan_to_num(cosines, nan=float(known.mean()) if len(known) else TYPICAL_COSINE)
    return filled


def _soft_maximum(cosines: Values, sittings: Sequence[int]) -> Values:
    import numpy as np

    sums = np.bincount(sittings, weights=np.exp(SHARPNESS * cosines))
    found: Values = np.log(sums)[np.array(sittings)] / SHARPNESS
    return found
