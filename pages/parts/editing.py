"""Editing history on the screen: a message's menu, the form in its place, and the way back to other branches."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from chatmem.domain import Branch, Message, new_id
from pages.parts.dialog_state import open_dialog
from pages.parts.enter import Here, Room
from pages.parts.notices import attempt

EDITING = "editing-message"
"""The id of the message that is being edited in this tab."""


def draw_menu(here: Here, room: Room, message: Message) -> None:
    options = ["edit"] if message.role == "user" else []
    options += ["where", "delete", "forget"]
    key = f"menu-message-{message.id}"

    def chosen() -> None:
        option = st.session_state[key]
        if option == "edit":
            st.session_state[EDITING] = message.id
        elif option == "delete":
            attempt(
                here,
                lambda: room.app.store.branches.delete_from(room.owner.id, room.conversation_id, message.id),
            )
        else:
            open_dialog(option, message.id)

    st.menu_button(
        "⋯",
        options,
        key=key,
        type="tertiary",
        help=here.say("message.menu", number=message.number),
        format_func=lambda option: here.say(f"message.{option}"),
        on_click=chosen,
    )


def is_edited(message: Message) -> bool:
    """Whether the form stands in this message's place."""
    return bool(st.session_state.get(EDITING) == message.id)


def draw_edit_form(here: Here, room: Room, message: Message, following: int) -> None:
    """The message as text to be changed. A mistake keeps what was typed, and is named above the composer."""
    key = f"edit-message-{message.id}"
    draft = f"draft-{message.id}"
    st.session_state.setdefault(key, message.text)

    def close() -> None:
        for one in (EDITING, draft):
            st.session_state.pop(one, None)

    def send() -> None:
        text = st.session_state[key] or ""
        draft_id = st.session_state.setdefault(draft, new_id())

        def ask() -> None:
            room.app.chat.send(
                room.owner, room.conversation_id, draft_id, text,
                language=here.language, keys=dict(here.keys), instead_of=message.id,
            )  # fmt: skip

        if attempt(here, ask):
            close()

    with st.form(f"edit-form-{message.id}", border=False):
        st.text_area(here.say("edit.text"), key=key, height="content", label_visibility="collapsed")
        about = "edit.about" if following else "edit.about_last"
        st.caption(here.say(about, count=following))
        with st.container(horizontal=True):
            st.form_submit_button(
                here.say("edit.send"), type="primary", key=f"edit-send-{message.id}", on_click=send
            )
            st.form_submit_button(here.say("cancel"), key=f"edit-cancel-{message.id}", on_click=close)


def draw_pager(here: Here, room: Room, first: Message, branches: Sequence[Branch]) -> None:
    """Beside the first message after a fork: which of its branches this is, and the way to the others."""
    numbers = sorted([first.number, *(branch.first_number for branch in branches)])
    at = numbers.index(first.number)
    by_number = {branch.first_number: branch for branch in branches}
    with st.container(horizontal=True, gap="xxsmall", vertical_alignment="center", key=f"fork-{first.id}"):
        _step(here, room, "before", by_number[numbers[at - 1]] if at else None, first.id)
        st.caption(here.say("branch.place", at=at + 1, count=len(numbers)), width="content")
        _step(here, room, "after", by_number[numbers[at + 1]] if at + 1 < len(numbers) else None, first.id)


def _step(here: Here, room: Room, way: str, branch: Branch | None, place: int) -> None:
    st.button(
        "",
        key=f"branch-{way}-{place}",
        icon=":material/chevron_left:" if way == "before" else ":material/chevron_right:",
        type="tertiary",
        help=here.say(f"branch.{way}"),
        disabled=branch is None,
        on_click=bring_back,
        args=(here, room, branch),
    )


def draw_set_aside(here: Here, room: Room, branches: Sequence[Branch]) -> None:
    """At the end of a chat: what stood here."""
    for branch in branches:
        with st.container(
            horizontal=True, gap="small", border=True, vertical_alignment="center", key=f"aside-{branch.id}"
        ):
            one = "_one" if branch.count == 1 else ""
            st.caption(here.say(f"branch.aside{one}", count=branch.count), width="stretch")
            st.button(
                here.say("branch.look"),
                key=f"look-{branch.id}",
                type="tertiary",
                on_click=open_dialog,
                args=("branch", branch.id),
            )
            st.button(
                here.say("branch.back"),
                key=f"bring-back-{branch.id}",
                icon=":material/undo:",
                type="tertiary",
                on_click=bring_back,
                args=(here, room, branch),
            )


def bring_back(here: Here, room: Room, branch: Branch | None) -> None:
    if branch is not None:
        attempt(here, lambda: room.app.store.branches.bring_back(room.owner.id, room.conversation_id, branch.id))
