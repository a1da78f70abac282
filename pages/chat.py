"""The chat: messages, the reply as it comes, and the composer."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

import streamlit as st

from chatmem.commands import Command, help_lines, parse
from chatmem.domain import Message, Status, new_id
from chatmem.errors import NotFound
from pages.parts.composer_guard import composer_guard
from pages.parts.dialog_state import dialog_open, open_dialog
from pages.parts.enter import ICON, TEMPORARY, Here, Room, enter, go_to, guarded, open_temporary, room
from pages.parts.messages import AVATARS, Scene, draw_ending, draw_messages
from pages.parts.notices import attempt, draw_notice, on_click, tell
from pages.parts.pace import pace_of
from pages.parts.sidebar import draw_sidebar
from pages.parts.text import draw_model_text

COMMANDS: tuple[Command, ...] = (
    "history", "summary", "memory", "reset", "retry", "forget", "temp", "export", "help",
)  # fmt: skip

PAGE_SIZE = 24
"""Messages drawn at first. A browser takes some 4 ms for each at every rerun, and 150 ms in all go unnoticed."""
EARLIER_SIZE = 50
"""Messages that each "load earlier" adds."""
EVERY_VERSION = 10_000
"""At an old place of a chat the dividers are those of old versions; at its end the newest will do."""


def main() -> None:
    st.set_page_config(page_title="chatmem", page_icon=ICON, layout="centered")
    here = enter()
    try:
        here_room = room(here)
    except NotFound:
        draw_sidebar(here, None, on_chat_page=True)
        _draw_not_found(here)
        return
    if here_room.conversation:
        st.session_state["last_chat"] = TEMPORARY if here_room.temporary else here_room.conversation_id
    _draw_chat(here, here_room)


def _draw_chat(here: Here, room: Room) -> None:
    view = _view(room)
    streaming = view.messages[-1] if view.messages and view.messages[-1].status is Status.STREAMING else None
    if room.temporary:
        st.info(here.say("chat.temporary"), icon=":material/timer_off:")
    # A place of its own, so that the first message clears the welcome at once.
    welcome = st.empty()
    if view.messages or view.scene.branches:
        _draw_earlier(here, room, view)
        retry = on_click(here, lambda: _retry(here, room))
        draw_messages(here, room, view.messages, replace(view.scene, busy=streaming is not None, retry=retry))
    elif room.conversation is None or not room.conversation.can_undo_reset:
        with welcome.container():
            _draw_welcome(here, room)
    if room.conversation and room.conversation.can_undo_reset:
        _draw_reset_undo(here, room)
    reply_place = st.container()
    _draw_composer(here, room, streaming is not None)
    draw_sidebar(here, room, on_chat_page=True)
    composer_guard()
    if streaming:
        # Last, since it stays for a while: the rest of the page is there already.
        pace = pace_of(room.app.generations.count)
        with reply_place:
            follow = st.fragment(guarded(_follow), run_every=pace.follow_s)
            follow(here, room, streaming.id, pace.follow_s * pace.share, 1 / pace.frames)


# --- which messages -------------------------------------------------------------------------------


@dataclass(frozen=True)
class View:
    """The messages on screen with what stands around them. `sought` is one that the address names."""

    messages: Sequence[Message]
    scene: Scene
    has_earlier: bool = False
    sought: int | None = None


def _view(room: Room) -> View:
    if room.conversation is None:
        return View((), Scene())
    store, owner_id, chat_id = room.app.store, room.owner.id, room.conversation_id
    sought = _sought(room)
    with store.one_view():
        shown = PAGE_SIZE
        # One more than is drawn: it tells what the first of them follows.
        rows: Sequence[Message] = ()
        if sought is not None:
            rows = store.turns.page(owner_id, chat_id, before=sought + PAGE_SIZE // 2, limit=shown + 1)
        if not rows:
            sought, shown = None, st.session_state.get(f"shown-{chat_id}", PAGE_SIZE)
            rows = store.turns.page(owner_id, chat_id, limit=shown + 1)
        drawn, above = rows[-shown:], rows[:-shown]
        newest = store.turns.page(owner_id, chat_id, limit=1)
        scene = Scene(
            versions=store.versions.leading_to_head(owner_id, chat_id, 50 if sought is None else EVERY_VERSION),
            branches=store.branches.of_chat(owner_id, chat_id),
            lines=store.receipts.lines(owner_id, chat_id, [m.id for m in drawn if m.role == "assistant"]),
            before=above[-1].number if above else 0,
            at_end=not drawn or drawn[-1].id == newest[-1].id,
            sought=sought,
        )
    return View(drawn, scene, bool(above), None if scene.at_end and len(rows) <= shown else sought)


def _sought(room: Room) -> int | None:
    """The message that the address names, as a result of a search does; None when the chat has gone on from it."""
    named = st.query_params.get("message", "")
    return int(named) if re.fullmatch(r"[1-9][0-9]{0,8}", named) and room.conversation else None


def _draw_earlier(here: Here, room: Room, view: View) -> None:
    """Above the messages: the way to earlier ones, or back from an old place to the newest."""
    if view.sought is not None and not view.scene.at_end:
        _draw_to_newest(here, room, view)
        return
    key = f"shown-{room.conversation_id}"

    def load() -> None:
        st.session_state[key] = st.session_state.get(key, PAGE_SIZE) + EARLIER_SIZE
        st.query_params.pop("message", None)

    if view.has_earlier:
        st.button(
            here.say("chat.earlier"), key="earlier", icon=":material/expand_less:", width="stretch", on_click=load
        )


def _draw_to_newest(here: Here, room: Room, view: View) -> None:

    def to_newest() -> None:
        st.query_params.pop("message", None)

    total = room.app.store.turns.total(room.owner.id, room.conversation_id)
    first, last = view.messages[0].number, view.messages[-1].number
    with st.container(horizontal=True, border=True, vertical_alignment="center", key="looking"):
        st.caption(here.say("chat.looking", first=first, last=last, total=total), width="stretch")
        st.button(
            here.say("chat.to_newest"),
            key="to-newest",
            icon=":material/keyboard_double_arrow_down:",
            type="tertiary",
            on_click=to_newest,
        )


# --- the reply on its way -------------------------------------------------------------------------


def _follow(here: Here, room: Room, reply_id: int, seconds: float, frame: float) -> None:
    """Draw the reply for a share of the fragment's period. In between, clicks get their turn."""
    until = time.monotonic() + seconds
    with st.chat_message("assistant", avatar=AVATARS["assistant"]):
        slot = st.empty()
        drawn: str | None = None
        while True:
            try:
                reply = room.app.chat.follow(room.owner, reply_id)
            except NotFound:
                st.rerun()  # the chat was deleted in another tab
            if reply.text != drawn:
                drawn = reply.text
                if drawn:
                    draw_model_text(drawn, slot)
                else:
                    slot.markdown(f":shimmer[{here.say('chat.thinking')}]")
            if reply.status is not Status.STREAMING:
                break
            if time.monotonic() >= until:
                return
            time.sleep(frame)
        draw_ending(here, reply)
    if not dialog_open():
        st.rerun()


# --- the composer ---------------------------------------------------------------------------------


def _draw_composer(here: Here, room: Room, streaming: bool) -> None:
    with st.bottom:
        draw_notice()
        if streaming:
            st.button(
                here.say("chat.stop"),
                key="stop",
                icon=":material/stop_circle:",
                on_click=on_click(here, lambda: room.app.chat.stop(room.owner, room.conversation_id)),
            )
    # Not inside `st.bottom`: only a composer that Streamlit put there itself keeps the page at its end.
    st.chat_input(
        here.say("chat.composer_busy" if streaming else "chat.composer"),
        key="composer",
        disabled=streaming,
        on_submit=_submit_typed,
        args=(here, room),
    )


def _submit_typed(here: Here, room: Room) -> None:
    text = st.session_state["composer"] or ""
    if not _submit(here, room, text):
        st.session_state["composer"] = text


def _submit(here: Here, room: Room, text: str) -> bool:
    """Carry out a command or send a message; False if the draft has to be kept."""
    return attempt(here, lambda: _do(here, room, text))


def _do(here: Here, room: Room, text: str) -> None:
    command = parse(text, COMMANDS)
    if command is None:
        _send(here, room, text)
    elif command == "retry":
        _retry(here, room)
    elif command == "temp":
        open_temporary(here)
        st.query_params["chat"] = TEMPORARY  # in a callback no page can be switched to
    elif command == "help":
        tell("\n".join(f"- `{line}`" for line in help_lines(here.language, COMMANDS)))
    elif command == "forget":
        open_dialog("forget", room.app.store.turns.last_question(room.owner.id, room.conversation_id).id)
    else:
        open_dialog(command)


def _send(here: Here, room: Room, text: str) -> None:
    owner = room.owner if room.temporary else here.stored_owner()
    draft_id = st.session_state.setdefault("draft_id", new_id())
    room.app.chat.send(owner, room.conversation_id, draft_id, text, language=here.language, keys=dict(here.keys))
    st.session_state["draft_id"] = new_id()
    st.query_params.pop("message", None)  # the chat goes on at its end
    if room.conversation is None and not room.temporary:
        st.session_state.pop("new_chat_id", None)
        st.query_params["chat"] = room.conversation_id


def _retry(here: Here, room: Room) -> None:
    room.app.chat.retry(room.owner, room.conversation_id, language=here.language, keys=dict(here.keys))
    st.query_params.pop("message", None)


# --- when there is nothing to draw ----------------------------------------------------------------


def _draw_welcome(here: Here, room: Room) -> None:
    st.title(here.say("chat.welcome"), anchor=False)
    st.markdown(here.say("chat.welcome_about"))
    if room.app.models.answers_by_rule(here.preferences):
        st.info(here.say("chat.teaching"), icon=":material/school:")

    def pick() -> None:
        if chosen := st.session_state.get("suggestion"):
            _submit(here, room, chosen)

    st.pills(
        here.say("chat.try"),
        [here.say(f"chat.suggest{number}") for number in (1, 2, 3)],
        key="suggestion",
        on_change=pick,
        wrap=True,
    )
    if here.app.settings.storage == "passing":
        st.caption(f":material/hourglass_top: {here.say('chat.passing')}")


def _draw_reset_undo(here: Here, room: Room) -> None:
    with st.container(horizontal=True, border=True, vertical_alignment="center", key="reset-undo"):
        st.text(here.say("chat.reset_done"))
        st.button(
            here.say("chat.reset_undo"),
            key="undo-reset",
            icon=":material/undo:",
            on_click=_undo_reset,
            args=(here, room),
        )


def _undo_reset(here: Here, room: Room) -> None:
    if attempt(here, lambda: room.app.store.memory.undo_reset(room.owner.id, room.conversation_id)):
        tell(here.say("reset.undone"))


def _draw_not_found(here: Here) -> None:
    if st.query_params.get("chat") == TEMPORARY:
        st.info(here.say("chat.temporary_gone"), icon=":material/timer_off:")
    else:
        st.warning(here.say("chat.not_found"), icon=":material/search_off:")
        st.caption(here.say("chat.not_found_hint"))
    if st.button(here.say("side.new"), icon=":material/add:", key="new-chat-here"):
        go_to(None)


guarded(main)()
