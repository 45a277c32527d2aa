"""What happened on each day is counted: commits exactly, questions with a moment's delay; on every store."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from recollect import InvalidInput, Memory
from recollect.domain.answers.daily_activity import KEPT_ACTIVITY_DAYS, ActivityDay, DayCount, Figure, days_of
from recollect.domain.chat.spend import SpendCaps, SpendRequest
from recollect.domain.errors import Busy
from recollect.stores.opening import open_store
from recollect.surfaces.cli.screens.reports import bars
from tests.support.clock import SteadyClock
from tests.support.raw import store_of


def figures(day: ActivityDay) -> tuple[int, int, int, int, int]:
    return (day.learned, day.superseded, day.forgotten, day.searches, day.recalls)


def test_what_is_learned_superseded_and_forgotten_is_counted_with_its_commit(
    memory: Memory, clock: SteadyClock
) -> None:
    old, wrong = memory.save("Alice lives in Boston"), memory.save("Alice has a dog")
    memory.supersede(old.id, "Alice lives in Berlin")
    memory.update(wrong.id, text="Alice has a cat")
    clock.advance(days=2)
    memory.forget(wrong.id)
    memory.relate(old.id, memory.save("Berlin is large").id)
    [first, between, last] = memory.activity()
    assert [day.day for day in memory.activity()] == ["2026-01-01", "2026-01-02", "2026-01-03"]
    assert figures(first) == (3, 1, 0, 0, 0)
    assert between == ActivityDay("2026-01-02")
    assert figures(last) == (1, 0, 1, 0, 0)


def test_what_models_cost_in_a_space_is_told_with_its_days(memory: Memory, clock: SteadyClock) -> None:
    now, caps = clock.now(), SpendCaps()
    for space, tokens in (("default", 300), ("default", 40), ("other", 5000)):
        call = SpendRequest(clock.new_id(), space, "", "answer", "openai", "small", now, now, tokens, 2 * tokens)
        assert store_of(memory).spend.reserve(call, caps) is None
    [day] = memory.activity()
    assert (day.tokens, day.cost_usd) == (340, 0.00068)
    assert memory.bound_to(user="ana").activity().days == ()


def test_what_came_in_a_dry_run_or_twice_under_a_key_counts_once(memory: Memory) -> None:
    memory.dry_run().save("only rehearsed")
    for _ in range(3):
        memory.save("Alice prefers tea", idempotency_key="once")
    memory.dry_run().search("tea")
    assert [figures(day) for day in memory.activity()] == [(1, 0, 0, 0, 0)]


def test_questions_are_counted_with_how_long_their_answers_took(memory: Memory) -> None:
    memory.save("Alice prefers tea")
    memory.save("Bob prefers coffee", space="bob")
    for _ in range(3):
        memory.search("tea")
    memory.recall("tea")
    memory.brief("tea")
    memory.search("coffee", space="bob")
    memory.search("nothing", space="nobody")
    [day] = memory.activity()
    assert figures(day) == (1, 0, 0, 3, 2)
    assert 0 < day.mean_ms <= day.max_ms
    assert [figures(each) for each in memory.activity(space="bob")] == [(1, 0, 0, 1, 0)]
    assert memory.activity(space="nobody").days == ()
    assert "nobody" not in {space.name for space in memory.spaces()}


@pytest.mark.parametrize(
    "store_address", ["sqlite-file", pytest.param("postgres", marks=pytest.mark.postgres)], indirect=True
)
def test_a_search_does_not_write(memory: Memory, store_address: str, clock: SteadyClock) -> None:
    memory.save("Alice prefers tea")
    memory.search("tea")
    other = open_store(store_address, clock=clock, busy_timeout=5)
    assert [each.figure for each in other.activity.since("default", "2026-01-01")] == [Figure.LEARNED]
    memory.activity()
    assert {each.figure for each in other.activity.since("default", "2026-01-01")} == {Figure.LEARNED, Figure.SEARCH}
    other.close()


def test_what_was_asked_is_written_down_when_a_memory_is_closed(tmp_path: Path, clock: SteadyClock) -> None:
    with Memory(store=str(tmp_path / "m.db"), home=tmp_path, clock=clock) as memory:
        memory.save("Alice prefers tea")
    for _ in range(2):
        with Memory(store=str(tmp_path / "m.db"), home=tmp_path, clock=clock) as memory:
            memory.search("tea")
    with Memory(store=str(tmp_path / "m.db"), home=tmp_path, clock=clock) as memory:
        assert figures(memory.activity()[0]) == (1, 0, 0, 2, 0)


def test_a_memory_is_closed_though_something_beside_it_cannot_be_written(tmp_path: Path, clock: SteadyClock) -> None:
    class Failing:
        def flush(self) -> bool:
            raise OSError("the disk is full")

    failing = Failing()
    memory = Memory(store=str(tmp_path / "m.db"), home=tmp_path, clock=clock)
    memory.save("Alice prefers tea")
    memory.search("tea")
    memory._engine.beside.add(failing)
    with pytest.raises(OSError, match="full"):
        memory.close()
    assert not (tmp_path / "m.db-wal").exists(), "the last one to close the database takes its log away"
    with Memory(store=str(tmp_path / "m.db"), home=tmp_path, clock=clock) as memory:
        assert figures(memory.activity()[0]) == (1, 0, 0, 1, 0)


def test_while_somebody_writes_an_answer_does_not_wait_and_its_count_is_not_lost(
    tmp_path: Path, clock: SteadyClock
) -> None:
    with Memory(store=str(tmp_path / "m.db"), home=tmp_path, clock=clock) as memory:
        memory.save("Alice prefers tea")
        memory.search("tea")
        other = open_store(str(tmp_path / "m.db"), clock=clock, busy_timeout=5)
        with other._database.writing("default"):
            with pytest.raises(Busy):
                memory._engine.activity.add("default", [DayCount("2026-01-01", Figure.SEARCH, 1)])
            assert figures(memory.activity()[0]) == (1, 0, 0, 0, 0)
        assert figures(memory.activity()[0]) == (1, 0, 0, 1, 0)
        other.close()


def test_figures_go_with_their_space_and_after_a_year(memory: Memory, clock: SteadyClock) -> None:
    memory.save("one", space="alice")
    memory.delete_space("alice")
    memory.save("two", space="alice")
    assert figures(memory.activity(space="alice")[0]) == (1, 0, 0, 0, 0)
    clock.advance(days=KEPT_ACTIVITY_DAYS + 2)
    memory.save("three", space="alice")
    assert len(memory.activity(space="alice", limit=1000).days) == KEPT_ACTIVITY_DAYS + 3
    memory.run_jobs()  # makes the timers
    clock.advance(days=1)
    memory.run_jobs()
    assert len(memory.activity(space="alice", limit=1000).days) == 2


def test_a_bound_reader_sees_no_figures_of_the_whole_and_is_counted(memory: Memory) -> None:
    memory.save("of ana", user="ana")
    bound = memory.bound_to(user="ana")
    bound.search("ana")
    assert bound.activity().days == ()
    assert figures(memory.activity()[0]) == (1, 0, 0, 1, 0)


def test_how_many_days_is_checked(memory: Memory) -> None:
    for wrong in (0, 1001, True):
        with pytest.raises(InvalidInput):
            memory.activity(limit=wrong)


def test_days_without_anything_are_told_between_others_and_not_before() -> None:
    counts = [DayCount("2026-01-01", Figure.LEARNED, 9), DayCount("2026-01-05", Figure.LEARNED, 2)]
    told = days_of(counts, date(2026, 1, 6), most=4)
    assert [(each.day, each.learned) for each in told] == [("2026-01-05", 2), ("2026-01-06", 0)]
    assert days_of(counts, date(2026, 2, 6), most=4) == ()


def test_bars_are_as_high_as_their_counts() -> None:
    assert bars([0, 1, 4, 8]) == " ▁▄█"
    assert bars([0, 0]) == "  "
