"""Search terms: what counts as the same word, in English and in Korean."""

from __future__ import annotations

import unicodedata
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chatmem.search_terms import (
    LONGEST_TERM,
    LONGEST_TEXT,
    asked_dates,
    date_terms,
    question_terms,
    stem,
    terms,
    without_words,
)

MAY_8 = datetime(2023, 5, 8, 13, 56, tzinfo=UTC)


@pytest.mark.parametrize(
    "forms",
    [
        "paint paints painted painting",
        "hope hopes hoped hoping",
        "hop hops hopped hopping",
        "study studies studied studying",
        "try tries tried trying",
        "race races raced racing",
        "class classes",
        "tie ties tied",
    ],
)
def test_inflections_of_a_word_are_one_term(forms: str) -> None:
    assert len({stem(form) for form in forms.split()}) == 1


@pytest.mark.parametrize(("one", "other"), [("Tim", "time"), ("Sam", "same"), ("hop", "hope"), ("bus", "but")])
def test_a_name_is_not_taken_for_a_word_that_resembles_it(one: str, other: str) -> None:
    assert terms(one) != terms(other)


def test_a_possessive_is_the_name_itself() -> None:
    assert terms("Anna's") == terms("Anna’s") == terms("anna")


@pytest.mark.parametrize("question", ["배포", "배포일이 언제였지?", "배포를 언제 해?", "그 배포에서 뭐가 깨졌어?"])
def test_a_korean_noun_is_found_through_any_particle(question: str) -> None:
    assert set(terms("배포는 금요일")) & set(question_terms(question))


def test_a_noun_of_one_syllable_is_found_through_its_particle() -> None:
    assert set(terms("빵은 다 팔렸어")) & set(question_terms("빵을 몇 개 샀지?"))


def test_decomposed_hangul_is_the_same_text() -> None:
    assert terms(unicodedata.normalize("NFD", "배포는 café")) == terms("배포는 café")


@pytest.mark.parametrize(
    "text",
    ["hi", "Hello there!", "thanks", "ok", "Thanks a lot for your help!", "sounds good, let's do that", "why?",
     "continue", "안녕", "안녕하세요", "고마워", "네 좋아요", "다시 설명해줘", "🙂🙂", "", "?!"],
)  # fmt: skip
def test_small_talk_points_at_nothing(text: str) -> None:
    assert question_terms(text) == []


def test_question_words_do_not_count_but_what_is_asked_about_does() -> None:
    assert question_terms("When did I tell you about the tomatoes?") == terms("tomatoes")


def test_a_date_is_found_by_its_day_and_by_its_month() -> None:
    for question in (
        "on 8 May, 2023",
        "May 8th",
        "in May 2023",
        "in May",
        "2023-05-08",
        "5월 8일",
        "2023년 5월에",
    ):
        (date,) = asked_dates(f"What did I say {question}?")[0]
        assert date.term in date_terms(MAY_8), question
        assert date.nearness(MAY_8) >= 0.7, question


def test_another_year_is_another_date() -> None:
    (date,) = asked_dates("What did I say on May 8, 2022?")[0]
    assert date.term not in date_terms(MAY_8)
    assert date.nearness(MAY_8) == 0


def test_the_verb_may_is_no_month() -> None:
    assert asked_dates("May I ask what I said?") == ([], "May I ask what I said?")


def test_words_can_be_left_out_of_a_question() -> None:
    assert without_words("What is Anna's dog called?", frozenset(terms("Anna"))) == "What is dog called?"


def test_a_megabyte_is_indexed_by_its_beginning() -> None:
    found = terms("start " + "x" * 100 + " word" * 300_000 + " end")
    assert "start" in found
    assert "end" not in found
    assert len(found) <= LONGEST_TEXT
    assert max(map(len, found)) <= LONGEST_TERM


@given(st.text())
def test_terms_of_any_text_can_stand_in_a_query(text: str) -> None:
    for term in terms(text):
        assert term.strip()
        assert not set(term) & set("\"'*§ \t\n")
