"""How well the teaching model answers from memory: `python -m bench.lives [FOLDER]`.

Scripts about other people's lives, written by authors who had not seen the model's rules
(`bench/lives/*/`): six to eight statements, then six questions, one of them unanswerable. Each runs as
a chat of its own through the whole app with the Classic preset, folds awaited, so that part of what is
asked has left the window; with `--new-chat` the questions are asked in another chat. An answer is right when
it holds every detail the author asks for and none the author forbids; an unanswerable question is right when
the answer says that it does not know.
"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
from collections import Counter
from pathlib import Path

from bench.setup import open_app
from chatmem.app import App
from chatmem.domain import new_id
from chatmem.embeddings import Embedder
from chatmem.llm.teaching import TeachingModel
from chatmem.tokens import count_tokens

FOLDER = Path(__file__).parent / "lives"

DOES_NOT_KNOW = re.compile(
    r"holds nothing|find nothing|nothing in my context|not sure|can only talk about"
    r"|내용이 없어요|아무것도 없어요|찾을 수 없어요|확실하지 않아요|대해서만 말할 수",
    re.IGNORECASE,
)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", nargs="?", type=Path, default=FOLDER)
    parser.add_argument("--wrong", action="store_true", help="print the answers that are wrong")
    parser.add_argument("--new-chat", action="store_true", help="ask in another chat: facts are all there is")
    options = parser.parse_args()
    scores: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        embedder = Embedder()
        app = open_app(Path(folder), TeachingModel(embedder, count_tokens, pace_s=0), embedder)
        app.recall.warm_up()
        for file in sorted(options.folder.rglob("*.json")):
            script = json.loads(file.read_text(encoding="utf-8"))
            for question, answer in _run(app, script, options.new_chat):
                kind = _judge(question, answer)
                scores[f"{script['language']}.{kind}"] += 1
                if options.wrong and kind in ("wrong", "asserted"):
                    print(f"{file.stem}: {kind}\n  Q {question['ask']}\n  A {answer}\n  ✓ {question['accept']}")
        app.close()
    print(json.dumps(_figures(scores), ensure_ascii=False))


def _run(app: App, script: dict, new_chat: bool) -> list[tuple[dict, str]]:  # type: ignore[type-arg]
    # Each life is another person's: nobody may know what somebody else told.
    owner = app.store.owners.enter(new_id(), "browser")
    conversation_id = new_id()

    def say(text: str) -> str:
        turn = app.chat.send(owner, conversation_id, new_id(), text, language=script["language"])
        app.chat.wait(turn, 60)
        return app.chat.follow(owner, turn.reply.id).text

    for statement in script["statements"]:
        say(statement)
    if new_chat:
        conversation_id = new_id()
    return [(question, say(question["ask"])) for question in script["questions"]]


def _judge(question: dict, answer: str) -> str:  # type: ignore[type-arg]
    if question["accept"] is None:
        return "declined" if DOES_NOT_KNOW.search(answer) else "asserted"
    text = answer.lower()
    found = all(any(variant.lower() in text for variant in group) for group in question["accept"])
    forbidden = any(word.lower() in text for word in question.get("forbid") or [])
    return "right" if found and not forbidden else "wrong"


def _figures(scores: Counter[str]) -> dict[str, float | int]:
    figures: dict[str, float | int] = {}
    for language in ("ko", "en"):
        right, wrong = scores[f"{language}.right"], scores[f"{language}.wrong"]
        declined, asserted = scores[f"{language}.declined"], scores[f"{language}.asserted"]
        total = right + wrong + declined + asserted
        if total:
            figures |= {
                f"{language}_questions": total,
                f"{language}_right": round((right + declined) / total, 3),
                f"{language}_answerable_right": round(right / max(1, right + wrong), 3),
                f"{language}_unanswerable_asserted": asserted,
            }
    return figures


if __name__ == "__main__":
    main()
