"""The calendar, seen from one moment and one place.

Days, weeks and months are those of the local calendar, and become instants in UTC only when a period is made of
them, so that a day at the change of the clocks has 23 or 25 hours. Weeks begin on Monday. Seasons are those of the
northern half of the world, by whole months, and winter belongs to the year it begins in.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, tzinfo
from enum import StrEnum
from typing import Literal

from recollect.domain.dataclass import dataclass
from recollect.domain.periods import Period, Precision

Lean = Literal["past", "future"]  # which of two readings a phrase without a year is given

DAY = timedelta(days=1)
MINUTE = timedelta(minutes=1)
SEASON_MONTHS = 3
PARTS = {  # hours of the local day, the end not included; 30 is six in the morning of the day after
    "morning": (5, 12),
    "afternoon": (12, 17),
    "evening": (17, 24),
    "night": (18, 30),
}


class Unit(StrEnum):
    """The units that time is counted in."""

    MINUTE = "minute"
    HOUR = "hour"
    NIGHT = "night"
    DAY = "day"
    WEEKEND = "weekend"
    WEEK = "week"
    FORTNIGHT = "fortnight"
    MONTH = "month"
    QUARTER = "quarter"
    YEAR = "year"
    DECADE = "decade"


# A period is told in the unit that was named: a quarter is three months, a weekend two days.
PRECISIONS = {
    Unit.MINUTE: Precision.MOMENT,
    Unit.HOUR: Precision.MOMENT,
    Unit.NIGHT: Precision.DAY,
    Unit.DAY: Precision.DAY,
    Unit.WEEKEND: Precision.DAY,
    Unit.WEEK: Precision.WEEK,
    Unit.FORTNIGHT: Precision.WEEK,
    Unit.MONTH: Precision.MONTH,
    Unit.QUARTER: Precision.MONTH,
    Unit.YEAR: Precision.YEAR,
    Unit.DECADE: Precision.DECADE,
}

# Half of a unit is counted in a smaller one.
SMALLER = {
    Unit.HOUR: (Unit.MINUTE, 60),
    Unit.DAY: (Unit.HOUR, 24),
    Unit.WEEK: (Unit.DAY, 7),
    Unit.FORTNIGHT: (Unit.DAY, 14),
    Unit.MONTH: (Unit.DAY, 30),
    Unit.QUARTER: (Unit.DAY, 91),
    Unit.YEAR: (Unit.MONTH, 12),
    Unit.DECADE: (Unit.YEAR, 10),
}

_MONTHS = {Unit.MONTH: 1, Unit.QUARTER: 3, Unit.YEAR: 12, Unit.DECADE: 120}
_DAYS = {Unit.DAY: 1, Unit.NIGHT: 1, Unit.WEEKEND: 7, Unit.WEEK: 7, Unit.FORTNIGHT: 14}


@dataclass(frozen=True, slots=True)
class Here:
    """The moment and the place a phrase is read in. `lean` is None when nothing in the text hints at it."""

    at: datetime
    zone: tzinfo
    today: date
    lean: Lean | None = None

    def leaning(self, lean: Lean | None) -> Here:
        return self if lean == self.lean else Here(self.at, self.zone, self.today, lean)

    def seen_from(self, moment: datetime, lean: Lean) -> Here:
        """The same place, from another moment: how the second half of "from March 2023 to May" is read."""
        return Here(moment, self.zone, moment.astimezone(self.zone).date(), lean)


def here_at(at: datetime, zone: tzinfo) -> Here:
    """A moment without a zone is in UTC."""
    moment = at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)
    return Here(moment, zone, moment.astimezone(zone).date())


def first_day(day: date, unit: Unit) -> date:
    """Where the unit around a day begins. The weekend of a day is the one of its week."""
    match unit:
        case Unit.WEEK | Unit.FORTNIGHT:
            return day - day.weekday() * DAY
        case Unit.WEEKEND:
            return day + (5 - day.weekday()) * DAY
        case Unit.MONTH:
            return day.replace(day=1)
        case Unit.QUARTER:
            return date(day.year, (day.month - 1) // 3 * 3 + 1, 1)
        case Unit.YEAR:
            return date(day.year, 1, 1)
        case Unit.DECADE:
            return date(day.year // 10 * 10, 1, 1)
        case _:
            return day


def moved(day: date, unit: Unit, count: int) -> date:
    """So many units later, or earlier. A day the month does not have becomes its last one."""
    if unit in _DAYS:
        return day + count * _DAYS[unit] * DAY
    months = day.year * 12 + day.month - 1 + count * _MONTHS[unit]
    year, month = divmod(months, 12)
    return date(year, month + 1, min(day.day, _days_in(year, month + 1)))


def day_after(day: date, unit: Unit) -> date:
    """The day after the unit around a day."""
    first = first_day(day, unit)
    return first + 2 * DAY if unit is Unit.WEEKEND else moved(first, unit, 1)


def days(here: Here, first: date, end: date, precision: Precision = Precision.DAY) -> Period:
    """From the beginning of one local day to the beginning of another."""
    return Period(instant(here, first), instant(here, end), precision)


def one_day(here: Here, day: date) -> Period:
    return days(here, day, day + DAY)


def whole(here: Here, unit: Unit, first: date, last: date | None = None) -> Period:
    """The unit around a day, or all from the one around `first` to the one around `last`."""
    if unit is Unit.NIGHT:
        return part_of_day(here, first, "night", last)
    return days(here, first_day(first, unit), day_after(last or first, unit), PRECISIONS[unit])


def months(here: Here, year: int, month: int, count: int = 1, precision: Precision = Precision.MONTH) -> Period:
    first = date(year, month, 1)
    return days(here, first, moved(first, Unit.MONTH, count), precision)


def part_of_day(here: Here, day: date, part: str, last: date | None = None) -> Period:
    begin, end = PARTS[part]
    return Period(instant(here, day, begin * 60), instant(here, last or day, end * 60), Precision.DAY)


def minute(here: Here, day: date, minutes: int) -> Period:
    """One minute of a local day, counted from its midnight by the clock on the wall."""
    start = instant(here, day, minutes)
    return Period(start, start + MINUTE, Precision.MOMENT)


def instant(here: Here, day: date, minutes: int = 0) -> datetime:
    """Return a time of the local clock as an instant. A time the clocks skip is read as if they had not."""
    over, minutes = divmod(minutes, 24 * 60)
    day += over * DAY
    wall = datetime(day.year, day.month, day.day, minutes // 60, minutes % 60, tzinfo=here.zone)
    return wall.astimezone(UTC)


def local_day(here: Here, moment: datetime) -> date:
    return moment.astimezone(here.zone).date()


def last_day(here: Here, period: Period) -> date:
    """The last local day a period touches."""
    return local_day(here, period.end - timedelta(microseconds=1))


def moments(here: Here, unit: Unit, start: int, end: int) -> Period:
    """From so many minutes or hours after the present moment to so many, both rounded down to the unit."""
    step = timedelta(hours=1) if unit is Unit.HOUR else MINUTE
    present = here.at.replace(second=0, microsecond=0)
    if unit is Unit.HOUR:
        present = present.replace(minute=0)
    return Period(present + start * step, present + end * step, Precision.MOMENT)


def _days_in(year: int, month: int) -> int:
    return (date(year + month // 12, month % 12 + 1, 1) - DAY).day
