"""chatmem: the chat whose memory you can see.

Reading order:

1. `chat`        one turn, from question to stored reply
2. `domain`      the words: Conversation, Message, Summary, Fact, Context, Receipt
3. `context`     what the model sees, and `prompts`, every word said to it
4. `memory`      `summary`: when to fold, and the gate; `loss`: what a fold lost; `facts`: what becomes one;
                 `recall`: what a question needs
5. `generation`  replies that outlive any page; `background` with `folder` and `learner`, what follows a turn
6. `knowledge`   the person's own hand on facts; `versions` on summaries; `forgetting`, with proof; `proof`, what a
                 receipt tells; `archive`, export and import
7. `llm`         the models; `store`, the database; `app`, how it is all put together

Imports point down only: pages, app, chat and knowledge, generation and background, learner, memory, then
context, llm and store, then prompts, search_terms, settings, errors, policy, text, tokens and domain.
"""
