"""Recall of facts: what a question brings up, for whom, and what never comes up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from threading import Thread

import numpy as np
import pytest

from chatmem.domain import Fact, FactStatus, NewFact
from chatmem.embeddings import DIMENSIONS, Embedder
from chatmem.memory import fact_index
from chatmem.memory.fact_index import FLOOR, FactIndex, ScoredFact, is_personal, vector_bytes, vector_of
from chatmem.store import Store
from tests.databases import new_database

OF_MANY_KINDS = (
    "저는 땅콩 알레르기가 있어요.",
    "Plays the cello in an orchestra.",
    "The rent is due on the first of the month.",
    "고양이 이름은 나비다.",
    "My flight to Lisbon leaves on Tuesday.",
    "재택근무는 수요일에 한다.",
    "Answers should be short, please.",
    "매운 음식을 좋아한다.",
    "We deploy with Jenkins every Thursday.",
    "여동생은 대전에서 간호사로 일한다.",
)


class NoEmbedder(Embedder):
    """As on a machine without the encoder's package."""

    def __init__(self) -> None:
        super().__init__()
        self._installed = False


class Person:
    """An owner who is told facts about, and asks."""

    def __init__(self, store: Store, index: FactIndex, embedder: Embedder, name: str) -> None:
        self.id = store.owners.enter(name * 64, "browser").id
        self.facts = store.facts
        self.index = index
        self._embedder = embedder

    def know(self, *texts: str, status: FactStatus = FactStatus.LIVE, embedded: bool = True) -> list[Fact]:
        found = [
            self.facts.add(self.id, NewFact(kind="fact", text=text, quote=text, status=status)) for text in texts
        ]
        if embedded:
            self.embed()
        return found

    def embed(self) -> None:
        missing = self.facts.without_vector(self.id, self._embedder.model, 100_000)
        vectors = self._embedder.embed([text for _, text in missing])
        pairs = [(id_, vector_bytes(vector)) for (id_, _), vector in zip(missing, vectors, strict=True)]
        self.facts.save_vectors(self.id, self._embedder.model, pairs)

    def scored(self, question: str, limit: int = 100, without: Sequence[int] = ()) -> list[ScoredFact]:
        return self.index.search(self.id, question, limit, without)

    def ask(self, question: str) -> list[str]:
        """The texts of all facts that are found, those under the floor too."""
        return [one.fact.text for one in self.scored(question)]

    def recalled(self, question: str) -> list[str]:
        return [one.fact.text for one in self.scored(question) if one.score >= FLOOR]


@pytest.fixture(scope="module")
def embedder() -> Embedder:
    return Embedder()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = Store(new_database(tmp_path, "facts"))
    yield store
    store.close()


@pytest.fixture
def ann(store: Store, embedder: Embedder) -> Person:
    return Person(store, FactIndex(store.facts, embedder), embedder, "a")


@pytest.fixture
def wordy(store: Store) -> Person:
    """A person whose machine has no encoder."""
    embedder = NoEmbedder()
    return Person(store, FactIndex(store.facts, embedder), embedder, "w")


@pytest.mark.parametrize(
    ("question", "fact"),
    [
        ("Which instrument do I play?", "Plays the cello in an orchestra."),
        ("내가 연주하는 악기가 뭐였지?", "Plays the cello in an orchestra."),
        ("What is my cat called?", "고양이 이름은 나비다."),
        ("집에서 일하는 날이 언제지?", "재택근무는 수요일에 한다."),
        ("When do I have to pay the landlord?", "The rent is due on the first of the month."),
        ("Do I have a food allergy?", "저는 땅콩 알레르기가 있어요."),
    ],
)
def test_a_fact_is_recalled_by_its_meaning_in_either_language(ann: Person, question: str, fact: str) -> None:
    ann.know(*OF_MANY_KINDS)
    assert ann.recalled(question)[0] == fact


@pytest.mark.parametrize(
    "message", ["hi", "Hello!", "안녕", "안녕하세요!", "thanks", "고마워", "ㅎㅎ", "ok", "응", "?", "👍"]
)
def test_small_talk_recalls_nothing(ann: Person, wordy: Person, message: str) -> None:
    for person in (ann, wordy):
        person.know(*OF_MANY_KINDS)
        assert person.recalled(message) == []


@pytest.mark.parametrize(
    "message", ["I am tired today.", "나 이제 집에 간다.", "We won the match!", "우리 내일 보자"]
)
def test_talk_about_oneself_recalls_little(ann: Person, message: str) -> None:
    ann.know(*OF_MANY_KINDS)
    assert len(ann.recalled(message)) <= 2


@pytest.mark.parametrize(
    ("question", "personal"),
    [
        ("What did I say about Lisbon?", True),
        ("Do you remember the name?", True),
        ("내가 뭘 좋아한다고 했지?", True),
        ("그 식당 이름이 뭐였더라?", True),
        ("우리 집 주소 알아?", True),
        ("What is the capital of Mongolia?", False),
        ("나무는 몇 년을 살아?", False),
        ("내각제가 뭐야?", False),
        ("Tell me a joke.", False),
    ],
)
def test_a_question_about_the_person_is_told_from_one_about_the_world(question: str, personal: bool) -> None:
    assert is_personal(question) is personal


def test_scores_come_best_first_and_go_on_below_the_floor(ann: Person) -> None:
    ann.know(*OF_MANY_KINDS)
    scores = [one.score for one in ann.scored("When do we deploy?")]
    assert scores == sorted(scores, reverse=True)
    assert scores[0] >= FLOOR > scores[-1] > 0
    assert len(ann.scored("When do we deploy?", limit=2)) == 2


def test_facts_already_sent_are_left_out_and_others_move_up(ann: Person) -> None:
    ann.know(*OF_MANY_KINDS)
    first, second, *_ = ann.scored("When do we deploy?")
    assert ann.scored("When do we deploy?", 1, without=[first.fact.id, 12_345])[0].fact == second.fact


def test_another_owners_facts_are_never_found(store: Store, embedder: Embedder) -> None:
    index = FactIndex(store.facts, embedder)
    ann, bob = (Person(store, index, embedder, name) for name in "ab")
    ann.know("Ann plays the cello.")
    assert bob.ask("Who plays the cello?") == []
    bob.know("Bob plays the tuba.")
    assert bob.ask("Who plays the cello?") == ["Bob plays the tuba."]
    assert ann.ask("Who plays the tuba?") == ["Ann plays the cello."]
    assert [len(near) for near in index.nearest(bob.id, ["Ann plays the cello."], 5)] == [1]


def test_an_owner_without_facts_and_a_blank_question_find_nothing(ann: Person) -> None:
    assert ann.ask("Who plays the cello?") == []
    ann.know(*OF_MANY_KINDS)
    assert ann.ask("  \n") == []
    assert ann.scored("Who plays the cello?", limit=0) == []


@pytest.mark.parametrize("status", [FactStatus.PENDING, FactStatus.QUARANTINED])
def test_what_is_not_live_yet_is_never_found(ann: Person, status: FactStatus) -> None:
    ann.know("Plays the cello.", status=status)
    assert ann.ask("Who plays the cello?") == []
    assert ann.index.nearest(ann.id, ["Plays the cello."], 5) == [[]]


def test_an_approved_fact_is_found(ann: Person) -> None:
    [fact] = ann.know("Plays the cello.", status=FactStatus.PENDING)
    assert ann.ask("Who plays the cello?") == []
    ann.facts.approve(ann.id, fact.id)
    assert ann.ask("Who plays the cello?") == ["Plays the cello."]


@pytest.mark.parametrize("act", ["edit", "retract", "forget"])
def test_what_has_ended_is_never_found_again_in_any_process(
    ann: Person, store: Store, embedder: Embedder, act: str
) -> None:
    other_process = FactIndex(Store(str(store._database._engine.url)).facts, embedder)
    fact, _ = ann.know("Plays the cello.", "Owns a dog.")
    other = Person(store, other_process, embedder, "a")
    assert ann.ask("Who plays the cello?")[0] == other.ask("Who plays the cello?")[0] == "Plays the cello."
    if act == "edit":
        ann.facts.edit(ann.id, fact.id, NewFact(kind="fact", text="Plays the tuba.", quote="tuba"))
    elif act == "retract":
        ann.facts.retract(ann.id, fact.id)
    else:
        ann.facts.forget(ann.id, fact.id)
    for person in (ann, other):
        assert "Plays the cello." not in person.ask("Who plays the cello?")
        assert fact.id not in [id_ for id_, _ in person.index.nearest(ann.id, ["Plays the cello."], 5)[0]]
        assert fact.id not in held_live(person.index, ann.id)


def test_a_retraction_taken_back_is_found_again(ann: Person) -> None:
    [fact] = ann.know("Plays the cello.")
    ann.facts.retract(ann.id, fact.id)
    assert ann.ask("Who plays the cello?") == []
    ann.facts.bring_back(ann.id, fact.id)
    assert ann.recalled("Who plays the cello?") == ["Plays the cello."]


def test_a_forgotten_fact_leaves_memory_with_the_next_search(ann: Person) -> None:
    fact, _ = ann.know("Plays the cello.", "Owns a dog.")
    ann.ask("Who plays the cello?")
    ann.facts.forget(ann.id, fact.id)
    ann.know("Owns a cat.")
    ann.ask("Which animals are there?")
    shelf = ann.index._shelves[ann.id]
    assert fact.id not in shelf.ids
    assert "cello" not in shelf._number_of


def test_a_fact_that_ends_between_comparing_and_reading_makes_room(
    ann: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann.know(*OF_MANY_KINDS)
    first, second, *_ = ann.scored("When do we deploy?")
    these = ann.facts.these
    monkeypatch.setattr(ann.facts, "these", lambda owner, ids: [f for f in these(owner, ids) if f != first.fact])
    assert [one.fact for one in ann.scored("When do we deploy?", 1)] == [second.fact]


def test_a_new_fact_is_found_without_reading_the_others_again(
    ann: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann.know(*OF_MANY_KINDS)
    ann.ask("hi")
    read: list[int] = []
    entries = ann.facts.entries

    def counted(owner_id: int, after_revision: int, model: str):  # type: ignore[no-untyped-def]
        news = entries(owner_id, after_revision, model)
        read.append(len(news.entries))
        return news

    monkeypatch.setattr(ann.facts, "entries", counted)
    ann.know("The bicycle is green.", embedded=False)
    assert ann.recalled("What colour is the bicycle?")[0] == "The bicycle is green."
    ann.embed()
    assert ann.recalled("자전거 색이 뭐야?")[0] == "The bicycle is green."
    ann.ask("What colour is the bicycle?")
    assert read == [1, 1]


def test_what_another_process_learned_is_found(ann: Person, store: Store, embedder: Embedder) -> None:
    ann.know(*OF_MANY_KINDS)
    ann.ask("hi")
    other = Store(str(store._database._engine.url))
    Person(other, FactIndex(other.facts, embedder), embedder, "a").know("The bicycle is green.")
    other.close()
    assert ann.recalled("What colour is the bicycle?")[0] == "The bicycle is green."


def test_words_alone_find_facts_that_have_no_vector_yet(ann: Person) -> None:
    ann.know(*OF_MANY_KINDS, embedded=False)
    assert ann.recalled("When does my flight to Lisbon leave?") == ["My flight to Lisbon leaves on Tuesday."]
    assert ann.recalled("고양이 나비 기억나?") == ["고양이 이름은 나비다."]
    assert ann.ask("Which instrument do I play?") == ["Plays the cello in an orchestra."]


def test_without_an_encoder_words_alone_decide(wordy: Person) -> None:
    wordy.know(*OF_MANY_KINDS, embedded=False)
    assert wordy.recalled("When does my flight to Lisbon leave?") == ["My flight to Lisbon leaves on Tuesday."]
    assert wordy.ask("Do I own a car?") == []
    assert wordy.index.nearest(wordy.id, ["one", "two"], 5) == [[], []]


def test_korean_particles_do_not_stand_in_the_way(wordy: Person) -> None:
    wordy.know("배포는 금요일이야", "회의는 월요일이야", "빵은 못 먹어", embedded=False)
    assert wordy.ask("배포일이 언제였지?")[0] == "배포는 금요일이야"
    assert wordy.ask("회의를 언제 하지?")[0] == "회의는 월요일이야"


@pytest.mark.parametrize(
    ("question", "fact"),
    [
        ("When is the concert of the choir?", "The concert of the choir is on the 4th of June."),
        ("합창단 공연이 언제였지?", "합창단 공연은 6월 4일에 한다."),
    ],
)
def test_who_asks_when_is_told_a_time_first(wordy: Person, question: str, fact: str) -> None:
    wordy.know("The concert of the choir is in the old hall.", "합창단 공연은 강당에서 크게 한다.", embedded=False)
    wordy.know("The concert of the choir is on the 4th of June.", "합창단 공연은 6월 4일에 한다.", embedded=False)
    assert wordy.ask(question)[0] == fact
    assert wordy.ask(question.replace("When", "Where").replace("언제", "어디"))[0] != fact


def test_a_rare_word_weighs_more_than_a_common_one(wordy: Person) -> None:
    wordy.know(*(f"The meeting about topic{number} is on Monday." for number in range(20)), embedded=False)
    wordy.know("The meeting about Kilimanjaro is on Monday.", embedded=False)
    assert wordy.ask("Monday meeting Kilimanjaro?")[0] == "The meeting about Kilimanjaro is on Monday."


def test_vectors_of_another_model_are_passed_over(ann: Person, embedder: Embedder) -> None:
    [fact] = ann.know("Plays the cello.", embedded=False)
    ann.facts.save_vectors(ann.id, "another-model", [(fact.id, vector_bytes(embedder.embed(["instrument"])[0]))])
    assert ann.ask("Which instrument?") == []
    assert ann.index.nearest(ann.id, ["Plays the cello."], 5) == [[]]
    assert ann.ask("Who plays the cello?") == ["Plays the cello."]


def test_a_vector_of_the_wrong_length_is_passed_over(ann: Person, embedder: Embedder) -> None:
    [fact] = ann.know("Plays the cello.", embedded=False)
    ann.facts.save_vectors(ann.id, embedder.model, [(fact.id, b"\0" * 12)])
    assert ann.ask("Who plays the cello?") == ["Plays the cello."]


def test_neighbours_are_the_nearest_in_meaning_with_their_cosine(ann: Person) -> None:
    first, second = ann.know("Is allergic to peanuts.", "Lives in Busan.")
    near, none = ann.index.nearest(ann.id, ["땅콩 알레르기가 있다.", ""], 1)
    assert near[0][0] == first.id
    assert 0.6 < near[0][1] <= 1
    assert none == []
    [same] = ann.index.nearest(ann.id, ["Lives in Busan."], 1)
    assert same == [(second.id, pytest.approx(1, abs=1e-3))]


def test_vectors_survive_storing() -> None:
    vector = np.linspace(-1, 1, DIMENSIONS, dtype=np.float32)
    assert np.array_equal(vector_of(vector_bytes(vector)), vector)


def test_owners_not_asked_about_for_longest_are_let_go(
    store: Store, embedder: Embedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = FactIndex(store.facts, embedder)
    people = [Person(store, index, embedder, name) for name in "abc"]
    for person in people:
        person.know("Plays the cello.", "Owns a dog.")
    monkeypatch.setattr(fact_index, "MOST_ROWS", 4)
    for person in people:
        assert person.recalled("Who plays the cello?") == ["Plays the cello."]
    assert list(index._shelves) == [people[1].id, people[2].id]
    monkeypatch.setattr(fact_index, "MOST_ROWS", 1)
    assert people[0].recalled("Who plays the cello?") == ["Plays the cello."]
    assert list(index._shelves) == [people[0].id]
    index.drop(people[0].id)
    assert not index._shelves
    assert people[0].recalled("Who plays the cello?") == ["Plays the cello."]


def test_searches_and_changes_at_once_stay_right(ann: Person) -> None:
    ann.know(*OF_MANY_KINDS)
    failures: list[BaseException] = []

    def asking() -> None:
        try:
            for _ in range(20):
                assert ann.ask("When do we deploy?")[0] == "We deploy with Jenkins every Thursday."
        except BaseException as error:  # noqa: BLE001 - carried to the test's own thread
            failures.append(error)

    threads = [Thread(target=asking) for _ in range(4)]
    for thread in threads:
        thread.start()
    for number in range(20):
        [fact] = ann.know(f"Owns bicycle number {number}.")
        if number % 2:
            ann.facts.forget(ann.id, fact.id)
    for thread in threads:
        thread.join()
    assert not failures
    assert len(held_live(ann.index, ann.id)) <= len(OF_MANY_KINDS) + 20
    ann.ask("hi")
    assert len(held_live(ann.index, ann.id)) == len(OF_MANY_KINDS) + 10


def held_live(index: FactIndex, owner_id: int) -> list[int]:
    shelf = index._shelves[owner_id]
    return [id_ for id_, row in shelf.row_of.items() if shelf._live[row]]
