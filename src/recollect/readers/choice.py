"""The reader that a setting names: one, none, or several as one; and a second opinion on what it read.

Rules know the words of a sentence, the judge how it is meant: as a plan, a game, a memory, somebody else's affair. Both
must agree before a fact is filed. The sentence is judged and not the message, because people state one thing and ask
another in one breath. Only sentences from which something was read are looked at.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from recollect.attributes.catalogue import attribute_named, flagged, relation_of
from recollect.attributes.records import Flag
from recollect.domain.dataclass import replace
from recollect.domain.links.statement_link import Stance
from recollect.domain.observations import Message
from recollect.domain.readings import (
    USER,
    Modality,
    Polarity,
    Reader,
    Reading,
    ReadingContext,
    Skipped,
    Statement,
    Tense,
)

if TYPE_CHECKING:
    from recollect.domain.links.statement_link import Judge


def choose_reader(name: str) -> Reader:
    """The reader of that name, one of `settings.READERS`, or several as one (`rules+none`). Only those are loaded."""
    if "+" in name:
        return ReaderStack([choose_reader(each) for each in name.split("+")])
    if name == "none":
        return NoReader()
    from recollect.readers.rules.reader import RulesReader

    return RulesReader()


class NoReader:
    """See `Reader`."""

    name = "none"

    def read(self, message: Message, context: ReadingContext) -> Reading:  # noqa: ARG002
        """See `Reader.read`."""
        return Reading()


class ReaderStack:
    """See `Reader`. The first reader's wording counts; the standing is that of the first reader that tells one."""

    def __init__(self, readers: Sequence[Reader]) -> None:
        self._readers = tuple(readers)
        self.name = "+".join(reader.name for reader in self._readers)

    def read(self, message: Message, context: ReadingContext) -> Reading:
        """See `Reader.read`."""
        readings = [reader.read(message, context) for reader in self._readers]
        agreed: dict[tuple[str, ...], Statement] = {}
        for statement in (each for reading in readings for each in reading.statements):
            key, first = _key(statement), agreed.get(_key(statement))
            agreed[key] = (
                statement if first is None else replace(first, read_by=_union(first.read_by, statement.read_by))
            )
        standing = next((each.standing for each in readings if each.standing is not None), None)
        return Reading(tuple(agreed.values()), standing, _unread(readings, agreed.values()))


def _unread(readings: Sequence[Reading], read: Iterable[Statement]) -> tuple[Skipped, ...]:
    """The sentences that one reader passed over and from which no other has read anything."""
    spans = [(statement.start, statement.end) for statement in read]
    skipped = {(each.start, each.end): each for reading in readings for each in reading.passed_over}
    return tuple(
        each for each in skipped.values() if not any(start < each.end and each.start < end for start, end in spans)
    )


def _key(statement: Statement) -> tuple[str, ...]:
    return (
        statement.subject,
        statement.attribute,
        statement.value.casefold(),
        statement.polarity,
        statement.modality,
        statement.tense,
    )


def _union(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*one, *other)))


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
