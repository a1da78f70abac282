"""Other people's words in our labels: what they cannot do there."""

from __future__ import annotations

import re

import pytest

from pages.parts.labels import inert, one_line, plain_markdown

ORDERS = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c"


@pytest.mark.parametrize("order", ORDERS, ids=lambda order: f"{ord(order):04x}")
@pytest.mark.parametrize("label", [inert, plain_markdown, lambda text: one_line(text, 20)])
def test_an_order_about_direction_does_not_reach_a_label(label, order: str) -> None:  # type: ignore[no-untyped-def]
    assert label(f"ab{order}cd") == "abcd"


def test_right_to_left_text_is_isolated_from_what_follows_it_even_with_orders_of_its_own() -> None:
    label = one_line("\u2069\u202eשלום עולם\u2069 and more", 40)
    assert re.fullmatch("\u2068[^\u2066-\u2069\u202a-\u202e]+\u2069", label)
    assert "שלום" in label


def test_a_label_that_is_cut_ends_inside_its_isolation() -> None:
    assert one_line("ש" * 50, 10) == f"\u2068{'ש' * 9}…\u2069"
