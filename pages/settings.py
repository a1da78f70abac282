"""Settings: who answers, how chats remember, the language, and this browser."""

from __future__ import annotations

from typing import Any

import streamlit as st

from chatmem.domain import LANGUAGES
from chatmem.errors import BadSetting, ChatmemError
from chatmem.llm.models import address, server_provider
from chatmem.llm.providers import PROVIDERS
from chatmem.policy import NUMBER_BOUNDS, PRESET_NAMES, policy_for
from chatmem.preferences import PROVIDERS as PROVIDER_CHOICES
from chatmem.preferences import Preferences
from pages.parts import login, visitor
from pages.parts.enter import ICON, Here, enter, guarded
from pages.parts.labels import one_line
from pages.parts.own_data import NEW_CHATS, draw_forget_everything_button, draw_own_data
from pages.parts.sidebar import draw_sidebar

SHARES = ("system", "summary", "window", "recalled", "question")
CAPS = ("reply_cap", "summary_cap", "extraction_cap")
LANGUAGE_NAMES = {"ko": "한국어", "en": "English"}


def main() -> None:
    st.set_page_config(page_title="Settings · chatmem", page_icon=ICON, layout="centered")
    here = enter()
    draw_sidebar(here, None, on_chat_page=False)
    st.title(here.say("nav.settings"), anchor=False)
    if st.session_state.pop("settings-saved", False):
        st.success(here.say("set.saved"), icon=":material/check_circle:")
    if done := st.session_state.pop("settings-done", None):
        st.success(done, icon=":material/check_circle:")
    if wrong := st.session_state.pop("settings-wrong", None):
        st.error(wrong, icon=":material/error:")
    chosen = here.preferences
    _draw_model(here, chosen)
    _draw_memory(here, chosen)
    _draw_language(here, chosen)
    _draw_browser(here)
    draw_own_data(here)
    draw_forget_everything_button(here)


def _save(here: Here, **changes: object) -> bool:
    """Check and store; a sentence at the top of the page either way."""
    try:
        checked = Preferences.checked({**here.preferences.as_stored(), **changes})
        owner = here.stored_owner()
        here.app.store.owners.save_preferences(owner.id, checked.as_stored())
    except BadSetting as error:
        name = error.details["name"]
        labels = {"base_url", "model_name", "helper_name", *SHARES, *CAPS, "fold_above", "keep"}
        label = here.say(f"set.{name}") if name in labels else name
        details = {**error.details, "name": label}
        st.session_state["settings-wrong"] = here.explain(BadSetting(**details))
        return False
    except ChatmemError as error:
        st.session_state["settings-wrong"] = here.explain(error)
        return False
    st.session_state["settings-saved"] = True  # said in the language that now holds
    return True


# --- who answers ----------------------------------------------------------------------------------


def _draw_model(here: Here, chosen: Preferences) -> None:
    st.subheader(here.say("set.model"), anchor=False, divider="gray")
    choices = [name for name in PROVIDER_CHOICES if _is_offered(here, name)]
    provider = st.selectbox(
        here.say("set.provider"),
        choices,
        index=choices.index(chosen.provider) if chosen.provider in choices else 0,
        format_func=lambda name: _provider_label(here, name),
        key="set-provider",
    )
    preset = PROVIDERS[provider] if provider else server_provider(here.app.settings)
    same = provider == chosen.provider
    if preset.id == "teaching":
        values: dict[str, object] = {"base_url": "", "model_name": "", "helper_name": ""}
        st.caption(here.say("set.test_teaching"))
    else:
        values = _draw_server(here, chosen if same else Preferences(), provider)
    wanted = {"provider": provider, **values}
    with st.container(horizontal=True):
        if st.button(here.say("set.save"), type="primary", key="save-model"):
            _keep_key(here, wanted)
            _save(here, **wanted)
            st.rerun()
        if st.button(here.say("set.test"), icon=":material/network_check:", key="test-connection"):
            _keep_key(here, wanted)
            _test(here, wanted)


def _is_offered(here: Here, name: str) -> bool:
    """Addresses of a visitor's choice, and of the host's own network, only where they are allowed."""
    if not name or here.app.settings.allow_visitor_servers:
        return True
    return not PROVIDERS[name].local and name != "other"


def _provider_label(here: Here, name: str) -> str:
    if not name:
        return here.say("set.follow", provider=_provider_label(here, server_provider(here.app.settings).id))
    special = {"teaching": "set.teaching", "other": "set.other"}
    return here.say(special[name]) if name in special else PROVIDERS[name].label


def _draw_server(here: Here, chosen: Preferences, provider: str) -> dict[str, object]:
    preset = PROVIDERS[provider] if provider else server_provider(here.app.settings)
    values: dict[str, object] = {"base_url": ""}
    if provider in ("other", "ollama", "lmstudio"):
        values["base_url"] = st.text_input(
            here.say("set.base_url"), chosen.base_url, key=f"set-url-{provider}",
            placeholder=preset.base_url or "https://example.com/v1", help=here.say("set.base_url_help"),
        )  # fmt: skip
    settings = here.app.settings
    installed = not provider
    defaults = {
        "model_name": (settings.model_name if installed else "") or preset.model,
        "helper_name": (settings.helper_name if installed else "") or preset.helper_model,
    }
    for name, default in defaults.items():
        hint = here.say("set.default", name=default) if default else here.say("set.must_name")
        stored = chosen.model_name if name == "model_name" else chosen.helper_name
        values[name] = st.text_input(
            here.say(f"set.{name}"), stored, placeholder=hint, key=f"set-{name}-{provider}"
        )
    _draw_key(here, {"provider": provider, **values})
    return values


def _draw_key(here: Here, wanted: dict[str, Any]) -> None:
    url = _address(here, wanted)
    st.text_input(
        here.say("set.key"), key=_key_field(wanted["provider"]), type="password", autocomplete="off",
        help=here.say("set.key_help"),
    )  # fmt: skip
    settings = here.app.settings
    if url in here.keys:
        st.caption(f":material/key: {here.say('set.key_there')}")
        if st.button(here.say("set.key_forget"), type="tertiary", key="forget-key"):
            here.keys.pop(url, None)
            st.rerun()
    elif settings.server_key and url == address(settings, Preferences()):
        st.caption(f":material/key: {here.say('set.key_server')}")


def _address(here: Here, wanted: dict[str, Any]) -> str:
    try:
        return address(here.app.settings, Preferences.checked(wanted))
    except BadSetting:
        return ""


def _key_field(provider: str) -> str:
    """Each provider has a field of its own, and a new one once a key was taken from it: what is typed for
    one server must not be there to be kept for the next."""
    return f"set-key-{provider}-{st.session_state.get('keys-taken', 0)}"


def _keep_key(here: Here, wanted: dict[str, Any]) -> None:
    """A typed key belongs to the address on screen, and leaves the widget at once."""
    typed = (st.session_state.get(_key_field(wanted["provider"])) or "").strip()
    if typed and (url := _address(here, wanted)):
        here.keys[url] = typed
        st.session_state["keys-taken"] = st.session_state.get("keys-taken", 0) + 1


def _test(here: Here, wanted: dict[str, Any]) -> None:
    try:
        preferences = Preferences.checked({**here.preferences.as_stored(), **wanted})
        result = here.app.models.check(preferences, dict(here.keys))
    except ChatmemError as error:
        st.error(here.explain(error), icon=":material/error:")
        return
    if result is None:
        st.success(here.say("set.test_teaching"), icon=":material/check_circle:")
    else:
        name, milliseconds = result
        st.success(here.say("set.test_ok", model=name, ms=round(milliseconds)), icon=":material/check_circle:")


# --- memory ---------------------------------------------------------------------------------------


def _draw_memory(here: Here, chosen: Preferences) -> None:
    st.subheader(here.say("set.memory"), anchor=False, divider="gray")
    current = chosen.preset or here.app.settings.preset
    preset = st.selectbox(
        here.say("set.preset"),
        PRESET_NAMES,
        index=PRESET_NAMES.index(current),
        format_func=lambda name: here.say(f"preset.{name}"),
        key="set-preset",
    )
    policy = policy_for(preset, chosen.numbers)
    st.caption(here.say(f"preset.{preset}.about", above=policy.fold_above, keep=policy.keep))
    defaults = policy_for(preset, {})
    numbers: dict[str, int] = {}

    def number(name: str, default: int) -> None:
        """A number field; only what differs from the preset is kept."""
        low, high = NUMBER_BOUNDS[name]
        stored = chosen.numbers.get(name, default)
        value = st.number_input(
            here.say(f"set.{name}"), low, high, min(max(stored, low), high), key=f"set-{preset}-{name}"
        )
        if value != default:
            numbers[name] = int(value)

    if preset == "classic":
        left, right = st.columns(2)
        with left:
            number("fold_above", defaults.fold_above)
        with right:
            number("keep", defaults.keep)
    with st.expander(here.say("set.shares")):
        standard = {
            **{name: getattr(defaults.shares, name) for name in SHARES},
            "reply_cap": defaults.caps.reply,
            "summary_cap": defaults.caps.summary,
            "extraction_cap": defaults.caps.extraction,
        }
        for name in (*SHARES, *CAPS):
            number(name, standard[name])
    if st.button(here.say("set.save"), type="primary", key="save-memory"):
        _save(here, preset=preset, numbers=numbers)
        st.rerun()


# --- language and browser -------------------------------------------------------------------------


def _draw_language(here: Here, chosen: Preferences) -> None:
    st.subheader(here.say("set.language"), anchor=False, divider="gray")
    options = ("", *LANGUAGES)

    def save() -> None:
        _save(here, language=st.session_state["set-language"])

    st.segmented_control(
        here.say("set.language"),
        options,
        default=chosen.language or "",
        required=True,
        format_func=lambda code: LANGUAGE_NAMES[code] if code else here.say("set.language_auto"),
        key="set-language",
        on_change=save,
        label_visibility="collapsed",
    )


def _draw_browser(here: Here) -> None:
    identity = here.app.settings.identity
    st.subheader(here.say("set.account" if identity == "login" else "set.browser"), anchor=False, divider="gray")
    if identity == "local":
        st.caption(here.say("set.local_about"))
        return
    if identity == "login":
        st.caption(here.say("set.login_about", name=one_line(login.name(), 80)))
        if st.button(here.say("set.logout"), icon=":material/logout:", key="logout"):
            st.logout()
        return
    st.caption(here.say("set.browser_about"))
    with st.popover(here.say("set.forget_browser"), icon=":material/person_off:"):
        st.write(here.say("set.forget_browser_help"))
        if st.button(here.say("set.forget_sure"), type="primary", key="forget-browser"):
            visitor.forget_browser()
            for name in (
                "typed_keys",
                "temporary_room",
                "last_chat",
                "new_chat_id",
                "deleted",
                "retracted",
                NEW_CHATS,
            ):
                st.session_state.pop(name, None)
            st.rerun()


guarded(main)()
