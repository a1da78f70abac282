"""What is said above the composer after an action: a sentence, drawn once."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from chatmem.errors import ChatmemError
from pages.parts.enter import Here


def tell(markdown: str) -> None:
    """Something that was done, or asked for."""
    st.session_state["notice"] = ("info", markdown)


def complain(here: Here, error: ChatmemError) -> None:
    """Why something was not done."""
    st.session_state["notice"] = ("warning", here.explain(error))


def attempt(here: Here, action: Callable[[], object]) -> bool:
    """Do it; False, with a complaint, when it could not be done."""
    try:
        action()
    except ChatmemError as error:
        complain(here, error)
        return False
    return True


def on_click(here: Here, action: Callable[[], object]) -> Callable[[], None]:
    """The same, for a button."""

    def clicked() -> None:
        attempt(here, action)

    return clicked


def draw_notice() -> None:
    kind, markdown = st.session_state.pop("notice", ("", ""))
    if kind == "info":
        st.info(markdown, icon=":material/info:")
    elif kind:
        st.warning(markdown, icon=":material/error:")
