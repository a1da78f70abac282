"""Chats as Markdown, to read and to keep elsewhere.

What somebody wrote must not become part of the document's own structure. A person's words stand as they
are in a fenced block with a fence longer than any inside. An answer stays Markdown, a level below our
headings: raw HTML and pictures (which a viewer would fetch by itself) are made plain text, an unclosed
fence is closed; and an answer in which it is not certain what is code stands as a block quote, which
ends whatever was left open in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime

from chatmem.domain import Failure, Language
from chatmem.errors import from_failure
from chatmem.store.records import ConversationRecord, MessageRecord, SummaryRecord
from chatmem.words import SHARED, Texts, say

OWN: Texts = {
    "untitled": {"en": "Untitled chat", "ko": "제목 없는 대화"},
    "times": {"en": "{first} – {last} · times in UTC", "ko": "{first} – {last} · 시각은 UTC"},
    "summary": {
        "en": "Summary v{version}: messages {first}–{last}",
        "ko": "요약 v{version}: 메시지 {first}–{last}",
    },
    "none": {"en": "There are no chats.", "ko": "대화가 없습니다."},
}


def document(chats: Sequence[ConversationRecord], language: Language) -> str:
    """One document of these chats, each under a heading of its own; times in UTC.

    Everything said is in it, also what a reset or a retry has retired and what failed: it is marked. Of the
    summaries, those in force stand behind the last message they cover.
    """
    if not chats:
        return say(OWN, "none", language) + "\n"
    return "\n\n".join(block for chat in chats for block in _chat(chat, language)) + "\n"


def _chat(chat: ConversationRecord, language: Language) -> Iterator[str]:
    yield "# " + (_inline(chat.title) or say(OWN, "untitled", language))
    first, last = f"{chat.created_at.astimezone(UTC):%Y-%m-%d}", f"{chat.updated_at.astimezone(UTC):%Y-%m-%d}"
    yield "*" + say(OWN, "times", language, first=first, last=last) + "*"
    summaries = _in_force(chat)
    for message in chat.messages:
        while summaries and summaries[0].covers_through < message.number:
            yield _summary(summaries.pop(0), language)
        yield _heading(message, language)
        yield from _said(message, language)
    for summary in summaries:
        yield _summary(summary, language)


def _in_force(chat: ConversationRecord) -> list[SummaryRecord]:
    """The head and the versions it carries on, the oldest first. A parent never covers more than its child."""
    versions = {one.version: one for one in chat.summaries}
    found: list[SummaryRecord] = []
    version = chat.head
    while version is not None:
        found.append(versions[version])
        version = versions[version].parent
    return found[::-1]


def _heading(message: MessageRecord, language: Language) -> str:
    marks = [_moment(message.created_at)]
    if message.status != "complete":
        marks.append(say(SHARED, f"status.{message.status}", language))
    if message.retired_at:
        marks.append(say(SHARED, "status.retired", language))
    if message.model:
        marks.append(_inline(message.model))
    return f"## **{say(SHARED, f'role.{message.role}', language)}** · " + " · ".join(marks)


def _moment(at: datetime) -> str:
    return f"{at.astimezone(UTC):%Y-%m-%d %H:%M}"


def _said(message: MessageRecord, language: Language) -> Iterator[str]:
    if message.text.strip():
        yield verbatim(message.text) if message.role == "user" else answer(message.text)
    if message.failure:
        reason = from_failure(Failure(message.failure.code, message.failure.details)).say(language)
        yield f"*{_inline(reason)}*"


def _summary(summary: SummaryRecord, language: Language) -> str:
    title = say(
        OWN, "summary", language, version=summary.version, first=summary.covers_from, last=summary.covers_through
    )
    lines = [f"**{title}** · {_moment(summary.created_at)}", ""]
    lines += [f"{_inline(line)}  " for line in summary.text.splitlines() if line.strip()]
    if summary.pins:
        lines += ["", f"**{say(SHARED, 'summary.pins', language)}**", ""]
        lines += [f"- {number}: {_inline(quote)}" for number, quote in summary.pins]
    return _quoted(lines)


# --- what somebody wrote ------------------------------------------------------------------------


def verbatim(text: str) -> str:
    """A fenced block that nothing in the text can end."""
    longest = max((len(run) for run in re.findall(r"`{3,}", text)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}text\n{text}\n{fence}"


def answer(text: str) -> str:
    """Markdown in which nothing stays open, with no heading above the third level, HTML or picture."""
    lines = text.split("\n")
    parts = _fenced(lines)
    if parts is None:
        return _quoted(_harmless(lines))
    made: list[str] = []
    for is_code, some in parts:
        made += some if is_code else map(_lowered, _harmless(some))
    return "\n".join(made)


def _quoted(lines: Iterable[str]) -> str:
    return "\n".join(f"> {line}" if line.strip() else ">" for line in lines)


_FENCE = re.compile(r"( {0,3})(`{3,}(?=[^`]*$)|~{3,})(.*)")
_LIKE_A_FENCE = re.compile(r"[\s>*+\-\d.)]*(`{3,}|~{3,})")
_UNDERLINE = re.compile(r"[ >]*(=+|-+)\s*")


def _fenced(lines: Sequence[str]) -> list[tuple[bool, list[str]]] | None:
    """The lines in pieces, (is it code, its lines), the last fence closed; or None where that is not certain.

    Certain is a fence at most three spaces from the margin, with nothing inside nearer to it: it is one
    in a list as well as outside, and its end, equally far in, ends it in both. What else looks like a fence
    (deep in a list, in a quote) may be one or not, and underlined headings may be headings or not.
    """
    parts: list[tuple[bool, list[str]]] = [(False, [])]
    margin, fence = "", ""
    for line in lines:
        if fence:
            parts[-1][1].append(line)
            if line.strip(" \t") and not line.startswith(margin):
                return None
            if (end := line.strip(" \t")) and not end.strip(fence[0]) and len(end) >= len(fence):
                if not re.fullmatch(rf"{margin}{re.escape(end)}[ \t]*", line):
                    return None
                fence = ""
                parts.append((False, []))
        elif opening := _FENCE.fullmatch(line):
            margin, fence = opening[1], opening[2]
            parts.append((True, [line]))
        elif _LIKE_A_FENCE.match(line) or (_UNDERLINE.fullmatch(line) and "".join(parts[-1][1][-1:]).strip(" \t")):
            return None
        else:
            parts[-1][1].append(line)
    if fence:
        parts[-1][1].append(margin + fence)
    return parts


_HEADING = re.compile(r"( {0,3})(#{1,6})(?=\s|$)")


def _lowered(line: str) -> str:
    """Two levels, below those of the chat and of the message."""
    found = _HEADING.match(line)
    return f"{found[1]}{'#' * min(6, len(found[2]) + 2)}{line[found.end() :]}" if found else line


_TAG = re.compile(r"<(?=[A-Za-z/!?])")
_BACKTICKS = re.compile(r"(?<!`)(`+)(?!`)")


def _harmless(lines: Sequence[str]) -> list[str]:
    """HTML and pictures outside of code spans as plain text.

    Spans are believed only in a paragraph all of whose lines have theirs complete: then they are the same
    wherever a paragraph really begins.
    """
    made: list[str] = []
    paragraph: list[str] = []
    for line in [*lines, ""]:
        if line.strip(" \t"):
            paragraph.append(line)
            continue
        spans = [_spans(one) for one in paragraph]
        certain = spans if None not in spans else [None] * len(spans)
        made += [_plain(one, found or ()) for one, found in zip(paragraph, certain, strict=True)]
        made.append(line)
        paragraph = []
    return made[:-1]


def _spans(line: str) -> list[tuple[int, int]] | None:
    """Where the code spans of a line are; None if one stays open."""
    found: list[tuple[int, int]] = []
    runs = list(_BACKTICKS.finditer(line))
    place = 0
    while place < len(runs):
        opening = runs[place]
        if line.endswith("\\", 0, opening.start()):
            return None  # perhaps an escaped one: where code begins now is not worth working out
        for other in range(place + 1, len(runs)):
            if len(runs[other][1]) == len(opening[1]):
                found.append((opening.start(), runs[other].end()))
                place = other + 1
                break
        else:
            return None
    return found


def _plain(line: str, code: Sequence[tuple[int, int]]) -> str:
    made, at = [], 0
    for start, end in [*code, (len(line), len(line))]:
        made.append(_TAG.sub("&lt;", line[at:start]).replace("![", "&#33;["))
        made.append(line[start:end])
        at = end
    return "".join(made)


_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|!~$&])")


def _inline(text: str) -> str:
    """In one line, with no character that means anything."""
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))
