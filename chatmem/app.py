"""The composition root: everything is put together here, once a process."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime

from chatmem import tokens
from chatmem.archive import Archive
from chatmem.background import Background
from chatmem.chat import Chat
from chatmem.embeddings import Embedder
from chatmem.errors import ChatmemError, StorageFull, StorageLocked, StorageReadOnly
from chatmem.folder import Folder
from chatmem.forgetting import Forgetting
from chatmem.generation import Generations
from chatmem.knowledge import Knowledge
from chatmem.learner import Learner
from chatmem.llm import openai_client
from chatmem.llm.models import Models, embedder_of
from chatmem.llm.protocol import LanguageModel
from chatmem.llm.teaching import TeachingModel
from chatmem.memory.recall import Recall
from chatmem.proof import Proof
from chatmem.settings import Settings
from chatmem.store import Store
from chatmem.versions import Versions

_log = logging.getLogger(__name__)


class App:
    """One database with the chat on it. A temporary chat is an `App` of its own, in memory."""

    def __init__(
        self,
        settings: Settings,
        store: Store,
        models: Models,
        now: Callable[[], datetime],
        embedder: Embedder | None = None,
        long_term: bool = True,
    ) -> None:
        self.settings = settings
        self.store = store
        self.models = models
        self._embedder = embedder or Embedder.none()
        self.recall = recall = Recall(store, self._embedder, tokens.count_tokens)
        self.learner = Learner(store, recall, self._embedder, models.rules, tokens.count_tokens, now)
        self.generations = Generations(store, tokens.count_tokens)
        self.background = Background(store, self.learner, Folder(store, tokens.count_tokens, now))
        self.chat = Chat(
            settings, store, models, self.generations, self.background, recall, tokens.count_tokens, now, long_term
        )
        self.forgetting = Forgetting(store, recall, self.generations)
        self.versions = Versions(store, tokens.count_tokens)
        self.knowledge = Knowledge(store, recall, self.background)
        self.proof = Proof(store)
        self.archive = Archive(store, tokens.count_tokens, self.background)
        self._now = now

    def temporary(self) -> App:
        """The same models over a store in memory: gone with the last reference to it, or the process.

        No facts are read or written there.
        """
        return App(
            self.settings, Store.in_memory(self._now), self.models, self._now, self._embedder, long_term=False
        )

    def close(self) -> None:
        """End what is running, in order; the database can be opened again at once."""
        self.generations.close()
        self.forgetting.close()
        self.store.close()


WARM_UP_AFTER_S = 1.0
"""Loading takes the processor from the first page. Nobody has written a message that early; who has, loads it."""


def _warm_up(settings: Settings, app: App, embedder: Embedder) -> None:
    time.sleep(WARM_UP_AFTER_S)
    tokens.warm_up()
    embedder.warm_up()
    try:
        app.recall.warm_up()
        app.learner.embed_everyone()
    except ChatmemError as error:
        _log.warning("embeddings are not to be had now; recall goes by words: %s", error)
    if settings.server_key or settings.server_url:
        openai_client.warm_up()


def _tidy(store: Store) -> None:
    """End and delete what is due. A database that cannot be written just now can be read all the same."""
    try:
        store.turns.interrupt_stale()
        store.conversations.purge()
    except (StorageFull, StorageLocked, StorageReadOnly) as error:
        _log.warning("not tidied at the start: %s", error)


def build_app(
    settings: Settings,
    teaching: LanguageModel | None = None,
    now: Callable[[], datetime] = lambda: datetime.now(UTC),
) -> App:
    """The app of a process. Raises `BadSetting` or `StorageError` when its database cannot be used.

    What takes long to load (token ranks, embeddings) is loaded in the background.
    """
    store = Store(settings.database_url, now)
    _tidy(store)
    embedder = Embedder()
    remembering = embedder_of(settings) or embedder
    teaching = teaching or TeachingModel(embedder, tokens.count_tokens, settings.teaching_pace_s)
    app = App(settings, store, Models(settings, teaching, tokens.count_tokens), now, remembering)
    threading.Thread(target=_warm_up, args=(settings, app, embedder), name="chatmem-warm-up", daemon=True).start()
    return app
