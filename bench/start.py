"""How long starting takes: `python -m bench.start`.

`import_s` is a fresh `python -c "import chatmem"` less a bare `python -c pass`; `import_app_s` the same for
`chatmem.app`, all of the core. `first_page_s` is from calling `streamlit run streamlit_app.py`, with a new
database, to the composer standing in a Chromium that was open already; `server_s` is the part of it until
the server answers. `second_page_s` is the page loaded once more, for comparison.
"""

from __future__ import annotations

import argparse
import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.conftest import CHROMIUM_ARGS, chromium_path

ROOT = Path(__file__).resolve().parents[1]
PATIENCE_S = 60
COMPOSER = '[data-testid="stChatInput"] textarea'


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--imports", type=int, default=9)
    parser.add_argument("--starts", type=int, default=3)
    options = parser.parse_args()
    result = imports(options.imports)
    with chromium() as browser:
        starts = [start(browser) for _ in range(options.starts)]
    for name in starts[0]:
        result[name] = round(statistics.median(times[name] for times in starts), 2)
    print(json.dumps(result))


def imports(times: int) -> dict[str, float]:
    """Seconds to import, each measured in turn with a bare interpreter."""
    statements = {"bare": "pass", "import_s": "import chatmem", "import_app_s": "import chatmem.app"}
    taken: dict[str, list[float]] = {name: [] for name in statements}
    for turn in range(times + 1):
        for name, statement in statements.items():
            started = time.perf_counter()
            subprocess.run([sys.executable, "-c", statement], cwd=ROOT, check=True)
            if turn:  # the first one compiles, and fetches from the disk
                taken[name].append(time.perf_counter() - started)
    bare = statistics.median(taken.pop("bare"))
    return {name: round(statistics.median(values) - bare, 3) for name, values in taken.items()}


def start(browser: Browser) -> dict[str, float]:
    """Seconds of one start, with a visitor whom nobody knows yet."""
    with tempfile.TemporaryDirectory() as folder:
        context = browser.new_context()
        page = context.new_page()
        started = time.perf_counter()
        with serving(f"sqlite:///{Path(folder) / 'bench.db'}") as url:
            server_s = time.perf_counter() - started
            page.goto(url)
            wait_for_composer(page)
            first_page_s = time.perf_counter() - started
            again = time.perf_counter()
            page.goto(url)
            wait_for_composer(page)
            second_page_s = time.perf_counter() - again
        context.close()
    return {"first_page_s": first_page_s, "server_s": server_s, "second_page_s": second_page_s}


def wait_for_composer(page: Page) -> None:
    page.locator(COMPOSER).wait_for(timeout=PATIENCE_S * 1000)


@contextmanager
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        path = chromium_path(playwright)
        assert path, "no Chromium: set CHATMEM_CHROMIUM"
        browser = playwright.chromium.launch(executable_path=path, args=list(CHROMIUM_ARGS))
        yield browser
        browser.close()


@contextmanager
def serving(database_url: str, **environment: str) -> Iterator[str]:
    """`streamlit run streamlit_app.py` as a person would; its address, as soon as it answers."""
    with streamlit("streamlit_app.py", subprocess.DEVNULL, DATABASE_URL=database_url, **environment) as (port, _):
        yield f"http://localhost:{port}"


@contextmanager
def streamlit(script: str, log: IO[str] | int, **environment: str) -> Iterator[tuple[int, int]]:
    """`streamlit run` of any script, what it says going to `log`; its port and its process's id."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    command = [sys.executable, "-m", "streamlit", "run", script, f"--server.port={port}"]
    server = subprocess.Popen(
        [*command, "--server.headless=true"],
        cwd=ROOT,
        env={**os.environ, **environment},
        stdout=log,
        stderr=log,
    )
    try:
        _wait_until_open(server, port)
        yield port, server.pid
    finally:
        server.terminate()
        server.wait(timeout=30)


def _wait_until_open(server: subprocess.Popen[bytes], port: int) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        assert server.poll() is None, "Streamlit ended"
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.02)
        else:
            return
    raise TimeoutError("Streamlit did not start")


if __name__ == "__main__":
    main()
