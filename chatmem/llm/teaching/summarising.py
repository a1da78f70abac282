"""The extractive summary: the person's own words, sorted under five headings. Pure; no model needed.

The app uses it also for real models, after a model's summaries were refused (DESIGN, "Summary").
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from chatmem.domain import Language, Message, Pin
from chatmem.llm.teaching.corrections import changes_something, overtakes, without_old_value
from chatmem.llm.teaching.details import exact_details
from chatmem.llm.teaching.intent import is_personal, is_preference, is_question, is_request, is_small_talk
from chatmem.llm.teaching.lexicon import concepts_of, in_group
from chatmem.llm.teaching.outdated import is_of, says, without
from chatmem.llm.teaching.pinning import CLAUSE, Said, new_pins, overtaken_pins
from chatmem.llm.teaching.reading import leans_on_before, sentences, statements_in, summary_items
from chatmem.llm.teaching.subjects import subject_of
from chatmem.llm.teaching.words import content_of, is_stop, same_word, words_of

Heading = Literal["background", "preferences", "goals", "discussed", "in progress"]

HEADINGS: dict[Heading, dict[Language, str]] = {
    "background": {"en": "Background", "ko": "배경"},
    "preferences": {"en": "Preferences", "ko": "선호"},
    "goals": {"en": "Goals", "ko": "목표"},
    "discussed": {"en": "Discussed", "ko": "논의"},
    "in progress": {"en": "In progress", "ko": "진행 중"},
}
NOTHING_SAID: dict[Language, str] = {
    "en": "greetings and small talk, nothing to keep",
    "ko": "인사와 가벼운 이야기뿐, 남길 내용 없음",
}
FEWEST_TOKENS = 8
"""A summary below looks like a model's stray answer and would be refused: it says what else was talked of."""

SHORT_ITEM = 200
"""Characters up to which an item may take in the sentence that leans on it."""
MOST_TOPICS = 6
"""Topics of questions kept under "discussed": they are not facts and must not crowd facts out."""
SHORT_ENOUGH = 300
"""Tokens up to which a summary may be as long as what it replaces; above, it must be shorter."""

_FILLER = re.compile(
    r"^(?:(?:well|so|and|um+|uh|oh|hey|hi|hello|by the way|btw|also|anyway|you know|look|ok(?:ay)?"
    r"|please note that|just so you know)\b[,!.]?\s+"
    r"|(?:음+|아|어|저기|그리고|그런데|근데|참고로|그러니까|뭐|참)[,.!]?\s+)+",
    re.IGNORECASE,
)
_PROGRESS = re.compile(
    r"\b(?:working on|building|writing|preparing|studying|learning|training for|in the middle of|stuck"
    r"|right now|halfway|so far|currently|still have to)\b"
    r"|\b(?:i|we)(?:['’](?:m|re)| am| are) (?:\w+ )?(?!from|in|at)\w{3,}ing\b|하고 있|는 중(?=이|$|\s)"
    r"|(?<=[가-힣] )중이|공부|준비하|진행|요즘|작업|막혔|만들고 있|쓰고 있|배우고",
    re.IGNORECASE,
)
_GOAL = re.compile(
    r"\b(?:goal|aim|hope to|plan(?:ning)? to|wants?|would like to|['’]d like to|would love to"
    r"|['’]d love to|dream|saving (?:up )?for|deadline)\b|싶|목표|^꿈|계획|되려고|할 거야|할 예정|하려고",
    re.IGNORECASE,
)
_TAG = re.compile(
    r"</?(?:summary|pins|dropped_pins|recalled|transcript|message|previous_\w+|think|thinking)\b[^>]*>"
    r"|<\|?(?:im_start|channel|analysis)",
    re.IGNORECASE,
)
"""What would read as a fence or as leaked reasoning in a summary."""
_NEGATION = re.compile(
    r"\b(?:not|no|never|n['’]t)\b|n['’]t\b|(?<![가-힣])(?:안|못)(?![가-힣])|않|없", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class ExtractiveSummary:
    """A summary's text, its new pins, and the earlier pins' quotes that a correction has overtaken."""

    text: str
    pins: tuple[Pin, ...]
    dropped: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Item:
    heading: Heading
    text: str
    topic: bool = False


def extractive_summary(
    previous_text: str,
    previous_pins: Sequence[Pin],
    folded: Sequence[Message],
    language: Language,
    max_tokens: int,
    count_tokens: Callable[[str], int],
    outdated: Sequence[str] = (),
) -> ExtractiveSummary:
    """Fold messages into a summary by quoting, cumulatively: what stood in `previous_text` stays.

    Same things in other words are merged and corrected ones replaced. `text` has at most `max_tokens`
    tokens (pins are not counted) and, above `SHORT_ENOUGH`, fewer than what it replaces; the least
    specific and oldest items go first. `pins` are the new ones only: verbatim parts of the user's
    messages. `dropped` are quotes of `previous_pins` that no longer hold. What says the same as one of
    `outdated`, the person's words for facts that have ended meanwhile, is left out unless it was said anew.
    """
    said = [Said(message.number, message.role, message.text) for message in folded]
    return summarise(previous_text, previous_pins, said, language, max_tokens, count_tokens, outdated)


def summarise(
    previous_text: str,
    previous_pins: Sequence[Pin],
    said: Sequence[Said],
    language: Language,
    max_tokens: int,
    count_tokens: Callable[[str], int],
    outdated: Sequence[str] = (),
) -> ExtractiveSummary:
    """`extractive_summary` for messages that are known by number, role and text only."""
    users = [message for message in said if message.role == "user"]
    old = [_Item(_heading(heading), text.rstrip(" .")) for heading, text in summary_items(previous_text)]
    over = [quote for quote in outdated if not any(says(item.text, [quote]) for item in old)]
    old = [replace(item, text=text) for item in old if (text := without(item.text, outdated))]
    new = [item for item in _new_items(users) if not is_of(item.text, over)]
    replaced = count_tokens(previous_text) + sum(count_tokens(message.text) for message in said)
    budget = max_tokens if replaced <= SHORT_ENOUGH else min(max_tokens, replaced - 1)
    items = _merged(_corrected([*old, *new]))
    items = [item for item in _without_old_topics(items) if item.text not in NOTHING_SAID.values()]
    if count_tokens(_text(items, language)) < FEWEST_TOKENS:
        items.append(_Item("discussed", NOTHING_SAID[language], topic=True))
    text = _fit(items, language, budget, count_tokens)
    pins = tuple(pin for pin in new_pins(users, previous_pins) if not is_of(pin.quote, over))
    ended = [" ".join(pin.quote.split()) for pin in previous_pins if says(pin.quote, outdated)]
    dropped = dict.fromkeys((*overtaken_pins(previous_pins, users), *ended))
    return ExtractiveSummary(text, pins, tuple(dropped))


def _heading(name: str) -> Heading:
    for heading in HEADINGS:
        if heading == name:
            return heading
    return "background"


def _new_items(users: Sequence[Said]) -> list[_Item]:
    """What the messages add; "She is called Miso" stays with the cat of the message before."""
    found: list[_Item] = []
    follows = False
    for message in users:
        items = _items(message.text)
        if follows and items and not items[0].topic and leans_on_before(items[0].text):
            found[-1] = replace(found[-1], text=f"{found[-1].text}. {items[0].text}")
            del items[0]
        found.extend(items)
        follows = bool(found) and not found[-1].topic and len(found[-1].text) < SHORT_ITEM
    return found


def _items(text: str) -> list[_Item]:
    """What one message of the user's adds: statements, and at most one topic of what was asked."""
    found = [_Item(_sort(statement), _plain(statement)) for statement in statements_in(text)]
    for sentence in sentences(text):
        asks = is_request(sentence) or (is_question(sentence) and not is_personal(sentence))
        if asks and not is_small_talk(sentence) and (topic := _topic(sentence)):
            found.append(_Item("discussed", topic, topic=True))
            break
    return [item for item in found if item.text]


def _sort(statement: str) -> Heading:
    if _GOAL.search(statement):
        return "goals"
    if is_preference(statement):
        return "preferences"
    return "in progress" if _PROGRESS.search(statement) else "background"


def _plain(statement: str) -> str:
    """One line without leading fillers; as said otherwise. "; " separates items, so it becomes a comma."""
    text = re.sub(r"\s+", " ", _TAG.sub(" ", statement)).replace("; ", ", ").strip()
    text = _FILLER.sub("", text) or text
    return text.rstrip(" .;。")


def _topic(sentence: str) -> str:
    """A few key words of a question, in its own words."""
    words = [word.text for word in words_of(sentence) if not is_stop(word)][:6]
    return " ".join(words)[:60].strip()


def _corrected(items: Sequence[_Item]) -> list[_Item]:
    """Without what a later item has overtaken; of an item with several clauses only that clause goes."""
    kept: list[_Item] = []
    for place, item in enumerate(items):
        if item.topic or item.heading == "discussed":
            kept.append(item)
            continue
        later = [other.text for other in items[place + 1 :] if not other.topic and other.heading != "discussed"]
        text = _still_true(item.text, later)
        if (
            text
            and changes_something(text)
            and any(overtakes(text, other.text) for other in items[:place] if not other.topic)
        ):
            text = without_old_value(text)
        if text:
            kept.append(replace(item, text=text))
    return kept


def _still_true(text: str, later: Sequence[str]) -> str:
    overtaking = [other for other in later if overtakes(other, text)]
    clauses = [clause for clause in CLAUSE.split(text) if len(words_of(clause)) >= 2]
    if len(clauses) > 1:
        overtaking = [
            other for other in later if any(overtakes(other, clause) for clause in clauses)
        ] or overtaking
    if not overtaking:
        return text
    left = [clause for clause in clauses if not any(overtakes(other, clause) for other in overtaking)]
    return ", ".join(left) if len(clauses) > len(left) else ""


def _merged(items: Sequence[_Item]) -> list[_Item]:
    """Same things in other words once: the more specific wording, at the place of the first."""
    kept: list[_Item] = []
    for item in items:
        twin = next((place for place, other in enumerate(kept) if _same(item.text, other.text)), None)
        if twin is None:
            kept.append(item)
        elif len(item.text) > len(kept[twin].text) and not item.topic:
            kept[twin] = replace(kept[twin], text=item.text)
    return kept


def _same(one: str, other: str) -> bool:
    if one.lower() == other.lower():
        return True
    mine, theirs = content_of(one), content_of(other)
    if len(mine) > len(theirs):
        mine, theirs = theirs, mine
    if len(mine) < 2:
        return False
    exact = {word.text.lower() for word in mine if word.number or word.text[0].isupper()}
    named = {word.text.lower() for word in theirs}
    if exact - named or subject_of(one) != subject_of(other):
        return False
    shared = sum(any(same_word(word.stem, partner.stem) >= 0.9 for partner in theirs) for word in mine)
    polarity = {concept for concept in concepts_of(one) ^ concepts_of(other) if in_group(concept, "polarity")}
    return shared == len(mine) and not polarity and bool(_NEGATION.search(one)) == bool(_NEGATION.search(other))


def _without_old_topics(items: Sequence[_Item]) -> list[_Item]:
    topics = [item for item in items if item.topic]
    old = set(map(id, topics[: max(0, len(topics) - MOST_TOPICS)]))
    return [item for item in items if id(item) not in old]


def _fit(items: Sequence[_Item], language: Language, budget: int, count_tokens: Callable[[str], int]) -> str:
    """The text of as many items as fit; topics go first, then what is least specific, the oldest first."""
    kept = list(items)
    price = {id(item): count_tokens(item.text) + 2 for item in kept}
    spent = sum(price.values())
    leaving = sorted(
        kept, key=lambda item: (not item.topic and item.heading != "discussed", exact_details(item.text))
    )
    for item in leaving:
        if len(kept) == 1 or (spent <= budget + 40 and count_tokens(_text(kept, language)) <= budget):
            break
        kept.remove(item)
        spent -= price[id(item)]
    text = _text(kept, language)
    while count_tokens(text) > budget and len(text) > 1:
        text = text[: len(text) * 9 // 10].rstrip()
    return text


def _text(items: Sequence[_Item], language: Language) -> str:
    lines = []
    for heading, names in HEADINGS.items():
        if texts := [item.text for item in items if item.heading == heading]:
            lines.append(f"{names[language]}: {'; '.join(texts)}")
    return "\n".join(lines)
