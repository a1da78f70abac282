"""Facts as a property: whatever is said, corrected, taken back, forgotten or cut short by a crash,

* no two open facts say the same, * no superseded or retracted fact is sent, * every fact has evidence,
* nobody's facts are in another's request, * cursor and facts move together.
"""

from __future__ import annotations

import json
import re
import tempfile
from contextlib import closing
from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from chatmem.app import App
from chatmem.domain import Fact, FactChanges, FactStatus, Lesson
from chatmem.errors import ChatmemError, ModelOverloaded
from chatmem.llm.models import Models
from chatmem.llm.protocol import Completion, ModelRequest
from chatmem.settings import Settings
from chatmem.store import Store
from chatmem.store.fact_rows import OPEN
from chatmem.store.learning import Learning
from chatmem.tokens import count_tokens
from tests.conftest import Clock, Person
from tests.databases import new_database
from tests.scripted import ScriptedModel

OWNERS = ("a", "b")
THINGS = ("cat", "dog", "city", "job")
ALL = tuple(FactStatus)


class Crash(BaseException):
    """The process dies here: nothing after it runs, and no error handler sees it as an error."""


class Remembering(RuleBasedStateMachine):
    """Two people tell, correct and take back things; the helper is right, wrong, or dies in the middle."""

    @initialize()
    def open(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.url = new_database(Path(self.folder.name))
        self.model, self.clock = ScriptedModel(), Clock()
        self.model.answers["extract"] = self._extract
        self.behaviour = "right"
        self._start()
        ids = [self.app.store.owners.enter(name * 64, "browser").id for name in OWNERS]
        self.people = {
            name: Person(self.app, self.app.store.owners.get(id_)) for name, id_ in zip(OWNERS, ids, strict=True)
        }
        self.said = 0
        self.ended: set[str] = set()
        """Values that were superseded, retracted or forgotten: none may be sent again."""

    def _start(self) -> None:
        configured = Settings(database_url=self.url)
        self.app = App(
            configured, Store(self.url, self.clock), Models(configured, self.model, count_tokens), self.clock
        )

    def teardown(self) -> None:
        if hasattr(self, "app"):
            self.app.background.wait(20)
            self.app.close()
            self.folder.cleanup()

    # --- the helper -----------------------------------------------------------------------------

    def _extract(self, request: ModelRequest) -> str | ChatmemError | Completion:
        """Reads "owner NAME my THING is VALUE" and "forget my THING" from the newest messages."""
        text = request.messages[1].text
        known = dict(re.findall(r"^(\d+)\. (.*)$", text.partition("</known>")[0], re.MULTILINE))
        found: list[dict[str, object]] = []
        for number, said in re.findall(r'<message n="(\d+)" role="user">(.*?)</message>', text):
            told = re.search(r"(Z[ab]\w+) is my (\w+)", said)
            dropped = re.search(r"forget my (\w+)", said)
            thing = told.group(2) if told else dropped.group(1) if dropped else None
            target = next(
                (int(place) for place, fact in known.items() if thing and f"is my {thing}" in fact), None
            )
            op = {
                "kind": "fact" if thing in ("cat", "dog") else "profile",
                "message": int(number),
                "quote": said,
                "target": target,
            }
            if told:
                found.append(
                    {**op, "op": "supersede" if target else "add", "text": f"{told.group(1)} is my {thing}"}
                )
            elif dropped and target:
                found.append({**op, "op": "retract", "text": ""})
        if self.behaviour == "wrong":
            found += [
                {
                    "op": "add",
                    "kind": "fact",
                    "text": "Loves jazz",
                    "quote": "I love jazz",
                    "message": 1,
                    "target": None,
                }
            ]
        if self.behaviour == "twice":
            found += found
        return {"malformed": "{", "failing": ModelOverloaded()}.get(self.behaviour) or json.dumps(
            {"operations": found}
        )

    @rule(behaviour=st.sampled_from(["right", "right", "wrong", "twice", "malformed", "failing"]))
    def helper_changes(self, behaviour: str) -> None:
        self.behaviour = behaviour

    # --- what people do -------------------------------------------------------------------------

    @rule(who=st.sampled_from(OWNERS), thing=st.sampled_from(THINGS), again=st.booleans(), new_chat=st.booleans())
    def tell(self, who: str, thing: str, again: bool, new_chat: bool) -> None:
        if not again:
            self.said += 1
        if new_chat:
            self.people[who] = Person(self.app, self.people[who].owner)
        self._say(who, f"Z{who}{self.said}x is my {thing}")

    @rule(who=st.sampled_from(OWNERS), thing=st.sampled_from(THINGS))
    def take_back(self, who: str, thing: str) -> None:
        self._say(who, f"forget my {thing}")

    @rule(who=st.sampled_from(OWNERS), thing=st.sampled_from(THINGS))
    def ask(self, who: str, thing: str) -> None:
        self.people[who] = Person(self.app, self.people[who].owner)
        self._say(who, f"What is my {thing}?")

    def _say(self, who: str, text: str) -> None:
        before = {fact.text for fact in self._facts(who, ALL)}
        live = {fact.text for fact in self._facts(who)}
        self.people[who].say(text)
        request = self.model.asked("chat")[-1]
        sent = "\n".join(message.text for message in request.messages)
        others = {name for name in OWNERS if name != who}
        assert not any(f"Z{name}" in sent for name in others), "another owner's fact was sent"
        long_term = request.messages[0].text + request.messages[-1].text.partition("</recalled>")[0]
        for fact in before - live:
            if text not in fact:
                assert f"] {fact}\n" not in long_term, "a fact that has ended was sent"

    @rule(who=st.sampled_from(OWNERS), place=st.integers(0, 5))
    def forget(self, who: str, place: int) -> None:
        if facts := self._facts(who):
            self.app.knowledge.forget(self.people[who].owner.id, facts[place % len(facts)].id)

    @rule(
        who=st.sampled_from(OWNERS),
        place=st.integers(0, 5),
        act=st.sampled_from(["pin", "retract", "edit", "approve"]),
    )
    def act(self, who: str, place: int, act: str) -> None:
        owner, facts = self.people[who].owner.id, self._facts(who, ALL)
        if not facts:
            return
        fact = facts[place % len(facts)]
        try:
            if act == "edit":
                self.said += 1
                self.app.knowledge.edit(
                    owner, fact.id, fact.kind, f"Z{who}{self.said}x is my {fact.text.split()[-1]}"
                )
            elif act == "pin":
                self.app.knowledge.pin(owner, fact.id, True)
            elif act == "approve":
                self.app.knowledge.approve(owner, fact.id)
            elif fact.status is FactStatus.LIVE:
                self.app.knowledge.retract(owner, fact.id)
        except ChatmemError:
            pass  # not an open fact any more: a sentence, and nothing changed
        self.app.background.wait(20)

    @rule(who=st.sampled_from(OWNERS), place=st.integers(0, 5))
    def bring_back(self, who: str, place: int) -> None:
        if facts := self._facts(who, (FactStatus.RETRACTED,)):
            try:
                self.app.knowledge.bring_back(self.people[who].owner.id, facts[place % len(facts)].id)
            except ChatmemError:
                assert self._facts(who)  # the same stands again

    @rule(who=st.sampled_from(OWNERS), on=st.booleans())
    def ask_first(self, who: str, on: bool) -> None:
        self.people[who].prefer(asks_first=on)

    @rule(who=st.sampled_from(OWNERS), thing=st.sampled_from(THINGS), written=st.booleans())
    def crash_while_learning(self, who: str, thing: str, written: bool) -> None:
        """The process dies just before, or in the middle of, the transaction that keeps what was learned."""
        self.said += 1
        commit = Learning.commit

        def dying(store: Learning, owner_id: int, lesson: Lesson, through: int, changes: FactChanges) -> object:
            if written:
                with closing(_Dying(store, changes)) as half:
                    half.run(owner_id, lesson, through)
            raise Crash

        Learning.commit = dying  # type: ignore[method-assign, assignment]
        cursors = self._cursor(who)
        facts = self._facts(who, ALL)
        try:
            turn = self.people[who].send(f"Z{who}{self.said}x is my {thing}")
            self.app.chat.wait(turn, 20)
        finally:
            Learning.commit = commit  # type: ignore[method-assign]
        self.app.close()
        self._start()
        for name, person in self.people.items():
            self.people[name] = Person(self.app, self.app.store.owners.get(person.owner.id), person.chat_id)
        assert self._facts(who, ALL) == facts
        assert self._cursor(who) == cursors

    # --- what must always hold ------------------------------------------------------------------

    @invariant()
    def no_two_open_facts_say_the_same(self) -> None:
        for who in getattr(self, "people", ()):
            texts = [fact.text for fact in self._facts(who, OPEN)]
            assert len(texts) == len(set(texts))

    @invariant()
    def one_live_value_of_each_thing_that_was_corrected(self) -> None:
        for who in getattr(self, "people", ()):
            facts = self._facts(who)
            replaced = {fact.replaces_id for fact in facts}
            assert not replaced & {fact.id for fact in facts}, "a fact and what it replaced are both live"

    @invariant()
    def every_fact_has_evidence(self) -> None:
        for who in getattr(self, "people", ()):
            for fact in self._facts(who, ALL):
                proofs = [proof for proof in fact.evidence if not proof.against]
                assert proofs
                if fact.origin == "learned":
                    said = {m.id: m.text for m in self._messages(who, fact)}
                    assert all(
                        proof.quote in said[proof.message_id] for proof in proofs if proof.message_id in said
                    )

    def _facts(self, who: str, statuses: tuple[FactStatus, ...] = (FactStatus.LIVE,)) -> list[Fact]:
        found = self.app.store.facts.page(self.people[who].owner.id, statuses, limit=500)
        return sorted(found, key=lambda fact: fact.id)

    def _messages(self, who: str, fact: Fact):  # type: ignore[no-untyped-def]
        owner = self.people[who].owner.id
        ids = {proof.conversation_id for proof in fact.evidence if proof.conversation_id}
        return [m for id_ in ids for m in self.app.store.turns.page(owner, id_, limit=1000, retired=True)]

    def _cursor(self, who: str) -> int:
        person = self.people[who]
        try:
            return self.app.store.learning.lesson(person.owner.id, person.chat_id, 20).after
        except ChatmemError:
            return 0


class _Dying:
    """Writes the facts of a lesson and dies before the cursor is written: the transaction goes with it."""

    def __init__(self, store: Learning, changes: FactChanges) -> None:
        self._store, self._changes = store, changes

    def run(self, owner_id: int, lesson: Lesson, through: int) -> None:
        from chatmem.store.learning import _write

        with self._store._database.write() as session:
            _write(session, owner_id, self._changes, self._store._database.now())
            raise Crash

    def close(self) -> None: ...


Remembering.TestCase.settings = settings(
    max_examples=25,
    stateful_step_count=25,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
test_facts_never_double_linger_lack_proof_or_leak = Remembering.TestCase
