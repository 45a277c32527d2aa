"""When something holds: the time phrases of a clause, brought to bear on what it says.

A change begins at its time, an end ends at it, a state that is over held then. What is only planned becomes certain
when it has a date. Nothing is ever dated "today" because no time was told.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from recollect.domain.periods import Period, TimeMention, TimeRelation
from recollect.domain.statements import Modality, Tense
from recollect.readers.rules.moods import Mood


class Dates(NamedTuple):
    """The tense of a statement, and its times."""

    tense: Tense = Tense.PRESENT
    since: Period | None = None
    until: Period | None = None
    occurred: Period | None = None
    modality: Modality = Modality.ASSERTED


def dates_of(
    mood: Mood, times: Sequence[TimeMention], at: datetime, *, ended: bool, past: bool, happened: bool, lasting: bool
) -> Dates:
    """How the times of a clause bear on it.

    `ended` if it is over, `past` if it is told as history, `happened` if it is an event, `lasting` if it holds
    for good whatever the tense of its verb.
    """
    tense = Tense.PAST if past or (mood.past and not lasting and not ended) else Tense.PRESENT
    modality = mood.modality
    since = until = occurred = None
    for time in times:
        period, relation = time.period, time.relation
        if relation is TimeRelation.UNTIL or relation is TimeRelation.BEFORE:
            until = period
            continue
        if relation is TimeRelation.SINCE or relation is TimeRelation.AFTER:
            if period.start > at and not ended:
                tense = Tense.FUTURE
            since = since or period
            continue
        if happened:
            occurred = occurred or period
        elif ended:
            until = until or period
        elif tense is Tense.PAST:
            occurred = occurred or period
        elif period.start > at:
            tense, since = Tense.FUTURE, since or period
        elif mood.changes:
            since = since or period
        elif _long_gone(period, at):
            occurred = occurred or period
    if mood.coming and tense is Tense.PRESENT:
        tense = Tense.FUTURE
    if tense is Tense.FUTURE and since is not None and mood.coming and modality is Modality.PLANNED:
        modality = Modality.ASSERTED
    if happened:
        tense = Tense.PAST
    return Dates(tense, since, until, occurred, modality)


def _long_gone(period: Period, at: datetime) -> bool:
    return period.end <= at
