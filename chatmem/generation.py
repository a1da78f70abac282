"""Replies that live outside any page: start, follow, stop, recover.

A generation is a thread of this process. Pages, tabs and other processes only follow it: here by the
text in memory, elsewhere by the reply's row, into which one flusher writes the texts of all
generations about twice a second. A reply ends once, whoever ends it; its text is durable first, then
visible, then forgotten here.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from chatmem.domain import Failure, Message, Status, Turn
from chatmem.errors import (
    ChatmemError,
    ContentFiltered,
    ModelRefused,
    ReplyCutOff,
    ReplyEmpty,
    ReplyMalformed,
    StorageError,
)
from chatmem.llm.protocol import Completion, LanguageModel, ModelRequest, ReplyStream
from chatmem.store import Store
from chatmem.store.turns import Partial
from chatmem.text import clean_text

_log = logging.getLogger(__name__)

FLUSH_SECONDS = 0.4
HEARTBEAT_SECONDS = 5.0
SAVE_AGAIN_SECONDS = (0.2, 1.0, 3.0, 10.0, 30.0)
"""Waits between attempts at storing a reply's end: a database may be locked for a while."""


@dataclass(frozen=True, slots=True)
class Ending:
    """How a reply ended. `completion` is None unless the model finished."""

    status: Status
    text: str
    first_token_ms: float | None
    total_ms: float
    completion: Completion | None = None
    failure: Failure | None = None


class _Live:
    """One generation in this process. Its lock guards the text and the one ending."""

    def __init__(
        self,
        owner_id: int,
        turn: Turn,
        on_first_token: Callable[[], None],
        on_end: Callable[[Ending], None],
    ) -> None:
        self.owner_id = owner_id
        self.turn = turn
        self.on_end = on_end
        self.stop = threading.Event()
        self.settled = threading.Event()
        self.stream: ReplyStream | None = None
        self.first_token_ms: float | None = None
        self.unsaved = False
        self.last_beat = time.monotonic()
        self._on_first_token: Callable[[], None] | None = on_first_token
        self._started = time.monotonic()
        self._lock = threading.Lock()
        self._pieces: list[str] = []
        self._ended = False

    def add(self, piece: str) -> None:
        with self._lock:
            self._pieces.append(piece)
            self.unsaved = True
        if self.first_token_ms is None:
            self.first_token_ms = self.elapsed_ms()
            self.announce_first_token()

    @property
    def text(self) -> str:
        with self._lock:
            if len(self._pieces) > 1:
                self._pieces[:] = ["".join(self._pieces)]
            # Cleaned as a whole: a model may send half a character, and the other half with the next piece.
            return clean_text(self._pieces[0]) if self._pieces else ""

    def announce_first_token(self) -> None:
        """Once; a reply that ends without a token announces it at its end."""
        with self._lock:
            announce, self._on_first_token = self._on_first_token, None
        if announce:
            announce()

    def claim_end(self) -> bool:
        """True for the one who may end it."""
        with self._lock:
            first, self._ended = not self._ended, True
            return first

    def elapsed_ms(self) -> float:
        return (time.monotonic() - self._started) * 1000


class Generations:
    """All replies being written in this process, and the way to any other."""

    def __init__(self, store: Store, count_tokens: Callable[[str], int]) -> None:
        self._store = store
        self._count_tokens = count_tokens
        self._lock = threading.Lock()
        self._live: dict[int, _Live] = {}
        self._flushing = False

    def start(
        self,
        owner_id: int,
        turn: Turn,
        model: LanguageModel,
        request: ModelRequest,
        on_first_token: Callable[[], None],
        on_end: Callable[[Ending], None],
    ) -> None:
        """Begin writing the turn's reply; returns at once.

        `on_first_token` is called once, with the first token or else at the end; `on_end` once the
        ending is stored. Both run in a thread of this module and must not block.
        """
        live = _Live(owner_id, turn, on_first_token, on_end)
        self._take_in(live)
        writer = threading.Thread(
            target=self._write, args=(live, model, request), name="chatmem-reply", daemon=True
        )
        writer.start()

    def fail(self, owner_id: int, turn: Turn, error: ChatmemError) -> None:
        """End a reply that could not even begin, as soon as the database can be written again; returns at once."""
        live = _Live(owner_id, turn, lambda: None, lambda ending: None)
        self._take_in(live)
        threading.Thread(target=self._end_with, args=(live, error), name="chatmem-reply", daemon=True).start()

    def _take_in(self, live: _Live) -> None:
        with self._lock:
            self._live[live.turn.reply.id] = live
            if not self._flushing:
                self._flushing = True
                threading.Thread(target=self._flush, name="chatmem-flush", daemon=True).start()

    def follow(self, owner_id: int, reply_id: int) -> Message:
        """The reply as it stands: its text so far while it streams. Raises `NotFound`."""
        live = self._live.get(reply_id)
        if live is not None and live.owner_id == owner_id:
            return replace(live.turn.reply, text=live.text)
        message = self._store.turns.message(owner_id, reply_id)
        if message.status is Status.STREAMING and self._store.turns.interrupt_stale():
            return self._store.turns.message(owner_id, reply_id)
        return message

    def stop(self, owner_id: int, conversation_id: str) -> bool:
        """Stop the chat's reply, whichever process writes it; True if there was one.

        In this process its text is final when this returns; another process needs one flush.
        """
        reply_id = self._store.turns.request_stop(owner_id, conversation_id)
        if reply_id is None:
            return False
        if live := self._live.get(reply_id):
            self._stop(live)
        return True

    def wait(self, reply_id: int, timeout: float | None = None) -> None:
        """Wait until a reply of this process has ended and its `on_end` has run."""
        if live := self._live.get(reply_id):
            live.settled.wait(timeout)

    @property
    def count(self) -> int:
        """Replies being written in this process: pages follow less often when there are many."""
        return len(self._live)

    def is_writing(self, conversation_id: str) -> bool:
        """Whether a reply of a chat is under way in this process, what follows its end included."""
        with self._lock:
            return any(live.turn.conversation_id == conversation_id for live in self._live.values())

    def close(self) -> None:
        """End what is running, with the text it has: an orderly stop leaves nothing to recover."""
        for live in list(self._live.values()):
            self._end(live, Status.INTERRUPTED)

    # --- one thread a reply ---------------------------------------------------------------------

    def _write(self, live: _Live, model: LanguageModel, request: ModelRequest) -> None:
        try:
            completion = self._read_stream(live, model, request)
        except ChatmemError as error:
            self._end_with(live, error)
        except Exception:  # noqa: BLE001
            # The thread's own edge: whatever a model's code may throw, the reply ends with a sentence.
            _log.exception("a reply ended with an unexpected error")
            self._end_with(live, ReplyMalformed())
        else:
            if completion is None:
                self._end(live, Status.STOPPED)
            elif not live.text.strip():
                self._end_with(live, ReplyEmpty())
            else:
                self._end(live, Status.COMPLETE, completion=completion)

    def _read_stream(self, live: _Live, model: LanguageModel, request: ModelRequest) -> Completion | None:
        """None when it was stopped on the way."""
        live.stream = model.stream(request)
        if live.stop.is_set():
            live.stream.close()
        for piece in live.stream:
            if live.stop.is_set():
                return None
            if piece:
                live.add(piece)
        return None if live.stop.is_set() else live.stream.completion

    def _stop(self, live: _Live) -> None:
        live.stop.set()
        self._end(live, Status.STOPPED)
        if live.stream:
            live.stream.close()

    # --- one ending a reply ---------------------------------------------------------------------

    def _end_with(self, live: _Live, error: ChatmemError) -> None:
        if live.stop.is_set():
            self._end(live, Status.STOPPED)
        elif live.text.strip() and not isinstance(error, (ContentFiltered, ModelRefused)):
            self._end(live, Status.INTERRUPTED, failure=error.failure)
        else:
            self._end(live, Status.FAILED, failure=error.failure)

    def _end(
        self,
        live: _Live,
        status: Status,
        completion: Completion | None = None,
        failure: Failure | None = None,
    ) -> None:
        if not live.claim_end():
            return
        if completion and completion.cut_off:
            failure = ReplyCutOff().failure  # complete as it is; the screen says that it stops early
        ending = Ending(status, live.text, live.first_token_ms, live.elapsed_ms(), completion, failure)
        try:
            if self._store_end(live, ending):
                live.announce_first_token()
                live.on_end(ending)
        except Exception:  # noqa: BLE001
            # What follows a reply never takes the reply back.
            _log.exception("what follows a reply failed")
        finally:
            with self._lock:
                self._live.pop(live.turn.reply.id, None)
            live.settled.set()

    def _store_end(self, live: _Live, ending: Ending) -> bool:
        """True if it was ours to end; False if another process did, or the database cannot be written."""
        tokens = self._count_tokens(ending.text)
        model = ending.completion.model if ending.completion else ""
        for wait in (*SAVE_AGAIN_SECONDS, None):
            try:
                return self._store.turns.finish(
                    live.turn.reply.id,
                    live.turn.run_token,
                    ending.status,
                    ending.text,
                    tokens,
                    model,
                    ending.failure,
                )
            except StorageError as error:
                if wait is None:
                    _log.error("the end of a reply could not be stored: %s", error)
                else:
                    time.sleep(wait)
        return False

    # --- one flusher a process ------------------------------------------------------------------

    def _flush(self) -> None:
        while True:
            time.sleep(FLUSH_SECONDS)
            with self._lock:
                # Ends with the last generation: an idle process has no thread of ours, and nothing
                # keeps a temporary chat's store alive.
                if not self._live:
                    self._flushing = False
                    return
                lives = list(self._live.values())
            try:
                self._flush_once(lives)
            except StorageError as error:
                _log.warning("partial texts not stored, tried again soon: %s", error)
            except Exception:  # noqa: BLE001
                # The thread's own edge: without it no reply of this process would have a heartbeat.
                _log.exception("partial texts not stored, tried again soon")

    def _flush_once(self, lives: list[_Live]) -> None:
        now = time.monotonic()
        due = [live for live in lives if live.unsaved or now - live.last_beat > HEARTBEAT_SECONDS]
        partials = []
        for live in due:
            changed, live.unsaved = live.unsaved, False
            partials.append(Partial(live.turn.reply.id, live.turn.run_token, live.text if changed else None))
        if not due:
            return
        try:
            to_stop = self._store.turns.flush(partials)
        except StorageError:
            for live in due:
                live.unsaved = True
            raise
        for live in due:
            live.last_beat = now
            if live.turn.reply.id in to_stop:
                self._stop(live)
