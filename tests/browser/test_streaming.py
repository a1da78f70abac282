"""A reply on its way, and everything a person may do meanwhile. The model's server is real, and slow.

In every case the answer ends whole, in its own chat, once: on screen, in the database, and at the server.
With `held` it waits in its middle until the test lets it go on, however slow the machine is.
"""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.conftest import NewScreen, StartApp
from tests.browser.running import RunningApp
from tests.browser.screen import PATIENCE, Screen
from tests.stored import execute, rows, wait_for_rows
from tests.wire.server import Json, ModelServer, Reply, failure

WORDS = 60
MIDDLE = WORDS // 2
PER_TOKEN = 0.04
SUMMARY = "<summary>\nBackground: a person who tests.\nDiscussed: slow answers.\n</summary>"


def answer_to(question: str) -> str:
    """What the server says to a question: its own words, so that each answer is known by its question."""
    words = " ".join(f"w{number}" for number in range(1, WORDS + 1))
    return f"About {question}: {words} end."


def speak(body: Json) -> Reply:
    rules, *_, said = (message["content"] for message in body["messages"])
    if "<known>" in said:
        return Reply('{"operations": []}')
    if "<transcript>" in said:
        is_title = "<summary>" not in rules
        return Reply("A slow title" if is_title else SUMMARY)
    return Reply(answer_to(said), per_token=PER_TOKEN, hold=GATE)


GATE = threading.Event()
GATE.set()


@pytest.fixture
def held() -> Iterator[threading.Event]:
    """Replies stop at their middle until this is set."""
    GATE.clear()
    yield GATE
    GATE.set()


@pytest.fixture(scope="module")
def server() -> Iterator[ModelServer]:
    with ModelServer(speak) as running:
        yield running


@pytest.fixture(scope="module")
def app(start_app: StartApp, server: ModelServer) -> Iterator[RunningApp]:
    running = start_app(OPENAI_BASE_URL=server.base_url, MODEL_NAME="slow-model", SUMMARY_MODEL_NAME="helper")
    yield running
    running.stop()


@pytest.fixture
def screen(app: RunningApp, new_screen: NewScreen) -> Screen:
    return new_screen(app).open()


def word(screen: Screen, number: int) -> None:
    """Wait until a word of the reply is on screen."""
    expect(screen.bubbles.last).to_contain_text(re.compile(rf"\bw{number}\b"), timeout=PATIENCE)


def assert_answered_once(screen: Screen, server: ModelServer, question: str) -> None:
    """On screen, in the database and at the server. What was held is let go."""
    GATE.set()
    whole = answer_to(question)
    expect(screen.last).to_have_text(whole, timeout=PATIENCE)
    screen.wait_until_idle()
    expect(screen.bubbles.filter(has_text="w1 ")).to_have_count(1)
    chat = screen.chat_id
    found = rows(screen.app.database, "SELECT conversation_id, status FROM messages WHERE text = ?", whole)
    assert found == [(chat, "complete")]
    assert rows(screen.app.database, "SELECT conversation_id FROM messages WHERE text = ?", question) == [(chat,)]
    assert asked(server, question) == 1


def asked(server: ModelServer, question: str) -> int:
    return sum(request.messages[-1]["content"] == question for request in server.requests)


# --- clicks -------------------------------------------------------------------------------------------------


def open_history(screen: Screen) -> None:
    screen.button("open-history").click()
    expect(screen.dialog).to_contain_text("What the model has now")
    screen.page.keyboard.press("Escape")


def open_summary(screen: Screen) -> None:
    screen.button("open-summary").click()
    expect(screen.dialog).to_contain_text("There is no summary yet")
    screen.page.keyboard.press("Escape")


def look_at_another_chat_and_back(screen: Screen) -> None:
    chat = screen.chat_id
    screen.button("new-chat").click()
    expect(screen.page.get_by_role("heading", name="A chat whose memory you can see")).to_be_visible()
    expect(screen.bubbles).to_have_count(0)
    screen.button(f"chat-{chat}").click()


def look_at_settings_and_back(screen: Screen) -> None:
    screen.page.get_by_test_id("stPageLink").filter(has_text="Settings").click()
    expect(screen.page.get_by_role("heading", name="Settings")).to_be_visible()
    screen.page.get_by_test_id("stPageLink").filter(has_text="Chat").first.click()


def look_at_all_messages_and_back(screen: Screen) -> None:
    screen.page.get_by_test_id("stPageLink").filter(has_text="All messages").click()
    expect(screen.page.get_by_role("heading", name="All messages")).to_be_visible()
    expect(screen.page.get_by_test_id("stMain")).to_contain_text("being written")
    screen.button("back").click()


def search_for_something(screen: Screen) -> None:
    search = screen.sidebar.get_by_role("searchbox")
    search.fill("nothing holds this")
    search.press("Enter")
    expect(screen.sidebar).to_contain_text("No chat holds")
    search.fill("")
    search.press("Enter")


CLICKS: dict[str, Callable[[Screen], None]] = {
    "History": open_history,
    "Summary": open_summary,
    "another chat": look_at_another_chat_and_back,
    "Settings": look_at_settings_and_back,
    "All messages": look_at_all_messages_and_back,
    "search": search_for_something,
}


@pytest.mark.usefixtures("held")
@pytest.mark.parametrize("click", CLICKS.values(), ids=CLICKS.keys())
def test_the_answer_outlives_a_click_in_its_middle(
    screen: Screen, server: ModelServer, click: Callable[[Screen], None], request: pytest.FixtureRequest
) -> None:
    question = f"clicking, {request.node.callspec.id}"
    screen.send(question)
    word(screen, 20)
    screen.wait_for_chat()
    click(screen)
    assert_answered_once(screen, server, question)


@pytest.mark.usefixtures("held")
def test_an_answer_stays_out_of_the_chat_that_was_switched_to(screen: Screen, server: ModelServer) -> None:
    screen.send("first chat")
    word(screen, 3)
    first = screen.wait_for_chat()
    screen.button("new-chat").click()
    expect(screen.bubbles).to_have_count(0)
    screen.send("second chat")
    expect(screen.bubbles.last).to_contain_text("About second chat: w1", timeout=PATIENCE)
    expect(screen.bubbles).to_have_count(2)
    screen.page.wait_for_function("chat => !location.search.includes(chat)", arg=first)
    assert_answered_once(screen, server, "second chat")
    screen.button(f"chat-{first}").click()
    expect(screen.bubble(0)).to_have_text("first chat")
    assert_answered_once(screen, server, "first chat")


def test_the_end_of_a_reply_leaves_an_open_dialog_alone(
    screen: Screen, server: ModelServer, held: threading.Event
) -> None:
    screen.send("reading a dialog")
    word(screen, 20)
    chat = screen.wait_for_chat()
    screen.button("open-history").click()
    expect(screen.dialog).to_contain_text("What the model has now")
    screen.dialog.evaluate("dialog => { dialog.dataset.mine = 'yes' }")
    held.set()
    status = "SELECT status FROM messages WHERE conversation_id = ? AND role = 'assistant'"
    wait_for_rows(screen.app.database, [("complete",)], status, chat)
    expect(screen.bubbles.last).to_contain_text("end.")
    screen.page.wait_for_timeout(2_500)  # longer than any timer of the page
    expect(screen.dialog).to_be_visible()
    assert screen.dialog.get_attribute("data-mine") == "yes", "it was closed and opened again"
    screen.page.keyboard.press("Escape")
    expect(screen.dialog).to_have_count(0)
    assert_answered_once(screen, server, "reading a dialog")


def test_renaming_a_chat_while_its_reply_ends_is_not_disturbed(
    screen: Screen, server: ModelServer, held: threading.Event
) -> None:
    screen.send("renaming meanwhile")
    word(screen, 20)
    chat = screen.wait_for_chat()
    screen.choose_in_menu(chat, "Rename")
    name = screen.dialog.get_by_role("textbox")
    name.fill("Half a na")
    held.set()
    expect(screen.bubbles.last).to_contain_text("end.", timeout=PATIENCE)
    screen.page.wait_for_timeout(2_500)
    assert name.input_value() == "Half a na"
    name.fill("A whole name")
    screen.dialog.get_by_role("button", name="Save").click()
    expect(screen.dialog).to_have_count(0)
    expect(screen.button(f"chat-{chat}")).to_have_text("A whole name")
    assert_answered_once(screen, server, "renaming meanwhile")


# --- reloading, closing, a second tab -----------------------------------------------------------------------


def watch_prefixes(page: Page) -> None:
    """Note every state of the last bubble from now on."""
    page.add_init_script("""
        window.seen = []
        const look = () => {
            const bubbles = document.querySelectorAll('[data-testid=stChatMessage]')
            const words = bubbles.length === 2 && bubbles[1].querySelector('.stMarkdown')?.innerText.trim()
            if (words && words !== window.seen.at(-1)) window.seen.push(words)
            requestAnimationFrame(look)
        }
        requestAnimationFrame(look)
    """)


@pytest.mark.usefixtures("held")
def test_a_reload_shows_the_whole_beginning_and_then_the_rest(screen: Screen, server: ModelServer) -> None:
    question = "reloading"
    screen.send(question)
    word(screen, 20)
    screen.wait_for_chat()
    watch_prefixes(screen.page)
    screen.reload()
    word(screen, MIDDLE - 2)
    assert_answered_once(screen, server, question)
    seen = [text for text in screen.page.evaluate("window.seen") if text != "Thinking"]
    whole = answer_to(question)
    assert [text for text in seen if not whole.startswith(text)] == []
    assert seen[0].count(" ") >= 20
    assert len(seen) > 2, "it came in one piece"


@pytest.mark.usefixtures("held")
def test_an_answer_finishes_when_the_tab_is_closed(screen: Screen, server: ModelServer) -> None:
    screen.send("closing the tab")
    word(screen, 3)
    chat, context = screen.wait_for_chat(), screen.page.context
    screen.page.close()
    again = Screen(context.new_page(), screen.app).open(f"/?chat={chat}")
    expect(again.bubble(0)).to_have_text("closing the tab")
    assert_answered_once(again, server, "closing the tab")


def test_nobody_needs_to_look_for_an_answer_to_finish(screen: Screen, server: ModelServer) -> None:
    question = "nobody looks"
    screen.send(question)
    word(screen, 3)
    chat, context = screen.wait_for_chat(), screen.page.context
    screen.page.close()
    status = "SELECT status, text FROM messages WHERE conversation_id = ? AND role = 'assistant'"
    wait_for_rows(screen.app.database, [("complete", answer_to(question))], status, chat)
    assert_answered_once(Screen(context.new_page(), screen.app).open(f"/?chat={chat}"), server, question)


@pytest.mark.usefixtures("held")
def test_a_second_tab_shows_the_same_reply_as_it_comes(screen: Screen, server: ModelServer) -> None:
    screen.send("two tabs")
    word(screen, 3)
    second = Screen(screen.page.context.new_page(), screen.app).open(f"/?chat={screen.wait_for_chat()}")
    expect(second.stop_button).to_be_visible()
    word(second, MIDDLE - 2)
    word(screen, MIDDLE - 2)
    expect(second.composer).to_be_disabled()
    assert_answered_once(screen, server, "two tabs")
    assert_answered_once(second, server, "two tabs")


@pytest.mark.usefixtures("held")
def test_a_chat_that_is_deleted_in_another_tab_while_it_answers_ends_in_a_sentence(screen: Screen) -> None:
    screen.send("deleted meanwhile")
    word(screen, 20)
    chat = screen.wait_for_chat()
    second = Screen(screen.page.context.new_page(), screen.app).open("/settings")
    second.choose_in_menu(chat, "Delete")
    expect(second.sidebar).to_contain_text("Deleted “")
    not_found = screen.alert("This chat was not found.")
    # Whichever comes first: for a moment both may stand there.
    stopped = screen.page.get_by_text("Stopped here.")
    expect(not_found.or_(stopped).first).to_be_visible(timeout=PATIENCE)
    screen.assert_no_exception()
    screen.reload()
    expect(not_found).to_be_visible()


# --- stopping -----------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("held")
def test_stop_answers_at_once_and_keeps_what_was_written(screen: Screen, server: ModelServer) -> None:
    question = "stopping"
    screen.send(question)
    word(screen, 5)
    chat = screen.wait_for_chat()
    pressed = time.monotonic()
    screen.stop_button.click()
    expect(screen.page.get_by_text("Stopped here. What was written is kept.")).to_be_visible()
    took = time.monotonic() - pressed
    text, status = rows(
        screen.app.database, "SELECT text, status FROM messages WHERE conversation_id = ? AND number = 2", chat
    )[0]
    assert status == "stopped"
    assert "w5" in text
    assert "end." not in text
    assert answer_to(question).startswith(text)
    screen.wait_until_idle()
    expect(screen.last).to_have_text(text.strip())
    assert took < 3, "it is some 0.3 s on an idle machine"
    assert server.hung_up.wait(10), "the model's server still writes for nobody"
    screen.reload()
    expect(screen.last).to_have_text(text.strip())
    screen.button("retry-").click()
    assert_answered_after_retry(screen, question)


def assert_answered_after_retry(screen: Screen, question: str) -> None:
    GATE.set()
    expect(screen.last).to_have_text(answer_to(question), timeout=PATIENCE)
    screen.wait_until_idle()
    expect(screen.bubbles).to_have_count(2)
    count = "SELECT count(*) FROM messages WHERE conversation_id = ? AND role = 'user'"
    assert rows(screen.app.database, count, screen.chat_id) == [(1,)]


@pytest.mark.usefixtures("held")
def test_a_second_tab_can_stop_the_reply(screen: Screen) -> None:
    screen.send("stopped from elsewhere")
    word(screen, 3)
    second = Screen(screen.page.context.new_page(), screen.app).open(f"/?chat={screen.wait_for_chat()}")
    second.stop_button.click()
    for tab in (second, screen):
        expect(tab.page.get_by_text("Stopped here.")).to_be_visible(timeout=PATIENCE)


def test_stop_before_the_first_word_keeps_the_question(screen: Screen, server: ModelServer) -> None:
    server.script(Reply("never said", first_token=60))
    screen.send("too slow to begin")
    expect(screen.bubbles.last).to_contain_text("Thinking")
    screen.stop_button.click()
    expect(screen.page.get_by_text("Stopped before the first word. Your question is kept.")).to_be_visible()
    expect(screen.bubble(0)).to_have_text("too slow to begin")
    screen.button("retry-").click()
    assert_answered_after_retry(screen, "too slow to begin")


# --- once ---------------------------------------------------------------------------------------------------


def test_enter_twice_is_one_question_and_one_call(screen: Screen, server: ModelServer) -> None:
    screen.type("twice at once")
    screen.composer.evaluate("""area => {
        const enter = { key: "Enter", code: "Enter", keyCode: 13, bubbles: true, cancelable: true }
        area.dispatchEvent(new KeyboardEvent("keydown", enter))
        area.dispatchEvent(new KeyboardEvent("keydown", enter))
    }""")
    screen.page.keyboard.press("Enter")
    word(screen, 1)
    screen.wait_for_chat()
    assert_answered_once(screen, server, "twice at once")


def test_of_two_tabs_of_a_chat_that_send_at_once_one_is_answered_and_one_keeps_its_draft(
    screen: Screen, server: ModelServer
) -> None:
    screen.send("the chat begins")
    assert_answered_once(screen, server, "the chat begins")
    GATE.clear()
    second = Screen(screen.page.context.new_page(), screen.app).open(f"/?chat={screen.chat_id}")
    tabs = {"from the first tab": screen, "from the second tab": second}
    for text, tab in tabs.items():
        tab.type(text)
    for tab in tabs.values():
        tab.composer.press("Enter")
    questions = "SELECT text FROM messages WHERE conversation_id = ? AND number = 3"
    wait_for_rows(screen.app.database, [(1,)], f"SELECT count(*) FROM ({questions})", screen.chat_id)
    ((sent,),) = rows(screen.app.database, questions, screen.chat_id)
    winner = tabs.pop(sent)
    ((kept, loser),) = tabs.items()
    expect(loser.alert("A reply is still being written in this chat")).to_be_visible(timeout=PATIENCE)
    expect(loser.composer).to_have_value(kept)
    GATE.set()
    for tab in (winner, loser):
        expect(tab.last).to_have_text(answer_to(sent), timeout=PATIENCE)
    assert (asked(server, sent), asked(server, kept)) == (1, 0)
    expect(loser.composer).to_have_value(kept)


# --- a server that dies -------------------------------------------------------------------------------------


def test_a_reply_whose_server_was_killed_is_interrupted_and_retry_works(
    start_app: StartApp, new_screen: NewScreen, server: ModelServer
) -> None:
    app = start_app(OPENAI_BASE_URL=server.base_url, MODEL_NAME="slow-model", SUMMARY_MODEL_NAME="helper")
    screen = new_screen(app).open()
    question = "killed in the middle"
    screen.send(question)
    word(screen, 15)
    chat = screen.wait_for_chat()
    app.kill()
    (partial,) = rows(app.database, "SELECT text FROM messages WHERE conversation_id = ? AND number = 2", chat)[0]
    assert "w1" in partial
    app.start()
    execute(app.database, "UPDATE messages SET heartbeat = heartbeat - 60 WHERE status = 'streaming'")
    screen.open(f"/?chat={chat}")
    expect(screen.page.get_by_text("Interrupted here. What was written is kept.")).to_be_visible(timeout=PATIENCE)
    expect(screen.last).to_have_text(partial.strip())
    screen.wait_until_idle()
    screen.button("retry-").click()
    assert_answered_after_retry(screen, question)
    assert asked(server, question) == 2
    app.stop()


@pytest.mark.usefixtures("held")
def test_a_fresh_heartbeat_is_left_alone_by_another_process(
    start_app: StartApp, new_screen: NewScreen, screen: Screen, server: ModelServer
) -> None:
    """Another server on the same database starts while a reply streams: it is not called interrupted."""
    other = start_app(
        OPENAI_BASE_URL=server.base_url, DATABASE_URL=f"sqlite:///{screen.app.database}", MODEL_NAME="slow-model"
    )
    screen.send("two processes")
    word(screen, 3)
    cookies = screen.page.context.cookies()
    elsewhere = new_screen(other, storage_state={"cookies": cookies, "origins": []})
    elsewhere.page.goto(f"{other.url}/?chat={screen.wait_for_chat()}")
    word(elsewhere, MIDDLE - 2)
    assert_answered_once(screen, server, "two processes")
    expect(elsewhere.last).to_have_text(answer_to("two processes"), timeout=PATIENCE)
    other.stop()


# --- a server that will not ---------------------------------------------------------------------------------


@pytest.mark.parametrize("locale", ["en-US", "ko-KR"])
def test_a_refused_key_is_one_sentence_and_retry_works_once_it_is_mended(
    app: RunningApp, new_screen: NewScreen, server: ModelServer, locale: str
) -> None:
    server.script(failure(401, "Incorrect API key provided: sk-sec***ret"))
    screen = new_screen(app, locale=locale).open()
    question = f"with a wrong key, {locale}"
    screen.send(question)
    sentence = {"en-US": "refused the key", "ko-KR": "키를 거절했습니다"}[locale]
    expect(screen.alert(sentence)).to_have_count(1, timeout=PATIENCE)
    expect(screen.page.get_by_test_id("stAlert")).to_have_count(1)
    expect(screen.bubble(0)).to_have_text(question)
    assert "sk-sec" not in screen.page.inner_text("body")
    screen.wait_until_idle()
    screen.button("retry-").click()
    assert_answered_after_retry(screen, question)
    expect(screen.alert(sentence)).to_have_count(0)


def test_an_unreachable_server_is_one_sentence_and_retry_works_once_it_is_back(
    start_app: StartApp, new_screen: NewScreen
) -> None:
    server = ModelServer(speak)
    port = int(server.address.rpartition(":")[2])
    app = start_app(OPENAI_BASE_URL=server.base_url, MODEL_NAME="slow-model", SUMMARY_MODEL_NAME="helper")
    server.close()
    screen = new_screen(app, locale="ko-KR").open()
    question = "서버가 없을 때"
    screen.send(question)
    expect(screen.alert(f"모델 서버에 연결할 수 없습니다(127.0.0.1:{port})")).to_be_visible(timeout=PATIENCE)
    expect(screen.page.get_by_test_id("stAlert")).to_have_count(1)
    screen.reload()
    expect(screen.bubble(0)).to_have_text(question)
    with ModelServer(speak, port=port):
        screen.button("retry-").click()
        assert_answered_after_retry(screen, question)
    app.stop()


# --- composing Korean ---------------------------------------------------------------------------------------


def compose(context: BrowserContext, page: Page, *steps: str) -> None:
    devtools = context.new_cdp_session(page)
    for text in steps:
        devtools.send(
            "Input.imeSetComposition", {"text": text, "selectionStart": len(text), "selectionEnd": len(text)}
        )


def test_enter_that_ends_a_composition_sends_nothing_half_written(screen: Screen, server: ModelServer) -> None:
    page, context = screen.page, screen.page.context
    expect(screen.composer).to_be_enabled()
    screen.composer.click()
    compose(context, page, "ㅎ", "하", "한")
    devtools = context.new_cdp_session(page)
    enter = {"key": "Enter", "code": "Enter", "windowsVirtualKeyCode": 229}
    devtools.send("Input.dispatchKeyEvent", {"type": "rawKeyDown", **enter})
    devtools.send("Input.insertText", {"text": "한"})
    devtools.send("Input.dispatchKeyEvent", {"type": "keyUp", **enter})
    page.keyboard.insert_text("글로 씁니다")
    expect(screen.composer).to_have_value("한글로 씁니다")
    expect(screen.bubbles).to_have_count(0)
    page.keyboard.press("Enter")
    word(screen, 1)
    screen.wait_for_chat()
    assert_answered_once(screen, server, "한글로 씁니다")


def test_enter_in_safaris_order_sends_nothing_and_the_next_enter_sends_once(
    screen: Screen, server: ModelServer
) -> None:
    screen.type("사파리에서 안녕")
    screen.composer.evaluate("""area => {
        area.dispatchEvent(new CompositionEvent("compositionend", { bubbles: true, data: "녕" }))
        const enter = { key: "Enter", code: "Enter", keyCode: 229, which: 229, bubbles: true, cancelable: true }
        area.dispatchEvent(new KeyboardEvent("keydown", enter))
    }""")
    screen.page.wait_for_timeout(700)
    expect(screen.bubbles).to_have_count(0)
    expect(screen.composer).to_have_value("사파리에서 안녕")
    screen.composer.press("Enter")
    word(screen, 1)
    screen.wait_for_chat()
    assert_answered_once(screen, server, "사파리에서 안녕")


# --- the keyboard -------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("held")
def test_stop_is_reached_with_the_keyboard(screen: Screen) -> None:
    screen.composer.focus()
    screen.page.keyboard.type("stopped by keyboard")
    screen.page.keyboard.press("Enter")
    word(screen, 3)
    for _ in range(100):
        if screen.page.evaluate("!!document.activeElement?.closest('.st-key-stop')"):
            break
        screen.page.keyboard.press("Tab")
    screen.page.keyboard.press("Enter")
    expect(screen.page.get_by_text("Stopped here. What was written is kept.")).to_be_visible()
