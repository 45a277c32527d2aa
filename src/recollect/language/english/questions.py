"""Pure: the words by which an English text asks, and those that say which kind of answer it wants.

They are shallow on purpose: each only leans a ranking, and a question without any loses nothing.
"""

from __future__ import annotations

import re

from recollect.domain.late import Late
from recollect.language.english.verbs import IRREGULAR

_OF_WHAT = "who|whom|whose|what|which"
_OF_HOW = "when|where|why|how"
_AUXILIARIES = "is|are|am|was|were|do|does|did|has|have|can|should|will"
_ONCE = "did|was|were|had|said|told|mentioned"

_BEGINS_TO_ASK = Late(
    rf"\W*(?:(?:{_OF_WHAT})\b(?!\s+(?:an?|i|you|we|he|she|they|it)\b)|(?:{_OF_HOW})(?:['’]s|"
    rf"\s+(?:{_AUXILIARIES}|had|could|would|many|much|often|long|old|far))\b)",
    re.IGNORECASE,
)
# Looser than the sign above: it is only asked of what is searched with, and that seldom tells "what I like".
_ASKS_OR_IS_OWN = Late(
    rf"\?|^\W*(?:{_OF_WHAT}|{_OF_HOW}|{_AUXILIARIES})\b|\b(?:i|my|mine|me|we|our|ours|us)\b", re.IGNORECASE
)
_ASKS_WHEN = Late(r"\s*(?:when|how long|(?:in |on )?(?:what|which) (?:date|time|day|week|month|year))\b", re.IGNORECASE)
_ASKS_HOW_MANY = Late(r"\s*how (?:many|much|old|long|often)\b", re.IGNORECASE)
_ASKS_HOW_TO = Late(r"\W*how\s+to\b", re.IGNORECASE)
_ASKS_WHETHER_EVER = Late(r"\W*(?:have|has)\b(?!.*\bgot\b)", re.IGNORECASE)  # "have I used it before?"
_ASKS_WHO = Late(r"\b(?:who|whose|whom|names?|named|called)\b|\b(?:do|did|have) (?:i|we) have\b", re.IGNORECASE)
_S = "['\N{RIGHT SINGLE QUOTATION MARK}]s"
_ASKS_WHO_IT_IS = Late(
    rf"^\W*(?:who|what)(?:{_S}|\s+(?:is|was|are|were))\s+(?:the\s+)?(?:name\s+of\s+)?$", re.IGNORECASE
)
_MANY = Late(
    r"\b(?:which|what)\s+(?:(?:kinds?|sorts?)\s+of\s+)?(?:[\w-]+\s+){0,2}?(?P<noun>[\w-]+s)\s+"
    r"(?:do|does|did|have|has|am|are|were|can|could|should|will)\b|\b(?:all|kinds|sorts|everything|anything)\b"
    r"|^\W*(?:please\s+|can you\s+)?list\b|\b(?:a|the)\s+list\s+of\b",
    re.IGNORECASE,
)
_SINGULAR = Late(r"(?:ss|us|is|ics|ous)$", re.IGNORECASE)
_PAST = "|".join(past for base, past, *_ in (each.split() for each in IRREGULAR.split("|")) if past != base)
# "Who founded it?" and "who wrote that?" ask for a deed as "who did it?" does.
_OF_ONCE = Late(rf"\b(?:{_ONCE})\b|^\W*who\s+(?:\w+ly\s+)?(?:[a-z]{{2,40}}(?<!e)ed|{_PAST})\b", re.IGNORECASE)
_HISTORY = Late(
    r"""\b(?:(?:have|has|had)\s+(?:\w+\s+){1,4}?(?:been|used|owned|had|run|lived|worked|driven|held|gone)\b
    |(?:who|where|which|what\s+[\w-]{1,40}s)\b.{0,80}?\b(?:have|has)\s+(?:[\w'’-]{1,40}\s+){0,4}?
        (?:[\w-]{2,40}ed|been|bought|driven|given|gone|had|held|kept|led|made|met|paid|run|sung|taken)\b
    |history|over\s+(?:the\s+(?:years|months|time)|time)|so\s+far|all\s+the
    |ever\b|used\s+to|previous(?:ly)?|former(?:ly)?|in\s+the\s+past)""",
    re.IGNORECASE | re.VERBOSE,
)
_CHANGE = Late(
    r"\bwhen\b.{0,60}?\b(?:chang|switch|mov|replac|start|stop|upgrad|migrat|quit|leave|left|join|get|got|buy|bought|"
    r"adopt|becom|became|last)",
    re.IGNORECASE,
)
_FIGURE = Late(
    r"^\s*(?:(?:by|on|in|at|for|until) )?(?:how (?:many|much|long|often|old|far|big|high|fast)|what|which|when)\b",
    re.IGNORECASE,
)
_FIGURE_BEFORE = Late(rf"\b(?:{_ONCE}|between|passed|before|originally|initially|across)\b", re.IGNORECASE)
_FIGURE_OF = Late(
    r"\b(?:how (?:many|much)|(?:what|which|when)(?:'s| is| are)?)(?: (?:the|my|our))? "
    r"(?P<head>(?:(?!(?:for|of|in|on|to|into|at|by|with|after|that|i|we|my|the|have|has|do|does|is|are|am|used|can|will"
    r"|should)\b)[\w-]+ ?){1,4})",
    re.IGNORECASE,
)
_REQUEST = Late(
    r"\b(?:(?:can|could|would|will) you|how (?:do|can|should|would|might|to)|show me|help me|suggest|recommend|explain"
    r"|walk me|should i|i'm (?:planning|trying|looking|working)"
    r"|what (?:are|is) (?:some|the (?:best|different|common|typical)))\b",
    re.IGNORECASE,
)
_LOOKS_BACK = Late(
    r"\b(?:did|was|were|had|have i|i've|i said|mentioned|conversations?|summar\w+)\b",
    re.IGNORECASE,
)
_ANSWERED = (
    r"said|told|gave|given|recommended|suggested|mentioned|listed|advised|proposed|explained|provided|wrote|written"
    r"|described|shared|showed|shown|offered|created|made|drafted|named|called|picked|chose|chosen|planned|answered"
    r"|calculated|came up with|put|set"
)
_ANSWER = (
    r"say|tell|give|recommend|suggest|mention|list|advise|propose|explain|provide|write|describe|share|show|offer|create"
    r"|make|draft|name|call|pick|choose|plan|answer|calculate|come up with|put|set"
)
_TOLD_BACK = Late(
    rf"\bdid you(?: \w+ly)? (?:{_ANSWER})\b"
    rf"|(?<!can )(?<!could )(?<!would )(?<!will )(?<!should )\byou(?:'d|'ve| had| have)?(?: \w+ly)? (?:{_ANSWERED})\b"
    r"|\byour (?:\w+ ){0,3}(?:recommendations?|suggestions?|advice|answers?|plans?|lists?|tips?|explanations?"
    r"|proposals?|drafts?|examples?|recipes?|version|itinerary|ideas?)\b",
    re.IGNORECASE,
)

# Words about the asking itself: that no record has them is no gap.
OF_ASKING = frozenset("know known remember recall tell mention say said anything something everything current".split())
# Words of a question for a figure that do not say which.
OF_FIGURES = frozenset(
    "many much long often total average current currently overall number percentage percent amount count".split()
)
WHERE = "where"
# Words at the end of a question that only say that it is about now.
OF_NOW = ("now", "currently", "today", "nowadays", "these", "days")
# After these a noun comes: "where do I live after the move?" asks for no place to move.
BEFORE_NOUNS = tuple("at after before from during my our your his her their the".split())


def begins_to_ask(text: str) -> bool:
    """Whether it begins with a word that asks; many questions are typed without a mark at their end."""
    return _BEGINS_TO_ASK.match(text) is not None


def asks_or_is_own(text: str) -> bool:
    """Whether a text has a sign of a question anywhere, or speaks of whoever says it."""
    return _ASKS_OR_IS_OWN.search(text) is not None


def asks_when(question: str) -> bool:
    return _ASKS_WHEN.match(question) is not None


def asks_how_many(question: str) -> bool:
    return _ASKS_HOW_MANY.match(question) is not None


def asks_how_to(question: str) -> bool:
    return _ASKS_HOW_TO.match(question) is not None


def asks_whether_ever(question: str) -> bool:
    return _ASKS_WHETHER_EVER.match(question) is not None


def asks_who(question: str) -> bool:
    """Whether a question is about who somebody is, or whether there is anybody."""
    return _ASKS_WHO.search(question) is not None


def asks_who_it_is(beginning: str) -> bool:
    """Whether what comes next in a question is itself asked for: "who is my", "what was the name of"."""
    return _ASKS_WHO_IT_IS.match(beginning) is not None


def asks_for_many(question: str) -> bool:
    """Whether a question wants all there is, or things in the plural."""
    asked = _MANY.search(question)
    return asked is not None and not (asked["noun"] and _SINGULAR.search(asked["noun"]))


def is_of_once(question: str) -> bool:
    """Whether a question is about something that happened, was so or was said once."""
    return _OF_ONCE.search(question) is not None


def asks_for_history(question: str) -> bool:
    """Whether a question wants what has been true over time."""
    return _HISTORY.search(question) is not None


def asks_for_change(question: str) -> bool:
    """Whether a question wants to know when something changed."""
    return _CHANGE.search(question) is not None


def asks_for_figure(question: str) -> bool:
    """Whether a question can be answered by how a figure or a date stands, and is not about how it stood before."""
    return bool(_FIGURE.search(question)) and not _FIGURE_BEFORE.search(question)


def figure_asked(question: str) -> str:
    """The words for what is counted or dated in a question: `singers` in "how many singers are in the choir?"."""
    found = _FIGURE_OF.search(question)
    return found["head"] if found else ""


def is_request(text: str) -> bool:
    """Whether something is to be done or explained, and not only looked up in the past."""
    return _REQUEST.search(text) is not None and _LOOKS_BACK.search(text) is None


def asks_for_what_was_told(text: str) -> bool:
    """Whether a text asks for something that whoever is asked has said before."""
    return _TOLD_BACK.search(text) is not None
