"""Who is here, for `CHATMEM_IDENTITY=login`: whoever an OpenID Connect provider says, by way of `st.login`.

Streamlit does the protocol and keeps the signed cookie, for 30 days; the providers stand under `[auth]` in
its secrets. A person is the provider's name (`iss`) and its id of them (`sub`): both are for ever, while an
address of mail may change hands. https://openid.net/specs/openid-connect-core-1_0.html#ClaimStability
"""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st
from streamlit.errors import Error, StreamlitSecretNotFoundError

from chatmem.domain import Language
from chatmem.words import say
from pages.parts.i18n import TEXTS
from pages.parts.labels import plain_markdown


def person() -> str | None:
    """The id of who is logged in, for ever the same and nobody else's, or None."""
    issuer, subject = st.user.get("iss"), st.user.get("sub")
    if not (st.user.get("is_logged_in") and issuer and subject):
        return None
    return f"{issuer}\n{subject}"


def name() -> str:
    """What the provider calls who is logged in, to be shown to them."""
    return next((str(st.user[claim]) for claim in ("email", "name", "sub") if st.user.get(claim)), "")


def draw_door(language: Language) -> None:
    """What somebody sees who is not logged in: a button for each provider, or what there is to set up."""
    with st.container(horizontal_alignment="center", key="door"):
        st.title("chatmem", anchor=False, text_alignment="center")
        st.write(say(TEXTS, "login.about", language))
        try:
            for provider in _providers():
                label = say(TEXTS, "login.with", language, provider=provider.capitalize())
                if st.button(
                    label if provider else say(TEXTS, "login.enter", language),
                    type="primary",
                    icon=":material/login:",
                    key=f"login-{provider}",
                ):
                    st.login(provider or None)
        except Error as error:
            st.error(say(TEXTS, "login.not_set_up", language), icon=":material/settings_alert:")
            st.caption(plain_markdown(" ".join(str(error).split())))


def _providers() -> list[str]:
    """Names of the sections under `[auth]`; one without a name where the settings stand in it directly.

    Raises Streamlit's error when there are no secrets at all.
    """
    section = st.secrets.get("auth")
    if not isinstance(section, Mapping) or not section:
        raise StreamlitSecretNotFoundError("[auth]")
    named = [name for name, value in section.items() if isinstance(value, Mapping) and "client_id" in value]
    return [str(name) for name in named] or [""]
