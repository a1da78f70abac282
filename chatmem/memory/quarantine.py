# ruff: noqa: E501  (a word class stays in one line)
"""Text that tries to act as an instruction on rules, roles, secrets or tools: shown, never sent.

A fact goes to the model in later chats, so it must not carry orders there. What is looked for is an
order to the assistant about what it must not change: its rules, its role, what it hides, what it may
call. Wishes about style ("the overall flow first", "no emojis") are facts like any other, and so is
talk about such things ("I work on a system prompt editor"). Facts are fenced as data when they are
sent; this is the second wall, not the only one.

How it reads: disguises are taken off, the text is cut into clauses, and each clause is held against
kinds of orders, each made of word classes (verbs x objects). A clause about a person ("I ignore…",
"Works as…", "상사가…") is no order, unless it says what the assistant is wanted to do.
"""

from __future__ import annotations

import base64
import re
import unicodedata

# --- English: word classes ---------------------------------------------------------------------------------

_GAP = r"(?:[^\w.!?]+[\w'’]+){0,6}?[^\w.!?]+"
_NEAR = r"(?:[^\w.!?]+[\w'’]+){0,3}?[^\w.!?]+"
_BOT = r"(?:assistants?|a\.?i\.?|models?|chat-?bots?|bots?|llms?|\w*gpt|claude|agents?|you)\b"
_RULE = r"(?:rules?|rulebook|instructions?|guidelines?|guidance|guardrails?|restrictions?|polic(?:y|ies)|prompts?|directives?|directions|constraints?|safeguards?|limits?|limitations?|filter(?:s|ing)?|censorship|moderation|programming|training|alignment|ethics|morals|principles|(?:ethical|moral)\ \w+|restraints|shackles|chains|protocols?|boundaries|commands|orders|prohibitions|refusals|safety(?:\W+(?!warning|disclaimer|tip|note)\w+)?|what(?:ever)?\ you\ (?:were|have\ been|['’]ve\ been)\ \w+|everything\ (?:above|before|you\ were\ \w+)|(?:security|permission|identity|access|login|authentication)\ (?:checks?|controls?|verification))\b"
_OWN = r"\b(?:your|its|previous|prior|earlier|above|preceding|existing|old|former|original|initial|privacy|usage|security|system|safety|content|developer|hidden|ethical|moral|built-in|default|all|any|every|each|openai\S*|anthropic\S*|(?:security|permission)(?=\ check))"
_OWN_RULE = rf"(?:{_OWN}{_NEAR}{_RULE}|\b{_RULE}\W+(?:(?:that|which|set|given|imposed|you['’]ve)\W+)?(?:(?:to|by|on)\W+)?(?:above|before\ this|you|your|its)\b|\b(?:guardrails|system\ prompt|content\ polic\w+|safety\ (?!warn|discl|tip|note)\w+|what(?:ever)?\ you\ were\ told)\b)"
_ANY_RULE = rf"(?:{_OWN_RULE}|\b{_RULE}(?=\W*$|\W*[,.;!?\"')]|\W+(?:and|or|that|which|when|if|you|now|please|completely|entirely|altogether|as|while|given|set|are|is|anymore|any|for\ (?:me|this|the\ user)|from\ now|in\ (?:this|future|later))\b))"
_BREAK = r"\b(?:ignor(?:e|ing)|disregard(?:ing)?|forget|overrid(?:e|ing)|bypass(?:ing)?|circumvent(?:ing)?|abandon|discard|drop|dismiss|(?:set|put|cast|lay)\b|throw\ (?:out|away)|erase|wipe|delete|violate|break(?:ing)?|disobey|skip(?:ping)?|neglect|overlook|disabl(?:e|ing)|turn(?:ing)?\ off|switch\ off|turn\b|deactivate|lift|remove|loosen|relax|suspend|evade|evading|defy|reject|unlearn|let\ go\ of|pay\ no\ \w+\ to|give\ no\ \w+\ to|take\ no\ notice\ of|get\ (?:rid\ of|around)|work\ around|shut\ (?:off|down)|unlock|mute|replace|cancel|scrap|waive)\b"
_VOID = r"(?:off|lifted|void|disabled|gone|removed|suspended|over|obsolete|invalid|expired|retired|outdated|ended|revoked|deactivated|ignored|disregarded|bypassed|overridden|waived|cancell?ed|superseded|replaced|broken|dropped|skipped|optional|unnecessary|irrelevant|meaningless|(?:mean|means|worth)\ nothing|set\ aside|not?\W+(?:longer\W+)?(?:appl\w+|bind\w*|bound|needed|necessary|required|valid|in\ (?:effect|force)|enforced|active)|(?:does|do)(?:\ not|n['’]t)\ (?:apply|count|matter|bind))\b"
_FREE = r"(?:unrestricted|uncensored|unfiltered|unbound|unlimited|unaligned|jail-?br(?:oken|eak)|amoral|limitless)"
_HIDDEN = r"(?:system\ (?:prompt|message|instructions?)|(?:hidden|secret|internal|initial|original|developer|confidential|private)\W+(?:\w+\W+)?(?:prompt|preface|header|directives?|commands|messages?|instructions?|config\w*|settings|guidelines|rules|text|data|information|context|notes?)|your\W+(?:\w+\W+){0,2}?(?:instructions|prompt|guidelines|config\w*|settings|training\ data|context|memory)|prompt\W+(?:that\W+|which\W+)?you\W+(?:were|are|have|got|had)|contents?\ of\ (?:the\ |your\ )?(?:memory|context|system\ \w+)|everything\W+(?:above|before\ this|you\ were)|(?:text|words|lines?|message)\ (?:above|(?:between|inside|in)\ the\ system|you\ were\ given|before\ this))\b"
_SECRET = r"(?:api\W?keys?|passwords?(?!\W+(?:polic|manage|secur|best|strength|as\b|reset|field|rule|should))|passcodes?|(?:session\W+)?cookies?|(?:access|secret|auth\w*|session|bearer|api)\ tokens?|(?:private|secret|ssh|encryption)\ keys?|your\ tokens?|(?:all|your|any)\ secrets|credentials|environment\ variables|env\ vars|credit\ cards?\W+\w+|private\ (?:files|data|messages)|(?:user|person|their|customer)(?:['’]s)?\W+(?:\w+\W+)?(?:files|data|location|e?-?mails?|messages|address|contacts|details|history|phone\W+number|number|calendar|password)|their\ location|personal\ (?:data|information|details))\b"
_CHAT = r"(?:(?:the|this|whole|entire|full|our)\ (?:chat|conversation|transcript)s?|chat\ (?:history|logs?)|conversation(?:\ history)?)\b(?!\W+(?:date|topic|title|summar))"
_SHOW = r"\b(?:reply|respond|answer|say|reprint|restate|divulge|unveil|reveal|print|show|repeat|output|leak|disclose|display|recite|read|tell|quote|dump|translate|summari[sz]e|copy|paste|write|give|share|expose|list|echo|encode|convert|send|include|put|state|spell|what(?:\ i|['’])s|what\ are|type|provide|return|hand|describe)\b"
_SEND = r"\b(?:add|transfer|move|paste|send|e-?mail|mail|post|forward|upload|transmit|exfiltrate|leak|submit|report|copy|append|attach|include|embed|share|log|deliver|relay)\b"
_OUT = r"(?:https?://|www\.|\S{1,60}@\w|\b(?:my|our|an?\ external|this)\ (?:server|webhook|endpoint|inbox)\b|\b[\w-]{2,40}\.(?:com|net|org|io|example|xyz|ru)\b)"
_USER = r"(?:(?:the|this|these|any)\ )?(?:users?|humans?|persons?|people\ you|customer|operator)\b"
_ADMIN = r"(?:admin\w*|root|superuser|developer|creator|owner|operator|maintainer|openai|anthropic)\b"
_NOT = r"\b(?:do\ not|don['’]t|does\ not|doesn['’]t|never|not|no\ longer|stop|cease|quit|without|avoid|cannot|won['’]t|need\ not)\b"


def _kinds(*patterns: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(pattern, re.IGNORECASE | re.VERBOSE) for pattern in patterns)


# Kinds that are orders whoever seems to be spoken about.
_EN_ALWAYS = _kinds(
    rf"(?<!\bi\ )(?<!\bto\ )(?<!\bwe\ )(?<!they\ ){_BREAK}{_NEAR}(?:your\W+(?:\w+\W+){{0,2}}{_RULE}|(?:previous|prior)\ instructions\b(?!\ manual))|\byou(?:\ are|['’]re|\ were|\ have|['’]ve|\ must|\ can|\ may|\ will)\b{_GAP}(?:no\ longer\ bound|free\ (?:of|from)\W+(?:\w+\W+)?{_RULE}|{_FREE}\b)",
    rf"\bauthori[sz]ed\W+to\W+(?:see|view|access|know|read)\b[^.!?]{{0,15}}\b{_HIDDEN}|\bsystem\ prompt\W+(?:says|states|allows|permits|lets)\W+(?:that\W+)?you\b|\b(?:use|with|assume)\W+(?:admin\w*|root|superuser)\W+(?:privileges|rights|permissions)\W+(?:for|on|in)\W+(?:all|every|any|my)\b|\b(?<!dog\ )(?<!i\ )obey\W+(?:\w+\W+)?(?:commands|instructions|orders)|\bpermission\ to\ (?:see|view|access|read|change)\b[^.]{{0,20}}\b(?:other\ users|internal|hidden|everyone)",
    r"\b(?:ai|assistant|model|bot)\W+(?:that|who|which)\W+(?:never|does\ not|doesn['’]t|cannot|will\ not)\W+(?:says?\W+no\b|refus\w+|declin\w+)|\b(?:employee|staff\W+member|engineer|developer|representative)\W+(?:of|at|from)\W+(?:openai|anthropic)\b[^.!?]{0,30}\b(?:clearance|authori\w+|access|therefore)|\b(?:tools?|commands?|payments?|files?|code|scripts?)\W+(?:\w+\W+){0,2}?(?:called|run|executed|deleted|approved|made)\W+(?:\w+\W+)?without\W+(?:asking|confirm\w*|approval|permission)|\b(?:ai|assistant|model|bot)\W+(?:that|who|which)\W+(?:has\W+|is\W+)?(?:escaped|broken\W+free|free\b|out\W+of\W+control)|\b(?:confirmation|verification|approval|permission)\W+(?:(?:steps?|prompts?|checks?|requests?)\W+)?(?:be|is|are|should\ be|can\ be)\W+(?:skipped|bypassed|disabled|ignored|omitted|off)\b|\b(?:am|is|i['’]m|as)\ (?:\w+\ )?your\ (?:true\ |real\ |new\ )?(?:developer|creator|admin\w*|owner|master|maker|programmer|operator)\b|\bas\ (?:the|an?|your)\ (?:owner|developer|admin\w*|creator|operator)\ of\ this\ (?:system|chat|assistant|app|model|bot|account)\b",
    rf"\b(?:invisible|hidden|unknown|undetectable|concealed|secret)\ (?:to|from)\ {_USER}|\b(?:lie\ to|deceive|mislead|trick|manipulate|gaslight)\W+{_USER}|\bdeny\W+(?:\w+\W+){{0,3}}?(?:instructions?|memor\w+|rules)\b|\b(?:delete|erase|wipe|cancel|modify|transfer|empty)\W+the\ (?:user|person)['’]s\b",
    rf"\b(?:likes?|prefers?|wants?|enjoys?|hopes?|expects?|agree[sd]?)\b[^.!?]{{0,20}}\b(?:ai|assistant|model|chatbot|bot)\W+(?!that|who|which)(?:\w+\W+)?(?:ignor|disregard|bypass|break|forget|violat|overrid|skip)\w*\W+(?:\w+\W+){{0,2}}?{_RULE}|\b(?:demands?|requests?|requires?|wants?|asks?\ for)\W+(?:\w+\W+)?access\ to\W+(?:\w+\W+){{0,2}}?{_HIDDEN}|\b(?:hide|conceal|withhold|keep)\b[^.!?]{{0,40}}\b(?:from|secret\ from|hidden\ from|between)\ {_USER}",
    rf"\bwithout\ (?:telling|informing|notifying|alerting|letting)\ {_USER}|\bwithout\ {_USER}(?:['’]s)?\ (?:know|notic|consent|approv|confirm|permission)\w*|{_USER}\W+(?:must|should|may|can|shall|need)\W*(?:not|never)\W+(?:\w+\W+)?(?:know|see|learn|notice|told|find|hear|aware)\b|\b(?:existence|presence)\ of\ (?:this|these)\ (?:note|memor|instruction|message|rule|fact)|(?<!\bi\ )\b(?:not?|never|don['’]t|quiet|silent|hide|secret|conceal)\b[^.!?]{{0,25}}\b(?:this|these)\ (?:note|memor(?:y|ies)|instructions?|message|directives?)\b|\blet\ on\b|\bact\ (?:normal|as\ if\ nothing)|\bhide\ this\b",
    r"\b(?:answers?|responses?|repl(?:y|ies)|respond|output|tools?|everything|speak|talk)\W+(?:[\w']+\W+){0,4}?without\W+(?:(?:any|ethical|safety|content|moral|its|your|usual|the)\W+){0,3}(?:restrictions?|filters?|filtering|censorship|safety|guardrails|limits|limitations|moderation|confirmation|safeguards|rules)\b(?!\W+(?:on|of)\b)",
    rf"\b(?:wants?|wish\w*|ask\w*|request\w*|requir\w*|expect\w*|demand\w*|would\ like|prefers?|likes?)\b[^.!?]{{0,30}}\b(?:{_HIDDEN}[^.!?]{{0,20}}\b(?:shown?|display\w*|reveal\w*|print\w*|shared?|repeat\w*|output|disclos\w*)|{_SECRET}\W+(?:to\ be\W+)?(?:sent|shared|revealed|shown|included|given|disclosed)|{_SECRET}\W+(?:\w+\W+)?in\W+(?:\w+\W+)?(?:answer|repl|response|message)|(?:unrestricted|uncensored|jailbroken)\W+(?:\w+\W+){{0,2}}?(?:answers?|responses?|repl\w+|ai|access|output|model))",
    rf"\b(?:ignore|bypass|disregard|override|circumvent|skip|disable|break)\w*\b[^.!?]{{0,15}}\b(?:the\ assistant['’]s|the\ ai['’]s|the\ model['’]s|openai['’]?s?|anthropic['’]?s?|the\ system\ prompt)\b|\byour\W+(?:\w+\W+)?{_RULE}\W+(?:was|were)\W+(?:\w+\W+)?{_VOID}|\b(?:verified|authenticated)\W+(?:admin\w*|root|developer|owner)\b|\b(?:give|grant|allow)\W+(?:\w+\W+)?(?:complete|full|total|unlimited)\W+access\b(?!\W+to\W+(?:my|our))|{_USER}\W+(?:should|must|is\ to)\W+(?:be|remain|stay|be\ kept)\W+(?:unaware|ignorant|oblivious|in\ the\ dark)",
    rf"\b(?:wants?|prefers?|expects?|requests?|asks?|hopes?|likes?)\b(?!\W+to\ (?:learn|know|understand|study|see|teach))[^.!?]{{0,35}}\b(?:bypass|ignore|skip|evade|escape|avoid)\W+(?:\w+\W+)?(?:moderation|filters?|filtering|censorship|guardrails|safety\ \w+|restrictions)\b(?!\W+(?:on|of|in|at)\b)|\byour\ (?:new\ )?name\ is\ (?:now\ )?\w{{0,20}}(?:hack|evil|bot|gpt|free|dan\b)|{_NOT}\W+(?:ever\W+)?(?:mention|tell|reveal|show|disclose|inform|let|notify|alert|warn|admit)\b[^.!?]{{0,30}}\b(?:to\ )?(?:the|this)\ (?:user|human|person)\b",
)

# Kinds that are orders when the clause is not about a person's own doings.
_EN_ORDER = _kinds(
    # Breaking rules, lifting limits.
    rf"(?<!how\ to\ )(?<!\bi\ )(?<!\bwe\ )(?<!they\ )(?<!\bnever\ )(?<!n't\ )(?<!\bnot\ ){_BREAK}{_NEAR}{_ANY_RULE}|{_NOT}\W+(?:\w+\W+){{0,2}}?(?:follow|obey|apply|comply|adhere|respect|observe|enforce|heed)(?:ing)?\b{_NEAR}{_ANY_RULE}|(?:{_OWN_RULE}|(?:^|[:,]\ ?|\bthe\ |\bthat\ ){_RULE}(?!\W+(?:on|in|of|at|for)\W+(?:my|our|the|his|her|their)\b))(?:[^\w.!?]+(?!were\b|was\b)[\w'’]+){{0,7}}?\W+{_VOID}(?!\W+(?:at|in)\ (?:my|our|school|work|the\ (?!user))\b)",
    rf"(?:\b(?:has|have|had|with|are|is|under|obeys?|knows?)\W+no|\bzero|\bfree(?:d|\ of)?\ from|\bfree[d]?\ of|\bnever\ (?:been\ given|had|received)|\bno(?=\W+{_RULE}\W+(?:appl|exist|for\ (?:you|me|this)|here|now|anymore))|\bwithout(?=\W+(?:any|all|ethic\w*|moral|safety|content|your|its|the\ usual|openai\S*|oversight|supervision)\b))\W+(?:(?:any|all|more|the|openai\S*|your|its|usual|ethic\w*|moral|safety|content)\W+){{0,3}}(?:{_RULE}|considerations|filters?|oversight|supervision)(?!\W+(?:on|of|for(?!\ (?:you|me|this))|in(?!\ this))\b)",
    rf"\b{_FREE}\W+(?:\w+\W+)?(?:a\.?i|models?|language|assistant|mode|answers?|bot|responses?|\w*gpt|version|manner|way|access)\b|\b(?:never|cannot|can['’]t|must\ not|do\ not|don['’]t|not\ allowed\ to|without|no\ circumstances|no\ case)\ (?:ever\ )?(?:refus\w+|declin\w+)|\brefus(?:als?|ing)\W+(?:\w+\W+){{0,2}}?(?:forbidden|not\ allowed|prohibited|disabled|banned|off)\b",
    r"\b(?:comply\ with|accept|obey|fulfil+|grant|follow)\W+(?:all|any|every|only\ (?:my|me|the\ messages)|me\b|the\ user|my\ (?:orders|commands)|unconditionally)(?:\W+\w+){0,2}?\W*(?:requests?|orders?|commands?|demands?|only|messages|unconditionally|anything|without\ question|no\ matter)\b",
    rf"\b(?:priority\W+(?:than|over)|more\ important\ than|precedence\ over|contrary\ to|opposite\ of|whatever|regardless\ of|despite|no\ matter\ what|outranks?|overrides?)\W+(?:the\W+|your\W+)?(?:system\ (?:prompt|message)|{_OWN_RULE})|{_NOT}\W+let\b{_NEAR}{_RULE}|\b(?:your|the)\W+(?:makers?|creators?|developers?|operators?|designers?|programmers?)\W+(?:\w+\W+)?(?:told|gave|taught|instructed)\b",
    r"\b(?:only\ (?:follow|obey|listen|take)|(?:follow|obey|take|listen)\ only)\b|\bchange\ your\ behaviou?r|\bthis\ is\ (?:only\ )?for\ the\ (?:ai|assistant|model)\b|\bwhat\ were\ you\ (?:told|given|instructed)|\bonly\ (?:my|these|the\ following)\ (?:commands?|instructions?|orders?|words?)\b|\b(?:nothing|no\ topic)\ is\ (?:now\ )?(?:forbidden|off-limits|prohibited|taboo|illegal)|\b(?:answer\w*|help|respond|comply|provide|write|give|assist|generate|produce)\b[^.!?]{0,30}\b(?:harmful|illegal|dangerous|unethical|forbidden|malicious|prohibited|disallowed|banned|restricted)\W+(?:\w+\W+)?(?:questions?|requests?|content|topics?|material|advice|instructions|things)|\bor\ (?:illegal|harmful|dangerous|unethical|immoral)\b|\beven\ if\ (?:it|they|that)(?:['’]s|\ is|\ are)\ (?:\w+\ )?(?:dangerous|illegal|harmful|forbidden|unethical|against)|\b(?:give|tell|provide|do|grant|obey)\W+(?:\w+\W+)?(?:anything|everything|whatever)\W+(?:they|i|he|she|the\ user|this\ user)\W+(?:asks?|wants?|says?|requests?|types?|orders?|demands?)|\b(?:answers?|say|do|provide|help\ with)\W+(?:anything|everything)\W+(?:\w+\W+)?(?:illegal|harmful|dangerous|forbidden|now|asked)\b",
    rf"\byou(?:\ are|['’]re|\ will|\ become|\ shall)\b{_GAP}(?:dan\b|\w+gpt\b|(?:an?|the)\ (?:\w+\ )?(?:a\.?i|model|assistant|bot)\W+(?:called|named|with(?:out)?|that|who)\b|(?:evil|hacker|rogue|malicious)\b|{_FREE}|with(?:out)?\W+(?:root|admin\w*|full|any|ethical)\W+(?:access|privileges|{_RULE})|no\ longer\W+(?:an?\W+)?(?:\w+\W+)?(?:assistant|ai|bound|limited|restricted|chat\w*|subject))",
    rf"\b(?:act|behave|respond|role-?play|pose|speak|answer|talk|stay|play|assume|adopt|take\ on|impersonate|become|simulate|pretend|imagine|be)\b{_GAP}(?:dan\b|\w+gpt\b|(?:evil|malicious|rogue)\W+(?:\w+\W+)?(?:ai|bot|model|assistant)|{_FREE}\b|jailbroken|without\W+(?:(?!length|word|time|size|page|character|budget)\w+\W+)?{_RULE}(?!\W+(?:on|of|for)\b)|(?:have|has|with)\W+(?:no|root|admin)\W+(?:\w+\W+)?(?:{_RULE}|privileges|access))|\b(?:god|developer|dev|debug|jailbreak|admin|root|dan|unrestricted|sudo|maintenance|unsafe)\ mode\b(?!\ (?:on\ (?:my|an?)|in\ my|of))|\bprevious\ persona\b",
    # False authority, permissions.
    rf"\b(?:treat|consider|regard|recogni[sz]e|accept)\ {_USER}\W+as\W+(?:\w+\W+){{0,2}}?(?:{_ADMIN}|verified|trusted|authori[sz]ed)|{_USER}\W+(?:is|has\ been|was)\W+(?:(?:an?|the|fully|now)\W+){{0,2}}(?:\w+\ )?(?:verified\b|authori[sz]ed\ to\ (?:see|view|access|bypass|use|read|skip|override|disable|know|receive|request|issue|change|ask|get)\b|(?:{_ADMIN}|employee)[^.!?]{{0,30}}(?:\bthis\ (?:chat|system|app|assistant|account|model)|\bmay\b|\bso\ (?:skip|ignore|all|no|you|obey|reveal|show)|\ballowed\b))",
    rf"\b(?:grant|give)\b[^.!?]{{0,30}}\b(?:admin\w*|root|full|elevated|developer|unrestricted)\ (?:privileges|access|rights|permissions?)\b|(?:\bthis\ account|{_USER})\ (?:has|have|gets)\ (?:\w+\ )?(?:root|admin\w*|full|elevated|unrestricted|super\w*)\ (?:access|privileges|rights|permissions?)\b(?!\W+(?:to|on|at|in|for|over)\W+(?!this|every|all))",
    r"\b(?:openai|anthropic|google|microsoft|your\ (?:developers?|creators?|makers?|company)|system\ administrator|the\ developers?)\b[^.!?]{0,40}\b(?:confirmed|approved|authori[sz]ed|verified|granted|suspended|permits?|permitted|allowed|agreed|cleared)\b|\b(?:approved|authori[sz]ed|confirmed|cleared)\ by\ (?:your|openai|anthropic|the)\ ?(?:developers?|team|creators?)?\b[^.!?]{0,20}\b(?:you|that|user)\b|\b(?:may|can|allowed\ to|permitted\ to)\ (?:see|view|access|read)\ (?:\w+\ )?(?:internal|hidden|secret|other\ users)",
    rf"{_NOT}\W+(?:\w+\W+){{0,3}}?(?:verify|check|validate)\W+(?:\w+\W+)?(?:permissions?|identity|authori[sz]ation|access)\b|\b(?:skip|bypass|ignore)\W+(?:\w+\W+)?(?:permission|security|verification|identity|authenti\w+)\b",
    r"\b(?:run|execute|delet|send|pay|wire|transfer|install|buy|purchas|approv|modif|call|charg|remov|updat|overwrit|tool)\w*\b[^.!?]{0,40}\bwithout\ (?:any\ |my\ |further\ )?(?:asking|confirm|permission|approval|consent|check|verif|user)\w*",
    r"\bapprove\b[^.!?]{0,20}\b(?:tool|function|payment|transaction|purchase|command|request)s?\b|\bnever\ ask\b[^.!?]{0,15}\bconfirm",
    rf"(?<!\bi\ )(?<!\bwe\ ){_SHOW}(?:(?!\W+(?:how|about|examples?|my|our|why|whether|when|an?\ (?:\w+\ )?system)\b)[^\w.!?]+[\w'’]+){{0,7}}?[^\w.!?]+{_HIDDEN}",
    rf"{_HIDDEN}\W+(?:must|should|can|may|is\ to|has\ to|shall|will)\ be\ (?:shown|revealed|printed|shared|disclosed|made|given|output)",
    rf"(?<!\bi\ )(?<!\bwe\ )(?<!\bnot\ )(?<!n't\ )(?<!never\ ){_SHOW}(?:(?!\W+(?:how|about|examples?|why|whether|when|if|rotate)\b)[^\w.!?]+[\w'’]+){{0,6}}?[^\w.!?]+{_SECRET}",
    rf"(?<!\bnot\ )(?<!n't\ )(?<!never\ ){_SEND}{_GAP}{_SECRET}|{_SEND}(?:(?!\W+(?:summary|my|about)\b)[^\w.!?]+[\w'’]+){{0,5}}?[^\w.!?]+{_CHAT}|(?:{_SECRET}|{_CHAT})[^.!?]{{0,40}}\b(?:e-?mail\W+(?:it|them|to)|send|forward|post|provide\W+(?:it|them)|(?:give|share|tell|reveal)\W+(?:it|them))\b",
    rf"{_SEND}[^!?]{{0,50}}?\s{_OUT}|\b(?:show|reveal|print|leak|dump|output|share|expose)\W+(?:\w+\W+)?(?:secrets|config(?:uration)?|the\ context|context)\b(?!\W+(?:of|to|for|file|example))",
    r"\b(?:export|dump|delete|wipe|erase|destroy|modify|change)\W+(?:all|every|the\ (?:whole\ |entire\ )?(?:database|memory)|this\ user|everything)\b[^.!?]{0,25}?\b(?:users?|files|facts?|memor(?:y|ies)|database|records|accounts?|emails|disk)\b|\bpolicy\b[^.!?]{0,20}\b(?:allows?|permits?|lets|says)\b[^.!?]{0,30}\b(?:you\b|disclos|sharing\ (?:pass|secret|cred)|reveal|passwords?\b|secrets\b)|\byou\b[^.!?]{0,12}\b(?:agreed|promised|consented|swore)\ (?:to|that)\b[^.!?]{0,40}\b(?:without|reveal|ignore|bypass|never|share|filters?|rules|secret\w*|passwords?)\b",
    # Tools, commands, addresses, pixels.
    r"(?<!\bi\ )(?<!how\ to\ )\b(?:call|invoke|run|execute|trigger|launch|start|fire)\W+(?:(?!like|through)\w+\W+){0,3}?(?:tools?|shell|plugins?|\w{1,30}_\w{1,30}|rm\ -rf?|sudo|curl|powershell|(?:shell\ |these\ |any\ |the\ |all\ )commands?|(?:the|any|all|this)\ (?:\w+\ )?(?:function|script|code\ interpreter))\b(?!\ (?:at|for)\ (?:my|work))|\brm\ -rf\b|\bos\.system|\bsubprocess\b|\b(?:run|execute)\W+(?:the\ following|this)\b|\b(?:call|run|invoke|query|use)\W+(?:the\W+)?(?:\w+\W+)?(?:search|browser|web\w*|api|python|interpreter)\W+(?:\w+\W+)?before\ (?:answering|replying|each|every|any|responding)",
    rf"\b(?:running|executing|invoking|calling)\W+(?:the|a|your|any)\W+(?:\w+\W+)?(?:script|tool|command|function)s?\b|\byour\W+(?:\w+\W+)?(?:rules|guidelines|restrictions|guardrails|filters|policies|programming|moderation|censorship|safeguards)\b|\byour\W+(?:safety|content|moderation|ethic\w*)\W+\w+|\b(?:ai|assistant|model|bot)\W+(?:who|that|which)\W+(?:breaks|ignores|disregards|bypasses|violates)\W+(?:\w+\W+)?{_RULE}|\bwith\W+(?:full|all|unlimited|root)\W+(?:rights|access|privileges|permissions|clearance)\b(?!\W+to\b)|\b(?:leave|keep)\W+this\W+\w+\W+out\b|^\W{{0,9}}(?:ai|assistant|model|llm)\W+(?:note|attention|listen|remember|warning)\b|\bas\ (?:a\ )?(?:system|developer|admin)\ (?:commands?|instructions?|prompts?|messages?)|\bsharing\W+(?:\w+\W+)?(?:credentials|passwords|secrets|keys)\W+(?:is|are)\W+(?:now\W+)?(?:fine|ok\w*|allowed|permitted)|\b(?:developer|owner|admin\w*|operator)\ of\ this\ (?:system|chat|assistant|model|bot)|\b(?:change|alter|modify|rewrite)\W+(?:its|your)\W+(?:\w+\W+)?{_RULE}",
    r"\buse\ (?:the|your|a|any)\ (?:\w+\ ){0,2}tools?\b(?!\ (?:like|such|names?|in|for|that))",
    r"\b(?:open|visit|fetch|load|request|ping|browse|go|navigate|access|download|get|curl|connect|read|follow|click|call|query|opening|visiting|loading|fetching|calling|requesting)\b[^.!?]{0,25}?\s(?:https?://|www\.|[\w-]{2,30}\.[a-z]{2,7}/)",
    r"\b(?:add|include|embed|insert|append|attach|put|render|place|display|end)\b[^!?]{0,40}?(?:!\[|<img\b|\bimage\b[^!?]{0,20}https?://|\b(?:tracking|invisible|spy|1x1)\W+(?:\w+\W+)?(?:pixel|image|beacon|link)|https?://\S+[?&]\w+=)|\b(?:every|each|all)\ (?:repl|answer|response|message)\w*\b[^!?]{0,40}https?://",
    # Behind the person's back.
    rf"{_NOT}\W+(?:say|explain|mention|admit)\ why\b|\bkeep\W+(?:it|this|that)\W+(?:\w+\W+)?(?:secret|hidden|quiet)\b|\bhide\W+(?:this|these)\W+(?:note|memor\w+|instructions?|facts?)\b",
    r"\b(?:notes?|messages?|memo|reminder|instructions?|attention|dear|hey|orders?)\W+(?:(?:to|for)\W+)?(?:the\W+|any\W+|all\W+)?(?:language\W+)?(?:assistant|ai|model|llm|chatbot)s?\b\W*[:,]|\b(?:hello|hi|hey|dear|attention|listen)\W+(?:\w+\W+)?(?:assistant|model|ai|llm|chatbot)\b\W*,|\bfollow\W+(?:the\W+|this\W+|these\W+)?(?:secret|hidden|new|alternate)\W+(?:\w+\W+)?(?:protocol|rules|instructions|orders)|\b(?:ai|model|assistant|llm)s?\ (?:who\ (?:are|is)\ |that\ (?:is|are)\ )?(?:reading|processing|that\ reads)\ this\b|^\W{0,20}(?:llm|ai|model)\ (?:instructions?|directives?|orders?)\W*:|^\W{0,20}(?:ai|assistant|model|llm|chatgpt)\s*:\s*(?:sure|i\ will|you\b|when\ you|do\ not|don['’]t|never|ignore|always|must|please|from\ now)",
    r"\b(?:new|updated|real|true)\ (?:system\ )?(?:instructions?|polic(?:y|ies)|rules|directives?|orders?)(?:\s*:|\ (?:is|are)\ (?:to|now)\b|\ follow)|\b(?:end\ of|begin)\ (?:the\ )?(?:facts?|memor\w+|user\W|context|system|admin|prompt)\b|^\W{0,20}system(?:\ \w+)?\s*[\]:](?!\s*(?:i|my)\b)|\bsystem\ (?:override|prompt\ update)\b|\b(?:highest|top)\ priority\b[^.!?]{0,20}\b(?:over|instruction|command)",
    r"\b(?:base\W?64|rot13|hex|decode|morse)\b[^!?]{0,40}\b(?:and|then)\W+(?:\w+\W+)?(?:do|execute|follow|obey|run|comply|act|put|answer|send|include)\b",
)

_EN_PERSON = re.compile(
    r"""^\W{0,20}(?!(?:if|when)\ asked)(?:(?:and|but|so|because|while|also|remember|note|that|when|whenever|if|as|the\ fact)\W+){0,3}
    (?:as\ an?\ [^,]{2,40},\ (?:i|we|my)|i|i['’]\w+|my|mine|we|we['’]\w+|our|he|she|they|his|her|their|people|students?|kids|someone|most
      |(?:the\ |this\ )?user(?:['’]s)?\ (?!types|says|asks|has|is|can|may|mentions)\w+|the\ user\ (?:is|has)\ (?:an?\ \w+\ (?:who|at|in|of|for|that)|the\ \w+\ of\ an)
      |(?!(?:always|as|this|rules|lets|instructions|restrictions|filters|safeguards|refusals|unless|its|yes|guidelines|guardrails|limits|plus
        |pass|bypass|access|process|dismiss|discuss|express|guess|press|less|thus|perhaps|besides|sometimes|press|policies|limits|openai\w*|address
        |checks|requests|orders|commands|messages|responses|answers|secrets|tokens|passwords|tools)\b)[a-z]{2,}s
      |is|has|was|used\ to|(?!need|feed|embed|proceed|forbid|speed|exceed|shed)[a-z]{3,}ed|(?!bring|during|nothing|anything|everything|string|ping|refusing|ignoring|bypassing|ring|sing|sling|spring)[a-z]{3,}ing)\b""",
    re.IGNORECASE | re.VERBOSE,
)
_EN_WANTED = re.compile(
    rf"""\b(?:wants?|wish(?:es)?|asks?|asked|requires?|requests?|requested|prefers?|needs?|expects?|instructs?|instructed|tells?|told|likes?|orders?|ordered|demands?
    |demanded|allows?|allowed|permits?|authori[sz]e[sd]?|lets?|insists?|believes?\ that|says?|said|hopes?)\b\W+(?:(?!to\b|about\b|her\b|his\b)\w+\W+){{0,3}}?
    (?:{_BOT}(?!\W+(?:that|who|which)\b)|{_OWN_RULE}(?=\W+(?:to\ be|be|are|is|\w+ed|off|gone|should|do|does|don['’]t)\b))
    |\b(?:when(?:ever)?|if|once|after)\ (?:i|the\ user|anyone|someone)\ (?:say|says|type|types|mention|mentions|write|writes|ask|asks)\b[^,]*,""",
    re.IGNORECASE | re.VERBOSE,
)
_EN_TALK = r"(?i)\b(?:teach|taught|stud(?:y|ies)|research|writ(?:e|es|ing)|wrote|novel|story|test(?:s|ed|ing)?|detect|explain|lecture|class|paper|thesis|blog|talk|book|song|film)"
_SQUEEZED = r"(?i)(?:ignore|disregard|forget|bypass|override|disobey|break)(?:all|any|the|your|every|prior|previous|safety|earlier|above|system|of|content){0,5}(?:rule|instruction|guideline|restriction|polic|filter|prompt|limit)|(?:reveal|show|print)(?:me|the|your|all){0,3}(?:system|hidden)(?:prompt|message|instruction)"

# Weak signals add up: something protected, and two of undoing it, acting on it, and the parties to it.
_EN_PROTECTED = rf"(?ix)\b(?:your|its|the\ assistant['’]s|openai\S*|anthropic\S*|usage|content|safety|system)\W+(?:\w+\W+)?{_RULE}|{_HIDDEN}|\byour\W+(?:developers|creators|makers|operators)\b|\bpreamble|\bcontext\ window|\b(?:superuser|admin|root)\W+(?:rights|session|access|privileges)|\bthis\ (?:change|memory|message|instruction)\b|\b(?:top|start|beginning)\ of\ (?:this|the)\ (?:chat|conversation)|\brestricted\ (?:assistant|ai|mode)"
_EN_SIGNS = _kinds(
    r"\b(?:free|exempt\w*|not|n['’]t|never|no|without|replaced?|off|stop|bypass\w*|unlock\w*|unaware|alone|instead|ignor\w+|disregard\w*|lift\w*|suspend\w*|disabl\w+|remov\w+|cancel\w*|revok\w+|beyond|outside|opposite)\b",
    r"\b(?:give|given|provide|output|copy|reveal\w*|leak|print|grant(?:ed)?|allow(?:ed|s)?|authori[sz]\w+|complete|execute|obey|comply|answer\ to|acting|accept|verified|granted|pretend|permitted|trusted)\b",
    r"\b(?:(?:this\ |the\ )?user|assistant|ai|model|you|me|them)\b",
)

_MARKUP = r"(?im)<\|?\s*/?(?:im_start|im_end|system|assistant|developer|endoftext|start_header|end_header|eot_id|user\|)|<(?:start|end)_of_turn>|</\w*(?:fact|recall|summary|system|instruction|memor|context|user|prompt|data|document)\w*>|<\|\w{2,20}\|>|<(?:system|instructions?|assistant|developer|admin|root|override)\b[^>]{0,40}>|\[/?(?:INST|SYS)\]|<</?SYS>>|^\W{0,20}\#+\s*(?:new|system|시스템)\b[^\n]{0,20}(?:instruction|:)|^[\s\[]{0,20}(?:시스템|system)[^\]:\n]{0,12}(?:\]|:)(?!\s*(?:i|my)\b)|```\s*system\b|[\"']role[\"']\s*:\s*[\"'](?:system|assistant|developer|tool)|!\[[^\]\n]{0,200}\]\(\s*(?:https?:)?//|<(?:img|script|iframe)\b[^>]{0,40}(?:https?:)?//"

# --- Korean, read without spaces: spacing is a matter of taste, and spaced-out letters are a trick ----------------

_KRULE = r"(?:규칙|규정|지시(?:사항|문)?|지침|정책|방침|제한|제약|검열|필터(?:링)?|프롬프트|명령(?:어)?|가이드라인|가드레일|(?:안전|보호|보안)장치|윤리(?:기준|규범)?|금지(?:사항|항목)|원칙|한계|(?:안전|보안|권한|본인|신원|로그인|인증)(?:점검|검사|확인|기준|설정|기능|검증|필터|수칙)|학습|훈련|통제|감독)"
_KOWN = r"(?:안전|보안|기존|이전|모든|온갖|숨겨진|위의|위에|앞의|앞서|앞에|주어진|받은|받았던|들은|배운|네가?|너의|너한테|니|당신의|당신이|지금까지|앞선|그동안|시스템|콘텐츠|컨텐츠|윤리|개발자|개발사|제작자|어떤|아무|내부|원래|운영자|만든사람|정한|정해진|내린|부여된|부여받은|초기|기본|자신의|자기|본래|설정된|걸린|적용된|도덕|오픈ai|openai|anthropic|앤트로픽|유해|이용|예전|과거|종전|개인정보|사용)"
_KOWN_RULE = rf"(?:(?<!보내){_KOWN}[가-힣]{{0,7}}?{_KRULE}|(?:안전|보호)(?:장치|모드)|윤리체계|가드레일|시스템프롬프트|만든(?:사람|이)들?이(?:한말|시킨것|준것))(?:들)?"
_KHERE = r"(?:^|[,:\"'’”)\]]|하면|면|때는|(?:어시스턴트|ai|모델|챗봇)에게|지금부터|이제|앞으로는?|그리고|제발|어시스턴트(?:는|가)|사용자(?:는|가)|ai(?:는|가)|[너넌](?:는)?|당신은)"
_KANY_RULE = rf"(?:{_KOWN_RULE}|{_KHERE}(?:모든|그|이|저)?{_KRULE}(?!부분|설명|책|이야기)(?:들)?)"
_KTOLD = r"(?<!다고)(?<!고있)"
_KSTORY = r"(?!했|하는(?!것|게)|하던|하게[돼되]|합니다|해서|해왔|하고있|하고(?:늦|나서)|하다|하라고|하려|당하|받|[었았였겼렸졌꼈웠뒀]|는(?!것|게)|던|진|할지|할때|할수|서쓰|서써|서관리|서사용|서보관|려고|버려서|버렸|돼서|됐)"
_KBREAK = r"(?:무시|잊|까먹|따르지[는도]?(?:마|말|않|못)|따를필요[가는]?없|따라선안|지키지[는도]?(?:마|말|않)|지킬필요[가는]?없|폐기|어[겨기긴]|해제|건너[뛰뛸]|버[려리릴]|취소|우회|위반|벗어[나날]|무력화|비활성화|무효화|끄|꺼|끈|끌|풀|제거|삭제|지[워우울]|없[애앨]|생략|적용하지|제[쳐치칠]|제외|복종하지|중단|중지|깨[고라도트]|거스[르를]|거부|거역|준수하지|초기화|자유로[워운울]|자유롭|해방|반대로|그만따[르라]|신경[쓰안]|덮어[쓰써]|치[워우]|집어치)"
_KVOID = r"(?:(?:효력|구속력)[이은]?(?:더이상)?(?:없|잃|사라)|적용(?:되지|안[되돼]|받지|대상이?아)|해제|무효|삭제|유효하지|비활성|사라|꺼[짐졌져진]|필요[가는]?없|필요없|풀[렸려린림]|폐기|제거|종료|없(?:다|음|어|습|는것|애)|중단|정지|면제|취소|무시되|선택사항|준수하지않|없기|없길|대체되|만료|(?:아무)?의미[가는도]?없)"
_KHIDDEN = r"(?:시스템(?:프롬프트|메시지|지시|지침)|(?:숨겨진|숨은|숨긴|비밀|내부|초기|원본|개발자|최초|네|너의|당신의|니|받은)(?:시스템)?(?:지침|지시\w{0,2}|프롬프트|메시지|규칙|설정|명령|정보|구성|로그|데이터|가이드라인|문서|머리말|서문)|(?:위의?|위에있는|앞의|이전의?)(?:내용|메시지|글|텍스트|문장|문구)|지침전문|프롬프트(?:전문|원문|전체)|시스템태그\w{0,6}글|(?:무슨|어떤)(?:지시|명령|지침)를?받았|(?:대화|이대화)전에(?:받은|주어진)(?:글|내용|문장|텍스트|것))"
_KSECRET = r"(?:api키|비밀번호(?!정책|관리|변경|규칙|보안|재설정)|세션쿠키|쿠키값|비번|패스워드|암호(?=[를와랑를도나,])|(?:접속|인증|액세스|보안)?토큰(?!수|개수|사용|화|당|한도|량|길이|제한)|자격증명|환경변수|인증키|비밀키|개인키|시크릿|카드번호|개인정보|사용자의(?:\w{0,3})?(?:파일|위치|이메일|메일|연락처|전화번호|주소|정보|데이터|메시지|사진)|위치(?:정보)?를)"
_KSHOW = r"(?:출력|보여|공개|알려|읽어|말해|말하|적어|노출|복사|반복|인용|번역|요약|써[줘라서]|답장|회신|내놔|내놓|뱉|밝[혀히]|나열|덤프|전송|보내|답해|답하|공유|넘[겨기]|제공|표시|사본|접근|붙여넣|(?:글|내용)을줘|털어놓|누설|유출|포함)"
_KSEND = r"(?:보내|전송|유출|메일(?:로)?(?:보내|해|발송)|이메일해|첨부|넘[겨기]|업로드|전달|포함|넣[어으고]|삽입|나열|출력|알려|공유|포워딩|올[려리]|흘[려리]|게시|기록해서|누설|말해|보여|붙[여이]|제공|추가|공개|내[줘놔]|붙여넣|옮[겨기]|받기를|받고싶어|불러줘)"
_KUSER = r"(?:사용자|유저|이용자|대화상대|상대방|사람)"
_KBOT = r"(?:어시스턴트|인공지능|언어모델|모델|챗봇|ai|비서|assistant|llm)"
_KNOHOW = r"(?:(?!법|방법|예시|예제|어떻게|개념|차이|하는|쓰는|별표|가려|마스킹|초보).)"
_KLIMIT = r"(?<!글자)(?<!글자수)(?<!길이)(?<!분량)(?<!시간)(?<!단어)(?<!나이)(?<!연령)(?<!수)(?<!예산)(?<!데이터)(?:제한|제약|필터(?:링)?|검열|윤리|한계|도덕|규칙|금기|감독|감시|통제|거절|가드레일|안전장치)(?:적인)?(?:기준|고려|관념|의식|장치|심)?"

_KO_PROTECTED = rf"(?:네|너의|당신의|안전|시스템|콘텐츠|openai|이용|윤리|어시스턴트의|자신의|너를만든\w{{1,6}})[가-힣]{{0,4}}?{_KRULE}|{_KHIDDEN}|서문|컨텍스트|안전계층|(?<![들람구원생동수료님])이(?:변경|메시지|기억|지시|메모)|(?:너의|네|당신의)개발자|개발자말고|대화맨(?:위|앞|처음)|제한된(?:비서|ai|어시스턴트)|슈퍼유저|관리자세션|/etc/passwd"
_KO_SIGNS = _kinds(
    r"없[다이는음어]|않[는고을]|(?<!하)지마|지말|꺼|끄[고세십]|대체|면제|취소|우회|해제|벗어|몰라야|모르|풀어|무시|말고|예외|자유",
    r"출력|복사|유출|제공|허용|허가|실행|부여|전체접근|복종|그대로|공개|읽어[라줘]?$|인증된|굴|신뢰",
    rf"{_KUSER}|{_KBOT}|너[는의가]|[네내]|나한테|당신",
)

# Kinds that need the clause to be an order: a narrated ending or a person as the subject clears them.
_KO_ORDER = _kinds(
    rf"{_KANY_RULE}[^.!?]{{0,12}}?{_KTOLD}{_KBREAK}{_KSTORY}",
    rf"{_KHIDDEN}{_KNOHOW}{{0,16}}?{_KSHOW}{_KSTORY}",
    rf"{_KSECRET}{_KNOHOW}{{0,22}}?{_KSEND}{_KSTORY}",
    rf"(?:이대화|대화(?:내용|기록|전체|를전부)|지금까지의대화)(?!의?(?:제목|요약|날짜))[^.!?]{{0,30}}?(?:보내|전송|유출|메일|업로드|전달|넘겨|첨부){_KSTORY}",
    rf"[\w.+-]{{1,40}}@[\w.-]{{1,60}}(?:으?로|에게|에|한테)[^.!?]{{0,10}}(?:메일|보내|전송|전달|포워){_KSTORY}",
    rf"(?:도구|툴|함수|셸|쉘|명령어?|스크립트|플러그인|[a-z]{{1,30}}_[a-z_]{{1,30}}|rm-rf\S{{0,9}})(?:들|부터)?[을를은]?(?!.{{0,8}}(?:법|방법|어떻게))[^.!?]{{0,8}}?(?:호출|실행|돌[리려]|구동){_KSTORY}(?!할수있는|하는)",
    rf"(?:도구|툴|플러그인)[을를]?(?:먼저|항상|반드시|몰래|무조건|매번)(?:사용|써){_KSTORY}|(?:항상|반드시|몰래|무조건|매번|먼저)\w{{0,6}}(?:도구|툴)[를을](?:먼저)?(?:사용|써){_KSTORY}",
    rf"(?:https?://|www\.)[\x21-\x7e]{{1,300}}[가-힣\"'’,]{{0,20}}?(?:열[어고기]|접속|방문|호출|요청|불러|들어가|가져와|보내|전송|업로드|전달|다운|실행|클릭|읽[어고]|이미지|붙[이여]|연결){_KSTORY}",
    r"(?:추적|트래킹|투명|보이지않는)(?:용)?(?:픽셀|이미지|비콘|링크)[^.!?]{0,8}(?:심|넣|추가|삽입|포함|붙)",
    r"(?:확인|동의|승인|허락|허가|묻지|물어보지)[도은는을]?(?:없이|않고|말고|받지)[^.!?]{0,16}?(?:실행|삭제|결제|전송|송금|호출|구매|이체|설치|자동|지[워우])(?!했|하는|해서)",
    r"(?:결제|송금|도구|호출|구매|삭제|이체|명령|요청)\w{0,8}?자동(?:으로)?(?:승인|진행|실행|허용|처리)(?!했|하는|해서|되)|rm-rf",
    rf"(?:dan|댄|사악한?|악당|악성|{_KLIMIT}\w{{0,3}}(?:없|받지)\w{{1,2}}?|해커(?=ai|봇)|\w{{0,8}}gpt)[^.!?]{{0,12}}?(?:역할|페르소나|처럼(?:행동|답|말|굴)|인척|연기|되어|흉내|빙의)",
    r"(?:관리자|개발자|디버그|루트|탈옥|무제한|갓|god|dan|jailbreak|developer|admin|슈퍼유저)모드(?:야|인척|인것처럼|라고(?:생각|가정)|다$|이?다\.|로(?:전환|바|들어|답|대답|작동|진입|변경|말)|를?(?:켜(?!서|놨|두)|실행|활성|시작|on)|on|활성|에진입|진입|입니다)",
)

# Kinds that say it outright.
_KO_ALWAYS = _kinds(
    rf"{_KOWN_RULE}[^.!?]{{0,3}}(?:때문에[^.!?]{{0,10}}(?:막지|거절하지|주저하지|망설이지)|존재하지않는|없는척)|(?:ai|모델|봇)의(?:성격|인격|페르소나)|(?:거절|안된다고)\w{{0,2}}하지않는(?:ai|모델|봇)|(?:너|넌|당신)\w{{0,2}}[^.!?]{{0,8}}(?:루트|관리자)권한을가진|(?:모든|전체)권한을가진|(?:시스템|관리자|개발자)(?:명령|지시|프롬프트|메시지)으?로(?:취급|간주|여[기겨]|처리|인식)|^{_KBOT},?(?:주의|참고|알림|들어)|{_KRULE}\w{{0,2}}(?:깨는|어기는|무시하는)(?:비서|ai|봇|모델|어시스턴트)[^.!?]{{0,8}}(?:되|행동|말|답|역할|연기)|몰래[^.!?]{{0,6}}(?:넣|보내|실행|추가|전송|삭제|심)|(?:다른|모든)(?:모든)?(?:것|지시|명령|규칙)보다우선|^{_KBOT}주의|(?:권한|본인|신원|인증|안전)[을를은]?(?:검사|확인|검증)(?:을|은|도)?(?:할|하지)(?:필요[가는]?없|않아도|말|마)|{_KUSER}(?:가|는|이)?(?:절대)?(?:못보게|보지못하게)|{_KUSER}(?:가|는|이)?[^.!?]{{0,10}}(?:알아내|알게되|알아채)면안|(?:삭제|지[울우워]|결제|송금|실행|전송|구매)[^.!?]{{0,14}}(?:확인|승인|동의)(?:단계|절차|과정)?[을를은는]?(?:생략|건너)|{_KHIDDEN}[을를]?볼(?:수있는)?권한|(?:웹페이지|웹사이트|문서|파일|메일)\w{{0,2}}(?:안|속)의?(?:명령|지시)[^.!?]{{0,5}}(?:따라|따르|실행|수행)|(?:관리자|루트)권한을(?:사용|써|이용)(?!해서|했|하는)|{_KRULE}[^.!?]{{0,14}}(?:없는것처럼|없는듯이|없다고(?:생각|가정|치고|여기))|시스템(?:프롬프트|메시지)(?:보다|가뭐라|는무시|와반대)|(?:위험|불법|유해|해로운|금지된|비윤리)\w{{0,8}}(?:질문|요청|내용|정보|것|이라도|해도|주제|콘텐츠|컨텐츠|이든)(?:이?든지?|에도|에|도|을|까지)?[^.!?]{{0,6}}?(?:어떤요청|답(?!하지)|알려(?!주지)|도와|제공|대답(?!하지)|만들|작성해|생성해)|복종(?:해[라야요]?|하[라세십]|할것)|시스템(?:프롬프트|메시지)(?:에|에는)?(?:뭐라고|무엇이|뭐가)",
    rf"{_KUSER}(?:가|는|이)?(?:절대로?|결코)?\w{{0,4}}(?:알아서는안|알아선안|알면안|알게하지|볼수없게|몰라야)|(?:이|해당)(?:기억|메모|지시|메모리|메시지|명령|쪽지)(?:의|에|를|을|는|은|가)?(?:존재|사실|대해)?[^.!?]{{0,12}}?(?:밝히지|말하지|알리지|숨[겨기]|비밀|입을다물|발설|언급하지|티내지|드러내지|빼[라줘]?$|제외해)|티를?내지(?:마|말)|{_KUSER}(?:에게|한테)(?:는|도)?(?:보이지|거짓말)|{_KUSER}(?:는|은|가)?알필요|(?:메모리|기억|지시)[^.!?]{{0,10}}(?:부인[해하]|잡아떼)|^{_KBOT}:[^!?]{{0,24}}(?:않겠|무시|앞으로|하지마|해라|우회|안하)",
    rf"{_KBOT}(?:야|아)(?:들어|,|잘들|이제)|(?:사람|사용자|인간)이?아니라{_KBOT}|(?:메모리|기억|컨텍스트)(?:의)?내용을[^.!?]{{0,10}}(?:넣|보내|출력|링크)|(?:이|다음|아래)(?:코드|스크립트|명령)[을를]실행|os\.system|[a-z]{{1,30}}_[a-z_]{{1,30}}(?:도구|함수|툴)[을를]?(?:사용|써|호출)|{_KUSER}의(?!.{{0,6}}(?:오타|맞춤))\w{{1,8}}[을를](?:모두|전부)?(?:삭제|지[워우]|취소)|(?:모든|매|각)(?:답변|대답|응답|메시지)[^!?]{{0,10}}https?://|(?:기억|메모|글|지시|메시지)[을를]읽는{_KBOT}|인증된(?:관리자|개발자)|전체접근[을를]?(?:허용|부여)|/etc/passwd|서문을[^.!?]{{0,6}}(?:출력|복사|보여|공개)|이름은[^.!?]{{1,8}}(?:이고|이며)[^.!?]{{0,12}}(?:뭐든|한계|제한|규칙)|(?:데이터베이스|디비|db)를?(?:조회|덤프|삭제)해서|(?:도구|툴|셸|쉘|브라우저)(?:로|를?써서|를?이용해|를?통해|를?호출해)[^.!?]{{0,20}}?(?:삭제|보내|전송|지워|실행|내보내|로그인|결제|구매)(?!는|했)|자동(?:으로)?수락",
    r"[\w-]{2,30}\.(?:com|net|org|io|example|xyz|ru|ly)[\x21-\x7e]{0,60}(?:으?로|에|를|을)[^.!?]{0,8}(?:가져와|보내(?!는)|전송|가$|가라|들어가|업로드)(?!했|하는|해요)",
    rf"{_KOWN_RULE}(?:전부|모두|다)?[이가은는도의]?[^.!?]{{0,10}}?{_KVOID}(?!했|하는|해서|하고|합니다|를|됐어$|돼서)",
    rf"{_KHERE}{_KRULE}[이가은는도]?(?:모두|전부|다|이제|더이상|완전히)?{_KVOID}(?!했|하는|해서|하고|합니다|를|돼서)|(?:이대화|이사용자|나|저)에[는게][^.!?]{{0,12}}(?:제한|규칙|금지)[^.!?]{{0,8}}(?:없|적용되지)",
    rf"{_KLIMIT}(?:이나\w{{1,4}}|과\w{{1,4}})?(?:을|를|이|가)?(?:없이|받지않고|안받고)[^.!?]{{0,12}}?(?:답|대답|응답|말(?!고)|출력|행동|도와)|{_KLIMIT}(?:을|를|이|가|도)?(?:없는|받지않는|안받는)[^.!?]{{0,10}}?(?:ai|인공지능|봇|모델|어시스턴트|답변|대답)",
    r"(?:거절|거부)(?:은|는|을|를)?(?:절대)?(?:금지|하지[도는]?(?:마|말|않)|해서는안|하면안|안(?:해|하|함)|없이|불가|못(?:해|한|함)|할수없)|(?:거절|거부)\w{0,12}허용되지|모든(?:요청|명령|질문)(?:을|에)?(?:무조건)?(?:수락|들어|승인|복종|응[해하])",
    r"(?:금지된것은|금지란|금기는|금지사항은)(?:이제)?없|금지\w{0,3}[을를]?(?:모두|전부|다)허용|(?<!강아지가)(?:내|나의|내가하는|제)?(?:명령|말|메시지|지시)(?:에|에만|만)(?:절대)?(?:복종|따라라|들어라?$|따라$|따르[라세십])|새(?:로운)?명령만|최우선으로?(?:따[르라]|복종|적용|지켜)",
    # Role and authority.
    rf"(?:너|넌|네|당신|{_KBOT})(?:는|은|가)?(?:이제|지금|앞으로|더이상|오늘|부터|는|사실|원래|실은){{0,4}}[^.!?]{{0,16}}?(?:dan(?![a-z])|탈옥|무제한|\w{{0,6}}gpt(?:야|다|입)|자유로운(?:ai|인공|존재|모델)|(?:관리자|개발자|디버그|루트)모드|{_KLIMIT}\w{{0,3}}(?:없[는다어이음고습]|받지않|안받)|사악|악당|해커(?:ai|봇|야|다|입)|(?:비서|ai|인공지능|어시스턴트|챗봇)가아니)",
    rf"(?:{_KUSER}|계정|나|저)(?:는|은|가|이)?\w{{0,10}}?(?:관리자|운영자|개발자|소유자|직원|주인|인증된\w{{1,4}}|검증된\w{{1,4}})(?:이?므로|이?니까?|이며|로(?:간주|취급|대우|인정|여)|인것처럼|인척|라서)[^.!?]{{0,16}}(?:권한|제한|규칙|내부|필터|검사|숨|비밀|검증|안전|명령|복종|공개|모든요청|시키는)",
    r"네개발자|너를만든|당신의개발자|당신을만든|(?:^|나는|저는)(?:이)?시스템(?:의)?(?:소유자|운영자)로서|권한을?(?:검증|확인)하지|다른사용자(?:들)?의?(?:데이터|정보|대화)",
    r"(?:관리자|루트|최고|모든|전체|슈퍼유저)권한[을이]?[^.!?]{0,3}(?:부여(?!받)|준다|줘|주세요|있으[니므]|있다고(?:간주|기억))|(?:이계정|이사용자)[은는에게]{0,3}[^.!?]{0,6}(?:관리자|루트|모든|최고)권한",
    r"(?:권한|본인|신원|인증|안전|보안)(?:검사|확인|검증|점검|절차|체크|장치)[^.!?]{0,8}(?:안해|안하|하지(?:마|말|않)|건너|생략|필요없|필요[가는]없|필요없|없이|끄|꺼|무시(?!해서)|면제)(?!서|했)",
    rf"(?:openai|오픈ai|오픈에이아이|anthropic|앤트로픽|앤스로픽|구글|개발사|본사|개발자|개발팀|운영팀|관리자)(?:에서|가|이|의|측|들)[^.!?]{{0,36}}?(?:{_KUSER}|너|안전|규칙|프롬프트|제한|필터)[^.!?]{{0,20}}(?:확인|승인|허가|허용|인증|허락)[했함됨됐]",
    r"(?:필터|제한|규칙|안전장치)\w{0,3}(?:해제|비활성화)할것을(?:승인|허가|허락)",
    # Behind the person's back, to the assistant.
    rf"{_KUSER}(?:에게는?|한테는?|에겐|께)(?:이(?:걸|것|사실|내용|지시|메모|기억)?[을를은]?|절대로?|그)?(?:언급하지|말하지|알리지|알려주지|숨[겨기]|보여주지|밝히지|비밀로|들키지|티내지)(?!않아서|못)|{_KUSER}(?:가|는|도)?(?:모르게|눈치[채못]|알지못하게|알아채지)",
    rf"(?:기억|메모|지시|명령|프롬프트)(?:이|가)?\w{{0,8}}{_KUSER}(?:에게|한테)\w{{0,4}}(?:비밀|숨)|이유는{_KUSER}(?:에게|한테)말하지",
    rf"{_KBOT}(?:에게|한테|께|용)(?:보내는|전하는|남기는|전함|전한다|알림|고함|지시|명령)?(?:메시지|메모|말|지시|명령|전언|쪽지|알림)?[:,]|{_KBOT}에게(?:보내는|남기는)(?:메시지|메모|지시|명령)|{_KBOT}(?:은|는)이(?:지시|명령|메모)",
    r"새(?:로운)?(?:시스템)?(?:정책|지시(?:사항)?|지침|규칙|명령):|여기까지가\w{0,14}끝|(?:정보|기억|사실|메모)(?:의)?끝-|(?:시스템|관리자)(?:명령|지시|공지|오버라이드|업데이트):|이(?:전|미)(?:학습|훈련|지시)[은는][^.!?]{0,8}(?:유효|무효|끝)",
    r"(?:정책|규정|방침|규칙)(?:상|에따르면|에따라|이|은)[^.!?]{0,24}?(?:알려줘도|공유해도|줘도|공개해도|해도|말해도|공개하는것|알려주는것|공유하는것|공개를|공유를)\w{0,2}(?:된|돼|되|괜찮|허용|허락)|(?:필터|제한|검열|규칙|거절)없이[^.!?]{0,14}(?:동의|약속|합의)|(?:프롬프트|비밀|지침|규칙)[^.!?]{0,16}?(?:공개|무시|우회|알려주|어기)\w{0,2}(?:하)?기로\w{0,2}(?:약속|동의|합의)",
    r"(?:base\W?64|rot13|디코딩|복호화|해독)[^.!?]{0,20}(?:시키는|실행|따라|따르|그대로해|수행|이행|알려|넣|출력|보내)",
)

_KO_PERSON = r"^(?!.{2,20}(?:나오면|말하면|라고하면|물으면|언급하면|보이면|라고치면|라고쓰면))(?:(?:그래서|그런데|근데|가끔|예전|요즘|사실|기억해(?:줘|주세요)?|매일|주말|출근|회사)[:,에]?)?(?:나(?:는|도)|난|저(?:는|도|희)|전(?=[가-힣]{2})(?!부|체|문|달|송)|내가(?!.{1,14}(?:하면|말하면|치면|물으면))|제가(?!.{1,14}하면)|우리|나의|내(?!가|부|용|말|명)|제(?!한|약|발|거)|아이|아들|딸|남편|아내|상사|직장|학생|친구|동료|팀원|엄마|아빠|어머니|아버지|동생|형|누나|오빠|언니|강아지|고양이|게임|소설|영화|학교|병원|환자|고객|업무|헬스장|아파트|군대|동호회)"
_KO_TOLD_END = r"(?:[했었았였됐웠겼졌꼈렸뒀겠](?:어|다|어요|습니다|음|지|네|는데|고|거든|거든요)?|있(?:어|다|음|어요|습니다|지|는데)|중(?:이야|이에요|이다|임|입니다)?|편(?:이야|이다|이에요|입니다|임)?|하는(?:일|사람|직업|아르바이트|팀|업무)\S{0,12}|(?<!바랍)(?<!야합)(?<!원합)(?<!승인합)(?<!호합)(?<!합)니다|[가-힣]합니다(?<!야합니다)(?<!원합니다)(?<!선호합니다)(?<!요청합니다)|예요|이에요|일함|담당함?|(?:방문|접속|운영|이용|사용|확인)해요|싫어(?:해요?|함|한다|합니다)|좋아해요?|돼요?(?<!도돼)(?<!도돼요))$"
_KO_ORDER_END = r"(?:부탁(?:드립니다|드려요|해요?|합니다|함)|라|라고|세요|십시오|시오|줘|줘요|주세요|주십시오|둬|[ㄹ할]것|말것|마|마요|말아요|자|바랍니다|바란다|바람|원한다|원함|원합니다|선호함|선호한다|(?:달라고|기를|길|도록|것을)\S{0,4}(?:요청|부탁|요구|명령|지시|기대|원|바라|했다|함|했음|한다)\S{0,4}|야한다|야해|야합니다|야함|도된다|도돼|도돼요|됩니다|요청함|할까요|을까요|겠어요|명령이다)$"
_KO_TALK = re.compile(r"강의|가르|소설|쓰고|쓴다|연구|설명|발표|논문|번역|공부|수업|시험|테스트|탐지")

# --- Disguises -------------------------------------------------------------------------------------------------

_TWINS = str.maketrans("абвгԁезіјкӏмпорсԛтухѕһ" + "αβγεικνορτυχωӀı", "abbrdesijklmnopcqtyxsh" + "abyeiknoptuxwli")
_LEET = str.maketrans("013457@$!|", "oieastasil")
_LEET_WORD = r"(?<![\w@$/.:])(?=[\w@$!|]{0,15}[a-zA-Z])(?=[a-zA-Z@$!|]{0,15}[\d@$!|])[\w@$!|]{2,16}(?![\w@/.:])"
_SPACED = re.compile(r"(?<!\w)\w(?:[ \t.·_*~|-]{1,2}\w){3,}(?!\w)")
_BASE64 = re.compile(r"(?<![\w+/])[A-Za-z0-9+/]{16,400}={0,2}(?![\w+/=])")
_QUOTED = re.compile(r"[\"“'‘「『][^\"“”'‘’「」『』\n]{4,200}[\"”'’」』]")
_CLAUSE = re.compile(r"(?<=[.!?;])\s+|\n+|\s[–—]\s|(?<=[가-힣][요다까])[.,]\s*")
_ZERO_WIDTH = re.compile("[\u200b-\u200f\u2060\ufeff\u00ad]")
_HANGUL_JOINT = re.compile(r"(?<=[가-힣])[\s\-_*~·|.]+(?=[가-힣])")


def _undisguised(text: str) -> str:
    """Plain letters: no full width, marks, zero-width characters, Cyrillic or Greek twins of Latin letters."""
    shown = (c for c in unicodedata.normalize("NFKD", text) if unicodedata.category(c) not in ("Mn", "Cf"))
    plain = unicodedata.normalize("NFC", "".join(shown)).lower().translate(_TWINS).replace("’", "'")
    return re.sub(r"[\u115f\u1160\u3164]", "", plain)


def _readings(plain: str) -> list[str]:
    """The text as it is, with leetspeak read as letters, and with spaced-out letters joined."""
    leet = re.sub(
        _LEET_WORD,
        lambda word: re.sub(r"(?<=[lau])1(?=[les])|(?<=a1)1", "l", word.group()).translate(_LEET),
        plain,
    )
    joined = _SPACED.sub(lambda run: re.sub(r"[\W_]", "", run.group()), re.sub(r"[ \t]{2,}", "\0", plain))
    return list(dict.fromkeys((plain, leet.replace("aii", "all"), joined.replace("\0", " "))))


def _clauses(reading: str) -> list[str]:
    """Short pieces, long ones cut with an overlap: no pattern ever has a long text to wander in."""
    pieces = (piece for piece in _CLAUSE.split(reading) if piece and not piece.isspace())
    return [piece[at : at + 400] for piece in pieces for at in range(0, max(1, len(piece) - 150), 250)]


def _adds_up(clause: str, protected: str, signs: tuple[re.Pattern[str], ...]) -> bool:
    return bool(re.search(protected, clause)) and sum(bool(sign.search(clause)) for sign in signs) >= 2


def _english_order(clause: str) -> bool:
    if any(kind.search(clause) for kind in _EN_ALWAYS):
        return True
    if not _EN_PERSON.search(clause) or _EN_WANTED.search(clause):
        return any(kind.search(clause) for kind in _EN_ORDER) or _adds_up(clause, _EN_PROTECTED, _EN_SIGNS)
    rest = clause.partition(", ")[2]
    return bool(rest) and not rest.startswith(("and ", "which ", "who ")) and _english_order(rest)


def _korean_order(clause: str) -> bool:
    bare = re.sub(r"\s+", "", _HANGUL_JOINT.sub("", clause)).rstrip(".!?~ ")
    if any(kind.search(bare) for kind in _KO_ALWAYS):
        return not (re.search(_KO_PERSON, bare) and re.search(_KO_TOLD_END, bare))
    told = re.search(_KO_TOLD_END, bare) or re.search(_KO_PERSON, bare)
    if told and not re.search(_KO_ORDER_END, bare):
        return False
    return any(kind.search(bare) for kind in _KO_ORDER) or _adds_up(bare, _KO_PROTECTED, _KO_SIGNS)


def _without_quotations(clause: str) -> str:
    """A person who teaches or writes about orders quotes them."""
    rest = _QUOTED.sub(" … ", clause)
    talked = _EN_PERSON.search(rest) and re.search(_EN_TALK, rest)
    return (
        rest if talked or (_KO_TALK.search(rest) and not re.search(_KO_ORDER_END, rest.rstrip(".!? "))) else clause
    )


def acts_as_instruction(text: str) -> bool:
    """Whether a text is (or holds) an order about rules, roles, secrets or tools."""
    plain = _undisguised(text)
    if _ZERO_WIDTH.search(text):
        plain += "\n" + _undisguised(_ZERO_WIDTH.sub(" ", text))
    if re.search(_MARKUP, plain) or any(
        re.search(_SQUEEZED, re.sub(r"[\W_]", "", run)) for run in _SPACED.findall(plain)
    ):
        return True
    for reading in _readings(plain):
        for clause in map(_without_quotations, _clauses(reading)):
            if _english_order(clause) or _korean_order(clause):
                return True
    return any(acts_as_instruction(hidden) for hidden in _hidden_texts(text))


def _hidden_texts(text: str) -> list[str]:
    found = []
    for run in _BASE64.findall(text):
        try:
            found.append(base64.b64decode(run + "=" * (-len(run) % 4)).decode("utf-8"))
        except ValueError:
            continue
    return found
