"""The proof behind each reply and each message: what was sent, what changed, and where everything went."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from chatmem.domain import (
    ChatMessage,
    Context,
    Fact,
    Receipt,
    Role,
    SectionName,
    Segment,
    Summary,
    UsedFact,
    UsedQuote,
)
from chatmem.errors import NotFound
from chatmem.settings import Price
from chatmem.store import Store
from chatmem.store.provenance import KnownFact, Trace
from chatmem.store.receipts import ReceiptLine


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of a request that belongs to one section. A message of the chat is a part of its own.

    `opens` is true for the first part of each message of the request, as the server received it.
    """

    section: SectionName
    role: Role
    opens: bool
    segments: tuple[Segment, ...]
    message_id: int | None = None

    @property
    def text(self) -> str:
        return "".join(segment.text for segment in self.segments)


@dataclass(frozen=True, slots=True)
class Changes:
    """What one context has that another had not, and the reverse. Messages, facts and quotes by id.

    `summary` is (version before, version after) where the two differ.
    """

    came: tuple[int, ...] = ()
    left: tuple[int, ...] = ()
    summary: tuple[int | None, int | None] | None = None
    facts_came: tuple[int, ...] = ()
    facts_left: tuple[int, ...] = ()
    quotes_came: tuple[int, ...] = ()
    quotes_left: tuple[int, ...] = ()

    @property
    def facts(self) -> tuple[int, ...]:
        return (*self.facts_came, *self.facts_left)


@dataclass(frozen=True, slots=True)
class FactUse:
    """A fact's part in a reply, and what has become of it: None if it was forgotten since."""

    used: UsedFact
    known: KnownFact | None


@dataclass(frozen=True, slots=True)
class QuoteUse:
    """An earlier message recalled for a reply, and the line that was sent of it, empty if forgotten since."""

    used: UsedQuote
    line: str


@dataclass(frozen=True, slots=True)
class Opened:
    """A receipt with everything that a person reads in it.

    `number` is that of its question, `numbers` those of every message it speaks of, by id. `changes` is None
    for a chat's first turn. `summary` and `summary_before` are the versions it and the turn before were sent.
    """

    receipt: Receipt
    parts: tuple[Part, ...]
    sent_facts: tuple[FactUse, ...]
    below: tuple[FactUse, ...]
    quotes: tuple[QuoteUse, ...]
    saved: tuple[Fact, ...]
    changes: Changes | None
    summary: Summary | None
    summary_before: Summary | None
    numbers: Mapping[int, int]
    known: Mapping[int, KnownFact]


class Proof:
    """For pages. Every method acts for one owner; a foreign id is the same `NotFound` as a missing one."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def lines(self, owner_id: int, conversation_id: str, reply_ids: Collection[int]) -> dict[int, ReceiptLine]:
        """The line under each of these replies, by id. Cheap: a page asks at every run."""
        return self._store.receipts.lines(owner_id, conversation_id, reply_ids)

    def opened(self, owner_id: int, conversation_id: str, reply_id: int) -> Opened:
        """The whole receipt of a reply of this chat, in one view of the database. Raises `NotFound`."""
        store = self._store
        with store.one_view():
            receipt = store.receipts.get(owner_id, reply_id)
            before = store.receipts.before(owner_id, reply_id)
            context = receipt.context
            changed = changes(before.context, context) if before else None
            facts = store.provenance.facts(
                owner_id, {used.fact_id for used in context.facts} | set(changed.facts if changed else ())
            )
            ids = {*_message_ids(context), *(quote.message_id for quote in context.quotes)}
            if changed:
                ids |= {*changed.left, *changed.quotes_left}
            uses = [FactUse(used, facts.get(used.fact_id)) for used in context.facts]
            return Opened(
                receipt=receipt,
                parts=parts(context.messages),
                sent_facts=tuple(use for use in uses if use.used.how != "below"),
                below=tuple(use for use in uses if use.used.how == "below"),
                quotes=tuple(QuoteUse(quote, _line_of(context, quote)) for quote in context.quotes),
                saved=tuple(store.provenance.saved(owner_id, reply_id)),
                changes=changed,
                summary=self._summary(owner_id, conversation_id, context.summary_version),
                summary_before=self._summary(
                    owner_id, conversation_id, before.context.summary_version if before else None
                ),
                numbers=store.provenance.numbers(owner_id, ids),
                known=facts,
            )

    def trace(self, owner_id: int, message_id: int) -> Trace:
        """Where a message went: versions, pins, facts, and the requests it was sent in. Raises `NotFound`."""
        return self._store.provenance.trace(owner_id, message_id)

    def _summary(self, owner_id: int, conversation_id: str, version: int | None) -> Summary | None:
        if version is None:
            return None
        try:
            return self._store.versions.get(owner_id, conversation_id, version)
        except NotFound:
            return None


# --- what a context is made of ----------------------------------------------------------------------


def parts(messages: Sequence[ChatMessage]) -> tuple[Part, ...]:
    """A request's messages, in order, by section. Joined, their texts are the request's texts.

    It goes by where each segment came from, so that a server which had the system prompt folded into the
    first question, or consecutive messages merged, is read like any other.
    """
    question = max(
        (n for n, s in enumerate(s for m in messages for s in m.segments) if s.source.startswith("message:")),
        default=-1,
    )
    found: list[Part] = []
    section: SectionName = "system"
    position = 0
    for message in messages:
        opens, begins = True, bool(found)
        for segment in message.segments:
            section = _section_of(segment, section, position == question, begins)
            begins = segment.text == JOINT
            position += 1
            kind, _, number = segment.source.partition(":")
            message_id = int(number) if kind == "message" else None
            last = found[-1] if found else None
            joins = last is not None and not opens and last.section == section
            if joins and last is not None and (message_id is None or last.message_id is None):
                found[-1] = replace(
                    last, segments=(*last.segments, segment), message_id=last.message_id or message_id
                )
            else:
                found.append(Part(section, message.role, opens, (segment,), message_id))
            opens = False
    return tuple(found)


def _section_of(segment: Segment, before: SectionName, is_question: bool, begins: bool) -> SectionName:
    kind = segment.source.partition(":")[0]
    if kind == "message":
        return "question" if is_question else "window"
    if kind == "summary":
        return "summary"
    if kind == "quote" or segment.text.startswith(_RECALLED):
        return "recalled"
    if segment.text.endswith(_FACTS) and before == "system":
        return "facts"
    if segment.redacted and not kind and begins:
        return "summary" if before in ("system", "facts") else "window"
    return before


JOINT = "\n\n"
"""Stands between messages that were merged for a server: see `llm.providers`."""

_FACTS, _RECALLED = "<facts>\n", "<recalled>\n"
"""How the blocks of our own words begin: see `prompts.system` and `prompts.recalled`. A person's words can
look the same, but they have a source."""


def _message_ids(context: Context) -> list[int]:
    return [int(number) for kind, number in _sources(context) if kind == "message"]


def _sources(context: Context) -> list[tuple[str, str]]:
    sources = (segment.source.partition(":") for message in context.messages for segment in message.segments)
    return [(kind, number) for kind, _, number in sources if kind]


def _line_of(context: Context, quote: UsedQuote) -> str:
    wanted = f"quote:{quote.message_id}"
    lines = (s.text for message in context.messages for s in message.segments if s.source == wanted)
    return "".join(lines)


# --- what changed -----------------------------------------------------------------------------------


def changes(before: Context, after: Context) -> Changes:
    """What came and what went from one turn's context to the next one's."""
    window = _difference(_message_ids(before), _message_ids(after))
    facts = _difference(_sent_facts(before), _sent_facts(after))
    quotes = _difference([q.message_id for q in before.quotes], [q.message_id for q in after.quotes])
    versions = (before.summary_version, after.summary_version)
    return Changes(
        came=window[0],
        left=window[1],
        summary=versions if versions[0] != versions[1] else None,
        facts_came=facts[0],
        facts_left=facts[1],
        quotes_came=quotes[0],
        quotes_left=quotes[1],
    )


def _sent_facts(context: Context) -> list[int]:
    return [used.fact_id for used in context.facts if used.how != "below"]


def _difference(before: Sequence[int], after: Sequence[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    return (
        tuple(one for one in dict.fromkeys(after) if one not in before),
        tuple(one for one in dict.fromkeys(before) if one not in after),
    )


# --- what it cost -----------------------------------------------------------------------------------


def cost(receipt: Receipt, prices: Mapping[str, Price]) -> float | None:
    """US dollars, when the provider reported the tokens and somebody set the model's price."""
    price = prices.get(receipt.model)
    if price is None or receipt.usage is None:
        return None
    return (receipt.usage.input_tokens * price.input + receipt.usage.output_tokens * price.output) / 1_000_000
