"""chatmem: the chat whose memory you can see.

Reading order:

1. `chat`        one turn, from question to stored reply
2. `domain`      the words: Conversation, Message, Summary, Context, Receipt
3. `context`     what the model sees, and `prompts`, every word said to it
4. `memory`      when to fold, and the gate a summary passes
5. `generation`  replies that outlive any page; `background`, what follows a turn
6. `llm`         the models; `store`, the database; `app`, how it is all put together

Imports point down only: pages, app, chat, generation and background, memory, then context, llm and
store, then prompts, settings, errors, policy, text, tokens and domain.
"""
