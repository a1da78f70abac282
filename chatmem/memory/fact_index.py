"""What is known about an owner, held ready for comparing: which facts does a question need?

A fact's score is the larger of two, so that either can find it alone:

    cosine of the sentence embeddings, each less what all questions (all facts) have in common, + SHARED x overlap
    overlap: the idf-weighted share of terms in common, between 0 and 1

and PERSONAL more when the question is about the person or the past, and WHEN more for a fact that tells a
time when the question asks for one. Taking the common part away (the first step
of Mu and Viswanath, "All-but-the-Top", 2018) put a right fact among the first three for 77 instead of 73 % of the
questions of bench/fact_sets/first.json, and past a floor that keeps small talk out for 59 instead of 45 %. Best of
sentences or word windows, word-by-word matching, a correction for hubs, whitening and a question without its
function words were tried there too, and moved nothing by more than chance.
"""

from __future__ import annotations

import math
import re
import threading
from array import array
from collections import OrderedDict
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chatmem.domain import Fact
from chatmem.embeddings import DIMENSIONS, Embedder
from chatmem.memory.examples import FACTS, QUESTIONS
from chatmem.search_terms import question_terms, unmet
from chatmem.store.fact_reading import FactEntry, FactReading

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.float32]

FLOOR = 0.25
"""From this score on a fact is recalled. Chosen on bench/fact_sets/first.json: 73 % of the right facts pass, and
93 % of the messages that need no fact recall none (at 0.22: 82 and 80 %; at 0.28: 65 and 97 %)."""

SHARED = 0.2
"""What sharing all its words adds to a likeness of meaning. Up to 0.5 makes no difference beyond chance."""

PERSONAL = 0.08
"""What all facts gain when the question speaks of the person ("my", "우리") or of what was said ("-였지?",
"remember"): it is about the memory, not about the world. Without it 59 % of the right facts pass the floor."""

WHEN = 0.1
"""What a fact with a date, a day or an hour gains when the question asks when. It led one more Korean question of
each set to its fact; 0.05 to 0.15 rank alike."""

_ASKS_WHEN = re.compile(
    r"\bwhen\b|\bhow long\b|\b(?:what|which) (?:year|month|date|day|time)\b"
    r"|언제|며칠|몇 ?[년월일시]|날짜|무슨 ?요일|기한|마감",
    re.IGNORECASE,
)
_TELLS_WHEN = re.compile(
    r"\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|march|april|may|june|july|august|september"
    r"|october|november|december|weekends?|mornings?|evenings?|\d{4}|\d{1,2}(?:st|nd|rd|th)|\d{1,2}:\d\d"
    r"|\d{1,2} ?[ap]m)\b|[월화수목금토일]요일|\d ?[년월일시]|주말|매[일주월년]|다음 ?[주달]|내[년달]",
    re.IGNORECASE,
)

_PERSONAL = re.compile(
    r"\b(?:i|i['’](?:m|ve|d|ll)|my|mine|myself|we|ours?|ourselves|remember)\b"
    r"|(?<![가-힣])(?:나|내|난|저|제|우리|저희)(?:[는도를랑의]|가|에게|게|한테|들)?(?![가-힣])"
    r"|[가-힣](?:[였었았했]지|더라|던가|[었았였했]나)|기억|알지",
    re.IGNORECASE,
)

LENDERS = 3

USUAL_FACTS = 50
"""Facts that idf imagines beside the real ones, so that a word of the only fact is rare all the same."""

MOST_OWNERS = 256
MOST_ROWS = 50_000
"""What is held at once, of all owners together: 2.1 kB a fact, 105 MB at most. The owner asked about is held
whatever the size; those not asked about for longest go first."""


# What people ask and tell, of every kind. Only the means of their vectors are used.
@dataclass(frozen=True, slots=True)
class ScoredFact:
    """A fact and how well it fits a question: from `FLOOR` on it is recalled."""

    fact: Fact
    score: float


def vector_bytes(vector: Numbers) -> bytes:
    """A vector as it is stored for a fact: float32."""
    return vector.astype("float32").tobytes()


def vector_of(stored: bytes) -> Numbers:
    """The other way round."""
    import numpy as np

    return np.frombuffer(stored, dtype=np.float32)


def is_personal(question: str) -> bool:
    """Whether a question speaks of the person, or of what was said before."""
    return _PERSONAL.search(question) is not None


class FactIndex:
    """Finds facts, for any thread. It keeps up with the database, other processes' changes included.

    A search asks for the owner's epoch and, when that has moved, reads only what has changed; it
    answers with rows read afresh, so that nothing ended or forgotten is ever returned.
    """

    def __init__(self, facts: FactReading, embedder: Embedder) -> None:
        self._facts = facts
        self._embedder = embedder
        self._shelves: OrderedDict[int, _Shelf] = OrderedDict()
        self._lock = threading.Lock()
        self._means: tuple[Numbers, Numbers] | None = None

    def search(
        self, owner_id: int, question: str, limit: int, without: Collection[int] = (), epoch: int | None = None
    ) -> list[ScoredFact]:
        """The owner's live facts that fit best, at most `limit`, those under `FLOOR` included; best first.

        Facts that have nothing to do with the question (score 0 or less) and those in `without` are left out.
        `epoch` is the owner's `facts_epoch`, where it has just been read.
        """
        if limit <= 0 or not question.strip():
            return []
        with self._fresh(owner_id, epoch) as shelf:
            if not shelf.ids:
                return []
            scores = shelf.scores(self._meaning(question), question_terms(question))
            scores[scores > 0] += PERSONAL if is_personal(question) else 0
            if _ASKS_WHEN.search(question):
                scores += WHEN * shelf.tells_when * (scores > 0)
            scores[[shelf.row_of[id_] for id_ in without if id_ in shelf.row_of]] = 0
            while True:
                best = [row for row in _largest(scores, limit) if scores[row] > 0]
                ids = [shelf.ids[row] for row in best]
                facts = self._facts.these(owner_id, ids)
                if len(facts) == len(ids):
                    return [ScoredFact(fact, float(scores[row])) for fact, row in zip(facts, best, strict=True)]
                there = {fact.id for fact in facts}  # one has ended this very moment: others move up
                scores[[row for row, id_ in zip(best, ids, strict=True) if id_ not in there]] = 0

    def nearest(self, owner_id: int, texts: Sequence[str], limit: int) -> list[list[tuple[int, float]]]:
        """For each text the live facts that mean most nearly the same, as (id, cosine), nearest first.

        No facts for any text when there are no embeddings.
        """
        if limit <= 0 or not texts or not self._embedder.available:
            return [[] for _ in texts]
        with self._fresh(owner_id) as shelf:
            found: list[list[tuple[int, float]]] = []
            for cosines in shelf.cosines(self._embedder.embed(texts)):
                best = [row for row in _largest(cosines, limit) if cosines[row] > 0]
                found.append([(shelf.ids[row], float(cosines[row])) for row in best])
        there = {fact.id for fact in self._facts.these(owner_id, [id_ for near in found for id_, _ in near])}
        return [[(id_, cosine) for id_, cosine in near if id_ in there] for near in found]

    def drop(self, owner_id: int) -> None:
        """Let go of everything held of an owner; the next search reads it anew."""
        with self._lock:
            self._shelves.pop(owner_id, None)

    @contextmanager
    def _fresh(self, owner_id: int, epoch: int | None = None) -> Iterator[_Shelf]:
        """The owner's facts as they stand now, to be used inside."""
        with self._lock:
            shelf = self._shelves.setdefault(owner_id, _Shelf(owner_id))
            self._shelves.move_to_end(owner_id)
        with shelf.lock:
            common = self._common()
            epoch = self._facts.epoch(owner_id) if epoch is None else epoch
            shelf.catch_up(self._facts, epoch, self._embedder.model, common[1] if common else None)
            with self._lock:
                held = sum(len(one.ids) for one in self._shelves.values())
                while len(self._shelves) > 1 and (held > MOST_ROWS or len(self._shelves) > MOST_OWNERS):
                    held -= len(self._shelves.popitem(last=False)[1].ids)
            yield shelf

    def warm_up(self) -> None:
        """Embed the examples. For a background thread: a reply goes without them until they are there."""
        if self._means is None:
            questions, facts = (self._embedder.embed(texts).mean(axis=0) for texts in (QUESTIONS, FACTS))
            self._means = questions, facts

    def _common(self) -> tuple[Numbers, Numbers] | None:
        """What all questions have in common, and what all facts: the means of the examples' vectors."""
        if self._means is None and self._embedder.at_hand([*QUESTIONS, *FACTS]) is not None:
            self.warm_up()
        return self._means

    def _meaning(self, question: str) -> Numbers | None:
        """The question's vector less what all questions share, or None: a reply does not wait for one."""
        common, vectors = self._common(), self._embedder.at_hand([question])
        if common is None or vectors is None or not vectors.any():
            return None
        meaning: Numbers = vectors[0] - common[0]
        return meaning


class _Shelf:
    """One owner's facts as arrays, a row each. Rows are only ever added: one that ends is no longer `live`.

    Terms are numbers in one long array, so that a question meets all facts in two steps of numpy; number 0
    is no term, stands once in every row and weighs nothing.
    """

    def __init__(self, owner_id: int) -> None:
        self.owner_id = owner_id
        self.lock = threading.Lock()
        self._clear("")

    def _clear(self, model: str, common: Numbers | None = None) -> None:
        import numpy as np

        self.model, self.epoch = model, 0
        self.ids: list[int] = []
        self.row_of: dict[int, int] = {}
        self._live = np.zeros(0, dtype=bool)
        self._tells_when = np.zeros(0, dtype=bool)
        self._vectors = np.zeros((0, DIMENSIONS), dtype=np.float32)
        self._common = np.zeros(DIMENSIONS, dtype=np.float32) if common is None else common
        self._apart = np.zeros(0, dtype=np.float32)  # 1 / |vector - common|; 0 without a vector
        self._number_of: dict[str, int] = {"": 0}
        self._numbers, self._starts = array("q"), array("q")

    def catch_up(self, facts: FactReading, epoch: int, model: str, common: Numbers | None) -> None:
        """Read what has changed; everything, when facts were deleted or many rows are of no more use.

        `common` is what the vectors of all facts have in common, once it is known.
        """
        if common is not None and not self._common.any():
            self.epoch = -1  # read anew: what was read before was compared without it
        if (epoch, model) == (self.epoch, self.model):
            return
        if model != self.model or not 0 <= self.epoch <= epoch:
            self._clear(model, common)
        news = facts.entries(self.owner_id, self.epoch, model)
        self._take(news.entries)
        live = int(self._live.sum())
        if live != news.live or len(self.ids) > 2 * live + 1_000:
            self._clear(model, common)
            news = facts.entries(self.owner_id, 0, model)
            self._take(news.entries)
        self.epoch = news.epoch
        self._weigh()

    def _take(self, entries: Sequence[FactEntry]) -> None:
        import numpy as np

        entries = [entry for entry in entries if entry.is_live or entry.id in self.row_of]
        for entry in entries:
            if entry.id not in self.row_of:
                self.row_of[entry.id] = len(self.ids)
                self.ids.append(entry.id)
                self._starts.append(len(self._numbers))
                self._numbers.append(0)
                for term in entry.terms.split():
                    self._numbers.append(self._number_of.setdefault(term, len(self._number_of)))
        if len(self.ids) > len(self._live):
            room = max(len(self.ids) - len(self._live), len(self._live) // 4)
            self._live = np.concatenate([self._live, np.zeros(room, dtype=bool)])
            self._tells_when = np.concatenate([self._tells_when, np.zeros(room, dtype=bool)])
            self._apart = np.concatenate([self._apart, np.zeros(room, dtype=np.float32)])
            self._vectors = np.concatenate([self._vectors, np.zeros((room, DIMENSIONS), dtype=np.float32)])
        rows = [self.row_of[entry.id] for entry in entries]
        self._live[rows] = [entry.is_live for entry in entries]
        self._tells_when[rows] = [bool(_TELLS_WHEN.search(entry.text)) for entry in entries]
        self._apart[rows] = 0
        self._vectors[rows] = 0
        known = [entry for entry in entries if len(entry.vector or b"") == 4 * DIMENSIONS]
        if known:
            rows = [self.row_of[entry.id] for entry in known]
            vectors = vector_of(b"".join(entry.vector or b"" for entry in known)).reshape(-1, DIMENSIONS)
            self._vectors[rows] = vectors
            self._apart[rows] = 1 / np.maximum(np.linalg.norm(vectors - self._common, axis=1), 1e-6)

    def _weigh(self) -> None:
        """How rare each term is among the live facts (as BM25 has it), and how much all of a row's weigh."""
        import numpy as np

        self._of_row = np.array(self._numbers, dtype=np.intp)
        self._at = np.array(self._starts, dtype=np.intp)
        if not self.ids:
            return
        live = self._live[: len(self.ids)]
        of_live = self._of_row[np.repeat(live, np.diff(self._at, append=len(self._of_row)))]
        facts_with = np.bincount(of_live, minlength=len(self._number_of))
        self._all = int(live.sum()) + USUAL_FACTS
        self._idf = np.log1p((self._all - facts_with + 0.5) / (facts_with + 0.5)).astype(np.float32)
        self._idf[0] = 0
        self._row_weight = np.add.reduceat(self._idf[self._of_row], self._at)

    @property
    def tells_when(self) -> Numbers:
        """1 for each row that tells a time, else 0."""
        return self._tells_when[: len(self.ids)].astype("float32")

    def scores(self, vector: Numbers | None, asked: Sequence[str]) -> Numbers:
        """How well each row fits a question's vector and terms; -inf for one that is not live.

        Without a vector, the facts that share most words lend theirs (pseudo-relevance feedback: Rocchio 1971).
        """
        import numpy as np

        count = len(self.ids)
        overlap = self._overlap(asked)
        scores = overlap
        if vector is None:
            vector = self._lent(overlap)
        if length := float(np.linalg.norm(vector)):
            unit = vector / length
            cosines = (_products(self._vectors[:count], unit) - self._common @ unit) * self._apart[:count]
            scores = np.maximum(cosines + SHARED * overlap, scores)
        return np.where(self._live[:count], scores, -np.inf)

    def _lent(self, overlap: Numbers) -> Numbers:
        count = len(self.ids)
        best = [row for row in _largest(overlap, LENDERS) if overlap[row] >= FLOOR and self._live[row]]
        lent: Numbers = self._vectors[:count][best].sum(axis=0) - len(best) * self._common
        return lent

    def _overlap(self, asked: Sequence[str]) -> Numbers:
        """The shared terms' weight over the geometric mean of the question's and the row's whole weight."""
        import numpy as np

        known = [number for term in asked if (number := self._number_of.get(term))]
        if not known:
            return np.zeros(len(self.ids), dtype=np.float32)
        unknown = math.log1p((self._all + 0.5) / 0.5) * unmet(asked, [t for t in asked if t in self._number_of])
        wanted = np.zeros_like(self._idf)
        wanted[known] = self._idf[known]
        shared = np.add.reduceat(wanted[self._of_row], self._at)
        whole = np.sqrt((float(wanted.sum()) + unknown) * np.maximum(self._row_weight, 1e-6))
        return (shared / whole).astype(np.float32)

    def cosines(self, vectors: Numbers) -> Numbers:
        """The cosine of each vector with each row, one line a vector; 0 for rows without, or not live."""
        import numpy as np

        count = len(self.ids)
        return np.stack(
            [np.where(self._live[:count], _products(self._vectors[:count], one), 0) for one in vectors]
        )


def _products(rows: Numbers, vector: Numbers) -> Numbers:
    """The dot product of each row with a vector.

    Not `@`: BLAS would share the work among its threads, which wait for each other when the machine is
    busy (10,000 rows on two cores under load: 16 ms; so: 0.9 ms, and 1.3 with BLAS held to one thread).
    """
    import numpy as np

    products: Numbers = np.einsum("ij,j->i", rows, vector)
    return products


def _largest(values: Numbers, count: int) -> list[int]:
    """The places of the largest values, the largest first; of equal ones the earlier first."""
    import numpy as np

    places = np.arange(len(values))
    if count < len(values):
        # everything as large as the last one that fits: a cut among equals would be a matter of chance
        places = np.flatnonzero(values >= np.partition(values, -count)[-count])
    return [int(place) for place in places[np.argsort(-values[places], kind="stable")][:count]]
