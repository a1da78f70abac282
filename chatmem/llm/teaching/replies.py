"""What the teaching model says, in Korean and English. Nothing here decides what it knows."""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence

from chatmem.domain import Language
from chatmem.llm.teaching.details import capitals
from chatmem.llm.teaching.words import is_stop, words_of

LONGEST_QUOTE = 280
"""Characters of a statement shown in a reply."""

LONGEST_KEY_WORD = 24
"""Characters of a word that is echoed in an acknowledgement."""

INTRODUCTION: dict[Language, str] = {
    "en": "I am a rule-based teaching model, not an AI language model: I remember what you tell me and "
    "answer "
    "questions about it.",
    "ko": "저는 AI 언어 모델이 아니라 규칙으로 움직이는 연습 모델이에요. 말씀해 주신 내용을 기억하고, 그 "
    "내용을 물으시면 답해 드려요.",
}
_INVITATION: dict[Language, str] = {
    "en": "Tell me something about yourself, then ask me about it.",
    "ko": "자신에 대해 이야기해 주시고, 나중에 그 내용을 물어보세요.",
}
_ACKNOWLEDGED: dict[Language, tuple[str, ...]] = {
    "en": ("Noted", "Got it", "Understood", "Okay, I have that", "Thanks, I noted it"),
    "ko": ("기억해 둘게요", "네, 알겠어요", "적어 두었어요", "잘 들었어요", "네, 기억할게요"),
}
_GREETING: dict[Language, str] = {"en": "Hello!", "ko": "안녕하세요!"}
_WELCOME: dict[Language, str] = {"en": "You are welcome.", "ko": "천만에요."}
_GOODBYE: dict[Language, str] = {"en": "Goodbye!", "ko": "안녕히 가세요!"}
_AGREED: dict[Language, str] = {"en": "All right.", "ko": "네, 좋아요."}
_NOTHING: dict[Language, tuple[str, ...]] = {
    "en": (
        "My context holds nothing about that.",
        "I find nothing about that in what I was given.",
        "Nothing in my context tells me that.",
    ),
    "ko": (
        "제가 받은 맥락에는 그에 대한 내용이 없어요.",
        "그에 대해서는 제 맥락에 아무것도 없어요.",
        "제 맥락에서는 그 내용을 찾을 수 없어요.",
    ),
}
_ONLY_TOLD: dict[Language, str] = {
    "en": "I can only talk about what I have been told here. For anything else, connect a real model in Settings.",
    "ko": "저는 여기서 들은 내용에 대해서만 말할 수 있어요. 다른 일은 설정에서 실제 모델을 연결해 주세요.",
}
_NO_WORDS: dict[Language, str] = {
    "en": "I see no words in that which I could remember.",
    "ko": "제가 기억할 만한 말이 보이지 않아요.",
}
_CODE: dict[Language, str] = {
    "en": "I see code, but I cannot read or run it: I only remember statements in words.",
    "ko": "코드가 보이지만 저는 코드를 읽거나 실행할 수 없어요. 말로 된 내용만 기억해요.",
}
_KNOWN: dict[Language, str] = {
    "en": "This is what my context holds about you:",
    "ko": "제 맥락에 있는 내용은 이래요:",
}
_YOU_TOLD: dict[Language, str] = {"en": "You told me:", "ko": "이렇게 말씀하셨어요:"}
_UNSURE: dict[Language, str] = {
    "en": "I am not sure. The closest thing I know is: {quote}",
    "ko": "확실하지 않아요. 제가 아는 것 중 가장 가까운 말은 이거예요: {quote}",
}
_UNSURE_OF_TWO: dict[Language, str] = {
    "en": "I am not sure. The closest things I know are: {quotes}",
    "ko": "확실하지 않아요. 제가 아는 것 중 가장 가까운 말은 이 둘이에요: {quotes}",
}

_SURE_PARTICLES = ("에서", "에게", "한테", "까지", "부터", "을", "를")
"""Not 은, 과 and the like: 최영은 and 산부인과 end so by themselves."""
_TURNED = {
    "i": "you", "i'm": "you're", "i've": "you've", "i'd": "you'd", "i'll": "you'll", "me": "you",
    "my": "your",     "mine": "yours", "myself": "yourself", "am": "are",
}  # fmt: skip
_FIRST_WORDS = re.compile(r"^(?:(?:actually|also|so|and|but|well|oh|hi|hello|now)\b[,!]?\s+)+", re.IGNORECASE)


def introduction(language: Language) -> str:
    return INTRODUCTION[language]


def about_itself(language: Language) -> str:
    return f"{INTRODUCTION[language]} {_ONLY_TOLD[language]}"


def greeting(language: Language) -> str:
    return f"{_GREETING[language]} {_INVITATION[language]}"


def welcome(language: Language) -> str:
    return _WELCOME[language]


def goodbye(language: Language) -> str:
    return _GOODBYE[language]


def agreed(language: Language) -> str:
    return f"{_AGREED[language]} {_INVITATION[language]}"


def no_words(language: Language) -> str:
    return f"{_NO_WORDS[language]} {_INVITATION[language]}"


def code_seen(language: Language) -> str:
    return _CODE[language]


def only_told(language: Language) -> str:
    return _ONLY_TOLD[language]


def nothing(question: str, personal: bool, language: Language) -> str:
    """That the context does not answer; for a question that may be a general one, also what would."""
    sentence = _pick(_NOTHING[language], question)
    return sentence if personal else f"{sentence} {_ONLY_TOLD[language]}"


def acknowledgement(statements: Sequence[str], language: Language) -> str:
    """A short receipt with a few of the person's own words, quoted; the same for the same text."""
    sentence = _pick(_ACKNOWLEDGED[language], " ".join(statements))
    if keys := _key_words(statements):
        return f"{sentence}: {', '.join(f'“{key}”' for key in keys)}."
    return f"{sentence}."


def answer(quotes: Sequence[str], language: Language) -> str:
    """The statements found, turned to the second person where that is safe, else as quotations."""
    if len(quotes) > 1:
        return "\n".join([_YOU_TOLD[language], *(f"- {_quoted(quote)}" for quote in quotes)])
    if language == "en" and (turned := second_person(quotes[0])):
        return f"You told me that {turned}."
    if language == "ko":
        return f"{_quoted(quotes[0])}라고 말씀하셨어요."
    return f"{_YOU_TOLD[language]} {_quoted(quotes[0])}"


def unsure(quotes: Sequence[str], language: Language) -> str:
    """The nearest statement, or the two nearest, offered without asserting them."""
    if len(quotes) > 1:
        return _UNSURE_OF_TWO[language].format(quotes=" · ".join(map(_quoted, quotes)))
    return _UNSURE[language].format(quote=_quoted(quotes[0]))


def everything(quotes: Sequence[str], language: Language) -> str:
    return "\n".join([_KNOWN[language], *(f"- {_quoted(quote)}" for quote in quotes)])


def second_person(statement: str) -> str:
    """ "My dog is a corgi." as "your dog is a corgi"; empty where turning it might turn its meaning."""
    text = _FIRST_WORDS.sub("", statement.strip()).rstrip(" .!").replace("’", "'")
    if (
        len(text) > 160
        or not re.match(r"(?i)(?:i|i'm|i've|i'd|i'll|my)\b", text)
        or re.search(r"[.!?\"“”;:]\s", text)
    ):
        return ""
    if re.search(r"(?i)\b(?:you|your|yours|we|us|our|was i|am i)\b", text):
        return ""
    text = re.sub(r"\bI was\b", "you were", text)
    text = re.sub(r"\bI wasn't\b", "you weren't", text)
    return re.sub(r"(?<![\w'])(?:[Ii]'(?:m|ve|d|ll)|[A-Za-z]+)(?![\w'])", _turn, text)


def _turn(match: re.Match[str]) -> str:
    word = match.group()
    return _TURNED.get(word.lower(), word) if word not in ("ME", "AM") else word


def _quoted(statement: str) -> str:
    text = re.sub(r"\s+", " ", statement).strip()
    if len(text) > LONGEST_QUOTE:
        text = text[: LONGEST_QUOTE - 1].rstrip() + "…"
    return f"“{text}”"


def _key_words(statements: Sequence[str]) -> list[str]:
    found: list[str] = []
    names = [name for statement in statements for name in capitals(statement)]
    for statement in statements:
        for word in words_of(statement):
            if not is_stop(word) and 1 < len(word.text) <= LONGEST_KEY_WORD and not word.number:
                found.append(_whole(word.text) if word.korean else word.text)
    return list(dict.fromkeys([*names, *sorted(found, key=len, reverse=True)]))[:2]


def _whole(word: str) -> str:
    """A Korean word without its particle where that is sure, else as said: 강아지 must not become 강아.

    `words.korean_stem` cuts what merely looks like a particle; that serves comparing, not reading.
    """
    for particle in _SURE_PARTICLES:
        root = word.removesuffix(particle)
        if root != word and len(root) >= 2 and _takes(root, particle):
            return root
    return word


def _takes(root: str, particle: str) -> bool:
    """Whether a particle has the form that the root asks for: 을 after a consonant, 를 after a vowel."""
    code = ord(root[-1]) - 0xAC00
    return 0 <= code < 11172 and (particle not in "을를" or (code % 28 > 0) == (particle == "을"))


def _pick(choices: Sequence[str], seed: str) -> str:
    return choices[zlib.crc32(seed.encode("utf-8", "replace")) % len(choices)]
