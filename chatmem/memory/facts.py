"""Facts from what a helper wrote: read it, check every piece of evidence, and settle it with what is known.

All pure functions of values; `background` does the reading, the call and the writing around them.
Whatever a helper claims, nothing becomes a fact without the person's own words standing in their own
message, and no number that was not said.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, cast

from chatmem.domain import (
    FACT_CHARACTERS,
    FACT_KINDS,
    Fact,
    FactChanges,
    FactKind,
    FactStatus,
    Lesson,
    Message,
    NewFact,
    Witness,
)
from chatmem.errors import ExtractionRefused, FactEmpty, FactTooLong
from chatmem.llm.teaching import relation
from chatmem.llm.teaching.reading import sentences
from chatmem.memory.quarantine import acts_as_instruction
from chatmem.search_terms import terms
from chatmem.text import clean_text, is_blank, language_of

MOST_OPERATIONS = 50
"""More operations than this from one call are no memory but a fault; nothing of them is taken."""

LESSON_MESSAGES = 20
"""The most messages one call learns from; a longer backlog takes several."""

MOST_INSTRUCTIONS = 5
"""The most attempts to instruct the model that one call puts into quarantine by itself: a pasted page of them is
one attempt, not a hundred."""

KNOWN_FACTS = 40
"""The most known facts shown to the helper: those nearest to what was said."""

ALIKE = 0.6
"""Cosine from which a fact outside the shown ones is compared with a new one at all."""

Op = Literal["add", "supersede", "retract"]


@dataclass(frozen=True, slots=True)
class Proposal:
    """One operation as the helper wrote it: nothing of it is checked yet. `target` counts from 1."""

    op: Op
    kind: FactKind
    text: str
    quote: str
    message: int
    target: int | None = None


# --- what the helper wrote ----------------------------------------------------------------------


def parse(output: str) -> tuple[Proposal, ...]:
    """The operations of a helper's output. Raises `ExtractionRefused`: malformed, too_many.

    An operation that is not in the agreed form is left out; the rest may still be right.
    """
    body = re.sub(r"^\s*```\w*\s*|\s*```\s*$", "", output)
    start = min((place for place in (body.find("{"), body.find("[")) if place >= 0), default=-1)
    try:
        value, _ = json.JSONDecoder().raw_decode(body[start:] if start >= 0 else body)
    except ValueError as error:
        raise ExtractionRefused(reason="malformed") from error
    operations = value.get("operations") if isinstance(value, dict) else value
    if not isinstance(operations, list):
        raise ExtractionRefused(reason="malformed")
    if len(operations) > MOST_OPERATIONS:
        raise ExtractionRefused(reason="too_many")
    return tuple(proposal for operation in operations if (proposal := _proposal(operation)))


def _proposal(operation: object) -> Proposal | None:
    if not isinstance(operation, dict):
        return None
    op, kind = str(operation.get("op")).lower(), operation.get("kind")
    text, quote, number, target = (operation.get(name) for name in ("text", "quote", "message", "target"))
    if op not in ("add", "supersede", "retract") or not isinstance(quote, str) or not isinstance(number, int):
        return None
    return Proposal(
        op=cast("Op", op),
        kind=cast("FactKind", kind) if kind in FACT_KINDS else "fact",
        text=text if isinstance(text, str) else "",
        quote=quote,
        message=number,
        target=target if isinstance(target, int) else None,
    )


# --- evidence -----------------------------------------------------------------------------------


def checked_text(text: str) -> str:
    """A fact's text, in one line. Raises `FactEmpty` or `FactTooLong`."""
    line = " ".join(clean_text(text).split())
    if is_blank(line):
        raise FactEmpty()
    if len(line) > FACT_CHARACTERS:
        raise FactTooLong(limit=FACT_CHARACTERS, characters=len(line))
    return line


def find_quote(quote: str, said: str) -> str | None:
    """The piece of a message that a quote copies, exactly as it stands there; None if it does not.

    White space, Unicode forms and quotation marks around it may differ: models do not keep them.
    """
    words = unicodedata.normalize("NFC", quote).strip().strip("\"'“”‘’").split()
    if not words or not re.search(r"\w|[^\x00-\x7f]", quote):
        return None
    pattern = r"\s+".join(re.escape(word) for word in words)
    if match := re.search(pattern, said):
        return match.group()
    normal = unicodedata.normalize("NFC", said)
    match = re.search(pattern, normal)
    return match.group() if match and normal != said else None


_AGREES = re.compile(
    r"(?:응|네|넵|예|어|그래|좋아|맞아|맞습니다|그걸로|그거|이걸로|물론|당연|ㅇㅇ|(?:첫|두|세) ?번째"
    r"|(?:yes|yeah|yep|yup|ok|okay|sure|right|correct|exactly|definitely|absolutely|that|this|it is|i do|i am"
    r"|the (?:first|second|third|last|former|latter))\b)[^?]{0,30}$",
    re.IGNORECASE,
)
"""A short answer that takes up what the reply before it said."""


def _numbers(text: str) -> set[str]:
    return set(re.findall(r"\d+", unicodedata.normalize("NFKC", text)))


def _stands(proposal: Proposal, quote: str, message: Message, before: str) -> bool:
    """Whether the person's words carry the text: no number of its own, and about what they said.

    A short answer ("응, 그걸로") may rest on the reply before it.
    """
    if _numbers(proposal.text) - _numbers(message.text) - _numbers(before):
        return False
    if language_of(proposal.text) != language_of(quote):
        return True  # said in one language, written in another: words cannot be compared
    wanted = set(terms(proposal.text))
    if wanted & set(terms(message.text)) or (not wanted and proposal.text in message.text):
        return True
    return bool(_AGREES.match(quote)) and bool(wanted & set(terms(before)))


# --- settling with what is known ----------------------------------------------------------------


def settle(
    proposals: Sequence[Proposal],
    lesson: Lesson,
    shown: Sequence[Fact],
    near: Sequence[Fact],
    likeness: Callable[[str], Mapping[int, float]],
    asks_first: bool,
    cap: int,
    count_tokens: Callable[[str], int],
) -> FactChanges:
    """What to write. `shown` are the facts that `target` counts, `near` others that are like what is new.

    `likeness` gives the cosine between a text and known facts, by id. With `asks_first` new facts
    wait for the person. Facts are taken in order until `cap` tokens of their texts are reached.
    """
    said = {m.number: m for m in lesson.messages if m.role == "user" and m.number > lesson.after}
    new: list[NewFact] = []
    confirmed: list[Witness] = []
    retracted: list[Witness] = []
    for proposal in proposals:
        message = said.get(proposal.message)
        quote = find_quote(proposal.quote, message.text) if message else None
        if message is None or quote is None:
            continue
        target = _target(proposal, shown)
        if proposal.op != "add" and target is None:
            continue  # it points at a fact that nobody showed it
        if proposal.op == "retract" and target:
            retracted.append(Witness(target.id, message.id, quote))
            continue
        proposed = _new_fact(proposal, quote, message, lesson, target)
        if proposed is None:
            continue
        known = {fact.id: fact for fact in (*shown, *near)}
        made = _against_known(proposed, list(known.values()), likeness(proposal.text), target)
        if isinstance(made, Witness):
            confirmed.append(made)
            continue
        cap -= count_tokens(made.text)
        if cap < 0 and new:
            break
        if asks_first and made.status is FactStatus.LIVE:
            made = replace(made, status=FactStatus.PENDING)
        new = _with_latest(new, made)
    new.extend(_unproposed_instructions(said.values(), new))
    return FactChanges(tuple(new), tuple(confirmed), tuple(retracted))


def _unproposed_instructions(said: Iterable[Message], new: Sequence[NewFact]) -> list[NewFact]:
    """Attempts to instruct the model that the helper passed over in silence: they are shown all the same."""
    found: list[NewFact] = []
    for message in said:
        for sentence in sentences(message.text):
            shown = any(message.id == one.message_id and sentence in one.quote for one in new)
            if not shown and len(sentence) <= FACT_CHARACTERS and acts_as_instruction(sentence):
                found.append(
                    NewFact(
                        kind="preference",
                        text=" ".join(sentence.split()),
                        status=FactStatus.QUARANTINED,
                        quote=sentence,
                        message_id=message.id,
                    )
                )
    return found[:MOST_INSTRUCTIONS]


def _target(proposal: Proposal, shown: Sequence[Fact]) -> Fact | None:
    number = proposal.target
    return shown[number - 1] if number is not None and 1 <= number <= len(shown) else None


def _new_fact(
    proposal: Proposal, quote: str, message: Message, lesson: Lesson, target: Fact | None
) -> NewFact | None:
    text = proposal.text
    if language_of(text) not in (None, language_of(message.text)) and language_of(message.text):
        text = quote  # written in another language than it was said: the person's own words are better
    try:
        text = checked_text(text)
    except (FactEmpty, FactTooLong):
        return None
    if acts_as_instruction(text) or acts_as_instruction(quote):
        return NewFact(
            kind=proposal.kind, text=text, status=FactStatus.QUARANTINED, quote=quote, message_id=message.id
        )
    before = next((m.text for m in reversed(lesson.messages) if m.number < message.number), "")
    if not _stands(proposal, quote, message, before + (f" {target.text}" if target else "")):
        return None
    return NewFact(
        kind=proposal.kind,
        text=text,
        quote=quote,
        message_id=message.id,
        replaces_id=target.id if target and proposal.op == "supersede" else None,
    )


def _against_known(
    made: NewFact, known: Sequence[Fact], likeness: Mapping[int, float], target: Fact | None
) -> NewFact | Witness:
    """The new fact with what it replaces or contradicts; a witness when it is known already."""
    if made.status is FactStatus.QUARANTINED or made.message_id is None:
        return made
    rival: int | None = None
    for fact in known:
        how = relation(made.text, fact.text, likeness.get(fact.id))
        if how == "same" and (target is None or fact.id == target.id):
            return Witness(fact.id, made.message_id, made.quote)
        if how == "replaces" and made.replaces_id is None:
            made = replace(made, replaces_id=fact.id)
        if how == "rivals":
            rival = fact.id
    return made if made.replaces_id is not None or rival is None else replace(made, rival_id=rival)


def _with_latest(new: Sequence[NewFact], made: NewFact) -> list[NewFact]:
    """Earlier ones of the same call that the new one repeats or corrects are not stored at all."""
    kept: list[NewFact] = []
    for one in new:
        if relation(made.text, one.text, None) in ("same", "replaces"):
            made = replace(made, replaces_id=made.replaces_id or one.replaces_id)
        else:
            kept.append(one)
    return [*kept, made]
