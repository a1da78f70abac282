"""Forgetting with proof: every place a thing lives, its deletion, and a look afterwards that finds nothing.

What a thing is recognised by are its *marks*: the telling words of what is to be forgotten, where they
are rare among the owner's messages. A reply that holds one repeats it; a message of the person that holds
one is shown, and goes only if they say so.
"""

from __future__ import annotations

import logging
import re
import threading
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Literal

from chatmem.domain import Fact, Owner
from chatmem.errors import StorageError
from chatmem.generation import Generations
from chatmem.llm.teaching import content_of
from chatmem.memory.exact.names_ko import TAIL
from chatmem.memory.recall import Recall
from chatmem.store import Store
from chatmem.store.conversations import UNDO_DELETE
from chatmem.store.places import Place
from chatmem.store.traces import Traces

_log = logging.getLogger(__name__)

COMMON = 12
"""A word in more of an owner's messages than this tells nothing apart."""

MOST_MARKS = 40
"""Words looked up everywhere for one thing: each is a walk through the owner's messages."""

SCRUB_AGAIN_SECONDS = (1, 5, 30, 120, 600)
"""Waits between attempts at emptying the write-ahead log while somebody reads an older state."""

_PARTICLES = re.compile(TAIL)

Why = Literal["source", "answer", "repeats", "mentions"]


@dataclass(frozen=True, slots=True)
class Found:
    """A message that holds what is to be forgotten, and why it is listed. `chosen`: it goes unless unticked."""

    place: Place
    why: Why
    chosen: bool


@dataclass(frozen=True, slots=True)
class ForgetPlan:
    """Every place of one thing. `mentions` are facts that hold a mark but rest on something else."""

    marks: tuple[str, ...]
    messages: tuple[Found, ...]
    fact_ids: tuple[int, ...]
    mentions: tuple[Fact, ...]
    traces: Traces

    @property
    def chosen(self) -> tuple[int, ...]:
        return tuple(found.place.message.id for found in self.messages if found.chosen)


@dataclass(frozen=True, slots=True)
class Probe:
    """What a look through everything found afterwards: messages, facts and summaries that hold a mark."""

    messages: tuple[Place, ...] = ()
    facts: tuple[Fact, ...] = ()
    summaries: tuple[tuple[str, int], ...] = ()

    @property
    def is_clean(self) -> bool:
        return not (self.messages or self.facts or self.summaries)


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What became of it. `scrubbed` is false while the database's log could not be emptied yet; it is tried
    again by itself. `chats` are those that lost a message."""

    probe: Probe
    scrubbed: bool
    chats: tuple[str, ...]


class Forgetting:
    """Every method acts for one owner."""

    def __init__(self, store: Store, recall: Recall, generations: Generations) -> None:
        self._store = store
        self._recall = recall
        self._generations = generations
        self._scrubbing = threading.Lock()
        self._closing = threading.Event()
        self.pending = False
        """The files may still hold deleted words: somebody reads an older state of the database."""

    # --- before ---------------------------------------------------------------------------------

    def of_message(self, owner_id: int, message_id: int) -> ForgetPlan:
        """Raises `NotFound`."""
        source = self._store.places.by_id(owner_id, message_id)
        return self._plan(owner_id, [source], (), source.message.text)

    def of_fact(self, owner_id: int, fact_id: int) -> ForgetPlan:
        """A fact, what it took the place of, and the messages that prove them. Raises `NotFound`."""
        fact = self._store.facts.get(owner_id, fact_id)
        chain = [fact, *self._store.facts.history(owner_id, fact_id)]
        proofs = [evidence for one in chain for evidence in one.evidence]
        ids = {evidence.message_id for evidence in proofs if evidence.message_id is not None}
        words = "\n".join([*(one.text for one in chain), *(evidence.quote for evidence in proofs)])
        return self._plan(owner_id, self._store.places.by_ids(owner_id, ids), (fact_id,), words)

    def _plan(self, owner_id: int, sources: Collection[Place], fact_ids: tuple[int, ...], text: str) -> ForgetPlan:
        ids = [source.message.id for source in sources]
        answers = self._store.places.replies_to(owner_id, ids)
        telling = _telling(text)
        found = {source.message.id: Found(source, "source", True) for source in sources}
        first = min(ids, default=0)
        marks: list[str] = []
        facts: dict[int, Fact] = {}
        for answer in answers:
            if any(_holds(answer.message.text, word) for word in telling):
                found[answer.message.id] = Found(answer, "answer", True)
        for word in telling[:MOST_MARKS]:
            holding = self._holding(owner_id, word)
            if len([place for place in holding if place.message.id not in found]) > COMMON:
                continue
            marks.append(word)
            # A word that was there before says little alone; two of them do.
            is_new = all(place.message.id >= first for place in holding)
            for place in holding:
                id_ = place.message.id
                by_model = place.message.role == "assistant"
                chosen = by_model and (is_new or id_ in found)
                if id_ not in found or (chosen and not found[id_].chosen):
                    found[id_] = Found(place, "repeats" if by_model else "mentions", chosen)
            facts |= {fact.id: fact for fact in self._facts(owner_id, word)}
        traces = self._store.forgetting.traces(
            owner_id, [id_ for id_, one in found.items() if one.chosen], fact_ids
        )
        going = {fact.id for fact in traces.facts}
        return ForgetPlan(
            marks=tuple(marks),
            messages=tuple(found[id_] for id_ in sorted(found)),
            fact_ids=fact_ids,
            mentions=tuple(fact for id_, fact in sorted(facts.items()) if id_ not in going),
            traces=traces,
        )

    # --- the act --------------------------------------------------------------------------------

    def forget(
        self, owner: Owner, plan: ForgetPlan, message_ids: Iterable[int], fact_ids: Iterable[int] = ()
    ) -> Forgotten:
        """Forget these messages of a plan, its fact, and these facts besides. A reply that was being written from
        any of it is stopped first, and goes too if it repeats it. Raises `NotFound` and `StorageError`; then
        nothing is done.
        """
        wanted, facts = set(message_ids), {*plan.fact_ids, *fact_ids}
        for chat_id in self._store.forgetting.writing_with(owner.id, wanted, facts):
            self._generations.stop(owner.id, chat_id)
            for message in self._store.turns.page(owner.id, chat_id, limit=1):
                if message.role == "assistant" and any(_holds(message.text, mark) for mark in plan.marks):
                    wanted.add(message.id)
        chats = self._store.forgetting.forget(owner.id, wanted, facts, plan.marks)
        self._recall.index.drop(owner.id)
        return Forgotten(self.probe(owner.id, plan.marks), self.scrub(), tuple(chats))

    def forget_everything(self, owner: Owner) -> bool:
        """All chats, facts, receipts and choices of an owner; whether the files are clean already."""
        for chat in self._store.conversations.recent(owner.id, limit=1_000_000):
            self._generations.stop(owner.id, chat.id)
        self._store.forgetting.forget_everything(owner.id)
        self._recall.index.drop(owner.id)
        return self.scrub()

    # --- after ----------------------------------------------------------------------------------

    def probe(self, owner_id: int, marks: Collection[str]) -> Probe:
        """Look for the marks in everything of the owner that can be read, searched or sent."""
        messages: dict[int, Place] = {}
        facts: dict[int, Fact] = {}
        summaries: dict[tuple[str, int], None] = {}
        for mark in marks:
            messages |= {place.message.id: place for place in self._holding(owner_id, mark)}
            facts |= {fact.id: fact for fact in self._facts(owner_id, mark)}
            summaries |= dict.fromkeys(self._store.forgetting.summaries_holding(owner_id, mark, COMMON))
        return Probe(tuple(messages.values()), tuple(facts.values()), tuple(summaries))

    def scrub(self) -> bool:
        """Leave nothing deleted in the files; when a reader is in the way it is tried again by itself."""
        if self._try_scrub():
            return True
        self.pending = True
        threading.Thread(target=self._scrub_later, name="chatmem-scrub", daemon=True).start()
        return False

    def _scrub_later(self) -> None:
        if not self._scrubbing.acquire(blocking=False):
            return  # somebody is at it
        try:
            for wait in SCRUB_AGAIN_SECONDS:
                if self._closing.wait(wait):
                    return
                if self._try_scrub():
                    self.pending = False
                    return
        finally:
            self._scrubbing.release()

    def purge_soon(self) -> None:
        """Purge what was deleted as soon as it cannot be brought back, be its tab still open or not."""
        threading.Thread(target=self._purge_later, name="chatmem-purge", daemon=True).start()

    def _purge_later(self) -> None:
        if self._closing.wait(UNDO_DELETE.total_seconds() + 1):
            return
        try:
            if self._store.conversations.purge(UNDO_DELETE):
                self.scrub()
        except StorageError as error:
            _log.warning("a deleted chat could not be purged, tried again at the next start: %s", error)

    def close(self) -> None:
        """End what waits for its time. A start purges, and a closed database has written its log back."""
        self._closing.set()

    def _try_scrub(self) -> bool:
        try:
            return self._store.scrub()
        except StorageError as error:
            _log.warning("deleted words may still stand in the database's files: %s", error)
            return False

    # --- within ---------------------------------------------------------------------------------

    def _holding(self, owner_id: int, mark: str) -> list[Place]:
        some = self._store.places.holding(owner_id, mark, COMMON * 10)
        return [place for place in some if _holds(place.message.text, mark)]

    def _facts(self, owner_id: int, mark: str) -> list[Fact]:
        some = self._store.forgetting.facts_holding(owner_id, mark, COMMON * 10)
        return [fact for fact in some if _holds(fact.text, mark)]


def _telling(text: str) -> list[str]:
    """The words that a text may be recognised by, as they stand in other texts too: stems, names, numbers.

    Those that tell most come first: with a digit or a capital in them, then the long ones.
    """
    found: dict[str, tuple[bool, int]] = {}
    for word in content_of(text):
        if word.korean and text[word.start - 1 : word.start].isalnum() and _PARTICLES.match(text, word.start):
            continue  # "4417이야": what follows a number or a Latin word is grammar
        stem = word.stem.casefold()
        if len(stem) >= (2 if _is_wide(stem) or stem.isdigit() else 3):
            is_exact = any(char.isdigit() or char.isupper() for char in word.text)
            found.setdefault(stem, (not is_exact, -len(stem)))
    return sorted(found, key=found.__getitem__)


def _is_wide(word: str) -> bool:
    """Of a script that needs few signs for a word."""
    return not word.isascii()


def _holds(text: str, mark: str) -> bool:
    """Whether a text holds a word that begins with the mark; in Korean, anywhere in a run."""
    if _is_wide(mark):
        return mark in text.casefold()
    return re.search(rf"(?<![^\W_]){re.escape(mark)}", text.casefold()) is not None
