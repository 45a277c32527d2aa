"""Times that name no date: they say how often, or roughly when. They end a value, and some can be one."""

from __future__ import annotations

_UNIT = (
    "morning|mornings|day|days|evening|evenings|night|nights|week|weeks|weekend|weekends|month|months|year|years|"
    "quarter|sprint|season|weekday|weekdays|hour|hours"
)
_DAY = "monday|tuesday|wednesday|thursday|friday|saturday|sunday|mon|tue|tues|wed|thu|thur|thurs|fri|sat|sun"

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
