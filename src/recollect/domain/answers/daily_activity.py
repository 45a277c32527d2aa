"""Days in numbers: how much of a space was learned, superseded, forgotten and asked, and how often a note was told.

Derived figures: a process that is killed loses those of its last minute.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, ClassVar, Protocol

from recollect.domain.answers.spending import SpendLine
from recollect.domain.dataclass import dataclass
from recollect.domain.values import Series, Value

if TYPE_CHECKING:
    from collections.abc import Sequence


KEPT_ACTIVITY_DAYS = 400  # a year and a month, so that a month can be compared with that of the year before


class Figure(StrEnum):
    """A figure that is kept for each day and space."""

    LEARNED = "learned"
    SUPERSEDED = "superseded"
    FORGOTTEN = "forgotten"
    SEARCH = "search"
    RECALL = "recall"


@dataclass(frozen=True, slots=True)
class DayCount:
    """One figure of one day. `total` and `longest` are microseconds, and 0 for what has no length."""

    day: str
    figure: Figure
    many: int
    total: int = 0
    longest: int = 0

    def plus(self, other: DayCount) -> DayCount:
        """Both together."""
        longest = max(self.longest, other.longest)
        return DayCount(self.day, self.figure, self.many + other.many, self.total + other.total, longest)


@dataclass(frozen=True, slots=True, repr=False)
class ActivityDay(Value):
    """One day, in UTC. Recalls count briefings as well; milliseconds are those of searches and recalls together.

    `tokens` and `cost_usd` are those of language models, the cost as far as prices are known.
    """

    day: str
    learned: int = 0
    superseded: int = 0
    forgotten: int = 0
    searches: int = 0
    recalls: int = 0
    mean_ms: float = 0.0
    max_ms: float = 0.0
    tokens: int = 0
    cost_usd: float = 0.0


@dataclass(frozen=True, slots=True, repr=False)
class DailyActivity(Series[ActivityDay]):
    """The days of a space, oldest first, from the first one on which anything happened; none is left out between."""

    _held: ClassVar[str] = "days"

    space: str
    days: tuple[ActivityDay, ...]


def days_of(
    counts: Iterable[DayCount], today: date, most: int, spent: Mapping[str, SpendLine] | None = None
) -> tuple[ActivityDay, ...]:
    """The last days up to today, from figures of any order, and what was spent on each."""
    found: dict[str, dict[Figure, DayCount]] = {}
    first = today - timedelta(days=most - 1)
    for each in counts:
        if first.isoformat() <= each.day <= today.isoformat():
            found.setdefault(each.day, {})[each.figure] = each
    paid = {day: line for day, line in (spent or {}).items() if first.isoformat() <= day <= today.isoformat()}
    if not found and not paid:
        return ()
    begin = date.fromisoformat(min((*found, *paid)))
    spelled = ((begin + timedelta(days=number)).isoformat() for number in range((today - begin).days + 1))
    return tuple(_day(day, found.get(day, {}), paid.get(day)) for day in spelled)


def _day(day: str, counts: dict[Figure, DayCount], paid: SpendLine | None) -> ActivityDay:
    many = {figure: counts[figure].many if figure in counts else 0 for figure in Figure}
    asked = [counts[each] for each in (Figure.SEARCH, Figure.RECALL) if each in counts]
    answers = sum(each.many for each in asked)
    return ActivityDay(
        day=day,
        learned=many[Figure.LEARNED],
        superseded=many[Figure.SUPERSEDED],
        forgotten=many[Figure.FORGOTTEN],
        searches=many[Figure.SEARCH],
        recalls=many[Figure.RECALL],
        mean_ms=round(sum(each.total for each in asked) / answers / 1000, 3) if answers else 0.0,
        max_ms=round(max((each.longest for each in asked), default=0) / 1000, 3),
        tokens=paid.tokens if paid else 0,
        cost_usd=paid.cost_usd if paid else 0.0,
    )


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


class ActivityLog(Protocol):
    """The figures of all spaces, one for each day, space and kind."""

    def add(self, space: str, counts: Sequence[DayCount]) -> None:
        """Add to the figures of a space, unless it is not there.

        It waits for nobody: `Busy` when somebody is writing, any other `StoreFailure` where nothing can be written.
        """
        ...

    def since(self, space: str, day: str) -> Sequence[DayCount]:
        """The figures of a space from a day on."""
        ...

    def expire_days(self, space: str, *, before: str) -> None:
        """Drop the figures of earlier days."""
        ...

    def add_uses(self, space: str, uses: Sequence[NoteUse]) -> None:
        """Add to how often notes were told, leaving out those that are not there any more. It fails as `add` does."""
        ...

    def uses(self, space: str, note_id: str, *, since: str) -> Sequence[NoteUse]:
        """How often a note was told from a day on, the newest day first."""
        ...

    def expire_uses(self, space: str, *, before: str) -> None:
        """Drop the uses of earlier days."""
        ...
