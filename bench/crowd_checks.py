"""What `bench.crowd` finds when everybody has left: in the database, and in the server's log."""

from __future__ import annotations

import re
import sqlite3
import time
from collections import defaultdict
from contextlib import closing
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from bench.crowd_model import ASKED, reply_tokens

SETTLING_S, QUIET_S = 120, 6
_COMPLAINT = re.compile(r"Traceback|\b(?:error|exception|failed|warning|not stored)\b", re.IGNORECASE)
_ANSWERED = re.compile(r"(?:answer|end)(\d+)x(\d+)x")


@dataclass(frozen=True)
class Stored:
    """What the database holds of the questions that were asked."""

    lost: int = 0
    wrong_chat: int = 0
    folds: int = 0
    facts: int = 0

    @classmethod
    def read(cls, database: Path, turns: list[dict[str, Any]]) -> Stored:
        """`lost` are questions not stored exactly once, or not followed by their reply, whole and complete."""
        chats: dict[str, list[tuple[str, str, str]]] = defaultdict(list)
        with closing(sqlite3.connect(database)) as connection:
            rows = "SELECT conversation_id, role, text, status FROM messages ORDER BY conversation_id, number"
            for chat, role, text, status in connection.execute(rows):
                chats[chat].append((role, text, status))
            folds, facts = (
                int(connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0])
                for table in ("summaries", "facts")
            )
        whole: dict[str, int] = defaultdict(int)
        wrong = 0
        for messages in chats.values():
            people = {
                mark[0] for _, text, _ in messages for mark in (*ASKED.findall(text), *_ANSWERED.findall(text))
            }
            wrong += len(people) - 1
            for (role, asked, _), (_, text, status) in pairwise(messages):
                if role == "user" and (marks := ASKED.findall(asked)):
                    mark = "{}x{}x".format(*marks[0])
                    whole[mark] += status == "complete" and text == "".join(reply_tokens(mark))
        marks = [f"{turn['person']}x{turn['number']}x" for turn in turns]
        return cls(sum(1 for mark in marks if whole[mark] != 1), wrong, folds, facts)


def settle(database: Path) -> float:
    """Wait until the background work is done, or for long enough; for how long it went on."""
    started = changed = time.monotonic()
    before = _progress(database)
    while time.monotonic() - changed < QUIET_S and time.monotonic() - started < SETTLING_S:
        time.sleep(0.5)
        if (now := _progress(database)) != before:
            before, changed = now, time.monotonic()
    return round(changed - started, 1)


def _progress(database: Path) -> tuple[int, ...]:
    with closing(sqlite3.connect(database)) as connection:
        counts = "SELECT (SELECT count(*) FROM summaries), (SELECT count(*) FROM facts), sum(extracted_through)"
        return tuple(connection.execute(f"{counts} FROM conversations").fetchone())


def complaints(log: Path) -> list[str]:
    """The lines of a server's log that tell of something wrong."""
    return [line.strip() for line in log.read_text().splitlines() if _COMPLAINT.search(line)]
