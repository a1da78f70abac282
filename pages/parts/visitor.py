"""Who is here, for `CHATMEM_IDENTITY=browser`: a random id that only this browser holds.

Python makes the id; an unseen component keeps it in a cookie and in localStorage; the cookie comes back with
the next load's handshake, and from then on nothing is mounted at all. It is a bearer secret: whoever shows it
is its owner. It goes over the websocket only, never into an address, a log or a `repr`.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field

import streamlit as st

COOKIE = "chatmem_visitor"
"""Also the key in localStorage, which outlives cleared cookies."""

_TOKEN = re.compile(r"[A-Za-z0-9_-]{32}")
_SESSION_KEY = "visitor"
_COMPONENT_KEY = "chatmem_visitor"


@dataclass(frozen=True)
class _Visitor:
    """`provisional`: the browser may yet say that it holds another. `replaces`: it is to drop what it holds."""

    token: str = field(repr=False)
    provisional: bool
    replaces: bool = False


_keeper = st.components.v2.component(
    "chatmem_visitor",
    css=f""".st-key-{_COMPONENT_KEY} {{
        display: none;
    }}""",
    isolate_styles=False,
    js="""
const wellFormed = text => /^[A-Za-z0-9_-]{32}$/.test(text ?? "") ? text : null
const inStorage = name => {
  try { return wellFormed(localStorage.getItem(name)) } catch { return null }
}
const inCookie = name => document.cookie.split("; ")
  .filter(pair => pair.startsWith(name + "="))
  .map(pair => wellFormed(pair.slice(name.length + 1)))
  .find(Boolean)

const keep = (name, token) => {
  const secure = location.protocol === "https:" ? "; Secure" : ""
  document.cookie = `${name}=${token}; path=/; max-age=${400 * 24 * 3600}; SameSite=Lax${secure}`
  try { localStorage.setItem(name, token) } catch { /* storage is switched off: the cookie will do */ }
}

const settle = ({ name, token, replaces }) => {
  const held = (!replaces && (inCookie(name) || inStorage(name))) || token
  keep(name, held)
  return held
}

// Tabs opened at once take turns. Over plain http there are no locks: write, and see whose id has stayed.
const settleAmongTabs = data => navigator.locks
  ? navigator.locks.request(data.name, () => settle(data))
  : new Promise(resolve => {
      const first = settle(data)
      setTimeout(() => resolve(inCookie(data.name) || inStorage(data.name) || first), 300)
    })

export default function ({ data, setStateValue }) {
  const settled = (window.__chatmemVisitors ??= new Map())
  if (!settled.has(data.token)) settled.set(data.token, settleAmongTabs(data))
  settled.get(data.token).then(held => {
    if (held !== data.token) setStateValue("held", held)
  })
}
""",
)


def visitor_token(on_found: Callable[[str, str], None]) -> str:
    """This visitor's id: 192 random bits as 32 characters of base64url.

    On a browser's first load it is provisional. Should the browser turn out to hold another id already (of a
    tab opened at the same moment, or in localStorage after its cookies were cleared),
    `on_found(held, provisional)` is called once, before the page runs again: it moves what the provisional
    visitor did. If it raises, the provisional id stays.

    Call it once in every run. Without JavaScript, as in AppTest, the provisional id lasts for the session.
    """
    visitor = _here()
    if visitor.provisional:
        _keeper(
            key=_COMPONENT_KEY,
            data={"name": COOKIE, "token": visitor.token, "replaces": visitor.replaces},
            on_held_change=lambda: _found(on_found),
        )
    return visitor.token


def forget_browser() -> None:
    """Make this browser somebody new: the next run overwrites the old id in the cookie and in localStorage.

    Other open tabs stay who they were until they are reloaded.
    """
    st.session_state[_SESSION_KEY] = _Visitor(_new_token(), provisional=True, replaces=True)


def _here() -> _Visitor:
    known = st.session_state.get(_SESSION_KEY)
    if isinstance(known, _Visitor):
        return known
    cookie = st.context.cookies.get(COOKIE)
    if isinstance(cookie, str) and _TOKEN.fullmatch(cookie):
        return _Visitor(cookie, provisional=False)
    made = _Visitor(_new_token(), provisional=True)
    st.session_state[_SESSION_KEY] = made
    return made


def _found(on_found: Callable[[str, str], None]) -> None:
    held = st.session_state[_COMPONENT_KEY].get("held")
    visitor = _here()
    if visitor.provisional and isinstance(held, str) and _TOKEN.fullmatch(held) and held != visitor.token:
        on_found(held, visitor.token)
        st.session_state[_SESSION_KEY] = _Visitor(held, provisional=False)


def _new_token() -> str:
    return secrets.token_urlsafe(24)
