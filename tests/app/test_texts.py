"""The catalogue of the screen: whole in both languages, and exactly what the sources say."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from string import Formatter

import pytest

from chatmem.errors import _by_code
from chatmem.words import SHARED
from pages.parts.i18n import SCREEN, TEXTS
from pages.parts.i18n_editing import EDITING
from pages.parts.i18n_memory import MEMORY
from pages.parts.i18n_proof import PROOF
from tests.app.tab import ROOT

PAGES = sorted(ROOT.glob("pages/**/*.py"))
TERMINAL = [ROOT / "chatmem" / name for name in ("__main__.py", "terminal.py", "commands.py")]
CATALOGUES = {
    ROOT / "chatmem" / "words.py",
    *(ROOT / "pages" / "parts" / name for name in ("i18n.py", "i18n_memory.py")),
}


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("key", TEXTS)
def test_a_text_is_there_in_both_languages_with_the_same_placeholders(key: str) -> None:
    texts = TEXTS[key]
    assert set(texts) == {"en", "ko"}
    assert all(text.strip() for text in texts.values())
    assert placeholders(texts["en"]) == placeholders(texts["ko"])


@pytest.mark.parametrize("kind", _by_code().values(), ids=_by_code().keys())
def test_an_error_has_a_sentence_in_both_languages_with_the_same_placeholders(kind: type) -> None:
    sentences = kind.sentence  # type: ignore[attr-defined]
    assert set(sentences) == {"en", "ko"}
    assert placeholders(sentences["en"]) == placeholders(sentences["ko"])


def test_korean_is_korean_and_english_has_no_hangul() -> None:
    hangul = re.compile("[가-힣]")
    same_in_both = {key for key, texts in TEXTS.items() if texts["en"] == texts["ko"]}
    assert [key for key, texts in TEXTS.items() if hangul.search(texts["en"])] == []
    assert [key for key, texts in TEXTS.items() if not hangul.search(texts["ko"])] == sorted(same_in_both)


def test_screen_and_terminal_have_no_key_twice() -> None:
    assert len(TEXTS) == sum(map(len, (SCREEN, SHARED, MEMORY, PROOF, EDITING)))


# --- the sources --------------------------------------------------------------------------------------------


def said(tree: ast.AST) -> Iterator[tuple[ast.Call, ast.expr]]:
    """Every `….say(key, …)` and `say(TEXTS, key, …)` with the expression of its key."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not node.args:
            continue
        if isinstance(node.func, ast.Attribute) and node.func.attr == "say":
            yield node, node.args[0]
        elif isinstance(node.func, ast.Name) and node.func.id == "say" and len(node.args) > 1:
            yield node, node.args[1]


def keys_in(node: ast.AST) -> Iterator[str]:
    """Texts of an expression, as patterns: what an f-string fills in is one word."""
    for part in ast.walk(node):
        if isinstance(part, ast.JoinedStr):
            yield "".join(
                re.escape(piece.value) if isinstance(piece, ast.Constant) else "[a-z_0-9]*"
                for piece in part.values
            )
        elif isinstance(part, ast.Constant) and isinstance(part.value, str):
            yield re.escape(part.value)


def trees() -> Iterator[ast.AST]:
    for path in {*PAGES, *TERMINAL} - CATALOGUES:
        yield ast.parse(path.read_text(encoding="utf-8"))


def test_every_key_that_is_said_exists_and_gets_its_placeholders() -> None:
    wrong: list[str] = []
    for tree in trees():
        for call, key in said(tree):
            if isinstance(key, ast.Constant) and isinstance(key.value, str):
                given = {keyword.arg for keyword in call.keywords}
                if key.value not in TEXTS or placeholders(TEXTS[key.value]["en"]) != given:
                    wrong.append(f"{key.value} with {given}")
            elif isinstance(key, ast.JoinedStr):
                (pattern, *_) = keys_in(key)
                if not any(re.fullmatch(pattern, known) for known in TEXTS):
                    wrong.append(pattern)
    assert wrong == []


def test_every_key_of_the_catalogue_is_said_somewhere() -> None:
    patterns = {pattern for tree in trees() for pattern in keys_in(tree) if re.search("[a-z]", pattern)}
    # A pattern of nothing but a hole and a dot would hide every unused key.
    certain = {pattern for pattern in patterns if len(re.sub(r"\[a-z_0-9\]\*|\\|\.", "", pattern)) > 1}
    unused = [key for key in TEXTS if not any(re.fullmatch(pattern, key) for pattern in certain)]
    assert unused == []
