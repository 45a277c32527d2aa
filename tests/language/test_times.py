"""Time phrases: a table of texts and what they mean, and the rules the table cannot say."""

from __future__ import annotations

import json
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from recollect.domain.periods import Precision, TimeMention, TimeRelation
from recollect.language.times.finder import find_times, resolve

CASES = [json.loads(line) for line in (Path(__file__).parent / "times" / "cases.jsonl").read_text("utf-8").splitlines()]
MONDAY = datetime(2026, 3, 9, 10, 30, tzinfo=UTC)


def day(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def zone_named(name: str) -> tzinfo:
    return UTC if name == "UTC" else ZoneInfo(name)


def shown(mention: TimeMention) -> dict[str, str]:
    return {
        "text": mention.text,
        "start": mention.period.start.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "end": mention.period.end.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "precision": mention.period.precision.value,
        "relation": mention.relation.value,
    }


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['text'][:60]} [{case['at'][:10]}]")
def test_a_text_has_these_times_and_no_others(case: dict[str, Any]) -> None:
    found = find_times(case["text"], at=datetime.fromisoformat(case["at"]), zone=zone_named(case["zone"]))

    assert [shown(mention) for mention in found] == case["expected"]


def test_the_table_is_large_enough_to_mean_something() -> None:
    assert len(CASES) >= 250
    assert sum(not case["expected"] for case in CASES) >= 60
    assert {expected["precision"] for case in CASES for expected in case["expected"]} == set(Precision)
    assert {expected["relation"] for case in CASES for expected in case["expected"]} == set(TimeRelation)


@pytest.mark.parametrize(
    ("text", "past", "future"),
    [
        ("in April", "2025-04-01", "2026-04-01"),
        ("in March", "2026-03-01", "2026-03-01"),
        ("on Friday", "2026-03-06", "2026-03-13"),
        ("on Monday", "2026-03-02", "2026-03-16"),
        ("15 May", "2025-05-15", "2026-05-15"),
        ("9 March", "2026-03-09", "2026-03-09"),
        ("on the 20th", "2026-02-20", "2026-03-20"),
        ("over the weekend", "2026-03-07", "2026-03-14"),
        ("in the summer", "2025-06-01", "2026-06-01"),
        ("in Q2", "2025-04-01", "2026-04-01"),
        ("on Christmas Eve", "2025-12-24", "2026-12-24"),
        ("July 15-27", "2025-07-15", "2026-07-15"),
        ("from April to June", "2025-04-01", "2026-04-01"),
        ("this Friday", "2026-03-06", "2026-03-13"),
        ("29 February", "2024-02-29", "2028-02-29"),
    ],
)
def test_the_caller_can_say_which_way_a_phrase_leans(text: str, past: str, future: str) -> None:
    (back,) = find_times(text, at=MONDAY, lean="past")
    (ahead,) = find_times(text, at=MONDAY, lean="future")

    assert (back.period.start, ahead.period.start) == (day(past), day(future))


@pytest.mark.parametrize("text", ["since March", "ever since Friday", "since the 20th"])
def test_since_looks_back_whatever_the_caller_says(text: str) -> None:
    assert find_times(text, at=MONDAY, lean="future") == find_times(text, at=MONDAY, lean="past")


@pytest.mark.parametrize(
    ("phrase", "start", "precision"),
    [
        ("March", "2026-03-01", Precision.MONTH),
        ("march", "2026-03-01", Precision.MONTH),
        ("2019", "2019-01-01", Precision.YEAR),
        ("Friday", "2026-03-06", Precision.DAY),
        ("the 5th", "2026-03-05", Precision.DAY),
        ("in winter", "2025-12-01", Precision.SEASON),
        ("summer", "2025-06-01", Precision.SEASON),
        ("since 2019", "2019-01-01", Precision.YEAR),
        (" last week. ", "2026-03-02", Precision.WEEK),
        ("the weekend", "2026-03-07", Precision.DAY),
        ("Q1", "2026-01-01", Precision.MONTH),
        ("Christmas", "2025-12-25", Precision.DAY),
    ],
)
def test_a_phrase_by_itself_needs_no_preposition(phrase: str, start: str, precision: Precision) -> None:
    period = resolve(phrase, at=MONDAY)

    assert period is not None
    assert (period.start, period.precision) == (day(start), precision)


@pytest.mark.parametrize(
    "phrase", ["", "since college", "I moved last week", "5 minutes", "10:30", "Berlin", "30 February"]
)
def test_what_is_not_as_a_whole_a_time_is_none(phrase: str) -> None:
    assert resolve(phrase, at=MONDAY) is None


def test_a_text_is_read_from_its_own_moment_and_not_from_now() -> None:
    (then,) = find_times("yesterday", at=datetime(1999, 1, 1, tzinfo=UTC))

    assert then.period.start == day("1998-12-31")


def test_a_moment_without_a_zone_is_in_utc() -> None:
    assert find_times("today", at=datetime(2026, 3, 9, 10, 30)) == find_times("today", at=MONDAY)


def test_the_same_moment_is_another_day_elsewhere() -> None:
    late = datetime(2026, 3, 9, 23, 30, tzinfo=UTC)

    (in_berlin,) = find_times("today", at=late, zone=ZoneInfo("Europe/Berlin"))
    (in_new_york,) = find_times("today", at=late, zone=ZoneInfo("America/New_York"))

    assert (in_berlin.period.start, in_berlin.period.end) == (day("2026-03-09T23:00"), day("2026-03-10T23:00"))
    assert (in_new_york.period.start, in_new_york.period.end) == (day("2026-03-09T04:00"), day("2026-03-10T04:00"))


@pytest.mark.parametrize(("on", "hours"), [("2026-03-29", 23), ("2026-10-25", 25), ("2026-06-01", 24)])
def test_a_day_has_as_many_hours_as_the_clocks_give_it(on: str, hours: int) -> None:
    (mention,) = find_times(f"on {on}", at=MONDAY, zone=ZoneInfo("Europe/Berlin"))

    assert (mention.period.end - mention.period.start).total_seconds() == hours * 3600


@pytest.mark.parametrize("at", [datetime.min, datetime.max])
def test_at_the_ends_of_the_calendar_nothing_is_found_rather_than_broken(at: datetime) -> None:
    text = "yesterday, tomorrow, last week, next year, in the last 3 weeks, 9999-12-31 and in two hours"

    for zone in (UTC, ZoneInfo("Asia/Tokyo"), ZoneInfo("America/New_York")):
        for mention in find_times(text, at=at, zone=zone):
            assert mention.period.start < mention.period.end
