"""Patterns that say how a sentence is meant: corrections, hedges, conditions, jokes; and times that are not dates.

Each is searched in the words of a sentence, whatever their case. Lists of words stand in `words.tsv`.
"""

from __future__ import annotations

from recollect.language.english.closed_words import WEEKDAYS

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
# Said of what did not happen.
COUNTERFACTUAL = (
    r"\b(?:almost|nearly|as if|if only|let's say|let us say|what if|in another life|in my dreams|supposedly|for "
    r"example|e\.g\.|in a parallel universe)\b"
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


# Signs that what a message says is invented, or is a text to be worked on.
PLAY = (
    r"\b(?:role-?play(?:ing)?|pretend(?:ing)?|make-believe|in character|persona|rhymes?|limerick|"
    r"poem|haiku|lyrics|dialogue|monologue|screenplay|short story|fan ?fiction|riddle|(?:finish|continue|complete) (?:it|this|that|the "
    r"(?:line|verse|sentence|story|text|joke)))\b"
)
# Openings of a sentence that takes the one before it back.
JOKING = (
    r"[(\s]*(?:no,? |nah,? |lol,? |haha,? )?(?:just |only |i'?m |i am |totally )*(?:kidding|joking*|jk|j/k|not really)\b"
    r"|[(\s]*(?:this|that) (?:is|was) a joke\b|[(\s]*(?:\w+,? )?jokin*g+\b"
)
# Words of a sentence that is about the conversation or about a text, not about the world.
ABOUT_THE_TALK = (
    r"\b(?:your (?:answer|response|reply|suggestion|last|previous|help)|the above|as above|below|the following|"
    r"this (?:conversation|chat|text|sentence|paragraph|response|answer|prompt)|you (?:said|wrote|told|gave|"
    r"suggested|mentioned|are|were)|act as|pretend (?:to be|you)|in the style of)\b"
)
