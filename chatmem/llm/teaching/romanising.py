"""Hangul in Latin letters, so that a Korean and an English fact can name the same dog."""

from __future__ import annotations

from functools import lru_cache

_INITIAL = (
    "g", "kk", "n", "d", "tt", "r", "m", "b", "pp", "s", "ss", "", "j", "jj", "ch", "k", "t", "p", "h",
)  # fmt: skip
_VOWEL = (
    "a", "ae", "ya", "yae", "eo", "e", "yeo", "ye", "o", "wa", "wae", "oe", "yo", "u", "wo", "we", "wi",
    "yu", "eu", "ui", "i",
)  # fmt: skip
_FINAL = (
    "", "k", "k", "k", "n", "n", "n", "t", "l", "k", "m", "l", "l", "l", "p", "l", "m", "p", "p", "t",
    "t", "ng", "t", "t", "k", "t", "p", "t",
)  # fmt: skip


@lru_cache(maxsize=8192)
def romanised(text: str) -> str:
    """Hangul in Latin letters (Revised Romanisation, no sound changes): 보리 is Bori in an English fact."""
    letters = []
    for character in text:
        code = ord(character) - 0xAC00
        if not 0 <= code < 11172:
            letters.append(character)
            continue
        letters.append(_INITIAL[code // 588] + _VOWEL[code % 588 // 28] + _FINAL[code % 28])
    return "".join(letters)
