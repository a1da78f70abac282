"""Forgetting on the screen: every place first, then the act, then what a look afterwards found."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from chatmem.domain import Message, Owner, new_id
from chatmem.errors import ChatmemError, NotFound
from chatmem.forgetting import ForgetPlan, Forgotten, Found
from pages.parts.chat_list import delete_chat
from pages.parts.dialog_state import close_dialog
from pages.parts.enter import NOBODY, Here, Room
from pages.parts.facts import act
from pages.parts.labels import inert, one_line
from pages.parts.notices import attempt, complain, tell
from pages.parts.own_data import NEW_CHATS
from pages.parts.text import draw_user_text

SHOWN = 50
TEXT_CHARS = 120


def draw_forget_message(here: Here, room: Room, message: Message) -> None:
    """The body of a dialog."""
    plan = room.app.forgetting.of_message(room.owner.id, message.id)

    def refold(outcome: Forgotten) -> None:
        for chat_id in outcome.chats:
            room.app.chat.fold_now(room.owner, chat_id, language=here.language, keys=dict(here.keys))

    _draw_plan(here, room.owner, plan, room.app.forgetting.forget, refold)


def draw_forget_fact(here: Here, fact_id: int | str | None) -> None:
    """The body of a dialog. Only the fact may go, or it with everything it came from."""
    plan = here.app.forgetting.of_fact(here.owner.id, int(fact_id or 0))

    def refold(outcome: Forgotten) -> None:
        for chat_id in outcome.chats:
            here.app.chat.fold_now(here.owner, chat_id, language=here.language, keys=dict(here.keys))

    def only_fact() -> None:
        close_dialog()
        done = here.say("facts.forgotten_stays" if plan.messages else "facts.forgotten")
        if act(here, lambda: here.app.knowledge.forget(here.owner.id, int(fact_id or 0)), done):
            here.app.forgetting.scrub()

    _draw_plan(here, here.owner, plan, here.app.forgetting.forget, refold, only_fact)


def _draw_plan(
    here: Here,
    owner: Owner,
    plan: ForgetPlan,
    forget: Callable[..., Forgotten],
    refold: Callable[[Forgotten], None],
    only_fact: Callable[[], None] | None = None,
) -> None:
    st.markdown(here.say("forget.about"))
    chosen = _draw_messages(here, plan.messages)
    facts = _draw_facts(here, plan)
    if plan.traces.versions:
        named = ", ".join(f"v{version}" for _, version in plan.traces.versions)
        st.markdown(f":material/notes: {here.say('forget.summaries', versions=named)}")
    if plan.traces.receipts:
        st.markdown(f":material/receipt_long: {here.say('forget.receipts', count=plan.traces.receipts)}")
    st.caption(here.say("forget.also"))
    st.caption(here.say("forget.provider"))

    def confirm() -> None:
        close_dialog()
        messages = [id_ for id_, key in chosen.items() if st.session_state[key]]
        messages += [one.place.message.id for one in plan.messages[SHOWN:] if one.chosen]
        try:
            outcome = forget(owner, plan, messages, [id_ for id_, key in facts.items() if st.session_state[key]])
        except NotFound:
            tell(here.say("forget.gone"))
            return
        except ChatmemError as error:
            complain(here, error)
            return
        tell(_outcome(here, outcome))
        attempt(here, lambda: refold(outcome))

    with st.container(horizontal=True, horizontal_alignment="right"):
        if (
            only_fact
            and plan.messages
            and st.button(here.say("forget.only_fact"), key="forget-only-fact", on_click=only_fact)
        ):
            st.rerun()
        if st.button(here.say("cancel"), key="forget-cancel", on_click=close_dialog):
            st.rerun()
        if st.button(here.say("forget.confirm"), type="primary", key="forget-confirm", on_click=confirm):
            st.rerun()


def _draw_messages(here: Here, found: Sequence[Found]) -> dict[int, str]:
    """The messages with a tick each; the keys of the ticks by id."""
    if not found:
        return {}
    keys = {one.place.message.id: f"forget-{one.place.message.id}" for one in found[:SHOWN]}
    st.markdown(f"**{here.say('forget.messages')}** :gray[{len(found)}]")
    several = len({one.place.conversation_id for one in found}) > 1
    height = 320 if len(found) > 5 else "content"
    with st.container(gap="xsmall", height=height, border=False, key="forget-messages"):  # type: ignore[arg-type]
        for one in found[:SHOWN]:
            message = one.place.message
            key = keys[message.id]
            why = one.why if one.chosen or one.why == "mentions" else "also_answer"
            label = here.say("forget.also_answer") if why == "also_answer" else here.say(f"forget.why.{why}")
            title = [inert(one.place.title)] if several else []
            marks = [str(message.number), here.say(f"role.{message.role}"), *title, label]
            st.checkbox(
                f"{one_line(message.text or '…', TEXT_CHARS)}  \n:small[:gray[{' · '.join(marks)}]]",
                value=one.chosen,
                key=key,
                disabled=one.why == "source",
            )
    if len(found) > SHOWN:
        st.caption(here.say("facts.more", count=len(found) - SHOWN))
    return keys


def _draw_facts(here: Here, plan: ForgetPlan) -> dict[int, str]:
    """The facts that go, and those that hold the same words with a tick; the keys of the ticks by id."""
    if not plan.traces.facts and not plan.mentions:
        return {}
    st.markdown(f"**{here.say('forget.facts')}** :gray[{len(plan.traces.facts)}]")
    keys = {fact.id: f"forget-fact-{fact.id}" for fact in plan.mentions[:SHOWN]}
    with st.container(gap="xsmall"):
        for fact in plan.traces.facts[:SHOWN]:
            draw_user_text(f"• {fact.text}")
        for fact in plan.mentions[:SHOWN]:
            st.checkbox(
                f"{one_line(fact.text, TEXT_CHARS)}  \n:small[:gray[{here.say('forget.fact_mentions')}]]",
                key=keys[fact.id],
            )
    return keys


def _outcome(here: Here, outcome: Forgotten) -> str:
    probe = outcome.probe
    if probe.is_clean:
        said = here.say("forget.done")
    else:
        counts = {"messages": probe.messages, "facts": probe.facts, "summaries": probe.summaries}
        places = [here.say(f"forget.left_{name}", count=len(found)) for name, found in counts.items() if found]
        said = here.say("forget.left", places=", ".join(places))
    return said if outcome.scrubbed else f"{said} {here.say('forget.pending')}"


# --- a chat, and everything -----------------------------------------------------------------------


def draw_forget_chat(here: Here, chat_id: int | str | None) -> None:
    """Asks about the facts that were learned in a chat; deleting can be undone for a while."""
    chat = here.app.store.conversations.get(here.owner.id, str(chat_id))
    learned = here.app.store.conversations.learned_in(here.owner.id, chat.id)
    st.markdown(here.say("forget.chat_title", title=inert(chat.title)))
    st.caption(here.say("forget.chat_about"))
    if learned:
        key = "forget.chat_fact" if learned == 1 else "forget.chat_facts"
        st.checkbox(here.say(key, count=learned), key="forget-chat-facts")

    def confirm() -> None:
        close_dialog()
        gone = delete_chat(here, chat, bool(st.session_state.get("forget-chat-facts")))
        if gone and st.query_params.get("chat") == chat.id:
            st.query_params.pop("chat", None)
            st.session_state["new_chat_id"] = new_id()

    with st.container(horizontal=True, horizontal_alignment="right"):
        if st.button(here.say("cancel"), key="delete-cancel", on_click=close_dialog):
            st.rerun()
        if st.button(here.say("side.delete"), type="primary", key="delete-confirm", on_click=confirm):
            st.rerun()


def draw_forget_everything(here: Here, _about: int | str | None) -> None:
    """All of an owner, after a word typed: there is no way back."""
    if here.owner is NOBODY:
        st.caption(here.say("forget.gone"))
        return
    chats = here.app.store.conversations.count(here.owner.id)
    facts = here.app.knowledge.overview(here.owner.id).live
    st.markdown(here.say("forget.everything_about", chats=f"{chats:,}", facts=f"{facts:,}"))
    word = here.say("forget.everything_word")
    typed = st.text_input(here.say("forget.everything_type", word=word), key="forget-word") or ""

    def confirm() -> None:
        close_dialog()
        clean: list[bool] = []
        if not attempt(here, lambda: clean.append(here.app.forgetting.forget_everything(here.owner))):
            return
        said = here.say("forget.everything_done")
        st.session_state["settings-done"] = said if all(clean) else f"{said} {here.say('forget.pending')}"
        for name in ("last_chat", "new_chat_id", "deleted", "retracted", "receipt", NEW_CHATS):
            st.session_state.pop(name, None)

    with st.container(horizontal=True, horizontal_alignment="right"):
        if st.button(here.say("cancel"), key="everything-cancel", on_click=close_dialog):
            st.rerun()
        ready = typed.strip().casefold() == word.casefold()
        if st.button(
            here.say("forget.everything"), type="primary", key="everything-confirm", disabled=not ready,
            on_click=confirm,
        ):  # fmt: skip
            st.rerun()
