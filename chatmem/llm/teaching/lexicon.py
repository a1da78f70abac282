"""What words mean, as far as a rule-based model needs to know: concepts, their kin and their rivals.

A sentence encoder finds "dog" and "cat" closer than "dog" and "corgi"; so which words name the same
thing, and which exclude each other, is written down here. One line a concept
(an indented line goes on):

    name/group>parents | English words, phrases with _ | Korean pieces

Members of one `group` are rivals: a statement about one does not answer a question about another. A
concept answers for its parents ("corgi" for "dog" for "pet"). English words match in any form; Korean
pieces match inside a word, with ^ only at its start, with $ only before a particle or the end.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache

from chatmem.llm.teaching import tables_life, tables_world
from chatmem.llm.teaching.words import english_stem, words_of

_KO_END = (
    r"(?=(?:은|는|이|가|을|를|도|의|와|과|랑|이랑|에|에서|한테|에게|하고|만|로|으로|야|이야|고|께서|네"
    r"|들)?(?![가-힣]))"
)


@dataclass(frozen=True, slots=True)
class Concept:
    """A meaning with its group of rivals ("" for none), its parents, and how Korean writes it."""

    name: str
    group: str
    parents: tuple[str, ...]
    phrases: re.Pattern[str] | None
    korean: re.Pattern[str] | None


@dataclass(frozen=True, slots=True)
class Mention:
    """A concept found in a text, with the place it was found at."""

    concept: str
    start: int
    end: int


@cache
def _lexicon() -> tuple[dict[str, Concept], dict[str, tuple[str, ...]]]:
    concepts: dict[str, Concept] = {}
    by_stem: dict[str, list[str]] = {}
    for line in f"{tables_life.TABLE}\n{tables_world.TABLE}".replace("\n   ", " ").splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        head, english, korean = (part.strip() for part in line.split("|", 2))
        head, _, parents = head.partition(">")
        name, _, group = head.partition("/")
        phrases = []
        for word in english.split():
            if "_" in word:
                phrases.append(re.escape(word).replace("_", r"\W+"))
            else:
                by_stem.setdefault(english_stem(word), []).append(name)
        pieces = [_korean_piece(piece) for piece in korean.split()]
        concepts[name] = Concept(
            name,
            group,
            tuple(parents.split(",")) if parents else (),
            re.compile(rf"(?<!\w)(?:{'|'.join(phrases)})(?!\w)", re.IGNORECASE) if phrases else None,
            re.compile("|".join(pieces)) if pieces else None,
        )
    return concepts, {stem: tuple(names) for stem, names in by_stem.items()}


def _korean_piece(piece: str) -> str:
    start = r"(?<![가-힣])" if piece.startswith("^") else ""
    end = _KO_END if piece.endswith("$") else ""
    return f"{start}(?:{piece.strip('^$')}){end}".replace("_", r"\s*")


@lru_cache(maxsize=4096)
def mentions(text: str) -> tuple[Mention, ...]:
    """Every concept a text mentions, with its place. A phrase hides the single words inside it."""
    concepts, by_stem = _lexicon()
    found: list[Mention] = []
    hidden: list[tuple[int, int]] = []
    for concept in concepts.values():
        if concept.phrases:
            for match in concept.phrases.finditer(text):
                found.append(Mention(concept.name, match.start(), match.end()))
                hidden.append(match.span())
        if concept.korean:
            found.extend(Mention(concept.name, m.start(), m.end()) for m in concept.korean.finditer(text))
    for word in words_of(text):
        if not word.korean and not any(start <= word.start < end for start, end in hidden):
            for name in by_stem.get(word.stem, ()):
                found.append(Mention(name, word.start, word.start + len(word.text)))
    return tuple(sorted(found, key=lambda mention: mention.start))


@lru_cache(maxsize=4096)
def concepts_of(text: str) -> frozenset[str]:
    """The names of all concepts a text mentions, without their ancestors."""
    return frozenset(mention.concept for mention in mentions(text))


@cache
def ancestors(name: str) -> frozenset[str]:
    """A concept's parents and their parents; without itself."""
    concepts, _ = _lexicon()
    above: set[str] = set()
    for parent in concepts[name].parents:
        above |= {parent} | ancestors(parent)
    return frozenset(above)


@cache
def group_of(name: str) -> str:
    return _lexicon()[0][name].group


def answers_for(offered: str, wanted: str) -> float:
    """How far a statement's concept covers a question's: 1 same or narrower, 0.5 wider, 0 neither."""
    if offered == wanted or wanted in ancestors(offered):
        return 1.0
    return 0.5 if offered in ancestors(wanted) else 0.0


def is_rival(offered: str, wanted: str) -> bool:
    """Whether the two exclude each other: of one group, neither above the other."""
    group = group_of(wanted)
    return bool(group) and group == group_of(offered) and not answers_for(offered, wanted)


def in_group(name: str, *groups: str) -> bool:
    return group_of(name) in groups
