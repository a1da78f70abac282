"""The loss meter: what is an exact detail, when a text still holds it, and what a version keeps and loses."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from chatmem.domain import PIN_CHARACTERS, Detail, Message, Pin, Role, Status
from chatmem.memory.exact.details import FROM_A_PERSON, FROM_A_REPLY
from chatmem.memory.loss import Account, account, details, survives

MONDAY = datetime(2026, 3, 2, 9, tzinfo=UTC)


def said(text: str, number: int = 1, role: Role = "user") -> Message:
    return Message(number, number, role, text, Status.COMPLETE, MONDAY, len(text) // 3)


def found(text: str, role: Role = "user") -> list[str]:
    return [detail.what for detail in details([said(text, role=role)])]


def only(text: str) -> Detail:
    (detail,) = details([said(text)])
    return detail


def fold(text: str, summary: str, pins: list[Pin] | None = None, facts: list[str] | None = None) -> Account:
    return account((), [said(text)], summary, pins or [], facts or [])


def lost(text: str, summary: str) -> list[str]:
    return [detail.what for detail in fold(text, summary).lost]


# --- what is a detail -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I met Marta at the Blue Heron Café.", ["Marta", "Blue Heron Café"]),
        ("Marta's flight is late.", ["Marta"]),
        ("We moved to New York with Dr. Okafor.", ["New York", "Dr. Okafor"]),
        ("the ticket KX-204 is for parse_row() in importer.py", ["KX-204", "parse_row()", "importer.py"]),
        (
            "mail hello@tin.example or see https://tin.example/a?b=1.",
            ["hello@tin.example", "https://tin.example/a?b=1"],
        ),
        ("our dog is called biscuit", ["biscuit"]),
        ("it runs on Python 3.12", ["Python 3.12"]),
        ("three cats and 20 mg for $420", ["three cats", "20 mg", "$420"]),
        ("it was 142 over 91", ["142 over 91"]),
        ("call 010-2345-6789 or use version 1.2.3", ["010-2345-6789", "1.2.3"]),
        ("on March 14, next Friday at 3:30 pm", ["March 14", "next Friday", "3:30 pm"]),
        ("she said \"keep it\" and 'never mind'", ["keep it", "never mind"]),
        ("민호 씨가 성수동 트리마제 말고 왕십리역으로 오래", ["민호", "성수동", "트리마제", "왕십리역"]),
        ("딸 이름은 이하람이고 수빈이가 골랐어", ["이하람", "수빈"]),
        ("김도윤 과장님이 KE9B2M을 FastAPI로 짰어", ["김도윤", "KE9B2M", "FastAPI"]),
        ("스무 명이 3천 원씩, 셋째는 열두 살", ["스무 명", "3천 원", "셋째", "열두 살"]),
        ("3월 14일, 다음 주 금요일 오후 3시", ["3월 14일", "다음 주 금요일", "오후 3시"]),
        ("「작별하지 않는다」와 '바다숨'", ["작별하지 않는다", "바다숨"]),
        ("세브란스병원 근처 인창고등학교", ["세브란스병원", "인창고등학교"]),
    ],
)
def test_names_numbers_dates_and_quotations_are_details(text: str, expected: list[str]) -> None:
    assert found(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "First of all, I have one question. There are two options.",
        "1. Read a lot\n2. Sleep well",
        "Tomatoes need sun. Dinner was great. You know I don't mind.",
        "```python\nx = 42\nname = 'Marta'\n```",
        "# A Heading With Names\nplain words",
        "내일 다시 이야기해요. 한 번 더 설명해 줄래요?",
        "고양이가 자꾸 운동이야. 두 가지 방법이 있어요.",
        "원하시는 조건이 있으신가요? 예산과 생산을 연구했어요.",
    ],
)
def test_lists_headings_code_and_small_talk_are_no_details(text: str) -> None:
    assert found(text) == []


def test_a_name_at_the_start_of_a_sentence_counts_once_it_is_seen_elsewhere() -> None:
    assert found("Ondine? No idea.") == []
    assert found("Ondine? No idea. Ask whether Ondine is in.") == ["Ondine"]


def test_a_detail_said_again_is_the_first_one() -> None:
    messages = [said("It costs 3,000 won.", 1), said("3천 원이라고 했죠, Marta?", 2), said("So 3000원.", 3)]
    assert [(d.number, d.what) for d in details(messages) if d.kind == "number"] == [(1, "3,000 won")]


def test_a_quote_is_the_clause_around_the_detail_and_stands_in_the_message() -> None:
    text = "We had a long day, the locker code is 4417, and then we left.\nIt rained."
    assert only(text).quote == "the locker code is 4417"
    assert only("현관 비밀번호는 0926이고 이사는 아직이야.").quote.startswith("현관 비밀번호는 0926이고")


def test_a_quote_is_never_longer_than_a_pin() -> None:
    text = "so " + "many words " * 60 + "4417" + " and more" * 60
    quote = only(text).quote
    assert "4417" in quote
    assert quote in text
    assert len(quote) <= PIN_CHARACTERS


def test_a_person_is_not_drowned_by_a_reply() -> None:
    numbers = ", ".join(f"{n} km" for n in range(100, 200))
    assert len(found(numbers)) == FROM_A_PERSON
    assert len(found(numbers, "assistant")) == FROM_A_REPLY


@pytest.mark.parametrize(
    "piece", ["KX-1 4417 Marta ", "\n", "`", "a-", "가", "수빈이가 3월 14일에 12개 ", "'a", "1,111", "만 "]
)
def test_a_hostile_megabyte_is_read_by_its_beginning(piece: str) -> None:
    text = piece * (1_000_000 // len(piece))
    account_of_it = account((), [said(text)], text, [], [text])
    assert len(account_of_it.kept) + len(account_of_it.lost) <= FROM_A_PERSON


# --- when it survives -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("it costs 3,000 won", "3천 원"),
        ("3천 원이야", "3000 won"),
        ("the budget is 45,000 dollars", "a budget of $45k"),
        ("만 오천 원이야", "1만 5천원"),
        ("on March 14", "3월 14일에"),
        ("3월 14일에", "on 3/14"),
        ("on 14 March", "03-14"),
        ("on March 14", "2026-03-14"),
        ("오후 3시에", "at 3 PM"),
        ("오후 3시에", "15:00"),
        ("at 3:30", "15:30"),
        ("오전 10시 반에", "10:30"),
        ("at noon", "12:00"),
        ("a team of twelve", "12명"),
        ("스무 명이야", "20 people"),
        ("with two kids", "2 kids"),
        ("세 마리", "3 cats"),
        ("for 90 minutes", "1시간 30분"),
        ("다음 주 금요일까지", "3월 13일까지"),
        ("by next Friday", "due on 2026-03-13"),
        ("I asked Marta", "MARTA's flight"),
        ("with Dr. Okafor", "sees okafor"),
        ("수빈이랑 수빈이가", "수빈과 함께"),
        ("민호 씨한테", "민호에게 빌린다"),
        ("김도윤 님이야", "팀장은 김도윤이다"),
        ("flight KX-204", "flight kx204"),
        ("call +351 912 555 014", "351912555014"),
        ('he said "Keep it!"', "he said: keep it"),
        ("'바다숨 게스트하우스'", "바다숨게스트하우스에서"),
    ],
)
def test_a_detail_in_other_writing_survives(text: str, held: str) -> None:
    assert all(survives(detail, [held]) for detail in details([said(text)]))
    assert details([said(text)])


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("there were 12 people", "120 people"),
        ("there were 12 people", "1,200 or 12.5 or A12"),
        ("it costs 3,000 won", "3,000 dollars"),
        ("it costs 3천 원", "3만 원"),
        ("three cats", "3 days, 3 dogs, 3 PM"),
        ("파트 5가 어려워", "5월 5일, 50개"),
        ("on March 14", "in March"),
        ("on March 14", "March 15, April 14"),
        ("오후 3시에", "오전 3시"),
        ("next Friday", "Thursday, March 12"),
        ("I asked Marta", "Martall, Samarta"),
        ("I asked Tom Baker", "Tom and a baker"),
        ("수빈이가 왔어", "수빈정"),
        ('she said "keep it"', "she may keep items"),
        ("at 10 percent", "10 minutes"),
    ],
)
def test_a_neighbour_does_not_pass_for_the_detail(text: str, held: str) -> None:
    assert not any(survives(detail, [held]) for detail in details([said(text)]))
    assert details([said(text)])


# --- the account of a version ---------------------------------------------------------------------


def test_what_stands_in_summary_pin_or_fact_is_kept_and_the_rest_is_lost() -> None:
    text = 'Marta pays 420 euros on March 14, the code is 4417, "Glass Bridge" it is called, says Ines.'
    result = fold(
        text, "Background: Marta pays.", [Pin(1, "the code is 4417")], ["A payment of €420 is due on 3/14."]
    )
    assert [detail.what for detail in result.kept] == ["Marta", "420 euros", "March 14", "4417"]
    assert [detail.what for detail in result.lost] == ["Glass Bridge", "Ines"]


def test_putting_a_lost_detail_back_as_a_pin_keeps_it() -> None:
    messages = [said("오늘은 정신이 없네. 사물함 번호는 4417이고 예약은 KE9B2M이야.")]
    for detail in account((), messages, "배경: 바쁘다.", [], []).lost:
        after = account((), messages, "배경: 바쁘다.", [Pin(detail.number, detail.quote)], [])
        assert detail in after.kept


def test_a_detail_that_survived_one_version_is_lost_in_the_next() -> None:
    first = account((), [said("Marta lives in Lisbon.", 1)], "Marta lives in Lisbon.", [], [])
    second = account(first.kept, [said("She has two kids.", 8)], "Marta has 2 kids.", [], [])
    assert [(d.number, d.what) for d in second.lost] == [(1, "Lisbon")]
    assert [(d.number, d.what) for d in second.kept] == [(1, "Marta"), (8, "two kids")]


def test_what_was_lost_before_is_not_lost_again() -> None:
    first = account((), [said("Marta lives in Lisbon.", 1)], "Background: somebody.", [], [])
    second = account(first.kept, [said("thanks", 8)], "Background: somebody.", [], [])
    assert len(first.lost) == 2
    assert second == Account((), ())


def test_a_detail_of_the_parent_said_again_keeps_its_first_message() -> None:
    first = account((), [said("I met Marta.", 1)], "Marta", [], [])
    second = account(first.kept, [said("I saw Marta again.", 8)], "nobody", [], [])
    assert [(d.number, d.what) for d in second.lost] == [(1, "Marta")]


@pytest.mark.parametrize(
    "text", ["규칙으로 움직이는 모델", "반짝이는 물결", "망설이는 중이야", "끓이는 법을 알려 줘"]
)
def test_a_verb_that_ends_like_a_name_is_none(text: str) -> None:
    assert found(text) == []
