"""The terminal chat: the same chat, on the same database, in streaming text.

    python -m chatmem [--db chat.db] [--chat ID] [--owner ID]

Piped input works for scripts: one line is one message, background work is awaited after each turn,
and replies and folds go to standard output.
"""

from __future__ import annotations

import argparse
import io
import logging
import os
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from chatmem.app import App, build_app
from chatmem.domain import Language, Owner, new_id
from chatmem.errors import ChatmemError
from chatmem.llm.models import server_provider
from chatmem.llm.protocol import LanguageModel
from chatmem.llm.providers import PROVIDERS
from chatmem.preferences import Preferences
from chatmem.settings import Settings, load_settings, system_language
from chatmem.store.owners import LOCAL_OWNER
from chatmem.terminal import Terminal
from chatmem.words import SHARED, say


def main(arguments: list[str] | None = None, teaching: LanguageModel | None = None) -> int:
    """The terminal chat; returns the exit code."""
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(message)s")
    options = _options().parse_args(arguments)
    _never_fail_at_a_character()
    settings = load_settings()
    language: Language = options.language or settings.language or system_language()
    for problem in settings.problems:
        print(f"! {problem.say(language)}", file=sys.stderr)
    if options.db:
        url = options.db if "://" in options.db else f"sqlite:///{Path(options.db)}"
        settings = replace(settings, database_url=url)
    if not sys.stdin.isatty():
        settings = replace(settings, teaching_pace_s=0.0)  # a script need not watch it type
    try:
        app = build_app(settings, teaching)
        try:
            owner = _owner(app, options.owner, language)
            if owner is None:
                return 2
            if options.chat:
                app.store.conversations.get(owner.id, options.chat)
            return _run(app, settings, owner, options.chat or new_id(), language)
        finally:
            app.close()
    except ChatmemError as error:
        print(f"! {error.say(language)}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        # Whoever read has left, as `head` does. Python would complain again when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


def _never_fail_at_a_character() -> None:
    """What a locale cannot decode or encode becomes a question mark, in place of an end."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _run(app: App, settings: Settings, owner: Owner, conversation_id: str, language: Language) -> int:
    terminal = Terminal(app, owner, conversation_id, language)
    if sys.stdin.isatty():
        print(say(SHARED, "terminal.welcome", language, model=_model_name(settings, owner)))
        return terminal.run(_typed(language))
    return terminal.run(line.rstrip("\n") for line in sys.stdin)


def _typed(language: Language) -> Iterator[str]:
    while True:
        try:
            yield input(say(SHARED, "terminal.prompt", language))
        except (EOFError, KeyboardInterrupt):
            print()
            return


def _owner(app: App, wanted: int | None, language: Language) -> Owner | None:
    """The owner named, else the database's only one, else (in an empty database) the machine's own."""
    owners = app.store.owners.all()
    if wanted is not None:
        if wanted in [id_ for id_, _, _ in owners]:
            return app.store.owners.get(wanted)
        print(f"! {say(SHARED, 'terminal.no_owner', language, owner=wanted)}", file=sys.stderr)
        return None
    if len(owners) > 1:
        print(say(SHARED, "terminal.which_owner", language), file=sys.stderr)
        for id_, kind, hash_start in owners:
            print(f"  {id_}  {kind} {hash_start}", file=sys.stderr)
        return None
    if owners:
        return app.store.owners.get(owners[0][0])
    return app.store.owners.enter(LOCAL_OWNER, "local")


def _model_name(settings: Settings, owner: Owner) -> str:
    preferences = Preferences.read(owner.preferences)
    provider = PROVIDERS[preferences.provider] if preferences.provider else server_provider(settings)
    return " ".join(word for word in (provider.label, preferences.model_name or settings.model_name) if word)


def _options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m chatmem", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--db", help="a database file or URL (default: DATABASE_URL, else chatmem.db)")
    parser.add_argument("--chat", help="go on with the chat of this id (it is in the web page's address)")
    parser.add_argument("--owner", type=int, help="whose memory, when the database has several owners")
    parser.add_argument("--language", choices=("ko", "en"), help="of the terminal's own words")
    return parser


if __name__ == "__main__":
    sys.exit(main())
