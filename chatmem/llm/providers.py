"""The servers chatmem knows by name, and what it learns about how each one differs.

`PROVIDERS` are the presets a person chooses from. `Quirks` are what one model of one server turned out
not to accept: they change the request's parameters and the shape of its messages, and are remembered
for the process by `quirks_of` and `remember`. No SDK and no network in here.
"""

from __future__ import annotations

import ipaddress
import re
import socket
import threading
from collections import OrderedDict
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Literal
from urllib.parse import urlsplit

from chatmem.domain import ChatMessage, Segment

Api = Literal["responses", "chat"]


@dataclass(frozen=True, slots=True)
class Provider:
    """A preset. `local` says that the address is on the visitor's or the host's own network.

    An empty `base_url`, `model` or `helper_model` must be chosen by the person. Without `needs_key`
    a key may still be given.
    """

    id: str
    label: str
    base_url: str
    api: Api
    needs_key: bool
    local: bool
    model: str
    helper_model: str


TEACHING = Provider("teaching", "Teaching model", "", "chat", False, False, "", "")
"""No server at all: the rule-based model of `llm.teaching`, listed so that it can be chosen."""

OPENAI = Provider(
    "openai",
    "OpenAI",
    "https://api.openai.com/v1/",
    "responses",
    needs_key=True,
    local=False,
    model="gpt-5.4-mini",
    helper_model="gpt-5.4-nano",
)
ANTHROPIC = Provider(
    "anthropic",
    "Anthropic",
    "https://api.anthropic.com/v1/",
    "chat",
    needs_key=True,
    local=False,
    model="claude-sonnet-4-6",
    helper_model="claude-haiku-4-5",
)
GEMINI = Provider(
    "gemini",
    "Gemini",
    "https://generativelanguage.googleapis.com/v1beta/openai/",
    "chat",
    needs_key=True,
    local=False,
    # Google's own names for "the newest one": numbered versions are shut down within a year.
    model="gemini-flash-latest",
    helper_model="gemini-flash-lite-latest",
)
OLLAMA = Provider("ollama", "Ollama", "http://localhost:11434/v1", "chat", False, True, "", "")
LMSTUDIO = Provider("lmstudio", "LM Studio / llama.cpp", "http://localhost:1234/v1", "chat", False, True, "", "")
OTHER = Provider("other", "Other server", "", "chat", False, False, "", "")

PROVIDERS: dict[str, Provider] = {
    provider.id: provider for provider in (TEACHING, OPENAI, ANTHROPIC, GEMINI, OLLAMA, LMSTUDIO, OTHER)
}


def server_name(base_url: str) -> str:
    """Host and port of an address, fit to be shown: no path, no user, no password."""
    try:
        parts = urlsplit(base_url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return ""
    return f"{host}:{port}" if port else host


def on_own_network(base_url: str) -> bool:
    """Whether an address names this machine or a private network, as far as its text tells.

    A public name that resolves to a private address is not found out: nothing is looked up.
    """
    try:
        host = (urlsplit(base_url).hostname or "").rstrip(".")
    except ValueError:
        return False
    one_word = bool(host) and not set(host) & set(".:")
    if one_word or host.endswith((".localhost", ".local", ".internal", ".lan")):
        return True
    for read in (ipaddress.ip_address, lambda text: ipaddress.ip_address(socket.inet_aton(text))):
        with suppress(ValueError, OSError):  # the second reads what browsers do: 127.1, 0x7f.0.0.1
            return not read(host).is_global
    return False


# --- how servers differ -------------------------------------------------------------------------

EFFORTS = ("none", "minimal", "low", "medium")
"""Reasoning efforts, least first. gpt-5.4 knows `none` and not `minimal`, gpt-5 the other way round."""

CAP_NAMES = ("max_tokens", "max_completion_tokens")
"""Names of the output's cap, first tried first: the servers that know only the old name ignore the new one
without a word, and would write without any limit."""

NO_SYSTEM_ROLE = re.compile(
    r"system (role|message|prompt|instruction)s?\b[^.]{0,40}\bnot (be )?(supported|allowed|enabled)"
    r"|not support\w* (the )?['\"`]?system\b"
    r"|roles? are supported, got ['\"`]?system"
    r"|developer instruction is not enabled",
    re.IGNORECASE,
)
ALTERNATION = re.compile(r"roles? (must|should) alternat|must be alternat|consecutive \w+ messages", re.IGNORECASE)
"""Both are the words of chat templates (Gemma, Mistral, Llama 2), which the servers pass on."""


def speaks_of_roles(words: str) -> bool:
    """Whether an error is about the shape of the messages, which can be mended."""
    return bool(NO_SYSTEM_ROLE.search(words) or ALTERNATION.search(words))


@dataclass(frozen=True, slots=True)
class Quirks:
    """How one model of one server differs from the rest. The defaults are what is tried first."""

    cap_name: str = CAP_NAMES[0]
    effort: str = EFFORTS[0]
    refused: frozenset[str] = frozenset()
    folds_system: bool = False
    alternates: bool = False

    def parameters(
        self, api: Api, cap: int, helper: bool, schema: Mapping[str, object] | None = None
    ) -> dict[str, object]:
        """What goes beside model and messages. Temperature is never sent: reasoning models refuse it."""
        wanted: dict[str, object]
        if api == "responses":
            wanted = {"store": False, "max_output_tokens": cap, "reasoning": {"effort": self.effort}}
            if schema:
                form = {"type": "json_schema", "name": SCHEMA_NAME, "strict": True, "schema": schema}
                wanted["text"] = {"format": form}
        else:
            wanted = {
                "stream_options": {"include_usage": True},
                self.cap_name: cap,
                "reasoning_effort": self.effort,
            }
            if schema:
                named = {"name": SCHEMA_NAME, "strict": True, "schema": schema}
                wanted["response_format"] = {"type": "json_schema", "json_schema": named}
        skipped = self.refused if helper else self.refused | {"reasoning", "reasoning_effort"}
        return {name: value for name, value in wanted.items() if name not in skipped}

    def shape(self, messages: tuple[ChatMessage, ...]) -> tuple[ChatMessage, ...]:
        """The messages as this server wants them. Shaping twice changes nothing more."""
        spoken = [message for message in messages if message.role != "system"]
        # Where turns must alternate, a user has to begin; a window may well begin with an answer.
        needs_opening = self.alternates and bool(spoken) and spoken[0].role == "assistant"
        if self.folds_system or needs_opening:
            messages = _fold_system(messages)
        if self.alternates:
            messages = _merge_turns(messages)
        return messages

    def after_refusal(self, status: int | None, words: str, sent: dict[str, object]) -> Quirks | None:
        """What to try next, given the server's words, or None where nothing can be mended.

        Every answer gives up something for good, so that asking again comes to an end. `status` is
        None for an error inside a stream. Templates fail with any status (500 on llama.cpp).
        """
        if not self.folds_system and NO_SYSTEM_ROLE.search(words):
            return replace(self, folds_system=True)
        if ALTERNATION.search(words):
            if not self.alternates:
                return replace(self, alternates=True)
            return None if self.folds_system else replace(self, folds_system=True)
        if status not in (None, 400, 422):
            return None
        for name in sent:
            if _names(name, words):
                return self._without(name, words)
        return None

    def joined(self, other: Quirks) -> Quirks:
        """What both have learned. No request takes back what another one, faster than it, has found out."""
        return Quirks(
            max(self.cap_name, other.cap_name, key=CAP_NAMES.index),
            max(self.effort, other.effort, key=EFFORTS.index),
            self.refused | other.refused,
            self.folds_system or other.folds_system,
            self.alternates or other.alternates,
        )

    def _without(self, name: str, words: str) -> Quirks:
        if name == CAP_NAMES[0] and not re.search(r"too large|at most|exceed|maximum", words, re.IGNORECASE):
            return replace(self, cap_name=CAP_NAMES[-1])
        if name in ("reasoning", "reasoning_effort"):
            for effort in EFFORTS[EFFORTS.index(self.effort) + 1 :]:
                if re.search(rf"\b{effort}\b", words):
                    return replace(self, effort=effort)
        return replace(self, refused=self.refused | {name})


SCHEMA_NAME = "output"

_EFFORT_WORDS = r"reasoning[_.]effort|\.effort|reasoning|thinking"
_SPOKEN_OF = {
    "reasoning": _EFFORT_WORDS,
    "reasoning_effort": _EFFORT_WORDS,
    "stream_options": r"stream_options|include_usage",
    "text": r"text\.format|json_schema|structured outputs?",
    "response_format": r"response_format|json_schema|structured outputs?",
    # Only as a quoted name: without `store=False` a provider keeps what was said for a month.
    "store": r"(?<=['\"`])store(?=['\"`])",
}


def _names(parameter: str, words: str) -> bool:
    pattern = _SPOKEN_OF.get(parameter, re.escape(parameter))
    return bool(re.search(rf"(?<!\w)(?:{pattern})(?!\w)", words, re.IGNORECASE))


def _joined(first: ChatMessage, second: ChatMessage) -> ChatMessage:
    return ChatMessage(first.role, (*first.segments, Segment("\n\n"), *second.segments))


def _merge_turns(messages: tuple[ChatMessage, ...]) -> tuple[ChatMessage, ...]:
    merged: list[ChatMessage] = []
    for message in messages:
        if merged and merged[-1].role == message.role:
            merged[-1] = _joined(merged[-1], message)
        else:
            merged.append(message)
    return tuple(merged)


def _fold_system(messages: tuple[ChatMessage, ...]) -> tuple[ChatMessage, ...]:
    rules = _merge_turns(tuple(message for message in messages if message.role == "system"))
    spoken = [message for message in messages if message.role != "system"]
    if not rules:
        return messages
    opening = ChatMessage("user", rules[0].segments)
    if spoken and spoken[0].role == "user":
        return (_joined(opening, spoken[0]), *spoken[1:])
    return (opening, *spoken)


# --- what was learned, for as long as the process lives ------------------------------------------

_MOST_REMEMBERED = 256
"""Visitors may name any model of any server; the oldest knowledge is dropped, and learned again."""

_learned: OrderedDict[tuple[str, str], Quirks] = OrderedDict()
_lock = threading.Lock()


def quirks_of(base_url: str, model: str) -> Quirks:
    """What is known about a model of a server so far."""
    with _lock:
        return _learned.get((base_url.rstrip("/"), model), Quirks())


def remember(base_url: str, model: str, quirks: Quirks) -> None:
    """Keep what a request that succeeded has shown to be needed, beside what others learned meanwhile."""
    key = (base_url.rstrip("/"), model)
    with _lock:
        known = _learned.get(key, Quirks())
        if known.joined(quirks) == known:
            return
        _learned[key] = known.joined(quirks)
        _learned.move_to_end(key)
        while len(_learned) > _MOST_REMEMBERED:
            _learned.popitem(last=False)
