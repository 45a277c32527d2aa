"""Every graph begins with the same types, predicates, domains and two actors. They are read from a capsule, once."""

from __future__ import annotations

import functools
import heapq
from collections.abc import Iterator
from importlib.resources import files

from recollect.dialects.kip.nexus import (
    CONCEPT_TYPE,
    GENESIS,
    PROPOSITION_TYPE,
    Concept,
    CountedNexus,
    ListedNexus,
    Nexus,
    NexusDraft,
    NexusElement,
    Proposition,
    concept_id,
)
from recollect.dialects.kip.syntax import UpsertCommand
from recollect.dialects.kip.work_budget import WorkBudget
from recollect.domain.dataclass import replace
from recollect.domain.graph.mentions import entity_key


class NexusWithGenesis:
    """A graph, and under it what every graph begins with; what the graph has itself hides what is below."""

    def __init__(self, graph: Nexus) -> None:
        self._graph = graph

    def element(self, id: str) -> NexusElement | None:
        return self._graph.element(id) or genesis().element(id)

    def concepts(self, *, type: str | None = None, name: str | None = None) -> Iterator[Concept]:
        own = dict[str, None]()
        for each in self._graph.concepts(type=type, name=name):
            own[each.id] = None
            yield each
        for each in genesis().concepts(type=type, name=name):
            if each.id not in own:
                yield each

    def listed(self, type: str, *, after: str, at_once: int) -> Iterator[tuple[str, Concept | None]]:
        """See `ListedNexus`. Over a graph that cannot list, all concepts are read, and their ids are the places."""
        graph = self._graph
        if not isinstance(graph, ListedNexus):
            every = {each.id: each for each in self.concepts(type=type)}
            yield from ((id, every[id]) for id in sorted(every) if id > after)
            return
        below = ((entity_key(each.name), each) for each in genesis().concepts(type=type))
        hidden = sorted((place, each.id) for place, each in below if place > after and graph.element(each.id) is None)
        added = ((place, each) for place, id in hidden if isinstance(each := genesis().element(id), Concept))
        yield from heapq.merge(graph.listed(type, after=after, at_once=at_once), added, key=lambda pair: pair[0])

    def counted(self, type: str) -> Iterator[int]:
        """See `CountedNexus`. Over a graph that cannot count, all concepts are read."""
        graph = self._graph
        if isinstance(graph, CountedNexus):
            yield from graph.counted(type)
            yield from (1 for each in genesis().concepts(type=type) if graph.element(each.id) is None)
        else:
            yield from (1 for _ in self.concepts(type=type))

    def propositions(
        self, *, subject: str | None = None, predicate: str | None = None, object: str | None = None
    ) -> Iterator[Proposition]:
        yield from self._graph.propositions(subject=subject, predicate=predicate, object=object)
        yield from genesis().propositions(subject=subject, predicate=predicate, object=object)


@functools.cache
def genesis() -> NexusDraft:
    """The graph of the capsule."""
    from recollect.dialects.kip.parser import parse_command
    from recollect.dialects.kip.writer import DraftWriter

    draft = NexusDraft(new_id=_id)
    for name in (CONCEPT_TYPE, PROPOSITION_TYPE):  # the two that their own definitions need
        draft.put(Concept("", CONCEPT_TYPE, name))
    command = parse_command(files(__package__).joinpath("genesis.kip").read_text("utf-8"))
    assert isinstance(command, UpsertCommand)  # noqa: S101
    DraftWriter(draft, WorkBudget(lambda: 0.0)).write(command)
    marked = NexusDraft()
    for edit in draft.edits():
        assert edit.after is not None  # noqa: S101
        marked.keep(replace(edit.after, metadata={**edit.after.metadata, "_version": 1, GENESIS: True}))
    return marked


def _id(element: NexusElement) -> str:
    if isinstance(element, Concept):
        return concept_id(element.type, element.name)
    return f"P:genesis:{element.subject.partition(':')[2]}:{element.predicate}"
