"""What Streamlit's own looks leave to be wished for, in one place and in small doses."""

from __future__ import annotations

import streamlit as st

_STYLE = """
/* A menu is three dots: its name is for screen readers, and an arrow beside the dots says nothing more. */
[class*="st-key-menu-"] button{padding-inline:.4rem}
[class*="st-key-menu-"] button[aria-expanded="true"]{color:inherit}
[class*="st-key-menu-"] button>div>div:last-child{display:none}
[class*="st-key-menu-"] button [data-testid="stMarkdownContainer"]{
  position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.st-key-chat-list button>div{justify-content:flex-start}
/* The words of a question fill its line up to the menu, which makes the bubble no taller. */
[class*="st-key-said-"]>div:first-child{flex:1;min-width:0}
[class*="st-key-menu-message-"]{margin-block:-.5rem}
/* What stands below a reply belongs to it, on a narrow screen in two lines. */
[class*="st-key-row-"]{margin-top:-.5rem;row-gap:0}
/* A word that was found stays one word, and the way to its place on this very page is not where one is. */
[class*="st-key-found-"] p span.stMarkdownColoredBackground{padding:0;margin:0}
[class*="st-key-found-"] [data-testid="stPageLink-NavLink"]:not(:hover){background:none}
[class*="st-key-found-"] [data-testid="stPageLink-NavLink"] *{font-weight:inherit}
[class*="st-key-found-"] [data-testid="stPageLink-NavLink"]{font-weight:400}
/* A line that is too long for the screen reads like text, not like a button. */
[class*="st-key-receipt-"] button p{text-align:left}
[class*="st-key-receipt-"] button>div{justify-content:flex-start}
"""


def draw_style() -> None:
    """Once a run, before anything it is about."""
    st.html(f"<style>{_STYLE}</style>")
