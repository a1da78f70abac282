"""Counting tokens, offline: tiktoken with its o200k ranks, shipped in `chatmem/data`.

The count is exact for OpenAI's current models and an estimate for others, until the provider's
`usage` says what it really was. Characters divided by four would be off by half for Korean.
"""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tiktoken import Encoding

_RANKS = Path(__file__).parent / "data"

_LONG = 20_000
"""Characters above which a text is counted in pieces: the encoder's time grows faster than the
text when there are no spaces in it."""


@lru_cache(maxsize=1)
def _encoding() -> Encoding:
    # tiktoken reads its cache folder from the environment only; the ranks lie there under the
    # name it gives them. The variable is put back, so that nothing else of the process is moved.
    before = os.environ.get("TIKTOKEN_CACHE_DIR")
    os.environ["TIKTOKEN_CACHE_DIR"] = str(_RANKS)
    try:
        import tiktoken

        return tiktoken.get_encoding("o200k_base")
    finally:
        if before is None:
            del os.environ["TIKTOKEN_CACHE_DIR"]
        else:
            os.environ["TIKTOKEN_CACHE_DIR"] = before


def count_tokens(text: str) -> int:
    """The tokens of a text. Words that look like special tokens are counted as plain text."""
    return sum(
        len(_encoding().encode_ordinary(text[start : start + _LONG])) for start in range(0, len(text), _LONG)
    )


def warm_up() -> None:
    """Load the ranks (about 0.4 s), so that the first message need not wait for them."""
    _encoding()
