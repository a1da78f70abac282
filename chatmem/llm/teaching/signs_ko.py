"""Signs that a Korean statement will still hold next month, or be asked for. Korean leaves "I" out, so that
the predicate has to show it: what is past happened once, unless it changed something or left a detail."""

from __future__ import annotations

import re

from chatmem.llm.teaching.lexicon import concepts_of, in_group, mentions
from chatmem.llm.teaching.subjects import aliases_in, living_in

_MINE = re.compile(
    r"(?<![가-힣])(?:나|내|내가|나는|난|나도|나한테|나만|제|제가|저|저는|전|저도|저희|저희는|우리|우리는|우리가"
    r"|울)(?![가-힣])"
)
_NAMED = re.compile(
    r"(?:이름|성함|별명|닉네임|활동명|태명|본캐|제목)(?:은|이|을|도)|(?:이)?라고\s*(?:불러|부르|불리|지었"
    r"|합니다|해요?[.!~]*$)|(?:이)?라는\s"
)
_HEALTH = re.compile(
    r"알레르기|알러지|(?:못|안|거의 안) (?:먹어|먹는|먹습|먹음|마셔|마셔요|마시는|마십|마심|피워)|부족하다고"
    r"|진단(?:을|받)|혈액형|채식|비건"
    r"|디스크|비염|아토피|천식|당뇨|혈압|두통|지병|인공관절|수술|임신|약을|[가-힣]제를 먹|앓|왼손잡이"
    r"|오른손잡이|(?:무릎|허리|귀|눈)[가이은] (?:안 좋|침침)"
    r"|부러진 적|[은는이가] 무섭|무서워(?:해|하)|공포증"
)
_TASTE = re.compile(
    r"좋아(?:해|하|함|합)(?!졌)|싫어(?:해|하|함|합)|선호|즐겨|최애|질색|사족을 못|제일 (?:아끼|좋|자신|맛있"
    r"|힘든|약한)|가장 좋|아끼|훨씬 좋|도망가는 사람"
    r"|취미|특기|낙이|(?:에|가) 완전 빠|재미로|기대돼|사람이야[.!~]*$"
)
_LIFE = re.compile(
    r"결혼|이혼|입사|퇴사|퇴직|취직|취업|승진|졸업|입학|복직|휴직|은퇴|이사|입양|태어났|낳았|데려왔|데려온|가입"
    r"|등록|장학금|합격|자격증|계약했|전공|출신|고향"
    r"|자랐|유학|군대|이직|개명|물려받|그만(?:뒀|두)|때려치|접었|끊었|끊은|맡게|맡아|맡고|신청했|담당"
)
_CHANGE = re.compile(
    r"(?:으로|로|을|를|이|가|게) (?:새로 )?(?:바꿨|바뀌었|바뀌어|바꿔 놨|바꿔 놓|옮겼|변경|정했|정하|정해"
    r"|갈아탔|잡혀|잡았|달라졌|결정)|바뀌었어|바꿨어|옮겼어"
    r"|(?<![나하되][기])(?<!나기) 시작(?:했|한|해)|(?:배우|다니|공부하|운동하|모으|키우)기 시작|영어 공부 시작"
    r"|(?:적금|보험|펀드|연금|청약)(?:을|에|은)? (?:\S+ )?(?:들|가입)"
    r"|늘어났|이제 .{1,20}(?:불러|모여|쉬|살|다녀|써|틀)"
)
_OWNED = (
    "노트북|컴퓨터|휴대폰|핸드폰|폰|자전거|차를|차로|자동차|오토바이|카메라|피아노|기타|바이올린|첼로|집을|아파트|책상|의자|침대|냉장고|세탁기"
    "|모니터|태블릿|시계|반지|텐트|캠핑카|재봉틀|안경|돋보기|이어플러그|바둑판|냄비를|식물등"
)
_BOUGHT = re.compile(
    rf"(?:{_OWNED}).{{0,24}}(?:샀|받았|뽑았|장만|사줬|사 줬|맞췄|달았|구했|구입|마련|했는데)"
    rf"|(?:선물)[로으을].{{0,12}}(?:받|사)"
)
_PLAN = re.compile(
    r"기로 (?:했|하셨|하고|해서|돼|되|해)|[려]고 (?:해|합|한다|하는|생각|준비|돈|요)|려고(?:요)?[.!~ㅎㅋ]*$"
    r"|예정|목표|(?<![가-힣])꿈|계획|장래희망|마감"
    r"|예약|준비 ?(?:중|하고)|모으고|(?:고|가) 싶(?:어|습|다|은|음)|내년(?:에|엔|부터)|다음 (?:주|달)(?:에|엔"
    r"|부터|까지)?|지원해 보|여행 가|이사 가|(?:올|이번) (?:가을|겨울|봄|여름|여름방학)에"
    r"|올가을|할 거야|(?:갈|돌) (?:거야|건데)|생각하고 있|생각 중"
)
_HABIT = re.compile(
    r"매[주일달년]\s|마다(?=\s|$)|(?<![가-힣])(?:항상|보통|주로|늘|평소|무조건|절대|언제나|맨날|아침마다|꼭"
    r"|하루에|한 달에|일주일에|이틀에|가끔|자주|거의 안"
    r"|원래|쉬는 날은)(?=\s)"
)
_STATE = re.compile(
    r"살(?:아|고|며)(?![가-힣]*[남졌])|산다(?![가-힣])|삽니다|(?<!뛰어)(?<!돌아)(?<!따라)다니(?:고|며|는|다가"
    r"|ㄴ|다)|(?<!뛰어)(?<!돌아)다녀(?!왔|갔|와|올)|다닌|다닙|일하|일해|일 해|근무"
    r"|키우|키워|키운|기르|길러|배우(?:고|는|다)|배워|배운|쓰고 있|(?<![가-힣])써(?:요)?[.,! ]"
    r"|(?<![가-힣])쓰(?:는데|는 편|고)|씁니다|쓴다|타고 다|운영(?!진)|공부(?:하고|해|중)|재학"
    r"|가르치|가르쳐|개발하|만들고 있|만드는 중|짓고 있|팔고 있|팔아|피우|피워|편이[야에다]|편입|연주"
    r"|[을를] (?:켜|쳐|치고|친다|쳐요)(?:요)?[.!~]*$|하고 있(?:어|습|다|음|고)|배우는 중"
    r"|보관해|할 줄 (?:알|압)|(?:안경|보청기|목발|교정기)을 (?:써|껴)|습함$|계셔|계신|사시는|사세요|사셔"
    r"|신어[.!~]*$"
    r"|입어[.!~]*$|째(?=[예네야이]|\s|$)|보내고 있|모읍니다|모아[.!]|운동해|연습(?:해|함|하고)|소설을 쓰"
    r"|쓰고 있|아직도 .{1,24}써|[가-힣] 몰아"
)
_DIGITS = re.compile(r"\d")
_SPANS = re.compile(r"\d+\s?(?:분|시간|바퀴|페이지|쪽)(?:이나|쯤|동안|을|를)?")
_SPELLED = re.compile(
    r"[월화수목금토일]요일|(?:한|두|세|네|다섯|여섯|일곱|여덟|아홉|열)\s?(?:시에|살|마리|그루)|(?:스물|서른"
    r"|마흔|쉰|예순|일흔|여든|아흔|스무)(?:[가-힣]{0,2}\s?살|[가-힣]{0,2}(?:이셔|이야|이에요|이고|이 되))"
    r"|생일|기념일|팔순|환갑|칠순|돌잔치"
)
_PROPER = re.compile(
    r"['‘“\"][^'’”\"]{1,30}['’”\"]|[A-Za-z]{3,}|[가-힣]{2,4} (?:씨|선생님|교수님|쌤|할망|사범님|어르신)"
    r"|[가-힣]{2,3}(?:이가|이는|이랑|이네) "
)
_TIMES_OF_DAY = re.compile(r"(?:하루 종일|오늘|어제|아까|방금|내내|밤새|한참|어젯밤)")
_PASSES = re.compile(
    r"(?<![가-힣])(?:또|드디어|괜히|오히려|도무지|역시|한참|벌써부터|내내|하루 종일|금세|겨우|그냥|너무|온통"
    r"|자꾸|결국|다행히|간신히|아까|방금)(?![가-힣])|더라[.!~]*$"
    r"|엉망|난장판|제각각|고장"
)
_NOT_PAST = ("있", "겠", "없")
_ENDING = re.compile(
    r"([가-힣])(?:어|다|지|네|음|는데|거든|습니다|더라|어요|네요|죠|지요|군|구나|던데|고|답니다|대|대요"
    r"|거든요)(?:요)?[.!~ㅋㅎㅠㅜ\s]*$"
)
_WAS_SOMEBODY = re.compile(r"[은는] \S+(?:셨|였|이었)(?:어|어요|습니다)[.!~]*$")
_GOES_ON = re.compile(
    r"(?:고 있|키우|다니|사시|사|일하)는데|(?:한|두|세|네|다섯|여섯|일곱|여덟|아홉|열) 명 (?:있|이고|인데)"
    r"|(?:원래|예전)(?:는|에는|엔)? .*(?:였|이었)"
)
_KEPT_VALUE = re.compile(
    r"\d+월 ?(?:\d+일|[첫둘셋넷]째|마지막|초|말|중순)|\d년 ?[차째]|제일 아끼|\d[\d,.]*\s?(?:만|천|억"
    r"|백)?\s?(?:\d+천 ?)?원|비밀번호|비번|전화번호|제일 좋아하|가장 좋아하"
)
_COPULA = re.compile(
    r"(?:이야|야|이에요|예요|입니다|이다|임|이고요?|이고|인데요?|이거든|거든요?|이지|이죠|라고 해|이라고 해"
    r"|이세요|이신데|이셔|이라서|이고요|요)[.!~ㅎㅋㅠㅜ\s]*$"
)
_SUBJECT = re.compile(r"^.{0,3}(?:이|가|은|는|께서|께서는|도|한테|이는|이가)(?=\s)")
_OWN_THINGS = ("attr", "device", "vehicle", "event", "moneykind", "infra", "env", "pet", "booking",
    "language", "animal", "person")  # fmt: skip
_SPECTATES = re.compile(
    r"영화|드라마|배우(?:들|가 |님)|경기[가를는]|심판|연극|감독|결말|뉴스|기사|야구|축구|농구|선거|다큐|소설책"
    r"|예능|주인공은? "
)


def is_past(text: str) -> bool:
    """Whether the last predicate is past: its stem ends in ㅆ, but for 있다 and 겠다."""
    match = _ENDING.search(text)
    if not match or match.group(1) in _NOT_PAST:
        return False
    code = ord(match.group(1)) - 0xAC00
    return code % 28 == 20


def is_certain(text: str) -> bool:
    """Whether a statement lasts whatever else it says: a name, health, a change, a date, a number that is kept."""
    if _NAMED.search(text) and not _SPECTATES.search(text):
        return True
    if _HEALTH.search(text):
        return True
    if _SPECTATES.search(text) and not (_PLAN.search(text) or _TASTE.search(text)):
        return False
    if _CHANGE.search(text) or _BOUGHT.search(text):
        return True
    if _PLAN.search(text) and (_exact(text) or _DIGITS.search(text) or living_in(text) or "정하" in text):
        return True
    return bool(_KEPT_VALUE.search(text))


def is_likely(text: str) -> bool:
    """Whether a statement that is not plainly of the moment tells of something that stays."""
    if _SPECTATES.search(text) and not (_MINE.search(text) or _DIGITS.search(text) or _PLAN.search(text)):
        return False
    if _LIFE.search(text) or _PLAN.search(text):
        return True
    past = is_past(text)
    if past:
        kept = _exact(text) and not _TIMES_OF_DAY.search(text)
        return (
            bool(_GOES_ON.search(text))
            or (bool(_WAS_SOMEBODY.search(text)) and bool(living_in(text)))
            or (kept and (bool(_DIGITS.search(text)) or not _PASSES.search(text)))
        )
    if _TASTE.search(text) or _STATE.search(text) or _exact(text):
        return True
    if _HABIT.search(text):
        return not _TIMES_OF_DAY.search(text)
    if _PASSES.search(text):
        return False
    own = any(in_group(one, *_OWN_THINGS) for one in concepts_of(text))
    if (_COPULA.search(text) and own) or re.search(r"[은는] \S+(?:인데|이고|라서)\s", text):
        return True
    return bool(_MINE.search(text)) or _of_somebody(text)


def _of_somebody(text: str) -> bool:
    """Whether a person or an animal is what the sentence is about: "매형이 포항에서 정비소를 해"."""
    return any(
        in_group(one.concept, "person", "animal") and bool(_SUBJECT.match(text[one.end :])) and one.start <= 6
        for one in mentions(text)
    )


def _exact(text: str) -> bool:
    bare = _SPANS.sub(" ", text)
    return bool(_DIGITS.search(bare) or _SPELLED.search(bare) or _PROPER.search(bare) or aliases_in((text,)))
