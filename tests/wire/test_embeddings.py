"""Embeddings from a server: only by explicit setting, only in the background, never in a reply's way."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from chatmem.app import App
from chatmem.domain import Fact, NewFact, Status
from chatmem.embeddings import DIMENSIONS, Embedder
from chatmem.errors import ModelError
from chatmem.llm.models import Models, embedder_of
from chatmem.llm.remote_embeddings import RemoteEmbedder, unit_of
from chatmem.settings import Settings, load_settings
from chatmem.store import Store
from chatmem.tokens import count_tokens
from tests.conftest import Clock, Person
from tests.scripted import ScriptedModel
from tests.wire.conftest import KEY
from tests.wire.server import Json, ModelServer, Reply, failure

MEANINGS = ("cat kitten pet", "rent money flat", "boat key barrel")


def vectors(body: Json, length: int = 24) -> Reply:
    """Each text by the words of `MEANINGS` it holds: a model that understands just these."""
    data = []
    for place, text in enumerate(body["input"]):
        numbers = [0.01] * length
        for axis, words in enumerate(MEANINGS):
            numbers[axis] += sum(word in text.lower() for word in words.split())
        data.append({"object": "embedding", "index": place, "embedding": numbers})
    return Reply(
        body={"object": "list", "model": "e", "data": data[::-1], "usage": {"prompt_tokens": 1, "total_tokens": 1}}
    )


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer(vectors) as running:
        yield running


@pytest.fixture
def model() -> ScriptedModel:
    """Who answers: embeddings have a server of their own here."""
    return ScriptedModel()


def remote(server: ModelServer, name: str = "embed-1") -> RemoteEmbedder:
    return RemoteEmbedder(name, server.base_url, KEY)


@pytest.fixture
def open_app(tmp_path: Path, model: ScriptedModel, clock: Clock) -> Iterator[Callable[[Embedder | None], Person]]:
    """The same person on the same database, whatever the embedder."""
    opened: list[App] = []

    def open_(embedder: Embedder | None) -> Person:
        settings = Settings(database_url=f"sqlite:///{tmp_path / 'chat.db'}")
        app = App(
            settings, Store(settings.database_url, clock), Models(settings, model, count_tokens), clock, embedder
        )
        opened.append(app)
        return Person(app, app.store.owners.enter("a" * 64, "browser"))

    yield open_
    for app in opened:
        app.background.wait(10)
        app.close()


def know(person: Person, text: str) -> Fact:
    return person.app.store.facts.add(person.owner.id, NewFact(kind="fact", text=text, quote=text))


def missing(person: Person, model: str) -> int:
    return len(person.app.store.facts.without_vector(person.owner.id, model, 100))


def test_a_server_is_asked_for_embeddings_only_where_the_installation_names_a_model(tmp_path: Path) -> None:
    plain = {"OPENAI_API_KEY": KEY}
    assert embedder_of(load_settings(plain, tmp_path / "none")) is None
    named = load_settings({**plain, "CHATMEM_EMBEDDING_MODEL": "text-embedding-3-small"}, tmp_path / "none")
    made = embedder_of(named)
    assert made
    assert made.model == "text-embedding-3-small@api.openai.com"
    assert not named.problems


def test_a_name_without_a_server_is_a_sentence_at_start_and_the_built_in_one_stays(tmp_path: Path) -> None:
    settings = load_settings({"CHATMEM_EMBEDDING_MODEL": "embed-1"}, tmp_path / "none")
    assert embedder_of(settings) is None
    assert "CHATMEM_EMBEDDING_MODEL" in settings.problems[0].say("ko")


def test_facts_and_messages_are_embedded_after_the_turn_with_the_installations_key(
    open_app: Callable[..., Person], server: ModelServer
) -> None:
    person = open_app(remote(server))
    know(person, "The cat is called Miso.")
    person.say("It rained on the boat")
    texts = [text for request in server.requests for text in request.body["input"]]
    assert "The cat is called Miso." in texts
    assert "It rained on the boat" in texts
    assert {request.headers["authorization"] for request in server.requests} == {f"Bearer {KEY}"}
    assert missing(person, remote(server).model) == 0


def test_a_question_is_never_sent_for_its_vector_while_somebody_waits(
    open_app: Callable[..., Person], server: ModelServer
) -> None:
    person = open_app(remote(server))
    know(person, "The cat is called Miso.")
    person.app.learner.embed_facts(person.owner.id)
    asked = len(server.requests)
    turn = person.send("What is the cat called?")
    assert [
        request for request in server.requests[asked:] if "What is the cat called?" in request.body["input"]
    ] == []
    person.app.chat.wait(turn, 20)


def test_a_server_that_never_answers_delays_no_reply(
    open_app: Callable[..., Person], server: ModelServer, model: ScriptedModel
) -> None:
    person = open_app(remote(server))
    know(person, "The cat is called Miso.")
    server.answer = lambda body: Reply(mute=True)
    turn = person.send("What is the cat called?")
    person.app.generations.wait(turn.reply.id, 5)
    assert person.app.chat.follow(person.owner, turn.reply.id).status is Status.COMPLETE
    assert "Miso" in model.asked("chat")[-1].messages[-1].text
    server.close()  # whoever waits in the background is let go


def test_a_server_that_fails_costs_nothing_and_is_asked_again(
    open_app: Callable[..., Person], server: ModelServer
) -> None:
    person = open_app(remote(server))
    know(person, "The cat is called Miso.")
    server.answer = lambda body: failure(401, "no")
    assert person.say("hello there").status is Status.COMPLETE
    assert missing(person, remote(server).model) == 1
    server.answer = vectors
    person.say("hello again")
    assert missing(person, remote(server).model) == 0


def test_facts_near_to_what_the_words_find_are_found_too(
    open_app: Callable[..., Person], server: ModelServer, model: ScriptedModel
) -> None:
    person = open_app(remote(server))
    for text in ("The cat is called Miso.", "Feeds the kitten twice a day.", "The rent is due on Friday."):
        know(person, text)
    person.app.learner.embed_facts(person.owner.id)
    person.say("What is the cat called?")
    question = model.asked("chat")[-1].messages[-1].text
    assert "kitten" in question
    assert "rent" not in question


def test_switching_models_embeds_everything_anew_without_an_outage(
    open_app: Callable[..., Person], server: ModelServer, model: ScriptedModel
) -> None:
    person = open_app(remote(server))
    know(person, "The cat is called Miso.")
    person.app.learner.embed_facts(person.owner.id)
    other = remote(server, "embed-2")
    again = open_app(other)
    again.say("What is the cat called?")
    assert "Miso" in model.asked("chat")[-1].messages[-1].text
    again.app.learner.embed_everyone()
    assert missing(again, other.model) == 0
    lexical = open_app(None)
    lexical.say("What is the cat called?")
    assert "Miso" in model.asked("chat")[-1].messages[-1].text


def test_an_error_names_the_server_and_never_the_key(server: ModelServer) -> None:
    server.answer = lambda body: failure(401, f"Incorrect API key provided: {KEY}")
    with pytest.raises(ModelError) as error:
        remote(server).embed(["a text"])
    assert KEY not in f"{error.value} {error.value.say('ko')} {error.value.__cause__}"


def test_texts_come_back_in_the_order_they_were_asked_for(server: ModelServer) -> None:
    found = remote(server).embed(["the cat", "the rent", "the boat"])
    alike = found @ remote(server).embed(["a kitten", "money", "a barrel"]).T
    assert [int(row.argmax()) for row in alike] == [0, 1, 2]


@pytest.mark.parametrize("length", [24, 512, 768, 3072])
def test_vectors_of_any_length_keep_their_likeness(length: int) -> None:
    import numpy as np

    chance = np.random.default_rng(7)
    base = chance.standard_normal(length)
    near, far = base + 0.3 * chance.standard_normal(length), chance.standard_normal(length)
    one, two, three = (unit_of(list(vector)) for vector in (base, near, far))
    assert one.shape == (DIMENSIONS,)
    assert abs(float(one @ one) - 1) < 1e-4
    true = float(base @ near / np.linalg.norm(base) / np.linalg.norm(near))
    assert abs(float(one @ two) - true) < 0.1
    assert float(one @ two) > float(one @ three) + 0.3


def test_what_is_at_hand_is_what_is_known_already(server: ModelServer) -> None:
    embedder = remote(server)
    assert embedder.at_hand(["unknown"]) is None
    embedder.embed(["known"])
    assert embedder.at_hand(["known"]) is not None
    assert len(server.requests) == 1
