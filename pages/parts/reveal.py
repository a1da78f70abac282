"""Brings a part of the page into view: a browser cannot know where a message will stand."""

from __future__ import annotations

import streamlit as st

_KEY = "chatmem_reveal"

_reveal = st.components.v2.component(
    "chatmem_reveal",
    css=f""".st-key-{_KEY} {{
        display: none;
    }}""",
    isolate_styles=False,
    js="""
export default function ({ data, parentElement }) {
  if (parentElement.revealed === data.what) return
  parentElement.revealed = data.what
  // What stands above it may still be growing.
  const show = () => document.querySelector(`.st-key-${data.container}`)?.scrollIntoView({ block: "center" })
  show()
  const timers = [setTimeout(show, 150), setTimeout(show, 500)]
  return () => timers.forEach(clearTimeout)
}
""",
)


def reveal(container: str, what: str) -> None:
    """Scroll to the container of this key when `what` is first drawn in it; later runs leave the page alone."""
    _reveal(key=_KEY, data={"container": container, "what": what})
