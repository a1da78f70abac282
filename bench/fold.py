"""Whether a reply waits for a summary: `python -m bench.fold`.

Time from `send` to the first token, with and without a fold due, over real HTTP: a server on loopback
that takes 0.3 s to its first token and 20 ms for each further one, for replies and summaries alike. Once
it serves everybody at the same time, once one request at a time, like a small GPU.

Each round is what lies between two folds, so that the noise of the machine meets its turns alike: a
*hurried* one, sent the moment the reply before it ended, while that one's fold is being made; two ordinary
ones; and one with a fold due. The person waits for background work before all but the first. `ratio` is
due / ordinary; the hurried turn is told beside it. `noise` is the spread of the ordinary ones: their
quartiles' distance over their median.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

from bench.setup import REPLY_TEXT, SUMMARY_TEXT, USER_TEXT
from chatmem.app import App
from chatmem.domain import Owner, Status, Turn, new_id
from chatmem.llm import openai_client
from chatmem.llm.models import Models
from chatmem.settings import Settings
from chatmem.store import Store
from chatmem.tokens import count_tokens
from tests.scripted import ScriptedModel
from tests.wire.server import Json, ModelServer

FIRST_TOKEN, PER_TOKEN = 0.3, 0.02
WAIT_SECONDS = 60
ROUND = ("hurried", "ordinary", "ordinary", "due")
"""After a fold the window holds 5 messages; the fourth question after it is the eleventh."""


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=15)
    rounds = parser.parse_args().rounds
    openai_client.warm_up()
    result: dict[str, object] = {"rounds": rounds}
    for name, one_slot in (("", False), ("one_slot_", True)):
        times = measure(rounds, one_slot)
        ordinary = statistics.median(times["ordinary"])
        result[f"{name}ratio"] = round(statistics.median(times["due"]) / ordinary, 3)
        for kind in times:
            result[f"{name}{kind}_ms"] = round(statistics.median(times[kind]), 1)
        low, _, high = statistics.quantiles(times["ordinary"], n=4)
        result[f"{name}noise"] = round((high - low) / ordinary, 3)
    print(json.dumps(result))


def measure(rounds: int, one_slot: bool) -> dict[str, list[float]]:
    """Milliseconds to the first token by kind of turn."""
    times: dict[str, list[float]] = {kind: [] for kind in ROUND}
    server = ModelServer(_answer, one_slot=one_slot, first_token=FIRST_TOKEN, per_token=PER_TOKEN)
    with tempfile.TemporaryDirectory() as folder, server:
        url = f"sqlite:///{Path(folder) / 'bench.db'}"
        settings = Settings(database_url=url, server_url=server.base_url, model_name="big", helper_name="small")
        models = Models(settings, ScriptedModel(), count_tokens)
        app = App(settings, Store(url), models, lambda: datetime.now(UTC))
        owner, chat_id = app.store.owners.enter("a" * 64, "browser"), new_id()
        for _ in range(6):  # the first ones connect and compile; the sixth has a fold due
            last = _turn(app, owner, chat_id)[0]
        for _ in range(rounds):
            for kind in ROUND:
                if kind != "hurried":
                    app.chat.wait(last, WAIT_SECONDS)
                    is_due = app.chat.memory(owner, chat_id).window_count + 1 > 10
                    assert is_due is (kind == "due"), "the rounds are out of step with the folds"
                last, milliseconds = _turn(app, owner, chat_id)
                times[kind].append(milliseconds)
        app.chat.wait(last, WAIT_SECONDS)
        app.close()
    return times


def _turn(app: App, owner: Owner, chat_id: str) -> tuple[Turn, float]:
    """One turn up to the end of its reply; milliseconds to its first token."""
    started = time.perf_counter()
    turn = app.chat.send(owner, chat_id, new_id(), USER_TEXT.format(number=0), language="en")
    while not app.chat.follow(owner, turn.reply.id).text:
        time.sleep(0.001)
    milliseconds = (time.perf_counter() - started) * 1000
    while (reply := app.chat.follow(owner, turn.reply.id)).status is Status.STREAMING:
        time.sleep(0.005)
    assert reply.status is Status.COMPLETE, reply.failure
    return turn, milliseconds


def _answer(body: Json) -> str:
    last = str(body["messages"][-1]["content"])
    if "<known>" in last:
        return '{"operations": []}'
    if "<transcript>" not in last:
        return REPLY_TEXT.format(number=0)
    is_title = "<message n=" in last and body["messages"][0]["content"].startswith("Name this chat")
    return "The garden" if is_title else f"<summary>\n{SUMMARY_TEXT}\n</summary>"


if __name__ == "__main__":
    main()
