"""Ranking: which of the messages found comes first, and when nothing is worth recalling."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from functools import cache

import numpy as np
import pytest

from chatmem.domain import Message, Status
from chatmem.embeddings import Embedder
from chatmem.memory.ranking import FLOOR, GENERIC_QUESTIONS, WEIGHTS, features, question_vector, rank
from chatmem.search_terms import AskedDate
from chatmem.store import Store
from chatmem.store.search import Candidate, Found
from tests.unit.test_search import Shelf

MONDAY = datetime(2026, 3, 2, 9, tzinfo=UTC)


@cache
def embedder() -> Embedder:
    return Embedder()


def candidate(number: int, text: str = "a text", share: float = 0.0, **values: object) -> Candidate:
    said_at = values.pop("created_at", MONDAY)
    assert isinstance(said_at, datetime)
    message = Message(
        id=number, number=number, role="user", text=text, status=Status.COMPLETE, created_at=said_at, tokens=1
    )
    shares: dict[str, object] = {
        "own": share,
        "with_previous": share,
        "near": share,
        "around": share,
        "vector": None,
    }
    return Candidate(message, **(shares | values))  # type: ignore[arg-type]


def numbers(question: str, *candidates: Candidate, dates: Sequence[AskedDate] = ()) -> list[int]:
    found = Found(candidates, frozenset(), tuple(dates))
    return [one.message.number for one in rank(question, found, None)]


def test_nothing_found_is_nothing_ranked() -> None:
    assert rank("orchid", Found(), None) == []


def test_more_of_the_questions_terms_come_first() -> None:
    assert numbers("orchid tomato", candidate(1, share=0.3), candidate(9, share=1.0), candidate(20)) == [9, 1, 20]


def test_a_statement_comes_before_a_question_of_the_same_words() -> None:
    assert numbers("orchid", candidate(1, "An orchid?", 1.0), candidate(9, "An orchid.", 1.0)) == [9, 1]


def test_the_day_that_was_asked_for_comes_first() -> None:
    other = candidate(1, share=0.5, created_at=MONDAY - timedelta(days=9))
    that_day = AskedDate(2026, 3, 2)
    assert numbers("on March 2?", other, candidate(9, share=0.4), dates=[that_day]) == [9, 1]


def test_of_two_speakers_in_a_pasted_talk_the_named_one_comes_first() -> None:
    ben, anna = candidate(1, "Ben: an orchid", 1.0), candidate(9, "Anna: an orchid", 1.0)
    assert numbers("What flower does Anna like?", ben, anna) == [9, 1]


def test_a_neighbour_in_another_sitting_lends_nothing() -> None:
    near = Found((candidate(1, "And you?"), candidate(2)))
    far = Found((candidate(1, "And you?"), candidate(2, created_at=MONDAY + timedelta(days=1))))
    place = list(WEIGHTS).index("after_a_question")
    assert features("orchid", near, None)[1, place] == 1
    assert features("orchid", far, None)[1, place] == 0


def test_the_nearer_vector_comes_first_and_a_missing_one_is_no_drawback() -> None:
    vector = np.zeros(512, dtype=np.float32)
    vector[0] = 1
    near = vector.astype(np.float16).tobytes()
    far = np.roll(vector, 1).astype(np.float16).tobytes()
    found = Found((candidate(1, vector=far), candidate(20, vector=None), candidate(40, vector=near)))
    assert [one.message.number for one in rank("orchid", found, vector)] == [40, 20, 1]


@pytest.mark.parametrize("vector", [b"", b"123", b"\x00" * 999])
def test_a_damaged_vector_is_like_none(vector: bytes) -> None:
    found = Found((candidate(1, share=1.0, vector=vector),))
    assert rank("orchid", found, np.ones(512, dtype=np.float32))[0].message.number == 1


def test_scores_do_not_depend_on_who_else_was_found_when_there_are_no_vectors() -> None:
    alone = rank("orchid", Found((candidate(1, share=1.0),)), None)[0].score
    among = rank("orchid", Found((candidate(1, share=1.0), candidate(90, created_at=MONDAY + timedelta(9)))), None)
    assert among[0].score == pytest.approx(alone)


def test_the_questions_vector_is_cleared_of_what_all_questions_share() -> None:
    plain = embedder().embed(["When did we go to the lake?", "When did we repair the boiler?"])
    if not embedder().available:
        pytest.skip("the embedder's package is not installed")
    cleared = [question_vector(embedder().embed, text, Found()) for text in
               ("When did we go to the lake?", "When did we repair the boiler?")]  # fmt: skip
    assert cleared[0] @ cleared[1] < plain[0] @ plain[1] - 0.1
    assert np.linalg.norm(cleared[0]) == pytest.approx(1, abs=1e-5)
    assert len(GENERIC_QUESTIONS) == len(set(GENERIC_QUESTIONS))


CHAT = [
    "My sister Hana moved to Lisbon in spring.", "How lovely! What does she do there?",
    "She runs a small bakery near the river.", "That sounds like a lot of early mornings.",
    "우리 팀 배포는 매주 금요일이야.", "알겠어요, 금요일 배포로 기억해 둘게요.",
    "I am allergic to walnuts, by the way.", "Noted: no walnuts in any recipe.",
    "고양이 이름은 나비고 세 살이야.", "나비, 귀여운 이름이네요.",
    "The boiler makes a strange noise at night.", "It may need to be bled; call a plumber if it goes on.",
]  # fmt: skip


@pytest.fixture
def shelf(database_url: str) -> Shelf:
    return Shelf(database_url)


def remember(store: Store, owner_id: int, chat_id: str) -> None:
    missing = store.message_vectors.missing(owner_id, chat_id, "m", 99)
    vectors = embedder().embed([text for _, text in missing]).astype(np.float16)
    pairs = [(id_, vector.tobytes()) for (id_, _), vector in zip(missing, vectors, strict=True)]
    store.message_vectors.save(owner_id, chat_id, "m", pairs)


def recalled(shelf: Shelf, chat_id: str, question: str, with_vectors: bool) -> list[int]:
    found = shelf.store.search.messages(shelf.owner_id, chat_id, question, len(CHAT), "m")
    vector = question_vector(embedder().embed, question, found) if with_vectors else None
    return [one.message.number for one in rank(question, found, vector) if one.score >= FLOOR]


@pytest.mark.parametrize("with_vectors", [True, False])
@pytest.mark.parametrize(
    ("question", "number"),
    [
        ("Where does my sister Hana live?", 1),
        ("배포일이 언제였지?", 5),
        ("Am I allergic to anything?", 7),
        ("고양이 이름이 뭐였더라?", 9),
        ("What was wrong with the boiler?", 11),
    ],
)
def test_what_was_said_is_recalled(shelf: Shelf, question: str, number: int, with_vectors: bool) -> None:
    chat = shelf.add(CHAT)
    remember(shelf.store, shelf.owner_id, chat)
    assert number in recalled(shelf, chat, question, with_vectors)[:2]


@pytest.mark.parametrize("with_vectors", [True, False])
@pytest.mark.parametrize(
    "question",
    ["hi", "안녕", "thanks", "ok", "thanks a lot for your help!", "다시 설명해줘", "explain quantum entanglement",
     "write a python function that sorts a list", "프랑스 수도가 어디야?"],
)  # fmt: skip
def test_what_asks_for_nothing_recalls_nothing(shelf: Shelf, question: str, with_vectors: bool) -> None:
    chat = shelf.add(CHAT)
    remember(shelf.store, shelf.owner_id, chat)
    assert recalled(shelf, chat, question, with_vectors) == []
