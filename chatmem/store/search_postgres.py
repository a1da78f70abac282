"""The search index in PostgreSQL: one small row for each term of each message.

Not a GIN index of arrays, though it takes a quarter of the room: it brings all messages of a term before the
newest can be chosen, unless the planner knows how frequent the term is, which of the terms of one chat among
many it does not. In a B-tree the newest of a term stand together, and a list is read from its end. A term is
kept as eight bytes of its hash: rows stay small, and the words themselves are in the messages only.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence

from sqlalchemy import Connection


def create_search(connection: Connection) -> None:
    """Make the index."""
    connection.exec_driver_sql(
        "CREATE TABLE message_search"
        " (term bigint NOT NULL, message_id bigint NOT NULL, PRIMARY KEY (term, message_id))"
    )
    connection.exec_driver_sql("CREATE INDEX ix_message_search_message ON message_search (message_id)")


def replace(connection: Connection, message_ids: Sequence[int], entries: Mapping[int, Sequence[str]]) -> None:
    if message_ids:
        connection.exec_driver_sql("DELETE FROM message_search WHERE message_id = ANY(%s)", (list(message_ids),))
    # In the order of the index, and as text that needs no conversion: an import writes hundreds of thousands.
    rows = sorted({(_number(term), message_id) for message_id, entry in entries.items() for term in entry})
    if rows:
        connection.exec_driver_sql(
            "INSERT INTO message_search (term, message_id) SELECT * FROM unnest(%s::bigint[], %s::bigint[])",
            tuple(f"{{{','.join(map(str, column))}}}" for column in zip(*rows, strict=True)),
        )


def _number(term: str) -> int:
    return int.from_bytes(hashlib.blake2b(term.encode(), digest_size=8).digest(), "big", signed=True)


def merge_index(connection: Connection) -> None:
    """Nothing to do: a deleted row is gone for every reader, and its place is the server's own affair."""


_LISTS = """SELECT wanted.place - 1, messages.number
FROM unnest(%(terms)s::bigint[]) WITH ORDINALITY AS wanted (term, place)
CROSS JOIN LATERAL (
    SELECT message_id FROM message_search
    WHERE term = wanted.term AND message_id <= %(newest_id)s
    ORDER BY term DESC, message_id DESC LIMIT %(longest)s
) AS held
JOIN messages ON messages.id = held.message_id
WHERE messages.conversation_id = %(conversation_id)s AND messages.number <= %(through)s
AND NOT messages.void AND messages.retired_at IS NULL AND messages.status != 'streaming'"""
# ORDER BY both columns: read backwards in the primary key, however few rows the planner expects.


def lists(
    connection: Connection,
    conversation_id: str,
    terms: Sequence[str],
    newest_id: int,
    through: int,
    longest: int,
) -> Iterable[tuple[int, int]]:
    rows = connection.exec_driver_sql(_LISTS, {
        "terms": list(map(_number, terms)), "newest_id": newest_id, "longest": longest,
        "conversation_id": conversation_id, "through": through,
    })  # fmt: skip
    return [(place, number) for place, number in rows]
