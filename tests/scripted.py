"""The model of the tests: says what a test tells it to, and remembers what it was asked."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator

from chatmem.domain import ChatMessage
from chatmem.errors import ChatmemError
from chatmem.llm.protocol import Completion, ModelRequest

Answer = str | ChatmemError | Completion
SUMMARY = "Background: a person who chats.\nDiscussed: what was said."


class ScriptedModel:
    """A `LanguageModel`. `answers` maps a purpose to what it says: a value, or a function of the request.

    `gate`, when set, holds every chat reply after its first piece until the event is set.
    """

    provider = "scripted"

    def __init__(self, name: str = "scripted-1") -> None:
        self.name = name
        self.requests: list[ModelRequest] = []
        self.answers: dict[str, Answer | Callable[[ModelRequest], Answer]] = {
            "chat": "Understood.",
            "fold": f"<summary>\n{SUMMARY}\n</summary>",
            "title": "A title",
            "extract": '{"operations": []}',
        }
        self.gate: threading.Event | None = None
        self.first_piece_after_s = 0.0

    def asked(self, purpose: str) -> list[ModelRequest]:
        return [request for request in self.requests if request.purpose == purpose]

    def prepare(self, messages: tuple[ChatMessage, ...]) -> tuple[ChatMessage, ...]:
        return messages

    def complete(self, request: ModelRequest) -> Completion:
        self.requests.append(request)
        return self._answer(request)

    def stream(self, request: ModelRequest) -> _Stream:
        self.requests.append(request)
        return _Stream(self, request)

    def _answer(self, request: ModelRequest) -> Completion:
        answer = self.answers[request.purpose]
        if callable(answer):
            answer = answer(request)
        if isinstance(answer, ChatmemError):
            raise answer
        return answer if isinstance(answer, Completion) else Completion(answer, self.name)


class _Stream:
    def __init__(self, model: ScriptedModel, request: ModelRequest) -> None:
        self.completion: Completion | None = None
        self._model = model
        self._request = request
        self._closed = threading.Event()

    def __iter__(self) -> Iterator[str]:
        time.sleep(self._model.first_piece_after_s)
        completion = self._model._answer(self._request)
        pieces = [completion.text[i : i + 5] for i in range(0, len(completion.text), 5)]
        for index, piece in enumerate(pieces):
            if index == 1 and self._model.gate:
                while not self._model.gate.wait(0.01):
                    if self._closed.is_set():
                        return
            yield piece
        self.completion = completion

    def close(self) -> None:
        self._closed.set()
