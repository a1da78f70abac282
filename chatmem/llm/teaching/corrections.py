"""When a later statement replaces an earlier one: "I live in Busan", later "I moved to Seoul"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from chatmem.llm.teaching.details import Detail, capitals, offers, values_of
from chatmem.llm.teaching.lexicon import answers_for, concepts_of, group_of, in_group, is_rival, mentions
from chatmem.llm.teaching.subjects import SELF, living_in, subject_of
from chatmem.llm.teaching.words import is_stop, same_word, words_of

_CHANGE = re.compile(
    r"n['’]t .{1,40}any ?more\b|\b(?:no longer|not .{1,40}any ?more|instead|changed|change it|switch(?:ed"
    r"|ing)?|moved?|relocated|swapped|replaced|postponed"
    r"|resched\w+|pushed (?:back|to)|brought forward|quit|stopped|gave up|given up|cancel\w*|correction"
    r"|i was wrong|i meant|to correct|turns out|got a new|not .{1,30} but|is now|are now)\b"
    r"|더 ?이상|바꿨|바꾸|바뀌|바뀐|변경|옮겼|옮기|이사했|이사 ?왔|이사 ?갔|정정|아니라|아니고|말고|대신"
    r"|그만뒀|그만두|끊었|끊기로|취소|미뤄(?! ?[둔두놓])|미뤘|연기|앞당|갈아탔|갈아타|전환|잘못 말|수정하"
    r"|(?<!기)로 했어|달라졌|달라져"
    r"|않기로|안 하기로",
    re.IGNORECASE,
)
_NEW_PLAN = re.compile(
    r"\b(?:chang\w+|change of (?:plans?|heart|mind)|switch\w*|swapped|replaced|scrap that|scratch that"
    r"|(?:got|been|is|was) (?:pushed|moved|bumped|delayed)|deferred|as of (?:this|next|today))\b|^update[:,!]"
    r"|바꿨|바뀌|바뀐|변경|갈아탔|다시 생각|포기하고|아까 말한",
    re.IGNORECASE,
)
"""Announces that a plan has changed; too weak by itself to undo an earlier statement."""
_HINT = re.compile(
    r"\b(?:actually|now|nowadays|from now on|these days|sorry|currently)\b|(?<![가-힣])(?:이제|이젠|사실"
    r"|실은|지금은|아니,|앗|요즘은|아 참)",
    re.IGNORECASE,
)
_FORMER = re.compile(
    r"\b(?:used to|previously|formerly|back then|as a child|when i was)\b|예전에|옛날에|어릴 때|원래는|했었",
    re.IGNORECASE,
)
_COPULA_EN = re.compile(
    r"^(?:(?:actually|now|sorry|so|and|but|oh|well|no|correction)[,:]?\s+)*(?P<key>(?:my|our|the|his|her"
    r"|their)\s+[^,.;]{2,48}?)\s+(?:is|are|was|will be|costs?|has (?:been )?(?:moved|changed|set)|(?:got "
    r")?(?:moved|changed|postponed|rescheduled)|starts?|begins?|ends?|runs? on|leaves?"
    r"|takes?)\b(?P<value>.*)",
    re.IGNORECASE,
)
_OPENING_KO = r"^(?:(?:아|사실|이제|앗|참|아니|나는|저는|난|전|내가|제가)[,.]?\s+)*"
_TOPIC_KO = re.compile(_OPENING_KO + r"(?P<key>[^,.]{1,28}?)(?<![하되있없])(?:은|는)\s+(?P<value>.+)$")
_SUBJECT_KO = re.compile(_OPENING_KO + r"(?P<key>[^,.]{1,24}?)(?:이|가|을|를)\s+(?P<value>.+)$")
_PLANNED = re.compile(
    r"\b(?:plan\w*|next|will|going to|moving|thinking|with)\b|예정|계획|내년|다음|싶|이사할|이사 ?갈|갈 거"
)
_HOME = re.compile(
    r"\b(?:i|we|i['’]m|i['’]ve|we['’]re|we['’]ve|lives?)\b[^.;]{0,24}?\b(?:moved|live|lives|living"
    r"|relocated|based|in)\b"
    r"|이사|살(?:아|고|지|았|게)|산다|사는|거주|자취|(?<![가-힣])집(?:은|이)",
    re.IGNORECASE,
)
_ARTICLES = ("a", "an", "the", "my", "our", "on", "in", "at", "it", "to")
_VALUE_KINDS: tuple[Detail, ...] = ("clock", "when", "price", "age", "color", "number", "name")
_OF_A_KIND = re.compile(
    r"\b(exam|test|course|class|lessons?|degree|appointment|rent|key|password|code|budget|interview)"
    r" (?:in|for|of|to) (?:the |my |our )?(?!mon|tues|wednes|thurs|fri|satur|sun)([a-z]+)"
)
"""One exam is in maths, another in physics: news of one is none of the other."""
_FROM_TO_EN = re.compile(r"\bfrom (?P<old>[^,.;]{2,30}?) (?=(?:to|into) \w)", re.IGNORECASE)
_FROM_TO_KO = re.compile(r"(?P<old>[가-힣A-Za-z0-9 ]{1,12}?)에서 (?=[가-힣A-Za-z0-9 ]{1,14}(?:으로|로)\s)")
_NOT_BUT_EN = re.compile(
    r"\bnot (?P<old>[^,.;]{2,24}?),? but |(?:, not|,? (?:instead of|rather than)) "
    r"(?P<tail>[^,.;]{2,24}?)(?=[.;!]|$)",
    re.IGNORECASE,
)
_NOT_BUT_KO = re.compile(
    r"(?P<old>[가-힣A-Za-z0-9]{1,12}?)(?:이|가)? (?:아니라|아니고|말고|대신에?)[, ]\s*"
    r"|(?P<tail>[가-힣A-Za-z0-9]{1,12}) (?:말고|대신에?)[, ]\s*"
)


@lru_cache(maxsize=4096)
def changes_something(text: str) -> bool:
    return bool(_CHANGE.search(text))


@lru_cache(maxsize=4096)
def announces_change(text: str) -> bool:
    """Whether a statement says of itself that something is different now, if only by a "now" or "actually"."""
    return bool(_CHANGE.search(text) or _NEW_PLAN.search(text) or _HINT.search(text))


@lru_cache(maxsize=4096)
def _topic(text: str) -> frozenset[str]:
    """The content stems of a statement, numbers and change words left out."""
    change = frozenset(word.stem for match in _CHANGE.finditer(text) for word in words_of(match.group())[:1])
    bare = _HINT.sub(" ", text)
    return frozenset(
        word.stem for word in words_of(bare) if not is_stop(word) and not word.number and word.stem not in change
    )


@lru_cache(maxsize=4096)
def _key(text: str) -> tuple[frozenset[str], str]:
    """What "X is Y" is about, and its Y; empty when the statement has another form."""
    for form in (_TOPIC_KO, _SUBJECT_KO) if re.search(r"[가-힣]", text) else (_COPULA_EN,):
        if match := form.match(text):
            stems = frozenset(word.stem for word in words_of(match.group("key")) if not is_stop(word))
            if stems:
                return stems, match.group("value")
    return frozenset(), ""


@lru_cache(maxsize=65536)
def overtakes(later: str, earlier: str) -> bool:
    """Whether `later`, said after `earlier`, leaves the earlier statement no longer true."""
    if later == earlier or _is_former(later) or _is_former(earlier):
        return False
    if (
        not (_may_correct(later) or _key(later)[0])
        or _different_subjects(later, earlier)
        or rivals_apart(later, earlier)
    ):
        return False
    if _new_home(later, earlier) or _same_key_new_value(later, earlier):
        return True
    strong = changes_something(later)
    if not strong and not _HINT.search(later):
        return False
    if strong and _swaps_within_group(later, earlier):
        return True
    mine, theirs = _topic(later), _topic(earlier)
    shared = _shared(mine, theirs)
    if not shared or not mine or not theirs:
        return False
    if strong and _names_old_value(later, earlier):
        return True
    if living_in(earlier) - living_in(later):
        return False  # it also tells of somebody; that must not be lost with the rest
    ratio = shared / min(len(mine), len(theirs))
    same_kind = any(
        offers(later, kind) and offers(earlier, kind) and values_of(later, kind) != values_of(earlier, kind)
        for kind in _VALUE_KINDS
    )
    if strong:
        return ratio >= 0.5 and (same_kind or _ends_it(later) or ratio >= 0.75)
    return ratio >= 0.6 and same_kind and shared >= 2


@lru_cache(maxsize=4096)
def _is_former(text: str) -> bool:
    return bool(_FORMER.search(text))


@lru_cache(maxsize=4096)
def _may_correct(text: str) -> bool:
    return changes_something(text) or bool(_HINT.search(text)) or bool(_HOME.search(text))


def updates(later: str, earlier: str, one_value: bool) -> bool:
    """Whether `later`, which tells as much about what is asked as `earlier`, says that it is different now.

    Weaker than `overtakes`: for two statements that a question shows to be about one thing. A mere "now"
    or "instead" counts where the question has `one_value` (a place, a date).
    """
    if _is_former(later) or _is_former(earlier):
        return False
    if subject_of(later) != subject_of(earlier) and subject_of(earlier) not in later.lower():
        return False
    return bool(_NEW_PLAN.search(later)) or (one_value and bool(_CHANGE.search(later) or _HINT.search(later)))


def is_news_of(later: str, earlier: str, texts: Sequence[str]) -> bool:
    """Whether `later` announces a change and shares with `earlier` a word that no other of `texts` has."""
    if not (_CHANGE.search(later) or _NEW_PLAN.search(later)):
        return False
    others = [_topic(text) for text in texts if text not in (later, earlier)]
    return any(
        len(stem) >= 2 and not any(stem in other for other in others) for stem in _topic(later) & _topic(earlier)
    )


def without_old_value(text: str) -> str:
    """A correcting statement without the value it corrects: "I moved from Busan to Seoul" ends "to Seoul".

    Unchanged when the statement names no old value.
    """
    if not changes_something(text):
        return text
    for pattern in (_FROM_TO_EN, _FROM_TO_KO, _NOT_BUT_EN, _NOT_BUT_KO):
        shorter = pattern.sub("", text, count=1)
        if shorter != text and len(words_of(shorter)) >= 2:
            return shorter.strip(" ,")
    return text


def _shared(mine: frozenset[str], theirs: frozenset[str]) -> int:
    return sum(any(same_word(one, other) >= 0.9 for other in theirs) for one in mine)


def _different_subjects(later: str, earlier: str) -> bool:
    one, other = subject_of(later), subject_of(earlier)
    if one == other:
        return False
    named = living_in(later) | living_in(earlier)
    return SELF in (one, other) or bool(named)


def rivals_apart(later: str, earlier: str) -> bool:
    """Whether two statements speak of two of a kind: two people, two events, two pets. They correct nothing."""
    kinds = [dict(_OF_A_KIND.findall(text.lower())) for text in (later, earlier)]
    if any(kinds[1].get(thing, kind) != kind for thing, kind in kinds[0].items()):
        return True
    mine, theirs = concepts_of(later), concepts_of(earlier)
    for one in mine:
        if in_group(one, "person", "animal", "event", "examkind", "meal", "device", "env") and one != "move":
            same_group = {other for other in theirs if group_of(other) == group_of(one)}
            if same_group and not any(answers_for(one, other) or answers_for(other, one) for other in same_group):
                return True
    return False


def _new_home(later: str, earlier: str) -> bool:
    mine, theirs = concepts_of(later), concepts_of(earlier)
    lives = {"live", "move"}
    if not (mine & lives and theirs & lives) or not (_HOME.search(later) and _HOME.search(earlier)):
        return False
    if living_in(later) != living_in(earlier) or not (offers(later, "where") and offers(earlier, "where")):
        return False
    if mine & {"want"} or theirs & {"want"} or _PLANNED.search(later):
        return False
    return subject_of(later) == subject_of(earlier) and "liveformer" not in mine | theirs


def _same_key_new_value(later: str, earlier: str) -> bool:
    (my_key, my_value), (their_key, their_value) = _key(later), _key(earlier)
    if not my_key or not their_key or _shared(my_key, their_key) < max(len(my_key), len(their_key)):
        return False
    kinds = [kind for kind in _VALUE_KINDS if offers(my_value, kind) and offers(their_value, kind)]
    if changes_something(later) and (kinds or _shared(_topic(my_value), _topic(their_value))):
        return True
    if "favourite" in concepts_of(later) and "favourite" in concepts_of(earlier):
        return True
    hangul = re.search(r"[가-힣]", later)
    for kind in kinds:
        if kind == "name" and hangul:
            continue  # Korean has no capitals: a name cannot be told from any other word
        if values_of(my_value, kind) != values_of(their_value, kind):
            remains = _shared(_topic(_bare(my_value)), _topic(_bare(their_value)))
            return bool(_HINT.search(later)) or remains >= 1 or len(words_of(my_value)) <= 4
    return "이름" in my_key and "이름" in their_key


def _bare(value: str) -> str:
    for word in capitals(value):
        value = value.replace(word, " ")
    return re.sub(r"\d+\S*", " ", value)


def _swaps_within_group(later: str, earlier: str) -> bool:
    """ "I switched to Rust" after "I code in Python": one member of a group takes the place of another."""
    if not re.search(r"switch|chang|swap|replac|바꿨|바꾸|바뀌|갈아|전환|옮겼", later, re.IGNORECASE):
        return False
    for one in {mention.concept for mention in mentions(later)}:
        if in_group(
            one,
            "polarity",
            "goalness",
            "attr",
            "openclose",
            "startend",
            "side",
            "person",
            "animal",
            "event",
            "",
        ):
            continue
        if any(is_rival(other, one) for other in concepts_of(earlier)) and one not in concepts_of(earlier):
            return True
    return False


def _names_old_value(later: str, earlier: str) -> bool:
    for pattern in (_FROM_TO_EN, _FROM_TO_KO, _NOT_BUT_EN, _NOT_BUT_KO):
        if match := pattern.search(later):
            old = next((group for group in match.groups() if group), "")
            old_stems = frozenset(word.stem for word in words_of(old) if word.text.lower() not in _ARTICLES)
            theirs = frozenset(word.stem for word in words_of(earlier))
            if old_stems and _shared(old_stems, theirs) == len(old_stems):
                return True
    return False


def _ends_it(later: str) -> bool:
    return bool(
        re.search(
            r"no longer|any ?more|quit|stopped|gave up|cancel|더 ?이상|그만|끊|취소|않기로|안 하기로",
            later,
            re.IGNORECASE,
        )
    )
