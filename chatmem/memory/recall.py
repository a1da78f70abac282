"""Recall: what a question needs of earlier chats and of messages that have left the window.

    question ── facts of the owner (fact_index) ──┐
             └─ folded messages (search, ranking) ┴─ floor ── pack into the share ── Recalled

It never asks a server for anything: a reply must not wait for it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache

from chatmem import prompts
from chatmem.domain import NOTHING, Conversation, Fact, Message, Opening, Quote, Recalled
from chatmem.embeddings import Embedder
from chatmem.llm.teaching.intent import is_question, is_request
from chatmem.llm.teaching.reading import sentences
from chatmem.memory.fact_index import FLOOR as FACT_FLOOR
from chatmem.memory.fact_index import FactIndex, ScoredFact
from chatmem.memory.ranking import FLOOR as QUOTE_FLOOR
from chatmem.memory.ranking import GENERIC_QUESTIONS, Ranked, meant_text, question_vector, rank
from chatmem.search_terms import question_terms, terms
from chatmem.store import Store
from chatmem.store.search import Found

MOST_FACTS = 8
"""Recalled facts for one question; a question that needs more asks for a list, and the page shows it."""

BELOW_SHOWN = 5
"""How many facts just under the line a receipt names."""

QUOTE_TOKENS = {"user": 160, "assistant": 80}
"""The longest quote of one message; of a longer one the part is taken that the question is about. What the
person said is worth more than what they were told."""

LINE_TOKENS = 14
"""What a quote's date and name take beside its text."""

SHORTEST_QUOTE = LINE_TOKENS + 4

CHATS_GUESSED = 1_000

STABLE_LIMIT = 200


class Recall:
    """Finds and packs. Reads through `store`, keeps what it compares in a `FactIndex`."""

    def __init__(self, store: Store, embedder: Embedder, count_tokens: Callable[[str], int]) -> None:
        self.index = FactIndex(store.facts, embedder)
        self._store = store
        self._embedder = embedder
        self._common: dict[str, frozenset[str]] = {}
        """Words that said nothing in a chat's last searches, the chat searched last at the end."""
        self._count_tokens = count_tokens

    def warm_up(self) -> None:
        """Have at hand what every question is compared with. For a background thread: it may take seconds."""
        if self._embedder.available:
            self._embedder.embed([*GENERIC_QUESTIONS])
            self.index.warm_up()

    def prepare(self, conversation_id: str, question: str) -> None:
        """Begin with what can be done before the question is stored: its vectors take milliseconds.

        Which of its words are too common in this chat to mean anything is guessed from the last search.
        """
        question = asked_part(question)
        guess = Found(common=self._common.get(conversation_id, frozenset()))
        self._embedder.prepare(*{question, meant_text(question, guess)})

    def opening(self, owner_id: int, conversation: Conversation, room: int) -> Opening:
        """The stable facts that open this chat's requests, in at most `room` tokens.

        As they were frozen; chosen anew where that does not hold any more, for `freeze` to keep.
        """
        opening = self._store.facts.opening(owner_id, conversation.id)
        if opening.holds or (not opening.facts_epoch and not opening.facts):
            return opening
        chosen: list[Fact] = []
        for fact in self._store.facts.stable(owner_id, STABLE_LIMIT):
            room -= self._count_tokens(prompts.fact_line(fact))
            if room < 0:
                break
            chosen.append(fact)
        return replace(opening, facts=tuple(sorted(chosen, key=lambda fact: fact.id)))

    def freeze(self, owner_id: int, conversation: Conversation, opening: Opening) -> None:
        """Keep what `opening` chose anew, for the requests to come."""
        if not opening.holds and opening.facts_epoch:
            ids = [fact.id for fact in opening.facts]
            self._store.facts.freeze(owner_id, conversation.id, ids, conversation.head_id, opening.hand_epoch)

    def for_question(
        self,
        owner_id: int,
        conversation_id: str,
        question: str,
        before: int,
        room: int,
        known: Sequence[Fact] | None,
        opening: Opening | None = None,
    ) -> Recalled:
        """What `question` needs, in at most `room` tokens: facts first, then quotes.

        Messages with numbers below `before` are not sent, so they are searched. `known` are facts that
        are sent anyway; None leaves facts out altogether. What `opening` knows to be outdated is not quoted.
        """
        question = asked_part(question)
        if room <= 0 or not question_terms(question):
            return NOTHING
        found = self._found(owner_id, conversation_id, question, before)
        self._remember_common(conversation_id, found)
        scored: list[ScoredFact] = []
        if known is not None:
            there = [fact.id for fact in known]
            epoch = opening.facts_epoch if opening else None
            scored = self.index.search(owner_id, question, MOST_FACTS + BELOW_SHOWN, there, epoch)
        facts = [one for one in scored if one.score >= FACT_FLOOR][:MOST_FACTS]
        below = [one for one in scored if one not in facts]
        said_already = _witnesses([*(known or ()), *(one.fact for one in facts)])
        outdated = opening.outdated if opening else {}
        ranked = [
            one
            for one in self._ranked(question, found)
            if one.message.id not in said_already and one.message.number not in outdated
        ]
        return self._packed(facts, ranked, below, question, room)

    def messages(self, owner_id: int, conversation_id: str, question: str, before: int) -> list[Ranked]:
        """The messages with numbers below `before` that a question is about, the best first."""
        return self._ranked(question, self._found(owner_id, conversation_id, question, before))

    def _found(self, owner_id: int, conversation_id: str, question: str, before: int) -> Found:
        if before <= 1 or not asks_something(question):
            return Found()
        return self._store.search.messages(owner_id, conversation_id, question, before - 1, self._embedder.model)

    def _remember_common(self, conversation_id: str, found: Found) -> None:
        if len(found):
            known = self._common.pop(conversation_id, frozenset())
            self._common[conversation_id] = known | found.common
            while len(self._common) > CHATS_GUESSED:
                self._common.pop(next(iter(self._common)), None)

    def _ranked(self, question: str, found: Found) -> list[Ranked]:
        vector = question_vector(self._embedder.at_hand, question, found) if len(found) else None
        return [one for one in rank(question, found, vector) if one.score >= QUOTE_FLOOR]

    def _packed(
        self,
        facts: Sequence[ScoredFact],
        ranked: Sequence[Ranked],
        below: Sequence[ScoredFact],
        question: str,
        room: int,
    ) -> Recalled:
        """What fits, best first; a longer one that does not is passed over for a shorter one after it."""
        kept: list[ScoredFact] = []
        for one in facts:
            cost = self._count_tokens(prompts.fact_line(one.fact))
            if cost <= room:
                room -= cost
                kept.append(one)
        quotes: list[Quote] = []
        for found in ranked:
            if room < SHORTEST_QUOTE:
                break
            text, cost = self._quoted(found.message, question)
            if cost <= room:
                room -= cost
                quotes.append(Quote(found.message, text, found.score))
        return Recalled(
            facts=tuple((one.fact, one.score) for one in kept),
            quotes=tuple(quotes),
            below=tuple((one.fact, one.score) for one in below[:BELOW_SHOWN]),
        )

    def _quoted(self, message: Message, question: str) -> tuple[str, int]:
        """What to quote of a message, and its tokens with the date before it; those of a whole one are known."""
        most = QUOTE_TOKENS[message.role]
        if 0 < message.tokens <= most:
            return message.text, message.tokens + LINE_TOKENS
        text = excerpt(message.text, question, most, self._count_tokens)
        return text, self._count_tokens(text) + LINE_TOKENS


def _witnesses(facts: Sequence[Fact]) -> set[int]:
    """The messages that these facts were learned from: they need not be quoted beside them."""
    return {
        proof.message_id
        for fact in facts
        for proof in fact.evidence
        if proof.message_id is not None and not proof.against
    }


@lru_cache(maxsize=256)
def asks_something(text: str) -> bool:
    """Whether a message asks or wants something done: only then is there anything to look up in this chat.

    Who tells something needs no quotations of what they told before; they would cost tokens for nothing.
    """
    return any(is_question(sentence) or is_request(sentence) for sentence in sentences(text))


@lru_cache(maxsize=256)
def asked_part(text: str) -> str:
    """What of a message is to be looked up: the sentences that ask, where it also tells other things.

    Meaning is compared as a whole, and three lines about the weather would drown the question after them.
    """
    said = sentences(text)
    asking = [sentence for sentence in said if is_question(sentence) or is_request(sentence)]
    return " ".join(asking) if asking and len(asking) < len(said) else text


_SENTENCE = re.compile(r"(?<=[.!?。！？…])\s+|\n+")


def excerpt(text: str, question: str, most_tokens: int, count_tokens: Callable[[str], int]) -> str:
    """The whole of a short text; of a longer one the run of sentences that shares most with the question."""
    if count_tokens(text[: most_tokens * 8]) <= most_tokens and len(text) <= most_tokens * 8:
        return text
    wanted = set(question_terms(question))
    sentences = [piece for piece in _SENTENCE.split(text) if piece.strip()]
    best = max(range(len(sentences)), key=lambda place: (len(wanted & set(terms(sentences[place]))), -place))
    first = last = best
    chosen = _cut(sentences[best], most_tokens, count_tokens)
    while True:
        wider = [range(first, last + 2), range(first - 1, last + 1)]
        for places in wider:
            if places.start >= 0 and places.stop <= len(sentences):
                longer = " ".join(sentences[places.start : places.stop])
                if count_tokens(longer) <= most_tokens:
                    first, last, chosen = places.start, places.stop - 1, longer
                    break
        else:
            return ("… " if first else "") + chosen + (" …" if last < len(sentences) - 1 else "")


def _cut(text: str, most_tokens: int, count_tokens: Callable[[str], int]) -> str:
    text = text[: most_tokens * 8]
    while count_tokens(text) > most_tokens:
        text = text[: len(text) * 4 // 5]
    return text
