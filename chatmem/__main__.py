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
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from chatmem.app import App, build_app
from chatmem.commands import Command, help_lines, parse
from chatmem.domain import Fact, FactKind, Language, Message, Owner, Status, Turn, new_id
from chatmem.errors import ChatmemError, NotFound, from_failure
from chatmem.llm.models import server_provider
from chatmem.llm.protocol import LanguageModel
from chatmem.llm.providers import PROVIDERS
from chatmem.preferences import Preferences
from chatmem.settings import Settings, load_settings, system_language
from chatmem.store.owners import LOCAL_OWNER
from chatmem.words import SHARED, say

COMMANDS: tuple[Command, ...] = ("history", "summary", "memory", "reset", "retry", "help", "quit")
POLL_SECONDS = 0.05
BACKGROUND_SECONDS = 120
PAGE_SIZE = 200


class Terminal:
    """One person at one terminal, in one chat."""

    def __init__(self, app: App, owner: Owner, conversation_id: str, language: Language) -> None:
        self._app = app
        self._owner = owner
        self._chat_id = conversation_id
        self._language = language
        self._told_version = self._head_version()

    def run(self, lines: Iterator[str]) -> int:
        """Answer line by line; the exit code: 1 if any line came to nothing."""
        failed = False
        for line in lines:
            try:
                command = parse(line, COMMANDS)
                if command == "quit":
                    break
                if command == "retry":
                    failed |= not self._turn(
                        self._app.chat.retry(self._owner, self._chat_id, language=self._language)
                    )
                elif command:
                    self._do(command)
                elif line.strip():
                    failed |= not self._turn(
                        self._app.chat.send(self._owner, self._chat_id, new_id(), line, language=self._language)
                    )
            except ChatmemError as error:
                failed = True
                self._print(f"! {error.say(self._language)}")
        if self._exists():
            print(self._say("terminal.go_on", id=self._chat_id), file=sys.stderr)
        return int(failed)

    def _do(self, command: Command) -> None:
        if command == "help":
            for line in help_lines(self._language, COMMANDS):
                self._print(line)
        elif command == "memory":
            self._facts()
        elif not self._exists():
            self._print(self._say("history.empty"))
        elif command == "history":
            self._history()
        elif command == "summary":
            self._summary()
        elif command == "reset":
            count = self._app.chat.reset(self._owner, self._chat_id)
            self._print(self._say("reset.done", count=count))

    # --- a turn ---------------------------------------------------------------------------------

    def _turn(self, turn: Turn) -> bool:
        """Show the reply as it comes, then what was folded; False if it failed."""
        sys.stdout.write(self._say("role.assistant") + ": ")
        try:
            reply = self._show(turn)
        except KeyboardInterrupt:
            self._app.chat.stop(self._owner, self._chat_id)
            reply = self._app.chat.follow(self._owner, turn.reply.id)
            sys.stdout.write(" " + self._say("terminal.interrupted"))
        self._print("")
        if reply.failure:
            self._print(f"! {from_failure(reply.failure).say(self._language)}")
        with suppress(KeyboardInterrupt):  # whoever does not want to wait for the summary need not
            self._app.chat.wait(turn, BACKGROUND_SECONDS)
        self._tell_folds()
        return reply.status is not Status.FAILED

    def _show(self, turn: Turn) -> Message:
        shown = ""
        while True:
            reply = self._app.chat.follow(self._owner, turn.reply.id)
            sys.stdout.write(reply.text[len(shown) :])
            sys.stdout.flush()
            shown = reply.text
            if reply.status is not Status.STREAMING:
                return reply
            time.sleep(POLL_SECONDS)

    def _tell_folds(self) -> None:
        for made in self._app.store.versions.leading_to_head(self._owner.id, self._chat_id):
            if made.version > self._told_version:
                self._told_version = made.version
                self._print(
                    "── "
                    + self._say(
                        "fold.made",
                        first=made.covers_from,
                        last=made.covers_through,
                        version=made.version,
                        counted=made.counted,
                        kept=made.kept,
                    )
                )
                for line in made.text.splitlines():
                    self._print(f"   {line}")

    # --- commands -------------------------------------------------------------------------------

    def _history(self) -> None:
        memory = self._app.chat.memory(self._owner, self._chat_id)
        total, _ = self._app.store.turns.counts(self._owner.id, self._chat_id)
        head = memory.head
        with_summary = ""
        if head:
            with_summary = self._say(
                "history.with_summary", version=head.version, first=1, last=head.covers_through
            )
        self._print(self._say("history.total", window=memory.window_count, summary=with_summary, total=total))
        if head:
            self._print(head.text)
        for message in memory.window:
            self._print(self._line(message))
        self._print(f"── {self._say('history.all')}")
        for message in self._all_messages():
            self._print(self._line(message))

    def _all_messages(self) -> Iterator[Message]:
        pages: list[list[Message]] = []
        before: int | None = None
        while page := self._app.store.turns.page(self._owner.id, self._chat_id, before, PAGE_SIZE, retired=True):
            pages.append(page)
            before = page[0].number
        for page in reversed(pages):
            yield from page

    def _line(self, message: Message) -> str:
        marks = [] if message.status is Status.COMPLETE else [self._say(f"status.{message.status}")]
        if message.retired_at:
            marks.append(self._say("status.retired"))
        mark = f" ({', '.join(marks)})" if marks else ""
        return f"{message.number}. {self._say(f'role.{message.role}')}{mark}: {message.text}"

    def _summary(self) -> None:
        memory = self._app.chat.memory(self._owner, self._chat_id)
        head = memory.head
        if head is None:
            policy = self._app.chat.policy(self._owner, memory.conversation.preset)
            key = "summary.none" if policy.folds else "summary.never"
            self._print(self._say(key, limit=policy.fold_above))
            return
        self._print(
            self._say("summary.head", version=head.version, first=1, last=head.covers_through, tokens=head.tokens)
        )
        self._print(head.text)
        if head.pins:
            self._print(self._say("summary.pins"))
            for pin in head.pins:
                self._print(f"[{pin.number}] {pin.quote}")

    def _facts(self) -> None:
        """The live facts by kind, numbered through, each with the day it was last said; then what waits."""
        known = self._app.knowledge.overview(self._owner.id)
        number = 0
        for kind, count in known.by_kind.items():
            if count:
                self._print(f"── {self._say(f'kind.{kind}')}")
            for fact in self._facts_of(kind, count):
                number += 1
                pin = "* " if fact.pinned else ""
                said = fact.confirmed_at.astimezone().date()
                self._print(f"{number}. {pin}{fact.text} ({said})")
        if not number:
            self._print(self._say("facts.none"))
        if known.conflicts:
            self._print(self._say("facts.conflicts", count=known.conflicts))
        if known.pending:
            self._print(self._say("facts.pending", count=known.pending))
        if known.quarantined:
            self._print(self._say("facts.quarantined", count=known.quarantined))

    def _facts_of(self, kind: FactKind, count: int) -> Iterator[Fact]:
        for offset in range(0, count, PAGE_SIZE):
            facts, _ = self._app.knowledge.page(self._owner.id, kind, limit=PAGE_SIZE, offset=offset)
            yield from facts

    # --- small things ---------------------------------------------------------------------------

    def _exists(self) -> bool:
        try:
            self._app.store.conversations.get(self._owner.id, self._chat_id)
        except NotFound:
            return False
        return True

    def _head_version(self) -> int:
        if not self._exists():
            return 0
        head = self._app.chat.memory(self._owner, self._chat_id).head
        return head.version if head else 0

    def _say(self, key: str, **values: object) -> str:
        return say(SHARED, key, self._language, **values)

    def _print(self, text: str) -> None:
        print(text, flush=True)


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
