"""Walks over the graph: the shortest path, what is around an entity, its times, and who may be the same.

Every walk is bounded by how many entities it comes by. A path leaves tags out, since they tie together what has nothing
to do with each other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import pairwise

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
_MOST_TRIES = 20  # paths of which the notes do not state a step: mostly none
_MOST_STATED = 2_000  # steps whose notes one walk reads
_AT_A_TIME = 24  # entities whose neighbours are looked up together: more are gone in vain, fewer take more statements
MOST_RINGS = 4  # around an entity
_MOST_AROUND = 200  # entities of one subgraph
_CANDIDATES = 200  # names that are compared
_SIMILAR = 0.84  # of two spellings, from 0 to 1
_LOOKED_AT, _TOLD = 8, 5  # entities that may be the same
_LONG_AGO = datetime.min.replace(tzinfo=UTC)


def shortest_path(graph: MemoryGraph, start: EntityName, goal: EntityName, *, past: bool = False) -> GraphPath | None:
    """The relations that lead from one entity to another, as few as there are; `None` if none do within the bounds.

    The index alone tells where a path may be, and only the notes along it are read. A step that they do not state is
    left out, and the search begins again with what the index told; after some of these it reads the notes of each step.
    """
    if start.id == goal.id:
        return GraphPath((start,), ())
    walk = _IndexWalk(graph, past=past)
    for tries in range(_MOST_TRIES + 1):
        keys = walk.met(start.id, goal.id, surely=tries == _MOST_TRIES)
        if keys is None:
            return None
        steps = walk.all_stated(keys)
        if all(steps):
            return _path(start, graph.between(steps, past=past))
        if walk.is_spent:
            return None
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


class _End:
    """One end of a search: the entities reached from it, each with those a step led from, and those to go on from.

    Of those that were reached last, `open`, nobody has looked yet whether the notes of the step count.
    """

    def __init__(self, key: str) -> None:
        self.reached: dict[str, list[str]] = {key: []}
        self.rim, self.open = [key], set[str]()

    def back(self, key: str) -> Iterator[str]:
        """The entities from one back to where the search began."""
        yield key
        while self.reached[key]:
            key = self.reached[key][0]
            yield key


class _IndexWalk:
    """A search from both ends by the index of names, which remembers what it was told and what notes state."""

    def __init__(self, graph: MemoryGraph, *, past: bool) -> None:
        self._graph, self._past = graph, past
        self._beside: dict[str, dict[str, list[str]]] = {}  # of an entity others, each with notes that may state it
        self._counts: dict[str, bool] = {}  # of a note, whether it holds
        self._stated: dict[frozenset[str], list[Triple]] = {}

    def met(self, start: str, goal: str, *, surely: bool) -> list[str] | None:
        """The entities along a shortest path that the index has; `None` if there is none within the bounds.

        The search goes on from the end with the smaller rim, some entities at a time, and is over with the first step
        to one that the other end has reached. Whether notes count is asked of a rim before the search goes on from it,
        so never of the widest ones. `surely` goes only steps that notes state; of the last one it is asked anyhow.
        """
        ends = (_End(start), _End(goal))
        for _ in range(MOST_STEPS):
            # An end of very many notes may see no way out that the other end sees in.
            mine = next((end for end in sorted(ends, key=lambda end: len(end.rim)) if self._sifted(end)), None)
            if mine is None or _is_full(*ends):
                break
            theirs, rim = ends[mine is ends[0]], mine.rim
            mine.rim = []
            for key, other in self._steps(rim):
                if other in theirs.reached and self._is_reached(theirs, other):
                    if self.stated(key, other):
                        one, two = (key, other) if mine is ends[0] else (other, key)
                        return [*reversed(list(ends[0].back(one))), *ends[1].back(two)]
                elif other in mine.reached:
                    if other in mine.open and self._is_open(key, other, surely=surely):
                        mine.reached[other].append(key)
                elif self._has_room(mine, theirs) and self._is_open(key, other, surely=surely):
                    mine.reached[other] = [key]
                    mine.open.add(other)
                    mine.rim.append(other)
        return None

    @property
    def is_spent(self) -> bool:
        """Whether the notes of as many steps were read as one walk may."""
        return len(self._stated) >= _MOST_STATED

    def all_stated(self, keys: Sequence[str]) -> list[list[Triple]]:
        """The statements of notes for each step along some entities, which are read together."""
        self._graph.read([each for key, other in pairwise(keys) for each in next(self._telling(key, other))])
        return [self.stated(key, other) for key, other in pairwise(keys)]

    def stated(self, key: str, other: str) -> list[Triple]:
        """The statements of notes for a step; where there are none, or it is one too many, it is not gone again."""
        ends = frozenset((key, other))
        if ends not in self._stated and not self.is_spent:
            found = (self._graph.stated(key, other, some, past=self._past) for some in self._telling(key, other))
            self._stated[ends] = next(filter(None, found), [])
        return self._stated.get(ends, [])

    def _telling(self, key: str, other: str) -> Iterator[list[str]]:
        """The notes that may state a step, as one end has them, and then the other."""
        for one, far in sorted(((key, other), (other, key)), key=lambda ends: ends[0] not in self._beside):
            self._look([one])
            yield self._counting(self._beside[one].get(far, []))

    def _steps(self, rim: Sequence[str]) -> Iterator[tuple[str, str]]:
        """The steps on from some entities, which are looked up a few at a time: the search may end with any step."""
        for start in range(0, len(rim), _AT_A_TIME):
            some = rim[start : start + _AT_A_TIME]
            self._look(some)
            for key in some:
                for other in self._beside[key]:
                    yield key, other

    def _look(self, keys: Sequence[str]) -> None:
        unknown = [key for key in keys if key not in self._beside]
        self._beside.update(self._graph.likely_beside(unknown, past=self._past) if unknown else {})

    def _sifted(self, end: _End) -> list[str]:
        """The rim of an end without those to which no note leads that counts."""
        self._sift(end, end.open)
        return end.rim

    def _is_reached(self, end: _End, key: str) -> bool:
        self._sift(end, end.open & {key})
        return key in end.reached

    def _has_room(self, mine: _End, theirs: _End) -> bool:
        """Whether another entity may be come by; those to which no note leads that counts take no place."""
        if not _is_full(mine, theirs):
            return True
        self._sift(mine, mine.open)
        return not _is_full(mine, theirs)

    def _sift(self, end: _End, keys: set[str]) -> None:
        if not keys:
            return
        steps = {key: {one: self._beside[one][key] for one in end.reached[key]} for key in keys}
        self._counting([each for led in steps.values() for some in led.values() for each in some])
        for key, led in steps.items():
            end.reached[key] = [one for one, some in led.items() if any(map(self._counts.get, some))]
            if not end.reached[key]:
                del end.reached[key]
        end.open = end.open - keys
        end.rim = [key for key in end.rim if key in end.reached]

    def _counting(self, note_ids: Sequence[str]) -> list[str]:
        """Those of some notes that count, in their order."""
        unknown = [each for each in note_ids if each not in self._counts]
        if unknown:
            held = self._graph.counting(unknown, past=self._past)
            self._counts.update((each, each in held) for each in unknown)
        return [each for each in note_ids if self._counts[each]]

    def _is_open(self, key: str, other: str, *, surely: bool) -> bool:
        """Whether a step may be gone: it was not found to be unstated."""
        if surely or self._stated:
            return bool(self.stated(key, other) if surely else self._stated.get(frozenset((key, other)), True))
        return True


def _is_full(one: _End, other: _End) -> bool:
    return len(one.reached) + len(other.reached) >= MOST_ENTITIES


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
