"""One reply: read the context, decide what the person wants, look it up, say it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from chatmem.domain import ChatMessage, Language
from chatmem.embeddings import Embedder
from chatmem.llm.teaching import intent, replies
from chatmem.llm.teaching.comparing import current
from chatmem.llm.teaching.corrections import without_old_value
from chatmem.llm.teaching.matching import find
from chatmem.llm.teaching.reading import Reading, Statement, read, sentences, statements_in

MOST_QUESTIONS = 3
"""Questions answered in one reply."""
MOST_KNOWN = 12
"""Statements listed when asked for everything; the newest."""

_ENGLISH = re.compile(
    r"\b(?:the|is|are|am|i|i'm|my|me|you|what|when|where|who|how|which|and|a|to|in|of|do|did|it|hello|hi"
    r"|thanks)\b",
    re.IGNORECASE,
)
_AND_ALSO = re.compile(r",?\s+and\s+(?=(?:what|who|when|where|why|which|how)\b)", re.IGNORECASE)


def reply(messages: Sequence[ChatMessage], language: Language, embedder: Embedder) -> str:
    """The text of a reply to the last user message of a context."""
    reading = read(messages)
    tongue = language_of(reading.question, language)
    body = _body(reading, tongue, embedder)
    if reading.is_first_reply and replies.introduction(tongue) not in body:
        return (
            f"{replies.introduction(tongue)} {body}"
            if "\n" not in body
            else f"{replies.introduction(tongue)}\n\n{body}"
        )
    return body


def language_of(text: str, otherwise: Language) -> Language:
    """Hangul asks for Korean, English words for English; emoji, code and names leave it as it is."""
    if intent.has_hangul(text):
        return "ko"
    return "en" if len(_ENGLISH.findall(text)) >= 2 else otherwise


def _body(reading: Reading, language: Language, embedder: Embedder) -> str:
    text = reading.question
    if not re.search(r"[^\W_]", text):
        return replies.no_words(language)
    if intent.is_small_talk(text):
        return _small_talk(text, language)
    questions = [
        part for sentence in sentences(text) if intent.is_question(sentence) for part in _AND_ALSO.split(sentence)
    ]
    stated = statements_in(text)
    parts = []
    if questions:
        if stated and len(stated) <= 3 and intent.is_greeting(text) is False:
            parts.append(replies.acknowledgement(stated, language))
        parts.extend(_answer(question, reading, language, embedder) for question in questions[:MOST_QUESTIONS])
        # A line right after a list would be drawn as part of its last item.
        return "\n\n".join(dict.fromkeys(parts))
    has_code = "```" in text or any(intent.is_code(line) for line in text.splitlines())
    if has_code and not stated:
        return replies.code_seen(language)
    if stated:
        parts.append(replies.acknowledgement(stated, language))
    if any(intent.is_request(sentence) for sentence in sentences(text)):
        parts.append(replies.only_told(language))
    elif has_code:
        parts.append(replies.code_seen(language))
    return " ".join(parts) or replies.agreed(language)


def _small_talk(text: str, language: Language) -> str:
    if intent.is_thanks(text):
        return replies.welcome(language)
    if intent.is_goodbye(text):
        return replies.goodbye(language)
    return replies.greeting(language) if intent.is_greeting(text) else replies.agreed(language)


def _answer(question: str, reading: Reading, language: Language, embedder: Embedder) -> str:
    if intent.asks_about_model(question):
        return replies.about_itself(language)
    told = reading.statements
    if intent.asks_last(question) or intent.asks_first(question):
        return _edge(question, told, language)
    found = find(question, told, embedder, reading.earlier_question)
    if found.sureness == "sure":
        quotes = [match.statement.text for match in found.matches]
        if not intent.asks_the_past(question):
            quotes = [without_old_value(quote) for quote in quotes]
        return replies.answer(quotes, language)
    if intent.asks_overview(question):
        return _everything(question, told, language)
    if found.sureness == "unsure":
        return replies.unsure([match.statement.text for match in found.matches], language)
    return replies.nothing(question, intent.is_personal(question), language)


def _edge(question: str, told: Sequence[Statement], language: Language) -> str:
    said = [statement for statement in told if statement.origin == "said"] or list(told)
    if not said:
        return replies.nothing(question, True, language)
    return replies.answer([said[-1 if intent.asks_last(question) else 0].text], language)


def _everything(question: str, told: Sequence[Statement], language: Language) -> str:
    texts = [statement.text for statement in told]
    standing = [texts[place] for place in current(texts)]
    if not standing:
        return replies.nothing(question, True, language)
    return replies.everything(standing[-MOST_KNOWN:], language)
