"""Enter that ends a composition (Korean, Japanese, Chinese) must not send.

Streamlit's composer asks `isComposing` only. Safari ends the composition first and sends the keydown after
it, with `isComposing` false and `keyCode` 229 (https://bugs.webkit.org/show_bug.cgi?id=165004): the Enter
meant to finish a word sends the message.
"""

from __future__ import annotations

import streamlit as st

_KEY = "chatmem_composer_guard"

_guard = st.components.v2.component(
    "chatmem_composer_guard",
    css=f""".st-key-{_KEY} {{
        display: none;
    }}""",
    isolate_styles=False,
    js="""
const endsComposition = event => event.key === "Enter" && (event.isComposing || event.keyCode === 229)

export default function () {
  if (window.__chatmemComposerGuard) return
  window.__chatmemComposerGuard = true
  // In the document's capture phase, ahead of React's listener. The input method has had the key already.
  document.addEventListener("keydown", event => {
    if (endsComposition(event) && event.target.closest?.('[data-testid="stChatInput"]')) {
      event.stopImmediatePropagation()
    }
  }, true)
}
""",
)


def composer_guard() -> None:
    """Mount once on a page with a composer. It takes no room, and listens once however often that runs."""
    _guard(key=_KEY)
