"""Korean names, which no capital marks: by their grammar, as in "민호 씨", "이름은 하람이고", "수빈이가".

A given name is recognised by its syllables only beside something else that speaks for a person: a family name, a
word for kin or a role, the name's own suffix (수빈이가: 이 after a final consonant and before another particle
is only used with names), or a verb of which only people are the subject. A place is recognised by its last
syllables, or by being lived in and travelled to. A name with none of these ("토익이 어려워") is not seen.
"""

from __future__ import annotations

import re

from chatmem.memory.exact import words
from chatmem.memory.exact.words import either

TAIL = (
    "(?=(?:"
    + either(
        """
        이 가 은 는 을 를 의 에 도 만 로 으로 와 과 랑 이랑 하고 한테 에게 께 께서 에서 부터 까지 보다 처럼 마다
        나 이나 야 이야 요 이요 예요 이에요 입니다 이고 고 이며 며 인데 라 이라 라서 이라서 라고 이라고 라는
        이라는 래 이래 래요 이래요 인 다 이다 였어 이었어 네 이네 쯤 근처 씨 님
        """
    )
    + "){0,3}(?![가-힣]))"
)
"""What may follow a noun in the same word: particles and the copula, up to three."""

_COPULA = (
    "(?=(?:"
    + either(
        """
        이고 고 이야 야 이에요 예요 에요 입니다 이다 다 인데 이라 라 이래 래 이랬 랬 이라서 라서 이며 며 이었 였
        이지 지 거든 이거든 이라고 라고 이죠 죠 이구요 구요 네 이네
        """
    )
    + r"|$|[.,!\n]))"
)

_FEWER_FAMILIES = "김이박최정강조윤장임한오서신권황안송류홍고문양손배백허유남심노곽"
FAMILY = (
    _FEWER_FAMILIES
    + "전하성차주우구민진나지엄채원천방공현함변염여추도소석선설마길연위표명기반왕금옥육인맹제모탁국어은편용"
)
_FIRST = (
    "수민지서하도예유현준승은정영동성재태채다소가나시윤주선혜미진경상종규건우효세연보"
    "초희해라아로리여호찬인창병광명기철형"
)
_CLEAR_LAST = "빈현민준진연윤영훈혁린율우희호주수경정숙미환석철식규섭범찬결솔람혜승욱균곤필"
"""Last syllables of given names that are no particle and end no common noun of three syllables."""
_GIVEN = f"[{_FIRST}][{_CLEAR_LAST}은원아서지선자나라안용한인성재태별림름늘온겸후열중일오]"
_HUMAN_VERB = (
    r"(?=(?:가|는|도|이|은) [^.!?\n]{0,24}?(?:사 ?줬|보내 ?줬|라고 했|다고 했|자고 했|"
    + either(
        """
        맡 말했 추천 소개 알려 도와 빌려 데려 전화 태어 물었 물어 부탁 그랬 한대 했대 온대 간대 왔대 갔대 살이
        살인 담당 결혼
        """
    )
    + "))"
)
_B = "(?<![가-힣])"

_PEOPLE = tuple(
    re.compile(_B + pattern)
    for pattern in (
        rf"(?P<name>[가-힣]{{2,4}})\s(?:씨|님){TAIL}",
        rf"(?P<name>[{FAMILY}][가-힣]{{1,3}}|[가-힣]{{2}})씨{TAIL}",
        rf"(?P<name>(?!이 )[{_FEWER_FAMILIES}] (?:{words.TITLE})){TAIL}",
        rf"(?P<name>[{_FEWER_FAMILIES}] ?(?:{words.TITLE}))님{TAIL}",
        rf"(?P<name>[{FAMILY}][가-힣]{{2}})\s?(?:{words.TITLE})님?{TAIL}",
        rf"(?P<name>[{FAMILY}][가-힣]{{2}})\s(?:할머니|할아버지|어르신|아저씨|아주머니|여사)님?{TAIL}",
        rf"(?:{words.ROLE})(?:인|은|는|이름은|이|,)?\s(?P<name>[{FAMILY}]?{_GIVEN}){TAIL}",
        rf"(?P<name>{_GIVEN})(?=(?:이랑|이한테|이에게|한테|에게|께|랑|아|야)(?![가-힣]))",
        rf"(?P<name>{_GIVEN})이?{_HUMAN_VERB}",
        rf"(?P<name>[{_FEWER_FAMILIES}][{_FIRST}][{_CLEAR_LAST}]){TAIL}",
        rf"(?P<name>{_GIVEN})(?:이랑|랑|와|과|이하고|하고)\s(?={_GIVEN}이?(?:가|는|랑|를)(?![가-힣]))",
    )
)
_DIMINUTIVE = re.compile(
    rf"{_B}(?P<name>[가-힣]{{2}}|[{_FEWER_FAMILIES}][가-힣]{{2}})이"
    "(?=(?:가|는|를|한테|에게|도|의|와|하고|보다|만)(?![가-힣]))"
)
_AND = "(?:이랑|랑|와|과|하고|,)"
_CALLED = tuple(
    re.compile(pattern)
    for pattern in (
        "(?:이름|성함|별명|닉네임|상호|제목|브랜드|호칭|아이디|태명|필명)(?:은|이|도)"
        rf"\s(?P<name>[가-힣A-Za-z0-9]{{1,12}}?){_COPULA}",
        rf"(?:이름|별명)(?:은|이)\s(?P<name>[가-힣]{{1,5}}?){_AND}\s[가-힣]{{1,5}}?{_COPULA}",
        rf"(?:이름|별명)(?:은|이)\s[가-힣]{{1,5}}?{_AND}\s(?P<name>[가-힣]{{1,5}}?){_COPULA}",
        rf"{_B}(?P<name>[가-힣A-Za-z0-9]{{2,12}}?)이?라고\s(?:불러|부르|불리|불렀|지었|지어|이름)",
        r"(?:저는|나는|제 이름은|내 이름은)\s(?P<name>[가-힣]{2,5}?)이?라고\s(?:해|합|하)",
        rf"{_B}(?P<name>[가-힣A-Za-z0-9]{{2,12}}?)이?라는\s[가-힣]",
    )
)
_PLACES = tuple(
    re.compile(_B + pattern)
    for pattern in (
        rf"(?P<name>(?P<stem>[가-힣]{{2,8}}?)(?:{words.PLACE_SUFFIX})){TAIL}",
        rf"(?P<name>(?P<stem>[가-힣]{{2,6}})\s(?:{words.SPACED_SUFFIX})){TAIL}",
        r"(?P<name>(?:카페|식당|서점|책방|펜션|호텔|빵집|술집|공방|스튜디오|민박)"
        r"\s(?P<stem>(?!안|앞|옆|뒤|근처|로비|입구|주차장|쪽|밖|위|아래)[가-힣]{2,8}?))"
        r"(?=(?:에서|이라는|라는|으로|로|에)(?![가-힣]))",
        rf"(?P<name>(?P<stem>[가-힣]{{2,8}})역){TAIL}",
        rf"(?P<name>(?P<stem>[가-힣]{{2,4}})(?:{words.DISTRICT_SUFFIX})){TAIL}",
        r"(?:경기|강원|충청[남북]|충남|충북|전라[남북]|전남|전북|경상[남북]|경남|경북|제주)도?\s"
        r"(?P<name>(?P<stem>[가-힣]{2,3}))(?=(?:에서|에|의|으로|로)(?![가-힣]))",
        rf"(?P<name>(?P<stem>{words.CITY_WITH_SUFFIX}))시(?!민)",
        r"(?P<name>(?P<stem>[가-힣]{2,5}?))(?:으로|로)\s(?:가족\s|신혼\s|혼자\s)?"
        r"(?:이사|여행|출장|유학|휴가|발령|전근|신혼여행|놀러)",
        r"(?P<name>(?P<stem>[가-힣]{2,5}))\s(?:여행|출장)(?=을|은|이|에|\s?(?:가|다녀|갔|계획|일정|때|중))",
        r"(?P<name>(?P<stem>[가-힣]{2,5}?))(?:에서|에)\s(?:살아|살고|사는|산다|사시|사셔|살았|살다|거주|태어)",
        rf"(?P<name>(?P<stem>[가-힣]{{2,5}}))에\s있는\s(?=[가-힣]{{2,8}}(?:{words.PLACE_SUFFIX}))",
        r"(?P<name>(?P<stem>[가-힣]{2,6}))까지\s(?:왕복\s|편도\s|약\s|대략\s)?(?=\d[\d.]*\s?(?:km|킬로))",
    )
)
_KNOWN = re.compile(rf"{_B}(?:(?:{words.KNOWN_PLACE})(?:시|특별시|광역시)?|{words.BRAND}){TAIL}")
_INSTEAD = re.compile(rf"{_B}(?P<name>[가-힣]{{2,8}}) (?:말고|대신) ")
"""What a name is said to replace is of its kind: "트리마제 말고 왕십리역"."""
_NO_STEM = re.compile(r"(?:[은는던의한된인로서에]|까지|부터)$")
_NO_PERSON = words.NO_PERSON | words.NAMELIKE | frozenset(f"{words.ROLE}|{words.TITLE}".split("|"))
_ENDS = tuple(words.NO_PLACE_END)
_I_NOUNS = tuple(words.I_NOUN)


def korean_names(text: str) -> list[tuple[int, int]]:
    """The names of a Korean text, some of them more than once or within one another."""
    found = [match.span() for match in _KNOWN.finditer(text)]
    for match in _DIMINUTIVE.finditer(text):
        name, particle = match["name"], text[match.end() : match.end() + 1]
        if not _is_closed(name[-1]) or name.endswith(_I_NOUNS):
            continue
        if particle not in "는도만" or re.fullmatch(f"[{_FEWER_FAMILIES}]?{_GIVEN}", name):  # 움직이는 is a verb
            found.append(match.span("name"))
    for pattern in _PEOPLE:
        found += [m.span("name") for m in pattern.finditer(text) if m["name"] not in _NO_PERSON]
    for pattern in _CALLED:
        found += [m.span("name") for m in pattern.finditer(text) if m["name"] not in words.NOT_CALLED]
    for pattern in _PLACES:
        found += [m.span("name") for m in pattern.finditer(text) if _is_place(m["name"], m["stem"])]
    starts = {start for start, _ in found}
    found += [m.span("name") for m in _INSTEAD.finditer(text) if m.end() in starts]
    return found


def _is_place(name: str, stem: str) -> bool:
    if stem in words.GENERIC or stem in words.NO_PLACE or _NO_STEM.search(stem):
        return False
    if name.endswith("산") and _KNOWN.fullmatch(stem):  # "이탈리아산" is where wool comes from
        return False
    return name.endswith("입구역") or not name.endswith(_ENDS)


def _is_closed(syllable: str) -> bool:
    """Whether a Hangul syllable ends in a consonant."""
    return (ord(syllable) - 0xAC00) % 28 > 0
