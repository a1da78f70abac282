"""The settings page: what is checked, what is kept where, and that a key goes nowhere it was not typed for."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import streamlit as st

from tests.app.tab import CHAT, SETTINGS, Tab
from tests.stored import everything_stored, execute, rows
from tests.wire.server import ModelServer, failure

KEY = "sk-typed-by-a-visitor-0123456789"


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer(lambda body: "Hello from the server.") as running:
        yield running


@pytest.fixture
def allowed(environment: pytest.MonkeyPatch) -> None:
    """Visitors may name servers of their own."""
    environment.setenv("CHATMEM_ALLOW_VISITOR_SERVERS", "1")


def choose_provider(tab: Tab, provider: str) -> Tab:
    tab.at.selectbox(key="set-provider").set_value(provider)
    return tab.run()


def fill(tab: Tab, name: str, text: str) -> None:
    """Type into the field whose key begins so."""
    field(tab, name).set_value(text)


def field(tab: Tab, name: str) -> Any:
    return next(box for box in tab.at.text_input if (box.key or "").startswith(f"set-{name}"))


def stored(database: Path) -> dict[str, Any]:
    found = rows(database, "SELECT preferences FROM owners")
    return json.loads(found[0][0]) if found else {}


# --- who answers --------------------------------------------------------------------------------------------


def test_without_a_key_the_teaching_model_is_as_installed_and_always_ready(tab: Tab) -> None:
    tab.open(SETTINGS)
    choice = tab.at.selectbox(key="set-provider")
    assert choice.options[:2] == ["As installed: Teaching model (no key)", "Teaching model (no key)"]
    assert "always ready" in "".join(tab.click("test-connection").notices)


def test_servers_of_a_visitors_choice_are_offered_only_where_they_are_allowed(
    tab: Tab, environment: pytest.MonkeyPatch
) -> None:
    assert len(tab.open(SETTINGS).at.selectbox(key="set-provider").options) == 5
    environment.setenv("CHATMEM_ALLOW_VISITOR_SERVERS", "1")
    st.cache_resource.clear()
    options = Tab().open(SETTINGS).at.selectbox(key="set-provider").options
    assert options[-3:] == ["Ollama", "LM Studio / llama.cpp", "Another server"]


@pytest.mark.parametrize("provider", ["openai", "anthropic", "gemini"])
def test_a_provider_without_a_key_asks_for_one_and_keeps_the_message(
    tab: Tab, database: Path, provider: str
) -> None:
    choose_provider(tab.open(SETTINGS), provider).click("save-model")
    assert stored(database) == {"provider": provider}
    tab.open(CHAT).say("Hello there")
    assert tab.said[0] == ("user", "Hello there")
    assert any("needs a key" in notice and "Settings" in notice for notice in tab.notices)
    assert rows(database, "SELECT text, status FROM messages") == [("Hello there", "complete"), ("", "failed")]
    assert "teaching model" not in "".join(text for _, text in tab.said)


def test_the_teaching_model_can_be_chosen_where_a_key_is_installed(
    tab: Tab, environment: pytest.MonkeyPatch, server: ModelServer
) -> None:
    environment.setenv("OPENAI_API_KEY", "sk-installed")
    environment.setenv("OPENAI_BASE_URL", server.base_url)
    choose_provider(tab.open(SETTINGS), "teaching").click("save-model")
    tab.open(CHAT).say("Hello")
    assert "teaching model" in tab.said[1][1]
    assert server.requests == []


def test_the_installed_server_answers_with_the_installed_models(
    tab: Tab, environment: pytest.MonkeyPatch, server: ModelServer
) -> None:
    environment.setenv("OPENAI_API_KEY", "sk-installed")
    environment.setenv("OPENAI_BASE_URL", server.base_url)
    environment.setenv("MODEL_NAME", "house-model")
    tab.open().say("Hello")
    assert tab.said[1] == ("assistant", "Hello from the server.")
    assert server.bodies[0]["model"] == "house-model"
    assert server.requests[0].headers["authorization"] == "Bearer sk-installed"
    assert "sk-installed" not in tab.open(SETTINGS).words


# --- what is checked ----------------------------------------------------------------------------------------

BAD_URLS = [
    "example.com/v1",
    "ftp://example.com",
    "http://",
    "https://anna:pw@example.com/v1",
    "http://exa mple.com",
]


@pytest.mark.parametrize("url", BAD_URLS)
@pytest.mark.parametrize("language", ["en", "ko"])
@pytest.mark.usefixtures("allowed")
def test_an_address_that_cannot_be_is_a_sentence_and_not_kept(database: Path, url: str, language: str) -> None:
    tab = choose_provider(Tab("ko-KR" if language == "ko" else "en-US").open(SETTINGS), "other")
    fill(tab, "url", url)
    tab.click("save-model")
    label = {"en": "Server address", "ko": "서버 주소"}[language]
    assert [error.value.startswith(label) for error in tab.at.error] == [True]
    assert stored(database) == {}


@pytest.mark.parametrize("name", ["m" * 201, "two\x07words"])
@pytest.mark.parametrize("which", ["model_name", "helper_name"])
def test_a_model_name_that_cannot_be_is_a_sentence_and_not_kept(
    tab: Tab, database: Path, which: str, name: str
) -> None:
    choose_provider(tab.open(SETTINGS), "openai")
    fill(tab, which, name)
    tab.click("save-model")
    label = {"model_name": "Chat model", "helper_name": "Helper model"}[which]
    assert len(tab.at.error) == 1
    assert tab.at.error[0].value.startswith(label)
    assert "200" in tab.at.error[0].value
    assert stored(database) == {}


def test_keeping_more_than_the_summary_starts_at_is_a_sentence_and_not_kept(tab: Tab, database: Path) -> None:
    tab.open(SETTINGS)
    number(tab, "fold_above").set_value(6)
    number(tab, "keep").set_value(8)
    tab.click("save-memory")
    assert [error.value.startswith("Keep this many as they are") for error in tab.at.error] == [True]
    assert "≤ 6" in tab.at.error[0].value
    assert stored(database) == {}


def number(tab: Tab, name: str) -> Any:
    labels = {
        "fold_above": "Summarise above this many messages",
        "keep": "Keep this many as they are",
        "window": "Window",
        "question": "Question, at most",
    }
    return next(box for box in tab.at.number_input if box.label == labels[name])


def test_numbers_are_kept_and_hold(tab: Tab, database: Path) -> None:
    tab.open(SETTINGS)
    number(tab, "fold_above").set_value(4)
    number(tab, "keep").set_value(2)
    number(tab, "question").set_value(50)
    tab.click("save-memory")
    assert "Saved." in tab.notices
    assert stored(database) == {"preset": "classic", "numbers": {"fold_above": 4, "keep": 2, "question": 50}}
    assert number(tab, "fold_above").value == 4
    tab.open(CHAT)
    for text in ("My dog is called Bori.", "My cat is called Nabi.", "I live in Busan."):
        tab.say(text)
    assert "messages 1–3 → summary v1  ·  5 → summary + 2" in tab.words
    tab.send("word " * 60)
    assert any("at most 50 fit" in notice for notice in tab.notices)


def test_changing_the_preset_keeps_no_number_that_nobody_chose(tab: Tab, database: Path) -> None:
    tab.open(SETTINGS).at.selectbox(key="set-preset").set_value("full_history")
    tab.run()
    assert number(tab, "window").value == 100_000
    tab.click("save-memory")
    assert stored(database) == {"preset": "full_history"}
    tab.at.selectbox(key="set-preset").set_value("classic")
    tab.run()
    assert number(tab, "window").value == 4_000


@pytest.mark.parametrize("preset", ["classic", "three_tiers", "window_only", "summary_only", "full_history"])
def test_every_preset_can_be_chosen_and_chats_with_it(tab: Tab, database: Path, preset: str) -> None:
    tab.open(SETTINGS).at.selectbox(key="set-preset").set_value(preset)
    tab.run()
    tab.click("save-memory")
    assert stored(database) == {"preset": preset}
    tab.open(CHAT).say("My dog is called Bori.")
    label = tab.at.selectbox(key=f"preset-{tab.chat_id}").options[0]
    names = {
        "classic": "Classic",
        "three_tiers": "Three tiers",
        "window_only": "Window only",
        "summary_only": "Summary only",
        "full_history": "Full history",
    }
    assert label == f"As in Settings ({names[preset]})"


def test_what_an_older_version_stored_wrongly_falls_back_to_its_default(tab: Tab, database: Path) -> None:
    tab.open().say("Hello")
    nonsense = {
        "preset": "goldfish",
        "provider": "nobody",
        "language": "xx",
        "numbers": {"keep": -1},
        "base_url": 3,
    }
    execute(database, "UPDATE owners SET preferences = ?", json.dumps(nonsense))
    tab.say("Hello again")
    assert "teaching model" not in tab.said[-1][1]
    assert tab.open(SETTINGS).at.selectbox(key="set-preset").value == "classic"


# --- keys ---------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("allowed")
def test_a_typed_key_is_used_and_kept_in_the_session_only(tab: Tab, database: Path, server: ModelServer) -> None:
    choose_provider(tab.open(SETTINGS), "other")
    fill(tab, "url", server.base_url)
    fill(tab, "model_name", "their-model")
    fill(tab, "key", KEY)
    tab.click("save-model")
    assert "Saved." in tab.notices
    assert "A key for this server is set in this tab." in tab.words
    assert field(tab, "key").value == ""
    assert KEY not in tab.words
    tab.open(CHAT).say("Hello")
    assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"
    assert tab.said[1] == ("assistant", "Hello from the server.")
    assert KEY not in everything_stored(database)

    tab.open(SETTINGS).click("forget-key")
    asked = len(server.requests)
    tab.open(CHAT).say("Hello again")
    assert all(KEY not in request.raw for request in server.requests[asked:])


@pytest.mark.usefixtures("allowed")
def test_a_key_typed_for_one_server_never_goes_to_another(tab: Tab, server: ModelServer) -> None:
    choose_provider(tab.open(SETTINGS), "openai")
    fill(tab, "key", KEY)
    tab.run()
    choose_provider(tab, "other")
    fill(tab, "url", server.base_url)
    fill(tab, "model_name", "their-model")
    tab.click("test-connection").click("save-model")
    tab.open(CHAT).say("Hello")
    assert server.requests
    assert all(KEY not in request.raw for request in server.requests)


def test_a_key_saved_for_one_provider_is_not_offered_to_the_next(tab: Tab) -> None:
    choose_provider(tab.open(SETTINGS), "openai")
    fill(tab, "key", KEY)
    tab.click("save-model")
    choose_provider(tab, "anthropic").click("save-model")
    assert list(tab.at.session_state["typed_keys"]) == ["https://api.openai.com/v1/"]
    assert "A key for this server" not in tab.words


@pytest.mark.usefixtures("allowed")
def test_a_key_is_another_tabs_own(tab: Tab, server: ModelServer) -> None:
    choose_provider(tab.open(SETTINGS), "other")
    fill(tab, "url", server.base_url)
    fill(tab, "model_name", "their-model")
    fill(tab, "key", KEY)
    tab.click("save-model")
    other = choose_provider(Tab().open(SETTINGS), "other")
    fill(other, "url", server.base_url)
    fill(other, "model_name", "their-model")
    other.click("save-model")
    other.open(CHAT).say("Hello")
    assert all(KEY not in request.raw for request in server.requests)


@pytest.mark.usefixtures("allowed")
def test_the_connection_test_says_what_is_wrong(tab: Tab, server: ModelServer) -> None:
    choose_provider(tab.open(SETTINGS), "other")
    fill(tab, "url", server.base_url)
    fill(tab, "model_name", "their-model")
    tab.click("test-connection")
    assert any("their-model answered in" in notice for notice in tab.notices)
    server.script(failure(401, "Incorrect API key provided"))
    tab.click("test-connection")
    assert any("refused the key" in notice for notice in tab.notices)
    fill(tab, "url", "http://127.0.0.1:9/v1")
    tab.click("test-connection")
    assert any("cannot be reached (127.0.0.1:9)" in notice for notice in tab.notices)


# --- this browser -------------------------------------------------------------------------------------------


def test_forgetting_the_browser_makes_it_somebody_new(tab: Tab) -> None:
    tab.open().say("My secret is xylophone.")
    secret = tab.chat_id
    tab.open(SETTINGS).click("forget-browser")
    assert tab.chats == []
    tab.at.query_params = {"chat": secret}
    assert "This chat was not found." in tab.open(CHAT).notices


def test_at_ones_own_machine_there_is_no_browser_to_forget(tab: Tab, environment: pytest.MonkeyPatch) -> None:
    environment.setenv("CHATMEM_IDENTITY", "local")
    tab.open(SETTINGS)
    assert not tab.has_button("forget-browser")
    tab.open(CHAT).say("My dog is called Bori.")
    assert Tab().open().chats == tab.chats
