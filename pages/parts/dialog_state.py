"""Which dialog is open. It is kept in the session, so that the end of a reply knows to leave the page alone:
a full rerun would close what somebody is reading."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

OWN = "dialog:"
"""What the session keeps for the dialog that is open has a key that begins so, and ends with it."""


@dataclass(frozen=True)
class OpenDialog:
    """A dialog by its name, and what it is about: the id of a message, a fact, a branch or a chat."""

    name: str
    about: int | str | None = None


def dialog_open() -> bool:
    """Whether somebody is reading a dialog just now."""
    return bool(st.session_state.get("dialog"))


def open_dialog(name: str, about: int | str | None = None) -> None:
    """It opens as if for the first time, however the last one was left."""
    for key in [key for key in st.session_state if str(key).startswith(OWN)]:
        del st.session_state[key]
    st.session_state["dialog"] = OpenDialog(name, about)


def close_dialog() -> None:
    st.session_state["dialog"] = None


def current_dialog() -> OpenDialog | None:
    opened: OpenDialog | None = st.session_state.get("dialog")
    return opened
