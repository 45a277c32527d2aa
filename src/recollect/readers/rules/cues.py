"""Patterns that say how a sentence is meant: corrections, hedges, conditions, jokes; and times that are not dates.

Each is searched in the words of a sentence, whatever their case. Lists of words stand in `words.tsv`.
"""

from __future__ import annotations

from recollect.language.english.closed_words import WEEKDAYS

# The whole sentence only takes something back; the next one says what is right. `about` is what was wrong.
TAKING_BACK = (
    r"(?:(?:correction|sorry|oops|my bad|wait|no|update)[:,.!\s]+)*(?:(?:please )?(?:ignore|forget|disregard|scratch) "
    r"(?:what|everything|all) i said|what i said(?: earlier| before)? (?:was|is) (?:wrong|not (?:true|right))|i (?:mixed|messed|got) (?:that|things|it) (?:up|wrong)|i was (?:wrong|mistaken)|i (?:misspoke|lied|"
    r"made a mistake)|that(?: was|'s| is) (?:wrong|a mistake|not right))(?: (?:earlier|before))?"
    r"(?: about (?P<about>[^.;:!,]+))?"
)
# The beginning of a sentence that goes on with what is right.
CORRECTING = (
    r"(?:(?:small |quick )?correction|typo|scratch that|strike that|my mistake|my bad|(?:(?:sorry|oops|wait|no),? )?i meant|i mean|"
    r"no,? i said|(?:or )?rather|no wait|wait no|oops|sorry)\b[:,.!;\s—–-]*(?:it's |it is )?"
)
ACTUALLY = r"(?:actually|in fact|no)\b[,:]?\s*"


# In any part of a sentence: nothing in it is certain.
HEDGES = (
    r"\b(?:maybe|perhaps|possibly|potentially|hypothetically|theoretically|in theory|rumou?r has it|rumou?rs?|"
    r"allegedly|supposedly|(?:just|only) an idea|(?:not|nothing) (?:is )?(?:decided|official|final|certain|fixed|set in stone)|"
    r"who knows|we'll see|(?:would|could) be (?:nice|great|cool)|looks nice but|what if|let's say|suppose|imagine|(?:someone|somebody) "
    r"(?:suggested|proposed|mentioned)|(?:was|were|got) (?:voted down|rejected|turned down)|(?:said|says|say) no|"
    r"toying with|wondering (?:if|whether|about)|not sure (?:if|whether)|undecided|(?:haven't|have not) decided|"
    r"on the fence|tempted to|if only|as if|fingers crossed|recruiter|ads? for|(?:wish|bucket) ?list|joking|kidding|"
    r"(?:under|still in) discussion|still discussing|in my dreams|let'?s pretend|pretend (?:that )?(?:i|we)|thought experiment|let us say|"
    r"playing with the (?:idea|thought)|in an? (?:ideal|perfect) world|for (?:the sake of argument|argument's sake)|window[- ]shopping|"
    r"for example|e\.g\.|so obviously)\b"
)
# Said of what did not happen.
COUNTERFACTUAL = (
    r"\b(?:almost|nearly|as if|if only|let's say|what if|supposedly|for example|e\.g\.|in (?:another|a (?:past|previous)) life|"
    r"in (?:a parallel|another|an alternate) universe|not that (?:i|we|my|our)|\s?[.…,–—-]+\s?not$)\b"
)
# It is to come, unless it is told as past.
SOME_TIME = r"\b(?:at some point|sooner or later)\b"


# It is thought of, offered or wished for, and has not happened; so is much that is hedged.
SUPPOSING = (
    r"\b(?:i wish|just a thought|tempt(?:ing|ed)|dream(?:s|ing|t|ed)? of|suggest(?:s|ed)|propos(?:es|ed)|"
    r"recommend(?:s|ed)|no decision|(?:nobody|no one) (?:has )?decided|not convinced|floated|came up (?:again|for|as)|"
    r"just musing|looks? (?:nice|cheap|fast|tempting|promising)|might|some ?day|one day|would (?:be|help|suit|make)|"
    r"could (?:go|be|try|live|move|switch)|should (?:try|maybe)|considering|thinking (?:about|of)|curious about|"
    r"no plans)\b"
)
# A condition whose consequence is only supposed. "If payments breaks, call Noor" is a standing rule.
CONDITIONAL = r"\bif\b.*\b(?:might|would|could|may|i'd|we'd)\b|\b(?:might|would|could|i'd|we'd)\b.*\bif\b"
# Signs without which nothing in a sentence is merely supposed, whatever its verbs look like.
IRREAL = r"\b(?:would|could|should|may|might|want|wish|hope|i'd|we'd)\b"


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


# Signs that what a message says is invented, or is a text to be worked on.
PLAY = (
    r"\b(?:role-?play(?:ing)?|let'?s pretend|(?<!to )pretend(?:ing)? (?:that )?(?:i|we|you|to be)|make-believe|in character|persona|rhymes?|limerick|"
    r"poem|haiku|lyrics|dialogue|monologue|screenplay|short story|fan ?fiction|riddle|(?:finish|continue|complete) (?:it|this|that|the "
    r"(?:line|verse|sentence|story|text|joke)))\b"
)
# Openings of a sentence that takes the one before it back.
JOKING = (
    r"[(\s]*(?:no,? |nah,? |lol,? |haha,? )?(?:just |only |i'?m |i am |totally )*(?:kidding|joking*|jk|j/k|not really)\b"
    r"|[(\s]*(?:not|yeah,? right|as if)[\s.!)]*$|[(\s]*(?:this|that) (?:is|was) a joke\b|[(\s]*(?:\w+,? )?jokin*g+\b"
)
# Words of a sentence that is about the conversation or about a text, not about the world.
ABOUT_THE_TALK = (
    r"\b(?:your (?:answer|response|reply|suggestion|last|previous|help)|the above|as above|below|the following|"
    r"this (?:conversation|chat|text|sentence|paragraph|response|answer|prompt)|you (?:said|wrote|told|gave|"
    r"suggested|mentioned|are|were)|act as|pretend (?:to be|you)|in the style of)\b"
)
