"""Words that say that something took the place of something else, or is over, whatever it was."""

from __future__ import annotations

# One thing came and another one went: said of two names, this is no accident.
CHANGED = (
    r"\b(?:instead|no longer|any ?more|from (?:now|then) on|t(?:ook|akes|aken) over|replac(?:es?|ed|ing)|trad(?:ed|ing)|"
    r"swapp(?:ed|ing)|exchanged|dropp(?:ed|ing)|dump(?:ed|ing)|ditch(?:ed|ing)|cancell?ed|stopped|quit|gave (?:up|back|"
    r"away)|sold|(?:said )?(?:good)?bye|hello|switch(?:ed|ing)|mov(?:ed|ing) (?:\w+ ){0,3}?(?:to|from|over)|migrat(?:ed|"
    r"ing)|became|has become|got rid of|had enough of|never again|for good|left behind|chang(?:ed|ing) from|new "
    r"(?:\w+ ){1,2}?is|has a new)\b"
)
# It is so by now; of what is said by the way this tells little.
BY_NOW = r"\b(?:now|nowadays|these days|by now)\b"
# What was is over, and nothing came in its place.
NOTHING_INSTEAD = (
    r"\bno (?:more )?(?:[\w-]+ ){0,2}?(?:any ?more|for me|at the moment|right now|now|from now on|left)\b|\bno more\b|\b(?:"
    r"without|don'?t have|do not have|have no|has no|not getting|not looking for) (?:an?y? ?)?(?:other |new )?(?:[\w-]+ )?"
    r"(?:\w+)\b|\bunemployed\b|\bout of work\b|\bnobody\b|\bnot \w+ing any\w* any ?more\b"
)
OVER = (
    r"\b(?:quit|stopped|cancell?ed|terminated|sold|gave up|resigned|laid off|let (?:\w+ )?(?:run out|lapse|expire)|no "
    r"longer|any ?more|no more|ended|dropped|got rid of|is gone|unsubscribed|deleted my|closed my)\b"
)
# Two names side by side that are compared or listed, and not exchanged.
BESIDE = r"\b(?:than|like|as well as|both|besides|alongside|between|versus|vs)\b"
# Without one of these, who is in another town is only travelling.
AT_HOME = r"\b(?:home|live[ds]?|living|moved|relocated|address|flat|apartment|house|keys?|neighbou?r\w*|rent\w*)\b"
