"""Words that say how a sentence is meant: verbs that lead to others, hedges, corrections, standings, vague times.

Each line is an effect and the wordings that have it. A wording is a verb and the words that follow it up to the next
verb; `would` before it is taken in where it matters.
"""

from __future__ import annotations

from recollect.language.english.closed_words import WEEKDAYS

CHAINS = {
    "planned": (
        "plan to, plan on, intend to, go to, be about to, arrange to, prepare to, look to, be set to, be due to, "
        "be planning to, mean to, aim to, get ready to, be meant to, schedule to"
    ),
    "wished": (
        "want to, wish to, hope to, would like to, would love to, dream of, dream about, long to, be keen to, be "
        "dying to, would prefer to, would enjoy, fancy, fantasise about, look forward to, want, can not wait to, "
        "be eager to"
    ),
    "supposed": (
        "think about, think of, consider, toy with the idea of, contemplate, play with the idea of, play with the "
        "thought of, talk about, flirt with the idea of, look into, be tempted to, seem to, ask to, tend to want "
        "to, apply to, offer to, refuse to, fail to, forget to, debate, discuss, be supposed to, pretend to, be "
        "thinking of, be unsure about, think, weigh up, be open to, be close to, be able to"
    ),
    "trying": "try to, attempt to, work on, work towards, struggle to, strive to",
    "obliged": "need to, have to, must, got to",
    "started": (
        "start to, start, begin to, begin, go back to, get into, take to, end up, get to, get used to, be back to, "
        "return to"
    ),
    "stopped": (
        "stop, quit, give up, give up on, cease to, cease, finish, be done, get tired of, refrain from, be tired of"
    ),
    "kept": (
        "keep, keep on, continue to, continue, go on, be still, manage to, happen to, be used to, spend time, tend "
        "to, be known to"
    ),
    "decided": (
        "decide to, choose to, agree to, opt to, be allowed to, decide on, settle on, commit to, prefer to, "
        "prefer, be happy to"
    ),
    "past": "used to, use to",
    "liked": "like to, like, love to, love, enjoy, adore, be fond of, be into, be passionate about",
    "disliked": "hate to, hate, dislike, can not stand, loathe, detest, despise, avoid, mind",
    "skilled": "be good at, be great at, know how to, excel at",
}


# The whole sentence only takes something back; the next one says what is right. `about` is what was wrong.
TAKING_BACK = (
    r"(?:(?:correction|sorry|oops|my bad|apologies|wait|no|update|erratum)[:,.!\s]+)*(?:(?:please )?(?:ignore|"
    r"forget|disregard|scratch|strike|scrap|discard) (?:what|everything|that thing|all|the thing) (?:i|we) (?:said|"
    r"told you|wrote|mentioned|claimed)(?: (?:earlier|before|previously|yesterday|last time))?(?: about "
    r"(?P<about>[^.;:!]+))?|i (?:mixed|messed|got|muddled|jumbled) (?:that|things|it|this|them|something|a few "
    r"things)(?: (?:up|wrong|mixed up))*(?: (?:earlier|before|previously|there|yesterday))?|i was (?:wrong|"
    r"mistaken|confused)(?: (?:earlier|before))?(?: about (?P<wrong>[^.;:!,]+))?|i (?:misspoke|mistyped|"
    r"misremembered|got confused|made a mistake|lied|erred)(?: (?:earlier|before))?(?: about "
    r"(?P<erred>[^.;:!,]+))?|what i said (?:earlier |before |about (?P<said>[^.;:!]+?) )?(?:was|is) (?:wrong|not "
    r"(?:true|right|correct)|incorrect|outdated)|that was (?:wrong|a mistake|a typo|incorrect|not right)|that(?:'s|"
    r" is) (?:wrong|not right|not correct|incorrect|not true))"
)
# The beginning of a sentence that goes on with what is right.
CORRECTING = (
    r"(?:correction|scratch that|strike that|my mistake|my bad|erratum|sorry,? i meant|i meant|i mean|sorry,? that "
    r"should be|oops,? i meant|wait,? i meant|no,? i meant|no,? i said|rather|or rather|let me correct (?:that|"
    r"myself)|to correct myself|typo|i misspoke|i was wrong|small correction|quick correction|no wait|wait no|"
    r"sorry, wrong|oops|sorry)\b[:,.!;\s—–-]*(?:it's |it is )?"
)
ACTUALLY = r"(?:actually|in fact|no)\b[,:]?\s*"


# In any part of a sentence: nothing in it is certain.
HEDGES = (
    r"\b(?:maybe|perhaps|possibly|potentially|hypothetically|theoretically|in theory|rumou?r has it|rumou?rs?|"
    r"allegedly|supposedly|just an idea|only an idea|nothing (?:is )?(?:decided|official|final|certain|fixed)|not "
    r"(?:official|decided|final|certain|set in stone)|nothing official|who knows|we'll see|would be nice|would be "
    r"great|would be cool|could be nice|what if|let's say|let us say|suppose|imagine|pretend|someone (?:suggested|"
    r"proposed|mentioned)|somebody (?:suggested|proposed|mentioned)|(?:was|were|got) (?:voted down|rejected|turned "
    r"down|vetoed)|voted down|parked for|(?:said|says|say) no\b|too expensive for|looks nice but|toying with|"
    r"playing with the (?:idea|thought)|wondering (?:if|whether|about)|not sure (?:if|whether)|undecided|haven't "
    r"decided|not convinced|under discussion|still discussing|in the shop window|have not decided|on the fence|"
    r"tempted to|might as well|at some point|sooner or later|in a perfect world|in an ideal world|if only|as if|in "
    r"my dreams|fingers crossed|recruiter|ads? for|window[- ]shopping|wish list|wishlist|bucket list|joking|just "
    r"kidding|kidding|thought experiment|for the sake of argument|for example|e\.g\.|such as when|so obviously)\b"
)
# Introduces a condition; what depends on it has not happened.
CONDITIONS = frozenset(
    ("if", "unless", "whether", "in case", "provided", "assuming", "suppose", "supposing", "lest", "as if")
)
# What the clause after such a verb is worth: "I wish I had a dog", "imagine we lived in Rome".
REPORTED = {
    **dict.fromkeys(("wish", "hope", "dream", "dream of", "pray", "want"), "wished"),
    **dict.fromkeys("doubt wonder suggest propose claim expect fear worry ask act consider have".split(), "supposed"),
}
# Verbs after which a clause is somebody's opinion, whoever has it.
OPINIONS = frozenset(
    "think believe say guess reckon assume feel suspect claim suppose imagine hope wish expect fear worry doubt bet "
    "pretend joke dream".split()
)
TIMES_TO_COME = frozenset(("when", "once", "whenever", "until", "till", "before", "after"))
IMAGINING = frozenset(("imagine", "suppose", "pretend", "assume", "let", "picture"))
# Said of what did not happen.
COUNTERFACTUAL = (
    r"\b(?:almost|nearly|as if|if only|let's say|let us say|what if|in another life|in my dreams|supposedly|for "
    r"example|e\.g\.|in a parallel universe)\b"
)
SUPPOSING_MODALS = frozenset(("might", "may", "could", "would", "should", "ought"))
# Said of what somebody feels for the moment.
HALF_HEARTED = frozenset(("kinda", "sorta", "almost", "nearly"))
# "I'm basically a plumber now": somebody is like one.
LIKENING = frozenset(("basically", "practically", "virtually", "literally"))

# A sentence without any of these words is not hedged; see `HEDGES`.
HEDGE_TRIGGERS = frozenset(
    "maybe perhaps possibly potentially hypothetically theoretically theory rumour rumor rumours rumors allegedly "
    "supposedly idea nothing not knows see nice great cool what say says said no suppose imagine pretend someone "
    "somebody voted rejected turned vetoed parked expensive looks toying playing wondering undecided haven't "
    "decided convinced discussion discussing shop fence tempted might point later world only if dreams crossed "
    "recruiter ad ads window window-shopping wish wishlist bucket joking kidding experiment sake example e.g such "
    "n't obviously".split()
)


# It is thought of, offered or wished for, and has not happened.
SUPPOSING = (
    r"\b(?:i wish|if only|what if|just an? (?:thought|idea)|tempting|tempted|parked (?:for|it|this|that|the)|dream(?:s|ing|t|ed)? of|"
    r"suggest(?:s|ed)|propos(?:es|ed)|pitched|recommend(?:s|ed)|not agreed|nothing (?:is )?(?:decided|fixed|"
    r"official)|undecided|no decision|(?:nobody|no one) (?:has )?decided|not convinced|not sold on|floated|came up (?:again|for|as)|"
    r"just musing|dunno|voted down|turned down|rumou?r has it|looks? (?:nice|cheap|fast|tempting|"
    r"promising)|maybe|perhaps|might|some ?day|one day|would (?:be|help|suit|make)|could (?:go|be|try|live|move|"
    r"switch)|should (?:try|maybe)|toying|considering|wondering (?:if|about|whether)|thinking (?:about|of)|on the "
    r"fence|curious about|says no|said no|no plans)\b"
)
# A condition whose consequence is only supposed. "If payments breaks, call Noor" is a standing rule.
CONDITIONAL = r"\bif\b.*\b(?:might|would|could|may|i'd|we'd)\b|\b(?:might|would|could|i'd|we'd)\b.*\bif\b"
# Signs without which nothing in a sentence is merely supposed, whatever its verbs look like.
IRREAL = r"\b(?:would|could|should|may|might|want|wish|hope|i'd|we'd)\b"

# Of whom something is told when one of these is its subject or its owner. Whom one goes to (a dentist, a landlord) is
# missing on purpose: who that is, is a fact about oneself.
OTHERS = (
    "sister brother mother father mum mom dad parents wife husband partner spouse girlfriend boyfriend fiancé "
    "fiancée son daughter kid kids child children toddler cousin cousins aunt uncle niece nephew grandmother "
    "grandfather grandma grandpa granny nan neighbour neighbor neighbours neighbors colleague colleagues coworker "
    "coworkers teammate teammates friend friends flatmate flatmates roommate roommates housemate housemates boss "
    "intern interns competitor competitors customer customers mate mates buddy buddies pal ex in-laws "
    "mother-in-law father-in-law brother-in-law sister-in-law student students apprentice trainee classmate "
    "classmates guest guests"
)
# Many people who are not "we": "the billing team", "half of the data team", "the seniors".
GROUPS = "team teams people folks guys crew department group squad division seniors juniors kids interns guild"
# What a group has, in whose name it is not the subject: "the team meeting".
OF_A_GROUP = "meeting meetings call calls sync syncs lead leads chat channel standup standups calendar lunch retro"

# A time that is long gone, when no year says so.
BACK_THEN = r"\b(?:ago|back in|back then|as a (?:kid|child|student|teenager)|when i was|used to)\b"


_UNIT = (
    "morning|mornings|day|days|evening|evenings|night|nights|week|weeks|weekend|weekends|month|months|year|years|"
    "quarter|sprint|season|weekday|weekdays|hour|hours"
)
_DAY = f"{WEEKDAYS.replace(' ', '|')}|mon|tue|tues|wed|thu|thur|thurs|fri|sat|sun"

VAGUE = (
    r"\b(?:no longer|(?:it |as it )?turns out(?: that)?|turned out(?: that)?|these days|at the moment|at present|right now|for now|for the time being|nowadays|currently|now|lately|recently|at the minute|as of now|as of today|"
    r"(?:some )?(?:years|ages|months|weeks|a while|a long time|long) ago|one day|some ?day|sometime|sometimes|"
    rf"(?:every|each) (?:single |other |second |third |few )?(?:{_UNIT}|{_DAY})s?|"
    rf"(?:once|twice|(?:two|three|four|five|six|\d) (?:times|mornings|evenings|days|nights|hours)) (?:a|per|every) (?:{_UNIT})|"
    r"in the mornings?|in the evenings?|in the afternoons?|at night|on weekdays|on weekends|at weekends|at the weekend|by then|back then|at that time|"
    r"from (?:here|now|then|today) on(?:wards)?|starting now|effective immediately|for good|forever|for ages|for a (?:while|bit)|for (?:some|a long) time|"
    r"(?:not )?any ?more|any longer|all (?:day|night|week|year|morning|afternoon|evening|weekend|month)(?: long)?|all the time|since then|ever since|so far|until now|till now|until recently|once again|"
    r"as well|again|soon|in the future|in the past|in the meantime|this time|that time|the other day|a lot|so much|very much|the most|at all|after all|"
    r"at (?:the )?(?:beginning|start|end)|full[- ]time|part[- ]time|in general|by heart|for sure|of course|to be honest|"
    rf"on (?:{_DAY})s(?: and (?:{_DAY})s)?|from this (?:sprint|week|month|quarter|year)|this (?:sprint|quarter|season|term)|(?:next|last) (?:sprint|quarter|season|term|release))\b"
)

# A day, a time of day, or both: when something that recurs takes place.
SLOT = (
    rf"(?:\b(?:every |each )?(?:(?:other|second|first|last) )?(?:{_DAY})s?\b(?:(?:,| and| &|/) (?:{_DAY})s?\b)*(?:(?:,? at|,|) ?\d{{1,2}}(?:[:.]\d{{2}})?(?: ?[ap]m| o'clock| h)?\b)?"
    r"|\b\d{1,2}[:.]\d{2}(?: ?[ap]m)?\b(?: (?:cet|cest|utc|gmt|est|pst|bst))?|\b\d{1,2} ?(?:am|pm|o'clock)\b|\bnoon\b|\bmidnight\b)"
)
RECURRENCE = (
    rf"\b(?:(?:the )?(?:first|second|third|last) (?:{_DAY}) of (?:each|every|the) (?:month|quarter|year)|"
    rf"(?:every|each) (?:single |other |second |third |few |two |three |four |\d )?(?:{_UNIT}|{_DAY})s?|(?:once|twice) (?:a|per) (?:{_UNIT})|"
    rf"(?:bi)?weekly|(?:bi)?monthly|quarterly|daily|nightly|fortnightly|continuously|on demand|on (?:{_DAY})s)\b"
)
WORK_TIME = (
    r"\b(?:(?:\d+|two|three|four|five|six) (?:days|hours) (?:a|per) week|part[- ]time|full[- ]time|(?:night|early|"
    r"late|morning|day|weekend) shifts?|shifts|remotely|from home(?: on \w+)?|nine to five|9 to 5|9-5|"
    r"\d{1,2}(?::\d{2})? ?(?:am|pm)? ?(?:to|-|–|until) ?\d{1,2}(?::\d{2})? ?(?:am|pm)?|nights|weekends|hybrid)\b"
)

# A text without any of these words has no vague time: looking for them is much faster than looking for the phrases.
VAGUE_TRIGGERS = frozenset(
    "longer turns turned days moment present now nowadays time currently lately recently minute today ago one some "
    "someday sometime sometimes every each once twice times morning mornings evening evenings nights hours "
    "afternoons afternoon night weekdays weekends weekend then onwards immediately good forever ages while bit "
    "anymore more all since ever far until till again well soon future past meantime other lot much most end "
    "beginning start full-time part-time full part general heart sure course honest mondays tuesdays wednesdays "
    "thursdays fridays saturdays sundays sprint quarter season term week month".split()
)
