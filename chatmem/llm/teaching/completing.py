"""Making a statement understandable by itself: "She is 3", "no, Thursday", "Bori." after "What is it called?"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TypeVar

from chatmem.llm.teaching.corrections import announces_change
from chatmem.llm.teaching.intent import has_hangul, is_question, is_small_talk
from chatmem.llm.teaching.lexicon import in_group, mentions
from chatmem.llm.teaching.reading import leans_on_before, sentences
from chatmem.llm.teaching.subjects import aliases_in
from chatmem.llm.teaching.words import content_of, same_word, words_of

Place = TypeVar("Place")

LONGEST_ANSWER = 5
"""Words up to which a message may be nothing but the answer to a question."""

_NO = re.compile(
    r"^(?:(?:(?:oh|ah|wait|sorry|oops|no|nope|not quite|correction|actually|i meant?)\b|아니요|아니야|아니|아뇨"
    r"|아|앗|미안|정정"
    r"|사실은?|다시)[,.!:~]*\s*)+",
    re.IGNORECASE,
)
_NOT_BUT = (
    re.compile(r"^(?:it['’]?s |it is )?not (?:on |in |at )?(?P<old>[^,.;]{1,30}?)(?:,? but|[,;.]"
        r"|,? it['’]s)\s+(?:it['’]s |it is )?(?:on |in |at )?(?P<new>[^,.;]{1,30}?)[.!]*$", re.IGNORECASE),
    re.compile(r"^(?:it['’]?s |it is |i meant? )?(?:on |in |at )?(?P<new>[^,.;]{1,30}?)(?:,? not| instead of"
        r"| rather than) (?:on |in |at )?(?P<old>[^,.;]{1,30}?)[.!]*$", re.IGNORECASE),
    re.compile(r"^(?:it['’]?s |it is |it )?(?:was |has )?(?:been )?(?:moved|changed|pushed"
        r"|postponed) from (?P<old>[^,.;]{1,30}?) to (?P<new>[^,.;]{1,30}?)[.!]*$", re.IGNORECASE),
    re.compile(r"^(?P<old>\S+?)(?:이|가)?\s*(?:아니라|아니고|말고|대신)[, ]\s*(?P<new>[^.!]{1,20}?)(?:이에요|예요"
        r"|이야|야|입니다|이다|다"
        r"|임|이었어|였어|로 해|으로)?[.!~]*$"),
    re.compile(r"^(?P<old>\S+?)에서 (?P<new>[^.!]{1,20}?)(?:으로|로) (?:바뀌었|바뀜|변경|옮겨|미뤄"
        r"|연기)\S*[.!~]*$"),
)  # fmt: skip
_BARE_EN = (
    r"(?:(?:sorry|actually|no|it['’]?s|it is|it was|that['’]?s|i meant?|on|at|in|now|by the way|is|has been|was"
    r"|been|moved"
    r"|pushed|changed|postponed|rescheduled|to|make that|should be|the correct one is)[,:]?\s+)*"
)
_VALUE = {
    "weekday": r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|[월화수목금토일]요일",
    "date": r"(?:\d{1,2}(?:st|nd|rd|th)? )?(?:january|february|march|april|may|june|july|august|september"
        r"|october|november|december)(?: \d{1,2}(?:st|nd|rd|th)?)?\b|\d{1,2}월(?: ?\d{1,2}일)?",
    "clock": r"(?:오전|오후|저녁|아침|새벽|밤)?\s?(?:\d{1,2}|한|두|세|네|다섯|여섯|일곱|여덟|아홉|열|열한"
        r"|열두)시(?!간)(?: ?반| ?\d{1,2}분)?"
        r"|\b\d{1,2}(?::\d\d)?\s?(?:am|pm|a\.m\.|p\.m\.|o'clock)|\b\d{1,2}:\d\d\b",
    "amount": r"[$€£₩]\s?\d[\d,.]*\d?|\d[\d,.]*\s?(?:만|천|억|백만)?\s?(?:원|달러|dollars|euros|pounds|won)\b",
    "count": r"\b\d+\s?(?:마리|명|개|살|층|권|번|시간|km|kg|cm|people|guests|years old)",
}  # fmt: skip
_END_KO = (
    r"(?:이에요|예요|이야|야|입니다|이다|다|임|이었어|였어|로 (?:바뀌었|바뀜|변경|옮겼|미뤄|연기|정해)\S*"
    r"|로 했어|로 옮겼어)?"
)
_PAIRS = (
    ("이에요",
        "예요"), (
            "이라고",
                "라고"), (
                    "이야",
                        "야"), (
                            "이다", "다"), ("이고", "고"), ("은", "는"), ("이", "가"), ("을", "를"), ("과", "와"),
)  # fmt: skip
_PARTICLE = re.compile(rf"(?:{'|'.join(one for pair in _PAIRS for one in pair)})(?![가-힣])")
_PRONOUN_EN = re.compile(
    r"^(?:and |but |so |also )?(?P<word>she|he|it|they|her|his|its"
    r"|their)(?P<is>['’]s)?\s+",
    re.IGNORECASE,
)
_PHRASE_EN = re.compile(
    r"^(?:also |and |so )?(?P<phrase>(?:my|our|the) (?:[\w'’-]+ ){0,2}?[\w-]+?)(?:,? [A-Z]\w+)? (?:is|are|was"
    r"|has|have|lives|works|likes|loves|plays|starts|studies|wants|called|named|\w{2,}ed|said|got|went|bought)\b",
    re.IGNORECASE,
)
_PRONOUN_KO = re.compile(r"^(?:걔|얘|그녀|그분|그 친구|그 애|그 아이|이 아이)(?P<particle>는|가|도|의)?\s*")
_TOPIC_ONLY_KO = re.compile(r"^(?P<what>이름|나이|생일|품종|직업|성격|색깔?)(?P<particle>은|이|는)\s")
_YOUR_EN = re.compile(
    r"^(?:(?:ok(?:ay)?|great|nice|and|so|oh|cool)[,.!]* )*(?P<ask>what|when|where|who|how old|how many"
    r"|which)(?:['’]s| is| are) (?P<thing>your [\w' ’-]{2,40}?)(?P<called> called| named)?\?$",
    re.IGNORECASE,
)
_DO_YOU_EN = (
    (re.compile(r"\bwhere do you live\?$", re.IGNORECASE), "I live in {}."),
    (re.compile(r"\bwhat (?:do you do(?: for a living)?|is your job)\?$", re.IGNORECASE), "I work as {}."),
    (re.compile(r"\bhow old are you\?$", re.IGNORECASE), "I am {} years old."),
    (re.compile(r"\bwhat is your name\?$", re.IGNORECASE), "My name is {}."),
)
_ASKED_KO = re.compile(
    r"^(?:그럼|그러면|그런데|오|아|그렇군요[.!]?|좋아요[.!]?|네[.,]?"
    r"|혹시)?\s*(?P<thing>[가-힣A-Za-z0-9 ]{2,24}?)(?:은|는|이|가)\s*(?:뭐"
    r"|무엇|언제|어디|누구|몇|며칠|무슨|얼마)\S*(?:\s\S+)?\?$"
)


def completed(statement: str, standing: Sequence[tuple[str, Place]], asked: str) -> tuple[str, Place | None]:
    """A correction that tells only the new value, made whole from what it corrects, and where that stands.

    "아니, 금요일이 아니라 목요일이야" after "회의는 금요일이야" gives "회의는 목요일이야". `standing` has the
    newest first; `asked` is the assistant's message before, which may have repeated the old value. The statement
    itself and None when it is no such correction, or when more than one fact may be meant.
    """
    if not (announces_change(statement) or _NO.match(statement)):
        return statement, None
    bare = _NO.sub("", statement).strip()
    for form in _NOT_BUT:
        if (match := form.match(bare)) and len(content_of(match.group("new"))) <= 3:
            old, new = match.group("old").strip(), match.group("new").strip()
            holding = [(text, place) for text, place in standing if old.lower() in text.lower()]
            if chosen := _meant(holding, asked):
                return _exchanged(chosen[0], old, new), chosen[1]
    for pattern in _VALUE.values():
        whole = re.fullmatch(
            rf"{_BARE_EN}(?P<new>{pattern}){_END_KO}(?: now| instead)?[.!~]*", bare, re.IGNORECASE
        )
        if whole:
            new = whole.group("new").strip()
            finder = re.compile(pattern, re.IGNORECASE)
            holding = [
                (text, place) for text, place in standing
                if (have := finder.search(text)) and have.group().strip().lower() != new.lower()
            ]  # fmt: skip
            if chosen := _meant(holding, asked):
                text, place = chosen
                old = finder.search(text)
                return (_exchanged(text, old.group().strip(), new), place) if old else (statement, None)
    return statement, None


def _meant(holding: Sequence[tuple[str, Place]], asked: str) -> tuple[str, Place] | None:
    """The fact meant: the only one, one of this batch (the newest first), or the one just spoken of."""
    if len(holding) == 1:
        return holding[0]
    if holding and not isinstance(holding[0][1], int):
        return holding[0]
    spoken = [word.stem for word in content_of(asked)]
    scored = [
        (
            sum(any(same_word(word.stem, other) >= 0.9 for other in spoken) for word in content_of(text)),
            text,
            place,
        )
        for text, place in holding
    ]
    scored.sort(key=lambda one: -one[0])
    if scored and scored[0][0] >= 2 and (len(scored) == 1 or scored[0][0] > scored[1][0]):
        return scored[0][1], scored[0][2]
    return None


def _exchanged(text: str, old: str, new: str) -> str:
    start = text.lower().find(old.lower())
    return text[:start] + _joined(new, text[start + len(old) :])


def _joined(new: str, rest: str) -> str:
    """A new value before what followed the old one; Korean particles follow its last sound."""
    particle = _PARTICLE.match(rest)
    if not particle or not has_hangul(new[-1]):
        return new + rest
    closed, opened = next(pair for pair in _PAIRS if particle.group() in pair)
    return new + (closed if _final(new) else opened) + rest[particle.end() :]


def resolved(statement: str, before: str) -> str:
    """A statement that leans on the one before, with what it leans on named; else as it is."""
    if not before or not leans_on_before(statement):
        return statement
    if has_hangul(statement):
        living = [mention for mention in mentions(before) if in_group(mention.concept, "person", "animal")]
        word = before[living[-1].start : living[-1].end].strip() if living else ""
        if word and (match := _TOPIC_ONLY_KO.match(statement)):
            return f"{word} {statement}" if match else statement
        if word and (match := _PRONOUN_KO.match(statement)):
            return f"{word}{match.group('particle') or '는'} {statement[match.end() :]}"
        return f"{before.rstrip(' .!')}. {statement}"
    match = _PRONOUN_EN.match(statement)
    phrase = _PHRASE_EN.match(before)
    names = list(aliases_in((before,)))
    whom = phrase.group("phrase") if phrase else ""
    if not whom and len(names) == 1:
        whom = next(
            (word.text for word in words_of(before) if word.stem == names[0] and word.text[0].isupper()), ""
        )
    if match and whom:
        whom = whom[0].upper() + whom[1:]
        owner = match.group("word").lower() in ("her", "his", "its", "their")
        tail = "'s" if owner or match.group("is") else ""
        return f"{whom}{tail} {statement[match.end() :]}"
    return f"{before.rstrip(' .!')}. {statement}"


def answered(asked: str, answer: str) -> str:
    """A bare answer to the assistant's question as a statement; empty when the rules cannot make one."""
    questions = [sentence for sentence in sentences(asked) if sentence.rstrip().endswith("?")]
    bare = answer.strip().rstrip(".!~")
    if len(questions) != 1 or not bare or len(bare.split()) > LONGEST_ANSWER or "\n" in bare:
        return ""
    if (
        is_question(answer)
        or is_small_talk(answer)
        or re.match(
            r"(?i)(?:yes|no|yeah|sure|maybe|i |응|네|아니"
            r"|글쎄|몰라"
            r"|모르)",
            bare,
        )
    ):
        return ""
    question = questions[0].strip()
    if match := _YOUR_EN.match(question):
        thing = re.sub(r"(?i)^your\b", "My", match.group("thing"))
        return f"{thing} is called {bare}." if match.group("called") else f"{thing} is {bare}."
    for form, sentence in _DO_YOU_EN:
        if form.search(question):
            return sentence.format(bare)
    if (match := _ASKED_KO.match(question)) and has_hangul(question):
        thing = match.group("thing").strip()
        ends = bare if re.search(r"(?:이야|야|예요|이에요|입니다|다|어|요)$", bare) else _with_copula(bare)
        return f"{thing}{_topic_particle(thing)} {ends}."
    return ""


def _final(text: str) -> bool:
    code = ord(text[-1]) - 0xAC00
    return 0 <= code < 11172 and code % 28 > 0


def _topic_particle(text: str) -> str:
    return "은" if _final(text) else "는"


def _with_copula(text: str) -> str:
    return f"{text}이야" if _final(text) else f"{text}야"
