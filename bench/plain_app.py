"""The shortest chat there is, for `bench.crowd` to compare with: no memory, and a reply dies with its page."""

import openai
import streamlit as st

history = st.session_state.setdefault("history", [])
for message in history:
    st.chat_message(message["role"]).write(message["content"])
if prompt := st.chat_input("Message"):
    st.chat_message("user").write(prompt)
    history.append({"role": "user", "content": prompt})
    with st.chat_message("assistant"):
        stream = openai.OpenAI().chat.completions.create(model="bench", messages=history, stream=True)
        history.append({"role": "assistant", "content": st.write_stream(stream)})
