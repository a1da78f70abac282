"""Embeddings of messages: which are missing, and keeping them. Written in the background only."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import delete, select

from chatmem.store.database import Database
from chatmem.store.rows import is_live, owned
from chatmem.store.tables import MessageRow, MessageVectorRow


class MessageVectors:
    def __init__(self, database: Database) -> None:
        self._database = database

    def missing(self, owner_id: int, conversation_id: str, model: str, limit: int) -> list[tuple[int, str]]:
        """(id, text) of live messages that `model` has not embedded yet, the newest first."""
        with self._database.read() as session:
            owned(session, owner_id, conversation_id)
            embedded = select(MessageVectorRow.message_id).where(
                MessageVectorRow.message_id == MessageRow.id, MessageVectorRow.model == model
            )
            rows = session.execute(
                select(MessageRow.id, MessageRow.text)
                .where(MessageRow.conversation_id == conversation_id, is_live(), ~embedded.exists())
                .order_by(MessageRow.number.desc())
                .limit(limit)
            )
            return [(id_, text) for id_, text in rows]

    def save(self, owner_id: int, conversation_id: str, model: str, vectors: Sequence[tuple[int, bytes]]) -> None:
        """Keep embeddings; another model's of the same message go. One that is gone is passed over."""
        with self._database.write() as session:
            owned(session, owner_id, conversation_id)
            ids = [message_id for message_id, _ in vectors]
            there = set(
                session.scalars(
                    select(MessageRow.id).where(
                        MessageRow.id.in_(ids),
                        MessageRow.conversation_id == conversation_id,
                        MessageRow.forgotten_at.is_(None),
                    )
                )
            )
            session.execute(delete(MessageVectorRow).where(MessageVectorRow.message_id.in_(there)))
            session.add_all(
                MessageVectorRow(message_id=message_id, model=model, vector=vector)
                for message_id, vector in vectors
                if message_id in there
            )
