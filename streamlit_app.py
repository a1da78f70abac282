"""The router: which pages there are. `streamlit run streamlit_app.py` starts here."""

import streamlit as st

from pages.parts.enter import CHAT_PAGE, HISTORY_PAGE, MEMORY_PAGE, SETTINGS_PAGE

st.navigation(
    [
        st.Page(CHAT_PAGE, title="chatmem", default=True, url_path="chat"),
        st.Page(HISTORY_PAGE, title="History · chatmem", url_path="history"),
        st.Page(MEMORY_PAGE, title="Memory · chatmem", url_path="memory"),
        st.Page(SETTINGS_PAGE, title="Settings · chatmem", url_path="settings"),
    ],
    position="hidden",
).run()
