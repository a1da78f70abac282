"""Small facts about text that every part agrees on: what may be stored, and in which language it is."""

from __future__ import annotations

import re
import unicodedata

from chatmem.domain import Language

_HANGUL = re.compile(r"[\u1100-\u11ff\u3130-\u318f\uac00-\ud7a3]")
_LATIN = re.compile(r"[A-Za-z\u00c0-\u024f]")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_SURROGATE = re.compile(r"[\ud800-\udfff]")

ONE_SCRIPT = 0.8
"""The share of letters in one script from which a text counts as being in that language."""


def clean_text(text: str) -> str:
    """What of anybody's text can be stored, sent and shown: no control characters, no lone surrogates.

    Nothing else is changed, not even white space at the ends: a paste stays what it was. Line
    ends become `\\n`, since a browser sends them so anyway. Two halves of a character that came one
    by one, as in a stream, are joined.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if _SURROGATE.search(text):
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return _CONTROL.sub("", text)


def is_blank(text: str) -> bool:
    """Nothing a person could see: white space and invisible format characters only."""
    return all(c.isspace() or unicodedata.category(c) in ("Cf", "Cc") for c in text)


def language_of(text: str) -> Language | None:
    """The language of a text by its script, or None when neither has `ONE_SCRIPT` of the letters.

    A Hangul syllable stands for about two Latin letters and is counted so.
    """
    hangul = 2 * len(_HANGUL.findall(text))
    latin = len(_LATIN.findall(text))
    if not hangul + latin:
        return None
    share = hangul / (hangul + latin)
    if share >= ONE_SCRIPT:
        return "ko"
    return "en" if share <= 1 - ONE_SCRIPT else None


def first_words(text: str, limit: int = 40) -> str:
    """A one-line beginning of a text, at most `limit` characters, cut at a word where there is one."""
    line = " ".join(text.split())
    if len(line) <= limit:
        return line
    cut = line[: limit - 1]
    return (cut.rsplit(" ", 1)[0] if " " in cut[limit // 2 :] else cut).rstrip(" ,.;:") + "…"
