"""Exact details of messages: what a person would want back word for word.

Not counted, because nobody misses them: zero and one, numbers of lists and steps, headings, code blocks, what a
talk counts about itself ("two options"), and words like "tomorrow" that mean nothing without their day. A reply
is full of examples, so of each only the first few details count (`FROM_A_REPLY`), and of its small bare numbers
("then two") none.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Hashable, Iterator, Sequence
from datetime import date

from chatmem.domain import PIN_CHARACTERS, Detail, DetailKind, Message
from chatmem.memory.exact.dates import Day, weekday_dates
from chatmem.memory.exact.names import code_spans, name_spans, names_within
from chatmem.memory.exact.quantities import Reading, blank, is_bare, is_trivial, read
from chatmem.memory.exact.units import Amount

LONGEST_TEXT = 20_000
"""Characters of a message that are looked at: its beginning. A pasted book is no list of details."""

FROM_A_PERSON = 40
"""Details of one message of the person's; more is a pasted table, which no pin could carry."""

FROM_A_REPLY = 8
"""Details of one reply."""

LONGEST_QUOTATION = 120
"""Characters between quotation marks that are one detail; in a longer passage the details are looked for."""

CLAUSE_WORDS = 4
"""Words a clause needs to be understood as a pin; a shorter one takes its neighbour with it."""


def details(messages: Sequence[Message]) -> tuple[Detail, ...]:
    """Names, numbers, dates and quoted strings of these messages, in order, each once, where it is said first."""
    texts = [message.text[:LONGEST_TEXT] for message in messages]
    known = frozenset[str]().union(*(names_within(text) for text in texts))
    found: dict[Hashable, Detail] = {}
    for message, text in zip(messages, texts, strict=True):
        room = FROM_A_PERSON if message.role == "user" else FROM_A_REPLY
        for span in _spans(text, known, message.role != "user"):
            detail = _detail(message, text, *span) if room else None
            if detail and (same := identity(detail)) not in found:
                found[same] = detail
                room -= 1
    return tuple(found.values())


def identity(detail: Detail) -> Hashable:
    """What makes two details one: the same name, or a number or date that means the same."""
    if detail.kind in ("number", "date") and (readings := read(detail.what)):
        return tuple(reading.meanings for reading in readings)
    return without_title(plain(detail.what))


# --- finding --------------------------------------------------------------------------------------

_NOT_PROSE = re.compile(
    r"```.*?(?:```|\Z)|^#{1,6} [^\n]*$|^[ \t]*(?:[-*•] )?\(?\d{1,2}[.)]\s"
    r"|\b(?:[Ss]tep|[Oo]ption|[Tt]ip) \d+|(?<!\d)\d{1,2}단계|\b24/7\b",
    re.DOTALL | re.MULTILINE,
)
_QUOTATION = re.compile(
    "|".join(
        rf"{opening}([^{opening}{closing}\n]{{2,{LONGEST_QUOTATION}}}){closing}"
        for opening, closing in ('""', "“”", "「」", "『』", "«»")
    )
    + r"|(?<!\w)['‘]([^'‘’\n]{1,80}(?:['’]\w[^'‘’\n]{0,40})?(?<!\s))['’](?![A-Za-z0-9])"
)
_RANGE = re.compile(r"\s?(?:[-–~/x×]|to|or|by|out of|over|내지)\s?")

_Span = tuple[int, int, DetailKind]


def _spans(text: str, known: frozenset[str], is_reply: bool) -> Iterator[_Span]:
    prose = _NOT_PROSE.sub(lambda match: "\n" * len(match[0]), text)
    spans: list[_Span] = [(*match.span(match.lastindex or 0), "quote") for match in _QUOTATION.finditer(prose)]
    prose = blank(prose, [(start, end) for start, end, _ in spans])
    codes = code_spans(prose)
    spans += [(start, end, "name") for start, end in codes]
    prose = blank(prose, codes)
    readings = read(prose)
    numbers = list(_joined(text, [r for r in readings if not (is_trivial(r, text) or (is_reply and is_bare(r)))]))
    number_ends = {start: end for start, end, kind in numbers if kind == "number"}
    within = _covered(readings)
    for start, end in name_spans(prose, blank(prose, [reading.span for reading in readings]), known):
        if start in within or end - 1 in within:
            continue
        number_end = number_ends.get(end + 1, 0)
        if text[end : end + 1] == " " and re.fullmatch(r"\d[\d.]*", text[end + 1 : number_end]):
            end = number_end  # "Gate 22", "Python 3.12"
        spans.append((start, end, "name"))
    return _apart(spans + numbers)


def _covered(readings: Sequence[Reading]) -> frozenset[int]:
    return frozenset(place for reading in readings for place in range(reading.start, reading.end))


def _joined(text: str, readings: Sequence[Reading]) -> Iterator[_Span]:
    """Readings as spans, "142/91" and "3 to 5 days" as one: half of a range says nothing. "From 3 to 5" is two."""
    start = readings[0].start if readings else 0
    for reading, following in zip(readings, [*readings[1:], None][: len(readings)], strict=True):
        if following is None or not _is_range(text, start, reading, following):
            yield start, reading.end, reading.kind
            start = following.start if following else 0


def _is_range(text: str, start: int, reading: Reading, following: Reading) -> bool:
    """Whether two numbers are one detail. The first has no unit of its own."""
    match reading.meanings:
        case (Amount(_, "", nouns),) if not nouns and following.kind == "number":
            is_change = text.startswith(("from ", "From "), max(0, start - 5))
            return not is_change and bool(_RANGE.fullmatch(text, reading.end, following.start))
        case _:
            return False


def _apart(spans: list[_Span]) -> Iterator[_Span]:
    """In order, the longest of those that begin alike, and none that overlap."""
    last = -1
    for start, end, kind in sorted(spans, key=lambda span: (span[0], -span[1])):
        if last <= start < end:
            yield start, end, kind
            last = end


def _detail(message: Message, text: str, start: int, end: int, kind: DetailKind) -> Detail | None:
    what = text[start:end].strip()
    if not what or len(what) > PIN_CHARACTERS or "\n" in what:
        return None
    days: tuple[date, ...] = ()
    for meaning in [meaning for reading in read(what) for meaning in reading.meanings] if kind == "date" else ():
        if isinstance(meaning, Day) and meaning.weekday is not None:
            days = weekday_dates(meaning.weekday, message.created_at.date())
    return Detail(message.number, clause(text, start, end), what, kind, days)


# --- the words around it --------------------------------------------------------------------------

_SENTENCE = re.compile(r"(?<=[.!?。…])[\"'”’」』)]*\s+|\n+")
_BREAK = re.compile(
    r"[,;]\s+|\s+(?:and|but|so|because)\s+|(?<=[가-힣](?:고|며|서))(?<!에서)\s+(?!있|싶)|(?<=는데)\s+|(?<=인데)\s+|(?<=지만)\s+|(?<=니까)\s+"
)


def clause(text: str, start: int, end: int) -> str:
    """The smallest piece of the sentence around text[start:end] that can be understood alone, word for word.

    At most `PIN_CHARACTERS`, on one line.
    """
    low = max(0, start - PIN_CHARACTERS)
    around = text[low : end + PIN_CHARACTERS]
    start, end = start - low, end - low
    sentence = _between(_SENTENCE, around, start, end, (0, len(around)))
    left, right = _between(_BREAK, around, start, end, sentence)
    if len(around[left:right].split()) < CLAUSE_WORDS:  # the clause before says what it is about
        left = _between(_BREAK, around, max(sentence[0], left - 3), end, sentence)[0]
    if len(around[left:right].split()) < CLAUSE_WORDS:
        left, right = sentence
    piece = around[left:right].strip().rstrip(",;")
    if len(piece) <= PIN_CHARACTERS and around[start:end].strip() in piece:
        return piece
    return _cut(around, start, end)


def _between(
    pattern: re.Pattern[str], text: str, start: int, end: int, within: tuple[int, int]
) -> tuple[int, int]:
    left, right = within
    for match in pattern.finditer(text, *within):
        if match.end() <= start:
            left = match.end()
        elif match.start() >= end:
            return left, match.start()
    return left, right


def _cut(text: str, start: int, end: int) -> str:
    """Whole words on both sides, as many as fit."""
    half = (PIN_CHARACTERS - (end - start)) // 2
    before = text[max(0, start - half) : start].split("\n")[-1]
    after = text[end : end + half].split("\n")[0]
    if start > half and " " in before:
        before = before[before.index(" ") + 1 :]
    if end + half < len(text) and " " in after:
        after = after[: after.rindex(" ")]
    return (before + text[start:end] + after).strip()


# --- comparing ------------------------------------------------------------------------------------

_MARKS = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-", "‑": "-", "`": ""})
_TITLE = re.compile(r"^(?:dr|mrs?|ms|prof|professor|aunt|uncle|the)\.?\s+")


def plain(text: str) -> str:
    """As it is compared: one case, one kind of quotation marks, hyphens and spaces."""
    return " ".join(unicodedata.normalize("NFKC", text).translate(_MARKS).casefold().split())


def without_title(name: str) -> str:
    """A plain name without what stands before it: "Dr. Okafor" is told of as "Okafor"."""
    return _TITLE.sub("", name)
