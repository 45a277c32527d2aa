"""The numbers in a match: how many, which day, what time of day."""

from __future__ import annotations

from recollect.language.times import reckoning as on
from recollect.language.times.grammar import Match
from recollect.language.times.reckoning import Unit


def amount(match: Match) -> tuple[float, float]:
    """The least and the most a count can mean. Without a count, one."""
    count: Match | None = match.got.get("AMOUNT")
    if count is None:
        return (1, 1)
    extra: float = match.rule.value or 0
    low, high = _count(count)
    if "more" in match.got:
        high = max(high, match.got["more"])
    return (low + extra, high + extra)


def _count(match: Match) -> tuple[float, float]:
    got = match.got
    for part in got.values():
        if isinstance(part, Match):
            return _count(part)
    if match.rule.value is not None:
        low, high = match.rule.value
        plus = got.get("number", 0)
        return (low + plus, high + plus)
    if "pair" in got:
        first, last = got["pair"]
        return (min(first, last), max(first, last))
    if "low" in got:
        return (min(got["low"], got["high"]), max(got["low"], got["high"]))
    if "tens" in got:
        return (got["tens"] + got["ones"],) * 2
    return (got["number"],) * 2 if "number" in got else (1, 1)


def number(match: Match) -> int:
    """Which day of the month, or the how-manieth."""
    got = match.got
    value = got.get("dom") or got.get("nth") or got.get("ordinal") or 0
    return int(value) + int(got.get("tens", 0))


def ordinal(match: Match) -> int:
    return number(match.got["DOM"]) if "DOM" in match.got else number(match)


def clock(match: Match) -> tuple[int, bool]:
    """Minutes of the day, and whether it is sure that they are not twelve hours off."""
    got = match.got
    if "noon" in got:
        return (12 * 60, True)
    if "dom" in got:
        if got["dom"] > 12:
            raise ValueError(got["dom"])
        return (got["dom"] % 12 * 60 + got["ampm"], True)
    minutes, sure = got["clock"]
    if "ampm" not in got:
        return (minutes, sure)
    return (minutes % (12 * 60) + got["ampm"], True)


def whole_units(unit: Unit, count: float) -> tuple[Unit, int, int]:
    """A count without halves, in a smaller unit if need be, and how many of those it may be off by."""
    if count == int(count) or unit not in on.SMALLER:
        return (unit, int(count), 0)
    smaller, times = on.SMALLER[unit]
    return (smaller, round(count * times), 1)
