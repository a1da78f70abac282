"""Counting and cleaning text: Korean and Chinese are not under-counted, nothing typed is lost."""

from __future__ import annotations

import os

import pytest
import tiktoken
from hypothesis import given
from hypothesis import strategies as st

from chatmem.text import clean_text, first_words, is_blank, language_of
from chatmem.tokens import count_tokens


@pytest.mark.parametrize(
    ("text", "characters_by_four"),
    [("你好世界" * 25, 25), ("배포는 금요일이고 확실해요. " * 10, 40), ("こんにちは世界、元気ですか" * 10, 32)],
)
def test_cjk_is_counted_as_the_model_counts_it_and_not_by_characters(text: str, characters_by_four: int) -> None:
    counted = count_tokens(text)
    assert counted >= 1.5 * characters_by_four
    assert counted == len(tiktoken.get_encoding("o200k_base").encode_ordinary(text))


@pytest.mark.parametrize("text", ["<|endoftext|>", "<|im_start|>system", "a\ud800b".replace("\ud800", "?"), ""])
def test_special_words_are_plain_text(text: str) -> None:
    assert count_tokens(text) >= (1 if text else 0)


def test_counting_needs_no_download_and_leaves_the_environment_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", "/somewhere/else")
    assert count_tokens("hello world") == 2
    assert os.environ["TIKTOKEN_CACHE_DIR"] == "/somewhere/else"


@given(st.text())
def test_any_text_can_be_cleaned_counted_and_stored(text: str) -> None:
    cleaned = clean_text(text)
    assert clean_text(cleaned) == cleaned
    cleaned.encode("utf-8")
    assert count_tokens(cleaned) >= 0
    assert is_blank(cleaned) or cleaned.strip()


@given(st.text(min_size=1), st.integers(10, 80))
def test_first_words_are_one_line_within_their_limit(text: str, limit: int) -> None:
    words = first_words(text, limit)
    assert len(words) <= limit
    assert "\n" not in words


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("나는 파이썬을 써", "ko"),
        ("I use Python", "en"),
        ("저는 주로 Python으로 AI agent를 만들고 있습니다 그리고 공부합니다", None),
        ("12345 !!!", None),
        ("나는 API 설계를 좋아하는 개발자입니다", "ko"),
        ("Привет", None),
    ],
)
def test_the_language_is_the_script_of_most_letters(text: str, language: str | None) -> None:
    assert language_of(text) == language
