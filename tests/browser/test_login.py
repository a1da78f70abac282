"""`CHATMEM_IDENTITY=login` against a real OpenID Connect provider: who sees what, and what nobody sees."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from chatmem.errors import NotFound
from tests.browser.conftest import NewScreen, StartApp, free_port
from tests.browser.running import RunningApp
from tests.browser.screen import Screen
from tests.stored import rows

SECRETS = """
[auth]
redirect_uri = "http://127.0.0.1:{{port}}/oauth2callback"
cookie_secret = "a secret of this test alone, long enough"
client_id = "chatmem"
client_secret = "of the client"
server_metadata_url = "http://127.0.0.1:{port}/.well-known/openid-configuration"
"""


@pytest.fixture(scope="module")
def app(start_app: StartApp, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningApp]:
    port = free_port()
    provider = subprocess.Popen(
        [sys.executable, "-m", "oidc_provider_mock", "--port", str(port)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    secrets = tmp_path_factory.mktemp("login") / "secrets.toml"
    secrets.write_text(SECRETS.format(port=port))
    yield start_app(secrets=secrets, CHATMEM_IDENTITY="login")
    provider.terminate()
    provider.wait(timeout=20)


def door(screen: Screen) -> Locator:
    return screen.page.get_by_role("button", name="Log in")


def at_the_door(screen: Screen, path: str = "/") -> Screen:
    screen.page.goto(screen.app.url + path)
    expect(door(screen)).to_be_visible()
    screen.assert_no_exception()
    return screen


def log_in(screen: Screen, who: str) -> Screen:
    door(screen).click()
    screen.page.get_by_placeholder("sub").fill(who)
    screen.page.get_by_role("button", name="Authorize", exact=True).click()
    return screen.wait_until_drawn()


def log_out(screen: Screen) -> Screen:
    screen.open("/settings")
    screen.button("logout").click()
    # The provider asks whether it should end its own session too.
    screen.page.get_by_role("button", name="End session").or_(door(screen)).first.click()
    expect(door(screen)).to_be_visible()
    return screen


def owners(app: RunningApp) -> list[str]:
    return [kind for (kind,) in rows(app.database, "SELECT kind FROM owners ORDER BY id")]


@pytest.mark.parametrize("path", ["/", "/history", "/memory", "/settings", "/?chat=anything"])
def test_who_is_not_logged_in_sees_the_door_and_leaves_nothing(
    app: RunningApp, new_screen: NewScreen, path: str
) -> None:
    screen = at_the_door(new_screen(app), path)
    assert screen.page.get_by_test_id("stSidebar").get_by_role("button").count() == 0
    assert screen.composer.count() == 0
    assert "browser" not in owners(app)


def test_a_person_finds_their_chats_in_every_browser_and_nobody_elses(
    app: RunningApp, new_screen: NewScreen
) -> None:
    alice = log_in(at_the_door(new_screen(app)), "alice@example.org")
    alice.say("My cat is called Nabi")
    address = alice.page.url
    alice.reload()
    expect(alice.bubble(0)).to_have_text("My cat is called Nabi")

    elsewhere = log_in(at_the_door(new_screen(app)), "alice@example.org")
    elsewhere.page.goto(address)
    expect(elsewhere.bubble(0)).to_have_text("My cat is called Nabi")

    log_out(alice)
    bob = log_in(alice, "bob@example.org")
    expect(bob.page.get_by_test_id("stSidebar")).not_to_contain_text("Nabi")
    bob.page.goto(address)
    expect(bob.page.get_by_text(NotFound().say("en"))).to_be_visible()
    expect(bob.page.get_by_text("Nabi")).to_have_count(0)
    bob.open("/settings")
    expect(bob.page.get_by_text("bob@example.org")).to_be_visible()
    assert owners(app) == ["login"]  # bob has left nothing
    assert app.errors == ""


def test_who_changes_their_mind_at_the_provider_is_back_at_the_door(
    app: RunningApp, new_screen: NewScreen
) -> None:
    screen = at_the_door(new_screen(app))
    door(screen).click()
    screen.page.get_by_role("button", name="Deny").click()
    expect(door(screen)).to_be_visible()


def test_a_cookie_that_the_app_did_not_sign_opens_nothing(app: RunningApp, new_screen: NewScreen) -> None:
    screen = new_screen(app)
    forged = '"2|1:0|10:1700000000|15:_streamlit_user|8:e30=|0000"'
    screen.page.context.add_cookies([{"name": "_streamlit_user", "value": forged, "url": app.url}])
    # Nor does the id of a browser, which this app does not ask for.
    screen.page.context.add_cookies([{"name": "chatmem_visitor", "value": "a" * 32, "url": app.url}])
    at_the_door(screen)


def test_the_providers_names_of_people_are_not_stored(app: RunningApp, new_screen: NewScreen) -> None:
    carol = log_in(at_the_door(new_screen(app)), "carol@example.org")
    carol.say("Hello")
    files = [Path(f"{app.database}{ending}") for ending in ("", "-wal")]
    stored = b"".join(file.read_bytes() for file in files if file.exists())
    assert b"Hello" in stored
    assert b"carol" not in stored
    assert "carol" not in app.log.read_text()
