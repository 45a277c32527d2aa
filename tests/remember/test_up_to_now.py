"""Something that somebody says has been so for a while is so now, whatever was said before."""

from __future__ import annotations

from datetime import timedelta

import pytest

from recollect import Memory
from tests.support.clock import SteadyClock


@pytest.mark.parametrize(
    ("before", "since", "question", "holds"),
    [
        ("My dentist is Dr Lee.", "My dentist is Dr Bauer since last month.", "Who is my dentist?", "Bauer"),
        ("I work at Siemens.", "I have been working at Bosch since January.", "Where do I work?", "Bosch"),
        ("I live in Rome.", "I've lived in Paris for two years.", "Where do I live?", "Paris"),
        ("I live in Rome.", "I lived in Paris for two years.", "Where do I live?", "Rome"),
        ("I work at Siemens.", "I joined Bosch in 2019.", "Where do I work?", "Siemens"),
    ],
)
@pytest.mark.parametrize("reverse", [False, True])
def test_it_is_the_answer_in_any_order(
    memory: Memory, clock: SteadyClock, before: str, since: str, question: str, holds: str, reverse: bool
) -> None:
    clock.advance(days=320)
    now = clock.now()
    said = [(before, now - timedelta(hours=3)), (since, now - timedelta(hours=1))]
    for text, at in reversed(said) if reverse else said:
        memory.add(text, at=at)
    assert holds in memory.answer(question).text.splitlines()[0]


@pytest.mark.parametrize(
    ("before", "change", "hours", "question", "holds"),
    [
        ("I've lived in Berlin since 2019.", "I moved to Munich today.", 6, "Where do I live?", "Munich"),
        ("I've lived in Berlin since 2019.", "I moved to Munich yesterday.", 24, "Where do I live?", "Munich"),
        ("I've lived in Berlin since 2019.", "I moved to Munich this week.", 6, "Where do I live?", "Munich"),
        ("I've worked at Acme since 2019.", "I started at Globex last month.", 800, "Where do I work?", "Globex"),
    ],
)
def test_a_change_within_the_same_day_or_month_comes_after_it(
    memory: Memory, clock: SteadyClock, before: str, change: str, hours: int, question: str, holds: str
) -> None:
    clock.advance(days=320)
    memory.add(before, at=clock.now())
    clock.advance(days=hours / 24)
    memory.add(change, at=clock.now())
    assert holds in memory.answer(question).text.splitlines()[0]


@pytest.mark.parametrize("reverse", [False, True])
def test_what_was_said_in_the_morning_is_the_past_of_a_change_today(
    memory: Memory, clock: SteadyClock, reverse: bool
) -> None:
    clock.advance(days=320)
    day = clock.now().replace(hour=0)
    morning, evening = day + timedelta(hours=9), day + timedelta(hours=18)
    said = [("I live in Berlin.", morning), ("I moved to Munich today.", evening)]
    clock.advance(days=1)
    for text, at in reversed(said) if reverse else said:
        memory.add(text, at=at)
    assert [note.value for note in memory.list(subject="user").items] == ["Munich"]
    assert [line.values for line in memory.profile()] == [("Munich",)]
    for moment, place in ((morning, "Berlin"), (evening, "Munich")):
        assert [note.value for note in memory.list(subject="user", as_of=moment).items] == [place]
