"""The composition root: everything is put together here, once a process."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime

from chatmem import tokens
from chatmem.background import Background
from chatmem.chat import Chat
from chatmem.embeddings import Embedder
from chatmem.generation import Generations
from chatmem.llm import openai_client
from chatmem.llm.models import Models
from chatmem.llm.protocol import LanguageModel
from chatmem.llm.teaching import TeachingModel
from chatmem.settings import Settings
from chatmem.store import Store


class App:
    """One database with the chat on it. A temporary chat is an `App` of its own, in memory."""

    def __init__(self, settings: Settings, store: Store, models: Models, now: Callable[[], datetime]) -> None:
        self.settings = settings
        self.store = store
        self.models = models
        self.generations = Generations(store, tokens.count_tokens)
        self.background = Background(store, tokens.count_tokens, now)
        self.chat = Chat(settings, store, models, self.generations, self.background, tokens.count_tokens, now)
        self._now = now

    def temporary(self) -> App:
        """The same models over a store in memory: gone with the last reference to it, or the process."""
        return App(self.settings, Store.in_memory(self._now), self.models, self._now)

    def close(self) -> None:
        """End what is running, in order; the database can be opened again at once."""
        self.generations.close()
        self.store.close()


WARM_UP_AFTER_S = 1.0
"""Loading takes the processor from the first page. Nobody has written a message that early; who has, loads it."""


def _warm_up(settings: Settings, embedder: Embedder) -> None:
    time.sleep(WARM_UP_AFTER_S)
    tokens.warm_up()
    embedder.warm_up()
    if settings.server_key or settings.server_url:
        openai_client.warm_up()


def build_app(
    settings: Settings,
    teaching: LanguageModel | None = None,
    now: Callable[[], datetime] = lambda: datetime.now(UTC),
) -> App:
    """The app of a process. Raises `BadSetting` or `StorageError` when its database cannot be used.

    What takes long to load (token ranks, embeddings) is loaded in the background.
    """
    store = Store(settings.database_url, now)
    store.turns.interrupt_stale()
    store.conversations.purge()
    embedder = Embedder()
    teaching = teaching or TeachingModel(embedder, tokens.count_tokens, settings.teaching_pace_s)
    app = App(settings, store, Models(settings, teaching, tokens.count_tokens), now)
    threading.Thread(target=_warm_up, args=(settings, embedder), name="chatmem-warm-up", daemon=True).start()
    return app
