"""How often a note was told, by day and by whom. Derived figures: a process that is killed loses its last minute."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from recollect.domain.dataclass import dataclass
from recollect.domain.values import Series, Value

KEPT_USE_DAYS = 90  # a quarter; a row for each note, day and actor is more than a figure for each day


@dataclass(frozen=True, slots=True)
class NoteUse:
    """The uses of one note by one actor on one day. The actor is a principal; empty if none is known."""

    note_id: str
    day: str
    actor: str
    recalled: int = 0
    found: int = 0

    def plus(self, other: NoteUse) -> NoteUse:
        """Both together."""
        return NoteUse(self.note_id, self.day, self.actor, self.recalled + other.recalled, self.found + other.found)


@dataclass(frozen=True, slots=True, repr=False)
class UsageLine(Value):
    """One day and actor: how often a note was put into a prompt or an answer, and how often a search found it."""

    day: str
    actor: str
    recalled: int
    found: int


@dataclass(frozen=True, slots=True, repr=False)
class NoteUsage(Series[UsageLine]):
    """The uses of a note since a day, the newest day first, and their sums.

    Counts are written down about a minute after the answer. `dropped` is how many uses, of any note, this process could
    not keep because too many waited to be written down.
    """

    _held: ClassVar[str] = "lines"

    note_id: str
    since: str
    recalled: int
    found: int
    lines: tuple[UsageLine, ...]
    dropped: int = 0


def usage_of(note_id: str, since: str, uses: Iterable[NoteUse], dropped: int) -> NoteUsage:
    """The answer about one note, from its rows in their order."""
    lines = tuple(UsageLine(each.day, each.actor, each.recalled, each.found) for each in uses)
    recalled, found = sum(each.recalled for each in lines), sum(each.found for each in lines)
    return NoteUsage(note_id, since, recalled, found, lines, dropped)
