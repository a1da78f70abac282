"""Safe Markdown, as far as its text shows it; `tests/browser/test_parts.py` proves it in the browser."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from pages.parts.text import BLOCK_CHARS, PLAIN_CHARS, PLAIN_LINES, safe_markdown

FENCE = "```"


@pytest.mark.parametrize(
    "text",
    [
        "Plain words, 한국어 문장입니다.",
        "# Heading\n\n- one\n- two\n\n1. three\n2. four\n\n> quoted\n\n**bold** *it* ~~gone~~ `code`",
        f"{FENCE}python\nx = a[0]  # :red[x] -> $5 ![a](b) <b>\n{FENCE}",
        f"1. step\n   {FENCE}sh\n   ls\n   {FENCE}\n2. next\n\n   - deep\n\n     {FENCE}\n     x\n     {FENCE}",
        "Inline `vec![1] -> :x: $5 $6 <b>` stays.",
        "| a | b |\n|---|:-:|\n| 1 | `x` |",
        "$$\n\\frac{1}{2}\n$$",
        "https://example.org/a_(b)?c=d&e=f#g",
    ],
)
def test_harmless_markdown_is_unchanged(text: str) -> None:
    assert safe_markdown(text) == text


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("![a](https://b.c/d)", "!&#91;a](<https://b.c/d>)"),
        ("![a][b]", "!&#91;a][b]"),
        (":red[a]", "&#58;red[a]"),
        ("<b>", "&lt;b>"),
        ("[^1]: note", "&#91;^1]&#58; note"),
        ("[a](javascript:alert(1))", "[a]&#40;javascript&#58;alert(1))"),
        ("[a](JAVASCRIPT&colon;x)", "[a]&#40;JAVASCRIPT&colon;x)"),
        ("[a]: data:text/html,x", "[a]&#58; data&#58;text/html,x"),
        ("\\$5", "&#36;5"),
    ],
)
def test_what_is_not_harmless_becomes_character_references(text: str, safe: str) -> None:
    assert safe_markdown(text) == safe


@pytest.mark.parametrize(
    "text", ["US$3 and US$4", "$5 … $10", "$5/$10", "$5-$10", "$1=₩1,300/$2", "$HOME/$PATH", "$100$", "$5M$"]
)
def test_money_and_shell_variables_are_never_maths(text: str) -> None:
    assert safe_markdown(f"{text}\n\n$$x$$").startswith(text.replace("$", "&#36;"))


@pytest.mark.parametrize("maths", ["x^2", "a_1", "n", "x = 5", "\\alpha", "f(x)", "2n+1", "\\frac{1}{2}"])
def test_clear_maths_between_single_dollars_is_maths(maths: str) -> None:
    assert safe_markdown(f"So ${maths}$, and \\({maths}\\).") == f"So $${maths}$$, and $${maths}$$."


def test_brackets_of_latex_become_a_display_formula() -> None:
    assert safe_markdown("So\n\\[\nx < y\n\\]\nholds") == "So\n$$\nx < y\n$$\nholds"
    assert safe_markdown("- so \\[x=y\\]") == "- so $$x=y$$"
    assert safe_markdown("\\[1\\] a source") == "&#91;1&#93; a source"


def test_a_formula_that_would_cover_the_page_stays_text() -> None:
    assert "$$" not in safe_markdown("$$\\rule{1000em}{1000em}$$")


def test_a_fence_is_closed_by_us_where_the_parser_would_end_it_early() -> None:
    quoted = f"> {FENCE}\n> code\n![a](b)"
    assert safe_markdown(quoted) == f"> {FENCE}\n> code\n> {FENCE}\n!&#91;a]&#40;b)"
    dedented = f"- {FENCE}\n![a](b)\n{FENCE}"
    assert safe_markdown(dedented) == f"- {FENCE}\n  ![a](b)\n  {FENCE}"


def test_what_only_looks_like_a_fence_or_code_is_none() -> None:
    inside_a_paragraph = f"text\n2. {FENCE}\n![a](b)\n{FENCE}"
    assert "![" in safe_markdown(inside_a_paragraph[len("text\n") :])
    assert "`" not in safe_markdown(inside_a_paragraph).split("\n")[1]
    after_indented_code = f"- a\n\n        b\n\n2. {FENCE}\n   ![a](b)"
    assert "![" not in safe_markdown(after_indented_code)
    assert "![" not in safe_markdown("`a\nb ![c](d)`")
    assert "![" not in safe_markdown("| a |\n|---|\n| `x | ![i](u) ` |")
    assert "![" not in safe_markdown("http://a/`b ![c](d) `")
    assert safe_markdown("http://a/`b") == "http://a/%60b"
    assert safe_markdown("http://a<b>`c`") == "http://a &lt;b>`c`"
    assert safe_markdown("](http://a)`b`") == "](<http://a>)`b`"


@pytest.mark.parametrize("word", ["mermaid", "Mermaid", "mermaid-x", " MERMAID {a}", "mer&#109;aid", "mer\\maid"])
def test_no_fence_asks_for_a_diagram(word: str) -> None:
    opening = safe_markdown(f"{FENCE}{word}\ngraph\n{FENCE}").split("\n")[0]
    assert opening in (FENCE, FENCE + "text")


def test_code_by_indentation_is_code_where_that_is_certain() -> None:
    assert safe_markdown("so:\n\n    a![0]\n\nend") == f"so:\n\n{FENCE}\na![0]\n{FENCE}\n\nend"
    assert "![" not in safe_markdown("- so\nlazy\n\n    a![0](b)")


BREAKING = [
    "`",
    "``",
    FENCE,
    "~~~",
    "$",
    "$$",
    "\\(",
    "\\)",
    "\\[",
    "\\]",
    "\\",
    "|",
    "[",
    "]",
    "](",
    "<pre>",
    "<a b='",
]
LINES = ["\n", "\n\n", "\n    ", "\n- ", "\n2. ", "\n> ", "\n|-|\n", "\r\n", "\u2028", "\t", " "]
WORDS = [
    "![i](http://e)",
    "](http://a)",
    "[^1]: ",
    "[x]: http://a ",
    "http://a/",
    "mermaid",
    ":red[",
    "x^2",
    "a",
    "가",
    "\0",
]
TOKENS = st.sampled_from([*BREAKING, *LINES, *WORDS])
NASTY = st.lists(TOKENS, max_size=30).map("".join)


def without_code(markdown: str) -> str:
    """What is left when closed fences and code spans within a line are cut out, as rule 1 and 2 promise them."""
    kept, closing = [], None
    for line in markdown.split("\n"):
        mark = re.match(r"[ >]*(?:(?:[-*+]|\d+[.)]) +)?(`{3,}|~{3,})[\w+#.-]*$", line)
        if closing:
            closing = None if mark and mark[1] == closing else closing
        elif mark:
            closing = mark[1]
        else:
            kept.append(re.sub(r"(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)", "", line))
    assert closing is None, "a fence was left open"
    return "\n".join(kept)


@given(NASTY)
def test_outside_code_no_reading_of_the_text_finds_anything_alive(text: str) -> None:
    prose = without_code(safe_markdown(text))
    for alive in ("![", "`", "[^", "<pre", "<a b"):
        assert alive not in prose
    assert not re.search(r"(^|[^\w/~])~~~", prose, re.MULTILINE)
    assert not re.search(r":(?!small\[\])[a-z]+\[", prose)


@given(NASTY, st.integers(0, 60))
def test_every_prefix_is_as_safe_as_the_whole(text: str, end: int) -> None:
    assert "![" not in without_code(safe_markdown(text[:end]))


@pytest.mark.parametrize(
    "piece",
    [
        "`",
        "`a",
        "$a",
        "\\(",
        "\\[\n",
        "](http://",
        "<a@b",
        ":a",
        "$$\n",
        "- ",
        "> ",
        "![",
        "www.",
        "|`a",
        "가",
        "    x\n\n",
    ],
)
def test_the_time_it_takes_grows_with_the_length_only(piece: str) -> None:
    def seconds(length: int) -> float:
        text = piece * (length // len(piece))
        started = time.perf_counter()
        safe_markdown(text)
        return time.perf_counter() - started

    short, long = (min(seconds(length) for _ in range(3)) for length in (20_000, 160_000))
    assert long < 40 * short + 0.3  # eight times as long; quadratic would be 64 times


def drawn(function: str, text: str) -> AppTest:
    script = f"from pages.parts.text import {function}\nimport streamlit as st\n{function}(st.session_state.text)"
    app = AppTest.from_string(script)
    app.session_state.text = text
    return app.run()


def test_a_persons_words_are_drawn_as_plain_text() -> None:
    assert drawn("draw_user_text", "*a* :smile:").text[0].value == "*a* :smile:"


@pytest.mark.parametrize("text", ["x" * (PLAIN_CHARS + 1), "x\n" * PLAIN_LINES, "    if x:\n        y"])
def test_long_or_indented_words_go_into_a_block_unchanged(text: str) -> None:
    app = drawn("draw_user_text", text)
    assert not app.text
    assert app.code[0].value == text.removesuffix("\n")
    assert app.code[0].language == "plaintext"


@pytest.mark.parametrize("function", ["draw_user_text", "draw_model_text"])
def test_a_block_is_cut_where_it_would_freeze_the_page_and_says_by_how_much(function: str) -> None:
    shown = drawn(function, "x" * (BLOCK_CHARS + 1234)).code[0].value
    assert shown == "x" * BLOCK_CHARS + "\n… +1,234"


def test_a_models_words_are_drawn_as_safe_markdown() -> None:
    assert drawn("draw_model_text", "**a** ![b](c)").markdown[0].value == "**a** !&#91;b]&#40;c)"
