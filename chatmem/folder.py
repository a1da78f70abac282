"""Making summary versions: folding what a plan names, and rebuilding from the originals.

Load, ask, decide, save; never inside a page or a reply. What fails or is refused leaves the summary
and its watermark as they were, with the reason kept.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Literal

from chatmem import prompts
from chatmem.domain import Language, Memory, Message, NewSummary, Pin, Summary
from chatmem.errors import ContentFiltered, ModelError, ModelRefused, ReplyEmpty, SummaryRefused
from chatmem.llm.protocol import Completion, LanguageModel, ModelRequest
from chatmem.llm.teaching import extractive_summary
from chatmem.memory import summary as folding
from chatmem.memory.loss import account
from chatmem.memory.summary import FoldPlan
from chatmem.policy import MemoryPolicy
from chatmem.store import Store
from chatmem.text import clean_text

_log = logging.getLogger(__name__)

REBUILD = -1
"""Where the reason of a rebuild that came to nothing is kept: after no message."""

MOST_FACTS = 500
"""Facts that the loss meter looks into: the latest said."""


class Folder:
    def __init__(
        self,
        store: Store,
        count_tokens: Callable[[str], int],
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._store = store
        self._count_tokens = count_tokens
        self._now = now

    def fold(
        self, owner_id: int, plan: FoldPlan, helper: LanguageModel, policy: MemoryPolicy, screen: Language
    ) -> FoldPlan | None:
        """One version. Returns the next plan, if one is due; None also when it was put off."""
        store, chat_id = self._store.memory, plan.conversation_id
        memory = store.read(owner_id, chat_id, newest=policy.keep + 1)
        refusals = store.refusals(owner_id, chat_id, plan.after)
        if memory.head != plan.parent or not folding.may_try(refusals, self._now()):
            return None
        backlog = store.live_between(owner_id, chat_id, plan.after, plan.through)
        if not backlog:
            return None
        chunk = list(folding.first_chunk(backlog))
        counted = plan.kept + len(backlog)
        by_rule = folding.use_extractive(refusals)
        new = self._version(owner_id, memory, plan, chunk, counted, policy, None if by_rule else helper, screen)
        if new is None:
            return None
        made = store.commit(owner_id, chat_id, memory.conversation.memory_epoch, new)
        return self._next_plan(owner_id, plan, made, policy) if made else None

    def rebuild(
        self, owner_id: int, conversation_id: str, helper: LanguageModel, policy: MemoryPolicy, screen: Language
    ) -> None:
        """A new version of what the head covers, made from the original messages alone, in chunks.

        The head stays until the whole is done. A chunk that the gate refuses is put together from the
        messages' own words, and the version says so; a model that cannot be reached leaves all as it was.
        """
        memory = self._store.memory.read(owner_id, conversation_id, newest=policy.keep + 1)
        head = memory.head
        messages = self._store.memory.live_between(owner_id, conversation_id, 0, memory.covered)
        if head is None or not messages:
            return
        made: NewSummary | None = None
        source: Literal["model", "extractive", "person"] = "model"
        rest = list(messages)
        while rest:
            chunk = list(folding.first_chunk(rest))
            rest = rest[len(chunk) :]
            plan = FoldPlan(
                conversation_id, self._as_parent(made), True, chunk[0].number - 1, memory.covered,
                head.counted, head.kept, "count",
            )  # fmt: skip
            made = self._version(
                owner_id, memory, plan, chunk, head.counted, policy, helper, screen, where=REBUILD, mends=True
            )
            if made is None:
                return
            source = made.source if made.source != "model" else source
        assert made is not None
        new = replace(
            made, parent_id=None, base_id=head.id, how="rebuild", covers_from=1,
            covers_through=head.covers_through,
            folded=folding.runs(message.number for message in messages), kept=head.kept, source=source,
        )  # fmt: skip
        self._store.memory.commit(owner_id, conversation_id, memory.conversation.memory_epoch, new)

    # --- one version ----------------------------------------------------------------------------

    def _version(
        self,
        owner_id: int,
        memory: Memory,
        plan: FoldPlan,
        chunk: list[Message],
        counted: int,
        policy: MemoryPolicy,
        helper: LanguageModel | None,
        screen: Language,
        where: int | None = None,
        mends: bool = False,
    ) -> NewSummary | None:
        """A version that passed the gate, or None with the reason kept at `where`. Without a helper it is put
        together from the messages' own words; so it is when `mends` and what the helper wrote is refused."""
        chat_id = plan.conversation_id
        language = folding.summary_language(plan.parent, chunk, screen)
        completion: Completion | None = None
        outdated = list(self._store.facts.outdated(owner_id, chat_id).values())
        try:
            if helper is None:
                draft, completion = self._extract(plan, chunk, language, policy, outdated)
            else:
                draft, completion = self._ask(plan, chunk, language, policy, helper, outdated)
            new = folding.accept(
                plan, chunk, counted, draft, completion, policy, "model" if helper else "extractive", language,
                self._count_tokens, memory.conversation.pins,
            )  # fmt: skip
        except (ModelError, SummaryRefused) as error:
            if mends and helper is not None and isinstance(error, SummaryRefused):
                return self._version(owner_id, memory, plan, chunk, counted, policy, None, screen, where)
            written = clean_text(completion.text) if completion else ""
            after = plan.after if where is None else where
            self._put_off(owner_id, plan, memory.conversation.memory_epoch, after, error, written)
            return None
        before = plan.parent.survived if plan.parent else ()
        told = account(before, chunk, new.text, new.pins, self._store.facts.texts(owner_id, MOST_FACTS))
        return replace(new, survived=told.kept, lost=told.lost)

    def _ask(
        self,
        plan: FoldPlan,
        chunk: list[Message],
        language: Language,
        policy: MemoryPolicy,
        helper: LanguageModel,
        outdated: list[str],
    ) -> tuple[folding.Draft, Completion]:
        text, pins = _carried(plan)
        messages = prompts.summarize(text, pins, chunk, language, policy.caps.summary, outdated)
        # Pins and tags come on top of the prose that the cap speaks of.
        request = ModelRequest("fold", messages, policy.caps.summary * 2, language)
        completion = helper.complete(request)
        return folding.parse(clean_text(completion.text)), completion

    def _extract(
        self, plan: FoldPlan, chunk: list[Message], language: Language, policy: MemoryPolicy, outdated: list[str]
    ) -> tuple[folding.Draft, Completion]:
        text, pins = _carried(plan)
        made = extractive_summary(text, pins, chunk, language, policy.caps.summary, self._count_tokens, outdated)
        draft = folding.Draft(made.text, tuple(made.pins), tuple(made.dropped))
        return draft, Completion(made.text, "extractive")

    def _put_off(
        self,
        owner_id: int,
        plan: FoldPlan,
        seen_epoch: int,
        after: int,
        error: ModelError | SummaryRefused,
        written: str,
    ) -> None:
        """Keep the reason. Output that cannot be used is a refusal; a call that failed is not."""
        if isinstance(error, SummaryRefused):
            reason = error.details["reason"]
        elif isinstance(error, (ReplyEmpty, ContentFiltered, ModelRefused)):
            reason = error.code
        else:
            reason = f"failed: {error.code}"
        _log.info("a summary was not made: %s", reason)
        self._store.memory.refuse_fold(
            owner_id, plan.conversation_id, seen_epoch, after, plan.through, reason, written
        )

    def _as_parent(self, made: NewSummary | None) -> Summary | None:
        """What a rebuild has so far, as the parent of its next chunk; it is nowhere stored."""
        if made is None:
            return None
        values = {name: getattr(made, name) for name in NewSummary.__dataclass_fields__}
        return Summary(**values, id=0, version=0, created_at=self._now())

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


def _carried(plan: FoldPlan) -> tuple[str, Sequence[Pin]]:
    """The text and the pins that a fold carries on."""
    parent = plan.parent if plan.continues else None
    return (parent.text, parent.pins) if parent else ("", ())
