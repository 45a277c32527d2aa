"""How often a note was recalled and found, by day and by whom: counted off the hot path, erased with the note."""

from __future__ import annotations

from pathlib import Path

import pytest

from recollect import Erased, Memory, NotFound
from recollect.domain.answers.bounds import KEPT_USE_DAYS
from recollect.domain.answers.daily_activity import NoteUsage, NoteUse
from recollect.domain.errors import Busy
from recollect.domain.origin import Caller, Channel
from recollect.process_state import UseTally
from recollect.stores.opening import open_store
from recollect.surfaces.cli.parsing import Request, parse
from recollect.surfaces.cli.terminal import Terminal, width_of
from recollect.surfaces.cli.verb_call import carry_out
from tests.support.clock import SteadyClock
from tests.support.raw import store_of


def told(usage: NoteUsage) -> list[tuple[str, str, int, int]]:
    return [(line.day, line.actor, line.recalled, line.found) for line in usage]


def test_a_note_is_counted_by_day_and_by_whoever_was_told(memory: Memory, clock: SteadyClock) -> None:
    tea = memory.save("Alice prefers tea")
    coffee = memory.save("Bob prefers coffee")
    ana = memory.acting_as(Caller(Channel.MCP, "ana"))
    memory.search("tea", limit=1)
    for _ in range(2):
        ana.recall("tea", limit=1)
    clock.advance(days=1)
    ana.search("tea", limit=1)
    ana.answer("Who prefers tea?")
    usage = memory.usage(tea.id)
    mine = memory._caller.principal
    assert told(usage) == [
        ("2026-01-02", "ana", 1, 1),
        *sorted([("2026-01-01", "ana", 2, 0), ("2026-01-01", mine, 0, 1)]),
    ]
    assert (usage.recalled, usage.found, usage.dropped) == (3, 2, 0)
    assert (memory.usage(coffee.id).recalled, memory.usage(coffee.id).lines) == (0, ())
    assert [line.day for line in memory.usage(tea.id, limit=1)] == ["2026-01-02"]


def test_a_pinned_note_is_told_by_each_briefing_and_a_rehearsal_counts_nothing(memory: Memory) -> None:
    pinned = memory.save("Never deploy on a Friday", pinned=True)
    memory.brief()
    memory.dry_run().search("Friday")
    assert (memory.usage(pinned.id).recalled, memory.usage(pinned.id).found) == (1, 0)


def test_counts_go_with_their_note_and_do_not_come_back(memory: Memory) -> None:
    note, other = memory.save("Alice prefers tea"), memory.save("Alice prefers green tea")
    memory.search("tea")
    memory.usage(note.id)
    memory.search("tea")  # waits to be written down while the note is forgotten
    memory.forget(note.id)
    assert memory.usage(other.id).found == 2
    activity = store_of(memory).activity
    assert activity.uses("default", note.id, since="2026-01-01") == []
    activity.add_uses("default", [NoteUse(note.id, "2026-01-01", "late", recalled=1)])
    assert activity.uses("default", note.id, since="2026-01-01") == []
    with pytest.raises(Erased):
        memory.usage(note.id)
    with pytest.raises(NotFound):
        memory.usage(other.id, space="elsewhere")


def test_counts_go_with_their_space_and_after_a_quarter(memory: Memory, clock: SteadyClock) -> None:
    gone = memory.save("one", space="alice")
    memory.search("one", space="alice")
    memory.usage(gone.id, space="alice")
    memory.delete_space("alice")
    activity = store_of(memory).activity
    assert activity.uses("alice", gone.id, since="2026-01-01") == []
    kept = memory.save("two")
    memory.search("two")
    clock.advance(days=KEPT_USE_DAYS + 1)
    assert memory.usage(kept.id, limit=1000).lines == ()
    memory.run_jobs()  # makes the timers
    clock.advance(days=1)
    memory.run_jobs()
    assert activity.uses("default", kept.id, since="2026-01-01") == []


@pytest.mark.parametrize(
    "store_address", ["sqlite-file", pytest.param("postgres", marks=pytest.mark.postgres)], indirect=True
)
def test_an_answer_does_not_write_and_waits_for_no_writer(
    memory: Memory, store_address: str, clock: SteadyClock
) -> None:
    note = memory.save("Alice prefers tea")
    memory.search("tea")
    other = open_store(store_address, clock=clock, busy_timeout=5)
    assert other.activity.uses("default", note.id, since="2026-01-01") == []
    with other._database.writing("default") as transaction:
        transaction.rows("lock_space", space="default")
        with pytest.raises(Busy):
            memory._engine.activity.add_uses("default", [NoteUse(note.id, "2026-01-01", "", found=1)])
        assert memory.usage(note.id).found == 0
    assert memory.usage(note.id).found == 1, "nothing that had to wait was lost"
    other.close()


def test_counts_are_written_down_when_a_memory_is_closed(tmp_path: Path, clock: SteadyClock) -> None:
    with Memory(store=str(tmp_path / "m.db"), home=tmp_path, clock=clock) as memory:
        note = memory.save("Alice prefers tea")
        memory.search("tea")
    with Memory(store=str(tmp_path / "m.db"), home=tmp_path, clock=clock) as memory:
        assert memory.usage(note.id).found == 1


def test_a_bound_reader_sees_no_counts_and_is_counted(memory: Memory) -> None:
    note = memory.save("of ana", user="ana")
    bound = memory.bound_to(user="ana")
    bound.search("ana")
    assert bound.usage(note.id).lines == ()
    assert memory.usage(note.id).found == 1


def test_no_more_wait_than_there_is_room_for_and_the_rest_is_told() -> None:
    tally = UseTally(most=2)
    for note_id in ("a", "b", "c", "a"):
        tally.add("s", [NoteUse(note_id, "2026-01-01", "", recalled=1)])
    assert tally.dropped == 1
    assert [(use.note_id, use.recalled) for use in tally.taken()["s"]] == [("a", 2), ("b", 1)]
    assert tally.taken() == {}


@pytest.mark.parametrize("columns", [72, 140, None])
def test_the_uses_of_a_note_fit_the_screen(clock: SteadyClock, columns: int | None) -> None:
    with Memory(store=":memory:", clock=clock, caller=Caller(Channel.CLI, "tester\x1b[31m")) as memory:
        note = memory.save("Alice prefers tea")
        request = parse(["usage", note.id])
        assert isinstance(request, Request)
        assert carry_out(memory, request, Terminal(width=columns)).asides == (
            "It was not told to anybody since 2025-10-04.",
        )
        memory.search("tea")
        memory.recall("tea")
        lines = carry_out(memory, request, Terminal(width=columns)).lines
    assert lines[0] == "Recalled: 1, found: 1, since 2025-10-04."
    assert columns is None or all(width_of(line) <= columns for line in lines), lines
    assert any(line.startswith("2026-01-01") for line in lines)
    assert "\x1b" not in "".join(lines)
