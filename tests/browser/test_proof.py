"""What a person sees of the proof, and what they can do about it: receipts, provenance, the loss meter, versions,
editing and forgetting. What was said before is said by the core in this process; everything else is clicked.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import StartApp, Visit
from tests.browser.running import RunningApp
from tests.browser.screen import PATIENCE, PHONE, Screen
from tests.conftest import Person
from tests.stored import everything_stored, rows, wait_for_rows
from tests.wire.server import Json, ModelServer, Reply

TOLD = {
    "en-US": (
        "My name is Mina and I live in Busan.",
        "My cat is called Nabi, she is 4 years old.",
        "The locker code is KX-204.",
        "Marta's party is on March 14 at 3 PM.",
        "I like green tea.",
        "The budget is 3,000 won.",
        "What did I tell you about my cat?",
    ),
    "ko-KR": (
        "나는 민아이고 부산에 살아.",
        "고양이 이름은 나비야, 네 살이야.",
        "사물함 비밀번호는 KX-204야.",
        "김서준 씨 생일은 3월 14일이야.",
        "녹차를 좋아해.",
        "예산은 3천 원이야.",
        "내 고양이가 몇 살이라고 했지?",
    ),
}
FOLD = 6
"""Turns until the first fold."""


@pytest.fixture(scope="module")
def app(start_app: StartApp) -> Iterator[RunningApp]:
    """The teaching model answers, at once."""
    running = start_app(CHATMEM_TEACHING_PACE="0")
    yield running
    running.stop()


def tell(person: Person, turns: int = len(TOLD["en-US"]), locale: str = "en-US") -> Person:
    for text in TOLD[locale][:turns]:
        person.say(text)
    return person


def id_of(person: Person, number: int) -> int:
    return person.message(number).id


def receipt(screen: Screen, reply_id: int) -> Locator:
    return screen.button(f"receipt-{reply_id}")


def open_receipt(screen: Screen, reply_id: int) -> Locator:
    receipt(screen, reply_id).click()
    opened = screen.keyed(f"opened-{reply_id}")
    expect(opened.get_by_role("tab").last).to_be_visible()
    return opened


def turn_to(opened: Locator, name: str) -> None:
    opened.get_by_role("tab", name=name, exact=True).click()
    expect(opened.get_by_role("tab", name=name, exact=True)).to_have_attribute("aria-selected", "true")


# --- the receipt --------------------------------------------------------------------------------------------


def test_a_receipt_is_one_quiet_line_that_opens_in_its_place_and_closes(app: RunningApp, visit: Visit) -> None:
    screen, person = visit(app)
    tell(person)
    screen.open_chat(person.chat_id)
    first, recalled = id_of(person, 2), id_of(person, 14)
    expect(receipt(screen, first)).to_contain_text("saved 1")
    expect(receipt(screen, recalled)).to_contain_text(
        re.compile(r"fact.* · summary v1 · messages 8–13 · \d+ tokens")
    )
    screen.shot("chat")

    opened = open_receipt(screen, recalled)
    for section in ("Instructions", "Facts about you", "Summary and pins", "Window", "Question"):
        expect(
            opened.get_by_test_id("stMarkdown").filter(has_text=re.compile(rf"^{section} \d+ tokens"))
        ).to_be_visible()
    expect(opened).to_contain_text("13 · You")
    colours = [edge.evaluate("e => getComputedStyle(e).borderLeftColor") for edge in screen.keyed("sent-").all()]
    assert len(set(colours)) == len(colours) >= 5
    screen.keyed(f"row-{recalled}").scroll_into_view_if_needed()
    screen.shot("receipt-sent")
    assert opened.evaluate("e => getComputedStyle(e).position") in ("static", "relative")
    # Both edges of one moment: the page may still be scrolling.
    top, bottom, reply_top, reply_bottom = opened.evaluate(
        """(opened, reply) => [opened, reply].flatMap((element) => {
            const box = element.getBoundingClientRect()
            return [box.top, box.bottom]
        })""",
        screen.bubbles.last.element_handle(),
    )
    assert reply_top <= top < bottom <= reply_bottom, "it covers something"

    turn_to(opened, "Changed")
    expect(opened).to_contain_text("Came into the window")
    screen.shot("receipt-changed")
    turn_to(opened, "Facts")
    expect(opened).to_contain_text(re.compile(r"score 0\.\d\d"))
    screen.shot("receipt-facts")
    turn_to(opened, "Details")
    expect(opened).to_contain_text("Prepared in")
    screen.shot("receipt-details")
    receipt(screen, recalled).click()
    expect(screen.keyed("opened-")).to_have_count(0)


def test_a_receipt_opens_and_closes_with_the_keyboard(app: RunningApp, visit: Visit) -> None:
    screen, person = visit(app)
    tell(person, 1)
    screen.open_chat(person.chat_id)
    line = receipt(screen, id_of(person, 2))
    line.focus()
    screen.page.keyboard.press("Enter")
    expect(screen.keyed("opened-")).to_be_visible()
    expect(line).to_be_focused()
    screen.page.keyboard.press("Enter")
    expect(screen.keyed("opened-")).to_have_count(0)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_at_360_pixels_a_receipt_is_readable_in_korean(app: RunningApp, visit: Visit, scheme: str) -> None:
    screen, person = visit(app, locale="ko-KR", color_scheme=scheme, **PHONE)
    tell(person, locale="ko-KR")
    screen.open_chat(person.chat_id)
    screen.shot(f"360-{scheme}-chat")
    opened = open_receipt(screen, id_of(person, 14))
    screen.keyed("row-").last.scroll_into_view_if_needed()
    screen.shot(f"360-{scheme}-receipt")
    for name in ("달라진 것", "기억", "자세히"):
        turn_to(opened, name)
        screen.assert_fits()
        screen.shot(f"360-{scheme}-receipt-{name}")


# --- where everything came from, and where it went ----------------------------------------------------------


def test_a_fact_and_an_original_lead_to_their_message_and_a_message_to_all_that_came_of_it(
    app: RunningApp, visit: Visit
) -> None:
    screen, person = visit(app)
    tell(person)
    screen.open("/memory")
    screen.main.locator("[class*='st-key-fact-'] summary").filter(has_text="Nabi").click()
    screen.page.get_by_role("link", name="Open the message").first.click()
    expect(screen.sought).to_contain_text("My cat is called Nabi")
    expect(screen.sought).to_contain_text("3 · You")
    expect(screen.sought).to_be_in_viewport()
    screen.shot("sought")

    screen.open_chat(person.chat_id)
    screen.choose_for_message(id_of(person, 3), "Where this went")
    for words in ("Folded into summary v1", "in force", "Facts it proves", "As said, for replies 4, 6"):
        expect(screen.dialog).to_contain_text(words)
    screen.shot("where")
    screen.dialog.get_by_role("link", name=re.compile("Open reply")).last.click()
    expect(screen.sought).to_contain_text("· Chat")
    screen.assert_no_exception()


def test_a_summary_leads_to_its_messages_and_to_the_version_it_carries_on(app: RunningApp, visit: Visit) -> None:
    screen, person = visit(app)
    tell(person, FOLD)
    person.app.versions.edit(person.owner.id, person.chat_id, 1, "Background: Mina and Nabi.", [], 500)
    screen.open_chat(person.chat_id)
    screen.button("open-summary").click()
    expect(screen.dialog).to_contain_text("edited by you")
    screen.button("parent-2").click()
    expect(screen.dialog).to_contain_text("folded messages 1–7")
    screen.dialog.get_by_role("link", name="Open its messages").click()
    expect(screen.sought).to_contain_text("My name is Mina")
    expect(screen.dialog).to_have_count(0)


# --- what a fold loses --------------------------------------------------------------------------------------

GATE = threading.Event()
GATE.set()
LOSSY = "<summary>\nBackground: a person who plans something.\n</summary>"
LOSSY_KOREAN = "<summary>\n배경: 무언가를 계획하는 사람.\n</summary>"


def forgetful(body: Json) -> Reply:
    """A helper model whose summaries drop every name and number."""
    rules, *_, said = (message["content"] for message in body["messages"])
    if "<known>" in said:
        return Reply('{"operations": []}')
    if "<transcript>" in said:
        if "<summary>" not in rules:
            return Reply("Plans")
        return Reply(LOSSY_KOREAN if re.search("[가-힣]", said) else LOSSY)
    return Reply("Noted, and now a few more words to hold.", hold=GATE)


@pytest.fixture(scope="module")
def forgetful_app(start_app: StartApp) -> Iterator[RunningApp]:
    with ModelServer(forgetful) as server:
        running = start_app(OPENAI_BASE_URL=server.base_url, MODEL_NAME="m", SUMMARY_MODEL_NAME="helper")
        yield running
        running.stop()


def test_what_a_fold_lost_is_listed_and_put_back(forgetful_app: RunningApp, visit: Visit) -> None:
    screen, person = visit(forgetful_app)
    tell(person, FOLD)
    screen.open_chat(person.chat_id)
    expect(screen.folds).to_contain_text(re.compile(r"\d+ details lost"))
    before = lost(screen)
    screen.shot("loss-closed")
    screen.folds.locator("summary").click()
    expect(screen.folds).to_contain_text("Lost in this fold")
    expect(screen.folds).to_contain_text("KX-204")
    screen.folds.scroll_into_view_if_needed()
    screen.shot("loss-open")
    row = screen.folds.locator("[data-testid=stHorizontalBlock], .stHorizontalBlock").filter(has_text="KX-204")
    put_back = screen.button("put-back-").filter(has_text="Put back")
    (row.get_by_role("button") if row.count() else put_back).first.click()
    expect(screen.alert("Pinned")).to_be_visible()
    expect(screen.folds).to_contain_text(re.compile(rf"\b{before - 1} details? lost"))
    screen.button("put-back-all").click()
    expect(screen.folds).not_to_contain_text("lost")
    expect(screen.folds.last).to_contain_text("KX-204")
    screen.shot("loss-put-back")
    assert person.memory.head.version == 3
    screen.say("And now?")
    opened = open_receipt(screen, person.messages[-1].id)
    opened.locator("summary").filter(has_text="Notes on").first.click()
    expect(opened).to_contain_text("The locker code is KX-204")


def lost(screen: Screen) -> int:
    found = re.search(r"(\d+) details lost", screen.folds.inner_text())
    assert found
    return int(found[1])


def test_a_fold_is_foretold_held_and_pinned_before(forgetful_app: RunningApp, visit: Visit) -> None:
    screen, person = visit(forgetful_app)
    tell(person, FOLD - 1)
    screen.open_chat(person.chat_id)
    expect(screen.sidebar).to_contain_text("The next message folds 1–7")
    screen.keyed("forecast").scroll_into_view_if_needed()
    screen.shot("forecast")
    screen.button("open-pins").click()
    box = screen.dialog.get_by_test_id("stCheckbox").filter(has_text="KX-204")
    box.locator("label").click()
    expect(box.get_by_role("checkbox")).to_be_checked()
    screen.shot("pins")
    screen.button("pins-save").click()
    expect(screen.alert("Pinned: 1")).to_be_visible()
    screen.button("hold").click()
    expect(screen.sidebar).to_contain_text("Folding is on hold")
    screen.shot("held")
    screen.say("One more thing.")
    expect(screen.folds).to_have_count(0)
    screen.button("hold").click()
    expect(screen.sidebar).to_contain_text("The next message folds 1–9")
    screen.say("And another.")
    expect(screen.folds).to_have_count(1)
    screen.folds.locator("summary").click()
    expect(screen.folds).to_contain_text("[5] The locker code is KX-204.")


def test_an_open_receipt_stays_while_the_next_reply_streams(forgetful_app: RunningApp, visit: Visit) -> None:
    screen, person = visit(forgetful_app)
    tell(person, 1)
    screen.open_chat(person.chat_id)
    opened = open_receipt(screen, id_of(person, 2))
    turn_to(opened, "Details")
    GATE.clear()
    try:
        screen.send("Something long, please.")
        expect(screen.bubbles.last).to_contain_text("Noted", timeout=PATIENCE)
        expect(screen.stop_button).to_be_visible()
        expect(opened.get_by_text("Prepared in")).to_be_visible()
        turn_to(opened, "Sent")
    finally:
        GATE.set()
    expect(screen.bubbles.last).to_contain_text("to hold.", timeout=PATIENCE)
    screen.wait_until_idle()
    expect(opened.get_by_text("Exactly what the model was given")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_at_360_pixels_the_loss_meter_and_its_texts_fit_in_korean(
    forgetful_app: RunningApp, visit: Visit, scheme: str
) -> None:
    screen, person = visit(forgetful_app, locale="ko-KR", color_scheme=scheme, **PHONE)
    tell(person, FOLD, "ko-KR")
    screen.open_chat(person.chat_id)
    expect(screen.folds).to_contain_text("사라진 세부")
    screen.folds.locator("summary").click()
    expect(screen.folds).to_contain_text("이 요약에서 사라진 것")
    screen.folds.scroll_into_view_if_needed()
    screen.assert_fits()
    screen.shot(f"360-{scheme}-loss")


# --- versions -----------------------------------------------------------------------------------------------


def test_versions_are_compared_edited_taken_back_and_rebuilt(app: RunningApp, visit: Visit) -> None:
    screen, person = visit(app)
    tell(person, FOLD)
    screen.open_chat(person.chat_id)
    screen.button("open-summary").click()
    expect(screen.dialog).to_contain_text("Summary v1: messages 1–7")
    screen.shot("version-1")
    screen.button("version-edit").click()
    field = screen.dialog.get_by_role("textbox", name="Summary")
    field.fill("")
    screen.button("summary-save").click()
    expect(screen.dialog.get_by_test_id("stAlert")).to_be_visible()
    field.fill("Background: Mina of Busan; her cat Nabi; likes tulips.")
    screen.shot("version-edit")
    screen.button("summary-save").click()
    expect(screen.dialog).to_contain_text("edited by you")
    screen.dialog.get_by_text("Compare with v1").click()
    expect(screen.dialog.locator("ins").filter(has_text="tulips").first).to_be_visible()
    screen.shot("version-compared")

    choose_version(screen, "v1")
    screen.button("version-use").click()
    expect(screen.alert("Summary v1 is in force now")).to_be_visible()
    expect(screen.dialog).to_have_count(0)
    assert person.memory.head.version == 1

    screen.button("open-summary").click()
    screen.button("version-rebuild").click()
    wait_for_rows(
        app.database, [("rebuild",)],
        "SELECT s.how FROM summaries s JOIN conversations c ON c.head_id = s.id WHERE c.id = ?", person.chat_id,
    )  # fmt: skip
    screen.wait_until_idle()
    screen.button("open-summary").click()
    expect(screen.dialog).to_contain_text("rebuilt from messages 1–7")
    screen.shot("version-rebuilt")
    choose_version(screen, "v3")
    screen.button("version-none").click()
    expect(screen.alert("No summary is in force now")).to_be_visible()
    expect(screen.sidebar).to_contain_text("No summary yet")


def choose_version(screen: Screen, name: str) -> None:
    screen.dialog.get_by_role("combobox").click()
    screen.page.get_by_role("option", name=re.compile(rf"^{name}\b")).click()
    expect(screen.dialog).to_contain_text(f"Summary {name}:")


# --- editing ------------------------------------------------------------------------------------------------


def test_an_edited_message_keeps_both_ways_and_the_pager_leads_between_them(app: RunningApp, visit: Visit) -> None:
    screen, person = visit(app)
    tell(person, 3)
    screen.open_chat(person.chat_id)
    screen.choose_for_message(id_of(person, 3), "Edit")
    field = screen.keyed("edit-message-").get_by_role("textbox")
    expect(field).to_have_value(TOLD["en-US"][1])
    expect(screen.main).to_contain_text("This message and the 3 after it are set aside")
    screen.shot("edit")
    screen.button("edit-cancel-").click()
    expect(field).to_have_count(0)
    screen.choose_for_message(id_of(person, 3), "Edit")
    field.fill("My cat is called Nabi, she is 5 years old.")
    screen.button("edit-send-").click()
    expect(screen.bubbles).to_have_count(4, timeout=PATIENCE)
    screen.wait_until_idle()
    expect(screen.bubble(2)).to_have_text("My cat is called Nabi, she is 5 years old.")
    expect(screen.keyed("fork-")).to_contain_text("2 of 2")
    screen.shot("edited")
    screen.button("branch-before-").click()
    expect(screen.bubbles).to_have_count(6)
    expect(screen.bubble(2)).to_have_text(TOLD["en-US"][1])
    expect(screen.keyed("fork-")).to_contain_text("1 of 2")
    screen.button("branch-after-").click()
    expect(screen.bubbles).to_have_count(4)
    expect(screen.keyed("fork-")).to_contain_text("2 of 2")


def test_another_answer_keeps_the_first_one_behind_the_pager(app: RunningApp, visit: Visit) -> None:
    screen, person = visit(app)
    tell(person, 1)
    screen.open_chat(person.chat_id)
    screen.button("retry-").click()
    expect(screen.keyed("fork-")).to_contain_text("2 of 2", timeout=PATIENCE)
    screen.wait_until_idle()
    screen.shot("another-answer")
    screen.button("branch-before-").click()
    expect(screen.keyed("fork-")).to_contain_text("1 of 2")
    expect(screen.bubbles).to_have_count(2)


def test_deleting_from_here_can_be_looked_at_and_brought_back(app: RunningApp, visit: Visit) -> None:
    screen, person = visit(app)
    tell(person, 3)
    screen.open_chat(person.chat_id)
    screen.choose_for_message(id_of(person, 3), "Delete from here")
    expect(screen.bubbles).to_have_count(2)
    aside = screen.keyed("aside-")
    expect(aside).to_contain_text("Set aside here: 4 messages")
    screen.shot("deleted")
    screen.button("look-").click()
    expect(screen.dialog).to_contain_text("The locker code is KX-204.")
    screen.shot("deleted-look")
    screen.page.keyboard.press("Escape")
    expect(screen.dialog).to_have_count(0)
    screen.button("bring-back-").click()
    expect(screen.bubbles).to_have_count(6)
    expect(aside).to_have_count(0)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_at_360_pixels_menus_forms_and_dialogs_fit_in_korean(app: RunningApp, visit: Visit, scheme: str) -> None:
    screen, person = visit(app, locale="ko-KR", color_scheme=scheme, **PHONE)
    person.say("Donaudampfschifffahrtsgesellschaftskapitän" * 3)
    tell(person, FOLD - 1, "ko-KR")
    screen.open_chat(person.chat_id)
    screen.button(f"menu-message-{id_of(person, 3)}").click()
    expect(screen.page.get_by_text("이 메시지가 간 곳")).to_be_visible()
    screen.shot(f"360-{scheme}-menu")
    screen.page.keyboard.press("Escape")
    for name in ("이 메시지가 간 곳", "완전히 잊기…"):
        screen.choose_for_message(id_of(person, 3), name)
        expect(screen.dialog).to_be_visible()
        expect(screen.dialog).to_contain_text("나는 민아이고")
        screen.assert_fits()
        screen.shot(f"360-{scheme}-{name[:3].strip()}")
        screen.page.keyboard.press("Escape")
        expect(screen.dialog).to_have_count(0)
    screen.choose_for_message(id_of(person, 1), "고쳐서 다시 보내기")
    expect(screen.button("edit-send-")).to_be_visible()
    screen.assert_fits()
    screen.shot(f"360-{scheme}-edit")
    screen.send("/summary")
    expect(screen.dialog).to_contain_text("요약 v1")
    screen.assert_fits()
    screen.shot(f"360-{scheme}-summary")


# --- forgetting ---------------------------------------------------------------------------------------------


def test_a_forgotten_message_is_found_nowhere_afterwards(app: RunningApp, visit: Visit) -> None:
    screen, person = visit(app)
    tell(person)
    screen.open_chat(person.chat_id)
    screen.choose_for_message(id_of(person, 3), "Forget for good")
    for words in ("Everything below goes for good", "the answer, which repeats it", "Receipts that will say"):
        expect(screen.dialog).to_contain_text(words)
    screen.shot("forget-message")
    for box in screen.dialog.get_by_test_id("stCheckbox").all():
        if not box.get_by_role("checkbox").is_checked():
            box.locator("label").click()
            expect(box.get_by_role("checkbox")).to_be_checked()
    screen.button("forget-confirm").click()
    expect(screen.alert("Forgotten.")).to_contain_text("nothing found")
    screen.wait_until_idle()
    screen.shot("forgotten")
    assert_gone(screen, "Nabi")
    opened = open_receipt(screen, id_of(person, 10))
    expect(opened).to_contain_text("forgotten since")
    screen.shot("forgotten-receipt")
    assert_gone(screen, "Nabi")
    screen.open("/memory")
    expect(screen.main).to_contain_text("Busan")
    assert_gone(screen, "Nabi")
    screen.open(f"/history?chat={person.chat_id}")
    expect(screen.main).to_contain_text("This message was forgotten on")
    screen.shot("forgotten-history")
    assert_gone(screen, "Nabi")
    search = screen.main.get_by_role("searchbox")
    search.fill("Nabi")
    search.press("Enter")
    expect(screen.main).to_contain_text("No message holds all of these words.")
    assert "Nabi" not in str(
        rows(app.database, "SELECT text FROM messages WHERE conversation_id = ?", person.chat_id)
    )


def assert_gone(screen: Screen, word: str) -> None:
    """Nowhere in the page, once the run that draws it is over."""
    screen.page.wait_for_function("word => !document.documentElement.outerHTML.includes(word)", arg=word)


def test_a_fact_is_forgotten_with_everything_it_came_from(app: RunningApp, visit: Visit) -> None:
    screen, person = visit(app)
    for text in ("My passport number is Q8812345.", "I like green tea."):
        person.say(text)
    screen.open("/memory")
    screen.main.locator("[class*='st-key-fact-'] summary").filter(has_text="Q8812345").click()
    screen.button("ask-").click()
    expect(screen.dialog).to_contain_text("My passport number is Q8812345.")
    screen.shot("forget-fact")
    screen.button("forget-confirm").click()
    expect(screen.alert("Forgotten.")).to_be_visible()
    expect(screen.main).to_contain_text("green tea")
    assert_gone(screen, "Q8812345")
    screen.open_chat(person.chat_id)
    assert_gone(screen, "Q8812345")
    assert "Q8812345" not in everything_stored(app.database)


def test_a_deleted_chat_asks_about_its_facts_and_they_go_with_it(app: RunningApp, visit: Visit) -> None:
    screen, person = visit(app)
    tell(person, 2)
    screen.open_chat(person.chat_id)
    screen.choose_in_menu(person.chat_id, "Delete")
    expect(screen.dialog).to_contain_text("facts learned only in it")
    screen.dialog.get_by_test_id("stCheckbox").locator("label").click()
    expect(screen.dialog.get_by_role("checkbox")).to_be_checked()
    screen.shot("delete-chat")
    screen.button("delete-confirm").click()
    expect(screen.sidebar).to_contain_text("Deleted “")
    expect(screen.page.get_by_role("heading", name="A chat whose memory you can see")).to_be_visible()
    screen.button("undo-delete").click()
    expect(screen.button(f"chat-{person.chat_id}")).to_be_visible()
    screen.choose_in_menu(person.chat_id, "Delete")
    screen.dialog.get_by_test_id("stCheckbox").locator("label").click()
    expect(screen.dialog.get_by_role("checkbox")).to_be_checked()
    screen.button("delete-confirm").click()
    expect(screen.dialog).to_have_count(0)
    expect(screen.button("chat-")).to_have_count(0)
    assert_gone(screen, "Nabi")
    wait_for_rows(app.database, [(0,)], "SELECT count(*) FROM facts WHERE owner_id = ?", person.owner.id)
    assert "Nabi" not in str(
        rows(app.database, "SELECT text FROM messages WHERE conversation_id = ?", person.chat_id)
    )


def test_forgetting_everything_asks_for_a_word_and_leaves_nothing(app: RunningApp, visit: Visit) -> None:
    screen, person = visit(app)
    tell(person, 1)
    screen.open("/settings")
    screen.button("forget-everything").click()
    expect(screen.dialog).to_contain_text("This cannot be undone")
    expect(screen.button("everything-confirm")).to_be_disabled()
    screen.dialog.get_by_role("textbox").fill("forget")
    screen.dialog.get_by_role("textbox").press("Enter")
    expect(screen.button("everything-confirm")).to_be_enabled()
    screen.shot("forget-everything")
    screen.button("everything-confirm").click()
    expect(screen.alert("Everything is forgotten.")).to_be_visible()
    expect(screen.button("chat-")).to_have_count(0)
    owner = person.owner.id
    assert rows(app.database, "SELECT count(*) FROM conversations WHERE owner_id = ?", owner) == [(0,)]
    assert rows(app.database, "SELECT count(*) FROM facts WHERE owner_id = ?", owner) == [(0,)]
    screen.open(f"/?chat={person.chat_id}")
    expect(screen.alert("This chat was not found.")).to_be_visible()
