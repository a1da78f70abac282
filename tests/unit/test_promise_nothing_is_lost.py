"""Promise 1 as a property: whatever happens, covered ∪ window = all live messages, in order."""

from __future__ import annotations

import tempfile
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from chatmem.app import App
from chatmem.context import MESSAGE_OVERHEAD
from chatmem.domain import Status
from chatmem.errors import (
    ChatChanged,
    ChatmemError,
    ContentFiltered,
    ModelOverloaded,
    NotFound,
    NothingToRetry,
)
from chatmem.llm.models import Models
from chatmem.policy import PRESET_NAMES
from chatmem.settings import Settings
from chatmem.store import Store
from chatmem.tokens import count_tokens
from tests.conftest import Clock, Person
from tests.databases import new_database
from tests.scripted import SUMMARY, ScriptedModel


class Chatting(RuleBasedStateMachine):
    """Random histories of sends, failures, folds, retries, edits, deletions, branches that come back, versions
    put in force, edited and rebuilt, forgetting, resets, undos and changes of preset."""

    @initialize()
    def open(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        url = new_database(Path(self.folder.name))
        self.model, self.clock = ScriptedModel(), Clock()
        configured = Settings(database_url=url)
        self.app = App(
            configured, Store(url, self.clock), Models(configured, self.model, count_tokens), self.clock
        )
        self.person = Person(self.app, self.app.store.owners.enter("a" * 64, "browser"))
        self.sent = 0
        self.said: list[str] = []
        self.forgotten: set[int] = set()

    def teardown(self) -> None:
        if hasattr(self, "app"):
            self.app.background.wait(20)
            self.app.close()
            self.folder.cleanup()

    @rule(words=st.integers(1, 600), answer=st.sampled_from(["Fine.", "A longer answer. " * 40]))
    def send(self, words: int, answer: str) -> None:
        self.model.answers["chat"] = answer
        self._say(f"K{self.sent:03} " + "word " * words)

    @rule(error=st.sampled_from([ModelOverloaded(), ContentFiltered()]))
    def send_in_vain(self, error: ChatmemError) -> None:
        self.model.answers["chat"] = error
        assert self._say(f"K{self.sent:03} in vain").status is Status.FAILED

    def _say(self, text: str):  # type: ignore[no-untyped-def]
        self.sent += 1
        self.said.append(text)
        covered = self.person.memory.covered if self._exists() else 0
        reply = self.person.say(text)
        self._last_messages_were_sent(text, covered)
        return reply

    @rule()
    def retry(self) -> None:
        if not self._exists():
            return
        self.model.answers["chat"] = "Second try."
        try:
            self.person.retry()
        except NothingToRetry:
            shown = [m for m in self._messages() if m.retired_at is None]
            # Nothing, or a reply whose question was forgotten.
            assert not shown or (shown[-1].role == "assistant" and shown[-1].live and self.forgotten)

    @rule(answer=st.sampled_from([f"<summary>{SUMMARY}</summary>", "BANANA", ModelOverloaded()]))
    def change_helper(self, answer: object) -> None:
        self.model.answers["fold"] = answer  # type: ignore[assignment]

    @rule(minutes=st.sampled_from([1, 10, 60 * 25, 60 * 24 * 40]))
    def time_passes(self, minutes: int) -> None:
        self.clock.ahead += timedelta(minutes=minutes)

    @rule(preset=st.sampled_from(PRESET_NAMES))
    def change_preset(self, preset: str) -> None:
        self.person.prefer(preset=preset)

    @rule()
    def reset(self) -> None:
        if self._exists():
            self.app.chat.reset(self.person.owner, self.person.chat_id)

    @rule()
    def undo(self) -> None:
        if not self._exists():
            return
        head = self.person.memory.head
        try:
            if head:
                self.app.store.versions.undo_fold(self.person.owner.id, self.person.chat_id, head.version)
            else:
                self.app.store.memory.undo_reset(self.person.owner.id, self.person.chat_id)
        except ChatmemError:
            pass  # nothing to undo: a sentence, and nothing changed

    # --- acts of the person: a sentence when they cannot be, and then nothing changed -------------

    @rule(data=st.data())
    def edit(self, data: st.DataObject) -> None:
        questions = [m for m in self._live() if m.role == "user"]
        if not questions:
            return
        self.model.answers["chat"] = "Fine."
        text = f"K{self.sent:03} edited"
        self.person.edit(data.draw(st.sampled_from(questions)), text)
        self.sent += 1
        self.said.append(text)

    @rule(data=st.data())
    def delete_from(self, data: st.DataObject) -> None:
        if live := self._live():
            message = data.draw(st.sampled_from(live))
            self.app.store.branches.delete_from(self.person.owner.id, self.person.chat_id, message.id)

    @rule(data=st.data())
    def bring_back(self, data: st.DataObject) -> None:
        if not self._exists():
            return
        store, owner_id, chat_id = self.app.store.branches, self.person.owner.id, self.person.chat_id
        if branches := store.of_chat(owner_id, chat_id):
            branch = data.draw(st.sampled_from(branches))
            wanted = [m.number for m in store.messages(owner_id, chat_id, branch.id) if not m.void]
            store.bring_back(owner_id, chat_id, branch.id)
            assert [m.number for m in self._live() if m.number > branch.after_number] == wanted

    @rule(data=st.data())
    def put_in_force(self, data: st.DataObject) -> None:
        if not self._exists():
            return
        store, owner_id, chat_id = self.app.store.versions, self.person.owner.id, self.person.chat_id
        seen = self._head()
        version = data.draw(st.sampled_from([None, *store.numbers(owner_id, chat_id)]))
        if version is None or store.fits(owner_id, chat_id, version):
            self.app.versions.put_in_force(owner_id, chat_id, version, seen)
        else:
            with pytest.raises(ChatChanged):
                self.app.versions.put_in_force(owner_id, chat_id, version, seen)

    @rule()
    def edit_summary(self) -> None:
        if self._exists() and (seen := self._head()):
            head = self.app.store.versions.get(self.person.owner.id, self.person.chat_id, seen)
            self.app.versions.edit(
                self.person.owner.id, self.person.chat_id, seen, f"By hand {self.sent}.", head.pins, 500
            )

    @rule()
    def rebuild(self) -> None:
        if self._exists():
            self.app.chat.rebuild(self.person.owner, self.person.chat_id, language="en")
            self.app.background.wait(20)

    @rule(holds=st.booleans())
    def hold(self, holds: bool) -> None:
        if self._exists():
            self.app.versions.hold(self.person.owner.id, self.person.chat_id, holds)

    @rule(data=st.data())
    def forget(self, data: st.DataObject) -> None:
        if not self._exists() or not (kept := [m for m in self._messages() if m.forgotten_at is None]):
            return
        message = data.draw(st.sampled_from(kept))
        plan = self.app.forgetting.of_message(self.person.owner.id, message.id)
        self.app.forgetting.forget(self.person.owner, plan, [message.id])
        self.forgotten.add(message.number)

    @invariant()
    def every_version_in_force_holds_what_is_live_and_not_forgotten(self) -> None:
        if not hasattr(self, "person") or not self._exists():
            return
        store = self.app.store.versions
        live = {m.number for m in self._messages() if m.live}
        covered: set[int] = set()
        chain = store.leading_to_head(self.person.owner.id, self.person.chat_id, 1000)
        for version in chain:
            assert version.suspended_at is None
            assert version.text
            if version.how == "rebuild":
                covered = set()
            covered |= {n for first, last in version.folded for n in range(first, last + 1)}
        assert covered == {n for n in live if chain and n <= chain[-1].covers_through}

    @invariant()
    def what_was_forgotten_is_gone(self) -> None:
        if hasattr(self, "person") and self._exists():
            gone = [m for m in self._messages() if m.number in self.forgotten]
            assert all(m.text == "" and not m.live for m in gone)

    @invariant()
    def covered_and_window_are_all_live_messages(self) -> None:
        if not hasattr(self, "person") or not self._exists():
            return
        memory = self.person.memory
        live = [m.number for m in self._messages() if m.live]
        window = [m.number for m in self._whole_window(memory.covered)]
        assert [n for n in live if n <= memory.covered] + window == live
        assert memory.window_count == len(window)

    @invariant()
    def no_message_is_ever_gone(self) -> None:
        if hasattr(self, "person") and self._exists():
            messages = self._messages()
            said = dict(zip([m.number for m in messages if m.role == "user"], self.said, strict=True))
            assert all(m.text == said[m.number] for m in messages if m.role == "user" and not m.forgotten_at)
            assert [m.number for m in messages] == list(range(1, len(messages) + 1))

    def _whole_window(self, covered: int):  # type: ignore[no-untyped-def]
        return self.app.store.memory.live_between(self.person.owner.id, self.person.chat_id, covered, 10**9)

    def _last_messages_were_sent(self, question: str, covered: int) -> None:
        """The last `keep` messages that fit their share were verbatim in what was sent."""
        policy = self.app.chat.policy(self.person.owner, None)
        *texts, last = self.model.asked("chat")[-1].messages
        assert last.segments[-1].text == question
        texts = [m.text for m in texts]
        number = next(m.number for m in self._messages() if m.text == question)
        window = [m for m in self._messages() if covered < m.number < number and m.live]
        receipt = self.app.store.receipts.latest(self.person.owner.id, self.person.chat_id)
        if any(what.startswith("messages") for what in receipt.context.expired):
            return  # a window that has expired is not sent, and the receipt says so
        room = policy.shares.window
        for message in reversed(window[-(policy.keep - 1) :] if policy.keep > 1 else []):
            room -= message.tokens + MESSAGE_OVERHEAD
            if room < 0:
                break
            assert message.text in texts

    def _head(self) -> int | None:
        """The version in force, whatever the preset makes of it."""
        chain = self.app.store.versions.leading_to_head(self.person.owner.id, self.person.chat_id, 1000)
        return chain[-1].version if chain else None

    def _live(self):  # type: ignore[no-untyped-def]
        return self.person.live() if self._exists() else []

    def _messages(self):  # type: ignore[no-untyped-def]
        return self.person.messages

    def _exists(self) -> bool:
        try:
            self.app.store.conversations.get(self.person.owner.id, self.person.chat_id)
        except NotFound:
            return False
        return True


Chatting.TestCase.settings = settings(
    max_examples=25,
    stateful_step_count=30,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
test_covered_and_window_are_all_live_messages = Chatting.TestCase
