"""What nobody needs to remember: moods, the moment, tasks, talk about the talk, the world, made-up things."""

from __future__ import annotations

import re

from chatmem.llm.teaching.corrections import changes_something
from chatmem.llm.teaching.details import offers
from chatmem.llm.teaching.lexicon import concepts_of
from chatmem.llm.teaching.subjects import SELF, aliases_in, living_in, subject_of, unknown_topic

_MINE_EN = re.compile(r"\b(?:i|i['’]\w+|my|mine|me|we|our|us)\b", re.IGNORECASE)
_WORLD = re.compile(
    r"\b(?:capital of|population of|in the world|on earth|the universe|the sun|the moon|world war|planet"
    r"|speed of light"
    r"|was (?:invented|discovered|written|painted|founded) (?:by|in)|boils at|freezes at|according to"
    r"|scientists|researchers"
    r"|people (?:say|think|often|usually)|everyone (?:says|knows)|they say|it is said|studies show|(?:i"
    r"|we) (?:read|heard|saw) (?:that|an?|in|on)"
    r"|the (?:news|article|paper|documentary))\b"
    r"|수도(?:는|가|야)|인구[는가]|지구[는가]|태양[은이]|우주[는가]|세계에서|전\s?세계|빛의 속도|(?:발명"
    r"|발견)(?:했|한|됐)|전쟁[은이]"
    r"|(?:뉴스|기사|인터넷|유튜브|책|논문|방송|티비)에서|(?:전문가|과학자|사람)들(?:은|이)|다들 (?:그|말|하더"
    r"|하던)|(?:^|(?:[고다라서게걸]|말을?|얘기를?|이야기를?|소문을?|소식을?) )들었는데|봤는데 .*(?:래|대|더라)"
    r"|대통령[은이]|왕[은이]|화씨|섭씨|도에서 끓|때문이래|라고들",
    re.IGNORECASE,
)
_MOOD = re.compile(
    r"\b(?:i['’]?m|i am|i feel|i['’]m feeling|feeling|i was|we['’]re|i['’]ve been feeling)\s+(?:\w+ly |so "
    r"|very |too |a bit |a little |quite |kind of |kinda |just |still |not |more )*"
    r"(?:tired|exhausted|sleepy|hungry|thirsty|bored|sad|happy|glad|excited|stressed|nervous|anxious|angry|mad"
    r"|upset"
    r"|annoyed|confused|lost|stuck|busy|cold|hot|fine|good|great|ok|okay|well|back|here|ready|done|sorry|sure"
    r"|curious|lonely"
    r"|grumpy|down|blue|starving|full|freezing|worried|surprised|impressed|relieved|proud|thankful|grateful"
    r"|home|late|off|awake)\b"
    r"|\b(?:what a|such a) \w+ (?:day|week|morning|night)|\b(?:had|having|been) (?:a|an) (?:\w+ )*(?:day"
    r"|morning|night|week|evening)\b"
    r"|\bi (?:slept|didn['’]t sleep)|\bi (?:feel|felt)\b|\bmy head (?:hurts|is)|\bi have a (?:headache|cold"
    r"|fever)\b"
    r"|(?:피곤|졸려|졸리|배고|배부|심심|우울|행복|기뻐|기쁘|슬퍼|슬프|짜증|화나|화가 나|신나|신난|설레|외로|지쳤"
    r"|지친|힘들|바빠|바쁘|긴장|불안"
    r"|답답|속상|추워|춥|더워|덥|목말라|귀찮|뿌듯|걱정|머리가? 아|머리 아|컨디션|기분[이은]|멍하|정신없|아쉽"
    r"|부럽"
    r"|재밌|재미있|웃기|웃긴|예쁘|예뻐|이쁘)",
    re.IGNORECASE,
)
_MOMENT = re.compile(
    r"\b(?:today|tonight|right now(?!,? (?:i['’]m|i am|we['’]re) (?:building|working on|writing|studying"
    r"|learning"
    r"|training|knitting|making))|just now|this (?:morning|afternoon|evening|minute)|yesterday"
    r"|in a (?:minute|moment|sec|second|bit|while)"
    r"|be right back|brb|for now|a (?:minute|moment|second) ago|earlier today|last night|in (?:five|ten"
    r"|\d+) minutes|later)\b"
    r"|\bi (?:just|need to|have to|should|must|gotta|got to|better)\b(?! (?:moved|got|bought|adopted|started"
    r"|turned|found out|became|joined|signed|quit|avoid|wear|watch|take my|be careful))"
    r"|\b(?:i['’]m|i am) (?:going to (?:have|go|take|get|make|eat|sleep|bed|try|check|grab)|about to|off to"
    r"|having|eating|drinking|watching|waiting|on (?:the|my) (?:bus|train|way)|at the|heading|just|trying"
    r"|looking (?:for|at))\b"
    r"|\bi['’]ll\b|\bi (?:will|can) (?:try|check|see|do|look|let|think|get back|be back)\b|\blet['’]?s\b"
    r"|(?:^|[,.!] )let me\b"
    r"|오늘|방금|지금(?!은|까지|도 |껏)|어제|아까|어젯밤|간밤|이따|잠깐|잠시|금방|곧 (?:나|자|먹|들)|조금 전"
    r"|막 (?:일어|도착|먹|왔)|하러 (?:갈|간다|가야)|먹으러|자러"
    r"|다녀올게|할게|갈게|볼게|올게|먹을게|해볼|해야겠|가야겠|자야겠|먹어야",
    re.IGNORECASE,
)
_LIFE = re.compile(
    r"\b(?:married|engaged|born|quit|promoted|hired|fired|adopted|bought|graduated|diagnosed|retired|pregnant"
    r"|divorced|turned \d|birthday"
    r"|got a (?:new )?(?:job|dog|cat|puppy|kitten|offer|place|car)|new (?:job|flat|apartment|house|dog|cat"
    r"|puppy|car)|moved (?:to|from|in|out)|allergic|allergy"
    r"|from today|starting today|as of today|call me)\b"
    r"|결혼|이혼|입사|퇴사|취직|취업|승진|졸업|입학|합격|이사 ?했|이사 ?왔|이사 ?갔|입양|임신|태어났|진단|은퇴"
    r"|생일|오늘부터|이제부터|알레르기|알러지|자격증|계약했|샀",
    re.IGNORECASE,
)
_HYPOTHETICAL = re.compile(
    r"^(?:and |but |so |well,? )?(?:if|suppose|imagine|assume|let['’]s say|say |what if|pretend|hypothetically"
    r"|assuming|in case|once i|unless)\b"
    r"|\bif (?:i|we|my|it|you|he|she|they|there|someone|only)\b|\b(?:i|we) (?:would(?! like| love| prefer"
    r"| rather)|could|might|may) (?:have|be|do|go|get|buy|live|never|probably|even)\b|\bi wish i\b"
    r"|만약|만일|[가-힣]다면(?![가-힣])|라면 (?!을|이|은|도|먹|끓)|면 (?:어떨|좋겠|얼마나|어떻게)|다고 (?:치"
    r"|가정"
    r"|하면|해보|해 보|상상)|할 뻔",
    re.IGNORECASE,
)
_MANNERLY_IF = re.compile(
    r"^if (?:you|anyone|anybody|somebody|someone|people)\b[^,]{3,60}, (?=(?:i|i['’]m|my|we"
    r"|our)\b(?!.*\bwould\b))",
    re.IGNORECASE,
)
"""An "if" that supposes nothing: "If you ever want to please me, my favourite tea is genmaicha"."""
_TALK_ABOUT_TALK = re.compile(
    r"^(?:(?:and|but|so|oh|ok|okay|well|yes|no|hmm+|ah|sorry|actually|honestly)[,!]? )*i (?:see\b(?! (?:my|him"
    r"|her|a|it))|agree|disagree|understand|get it|got it|think (?:so|that['’]?s|you|it"
    r"|this|the)|guess|suppose|mean(?: it)?|wonder"
    r"|don['’]?t (?:know|understand|get|think|remember|follow)|have (?:a|another|one|some) (?:\w+ )?questions?"
    r"|need (?:your |some )?(?:help|advice|an? (?:idea|example|answer))"
    r"|appreciate|believe you|doubt|forgot|asked|said (?:so|that)|told you|hope (?:that|you|it|so)|hear you"
    r"|was wondering|want to (?:know|ask|understand)"
    r"|want you|need you|['’]d like (?:you|to (?:know|ask|see|hear|understand)))\b|\bi['’]d like (?:you"
    r"|to (?:know|ask|see|hear|understand))\b"
    r"|^(?:(?:and|but|so|oh|ok|okay|well|yes|no|hmm|ah|wow|great|cool)[,!]? )*(?:thank|thanks|that['’]?s\b"
    r"|that (?:was|is|makes|helps?|sounds?|worked|looks?)\b"
    r"|this (?:is (?:great|good|wrong|not|fun|helpful|interesting)|works|doesn|helps?|looks|sounds)|you['’]re\b"
    r"|you are\b|you (?:can|should|could|must|said|told|were|forgot|got)\b"
    r"|your (?:answer|reply|code|explanation|suggestion|idea)s?\b|it (?:works|doesn['’]t work|worked|didn|says"
    r"|gives|shows|throws|looks|sounds|is raining)"
    r"|it['’]s (?:fine|ok|okay|raining|snowing|cold|hot|sunny|great|nice|working|late|not working|funny"
    r"|interesting|wrong|getting|almost|only|so|such)"
    r"|makes sense|good (?:point|idea|question|job)|well done|nice (?:one|work)|guess what|we should\b"
    r"|i (?:believe|['’]d go)\b|assume\b|i['’]d go\b|my (?:understanding|guess|opinion|bad|pleasure|question"
    r"|next question|point|mistake)\b|here (?:is|are)\b|see (?:above|below)"
    r"|the (?:following|above|error|output)\b|go on\b|carry on\b|continue\b|next(?: one| question| step"
    r"| topic)?[,.!]|next$|never ?mind\b|no (?:problem"
    r"|worries|idea)\b)"
    r"|모르겠|모르는|궁금|이해(?:가|했|했어|됐|안|를)|물어볼|물어보|질문|부탁|도와|고민이|알고 싶|듣고 싶|계속해"
    r"|그렇구나|그렇군|^\S{0,6}\s?맞아(?:요)?[.!~]*$|맞습니다|틀렸|아닌데"
    r"|아닌 것|같네|네 말|말이 맞|그 말|도움이 (?:됐|되|많)|덕분|감사|고마|고맙|미안|죄송|괜찮아|상관없"
    r"|좋은 (?:생각|질문|아이디어|아침|하루|저녁|밤|주말)|대박|그러게|역시"
    r"|다행|수고|축하|오케이|잘 (?:봤|됐|되네|되는|작동|부탁)|안 (?:돼|되네|된다)|에러|오류|작동|결과[는가]|날씨"
    r"|비[가 ]?(?:와|온|오)|눈[이 ]?(?:와|온|오)|하늘이",
    re.IGNORECASE,
)
_TASK = re.compile(
    r"\b(?:can|could|would|will) you\b|\bplease (?!(?:don['’]?t|do not|never|always|call|keep|use|answer|reply"
    r"|explain|remember|be|avoid|speak|write in))\w+|\bhelp me\b|\bi need (?:a|an|some|to (?:write|fix|make"
    r"|find|get))\b"
    r"|해\s?(?:줘|주세요|줄래|주라|달라)|알려\s?(?:줘|주)|보여\s?줘|써\s?줘|만들어\s?줘|찾아\s?줘|봐\s?줘|추천해"
    r"|[가-힣](?<![을를은는도만])\s?(?:줘|주세요"
    r"|줄래|주라|줄 수)(?:요)?[.!~?]*$",
    re.IGNORECASE,
)
_MADE_UP = re.compile(
    r"\b(?:in (?:my|the|this) (?:story|novel|book|game|script|example|exercise)|the (?:hero|heroine|protagonist"
    r"|main character)"
    r"|(?:write|writing|draft|compose) (?:a|an|the|some|this|my) (?:\w+ )?(?:poem|story|e-?mail|letter|song|text"
    r"|essay|post|tweet|speech|paragraph))\b"
    r"|소설|주인공|이야기 속|(?<![가-힣])시를|가사를|(?:글|메일|편지|에세이|대본)을? (?:쓰|써|작성)|역할극",
    re.IGNORECASE,
)
_AT_WORK = re.compile(
    r"\b(?:errors?|exception|stack trace|404|lines? \d+|returns? (?:none|null|nothing|true|false)|crash(?:es|ed"
    r"|ing)?|froze|freezes|clicked|doesn['’]t (?:work|compile)"
    r"|this (?:text|file|sentence|e-?mail|function|code|error|one)|questions? \d+|problem \d+|the answer"
    r"|by the end of the (?:hour|day)|my turn|other file)\b"
    r"|번째 (?:줄|문장|문제|제안|답|것|걸|거)|\d+번 문제|문제 (?:답|풀)|제안[이은]|줄[에을]|함수[가는를]"
    r"|코드[가를에]|링크|버튼|화면|파일|컴퓨터가|차례|주제로|(?:분|시간) (?:안에|뒤에|후에)",
    re.IGNORECASE,
)
_THIS_THING = re.compile(
    r"\b(?:like|love|hate|enjoy|prefer|need|want|wanted|use|rather have)d? (?:it|this|that|these|those|your"
    r"|the (?:second|first|third|last|other|new|old|shorter|longer)|a (?:shorter|longer|better|simpler))\b"
    r"|\bdidn['’]t know\b|\bwhat i (?:needed|expected|meant|wanted|was looking for)\b|\bi could use\b"
    r"|\bgoing to (?:the|a|my) \w+[.!]*$|^that (?:\w+ )?(?:was|is)\b"
    r"|(?:하|보|가|쓰|먹|놀|두|꾸|들|리)자[.!~]*$|(?:먹|마시|자|쉬|놀|하)고 싶[다어]|집에 가고 싶|(?:가|오|먹|보"
    r"|기다리|타|씻|나가|쓰)는 중|찾고 있|찾는 중|필요해|마음에 들|완벽|말이야[.!~]*$"
    r"|[을를]? 맞혀|두 번째 |자정|숙제를|(?:너무|진짜|정말|완전|참) (?:좋아|좋다|좋네|싫어|싫다|싫네)[.!~]*$"
    r"|싫다[.!~ㅠ]*$|(?:이|그|저) (?:에러"
    r"|문제|코드|답|글|영화|노래|책|제안)",
    re.IGNORECASE,
)
_ABOUT_THE_WORK = re.compile(
    r"\byour (?:answer|reply|explanation|text|list)\b|\basked me\b|\bi['’]d like an? (?:table|list|summary"
    r"|version|example)\b"
    r"|\b(?:the (?:list|table|paragraph|page) (?:has|is|are)|attachment|i meant)\b|추측은|첨부|문단|표가 좋",
    re.IGNORECASE,
)
_SAID_TO_BE = re.compile(
    r"그러는데|그러던데|하던데|(?:동물|식물|나라|도시|행성|언어|과일|물질|원소|학문|종교)(?:이야|야|이다|다"
    r"|입니다|예요|이에요)[.!~]*$"
    r"|(?:에|이|가) 많(?:아|다|대)[.!~]*$|(?:아름다워|아름답다|위험해|유명해|맛있어|맛있다|비싸)[.!~]*$"
)
_ONCE_EN = re.compile(
    r"^(?:(?:and|but|so|oh|ouch|ugh|also)[,!]? )*(?:i|we|my \w+)(?:['’]ve| have|['’]d)? (?:just |finally "
    r"|already |then |never )?"
    r"(?!studied|worked|lived|graduated|moved|retired|married|adopted|learned|started|stopped|switched|used"
    r"|named"
    r"|called|need|trained|founded|inherited)"
    r"(?:[a-z]+ed|got|went|ate|saw|read|made|found|took|ran|lost|won|tried|came|did|wrote|sent|broke|put|cut"
    r"|gave"
    r"|been waiting)\b",
    re.IGNORECASE,
)
"""Something that happened once. With a date, a number or a name it may matter; else it is over."""
_DETAIL_EN = re.compile(
    r"\d|\b(?:since|for (?:years|ages|months)|every|ago|last (?:year|spring|summer|autumn|fall|winter|month)"
    r"|year"
    r"|years|from my|with my|of my)\b"
    r"|(?<=[a-z,] )(?!I\b|I['’])[A-Z]\w+"
)
_BIOGRAPHY = re.compile(r"태어났|만들었|만든|발명|죽었|세웠|썼[어다]|그렸|이겼|졌어")
_LASTS = re.compile(
    r"\b(?:always|every|each|usually|often|whenever|never)\b|마다|항상|(?<!오)늘 |매[일주달년]|보통|주로|원래"
    r"|평소|자주|요즘|무조건|절대",
    re.IGNORECASE,
)


def is_no_fact(statement: str) -> bool:
    """Whether a statement cannot be a fact, however it goes on: supposed, general, a task, made up."""
    statement = _MANNERLY_IF.sub("", statement)
    return any(form.search(statement) for form in (_HYPOTHETICAL, _WORLD, _TASK, _MADE_UP))


def is_passing(statement: str) -> bool:
    """Whether a statement is of no use in a later chat, whoever made it."""
    text = statement.strip()
    if is_no_fact(text):
        return True
    if _is_of_the_moment(text):
        return True
    if _is_solid(text):
        return False
    if _ABOUT_THE_WORK.search(text):
        return True
    if not _LASTS.search(text) and (_AT_WORK.search(text) or _THIS_THING.search(text) or _SAID_TO_BE.search(text)):
        return True
    if _ONCE_EN.search(text) and not (_DETAIL_EN.search(text) or _LASTS.search(text)):
        return True
    return bool(_TALK_ABOUT_TALK.search(text)) or (bool(_BIOGRAPHY.search(text)) and bool(unknown_topic(text)))


def _is_solid(text: str) -> bool:
    """Of the person's own life beyond doubt, however the sentence happens to begin."""
    mine = bool(_LIFE.search(text)) or bool(living_in(text) and _MINE_EN.search(text))
    concepts = concepts_of(text)
    return mine or bool(concepts & {"allergy", "birthday", "job", "profession"} and subject_of(text) == SELF)


def _is_of_the_moment(text: str) -> bool:
    """A mood, or something of this hour; what changes a life is kept, though it was today."""
    if _LIFE.search(text) or changes_something(text):
        return False
    if _MOOD.search(text):
        lasting = re.search(
            r"\b(?:always|every|usually|often|whenever|of|about|since|when)\b|마다|항상|(?<!오)늘|매일|매번|때면"
            r"|무서|공포"
            r"|하지만",
            text,
            re.IGNORECASE,
        )
        told = any(offers(text, kind) for kind in ("number", "price", "clock")) or bool(aliases_in((text,)))
        return not (lasting or told) or bool(_MOMENT.search(text))
    return bool(_MOMENT.search(text))
