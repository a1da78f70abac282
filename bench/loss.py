"""Whether the loss meter lists what a fold lost: `python -m bench.loss [--wrong]`.

The sets in bench/loss_sets/ hold folds with the messages, a summary, pins and facts, written by hand together
with the truth: every detail of the messages, and whether it is kept or lost. Some folds carry on another
(`after`): what the earlier version kept is then to be accounted for again. `first.json` (20 folds) was written
before the rules, `second.json` (10 folds, in another style) after them, `third.json` (4 folds) after both had
taught their lessons. Their first runs, each before any rule was changed for it: recall 0.974, 0.891, 0.944;
false share 0.062, 0.122, 0.056.

* `recall`: details truly lost that are listed
* `false_share`: of those listed, the ones that are not lost or no details at all
* `ko`, `en`: the same by language, with the counts; `details` counts each fold's, the parent's among them

and the same with `second_`, `third_` in front for the other sets. A listed detail is the true one when one of
them stands within the other in the same message: "Friday, March 14" or "March 14" alike.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from chatmem.domain import Detail, Message, Pin, Status
from chatmem.memory.loss import Account, account

SETS = Path(__file__).parent / "loss_sets"
LEEWAY = 12
"""Characters a listed detail may be longer than the true one: a unit, a weekday."""


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--wrong", action="store_true", help="print what is missed and what is falsely listed")
    options = parser.parse_args()
    figures = _run("first", options.wrong)
    for other in ("second", "third"):
        figures |= {f"{other}_{name}": value for name, value in _run(other, options.wrong).items()}
    print(json.dumps(figures))


def _run(name: str, shows_wrong: bool) -> dict[str, Any]:
    folds = json.loads((SETS / f"{name}.json").read_text(encoding="utf-8"))
    counts: dict[str, Counter[str]] = {"ko": Counter(), "en": Counter()}
    accounts: dict[str, Account] = {}
    for fold in folds:
        before = accounts[fold["after"]].kept if fold.get("after") else ()
        pins = [Pin(number, quote) for number, quote in fold["pins"]]
        done = account(before, _messages(fold), fold["summary"], pins, fold["facts"])
        accounts[fold["id"]] = done
        missed = [entry for entry in fold["lost"] if not any(_is(entry, listed) for listed in done.lost)]
        wrong = [listed for listed in done.lost if not any(_is(entry, listed) for entry in fold["lost"])]
        unread = [entry for entry in fold["kept"] if not any(_is(entry, kept) for kept in done.kept)]
        counts[fold["language"]].update(
            folds=1,
            details=len(fold["lost"]) + len(fold["kept"]),
            lost=len(fold["lost"]),
            found=len(fold["lost"]) - len(missed),
            listed=len(done.lost),
            false=len(wrong),
            kept_unread=len(unread),
        )
        if shows_wrong:
            for kind, entries in (("missed", missed), ("false", wrong), ("kept, not seen", unread)):
                for entry in entries:
                    print(f"{name} {fold['id']}: {kind}: {entry}")
    return _figures(counts["ko"] + counts["en"]) | {
        language: _figures(count) for language, count in counts.items()
    }


def _messages(fold: dict[str, Any]) -> list[Message]:
    """The person has the odd numbers, as in a chat that began with a question."""
    written = datetime.fromisoformat(fold["on"]).replace(hour=9, tzinfo=UTC)
    return [
        Message(
            number, number, "user" if number % 2 else "assistant", text, Status.COMPLETE, written, len(text) // 3
        )
        for number, text in enumerate(fold["messages"], fold["first"])
    ]


def _is(entry: list[Any], listed: Detail) -> bool:
    number, true = entry[0], entry[1].lower()
    what = listed.what.lower()
    return bool(number == listed.number and (what in true or (true in what and len(what) - len(true) <= LEEWAY)))


def _figures(count: Counter[str]) -> dict[str, Any]:
    return {
        "recall": round(count["found"] / max(1, count["lost"]), 4),
        "false_share": round(count["false"] / max(1, count["listed"]), 4),
        **{name: count[name] for name in ("folds", "details", "lost", "found", "listed", "false", "kept_unread")},
    }


if __name__ == "__main__":
    main()
