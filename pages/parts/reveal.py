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
  // What stands above it may still be growing, and a page with a composer keeps to its end while it does:
  // hold the place until all is there, or the person goes elsewhere.
  const until = performance.now() + 2500
  let frame
  const hold = () => {
    document.querySelector(`.st-key-${data.container}`)?.scrollIntoView({ block: "center", behavior: "instant" })
    if (performance.now() < until) frame = requestAnimationFrame(hold)
  }
  const letGo = () => cancelAnimationFrame(frame)
  const theirs = ["wheel", "touchstart", "pointerdown", "keydown"]
  theirs.forEach(what => window.addEventListener(what, letGo, { once: true, passive: true, capture: true }))
  hold()
}
""",
)


def reveal(container: str, what: str) -> None:
    """Scroll to the container of this key when `what` is first drawn in it; later runs leave the page alone."""
    _reveal(key=_KEY, data={"container": container, "what": what})
