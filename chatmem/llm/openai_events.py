"""Reading a stream's events, of either API, into deltas of text and what they told about its end.

`read` yields the deltas; `End` is filled meanwhile; `Visible` keeps back what is not meant to be seen.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from chatmem.domain import Usage
from chatmem.llm.openai_errors import Told
from chatmem.llm.providers import Api


@dataclass(slots=True)
class End:
    """What the events told about the end of a reply."""

    reached: bool = False
    cut_off: bool = False
    filtered: bool = False
    refused: bool = False
    model: str = ""
    usage: Usage | None = None


Event = dict[str, Any]
"""As it came: to make the SDK's types of them costs twice what all the rest of a token does."""


def read(api: Api, events: Iterator[Event], end: End) -> Iterator[str]:
    """The deltas of text, as they come. Raises `Told`, and what malformed events lead to."""
    return _read_responses(events, end) if api == "responses" else _read_chat(events, end)


def _read_responses(events: Iterator[Event], end: End) -> Iterator[str]:
    for event in events:
        kind = event.get("type")
        if kind == "response.output_text.delta":
            yield event["delta"]
        elif kind == "response.refusal.delta":
            end.refused = True
        elif kind in ("response.completed", "response.incomplete"):
            response = event["response"]
            reason = (response.get("incomplete_details") or {}).get("reason")
            end.reached, end.model = True, response.get("model") or ""
            end.cut_off = reason == "max_output_tokens"
            end.filtered = reason == "content_filter"
            end.usage = _usage(response.get("usage"), "input_tokens", "output_tokens")
            return
        elif kind == "response.failed":
            raise _told(event["response"].get("error"))
        elif kind == "error":
            raise _told(event)


def _read_chat(events: Iterator[Event], end: End) -> Iterator[str]:
    for chunk in events:
        end.model = chunk.get("model") or end.model
        usage = _usage(chunk.get("usage"), "prompt_tokens", "completion_tokens")
        end.usage = usage or end.usage
        for choice in (chunk.get("choices") or ())[:1]:
            delta, reason = choice.get("delta"), choice.get("finish_reason") or ""
            if delta is not None:
                yield _text(delta.get("content"))
                end.refused = end.refused or bool(delta.get("refusal"))
            if reason:
                end.reached = True
                end.cut_off = reason == "length"
                # Gemini adds its own word: "content_filter: RECITATION".
                end.filtered = reason.startswith("content_filter")
                end.refused = end.refused or reason == "refusal"
        if end.reached and usage:
            return  # some servers then keep the connection open


def in_one_piece(api: Api, body: bytes) -> Iterator[Event]:
    """The events that an answer would have been, had the server streamed it: some proxies do not.

    Raises `Told` for an error sent with status 200, and what a body in no known form leads to.
    """
    answer = json.loads(body)
    if error := answer.get("error"):
        raise _told(error)
    if api == "chat":
        choices = [{**choice, "delta": choice["message"]} for choice in answer["choices"]]
        yield {**answer, "choices": choices}
        return
    for item in answer["output"]:
        for part in item.get("content") or ():
            if part["type"] == "output_text":
                yield {"type": "response.output_text.delta", "delta": part["text"]}
            elif part["type"] == "refusal":
                yield {"type": "response.refusal.delta"}
    yield {"type": f"response.{answer['status']}", "response": answer}


def _told(error: object) -> Told:
    return Told(error.get("code"), error.get("message")) if isinstance(error, dict) else Told("", error)


def _text(content: object) -> str:
    """A delta's text. Mistral's reasoning models send a list of parts, of which some are thoughts."""
    if isinstance(content, list):
        return "".join(part["text"] for part in content if part.get("type") == "text")
    if content is None or isinstance(content, str):
        return content or ""
    raise TypeError("content is neither text nor parts")


def _usage(reported: object, into: str, out: str) -> Usage | None:
    if isinstance(reported, dict):
        match reported.get(into), reported.get(out):
            case int(taken), int(given):
                return Usage(taken, given)
    return None


_OPENING = ("<think>", "<thinking>")


class Visible:
    """Lets through what is meant to be seen: not the `<think>…</think>` some models start with."""

    def __init__(self) -> None:
        self._held = ""
        self._closing = ""
        self._begun = False

    def of(self, delta: str) -> str:
        """What of a delta, and of those held back before it, is to be seen."""
        if self._begun:
            return delta
        self._held += delta
        while True:
            if self._closing:
                _, found, after = self._held.partition(self._closing)
                if not found:
                    self._held = self._held[1 - len(self._closing) :]
                    return ""
                self._held, self._closing = after, ""
            start = self._held.lstrip()
            tag = next((tag for tag in _OPENING if start.startswith(tag)), "")
            if not tag:
                break
            self._closing = tag.replace("<", "</")
        if any(tag.startswith(start) for tag in _OPENING):
            return ""  # a tag may still become of it; so may nothing at all
        self._begun = True
        return start

    def rest(self) -> str:
        """What was held back for a tag that never came."""
        return "" if self._begun or self._closing else self._held.strip()
