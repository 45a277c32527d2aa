"""Verbs about the graph: who and what memory knows, how they relate, since when, and which names mean the same.

The graph is read from notes. A merge, an alias and a split are notes too: recorded, dated, reversible and forgotten as
any other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.codecs.cursors import decode_cursor, encode_cursor
from recollect.domain.errors import InvalidInput, NotFound
from recollect.domain.notes import Note
from recollect.domain.selections import Page
from recollect.domain.values import choice
from recollect.operations import Effect
from recollect.redaction.clean_records import checked_name
from recollect.remember import decisions
from recollect.remember.fields import checked_fields
from recollect.verbs.actor import Acting, Moment, checked_limit, moment, operation
from recollect.verbs.writing import Writing

if TYPE_CHECKING:
    from recollect.domain.graph.entity import (
        Centrality,
        Communities,
        Entity,
        EntityTimeline,
        GraphExport,
        GraphPath,
        Neighbourhood,
        Subgraph,
    )
    from recollect.graph.memory_graph import MemoryGraph

DEFAULT_AROUND = 1000  # tokens
_MOST_AROUND = 100_000


class GraphReading(Acting):
    """The graph of a space, for the chapters that read it."""

    def _graph(self, space: str, as_of: Moment | None = None, known_at: Moment | None = None) -> MemoryGraph:
        from recollect.graph.memory_graph import MemoryGraph

        engine = self._engine
        return MemoryGraph(
            engine.store,
            engine.entities,
            space,
            now=engine.clock.now(),
            as_of=moment(as_of, "as_of"),
            known_at=moment(known_at, "known_at"),
        )

    def _entity(self, graph: MemoryGraph, name: str) -> Entity:
        """The entity that a name means; `entity_not_found` with the names that come nearest, if there is none."""
        given = checked_name(name, field="entity")
        found = graph.entity(given) if given else None
        if found is not None:
            return found
        near = graph.keys_like(given.casefold(), limit=5) if given else ()
        raise NotFound(
            f"Nothing is known of `{(given or '')[:60]}`.",
            code="entity_not_found",
            hint=f"Did you mean {', '.join(near)}?" if near else "`recollect graph list` shows whom and what is known.",
        )


class GraphVerbs(GraphReading, Writing):
    """The graph: show, list, path, around, timeline, communities, central, export, alias, merge, split."""

    @operation(Effect.READ, name="graph.show", for_agents=True)
    def graph_show(
        self,
        entity: str,
        *,
        ended: bool = False,
        as_of: Moment | None = None,
        known_at: Moment | None = None,
        space: str | None = None,
    ) -> Neighbourhood:
        """Show what is known of somebody or something: attributes, relations, since when, and by which notes.

        Names that may mean the same are told beside it; `graph.merge` says that they do.
        """
        from recollect.domain.graph.entity import Neighbourhood
        from recollect.graph.walks import similar

        name = self._readable(space)
        with self._engine.store.reading(name):
            graph = self._graph(name, as_of, known_at)
            found = self._entity(graph, entity)
            near = graph.neighbours(found.id, past=ended)
            return Neighbourhood(found, tuple(near), similar(graph, found.ref))

    @operation(Effect.READ, name="graph.list")
    def graph_list(
        self,
        *,
        type: str | None = None,
        limit: int = 50,
        cursor: str | None = None,
        as_of: Moment | None = None,
        known_at: Moment | None = None,
        space: str | None = None,
    ) -> Page[Entity]:
        """List entities by their names, with their types, attributes and when they were seen."""
        name, size, kind = self._readable(space), checked_limit(limit), checked_name(type, field="type")
        mark = ("graph.list", name, kind or "", str(as_of or ""), str(known_at or ""))
        after = decode_cursor(cursor, of=mark, like="") if cursor else ""
        with self._engine.store.reading(name):
            page = self._graph(name, as_of, known_at).entities(type=kind, after=after, limit=size)
        return Page(page.items, encode_cursor(page.next_cursor, of=mark) if page.next_cursor else None)

    @operation(Effect.READ, name="graph.path", for_agents=True)
    def graph_path(
        self,
        entity: str,
        other: str,
        *,
        ended: bool = False,
        as_of: Moment | None = None,
        known_at: Moment | None = None,
        space: str | None = None,
    ) -> GraphPath:
        """Find how two entities are related: the shortest chain of relations between them, with its evidence."""
        from recollect.graph.walks import shortest_path

        name = self._readable(space)
        with self._engine.store.reading(name):
            graph = self._graph(name, as_of, known_at)
            start, goal = self._entity(graph, entity), self._entity(graph, other)
            found = shortest_path(graph, start.ref, goal.ref, past=ended)
        if found is None:
            raise NotFound(
                f"No chain of relations leads from {start.name} to {goal.name}.",
                code="path_not_found",
                hint="With `ended` relations count that no longer hold.",
            )
        return found

    @operation(Effect.READ, name="graph.around", for_agents=True)
    def graph_around(
        self,
        entity: str,
        *,
        budget: int = DEFAULT_AROUND,
        ended: bool = False,
        as_of: Moment | None = None,
        known_at: Moment | None = None,
        space: str | None = None,
    ) -> Subgraph:
        """Show the part of the graph around an entity, ring by ring, as much as fits into a budget of tokens."""
        from recollect.graph.walks import subgraph

        if isinstance(budget, bool) or not isinstance(budget, int) or not 1 <= budget <= _MOST_AROUND:
            raise InvalidInput(
                f"`budget` is {budget!r}; it must be a whole number from 1 to {_MOST_AROUND}.", code="invalid_number"
            )
        name = self._readable(space)
        with self._engine.store.reading(name):
            graph = self._graph(name, as_of, known_at)
            return subgraph(graph, self._entity(graph, entity).ref, budget=budget, past=ended)

    @operation(Effect.READ, name="graph.timeline", for_agents=True)
    def graph_timeline(
        self,
        entity: str,
        *,
        as_of: Moment | None = None,
        known_at: Moment | None = None,
        space: str | None = None,
    ) -> EntityTimeline:
        """Tell what happened around an entity, from the earliest on, with what is over and until when it held."""
        from recollect.graph.walks import timeline

        name = self._readable(space)
        with self._engine.store.reading(name):
            graph = self._graph(name, as_of, known_at)
            return timeline(graph, self._entity(graph, entity).ref)

    @operation(Effect.READ, name="graph.communities")
    def graph_communities(
        self,
        *,
        limit: int = 10,
        as_of: Moment | None = None,
        known_at: Moment | None = None,
        space: str | None = None,
    ) -> Communities:
        """Find groups of entities that have more to do with each other than with others, the largest first."""
        from recollect.graph.analysis import communities

        name, size = self._readable(space), checked_limit(limit)
        return communities(*self._graph(name, as_of, known_at).everything(), limit=size)

    @operation(Effect.READ, name="graph.central")
    def graph_central(
        self,
        *,
        limit: int = 10,
        as_of: Moment | None = None,
        known_at: Moment | None = None,
        space: str | None = None,
    ) -> Centrality:
        """Find the entities that most of the graph hangs on, the first of them first."""
        from recollect.graph.analysis import centrality

        name, size = self._readable(space), checked_limit(limit)
        return centrality(*self._graph(name, as_of, known_at).everything(), limit=size)

    @operation(Effect.READ, name="graph.export")
    def graph_export(
        self,
        *,
        format: str = "json",
        as_of: Moment | None = None,
        known_at: Moment | None = None,
        space: str | None = None,
    ) -> GraphExport:
        """Write the whole graph in a format that other programs read: json, graphml or cypher."""
        from recollect.graph.exchange import GraphFormat, exported

        name, wanted = self._readable(space), choice(GraphFormat, format, field="format")
        return exported(wanted, *self._graph(name, as_of, known_at).everything())

    @operation(Effect.WRITE, name="graph.alias")
    def graph_alias(self, entity: str, alias: str, *, space: str | None = None) -> Note:
        """Say that an entity is also called so. It is found by that name from then on."""
        return self._join("graph.alias", entity, checked_name(alias, field="alias"), space)

    @operation(Effect.WRITE, name="graph.merge")
    def graph_merge(self, entity: str, other: str, *, space: str | None = None) -> Note:
        """Say that two names mean one entity: all of the other is told of the first, until `graph.split`."""
        self._entity(self._graph(self._known(space)), other)
        return self._join("graph.merge", entity, checked_name(other, field="other"), space)

    @operation(Effect.WRITE, name="graph.split")
    def graph_split(self, entity: str, other: str, *, space: str | None = None) -> Note:
        """Say that two names do not mean one entity: the merge or the alias that said so is retracted."""
        from recollect.graph.identity import notes_joining

        name = self._known(space)
        graph = self._graph(name)
        known = self._entity(graph, entity)
        joining = notes_joining(graph, known, other)
        if not joining:
            raise NotFound(
                f"Nobody said that {known.name} and `{other[:60]}` are the same.",
                code="merge_not_found",
                hint="`recollect graph show` tells the other names of an entity.",
            )
        split = [
            self._revise(
                "graph.split",
                name,
                note.id,
                lambda occasion, known: decisions.retract(occasion, known, "split"),
                asked={"other": other},
                expected_version=None,
            )
            for note in joining
        ]
        return split[0]

    def _join(self, verb: str, entity: str, other: str | None, space: str | None) -> Note:
        """Save the note that says that a name means an entity; the one that says so already, if there is one."""
        from recollect.graph.identity import fields_joining, notes_joining

        name = self._known(space)
        graph = self._graph(name)
        known = self._entity(graph, entity)
        fields = checked_fields(fields_joining(known, other, alias=verb == "graph.alias"), required=("text",))
        for note in notes_joining(graph, known, fields["value"]):
            return note
        return self._write(
            verb, name, lambda: decisions.save(self._occasion(name), fields, (), ()), asked=fields, key=None
        )
