"""The search index in SQLite: a full-text table of which only membership is used."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection


def create_search(connection: Connection) -> None:
    """Make the index. `rowid` is the message's id; only membership is kept, no counts, no positions."""
    connection.exec_driver_sql(
        "CREATE VIRTUAL TABLE message_search USING fts5(terms, detail=none, columnsize=0, tokenize='ascii')"
    )


def replace(connection: Connection, message_ids: Sequence[int], entries: Mapping[int, Sequence[str]]) -> None:
    for message_id in message_ids:
        connection.exec_driver_sql("DELETE FROM message_search WHERE rowid = ?", (message_id,))
    for message_id, entry in entries.items():
        connection.exec_driver_sql(
            "INSERT INTO message_search (rowid, terms) VALUES (?, ?)", (message_id, " ".join(entry))
        )


def merge_index(connection: Connection) -> None:
    """Write the index anew as one piece: deleted terms stand in older pieces until those are merged."""
    connection.exec_driver_sql("INSERT INTO message_search (message_search) VALUES ('optimize')")


_LIST = """SELECT * FROM (SELECT {place} AS place, rowid AS id FROM message_search
WHERE message_search MATCH ? AND rowid <= ? ORDER BY rowid DESC LIMIT {limit})"""

# CROSS JOIN: the lists come first, whatever the planner thinks of the messages' own indexes.
_LISTS = """SELECT lists.place, messages.number FROM ({lists}) AS lists
CROSS JOIN messages ON messages.id = lists.id
WHERE messages.conversation_id = ? AND messages.number <= ?
AND messages.void = 0 AND messages.retired_at IS NULL AND messages.status != 'streaming'"""


def lists(
    connection: Connection,
    conversation_id: str,
    terms: Sequence[str],
    newest_id: int,
    through: int,
    longest: int,
) -> Iterable[tuple[int, int]]:
    found = " UNION ALL ".join(_LIST.format(place=place, limit=longest) for place in range(len(terms)))
    values: list[Any] = []
    for term in terms:
        values += [f'"{term}"', newest_id]
    rows = connection.exec_driver_sql(_LISTS.format(lists=found), (*values, conversation_id, through))
    return [(place, number) for place, number in rows]
