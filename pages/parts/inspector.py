"""The live memory inspector: what this chat remembers and what was sent, in the sidebar.

It refreshes itself only while something is pending; an idle page costs nothing.
"""

from __future__ import annotations

import streamlit as st

from chatmem.domain import Memory, Receipt
from chatmem.errors import NotFound
from chatmem.policy import PRESET_NAMES, MemoryPolicy
from chatmem.preferences import Preferences
from pages.parts.dialog_state import dialog_open
from pages.parts.enter import MEMORY_PAGE, Here, Room, guarded
from pages.parts.forecast import draw_forecast
from pages.parts.notices import attempt
from pages.parts.pace import pace_of
from pages.parts.refusals import why_refused
from pages.parts.sections import draw_bar, expired_words
from pages.parts.text import draw_user_text

_VALUES: dict[str, bool | None] = {"follow": None, "on": True, "off": False}


def draw_inspector(here: Here, room: Room) -> None:
    """Title, what is remembered, and the chat's own preset."""
    st.markdown(f"**:material/neurology: {here.say('memory.title')}**")
    if room.conversation is None:
        st.caption(here.say("memory.empty"))
        guarded(_draw_facts)(here, room)
        return
    was_pending = room.busy or bool(_pending(room))
    every = pace_of(room.app.generations.count).panel_s if was_pending else None
    panel = st.fragment(guarded(_panel), run_every=every)
    panel(here, room, was_pending)
    _preset_choice(here, room)
    if not room.temporary:
        _switches(here, room)


def _panel(here: Here, room: Room, was_pending: bool) -> None:
    pending = _pending(room)
    if was_pending and not pending and not dialog_open():
        st.rerun()  # the page shows what came of it, and this timer is off
    try:
        memory = room.app.chat.memory(room.owner, room.conversation_id)
    except NotFound:
        return
    assert room.conversation is not None
    policy = room.app.chat.policy(room.owner, room.conversation.preset)
    _draw_window(here, memory, policy)
    draw_forecast(here, room, memory, policy)
    _draw_summary(here, room, memory)
    _draw_facts(here, room)
    if receipt := room.app.store.receipts.latest(room.owner.id, room.conversation_id):
        _draw_sent(here, receipt)
    _draw_pending(here, pending)


def _pending(room: Room) -> list[str]:
    try:
        reply = room.app.store.turns.streaming(room.owner.id, room.conversation_id)
    except NotFound:
        return []
    here = list(room.app.chat.pending(room.conversation_id))
    return here if reply is None or "writing" in here else ["writing", *here]  # another process may write it


def _draw_window(here: Here, memory: Memory, policy: MemoryPolicy) -> None:
    count = memory.window_count
    if policy.folds:
        key = "memory.window" if count <= policy.fold_above else "memory.window_due"
        share = min(count / policy.fold_above, 1.0)
        st.progress(share, here.say(key, count=count, limit=policy.fold_above))
    elif policy.send_at_most:
        share = min(count / policy.send_at_most, 1.0)
        st.progress(share, here.say("memory.window_sent", count=count, limit=policy.send_at_most))
    else:
        st.progress(1.0 if count else 0.0, here.say("memory.window_all", count=count))


def _draw_summary(here: Here, room: Room, memory: Memory) -> None:
    head = memory.head
    if head is None:
        st.caption(f":material/notes: {here.say('memory.no_summary')}")
    else:
        label = (
            f"{here.say('memory.summary', version=head.version)} · "
            f"{here.say('memory.covers', first=1, last=head.covers_through)}"
        )
        if head.pins:
            label += f" · {here.say('memory.pins', count=len(head.pins))}"
        with st.expander(label, icon=":material/notes:", type="compact"):
            draw_user_text(head.text)
            if head.source == "extractive":
                st.caption(here.say("memory.extractive"))
    refusals = room.app.store.memory.refusals(room.owner.id, room.conversation_id, memory.covered)
    if refusals:
        reason = why_refused(here, refusals[-1].reason)
        st.caption(f":material/info: {here.say('memory.put_off', reason=reason)}")


def _draw_facts(here: Here, room: Room) -> None:
    """How much is known about the person, and what waits for them."""
    if room.temporary:
        st.caption(f":material/psychology: {here.say('memory.facts_temporary')}")
        return
    known = here.app.knowledge.overview(here.owner.id)
    label = here.say("memory.facts_count", count=known.live) if known.live else here.say("memory.facts_none")
    with st.container(gap=None, key="facts-known"):
        st.page_link(MEMORY_PAGE, label=label, icon=":material/psychology:")
        kinds = [f"{here.say(f'kind.{kind}')} {count}" for kind, count in known.by_kind.items() if count]
        if kinds:
            st.caption(" · ".join(kinds))
        if waiting := known.pending + known.conflicts:
            st.caption(here.say("memory.waiting", count=waiting))


def _draw_sent(here: Here, receipt: Receipt) -> None:
    context = receipt.context
    tokens = receipt.usage.input_tokens if receipt.usage else context.tokens
    how = here.say("memory.reported" if receipt.usage else "memory.estimated")
    st.caption(f":material/outbox: {here.say('memory.sent', tokens=f'{tokens:,}', how=how)}")
    draw_bar(here, context.sections)
    recalled = [
        here.say(f"memory.recalled_{what}", count=count)
        for what, count in (
            ("facts", sum(1 for fact in context.facts if fact.how == "recalled")),
            ("quotes", len(context.quotes)),
        )
        if count
    ]
    if recalled:
        st.caption(f":material/manage_search: {here.say('memory.recalled', what=', '.join(recalled))}")
    if context.unsent:
        st.caption(here.say("memory.unsent", first=context.unsent[0], last=context.unsent[1]))
    if context.expired:
        st.caption(here.say("memory.expired", what=", ".join(expired_words(here, one) for one in context.expired)))


def _draw_pending(here: Here, pending: list[str]) -> None:
    names = {
        "writing": "memory.writing",
        "fold": "memory.folding",
        "learn": "memory.learning",
        "title": "memory.titling",
    }
    if pending:
        words = ", ".join(here.say(names[kind]) for kind in pending)
        st.caption(f":material/pending: :shimmer[{words}]")
    else:
        st.caption(f":material/check_circle: {here.say('memory.idle')}")


def _preset_choice(here: Here, room: Room) -> None:
    assert room.conversation is not None
    conversation = room.conversation
    default = room.app.chat.policy(room.owner, None).preset
    key = f"preset-{room.conversation_id}"

    def save() -> None:
        chosen = st.session_state[key] or None
        attempt(here, lambda: room.app.store.conversations.set_preset(room.owner.id, room.conversation_id, chosen))

    options = ["", *PRESET_NAMES]
    st.selectbox(
        here.say("memory.preset"),
        options,
        index=options.index(conversation.preset) if conversation.preset in PRESET_NAMES else 0,
        format_func=lambda name: (
            here.say(f"preset.{name}")
            if name
            else here.say("memory.preset_follow", preset=here.say(f"preset.{default}"))
        ),
        key=key,
        on_change=save,
    )


def _switches(here: Here, room: Room) -> None:
    """This chat's own answers to "use memory" and "learn automatically"."""
    assert room.conversation is not None
    conversation, chosen = room.conversation, Preferences.read(room.owner.preferences)
    stored = {"uses": conversation.uses_facts, "learns": conversation.learns}
    usual = {"uses": chosen.uses_facts, "learns": chosen.learns}
    keys = {name: f"chat-{name}-{room.conversation_id}" for name in stored}

    def save() -> None:
        uses, learns = (_VALUES[st.session_state[key]] for key in keys.values())
        store = room.app.store.conversations
        attempt(here, lambda: store.set_switches(room.owner.id, room.conversation_id, uses, learns))

    def name(option: str, as_usual: bool) -> str:
        if option == "follow":
            return here.say("memory.switch_follow", value=here.say("memory.on" if as_usual else "memory.off"))
        return here.say(f"memory.{option}")

    with st.expander(here.say("memory.switches"), icon=":material/tune:", type="compact"):
        if not room.app.chat.policy(room.owner, conversation.preset).long_term:
            st.caption(here.say("memory.without_facts"))
            return
        for which, key in keys.items():
            st.segmented_control(
                here.say(f"facts.{which}"),
                list(_VALUES),
                default=next(option for option, value in _VALUES.items() if value is stored[which]),
                required=True,
                format_func=lambda option, as_usual=usual[which]: name(option, as_usual),  # type: ignore[misc]
                key=key,
                on_change=save,
            )
