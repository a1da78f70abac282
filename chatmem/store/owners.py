"""Who is here, what they chose, and what they spent."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from datetime import UTC
from typing import Any

from sqlalchemy import delete, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from chatmem.domain import Owner
from chatmem.errors import NotFound
from chatmem.store.database import Database
from chatmem.store.fact_rows import OPEN, step
from chatmem.store.tables import ConversationRow, FactRow, OwnerRow, PartRow, SpendingRow

LOCAL_OWNER = hashlib.sha256(b"the owner of this machine").hexdigest()
"""Where everybody at this machine is one person: `CHATMEM_IDENTITY=local`, and an empty terminal database."""


def hash_token(token: str) -> str:
    """What is stored of a visitor's token. A browser's is 192 random bits, so a plain hash cannot be guessed.

    That of a person who logs in is no secret: the hash lets nobody in, a provider's word does.
    """
    return hashlib.sha256(token.encode()).hexdigest()


class Owners:
    """Owners are found by the hash of their token; the token itself is never stored."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def find(self, token_hash: str) -> Owner | None:
        with self._database.read() as session:
            return _owner(session.scalar(select(OwnerRow).where(OwnerRow.token_hash == token_hash)))

    def enter(self, token_hash: str, kind: str) -> Owner:
        """The owner with this hash, made now if there is none. Two tabs at once make one."""
        if found := self.find(token_hash):
            return found
        with self._database.write() as session:
            try:
                with session.begin_nested():
                    session.execute(
                        insert(OwnerRow).values(
                            kind=kind, token_hash=token_hash, preferences={}, created_at=self._database.now()
                        )
                    )
            except IntegrityError:
                pass  # the other tab was first, which is as good
            row = session.scalar(select(OwnerRow).where(OwnerRow.token_hash == token_hash))
            assert row is not None
            return Owner(row.id, row.preferences)

    def all(self) -> list[tuple[int, str, str]]:
        """(id, kind, beginning of the hash) of every owner of chats or facts, for the terminal."""
        with self._database.read() as session:
            with_something = select(ConversationRow.owner_id).union(select(FactRow.owner_id))
            rows = session.execute(
                select(OwnerRow.id, OwnerRow.kind, OwnerRow.token_hash)
                .where(OwnerRow.id.in_(with_something))
                .order_by(OwnerRow.id)
            )
            return [(id_, kind, token_hash[:8]) for id_, kind, token_hash in rows]

    def get(self, owner_id: int) -> Owner:
        with self._database.read() as session:
            owner = _owner(session.get(OwnerRow, owner_id))
        if owner is None:
            raise NotFound()
        return owner

    def save_preferences(self, owner_id: int, preferences: Mapping[str, object]) -> None:
        with self._database.write() as session:
            session.execute(update(OwnerRow).where(OwnerRow.id == owner_id).values(preferences=dict(preferences)))

    def move(self, from_id: int, to_id: int) -> None:
        """Everything of a provisional owner becomes another owner's, in one transaction."""
        if from_id == to_id:
            return
        with self._database.write() as session:
            session.execute(
                update(ConversationRow).where(ConversationRow.owner_id == from_id).values(owner_id=to_id)
            )
            there = select(PartRow.hash).where(PartRow.owner_id == to_id)
            session.execute(delete(PartRow).where(PartRow.owner_id == from_id, PartRow.hash.in_(there)))
            session.execute(update(PartRow).where(PartRow.owner_id == from_id).values(owner_id=to_id))
            _move_facts(session, from_id, to_id)
            for day, tokens in session.execute(
                select(SpendingRow.day, SpendingRow.tokens).where(SpendingRow.owner_id == from_id)
            ).all():
                _spend(session, to_id, day, tokens)
            session.execute(delete(OwnerRow).where(OwnerRow.id == from_id))

    def spend(self, owner_id: int, tokens: int) -> None:
        """Add to what the owner used of the shared key today (UTC); a negative number gives back."""
        with self._database.write() as session:
            _spend(session, owner_id, self._today(), tokens)

    def reserve(self, owner_id: int, tokens: int, limit: int) -> bool:
        """The same, unless `limit` is reached: False then, and nothing is added.

        Looked up and added in one transaction, so that however many ask at once, in however many processes, the
        limit is passed by one reservation at most.
        """
        with self._database.write() as session:
            row = session.get(SpendingRow, (owner_id, self._today()))
            if row is not None and row.tokens >= limit:
                return False
            _spend(session, owner_id, self._today(), tokens)
            return True

    def spent_today(self, owner_id: int) -> int:
        today = self._today()
        with self._database.read() as session:
            return (
                session.scalar(
                    select(SpendingRow.tokens).where(SpendingRow.owner_id == owner_id, SpendingRow.day == today)
                )
                or 0
            )

    def _today(self) -> str:
        return self._database.now().astimezone(UTC).date().isoformat()


def _move_facts(session: Session, from_id: int, to_id: int) -> None:
    """Facts that the other owner has already are dropped: one copy of each."""
    known = select(FactRow.fingerprint).where(FactRow.owner_id == to_id, FactRow.status.in_(OPEN))
    session.execute(
        delete(FactRow).where(
            FactRow.owner_id == from_id, FactRow.status.in_(OPEN), FactRow.fingerprint.in_(known)
        )
    )
    epoch = step(session, to_id)
    session.execute(update(FactRow).where(FactRow.owner_id == from_id).values(owner_id=to_id, revision=epoch))


def _owner(row: OwnerRow | None) -> Owner | None:
    return Owner(row.id, row.preferences) if row else None


def _spend(session: Session, owner_id: int, day: str, tokens: int) -> None:
    row: Any = session.get(SpendingRow, (owner_id, day))
    if row is None:
        session.add(SpendingRow(owner_id=owner_id, day=day, tokens=tokens))
    else:
        row.tokens += tokens
    session.flush()
