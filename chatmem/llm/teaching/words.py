"""Words of English and Korean, reduced so that forms of one word look the same."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from chatmem.llm.teaching.wordlists import IRREGULAR_FORMS, STOP_EN, STOP_KO

WORD = re.compile(
    r"[A-Za-zÀ-ɏ][A-Za-zÀ-ɏ0-9]*(?:['’.+#-][A-Za-zÀ-ɏ0-9]+)*[+#]*|\d+(?:[.,:/]\d+)*|[가-힣]+|[一-鿿ぁ-ヿ]+"
)
HANGUL = re.compile(r"[가-힣]")

_IRREGULAR = {form: forms.split()[0] for forms in IRREGULAR_FORMS.split(",") for form in forms.split()[1:]}

_COUNTER = re.compile(
    r"^(?:명|개|번|마리|살|시|분|권|대|잔|층|년|월|일|주|개월|시간|점|등|박)"
    r"(?:이|가|은|는|을|를|에|이라고|라고|이나|나|까지|부터|쯤|씩|째|이야|야|이지|지|이었지|였지|이죠|죠"
    r"|예요|이에요)*$"
)
_ASKING = re.compile(
    r"^(?:뭐|뭘|뭔|뭣|무엇|무슨|언제|어디|어딜|어딘|누구|누가|얼마|어떻|어떤|어느|어땠|왜)[가-힣]{0,4}$"
    r"|^(?:했|됐|있|없|였|이었|그랬|말했|말하|말씀|얘기했|이야기했|알려|기억|한다|된다|하기|되기|하려"
    r"|해야|달라|싶)(?:었|겠|을|는|던|하|해|고|다|지|죠|어|요|나|니|까|라|려|줘|주|세|더|기|했|거|데|습"
    r"|십|셨|시|신)*$"
)
_PARTICLE = re.compile(
    r"(?:에서는|에서도|에게는|한테는|으로는|으로도|까지는|부터는|이라고|이라는|라고|라는|에서|에게|한테"
    r"|께서|으로|까지|부터|보다|처럼|이랑|하고"
    r"|이나|마다|만큼|밖에|조차|이란|이고|이며|이야|이에요|예요|입니다|이었지|였지|은|는|이|가|을|를|에"
    r"|의|로|와|과|랑|도|만|나|요|야|죠|지)$"
)
_KO_ENDING = re.compile(
    r"(?:했었어|했었지|한다고|하려고|하기로|하고|하는|하면|해서|했어|했지|했는데|해줘|해줄|해야|합니다"
    r"|해요|하게|하기|할|한|해|받을|받는|받아|시킨|주면"
    r"|었어|았어|었지|았지|는다고|ㄴ다고|다고|려고|고|는데|어서|아서|으면|면|기|던|는|은|을|어|아|지|자"
    r"|네|니|나)$"
)


@dataclass(frozen=True, slots=True)
class Word:
    """A word as it stands, its reduced form, and where it stands."""

    text: str
    stem: str
    start: int

    @property
    def korean(self) -> bool:
        return bool(HANGUL.match(self.text))

    @property
    def number(self) -> bool:
        return self.text[0].isdigit()


def english_stem(word: str) -> str:
    """A light stem: plural, -ing and -ed go, irregular forms are looked up; at least three letters stay."""
    word = word.lower().replace("’", "'")
    word = re.sub(r"'(?:s|m|re|ve|d|ll)$", "", word).replace("'", "")
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    for ending in ("ing", "ed"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            root = word[: -len(ending)]
            if root[-1] == root[-2] and root[-1] not in "lsz":
                return root[:-1]
            return root[:-1] if len(root) > 3 and root[-1] == "e" else root
    if re.search(r"(?:ss|sh|ch|x|z)es$", word):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and word[-2] not in "su":
        word = word[:-1]
    return word[:-1] if len(word) > 4 and word.endswith("e") else word


def korean_stem(word: str) -> str:
    """The word without its particle, as long as something meaningful stays."""
    for _ in range(2):
        shorter = _PARTICLE.sub("", word)
        if len(shorter) < 2 and not (len(shorter) == 1 and len(word) == 2):
            break
        if shorter == word:
            break
        word = shorter
    return word


@lru_cache(maxsize=4096)
def words_of(text: str) -> tuple[Word, ...]:
    """All words of a text, in order."""
    found = []
    for match in WORD.finditer(text):
        word = match.group()
        stem = korean_stem(word) if HANGUL.match(word) else english_stem(word)
        found.append(Word(word, stem, match.start()))
    return tuple(found)


@lru_cache(maxsize=4096)
def content_of(text: str) -> tuple[Word, ...]:
    """The words of a text that say something about its topic."""
    return tuple(word for word in words_of(text) if not is_stop(word))


def is_stop(word: Word) -> bool:
    """Whether a word says nothing about the topic: articles, pronouns, question words, 'tell', 'remember'."""
    if word.korean and (_COUNTER.match(word.text) or _ASKING.match(word.text)):
        return True
    if word.korean:
        return word.text in STOP_KO or word.stem in STOP_KO
    if word.text == "May" and word.start > 0:
        return False
    return word.text.lower().replace("’", "'") in STOP_EN or word.stem in STOP_EN


@lru_cache(maxsize=16384)
def same_word(one: str, other: str) -> float:
    """How surely two stems are forms of one word: 1 equal, 0 unrelated.

    Korean words glue to each other and to endings (배포 / 배포일, 설명 / 설명받을): a shared
    beginning of two syllables counts, or the whole shorter word inside the longer one.
    """
    if one == other:
        return 1.0
    if HANGUL.match(one) and HANGUL.match(other):
        one_root, other_root = _KO_ENDING.sub("", one), _KO_ENDING.sub("", other)
        if one_root == other_root and len(one_root) >= 2:
            return 1.0
        shorter, longer = sorted((one_root or one, other_root or other), key=len)
        if len(shorter) >= 2 and longer in (f"{shorter}장", f"{shorter}원"):
            return 0.5  # the head or a member of a thing (길드장, 길드원) is not the thing
        if len(shorter) >= 2 and longer.startswith(shorter):
            return 0.95
        if len(shorter) >= 2 and longer.endswith(shorter):
            return 0.85
        if len(shorter) >= 2 and len(longer) <= 4 and shorter[:2] == longer[:2]:
            return 0.8
        return 0.0
    if one[0].isdigit() or other[0].isdigit():
        return 0.0
    shorter, longer = sorted((one, other), key=len)
    if len(shorter) >= 5 and longer.startswith(shorter[:-1]) and len(longer) - len(shorter) <= 4:
        return 0.9
    if len(shorter) >= 4 and longer.startswith(shorter) and len(longer) - len(shorter) <= 3:
        return 0.85
    return 0.0


SOUNDS_ALIKE = 4
"""Letters of Hangul (jamo) that two words must begin with together to look like forms of one word."""


@lru_cache(maxsize=65536)
def akin(one: Word, other: Word) -> float:
    """How much two words look like one, verb endings and compounds included; looser than `same_word`.

    Korean endings melt into the stem (쓴다, 써; 노린다, 노리죠): letters are compared, not syllables.
    """
    alike = same_word(one.stem, other.stem)
    if alike >= 0.9 or not (one.korean and other.korean):
        return alike
    if len(one.stem) >= 2 and one.stem in other.text:
        return 0.9
    mine, theirs = _letters(one.stem), _letters(other.stem)
    together = next(
        (place for place, (a, b) in enumerate(zip(mine, theirs, strict=False)) if a != b),
        min(len(mine), len(theirs)),
    )
    return max(alike, together / min(len(mine), len(theirs)) if together >= SOUNDS_ALIKE else 0.0)


@lru_cache(maxsize=16384)
def _letters(word: str) -> str:
    return unicodedata.normalize("NFD", word)
