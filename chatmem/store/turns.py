"""Turns as they happen: a question stored, a reply that streams, and how it ends.

The reply's row is the one place that decides: it is made together with the question, only the
holder of its run token writes its text, and whoever ends it first has ended it.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, func, or_, select, update
from sqlalchemy.orm import Session

from chatmem.domain import Failure, Status, Turn
from chatmem.errors import ChatChanged, NotFound, NothingToRetry, ReplyInProgress
from chatmem.store.branches import live_message, retire_from
from chatmem.store.database import now_seconds
from chatmem.store.message_reading import MessageReading, streaming_row
from chatmem.store.rows import failure_value, message_of, owned
from chatmem.store.search import index_messages
from chatmem.store.tables import ConversationRow, MessageRow
from chatmem.tokens import count_tokens

STALE_SECONDS = 30
"""A streaming reply whose heartbeat is older than this has lost its process. So has one whose heartbeat is as far
in the future: the clock went back, and a process that lives would have written its heartbeat anew by then."""


# Statements of every turn are built once: building one costs as much as running it.

_IN_CHAT = MessageRow.conversation_id == bindparam("chat_id")
_OF_DRAFT = select(MessageRow).where(_IN_CHAT, MessageRow.draft_id == bindparam("draft_id"))
_LAST = (
    select(MessageRow).where(_IN_CHAT, MessageRow.retired_at.is_(None)).order_by(MessageRow.number.desc()).limit(1)
)


@dataclass(frozen=True, slots=True)
class Partial:
    """The text so far of a reply that streams in this process. `changed` is None for a mere heartbeat."""

    reply_id: int
    run_token: str
    changed: str | None


class Turns(MessageReading):
    """Turns as they happen; reading messages is `MessageReading`."""

    def begin(
        self,
        owner_id: int,
        conversation_id: str,
        draft_id: str,
        text: str,
        tokens: int,
        title: str,
        instead_of: int | None = None,
    ) -> Turn:
        """Store a question and an empty streaming reply; the chat too, if this is its first message.

        The same draft again gives the turn it made before, `fresh=False`. A failed last turn is retired.
        With `instead_of`, that message and all after it are set aside as a branch. Raises `ReplyInProgress`,
        `ChatChanged` when that message is set aside already, or `NotFound` when the chat is somebody else's.
        """
        now = self._database.now()
        with self._database.write() as session:
            chat = _own_or_new(session, owner_id, conversation_id, title, now)
            if earlier := _turn_of_draft(session, chat.id, draft_id):
                return earlier
            _make_way(session, chat.id)
            _retire_failed(session, chat.id, now, but=instead_of)
            if instead_of is not None:
                retire_from(session, chat, _question(session, chat, instead_of), "edit", now)
            question = _add(session, chat, now, role="user", text=text, tokens=tokens, draft_id=draft_id)
            chat.reset_undo = None
            # Writers take turns (see `Database`), so nobody can have been faster since `_make_way`.
            return _with_reply(session, chat, question, now)

    def retry(self, owner_id: int, conversation_id: str) -> Turn:
        """A new reply to the last question; the old one, if any, is retired, as a branch if it says something.

        Raises `NothingToRetry` or `ReplyInProgress`.
        """
        with self._database.write() as session:
            chat = owned(session, owner_id, conversation_id)
            _make_way(session, chat.id)
            last, now = _last(session, chat.id), self._database.now()
            if last is None:
                raise NothingToRetry()
            question = _to_be_answered(session, chat, last, now)
            question.void = False
            chat.reset_undo = None
            return _with_reply(session, chat, question, now)

    def flush(self, partials: Iterable[Partial]) -> set[int]:
        """Write the texts so far and the heartbeats of a process, in one transaction.

        Returns the replies that somebody asked to stop, or that are not ours to write any more.
        """
        with self._database.write() as session:
            now = session.scalar(select(now_seconds(session)))
            ours: set[int] = set()
            wanted: set[int] = set()
            for partial in partials:
                wanted.add(partial.reply_id)
                values: dict[str, Any] = {"heartbeat": now}
                if partial.changed is not None:
                    values["text"] = partial.changed
                row = session.execute(
                    update(MessageRow)
                    .where(*_held(partial.reply_id, partial.run_token))
                    .values(**values)
                    .returning(MessageRow.stop_requested)
                ).first()
                if row is not None and not row.stop_requested:
                    ours.add(partial.reply_id)
            return wanted - ours

    def finish(
        self,
        reply_id: int,
        run_token: str,
        status: Status,
        text: str,
        tokens: int,
        model: str = "",
        failure: Failure | None = None,
    ) -> bool:
        """End a reply, once: False if it was ended before. A turn without an answer is void."""
        with self._database.write() as session:
            row = session.scalar(select(MessageRow).where(*_held(reply_id, run_token)))
            if row is None:
                return False
            _end(session, row, status, text, tokens, model, failure)
            return True

    def request_stop(self, owner_id: int, conversation_id: str) -> int | None:
        """Ask whichever process writes the chat's reply to stop; the reply's id, or None if there is none."""
        with self._database.write() as session:
            owned(session, owner_id, conversation_id)
            row = streaming_row(session, conversation_id)
            if row is None:
                return None
            row.stop_requested = True
            session.flush()
            if _is_stale(session, row):
                _end_orphan(session, row)
            return row.id

    def interrupt_stale(self, seconds: int = STALE_SECONDS) -> int:
        """End the replies whose process is gone, with the text they had; how many there were."""
        with self._database.read() as session:
            if not session.scalar(select(func.count()).where(*_stale(session, seconds))):
                return 0
        with self._database.write() as session:
            rows = session.scalars(select(MessageRow).where(*_stale(session, seconds))).all()
            for row in rows:
                _end_orphan(session, row)
            return len(rows)


def _held(reply_id: int, run_token: str) -> tuple[Any, ...]:
    return (
        MessageRow.id == reply_id,
        MessageRow.status == Status.STREAMING,
        MessageRow.run_token == run_token,
    )


def _stale(session: Session, seconds: int) -> tuple[Any, ...]:
    now = now_seconds(session)
    return (
        MessageRow.status == Status.STREAMING,
        or_(
            MessageRow.heartbeat.is_(None),
            MessageRow.heartbeat < now - seconds,
            MessageRow.heartbeat > now + seconds,
        ),
    )


def _own_or_new(
    session: Session, owner_id: int, conversation_id: str, title: str, now: datetime
) -> ConversationRow:
    found = session.get(ConversationRow, conversation_id)
    if found is not None:
        if found.owner_id != owner_id or found.hidden_at is not None:
            raise NotFound()
        return found
    chat = ConversationRow(
        id=conversation_id, owner_id=owner_id, title=title, title_settled=False, memory_epoch=0,
        last_number=0, created_at=now, updated_at=now,
    )  # fmt: skip
    session.add(chat)
    session.flush()
    return chat


def _turn_of_draft(session: Session, conversation_id: str, draft_id: str) -> Turn | None:
    question = session.scalar(_OF_DRAFT, {"chat_id": conversation_id, "draft_id": draft_id})
    if question is None:
        return None
    reply = session.scalars(
        select(MessageRow).where(MessageRow.answers_id == question.id).order_by(MessageRow.id.desc())
    ).first()
    assert reply is not None  # they are made in one transaction
    return Turn(conversation_id, message_of(question), message_of(reply), "", fresh=False)


def _make_way(session: Session, conversation_id: str) -> None:
    """End a reply whose process is gone; raise `ReplyInProgress` for one that is alive."""
    row = streaming_row(session, conversation_id)
    if row is None:
        return
    if not _is_stale(session, row):
        raise ReplyInProgress()
    _end_orphan(session, row)
    session.flush()


def _is_stale(session: Session, row: MessageRow) -> bool:
    wanted = select(MessageRow.id).where(MessageRow.id == row.id, *_stale(session, STALE_SECONDS))
    return session.scalar(wanted) is not None


def _end_orphan(session: Session, row: MessageRow) -> None:
    status = Status.STOPPED if row.stop_requested else Status.INTERRUPTED
    _end(session, row, status, row.text, count_tokens(row.text), row.model, None)


def _last(session: Session, conversation_id: str) -> MessageRow | None:
    return session.scalars(_LAST, {"chat_id": conversation_id}).first()


def _question(session: Session, chat: ConversationRow, message_id: int) -> MessageRow:
    row = live_message(session, chat, message_id)
    if row.role != "user":
        raise ChatChanged()
    return row


def _to_be_answered(session: Session, chat: ConversationRow, last: MessageRow, now: datetime) -> MessageRow:
    """The last question, its answer set aside. It may have none: an answer can be deleted or forgotten."""
    if last.role == "user":
        return last
    question = session.get(MessageRow, last.answers_id) if last.answers_id else None
    if question is None or question.forgotten_at is not None:
        raise NothingToRetry()
    if last.void:
        last.retired_at = now
    else:
        retire_from(session, chat, last, "retry", now)
    return question


def _retire_failed(session: Session, conversation_id: str, now: datetime, but: int | None) -> None:
    """Only the last turn can be void and not retired, since every send comes through here. The question `but`
    is about to be set aside anyway."""
    reply = _last(session, conversation_id)
    if reply is not None and reply.void and reply.answers_id != but:
        reply.retired_at = now
        if reply.answers_id is not None:
            session.get_one(MessageRow, reply.answers_id).retired_at = now


def _add(session: Session, chat: ConversationRow, now: datetime, **values: Any) -> MessageRow:
    chat.last_number += 1
    chat.updated_at = now
    defaults = {"status": Status.COMPLETE, "void": False, "model": "", "stop_requested": False}
    row = MessageRow(conversation_id=chat.id, number=chat.last_number, created_at=now, **(defaults | values))
    session.add(row)
    session.flush()
    return row


def _with_reply(session: Session, chat: ConversationRow, question: MessageRow, now: datetime) -> Turn:
    run_token = secrets.token_urlsafe(12)
    reply = _add(session, chat, now, role="assistant", text="", tokens=0, status=Status.STREAMING,
        answers_id=question.id, run_token=run_token, heartbeat=now_seconds(session),
    )  # fmt: skip
    return Turn(chat.id, message_of(question), message_of(reply), run_token)


def _end(
    session: Session, row: MessageRow, status: Status, text: str, tokens: int, model: str,
    failure: Failure | None,
) -> None:  # fmt: skip
    void = status is Status.FAILED or not text.strip()
    row.status, row.text, row.tokens, row.model = status, text, tokens, model
    row.failure, row.void = failure_value(failure), void
    row.run_token, row.heartbeat, row.stop_requested = None, None, False
    if row.answers_id is None:
        return
    question = session.get_one(MessageRow, row.answers_id)
    if void:
        question.void = True
        return
    session.flush()
    index_messages(session, row.conversation_id, [question.id, row.id])
