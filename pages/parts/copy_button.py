"""A small button that puts a text on the clipboard."""

from __future__ import annotations

import streamlit as st

_button = st.components.v2.component(
    "chatmem_copy_button",
    html="""
<button type="button">
  <svg class="copy" viewBox="0 0 24 24" aria-hidden="true">
    <rect x="8" y="8" width="13" height="13" rx="2"/>
    <path d="M16 8V5a2 2 0 0 0-2-2H5a2 2 0 0 0-2 2v9a2 2 0 0 0 2 2h3"/>
  </svg>
  <svg class="check" viewBox="0 0 24 24" aria-hidden="true"><path d="M4 12.5 9.5 18 20 6.5"/></svg>
</button>
<span role="status"></span>
""",
    css="""
button {
  display: inline-flex; align-items: center; justify-content: center;
  width: 2rem; height: 2rem; padding: 0; margin: 0 0 0 -0.45rem;
  border: none; border-radius: var(--st-button-radius); background: transparent;
  color: var(--st-text-color); opacity: 0.6; cursor: pointer;
}
button:hover, button:focus-visible, button.copied { color: var(--st-primary-color); opacity: 1; }
button:focus { outline: none; }
button:focus-visible { outline: 2px solid var(--st-primary-color); }
svg { width: 1.1rem; height: 1.1rem; fill: none; stroke: currentColor; stroke-width: 2;
  stroke-linecap: round; stroke-linejoin: round; }
.check, .copied .copy { display: none; }
.copied .check { display: block; }
span { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
""",
    js="""
const SHOWN = 1500

const putByHand = (text, button) => {
  const area = Object.assign(document.createElement("textarea"), { value: text, readOnly: true })
  area.style.cssText = "position:fixed;top:0;opacity:0"
  document.body.append(area)
  area.select()
  try {
    if (!document.execCommand("copy")) throw new Error("The browser refused to copy.")
  } finally {
    area.remove()
    button.focus()
  }
}

const put = async (text, button) => {
  try {
    await navigator.clipboard.writeText(text)  // absent over plain http, refused in some frames
  } catch {
    putByHand(text, button)
  }
}

export default function ({ data, parentElement }) {
  const button = parentElement.querySelector("button")
  const status = parentElement.querySelector("span")
  const mark = copied => {
    button.classList.toggle("copied", copied)
    status.textContent = copied ? data.copied : ""
    button.title = copied ? data.copied : data.label
  }
  button.setAttribute("aria-label", data.label)
  button.title = data.label
  button.onclick = async () => {
    await put(data.text, button)
    mark(true)
    clearTimeout(button.timer)
    button.timer = setTimeout(mark, SHOWN, false)
  }
  return () => clearTimeout(button.timer)
}
""",
)


def copy_button(text: str, *, label: str, copied: str, key: str) -> None:
    """Draw the button. `label` names it for a screen reader and on hover; `copied` is said when it is done.

    Clicking it runs nothing in Python. The text goes to the browser once more for it.
    """
    _button(key=key, data={"text": text, "label": label, "copied": copied}, width="content")
