"""What stands beside an observation in its session, and what was observed in a stretch of time."""

from __future__ import annotations

from recollect import Memory
from tests.support.clock import SteadyClock


def test_neighbours_come_once_each_and_from_their_own_session(memory: Memory, clock: SteadyClock) -> None:
    lines = [f"line {number}" for number in range(1, 8)]
    messages = [{"role": "user", "content": line} for line in lines]
    said = memory.add(messages, at=clock.now(), session="one", extract=False).observation_ids
    memory.add(messages, at=clock.now(), session="two", extract=False)
    archive = memory._engine.archive

    around = archive.around("default", [said[1], said[2]], reach=2)

    assert [each.text for each in around] == lines[:5]
    assert {each.session_id for each in around} == {"one"}
    assert archive.around("elsewhere", [said[1]], reach=2) == []


def test_words_can_be_looked_for_in_a_stretch_of_time(memory: Memory) -> None:
    for day in ("2024-01-05", "2024-02-05", "2024-03-05"):
        memory.add(f"The boat sailed, {day}", at=f"{day}T10:00:00Z", extract=False)
    archive, clock = memory._engine.archive, SteadyClock()
    since = clock.now().replace(year=2024, month=2, day=1)
    until = since.replace(month=3, day=1)

    found = archive.matching("default", ["boat"], since=since, until=until, limit=10)

    assert [each.text for each in found] == ["The boat sailed, 2024-02-05"]


def test_words_can_be_looked_for_by_their_beginnings(memory: Memory, clock: SteadyClock) -> None:
    memory.add("The restaurant is full", at=clock.now(), extract=False)
    archive = memory._engine.archive

    assert archive.matching("default", ["rest"], until=None, limit=10) == []
    assert len(archive.matching("default", ["rest"], until=None, limit=10, beginnings=True)) == 1
    assert archive.matching("default", ['"*', "'"], until=None, limit=10, beginnings=True) == []
