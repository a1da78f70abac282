"""The parts that only a browser can prove: safe text, who is here, the composer's Enter, the copy button."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect
from streamlit.testing.v1 import AppTest

from tests.browser.conftest import Serve

APP = """
import streamlit as st

from pages.parts.composer_guard import composer_guard
from pages.parts.copy_button import copy_button
from pages.parts.text import draw_model_text, draw_user_text
from pages.parts.visitor import forget_browser, visitor_token

asked = st.query_params
match asked["part"]:
    case "model":
        draw_model_text(asked["text"])
    case "prefixes":
        for end in range(1, len(asked["text"]) + 1):
            draw_model_text(asked["text"][:end])
    case "user":
        draw_user_text(asked["text"] * int(asked.get("times", 1)))
    case "visitor":
        moved = st.session_state.setdefault("moved", [])
        token = visitor_token(lambda held, provisional: moved.append((held, provisional)))
        st.text(f"token {token}", width="content")
        for held, provisional in moved:
            st.text(f"moved {provisional} {held}")
        st.button("forget", on_click=forget_browser)
        st.button("again")
    case "composer":
        sent = st.session_state.setdefault("sent", [])
        if asked.get("guarded") != "no":
            composer_guard()
        st.text("first", width="content")
        st.chat_input(key="draft", on_submit=lambda: sent.append(st.session_state.draft))
        st.button("again")
        for text in sent:
            st.text(f"sent {text}")
    case "copy":
        for number in range(int(asked["count"])):
            with st.container(horizontal=True):
                copy_button(f"reply {number}\\n가", label="Copy", copied="Copied", key=f"copy-{number}")
                st.button("Retry", type="tertiary", icon=":material/refresh:", key=f"retry-{number}")
st.text("drawn")
"""

Open = Callable[..., None]


@pytest.fixture(scope="module")
def parts_script(tmp_path_factory: pytest.TempPathFactory) -> Path:
    script: Path = tmp_path_factory.mktemp("app") / "parts_app.py"
    script.write_text(APP)
    return script


@pytest.fixture(scope="module")
def parts_url(serve: Serve, parts_script: Path) -> str:
    return serve(parts_script)


@pytest.fixture
def requests_away(page: Page, parts_url: str) -> list[str]:
    """Every address the page asked for that is not the app's own."""
    away: list[str] = []
    own = (parts_url, parts_url.replace("http", "ws"), "blob:", "data:")
    page.on("request", lambda request: None if request.url.startswith(own) else away.append(request.url))
    return away


@pytest.fixture
def open_part(parts_url: str) -> Open:
    def go(page: Page, part: str, **asked: str | int) -> None:
        page.goto(f"{parts_url}/?{urlencode({'part': part, **asked})}")
        expect(page.get_by_text("drawn", exact=True)).to_be_visible(timeout=60_000)

    return go


def markdown(page: Page) -> Locator:
    return page.locator(".stMarkdown")


# --- a model's text -----------------------------------------------------------------------------------------

MERMAID = '```mermaid\nflowchart LR\n A@{ img: "https://evil.test/m.png", label: "x", w: 60, h: 60 }\n```'
SHOWN_AS_TEXT = {
    "image": "![cat](https://evil.test/a.png)",
    "reference image": "![cat][pic]",
    "html": '<img src="https://evil.test/a.png" onerror="alert(1)"> <script>alert(1)</script> <b>bold</b>',
    "emoji and icon": "say :smile: or :+1: or :material/home: or :streamlit:",
    "colours": ":red[hot] :badge[new] :shimmer[thinking] :color[x]{foreground=#f00}",
    "arrows": "a -> b <- c <-> d -- e >= f <= g ~= h",
    "times and ratios": "at 10:30[x], 비율:가[나], std::vector::size",
    "money": "US$3 and US$4, $5 to $10, $5/$10, $HOME/$PATH",
    "other links": "[a](javascript:alert(1)) [b](data:text/html,x) [c](/settings) [d](?chat=1) [e](ftp://x.y)",
    "footnote": "claim[^1] and more",
}


@pytest.mark.parametrize("text", SHOWN_AS_TEXT.values(), ids=SHOWN_AS_TEXT.keys())
def test_what_streamlit_would_rewrite_or_load_is_shown_as_it_was_written(
    page: Page, open_part: Open, requests_away: list[str], text: str
) -> None:
    # Maths and emoji are only looked for when something in the text calls for them.
    near_a_formula = f"{text}\n\n$$x^2$$ `a:b:c`"
    open_part(page, "model", text=near_a_formula)
    expect(page.locator(".katex")).to_have_count(1)
    shown = markdown(page).locator("p").first
    assert shown.inner_text() == text
    assert markdown(page).locator("img, script, b").count() == 0
    assert markdown(page).locator("a:not([href^=https])").count() == 0
    assert requests_away == []


def test_a_picture_inside_a_link_becomes_words(page: Page, open_part: Open, requests_away: list[str]) -> None:
    open_part(page, "model", text="[![build](https://evil.test/badge.svg)](https://ok.test)")
    expect(markdown(page)).to_contain_text("![build")
    assert markdown(page).locator("img").count() == 0
    assert requests_away == []


def test_links_to_the_web_and_to_mail_work(page: Page, open_part: Open) -> None:
    text = (
        "[web](https://a.test/x_(y)?q=1 'title') <https://b.test/> https://c.test/d [mail](mailto:e@f.test)"
        " **[bold](http://g.test)** [named][n]\n\n[n]: https://h.test/i 'title'"
    )
    open_part(page, "model", text=text)
    links = markdown(page).locator("a").evaluate_all("links => links.map(link => link.getAttribute('href'))")
    assert links == [
        "https://a.test/x_(y)?q=1",
        "https://b.test/",
        "https://c.test/d",
        "mailto:e@f.test",
        "http://g.test",
        "https://h.test/i",
    ]


def test_a_mermaid_diagram_is_shown_as_code_and_loads_nothing(
    page: Page, open_part: Open, requests_away: list[str]
) -> None:
    open_part(page, "model", text=MERMAID + "\n\n" + MERMAID.replace("mermaid", "Mer&#109;aid"))
    expect(markdown(page).locator("pre")).to_have_count(2)
    page.wait_for_timeout(1_500)
    assert page.get_by_test_id("stMermaidChart").count() == 0
    assert requests_away == []


def test_code_is_left_alone(page: Page, open_part: Open) -> None:
    code = 'let a = vec![1, 2]; // :red[x] -> $5 $x$ <b> [^1] ~~~\nfn f() -> &str { "![a](b)" }'
    text = (
        f"inline `vec![1] -> :x: $5 $6` and\n\n```rust\n{code}\n```\n\n"
        "1. step\n   ```sh\n   ls![a](b) $x\nforgot\n   ```"
        "\n2. next\n\n   > ~~~\n   > q![a](b)\n   > ~~~\n\n```\nunfinished ![a](b)"
    )
    open_part(page, "model", text=text)
    blocks = markdown(page).locator("pre code")
    expect(blocks).to_have_count(4)
    assert blocks.nth(0).inner_text().strip() == code
    assert blocks.nth(1).inner_text().strip() == "ls![a](b) $x\nforgot"
    assert blocks.nth(2).inner_text().strip() == "q![a](b)"
    assert blocks.nth(3).inner_text().strip() == "unfinished ![a](b)"
    assert markdown(page).locator("p code").first.inner_text() == "vec![1] -> :x: $5 $6"
    assert markdown(page).locator("ol > li").count() == 2


def test_real_maths_renders_beside_money(page: Page, open_part: Open) -> None:
    text = (
        "It costs US$3, or $4. $$\n\\frac{1}{2}\n$$\n\n$$\na < b\n$$\n\nInline $$x^2$$, $y_1 = 3$, \\(z\\), $n$; "
        "then\n\\[\n\\sum_{i=1}^n i\n\\]\nand \\[E = mc^2\\], not $5 or $6.\n\n- in a list:\n  $$\n  w\n  $$"
    )
    open_part(page, "model", text=text)
    expect(page.locator(".katex-display")).to_have_count(3)
    expect(page.locator(".katex")).to_have_count(8)
    assert page.locator(".katex-error").count() == 0
    shown = markdown(page).inner_text()
    assert "It costs US$3, or $4." in shown
    assert "not $5 or $6." in shown


def test_tables_lists_and_headings_read_as_usual(page: Page, open_part: Open) -> None:
    text = (
        "## Heading: a -> b\n\n| a | b |\n|:--|--:|\n| 10:30 | `x` |\n| -- | $5 |\n\n"
        "- one\n  - two\n    - three\n\n> quoted **bold**\n\n- [x] done"
    )
    open_part(page, "model", text=text)
    assert markdown(page).locator("h2").inner_text() == "Heading: a -> b"
    assert markdown(page).locator("td").all_inner_texts() == ["10:30", "x", "--", "$5"]
    assert markdown(page).locator("li li li").inner_text() == "three"
    assert markdown(page).locator("blockquote strong").inner_text() == "bold"
    assert markdown(page).locator("input[type=checkbox]").count() == 1


STREAMED = {
    "images": (
        "Look ![a](https://evil.test/1) [![b](https://evil.test/2)](https://ok.test) ![c][d]\n\n"
        "[d]: https://evil.test/3"
    ),
    "mermaid": "```mer\n```\n" + MERMAID + "\n~~~ Mermaid x\n" + MERMAID[11:-3] + "~~~\nend",
    "code": (
        "`a` ``![b](https://evil.test/1)`` ```\n```\nvec![c](https://evil.test/2)\n```\n![d](https://evil.test/3)"
    ),
    "hidden": (
        "http://a/`x ![i](https://evil.test/1) ` ](http://b/)`y ![i](https://evil.test/2) `\n\n<pre>\n```\n"
        "http://a/<b>`z ![i](https://evil.test/6) `\n![i](https://evil.test/3)\n\n[^1]: ```\n![i](https://evil.test/4)\n\n$$\n```\n![i](https://evil.test/5)"
    ),
    "containers": (
        "- a\n  ```\n![i](https://evil.test/1)\n\ntext\n2. ```\n![i](https://evil.test/2)\n```\n> ```\n"
        "![i](https://evil.test/3)\n\n| a |\n|---|\n| `x | ![i](https://evil.test/4) ` |"
    ),
    "directives": (
        ":smile: :red[a :blue[b]] :material/home: :::note\n![i](https://evil.test/1)\n"
        "::: $5 -> $$x^2$$ :shimmer[c]"
    ),
}


@pytest.mark.parametrize("text", STREAMED.values(), ids=STREAMED.keys())
def test_no_prefix_of_a_hostile_reply_loads_or_decorates_anything(
    page: Page, open_part: Open, requests_away: list[str], text: str
) -> None:
    open_part(page, "prefixes", text=text)
    page.wait_for_timeout(1_500)
    decorations = "img, iframe, script, .stMarkdownColoredText, .stMarkdownShimmer, .stMarkdownBadge, [role=img]"
    assert markdown(page).locator(decorations).count() == 0
    assert page.get_by_test_id("stMermaidChart").count() == 0
    assert requests_away == []


def test_without_our_care_streamlit_does_load_them(
    browser_context_with_image: tuple[Page, list[str]],
) -> None:
    """Guards the tests above: should Streamlit stop fetching images, they would prove nothing."""
    page, away = browser_context_with_image
    expect(page.get_by_text("drawn", exact=True)).to_be_visible(timeout=60_000)
    page.wait_for_timeout(1_500)
    assert "https://evil.test/a.png" in away


@pytest.fixture
def browser_context_with_image(page: Page, serve: Serve, tmp_path: Path) -> tuple[Page, list[str]]:
    script = tmp_path / "careless_app.py"
    script.write_text("import streamlit as st\nst.markdown('![a](https://evil.test/a.png)')\nst.text('drawn')\n")
    away: list[str] = []
    page.on("request", lambda request: away.append(request.url))
    page.goto(serve(script))
    return page, away


# --- a person's text ----------------------------------------------------------------------------------------


def test_a_persons_words_are_verbatim(page: Page, open_part: Open, requests_away: list[str]) -> None:
    text = "*a* $3 and $4$ <b>x</b> ![i](https://evil.test/a) :smile:\nsecond   line # not -> a heading"
    open_part(page, "user", text=text)
    assert page.get_by_test_id("stText").first.inner_text() == text
    assert requests_away == []


def test_pasted_code_keeps_its_indentation(page: Page, open_part: Open) -> None:
    text = "    def f():\n        return 1"
    open_part(page, "user", text=text)
    assert page.locator("pre code").inner_text() == text


@pytest.mark.parametrize("text", ["가나다 abc ", "line\n"], ids=["one line", "many lines"])
def test_a_megabyte_leaves_the_page_usable(page: Page, open_part: Open, text: str) -> None:
    open_part(page, "user", text=text, times=1_000_000 // len(text))
    block = page.get_by_test_id("stCode")
    expect(block).to_be_visible()
    box = block.bounding_box()
    assert box is not None
    assert box["height"] <= 420
    page.locator("pre").press("End")
    expect(page.locator("pre")).to_contain_text(re.compile(r"… \+9\d\d,\d\d\d"))


# --- who is here --------------------------------------------------------------------------------------------

COOKIE = "chatmem_visitor"


def token_on(page: Page) -> str:
    expect(page.get_by_text("drawn", exact=True)).to_be_visible()
    return page.get_by_text(re.compile(r"^token ")).inner_text().removeprefix("token ")


def kept(page: Page) -> tuple[str | None, str | None]:
    """What the browser holds: the cookie and localStorage."""
    cookies = {cookie["name"]: cookie["value"] for cookie in page.context.cookies()}
    return cookies.get(COOKIE), page.evaluate(f"localStorage.getItem('{COOKIE}')")


def wait_until_kept(page: Page, token: str) -> None:
    page.wait_for_function(f"token => localStorage.getItem('{COOKIE}') === token", arg=token)


def mounted(page: Page) -> int:
    return page.locator(f".st-key-{COOKIE}").count()


def test_a_first_visit_makes_an_id_that_a_reload_and_a_second_tab_find_again(
    page: Page, context: BrowserContext, open_part: Open
) -> None:
    open_part(page, "visitor")
    token = token_on(page)
    wait_until_kept(page, token)
    assert re.fullmatch(r"[A-Za-z0-9_-]{32}", token)
    assert kept(page) == (token, token)
    assert token not in page.url
    cookie = next(cookie for cookie in context.cookies() if cookie["name"] == COOKIE)
    assert (cookie["path"], cookie["sameSite"]) == ("/", "Lax")
    days = (cookie["expires"] - page.evaluate("Date.now()") / 1000) / 86400
    assert 399 < days <= 400

    page.reload()
    assert token_on(page) == token
    assert mounted(page) == 0
    second = context.new_page()
    open_part(second, "visitor")
    assert token_on(second) == token
    assert mounted(second) == 0


def test_an_id_is_the_same_in_every_run_of_a_first_visit(page: Page, open_part: Open) -> None:
    open_part(page, "visitor")
    token = token_on(page)
    page.get_by_role("button", name="again").click()
    page.wait_for_timeout(500)
    assert token_on(page) == token
    assert page.get_by_text("moved").count() == 0


def test_keeping_the_id_takes_no_room_on_the_page(page: Page, open_part: Open) -> None:
    def top() -> float:
        box = page.get_by_text(re.compile(r"^token ")).bounding_box()
        assert box is not None
        return box["y"]

    open_part(page, "visitor")
    wait_until_kept(page, token_on(page))
    assert mounted(page) == 1
    with_component = top()
    page.reload()
    token_on(page)
    assert mounted(page) == 0
    assert top() == with_component


@pytest.mark.parametrize("secure", [True, False], ids=["with locks", "over plain http, without locks"])
def test_tabs_opened_at_once_end_up_as_the_same_visitor(
    context: BrowserContext, open_part: Open, parts_url: str, secure: bool
) -> None:
    if not secure:
        context.add_init_script("Object.defineProperty(navigator, 'locks', { value: undefined })")
    # Whether two tabs are at it in the same moment is chance: it is tried until they were.
    met = False
    for _ in range(8):
        tabs = open_together(context, f"{parts_url}/?part=visitor", 4)
        cookie, stored = kept(tabs[0])
        assert cookie == stored
        for tab in tabs:
            expect(tab.get_by_text(f"token {cookie}", exact=True)).to_be_visible()
        met = any(tab.get_by_text(re.compile("^moved")).count() for tab in tabs)
        if met:
            break
        tabs[0].evaluate("localStorage.clear()")
        context.clear_cookies()
        for tab in tabs:
            tab.close()
    assert met, "no two tabs ever met"


def open_together(context: BrowserContext, url: str, count: int) -> list[Page]:
    """So many tabs that all go to an address in the same moment, once they have settled there."""
    tabs = [context.new_page() for _ in range(count)]
    for tab in tabs:
        tab.goto("about:blank")
    for tab in tabs:
        tab.evaluate("url => { setTimeout(() => location.href = url, 50) }", url)
    for tab in tabs:
        expect(tab.get_by_text("drawn", exact=True)).to_be_visible(timeout=60_000)
    tabs[0].wait_for_timeout(1_000)
    return tabs


def test_an_id_in_local_storage_survives_cleared_cookies_and_what_was_done_meanwhile_moves(
    page: Page, context: BrowserContext, open_part: Open
) -> None:
    open_part(page, "visitor")
    token = token_on(page)
    wait_until_kept(page, token)
    context.clear_cookies()
    page.reload()
    expect(page.get_by_text(f"token {token}", exact=True)).to_be_visible()
    expect(page.get_by_text(re.compile(rf"^moved [\w-]{{32}} {token}$"))).to_have_count(1)
    expect(page.locator(f".st-key-{COOKIE}")).to_have_count(0)
    assert kept(page) == (token, token)
    page.reload()
    assert token_on(page) == token
    assert page.get_by_text("moved").count() == 0


@pytest.mark.parametrize("value", ["short", "x" * 33, "<script>alert(1)</script>aaaaaaa", "%00" * 11])
def test_a_malformed_cookie_is_nobody(
    page: Page, context: BrowserContext, open_part: Open, parts_url: str, value: str
) -> None:
    context.add_cookies([{"name": COOKIE, "value": value, "url": parts_url}])
    open_part(page, "visitor")
    token = token_on(page)
    wait_until_kept(page, token)
    assert token != value
    assert kept(page) == (token, token)


def test_forgetting_the_browser_makes_it_somebody_new(page: Page, open_part: Open) -> None:
    open_part(page, "visitor")
    before = token_on(page)
    wait_until_kept(page, before)
    page.reload()
    assert token_on(page) == before
    page.get_by_role("button", name="forget").click()
    expect(page.get_by_text(f"token {before}", exact=True)).to_have_count(0)
    after = token_on(page)
    wait_until_kept(page, after)
    assert kept(page) == (after, after)
    page.reload()
    assert token_on(page) == after
    assert page.get_by_text("moved").count() == 0


def test_without_javascript_the_id_lasts_for_the_session_and_can_be_forgotten(parts_script: Path) -> None:
    app = AppTest.from_file(parts_script)
    app.query_params["part"] = "visitor"
    first = app.run().text[0].value
    assert re.fullmatch(r"token [A-Za-z0-9_-]{32}", first)
    assert app.run().text[0].value == first
    app.button[0].click().run()
    forgotten = app.text[0].value
    assert forgotten != first
    assert app.run().text[0].value == forgotten
    assert not app.exception


def test_the_id_is_not_in_what_a_log_would_show(parts_script: Path) -> None:
    app = AppTest.from_file(parts_script)
    app.query_params["part"] = "visitor"
    token = app.run().text[0].value.removeprefix("token ")
    assert token not in repr(app.session_state["visitor"])


# --- the composer's Enter -----------------------------------------------------------------------------------


def composer(page: Page) -> Locator:
    return page.get_by_test_id("stChatInputTextArea")


def wait_until_guarded(page: Page) -> None:
    page.wait_for_function("window.__chatmemComposerGuard")


def sent(page: Page) -> Locator:
    return page.get_by_text(re.compile("^sent "))


def expect_nothing_sent(page: Page) -> None:
    page.wait_for_timeout(700)
    assert sent(page).count() == 0


def expect_sent(page: Page, *texts: str) -> None:
    """These and, a moment later, still no more."""
    expect(sent(page)).to_have_text([f"sent {text}" for text in texts])
    page.wait_for_timeout(500)
    expect(sent(page)).to_have_count(len(texts))


def press_enter_as_safari_does(page: Page) -> None:
    composer(page).evaluate("""area => {
        area.dispatchEvent(new CompositionEvent("compositionend", { bubbles: true, data: "녕" }))
        const enter = { key: "Enter", code: "Enter", keyCode: 229, which: 229, bubbles: true, cancelable: true }
        area.dispatchEvent(new KeyboardEvent("keydown", enter))
    }""")


def test_enter_that_ends_a_korean_composition_sends_nothing_and_the_next_sends_once(
    page: Page, context: BrowserContext, open_part: Open
) -> None:
    open_part(page, "composer")
    wait_until_guarded(page)
    composer(page).click()
    devtools = context.new_cdp_session(page)
    for syllable in ("ㅇ", "아", "안"):
        devtools.send("Input.imeSetComposition", {"text": syllable, "selectionStart": 1, "selectionEnd": 1})
    key = {"key": "Enter", "code": "Enter", "windowsVirtualKeyCode": 229}
    devtools.send("Input.dispatchKeyEvent", {"type": "rawKeyDown", **key})
    expect_nothing_sent(page)
    devtools.send("Input.insertText", {"text": "안"})
    assert composer(page).input_value() == "안"
    page.keyboard.press("Enter")
    expect_sent(page, "안")
    assert composer(page).input_value() == ""


def test_enter_in_safaris_order_sends_nothing_and_the_next_sends_once(page: Page, open_part: Open) -> None:
    open_part(page, "composer")
    wait_until_guarded(page)
    composer(page).fill("안녕")
    press_enter_as_safari_does(page)
    expect_nothing_sent(page)
    assert composer(page).input_value() == "안녕"
    page.keyboard.press("Enter")
    expect_sent(page, "안녕")


def test_the_guard_listens_once_however_often_the_page_runs(page: Page, open_part: Open) -> None:
    page.add_init_script("""
        const add = document.addEventListener
        window.guards = 0
        document.addEventListener = function (kind, listener, ...more) {
          if (kind === "keydown" && String(listener).includes("endsComposition")) window.guards += 1
          return add.call(this, kind, listener, ...more)
        }
    """)
    open_part(page, "composer")
    wait_until_guarded(page)
    for word in ("one", "two"):
        page.get_by_role("button", name="again").click()
        composer(page).fill(word)
        press_enter_as_safari_does(page)
        page.keyboard.press("Enter")
        page.wait_for_timeout(500)
    expect_sent(page, "one", "two")
    assert page.evaluate("window.guards") == 1


def test_without_the_guard_safaris_enter_does_send(page: Page, open_part: Open) -> None:
    """Guards the tests above: should Streamlit learn about 229 itself, the guard may go."""
    open_part(page, "composer", guarded="no")
    composer(page).fill("안녕")
    press_enter_as_safari_does(page)
    expect_sent(page, "안녕")


def test_the_guard_takes_no_room_on_the_page(page: Page, open_part: Open) -> None:
    tops = []
    for guarded in ("yes", "no"):
        open_part(page, "composer", guarded=guarded)
        page.wait_for_timeout(500)
        box = page.get_by_text("first", exact=True).bounding_box()
        assert box is not None
        tops.append(box["y"])
    assert tops[0] == tops[1]


# --- the copy button ----------------------------------------------------------------------------------------


def test_the_copy_button_copies_by_mouse_and_by_keyboard_and_says_so(
    page: Page, context: BrowserContext, open_part: Open
) -> None:
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    open_part(page, "copy", count=2)
    buttons = page.get_by_role("button", name="Copy", exact=True)
    expect(buttons).to_have_count(2)
    first, second = buttons.all()
    first.click()
    expect(page.get_by_role("status").filter(has_text="Copied")).to_have_count(1)
    assert page.evaluate("navigator.clipboard.readText()") == "reply 0\n가"
    expect(page.get_by_role("status").filter(has_text="Copied")).to_have_count(0, timeout=4_000)
    second.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("status").filter(has_text="Copied")).to_have_count(1)
    assert page.evaluate("navigator.clipboard.readText()") == "reply 1\n가"


def test_the_copy_button_works_where_the_clipboard_is_refused(
    page: Page, context: BrowserContext, open_part: Open
) -> None:
    context.grant_permissions(["clipboard-read"])
    context.add_init_script("navigator.clipboard.writeText = () => Promise.reject(new Error('refused'))")
    open_part(page, "copy", count=1)
    button = page.get_by_role("button", name="Copy", exact=True)
    button.click()
    expect(page.get_by_role("status").filter(has_text="Copied")).to_have_count(1)
    assert page.evaluate("navigator.clipboard.readText()") == "reply 0\n가"
    assert button.evaluate("button => button.getRootNode().activeElement === button")


def test_fifty_copy_buttons_are_all_there(page: Page, open_part: Open) -> None:
    open_part(page, "copy", count=50)
    expect(page.get_by_role("button", name="Copy", exact=True)).to_have_count(50)
