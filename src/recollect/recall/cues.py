"""Pure: small signs in a text that say what it does, whatever it is about.

They are English and shallow on purpose: each only leans a ranking, and a text without any loses nothing.
"""

from __future__ import annotations

import re

from recollect.domain.dataclass import dataclass
from recollect.language.english.closed_words import MONTHS, WEEKDAYS
from recollect.language.english.ownership import speaks_of_oneself
from recollect.language.english.questions import asks_for_what_was_told, asks_how_many, asks_when, is_request
from recollect.recall.weights import WEIGHTS

_ASKS = re.compile(r"\?[\s\"')\]]*+(?:\[[^\]\[?]*+\]\s*)?$")
_TIME = re.compile(
    r"\b(?:yesterday|today|tonight|tomorrow|last|next|ago|days?|weeks?|months?|years?|weekends?|since|recently|soon"
    rf"|{'|'.join((*WEEKDAYS.split(), *MONTHS.split()))}|\d{{4}})\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|once|twice|first|second|third|fourth|couple|few|dozen)\b",
    re.IGNORECASE,
)
_RULE = re.compile(
    r"(?:^|[.!?]\s+|\bplease )(?:always|never|from now on|whenever|every time|in (?:the )?future)\b", re.IGNORECASE
)
_PREFERENCE = re.compile(
    r"\bi(?:'d| would)? (?:really |always |usually |much )?(?:prefer|like to keep|want you to|need you to)\b"
    r"|\bmy preference\b",
    re.IGNORECASE,
)
_HAPPENED = re.compile(r"\b(?:was|were|had|did|[a-z]{2,}(?<!e)ed)\b")
_IS_SO = re.compile(r"\b(?:is|are|am)\b", re.IGNORECASE)
_SENTENCE = re.compile(r"[^.!?]++(?P<told>[.!](?:\s|$))?")
_A_FEW = WEIGHTS.question.telling


def is_question(text: str) -> bool:
    """Whether it ends by asking; a picture shown with it counts as no end."""
    return "?" in text and _ASKS.search(text.rstrip()) is not None


def has_an_answer(text: str) -> bool:
    """Whether a text that is searched with can be answered by another one: a question or a few words, but no task and
    no talk that is going on."""
    manner = manner_of(text)
    return not manner.is_request and (is_question(text) or not manner.goes_on)


def tells_what_happened(text: str) -> bool:
    """Whether a sentence tells of something that happened once, by its verb, and of nothing that is so."""
    return _HAPPENED.search(text) is not None and _IS_SO.search(text) is None


@dataclass(frozen=True, slots=True)
class Manner:
    """How a question is asked, whatever it is about."""

    asks_when: bool
    asks_how_many: bool
    is_request: bool  # something is to be done or explained, and not only looked up in the past
    goes_on: bool  # it tells something beside what it asks: a talk that is going on, not a look back
    is_told_back: bool  # it asks for what whoever is asked has said before
    of_oneself: bool  # it asks for something of whoever asks

    def fitted_by(self, text: str) -> float:
        """How far a text has the sort of thing asked for: a time for "when"; a number for "how many" by half."""
        fitting = 1.0 if self.asks_when and _TIME.search(text) else 0.0
        return fitting + (0.5 if self.asks_how_many and _NUMBER.search(text) else 0.0)


def manner_of(question: str) -> Manner:
    return Manner(
        asks_when=asks_when(question),
        asks_how_many=asks_how_many(question),
        is_request=is_request(question),
        goes_on=_tells(question),
        is_told_back=asks_for_what_was_told(question),
        of_oneself=speaks_of_oneself(question),
    )


def _tells(text: str) -> bool:
    """Whether a text has a whole sentence that is no question."""
    sentences = (found.group() for found in _SENTENCE.finditer(text) if found["told"])
    return any(len(sentence.split()) >= _A_FEW for sentence in sentences)


def standing(text: str) -> float:
    """How far a text says how things are to be done from now on: a rule wholly, a preference by half."""
    return 1.0 if _RULE.search(text) else 0.5 if _PREFERENCE.search(text) else 0.0
