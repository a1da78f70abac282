"""What a long chat costs, and whether what it needs is still there: `python -m bench.tokens`.

A scripted conversation of 200 turns (`bench/tokens_script.json`: message lengths fixed beforehand, 40 facts
planted, 10 of them corrected later, 60 questions about them) runs through the whole app. Replies are the
script's and the teaching model folds. Facts are proposed by a helper that knows the script: for a message that
plants or corrects one, the sentence that does; what becomes of them is the app's own work. With `--rules` the
teaching model extracts instead, which has to find out by itself. Each request is taken as it is sent:

* `input_token_share`: tokens sent, over those of sending the whole history with each question
* `answered`: questions whose fact stands in what is sent with them, beside the question itself
* `superseded`: questions sent with a value that had been corrected, other than in the correction's own words
* `prefix_stable_share`: consecutive requests whose beginning, up to the window, is the same

for Classic, for three tiers, and for Classic with a fold at 14 messages in place of 10: a fold changes what
stands before the window, so how often there is one decides the last figure.
"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.setup import open_app
from chatmem.context import MESSAGE_OVERHEAD
from chatmem.domain import ChatMessage, new_id
from chatmem.embeddings import Embedder
from chatmem.llm.protocol import Completion, ModelRequest
from chatmem.llm.teaching import TeachingModel
from chatmem.llm.teaching.reading import sentences
from chatmem.tokens import count_tokens

SCRIPT = Path(__file__).parent / "tokens_script.json"

KINDS = {
    **dict.fromkeys(("person", "pet", "allergy", "health", "work", "size", "phone", "insurance"), "profile"),
    **dict.fromkeys(("dislike", "tool", "music", "drink", "cake"), "preference"),
    **dict.fromkeys(("plan", "course"), "goal"),
}
"""What a helper would call the script's kinds; all others are plain facts."""

VARIANTS: dict[str, dict[str, Any]] = {
    "classic": {},
    "three_tiers": {"preset": "three_tiers"},
    "classic_14": {"numbers": {"fold_above": 14}},
}


class Narrator(TeachingModel):
    """Says the script's replies; folds and extracts as the teaching model does."""

    reply = ""
    knows: dict[str, Any] | None = None
    """The script's facts, when this helper shall find just those."""
    turn: dict[str, Any]

    def complete(self, request: ModelRequest) -> Completion:
        if request.purpose != "extract" or self.knows is None:
            return super().complete(request)
        known, _, transcript = request.messages[1].text.partition("</known>")
        number = int(re.findall(r'<message n="(\d+)" role="user">', transcript)[-1])
        found = []
        for name in (*self.turn.get("plants", ()), *self.turn.get("corrects", ())):
            fact = self.knows[name]
            corrects = name in self.turn.get("corrects", ())
            value = fact["value"] if corrects or not fact["old"] else fact["old"]
            said = _telling(self.turn["user"], value, corrects)
            target = next(
                (int(n) for n, text in re.findall(r"(\d+)\. (.*)", known) if (fact["old"] or "\0") in text), None
            )
            op = "supersede" if corrects and target else "add"
            found.append(
                {
                    "op": op,
                    "kind": KINDS.get(fact["kind"], "fact"),
                    "text": said,
                    "quote": said,
                    "message": number,
                    "target": target,
                }
            )
        return Completion(json.dumps({"operations": found}), "script")

    def stream(self, request: ModelRequest):  # type: ignore[no-untyped-def]
        self.request = request
        return _Said(self.reply)


def _telling(text: str, value: str, corrects: bool) -> str:
    """The sentence with the value; of a correction the one before it too, which says what is corrected."""
    said = sentences(text)
    place = next(place for place, one in enumerate(said) if value.lower() in one.lower())
    first = said[place - 1] if corrects and place else said[place]
    return text[text.index(first) : text.index(said[place]) + len(said[place])]


class _Said:
    def __init__(self, text: str) -> None:
        self.completion: Completion | None = None
        self._text = text

    def __iter__(self) -> Iterator[str]:
        yield self._text
        self.completion = Completion(self._text, "script")

    def close(self) -> None: ...


@dataclass
class Tally:
    sent: int = 0
    full: int = 0
    asked: int = 0
    answered: int = 0
    superseded: int = 0
    stable: int = 0
    pairs: int = 0
    sections: Counter[str] = field(default_factory=Counter)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--missed", action="store_true", help="print the questions that were not answered")
    parser.add_argument("--rules", action="store_true", help="let the teaching model extract")
    parser.add_argument("--only", choices=VARIANTS, help="one variant only")
    options = parser.parse_args()
    script = json.loads(SCRIPT.read_text())
    variants = [options.only] if options.only else list(VARIANTS)
    print(json.dumps({name: _run(script, VARIANTS[name], options) for name in variants}))


def _run(script: dict[str, Any], preferences: dict[str, Any], options: argparse.Namespace) -> dict[str, object]:
    embedder = Embedder()
    embedder.embed(["warm up"])
    model, tally = Narrator(embedder, count_tokens, 0.0), Tally()
    model.knows = None if options.rules else script["facts"]
    with tempfile.TemporaryDirectory() as folder:
        app = open_app(Path(folder), model, embedder)
        owner = app.store.owners.enter("a" * 64, "browser")
        app.store.owners.save_preferences(owner.id, preferences)
        owner = app.store.owners.get(owner.id)
        conversation_id = new_id()
        history = 0
        values: dict[str, str] = {}
        previous: list[str] | None = None
        for turn in script["turns"]:
            model.reply, model.turn = turn["reply"], turn
            sent = app.chat.send(owner, conversation_id, new_id(), turn["user"], language="en")
            app.chat.wait(sent, 120)
            messages = model.request.messages
            history += count_tokens(turn["user"]) + MESSAGE_OVERHEAD
            tally.full += history + count_tokens(messages[0].segments[0].text) + MESSAGE_OVERHEAD
            tally.sent += sum(count_tokens(message.text) + MESSAGE_OVERHEAD for message in messages)
            history += count_tokens(turn["reply"]) + MESSAGE_OVERHEAD
            receipt = app.store.receipts.get(owner.id, sent.reply.id)
            tally.sections.update({section.name: section.tokens for section in receipt.context.sections})
            beginning = _before_window(messages)
            if previous is not None:
                tally.pairs += 1
                tally.stable += beginning == previous
            previous = beginning
            _judge(script["facts"], turn, values, messages, tally, options.missed)
            for name in turn.get("plants", ()):
                fact = script["facts"][name]
                values[name] = fact["old"] or fact["value"]
            for name in turn.get("corrects", ()):
                values[name] = script["facts"][name]["value"]
        facts = app.store.facts.count(owner.id)
        app.close()
    return {
        "turns": len(script["turns"]),
        "input_token_share": round(tally.sent / tally.full, 4),
        "tokens_per_turn": round(tally.sent / len(script["turns"])),
        "answered": round(tally.answered / tally.asked, 4),
        "superseded": tally.superseded,
        "prefix_stable_share": round(tally.stable / tally.pairs, 4),
        "facts": facts,
        "tokens": {name: round(total / len(script["turns"])) for name, total in tally.sections.items()},
    }


def _before_window(messages: tuple[ChatMessage, ...]) -> list[str]:
    """What stands before the window: the system message, and the summary with its pins."""
    return [m.text for m in messages if m.role == "system" or m.segments[0].source.startswith("summary:")]


def _judge(
    facts: dict[str, Any],
    turn: dict[str, Any],
    values: dict[str, str],
    messages: tuple[ChatMessage, ...],
    tally: Tally,
    missed: bool,
) -> None:
    context = "\n".join(m.text for m in messages).replace(turn["user"], "").lower()
    for name in turn.get("asks", ()):
        tally.asked += 1
        value, old = values[name], facts[name]["old"]
        found = value.lower() in context
        tally.answered += found
        outdated = bool(old) and value != old and _stands(old.lower(), value.lower(), context)
        tally.superseded += outdated
        if missed and (not found or outdated):
            print(
                "missed" if not found else "superseded",
                name,
                repr(value),
                "old",
                repr(old),
                "|",
                turn["user"][-120:],
            )
            if outdated:
                where = [m.segments[0].source or m.role for m in messages if old.lower() in m.text.lower()]
                print("   in", where)


def _stands(old: str, new: str, context: str) -> bool:
    """Whether the old value stands anywhere but beside the new one, as in "Friday, not Thursday"."""
    return any(old in line and new not in line for line in context.split("\n"))


if __name__ == "__main__":
    main()
