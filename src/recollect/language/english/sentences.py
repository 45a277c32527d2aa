"""Pure: the words by which a sentence shows what it tells: an event, a change, a time, a decision, a lesson.

They are shallow on purpose: a sentence without any loses nothing.
"""

from __future__ import annotations

import re

from recollect.domain.late import Late
from recollect.language.english.closed_words import MONTHS, WEEKDAYS

_TIME = Late(
    r"\b(?:yesterday|today|tonight|tomorrow|last|next|ago|days?|weeks?|months?|years?|weekends?|since|recently|soon"
    rf"|{'|'.join((*WEEKDAYS.split(), *MONTHS.split()))}|\d{{4}})\b",
    re.IGNORECASE,
)
_NUMBER = Late(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|once|twice|first|second|third|fourth|couple|few|dozen)\b",
    re.IGNORECASE,
)
_HAPPENED = Late(r"\b(?:was|were|had|did|[a-z]{2,}(?<!e)ed)\b")
_IS_SO = Late(r"\b(?:is|are|am)\b", re.IGNORECASE)
_DECISION = Late(r"\b(?:(?:we|i)(?:'ve| have)? (?:decided|agreed|settled on)|we(?:'ll| will) go with)\b", re.IGNORECASE)
_LESSON = Late(r"\b(?:lesson|(?:it )?turned out|turns out|root cause|(?:we|i) learned|next time)\b", re.IGNORECASE)

# Figures and months that are written as a word of their own.
WRITTEN_FIGURES = frozenset(f"one two three four five six seven eight nine ten eleven twelve dozen {MONTHS}".split())
# Words that say that something stands otherwise than before.
OF_CHANGE = frozenset(
    """
    now new newly recently lately latest currently instead updated changed switched upgraded moved revised adjusted
    increased improved raised rose risen grew grown reached expanded extended jumped climbed bumped dropped reduced
    decreased lowered cut shifted rescheduled postponed delayed pushed added additional extra
    """.split()
)
# Words that make another thing of the name they stand before: York is not New York, a vice president no president.
OF_ANOTHER = frozenset(
    """new old north south east west northern southern eastern western san santa saint st los las el la port fort great
    upper lower non not no ex former vice deputy assistant associate senior junior lead head mini micro pre post anti
    half semi grand step""".split()
)
# Words whose two sides cannot be exchanged, or which turn what follows around.
TURNING = frozenset(
    "over than before after instead against versus vs from into without except not no never less more".split()
)


def tells_a_time(text: str) -> bool:
    return _TIME.search(text) is not None


def tells_a_number(text: str) -> bool:
    return _NUMBER.search(text) is not None


def tells_what_happened(text: str) -> bool:
    """Whether a sentence tells of something that happened once, by its verb, and of nothing that is so."""
    return _HAPPENED.search(text) is not None and _IS_SO.search(text) is None


def tells_a_decision(text: str) -> bool:
    return _DECISION.search(text) is not None


def tells_a_lesson(text: str) -> bool:
    return _LESSON.search(text) is not None
