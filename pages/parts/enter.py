"""Every page's first line: the App of this process, who is here, and in which language.

    here = enter()

A page may be the first thing a fresh server runs, without the router (`streamlit_app.py`); it works
all the same, since everything a page needs comes from here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import wraps
from pathlib import Path
from typing import ParamSpec

import streamlit as st

from chatmem.app import App, build_app
from chatmem.domain import Conversation, Language, Owner, new_id
from chatmem.errors import ChatmemError, NotFound, StorageError
from chatmem.preferences import Preferences
from chatmem.settings import Settings, load_settings
from chatmem.store.owners import LOCAL_OWNER, hash_token
from chatmem.words import say
from pages.parts import login, visitor
from pages.parts.i18n import TEXTS
from pages.parts.labels import plain_markdown
from pages.parts.style import draw_style

P = ParamSpec("P")

CHAT_PAGE = "pages/chat.py"
HISTORY_PAGE = "pages/history.py"
MEMORY_PAGE = "pages/memory.py"
SETTINGS_PAGE = "pages/settings.py"

ICON = Path(__file__).with_name("icon.svg")
"""The tab's icon. Streamlit has the browser fetch Material icons for a tab from another company's server."""

TEMPORARY = "temporary"
"""What stands in the address for the temporary chat: its real id is of no use to anybody else."""

NOBODY = Owner(0)
"""A visitor nothing is stored for yet. No row has this id."""


@dataclass(frozen=True)
class Here:
    """Who is here, where, and what they see."""

    app: App
    owner: Owner
    language: Language
    token_hash: str
    identity: str

    def say(self, key: str, **values: object) -> str:
        return say(TEXTS, key, self.language, **values)

    def explain(self, error: ChatmemError) -> str:
        """An error's sentence, fit to be drawn: a server's own words in it are not Markdown."""
        return plain_markdown(error.say(self.language))

    @property
    def preferences(self) -> Preferences:
        return Preferences.read(self.owner.preferences)

    @property
    def keys(self) -> dict[str, str]:
        """Keys typed in this tab, by base URL. In the session's state only, under no widget's key."""
        return st.session_state.setdefault("typed_keys", {})  # type: ignore[no-any-return]

    def stored_owner(self) -> Owner:
        """The owner's row, made now if this is the first thing they leave here."""
        return (
            self.owner if self.owner is not NOBODY else self.app.store.owners.enter(self.token_hash, self.identity)
        )


@dataclass(frozen=True)
class Room:
    """The chat on screen. `conversation` is None until its first message.

    `busy`: work was under way when this run began. What it brings may come too late for this run to draw.
    """

    app: App
    owner: Owner
    conversation_id: str
    conversation: Conversation | None
    temporary: bool = False
    busy: bool = False


def enter() -> Here:
    """App, owner and language for this run. Without a database it shows a sentence instead and stops the run;
    likewise the door, to somebody who has to log in first.
    """
    draw_style()
    settings = _settings(_CODE)
    try:
        app = _app(settings, _CODE)
        token_hash = _token_hash(app)
        if token_hash is None:
            login.draw_door(_language(settings, Preferences()))
            st.stop()
        owner = app.store.owners.find(token_hash) or NOBODY
    except ChatmemError as error:
        st.error(plain_markdown(error.say(_language(settings, Preferences()))), icon=":material/database:")
        st.stop()
    language = _language(settings, Preferences.read(owner.preferences))
    here = Here(app, owner, language, token_hash, settings.identity)
    for problem in settings.problems:
        st.warning(here.explain(problem), icon=":material/settings_alert:")
    return here


def guarded(draw: Callable[P, None]) -> Callable[P, None]:
    """A page or a fragment whose database may fail while it draws: then a sentence stands in its place."""

    @wraps(draw)
    def drawn(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            draw(*args, **kwargs)
        except StorageError as error:
            language = _language(_settings(_CODE), Preferences())
            st.error(plain_markdown(error.say(language)), icon=":material/database:")

    return drawn


def room(here: Here) -> Room:
    """The chat that the address names, or a new one. Raises `NotFound` for a foreign or unknown one."""
    wanted = st.query_params.get("chat")
    if wanted == TEMPORARY:
        kept: Room | None = st.session_state.get("temporary_room")
        if kept is None:
            raise NotFound()
        busy = bool(kept.app.chat.pending(kept.conversation_id))
        return replace(kept, conversation=_conversation(kept.app, kept.owner, kept.conversation_id), busy=busy)
    if wanted:
        conversation = here.app.store.conversations.get(here.owner.id, wanted)
        return Room(here.app, here.owner, wanted, conversation, busy=bool(here.app.chat.pending(wanted)))
    fresh = st.session_state.setdefault("new_chat_id", new_id())
    return Room(here.app, here.owner, fresh, None)


def open_temporary(here: Here) -> None:
    """Begin a temporary chat: a store of its own in memory, which this session alone holds."""
    app = here.app.temporary()
    owner = app.store.owners.enter(here.token_hash, "temporary")
    app.store.owners.save_preferences(owner.id, here.owner.preferences)
    st.session_state["temporary_room"] = Room(app, app.store.owners.get(owner.id), new_id(), None, temporary=True)


def go_to(chat_id: str | None) -> None:
    """Show a chat, or a new one, from any page."""
    if chat_id is None:
        st.session_state["new_chat_id"] = new_id()
    st.session_state["last_chat"] = chat_id
    st.switch_page(CHAT_PAGE, query_params={"chat": chat_id} if chat_id else {})


def _conversation(app: App, owner: Owner, conversation_id: str) -> Conversation | None:
    try:
        return app.store.conversations.get(owner.id, conversation_id)
    except NotFound:
        return None


@st.cache_resource(show_spinner=False, max_entries=1)
def _settings(code: int) -> Settings:
    return load_settings()


@st.cache_resource(show_spinner=False, max_entries=1, on_release=App.close)
def _app(_settings: Settings, code: int) -> App:
    return build_app(_settings)


_CODE = id(App)
"""Streamlit imports edited files anew while it runs. An App of the old code would raise errors and return
values of classes that the new pages do not know; so each code has an App of its own, and the old one ends."""


def _token_hash(app: App) -> str | None:
    """What who is here is stored by; None for somebody who has yet to log in."""
    if app.settings.identity == "local":
        return LOCAL_OWNER
    if app.settings.identity == "login":
        person = login.person()
        return hash_token(person) if person else None

    def move_in(held: str, provisional: str) -> None:
        # The browser was somebody already: what this tab did meanwhile becomes theirs.
        if before := app.store.owners.find(hash_token(provisional)):
            app.store.owners.move(before.id, app.store.owners.enter(hash_token(held), "browser").id)

    return hash_token(visitor.visitor_token(move_in))


def _language(settings: Settings, preferences: Preferences) -> Language:
    chosen = preferences.language or settings.language
    return chosen or ("ko" if (st.context.locale or "").lower().startswith("ko") else "en")
