"""A path is found from either end, past notes that no longer count, and the work for it has an end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from recollect import Memory
from recollect.domain.changes import WriteNote
from recollect.domain.errors import NotFound
from recollect.domain.graph.mentions import Anchor, AnchorKind, with_anchors
from recollect.domain.notes import Note, State
from recollect.graph import memory_graph, walks
from recollect.graph.derivation import Triple
from recollect.graph.memory_graph import MOST_NOTES, MemoryGraph
from recollect.stores import sql_entities
from tests.support.clock import SteadyClock
from tests.support.raw import store_of
from tests.support.writing import a_note, changes


def names(memory: Memory, start: str, goal: str) -> list[str]:
    return [each.name for each in memory.graph_path(start, goal).entities]


def write(memory: Memory, clock: SteadyClock, notes: Iterable[Note]) -> None:
    store_of(memory).apply(changes(clock, *map(WriteNote, notes), space="default"))


@contextmanager
def read_steps(monkeypatch: pytest.MonkeyPatch) -> Iterator[set[frozenset[str]]]:
    """The steps whose notes are read in the block."""
    found, stated = set[frozenset[str]](), MemoryGraph.stated

    def counted(graph: MemoryGraph, key: str, other: str, ids: Iterable[str], *, past: bool = False) -> list[Triple]:
        found.add(frozenset((key, other)))
        return stated(graph, key, other, ids, past=past)

    with monkeypatch.context() as patch:
        patch.setattr(MemoryGraph, "stated", counted)
        yield found


def test_a_project_holds_the_files_of_a_note_that_is_about_nobody_any_more(memory: Memory) -> None:
    anchored: Any = {"metadata": with_anchors({}, [Anchor(AnchorKind.FILE, "src/load.py")])}
    note = memory.save("The loader is slow", subject="Ann", project="Aurora", **anchored)
    memory.update(note.id, clear=["subject"])
    memory.save("Bob works at Aurora", subject="Bob", attribute="employer", value="Aurora")
    memory.save("Cid knows the loader", subject="Cid", **anchored)

    assert names(memory, "Bob", "Cid") == ["Bob", "Aurora", "src/load.py", "Cid"]


@pytest.mark.parametrize("state", [State.RETRACTED, State.ACTIVE])
def test_a_path_is_found_past_many_newer_notes_from_either_end(
    memory: Memory, clock: SteadyClock, state: State
) -> None:
    """Those that are taken back take no place; past those that count the other end finds the way."""
    memory.save("Zed's manager is Kim", subject="Zed", attribute="manager", value="Kim")
    clock.advance(days=1)
    newer = [a_note(clock, f"Zed {n}", space="default", subject="Zed", state=state) for n in range(MOST_NOTES + 1)]
    write(memory, clock, newer)

    assert names(memory, "Zed", "Kim") == ["Zed", "Kim"]
    assert names(memory, "Kim", "Zed") == ["Kim", "Zed"]


def test_notes_that_are_taken_back_hide_no_way_on(memory: Memory, clock: SteadyClock) -> None:
    """Neither end is beside the many notes, and the way leads through whom they were about."""
    memory.save("Ada's manager is Zed", subject="Ada", attribute="manager", value="Zed")
    memory.save("Zed's manager is Kim", subject="Zed", attribute="manager", value="Kim")
    clock.advance(days=1)
    taken_back: Any = {"space": "default", "subject": "Zed", "state": State.RETRACTED}
    write(memory, clock, [a_note(clock, f"Zed {number}", **taken_back) for number in range(MOST_NOTES + 1)])

    assert names(memory, "Ada", "Kim") == ["Ada", "Zed", "Kim"]


def test_a_walk_reads_no_step_to_more_entities_than_it_may_come_by(
    memory: Memory, clock: SteadyClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    met = [
        a_note(clock, f"Hub {n}", space="default", subject="Hub", attribute="friends", value=f"Friend {n}")
        for n in range(30)
    ]
    memory.save("Far lives in Oslo", subject="Far", attribute="location", value="Oslo")
    write(memory, clock, [*met, *(a_note(clock, f"F {n}", space="default", subject=f"Friend {n}") for n in range(30))])
    engine = memory._engine
    graph = MemoryGraph(engine.store, engine.entities, "default", now=clock.now())
    monkeypatch.setattr(walks, "MOST_ENTITIES", 10)

    with read_steps(monkeypatch) as read:
        assert walks._IndexWalk(graph, past=False).met("hub", "far", surely=True) is None

    assert 0 < len(read) <= 10


def test_a_walk_reads_the_notes_of_no_more_steps_than_it_may(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(12):
        changed = memory.save("Once", subject=f"Desk {number}", attribute="manager", value="Alice")
        memory.update(changed.id, value="Zoe")
        memory.save("Still", subject=f"Desk {number}", attribute="location", value="Oslo")
    memory.save("Alice lives in Rome", subject="Alice", attribute="location", value="Rome")
    monkeypatch.setattr(walks, "_MOST_STATED", 5, raising=False)

    with read_steps(monkeypatch) as read, pytest.raises(NotFound) as refused:
        memory.graph_path("Alice", "Oslo")

    assert refused.value.code == "path_not_found"
    assert 0 < len(read) <= 5


def ended(memory: Memory, clock: SteadyClock, subject: str, attribute: str, value: str) -> None:
    """Save a relation that is over."""
    note = memory.save(f"{subject} {value}", subject=subject, attribute=attribute, value=value)
    clock.advance(days=1)
    memory.update(note.id, valid_until=clock.now())
    clock.advance(days=1)


def test_an_entity_that_an_ended_step_led_to_is_reached_by_a_longer_way(memory: Memory, clock: SteadyClock) -> None:
    """The index knows of the ended steps, which would be shorter: from either end, and between both."""
    ended(memory, clock, "Ann", "manager", "Cy")
    ended(memory, clock, "Ann", "location", "Oslo")
    ended(memory, clock, "Ben", "location", "Oslo")
    for subject, attribute, value in (("Ann", "manager", "Ben"), ("Ben", "manager", "Cy"), ("Cy", "location", "Oslo")):
        memory.save(f"{subject} {value}", subject=subject, attribute=attribute, value=value)

    assert names(memory, "Ann", "Oslo") == ["Ann", "Ben", "Cy", "Oslo"]
    assert names(memory, "Oslo", "Ann") == ["Oslo", "Cy", "Ben", "Ann"]


@pytest.mark.parametrize("few", [1, 200], ids=["many", "few"])
def test_other_names_and_links_lead_on_however_many_a_space_has(
    memory: Memory, monkeypatch: pytest.MonkeyPatch, few: int
) -> None:
    memory.save("Ann's manager is Ben", subject="Ann", attribute="manager", value="Ben")
    memory.save("Benjamin lives in Oslo", subject="Benjamin", attribute="location", value="Oslo")
    memory.graph_merge("Ben", "Benjamin")
    about = [memory.save(f"{name} hums", subject=name).id for name in ("Ann", "Zoe")]
    memory.relate(*about)
    monkeypatch.setattr(memory_graph, "_FEW", few)

    assert names(memory, "Zoe", "Oslo") == ["Zoe", "Ann", "Ben", "Oslo"]


def test_a_path_leads_past_one_whom_more_notes_name_than_are_read_at_once(
    memory: Memory, clock: SteadyClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory.save("Hub knows Kim", subject="Hub", attribute="friends", value="Kim")
    memory.save("Ann lives in Oslo", subject="Ann", attribute="location", value="Oslo")
    for number in range(5):
        memory.save(f"Friend {number}", subject="Hub", attribute="friends", value=f"Friend {number}")
    memory.save("Ann's manager is Hub", subject="Ann", attribute="manager", value="Hub")
    monkeypatch.setattr(sql_entities, "_MOST_BESIDE", 4)

    assert names(memory, "Kim", "Oslo") == ["Kim", "Hub", "Ann", "Oslo"]


def test_entities_that_no_note_leads_to_any_more_take_no_place_among_those_come_by(
    memory: Memory, clock: SteadyClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(12):
        taken = memory.save(f"F {number}", subject="Ann", attribute="friends", value=f"Friend {number}")
        memory.retract(taken.id)
    memory.save("Ann's manager is Ben", subject="Ann", attribute="manager", value="Ben")
    memory.save("Ben lives in Oslo", subject="Ben", attribute="location", value="Oslo")
    monkeypatch.setattr(walks, "MOST_ENTITIES", 8)

    assert names(memory, "Ann", "Oslo") == ["Ann", "Ben", "Oslo"]
