"""Which model answers: from settings, a person's choices, and the keys they typed for this session.

A key and its base URL are a pair. The installation's key goes to the installation's address only; a
typed key belongs to the address it was typed for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from chatmem.domain import ChatMessage
from chatmem.errors import KeyNeeded, ModelNotChosen, ServerNotAllowed
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

    def brain(self, preferences: Preferences, keys: Keys, spend: Callable[[int], None]) -> Brain:
        """The models to use. Raises `KeyNeeded`, `ModelNotChosen` or `ServerNotAllowed`.

        `spend` is told the tokens of every call that the installation pays for.
        """
        connection = connect(self._settings, preferences, keys)
        if connection is None:
            return Brain(self._teaching, self._teaching)
        chat = self._client(connection, connection.model_name)
        helper = self._client(connection, connection.helper_name)
        if not connection.shared:
            return Brain(chat, helper)
        return Brain(_Metered(chat, spend, self._count_tokens), _Metered(helper, spend, self._count_tokens), True)

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


class _Metered:
    """A model whose tokens somebody counts: reported ones where the server tells, else estimated."""

    def __init__(
        self, model: LanguageModel, spend: Callable[[int], None], count_tokens: Callable[[str], int]
    ) -> None:
        self._model = model
        self._spend = spend
        self._count_tokens = count_tokens
        self.provider = model.provider
        self.name = model.name

    def prepare(self, messages: tuple[ChatMessage, ...]) -> tuple[ChatMessage, ...]:
        return self._model.prepare(messages)

    def stream(self, request: ModelRequest) -> ReplyStream:
        return _MeteredStream(self._model.stream(request), lambda text, done: self._count(request, text, done))

    def complete(self, request: ModelRequest) -> Completion:
        completion = self._model.complete(request)
        self._count(request, completion.text, completion)
        return completion

    def _count(self, request: ModelRequest, text: str, completion: Completion | None) -> None:
        usage = completion.usage if completion else None
        if usage:
            self._spend(usage.input_tokens + usage.output_tokens)
        else:
            self._spend(sum(self._count_tokens(m.text) for m in request.messages) + self._count_tokens(text))


class _MeteredStream:
    def __init__(self, stream: ReplyStream, count: Callable[[str, Completion | None], None]) -> None:
        self._stream = stream
        self._count = count

    @property
    def completion(self) -> Completion | None:
        return self._stream.completion

    def __iter__(self) -> Iterator[str]:
        pieces: list[str] = []
        try:
            for piece in self._stream:
                pieces.append(piece)
                yield piece
        finally:
            # A reply that was stopped has been paid for as well.
            self._count("".join(pieces), self._stream.completion)

    def close(self) -> None:
        self._stream.close()


def embedder_of(settings: Settings) -> RemoteEmbedder | None:
    """The embedding model that the installation names, at its own server; None for the built-in one."""
    if not settings.embedding_model:
        return None
    base_url = settings.server_url or OPENAI.base_url
    return RemoteEmbedder(settings.embedding_model, base_url, settings.server_key or NO_KEY)
