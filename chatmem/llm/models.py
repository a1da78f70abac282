"""Which model answers: from settings, a person's choices, and the keys they typed for this session.

A key and its base URL are a pair. The installation's key goes to the installation's address only; a
typed key belongs to the address it was typed for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Protocol

from chatmem.domain import ChatMessage
from chatmem.errors import KeyNeeded, ModelError, ModelNotChosen, ServerNotAllowed
from chatmem.llm.openai_client import NO_KEY, OpenAICompatible, check
from chatmem.llm.protocol import Completion, LanguageModel, ModelRequest, ReplyStream
from chatmem.llm.providers import OPENAI, OTHER, PROVIDERS, TEACHING, Provider, on_own_network
from chatmem.llm.remote_embeddings import RemoteEmbedder
from chatmem.preferences import Preferences
from chatmem.settings import DEFAULT_MODEL, Settings

Keys = Mapping[str, str]
"""Keys typed by a visitor, by base URL. They live in the browser session and in running replies only."""

NO_KEYS: Keys = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Brain:
    """The two models of a chat: one answers, a cheaper one summarises.

    `shared` when the installation pays.
    """

    chat: LanguageModel
    helper: LanguageModel
    shared: bool = False


@dataclass(frozen=True, slots=True)
class Connection:
    """One server with its key and the two model names."""

    provider: Provider
    base_url: str
    model_name: str
    helper_name: str
    key: str = field(repr=False)
    shared: bool


class Models:
    """Makes the models of a turn. Only clients with the installation's own key are kept."""

    def __init__(self, settings: Settings, teaching: LanguageModel, count_tokens: Callable[[str], int]) -> None:
        self._settings = settings
        self._teaching = teaching
        self._count_tokens = count_tokens
        self._shared: dict[str, OpenAICompatible] = {}

    @property
    def rules(self) -> LanguageModel:
        """The model that needs no server: it answers by rule."""
        return self._teaching

    def brain(self, preferences: Preferences, keys: Keys, meter: Meter) -> Brain:
        """The models to use. Raises `KeyNeeded`, `ModelNotChosen` or `ServerNotAllowed`.

        `meter` is asked and told about every call that the installation pays for.
        """
        connection = connect(self._settings, preferences, keys)
        if connection is None:
            return Brain(self._teaching, self._teaching)
        chat = self._client(connection, connection.model_name)
        helper = self._client(connection, connection.helper_name)
        if not connection.shared:
            return Brain(chat, helper)
        return Brain(_Metered(chat, meter, self._count_tokens), _Metered(helper, meter, self._count_tokens), True)

    def answers_by_rule(self, preferences: Preferences) -> bool:
        """Whether the teaching model would answer."""
        provider = PROVIDERS[preferences.provider] if preferences.provider else server_provider(self._settings)
        return provider is TEACHING

    def check(self, preferences: Preferences, keys: Keys) -> tuple[str, float] | None:
        """Test the connection: (model, milliseconds), or None for the teaching model. Raises why not."""
        connection = connect(self._settings, preferences, keys)
        if connection is None:
            return None
        return connection.model_name, check(self._client(connection, connection.model_name))

    def _client(self, connection: Connection, name: str) -> OpenAICompatible:
        if connection.shared and name in self._shared:
            return self._shared[name]
        client = OpenAICompatible(
            connection.provider.id, name, connection.base_url, connection.key, connection.provider.api
        )
        if connection.shared and len(self._shared) < 8:  # a visitor may name models without end
            self._shared[name] = client
        return client


def server_provider(settings: Settings) -> Provider:
    """Who answers when a person has chosen nobody."""
    if settings.server_url:
        return OTHER
    return OPENAI if settings.server_key else TEACHING


def address(settings: Settings, preferences: Preferences) -> str:
    """The base URL a person's choice leads to: what a typed key belongs to. Empty for the teaching model."""
    provider = PROVIDERS[preferences.provider] if preferences.provider else server_provider(settings)
    if not preferences.provider:
        return settings.server_url or provider.base_url
    if provider is OTHER or provider.local:
        return preferences.base_url or provider.base_url
    return provider.base_url


def connect(settings: Settings, preferences: Preferences, keys: Keys) -> Connection | None:
    """The server for a person's choice, or None for the teaching model."""
    provider = PROVIDERS[preferences.provider] if preferences.provider else server_provider(settings)
    if provider is TEACHING:
        return None
    base_url = address(settings, preferences)
    servers_own = _same(base_url, settings.server_url or OPENAI.base_url) and (
        bool(settings.server_key) or bool(settings.server_url)
    )
    if (provider is OTHER or provider.local) and not servers_own and not settings.allow_visitor_servers:
        raise ServerNotAllowed()

    typed = keys.get(base_url, "")
    key = typed or (settings.server_key if servers_own else "")
    key_optional = on_own_network(base_url) or (servers_own and bool(settings.server_url))
    if not base_url or (not key and not key_optional):
        raise KeyNeeded(provider=provider.label)

    defaults = (settings.model_name or DEFAULT_MODEL, settings.helper_name) if servers_own else ("", "")
    model = preferences.model_name or defaults[0] or provider.model
    helper = preferences.helper_name or defaults[1] or provider.helper_model or model
    if not model:
        raise ModelNotChosen(provider=provider.label)
    return Connection(provider, base_url, model, helper, key or NO_KEY, shared=servers_own and not typed)


def _same(one: str, other: str) -> bool:
    return bool(one) and one.rstrip("/") == other.rstrip("/")


class Meter(Protocol):
    """Counts what the installation pays for."""

    def reserve(self, tokens: int) -> None:
        """Before a call, the most that it will use. Raises `DailyLimitReached`."""

    def settle(self, reserved: int, used: int) -> None:
        """After it, what it did use: reported where the server tells, else estimated."""


class _Metered:
    """A model whose tokens somebody counts. A process that dies in a call leaves what it had reserved as spent."""

    def __init__(self, model: LanguageModel, meter: Meter, count_tokens: Callable[[str], int]) -> None:
        self._model = model
        self._meter = meter
        self._count_tokens = count_tokens
        self.provider = model.provider
        self.name = model.name

    def prepare(self, messages: tuple[ChatMessage, ...]) -> tuple[ChatMessage, ...]:
        return self._model.prepare(messages)

    def stream(self, request: ModelRequest) -> ReplyStream:
        return _MeteredStream(self._model.stream(request), lambda: self._counted(request))

    def complete(self, request: ModelRequest) -> Completion:
        with self._counted(request) as call:
            completion = call.completion = self._model.complete(request)
        return completion

    @contextmanager
    def _counted(self, request: ModelRequest) -> Iterator[_Call]:
        """Around one call."""
        sent = sum(self._count_tokens(message.text) for message in request.messages)
        most = sent + request.max_tokens
        self._meter.reserve(most)
        call, failed = _Call(), False
        try:
            yield call
        except ModelError:
            failed = True
            raise
        finally:
            usage = call.completion.usage if call.completion else None
            text = call.completion.text if call.completion else "".join(call.pieces)
            used = usage.input_tokens + usage.output_tokens if usage else sent + self._count_tokens(text)
            # A server that failed before its first word has hardly been paid; a reply that was stopped has.
            self._meter.settle(most, 0 if failed and not text else used)


@dataclass(slots=True)
class _Call:
    """What came of a call so far."""

    pieces: list[str] = field(default_factory=list)
    completion: Completion | None = None


class _MeteredStream:
    def __init__(self, stream: ReplyStream, counted: Callable[[], AbstractContextManager[_Call]]) -> None:
        self._stream = stream
        self._counted = counted

    @property
    def completion(self) -> Completion | None:
        return self._stream.completion

    def __iter__(self) -> Iterator[str]:
        with self._counted() as call:
            try:
                for piece in self._stream:
                    call.pieces.append(piece)
                    yield piece
            finally:
                call.completion = self._stream.completion

    def close(self) -> None:
        self._stream.close()


def embedder_of(settings: Settings) -> RemoteEmbedder | None:
    """The embedding model that the installation names, at its own server; None for the built-in one."""
    if not settings.embedding_model:
        return None
    base_url = settings.server_url or OPENAI.base_url
    return RemoteEmbedder(settings.embedding_model, base_url, settings.server_key or NO_KEY)
