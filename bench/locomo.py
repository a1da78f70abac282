"""Recall of folded messages, on LoCoMo (Maharana et al. 2024): `python -m bench.locomo locomo10.json`.

Each of the ten conversations becomes a chat of the app: a message a turn ("Name: text [image: caption]",
made when its session took place), indexed and embedded as the app does it. Every question that names
evidence is then asked through the app's own search and ranking. Measured against the evidence, in percent:

* `r5`, `r10`, `r20`: the mean share of a question's evidence among the top k
* `recall_1k_tokens`: the same among what the app sends of them in 1,000 tokens, packed best first
* `session_hit1`: questions whose top message lies in a session with evidence

`dev` are the conversations that weights were fitted on (0-4), `held_out` the others. Plain BM25 over
lower-cased words stands beside it. The file's licence (CC BY-NC 4.0) forbids shipping it, hence the argument.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import insert

from chatmem.domain import Status, new_id
from chatmem.embeddings import Embedder
from chatmem.memory.ranking import half_bytes
from chatmem.memory.recall import Recall
from chatmem.store import Store
from chatmem.store.search import index_messages
from chatmem.store.tables import ConversationRow, MessageRow
from chatmem.tokens import count_tokens

BUDGET = 1_000
DEPTHS = (5, 10, 20)
MEASURES = (*(f"r{depth}" for depth in DEPTHS), "recall_1k_tokens", "session_hit1")
DEV = range(5)


@dataclass(frozen=True, slots=True)
class Doc:
    """A turn. `session` is its number, `line` what the app would send of it."""

    id: str
    session: int
    text: str
    said_at: datetime

    @property
    def line(self) -> str:
        return f"{self.said_at:%Y-%m-%d} {self.text}"


@dataclass(frozen=True, slots=True)
class Question:
    text: str
    category: int
    gold: frozenset[int]


@dataclass(frozen=True, slots=True)
class Dialogue:
    docs: tuple[Doc, ...]
    questions: tuple[Question, ...]
    without_evidence: int


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("file", type=Path)
    dialogues = [read(sample) for sample in json.loads(parser.parse_args().file.read_text())]
    with tempfile.TemporaryDirectory() as folder:
        store = Store(f"sqlite:///{Path(folder) / 'bench.db'}")
        owner = store.owners.enter("a" * 64, "local")
        embedder = Embedder()
        recall = Recall(store, embedder, count_tokens)
        recall.warm_up()
        chats = [add_chat(store, owner.id, dialogue, embedder) for dialogue in dialogues]
        question_ms: list[float] = []
        ours: list[Row] = []
        plain: list[Row] = []
        for place, (dialogue, chat) in enumerate(zip(dialogues, chats, strict=True)):
            costs = [count_tokens(doc.line) for doc in dialogue.docs]
            bm25 = PlainBM25([doc.line for doc in dialogue.docs])
            for question in dialogue.questions:
                before = len(dialogue.docs) + 1
                started = time.perf_counter()
                order = ask(recall, owner.id, chat, question.text, before)
                question_ms.append((time.perf_counter() - started) * 1000)
                packed = sent(recall, owner.id, chat, question.text, before)
                ours.append(Row(place, question.category, measured(order, packed, question, dialogue)))
                order = bm25.order(question.text)
                packed = fitting(order, costs)
                plain.append(Row(place, question.category, measured(order, packed, question, dialogue)))
        store.close()
    print(
        json.dumps(
            {
                "questions": len(ours),
                "without_evidence": sum(dialogue.without_evidence for dialogue in dialogues),
                "ms_per_query": round(statistics.median(question_ms), 2),
                "ours": summary(ours),
                "bm25": summary(plain),
            }
        )
    )


def read(sample: dict[str, Any]) -> Dialogue:
    """A conversation of the file, its evidence normalised; evidence that names no turn is dropped."""
    spoken, docs = sample["conversation"], []
    for session in range(1, 1 + max(int(key.split("_")[1]) for key in spoken if re.match(r"session_\d+", key))):
        for turn in spoken.get(f"session_{session}", ()):
            said_at = datetime.strptime(spoken[f"session_{session}_date_time"], "%I:%M %p on %d %B, %Y")
            caption = f" [image: {turn['blip_caption']}]" if turn.get("blip_caption") else ""
            text = f"{turn['speaker']}: {turn['text']}{caption}"
            docs.append(Doc(turn["dia_id"], session, text, said_at.replace(tzinfo=UTC)))
    places = {doc.id: place for place, doc in enumerate(docs)}
    questions = []
    for asked in sample["qa"]:
        named = [f"D{int(s)}:{int(t)}" for s, t in _EVIDENCE.findall(" ".join(asked.get("evidence") or ()))]
        if gold := frozenset(places[name] for name in named if name in places):
            questions.append(Question(asked["question"], asked["category"], gold))
    return Dialogue(tuple(docs), tuple(questions), len(sample["qa"]) - len(questions))


_EVIDENCE = re.compile(r"D\s*:?\s*(\d+)\s*:\s*(\d+)")


def add_chat(store: Store, owner_id: int, dialogue: Dialogue, embedder: Embedder) -> str:
    """The conversation as a chat of the app, indexed and embedded; its id. Numbers are places + 1."""
    conversation_id, docs = new_id(), dialogue.docs
    first = docs[0].text.partition(":")[0]
    with store._database.write() as session:
        session.add(
            ConversationRow(
                id=conversation_id, owner_id=owner_id, title="LoCoMo", title_settled=True, memory_epoch=0,
                last_number=len(docs), created_at=docs[0].said_at, updated_at=docs[-1].said_at,
            )
        )  # fmt: skip
        session.flush()
        rows = [
            {
                "conversation_id": conversation_id, "number": number, "text": doc.text,
                "role": "user" if doc.text.startswith(f"{first}:") else "assistant",
                "tokens": 0, "status": Status.COMPLETE, "void": False, "model": "", "stop_requested": False,
                "created_at": doc.said_at,
            }
            for number, doc in enumerate(docs, 1)
        ]  # fmt: skip
        ids = session.scalars(insert(MessageRow).returning(MessageRow.id), rows).all()
        index_messages(session, conversation_id, ids)
    while missing := store.message_vectors.missing(owner_id, conversation_id, embedder.model, 256):
        vectors = embedder.embed([text for _, text in missing])
        pairs = [(id_, half_bytes(vector)) for (id_, _), vector in zip(missing, vectors, strict=True)]
        store.message_vectors.save(owner_id, conversation_id, embedder.model, pairs)
    return conversation_id


def ask(recall: Recall, owner_id: int, conversation_id: str, question: str, before: int) -> list[int]:
    """Places of the messages that the app would recall, the best first."""
    return [one.message.number - 1 for one in recall.messages(owner_id, conversation_id, question, before)]


def sent(recall: Recall, owner_id: int, conversation_id: str, question: str, before: int) -> set[int]:
    """Places of the messages that it would send, in `BUDGET` tokens."""
    recalled = recall.for_question(owner_id, conversation_id, question, before, BUDGET, None)
    return {quote.message.number - 1 for quote in recalled.quotes}


@dataclass(frozen=True, slots=True)
class Row:
    conversation: int
    category: int
    measures: tuple[float, ...]


def fitting(order: Sequence[int], costs: Sequence[int]) -> set[int]:
    """What fits into `BUDGET`, best first; what does not is passed over."""
    packed, room = set(), BUDGET
    for place in order:
        if costs[place] <= room:
            packed.add(place)
            room -= costs[place]
    return packed


def measured(order: Sequence[int], packed: set[int], question: Question, dialogue: Dialogue) -> tuple[float, ...]:
    """One value a name of `MEASURES`, 0 to 1."""
    gold, docs = question.gold, dialogue.docs
    sessions = {docs[place].session for place in gold}
    return (
        *(len(gold.intersection(order[:depth])) / len(gold) for depth in DEPTHS),
        len(gold & packed) / len(gold),
        float(bool(order) and docs[order[0]].session in sessions),
    )


def summary(rows: Sequence[Row]) -> dict[str, dict[str, float]]:
    groups = {
        "all": rows,
        "dev": [row for row in rows if row.conversation in DEV],
        "held_out": [row for row in rows if row.conversation not in DEV],
    }
    for category in sorted({row.category for row in rows}):
        groups[f"category_{category}"] = [row for row in rows if row.category == category]
    return {
        name: {
            measure: round(100 * statistics.fmean(row.measures[place] for row in group), 1)
            for place, measure in enumerate(MEASURES)
        }
        for name, group in groups.items()
        if group
    }


class PlainBM25:
    """Okapi BM25 (k1 = 1.5, b = 0.75) over lower-cased words, nothing else."""

    def __init__(self, texts: Sequence[str], k1: float = 1.5, b: float = 0.75) -> None:
        self._counts = [Counter(re.findall(r"\w+", text.lower())) for text in texts]
        self._in = Counter(word for counts in self._counts for word in counts)
        lengths = [counts.total() for counts in self._counts]
        mean = statistics.fmean(lengths)
        self._k1, self._norms = k1, [k1 * (1 - b + b * length / mean) for length in lengths]

    def order(self, question: str) -> list[int]:
        words, n = re.findall(r"\w+", question.lower()), len(self._counts)
        idf = {word: math.log(1 + (n - self._in[word] + 0.5) / (self._in[word] + 0.5)) for word in words}
        scores = [
            sum(idf[word] * counts[word] * (self._k1 + 1) / (counts[word] + norm) for word in words)
            for counts, norm in zip(self._counts, self._norms, strict=True)
        ]
        return sorted(range(n), key=lambda place: -scores[place])


if __name__ == "__main__":
    main()
