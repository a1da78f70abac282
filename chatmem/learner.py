"""What is learned after a turn: facts from the person's own messages, and vectors for recall.

Load, ask, decide, save; never inside a page or a reply. What fails leaves cursor and facts as they
were, and a later turn tries again, with a growing pause; after three outputs that could not be used,
the rules of the teaching model take that turn, so that one odd message never blocks the chat.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from chatmem import prompts
from chatmem.domain import Fact, Language, Lesson
from chatmem.embeddings import Embedder
from chatmem.errors import (
    ContentFiltered,
    ExtractionRefused,
    ModelError,
    ModelRefused,
    ReplyEmpty,
)
from chatmem.llm.protocol import Completion, LanguageModel, ModelRequest
from chatmem.memory import facts as extraction
from chatmem.memory.fact_index import vector_bytes
from chatmem.memory.ranking import half_bytes
from chatmem.memory.recall import Recall
from chatmem.memory.summary import may_try, use_extractive
from chatmem.policy import MemoryPolicy
from chatmem.preferences import Preferences
from chatmem.store import Store
from chatmem.text import language_of

if TYPE_CHECKING:
    from chatmem.embeddings import Vectors

_log = logging.getLogger(__name__)

OUTPUT_TOKENS_PER_MESSAGE = 200
"""Room for the JSON around the facts; the cap of the facts themselves is `Caps.extraction`."""

MOST_ROUNDS = 50
"""Lessons of one job: a backlog of a thousand messages, and an end whatever happens."""

EMBED_AT_ONCE = 64


@dataclass(frozen=True, slots=True)
class Habits:
    """Whether this person's chats are learned from. `allowed` is false where nothing may be kept."""

    allowed: bool
    learns: bool
    asks_first: bool

    @classmethod
    def of(cls, preferences: Preferences, allowed: bool) -> Habits:
        return cls(allowed, preferences.learns, preferences.asks_first)


class Learner:
    def __init__(
        self,
        store: Store,
        recall: Recall,
        embedder: Embedder,
        rules: LanguageModel,
        count_tokens: Callable[[str], int],
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._store = store
        self._recall = recall
        self._embedder = embedder
        self._rules = rules
        self._count_tokens = count_tokens
        self._now = now

    def learn(
        self,
        owner_id: int,
        conversation_id: str,
        helper: LanguageModel,
        policy: MemoryPolicy,
        screen: Language,
        habits: Habits,
    ) -> None:
        """Extract facts from what was said since the cursor, then embed what has no vector yet."""
        try:
            for _ in range(MOST_ROUNDS):
                lesson = self._store.learning.lesson(owner_id, conversation_id, extraction.LESSON_MESSAGES)
                if not lesson.messages or not self._lesson(owner_id, lesson, helper, policy, screen, habits):
                    break
        finally:
            self.embed(owner_id, conversation_id)

    def _lesson(
        self,
        owner_id: int,
        lesson: Lesson,
        helper: LanguageModel,
        policy: MemoryPolicy,
        screen: Language,
        habits: Habits,
    ) -> bool:
        """One call; True when the cursor moved or somebody else changed facts meanwhile: look again."""
        through = lesson.messages[-1].number
        learns = habits.learns if lesson.learns is None else lesson.learns
        if not (habits.allowed and learns):
            self._store.learning.skip(owner_id, lesson.conversation_id, through)
            return True
        if not may_try(lesson.refusals, self._now()):
            return False
        shown = self._known(owner_id, lesson)
        try:
            completion = self._ask(lesson, shown, helper, screen)
            proposals = extraction.parse(completion.text)
        except (ModelError, ExtractionRefused) as error:
            self._put_off(owner_id, lesson, error)
            return False
        near = self._near(owner_id, [proposal.text for proposal in proposals])
        changes = extraction.settle(
            proposals,
            lesson,
            shown,
            self._store.facts.these(owner_id, list({id_ for found in near.values() for id_ in found})),
            lambda text: near.get(text, {}),
            habits.asks_first,
            policy.caps.extraction,
            self._count_tokens,
        )
        self._store.learning.commit(owner_id, lesson, through, changes)
        return True

    def _ask(self, lesson: Lesson, shown: list[Fact], helper: LanguageModel, screen: Language) -> Completion:
        said = [message for message in lesson.messages if message.role == "user"]
        language = language_of("\n".join(message.text for message in said)) or screen
        request = ModelRequest(
            "extract",
            prompts.extract([fact.text for fact in shown], lesson.messages, language),
            OUTPUT_TOKENS_PER_MESSAGE * (len(said) + 1),
            language,
            prompts.EXTRACTION_SCHEMA,
        )
        model = self._rules if use_extractive(lesson.refusals) else helper
        completion = model.complete(request)
        if completion.cut_off:
            raise ExtractionRefused(reason="cut_off")
        return completion

    def _known(self, owner_id: int, lesson: Lesson) -> list[Fact]:
        """The facts a correction may point at: all of a few, else those nearest to what was said."""
        facts = self._store.facts.page(owner_id, limit=extraction.KNOWN_FACTS + 1)
        if len(facts) <= extraction.KNOWN_FACTS:
            return sorted(facts, key=lambda fact: fact.id)
        said = [message.text for message in lesson.messages if message.role == "user"]
        found = [one for text in said for one in self._recall.index.search(owner_id, text, extraction.KNOWN_FACTS)]
        found.sort(key=lambda one: -one.score)
        nearest = list({one.fact.id: one.fact for one in found}.values())[: extraction.KNOWN_FACTS]
        return sorted(nearest, key=lambda fact: fact.id)

    def _near(self, owner_id: int, texts: list[str]) -> dict[str, Mapping[int, float]]:
        wanted = [text for text in texts if text]
        found = self._recall.index.nearest(owner_id, wanted, 10) if wanted else []
        return {
            text: {id_: likeness for id_, likeness in neighbours if likeness >= extraction.ALIKE}
            for text, neighbours in zip(wanted, found, strict=False)
        }

    def _put_off(self, owner_id: int, lesson: Lesson, error: ModelError | ExtractionRefused) -> None:
        """Keep the reason. Output that cannot be used is a refusal; a call that failed is not."""
        if isinstance(error, ExtractionRefused):
            reason = error.details["reason"]
        elif isinstance(error, (ReplyEmpty, ContentFiltered, ModelRefused)):
            reason = error.code
        else:
            reason = f"failed: {error.code}"
        _log.info("nothing was learned this time: %s", reason)
        self._store.learning.put_off(owner_id, lesson, reason)

    # --- vectors --------------------------------------------------------------------------------

    def embed(self, owner_id: int, conversation_id: str) -> None:
        """Give vectors to the facts of an owner and the messages of a chat that have none of this model."""
        self.embed_facts(owner_id)
        if not self._embedder.available:
            return
        model = self._embedder.model
        while messages := self._store.message_vectors.missing(owner_id, conversation_id, model, EMBED_AT_ONCE):
            vectors = [half_bytes(vector) for vector in self._vectors([text for _, text in messages])]
            if not vectors:
                return
            pairs = list(zip([i for i, _ in messages], vectors, strict=True))
            self._store.message_vectors.save(owner_id, conversation_id, model, pairs)

    def embed_facts(self, owner_id: int) -> None:
        """Give vectors to the facts of an owner that have none of this model."""
        if not self._embedder.available:
            return
        model = self._embedder.model
        while facts := self._store.facts.without_vector(owner_id, model, EMBED_AT_ONCE):
            vectors = [vector_bytes(vector) for vector in self._vectors([text for _, text in facts])]
            if not vectors:
                return  # the encoder turned out to be broken
            self._store.facts.save_vectors(owner_id, model, list(zip([i for i, _ in facts], vectors, strict=True)))

    def embed_everyone(self) -> None:
        """The same for every owner: after the embedding model was changed. Until then words are enough."""
        if self._embedder.available:
            for owner_id in self._store.facts.owners_without_vectors(self._embedder.model):
                self.embed_facts(owner_id)

    def _vectors(self, texts: list[str]) -> list[Vectors]:
        vectors = self._embedder.embed(texts)
        return list(vectors) if self._embedder.available else []
