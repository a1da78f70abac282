"""What reaches the server: exactly what was prepared, with the right caps, and nothing of the environment."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from chatmem.domain import ChatMessage, Usage
from chatmem.llm.openai_client import OpenAICompatible, check
from chatmem.llm.providers import PROVIDERS, on_own_network, server_name
from tests.wire.conftest import KEY, MESSAGES, MakeModel, ask
from tests.wire.server import ModelServer, Reply


def test_the_messages_sent_are_exactly_the_prepared_ones(server: ModelServer, model: OpenAICompatible) -> None:
    prepared = model.prepare(MESSAGES)
    completion = model.complete(ask(prepared))
    assert server.requests[0].messages == [{"role": m.role, "content": m.text} for m in prepared]
    assert completion.sent is None


def test_each_api_is_spoken_at_its_own_path(server: ModelServer, make_model: MakeModel) -> None:
    make_model(api="responses").complete(ask())
    make_model(api="chat").complete(ask())
    assert [request.path for request in server.requests] == ["/v1/responses", "/v1/chat/completions"]


def test_responses_are_streamed_and_never_stored(server: ModelServer, make_model: MakeModel) -> None:
    make_model(api="responses").complete(ask(max_tokens=300))
    body = server.bodies[0]
    assert body["stream"] is True
    assert body["store"] is False
    assert body["max_output_tokens"] == 2300
    assert "reasoning" not in body


def test_chat_completions_stream_with_usage_and_a_cap(server: ModelServer, make_model: MakeModel) -> None:
    make_model(api="chat").complete(ask(max_tokens=300))
    body = server.bodies[0]
    assert body["stream"] is True
    assert body["stream_options"] == {"include_usage": True}
    assert body["max_tokens"] == 2300
    assert "reasoning_effort" not in body
    assert "store" not in body


@pytest.mark.parametrize("purpose", ["fold", "title", "extract"])
def test_helper_calls_ask_for_the_least_reasoning(
    server: ModelServer, model: OpenAICompatible, purpose: str
) -> None:
    model.complete(ask(purpose=purpose))  # type: ignore[arg-type]
    body = server.bodies[0]
    effort = body["reasoning"]["effort"] if model.api == "responses" else body["reasoning_effort"]
    assert effort == "none"


def test_nobody_sends_a_temperature(server: ModelServer, model: OpenAICompatible) -> None:
    model.complete(ask(purpose="extract"))
    assert "temperature" not in server.bodies[0]


@pytest.mark.parametrize("key", [KEY, ""])
def test_no_environment_variable_travels(
    server: ModelServer, make_model: MakeModel, monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    poison = {
        "OPENAI_API_KEY": "sk-poison-key",
        "OPENAI_ADMIN_KEY": "sk-poison-admin",
        "OPENAI_BASE_URL": "http://127.0.0.1:9/poison",
        "OPENAI_ORG_ID": "org-poison",
        "OPENAI_PROJECT_ID": "proj-poison",
        "OPENAI_WEBHOOK_SECRET": "whsec-poison",
        "OPENAI_CUSTOM_HEADERS": "X-Poison: poison\nAuthorization: Bearer sk-poison-header",
        "HTTP_PROXY": "http://127.0.0.1:9",
        "http_proxy": "http://127.0.0.1:9",
    }
    for name, value in poison.items():
        monkeypatch.setenv(name, value)
    make_model(api_key=key).complete(ask())
    request = server.requests[0]
    assert "poison" not in request.raw
    assert request.headers["authorization"] == f"Bearer {key or 'none'}"
    assert not [name for name in request.headers if name.startswith(("openai", "x-"))]


def test_two_clients_never_mix_their_keys(server: ModelServer, make_model: MakeModel) -> None:
    mine, yours = make_model(api_key="sk-mine-111111"), make_model(api_key="sk-yours-222222")
    for model in (mine, yours, mine):
        model.complete(ask())
    sent = [request.headers["authorization"].split()[1] for request in server.requests]
    assert sent == ["sk-mine-111111", "sk-yours-222222", "sk-mine-111111"]


def test_a_redirect_takes_neither_key_nor_words_elsewhere(server: ModelServer, model: OpenAICompatible) -> None:
    with ModelServer() as elsewhere:
        server.script(Reply(status=307, body="", headers={"location": f"{elsewhere.base_url}/responses"}))
        with pytest.raises(Exception, match="did not accept"):
            model.complete(ask())
        assert elsewhere.requests == []


def test_many_threads_share_one_client_and_get_their_own_answers(
    server: ModelServer, model: OpenAICompatible
) -> None:
    server.per_token = 0.002

    def one(number: int) -> str:
        return model.complete(ask((ChatMessage.of("user", f"number {number}"),))).text

    with ThreadPoolExecutor(16) as pool:
        answers = list(pool.map(one, range(48)))
    assert answers == [f"You said: number {number}" for number in range(48)]


def test_reported_usage_and_model_come_back(server: ModelServer, model: OpenAICompatible) -> None:
    server.script(Reply("你好世界", usage=(123, 45)))
    completion = model.complete(ask())
    assert completion.usage == Usage(123, 45)
    assert completion.model == "test-model"


def test_usage_nobody_reported_stays_unknown(server: ModelServer, model: OpenAICompatible) -> None:
    server.script(Reply("Hi", usage=None))
    completion = model.complete(ask())
    assert (completion.text, completion.usage) == ("Hi", None)


def test_the_connection_test_makes_one_small_request(server: ModelServer, model: OpenAICompatible) -> None:
    assert check(model) > 0
    assert len(server.requests) == 1
    assert server.requests[0].messages == [{"role": "user", "content": "Reply with OK"}]


def test_importing_the_client_does_not_import_the_sdk() -> None:
    heavy = "import sys, chatmem.llm.openai_client as c; c.OpenAICompatible('o', 'm', 'http://h/v1', 'k'); "
    heavy += "print([n for n in ('openai', 'httpx2', 'pydantic', 'httpcore2') if n in sys.modules])"
    done = subprocess.run([sys.executable, "-c", heavy], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_after_warming_up_the_first_request_imports_nothing_of_the_sdk(server: ModelServer) -> None:
    asked = "import sys, chatmem.llm.openai_client as c; c.warm_up(); warm = set(sys.modules); "
    for api in ("responses", "chat"):
        asked += f"c.check(c.OpenAICompatible('o', 'm', {server.base_url!r}, 'k', {api!r})); "
    asked += "print([n for n in sys.modules if n not in warm and n.startswith(('openai', 'httpx2'))])"
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
    assert len(server.requests) == 2


def test_presets_say_what_each_provider_needs() -> None:
    assert list(PROVIDERS) == ["teaching", "openai", "anthropic", "gemini", "ollama", "lmstudio", "other"]
    for provider in PROVIDERS.values():
        assert provider.needs_key == (provider.id in ("openai", "anthropic", "gemini"))
        assert bool(provider.model and provider.helper_model) == provider.needs_key
        assert provider.local == (bool(provider.base_url) and on_own_network(provider.base_url))
    assert [provider.id for provider in PROVIDERS.values() if provider.api == "responses"] == ["openai"]


@pytest.mark.parametrize(
    ("url", "shown", "own"),
    [
        ("https://user:secret@api.example.com/v1?key=1", "api.example.com", False),
        ("http://localhost:11434/v1", "localhost:11434", True),
        ("http://192.168.0.7:8000", "192.168.0.7:8000", True),
        ("http://[::1]:8080/v1", "::1:8080", True),
        ("http://127.1/v1", "127.1", True),
        ("http://[::ffff:127.0.0.1]/v1", "::ffff:127.0.0.1", True),
        ("http://8.8.8.8/v1", "8.8.8.8", False),
        ("http://gpu-box:8000/v1", "gpu-box:8000", True),
        ("http://x:notaport/", "", False),
    ],
)
def test_an_address_is_shown_without_path_or_secrets(url: str, shown: str, own: bool) -> None:
    assert server_name(url) == shown
    if shown:
        assert on_own_network(url) is own
