"""Work that follows a turn: folding, learning, and a title once. Idempotent, and never in a page's way.

A job that fails leaves everything as it was; the next turn plans it again. What it found is either
committed whole or thrown away, when memory has changed meanwhile.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Literal

from chatmem import prompts
from chatmem.domain import Language, Memory, Message, Summary
from chatmem.errors import (
    ChatmemError,
    ContentFiltered,
    ModelError,
    ModelRefused,
    NotFound,
    ReplyEmpty,
    SummaryRefused,
)
from chatmem.learner import Habits, Learner
from chatmem.llm.protocol import Completion, LanguageModel, ModelRequest
from chatmem.llm.teaching import extractive_summary
from chatmem.memory import summary as folding
from chatmem.memory.summary import FoldPlan
from chatmem.policy import MemoryPolicy
from chatmem.store import Store
from chatmem.text import clean_text, first_words

_log = logging.getLogger(__name__)

JobKind = Literal["fold", "learn", "title"]

AT_ONCE = 4
"""Helper calls of one process at a time: they wait in line so that replies need not."""

TITLE_TOKENS = 40


class Background:
    """One job of a kind per chat in flight, each in a thread of its own."""

    def __init__(
        self,
        store: Store,
        learner: Learner,
        count_tokens: Callable[[str], int],
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._store = store
        self._learner = learner
        self._count_tokens = count_tokens
        self._now = now
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
                next_plan = self._fold_once(owner_id, next_plan, helper, policy, screen)

        self._start(plan.conversation_id, "fold", job)

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
            title = first_words(clean_text(completion.text).strip().strip("\"'“”‘’"), 60)
            if title and not completion.cut_off:
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

    # --- folding --------------------------------------------------------------------------------

    def _fold_once(
        self,
        owner_id: int,
        plan: FoldPlan,
        helper: LanguageModel,
        policy: MemoryPolicy,
        screen: Language,
    ) -> FoldPlan | None:
        """One version: load, ask, decide, save. The next plan, if one is due; None also when put off."""
        memory = self._store.memory.read(owner_id, plan.conversation_id, newest=policy.keep + 1)
        refusals = self._store.memory.refusals(owner_id, plan.conversation_id, plan.after)
        if memory.head != plan.parent or not folding.may_try(refusals, self._now()):
            return None
        backlog = self._store.memory.live_between(owner_id, plan.conversation_id, plan.after, plan.through)
        if not backlog:
            return None
        chunk = list(folding.first_chunk(backlog))
        language = folding.summary_language(plan.parent, chunk, screen)
        counted = plan.kept + len(backlog)
        completion: Completion | None = None
        try:
            outdated = list(self._store.facts.outdated(owner_id, plan.conversation_id).values())
            if folding.use_extractive(refusals):
                draft, completion = self._extract(plan, chunk, language, policy, outdated)
                source: Literal["model", "extractive"] = "extractive"
            else:
                draft, completion = self._ask(plan, chunk, language, policy, helper, outdated)
                source = "model"
            new = folding.accept(
                plan, chunk, counted, draft, completion, policy, source, language, self._count_tokens
            )
        except (ModelError, SummaryRefused) as error:
            self._put_off(owner_id, plan, error, clean_text(completion.text) if completion else "")
            return None
        epoch = memory.conversation.memory_epoch
        made = self._store.memory.commit_fold(owner_id, plan.conversation_id, epoch, new)
        return self._next_plan(owner_id, plan, made, policy) if made else None

    def _ask(
        self,
        plan: FoldPlan,
        chunk: list[Message],
        language: Language,
        policy: MemoryPolicy,
        helper: LanguageModel,
        outdated: list[str],
    ) -> tuple[folding.Draft, Completion]:
        parent = plan.parent if plan.continues else None
        messages = prompts.summarize(
            parent.text if parent else "",
            parent.pins if parent else (),
            chunk,
            language,
            policy.caps.summary,
            outdated,
        )
        # Pins and tags come on top of the prose that the cap speaks of.
        request = ModelRequest("fold", messages, policy.caps.summary * 2, language)
        completion = helper.complete(request)
        return folding.parse(clean_text(completion.text)), completion

    def _extract(
        self, plan: FoldPlan, chunk: list[Message], language: Language, policy: MemoryPolicy, outdated: list[str]
    ) -> tuple[folding.Draft, Completion]:
        parent = plan.parent if plan.continues else None
        made = extractive_summary(
            parent.text if parent else "",
            parent.pins if parent else (),
            chunk,
            language,
            policy.caps.summary,
            self._count_tokens,
            outdated,
        )
        draft = folding.Draft(made.text, tuple(made.pins), tuple(made.dropped))
        return draft, Completion(made.text, "extractive")

    def _put_off(self, owner_id: int, plan: FoldPlan, error: ModelError | SummaryRefused, written: str) -> None:
        """Keep the reason. Output that cannot be used is a refusal; a call that failed is not."""
        if isinstance(error, SummaryRefused):
            reason = error.details["reason"]
        elif isinstance(error, (ReplyEmpty, ContentFiltered, ModelRefused)):
            reason = error.code
        else:
            reason = f"failed: {error.code}"
        _log.info("a summary was not made: %s", reason)
        self._store.memory.refuse_fold(owner_id, plan.conversation_id, plan.after, plan.through, reason, written)

    def _next_plan(self, owner_id: int, plan: FoldPlan, made: Summary, policy: MemoryPolicy) -> FoldPlan | None:
        """The rest of a backlog first, then whatever became due while this fold was made."""
        memory: Memory = self._store.memory.read(owner_id, plan.conversation_id, newest=policy.keep + 1)
        if memory.head != made:
            return None
        if made.covers_through < plan.through:
            return FoldPlan(
                plan.conversation_id,
                made,
                True,
                made.covers_through,
                plan.through,
                made.kept,
                plan.kept,
                plan.reason,
            )
        return folding.plan_fold(memory, policy, self._now())
