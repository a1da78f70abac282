"""The teaching model: a LanguageModel made of rules, so that a class can see what memory does.

It knows nothing but the messages it is given; what the memory forgets, it has forgotten.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator
from dataclasses import asdict
from html import unescape

from chatmem.domain import ChatMessage, Pin
from chatmem.embeddings import Embedder
from chatmem.errors import ReplyEmpty
from chatmem.llm.protocol import Completion, ModelRequest
from chatmem.llm.teaching.answering import reply
from chatmem.llm.teaching.extracting import extract
from chatmem.llm.teaching.outdated import listed
from chatmem.llm.teaching.pinning import Said
from chatmem.llm.teaching.reading import fenced
from chatmem.llm.teaching.summarising import summarise
from chatmem.llm.teaching.titles import title

_MESSAGE = re.compile(r"<message n=\"(\d+)\" role=\"(user|assistant)\"[^>]*>(.*?)</message>", re.DOTALL)
_TRANSCRIPT = re.compile(r"<transcript>(.*)</transcript>", re.DOTALL)
_KNOWN = re.compile(r"<known>\n(.*?)\n?</known>", re.DOTALL)
_PIN = re.compile(r"^\[(\d+)\] (.+)$")
_PIECE = re.compile(r"\s*[가-힣]{1,3}|\s*[^\s가-힣]{1,12}|\s+")


class TeachingModel:
    """Answers by rule, from its context only; folds by quoting; extracts facts; makes titles. Safe for any thread.

    `pace_s` is the pause after each piece of a streamed reply, in seconds. The first reply waits for the
    embedder to load; call its `warm_up` at start.
    """

    provider = "teaching"
    name = "teaching-1"

    def __init__(self, embedder: Embedder, count_tokens: Callable[[str], int], pace_s: float = 0.02) -> None:
        self._embedder = embedder
        self._count_tokens = count_tokens
        self._pace_s = pace_s

    def prepare(self, messages: tuple[ChatMessage, ...]) -> tuple[ChatMessage, ...]:
        return messages

    def stream(self, request: ModelRequest) -> TeachingStream:
        """The reply in small pieces. It is thought of when iteration starts, so this returns at once."""
        return TeachingStream(lambda: self.complete(request), self._pace_s)

    def complete(self, request: ModelRequest) -> Completion:
        """The whole output, without pauses."""
        if request.purpose == "fold":
            text, cut_off = self._fold(request), False
        elif request.purpose == "extract":
            text, cut_off = self._extract(request), False
        elif request.purpose == "title":
            text, cut_off = title(_first_words(request)), False
        else:
            text, cut_off = self._cut(
                reply(request.messages, request.language, self._embedder), request.max_tokens
            )
        if not text.strip():
            raise ReplyEmpty()
        return Completion(text, model="teaching", cut_off=cut_off)

    def _cut(self, text: str, max_tokens: int) -> tuple[str, bool]:
        whole = text
        while text and self._count_tokens(text) > max_tokens:
            text = text[: len(text) * 9 // 10]
        return text, text != whole

    def _extract(self, request: ModelRequest) -> str:
        """Operations as JSON. Never cut at the request's cap: half a JSON text is worth nothing."""
        prompt = "\n".join(message.text for message in request.messages if message.role == "user")
        operations = extract(_numbered(prompt), _transcript(prompt, escaped=False))
        return json.dumps({"operations": [asdict(one) for one in operations]}, ensure_ascii=False)

    def _fold(self, request: ModelRequest) -> str:
        prompt = "\n".join(message.text for message in request.messages if message.role == "user")
        previous_pins = [
            Pin(int(match.group(1)), match.group(2))
            for line in (fenced(prompt, "previous_pins") or "").splitlines()
            if (match := _PIN.match(line.strip()))
        ]
        summary = summarise(
            (fenced(prompt, "previous_summary") or "").strip(),
            previous_pins,
            _transcript(prompt),
            request.language,
            request.max_tokens // 2,  # the other half is for pins and tags
            self._count_tokens,
            listed(fenced(prompt, "no_longer_true") or ""),
        )
        parts = [f"<summary>\n{summary.text}\n</summary>"]
        parts.append("\n".join(["<pins>", *(f"[{pin.number}] {pin.quote}" for pin in summary.pins), "</pins>"]))
        if summary.dropped:
            parts.append("\n".join(["<dropped_pins>", *summary.dropped, "</dropped_pins>"]))
        return "\n".join(parts)


class TeachingStream:
    """A reply on its way; `completion` is set at its end, and stays None when it was closed before."""

    def __init__(self, think: Callable[[], Completion], pace_s: float) -> None:
        self.completion: Completion | None = None
        self._think = think
        self._pace_s = pace_s
        self._closed = threading.Event()

    def __iter__(self) -> Iterator[str]:
        if self._closed.is_set():
            return
        completion = self._think()
        for piece in _PIECE.findall(completion.text):
            if self._closed.is_set():
                return
            yield piece
            if self._pace_s and self._closed.wait(self._pace_s):
                return
        self.completion = completion

    def close(self) -> None:
        self._closed.set()


def _transcript(prompt: str, escaped: bool = True) -> list[Said]:
    """The messages of a transcript. Extraction reads them as they stand: its quotes must be found in them."""
    block = _TRANSCRIPT.search(prompt)
    return [
        Said(int(number), "user" if role == "user" else "assistant", unescape(text) if escaped else text)
        for number, role, text in _MESSAGE.findall(block.group(1) if block else "")
    ]


def _numbered(prompt: str) -> list[str]:
    """The known facts; a line that does not go on with the numbering belongs to the fact before."""
    known: list[str] = []
    block = _KNOWN.search(prompt)
    for line in (block.group(1) if block else "").strip().splitlines():
        number, dot, text = line.partition(". ")
        if dot and number == str(len(known) + 1):
            known.append(text)
        elif known:
            known[-1] = f"{known[-1]} {line}"
    return known


def _first_words(request: ModelRequest) -> str:
    """The first user message that a title is wanted for: inside a transcript, or the message itself."""
    for message in request.messages:
        if message.role == "user":
            said = _transcript(message.text)
            users = [one.text for one in said if one.role == "user"]
            return users[0] if users else message.text
    return ""
