"""Work that follows a turn: folding, learning, and a title once. Idempotent, and never in a page's way.

A job that fails leaves everything as it was; the next turn plans it again. What it found is either
committed whole or thrown away, when memory has changed meanwhile.
"""

from __future__ import annotations

import logging
import re
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Literal

from chatmem import prompts
from chatmem.domain import Language
from chatmem.errors import ChatmemError, NotFound
from chatmem.folder import Folder
from chatmem.learner import Habits, Learner
from chatmem.llm.protocol import LanguageModel, ModelRequest
from chatmem.memory.summary import FoldPlan
from chatmem.policy import MemoryPolicy
from chatmem.store import Store
from chatmem.text import clean_text, first_words, is_blank

_log = logging.getLogger(__name__)

JobKind = Literal["fold", "learn", "title"]

AT_ONCE = 4
"""Helper calls of one process at a time: they wait in line so that replies need not."""

TITLE_TOKENS = 40
TITLE_CHARACTERS = 60

_TITLE_MARKS = " \t\"'“”‘’「」*_#`"
_TITLE_WORD = re.compile(r"(?i)(?:title|제목)\s*[:：]")


class Background:
    """One job of a kind per chat in flight, each in a thread of its own."""

    def __init__(
        self,
        store: Store,
        learner: Learner,
        folder: Folder,
    ) -> None:
        self._store = store
        self._learner = learner
        self._folder = folder
        self._changed = threading.Condition()
        self._in_flight: set[tuple[str, JobKind]] = set()
        self._waiting: dict[tuple[str, JobKind], Callable[[], None]] = {}
        self._slots = threading.BoundedSemaphore(AT_ONCE)

    def pending(self, conversation_id: str) -> tuple[JobKind, ...]:
        """What is being worked on for a chat."""
        with self._changed:
            return tuple(kind for id_, kind in self._in_flight if id_ == conversation_id)

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until nothing is in flight; False when the time was up first."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._in_flight, timeout)

    # --- jobs -----------------------------------------------------------------------------------

    def fold(
        self,
        owner_id: int,
        plan: FoldPlan,
        helper: LanguageModel,
        policy: MemoryPolicy,
        screen: Language,
    ) -> None:
        """Carry out a plan, and what is due after it; returns at once."""

        def job() -> None:
            next_plan: FoldPlan | None = plan
            while next_plan:
                next_plan = self._folder.fold(owner_id, next_plan, helper, policy, screen)

        self._start(plan.conversation_id, "fold", job)

    def rebuild(
        self, owner_id: int, conversation_id: str, helper: LanguageModel, policy: MemoryPolicy, screen: Language
    ) -> None:
        """Make the summary anew from the original messages it covers; returns at once."""

        def job() -> None:
            self._folder.rebuild(owner_id, conversation_id, helper, policy, screen)

        self._start(conversation_id, "fold", job, again=True)

    def learn(
        self,
        owner_id: int,
        conversation_id: str,
        helper: LanguageModel,
        policy: MemoryPolicy,
        screen: Language,
        habits: Habits,
    ) -> None:
        """Learn from what was said since the last time; returns at once."""

        def job() -> None:
            self._learner.learn(owner_id, conversation_id, helper, policy, screen, habits)

        self._start(conversation_id, "learn", job, again=True)

    def learn_from(
        self,
        owner_id: int,
        conversation_ids: Sequence[str],
        helper: LanguageModel,
        policy: MemoryPolicy,
        screen: Language,
        habits: Habits,
    ) -> None:
        """Learn from whole chats, one after the other; returns at once."""

        def job() -> None:
            for conversation_id in conversation_ids:
                with suppress(NotFound):  # deleted meanwhile
                    self._store.learning.start_over(owner_id, conversation_id)
                    self._learner.learn(owner_id, conversation_id, helper, policy, screen, habits)

        self._start(f"owner {owner_id}", "learn", job, again=True)

    def embed(self, owner_id: int) -> None:
        """Give vectors to an owner's facts that have none; returns at once."""
        self._start(f"owner {owner_id}", "learn", lambda: self._learner.embed_facts(owner_id))

    def title(
        self,
        owner_id: int,
        conversation_id: str,
        question: str,
        answer: str,
        helper: LanguageModel,
        language: Language,
    ) -> None:
        """Ask for a title, once in a chat's life. Without one the first words stay."""

        def job() -> None:
            request = ModelRequest("title", prompts.title(question, answer, language), TITLE_TOKENS, language)
            completion = helper.complete(request)
            title = _as_title(completion.text)
            if not is_blank(title) and not completion.cut_off:
                self._store.conversations.suggest_title(owner_id, conversation_id, title)

        self._start(conversation_id, "title", job)

    def _start(self, conversation_id: str, kind: JobKind, job: Callable[[], None], again: bool = False) -> None:
        """Run a job, unless one of its kind is at it; with `again` it then follows that one."""
        key = (conversation_id, kind)
        with self._changed:
            if key in self._in_flight:
                if again:
                    self._waiting[key] = job
                return
            self._in_flight.add(key)

        def run() -> None:
            try:
                with self._slots:
                    job()
            except NotFound:
                pass  # the chat was deleted meanwhile: there is nothing left to do
            except ChatmemError as error:
                _log.info("%s of a chat put off: %s", kind, error)
            except Exception:  # noqa: BLE001
                # The thread's own edge; the chat goes on and the next turn plans again.
                _log.exception("%s of a chat failed unexpectedly", kind)
            finally:
                with self._changed:
                    self._in_flight.discard(key)
                    if next_job := self._waiting.pop(key, None):
                        self._start(conversation_id, kind, next_job, again)
                    self._changed.notify_all()

        threading.Thread(target=run, name=f"chatmem-{kind}", daemon=True).start()


def _as_title(output: str) -> str:
    """The first line of what a model made of it, without the marks and the word that models put around."""
    lines = (line.strip(_TITLE_MARKS) for line in clean_text(output).splitlines())
    line = next((line for line in lines if line), "")
    return first_words(_TITLE_WORD.sub("", line, count=1).strip(_TITLE_MARKS), TITLE_CHARACTERS)
