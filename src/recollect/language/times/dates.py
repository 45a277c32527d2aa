"""The meanings of dates: days, months, years, and the seasons and feasts in them.

A date without a year is the one nearest to the moment it is read from: the latest so far, or, when the text looks
ahead, the next.
"""

from __future__ import annotations

from datetime import UTC, date, datetime

from recollect.domain.periods import Period, Precision
from recollect.language.times import reckoning as on
from recollect.language.times.amounts import ordinal
from recollect.language.times.choosing import named_weekday, nearest, season_of, yearless
from recollect.language.times.grammar import Match
from recollect.language.times.reckoning import DAY, Here, Unit


def stamp(here: Here, match: Match) -> Period | None:
    moment = datetime.fromisoformat(match.got["stamp"])
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=here.zone)
    start = moment.astimezone(UTC).replace(second=0, microsecond=0)
    return Period(start, start + on.MINUTE, Precision.MOMENT)


def iso_date(here: Here, match: Match) -> Period | None:
    return on.one_day(here, date(*match.got["iso"]))


def iso_month(here: Here, match: Match) -> Period | None:
    return on.months(here, *match.got["isomonth"])


def slash_date(here: Here, match: Match) -> Period | None:
    """Month first, as in 3/14/2024, unless the rule's value is True; the other way round where only that is a date."""
    first, second, year = match.got["slash"]
    day_first = bool(match.rule.value)
    month, day = (second, first) if (day_first and second <= 12) or first > 12 else (first, second)
    return on.one_day(here, date(year, month, day))


def day_and_month(here: Here, match: Match) -> Period | None:
    """A day of a month. Without a year, the nearest one back, or ahead; a weekday that is named has to fit."""
    month, day = match.got["month"], ordinal(match)
    if "year" in match.got:
        return on.one_day(here, date(match.got["year"], month, day))
    found = yearless(here, month, day)
    weekday = match.got.get("weekday")
    if found is None:
        return None
    if weekday is None or found.weekday() == weekday:
        return on.one_day(here, found)
    other = yearless(here.leaning("past" if here.lean == "future" else "future"), month, day)
    return on.one_day(here, other if other and other.weekday() == weekday else found)


def month_of_year(here: Here, match: Match) -> Period | None:
    month = match.got["month"]
    if "year" in match.got:
        return on.months(here, match.got["year"], month)
    if here.lean == "future":
        return on.months(here, here.today.year + (month < here.today.month), month)
    return on.months(here, here.today.year - (month > here.today.month), month)


def year(here: Here, match: Match) -> Period | None:
    return on.whole(here, Unit.YEAR, date(match.got["year"], 1, 1))


def year_before_noun(here: Here, match: Match) -> Period | None:
    """The 2018 job: the number is a year only if it is one of our time, and not ahead."""
    return year(here, match) if 1950 <= match.got["year"] <= here.today.year else None


def year_pair(here: Here, match: Match) -> Period | None:
    first, last = match.got["yearpair"]
    return on.whole(here, Unit.YEAR, date(first, 1, 1), date(last, 1, 1)) if 1900 <= first < last <= 2100 else None


def decade(here: Here, match: Match) -> Period | None:
    """A decade by its first year. The 1900s are more often a century, and not read."""
    first = match.got["decade"]
    return None if first % 100 == 0 and first < 2000 else on.whole(here, Unit.DECADE, date(first, 1, 1))


def quarter(here: Here, match: Match) -> Period | None:
    number = match.got["quarter"]
    if "year" in match.got:
        return on.months(here, match.got["year"], number * 3 - 2, 3)
    return nearest(here, lambda year: on.months(here, year, number * 3 - 2, 3))


def dated_quarter(here: Here, match: Match) -> Period | None:
    of, number = match.got["datedquarter"]
    return on.months(here, of, number * 3 - 2, 3)


def half_year(here: Here, match: Match) -> Period | None:
    return on.months(here, match.got["year"], match.got["half"] * 6 - 5, 6)


def season(here: Here, match: Match) -> Period | None:
    month = match.got["season"]
    if "year" in match.got:
        return season_of(here, match.got["year"], month)
    return nearest(here, lambda year: season_of(here, year, month))


def holiday(here: Here, match: Match) -> Period | None:
    """A feast on a fixed day: its month and day are the rule's value."""
    feast: Match = match.got["HOLIDAY"]
    month, day = feast.rule.value
    if "year" in match.got:
        return on.one_day(here, date(match.got["year"], month, day))
    found = yearless(here, month, day)
    return on.one_day(here, found) if found else None


def day_of_month(here: Here, match: Match) -> Period | None:
    """The 5th: of this month, or of the nearest one that way that has such a day."""
    step = 1 if here.lean == "future" else -1
    day = ordinal(match)
    first = on.first_day(here.today, Unit.MONTH)
    for count in range(3):
        month = on.moved(first, Unit.MONTH, step * count)
        found = month + (day - 1) * DAY
        if found.month == month.month and (found - here.today).days * step >= 0:
            return on.one_day(here, found)
    return None


def weekday(here: Here, match: Match) -> Period | None:
    return on.one_day(here, named_weekday(here, match.got["weekday"]))


def bare_weekend(here: Here, _: Match) -> Period | None:
    """The weekend: the last one, or the coming one; while it lasts, this one."""
    now = here.lean == "future" or here.today.weekday() >= 5
    return on.whole(here, Unit.WEEKEND, on.moved(here.today, Unit.WEEKEND, 0 if now else -1))
