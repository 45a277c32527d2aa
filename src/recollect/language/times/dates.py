"""The meanings of dates: days, months, years, seasons and feasts, and which of several one is meant.

A date without a year is the one nearest to the moment it is read from: the latest so far, or, when the text looks
ahead, the next.

"Last" is the latest that is over, "next" the first that has not begun; for weekdays, "next" is the one of next week
(on a Monday, "next Friday" is eleven days away, and "this Friday" four). "This" is the nearest, unless the tense of
the sentence rules it out. Without any such word it is the latest up to today, or the first from today on.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta

from recollect.domain.periods import Period, Precision
from recollect.language.times import calendar as on
from recollect.language.times.calendar import DAY, Here, Unit
from recollect.language.times.grammar import PhraseMatch, ordinal


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


def stamp(here: Here, match: PhraseMatch) -> Period | None:
    moment = datetime.fromisoformat(match.got["stamp"])
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=here.zone)
    start = moment.astimezone(UTC).replace(second=0, microsecond=0)
    return Period(start, start + on.MINUTE, Precision.MOMENT)


def iso_date(here: Here, match: PhraseMatch) -> Period | None:
    return on.one_day(here, date(*match.got["iso"]))


def iso_month(here: Here, match: PhraseMatch) -> Period | None:
    return on.months(here, *match.got["isomonth"])


def slash_date(here: Here, match: PhraseMatch) -> Period | None:
    """Month first, as in 3/14/2024, unless the rule's value is True; the other way round where only that is a date."""
    first, second, year = match.got["slash"]
    day_first = bool(match.rule.value)
    month, day = (second, first) if (day_first and second <= 12) or first > 12 else (first, second)
    return on.one_day(here, date(year, month, day))


def day_and_month(here: Here, match: PhraseMatch) -> Period | None:
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


def month_of_year(here: Here, match: PhraseMatch) -> Period | None:
    month = match.got["month"]
    if "year" in match.got:
        return on.months(here, match.got["year"], month)
    if here.lean == "future":
        return on.months(here, here.today.year + (month < here.today.month), month)
    return on.months(here, here.today.year - (month > here.today.month), month)


def year(here: Here, match: PhraseMatch) -> Period | None:
    return on.whole(here, Unit.YEAR, date(match.got["year"], 1, 1))


def year_before_noun(here: Here, match: PhraseMatch) -> Period | None:
    """The 2018 job: the number is a year only if it is one of our time, and not ahead."""
    return year(here, match) if 1950 <= match.got["year"] <= here.today.year else None


def year_pair(here: Here, match: PhraseMatch) -> Period | None:
    first, last = match.got["yearpair"]
    return on.whole(here, Unit.YEAR, date(first, 1, 1), date(last, 1, 1)) if 1900 <= first < last <= 2100 else None


def decade(here: Here, match: PhraseMatch) -> Period | None:
    """A decade by its first year. The 1900s are more often a century, and not read."""
    first = match.got["decade"]
    return None if first % 100 == 0 and first < 2000 else on.whole(here, Unit.DECADE, date(first, 1, 1))


def quarter(here: Here, match: PhraseMatch) -> Period | None:
    number = match.got["quarter"]
    if "year" in match.got:
        return on.months(here, match.got["year"], number * 3 - 2, 3)
    return nearest(here, lambda year: on.months(here, year, number * 3 - 2, 3))


def dated_quarter(here: Here, match: PhraseMatch) -> Period | None:
    of, number = match.got["datedquarter"]
    return on.months(here, of, number * 3 - 2, 3)


def half_year(here: Here, match: PhraseMatch) -> Period | None:
    return on.months(here, match.got["year"], match.got["half"] * 6 - 5, 6)


def season(here: Here, match: PhraseMatch) -> Period | None:
    month = match.got["season"]
    if "year" in match.got:
        return season_of(here, match.got["year"], month)
    return nearest(here, lambda year: season_of(here, year, month))


def holiday(here: Here, match: PhraseMatch) -> Period | None:
    """A feast on a fixed day: its month and day are the rule's value."""
    feast: PhraseMatch = match.got["HOLIDAY"]
    month, day = feast.rule.value
    if "year" in match.got:
        return on.one_day(here, date(match.got["year"], month, day))
    found = yearless(here, month, day)
    return on.one_day(here, found) if found else None


def day_of_month(here: Here, match: PhraseMatch) -> Period | None:
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


def weekday(here: Here, match: PhraseMatch) -> Period | None:
    return on.one_day(here, named_weekday(here, match.got["weekday"]))


def bare_weekend(here: Here, _: PhraseMatch) -> Period | None:
    """The weekend: the last one, or the coming one; while it lasts, this one."""
    now = here.lean == "future" or here.today.weekday() >= 5
    return on.whole(here, Unit.WEEKEND, on.moved(here.today, Unit.WEEKEND, 0 if now else -1))
