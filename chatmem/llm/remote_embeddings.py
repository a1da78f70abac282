"""Embeddings from a server, where the installation asks for them by name: `CHATMEM_EMBEDDING_MODEL`.

They are fetched in the background only. A question is never sent for its vector while somebody waits:
what is not known yet is searched by words, and by the vectors of what those words find.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from chatmem.embeddings import DIMENSIONS, Embedder
from chatmem.llm.openai_client import OpenAICompatible
from chatmem.llm.openai_errors import Said, cleaned, failures, translate
from chatmem.llm.providers import server_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]

PROJECTION_SEED = 512


class RemoteEmbedder(Embedder):
    """An embedding model behind an OpenAI-compatible server, with the installation's key for it.

    `embed` raises a `ModelError` when the server does not answer; nothing is kept then.
    """

    def __init__(self, name: str, base_url: str, api_key: str) -> None:
        super().__init__()
        self.model = f"{name}@{server_name(base_url)}"[:100]
        self._name = name
        self._server = OpenAICompatible("embeddings", name, base_url, api_key)

    @property
    def available(self) -> bool:
        return True

    def warm_up(self) -> None:
        """Nothing to load."""

    def at_hand(self, texts: Sequence[str]) -> Vectors | None:
        """Only vectors that are known already: a reply never waits for the network."""
        keys = {key for text in texts if (key := self.key_of(text))}
        with self._cache_lock:
            known = all(key in self._vectors for key in keys)
        return self.embed(texts) if known else None

    def _encode(self, texts: list[str]) -> dict[str, Vectors]:
        vectors = [unit_of(vector) for vector in self._ask(texts)]
        encoded = dict(zip(texts, vectors, strict=True))
        self._keep(encoded)
        return encoded

    def _ask(self, texts: list[str]) -> list[list[float]]:
        server = self._server
        try:
            answer: Any = server.sdk().embeddings.create(model=self._name, input=texts, encoding_format="float")
            found = sorted(answer.data, key=lambda one: one.index)
        except failures() as error:
            said = Said.by(error, server.without_key)
            ours = translate(error, said, server_name(server.base_url), self._name, False)
            raise ours from cleaned(error, server.without_key)
        return [list(one.embedding) for one in found]


def unit_of(numbers: Sequence[float]) -> Vectors:
    """A unit vector of `DIMENSIONS` numbers, whatever length a model's vectors have.

    Longer and shorter ones go through one fixed random matrix, which keeps cosines within a few
    hundredths (Johnson and Lindenstrauss 1984).
    """
    import numpy as np

    vector = np.asarray(numbers, dtype=np.float32)
    if len(vector) != DIMENSIONS:
        chance = np.random.default_rng(PROJECTION_SEED)
        vector = chance.standard_normal((DIMENSIONS, len(vector)), dtype=np.float32) @ vector
    unit: Vectors = vector / max(float(np.linalg.norm(vector)), 1e-9)
    return unit
