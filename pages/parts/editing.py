"""Editing history on the screen: a message's menu, the form in its place, and the way back to other branches."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from chatmem.domain import Branch, Message, new_id
from chatmem.errors import ChatmemError, NotFound
from pages.parts.dialog_state import open_dialog
from pages.parts.enter import Here, Room
from pages.parts.notices import attempt

EDITED = "edit-message-"
"""With the id of the message that is being edited in this tab: where its text is kept. Streamlit drops it when the
form is drawn no more, as after a look at another chat."""


def draw_menu(here: Here, room: Room, message: Message) -> None:
    options = ["edit"] if message.role == "user" else []
    options += ["where", "delete", "forget"]
    key = f"menu-message-{message.id}"

    def chosen() -> None:
        option = st.session_state[key]
        if option == "edit":
            _open_form(message)
        elif option == "delete":
            attempt(
                here,
                lambda: room.app.store.branches.delete_from(room.owner.id, room.conversation_id, message.id),
            )
        else:
            open_dialog(option, message.id)

    st.menu_button(
        here.say("message.menu", number=message.number),
        options,
        key=key,
        icon=":material/more_horiz:",
        type="tertiary",
        format_func=lambda option: here.say(f"message.{option}"),
        on_click=chosen,
    )


def is_edited(message: Message) -> bool:
    """Whether the form stands in this message's place."""
    return f"{EDITED}{message.id}" in st.session_state


def _open_form(message: Message) -> None:
    """One at a time."""
    _close_form()
    st.session_state[f"{EDITED}{message.id}"] = message.text
    st.session_state["edit-draft"] = new_id()


def _close_form() -> None:
    for key in [key for key in st.session_state if str(key).startswith(EDITED)]:
        del st.session_state[key]


def draw_edit_form(here: Here, room: Room, message: Message, following: int | None, busy: bool) -> None:
    """The message as text to be changed. A mistake keeps what was typed, and is named above the composer."""
    key = f"{EDITED}{message.id}"

    def send() -> None:
        text = st.session_state[key] or ""

        def ask() -> None:
            room.app.chat.send(
                room.owner, room.conversation_id, st.session_state["edit-draft"], text,
                language=here.language, keys=dict(here.keys), instead_of=message.id,
            )  # fmt: skip

        if attempt(here, ask):
            _close_form()
            st.query_params.pop("message", None)  # the chat goes on at its end
        elif _is_set_aside(room, message):
            # Another tab was faster, and there is no place for the form any more.
            _close_form()
            st.session_state["composer"] = text
            kind, said = st.session_state["notice"]
            st.session_state["notice"] = (kind, f"{said} {here.say('edit.kept')}")

    with st.form(f"edit-form-{message.id}", border=False):
        st.text_area(here.say("edit.text"), key=key, height="content", label_visibility="collapsed")
        if following is None:  # at an old place nobody has counted them
            st.caption(here.say("edit.about_all"))
        else:
            st.caption(here.say("edit.about" if following else "edit.about_last", count=following))
        with st.container(horizontal=True):
            st.form_submit_button(
                here.say("edit.send"),
                type="primary",
                key=f"edit-send-{message.id}",
                on_click=send,
                disabled=busy,
            )
            st.form_submit_button(here.say("cancel"), key=f"edit-cancel-{message.id}", on_click=_close_form)


def _is_set_aside(room: Room, message: Message) -> bool:
    try:
        return room.app.store.turns.message(room.owner.id, message.id).retired_at is not None
    except NotFound:
        return True
    except ChatmemError:
        return False  # the form stays


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
    if branch is None:
        return
    store = room.app.store.branches
    done = attempt(here, lambda: store.bring_back(room.owner.id, room.conversation_id, branch.id))
    if done and "message" in st.query_params:
        st.query_params["message"] = str(branch.first_number)  # who looks at an old place stays there
