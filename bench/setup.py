"""What several benches need: a database with a chat of any length, written the quick way."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from unittest.mock import patch

from sqlalchemy import insert

from chatmem.app import App
from chatmem.domain import Status, new_id
from chatmem.embeddings import Embedder
from chatmem.llm.models import Models
from chatmem.llm.protocol import LanguageModel
from chatmem.settings import Settings
from chatmem.store import Store, migrate
from chatmem.store.search import index_messages
from chatmem.store.tables import ConversationRow, MessageRow, SummaryRow
from chatmem.tokens import count_tokens

USER_TEXT = "I was thinking about the garden again, number {number}: the tomatoes want more sun than they get."
REPLY_TEXT = "Understood. Tomatoes like six hours of sun a day; number {number} is noted for the plan."
SUMMARY_TEXT = (
    "Background: a person with a garden and little sun.\n"
    "Preferences: tomatoes, plain explanations.\n"
    "Goals: a plan for the next year.\n"
    "Discussed: sun, soil, watering, which sorts to take.\n"
    "In progress: the plan itself."
)


def open_app(folder: Path, model: LanguageModel, embedder: Embedder | None = None) -> App:
    """An app on a new database in `folder`, every answer given by `model`; with vectors, given an `embedder`."""
    url = f"sqlite:///{folder / 'bench.db'}"
    settings = Settings(database_url=url)
    return App(settings, Store(url), Models(settings, model, count_tokens), lambda: datetime.now(UTC), embedder)


def add_chat(app: App, owner_id: int, messages: int, window: int = 10) -> str:
    """A chat of so many messages, all but the last `window` covered by a summary; its id."""
    conversation_id, now = new_id(), datetime.now(UTC)
    covered = max(0, messages - window)
    with app.store._database.write() as session:
        session.add(
            ConversationRow(
                id=conversation_id, owner_id=owner_id, title="The garden", title_settled=True,
                memory_epoch=0, last_number=messages, created_at=now, updated_at=now,
            )
        )  # fmt: skip
        session.flush()
        for rows in _batches(conversation_id, messages, now):
            ids = session.scalars(insert(MessageRow).returning(MessageRow.id), rows).all()
            index_messages(session, conversation_id, ids)
        session.get_one(ConversationRow, conversation_id).extracted_through = messages
        if covered:
            summary = SummaryRow(
                conversation_id=conversation_id, version=1, parent_id=None, covers_from=1,
                covers_through=covered, text=SUMMARY_TEXT, pins=[[1, "the tomatoes want more sun"]],
                source="model", counted=messages, kept=window, tokens=count_tokens(SUMMARY_TEXT),
                model="bench", created_at=now,
            )  # fmt: skip
            session.add(summary)
            session.flush()
            session.get_one(ConversationRow, conversation_id).head_id = summary.id
    return conversation_id


def _batches(conversation_id: str, messages: int, now: datetime) -> Iterator[list[dict[str, object]]]:
    tokens = count_tokens(USER_TEXT)
    rows: list[dict[str, object]] = []
    for number in range(1, messages + 1):
        is_user = number % 2 == 1
        rows.append(
            {
                "conversation_id": conversation_id,
                "number": number,
                "role": "user" if is_user else "assistant",
                "text": text_of(number),
                "tokens": tokens,
                "status": Status.COMPLETE,
                "void": False,
                "model": "",
                "stop_requested": False,
                "created_at": now,
            }
        )
        if len(rows) == 5_000 or number == messages:
            yield rows
            rows = []


def old_database(file: Path, version: str, people: dict[str, list[str]], messages: int) -> None:
    """A SQLite database as an older version of chatmem left it: these people, by a letter, with these chats."""
    with patch.object(migrate, "HEAD", version):
        Store(f"sqlite:///{file}").close()
    add = (
        "INSERT INTO owners (kind, token_hash, preferences, created_at) VALUES ('browser', ?, '{}', '2026-01-01')"
    )
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.executemany(add, [(who * 64,) for who in people])
    for who, chats in people.items():
        for chat in chats:
            add_old_chat(file, who, chat, messages)


def add_old_chat(file: Path, who: str, chat: str, messages: int) -> None:
    """One chat more in such a database."""
    add_chat = (
        "INSERT INTO conversations (id, owner_id, title, title_settled, memory_epoch, last_number, created_at,"
        " updated_at) SELECT ?, id, 'Old', TRUE, 0, ?, '2026-01-01', '2026-01-01' FROM owners WHERE token_hash = ?"
    )
    add_message = (
        "INSERT INTO messages (conversation_id, number, role, text, tokens, status, void, model, stop_requested,"
        " created_at) VALUES (?, ?, ?, ?, 20, 'complete', FALSE, '', FALSE, '2026-01-01')"
    )
    rows = [(chat, n, "user" if n % 2 else "assistant", text_of(n)) for n in range(1, messages + 1)]
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute(add_chat, (chat, messages, who * 64))
        connection.executemany(add_message, rows)


def text_of(number: int) -> str:
    """What the message of this number says."""
    return (USER_TEXT if number % 2 else REPLY_TEXT).format(number=number)
