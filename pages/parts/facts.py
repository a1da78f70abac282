"""One fact on the screen: its line, what proves it, what it was before, and what a person can do with it."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from chatmem.domain import FACT_KINDS, Evidence, Fact, FactKind
from chatmem.errors import ChatmemError, NotFound
from pages.parts.dialog_state import open_dialog
from pages.parts.enter import HISTORY_PAGE, Here
from pages.parts.labels import inert, one_line
from pages.parts.notices import complain, tell
from pages.parts.text import draw_user_text
from pages.parts.times import ago, local_day, local_time

LABEL_CHARS = 120
"""A longer fact ends in … until it is opened: a list is for looking over."""
SOURCES_SHOWN = 3
BEFORE_SHOWN = 5
KNOWN_SHOWN = 8
"""Facts of each kind that the dialog lists."""


def act(here: Here, action: Callable[[], object], done: str = "") -> bool:
    """Do it and say so; a sentence, too, when it could not be done."""
    try:
        action()
    except NotFound:
        st.session_state["notice"] = ("warning", here.say("facts.gone"))
        return False
    except ChatmemError as error:
        complain(here, error)
        return False
    if done:
        tell(done)
    return True


def on_act(here: Here, action: Callable[[], object], done: str = "") -> Callable[[], None]:
    """The same, for a button."""

    def clicked() -> None:
        act(here, action, done)

    return clicked


# --- the line, and what opens below it ------------------------------------------------------------


def draw_fact(here: Here, fact: Fact) -> None:
    """One line. What stands below it is read and drawn only while it is open."""
    pin = ":material/keep: " if fact.pinned else ""
    label = f"{pin}{one_line(fact.text, LABEL_CHARS)} :small[:gray[· {ago(here.say, fact.confirmed_at)}]]"
    opened = st.expander(label, key=f"fact-{fact.id}", on_change="rerun")
    if not opened.open:
        return
    with opened:
        if st.session_state.get("editing") == fact.id:
            draw_edit(here, fact)
            return
        if len(fact.text) > LABEL_CHARS:
            draw_user_text(fact.text)
        draw_sources(here, fact)
        if fact.replaces_id is not None:
            _draw_before(here, fact)
        _draw_actions(here, fact)


def _draw_actions(here: Here, fact: Fact) -> None:
    with st.container(horizontal=True, gap="small", key=f"acts-{fact.id}"):
        draw_edit_button(here, fact)
        _small_button(
            here.say("facts.unpin" if fact.pinned else "facts.pin"),
            f"pin-{fact.id}",
            ":material/keep_off:" if fact.pinned else ":material/keep:",
            lambda: _pin(here, fact),
            here.say("facts.pin_help"),
        )
        _small_button(
            here.say("facts.retract"),
            f"retract-{fact.id}",
            ":material/event_busy:",
            lambda: _retract(here, fact),
            here.say("facts.retract_help"),
        )
        draw_forget_button(here, fact)


def _small_button(
    label: str, key: str, icon: str, on_click: Callable[[], None], tooltip: str | None = None
) -> None:
    st.button(label, key=key, icon=icon, type="tertiary", on_click=on_click, help=tooltip)


def _pin(here: Here, fact: Fact) -> None:
    if act(here, lambda: here.app.knowledge.pin(here.owner.id, fact.id, not fact.pinned)):
        st.session_state[f"fact-{fact.id}"] = True  # with another label it would be another line, and closed


def _retract(here: Here, fact: Fact) -> None:
    if act(here, lambda: here.app.knowledge.retract(here.owner.id, fact.id)):
        st.session_state["retracted"] = fact


def draw_forget_button(here: Here, fact: Fact) -> None:
    """Opens the dialog that shows every place first."""

    def ask() -> None:
        open_dialog("forget-fact", fact.id)

    _small_button(here.say("facts.forget"), f"ask-{fact.id}", ":material/ink_eraser:", ask)


# --- where it comes from --------------------------------------------------------------------------


def draw_sources(here: Here, fact: Fact) -> None:
    """The words that prove it, the latest first, each leading to its message."""
    proofs = [evidence for evidence in fact.evidence if not evidence.against]
    if fact.origin != "learned":
        key = "facts.by_hand" if fact.origin == "added" else "facts.imported"
        st.caption(here.say(key, ago=ago(here.say, fact.created_at)))
    for evidence in reversed(proofs[-SOURCES_SHOWN:]):
        if evidence.number is None and fact.origin != "learned":
            continue  # its own words once more
        _draw_source(here, fact, evidence)


def _draw_source(here: Here, fact: Fact, evidence: Evidence) -> None:
    with st.container(gap="xxsmall"):
        if evidence.quote != fact.text:
            st.caption(here.say("facts.quote", quote=inert(evidence.quote)))
        if evidence.conversation_id and evidence.number is not None:
            st.page_link(
                HISTORY_PAGE,
                label=f"{here.say('facts.source')} · {local_time(evidence.said_at)}",
                icon=":material/arrow_outward:",
                query_params={"chat": evidence.conversation_id, "message": str(evidence.number)},
            )
        else:
            st.caption(here.say("facts.chat_gone", ago=ago(here.say, evidence.said_at)))


def _draw_before(here: Here, fact: Fact) -> None:
    try:
        before = here.app.knowledge.history(here.owner.id, fact.id)
    except NotFound:
        return
    for old in before[:BEFORE_SHOWN]:
        with st.container(gap=None):
            st.text(here.say("facts.before", text=old.text))
            if old.ended_at:
                st.caption(here.say("facts.until", day=local_day(old.ended_at)))
    if len(before) > BEFORE_SHOWN:
        st.caption(here.say("facts.more", count=len(before) - BEFORE_SHOWN))


# --- writing --------------------------------------------------------------------------------------


def draw_edit_button(here: Here, fact: Fact) -> None:
    def edit() -> None:
        st.session_state["editing"] = fact.id

    _small_button(here.say("facts.edit"), f"edit-{fact.id}", ":material/edit:", edit)


def draw_edit(here: Here, fact: Fact) -> None:
    """The form in the fact's place. A mistake keeps what was typed, and is named below it."""
    kind_key, text_key = f"edit-kind-{fact.id}", f"edit-text-{fact.id}"

    def save() -> None:
        kind, text = st.session_state[kind_key], st.session_state[text_key] or ""
        if edited := _written(here, "edit", lambda: here.app.knowledge.edit(here.owner.id, fact.id, kind, text)):
            close()
            st.session_state[f"fact-{edited.id}"] = True

    def close() -> None:
        st.session_state.pop("editing", None)

    with st.form(f"edit-form-{fact.id}"):
        draw_fields(here, kind_key, text_key, fact.kind, fact.text)
        draw_complaint("edit")
        with st.container(horizontal=True):
            st.form_submit_button(here.say("facts.save"), type="primary", key=f"save-{fact.id}", on_click=save)
            st.form_submit_button(here.say("cancel"), key=f"cancel-{fact.id}", on_click=close)


def draw_add(here: Here) -> None:
    def add() -> None:
        kind, text = st.session_state["add-kind"], st.session_state["add-text"] or ""
        if _written(here, "add", lambda: here.app.knowledge.add(here.stored_owner().id, kind, text)):
            st.session_state["add-text"] = ""

    with st.form("add-form", border=False):
        draw_fields(here, "add-kind", "add-text", "profile", "")
        draw_complaint("add")
        st.form_submit_button(
            here.say("facts.add"), icon=":material/add:", type="primary", key="add-fact", on_click=add
        )


def draw_fields(here: Here, kind_key: str, text_key: str, kind: FactKind, text: str) -> None:
    is_new = not text
    if text_key not in st.session_state:
        st.session_state[text_key] = text
    st.text_area(
        here.say("facts.add_text" if is_new else "facts.text"),
        key=text_key,
        height=68,
        placeholder=here.say("facts.add_example"),
    )
    st.segmented_control(
        here.say("facts.kind"),
        FACT_KINDS,
        default=kind,
        required=True,
        format_func=lambda one: here.say(f"kind.{one}"),
        key=kind_key,
        label_visibility="collapsed",
    )


def _written(here: Here, where: str, write: Callable[[], Fact]) -> Fact | None:
    """Carry it out, and say what became of it; None, with a sentence beside the field, if nothing did."""
    try:
        fact = write()
    except NotFound:
        st.session_state[f"wrong-{where}"] = here.say("facts.gone")
        return None
    except ChatmemError as error:
        st.session_state[f"wrong-{where}"] = here.explain(error)
        return None
    rival = "_rival" if fact.rival_id is not None else ""
    tell(here.say("facts.added_quarantined" if fact.status == "quarantined" else f"facts.added{rival}"))
    return fact


def draw_complaint(where: str) -> None:
    if wrong := st.session_state.pop(f"wrong-{where}", None):
        st.error(wrong, icon=":material/error:")


# --- the dialog -----------------------------------------------------------------------------------


def draw_known(here: Here) -> None:
    """What is known, by kind: the first of each."""
    known = here.app.knowledge.overview(here.owner.id)
    if not known.live:
        st.write(here.say("facts.none"))
    for kind, count in known.by_kind.items():
        if not count:
            continue
        facts, _ = here.app.knowledge.page(here.owner.id, kind, limit=KNOWN_SHOWN)
        st.markdown(f"**{here.say(f'kind.{kind}')}** :gray[{count}]")
        with st.container(gap="xsmall"):
            for fact in facts:
                marks = [here.say("facts.pinned")] if fact.pinned else []
                with st.container(gap=None):
                    draw_user_text(fact.text)
                    st.caption(" · ".join([*marks, ago(here.say, fact.confirmed_at)]))
            if count > len(facts):
                st.caption(here.say("facts.more", count=count - len(facts)))
    for what in ("conflicts", "pending", "quarantined"):
        if count := getattr(known, what):
            st.caption(here.say(f"facts.{what}", count=count))
