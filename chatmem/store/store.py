"""The way into the database: open it, then use its parts."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy.engine import make_url

from chatmem.errors import StorageReadOnly
from chatmem.store.branches import Branches
from chatmem.store.conversations import Conversations
from chatmem.store.database import IN_MEMORY, Database
from chatmem.store.facts import Facts
from chatmem.store.forgetting import Forgetting
from chatmem.store.learning import Learning
from chatmem.store.memory import MemoryStore
from chatmem.store.migrate import migrate
from chatmem.store.owners import Owners
from chatmem.store.places import Places
from chatmem.store.provenance import Provenance
from chatmem.store.receipts import Receipts
from chatmem.store.search import Search, merge_index
from chatmem.store.turns import Turns
from chatmem.store.vectors import MessageVectors
from chatmem.store.versions import Versions


class Store:
    """A database that is ready: migrated, and able to be read and written by many threads.

    Raises `BadSetting` for an address that cannot be, `StorageError` for a database that cannot.
    """

    def __init__(self, url: str, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        _make_folder(url)
        self._database = Database(url, now)
        migrate(self._database)
        self.owners = Owners(self._database)
        self.conversations = Conversations(self._database)
        self.turns = Turns(self._database)
        self.memory = MemoryStore(self._database)
        self.versions = Versions(self._database)
        self.branches = Branches(self._database)
        self.places = Places(self._database)
        self.forgetting = Forgetting(self._database)
        self.receipts = Receipts(self._database)
        self.provenance = Provenance(self._database)
        self.facts = Facts(self._database)
        self.learning = Learning(self._database)
        self.message_vectors = MessageVectors(self._database)
        self.search = Search(self._database)

    @classmethod
    def in_memory(cls, now: Callable[[], datetime]) -> Store:
        """A store that is gone with the last reference to it: the temporary chat's."""
        return cls(IN_MEMORY, now)

    def one_view(self) -> AbstractContextManager[None]:
        """Inside, all reading of this thread is one transaction: see `Database.one_view`."""
        return self._database.one_view()

    def scrub(self) -> bool:
        """After forgetting: leave nothing of it in the search index or the files. False: try again later."""
        with self._database.write() as session:
            merge_index(session)
        return self._database.scrub()

    def close(self) -> None:
        self._database.close()


def _make_folder(url: str) -> None:
    if not url.startswith("sqlite"):
        return
    file = make_url(url).database
    if file and file != ":memory:" and not file.startswith("file:"):
        try:
            Path(file).parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StorageReadOnly(reason=f"{Path(file).parent}: {error.strerror}") from error
