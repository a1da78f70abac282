"""The search index of messages, and the search in one conversation.

The index answers one question only: which messages of this conversation hold this term, the newest
first. All else is counted from those lists, so that a search costs the same in a chat of a hundred
messages and of a hundred thousand: a list is read up to `LONGEST_LIST` and never to its end.

Every term stands in the index behind a key of its conversation, so that nobody else's messages are
even looked at. What is retired stays indexed, since a reset can be undone; a search leaves it out.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from sqlalchemy import Connection, and_, bindparam, select
from sqlalchemy.orm import Session

from chatmem.domain import Message, Role, Status
from chatmem.search_terms import WEAK, AskedDate, asked_dates, date_terms, question_terms, terms
from chatmem.store import search_postgres, search_sqlite
from chatmem.store.database import Database
from chatmem.store.rows import is_live, owned
from chatmem.store.tables import ConversationRow, MessageRow, MessageVectorRow

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]
    Shares = NDArray[np.float64]

LONGEST_LIST = 100
"""Messages read for one term, the newest ones. A term that has more is judged by how densely they lie."""

ALL_LISTS = 800
"""Messages read for all terms together: a question of many terms reads shorter lists."""

MOST_TERMS = 24
"""Terms of a question that are looked up; of a pasted page, its beginning."""

MOST_DATES = 8

COMMON_SHARE = 0.2
"""A term in more than this share of a chat's messages says nothing about any of them: the name of who
speaks, the subject of the whole chat."""

FEWEST_COMMON = 20
"""Messages a term must be in to be called common: in a short chat shares mean little."""

NEAR, AROUND = 2, 4
"""Messages to both sides that lend theirs to a message: a question is often answered in the next turn,
and what "it" is was said two turns before."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A message that may be meant, and which share of the question's terms (0 to 1, each term weighing by
    its rarity in the chat) is found in it, in it or the message before, within `NEAR` and `AROUND` of it.
    """

    message: Message
    own: float
    with_previous: float
    near: float
    around: float
    vector: bytes | None


@dataclass(frozen=True, slots=True)
class Found:
    """What a search brings: candidates in order of their numbers, the question's `common` terms, which
    did not count, and the dates it names."""

    candidates: tuple[Candidate, ...] = ()
    common: frozenset[str] = frozenset()
    dates: tuple[AskedDate, ...] = ()

    def __len__(self) -> int:
        return len(self.candidates)


class Search:
    def __init__(self, database: Database) -> None:
        self._database = database

    def messages(
        self, owner_id: int, conversation_id: str, question: str, through: int, model: str = "", limit: int = 100
    ) -> Found:
        """Live messages with numbers up to `through` that share something with the question, or whose
        neighbours do: the `limit` most promising. Vectors are those of the embedding `model`.
        """
        dates, undated = asked_dates(question)
        wanted = question_terms(undated)[:MOST_TERMS]
        days = sorted({term for date in dates if (term := date.term)})[:MOST_DATES]
        if not wanted and not days:
            return Found()
        with self._database.read() as session:
            through = min(through, owned(session, owner_id, conversation_id).last_number)
            longest = min(LONGEST_LIST, ALL_LISTS // (len(wanted) + len(days)))
            lists = _lists(session, conversation_id, [*wanted, *days], through, longest)
            spread = {term: _spread(lists[term], through, longest) for term in wanted if lists.get(term)}
            common = {term for term, share in spread.items() if _is_common(share, len(lists[term]))}
            if len(common) == len(spread):
                common = set()  # all the question has: better than nothing
            weights = {term: _weight(share, through) for term, share in spread.items() if term not in common}
            absent = sum(term not in spread and term not in WEAK for term in wanted)
            total = sum(weights.values()) + absent * _weight(0.0, through)
            chosen = _most_promising(lists, weights, total, days, through, limit)
            named = {"conversation_id": conversation_id, "numbers": list(chosen), "model": model}
            rows = session.connection().execute(_CANDIDATES, named).all() if chosen else []
        candidates = tuple(_candidate(chosen[row[1]], *row) for row in rows)
        return Found(candidates, frozenset(common), tuple(dates))


def _candidate(
    shares: tuple[float, float, float, float],
    id_: int, number: int, role: str, text: str, status: str, created_at: datetime, tokens: int, model: str,
    vector: bytes | None,
) -> Candidate:  # fmt: skip
    """One of a hundred a search: only what a live message can have is read, and each thing once."""
    speaker: Role = "user" if role == "user" else "assistant"
    message = Message(id_, number, speaker, text, Status(status), created_at, tokens, model=model)
    return Candidate(message, *shares, vector)


def _spread(numbers: Sequence[int], through: int, longest: int) -> float:
    """The share of messages a term is in; of a list that was cut off, the share where it was read.

    A list that was cut off may be shorter than `longest`, since what is not live has left it.
    """
    seen = through - min(numbers) + 1 if len(numbers) >= longest // 2 else through
    return min(1.0, len(numbers) / max(seen, 1))


def _is_common(share: float, listed: int) -> bool:
    return share > COMMON_SHARE and listed >= FEWEST_COMMON


def _weight(share: float, messages: int) -> float:
    """Robertson's inverse document frequency as BM25 has it."""
    held = share * messages
    return math.log(1 + (messages - held + 0.5) / (held + 0.5))


def _most_promising(
    lists: Mapping[str, Sequence[int]],
    weights: Mapping[str, float],
    total: float,
    days: Sequence[str],
    through: int,
    limit: int,
) -> dict[int, tuple[float, float, float, float]]:
    """The numbers of the most promising messages, with their four shares (see `Candidate`)."""
    import numpy as np

    held = [number for term in (*weights, *days) for number in lists.get(term, ())]
    if not held:
        return {}
    hits = np.unique(np.array(held, dtype=np.int64))
    masks = np.zeros(len(hits), dtype=np.int64)
    for place, term in enumerate(weights):
        masks[np.searchsorted(hits, lists[term])] |= 1 << place
    dated = np.zeros(len(hits), dtype=np.int64)
    for day in days:
        dated[np.searchsorted(hits, np.array(lists.get(day, ()), dtype=np.int64))] = 1
    by_rarity = np.array([*weights.values()]) / total if total else np.zeros(0)

    def judged(numbers: Numbers) -> tuple[Numbers, Shares]:
        """The most promising of these messages, and their shares in columns."""

        def at(away: int, values: Numbers) -> Numbers:
            places = np.minimum(np.searchsorted(hits, numbers + away), len(hits) - 1)
            return np.where(hits[places] == numbers + away, values[places], 0)

        here = at(0, masks)
        before = here | at(-1, masks)
        near = before | at(1, masks) | at(-2, masks) | at(2, masks)
        around = near | at(-3, masks) | at(3, masks) | at(-4, masks) | at(4, masks)
        held_bits = np.stack((here, before, near, around))[:, :, None] >> np.arange(len(weights))
        shares: Shares = (held_bits & 1) @ by_rarity
        promise = shares[2] + 0.5 * shares[0] + 0.3 * shares[3] + at(0, dated)
        best = np.argsort(-promise, kind="stable")[:limit]
        return numbers[best], shares[:, best]

    # First the messages that hold a term themselves, then the best of them with their neighbours.
    beside = np.unique((judged(hits)[0][:, None] + np.arange(-NEAR, NEAR + 1)).ravel())
    numbers, shares = judged(beside[(beside >= 1) & (beside <= through)])
    return {number: (a, b, c, d) for number, a, b, c, d in zip(numbers.tolist(), *shares.tolist(), strict=True)}


_CANDIDATES = (
    select(
        MessageRow.id, MessageRow.number, MessageRow.role, MessageRow.text, MessageRow.status,
        MessageRow.created_at, MessageRow.tokens, MessageRow.model, MessageVectorRow.vector,
    )
    .outerjoin(
        MessageVectorRow,
        and_(MessageVectorRow.message_id == MessageRow.id, MessageVectorRow.model == bindparam("model")),
    )
    .where(
        MessageRow.conversation_id == bindparam("conversation_id"),
        MessageRow.number.in_(bindparam("numbers", expanding=True)),
        is_live(),
    )
    .order_by(MessageRow.number)
)  # fmt: skip
"""Built once: to build it with its many numbers takes longer than to run it."""


def index_messages(session: Session, conversation_id: str, message_ids: Sequence[int]) -> None:
    """Index these messages as they are now, in the transaction that changed them. Others than live
    ones of this conversation leave the index."""
    session.flush()
    rows = session.execute(
        select(MessageRow.id, MessageRow.text, MessageRow.created_at).where(
            MessageRow.id.in_(message_ids), MessageRow.conversation_id == conversation_id, is_live()
        )
    ).all()
    key = _key(conversation_id)
    entries = {row.id: [key + term for term in search_entry(row.text, row.created_at)] for row in rows}
    _replace(session.connection(), message_ids, entries)


def index_terms(session: Session, conversation_id: str, entries: Mapping[int, Sequence[str]]) -> None:
    """Index messages by what `search_entry` made of them before: in a long transaction only that waits."""
    key = _key(conversation_id)
    keyed = {id_: [key + term for term in found] for id_, found in entries.items()}
    _replace(session.connection(), list(entries), keyed)


def search_entry(text: str, created_at: datetime) -> list[str]:
    """What a message is found by."""
    return list(dict.fromkeys([*terms(text), *date_terms(created_at)]))


def index_everything(connection: Connection) -> None:
    """Index all messages of a database that had no index: for the migration."""
    with Session(connection) as session:
        for conversation_id in session.scalars(select(ConversationRow.id)).all():
            ids = session.scalars(
                select(MessageRow.id).where(MessageRow.conversation_id == conversation_id, is_live())
            ).all()
            for start in range(0, len(ids), 500):
                index_messages(session, conversation_id, ids[start : start + 500])


def _key(conversation_id: str) -> str:
    """Six characters: two chats with the same one cost each other time, no more."""
    return hashlib.blake2b(conversation_id.encode(), digest_size=3).hexdigest()


def create_search(connection: Connection) -> None:
    """Make the index: for the migration."""
    _words_of(connection).create_search(connection)


def merge_index(session: Session) -> None:
    """Leave nothing in the index of terms that were deleted from it."""
    connection = session.connection()
    _words_of(connection).merge_index(connection)


def _replace(connection: Connection, message_ids: Sequence[int], entries: Mapping[int, Sequence[str]]) -> None:
    _words_of(connection).replace(connection, message_ids, entries)


def _lists(
    session: Session, conversation_id: str, wanted: Sequence[str], through: int, longest: int
) -> dict[str, list[int]]:
    """For each term the numbers of the newest live messages up to `through` that hold it."""
    newest = session.scalar(
        select(MessageRow.id)
        .where(MessageRow.conversation_id == conversation_id, MessageRow.number <= through)
        .order_by(MessageRow.number.desc())
        .limit(1)
    )
    if newest is None:
        return {}
    key = _key(conversation_id)
    connection = session.connection()
    rows = _words_of(connection).lists(
        connection, conversation_id, [key + term for term in wanted], newest, through, longest
    )
    found: dict[str, list[int]] = {term: [] for term in wanted}
    for place, number in rows:
        found[wanted[place]].append(number)
    return found


class _Words(Protocol):
    """What each database says in its own way: the functions of `search_sqlite` and `search_postgres`."""

    def create_search(self, connection: Connection) -> None: ...

    def replace(
        self, connection: Connection, message_ids: Sequence[int], entries: Mapping[int, Sequence[str]]
    ) -> None:
        """Take these messages out of the index, and put in what they are found by now."""

    def merge_index(self, connection: Connection) -> None: ...

    def lists(
        self,
        connection: Connection,
        conversation_id: str,
        terms: Sequence[str],
        newest_id: int,
        through: int,
        longest: int,
    ) -> Iterable[tuple[int, int]]:
        """(place of the term, number of the message): for each term its newest `longest` messages up to
        `newest_id`, and of those the live ones of this conversation."""


def _words_of(connection: Connection) -> _Words:
    return search_postgres if connection.dialect.name == "postgresql" else search_sqlite
