"""A real server and a real client for every test; most tests run once for each of the two APIs."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from chatmem.domain import ChatMessage
from chatmem.llm import providers
from chatmem.llm.openai_client import OpenAICompatible
from chatmem.llm.protocol import ModelRequest, Purpose
from chatmem.llm.providers import Api
from tests.wire.server import ModelServer

KEY = "sk-test-0123456789abcdef"

MESSAGES = (
    ChatMessage.of("system", "Answer briefly."),
    ChatMessage.of("user", "안녕, I am Mina.", "message:1"),
    ChatMessage.of("assistant", "Hello Mina."),
    ChatMessage.of("user", "Where do I live?", "message:3"),
)

MakeModel = Callable[..., OpenAICompatible]


@pytest.fixture(autouse=True)
def nothing_learned() -> None:
    """What was learned about a server is kept by its address, and ports come back."""
    providers._learned.clear()


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as running:
        yield running


@pytest.fixture(params=["responses", "chat"])
def api(request: pytest.FixtureRequest) -> Api:
    chosen: Api = request.param
    return chosen


@pytest.fixture
def make_model(server: ModelServer, api: Api) -> MakeModel:
    """A client for the test's server; anything of it may be replaced."""

    def make(**changes: object) -> OpenAICompatible:
        settings = {
            "provider": "other",
            "name": "test-model",
            "base_url": server.base_url,
            "api_key": KEY,
            "api": api,
        }
        return OpenAICompatible(**{**settings, **changes})  # type: ignore[arg-type]

    return make


@pytest.fixture
def model(make_model: MakeModel) -> OpenAICompatible:
    return make_model()


def ask(
    messages: tuple[ChatMessage, ...] = MESSAGES, purpose: Purpose = "chat", max_tokens: int = 100
) -> ModelRequest:
    return ModelRequest(purpose, messages, max_tokens, "en")
