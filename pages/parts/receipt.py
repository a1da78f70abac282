"""The receipt under a reply: one quiet line, and all of it when opened."""

from __future__ import annotations

from collections.abc import Callable
from html import escape

import streamlit as st

from chatmem.domain import Message, Receipt
from chatmem.errors import NotFound
from chatmem.llm.providers import PROVIDERS
from chatmem.proof import Opened, cost
from chatmem.store.receipts import ReceiptLine
from pages.parts.enter import Here, Room
from pages.parts.receipt_context import draw_changes, draw_sent
from pages.parts.receipt_facts import draw_used
from pages.parts.sections import draw_bar, expired_words


def is_open(reply_id: int) -> bool:
    """Whether this reply's receipt stands open; at most one does."""
    return bool(st.session_state.get("receipt") == reply_id)


def draw_receipt_line(here: Here, room: Room, message: Message, line: ReceiptLine) -> None:
    """The line is the button that opens the receipt below the reply, and closes it."""

    def toggle() -> None:
        st.session_state["receipt"] = None if is_open(message.id) else message.id
        st.session_state.pop("editing", None)

    icon = ":material/expand_less:" if is_open(message.id) else ":material/receipt_long:"
    st.button(
        f":small[:gray[{icon} {receipt_words(here, line)}]]",
        key=f"receipt-{message.id}",
        type="tertiary",
        wrap=True,
        on_click=toggle,
    )


def receipt_words(here: Here, line: ReceiptLine) -> str:
    """Our own words and numbers only; what is nought is left out."""
    words: list[str] = []
    for count, one, many in (
        (line.facts, "receipt.fact", "receipt.facts"),
        (line.quotes, "receipt.quote", "receipt.quotes"),
    ):
        if count:
            words.append(here.say(one) if count == 1 else here.say(many, count=count))
    if line.summary_version is not None:
        words.append(here.say("receipt.summary", version=line.summary_version))
    if line.window_from is not None:
        key = "receipt.message" if line.window_from == line.window_through else "receipt.messages"
        words.append(here.say(key, first=line.window_from, last=line.window_through))
    how = "receipt.tokens_reported" if line.reported else "receipt.tokens_estimated"
    words.append(here.say(how, tokens=f"{line.tokens:,}"))
    if line.saved:
        words.append(here.say("receipt.saved", count=line.saved))
    return " · ".join(words)


def draw_receipt(here: Here, room: Room, reply_id: int) -> None:
    """The whole receipt, in the flow of the page: what follows moves down, and nothing is covered."""
    try:
        opened = room.app.proof.opened(room.owner.id, room.conversation_id, reply_id)
    except NotFound:
        st.caption(here.say("receipt.gone"))
        return
    parts: dict[str, Callable[[Here, Room, Opened], None]] = {
        "receipt.sent": draw_sent,
        "receipt.changed": draw_changes,
        "receipt.used": draw_used,
        "receipt.details": _draw_details,
    }
    with st.container(border=True, key=f"opened-{reply_id}"):
        draw_bar(here, opened.receipt.context.sections)
        tabs = st.tabs([here.say(name) for name in parts], key=f"receipt-tabs-{reply_id}")
        for tab, draw in zip(tabs, parts.values(), strict=True):
            with tab:
                draw(here, room, opened)


def _draw_details(here: Here, room: Room, opened: Opened) -> None:
    receipt = opened.receipt
    rows = [
        ("receipt.model", receipt.model),
        ("receipt.provider", _provider(here, receipt.provider)),
        ("receipt.tokens_in", _tokens_in(here, receipt)),
    ]
    if receipt.usage:
        rows.append(("receipt.tokens_out", f"{receipt.usage.output_tokens:,}"))
    dollars = cost(receipt, room.app.settings.prices)
    if dollars is not None:
        rows.append(("receipt.cost", money(dollars)))
    for key, ms in (
        ("receipt.prepared", receipt.prepared_ms),
        ("receipt.first_token", receipt.first_token_ms),
        ("receipt.total", receipt.total_ms),
    ):
        if ms is not None:
            rows.append((key, _duration(here, ms)))
    context = receipt.context
    if context.unsent:
        first, last = context.unsent
        rows.append(("receipt.not_fitting", here.say("memory.covers", first=first, last=last)))
    if context.expired:
        rows.append(("receipt.too_old", ", ".join(expired_words(here, one) for one in context.expired)))
    cells = "".join(
        f'<div style="opacity:.65">{escape(here.say(key))}</div>'
        f'<div style="overflow-wrap:anywhere">{escape(value)}</div>'
        for key, value in rows
    )
    st.html(
        '<div style="display:grid;grid-template-columns:minmax(5rem,max-content) 1fr;gap:.3rem 1.2rem;'
        f'font-size:.9rem;line-height:1.5">{cells}</div>'
    )


def _tokens_in(here: Here, receipt: Receipt) -> str:
    estimated = f"{receipt.context.tokens:,} ({here.say('memory.estimated')})"
    if receipt.usage is None:
        return estimated
    reported = f"{receipt.usage.input_tokens:,} ({here.say('memory.reported')})"
    return reported if receipt.usage.input_tokens == receipt.context.tokens else f"{reported} · {estimated}"


def _provider(here: Here, name: str) -> str:
    special = {"teaching": "set.teaching", "other": "set.other"}
    if name in special:
        return here.say(special[name])
    return PROVIDERS[name].label if name in PROVIDERS else name


def money(dollars: float) -> str:
    """Two digits that say something: a reply often costs less than a cent."""
    if dollars >= 0.01 or not dollars:
        return f"US${dollars:,.2f}"
    return f"US${dollars:.6f}".rstrip("0") if dollars >= 0.000_001 else "< US$0.000001"


def _duration(here: Here, ms: float) -> str:
    if ms < 1000:
        return here.say("receipt.ms", ms=f"{ms:.0f}")
    return here.say("receipt.seconds", seconds=f"{ms / 1000:.1f}")
