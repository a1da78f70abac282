"""Names in a text: people, places, products, codes, addresses. By their form, never by a list of whose they are.

English marks names with capitals; at the start of a sentence, where every word has one, only what the text shows
to be a name elsewhere, or what acts like a person, is taken. Codes, addresses, file names and identifiers are
known by their characters. Korean marks nothing, see `names_ko`; but in a Korean text a word in Latin letters is
nearly always a name, and so is a Korean word in an English one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from chatmem.memory.exact.names_ko import korean_names
from chatmem.memory.exact.words import COMMON, EVERYDAY, IN_TITLES, either
from chatmem.text import language_of

Span = tuple[int, int]

_B, _E = "(?<![A-Za-z0-9_.-])", "(?![A-Za-z0-9_])"
_CODES = re.compile(
    "|".join(
        (
            r"`[^`\n]{1,60}`",
            r"(?<![A-Za-z0-9])[a-z][a-z0-9+.]{1,11}://[!#-&(-;=?-Z\\^-_a-z~]+(?<![.,;:!?)])",
            rf"{_B}[A-Za-z0-9_.+-]{{1,64}}@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+",
            r"(?<!\w)@[A-Za-z_]\w{1,30}",
            rf"(?<![\w./-])/?[A-Za-z0-9_.-]+(?:/[A-Za-z0-9_.-]+){{0,20}}"  # a path, but not "and/or"
            rf"/(?=[A-Za-z0-9_.-]{{0,60}}[-_.0-9][A-Za-z0-9])(?=[A-Za-z0-9_./-]{{0,60}}[A-Za-z-])[A-Za-z0-9_.-]*[A-Za-z0-9_]{_E}",
            r"(?<![\w/.])/[a-z0-9_-]+(?:/[\w.-]+)*\w",
            rf"{_B}[A-Za-z_][A-Za-z0-9_.]*\(\)",
            rf"{_B}[A-Za-z0-9][A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]+)*\.[a-z]{{2,5}}\d?{_E}",
            rf"{_B}[A-Za-z][A-Za-z0-9]*_[A-Za-z0-9_]+",
            rf"{_B}[a-z]+[A-Z][A-Za-z0-9]*{_E}",
            rf"{_B}(?!(?:USD|EUR|KRW|GBP|v)\d)[A-Za-z]+\d[A-Za-z0-9]*(?:-[A-Za-z0-9]+)*{_E}",
            rf"{_B}[A-Z]+[A-Za-z0-9]*(?:-[A-Z0-9]+)*-\d[A-Za-z0-9]*(?:-[A-Za-z0-9]+)*{_E}",
            rf"{_B}(?!\d+(?:h|m|cm|km|mm|d)\d)(?!\d+-)\d+[A-Za-z]+\d[A-Za-z0-9]*(?:-[A-Za-z0-9]+)*{_E}",
            rf"{_B}(?!\d+(?:AM|PM|[KMLCFGW]|[KMGT]B|TH|ND|RD|ST|KG|CM|KM|MG|ML){_E})\d+[A-Z]{{1,3}}(?:-\d+)?{_E}",
            r"(?<!\w)#\d{2,10}(?!\w)",
            rf"{_B}[A-Z]\d{{0,3}}(?:구역|동|홀|블록|관|열|조|반|라인|코스|게이트)(?![가-힣]{{3}})",
        )
    )
)
"""What is a name by its characters alone: an address, a file, an identifier, a booking code."""
_ABBREVIATION = re.compile(r"(?:[ei]\.g|i\.e|[ap]\.m)")

_CAPITAL = r"[A-ZÀ-ÖØ-Þ][\wÀ-ɏ]*(?:['’&-][\wÀ-ɏ]+)*"
_TITLE = r"(?:Dr|Mrs?|Ms|Prof|St|Mt)\.?"
_LINK = r"(?:of the|of|the|de|da|do|dos|du|la|le|van|von|der|del|di|y|&)"
_RUN = re.compile(rf"(?<![\w'’])(?:{_TITLE} )?{_CAPITAL}(?: (?:{_LINK} )?(?:{_TITLE} )?{_CAPITAL}){{0,7}}")
_WORD = re.compile(r"\S+")
_START = re.compile(r"(?:^|[.!?…:]|\n|[*#>•(\[]|[-–—] ?|\d[.)])[\s\"'“”‘’*_]*\Z")
_SHORTENED = re.compile(r"\b(?:incl|excl|approx|vs|no|nr|ca|resp|esp|e\.g|i\.e|etc)\. \Z", re.IGNORECASE)
"""A full stop that ends no sentence."""
_SAYING = r"(?:said|says|can['’]?t|told|wants|asked|called|has|had|got|gave|sent)"
_ACTS = either(
    """
    pays goes comes runs uses drives speaks writes reads starts eats drinks cooks visits sleeps said says told
    tells thinks thought wants wanted asked asks called calls lives lived works worked likes loves hates prefers
    needs has had got gave gives sent sends bought met knows knew plays plans studies moved broke found wrote
    teaches made took brought came went left paid owes owns helps helped recommended suggested arrives joined
    leads turns turned will can['’]?t cannot won['’]t doesn['’]t didn['’]t isn['’]t hasn['’]t
    """
)
_LIKE_A_PERSON = re.compile(
    rf"(?:['’]s\b| and [A-Z]| (?:{_ACTS})\b|, (?:my|our|his|her|who)\b"
    r"| is (?:my|our|his|her|their|allergic|vegan|vegetarian|\d|coming|bringing)\b"
    r"| is (?:on (?:leave|holiday)|in charge|turning)\b"
    rf"| was (?:my|our|born)\b| (?:on|from|at|in) \w+(?: \w+)? {_SAYING}\b)"
)
"""What follows a person's name at the start of a sentence."""
_CALLED = re.compile(
    r"(?:\b(?:is|are|was|were|been|it|him|her|them|dog|cat|app|service|tool)|['’]s|['’]re) (?:called|named)"
    r" (?P<a>[\w-]+)|\bname(?:['’]s| is| was) (?P<b>[\w-]+)|\bnamed (?P<c>[\w-]+)"
)
_LATIN = re.compile(r"(?<![A-Za-z0-9_])[A-Za-z][\w'’-]*(?: [A-Za-z][\w'’-]*)*", re.ASCII)
_HANGUL = re.compile(r"[가-힣]{2,}(?: [가-힣]{2,})*")


def code_spans(text: str) -> list[Span]:
    """Addresses, files, identifiers, booking codes."""
    return [match.span() for match in _CODES.finditer(text) if not _ABBREVIATION.fullmatch(match[0])]


def name_spans(text: str, prose: str, known: frozenset[str]) -> Iterator[Span]:
    """The names of a text, in no order; `prose` is the same with its numbers and dates blank.

    `known` are names from elsewhere, which are names at the start of a sentence too.
    """
    if _is_korean(text):
        yield from korean_names(text)
        yield from _latin_names(prose)
        return
    for match in _RUN.finditer(prose):
        if span := _trimmed(prose, match, known):
            yield span
    for match in _CALLED.finditer(prose):
        name = next(group for group in ("a", "b", "c") if match[group])
        if match[name].lower() not in COMMON and not match[name].isdigit():
            yield match.span(name)
    for match in _HANGUL.finditer(prose):
        yield match.span()


def names_within(text: str) -> frozenset[str]:
    """Capitalised words that do not begin a sentence: names wherever else they stand."""
    found: set[str] = set()
    for match in _RUN.finditer(text) if not _is_korean(text) else ():
        parts = match[0].split()
        for word in parts[1:] if _begins_sentence(text, match.start()) else parts:
            if word[0].isupper() and _bare(word).lower() not in COMMON:
                found.add(_bare(word))
    return frozenset(found)


def _is_korean(text: str) -> bool:
    return language_of(text) != "en" and any("가" <= letter <= "힣" for letter in text)


def _latin_names(text: str) -> Iterator[Span]:
    for match in _LATIN.finditer(text):
        parts = [word for word in _WORD.finditer(match[0]) if word[0].lower() not in EVERYDAY and len(word[0]) > 1]
        if parts:
            yield match.start() + parts[0].start(), match.start() + parts[-1].end()


def _trimmed(text: str, match: re.Match[str], known: frozenset[str]) -> Span | None:
    """A run of capitals without what is no name: of a sentence's first word only what is shown to be one."""
    parts = [(match.start() + word.start(), word[0]) for word in _WORD.finditer(match[0])]
    if _begins_sentence(text, match.start()) and not _is_name_at_start(text, parts, known):
        parts = parts[1:]
    while parts and (not parts[0][1][0].isupper() or _bare(parts[0][1]) in ("I", "OK", "Mom", "Mum", "Dad")):
        parts = parts[1:]
    if all(_bare(word).lower() in COMMON for _, word in parts):
        return None
    start, end = parts[0][0], parts[-1][0] + len(_bare(parts[-1][1]))
    return (start, end) if end - start > 1 and not re.fullmatch(_TITLE, text[start:end]) else None


def _is_name_at_start(text: str, parts: list[tuple[int, str]], known: frozenset[str]) -> bool:
    start, word = parts[0]
    first = _bare(word)
    if re.fullmatch(_TITLE, word) or first in known:
        return True
    if len(parts) > 1:
        return first.lower() in IN_TITLES
    is_shown = (len(first) > 1 and first.isupper()) or _LIKE_A_PERSON.match(text, start + len(first))
    return first.lower() not in COMMON and bool(is_shown)


def _begins_sentence(text: str, at: int) -> bool:
    before = text[max(0, at - 10) : at]
    return at == 0 or (bool(_START.search(before)) and not _SHORTENED.search(before))


def _bare(word: str) -> str:
    return re.sub(r"['’](?:s|m|ll|ve|re|d|t)?$", "", word)
