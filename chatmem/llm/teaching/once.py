"""English statements of what happened once, of what will soon have passed, and of what was only watched."""

from __future__ import annotations

import re

_PASSES = re.compile(
    r"\b(?:again|finally|still|once more|so far today|all (?:day|morning|afternoon|evening|night|week)"
    r"|last night|yesterday"
    r"|today|tonight|this (?:morning|afternoon|evening|week)|out of order|broken|jammed|soaked|stale|(?:was"
    r"|were|came|too|ran) late|for ages|too)\b",
    re.IGNORECASE,
)
_SPECTATES = re.compile(
    r"\b(?:watched|saw|read|heard|listened to|the (?:film|movie|book(?! club)|novel|news|match|game|actor"
    r"|actress|plot|ending|sequel"
    r"|show|concert|band|play|referee|team|article|paper|council|election|mayor|city|episode))\b",
    re.IGNORECASE,
)
_ONCE = re.compile(
    r"^(?:(?:and|but|so|then|ouch|ugh),? )*(?:i|we|they|he|she|somebody|someone|everyone|nobody|an? [\w -]+?"
    r"|the [\w -]+?"
    r"|(?:my|our) [\w -]+?) (?:just |finally |already |then |never |only |even |had to |could not |couldn['’]t "
    r"|did not |didn['’]t )*"
    r"(?:[a-z]+ed|got|went|ate|saw|read|made|found|took|ran|lost|won|tried|came|did|wrote|sent|broke|put|cut"
    r"|gave|had|was"
    r"|were|met|fell|spent|left|slept|swam|drank|drew|brought|lent|told|said|tore|blew|burnt|woke|sat|stood"
    r"|kept|forgot"
    r"|overslept|bought|paid|sold|flew|rode|drove|threw|caught|heard|felt|rose|shook|stole|hung|spilt)\b",
    re.IGNORECASE,
)


def happened_once(text: str) -> bool:
    """Whether a statement tells an event: over, unless it changed something or left an exact detail behind."""
    return bool(_ONCE.search(text))


def is_over_soon(text: str) -> bool:
    return bool(_PASSES.search(text))


def is_watched(text: str) -> bool:
    """Whether a statement is about a film, a match, the news: the world as seen from a seat."""
    return bool(_SPECTATES.search(text))
