"""The loss meter in the divider: what a fold lost, told, and put back with a click."""

from __future__ import annotations

import pytest

from chatmem.domain import Summary
from tests.app.tab import Tab
from tests.conftest import Person
from tests.scripted import ScriptedModel

LOST = ["Lisbon", "3,200 euros", "March 14"]


@pytest.fixture
def chat(person: Person, model: ScriptedModel) -> Person:
    """A chat with one fold, whose summary keeps a name and loses three details."""
    return folded(person, model, "<summary>\nBackground: a person with a sister called Marta.\n</summary>")


def folded(person: Person, model: ScriptedModel, summary: str) -> Person:
    model.answers["fold"] = summary
    person.say("My sister Marta went to Lisbon on March 14.")
    person.say("The flat costs her 3,200 euros.")
    for word in ("so", "then", "well", "yes"):
        person.say(f"And {word} on")
    return person


def head(person: Person) -> Summary:
    found = person.memory.head
    assert isinstance(found, Summary)
    return found


def look(person: Person, locale: str = "en-US") -> Tab:
    """The chat with its divider open."""
    return Tab(locale, chat=person.chat_id).open().unfold(f"fold-open-{head(person).id}")


def label(tab: Tab) -> str:
    [box] = [box for box in tab.at.main.expander if "summary v" in box.label or "요약 v" in box.label]
    return box.label


def put_back_buttons(tab: Tab) -> list[str]:
    keys = [button.key or "" for button in tab.at.button]
    return [key for key in keys if key.startswith("put-back-") and "all" not in key]


def test_the_divider_counts_what_was_lost_and_lists_it_only_when_opened(chat: Person) -> None:
    tab = Tab(chat=chat.chat_id).open()
    assert label(tab) == "messages 1–7 → summary v1  ·  11 → summary + 4  ·  3 details lost"
    assert put_back_buttons(tab) == []
    assert "Lost in this fold" not in tab.words
    tab.unfold(f"fold-open-{head(chat).id}")
    assert "**Lost in this fold** :gray[3]" in tab.words
    for what in LOST:
        assert f"**{what}**" in tab.words
    assert "**Marta**" not in tab.words
    assert len(put_back_buttons(tab)) == 3


def test_the_meter_speaks_korean(person: Person, model: ScriptedModel) -> None:
    model.answers["fold"] = "<summary>\n배경: 여동생 이야기를 한 사람.\n</summary>"
    person.language = "ko"
    person.say("여동생 수빈이가 3월 14일에 부산으로 갔어.")
    for number in range(1, 6):
        person.say("응, 그렇게 됐어" + "." * number)
    tab = look(person, "ko-KR")
    assert "사라진 세부 내용" in label(tab)
    assert "**이 요약에서 사라진 것**" in tab.words
    assert "**3월 14일** :small[:gray[날짜 · 1]]" in tab.words
    assert tab.button("put-back-").label in ("되살리기", "모두 되살리기")


def test_one_detail_is_put_back_and_the_divider_stays_open_for_the_next(chat: Person) -> None:
    tab = look(chat)
    before = head(chat)
    place = next(index for index, detail in enumerate(before.lost) if detail.what == "3,200 euros")
    tab.click(f"put-back-{before.id}-{place}")
    assert any("it is sent with the summary from now on" in notice for notice in tab.notices)
    after = head(chat)
    assert (after.version, after.text) == (2, before.text)
    assert [(pin.number, "3,200" in pin.quote) for pin in after.pins] == [(3, True)]
    assert "summary v2" in label(tab)
    assert label(tab).endswith("2 details lost")
    assert len(put_back_buttons(tab)) == 2
    assert f"[3] {after.pins[0].quote}" in tab.words


def test_what_was_put_back_is_sent_with_the_next_message(chat: Person, model: ScriptedModel) -> None:
    look(chat).click("put-back-all-")
    chat.say("What did I tell you?")
    sent = "\n".join(message.text for message in model.asked("chat")[-1].messages)
    assert "3,200 euros" in sent
    assert "Lisbon" in sent


def test_all_are_put_back_at_once(chat: Person) -> None:
    tab = look(chat).click("put-back-all-")
    assert "lost" not in label(tab)
    assert put_back_buttons(tab) == []
    assert not tab.has_button("put-back-all-")
    assert head(chat).lost == ()


def test_the_last_detail_is_put_back_without_a_button_for_all(person: Person, model: ScriptedModel) -> None:
    chat = folded(person, model, "<summary>\nBackground: Marta went to Lisbon on March 14.\n</summary>")
    tab = look(chat)
    assert label(tab).endswith("1 detail lost")
    assert not tab.has_button("put-back-all-")
    tab.click("put-back-")
    assert "lost" not in label(tab)


def test_a_fold_that_lost_nothing_says_so(person: Person, model: ScriptedModel) -> None:
    chat = folded(
        person, model, "<summary>\nBackground: Marta went to Lisbon on March 14 and pays 3,200 euros.\n</summary>"
    )
    tab = look(chat)
    assert "lost" not in label(tab)
    assert "No name, number, date or quotation was lost here." in tab.words
    assert "여기서 사라진 이름, 숫자, 날짜, 인용은 없습니다." in look(chat, "ko-KR").words


def test_undoing_a_put_back_shows_the_detail_as_lost_again(chat: Person) -> None:
    tab = look(chat).click("put-back-all-")
    tab.unfold(f"fold-open-{head(chat).id}").click("undo-fold-")
    assert head(chat).version == 1
    assert "summary v1" in label(tab)


def test_what_a_later_version_put_back_is_not_lost_any_more_in_the_earlier_divider(
    chat: Person, model: ScriptedModel
) -> None:
    first = head(chat)
    for word in ("one", "two", "three", "four"):
        chat.say(f"And {word} more")
    assert head(chat).version == 2
    tab = Tab(chat=chat.chat_id).open().unfold(f"fold-open-{first.id}")
    tab.click(f"put-back-all-{first.id}")
    labels = [box.label for box in tab.at.main.expander if "→ summary" in box.label]
    assert len(labels) == 2
    assert "lost" not in labels[0]


def test_a_detail_put_back_in_two_tabs_is_a_sentence_in_the_second(chat: Person) -> None:
    first, second = look(chat), look(chat)
    first.click("put-back-all-")
    second.click("put-back-all-")
    assert any("has changed meanwhile" in notice for notice in second.notices)
    assert head(chat).version == 2


HOSTILE = "“![x](https://evil.test/a.png) :red[a] <b>”"


def test_what_was_lost_is_shown_as_words(person: Person, model: ScriptedModel) -> None:
    model.answers["fold"] = "<summary>\nBackground: a person who quotes something odd.\n</summary>"
    person.say(f"It said {HOSTILE} on the door.")
    for number in range(1, 6):
        person.say("And so on" + "." * number)
    tab = look(person)
    shown = [part.value for part in tab.at.main.markdown if "evil" in part.value]
    assert shown
    assert not any("![" in part or ":red[" in part.replace("\\:", "") for part in shown)
