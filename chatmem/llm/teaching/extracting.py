"""Facts by rule: which of the person's statements are worth a place in long-term memory, and what they change.

Pure: a transcript and the known facts go in, operations come out. Every quote is looked up in its message
before it is returned, so that a fact without proof cannot leave here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from chatmem.domain import FACT_CHARACTERS, FactKind
from chatmem.llm.teaching.comparing import adds_nothing, relation
from chatmem.llm.teaching.completing import answered, completed, resolved
from chatmem.llm.teaching.corrections import announces_change, changes_something, overtakes, without_old_value
from chatmem.llm.teaching.gist import gist_of
from chatmem.llm.teaching.intent import is_question
from chatmem.llm.teaching.pinning import CLAUSE, Said
from chatmem.llm.teaching.reading import carries_on, sentences, statements_in
from chatmem.llm.teaching.revising import announces_only, is_for_once, revised
from chatmem.llm.teaching.subjects import aliases_in
from chatmem.llm.teaching.tables_same import RETRACTING
from chatmem.llm.teaching.words import content_of, same_word
from chatmem.llm.teaching.worth import is_worth_keeping, kind_of

MOST_OPERATIONS = 12
"""Operations of one batch; a pasted diary must not flood the memory. The first ones stay."""

_LEAD = re.compile(
    r"^(?:(?:well|so|and|but|um+|uh|oh|hey|hi|hello|by the way|btw|also|anyway|besides|plus|on top of that"
    r"|you know"
    r"|(?:something|one|another) (?:else|(?:more |other |last )?thing)(?=:)|look|ok(?:ay)?|yes|yeah"
    r"|yep|no|nope|fyi"
    r"|please note that|just so you know|sorry|oops|wait|(?:as|like) i (?:said|told you|mentioned)(?: before"
    r"| earlier)?|remember(?: that)?|note that|(?:little |small |quick )?update)\b[,:!.]*\s+"
    r"|(?:음+|아 참|아 맞다|아+|어|앗|저기|그리고|그런데|근데|참고로|그러니까|뭐|아 참|참|아 맞다|맞다|아니|아뇨"
    r"|응|네|넵|안녕(?:하세요)?|참고|있잖아"
    r"|게다가|그나저나|아무튼|어쨌든|하여튼|그건 그렇고|하나 더|저기요)(?:[,:.!~]+\s*|\s+))+",
    re.IGNORECASE,
)
_REMEMBER_END = re.compile(
    r"[,;]?\s+(?:so )?(?:please )?(?:remember|note|keep in mind|don['’]t forget) (?:that|this|it)[.!]*$"
    r"|(?:[,.]|\s)\s*(?:이거|그거|이건|이 점|꼭|잘|좀)?\s*(?:기억해|메모해|알아)\s*(?:줘|둬|주세요|두세요|줄래"
    r"|놔"
    r"|놔줘|주라)\S*\s*$",
    re.IGNORECASE,
)
_THAT_KO = re.compile(
    r"(?P<end>이라|라|다)는\s*(?:거|것|걸|점|사실)(?:을|도|은)?$|(?P<being>있|없)(?:는)\s*(?:거"
    r"|것|걸)(?:을)?$"
)
_REMEMBER = re.compile(
    r"^\s*(?:please )?(?:remember|note)(?: that| to)?\s*:?\s+|^\s*(?:기억해\s*(?:줘|둬)?"
    r"|메모)\s*[:,]\s*",
    re.IGNORECASE,
)
_WISH = re.compile(
    r"^(?:to |always |never |please |do not |don['’]t )*(?:answer|reply|respond|explain|use|keep|speak|talk"
    r"|start|begin|avoid|format|address|write (?:in|to me)|call me)\b"
    r"|(?:답변|대답|설명|말투|존댓말|반말|예시|표|이모지)\S*\s",
    re.IGNORECASE,
)
_RETRACT = re.compile(
    r"\b(?:forget (?:about |what i (?:said|told you)(?: about)?|that|it|the|my|everything about)|scratch that"
    r"|scrap that|(?:please )?(?:delete|erase|remove) (?:what|that|the fact)"
    r"|never ?mind (?:about |what i said|the|my)|disregard (?:that|what i)|ignore what i said|i take (?:that"
    r"|it) back|don['’]t remember (?:that|what))"
    r"|(?:얘기|이야기|말|내용|건|거|것|계획)[은는도를을]?\s*(?:\S+\s)?(?:취소(?:야|할게|해|하자|해 ?줘|예요"
    r"|입니다)|잊어|지워|없던 ?(?:일|걸)|무시해)"
    r"|잊어\s?(?:줘|버려|주세요|줄래)|없던 (?:일|걸)로|못 들은 걸로|기억에서 지워",
    re.IGNORECASE,
)
_RETRACT_WORDS = frozenset(RETRACTING.split())


@dataclass(frozen=True, slots=True)
class Operation:
    """One change of the memory, as `prompts.EXTRACTION_SCHEMA` has it; `target` is a known fact's number."""

    op: Literal["add", "supersede", "retract"]
    kind: FactKind
    text: str
    quote: str
    message: int
    target: int | None = None


@dataclass(frozen=True, slots=True)
class _Told:
    """A statement with the words that prove it; `wished` when it came as "remember: …" about answers."""

    text: str
    quote: str
    message: int
    wished: bool = False
    retracts: bool = False


class _Memory:
    """What stands while a batch is read: the known facts not yet changed, and the operations so far."""

    def __init__(self, known: Sequence[str]) -> None:
        self.known = dict(enumerate(known, 1))
        self.made: list[Operation] = []
        self.retracted: list[Operation] = []
        self.last: Operation | int | None = None
        """What the last statement made or repeated: what "forget that" points at."""

    def standing(self) -> list[tuple[str, Operation | int]]:
        """Texts and where they stand, the newest first."""
        known: list[tuple[str, Operation | int]] = [(text, number) for number, text in self.known.items()]
        return [*((made.text, made) for made in reversed(self.made)), *reversed(known)]

    def take_in(self, told: _Told, kind: FactKind, stored: str, aimed: Operation | int | None) -> None:
        """Add a statement, in the place of what it repeats or corrects; `aimed` is what it surely corrects."""
        if aimed is None:
            for text, place in self.standing():
                if relation(stored, text) == "same" or adds_nothing(stored, text):
                    self.last = place
                    return
            aimed = self.corrected_by(told.text)
        if aimed is not None and changes_something(stored):
            stored = without_old_value(stored)
        target = aimed if isinstance(aimed, int) else aimed.target if aimed else None
        if isinstance(aimed, Operation):
            self.made.remove(aimed)
        elif aimed is not None:
            del self.known[aimed]
        made = Operation("add" if target is None else "supersede", kind, stored, told.quote, told.message, target)
        self.made.append(made)
        self.last = made

    def corrected_by(self, statement: str) -> Operation | int | None:
        """What a statement corrects: by its words and values, or as the one thing it is news of."""
        if is_for_once(statement):
            return None
        standing = self.standing()
        sure = next((place for text, place in standing if _corrects(statement, text)), None)
        return revised(statement, standing) if sure is None else sure

    def is_news(self, statement: str) -> bool:
        return announces_change(statement) and self.corrected_by(statement) is not None

    def take_back(self, told: _Told) -> None:
        """Retract what is meant: by its words, or the last thing told when nothing is named."""
        place = self._meant(told.text)
        if isinstance(place, Operation):
            self.made.remove(place)
        elif place is not None and place in self.known:
            text = self.known.pop(place)
            self.retracted.append(Operation("retract", kind_of(text), text, told.quote, told.message, place))
        self.last = None

    def _meant(self, text: str) -> Operation | int | None:
        bare = _RETRACT.sub(lambda match: " " if match.group()[0].isascii() else match.group(), text)
        named = [w.stem for w in content_of(bare) if w.stem not in _RETRACT_WORDS and w.text not in _RETRACT_WORDS]
        if not named:
            return self.last
        best: tuple[float, Operation | int | None] = (0.0, None)
        core = gist_of(bare).core
        for known, place in self.standing():
            words = [word.stem for word in content_of(known)]
            shared = sum(any(same_word(one, other) >= 0.85 for other in words) for one in named) / len(named)
            shared = max(shared, len(core & gist_of(known).core) / max(1, len(named)))
            if shared > best[0]:
                best = (shared, place)
        return best[1] if best[0] >= 0.34 else None


def extract(known: Sequence[str], said: Sequence[Said]) -> tuple[Operation, ...]:
    """What the user's messages of `said` change in the memory; usually nothing. `known` count from 1.

    Of corrections within the batch only the last state is left. Quotes are exact parts of their messages.
    """
    memory = _Memory(known)
    asked, before = "", ""
    names = frozenset(name.lower() for name in aliases_in(list(known)))
    for message in said:
        if message.role == "assistant":
            asked = message.text
            continue
        names |= frozenset(name.lower() for name in aliases_in(statements_in(message.text)))
        for told in _told(message, asked, before):
            if told.retracts:
                memory.take_back(told)
                continue
            _remember(memory, told, asked, names)
            before = told.text
        asked = ""
    return tuple([*memory.retracted, *memory.made][:MOST_OPERATIONS])


def _remember(memory: _Memory, told: _Told, asked: str, names: frozenset[str]) -> None:
    whole, aimed = completed(told.text, memory.standing(), asked)
    if aimed is not None:
        told = replace(told, text=whole)
    elif not (told.wished or is_worth_keeping(_plain(told.text), names) or memory.is_news(told.text)):
        return
    stored = _short(_plain(told.text))
    if stored:
        memory.take_in(told, "preference" if told.wished else kind_of(stored), stored, aimed)


def _corrects(later: str, earlier: str) -> bool:
    found = relation(later, earlier)
    return found == "replaces" or (found == "rivals" and overtakes(later, earlier))


def _told(message: Said, asked: str, before: str) -> list[_Told]:
    """The statements of a message in their order, each able to stand alone, with exact quotes."""
    if asked and (answer := answered(asked, message.text)):
        return [_Told(answer, message.text.strip(), message.number)]
    found: list[tuple[int, _Told]] = []
    taken: list[str] = []
    for sentence in sentences(message.text):
        place = message.text.find(sentence)
        if place < 0:
            continue
        if _RETRACT.search(sentence) and not re.search(r"[?？]\s*$", sentence):
            found.append((place, _Told(sentence, sentence, message.number, retracts=True)))
            taken.append(sentence)
        elif body := _asked_to_keep(sentence):
            wished = bool(_REMEMBER.match(sentence) and _WISH.search(body))
            found.append((place, _Told(body, sentence, message.number, wished=wished)))
            taken.append(sentence)
    for statement in (piece for whole in statements_in(message.text) for piece in _pieces(whole)):
        quote = _quote_of(statement, message.text)
        if quote and not any(sentence in statement or statement in sentence for sentence in taken):
            found.append((message.text.find(quote), _Told(statement, quote, message.number)))
    found.sort(key=lambda one: one[0])
    told = []
    for _, one in found:
        told.append(one if one.retracts else replace(one, text=resolved(one.text, before)))
        before = one.text
    return told


def _pieces(statement: str) -> list[str]:
    """A statement of several sentences, parted where the second does not need the first."""
    found: list[str] = []
    last = ""
    for sentence in sentences(statement):
        if last and (carries_on(sentence) or announces_only(last)):
            found[-1] = f"{found[-1]} {sentence}"
        else:
            found.append(sentence)
        last = sentence
    return found


def _asked_to_keep(sentence: str) -> str:
    """The statement inside "remember: …" or "… 라는 거 기억해 줘"; empty for any other sentence."""
    if is_question(sentence) and re.search(r"[?？]\s*$", sentence):
        return ""
    body = _REMEMBER.sub("", sentence).strip()
    if body != sentence.strip() and _WISH.search(body):
        return body
    body = _REMEMBER_END.sub("", sentence).strip(" ,")
    if body == sentence.strip(" ,") or len(content_of(body)) < 2:
        return ""
    return _THAT_KO.sub(
        lambda match: (
            f"{match.group('being')}다"
            if match.group("being")
            else {"이라": "이다", "라": "다", "다": "다"}[match.group("end")]
        ),
        body,
    )


def _quote_of(statement: str, text: str) -> str:
    """The longest exact part of a message that holds a statement; empty when none can be found."""
    spaced = re.search(r"\s+(?:[-*•]\s+)?".join(map(re.escape, statement.split())), text)
    if spaced and "‹" not in spaced.group():
        return spaced.group()
    parts = [part for part in sentences(statement) if part in text and "‹" not in part]
    return max(parts, key=len, default="")


def _plain(text: str) -> str:
    """One line without leading fillers; as said otherwise."""
    line = re.sub(r"\s+", " ", text).strip()
    return _LEAD.sub("", line) or line


def _short(text: str) -> str:
    """The text within `FACT_CHARACTERS`, cut at the end of a clause where there is one."""
    if len(text) <= FACT_CHARACTERS:
        return text
    kept = ""
    for match in CLAUSE.finditer(text):
        if match.start() > FACT_CHARACTERS:
            break
        kept = text[: match.start()]
    return (kept or text[:FACT_CHARACTERS]).rstrip(" ,;")
