"""Pure: small signs in a text that say what it does, whatever it is about.

They are shallow on purpose: each only leans a ranking, and a text without any loses nothing.
"""

from __future__ import annotations

import re
from functools import lru_cache

from recollect.domain.dataclass import dataclass
from recollect.language.english.directions import states_a_preference, states_a_rule
from recollect.language.english.ownership import speaks_of_oneself
from recollect.language.english.questions import asks_for_what_was_told, asks_how_many, asks_when, is_request
from recollect.language.english.sentences import tells_a_number, tells_a_time
from recollect.recall.weights import WEIGHTS

_ASKS = re.compile(r"\?[\s\"')\]]*+(?:\[[^\]\[?]*+\]\s*)?$")
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
        fitting = 1.0 if self.asks_when and tells_a_time(text) else 0.0
        return fitting + (0.5 if self.asks_how_many and tells_a_number(text) else 0.0)


@lru_cache(maxsize=16)
def manner_of(question: str) -> Manner:
    """Read once, though a search asks for it three times."""
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
    return 1.0 if states_a_rule(text) else 0.5 if states_a_preference(text) else 0.0
