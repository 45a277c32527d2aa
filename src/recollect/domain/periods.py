"""Stretches of time, and how exactly they are known.

"Last week" is seven days, "in March" a month; neither is a moment. A period says where it begins, where it ends
(not included) and what it was told in, so that nothing later reads more into it than was said.
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from recollect.domain.dataclass import dataclass


class Precision(StrEnum):
    """The unit that a time was told in."""

    MOMENT = "moment"
    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    SEASON = "season"
    YEAR = "year"
    DECADE = "decade"


@dataclass(frozen=True, slots=True)
class Period:
    """From `start` up to `end`, both in UTC."""

    start: datetime
    end: datetime
    precision: Precision

    def covers(self, moment: datetime) -> bool:
        return self.start <= moment < self.end


class TimeRelation(StrEnum):
    """How a time phrase bears on what is said: at it, from it on, up to it."""

    AT = "at"
    SINCE = "since"
    UNTIL = "until"
    BEFORE = "before"
    AFTER = "after"


@dataclass(frozen=True, slots=True)
class TimeMention:
    """A time phrase in a text: which characters, and what they mean."""

    start: int
    end: int
    text: str
    period: Period
    relation: TimeRelation = TimeRelation.AT
