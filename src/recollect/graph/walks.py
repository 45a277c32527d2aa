"""Walks over the graph: the shortest path, what is around an entity, its times, and who may be the same.

Every walk is bounded by how many entities it comes by. A path leaves tags out, since they tie together what has nothing
to do with each other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from recollect.domain.graph.entity import (
    EntityName,
    EntityRelation,
    EntityTimeline,
    EntityType,
    GraphPath,
    Subgraph,
    TimelineEntry,
)
from recollect.graph.derivation import Triple
from recollect.graph.memory_graph import MemoryGraph, name_of
from recollect.language.token_count import count_tokens

MOST_ENTITIES = 2_000  # that one walk comes by
MOST_STEPS = 8  # of a path
MOST_RINGS = 4  # around an entity
_MOST_AROUND = 200  # entities of one subgraph
_TOGETHER = 32  # entities that are read at once on a way out: a search may end after a few of them
_FEW = 2  # entities that are read at once where each may well be the last
_CANDIDATES = 200  # names that are compared
_SIMILAR = 0.84  # of two spellings, from 0 to 1
_LOOKED_AT, _TOLD = 8, 5  # entities that may be the same
_LONG_AGO = datetime.min.replace(tzinfo=UTC)


def shortest_path(graph: MemoryGraph, start: EntityName, goal: EntityName, *, past: bool = False) -> GraphPath | None:
    """The relations that lead from one entity to another, as few as there are; `None` if none do within the bounds.

    The search goes out from both ends, always from the smaller rim.
    """
    if start.id == goal.id:
        return GraphPath((start,), ())
    reached: tuple[_Reached, _Reached] = ({start.id: None}, {goal.id: None})
    rims = [[start.id], [goal.id]]
    for _ in range(MOST_STEPS):
        side = 0 if len(rims[0]) <= len(rims[1]) else 1
        # Entities that a note names together with the other rim come first: one of them mostly ends the search.
        near = graph.named_together(rims[side], rims[1 - side])
        rim = [*near, *(key for key in rims[side] if key not in set(near))]
        rims[side], met = _next_rim(graph, rim, len(near), reached[side], reached[1 - side], past=past)
        if met is not None:
            said = [*reversed(list(_steps(reached[0], met))), *_steps(reached[1], met)]
            return _path(start, graph.between(said, past=past))
        if not rims[side] or sum(map(len, reached)) > MOST_ENTITIES:
            break
    return None


def subgraph(graph: MemoryGraph, start: EntityName, *, budget: int, past: bool = False) -> Subgraph:
    """The surroundings of an entity, ring by ring: as many relations as their lines fit into a budget of tokens."""
    kept: dict[tuple[str, str, str, str], EntityRelation] = {}
    names, rim, spent = {start.id: start}, [start.id], 0
    for _ in range(MOST_RINGS):
        outer: list[str] = []
        for key in rim:
            for each in graph.neighbours(key, past=past):
                mark = (each.id, each.subject.id, each.predicate, each.object.id)
                if mark in kept:
                    continue
                cost = count_tokens(line_of(each)) + 1
                if spent + cost > budget:
                    return Subgraph(tuple(names.values()), tuple(kept.values()), spent, whole=False)
                spent, kept[mark], other = spent + cost, each, name_of(each, key)
                if other.id not in names:
                    names[other.id] = other
                    outer.append(other.id)
        rim = outer
        if not rim or len(names) > _MOST_AROUND:
            break
    return Subgraph(tuple(names.values()), tuple(kept.values()), spent, whole=not rim)


def timeline(graph: MemoryGraph, start: EntityName) -> EntityTimeline:
    """Everything that notes say of an entity, from the earliest on; what is over says until when it held."""
    told = [
        TimelineEntry(
            note.valid_from or note.occurred_at, note.valid_until, note.text, note.id, note.holds_at(graph.moment)
        )
        for note in graph.notes_about(start.id)
    ]
    return EntityTimeline(start, tuple(sorted(told, key=lambda each: (each.since or _LONG_AGO, each.note_id))))


def similar(graph: MemoryGraph, start: EntityName) -> tuple[EntityName, ...]:
    """Entities that may be the same by another name, the likeliest first. Nothing is merged by it.

    A name has to be spelled nearly so, or to go on where the other ends. Of several, those that share neighbours come
    first, then those that were seen last.
    """
    near = [
        (likeness, key) for key in graph.keys_like(start.id, limit=_CANDIDATES) if (likeness := _alike(start.id, key))
    ]
    mine = {name_of(each, start.id).id for each in graph.neighbours(start.id)} if near else set()
    scored: list[tuple[float, datetime, EntityName]] = []
    for likeness, key in sorted(near, reverse=True)[:_LOOKED_AT]:
        other = graph.entity(key)
        if other is None or other.id == start.id or _differ(other.type, start.type):
            continue
        theirs = {name_of(each, other.id).id for each in graph.neighbours(other.id)}
        scored.append((likeness + len(mine & theirs), other.last_seen or _LONG_AGO, other.ref))
    best = sorted(scored, key=lambda each: each[:2], reverse=True)
    return tuple(dict.fromkeys(ref for _, _, ref in best))[:_TOLD]


def line_of(relation: EntityRelation) -> str:
    """A relation as one line, as people read it."""
    since = f" (since {relation.valid_from.date()})" if relation.valid_from and relation.current else ""
    over = f" (until {relation.valid_to.date()})" if relation.valid_to and not relation.current else ""
    return f"{relation.subject.name} {relation.predicate} {relation.object.name}{since}{over}"


_Reached = dict[str, tuple[str, list[Triple]] | None]  # from which entity, and by what; where it began by nothing


def _next_rim(
    graph: MemoryGraph, rim: Sequence[str], near: int, reached: _Reached, goals: _Reached, *, past: bool
) -> tuple[list[str], str | None]:
    """The entities one step further out, and the first of them that the other side reached, which ends the search.

    How each was reached is written down. Some are read at a time, fewer of the first, which are `near`.
    """
    outer: list[str] = []
    prepared = 0
    for number, key in enumerate(rim):
        if number == prepared:
            prepared += _FEW if number < near else _TOGETHER
            graph.prepare(rim[number:prepared])
        for other, said in graph.beside(key, past=past).items():
            if other not in reached:
                reached[other] = key, said
                outer.append(other)
                if other in goals:
                    return outer, other
        if len(reached) > MOST_ENTITIES:
            break
    return outer, None


def _steps(reached: _Reached, key: str) -> Iterator[list[Triple]]:
    """The statements that lead from an entity back to where the search began."""
    while (step := reached[key]) is not None:
        key, said = step
        yield said


def _path(start: EntityName, steps: Sequence[EntityRelation]) -> GraphPath:
    names = [start]
    for step in steps:
        names.append(name_of(step, names[-1].id))
    return GraphPath(tuple(names), tuple(steps))


def _alike(one: str, other: str) -> float:
    """How alike two names are, from 0 to 1; 0 if they cannot mean the same, as names with different numbers."""
    if [sign for sign in one if sign.isdigit()] != [sign for sign in other if sign.isdigit()]:
        return 0.0
    longer, shorter = sorted((one.split(), other.split()), key=len, reverse=True)
    if longer[: len(shorter)] == shorter:
        return _SIMILAR
    from difflib import SequenceMatcher

    compared = SequenceMatcher(None, one, other)
    return ratio if compared.quick_ratio() >= _SIMILAR <= (ratio := compared.ratio()) else 0.0


def _differ(one: str, other: str) -> bool:
    """Whether two types speak against being the same; one that nobody told does not."""
    return one != other and EntityType.THING not in (one, other)
