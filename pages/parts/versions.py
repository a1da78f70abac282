"""The Summary dialog: every version with where it came from, what changed, and what can be done with it."""

from __future__ import annotations

import streamlit as st

from chatmem.domain import Summary
from chatmem.errors import ChatmemError
from chatmem.folder import REBUILD
from chatmem.llm.providers import TEACHING
from pages.parts.dialog_state import OWN, close_dialog, open_dialog
from pages.parts.enter import HISTORY_PAGE, Here, Room
from pages.parts.folds import draw_summary, how_key
from pages.parts.labels import plain_markdown
from pages.parts.notices import attempt, tell
from pages.parts.refusals import why_refused
from pages.parts.times import local_time
from pages.parts.word_diff import draw_word_diff

EDITED = f"{OWN}edited-version"
"""The id of the version whose form is open."""


def _shown(room: Room) -> str:
    """Under which key the number of the version on screen is kept: numbers tell something in their chat alone."""
    return f"{OWN}version-{room.conversation_id}"


def open_version(room: Room, version: int) -> None:
    """Open the dialog at a version."""
    open_dialog("summary")
    _show(room, version)


def draw_versions(here: Here, room: Room) -> bool:
    """The body of the dialog; False when the chat has no version yet."""
    store = room.app.store.versions
    numbers = store.numbers(room.owner.id, room.conversation_id)
    if not numbers:
        return False
    chain = store.leading_to_head(room.owner.id, room.conversation_id, limit=1)
    head = chain[-1] if chain else None
    version = store.get(room.owner.id, room.conversation_id, _choose(here, room, numbers, head))
    if st.session_state.get(EDITED) == version.id:
        _draw_edit(here, room, version)
        return True
    _draw_about(here, room, version, head)
    draw_summary(here, version)
    _draw_comparison(here, room, version)
    _draw_acts(here, room, version, head)
    return True


def _choose(here: Here, room: Room, numbers: list[int], head: Summary | None) -> int:
    in_force = head.version if head else None
    if st.session_state.get(_shown(room)) not in numbers:
        st.session_state[_shown(room)] = in_force or numbers[0]

    def name(number: int) -> str:
        return f"v{number} · {here.say('versions.in_force')}" if number == in_force else f"v{number}"

    if len(numbers) == 1:
        return numbers[0]
    chosen: int = st.selectbox(here.say("versions.choose"), numbers, format_func=name, key=_shown(room))
    return chosen


def _runs(version: Summary) -> str:
    runs = version.folded or ((version.covers_from, version.covers_through),)
    shown = [str(first) if first == last else f"{first}–{last}" for first, last in runs[:4]]
    return ", ".join([*shown, "…"] if len(runs) > 4 else shown)


def _draw_about(here: Here, room: Room, version: Summary, head: Summary | None) -> None:
    title = here.say(
        "summary.head", version=version.version, first=1, last=version.covers_through, tokens=version.tokens
    )
    st.markdown(f"**{title}**")
    words = [here.say(how_key(version), runs=_runs(version))]
    if version.source != "person":
        by_rule = version.model == TEACHING.id
        model = here.say("set.teaching") if by_rule else plain_markdown(version.model)
        words.append(here.say(f"versions.source.{version.source}", model=model))
    words.append(local_time(version.created_at))
    st.caption(" · ".join(words))
    parent = _parent(room, version)
    with st.container(horizontal=True, gap="small"):
        if version.folded and not room.temporary:
            st.page_link(
                HISTORY_PAGE,
                label=here.say("versions.messages"),
                icon=":material/arrow_outward:",
                query_params={"chat": room.conversation_id, "message": str(version.folded[0][0])},
            )
        if parent:
            st.button(
                here.say(
                    "versions.base" if version.how == "rebuild" else "versions.parent", version=parent.version
                ),
                key=f"parent-{version.version}",
                icon=":material/subdirectory_arrow_left:",
                type="tertiary",
                on_click=_show,
                args=(room, parent.version),
            )


def _show(room: Room, version: int) -> None:
    st.session_state[_shown(room)] = version


def _parent(room: Room, version: Summary) -> Summary | None:
    """The version whose text it carries on; a rebuild's base, which it stands in for."""
    parent_id = version.parent_id or (version.base_id if version.how == "rebuild" else None)
    if parent_id is None:
        return None
    return room.app.store.versions.by_id(room.owner.id, room.conversation_id, parent_id)


def _draw_comparison(here: Here, room: Room, version: Summary) -> None:
    parent = _parent(room, version)
    if parent is None or parent.suspended_at or version.suspended_at:
        return
    label = here.say("versions.compare", version=parent.version)
    opened = st.expander(
        label, key=f"compare-{version.version}", type="compact", icon=":material/difference:", on_change="rerun"
    )
    if not opened.open:
        return
    with opened:
        if parent.text == version.text:
            st.caption(here.say("versions.same"))
        else:
            draw_word_diff(parent.text, version.text)


# --- what can be done with it ---------------------------------------------------------------------


def _draw_acts(here: Here, room: Room, version: Summary, head: Summary | None) -> None:
    owner_id, chat_id = room.owner.id, room.conversation_id
    if "fold" in room.app.chat.pending(chat_id):
        st.caption(f":material/pending: :shimmer[{here.say('versions.rebuilding')}]")
        return
    is_head = head is not None and head.version == version.version
    seen = head.version if head else None

    def use(number: int | None) -> None:
        done = "versions.used_none" if number is None else "versions.used"
        if attempt(here, lambda: room.app.versions.put_in_force(owner_id, chat_id, number, seen)):
            tell(here.say(done, version=number))
        close_dialog()

    def edit() -> None:
        st.session_state[EDITED] = version.id

    def rebuild() -> None:
        attempt(
            here, lambda: room.app.chat.rebuild(room.owner, chat_id, language=here.language, keys=dict(here.keys))
        )
        close_dialog()

    with st.container(horizontal=True, gap="small", key="version-acts"):
        if is_head:
            st.button(here.say("versions.edit"), key="version-edit", icon=":material/edit:", on_click=edit)
            if st.button(
                here.say("versions.rebuild"), key="version-rebuild", icon=":material/restart_alt:",
                help=here.say("versions.rebuild_help"), on_click=rebuild,
            ):  # fmt: skip
                st.rerun()
            if st.button(
                here.say("versions.none"), key="version-none", type="tertiary", on_click=use, args=(None,)
            ):
                st.rerun()
        elif room.app.store.versions.fits(owner_id, chat_id, version.version):
            if st.button(
                here.say("versions.use"), key="version-use", icon=":material/history:", type="primary",
                on_click=use, args=(version.version,),
            ):  # fmt: skip
                st.rerun()
        elif version.suspended_at is None:
            st.caption(here.say("versions.does_not_fit"))
    refusals = room.app.store.memory.refusals(owner_id, chat_id, REBUILD)
    if is_head and refusals and refusals[-1].created_at > version.created_at:
        reason = why_refused(here, refusals[-1].reason)
        st.caption(f":material/info: {here.say('versions.rebuild_failed', reason=reason)}")


def _draw_edit(here: Here, room: Room, version: Summary) -> None:
    """The text and the pins of the version in force. A mistake keeps what was typed, and is named here."""
    policy = room.app.chat.policy(room.owner, room.conversation.preset if room.conversation else None)
    text_key, wrong_key = f"{OWN}summary-text-{version.id}", f"{OWN}summary-wrong"
    keys = {pin: f"keep-pin-{version.id}-{place}" for place, pin in enumerate(version.pins)}
    st.session_state.setdefault(text_key, version.text)

    def close() -> None:
        for key in (EDITED, text_key):
            st.session_state.pop(key, None)

    def save() -> None:
        pins = [pin for pin, key in keys.items() if st.session_state[key]]
        try:
            made = room.app.versions.edit(
                room.owner.id, room.conversation_id, version.version, st.session_state[text_key] or "", pins,
                policy.caps.summary,
            )  # fmt: skip
        except ChatmemError as error:
            st.session_state[wrong_key] = here.explain(error)
            return
        close()
        _show(room, made.version)

    with st.form("edit-summary", border=False):
        st.text_area(here.say("versions.text"), key=text_key, height="content")
        if keys:
            st.caption(here.say("versions.keep_pins"))
        for pin, key in keys.items():
            st.checkbox(plain_markdown(f"[{pin.number}] {pin.quote}"), value=True, key=key)
        if wrong := st.session_state.pop(wrong_key, None):
            st.error(wrong, icon=":material/error:")
        with st.container(horizontal=True):
            st.form_submit_button(here.say("versions.save"), type="primary", key="summary-save", on_click=save)
            st.form_submit_button(here.say("cancel"), key="summary-cancel", on_click=close)
