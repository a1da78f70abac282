"""Taking one's chats and facts along: a file of them, reading one, and forgetting everything."""

from __future__ import annotations

from datetime import datetime

import streamlit as st

from chatmem.app import App
from chatmem.domain import Conversation, Owner
from chatmem.errors import ChatmemError
from pages.parts.dialog_state import open_dialog
from pages.parts.enter import NOBODY, Here
from pages.parts.notices import attempt
from pages.parts.times import visitor_zone

NEW_CHATS = "imported-chats"
"""The chats that imports of this tab added, until facts are learned from them."""

_STORAGE_ICONS = {
    "server": ":material/dns:",
    "file": ":material/hard_drive:",
    "passing": ":material/hourglass_top:",
}


def draw_own_data(here: Here) -> None:
    """Export and import, in the documented format, of other chats too."""
    st.subheader(here.say("data.title"), anchor=False, divider="gray")
    st.caption(here.say("data.about"))
    storage = here.app.settings.storage
    st.caption(f"{_STORAGE_ICONS[storage]} {here.say(f'data.storage.{storage}')}")
    with st.container(horizontal=True):
        st.download_button(
            here.say("data.export"),
            lambda: here.app.archive.export(here.owner.id),
            file_name=f"chatmem-{_today()}.json",
            mime="application/json",
            icon=":material/download:",
            key="export",
            disabled=here.owner is NOBODY,
            on_click="ignore",
        )
        st.download_button(
            here.say("data.export_markdown"),
            lambda: here.app.archive.export_markdown(here.owner.id, language=here.language),
            file_name=f"chatmem-{_today()}.md",
            mime="text/markdown",
            icon=":material/article:",
            key="export-markdown",
            disabled=here.owner is NOBODY,
            on_click="ignore",
        )
    # A file that was read leaves the field, so that it is not read again with the next click.
    file = st.file_uploader(
        here.say("data.import"), type=["json", "zip"], key=f"import-{st.session_state.get('imports', 0)}"
    )
    st.caption(here.say("data.about_foreign"))
    if file and st.button(here.say("data.import_now"), type="primary", key="import-now"):
        _import(here, file.getvalue())
        st.rerun()
    if new := st.session_state.get(NEW_CHATS):
        _draw_learning(here, new)


def draw_forget_everything_button(here: Here) -> None:
    """Opens the dialog that asks once more."""
    st.button(
        here.say("forget.everything"),
        key="forget-everything",
        icon=":material/ink_eraser:",
        disabled=here.owner is NOBODY,
        on_click=open_dialog,
        args=("forget-everything",),
    )
    if here.app.forgetting.pending:
        st.caption(f":material/pending: {here.say('forget.pending')}")


def draw_chat_export(here: Here, chat: Conversation) -> None:
    """One chat, to read or to take along."""
    with st.popover(here.say("history.export"), icon=":material/download:", type="tertiary"):
        draw_export_buttons(here, here.app, here.owner, chat.id)


def draw_export_buttons(here: Here, app: App, owner: Owner, chat_id: str) -> None:
    """For the app that the chat is in: a temporary one has its own."""
    st.download_button(
        here.say("history.export_markdown"),
        lambda: app.archive.export_markdown(owner.id, chat_id, here.language),
        file_name=f"chatmem-{_today()}.md",
        mime="text/markdown",
        icon=":material/article:",
        key=f"export-markdown-{chat_id}",
        on_click="ignore",
    )
    st.download_button(
        here.say("history.export_json"),
        lambda: app.archive.export_chat(owner.id, chat_id),
        file_name=f"chatmem-{_today()}.json",
        mime="application/json",
        icon=":material/data_object:",
        key=f"export-json-{chat_id}",
        on_click="ignore",
    )


def _import(here: Here, data: bytes) -> None:
    bar = st.progress(0.0, here.say("data.importing"))

    def tell(share: float) -> None:
        bar.progress(share, here.say("data.importing"))

    try:
        made = here.app.archive.import_(here.stored_owner().id, data, tell)
    except ChatmemError as error:
        st.session_state["settings-wrong"] = here.explain(error)
        return
    st.session_state["imports"] = st.session_state.get("imports", 0) + 1
    said = here.say(
        "data.imported",
        chats=made.conversations,
        messages=made.messages,
        facts=made.facts,
        known=made.known_conversations + made.known_facts,
    )
    if made.left_out:
        said += " " + here.say("data.branches_left", count=made.left_out)
    st.session_state["settings-done"] = said
    st.session_state[NEW_CHATS] = (*st.session_state.get(NEW_CHATS, ()), *made.conversation_ids)


def _draw_learning(here: Here, chat_ids: tuple[str, ...]) -> None:
    """Nothing is learned from imported chats unless somebody asks."""

    def learn() -> None:
        def act() -> None:
            here.app.chat.learn_from(here.owner, chat_ids, language=here.language, keys=dict(here.keys))

        if attempt(here, act):
            st.session_state.pop(NEW_CHATS, None)
            st.session_state["settings-done"] = here.say("data.learning")

    with st.container(border=True, key="learn-from"):
        st.button(
            here.say("data.learn", count=len(chat_ids)), key="learn-now", icon=":material/school:", on_click=learn
        )
        st.caption(here.say("data.learn_about"))


def _today() -> str:
    return datetime.now(visitor_zone()).date().isoformat()
