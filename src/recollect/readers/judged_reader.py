"""A second opinion on what a reader read: a statement is doubted if a judge takes its sentence for something else.

Rules know the words of a sentence, the judge how it is meant: as a plan, a game, a memory, somebody else's affair. Both
must agree before a fact is filed. The sentence is judged and not the message, because people state one thing and ask
another in one breath. Only sentences from which something was read are looked at.
"""

from __future__ import annotations

import logging
import re
from typing import TYPE_CHECKING

from recollect.attributes.catalogue import attribute_named, flagged, relation_of
from recollect.attributes.records import Flag
from recollect.domain.dataclass import replace
from recollect.domain.links.statement_link import Stance
from recollect.domain.readings import USER, Modality, Polarity, Reading, Statement, Tense

if TYPE_CHECKING:
    from recollect.domain.links.statement_link import Judge
    from recollect.domain.observations import Message
    from recollect.domain.readings import Reader, ReadingContext

# Of the stances that agree with a statement, together. Chosen on authors whose messages may be looked at: from 0.2 to
# 0.5 the same statements are doubted, most of them wrong, and above it right ones go (docs/benchmarks.md).
LEAST_AGREED = 0.3

_SENTENCE = re.compile(r"(?:[^.!?\n]|[.!?](?!\s|$))+[.!?]*")  # "Dr. Osei" is put together again
_LOG = logging.getLogger("recollect.readers")
_LOG.addHandler(logging.NullHandler())


class JudgedReader:
    """See `Reader`. Without a judge, or with one that fails, everything stands as it was read."""

    def __init__(self, reader: Reader, judge: Judge, *, least: float = LEAST_AGREED) -> None:
        self._reader, self._judge, self._least = reader, judge, least
        self.name = reader.name

    def read(self, message: Message, context: ReadingContext) -> Reading:
        """See `Reader.read`."""
        reading = self._reader.read(message, context)
        try:
            judged = tuple(self._judged(each, message.text) for each in reading.statements)
        except Exception as fault:  # a message is not lost because a model cannot be run
            _LOG.warning("statements are not judged: %s", type(fault).__name__)
            return reading
        return replace(reading, statements=judged)

    def _judged(self, statement: Statement, text: str) -> Statement:
        if statement.presupposed or statement.modality is not Modality.ASSERTED:
            return statement
        shares = self._judge.stances(sentence_around(text, statement.start, statement.end))
        agreed = sum(shares[each] for each in agreeing_stances(statement))
        return statement if agreed >= self._least else replace(statement, modality=Modality.DOUBTED)


def agreeing_stances(statement: Statement) -> frozenset[Stance]:
    """The ways to mean a sentence with which a statement agrees.

    Tastes and denials are often taken for mere talk, which therefore speaks against nothing.
    """
    agreeing = {Stance.ASSERTED, Stance.SCHEDULED, Stance.TALK}
    if statement.subject != USER or relation_of(statement.attribute) is not None:
        agreeing.add(Stance.OTHERS)  # "my wife is called Elena" is about her
    if statement.tense is Tense.PAST or statement.polarity is Polarity.ENDED or _began(statement):
        agreeing.add(Stance.PAST)
    if statement.tense is Tense.FUTURE or _is_ahead(statement.attribute):
        agreeing.add(Stance.PLANNED)
    return frozenset(agreeing)


def _began(statement: Statement) -> bool:
    """Whether something is told by how it began: "I was born in Cork", "I joined them in March"."""
    dated = statement.since is not None or statement.occurred is not None
    return dated or flagged(statement.attribute, Flag.PAST_HOLDS)


def _is_ahead(attribute: str) -> bool:
    """Whether values of an attribute lie in the future: plans, goals, deadlines."""
    known = attribute_named(attribute)
    return known is not None and (known.value == "date" or not known.flags.isdisjoint((Flag.TO_COME, Flag.AIM)))


def sentence_around(text: str, start: int, end: int) -> str:
    """The sentences that a part of a text stands in, without the space around them."""
    spans = [each.span() for each in _SENTENCE.finditer(text) if each.start() < end and start < each.end()]
    return text[spans[0][0] : spans[-1][1]].strip() if spans else text[start:end].strip()
