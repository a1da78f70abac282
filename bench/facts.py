"""Which facts a question brings up: `python -m bench.facts [--wrong] [--fillers 10000]`.

The sets in bench/fact_sets/ are stored in a real database, each for an owner of its own, and asked through
`FactIndex`. A set's questions are paraphrases: Korean, English, and asked in the other language than the
fact's ("cross"). `r1`, `r3`: the share of questions with a right fact first, among the first three;
`lexical_r1`: without vectors; `recalled`: the share of the right facts that pass the floor; `silent`: the
share of the messages which need no fact and recall none. `ms_10k`: one search among ten thousand facts,
all that it does included; `ms_10k_cold`: the first one, which reads them; `ms_10k_new`: the one after a
fact was added; `cpu_ms_10k`: the first of these without waiting for a busy machine.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import insert

from bench.setup import open_app
from chatmem.app import App
from chatmem.domain import FactStatus, NewFact
from chatmem.embeddings import Embedder
from chatmem.memory.fact_index import FLOOR, FactIndex, vector_bytes
from chatmem.search_terms import terms
from chatmem.store.fact_rows import fingerprint
from chatmem.store.tables import FactEvidenceRow, FactRow
from tests.scripted import ScriptedModel

SETS = Path(__file__).parent / "fact_sets"
GROUPS = ("ko", "en", "cross")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--wrong", action="store_true", help="print the questions whose first fact is wrong")
    parser.add_argument("--fillers", type=int, default=10_000, help="facts among which a search is timed")
    chosen = parser.parse_args()
    embedder = Embedder()
    embedder.embed(["warm up"])
    results: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        app = open_app(Path(folder), ScriptedModel())
        for number, path in enumerate(sorted(SETS.glob("*.json"), key=lambda path: path.stem != "first")):
            known = json.loads(path.read_text(encoding="utf-8"))
            owner_id = app.store.owners.enter(f"{number:064}", "browser").id
            figures = _quality(app, embedder, owner_id, known, chosen.wrong)
            if path.stem == "first":
                questions = [question["q"] for question in known["questions"]]
                results |= figures | _speed(app, embedder, owner_id, questions, chosen.fillers)
            else:
                results[path.stem] = figures
        app.close()
    print(json.dumps(results))


def _quality(app: App, embedder: Embedder, owner_id: int, known: dict[str, Any], wrong: bool) -> dict[str, Any]:
    index, name_of = FactIndex(app.store.facts, embedder), {}
    for fact in known["facts"]:
        new = NewFact(kind=fact["kind"], text=fact["text"], quote=fact["text"])
        name_of[app.store.facts.add(owner_id, new).id] = fact["id"]
    lexical = _ask(index, owner_id, known["questions"], name_of)
    missing = app.store.facts.without_vector(owner_id, embedder.model, len(name_of))
    vectors = embedder.embed([text for _, text in missing])
    pairs = [(id_, vector_bytes(vector)) for (id_, _), vector in zip(missing, vectors, strict=True)]
    app.store.facts.save_vectors(owner_id, embedder.model, pairs)
    asked = _ask(index, owner_id, known["questions"], name_of)

    figures: dict[str, Any] = {}
    for figure, answers, depth in (("r1", asked, 1), ("r3", asked, 3), ("lexical_r1", lexical, 1)):
        for group in GROUPS:
            hits = [
                any(name in question["right"] for name, _ in answer[:depth])
                for question, answer in zip(known["questions"], answers, strict=True)
                if question["group"] == group
            ]
            figures[f"{figure}_{group}"] = round(statistics.fmean(hits), 3)
    right = [
        dict(answer).get(name, 0) >= FLOOR
        for question, answer in zip(known["questions"], asked, strict=True)
        for name in question["right"]
    ]
    loud = [
        found for text in known["none"] if (found := index.search(owner_id, text, 1)) and found[0].score >= FLOOR
    ]
    figures["recalled"] = round(statistics.fmean(right), 3)
    figures["silent"] = round(1 - len(loud) / len(known["none"]), 3)
    figures["above_floor"] = round(statistics.fmean(sum(s >= FLOOR for _, s in answer) for answer in asked), 1)
    if wrong:
        text_of = {fact["id"]: fact["text"] for fact in known["facts"]}
        for question, answer in zip(known["questions"], asked, strict=True):
            if not answer or answer[0][0] not in question["right"]:
                print(f"{question['group']:5} {question['q']}")
                for name in dict.fromkeys([name for name, _ in answer[:1]] + question["right"]):
                    mark = "right" if name in question["right"] else "first"
                    print(f"      {mark} {dict(answer).get(name, 0):.2f} {text_of[name]}")
        for text in known["none"]:
            if (found := index.search(owner_id, text, 1)) and found[0].score >= FLOOR:
                print(f"none  {text}\n      first {found[0].score:.2f} {found[0].fact.text}")
    return figures


def _ask(
    index: FactIndex, owner_id: int, questions: list[dict[str, Any]], name_of: dict[int, str]
) -> list[list[tuple[str, float]]]:
    return [
        [(name_of[found.fact.id], found.score) for found in index.search(owner_id, question["q"], len(name_of))]
        for question in questions
    ]


def _speed(app: App, embedder: Embedder, owner_id: int, questions: list[str], fillers: int) -> dict[str, Any]:
    _add_fillers(app, embedder, owner_id, fillers)
    index = FactIndex(app.store.facts, embedder)
    index.search(app.store.owners.enter("f" * 64, "browser").id, "the examples' vectors", 1)
    cold = _milliseconds(index, owner_id, "What is new?")
    # a question is embedded once: each is asked in a wording of its own
    warm = [_milliseconds(index, owner_id, f"{question} ({number})") for number, question in enumerate(questions)]
    after_new = []
    for number in range(20):
        text = f"Filler of round {number} came last."
        app.store.facts.add(owner_id, NewFact(kind="fact", text=text, quote=text))
        after_new.append(_milliseconds(index, owner_id, f"Which filler came in round {number}?")[0])
    return {
        "facts": app.store.facts.count(owner_id),
        "ms_10k": round(statistics.median(wall for wall, _ in warm), 2),
        "ms_10k_p95": round(statistics.quantiles([wall for wall, _ in warm], n=20)[-1], 2),
        "cpu_ms_10k": round(statistics.median(cpu for _, cpu in warm), 2),
        "ms_10k_new": round(statistics.median(after_new), 2),
        "ms_10k_cold": round(cold[0], 1),
    }


def _milliseconds(index: FactIndex, owner_id: int, question: str) -> tuple[float, float]:
    """What a search takes by the clock, and of this thread's processor time."""
    started, worked = time.perf_counter(), time.thread_time()
    index.search(owner_id, question, 13)
    return (time.perf_counter() - started) * 1000, (time.thread_time() - worked) * 1000


def _add_fillers(app: App, embedder: Embedder, owner_id: int, count: int) -> None:
    """Facts of all kinds about other people, the quick way past `Facts.add`, their vectors included."""
    who = ("Colleague", "Neighbour", "Cousin", "동료", "이웃", "사촌")
    does = ("repairs old clocks in", "is moving to", "met a painter from", "작년에 다녀온 곳은", "전에 살던 곳은")
    where = ("Lisbon", "Oslo", "Quito", "Hanoi", "강릉", "제주", "나고야", "Graz")
    texts = [
        f"{who[n % 6]} {n} {does[n // 6 % 5]} {where[n // 30 % 8]}, number {n * 7919 % 10_007}."
        for n in range(count)
    ]
    now = datetime.now(UTC)
    with app.store._database.write() as session:
        rows: list[dict[str, Any]] = [
            {
                "owner_id": owner_id, "kind": "fact", "text": text, "fingerprint": fingerprint(text),
                "terms": " ".join(dict.fromkeys(terms(text))), "status": FactStatus.LIVE, "origin": "imported",
                "pinned": False, "created_at": now, "confirmed_at": now, "revision": 1,
            }
            for text in texts
        ]  # fmt: skip
        ids = session.scalars(insert(FactRow).returning(FactRow.id, sort_by_parameter_order=True), rows).all()
        evidence = [
            {"fact_id": id_, "quote": text, "against": False, "said_at": now}
            for id_, text in zip(ids, texts, strict=True)
        ]
        session.execute(insert(FactEvidenceRow), evidence)
    pairs = [(id_, vector_bytes(v)) for id_, v in zip(ids, embedder.embed(texts), strict=True)]
    app.store.facts.save_vectors(owner_id, embedder.model, pairs)


if __name__ == "__main__":
    main()
