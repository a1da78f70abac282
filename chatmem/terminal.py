"""One person at one terminal, in one chat: what `python -m chatmem` runs."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import suppress

from chatmem.app import App
from chatmem.commands import Command, help_lines, parse
from chatmem.domain import Fact, FactKind, Language, Message, Owner, Status, Turn, new_id
from chatmem.errors import ChatmemError, NotFound, from_failure
from chatmem.forgetting import ForgetPlan
from chatmem.words import SHARED, say

COMMANDS: tuple[Command, ...] = (
    "history", "summary", "memory", "reset", "retry", "forget", "export", "help", "quit",
)  # fmt: skip
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
        self._to_forget: ForgetPlan | None = None

    def run(self, lines: Iterator[str]) -> int:
        """Answer line by line; the exit code: 1 if any line came to nothing."""
        failed = False
        for line in lines:
            try:
                command = parse(line, COMMANDS)
                if command != "forget":
                    self._to_forget = None
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
        elif command == "forget":
            self._forget()
        elif command == "export":
            self._print(self._app.archive.export_markdown(self._owner.id, self._chat_id, self._language))
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
        if message.forgotten_at:
            marks.append(self._say("status.forgotten"))
        elif message.retired_at:
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

    # --- forgetting -----------------------------------------------------------------------------

    def _forget(self) -> None:
        """Show every place first; the same command once more, and nothing in between, does it."""
        forgetting = self._app.forgetting
        if (plan := self._to_forget) is None:
            question = self._app.store.turns.last_question(self._owner.id, self._chat_id)
            self._to_forget = plan = forgetting.of_message(self._owner.id, question.id)
            for found in plan.messages:
                mark = "x" if found.chosen else " "
                self._print(f"[{mark}] {self._line(found.place.message)}")
            for fact in plan.traces.facts:
                self._print(f"[x] {fact.text}")
            if plan.traces.versions:
                versions = ", ".join(f"v{version}" for _, version in plan.traces.versions)
                self._print(self._say("forget.summaries", versions=versions))
            self._print(self._say("forget.again"))
            return
        self._to_forget = None
        outcome = forgetting.forget(self._owner, plan, plan.chosen)
        left = len(outcome.probe.messages) + len(outcome.probe.facts) + len(outcome.probe.summaries)
        self._print(self._say("forget.left_count", count=left) if left else self._say("forget.done"))
        if not outcome.scrubbed:
            self._print(self._say("forget.pending"))
        self._app.chat.fold_now(self._owner, self._chat_id, language=self._language)
        self._app.background.wait(BACKGROUND_SECONDS)

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
