"""Where things stand among all chats of an owner: full-text search for a person, not for recall.

A word is found wherever it stands, in the middle of a longer one too, so that "배포" finds "재배포를" and
half a name finds the whole. That takes a walk through the owner's messages: some 20 ms for 10,000.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select

from chatmem.domain import Message
from chatmem.errors import NotFound
from chatmem.store.database import Database
from chatmem.store.rows import message_of
from chatmem.store.tables import ConversationRow, MessageRow

MOST_WORDS = 12
"""Words of a search that count; a pasted page is searched for by its beginning."""


@dataclass(frozen=True, slots=True)
class Place:
    """A message somewhere among an owner's chats."""

    message: Message
    conversation_id: str
    title: str


def words_of(search: str) -> list[str]:
    """The words that a search looks for."""
    return unicodedata.normalize("NFC", search.replace("\0", " ")).split()[:MOST_WORDS]


class Places:
    def __init__(self, database: Database) -> None:
        self._database = database

    def search(self, owner_id: int, search: str, limit: int) -> list[Place]:
        """Messages that hold all of these words, the newest first; those set aside too.

        Case does not matter in ASCII. No words find nothing.
        """
        words = words_of(search)
        if not words:
            return []
        where = [MessageRow.text.icontains(word, autoescape=True) for word in words]
        return self._find(owner_id, *where, limit=limit)

    def by_id(self, owner_id: int, message_id: int) -> Place:
        """Raises `NotFound`."""
        found = self.by_ids(owner_id, [message_id])
        if not found:
            raise NotFound()
        return found[0]

    def by_ids(self, owner_id: int, message_ids: Collection[int]) -> list[Place]:
        return self._find(owner_id, MessageRow.id.in_(message_ids))

    def replies_to(self, owner_id: int, message_ids: Collection[int]) -> list[Place]:
        """Every answer that was given to these questions, retired ones too."""
        return self._find(owner_id, MessageRow.answers_id.in_(message_ids))

    def holding(self, owner_id: int, words: str, limit: int) -> list[Place]:
        """Messages whose text holds these words as they stand, the newest first."""
        return self._find(owner_id, MessageRow.text.icontains(words, autoescape=True), limit=limit)

    def _find(self, owner_id: int, *where: Any, limit: int | None = None) -> list[Place]:
        query = (
            select(MessageRow, ConversationRow.title)
            .join(ConversationRow, ConversationRow.id == MessageRow.conversation_id)
            .where(ConversationRow.owner_id == owner_id, ConversationRow.hidden_at.is_(None), *where)
            .order_by(MessageRow.id.desc())
            .limit(limit)
        )
        with self._database.read() as session:
            return [Place(message_of(row), row.conversation_id, title) for row, title in session.execute(query)]
