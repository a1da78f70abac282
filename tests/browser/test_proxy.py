"""chatmem behind a host's proxy that lets neither routes of its own nor cookies of the server through."""

from __future__ import annotations

import http.client
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import NewScreen, StartApp
from tests.browser.proxy import StrictProxy
from tests.browser.running import RunningApp


@pytest.fixture(scope="module")
def app(start_app: StartApp) -> RunningApp:
    # Uploads are otherwise guarded by a cookie of the server's: see "Deployment" in the README.
    return start_app(STREAMLIT_SERVER_ENABLE_XSRF_PROTECTION="false")


@pytest.fixture
def proxy(app: RunningApp) -> Iterator[StrictProxy]:
    proxy = StrictProxy(urlsplit(app.url).port or 0)
    yield proxy
    proxy.close()


def test_a_visitor_chats_comes_back_and_takes_their_chats_along(
    app: RunningApp, proxy: StrictProxy, new_screen: NewScreen
) -> None:
    screen = new_screen(app)
    screen.page.goto(proxy.url)
    screen.wait_until_drawn().say("My cat is called Nabi")
    screen.reload()
    expect(screen.bubble(0)).to_have_text("My cat is called Nabi")
    assert [cookie["name"] for cookie in screen.page.context.cookies()] == ["chatmem_visitor"]

    screen.page.goto(f"{proxy.url}/settings")
    with screen.page.expect_download() as download:
        screen.page.get_by_role("button", name="Export everything").click()
    file = Path(download.value.path()).read_bytes()
    assert b"Nabi" in file

    other = new_screen(app)
    other.page.goto(f"{proxy.url}/settings")
    other.wait_until_drawn()
    taken = {"name": "chats.json", "mimeType": "application/json", "buffer": file}
    other.page.set_input_files("input[type=file]", taken)
    other.button("import-now").click()
    expect(other.page.get_by_test_id("stSidebar")).to_contain_text("Nabi")


@pytest.mark.parametrize(("path", "status"), [("/", 200), ("/settings", 200), ("/some/route", 404)])
def test_the_proxy_is_as_strict_as_it_says(proxy: StrictProxy, path: str, status: int) -> None:
    host = urlsplit(proxy.url).netloc
    connection = http.client.HTTPConnection(host, timeout=30)
    connection.request("GET", path)
    answer = connection.getresponse()
    assert (answer.status, answer.getheader("set-cookie")) == (status, None)
