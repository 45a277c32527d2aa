"""The reader that a setting names: one, none, or several as one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from recollect.domain.dataclass import replace
from recollect.domain.observations import Message
from recollect.domain.readings import Reader, Reading, ReadingContext, Skipped, Statement


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
