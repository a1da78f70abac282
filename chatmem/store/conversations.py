"""The list of chats: finding, naming, deleting with undo."""

from __future__ import annotations

from datetime import timedelta

from sqlalchemy import bindparam, func, select, update

from chatmem.domain import Conversation
from chatmem.errors import NotFound
from chatmem.store.database import Database
from chatmem.store.forgetting import delete_chat, delete_unused_parts, facts_only_of, forget_facts
from chatmem.store.rows import conversation_of, owned
from chatmem.store.tables import ConversationRow, MessageRow

UNDO_DELETE = timedelta(seconds=10)
"""How long a deleted chat can be brought back before it is purged."""


_PRESET = select(ConversationRow.preset).where(
    ConversationRow.id == bindparam("conversation_id"), ConversationRow.owner_id == bindparam("owner_id")
)


class Conversations:
    def __init__(self, database: Database) -> None:
        self._database = database

    def get(self, owner_id: int, conversation_id: str) -> Conversation:
        """Raises `NotFound`, the same for a foreign chat as for none."""
        with self._database.read() as session:
            return conversation_of(owned(session, owner_id, conversation_id))

    def recent(self, owner_id: int, search: str = "", limit: int = 50) -> list[Conversation]:
        """The owner's chats, the latest first; with `search`, those whose title or messages hold it."""
        query = (
            select(ConversationRow)
            .where(ConversationRow.owner_id == owner_id, ConversationRow.hidden_at.is_(None))
            .order_by(ConversationRow.updated_at.desc(), ConversationRow.id)
            .limit(limit)
        )
        if search.strip():
            text = search.replace("\0", "").strip()
            said = (
                select(MessageRow.id)
                .where(
                    MessageRow.conversation_id == ConversationRow.id,
                    MessageRow.text.icontains(text, autoescape=True),
                )
                .exists()
            )
            query = query.where(ConversationRow.title.icontains(text, autoescape=True) | said)
        with self._database.read() as session:
            return [conversation_of(row) for row in session.scalars(query)]

    def count(self, owner_id: int) -> int:
        """How many chats the owner has."""
        mine = (ConversationRow.owner_id == owner_id, ConversationRow.hidden_at.is_(None))
        with self._database.read() as session:
            return session.scalar(select(func.count()).select_from(ConversationRow).where(*mine)) or 0

    def rename(self, owner_id: int, conversation_id: str, title: str) -> None:
        """A name given by the person; no later title replaces it."""
        with self._database.write() as session:
            row = owned(session, owner_id, conversation_id)
            row.title, row.title_settled = title, True

    def suggest_title(self, owner_id: int, conversation_id: str, title: str) -> None:
        """A title from the helper model, taken only while the chat still has its first words for one."""
        with self._database.write() as session:
            session.execute(
                update(ConversationRow)
                .where(
                    ConversationRow.id == conversation_id,
                    ConversationRow.owner_id == owner_id,
                    ConversationRow.title_settled.is_(False),
                )
                .values(title=title, title_settled=True)
            )

    def preset(self, owner_id: int, conversation_id: str) -> str | None:
        """The chat's own memory preset, if it has one. A chat that is not there yet has none."""
        with self._database.read() as session:
            return session.scalar(_PRESET, {"conversation_id": conversation_id, "owner_id": owner_id})

    def set_preset(self, owner_id: int, conversation_id: str, preset: str | None) -> None:
        """This chat's own memory preset; None follows the owner's."""
        with self._database.write() as session:
            owned(session, owner_id, conversation_id).preset = preset

    def set_switches(
        self, owner_id: int, conversation_id: str, uses_facts: bool | None, learns: bool | None
    ) -> None:
        """This chat's own "use memory" and "learn automatically"; None follows the owner's."""
        with self._database.write() as session:
            row = owned(session, owner_id, conversation_id)
            row.uses_facts, row.learns = uses_facts, learns

    def learned_in(self, owner_id: int, conversation_id: str) -> int:
        """How many facts were learned in a chat and are proven by nothing outside it."""
        with self._database.read() as session:
            owned(session, owner_id, conversation_id)
            return len(facts_only_of(session, owner_id, conversation_id))

    def hide(self, owner_id: int, conversation_id: str, with_facts: bool = False) -> None:
        """Delete, for the eye: at once gone from everywhere, until `unhide` or `purge`.

        `with_facts`: what was learned in it alone goes with it, when it is purged.
        """
        with self._database.write() as session:
            chat = owned(session, owner_id, conversation_id)
            chat.hidden_at, chat.takes_facts = self._database.now(), with_facts

    def unhide(self, owner_id: int, conversation_id: str) -> None:
        """Take back `hide`. Raises `NotFound` when the chat is purged already."""
        with self._database.write() as session:
            row = session.scalar(
                select(ConversationRow).where(
                    ConversationRow.id == conversation_id, ConversationRow.owner_id == owner_id
                )
            )
            if row is None:
                raise NotFound()
            row.hidden_at, row.takes_facts = None, False

    def purge(self, age: timedelta = UNDO_DELETE) -> int:
        """Delete for good what has been hidden for longer than `age`; the number of chats."""
        with self._database.write() as session:
            old = ConversationRow.hidden_at < self._database.now() - age
            chats = session.scalars(select(ConversationRow).where(old)).all()
            for chat in chats:
                facts = facts_only_of(session, chat.owner_id, chat.id) if chat.takes_facts else []
                delete_chat(session, chat.id)
                if facts:
                    forget_facts(session, chat.owner_id, facts)
            for owner_id in {chat.owner_id for chat in chats}:
                delete_unused_parts(session, owner_id)
            return len(chats)
