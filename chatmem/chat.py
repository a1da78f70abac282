"""READ THIS FIRST: one turn, from question to stored reply.

    send ── store the question ── read memory ── plan a fold ── recall ── compose ── freeze the receipt ── start
                                                     │                                                       │
                     generation (own thread): stream ┴ first token → fold in the background ── end → learn ──┘

`send` returns as soon as the reply has begun. Everything it decides is decided by pure functions
(`plan_fold`, `compose`) from what was read in one transaction.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from chatmem.background import Background
from chatmem.context import compose, split_window, stable_room, window_limit
from chatmem.domain import (
    NOTHING,
    Context,
    Fact,
    Language,
    Memory,
    Message,
    Opening,
    Owner,
    Receipt,
    Status,
    Turn,
)
from chatmem.errors import ChatmemError, DailyLimitReached, EmptyMessage, MessageTooLong, StorageError
from chatmem.generation import Ending, Generations
from chatmem.learner import Habits
from chatmem.llm.models import NO_KEYS, Brain, Keys, Models
from chatmem.llm.protocol import ModelRequest
from chatmem.memory.recall import Recall
from chatmem.memory.summary import plan_fold
from chatmem.policy import MemoryPolicy
from chatmem.preferences import Preferences
from chatmem.settings import Settings
from chatmem.store import Store
from chatmem.text import clean_text, first_words, is_blank

LONGEST_TEXT = 1_000_000
"""Characters above which a message is refused without counting its tokens."""


class Chat:
    """What pages and the terminal call. Every method acts for one owner."""

    def __init__(
        self,
        settings: Settings,
        store: Store,
        models: Models,
        generations: Generations,
        background: Background,
        recall: Recall,
        count_tokens: Callable[[str], int],
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        long_term: bool = True,
    ) -> None:
        self._recall = recall
        self._long_term = long_term
        self._settings = settings
        self._store = store
        self._models = models
        self._generations = generations
        self._background = background
        self._count_tokens = count_tokens
        self._now = now

    # --- a turn ---------------------------------------------------------------------------------

    def send(
        self,
        owner: Owner,
        conversation_id: str,
        draft_id: str,
        text: str,
        *,
        language: Language,
        keys: Keys = NO_KEYS,
        instead_of: int | None = None,
    ) -> Turn:
        """Store a question and start its reply. The same draft sent again is the same turn.

        With `instead_of`, the id of an earlier question, that one and all after it are set aside as a branch.
        Raises `EmptyMessage`, `MessageTooLong`, `ReplyInProgress`, `ChatChanged` or `NotFound` before anything
        is stored; whatever goes wrong later fails the reply and keeps the question.
        """
        started = time.monotonic()
        text = clean_text(text)
        if is_blank(text):
            raise EmptyMessage()
        policy = self._policy(owner, conversation_id)
        limit = policy.shares.question
        tokens = self._count_tokens(text) if len(text) <= LONGEST_TEXT else len(text)
        if tokens > limit:
            raise MessageTooLong(tokens=f"{tokens:,}", limit=f"{limit:,}")
        if policy.long_term:
            self._recall.prepare(conversation_id, text)
        turn = self._store.turns.begin(
            owner.id, conversation_id, draft_id, text, tokens, first_words(text), instead_of
        )
        if turn.fresh:
            self._answer(owner, turn, policy, language, keys, started)
        return turn

    def retry(self, owner: Owner, conversation_id: str, *, language: Language, keys: Keys = NO_KEYS) -> Turn:
        """Answer the last question again; the earlier reply is kept as a branch.

        Raises `NothingToRetry`, `ReplyInProgress` or `NotFound`.
        """
        started = time.monotonic()
        policy = self._policy(owner, conversation_id)
        turn = self._store.turns.retry(owner.id, conversation_id)
        self._answer(owner, turn, policy, language, keys, started)
        return turn

    def follow(self, owner: Owner, reply_id: int) -> Message:
        """A reply as it stands, from any page, tab or process."""
        return self._generations.follow(owner.id, reply_id)

    def stop(self, owner: Owner, conversation_id: str) -> bool:
        """Stop the chat's reply and keep its text; False if none was being written."""
        return self._generations.stop(owner.id, conversation_id)

    def wait(self, turn: Turn, timeout: float | None = None) -> None:
        """Wait for a reply of this process and for the background work it started."""
        self._generations.wait(turn.reply.id, timeout)
        self._background.wait(timeout)

    def _answer(
        self, owner: Owner, turn: Turn, policy: MemoryPolicy, language: Language, keys: Keys, started: float
    ) -> None:
        try:
            self._start(owner, turn, policy, language, keys, started)
        except ChatmemError as error:
            # The question is stored; a reply that cannot even begin says why, and can be retried.
            failed = (turn.reply.id, turn.run_token, Status.FAILED)
            try:
                self._store.turns.finish(*failed, "", 0, failure=error.failure)
            except StorageError:
                # The disk filled up just now, say. Raised, it would read as if the question had not been stored.
                self._generations.fail(owner.id, turn, error)

    def _start(
        self, owner: Owner, turn: Turn, policy: MemoryPolicy, language: Language, keys: Keys, started: float
    ) -> None:
        brain = self._brain(owner, keys)
        with self._store.one_view():
            memory = self._store.memory.read(
                owner.id,
                turn.conversation_id,
                window_limit(policy),
                through=turn.question.number,
                with_summary=policy.folds,
            )
            plan = plan_fold(memory, policy, self._now())
            context, opening = self._compose(owner, memory, policy, language)
        if opening:
            self._recall.freeze(owner.id, memory.conversation, opening)
        sent = brain.chat.prepare(context.messages)
        prepared_ms = (time.monotonic() - started) * 1000
        self._store.receipts.freeze(
            owner.id,
            Receipt(turn.reply.id, context, brain.chat.provider, brain.chat.name, prepared_ms),
            sent,
        )

        def start_fold() -> None:
            if plan:
                self._background.fold(owner.id, plan, brain.helper, policy, language)

        def settle(ending: Ending) -> None:
            self._store.receipts.complete(
                owner.id,
                turn.reply.id,
                ending.first_token_ms,
                ending.total_ms,
                ending.completion.usage if ending.completion else None,
                ending.completion.sent if ending.completion else None,
            )
            self._background.learn(
                owner.id,
                turn.conversation_id,
                brain.helper,
                policy,
                language,
                Habits.of(Preferences.read(owner.preferences), self._long_term and policy.long_term),
            )
            if turn.question.number == 1 and ending.status is Status.COMPLETE:
                self._background.title(
                    owner.id, turn.conversation_id, turn.question.text, ending.text, brain.helper, language
                )

        request = ModelRequest("chat", context.messages, policy.caps.reply, language)
        self._generations.start(owner.id, turn, brain.chat, request, start_fold, settle)

    def _compose(
        self, owner: Owner, memory: Memory, policy: MemoryPolicy, language: Language
    ) -> tuple[Context, Opening | None]:
        """What this question needs of long-term memory, and the context with it; the facts that opened it."""
        now, conversation = self._now(), memory.conversation
        stable: tuple[Fact, ...] = ()
        recalled = NOTHING
        opening: Opening | None = None
        if policy.long_term:
            uses_facts = conversation.uses_facts
            if uses_facts is None:
                uses_facts = Preferences.read(owner.preferences).uses_facts
            room = stable_room(policy, language, self._count_tokens)
            opening = self._recall.opening(owner.id, conversation, room)
            if uses_facts:
                stable = opening.facts
            recalled = self._recall.for_question(
                owner.id,
                conversation.id,
                memory.window[-1].text,
                split_window(memory, policy, now).first,
                policy.shares.recalled,
                stable if uses_facts else None,
                opening,
            )
        outdated = opening.outdated if opening else {}
        context = compose(memory, policy, language, now, self._count_tokens, stable, recalled, outdated)
        return context, opening

    def _brain(self, owner: Owner, keys: Keys) -> Brain:
        share = DailyShare(self._store, owner.id, self._settings.daily_tokens)
        brain = self._models.brain(Preferences.read(owner.preferences), keys, share)
        if brain.shared:
            share.check()
        return brain

    # --- memory ---------------------------------------------------------------------------------

    def memory(self, owner: Owner, conversation_id: str) -> Memory:
        """What the chat remembers now: the head summary and the window."""
        policy = self._policy(owner, conversation_id)
        return self._store.memory.read(owner.id, conversation_id, window_limit(policy), with_summary=policy.folds)

    def reset(self, owner: Owner, conversation_id: str) -> int:
        """Retire all messages and the summary of a chat; how many messages. A running reply is stopped."""
        self.stop(owner, conversation_id)
        return self._store.memory.reset(owner.id, conversation_id)

    def fold_now(self, owner: Owner, conversation_id: str, *, language: Language, keys: Keys = NO_KEYS) -> bool:
        """Fold what is due without waiting for the next message, as after forgetting; False if nothing is.

        Raises what a missing key or a spent limit raises.
        """
        policy = self._policy(owner, conversation_id)
        memory = self._store.memory.read(owner.id, conversation_id, window_limit(policy))
        plan = plan_fold(memory, policy, self._now())
        if plan:
            self._background.fold(owner.id, plan, self._brain(owner, keys).helper, policy, language)
        return plan is not None

    def rebuild(self, owner: Owner, conversation_id: str, *, language: Language, keys: Keys = NO_KEYS) -> None:
        """Make the summary anew from the original messages it covers, in the background.

        Raises what a missing key or a spent limit raises.
        """
        helper = self._brain(owner, keys).helper
        self._background.rebuild(owner.id, conversation_id, helper, self._policy(owner, conversation_id), language)

    def learn_from(
        self, owner: Owner, conversation_ids: Sequence[str], *, language: Language, keys: Keys = NO_KEYS
    ) -> None:
        """Learn facts from whole chats, in the background: from imported ones, when somebody asks for it.

        Raises what a missing key or a spent limit raises.
        """
        habits = replace(Habits.of(Preferences.read(owner.preferences), self._long_term), learns=True)
        helper = self._brain(owner, keys).helper
        self._background.learn_from(owner.id, conversation_ids, helper, self.policy(owner, None), language, habits)

    def policy(self, owner: Owner, preset: str | None) -> MemoryPolicy:
        """How a chat of this owner remembers, given the chat's own preset."""
        return Preferences.read(owner.preferences).policy(self._settings, preset)

    def _policy(self, owner: Owner, conversation_id: str) -> MemoryPolicy:
        return self.policy(owner, self._store.conversations.preset(owner.id, conversation_id))

    def pending(self, conversation_id: str) -> tuple[str, ...]:
        """The work under way for a chat in this process: `writing`, `fold`, `learn`, `title`.

        Without a gap: a reply counts until the work that follows it has begun.
        """
        writing = ("writing",) if self._generations.is_writing(conversation_id) else ()
        return (*writing, *self._background.pending(conversation_id))


class DailyShare:
    """What one owner may use of the installation's key in a day; a limit of 0 is none. See `llm.models.Meter`.

    However many calls are made at once, the last one allowed passes the limit by no more than itself; what its
    estimate was off by comes on top. A process that dies in a call leaves all that was reserved for it as used.
    """

    def __init__(self, store: Store, owner_id: int, limit: int) -> None:
        self._owners = store.owners
        self._owner_id = owner_id
        self._limit = limit

    def check(self) -> None:
        """Raises `DailyLimitReached` where the day's share is used up already."""
        if self._limit and self._owners.spent_today(self._owner_id) >= self._limit:
            raise DailyLimitReached(limit=f"{self._limit:,}")

    def reserve(self, tokens: int) -> None:
        if not self._limit:
            return
        if not self._owners.reserve(self._owner_id, tokens, self._limit):
            raise DailyLimitReached(limit=f"{self._limit:,}")

    def settle(self, reserved: int, used: int) -> None:
        self._owners.spend(self._owner_id, used - reserved if self._limit else used)
