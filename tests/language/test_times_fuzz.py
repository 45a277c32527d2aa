"""Time phrases under arbitrary texts, moments and places: nothing breaks, and plain arithmetic agrees."""

from __future__ import annotations

import re
import time
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.domain.periods import TimeMention
from recollect.language.times.english import ENGLISH
from recollect.language.times.finder import find_times, resolve
from recollect.language.times.grammar import grammar_of
from recollect.language.times.meanings import MEANINGS

ZONES = [UTC, *map(ZoneInfo, ("Europe/Berlin", "America/New_York", "Asia/Kolkata", "America/Sao_Paulo"))]
SKIPPED_A_DAY = ZoneInfo("Pacific/Apia")  # 30 December 2011 did not happen there
SHAPES = """
    5 31 2.5 2-3 5th 31st 2024 1999 0001 9999 2024-06 2024-02-30 2024-06-03 3/14/2024 14/3/24 06/2024 2019-2022
    10:30 9am 24:00 1990s 90s '80s Q3 H2 2024Q3 9999-12-31 2024-05-03T10:30:00+02:00 0001-01-01T00:00+05:00 May March
    Friday Sun
""".split()
WORDS = sorted(
    {word for members in ENGLISH.classes.values() for word in members}
    | {word for rules in ENGLISH.phrases.values() for rule in rules for word in re.findall(r"'(\S+?)'", rule.pattern)}
)
MONTHS = "January February March April May June July August September October November December".split()

places = st.sampled_from(ZONES)
any_places = st.sampled_from([*ZONES, SKIPPED_A_DAY])
leans = st.sampled_from(["past", "future", None])
any_moments = st.datetimes(timezones=st.just(UTC))
moments = st.datetimes(datetime(1950, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC))
time_words = st.lists(st.sampled_from(WORDS) | st.sampled_from(SHAPES), min_size=1, max_size=10).map(" ".join)


def assert_well_formed(text: str, mentions: tuple[TimeMention, ...]) -> None:
    last = 0
    for mention in mentions:
        assert last <= mention.start < mention.end <= len(text)
        assert mention.text == text[mention.start : mention.end]
        assert mention.period.start < mention.period.end
        assert mention.period.start.utcoffset() == mention.period.end.utcoffset() == timedelta(0)
        last = mention.end


@settings(deadline=None, max_examples=300)
@given(st.text(max_size=200), any_moments, any_places)
def test_no_text_breaks_it(text: str, at: datetime, zone: ZoneInfo) -> None:
    assert_well_formed(text, find_times(text, at=at, zone=zone))
    resolve(text, at=at, zone=zone)


@settings(deadline=None, max_examples=1000)
@given(time_words, any_moments, any_places, leans)
def test_no_row_of_time_words_breaks_it(text: str, at: datetime, zone: ZoneInfo, lean: str | None) -> None:
    assert_well_formed(text, find_times(text, at=at, zone=zone, lean=lean))  # type: ignore[arg-type]
    resolve(text, at=at, zone=zone, lean=lean)  # type: ignore[arg-type]


@settings(deadline=None)
@given(time_words, moments)
def test_the_same_text_always_means_the_same(text: str, at: datetime) -> None:
    assert find_times(text, at=at) == find_times(text, at=at)


@settings(deadline=None)
@given(moments, places, st.integers(1, 400))
def test_days_ago_are_counted_on_the_local_calendar(at: datetime, zone: ZoneInfo, count: int) -> None:
    (mention,) = find_times(f"{count} days ago", at=at, zone=zone)

    wanted = at.astimezone(zone).date() - timedelta(days=count)
    assert mention.period.start.astimezone(zone).date() == wanted
    assert mention.period.end.astimezone(zone).date() == wanted + timedelta(days=1)


@settings(deadline=None)
@given(moments, places, st.sampled_from(["week", "month", "quarter", "year"]))
def test_last_this_and_next_lie_side_by_side_around_the_moment(at: datetime, zone: ZoneInfo, unit: str) -> None:
    last, this, following = (
        mention.period for mention in find_times(f"last {unit}, this {unit}, next {unit}", at=at, zone=zone)
    )

    assert last.end == this.start
    assert this.end == following.start
    assert this.covers(at)


@settings(deadline=None)
@given(moments, places, st.sampled_from(MONTHS))
def test_a_month_without_a_year_is_the_latest_begun_or_the_first_not_over(
    at: datetime, zone: ZoneInfo, month: str
) -> None:
    (back,) = find_times(f"in {month}", at=at, zone=zone, lean="past")
    (ahead,) = find_times(f"in {month}", at=at, zone=zone, lean="future")

    assert back.period.start <= at < back.period.start + timedelta(days=367)
    assert ahead.period.end - timedelta(days=397) <= at < ahead.period.end
    assert back.period.start.astimezone(zone).month == MONTHS.index(month) + 1


@settings(deadline=None)
@given(moments, places, st.integers(0, 6))
def test_weekdays_are_where_they_are_said_to_be(at: datetime, zone: ZoneInfo, number: int) -> None:
    name = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()[number]
    today = at.astimezone(zone).date()

    def said(text: str) -> date:
        (mention,) = find_times(text, at=at, zone=zone)
        return mention.period.start.astimezone(zone).date()

    assert said(f"last {name}") in [today - timedelta(days=back) for back in range(1, 8)]
    assert said(f"{name} last week").isocalendar()[:2] == (today - timedelta(days=7)).isocalendar()[:2]
    assert said(f"next {name}").isocalendar()[:2] == (today + timedelta(days=7)).isocalendar()[:2]
    assert {said(f"{which} {name}").weekday() for which in ("last", "this", "next", "the coming")} == {number}


@settings(deadline=None)
@given(st.dates(date(1000, 2, 1), date(2199, 12, 1)), moments, places)
def test_a_date_is_the_same_day_however_it_is_written(on: date, at: datetime, zone: ZoneInfo) -> None:
    month = MONTHS[on.month - 1]
    spellings = [
        f"{on:%Y-%m-%d}",
        f"{on.month}/{on.day}/{on.year}",
        f"{on.day} {month} {on.year}",
        f"{month} {on.day}, {on.year}",
        f"on {on.day:02}.{on.month:02}.{on.year}",
    ]

    for text in spellings:
        (mention,) = find_times(text, at=at, zone=zone)
        assert mention.period.start.astimezone(zone).date() == on, text


@pytest.mark.slow
@pytest.mark.parametrize(
    "junk",
    ["the ", "a ", "1 ", "9", "2024-", "1.", "May ", "in the last ", "from March to ", "a week before the day before ",
     "for more than a couple of ", "been for 2 years ", "walked on Friday ", "is was been in March ", "' ", "\n \n"],
)  # fmt: skip
def test_a_hundred_kilobytes_of_junk_take_seconds_at_most(junk: str) -> None:
    text = (junk * (100_000 // len(junk) + 1))[:100_000]
    find_times("in March", at=datetime(2026, 3, 9, tzinfo=UTC))  # the grammar is made ready once

    started = time.process_time()
    mentions = find_times(text, at=datetime(2026, 3, 9, tzinfo=UTC))
    spent = time.process_time() - started

    assert_well_formed(text, mentions)
    assert spent < 20, f"{spent:.1f} s for 100 kB of `{junk}`"


def test_every_rule_names_a_meaning_and_every_pattern_only_what_is_known() -> None:
    shapes = """
        dom nth year iso isomonth slash stamp clock pair yearpair quarter half datedquarter decade shortdecade
        shortyear name word capital edge number weakmonth
    """.split()
    known = {*ENGLISH.classes, *ENGLISH.phrases, *shapes, *(name for name, _ in ENGLISH.endings)}
    for phrase, by_class in grammar_of(ENGLISH).rules.items():
        for compiled in (rule for rules in by_class.values() for rule in rules):
            assert phrase in {"CUE", "LASTING", "NOT"} or compiled.rule.means in MEANINGS, compiled.rule.pattern
            unknown = {option for element in compiled.elements for option, _ in element.takes} - known
            assert {option for option in unknown if option[0] != "'"} == set(), compiled.rule.pattern
