"""Reading the messages of a chat, as pages and the terminal show them."""

from __future__ import annotations

from sqlalchemy import bindparam, func, select
from sqlalchemy.orm import Session

from chatmem.domain import Message, Status
from chatmem.errors import NotFound, NothingToForget
from chatmem.store.database import Database
from chatmem.store.rows import is_live, message_of, owned
from chatmem.store.tables import ConversationRow, MessageRow

# Built once: building a statement costs as much as running it.
_STREAMING = select(MessageRow).where(
    MessageRow.conversation_id == bindparam("chat_id"), MessageRow.status == Status.STREAMING
)


def streaming_row(session: Session, conversation_id: str) -> MessageRow | None:
    """The chat's reply in progress."""
    return session.scalar(_STREAMING, {"chat_id": conversation_id})


class MessageReading:
    def __init__(self, database: Database) -> None:
        self._database = database

    def message(self, owner_id: int, message_id: int) -> Message:
        """One message of this owner. Raises `NotFound`."""
        with self._database.read() as session:
            row = session.scalar(
                select(MessageRow)
                .join(ConversationRow)
                .where(
                    MessageRow.id == message_id,
                    ConversationRow.owner_id == owner_id,
                    ConversationRow.hidden_at.is_(None),
                )
            )
            if row is None:
                raise NotFound()
            return message_of(row)

    def last_question(self, owner_id: int, conversation_id: str) -> Message:
        """The person's last message that is not set aside. Raises `NothingToForget` where there is none."""
        with self._database.read() as session:
            row = session.scalars(
                select(MessageRow)
                .join(ConversationRow)
                .where(
                    MessageRow.conversation_id == conversation_id,
                    ConversationRow.owner_id == owner_id,
                    ConversationRow.hidden_at.is_(None),
                    MessageRow.role == "user",
                    MessageRow.retired_at.is_(None),
                )
                .order_by(MessageRow.number.desc())
                .limit(1)
            ).first()
            if row is None:
                raise NothingToForget()
            return message_of(row)

    def page(
        self,
        owner_id: int,
        conversation_id: str,
        before: int | None = None,
        limit: int = 50,
        retired: bool = False,
        offset: int = 0,
    ) -> list[Message]:
        """The newest `limit` messages with numbers below `before`, in order; on request retired ones too.

        `offset` skips that many of the newest.
        """
        query = select(MessageRow).where(MessageRow.conversation_id == conversation_id)
        if before is not None:
            query = query.where(MessageRow.number < before)
        if not retired:
            query = query.where(MessageRow.retired_at.is_(None))
        with self._database.read() as session:
            owned(session, owner_id, conversation_id)
            rows = session.scalars(query.order_by(MessageRow.number.desc()).limit(limit).offset(offset)).all()
            return [message_of(row) for row in reversed(rows)]

    def streaming(self, owner_id: int, conversation_id: str) -> Message | None:
        """The chat's reply in progress, if there is one."""
        with self._database.read() as session:
            owned(session, owner_id, conversation_id)
            row = streaming_row(session, conversation_id)
            return message_of(row) if row else None

    def total(self, owner_id: int, conversation_id: str) -> int:
        """All messages of a chat, retired ones too."""
        with self._database.read() as session:
            owned(session, owner_id, conversation_id)
            in_chat = MessageRow.conversation_id == conversation_id
            return session.scalar(select(func.count()).where(in_chat)) or 0

    def counts(self, owner_id: int, conversation_id: str) -> tuple[int, int]:
        """(messages not retired, live messages) of a chat."""
        with self._database.read() as session:
            owned(session, owner_id, conversation_id)
            in_chat = MessageRow.conversation_id == conversation_id
            shown = session.scalar(select(func.count()).where(in_chat, MessageRow.retired_at.is_(None)))
            live = session.scalar(select(func.count()).where(in_chat, is_live()))
            return shown or 0, live or 0
