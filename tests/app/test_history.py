"""The page of all messages: searching them, the way to their place, and taking one chat along."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import parse_qs

import pytest
import streamlit as st

from bench.setup import add_chat
from tests.app.tab import HISTORY, Tab
from tests.conftest import Person
from tests.scripted import ScriptedModel


@pytest.fixture
def chat(person: Person, model: ScriptedModel) -> Person:
    model.answers["title"] = "Pets"
    for text in ("My dog is called Bori.", "보리는 부산에서 산책을 좋아해", "And my CAT is called Nabi."):
        person.say(text)
    return person


def page(locale: str = "en-US", **query: str) -> Tab:
    return Tab(locale, **query).open(HISTORY)


def search(tab: Tab, text: str) -> Tab:
    field = next(field for field in tab.at.text_input if (field.key or "").startswith("history-search"))
    field.set_value(text)
    return tab.run()


def found(tab: Tab) -> list[str]:
    """What is said above each message found."""
    return [caption.value for caption in tab.at.main.caption if " · " in caption.value and "20" in caption.value]


def excerpts(tab: Tab) -> list[str]:
    return [part.value for part in tab.at.main.markdown if ":orange-background[" in part.value]


def links(tab: Tab) -> list[tuple[str, str, dict[str, list[str]]]]:
    return [
        (link.proto.label, link.proto.page, parse_qs(link.proto.query_string))
        for link in tab.at.main.get("page_link")
    ]


# --- searching --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "numbers"),
    [
        ("Bori", [1]),
        ("bori", [1]),
        ("called my", [5, 1]),
        ("cat", [5]),
        ("산책", [3]),
        ("부산 보리", [3]),
        ("책을 좋아", [3]),
        ("Understood", [6, 4, 2]),
    ],
)
def test_all_words_are_found_in_both_languages_the_newest_first(
    chat: Person, words: str, numbers: list[int]
) -> None:
    tab = search(page(), words)
    assert f"Messages found: {len(numbers)}" in tab.words
    assert [caption.split(" · ")[1] for caption in found(tab)] == [str(number) for number in numbers]
    assert len(excerpts(tab)) == len(numbers)


@pytest.mark.parametrize("words", ["xylophone", "100%", "_", "Bori xylophone", "' OR 1=1 --", "%"])
def test_what_no_message_holds_is_a_sentence(chat: Person, words: str) -> None:
    tab = search(page(), words)
    assert "No message holds all of these words." in tab.words
    assert found(tab) == []
    assert "이 말이 모두 들어 있는 메시지가 없습니다." in search(page("ko-KR"), words).words


@pytest.mark.parametrize("words", ["", "   "])
def test_an_empty_search_shows_all_messages(chat: Person, words: str) -> None:
    tab = search(search(page(), "Bori"), words)
    assert "Messages found" not in tab.words
    assert "1 · You · in the window" in tab.words
    assert "6 · Chat · in the window" in tab.words


def test_the_search_speaks_korean(chat: Person) -> None:
    tab = search(page("ko-KR"), "보리")
    assert "메시지 1개 찾음" in tab.words
    assert {label for label, _, _ in links(tab)} == {"대화에서 열기", "여기서 보기"}


def test_the_words_found_are_marked_and_the_rest_is_shown_as_it_is(chat: Person) -> None:
    chat.say("![x](https://evil.test/a.png) **bold** :smile: Bori <b>")
    [excerpt, _] = excerpts(search(page(), "bori"))
    assert ":orange-background[Bori]" in excerpt
    assert "![x]" not in excerpt
    assert "**" not in excerpt.replace("\\*", "")


def test_a_long_message_is_cut_around_the_word(chat: Person) -> None:
    chat.say("garden " * 300 + "xylophone" + " meadow" * 300)
    [excerpt] = excerpts(search(page(), "xylophone"))
    assert excerpt.startswith("…")
    assert excerpt.endswith("…")
    assert len(excerpt) < 500


def test_more_than_fit_show_the_newest_and_say_so(person: Person) -> None:
    add_chat(person.app, person.owner.id, 90)
    tab = search(page(), "tomatoes garden")
    assert "More than 40 messages found; the newest are shown" in tab.words
    assert len(found(tab)) == 40
    assert found(tab)[0].split(" · ")[1] == "89"
    assert "40개 넘게 찾음" in search(page("ko-KR"), "tomatoes garden").words


def test_messages_of_all_chats_are_found_but_of_nobody_else_and_of_none_deleted(chat: Person) -> None:
    other = Person(chat.app, chat.owner)
    other.say("Bori again")
    stranger = Person(chat.app, chat.app.store.owners.enter("b" * 64, "browser"))
    stranger.say("The stranger's Bori")
    tab = search(page(), "Bori")
    assert len(found(tab)) == 2
    assert "stranger" not in tab.words
    chat.app.store.conversations.hide(chat.owner.id, other.chat_id)
    assert len(found(tab.run())) == 1


def test_what_was_set_aside_is_marked_and_opens_on_this_page_only(chat: Person) -> None:
    chat.edit(chat.message(5), "And my bird is called Nabi.")
    tab = search(page(), "nabi")
    aside = next(caption for caption in found(tab) if caption.split(" · ")[1] == "5")
    assert aside.endswith(" · set aside")
    assert not found(tab)[0].endswith(" · set aside")
    assert [label for label, _, _ in links(tab)] == ["Open in its chat", "Show here", "Show here"]


def test_what_a_reset_retired_is_marked_too(chat: Person) -> None:
    chat.app.chat.reset(chat.owner, chat.chat_id)
    tab = search(page(), "Bori")
    assert found(tab)[0].endswith(" · retired")
    assert [label for label, _, _ in links(tab)] == ["Show here"]


def test_what_was_forgotten_is_not_found_and_says_so_in_the_list(chat: Person) -> None:
    plan = chat.app.forgetting.of_message(chat.owner.id, chat.message(1).id)
    chat.app.forgetting.forget(chat.owner, plan, plan.chosen)
    assert found(search(page(), "dog")) == []
    tab = page(chat=chat.chat_id)
    assert "This message was forgotten on 20" in tab.words
    assert any("1 · You" in caption.value and "forgotten" in caption.value for caption in tab.at.caption)
    assert "에 잊은 메시지입니다." in page("ko-KR", chat=chat.chat_id).words


def test_the_list_marks_what_was_set_aside(chat: Person) -> None:
    chat.app.store.branches.delete_from(chat.owner.id, chat.chat_id, chat.message(5).id)
    tab = page(chat=chat.chat_id)
    assert "5 · You · set aside" in tab.words
    assert "4 · Chat · in the window" in tab.words
    assert "5 · 나 · 치워 둠" in page("ko-KR", chat=chat.chat_id).words


# --- the way to their place -------------------------------------------------------------------------


def test_a_message_found_leads_to_its_chat_and_to_its_place_here(chat: Person) -> None:
    tab = search(page(), "산책")
    address = {"chat": [chat.chat_id], "message": ["3"]}
    assert [(label, where, query) for label, where, query in links(tab)] == [
        ("Open in its chat", "chat", address),
        ("Show here", "history", address),
    ]


def test_following_a_link_to_this_page_leaves_the_search(chat: Person) -> None:
    tab = search(page(), "산책")
    tab.at.query_params = {"chat": chat.chat_id, "message": "3"}
    tab.run()
    assert "the message you came for" in tab.words
    assert "Messages found" not in tab.words


@pytest.fixture
def long(person: Person) -> Person:
    person.chat_id = add_chat(person.app, person.owner.id, 300)
    return person


def at(person: Person, message: str, locale: str = "en-US") -> Tab:
    return Tab(locale, chat=person.chat_id, message=message).open()


def texts(tab: Tab) -> str:
    return "\n".join(text for _, text in tab.said)


def test_a_message_opens_in_its_chat_marked_with_those_around_it(long: Person) -> None:
    tab = at(long, "100")
    assert "number 100 " in texts(tab)
    assert "number 99:" in texts(tab)
    assert "number 101:" in texts(tab)
    assert "number 299:" not in texts(tab)
    assert len(tab.said) == 24
    assert "Messages 88–111 of 300" in tab.words
    assert "number 100 " in tab.at.main.get_by_key("sought").markdown[0].value  # type: ignore[union-attr]


@pytest.mark.parametrize("number", ["1", "5", "12", "13"])
def test_the_very_first_messages_can_be_opened(long: Person, number: str) -> None:
    tab = at(long, number)
    assert "number 1:" in texts(tab) or number == "13"
    assert f"number {number}" in texts(tab)
    assert tab.has_button("to-newest")


def test_from_an_old_place_one_click_leads_to_the_newest(long: Person) -> None:
    tab = at(long, "5").click("to-newest")
    assert "number 300 " in texts(tab)
    assert len(tab.said) == 24
    assert "message" not in tab.at.query_params
    assert not tab.has_button("to-newest")
    assert tab.has_button("earlier")


def test_the_way_to_the_newest_speaks_korean(long: Person) -> None:
    tab = at(long, "100", "ko-KR")
    assert "전체 300개 중 메시지 88–111" in tab.words
    assert tab.button("to-newest").label == "최근으로"


def test_a_message_sent_from_an_old_place_is_seen_at_the_end(long: Person) -> None:
    tab = at(long, "100").say("And now?")
    assert tab.said[-2] == ("user", "And now?")
    assert "message" not in tab.at.query_params


def test_a_retry_from_an_old_place_is_seen_at_the_end(long: Person) -> None:
    long.say("And now?")
    tab = at(long, "100").send("/retry").settle()
    assert [text.splitlines()[0] for _, text in tab.said[-2:]] == ["And now?", "Understood."]
    assert "2 of 2" in tab.words
    assert "message" not in tab.at.query_params


def test_one_of_the_newest_is_shown_at_its_place_without_a_way_to_the_newest(long: Person) -> None:
    tab = at(long, "295")
    assert "number 300 " in texts(tab)
    assert not tab.has_button("to-newest")
    assert tab.has_button("earlier")


@pytest.mark.parametrize(
    "number", ["0", "-1", "x", "1e3", "9" * 40, "999999999", "٣", "", "1.5", "' OR 1=1 --", "<b>"]
)
def test_nonsense_in_the_address_shows_the_newest(long: Person, number: str) -> None:
    tab = at(long, number)
    assert "number 300 " in texts(tab)
    assert not tab.has_button("to-newest")


def test_nonsense_in_the_address_of_a_new_chat_is_a_new_chat(person: Person) -> None:
    tab = Tab(message="5").open()
    assert tab.at.title[0].value == "A chat whose memory you can see"
    assert tab.say("Hello").said[0] == ("user", "Hello")


def test_a_place_where_everything_was_set_aside_shows_the_chat_as_it_is_now(long: Person) -> None:
    long.app.chat.reset(long.owner, long.chat_id)
    long.say("A fresh start")
    tab = at(long, "5")
    assert tab.said[0] == ("user", "A fresh start")
    assert not tab.at.main.title


def test_a_foreign_chat_with_a_message_in_its_address_is_not_found(long: Person) -> None:
    stranger = Person(long.app, long.app.store.owners.enter("b" * 64, "browser"))
    stranger.say("The stranger's words")
    assert "This chat was not found." in at(stranger, "1").notices


# --- taking one chat along --------------------------------------------------------------------------


def downloads(tab: Tab) -> dict[str, Any]:
    return {button.key.partition(f"-{tab.chat_id}")[0]: button for button in tab.at.main.download_button}


def test_a_chat_is_exported_to_read_or_to_take_along(chat: Person) -> None:
    tab = page(chat=chat.chat_id)
    buttons = downloads(tab)
    assert {name: button.label for name, button in buttons.items()} == {
        "export-markdown": "Markdown, to read",
        "export-json": "JSON, to take along",
    }
    korean = downloads(page("ko-KR", chat=chat.chat_id))
    assert [button.label for button in korean.values()] == ["Markdown (읽기용)", "JSON (옮기기용)"]


def test_the_exports_hold_this_chat_and_no_other(chat: Person, environment: pytest.MonkeyPatch) -> None:
    other = Person(chat.app, chat.owner)
    other.say("Something else entirely")
    made = exported(environment, chat)
    assert set(made) == {".md", ".json"}
    for data in made.values():
        assert "Bori" in data
        assert "Something else" not in data
    [stored] = json.loads(made[".json"])["conversations"]
    assert len(stored["messages"]) == 6
    assert made[".md"].startswith("# Pets")


def exported(environment: pytest.MonkeyPatch, person: Person) -> dict[str, str]:
    """What the two buttons would hand out, by the ending of the file's name."""
    made: dict[str, str] = {}

    def press(label: str, data: Any, file_name: str, **_: Any) -> bool:
        made[file_name[file_name.rindex(".") :]] = data()
        return False

    environment.setattr(st, "download_button", press)
    page(chat=person.chat_id)
    return made
