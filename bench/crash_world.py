"""One database whose processes are killed, for `bench.crash`: who works on it, and what was promised to them."""

from __future__ import annotations

import json
import random
import sqlite3
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from bench.crash_checks import IMPORTED_CHATS, IMPORTED_FACTS, IMPORTED_MESSAGES, Checks, Findings
from bench.setup import add_old_chat, old_database
from chatmem.domain import Status, new_id
from tests.unit.test_archive import archive, conversation, fact, message

ROOT = Path(__file__).resolve().parents[1]
PATIENCE_S = 60.0
OLD_VERSIONS = ("0001", "0002")
PHASES = ("migration", "answer", "fold", "extraction", "import")
JOBS = {"answer": "writing", "fold": "fold", "extraction": "learn"}
PACES = (0.0, 0.05, 0.4)
"""Seconds that the model takes: at the first nearly all the time goes to the database."""
LONG_CHAT = 3_000
"""Messages of a chat that nobody goes on with: an upgrade takes the longer for it."""


@dataclass
class Asked:
    """A question that was sent, and what was promised of it: stored, and the reply that was told as complete."""

    chat: str
    text: str
    stored: bool = False
    ended: str = ""
    reply: str = ""


@dataclass
class World:
    """A database that an older version made, the process on it, and all that was promised by it."""

    folder: Path
    version: str
    findings: Findings
    people: str = "abc"
    importer: str = "a"
    old_messages: int = 14
    chats: dict[str, str] = field(default_factory=dict)
    """Whose each one is."""
    asked: dict[str, Asked] = field(default_factory=dict)
    facts: set[tuple[str, str]] = field(default_factory=set)
    imports: dict[str, bool] = field(default_factory=dict)
    """By file: whether it was told that it is done."""
    starts: int = 0

    def __post_init__(self) -> None:
        self.folder.mkdir()
        self.file = self.folder / "chat.db"
        self.url = f"sqlite:///{self.file}"
        chats = {who: [new_id(), new_id()] for who in self.people}
        self.chats = {chat: who for who in self.people for chat in chats[who]}
        self.long = new_id()
        old_database(self.file, self.version, chats, self.old_messages)
        add_old_chat(self.file, self.importer, self.long, LONG_CHAT)
        self._checks = Checks(self)
        self._jobs: dict[str, set[str]] = {}
        self._begun = Counter[str]()
        self._refused: list[dict[str, Any]] = []
        self.times: dict[str, float] = {}
        """When this process told what for the last time."""

    # --- the process ----------------------------------------------------------------------------

    def start(self, wait: bool = True) -> None:
        for of_this_process in (self._jobs, self._begun, self._refused, self.times):
            of_this_process.clear()
        self._child = subprocess.Popen(
            [sys.executable, "-m", "bench.crash_child", self.url],
            cwd=ROOT, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )  # fmt: skip
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()
        self._wait_until(lambda: "starting" in self.times, "a process")
        if wait:
            self._wait_until(lambda: "ready" in self.times, "a start")

    def _listen(self) -> None:
        assert self._child.stdout
        for line in self._child.stdout:
            if line.endswith("\n"):  # else it was killed while it wrote
                self._hear(json.loads(line))

    def _hear(self, told: dict[str, Any]) -> None:
        what = told["what"]
        if what == "sending":
            self.asked.setdefault(told["draft"], Asked(told["chat"], told["text"]))
        elif what == "stored":
            self.asked[told["draft"]].stored = True
        elif what == "ended":
            asked = self.asked[told["draft"]]
            asked.ended = told["status"]
            if asked.ended == Status.COMPLETE:
                asked.reply = told["text"]
        elif what == "learned":
            self.facts.add((told["owner"], told["text"]))
        elif what == "pending":
            now = set(told["jobs"])
            self._begun.update(now - self._jobs.get(told["chat"], set()))
            self._jobs[told["chat"]] = now
        elif what in ("importing", "imported"):
            self.imports[told["file"]] = what == "imported"
        elif what == "refused":
            self._refused.append(told)
        self.times[what] = time.monotonic()

    def _wait_until(self, holds: Callable[[], bool], what: str) -> None:
        """A finding when it does not come about in patient time, or when the process ends by itself."""
        until = time.monotonic() + PATIENCE_S
        while not holds():
            if time.monotonic() > until or not self._listener.is_alive():
                self.findings.add("unusable", f"{self.file}, start {self.starts}: {what} did not come")
                return
            time.sleep(0.002)

    def _order(self, **order: object) -> None:
        assert self._child.stdin
        self._child.stdin.write(json.dumps(order) + "\n")
        self._child.stdin.flush()

    def _bring_in(self, name: str) -> None:
        file = self.folder / f"{name}.json"
        said = [message(n, "user" if n % 2 else "assistant") for n in range(1, IMPORTED_MESSAGES + 1)]
        chats = [conversation(*said, title=f"{name}, chat {n}") for n in range(IMPORTED_CHATS)]
        file.write_text(archive(chats, [fact(n, f"{name}, fact {n}") for n in range(1, IMPORTED_FACTS + 1)]))
        self._order(owner=self.importer, file=str(file))
        self._wait_until(lambda: str(file) in self.imports, f"the import of {name}")

    @property
    def _importing(self) -> list[str]:
        return [file for file, done in self.imports.items() if not done]

    def durations(self) -> dict[str, float]:
        """Seconds that an upgrade and an import take undisturbed: at most so long after its start it is killed."""
        self.start()
        self._bring_in("undisturbed")
        self._wait_until(lambda: not self._importing, "the end of an import")
        self._end()
        return {
            "migration": self.times["ready"] - self.times["starting"],
            "import": self.times["imported"] - self.times["importing"],
        }

    def close(self) -> Counter[str]:
        """End it; how many promises were looked after."""
        self._end()
        return Counter(
            questions=sum(asked.stored for asked in self.asked.values()),
            replies=sum(bool(asked.reply) for asked in self.asked.values()),
            facts=len(self.facts), imports=sum(self.imports.values()),
        )  # fmt: skip

    def _end(self) -> None:
        self._child.kill()
        self._child.wait()
        self._listener.join()

    # --- killing it -----------------------------------------------------------------------------

    def kill_in(self, phase: str, chance: random.Random, longest: dict[str, float]) -> set[str]:
        """Kill it at a random moment of such work; what was under way then, by what it had told."""
        pace = chance.choice(PACES)
        if phase == "migration":
            self.start(wait=False)
        else:
            for chat, who in self.chats.items():
                self._order(owner=who, chat=chat, again=[], turns=10**6, pace=pace)
            self._wait_until(lambda: self._begun["writing"] >= len(self.chats), "all the answers")
            if phase == "import":
                self._bring_in(f"file {len(self.imports)}")
            else:
                job = JOBS[phase]
                before = self._begun[job]
                self._wait_until(lambda: self._begun[job] > before, phase)
        time.sleep(chance.uniform(0, longest.get(phase, pace + 0.05)))
        self._end()
        under_way = {name for name, job in JOBS.items() if any(job in jobs for jobs in self._jobs.values())}
        if self._importing:
            under_way.add("import")
        if "ready" not in self.times:
            under_way.add("migration")
        return under_way

    def recover(self, chance: random.Random) -> None:
        """Look at what was left, start on it, check, let everybody go on, and check again."""
        self._checks.look_at_a_copy()
        age_first = chance.random() < 0.5  # the next process comes after half a minute, or at once
        if age_first:
            self._let_half_a_minute_pass()
        self.start()
        self.starts += 1
        if not age_first:
            self._let_half_a_minute_pass()
        self._checks.everything(settled=False)
        before = set(self.asked)
        for chat, who in self.chats.items():
            drafts = [(draft, asked) for draft, asked in self.asked.items() if asked.chat == chat]
            unsure = [(draft, asked.text) for draft, asked in drafts if not asked.ended]
            again = unsure + [(draft, asked.text) for draft, asked in drafts[-1:]]
            self._order(owner=who, chat=chat, again=again, turns=1, pace=0.0)
        for file in self._importing:
            self._bring_in(Path(file).stem)
        for chat in self.chats:
            self._wait_until(partial(self._is_answered, chat, before), f"the next answer in {chat}")
        self._wait_until(lambda: not any(self._jobs.values()) and not self._importing, "the end of all work")
        for refused in self._refused:
            self.findings.add("unusable", f"{self.file}: {refused}")
        self._checks.everything(settled=True)

    def _is_answered(self, chat: str, before: set[str]) -> bool:
        fresh = [asked for draft, asked in self.asked.copy().items() if asked.chat == chat and draft not in before]
        return any(asked.ended == Status.COMPLETE for asked in fresh)

    def _let_half_a_minute_pass(self) -> None:
        with closing(sqlite3.connect(self.file)) as connection, connection:
            connection.execute("UPDATE messages SET heartbeat = heartbeat - 31 WHERE status = 'streaming'")
