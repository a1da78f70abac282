"""What kind of thing a sentence is: a question, a request for work, small talk, or a statement."""

from __future__ import annotations

import re
from typing import Literal

from chatmem.llm.teaching.lexicon import concepts_of, in_group

Wanted = Literal[
    "who",
    "when",
    "where",
    "why",
    "how",
    "name",
    "number",
    "age",
    "price",
    "duration",
    "color",
    "yesno",
    "open",
]
"""The kind of detail that a question asks for."""

_STARTS_EN = re.compile(
    r"^(?:(?:and|so|but|ok(?:ay)?|hey|hi|please|um|well|by the way|btw)[, ]+)*"
    r"(?:(?:what|who|whom|whose|when|where|why|which|how)(?:['’]s|['’]re)?\b(?!ever)"
    r"|(?:do|does|did|am|is|are|was|were|can|could|will|would|should|have|has|had)\s+(?:i|my|me|we|our"
    r"|you|the|there|it|he|she|they|any|this|that)\b)",
    re.IGNORECASE,
)
_STATEMENT_EN = re.compile(
    r"^(?:when|where|while|what|how|whenever)\s+(?:i|we|you|my)\b.*,\s*(?:i|we|my|please|you|it)\b",
    re.IGNORECASE,
)
_ASK_EN = re.compile(
    r"^(?:please\s+|can you\s+|could you\s+)?(?:tell me|remind me|list|name|recall|show me)\s+(?:again\s+)?"
    r"(?:what|who|when|where|why|which|how|about (?:my|me|our)|my|all (?:the|my)|everything|the names?)\b"
    r"|\b(?:do|can|could) you (?:still )?(?:remember|recall|know)\b",
    re.IGNORECASE,
)
_PLEASE_REMEMBER = re.compile(
    r"^(?:please |can you |could you |will you )*(?:please )?remember that (?:i|my|we|our)\b", re.IGNORECASE
)
_CODE_LINE = re.compile(
    r"^\s*(?:def \w+\(|class \w+[:({]|import \w+|from \w+ import|return\b|#include|const \w+ =|let \w+ ="
    r"|var \w+ =)"
    r"|^\s*(?:public |SELECT .* FROM|</?\w+[ >])|[;{}]\s*$|=>|^\s*\w+\(.*\)\s*$|^\s*\w+ = \S+$"
    r"|^\s*(?:for|while|if) .*:\s*$"
)
_ELLIPTIC = re.compile(
    r"^(?:(?:and|or)\s+)?(?:what|how) about\b|^and\b.{1,40}\?$|^(?:그럼|그러면|그리고)\s.{1,20}(?:은|는)\?*$",
    re.IGNORECASE,
)

_ASK_KO = re.compile(
    r"(?:뭐|뭘|뭔|뭣|무엇|무슨|어떤|어느|언제|어디|어딜|누구|누가|왜|얼마|몇|어떻게|어땠)(?=.{0,24}(?:지"
    r"|죠|야|요|까|니|나|더라|어|아|해|돼|써|대|냐|래|은|는|를|을|가|랑|서)\s*[.?~!ㅋㅎ]*$)"
    r"|(?:했|였|였었|이었|었|았|댔|렸|갔|봤|됐|겠|랬)(?:지|죠|더라|나|나요|니|던가|었지)\s*[.?~!]*$"
    r"|(?:인지|한지|는지|던지|일지|을지|건지)\s*(?:기억|알|말|맞)"
    r"|(?:기억나|기억해|기억하니|기억하고 있|알고 있|아니|알아)\s*(?:니|나|나요|어|어요|요|지|죠)?\s*\?"
    r"|(?:대해|대해서|관해|것|거|걸|이름|나이|생일|목표|취미|선호|내용|전부|모두|다"
    r"|뭐든)\s*(?:좀\s*)?(?:다시\s*)?(?:알려|말해|정리해|요약해|나열해)\s*(?:줘|주세요|줄래|봐)"
)
_NOT_QUESTION_KO = re.compile(r"(?:않아도|몰라도|어떤 것이든|뭐든지|언제든|언제나|누구나|어디든)")
_COMMAND_EN = re.compile(
    r"^(?:please\s+|can you\s+|could you\s+|would you\s+|now\s+|then\s+|just\s+|i want you to\s+|i need "
    r"you to\s+)*"
    r"(?:write|code|translate|calculate|compute|solve|generate|draw|compose|draft|summari[sz]e|rewrite"
    r"|convert|fix|debug|recommend|suggest"
    r"|give me|show me|make me|create|search|look up|google|play|act as|pretend|reply|respond|say|repeat"
    r"|ignore|help me|explain|describe|define|compare|tell me)\b",
    re.IGNORECASE,
)
_COMMAND_KO = re.compile(
    r"(?:써|짜|만들어|번역해|계산해|추천해|설명해|요약해|고쳐|그려|검색해|찾아|가르쳐|작성해|알려|말해"
    r"|보여|도와|풀어|비교해|정리해|대답해|답해|출력해|골라|해)\s*(?:줘|줄래|주세요|주라|봐|달라"
    r"|라)(?:요)?\s*[.?!~]*$"
)
_SOMEBODY_DOES = re.compile(r"(?<![가-힣])(?!네가|니가|뭐가|누가)[가-힣]+(?:이|가|께서)\s")
_LASTING = re.compile(
    r"\b(?:always|never|from now on|whenever|in future|when(?:ever)? you|first|every time|please "
    r"don['’]?t|in your (?:answers|replies)|your answers|when (?:explaining|answering))\b"
    r"|(?:앞으로|항상|언제나|(?<!오)늘|먼저|매번|할 때|답할 때|설명할 때|부터\s|때는|때마다)",
    re.IGNORECASE,
)
_STYLE_WISH = re.compile(
    r"\b(?:your|the) (?:answers?|replies|responses?|explanations?)\b|\bcall me\b|\b(?:keep|make) (?:it"
    r"|them|your \w+) (?:short|brief|simple|concise|detailed)\b"
    r"|^(?!.*[을를]\s).*(?:단계별로|짧게|간단히|간단하게|간결하게|자세히|자세하게|쉽게|표로|예시로|예를 "
    r"들어|요점만|천천히)\s.*(?:줘|주세요|부탁)"
    r"|^(?!.*[을를]\s).*[은는]\s.*(?:게|로)\s\S*(?:줘|주세요|달라)"
    r"|(?:답변|대답|설명|말투)(?:은|는|을|를|할 때|도)\s.{0,24}(?:해|부탁|써|하)|(?:존댓말|반말)(?:로|을)",
    re.IGNORECASE,
)
_WORK_OBJECT = re.compile(
    r"\b(?:function|poem|story|essay|code|email|script|song|joke|paragraph|program|regex|query)\b|코드"
    r"|시를|소설|이메일|에세이|농담|함수|프로그램",
    re.IGNORECASE,
)
_SMALL_TALK = re.compile(
    r"^(?:(?:hi|hello|hey|hiya|howdy|good (?:morning|evening|afternoon|night)|thanks?(?: you)?(?: (?:so"
    r"|very) much| a lot)?|thx|ok(?:ay)?|great|cool|nice"
    r"|bye|goodbye|see you|lol|haha|hmm+|yes|no|yeah|yep|nope|sure|good|perfect|awesome|got it|i see"
    r"|really|wow|there|everyone|nice to meet you|test(?:ing)?|you too"
    r"|안녕(?:하세요|하십니까)?|반가워(?:요)?|반갑습니다|하이|헬로|고마워(?:요)?|고맙습니다|감사(?:합니다"
    r"|해요)|감사|ㅇㅋ|오케이|응|네|넵|넹|어|아니(?:요|오)?|좋아(?:요)?|그래(?:요)?|잘 가|잘 자"
    r"|수고(?:했어|하세요|하셨습니다)?|ㅋ+|ㅎ+|와|우와|오|굿|알겠어(?:요)?|알겠습니다|알았어|그렇구나"
    r"|테스트|처음 뵙겠습니다|만나서 반가워(?:요)?)"
    r"[\s,.!?~^ㅋㅎ😀-🙏🌀-🗿❤️👍]*)+$",
    re.IGNORECASE,
)
_THANKS = re.compile(r"thank|thx|고마|고맙|감사|수고", re.IGNORECASE)
_BYE = re.compile(r"\b(?:bye|goodbye|see you|good night)\b|잘 가|잘 자", re.IGNORECASE)
_HELLO = re.compile(
    r"^(?:hi|hello|hey|hiya|howdy|good (?:morning|evening|afternoon)|안녕|반가|반갑|하이|헬로|처음 뵙"
    r"|만나서)",
    re.IGNORECASE,
)
_ABOUT_ME = re.compile(
    r"\b(?:i|i['’]m|i['’]ve|i['’]d|i['’]ll|my|me|mine|myself|we|our|us)\b|(?<![가-힣])(?:나|내|내가|나는"
    r"|난|날|나를|나한테|나의|제|제가|저|저는|저의|저를|저희|우리|우리가)(?![가-힣])",
    re.IGNORECASE,
)
_RECALL_CUE = re.compile(
    r"\b(?:i|we) (?:told|said|mentioned|ask(?:ed)?)\b|\b(?:did|have) i (?:tell|told|say|said|mention)"
    r"|\bremember\b|\bremind me\b|\btold you\b"
    r"|(?:했|였|었|았|랬|댔)(?:지|죠|더라|나요|나\b|니)|라고 (?:했|말)|다고 (?:했|말)|기억|말했|말한"
    r"|얘기한|이야기한|더라\s*\?*$",
    re.IGNORECASE,
)
_OVERVIEW = re.compile(
    r"\b(?:what (?:do|did|else do|all do) (?:you|i) (?:know|remember|tell you|told you|say)(?: so "
    r"far)?(?: about (?:me|myself|us))?(?: so far)?\s*\?*$"
    r"|what (?:have|did) i (?:told?|tell|said?|say|mention(?:ed)?)(?: to)?(?: you)?(?: so far| until now"
    r"| about (?:me|myself))*\s*\?*$"
    r"|(?:everything|all) (?:that )?(?:you (?:know|remember)|i (?:told|said|mentioned|have told))|who am "
    r"i\b|about me\b|summari[sz]e (?:what i|everything|our|my|this)|what you (?:know|remember) about me)"
    r"|나에 대해|저에 대해|내가 누구|나 누구|제가 누구|지금까지 .{0,14}(?:말|얘기|이야기|정리|내용)|내가 "
    r"(?:한|말한|얘기한) (?:말|것|거|내용)"
    r"|(?:뭘|무엇을|뭐) (?:기억하고|알고) 있|나를 (?:얼마나|어떻게) 알|(?:내가|제가) (?:뭐라고|무슨 말"
    r"|뭘 말|무슨 얘기)(?:를|을)?\s*(?:했|말했)",
    re.IGNORECASE,
)
_JUST_SAID = re.compile(
    r"\b(?:what did i just (?:say|tell)|my (?:last|previous) (?:message|sentence)|last thing i (?:said"
    r"|told)|what was the last thing)|방금.{0,12}(?:뭐라고|무슨 말|뭐|말한)|마지막으로.{0,10}(?:말|했)",
    re.IGNORECASE,
)
_FIRST_SAID = re.compile(
    r"\b(?:first thing i (?:said|told|mentioned)|what did i (?:say|tell you) first|my first message)"
    r"|(?:맨 처음|처음에|제일 처음|가장 먼저).{0,12}(?:뭐라고|무슨 말|말한|말했)",
    re.IGNORECASE,
)
_ABOUT_MODEL = re.compile(
    r"\b(?:who|what) are you\b|\bare you (?:an? )?(?:ai|bot|robot|human|real|chatgpt|gpt|claude|person"
    r"|model)|\byour name\b|\bwhat can you do\b|\bhow do you work\b"
    r"|(?<![가-힣])(?:너|넌|너는|당신은?|네)\s*(?:는\s*)?(?:누구|뭐야|뭐니|이름|정체|사람이|ai|인공지능"
    r"|로봇)|뭘 할 수 있|무엇을 할 수 있|(?<![가-힣])네 이름",
    re.IGNORECASE,
)
_THE_PAST = re.compile(
    r"\b(?:before|used to|previously|formerly|originally|at first|earlier|in the past|last (?:year|job)"
    r"|past|old|former|ex-)\b|예전|이전|원래|전에|처음에|옛날|과거|지난",
    re.IGNORECASE,
)


def has_hangul(text: str) -> bool:
    return bool(re.search(r"[가-힣]", text))


def is_question(sentence: str) -> bool:
    """Whether a sentence asks. A question mark decides; without one the form of the sentence does."""
    bare = sentence.strip()
    if _PLEASE_REMEMBER.match(bare):
        return False
    if re.search(r"[?？]\s*[\"'”’)]*\s*$", bare):
        return not re.search(r"(?:,\s*(?:right|ok|okay|you know)|알겠지|그렇지)\s*\?$", bare, re.IGNORECASE)
    if has_hangul(bare):
        return bool(_ASK_KO.search(bare)) and not _NOT_QUESTION_KO.search(bare) and not is_lasting_wish(bare)
    if _STATEMENT_EN.match(bare) or is_lasting_wish(bare):
        return False
    return bool(_STARTS_EN.match(bare) or _ASK_EN.search(bare))


def is_lasting_wish(sentence: str) -> bool:
    """A request about how to answer from now on: something to remember, not something to do now."""
    if "?" in sentence:
        return False
    return bool(_STYLE_WISH.search(sentence)) or (
        bool(_LASTING.search(sentence)) and not _WORK_OBJECT.search(sentence)
    )


def is_preference(statement: str) -> bool:
    """Whether a statement tells what somebody likes, dislikes, needs, or wishes to be done from now on."""
    concepts = concepts_of(statement)
    if any(in_group(concept, "polarity") for concept in concepts) or concepts & {"important", "cannoteat"}:
        return True
    wished = concepts & {"style", "avoid", "like"} or re.match(r"(?i)please|always|never", statement)
    return bool(wished) and is_lasting_wish(statement)


def is_request(sentence: str) -> bool:
    """Whether a sentence wants work done that only a real model could do."""
    if is_lasting_wish(sentence):
        return False
    korean = bool(_COMMAND_KO.search(sentence)) and not _SOMEBODY_DOES.search(sentence)
    return (korean or bool(_COMMAND_EN.match(sentence))) and not _ASK_EN.search(sentence)


def is_code(sentence: str) -> bool:
    """Whether a line is source code rather than something said."""
    return bool(_CODE_LINE.search(sentence))


def is_small_talk(sentence: str) -> bool:
    return bool(_SMALL_TALK.match(sentence.strip()))


def is_thanks(sentence: str) -> bool:
    return bool(_THANKS.search(sentence))


def is_goodbye(sentence: str) -> bool:
    return bool(_BYE.search(sentence))


def is_greeting(sentence: str) -> bool:
    return bool(_HELLO.match(sentence.strip()))


def is_personal(sentence: str) -> bool:
    """Whether a question is about the person, or about something they said."""
    return bool(_ABOUT_ME.search(sentence) or _RECALL_CUE.search(sentence))


def is_elliptic(sentence: str) -> bool:
    return bool(_ELLIPTIC.search(sentence.strip()))


def asks_overview(sentence: str) -> bool:
    return bool(_OVERVIEW.search(sentence))


def asks_last(sentence: str) -> bool:
    return bool(_JUST_SAID.search(sentence))


def asks_first(sentence: str) -> bool:
    return bool(_FIRST_SAID.search(sentence))


def asks_about_model(sentence: str) -> bool:
    return bool(_ABOUT_MODEL.search(sentence))


def asks_the_past(sentence: str) -> bool:
    return bool(_THE_PAST.search(sentence))
