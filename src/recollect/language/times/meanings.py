"""The meanings of matched phrases on the calendar.

One function per meaning; a language's rules name them. Each takes the match and the moment it is read from, and
returns a period, or None when there is no such time (30 February) or the words did not mean one after all.

"N units ago" is the calendar unit that lies so far back: told in weeks, a week. "The last N units" is the stretch
that ends today. Where the words leave a choice of several units ("a few days ago"), the period spans them all.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta

from recollect.domain.periods import Period, Precision
from recollect.language.times import calendar as on
from recollect.language.times import dates
from recollect.language.times.calendar import DAY, Here, Unit
from recollect.language.times.dates import season_of, stepped_in_year, stepped_unit, stepped_weekday, yearless
from recollect.language.times.grammar import PhraseMatch, amount, clock, number, ordinal, whole_units

Meaning = Callable[[Here, PhraseMatch], Period | None]

_COARSENESS = list(Precision)
_ALMOST_A_YEAR = timedelta(days=340)


def read(here: Here, match: PhraseMatch) -> Period | None:
    """The period a match means, seen from here."""
    return MEANINGS[match.rule.means](here, match)


def floats(match: PhraseMatch) -> bool:
    """Whether a match names no year, or not which week, so that past or future decides."""
    if match.rule.means in _FLOATING and "year" not in match.got:
        return True
    return any(floats(part) for part in match.got.values() if isinstance(part, PhraseMatch))


def leans(match: PhraseMatch) -> bool:
    """Whether past or future makes a difference: it also does for "this Friday"."""
    if match.rule.means == "stepped" and match.got.get("step") == 0:
        return True
    return floats(match) or any(leans(part) for part in match.got.values() if isinstance(part, PhraseMatch))


def same(here: Here, match: PhraseMatch) -> Period | None:
    return next((read(here, part) for part in match.got.values() if isinstance(part, PhraseMatch)), None)


# --- seen from today --------------------------------------------------------------------------------------------------


def near_day(here: Here, match: PhraseMatch) -> Period | None:
    return on.one_day(here, here.today + match.got["nearday"] * DAY)


def near_night(here: Here, match: PhraseMatch) -> Period | None:
    return on.part_of_day(here, here.today + match.rule.value * DAY, "night")


def part_of_today(here: Here, match: PhraseMatch) -> Period | None:
    return on.part_of_day(here, here.today + (match.rule.value or 0) * DAY, match.got["part"])


def stepped(here: Here, match: PhraseMatch) -> Period | None:
    """Last, this or next week, Friday, March, summer or Christmas. A rule's value gives the step if no word does."""
    got = match.got
    step = match.rule.value if match.rule.value is not None else got["step"]
    if "unit" in got:
        return stepped_unit(here, Unit(got["unit"]), step)
    if "weekday" in got:
        return on.one_day(here, stepped_weekday(here, got["weekday"], step))
    if "month" in got:
        return stepped_in_year(here, step, lambda year: on.months(here, year, got["month"]))
    if "season" in got:
        return stepped_in_year(here, step, lambda year: season_of(here, year, got["season"]))
    month, day = got["HOLIDAY"].rule.value
    return stepped_in_year(here, step, lambda year: on.one_day(here, date(year, month, day)))


def coming(here: Here, match: PhraseMatch) -> Period | None:
    """The coming Friday or weekend: the next there is, even in this week."""
    if "unit" in match.got:
        unit = Unit(match.got["unit"])
        this_week = unit is Unit.WEEKEND and here.today.weekday() < 5
        return on.whole(here, unit, on.moved(here.today, unit, 0 if this_week else 1))
    day = here.today + ((match.got["weekday"] - here.today.weekday() - 1) % 7 + 1) * DAY
    return on.one_day(here, day)


def just_past(here: Here, match: PhraseMatch) -> Period | None:
    """This past weekend or summer: the latest. This past week or month: the days up to today."""
    got = match.got
    if got.get("unit") == Unit.WEEKEND:
        return on.whole(here, Unit.WEEKEND, on.moved(here.today, Unit.WEEKEND, 0 if here.today.weekday() >= 5 else -1))
    if "unit" in got:
        return rolling(here, PhraseMatch(match.rule, match.order, {**got, "roll": -1}, match.end))
    return stepped(here, PhraseMatch(match.rule, match.order, {**got, "step": -1}, match.end))


def day_of_stepped_week(here: Here, match: PhraseMatch) -> Period | None:
    """Tuesday next week, perhaps with a part of the day."""
    monday = on.first_day(on.moved(here.today, Unit.WEEK, match.got["step"]), Unit.WEEK)
    day = monday + match.got["weekday"] * DAY
    return on.part_of_day(here, day, match.got["part"]) if "part" in match.got else on.one_day(here, day)


def rest(here: Here, match: PhraseMatch) -> Period | None:
    """Earlier this week, later today: this unit, up to now or from now on."""
    today = on.one_day(here, here.today)
    around = on.whole(here, Unit(match.got["unit"]), here.today) if "unit" in match.got else today
    if match.got["sooner"] < 0:
        return Period(around.start, min(around.end, today.end), around.precision)
    start = today.start if "unit" in match.got else here.at.replace(second=0, microsecond=0)
    return Period(max(around.start, start), around.end, around.precision)


def rolling(here: Here, match: PhraseMatch) -> Period | None:
    """The last three weeks: so far back, up to and with today. The next two: from today on."""
    unit, count, _ = whole_units(Unit(match.got["unit"]), amount(match)[1])
    onward = match.got["roll"] > 0
    if unit in (Unit.MINUTE, Unit.HOUR):
        reach = timedelta(hours=count) if unit is Unit.HOUR else count * on.MINUTE
        present = here.at.replace(second=0, microsecond=0)
        start, end = (present, present + reach) if onward else (present - reach, present + on.MINUTE)
        return Period(start, end, Precision.MOMENT)
    if unit is Unit.WEEKEND:
        return None
    if onward:
        return on.days(here, here.today, on.moved(here.today, unit, count) + DAY, on.PRECISIONS[unit])
    return on.days(here, on.moved(here.today, unit, -count), here.today + DAY, on.PRECISIONS[unit])


def ago(here: Here, match: PhraseMatch) -> Period | None:
    return _distant(here, match, -1)


def ahead(here: Here, match: PhraseMatch) -> Period | None:
    return _distant(here, match, 1)


def ahead_of_now(here: Here, match: PhraseMatch) -> Period | None:
    """In two weeks. "In a day" and "in a minute" are manners of speaking, and "in 2 week sprints" no time at all."""
    unit = Unit(match.got["one"] if "one" in match.got else match.got["unit"])
    low, _ = amount(match)
    if "one" in match.got and low > 1:
        return None
    if low <= 1 and unit in (Unit.MINUTE, Unit.DAY, Unit.NIGHT):
        return None
    return _distant(here, match, 1, unit)


def within(here: Here, match: PhraseMatch) -> Period | None:
    """Within two weeks: from today on."""
    return rolling(here, PhraseMatch(match.rule, match.order, {**match.got, "roll": 1}, match.end))


def ago_to_the_day(here: Here, match: PhraseMatch) -> Period | None:
    """A year ago today: that very day."""
    unit, count, _ = whole_units(Unit(match.got["unit"]), amount(match)[0])
    return None if unit in (Unit.MINUTE, Unit.HOUR) else on.one_day(here, on.moved(here.today, unit, -count))


def weekdays_ago(here: Here, match: PhraseMatch) -> Period | None:
    """Two Fridays ago: the one before the last."""
    return on.one_day(here, stepped_weekday(here, match.got["weekdays"], -int(amount(match)[1])))


def ongoing(here: Here, match: PhraseMatch) -> Period | None:
    """For five years: the time it began, five years back, as exactly as a year tells it."""
    unit, count, _ = whole_units(Unit(match.got["unit"]), amount(match)[1])
    if unit in (Unit.MINUTE, Unit.HOUR):
        return on.moments(here, unit, -count, 1 - count)
    start = on.moved(here.today, unit, -count)
    return on.days(here, start, on.moved(start, unit, 1), on.PRECISIONS[unit])


# --- seen from another time -------------------------------------------------------------------------------------------


def beside(here: Here, match: PhraseMatch) -> Period | None:
    """The week before 9 June 2023: what "last week" would be, said on that day."""
    anchor = read(here, match.got["POINT"])
    if anchor is None:
        return None
    side: int = match.got["side"]
    edge = on.local_day(here, anchor.start) if side < 0 else on.last_day(here, anchor)
    there = here.seen_from(on.instant(here, edge), "past")
    if "unit" in match.got:
        unit = Unit(match.got["unit"])
        if unit in (Unit.MINUTE, Unit.HOUR):
            return None
        if unit is Unit.WEEKEND and side > 0 and edge.weekday() < 5:
            side = 0
        return on.whole(there, unit, on.moved(edge, unit, side))
    if "weekday" in match.got:
        days = (side * (match.got["weekday"] - edge.weekday()) - 1) % 7 + 1
        return on.one_day(here, edge + side * days * DAY)
    return stepped(there, PhraseMatch(match.rule, match.order, {**match.got, "step": side}, match.end))


def counted_from(here: Here, match: PhraseMatch) -> Period | None:
    """Two weeks before 9 June 2023; a week from Friday, which is ahead and exact."""
    anchor = read(here.leaning("future") if "exact" in match.got else here, match.got["POINT"])
    unit, count, _ = whole_units(Unit(match.got["unit"]), amount(match)[0])
    if anchor is None or unit in (Unit.MINUTE, Unit.HOUR):
        return None
    side: int = match.got.get("side", 1)
    edge = on.local_day(here, anchor.start) if side < 0 else on.last_day(here, anchor)
    day = on.moved(edge, unit, side * count)
    to_the_day = unit is Unit.DAY or ("exact" in match.got and anchor.precision is Precision.DAY)
    return on.one_day(here, day) if to_the_day else on.whole(here, unit, day)


def around_day(here: Here, match: PhraseMatch) -> Period | None:
    """The week of 5 June."""
    day = read(here, match.got["POINT"])
    if day is None or day.precision is not Precision.DAY:
        return None
    return on.whole(here, Unit(match.got["unit"]), on.local_day(here, day.start))


# --- parts of a longer time -------------------------------------------------------------------------------------------


def portion(here: Here, match: PhraseMatch) -> Period | None:
    """Early, mid or late June; the beginning or end of 2022. Told in the month or year that was named."""
    around = read(here, match.got["CONTAINER"])
    if around is None:
        return None
    share = _PORTIONS[match.got["portion"]]
    first, end = on.local_day(here, around.start), on.local_day(here, around.end)
    length = _months_between(first, end)
    if around.precision is Precision.DAY:
        return None
    if around.precision is Precision.WEEK or length == 1:
        begin, stop = share["week" if around.precision is Precision.WEEK else "month"]
        return on.days(here, first + begin * DAY, min(first + stop * DAY, end), around.precision)
    begin, stop = share["decade" if around.precision is Precision.DECADE else "months"]
    begin, stop = round(begin * length), round(stop * length)
    return on.days(
        here,
        on.moved(first, Unit.MONTH, begin),
        on.moved(first, Unit.MONTH, max(stop, begin + 1)),
        around.precision,
    )


def end_of(here: Here, match: PhraseMatch) -> Period | None:
    """The last day, for what lasts until it: "by the end of the month"."""
    around = read(here, match.got["CONTAINER"])
    return around and on.one_day(here, on.last_day(here, around))


def nth(here: Here, match: PhraseMatch) -> Period | None:
    """The first week of June, the last Friday of 2023, the second half of last year."""
    around = read(here, match.got["CONTAINER"])
    if around is None:
        return None
    got = match.got
    which = -1 if "last" in got else ordinal(match)
    first, end = on.local_day(here, around.start), on.local_day(here, around.end)
    if "halved" in got:
        return _half(here, around, which)
    if "weekday" in got or got.get("unit") == Unit.WEEKEND:
        wanted = got.get("weekday", 5)
        begin = first + (wanted - first.weekday()) % 7 * DAY
        if which > 0:
            day = begin + (which - 1) * 7 * DAY
        else:
            final = end - DAY
            day = final - (final.weekday() - wanted) % 7 * DAY
        inside = first <= day < end
        return on.days(here, day, day + (1 if "weekday" in got else 2) * DAY) if inside else None
    unit = Unit(got["unit"])
    if unit in (Unit.MINUTE, Unit.HOUR, Unit.NIGHT):
        return None
    begin = on.moved(first, unit, which - 1) if which > 0 else on.moved(end, unit, -1)
    stop = on.moved(begin, unit, 1)
    return on.days(here, begin, min(stop, end), on.PRECISIONS[unit]) if first <= begin < end else None


def day_in_month(here: Here, match: PhraseMatch) -> Period | None:
    """The 5th of next month."""
    month = read(here, match.got["STEPPED"])
    if month is None:
        return None
    first = on.local_day(here, month.start)
    return on.one_day(here, first.replace(day=ordinal(match)))


def clocked(here: Here, match: PhraseMatch) -> Period | None:
    """A time of day on a known day. "Last night at 2:00" is this morning, "tonight at 8:30" this evening."""
    around = read(here, match.got["WHEN"])
    if around is None or around.precision is not Precision.DAY or around.end - around.start > timedelta(hours=25):
        return None
    minutes, sure = clock(match.got["CLOCK"])
    day = on.local_day(here, around.start)
    readings = [
        on.minute(here, day + later * DAY, minutes + half)
        for half in ((0,) if sure or minutes >= 12 * 60 else (0, 12 * 60))
        for later in (0, 1)
    ]
    return next((reading for reading in readings if around.covers(reading.start)), readings[0])


def parted(here: Here, match: PhraseMatch) -> Period | None:
    """A part of a known day: "Friday morning", "the evening of 5 May"."""
    around = read(here, match.got["WHEN"])
    if around is None or around.precision is not Precision.DAY:
        return None
    day = on.local_day(here, around.start)
    return on.part_of_day(here, day, match.got["part"]) if around == on.one_day(here, day) else None


# --- from one time to another -----------------------------------------------------------------------------------------


def between(here: Here, match: PhraseMatch) -> Period | None:
    """From the beginning of one time to the end of another. A missing year is the one next to the other's."""
    first, last = match.got["start"], match.got["end"]
    if floats(first) and (not floats(last) or here.lean != "future"):
        end = read(here, last)
        start = end and read(here.seen_from(end.start, "past"), first)
    else:
        start = read(here, first)
        end = start and read(here.seen_from(start.start, "future") if floats(last) else here, last)
    if not start or not end or start.start >= end.start:
        return None
    if floats(first) and floats(last) and end.end - start.start > _ALMOST_A_YEAR:
        return None  # "March 12 - March 10"
    if _weekdays_only(first) and _weekdays_only(last) and here.lean is None:
        return None  # "open Monday to Friday"
    return Period(start.start, end.end, max(start.precision, end.precision, key=_COARSENESS.index))


def days_of_month(here: Here, match: PhraseMatch) -> Period | None:
    """March 5-12."""
    month = match.got["month"]
    if "pair" in match.got:
        first, last = match.got["pair"]
    else:
        first, last = ordinal(match), number(match.got["DOM2"])
    if "year" in match.got:
        end = date(match.got["year"], month, last)
    else:
        found = yearless(here, month, last)
        if found is None:
            return None
        end = found
    start = end.replace(day=first)
    return on.days(here, start, end + DAY) if start < end else None


def start_only(here: Here, match: PhraseMatch) -> Period | None:
    """From 2019 until now: what matters is where it begins."""
    return read(here, match.got["start"])


# --- help -------------------------------------------------------------------------------------------------------------


def _distant(here: Here, match: PhraseMatch, side: int, named: Unit | None = None) -> Period | None:
    low, high = amount(match)
    unit, far, slack = whole_units(named or Unit(match.got["unit"]), high)
    near = far if low == high else int(low)
    near, far = near - slack, far + slack
    if unit in (Unit.MINUTE, Unit.HOUR):
        first, last = sorted((side * near, side * far))
        return on.moments(here, unit, first, last + 1)
    first_day, last_day = sorted((on.moved(here.today, unit, side * near), on.moved(here.today, unit, side * far)))
    if unit is Unit.FORTNIGHT:
        unit = Unit.WEEK
    return on.whole(here, unit, first_day, last_day)


def _half(here: Here, around: Period, which: int) -> Period | None:
    first, end = on.local_day(here, around.start), on.local_day(here, around.end)
    length = _months_between(first, end)
    middle = on.moved(first, Unit.MONTH, length // 2) if length > 1 else first + (end - first) // 2
    if which not in (1, 2):
        return None
    return on.days(here, *((first, middle) if which == 1 else (middle, end)), around.precision)


def _months_between(first: date, end: date) -> int:
    return (end.year - first.year) * 12 + end.month - first.month


def _weekdays_only(match: PhraseMatch) -> bool:
    return match.rule.means == "weekday" or any(
        _weekdays_only(p) for p in match.got.values() if isinstance(p, PhraseMatch)
    )


# Which share of a time is its beginning, middle or end: days of a week or month, a fraction of anything longer.
_PORTIONS: dict[str, dict[str, tuple[float, float]]] = {
    "early": {"week": (0, 2), "month": (0, 10), "months": (0, 1 / 3), "decade": (0, 0.4)},
    "mid": {"week": (1, 4), "month": (10, 20), "months": (1 / 3, 2 / 3), "decade": (0.3, 0.7)},
    "late": {"week": (3, 7), "month": (20, 31), "months": (2 / 3, 1), "decade": (0.6, 1)},
    "beginning": {"week": (0, 2), "month": (0, 7), "months": (0, 1 / 6), "decade": (0, 0.2)},
    "end": {"week": (4, 7), "month": (23, 31), "months": (5 / 6, 1), "decade": (0.8, 1)},
}

_FLOATING = frozenset(
    "day_and_month month_of_year quarter season holiday day_of_month weekday bare_weekend days_of_month".split()
)

MEANINGS: dict[str, Meaning] = {
    meaning.__name__: meaning
    for meaning in (
        same, dates.stamp, dates.iso_date, dates.iso_month, dates.slash_date, dates.day_and_month, dates.month_of_year,
        dates.year, dates.year_before_noun, dates.year_pair, dates.decade, dates.quarter, dates.dated_quarter,
        dates.half_year, dates.season, dates.holiday, dates.day_of_month, dates.weekday, dates.bare_weekend,
        near_day, near_night, part_of_today, stepped, coming, just_past, day_of_stepped_week, rest, rolling, within,
        ago, ahead, ahead_of_now, ago_to_the_day, weekdays_ago, ongoing, beside, counted_from, around_day,
        portion, end_of, nth, day_in_month, clocked, parted, between, days_of_month, start_only,
    )
}  # fmt: skip
