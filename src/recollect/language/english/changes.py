"""Words that say that something is over, whatever it was."""

from __future__ import annotations

ENDING = (
    r"\b(?:instead|t(?:ook|akes|aken) over|replac(?:es?|ed)|(?:good)?bye|for good|swapped|switched|migrated|dropped|dumped|"
    r"ditched|cancell?ed|stopped|quit|sold|no longer|any ?more|never again|g(?:a|i)ve[ns]? (?:up|back|away)|got rid of|had enough "
    r"of|handed in|returned|terminated|resigned|laid off|let go|unsubscribed|(?:is|was|are|were|has been|got) (?:gone|over|"
    r"closed|finished|history|switched off|shut down)|ran out|expired|lapsed|broke up|split up|left|no more|out of work)\b"
)
# Of what somebody has none any more, by what it is called.
NONE_LEFT = (
    r"\b(?:have|'ve got|got) no (?P<one>[a-z][\w' -]{2,30}?)(?= (?:now|any ?more|at the moment|right now|these days|for now)\b)"
    r"|\b(?:don't|do not) have an? (?P<two>[a-z][\w' -]{2,30}?)(?= (?:now|any ?more|at the moment|right now|these days)\b)"
    r"|\bno (?:more )?(?P<three>[a-z][\w' -]{2,30}?)(?= for (?:me|us)\b| from now on\b)"
)
# How two people part.
PARTED = r"\b(?:broke up|split up|separated|divorced|left (?:me|him|her|them|us))\b"
# A thing's own parts: what holds of its errors holds of the checkout.
PARTS = (
    "error errors exception exceptions crash crashes log logs ticket tickets bug bugs team code change changes patch "
    "patches image images container containers package packages dependency dependencies flag flags build builds alert "
    "alerts metric metrics"
)
# Things named side by side that are compared, not exchanged.
BESIDE = r"\b(?:than|like|as well as|both|besides|alongside|between|versus|vs)\b"
# Without one of these, somebody in another town is only travelling.
AT_HOME = r"\b(?:home|live[ds]?|living|moved|relocated|address|flat|apartment|house|keys?|neighbou?r\w*|rent\w*)\b"
