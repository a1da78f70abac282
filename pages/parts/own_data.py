"""Taking one's chats and facts along: a file of them, and reading one."""

from __future__ import annotations

from datetime import datetime

import streamlit as st

from chatmem.errors import ChatmemError
from pages.parts.enter import NOBODY, Here
from pages.parts.times import visitor_zone


def draw_own_data(here: Here) -> None:
    """Export and import, in the documented format."""
    st.subheader(here.say("data.title"), anchor=False, divider="gray")
    st.caption(here.say("data.about"))
    today = datetime.now(visitor_zone()).date()
    st.download_button(
        here.say("data.export"),
        lambda: here.app.archive.export(here.owner.id),
        file_name=f"chatmem-{today}.json",
        mime="application/json",
        icon=":material/download:",
        key="export",
        disabled=here.owner is NOBODY,
        on_click="ignore",
    )
    # A file that was read leaves the field, so that it is not read again with the next click.
    file = st.file_uploader(
        here.say("data.import"), type="json", key=f"import-{st.session_state.get('imports', 0)}"
    )
    if file and st.button(here.say("data.import_now"), type="primary", key="import-now"):
        _import(here, file.getvalue())
        st.rerun()


def _import(here: Here, data: bytes) -> None:
    try:
        with st.spinner(here.say("data.importing")):
            made = here.app.archive.import_(here.stored_owner().id, data)
    except ChatmemError as error:
        st.session_state["settings-wrong"] = here.explain(error)
        return
    st.session_state["imports"] = st.session_state.get("imports", 0) + 1
    st.session_state["settings-done"] = here.say(
        "data.imported",
        chats=made.conversations,
        messages=made.messages,
        facts=made.facts,
        known=made.known_conversations + made.known_facts,
    )
