"""A corrected fact stands once, with its new value, however often it is folded (the built-in model)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from chatmem.app import App
from chatmem.embeddings import Embedder
from chatmem.llm.models import Models
from chatmem.llm.teaching import TeachingModel
from chatmem.settings import Settings
from chatmem.store import Store
from chatmem.tokens import count_tokens
from tests.conftest import WAIT_SECONDS, Clock, Person

FILLERS = (
    "I like green tea in the morning", "My bicycle is red", "I read about volcanoes", "The garden needs rain",
    "I learn the piano", "My neighbour bakes bread", "I bought new shoes", "The library opens at ten",
)  # fmt: skip


@pytest.fixture
def app(database_url: str, clock: Clock) -> Iterator[App]:
    settings = Settings(database_url=database_url)
    teaching = TeachingModel(Embedder(), count_tokens, pace_s=0)
    app = App(settings, Store(database_url, clock), Models(settings, teaching, count_tokens), clock)
    yield app
    app.background.wait(WAIT_SECONDS)
    app.close()


@pytest.mark.parametrize(
    ("before", "after", "old", "new"),
    [
        ("I live in Busan", "I moved to Seoul", "Busan", "Seoul"),
        ("My exam is on May 3", "Sorry, my exam is on May 10", "May 3", "May 10"),
        ("나는 부산에 살아", "이번에 서울로 이사했어", "부산", "서울"),
    ],
)
def test_three_folds_around_a_corrected_fact_leave_its_new_value_once(
    person: Person, before: str, after: str, old: str, new: str
) -> None:
    texts = [before, *FILLERS[:5], after, *FILLERS[5:], *FILLERS]
    for text in texts:
        person.say(text)
    head = person.memory.head
    assert head.version >= 3
    kept = "\n".join([head.text, *(pin.quote for pin in head.pins)])
    assert head.text.count(new) == 1
    assert old not in kept.replace(new, "")
