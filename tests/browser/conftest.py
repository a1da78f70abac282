"""A real Chromium, and Streamlit apps for it to visit."""

from __future__ import annotations

import os
import secrets
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, expect, sync_playwright

from chatmem.app import App, build_app
from chatmem.settings import load_settings
from chatmem.store.owners import hash_token
from tests.browser.running import RunningApp
from tests.browser.screen import PATIENCE, Screen
from tests.conftest import Person

ROOT = Path(__file__).resolve().parents[2]
START_SECONDS = 60
CHROMIUM_ARGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

Serve = Callable[..., str]

expect.set_options(timeout=PATIENCE)


def chromium_path(playwright: Playwright) -> str | None:
    """`CHATMEM_CHROMIUM`, else the system's browser, else Playwright's own; None if there is none."""
    candidates = (
        os.environ.get("CHATMEM_CHROMIUM"),
        shutil.which("chromium"),
        shutil.which("chromium-browser"),
        shutil.which("google-chrome"),
        playwright.chromium.executable_path,
    )
    return next((path for path in candidates if path and Path(path).exists()), None)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        path = chromium_path(playwright)
        if path is None:
            reason = "no Chromium: set CHATMEM_CHROMIUM, or run `playwright install chromium`"
            if os.environ.get("CI"):
                pytest.fail(reason)
            pytest.skip(reason)
        browser = playwright.chromium.launch(executable_path=path, args=list(CHROMIUM_ARGS))
        yield browser
        browser.close()


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A browser nobody has used yet: no cookies, nothing in localStorage."""
    context = browser.new_context()
    yield context
    context.close()


@pytest.fixture
def page(context: BrowserContext) -> Page:
    return context.new_page()


@pytest.fixture(scope="session")
def serve(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serve]:
    """`serve(script, **environment)` runs `streamlit run script` in a folder of its own; returns its address."""
    running: list[subprocess.Popen[bytes]] = []

    def start(script: Path, **environment: str) -> str:
        folder = tmp_path_factory.mktemp("served")
        port = free_port()
        command = [sys.executable, "-m", "streamlit", "run", str(script), f"--server.port={port}"]
        command += [
            "--server.headless=true",
            "--browser.gatherUsageStats=false",
            "--server.fileWatcherType=none",
        ]
        with (folder / "log.txt").open("wb") as log:
            server = subprocess.Popen(
                command,
                cwd=folder,
                env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        running.append(server)
        url = f"http://localhost:{port}"
        _wait_until_up(server, url, folder / "log.txt")
        return url

    yield start
    for server in running:
        server.terminate()
    for server in running:
        server.wait(timeout=20)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_until_up(server: subprocess.Popen[bytes], url: str, log: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and server.poll() is None:
        try:
            urllib.request.urlopen(f"{url}/_stcore/health", timeout=2).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    pytest.fail(f"Streamlit did not start:\n{log.read_text(errors='replace')}")


# --- chatmem itself -----------------------------------------------------------------------------------------

StartApp = Callable[..., RunningApp]


@pytest.fixture(scope="session")
def start_app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StartApp]:
    """`start_app(secrets, **environment)` runs chatmem with an empty database; it ends with the session."""
    running: list[RunningApp] = []

    def start(secrets: Path | None = None, **environment: str) -> RunningApp:
        running.append(RunningApp(tmp_path_factory.mktemp("app"), free_port(), secrets, **environment))
        return running[-1].start()

    yield start
    for app in running:
        app.stop()


@pytest.fixture(scope="session")
def keyless_app(start_app: StartApp) -> RunningApp:
    """Nothing configured: the teaching model answers."""
    return start_app()


NewScreen = Callable[..., Screen]


@pytest.fixture
def new_screen(browser: Browser) -> Iterator[NewScreen]:
    """`new_screen(app, **of_the_context)`: a tab of a browser that nobody has used yet."""
    contexts: list[BrowserContext] = []

    def make(app: RunningApp, **options: Any) -> Screen:
        contexts.append(browser.new_context(**{"locale": "en-US", **options}))
        return Screen(contexts[-1].new_page(), app)

    yield make
    for context in contexts:
        context.close()


# --- what happened before a tab was opened ------------------------------------------------------------------

Visit = Callable[..., tuple[Screen, Person]]


@pytest.fixture(scope="module")
def backstage() -> Iterator[Callable[[RunningApp], App]]:
    """The core on a running app's database, in this process: it chats faster than a person types."""
    cores: dict[str, App] = {}

    def core(running: RunningApp) -> App:
        if running.url not in cores:
            cores[running.url] = build_app(load_settings(running.environment, Path(os.devnull)))
        return cores[running.url]

    yield core
    for one in cores.values():
        one.close()


@pytest.fixture
def visit(new_screen: NewScreen, backstage: Callable[[RunningApp], App]) -> Visit:
    """`visit(app, **of_the_context)`: a tab that is not open yet, and its visitor, who may chat without it."""

    def make(running: RunningApp, **options: Any) -> tuple[Screen, Person]:
        screen, core, token = new_screen(running, **options), backstage(running), secrets.token_urlsafe(24)
        screen.page.context.add_cookies([{"name": "chatmem_visitor", "value": token, "url": running.url}])
        person = Person(core, core.store.owners.enter(hash_token(token), "browser"))
        person.language = "ko" if str(options.get("locale", "")).startswith("ko") else "en"
        return screen, person

    return make
