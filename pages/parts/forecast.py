"""What the next message will fold, with a way to hold it, and to pin what must not be lost."""

from __future__ import annotations

import streamlit as st

from chatmem.domain import Detail, Memory, Pin
from chatmem.policy import MemoryPolicy
from chatmem.versions import Forecast
from pages.parts.dialog_state import close_dialog, open_dialog
from pages.parts.enter import Here, Room
from pages.parts.labels import inert
from pages.parts.notices import attempt, tell

MOST_SHOWN = 60


def draw_forecast(here: Here, room: Room, memory: Memory, policy: MemoryPolicy) -> None:
    forecast = room.app.versions.forecast(memory, policy)
    if forecast is None:
        return

    def hold() -> None:
        attempt(here, lambda: room.app.versions.hold(room.owner.id, room.conversation_id, not forecast.held))

    with st.container(gap="xxsmall", key="forecast"):
        key = "forecast.held" if forecast.held else "forecast.next"
        icon = ":material/pause_circle:" if forecast.held else ":material/compress:"
        st.caption(f"{icon} {here.say(key, first=forecast.first, last=forecast.last)}")
        with st.container(horizontal=True, gap="small"):
            if st.button(
                here.say("forecast.let_go" if forecast.held else "forecast.hold"),
                key="hold",
                type="tertiary",
                icon=":material/play_arrow:" if forecast.held else ":material/pause:",
                help=None if forecast.held else here.say("forecast.hold_help"),
                on_click=hold,
            ):
                st.rerun()  # out of the inspector's own run, so that a complaint is drawn
            if st.button(
                here.say("forecast.pin"),
                key="open-pins",
                type="tertiary",
                icon=":material/keep:",
                on_click=open_dialog,
                args=("pins",),
            ):
                st.rerun()  # dialogs are drawn by the page


def draw_pin_choice(here: Here, room: Room) -> None:
    """The body of a dialog: the details of the messages about to be folded, those pinned already ticked."""
    memory = room.app.chat.memory(room.owner, room.conversation_id)
    policy = room.app.chat.policy(room.owner, memory.conversation.preset)
    forecast = room.app.versions.forecast(memory, policy)
    if forecast is None:
        st.caption(here.say("pins.too_late"))
        return
    found = _details(room, forecast)
    pinned = set(memory.conversation.pins)
    if not found:
        st.write(here.say("pins.none", first=forecast.first, last=forecast.last))
        return
    st.caption(here.say("pins.about"))
    keys = {pin: f"pin-{forecast.first}-{place}" for place, pin in enumerate(found)}
    with st.container(gap="xsmall", height=360 if len(found) > 8 else "content", border=False):
        for pin, details in found.items():
            what = ", ".join(f"**{inert(detail.what)}**" for detail in details)
            alone = pin.quote.strip() == details[0].what
            around = "" if alone else f" :small[:gray[“{inert(pin.quote)}”]]"
            kinds = dict.fromkeys(here.say(f"detail.{detail.kind}") for detail in details)
            said = f"{', '.join(kinds)} · {pin.number}"
            st.checkbox(f"{what} :small[:gray[{said}]]{around}", value=pin in pinned, key=keys[pin])

    def save() -> None:
        wanted = [pin for pin, key in keys.items() if st.session_state[key]]
        unwanted = [pin for pin in keys if pin not in wanted and pin in pinned]

        def act() -> None:
            room.app.versions.unpin(room.owner.id, room.conversation_id, unwanted)
            room.app.versions.pin(room.owner.id, room.conversation_id, wanted)

        close_dialog()
        if attempt(here, act):
            tell(here.say("pins.saved", count=len(wanted)))

    with st.container(horizontal=True, horizontal_alignment="right"):
        if st.button(here.say("cancel"), key="pins-cancel", on_click=close_dialog):
            st.rerun()
        if st.button(here.say("pins.save"), type="primary", key="pins-save", on_click=save):
            st.rerun()


def _details(room: Room, forecast: Forecast) -> dict[Pin, list[Detail]]:
    """What may be worth a pin, by the pin it would be: one quote may hold several."""
    details = room.app.versions.about_to_fold(room.owner.id, room.conversation_id, forecast)
    found: dict[Pin, list[Detail]] = {}
    for detail in details[:MOST_SHOWN]:
        found.setdefault(Pin(detail.number, detail.quote), []).append(detail)
    return found
