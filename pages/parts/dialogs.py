"""The dialogs: History, Summary, Reset and Memory for the chat on screen, and those about one message, fact
or chat. Which one is open is told by `dialog_state`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Literal, ParamSpec

import streamlit as st

from chatmem.domain import Message, Status
from chatmem.errors import NotFound
from pages.parts.dialog_state import close_dialog, current_dialog, dialog_open
from pages.parts.enter import HISTORY_PAGE, MEMORY_PAGE, Here, Room, guarded
from pages.parts.facts import draw_known
from pages.parts.folds import draw_summary
from pages.parts.forecast import draw_pin_choice
from pages.parts.forget import draw_forget_chat, draw_forget_everything, draw_forget_fact, draw_forget_message
from pages.parts.notices import attempt
from pages.parts.own_data import draw_export_buttons
from pages.parts.provenance import draw_provenance
from pages.parts.text import draw_user_text
from pages.parts.times import local_day
from pages.parts.versions import draw_versions

P = ParamSpec("P")
ChatDialog = Literal["history", "summary", "reset", "memory"]
BUTTON_DIALOGS: tuple[ChatDialog, ...] = ("history", "summary", "reset")
"""Those with a button of their own in the sidebar, where the inspector leads to the Memory page."""
ALL_MESSAGES_SHOWN = 100
TITLE_LENGTH = 100


def draw_dialog(here: Here, room: Room | None) -> None:
    """The dialog that is open, if any. Called once in a full run, at its end."""
    wanted = current_dialog()
    if wanted is None:
        return
    if wanted.name in _ANYWHERE:
        title, icon, body = _ANYWHERE[wanted.name]
        dialog = st.dialog(here.say(title), icon=icon, width="medium", on_dismiss=close_dialog)
        dialog(_safe(here, body))(here, wanted.about)
    elif room is None:
        close_dialog()  # left behind by a link out of it
    elif wanted.name in _CHAT_DIALOGS:
        icon, width, draw = _CHAT_DIALOGS[wanted.name]
        dialog = st.dialog(here.say(f"{wanted.name}.title"), width=width, icon=icon, on_dismiss=close_dialog)
        dialog(_safe(here, draw))(here, room)
    else:
        _draw_about(here, room, wanted.name, wanted.about)


def _draw_about(here: Here, room: Room, name: str, about: int | str | None) -> None:
    """A dialog about one thing of the chat on screen. What is gone meanwhile has none."""
    if name == "branch":
        dialog = st.dialog(here.say("branch.title"), width="medium", on_dismiss=close_dialog)
        dialog(_safe(here, _branch))(here, room, about)
        return
    try:
        message = room.app.store.turns.message(room.owner.id, int(about or 0))
    except NotFound:
        close_dialog()
        return
    title = here.say("where.title" if name == "where" else "forget.message", number=message.number)
    dialog = st.dialog(title, width="medium", on_dismiss=close_dialog)
    dialog(_safe(here, draw_provenance if name == "where" else draw_forget_message))(here, room, message)


def _safe(here: Here, body: Callable[P, None]) -> Callable[P, None]:
    """A dialog is drawn again by itself: what it is about, or the database, may be gone meanwhile."""

    @wraps(body)
    def drawn(*args: P.args, **kwargs: P.kwargs) -> None:
        if not dialog_open():
            st.rerun()  # a button of its own has closed it
        try:
            guarded(body)(*args, **kwargs)
        except NotFound:
            st.caption(here.say("forget.gone"))

    return drawn


def _branch(here: Here, room: Room, branch_id: int | str | None) -> None:
    messages = room.app.store.branches.messages(room.owner.id, room.conversation_id, int(branch_id or 0))
    st.caption(here.say("branch.about" if messages else "forget.gone"))
    for message in messages:
        draw_line(here, message)


def _rename(here: Here, chat_id: int | str | None) -> None:
    try:
        chat = here.app.store.conversations.get(here.owner.id, str(chat_id))
    except NotFound as error:
        st.warning(here.explain(error))
        return
    with st.form("rename", border=False):
        # By its key it stays the same field when the chat is given a title meanwhile.
        key = f"title-{chat.id}"
        title = st.text_input(here.say("side.title"), chat.title, max_chars=TITLE_LENGTH, key=key) or ""
        if st.form_submit_button(here.say("side.save"), type="primary") and title.strip():
            close_dialog()
            new = title.strip()[:TITLE_LENGTH]
            attempt(here, lambda: here.app.store.conversations.rename(here.owner.id, chat.id, new))
            st.rerun()


def _history(here: Here, room: Room) -> None:
    if room.conversation is None:
        st.write(here.say("history.empty"))
        return
    memory = room.app.chat.memory(room.owner, room.conversation_id)
    total, _ = room.app.store.turns.counts(room.owner.id, room.conversation_id)
    head = memory.head
    summary = (
        here.say("history.with_summary", version=head.version, first=1, last=head.covers_through) if head else ""
    )
    st.markdown(f"**{here.say('history.now')}**")
    st.write(here.say("history.total", window=memory.window_count, summary=summary, total=total))
    if head:
        with st.container(border=True):
            draw_summary(here, head)
    for message in memory.window[-ALL_MESSAGES_SHOWN:]:
        draw_line(here, message)
    st.divider()
    st.markdown(f"**{here.say('history.all')}**")
    for message in room.app.store.turns.page(
        room.owner.id, room.conversation_id, limit=ALL_MESSAGES_SHOWN, retired=True
    ):
        draw_line(here, message)
    if not room.temporary:
        st.page_link(
            HISTORY_PAGE, label=here.say("history.open_page"), icon=":material/open_in_full:",
            query_params={"chat": room.conversation_id},
        )  # fmt: skip


def draw_line(here: Here, message: Message, marks: tuple[str, ...] = ()) -> None:
    """One numbered message, verbatim."""
    words = list(marks)
    if message.status is not Status.COMPLETE:
        words.append(here.say(f"status.{message.status}"))
    if message.forgotten_at:
        words.append(here.say("status.forgotten"))
    elif message.retirement_id:
        words.append(here.say("history.aside"))
    elif message.retired_at:
        words.append(here.say("status.retired"))
    mark = f" · {', '.join(words)}" if words else ""
    with st.container(gap=None):
        st.caption(f"{message.number} · {here.say(f'role.{message.role}')}{mark}")
        if message.forgotten_at:
            st.caption(f"*{here.say('history.forgotten_text', day=local_day(message.forgotten_at))}*")
        else:
            draw_user_text(message.text)


def _summary(here: Here, room: Room) -> None:
    if room.conversation and draw_versions(here, room):
        return
    policy = room.app.chat.policy(room.owner, room.conversation.preset if room.conversation else None)
    st.write(here.say("summary.none" if policy.folds else "summary.never", limit=policy.fold_above))


def _reset(here: Here, room: Room) -> None:
    _, live = room.app.store.turns.counts(room.owner.id, room.conversation_id) if room.conversation else (0, 0)
    st.markdown(here.say("reset.goes", count=live))
    st.markdown(here.say("reset.stays"))

    def confirm() -> None:
        close_dialog()
        attempt(here, lambda: room.app.chat.reset(room.owner, room.conversation_id))

    with st.container(horizontal=True, horizontal_alignment="right"):
        if st.button(here.say("cancel"), key="reset-cancel", on_click=close_dialog):
            st.rerun()
        if st.button(here.say("reset.confirm"), type="primary", key="reset-confirm", on_click=confirm):
            st.rerun()


def _memory(here: Here, room: Room) -> None:
    if room.temporary:
        st.write(here.say("memory.temporary"))
        return
    draw_known(here)
    st.page_link(MEMORY_PAGE, label=here.say("memory.open_page"), icon=":material/open_in_full:")


def _export(here: Here, room: Room) -> None:
    if room.conversation is None:
        st.write(here.say("history.empty"))
        return
    draw_export_buttons(here, room.app, room.owner, room.conversation_id)


_CHAT_DIALOGS: dict[str, tuple[str, Literal["small", "medium"], Callable[[Here, Room], None]]] = {
    "history": (":material/history:", "medium", _history),
    "summary": (":material/notes:", "medium", _summary),
    "reset": (":material/restart_alt:", "small", _reset),
    "memory": (":material/psychology:", "medium", _memory),
    "pins": (":material/keep:", "medium", draw_pin_choice),
    "export": (":material/download:", "small", _export),
}

_ANYWHERE: dict[str, tuple[str, str, Callable[[Here, int | str | None], None]]] = {
    "rename": ("side.rename", ":material/edit:", _rename),
    "delete-chat": ("side.delete", ":material/delete:", draw_forget_chat),
    "forget-fact": ("forget.fact", ":material/ink_eraser:", draw_forget_fact),
    "forget-everything": ("forget.everything", ":material/ink_eraser:", draw_forget_everything),
}
"""Those that need no chat on screen: their title, icon and body."""
