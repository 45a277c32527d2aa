"""COUNT of all concepts of a type is told by the index, and is the number that reading all of them comes to."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count, pairwise

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from recollect import Memory
from recollect.dialects.kip import note_nexus
from recollect.dialects.kip.work_budget import WorkBudget
from recollect.domain.changes import WriteNote
from recollect.domain.graph.entity import Entity
from recollect.graph.memory_graph import MemoryGraph
from tests.graph.test_rebuild import ACT, ATTRIBUTES, NAMES, act
from tests.support.clock import SteadyClock
from tests.support.raw import store_of
from tests.support.writing import a_note, changes

TYPES = ("Person", "Organization", "Place", "Thing")
_SPACES = count()


@pytest.fixture
def by_index(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have few concepts counted as many are."""
    monkeypatch.setattr(note_nexus, "_FEW", 0)


def both_ways(memory: Memory, type: str, space: str | None = None) -> tuple[int, int]:
    """The number of concepts of a type that COUNT says, and how many there are to be read."""
    where = f'WHERE {{ ?p {{type: "{type}"}} }}'
    told = memory.kip(f"FIND(COUNT(?p)) {where}", space=space).result
    return told[0], len(memory.kip(f"FIND(?p) {where}", space=space).result)


def keys_read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The keys of concepts that are read from now on."""
    read, some = list[str](), MemoryGraph.some

    def watched(graph: MemoryGraph, keys: Iterable[str]) -> list[Entity]:
        wanted = list(keys)
        read.extend(wanted)
        return some(graph, wanted)

    monkeypatch.setattr(MemoryGraph, "some", watched)
    return read


@given(st.lists(st.tuples(ACT, NAMES, ATTRIBUTES, NAMES, st.integers(0, 20)), max_size=10))
@settings(
    max_examples=8,
    deadline=None,
    phases=(Phase.generate,),
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@pytest.mark.usefixtures("by_index")
def test_a_count_is_the_number_of_concepts_whatever_was_written_before(
    memory: Memory, acts: list[tuple[str, str, str, str, int]]
) -> None:
    space = f"c{next(_SPACES)}"
    memory.create_space(space)
    for each in acts:
        act(memory, space, *each)

    for type in TYPES:
        told, there = both_ways(memory, type, space)
        assert told == there, type


@pytest.mark.usefixtures("by_index")
def test_a_count_leaves_to_the_notes_what_the_index_cannot_tell(memory: Memory) -> None:
    def save(subject: str, attribute: str, value: str, **more: object) -> str:
        told = f"{subject} {attribute} {value}"
        return memory.save(told, subject=subject, attribute=attribute, value=value, **more).id  # type: ignore[arg-type]

    save("Ann", "employer", "Acme")
    save("user", "employer", "Acme", user="Ann")  # another entity of the same name
    save("person:bo", "shoe size", "44")
    memory.retract(save("Cy", "employer", "Gone"))
    memory.update(save("Dee", "employer", "Acme"), subject="Eve", value="Initech")
    save("Robby", "employer", "Acme")
    save("Robby", "type", "Robot")
    memory.graph_merge("Ann", save("Annie", "age", "30") and "Annie")
    save("Oslo", "employer", "Acme")
    save("Fay", "location", "Oslo")
    save("Hub", "age", "31", tags=["Hub"], project="Hub")
    memory.add("I don't work at Globex.", user="Zoe")

    for type in (*TYPES, "Robot", "Tag", "Project"):
        told, there = both_ways(memory, type)
        assert told == there, type


def write_many(memory: Memory, clock: SteadyClock, count: int, attribute: str) -> None:
    """Notes about so many subjects, in one change."""
    space = memory.spaces()[0].name
    notes = [
        a_note(
            clock, f"P{number} is {number}", space=space, subject=f"P{number}", attribute=attribute, value=str(number)
        )
        for number in range(count)
    ]
    store_of(memory).apply(changes(clock, *map(WriteNote, notes), space=space))


def test_many_are_counted_without_reading_their_notes(
    memory: Memory, clock: SteadyClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(note_nexus, "_FEW", 100)
    memory.save("Ann lives in the north", subject="Ann", attribute="location", value="the north")
    write_many(memory, clock, 300, "age")

    read = keys_read(monkeypatch)
    told = memory.kip('FIND(COUNT(?p)) WHERE { ?p {type: "Person"} }').result

    assert told == [303]  # with the two that every graph has
    assert len(read) < 5


@pytest.mark.usefixtures("by_index")
def test_few_concepts_are_read_between_two_steps_of_a_count(
    memory: Memory, clock: SteadyClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(note_nexus, "_TOGETHER", 10)
    memory.save("The door is blue", subject="the door", attribute="shade", value="blue")
    write_many(memory, clock, 60, "shade")
    read, read_by_step, step = keys_read(monkeypatch), [0], WorkBudget.step

    def watched(budget: WorkBudget) -> None:
        read_by_step.append(len(read))
        step(budget)

    monkeypatch.setattr(WorkBudget, "step", watched)
    told, there = both_ways(memory, "Thing")

    assert told == there >= 61
    assert len(read) >= 61
    assert max(after - before for before, after in pairwise(read_by_step)) == 10
