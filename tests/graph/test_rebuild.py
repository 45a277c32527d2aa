"""What the index finds is what a pass over all notes finds, whatever was written before."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from itertools import count, pairwise

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from recollect import Memory
from recollect.domain.errors import RecollectError
from recollect.domain.graph.entity import EntityRelation
from recollect.graph.memory_graph import MemoryGraph
from recollect.graph.walks import MOST_STEPS, shortest_path
from tests.support.raw import rows, store_of

NAMES = st.sampled_from(["Ann", "person:ann", "Ben", "Cy Dee", "Acme", "Acme Inc.", "user", "Oslo", "Person"])
ATTRIBUTES = st.sampled_from(["manager", "employer", "location", "age", "knows", "type", "same_as"])
ACT = st.sampled_from(["save", "save", "save", "update", "supersede", "retract", "forget", "relate", "merge", "split"])
_SPACES = count()


@given(st.lists(st.tuples(ACT, NAMES, ATTRIBUTES, NAMES, st.integers(0, 20)), max_size=14))
@settings(
    max_examples=12,
    deadline=None,
    phases=(Phase.generate,),
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_the_index_says_what_a_pass_over_all_notes_says(
    memory: Memory, acts: list[tuple[str, str, str, str, int]]
) -> None:
    space = f"s{next(_SPACES)}"
    memory.create_space(space)
    for each in acts:
        act(memory, space, *each)

    graph = _graph(memory, space)
    entities, relations = graph.everything()

    assert [graph.entity(each.id) for each in entities] == entities
    assert list(graph.entities(limit=500)) == entities
    for kind in {each.type for each in entities}:
        of_kind = [each for each in entities if each.type == kind]
        assert [each for each in graph.some(graph.keys_of_type(kind, limit=500)) if each.type == kind] == of_kind
        assert list(graph.entities(type=kind, limit=500)) == of_kind
        assert graph.settled(kind) <= {each.id for each in of_kind}
    held = [each for each in relations if each.current]
    for predicate in {each.predicate for each in held} - {"related"}:
        assert graph.stating(predicate) == [each for each in held if each.predicate == predicate]
    for past in (False, True):
        steps = _steps([each for each in relations if past or each.current])
        for one, other in pairwise(entities):
            path = shortest_path(graph, one.ref, other.ref, past=past)
            assert (len(path.relations) if path else None) == _distance(steps, one.id, other.id)
    for entity in entities:
        near = [each for each in relations if entity.id in (each.subject.id, each.object.id)]
        assert list(graph.neighbours(entity.id, past=True)) == near


def _steps(relations: Iterable[EntityRelation]) -> Mapping[str, set[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for each in relations:
        if each.predicate != "tagged":
            found[each.subject.id].add(each.object.id)
            found[each.object.id].add(each.subject.id)
    return found


def _distance(steps: Mapping[str, set[str]], start: str, goal: str) -> int | None:
    """How many steps lead from one to another, told by going all ways; `None` if none do."""
    reached = {start}
    for distance in range(MOST_STEPS + 1):
        if goal in reached:
            return distance
        reached = reached.union(*(steps.get(each, set()) for each in reached))
    return None


def test_reindexing_changes_nothing_and_mends_what_is_missing(memory: Memory) -> None:
    note = memory.save("Ann's boss is Ben", subject="Ann", attribute="manager", value="Ben", tags=["team"])
    memory.update(note.id, value="Cy")
    memory.save("Forget me", subject="Nobody", attribute="manager", value="Ghost")
    memory.forget(memory.list(subject="Nobody")[0].id)
    held = store_of(memory)
    before = sorted(rows(held, "SELECT * FROM note_entity"))

    memory.reindex()

    assert sorted(rows(held, "SELECT * FROM note_entity")) == before
    assert {row[1] for row in before} == {"ann", "ben", "cy", "team"}


def test_a_process_that_knows_of_no_graph_erases_the_names_of_a_note_with_it(memory: Memory) -> None:
    """As a version before the graph does it: it erases the versions of a note, and knows of no other table."""
    gone = memory.save("Ann's boss is Ben", subject="Ann", attribute="manager", value="Ben")
    memory.save("Cy's boss is Dee", subject="Cy", attribute="manager", value="Dee")
    held = store_of(memory)

    with held.database.writing(gone.space) as transaction:
        transaction.rows("erase_versions", space=gone.space, id=gone.id)

    assert {row[0] for row in rows(held, "SELECT key FROM note_entity")} == {"cy", "dee"}


def act(memory: Memory, space: str, what: str, one: str, attribute: str, other: str, which: int) -> None:
    notes = list(memory.list(state="any", space=space, limit=100))
    note = notes[which % len(notes)] if notes else None
    try:
        if what == "save" or note is None:
            memory.save(f"{one} {attribute} {other}", subject=one, attribute=attribute, value=other, space=space)
        elif what == "update":
            memory.update(note.id, value=other, space=space)
        elif what == "supersede":
            memory.supersede(note.id, f"{one} now", value=other, space=space)
        elif what == "relate":
            memory.relate(note.id, notes[which // 2 % len(notes)].id, space=space)
        elif what in ("merge", "split"):
            getattr(memory, f"graph_{what}")(one, other, space=space)
        else:
            getattr(memory, what)(note.id, space=space)
    except RecollectError as refused:
        assert not refused.retryable, refused


def _graph(memory: Memory, space: str) -> MemoryGraph:
    engine = memory._engine
    return MemoryGraph(engine.store, engine.entities, space, now=engine.clock.now())
