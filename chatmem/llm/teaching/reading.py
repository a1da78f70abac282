"""Reading a context: which statements the model was given, and what it is asked.

Evidence is only what the person said: summary, pins, recalled lines, earlier user messages, and what
stands beside the question. Assistant messages are never evidence, or a slip would become a memory.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import unescape
from typing import Literal

from chatmem.domain import ChatMessage
from chatmem.llm.teaching.corrections import changes_something
from chatmem.llm.teaching.intent import is_code, is_question, is_request, is_small_talk

Origin = Literal["facts", "summary", "pin", "recalled", "said"]

LONGEST_STATEMENT = 600
"""Characters of one statement; a pasted page without a full stop is looked at by its beginning."""

_FENCE = {
    name: re.compile(rf"<{name}>\n?(.*?)\n?</{name}>", re.DOTALL)
    for name in (
        "summary", "pins", "facts", "recalled", "previous_summary", "previous_pins", "no_longer_true",
        "transcript",
    )
}  # fmt: skip
_CODE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_ABBREVIATION = re.compile(r"(?:\b(?:St|Mr|Mrs|Ms|Dr|Prof|No|vs|approx|e\.g|i\.e|etc|[A-Z])|^\d+)\.$")
_SENTENCE_END = re.compile(r"(?<=[.!?。！？…])[\"'”’)\]]*\s+|\n+|(?<=[가-힣ㅎㅋㅠ])[~^ㅎㅋㅠ]{2,}\s+")
_LIST_MARK = re.compile(r"^\s*(?:[-*•·]|\d{1,2}[.)])\s+")
_RECALLED_MARK = re.compile(
    r"^\s*(?:[-*•·]\s+|\[[^\]]{1,60}\]\s*|\([^)]{1,40}\)\s*|\d{4}-\d\d-\d\d(?:[T "
    r"]\d\d:\d\d(?::\d\d)?)?\s*[:·,-]?\s*"
    r"|(?:message|메시지)\s+\d+\s*[:·,-]?\s*|(?:user|person|사용자|나)\s*:\s*)+",
    re.IGNORECASE,
)
_SPEAKER = r"^\W*(?:\[[^\]]{1,60}\]\s*|\d{4}-\d\d-\d\d\S*\s*)*"
_ASSISTANT_LINE = re.compile(_SPEAKER + r"(?:assistant|model|어시스턴트|연습 모델|도우미)\s*[:\])]", re.IGNORECASE)
_PERSON_LINE = re.compile(_SPEAKER + r"(?:user|person|사용자)\s*:", re.IGNORECASE)
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_PIN = re.compile(r"^\s*\[(\d+)\]\s*(.+?)\s*$")
_HEADING = re.compile(r"^\s*[-*•]?\s*\**([A-Za-z가-힣 ]{2,24}?)\**\s*[:：]\s*")
_ANAPHOR = re.compile(
    r"^(?:(?:and|but|so|also)\s+)?(?:he|she|it|they|his|her|its|their|that|this|those|both)(?:['’](?:s|re"
    r"|d|ll))?\b"
    r"|^(?:그건|그게|그것|걔|그녀|그분|그 친구|이름은|이름이|나이는|둘 다|그래서|거기)",
    re.IGNORECASE,
)
_CONTINUES = re.compile(
    r"^(?:mostly|mainly|usually|especially|instead|as of|from now on|so now|but now|since then|only)\b"
    r"|^(?:주로|올해로|이제|이젠|그날|그때|덕분에|특히|대신|보통은?)\s",
    re.IGNORECASE,
)
SHORT_NEWS = 60
"""Characters up to which a sentence that announces a change ("I've moved!") waits for the next to tell it."""
_REMEMBER = re.compile(
    r"^(?:please\s+|(?:can|could|will) you\s+)*(?:remember|note|keep in mind|don['’]t forget)(?:\s+that"
    r"|\s*:)?\s+|^(?:기억해\s*(?:줘|둬|주세요)?|메모해\s*줘?)\s*[:,.]\s*",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Statement:
    """One thing the person said. `order` grows with time; `around` is what was said just before it."""

    text: str
    order: int
    origin: Origin
    around: str = ""


@dataclass(frozen=True, slots=True)
class Reading:
    """A context taken apart. `statements` are in the order they were said, the question's own last."""

    statements: tuple[Statement, ...]
    question: str
    earlier_question: str
    is_first_reply: bool


def fenced(text: str, name: str) -> str | None:
    """What stands between `<name>` and `</name>`, unescaped; None without such a block."""
    match = _FENCE[name].search(text)
    return unescape(match.group(1)) if match else None


def read(messages: Sequence[ChatMessage]) -> Reading:
    """Take a chat context apart (see DESIGN, "Context order")."""
    found: list[tuple[str, Origin, str]] = []
    talk = [message for message in messages if message.role != "system"]
    question, window = "", talk
    if talk and talk[-1].role == "user":
        question, window = talk[-1].text, talk[:-1]
    long_ago: list[tuple[str, str, Origin]] = []
    for message in messages:
        if message.role == "system" and (facts := fenced(message.text, "facts")):
            long_ago.extend((day, line, "facts") for day, line in dated_lines(facts))
    if question.lstrip().startswith("<recalled>") and (recalled := fenced(question, "recalled")) is not None:
        long_ago.extend((day, line, "recalled") for day, line in dated_lines(recalled))
        question = _FENCE["recalled"].sub("", question, count=1)
    found.extend((line, origin, "") for _, line, origin in sorted(long_ago, key=lambda one: one[0]))
    has_summary = bool(window) and _is_memory_block(window[0])
    if has_summary:
        found.extend(_memory_block(window[0].text))
        window = window[1:]
    earlier_question = ""
    before = ""
    for message in window:
        if message.role == "user":
            found.extend(_said(message.text, before))
            before = found[-1][0] if found and found[-1][1] == "said" else ""
            asked = [sentence for sentence in sentences(message.text) if is_question(sentence)]
            earlier_question = asked[-1] if asked else earlier_question
    found.extend(_said(question, before))
    statements = tuple(
        Statement(text, order, origin, around) for order, (text, origin, around) in enumerate(found)
    )
    is_first = not has_summary and not any(message.role == "assistant" for message in window)
    return Reading(_without_repeats(statements), question.strip(), earlier_question, is_first)


def _is_memory_block(message: ChatMessage) -> bool:
    sources = [segment.source for segment in message.segments]
    if sources[:1] and sources[0].startswith("message:") and len(sources) == 1:
        return False  # a person who types "<summary>" has written a message, not our memory
    return message.role == "user" and bool(fenced(message.text, "summary") or fenced(message.text, "pins"))


def _memory_block(text: str) -> list[tuple[str, Origin, str]]:
    found: list[tuple[str, Origin, str]] = []
    for heading, item in summary_items(fenced(text, "summary") or ""):
        if heading != "discussed":
            found.append((item, "summary", ""))
    pins = [match.group(2) for line in (fenced(text, "pins") or "").splitlines() if (match := _PIN.match(line))]
    found.extend((quote, "pin", "") for quote in pins)
    return found


def _said(text: str, before: str) -> list[tuple[str, Origin, str]]:
    """The statements of a message; the message before lends its last words to a leading "She is …"."""
    found: list[tuple[str, Origin, str]] = []
    for place, statement in enumerate(statements_in(text)):
        if place == 0 and not leans_on_before(statement):
            before = ""
        found.append((statement, "said", before))
        before = statement
    return found


def _without_repeats(statements: Sequence[Statement]) -> tuple[Statement, ...]:
    """The last of equal texts; a pin that only repeats part of a summary's item goes."""
    kept: list[Statement] = []
    bare = [re.sub(r"[\s.!\"“”'’]+", "", statement.text).lower() for statement in statements]
    for at, statement in enumerate(statements):
        later = bare[at + 1 :]
        in_summary = statement.origin in ("pin", "recalled") and any(
            bare[at] in other and bare[at] != other
            for place, other in enumerate(bare)
            if statements[place].origin == "summary"
        )
        if bare[at] and bare[at] not in later and not in_summary:
            kept.append(statement)
    return tuple(kept)


HEADINGS = {
    "background": "background", "preferences": "preferences", "goals": "goals", "discussed": "discussed",
    "in progress": "in progress", "배경": "background", "선호": "preferences", "목표": "goals",
    "논의": "discussed",
    "진행 중": "in progress", "preference": "preferences", "goal": "goals", "취향": "preferences",
    "what was discussed": "discussed", "discussion": "discussed", "work in progress": "in progress",
    "진행중": "in progress", "논의한 내용": "discussed", "논의 내용": "discussed",
    "진행 중인 일": "in progress", "선호도": "preferences",
}  # fmt: skip


def summary_items(text: str) -> list[tuple[str, str]]:
    """(heading, item) of a summary; lines without a known heading count as background. Items end at ";"."""
    found: list[tuple[str, str]] = []
    for line in text.splitlines():
        heading = "background"
        match = _HEADING.match(line)
        if match and match.group(1).strip().lower() in HEADINGS:
            heading = HEADINGS[match.group(1).strip().lower()]
            line = line[match.end() :]
        found.extend((heading, item.strip()) for item in line.split("; ") if item.strip(" .;-"))
    return found


def dated_lines(text: str) -> list[tuple[str, str]]:
    """Day ("" if none) and words of each line of a block of facts or recalled messages.

    The person's own words only: no marks, nothing of the assistant's, no questions.
    """
    found: list[tuple[str, str]] = []
    for line in text.splitlines():
        if not line.strip() or _ASSISTANT_LINE.search(line):
            continue
        bare = _RECALLED_MARK.sub("", line).strip()
        bare = re.sub(r"\s*[\[(]\d{4}-\d\d-\d\d[^)\]]*[)\]]\s*$", "", bare).strip('"“” ')
        day = match.group() if (match := _DAY.search(line)) else ""
        if _PERSON_LINE.search(line):
            found.extend((day, statement) for statement in statements_in(bare))
        elif bare and not is_question(bare):
            found.append((day, bare[:LONGEST_STATEMENT]))
    return found


def sentences(text: str) -> list[str]:
    """The sentences of a text, code blocks left out."""
    found: list[str] = []
    for piece in _SENTENCE_END.split(_CODE.sub("\n", text)):
        piece = _LIST_MARK.sub("", piece).strip()
        if not piece:
            continue
        if found and _ABBREVIATION.search(found[-1]) and len(found[-1]) < LONGEST_STATEMENT:
            found[-1] = f"{found[-1]} {piece}"
        else:
            found.append(piece)
    return found


def leans_on_before(statement: str) -> bool:
    """Whether a statement begins with a word that points back: "she", "it", "that", "이름은"."""
    return bool(_ANAPHOR.match(statement))


def carries_on(sentence: str) -> bool:
    """Whether a sentence makes sense only after the one before: "She is 3", "As of this month, …"."""
    return leans_on_before(sentence) or bool(_CONTINUES.match(sentence))


def _goes_on(before: str, sentence: str) -> bool:
    """Whether a sentence of the same message goes on with what the one before began to tell."""
    news = len(before) <= SHORT_NEWS and changes_something(before)
    return news or carries_on(sentence)


def statements_in(text: str) -> list[str]:
    """What a message states: its sentences without questions, requests and small talk.

    A sentence that only makes sense after another ("She is called Miso") stays with it. Verbatim
    except for what stands between two joined sentences and a leading "remember that".
    """
    found: list[str] = []
    joinable = False
    for sentence in sentences(text):
        bare = _REMEMBER.sub("", sentence).strip()
        if bare != sentence and not is_question(sentence):
            bare = bare.rstrip("?")  # "can you remember that my birthday is in May?"
        if (
            not re.search(r"\w", bare)
            or is_code(bare)
            or is_question(bare)
            or is_request(bare)
            or is_small_talk(bare)
        ):
            joinable = False
            continue
        if joinable and _goes_on(found[-1], bare) and len(found[-1]) + len(bare) < LONGEST_STATEMENT:
            found[-1] = f"{found[-1]} {bare}"
        else:
            found.append(bare[:LONGEST_STATEMENT])
        joinable = True
    return found
