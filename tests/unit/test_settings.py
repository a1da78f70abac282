"""Settings: nonsense is a sentence and a safe default, never a crash; keys stay with their address."""

from __future__ import annotations

from pathlib import Path

import pytest

from chatmem.errors import BadSetting, KeyNeeded, ModelNotChosen, ServerNotAllowed
from chatmem.llm.models import Connection, connect
from chatmem.policy import NUMBER_BOUNDS, PRESET_NAMES, policy_for
from chatmem.preferences import Preferences
from chatmem.settings import Settings, load_settings

KEY = "sk-secret-of-the-installation"
NOTHING = Path("/nonexistent/.env")


def load(**environ: str) -> Settings:
    return load_settings(environ, NOTHING)


def test_nothing_set_is_the_teaching_model_on_a_local_file() -> None:
    settings = load()
    assert (settings.problems, settings.server_key, settings.identity) == ((), "", "browser")
    assert connect(settings, Preferences(), {}) is None


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("CHATMEM_IDENTITY", "everyone"),
        ("CHATMEM_DISK_KEPT", "perhaps"),
        ("CHATMEM_LANGUAGE", "fr"),
        ("CHATMEM_PRESET", "infinite"),
        ("CHATMEM_DAILY_TOKENS", "lots"),
        ("CHATMEM_DAILY_TOKENS", "-5"),
        ("CHATMEM_TEACHING_PACE", "nan"),
        ("CHATMEM_TEACHING_PACE", "99"),
        ("CHATMEM_ALLOW_VISITOR_SERVERS", "maybe"),
        ("OPENAI_BASE_URL", "not a url"),
        ("OPENAI_BASE_URL", "ftp://example.com"),
        ("OPENAI_BASE_URL", "http://user:pass@example.com/v1"),
        ("OPENAI_BASE_URL", "http://[::1"),
    ],
)
def test_nonsense_is_one_sentence_and_the_default(name: str, value: str) -> None:
    settings = load(**{name: value})
    assert len(settings.problems) == 1
    assert name in settings.problems[0].say("en")
    assert name in settings.problems[0].say("ko")
    defaults = load()
    for field in ("identity", "language", "preset", "daily_tokens", "teaching_pace_s", "server_url"):
        assert getattr(settings, field) == getattr(defaults, field)


@pytest.mark.parametrize(
    ("url", "disk", "storage"),
    [
        ("", "", "file"),
        ("sqlite:////data/chats.db", "1", "file"),
        ("sqlite:///chats.db", "0", "passing"),
        ("sqlite:///chats.db", "perhaps", "passing"),
        ("sqlite://", "1", "passing"),
        ("sqlite:///:memory:", "1", "passing"),
        ("postgres://u:p@h/d", "0", "server"),
        ("postgresql://u:p@h/d", "", "server"),
        ("postgresql+psycopg://u:p@h/d", "", "server"),
    ],
)
def test_whether_chats_outlive_a_restart_is_known(url: str, disk: str, storage: str) -> None:
    assert load(DATABASE_URL=url, CHATMEM_DISK_KEPT=disk).storage == storage


def test_on_community_cloud_the_disk_is_known_to_be_a_new_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "cwd", lambda: Path("/mount/src/chatmem"))
    assert load().storage == "passing"
    assert load(DATABASE_URL="postgresql://u:p@h/d").storage == "server"
    assert load(CHATMEM_DISK_KEPT="1").storage == "file"  # somebody else's machine that looks like it
    monkeypatch.setattr(Path, "cwd", lambda: Path("/mount/srcs"))
    assert load().storage == "file"


def test_a_key_is_not_sent_to_openai_when_its_own_address_is_wrong() -> None:
    settings = load(OPENAI_API_KEY=KEY, OPENAI_BASE_URL="htp:/typo")
    assert settings.server_key == ""
    assert connect(settings, Preferences(), {}) is None


@pytest.mark.parametrize(
    ("content", "usable"),
    [
        (b"MODEL_NAME=good-model\n= = =\nnonsense line\n", True),
        (b"\xff\xfe\x00broken", False),
        (b"MODEL_NAME=good-model\nUNCLOSED='abc\n", True),
        (b"", False),
        (b"\xef\xbb\xbfMODEL_NAME=good-model\n", True),
    ],
)
def test_a_damaged_env_file_keeps_what_can_be_read(tmp_path: Path, content: bytes, usable: bool) -> None:
    file = tmp_path / ".env"
    file.write_bytes(content)
    settings = load_settings({}, file)
    assert (settings.model_name == "good-model") is usable
    if b"nonsense" in content or b"\xff\xfe" in content or b"UNCLOSED" in content:
        assert ".env" in settings.problems[0].say("en")


def test_the_environment_comes_before_the_env_file(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_text("MODEL_NAME=from-file\nSUMMARY_MODEL_NAME=helper-from-file\n")
    settings = load_settings({"MODEL_NAME": "from-environment"}, file)
    assert (settings.model_name, settings.helper_name) == ("from-environment", "helper-from-file")


def test_a_key_never_appears_in_a_repr() -> None:
    settings = load(OPENAI_API_KEY=KEY)
    connection = connect(settings, Preferences(), {})
    assert KEY not in repr(settings)
    assert KEY not in repr(connection)


# --- whose key goes where -------------------------------------------------------------------------


def connection(settings: Settings, preferences: Preferences, **keys: str) -> Connection:
    found = connect(settings, preferences, keys)
    assert found is not None
    return found


def test_the_servers_key_goes_to_the_servers_address_only() -> None:
    ours = load(OPENAI_API_KEY=KEY, CHATMEM_ALLOW_VISITOR_SERVERS="1")
    default = connection(ours, Preferences())
    assert (default.key, default.base_url, default.shared) == (KEY, "https://api.openai.com/v1/", True)
    for preferences in (
        Preferences(provider="other", base_url="https://elsewhere.example/v1", model_name="m"),
        Preferences(provider="anthropic"),
        Preferences(provider="gemini"),
    ):
        with pytest.raises(KeyNeeded):
            connect(ours, preferences, {})
    local = connection(ours, Preferences(provider="ollama", model_name="m"))
    assert local.key != KEY
    assert not local.shared


def test_a_typed_key_belongs_to_the_address_it_was_typed_for() -> None:
    settings = load(CHATMEM_ALLOW_VISITOR_SERVERS="1")
    keys = {"https://api.anthropic.com/v1/": "sk-visitor"}
    found = connect(settings, Preferences(provider="anthropic"), keys)
    assert found is not None
    assert (found.key, found.shared) == ("sk-visitor", False)
    with pytest.raises(KeyNeeded):
        connect(settings, Preferences(provider="openai"), keys)
    with pytest.raises(KeyNeeded):
        connect(settings, Preferences(provider="other", base_url="https://x.example", model_name="m"), keys)


def test_a_visitors_own_key_takes_the_place_of_the_shared_one() -> None:
    settings = load(OPENAI_API_KEY=KEY)
    found = connect(settings, Preferences(), {"https://api.openai.com/v1/": "sk-visitor"})
    assert found is not None
    assert (found.key, found.shared) == ("sk-visitor", False)


def test_servers_of_a_visitors_choice_are_off_unless_allowed() -> None:
    for preferences in (
        Preferences(provider="ollama", model_name="m"),
        Preferences(provider="other", base_url="http://127.0.0.1:9/v1", model_name="m"),
        Preferences(provider="other", base_url="https://example.com/v1", model_name="m"),
    ):
        with pytest.raises(ServerNotAllowed):
            connect(load(), preferences, {preferences.base_url: "sk-visitor"})
        assert connect(load(CHATMEM_IDENTITY="local"), preferences, {preferences.base_url: "k"})


def test_a_server_without_a_default_model_asks_for_one() -> None:
    with pytest.raises(ModelNotChosen):
        connect(load(CHATMEM_IDENTITY="local"), Preferences(provider="ollama"), {})


def test_a_server_of_the_installation_may_do_without_a_key() -> None:
    settings = load(OPENAI_BASE_URL="http://localhost:8080/v1", MODEL_NAME="small")
    found = connection(settings, Preferences())
    assert (found.base_url, found.model_name, found.helper_name) == (
        "http://localhost:8080/v1",
        "small",
        "small",
    )


# --- a person's choices ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "values",
    [
        {"language": "xx"},
        {"provider": "nobody"},
        {"preset": "none"},
        {"base_url": "javascript:alert(1)"},
        {"base_url": 5},
        {"model_name": "two\nlines"},
        {"model_name": "x" * 1_000},
        {"numbers": [1]},
        {"numbers": {"fold_above": "10"}},
        {"numbers": {"fold_above": 1}},
        {"numbers": {"keep": True}},
        {"numbers": {"window": 10**12}},
        {"numbers": {"unknown": 1}},
        {"numbers": {"keep": 20}},
    ],
)
def test_a_choice_that_does_not_work_is_a_sentence(values: dict[str, object]) -> None:
    with pytest.raises(BadSetting) as error:
        Preferences.checked(values)
    assert error.value.say("ko")
    assert Preferences.read({**values, "helper_name": "kept"}).helper_name == "kept"


def test_choices_survive_being_stored() -> None:
    chosen = Preferences.checked(
        {"language": "ko", "provider": "openai", "model_name": "m", "numbers": {"fold_above": 20, "keep": 6}}
    )
    assert Preferences.read(chosen.as_stored()) == chosen


def test_the_shares_are_ten_thousand_tokens() -> None:
    shares = policy_for("classic", {}).shares
    assert shares.system + shares.summary + shares.window + shares.recalled + shares.question == 10_000


@pytest.mark.parametrize("preset", PRESET_NAMES)
def test_every_preset_keeps_the_question_and_folds_to_less(preset: str) -> None:
    for numbers in ({}, {name: low for name, (low, _) in NUMBER_BOUNDS.items()}):
        policy = policy_for(preset, numbers)  # type: ignore[arg-type]
        assert 1 <= policy.keep <= policy.fold_above
