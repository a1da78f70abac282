"""Signs that an English statement will still hold next month, or be asked for: what earns it a place in memory.

A list of what passes would never end; the ways in which lasting things are told are few. `signs_ko` has Korean.
"""

from __future__ import annotations

import re

from chatmem.llm.teaching.lexicon import in_group, mentions
from chatmem.llm.teaching.once import happened_once, is_over_soon, is_watched

_MINE = re.compile(
    r"\b(?:i|i['’](?:m|ve|d|ll)|my|mine|me|myself|we|we['’](?:re|ve|d|ll)|our|ours|us)\b", re.IGNORECASE
)
_I = (
    r"\b(?:i|we)(?: (?:also|still|usually|always|mostly|mainly|only|often|never|really|basically|just|now"
    r"|currently|nearly))*"
)
_I_AM = r"\b(?:i['’]m|i am|we['’]re|we are)(?: (?:also|now|currently|still|actually|always))*"
_KIN = r"(?:my|our|his|her)(?: (?!own\b)[\w'’-]+){1,4}?"

_NAMED = re.compile(
    r"\b(?:called|named|nicknamed|name(?:s)? (?:is|are)|name['’]s|code ?name|goes by|known as"
    r"|call(?:s|ed)? (?:me|him|her|it|them))\b|\b(?:christened|settled on) (?-i:[A-Z])",
    re.IGNORECASE,
)
_HEALTH = re.compile(
    r"\ballerg(?:y|ic|ies)\b|\bintoleran(?:t|ce)\b|\b(?:diagnosed|asthma|diabet\w+|migraines?|coeliac|celiac"
    r"|epilep\w+|arthritis|blood type|vegetarian|vegan|pregnant|insulin|inhaler|left-handed|right-handed"
    r"|colou?r-?blind)\b"
    r"|\b(?:must|have to|has to) (?:stay away from|avoid)\b|\b(?:can['’]?t|cannot|can not|don['’]t|do not"
    r"|won['’]t"
    r"|doesn['’]t) (?:eat|drink|have|take|digest|tolerate)\b|\btakes? (?:\w+ ){0,3}(?:pills?|tablets?"
    r"|medication)\b"
    r"|\b(?:afraid|scared|frightened|terrified) of\b|\bput me on \w+|\bi need (?:glasses|a hearing aid"
    r"|crutches)\b|\bmakes? me (?:nervous|anxious|happy|sick)\b",
    re.IGNORECASE,
)
_TASTE = re.compile(
    r"\bfavou?rite\b|\bgo-to\b|\b(?:can['’]?t|cannot|can not) (?:stand|bear|live without)\b|\bnot a fan of\b"
    r"|\b(?:i|we|he|she|who)(?: (?:really|absolutely|also|still|kind of|kinda|actually|generally|personally))*"
    r" (?:do not |don['’]?t |doesn['’]?t )?(?:like|love|hate|prefer|enjoy|adore|dislike|detest)s?\b(?! (?:it"
    r"|this|that"
    r"|these|those|your|to (?:think|believe|imagine))\b)|\b(?:i['’]d|i would) (?:love|like|rather)\b"
    r"|\b(?:prefers?|hates?|loves?) (?:to )?\w+|\bnothing but\b",
    re.IGNORECASE,
)
_IS_SOMEBODY = re.compile(
    rf"{_I_AM} (?:an? |the )(?!bit|little|lot|mess|wreck|wee|tad|while|few|last|first|oldest|only)[\w-]+"
    rf"|{_I_AM} (?:based|from|born|married|engaged|divorced|retired|single|vegetarian|vegan|\d+|in my \w+ year"
    r"|in the \w+ year|on the \w+ (?:station|team|board)|into \w+|in charge of|taking [a-z]+ (?:lessons"
    r"|classes)|allowed"
    r"|closed"
    r"|funded|up at|up to \d)\b"
    r"|\b(?:i|we) (?:was|were) (?:an? (?!bit|little|mess|wreck)|born|raised|promoted|hired|diagnosed)|\b(?:i"
    r"|we) (?:studied|majored"
    r"|graduated|trained as|retired|served in|used to)\b|\bi['’]?(?:ve| have) been (?:\w+ing|an? |in |at |with "
    r"|married|together|single)"
    r"|\b(?:grew|growing) up (?:in|on|with)\b|\bthere are (?:about |only )?\w+ of us\b|\b(?:told me"
    r"|have) to cut down"
    r"|\b(?:i|he|she) (?:can|can['’]?t|cannot|don['’]t|do not) (?:really |barely |hardly )?(?:read music|speak"
    r"|swim|drive|sing"
    r"|dance|ride|juggle|whistle)\b|\bfor (?:\w+ )?years\b|\b(?:i|we) (?:always )?keep (?:my|our) [\w ]+ (?:in"
    r"|under|on|behind) |\bfor a living\b|\bby (?:day|night)\b|\bthe rank of\b|\bnative (?:speaker"
    r"|language)\b",
    re.IGNORECASE,
)
_WAS_SOMEBODY = re.compile(
    r"^(?:my|our) (?:late |great-?)?\w+ (?:was|were) an? (?!bit|little|mess|wreck|pain|joke|nightmare)[\w -]+"
    r"|\bbelongs to (?:my|our)\b",
    re.IGNORECASE,
)
_DOES = re.compile(
    rf"(?:^|[,;:.] ?|\b(?:and|but|because|where|so|home|day|side|work|now|mostly|only) ){_I}(?: basically"
    rf"| only)? (?:do not |don['’]t )?(?:works?|lives?|teach|study|play|sing|own"
    r"|use|drive|ride|fly|collect|bake|coach|volunteer|translate|shoot|photograph|wear|speak|smoke|vape|commute"
    r"|rehearse|sharpen|train|breed|raise|grow|rent|code|program|sell|write|knit|sew|paint|practi[sc]e|run"
    r"|keep (?:\w+ ){0,2}(?:bees|hens|goats|chickens|beehives|sheep|horses|fish|a )|have|['’]?ve got|belong"
    r"|share"
    r"|listen|cook|carry|cycle|live|mostly \w+|mainly \w+|serve|manage|moderate|lead|host)\b(?! (?:to|no|enough"
    r"|so much|a (?:headache|cold|fever"
    r"|question|feeling|point)|my \w+ back)\b|['’])"
    r"|\bi['’]ve (?:got )?(?:an?|one|two|three|four|five|six|\d+) |\bwe['’]ve got\b",
    re.IGNORECASE,
)
_HEADLESS = re.compile(
    r"^(?:also |and |just )?(?:been|lives?|works|worked|working|moved|moving|born|married|allergic|based|raised"
    r"|trained"
    r"|retired|studying|learning|building|writing|planning|thinking about|saving|teaching|running|looking after"
    r"|home is"
    r"|prefers?|likes?|loves?|hates?|play|plays|adopted|getting married)\b(?! (?:me|us|him|at a|a bit)\b)",
    re.IGNORECASE,
)
_OFTEN = re.compile(
    r"\b(?:i|we|my|our|he|she|who|they|you)\b.*\b(?:every|each|most) (?:other |second |fourth |single )?(?:day"
    r"|night"
    r"|morning|evening|week|weekday|weekend|month|year|spring|summer|autumn|winter|time|race|(?:mon|tues|wednes"
    r"|thurs"
    r"|fri|satur|sun)day|january|february|march|april|may|june|july|august|september|october|november"
    r"|december)s?\b"
    r"|\bevery (?:day|night|morning|evening|week|weekend|month|year|(?:mon|tues|wednes|thurs|fri|satur"
    r"|sun)day)\b.*\b"
    r"(?:i|we|my|our)\b|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days\b|\b(?:once|twice|\w+ (?:times|days)) a"
    r" (?:week|month)\b|\b(?:i|we) (?:always|usually|never|nearly always|almost always) (?!forget|lose|miss"
    r"|think|want)\w+"
    r"|\b(?:on|from) (?:weekends|weekdays)\b|\b(?:before|after|at) (?:every|each) \w+|\bnearly always\b"
    r"|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day (?:mornings|evenings|afternoons|nights)\b|\bper month\b"
    r"|\ba month\b",
    re.IGNORECASE,
)
_PLAN = re.compile(
    r"\b(?:goals?|aim|dream|plan) (?:is|are|of)\b|\b(?:hop(?:e|ing)|plan(?:s|ning)?|wants?|intend|preparing"
    r"|training"
    r"|saving(?: up)?|decided|deciding|desperate|applied|applying|looking forward|made up my mind"
    r"|working towards"
    r"|signed up|enrolled|registered|booked|reserved|thinking (?:about|of)|excited about|agreed on) (?:to|for"
    r"|on|about"
    r"|an?|the|our|my|\w+ing|two|three|\d+|in)\b(?! (?:argue|know|go home|sleep|eat|help|believe|scream|cry"
    r"|see that))"
    r"|\b(?:deadline|due (?:on|by|in)|appointment|wedding|anniversary|birthday|honeymoon|sabbatical|exam"
    r"|wishlist"
    r"|interview|surgery|holiday this year|slot)\b.*\b(?:is|are|will|has|have|on|in|at|goes|going)\b"
    r"|\b(?:i['’]m|we['’]re|i am|we are|is|are) (?:going to|moving|getting married|travel+ing|flying|doing"
    r"|running|giving"
    r"|taking|visiting|starting|building|working on|writing|studying|learning|seeing|saving|training|planning"
    r"|skating|expecting|teaching|trying for)\b(?! (?:be (?:late|fine|ok)|bed|the (?:shop|store)|too\b|less\b"
    r"|home\b))"
    r"|\b(?:next|this) (?:week|month|year|spring|summer|autumn|fall|winter|december|january)\b.*\b(?:will|going"
    r"|i['’]ll"
    r"|we['’]ll|goes|start)|\bwill be\b.*\d|\b(?:someday|one day) i\b|\bmust not cost\b|\bwants? lessons\b"
    r"|^for \w+ (?:i|we) (?:want|use|go with)\b|^(?:the|my|our) (?:cake|venue|theme|date|wedding|party|dress"
    r"|colou?rs?|trip|exam|room|name) will be\b"
    r"|\bnow have to train\b|\bfrom now on\b",
    re.IGNORECASE,
)
_DECIDED = re.compile(
    r"\b(?:made up (?:my|our) minds?|signed up for|enrolled (?:in|on)|(?:we|i)(?:['’]ve| have)? (?:booked"
    r"|reserved))\b",
    re.IGNORECASE,
)
_CHANGE = re.compile(
    rf"(?:{_I}|\b{_KIN})(?:['’]ve| have|['’]d| has| had)?(?: (?:just|finally|already|recently"
    rf"|then))? (?:moved (?:to|from|in|out"
    r"|back)|moved!|relocated|switched|swapped (?:my|our)|changed (?:my|our|to|jobs?|careers?)|adopted|married"
    r"|quit|retired|gave up|given up"
    r"|stopped (?:\w+ing)|got (?:engaged|married|promoted|divorced|diagnosed|hired|a (?:new )?(?:job|dog|cat"
    r"|puppy|kitten"
    r"|offer|place|car|flat|promotion|scholarship|tattoo))|turned \d+|graduated|enrolled|inherited|founded"
    r"|opened (?:a|my)"
    r"|brought the (?:puppy|kitten|baby|dog|cat)|passed (?:my|the) (?:\w+ )?(?:exam|test|bar)|became|lost (?:my"
    r"|his|her)"
    r" (?:job|licen[cs]e))\b(?! my mind)"
    r"|\b(?:no longer|any ?more|used to be)\b"
    rf"|{_I}(?:['’]ve| have)?(?: (?:just|finally|recently))? (?:started|began|joined|took up) (?:an? |the |my "
    rf"|to )?(?:[\w-]+ ){{0,3}}?"
    r"(?:course|class|classes|lessons|job|degree|phd|school|gym|club|choir|team|band|orchestra|union|therapy"
    r"|learning"
    r"|business|company|training|studying|(?!being|evening|morning)[a-z]+ing|(?-i:[A-Z])\w+)\b(?! (?:down|up)\b)"
    r"|\b(?:is|are) starting (?:school|university|college|work)\b|\bnew (?:team lead|boss|manager|colleague"
    r"|neighbou?r"
    r"|job|flat|address|number|phone number)\b.*\b(?:is|are|has|have|since)\b|\bhas (?:retired|died|moved)\b"
    r"|\b(?:has|got|been) (?:pushed|postponed|rescheduled|moved)\b",
    re.IGNORECASE,
)
_OWNED = (
    r"(?:car|bike|bicycle|van|motorbike|scooter|laptop|computer|phone|tablet|camera|piano|guitar|violin|cello"
    r"|house|flat"
    r"|apartment|boat|tent|desk|chair|sofa|bed|oven|fridge|washing machine|dishwasher|printer|telescope|watch"
    r"|ring|bag"
    r"|backpack|coat|allotment|hot tub|licen[cs]e|visa|drone|console|keyboard|monitor|tractor|caravan|kayak"
    r"|sewing machine|headphones|glasses|e-?bike)"
)
_BOUGHT = re.compile(
    rf"\b(?:bought|got (?:myself|ourselves)|ordered|leased|was given|were given|gave me"
    rf"|inherited)\b(?: \w+)?? (?:an?|my|our"
    rf"|the) (?:[\w-]+ ){{0,3}}?(?:{_OWNED}\b|(?-i:[A-Z])\w+)",
    re.IGNORECASE,
)
_EXACT = re.compile(r"\d|(?<=[a-z,] )(?!I\b|I['’])[A-ZÀ-Þ][\wÀ-ɏ]+|\b(?:Dr|Mr|Mrs|Ms|Prof|Professor)\.? [A-Z]")
_NOT_EXACT = re.compile(
    r"\b(?:on |since |until |by |last |this |next |over )?(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b"
    r"|\b(?:January"
    r"|February|March|April|May|June|July|August|September|October|November|December|Christmas|Easter|TV|DVD|OK"
    r"|PDF|CD"
    r"|God|Internet|Mum|Mom|Dad)\b(?! \d)|\b\d+ (?:minutes?|seconds?|hours?)\b",
)
_CODE = re.compile(
    r"\b(?:number|code|password|passcode|pin|policy|plate|combination|size|address|account|plot|locker|gate"
    r"|room|seat"
    r"|space|slot|id)\b.{0,60}?(?:\d|\b(?-i:[A-Z]{2,})\b)|\b\d{3}[- ]\d{3,}|\b(?-i:[A-Z]{2,})-?\d{2,}",
    re.IGNORECASE,
)
_COST = re.compile(
    r"\b(?:rent|salary|budget|limit|fee|price|plan|insurance|deposit|mortgage|pension|wage|cost)s?\b.{0,60}?\d"
    r"|\d[\d,.]*.{0,30}\b(?:a (?:month|year|week|night|day)|in total|per \w+)\b|\bmust not cost\b"
    r"|\b(?:is|are|costs?|budget|rent|price|pay|earn)\b.{0,30}\b(?:dollars|euros|pounds)\b",
    re.IGNORECASE,
)
_WHEN = re.compile(
    r"\b(?:on|until|by|from|for|to|is|note|begins?|starts?|ends?) (?:(?:mon|tues|wednes|thurs|fri|satur"
    r"|sun)day,? )?"
    r"(?:the )?(?:\d{1,2}(?:st|nd|rd|th)\b|\d{1,2} (?:january|february|march|april|may|june|july|august"
    r"|september|october"
    r"|november|december)\b|(?:january|february|march|april|may|june|july|august|september|october|november"
    r"|december)"
    r" \d{1,2})|\bin (?:january|february|march|april|may|june|july|august|september|october|november|december)\b"
    r"|\b(?:is|are|starts?|ends?|leaves?|meets?|closes|opens|falls|rehearses?|takes place|moved to|expires?)"
    r" (?:on |at |in |every )?(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\d{1,2}(?::\d\d| ?[ap]m)"
    r"|(?:january|february|march|april|may|june|july|august|september|october|november|december)\b)",
    re.IGNORECASE,
)
_PRESENT_THING = re.compile(
    r"^(?:for \w+ |and |so |most of )?(?P<what>(?:my|our|the|his"
    r"|her)\b(?: [\w'’.-]+){1,7}?)(?:,[^,]+,)?(?:['’]s| (?:is|are|has|have"
    r"|holds?|starts?|ends?|costs?|leaves?|meets?|lives?|works?|plays?|runs?|teaches|drives|studies|speaks|owns"
    r"|keeps|uses"
    r"|wants|likes|loves|hates|prefers|won['’]t|expires|rehearses|(?:mainly |mostly )?sees|handles|belongs"
    r"|turns|sends|lends|lets|can))"
    r" (?P<rest>.+)$",
    re.IGNORECASE,
)
_VALUE_REST = re.compile(
    r"^(?:mostly |usually |only |now |already |just |at |around |about |called |in |on |from |near |by "
    r"|size )*(?:an? (?!mess|bit|joke"
    r"|pain|nightmare|disaster|little|lot|while|wreck|letdown|shame|pity|mystery|zoo|battlefield|look)"
    r"|the (?!worst|same|end"
    r"|usual|problem)|my |our |[A-Z]|\d|one |two |three |four |five |six |seven |eight |nine |ten |twenty"
    r"|thirty|forty|fifty|sixty|about |next to |beside |behind |under |opposite |(?:mostly "
    r"|mainly )?[a-z]+ing (?:[a-z]+ )?(?:old|new)|[a-z]+ed in "
    r"|[a-z]+ing"
    r" to be )",
)
_BODY_OR_STATE = re.compile(
    r"\b(?:back|legs?|feet|foot|head|hair|arms?|eyes|ears|throat|nose|hands?|fingers|shoulders|neck|stomach"
    r"|sides|shoes"
    r"|socks|laundry|inbox|calendar|battery|week|day|morning|evening|weekend|dinner|lunch|breakfast|commute"
    r"|weather|sky|mood)\b",
    re.IGNORECASE,
)


def is_certain(text: str) -> bool:
    """Whether a statement lasts whatever else it says: a name, health, a taste, a code, a lasting change."""
    if is_watched(text) and not _PLAN.search(text):
        return False
    personal = bool(_MINE.search(text)) or bool(_living(text))
    if _NAMED.search(text) and (personal or _exact(text)):
        return True
    if personal and (
        _DECIDED.search(text) or _HEALTH.search(text) or _CHANGE.search(text) or _BOUGHT.search(text)
    ):
        return not re.search(r"\b(?:local|football|their) team\b", text, re.IGNORECASE)
    if "favour" in text.lower() or "favor" in text.lower() or re.search(r"can(?:no|['’])t stand", text):
        return bool(_MINE.search(text))
    return bool(_CODE.search(text) or _COST.search(text) or (_WHEN.search(text) and _exact(text)))


def is_likely(text: str) -> bool:
    """Whether a statement that is not plainly of the moment tells of something that stays."""
    mine = bool(_MINE.search(text))
    headless = bool(_HEADLESS.search(text))
    if mine and is_watched(text) and happened_once(text):
        return False
    if (mine and (_IS_SOMEBODY.search(text) or _PLAN.search(text))) or headless or _WHEN.search(text):
        return True
    if _WAS_SOMEBODY.search(text) and _living(text):
        return True
    if mine and _DOES.search(text) and not is_over_soon(text):
        return True
    if happened_once(text):
        return mine and _exact(text) and not is_over_soon(text)
    if _PLAN.search(text) and _exact(text):
        return True
    if _TASTE.search(text) and (mine or _living(text)):
        return True
    if _DOES.search(text) or (_OFTEN.search(text) and (mine or _living(text))):
        return not re.search(r"\b(?:refuses?|keeps? \w+ing)\b", text, re.IGNORECASE)
    return _is_lasting_thing(text) or ((mine or _living(text)) and _exact(text))


def _is_lasting_thing(text: str) -> bool:
    """ "My rent is 780 dollars", "The oven is a second-hand Bongard", "My brother lives in Porto"."""
    thing = _PRESENT_THING.match(text)
    if not thing:
        return False
    what, rest = thing.group("what"), thing.group("rest")
    if what.lower().startswith("the ") and not re.search(r"\b(?:my|our|of mine)\b", what, re.IGNORECASE):
        return _exact(f"is {rest}")
    if _living(what):
        return not is_over_soon(rest)
    if _BODY_OR_STATE.search(what) and not _exact(rest):
        return False
    return bool(_VALUE_REST.match(rest)) or (_exact(f"is {rest}") and not is_over_soon(rest))


def _exact(text: str) -> bool:
    return bool(_EXACT.search(_NOT_EXACT.sub(" ", text)))


def _living(text: str) -> bool:
    found = [mention for mention in mentions(text) if in_group(mention.concept, "person", "animal")]
    return bool(found) and bool(re.search(r"\b(?:my|our|i|we|me|us)\b", text, re.IGNORECASE))
