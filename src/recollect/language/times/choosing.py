"""Which one is meant, when words name a day, month or season but not its year or week.

"Last" is the latest that is over, "next" the first that has not begun; for weekdays, "next" is the one of next week
(on a Monday, "next Friday" is eleven days away, and "this Friday" four). "This" is the nearest, unless the tense of
the sentence rules it out. Without any such word it is the latest up to today, or the first from today on.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta

from recollect.domain.periods import Period, Precision
from recollect.language.times import reckoning as on
from recollect.language.times.reckoning import DAY, Here, Unit


def named_weekday(here: Here, wanted: int) -> date:
    """A weekday that is only named. Nobody calls today by its name in telling of the past or the future."""
    behind = (here.today.weekday() - wanted) % 7
    if here.lean == "future":
        return here.today + (7 - behind) * DAY
    return here.today - (behind or (7 if here.lean == "past" else 0)) * DAY


def stepped_weekday(here: Here, wanted: int, step: int) -> date:
    """Last: the one before today. Next: the one of next week. This: the one of this week, unless the tense forbids."""
    today = here.today
    monday = on.first_day(today, Unit.WEEK)
    if step < 0:
        return today - ((today.weekday() - wanted - 1) % 7 + 1) * DAY + 7 * (step + 1) * DAY
    if step > 0:
        return monday + (7 * step + wanted) * DAY
    day = monday + wanted * DAY
    if day > today and here.lean == "past":
        return day - 7 * DAY
    return day + 7 * DAY if day < today and here.lean == "future" else day


def yearless(here: Here, month: int, day: int) -> date | None:
    """A day of the year, the latest up to today or the first from it on; 29 February may be years away."""
    step = 1 if here.lean == "future" else -1
    for count in range(9):
        try:
            found = date(here.today.year + step * count, month, day)
        except ValueError:
            continue
        if (found - here.today).days * step >= 0:
            return found
    return None


def nearest(here: Here, in_year: Callable[[int], Period]) -> Period | None:
    """The latest that has begun; of the future, the first that has not ended."""
    this = here.today.year
    if here.lean == "future":
        return next((period for period in map(in_year, range(this - 1, this + 2)) if period.end > here.at), None)
    return next((period for period in map(in_year, range(this, this - 3, -1)) if period.start <= here.at), None)


def stepped_in_year(here: Here, step: int, in_year: Callable[[int], Period]) -> Period | None:
    """Last: the latest that is over. Next: the first that has not begun. This: the nearest, unless the tense says."""
    this = here.today.year
    today = on.instant(here, here.today)
    if step < 0:
        over = [period for period in map(in_year, range(this, this - 4, -1)) if period.end <= today]
        return over[-step - 1]
    if step > 0:
        ahead = [period for period in map(in_year, range(this - 1, this + 4)) if period.start > here.at]
        return ahead[step - 1]
    if here.lean is not None:
        return nearest(here, in_year)
    return min(map(in_year, (this, this - 1, this + 1)), key=lambda period: _distance(here, period))


def season_of(here: Here, of: int, month: int) -> Period:
    return on.months(here, of, month, on.SEASON_MONTHS, Precision.SEASON)


def stepped_unit(here: Here, unit: Unit, step: int) -> Period | None:
    day = on.moved(here.today, unit, step)
    if unit is not Unit.WEEKEND:
        return on.whole(here, unit, day)
    if step == 0 and here.lean == "past" and here.today.weekday() < 5:
        day = on.moved(here.today, unit, -1)
    return on.whole(here, unit, day)


def _distance(here: Here, period: Period) -> timedelta:
    return max(period.start - here.at, here.at - period.end, timedelta())
