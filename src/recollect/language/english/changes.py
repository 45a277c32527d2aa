"""Words that say that something took the place of something else, or is over, whatever it was."""

from __future__ import annotations

# One came and another one went, whoever says so.
TAKEN_OVER = (
    r"\b(?:instead|t(?:ook|akes|aken) over|replac(?:es?|ed|ing)|(?:good)?bye|hello|for good|became|has become|has a new|"
    r"(?:trad|exchang|chang)(?:ed|ing)|swapp(?:ed|ing)|switch(?:ed|ing)|migrat(?:ed|ing)|mov(?:ed|ing) (?:\w+ ){0,3}?"
    r"(?:to|from|over|off))\b"
)
# What somebody has done with what was: news only from whoever did it.
OWN_ACT = (
    r"\b(?:dropp|dump|ditch|cancell?)ed\b|\b(?:stopped|quit|sold|no longer|any ?more|from (?:now|then) on|never again|gave "
    r"(?:up|back|away)|got rid of|(?:had|have had) enough of|handed in|returned)\b"
)
# Right before the name of what is over, and right after it.
OVER_BEFORE = (
    r"\b(?:quit|cancell?ed|terminated|sold|dropped|ditched|gave up(?: on)?|got rid of|no more|resigned from|laid off (?:by|"
    r"from)|let go by|unsubscribed from|no longer (?:at|with|on|in|using|a member of)|stopped (?:\w+ing(?: \w+)?|with))"
    r" (?:the |my |our |that )?$"
)
OVER_AFTER = (
    r"^(?: [\w-]+){0,2}? (?:(?:is|was|are|were|has been|got) (?:gone|over|terminated|cancell?ed|closed|finished|history)|ran "
    r"out|expired|lapsed)\b"
)
# Nothing came in its place.
NOTHING_INSTEAD = (
    r"\bno (?:more )?(?:[\w-]+ ){0,2}?(?:any ?more|for me|at the moment|right now|now|from now on|left)\b|\bno more\b|"
    r"\b(?:without an?y?|don'?t have|do not have|have no|has no|not getting|not looking for)\b|\bunemployed\b|\bout of "
    r"work\b"
)
# Of what somebody has none any more, by what it is called.
NONE_LEFT = (
    r"\b(?:have|'ve got|got) no (?P<one>[a-z][\w' -]{2,30}?)(?= (?:now|any ?more|at the moment|right now|these days|for now)\b)"
    r"|\b(?:don't|do not) have an? (?P<two>[a-z][\w' -]{2,30}?)(?= (?:now|any ?more|at the moment|right now|these days)\b)"
    r"|\bno (?:more )?(?P<three>[a-z][\w' -]{2,30}?)(?= for (?:me|us)\b| from now on\b)"
)
# What a thing has or gives off, and is no other thing: what holds of its errors holds of the checkout. Its docs site, or a
# country's government, may differ.
PARTS = (
    "error errors exception exceptions crash crashes log logs ticket tickets bug bugs team code change changes patch "
    "patches image images container containers package packages dependency dependencies embedding embeddings flag flags "
    "build builds alert alerts metric metrics"
)
# Two names side by side that are compared or listed, and not exchanged.
BESIDE = r"\b(?:than|like|as well as|both|besides|alongside|between|versus|vs)\b"
# Without one of these, who is in another town is only travelling.
AT_HOME = r"\b(?:home|live[ds]?|living|moved|relocated|address|flat|apartment|house|keys?|neighbou?r\w*|rent\w*)\b"
