"""What is known about the person: what waits for them, what is remembered, and whether it is used."""

from __future__ import annotations

import math

import streamlit as st

from chatmem.domain import FACT_KINDS, FactKind, content_hash
from chatmem.knowledge import Overview
from chatmem.preferences import Preferences
from pages.parts.enter import ICON, SETTINGS_PAGE, Here, enter, guarded
from pages.parts.fact_trays import draw_trays
from pages.parts.facts import act, draw_add, draw_fact
from pages.parts.labels import one_line, plain_markdown
from pages.parts.notices import draw_notice
from pages.parts.sidebar import draw_sidebar

PAGE_SIZE = 25
FIRST_SHOWN = 8
"""Facts of each kind while all kinds are shown."""
SWITCHES = ("uses", "learns", "asks")
STORED_AS = {"uses": "uses_facts", "learns": "learns", "asks": "asks_first"}
EVERYTHING = "all"


def main() -> None:
    st.set_page_config(page_title="Memory · chatmem", page_icon=ICON, layout="centered")
    here = enter()
    _draw_said(here)
    draw_sidebar(here, None, on_chat_page=False)
    st.title(here.say("nav.memory"), anchor=False)
    st.caption(here.say("facts.about"))
    _draw_switches(here)
    draw_trays(here)
    known = here.app.knowledge.overview(here.owner.id)
    if known.live:
        _draw_facts(here, known)
    else:
        _draw_empty(here, known)


def _draw_said(here: Here) -> None:
    """What the last act did. At the bottom of the window, where it is seen however long the list is."""
    retracted = st.session_state.get("retracted")
    if "notice" not in st.session_state and retracted is None:
        return
    with st.bottom:
        if "notice" in st.session_state:
            draw_notice()
        if retracted is None:
            return

        def undo() -> None:
            st.session_state.pop("retracted", None)
            owner_id = here.owner.id
            act(here, lambda: here.app.knowledge.bring_back(owner_id, retracted.id), here.say("facts.back"))

        def dismiss() -> None:
            st.session_state.pop("retracted", None)

        with st.container(horizontal=True, border=True, vertical_alignment="center", key="retracted-fact"):
            st.markdown(here.say("facts.retracted", text=one_line(retracted.text, 60)), width="stretch")
            st.button(here.say("facts.undo"), key="undo-retract", icon=":material/undo:", on_click=undo)
            st.button("✕", key="dismiss-retract", type="tertiary", on_click=dismiss)


# --- the switches ---------------------------------------------------------------------------------


def _draw_switches(here: Here) -> None:
    chosen = here.preferences
    values = {name: bool(getattr(chosen, STORED_AS[name])) for name in SWITCHES}
    with st.container(border=True, gap="small", key="switches"):
        for name, value in values.items():
            with st.container(gap=None):
                st.session_state[f"switch-{name}"] = value  # what is stored, also when saving has failed
                st.toggle(
                    here.say(f"facts.{name}"),
                    key=f"switch-{name}",
                    disabled=name == "asks" and not values["learns"],
                    on_change=_save_switch,
                    args=(here, name),
                )
                st.caption(here.say(f"facts.{name}_about" if value else f"facts.{name}_off"))
    policy = here.app.chat.policy(here.owner, None)
    if not policy.long_term:
        preset = here.say(f"preset.{policy.preset}")
        st.info(here.say("facts.preset_without", preset=preset), icon=":material/info:")
        st.page_link(SETTINGS_PAGE, label=here.say("nav.settings"), icon=":material/settings:")


def _save_switch(here: Here, name: str) -> None:
    def save() -> None:
        values = {**here.preferences.as_stored(), STORED_AS[name]: st.session_state[f"switch-{name}"]}
        owner = here.stored_owner()
        here.app.store.owners.save_preferences(owner.id, Preferences.checked(values).as_stored())

    act(here, save)


# --- the list -------------------------------------------------------------------------------------


def _draw_empty(here: Here, known: Overview) -> None:
    if known.pending or known.quarantined:
        st.caption(here.say("facts.none_live"))
    else:
        st.markdown(f"**{here.say('facts.empty')}**")
        st.markdown(here.say("facts.empty_about"))
    with st.container(border=True):
        draw_add(here)


def _draw_facts(here: Here, known: Overview) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        search = st.text_input(
            here.say("facts.search"), key="facts-search", type="search", placeholder=here.say("facts.search"),
            label_visibility="collapsed", icon=":material/search:",
        )  # fmt: skip
        with st.popover(here.say("facts.add"), icon=":material/add:", key="add-popover"):
            draw_add(here)
    search = (search or "").strip()
    shown = _choose_kind(here, known)
    if shown == EVERYTHING:
        _draw_all_kinds(here, search)
    else:
        _draw_kind(here, shown, search)


def _choose_kind(here: Here, known: Overview) -> FactKind | str:
    def name(option: str) -> str:
        if option == EVERYTHING:
            return f"{here.say('facts.all')} {known.live:,}"
        kind = next(kind for kind in FACT_KINDS if kind == option)
        return f"{here.say(f'kind.{kind}')} {known.by_kind[kind]:,}"

    st.session_state.setdefault("facts-kind", EVERYTHING)
    chosen = st.pills(
        here.say("facts.which"),
        (EVERYTHING, *FACT_KINDS),
        required=True,
        format_func=name,
        key="facts-kind",
        label_visibility="collapsed",
    )
    return chosen or EVERYTHING


def _draw_all_kinds(here: Here, search: str) -> None:
    found = False
    for kind in FACT_KINDS:
        facts, total = here.app.knowledge.page(here.owner.id, kind, search, limit=FIRST_SHOWN)
        if not facts:
            continue
        found = True
        with st.container(gap="xxsmall", key=f"kind-{kind}"):
            st.markdown(f"**{here.say(f'kind.{kind}')}** :gray[{total:,}]")
            for fact in facts:
                draw_fact(here, fact)
            if total > len(facts):
                st.button(
                    here.say("facts.show_all", count=f"{total:,}"),
                    key=f"all-{kind}",
                    type="tertiary",
                    icon=":material/expand_more:",
                    on_click=_show_kind,
                    args=(kind,),
                )
    if not found:
        st.caption(here.say("facts.no_match", text=plain_markdown(search)))


def _show_kind(kind: FactKind) -> None:
    st.session_state["facts-kind"] = kind


def _draw_kind(here: Here, shown: FactKind | str, search: str) -> None:
    kind = next(kind for kind in FACT_KINDS if kind == shown)
    knowledge, owner_id = here.app.knowledge, here.owner.id
    key = f"facts-page-{kind}-{content_hash(search)[:8]}"
    page = st.session_state.get(key, 1)
    facts, total = knowledge.page(owner_id, kind, search, PAGE_SIZE, (page - 1) * PAGE_SIZE)
    pages = max(1, math.ceil(total / PAGE_SIZE))
    if page > pages:  # the last page has lost its last fact
        st.session_state[key] = pages
        facts, _ = knowledge.page(owner_id, kind, search, PAGE_SIZE, (pages - 1) * PAGE_SIZE)
    with st.container(gap="xxsmall", key=f"kind-{kind}"):
        for fact in facts:
            draw_fact(here, fact)
    if not facts and search:
        st.caption(here.say("facts.no_match", text=plain_markdown(search)))
    elif not facts:
        st.caption(here.say("facts.no_kind"))
    if pages > 1:
        st.pagination(pages, key=key)


guarded(main)()
