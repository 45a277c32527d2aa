"""The graph for people: an entity with its relations, a path, a timeline, groups, and an export as it is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any

from recollect.domain.graph.entity import (
    Centrality,
    Communities,
    Entity,
    EntityRelation,
    EntityTimeline,
    GraphExport,
    GraphPath,
    Neighbourhood,
    Subgraph,
)
from recollect.domain.notes import Note
from recollect.surfaces.cli.terminal import Terminal, inert, table, wrap

_HEADINGS = ["subject", "predicate", "object", "since", "until", "evidence"]
_EVIDENCE = 3  # ids on one line


def told_of_graph(verb: str, result: Any, terminal: Terminal) -> tuple[Iterable[str], Iterable[str]]:
    """The answer of a verb about the graph, as lines and asides."""
    match result:
        case Neighbourhood():
            lines = [*_about(result.entity, terminal), "", *_relations(result.relations, terminal)]
            near = ", ".join(each.name for each in result.similar)
            return lines, [inert(f"May be the same: {near}. `recollect graph merge` says so.")] if near else ()
        case GraphPath():
            chain = " -> ".join(each.name for each in result.entities)
            return [*wrap(inert(chain), terminal.width), *_relations(result.relations, terminal)], ()
        case Subgraph():
            cost = f"{len(result.entities):,} entities, {len(result.relations):,} relations, {result.tokens:,} tokens."
            more = () if result.whole else ("There is more: a larger `--budget` shows it.",)
            return _relations(result.relations, terminal), (cost, *more)
        case EntityTimeline():
            rows = [[_day(each.since), _day(each.until), each.note_id, each.text] for each in result.entries]
            return table(["since", "until", "note", "text"], rows, terminal), ()
        case GraphExport():
            return result.text.split("\n"), ()
        case Note():
            done = "was taken back" if verb == "graph.split" else "was noted"
            return wrap(inert(f"It {done} (note {result.id}): {result.text}"), terminal.width), ()
        case Communities() | Centrality():
            rows = _standing(result)
            headings = ["entities", "names"] if isinstance(result, Communities) else ["score", "type", "name"]
            return table(headings, rows, terminal) if rows else (), () if rows else (
                "No two entities are related yet.",
            )
        case _:
            return _entities(result.items, terminal)


def _standing(result: Communities | Centrality) -> list[list[str]]:
    if isinstance(result, Communities):
        return [[f"{len(group):,}", ", ".join(each.name for each in group)] for group in result.groups]
    return [[f"{each.score:.3f}", each.entity.type, each.entity.name] for each in result.entities]


def _about(entity: Entity, terminal: Terminal) -> Iterator[str]:
    also = f", also {', '.join(entity.aliases)}" if entity.aliases else ""
    yield from wrap(inert(f"{entity.name} ({entity.type}){also}"), terminal.width)
    for attribute, values in entity.attributes.items():
        yield from wrap(inert(f"  {attribute}: {', '.join(values)}"), terminal.width)
    seen = f"  seen {_day(entity.first_seen)} to {_day(entity.last_seen)} in {len(entity.note_ids):,} notes"
    yield f"{seen}, and more" if entity.partial else seen


def _relations(relations: Sequence[EntityRelation], terminal: Terminal) -> list[str]:
    rows = [
        [
            each.subject.name,
            each.predicate,
            each.object.name,
            _day(each.valid_from),
            _day(each.valid_to),
            " ".join(each.evidence[-_EVIDENCE:]) + (" (to be looked at)" if each.review else ""),
        ]
        for each in relations
    ]
    return table(_HEADINGS, rows, terminal) if rows else []


def _entities(entities: Sequence[Entity], terminal: Terminal) -> tuple[Iterable[str], Iterable[str]]:
    rows = [[each.type, _day(each.last_seen), f"{len(each.note_ids):,}", each.name] for each in entities]
    asides = () if rows else ("Nobody and nothing is known by name yet.",)
    return table(["type", "seen", "notes", "name"], rows, terminal) if rows else (), asides


def _day(moment: datetime | None) -> str:
    return f"{moment:%Y-%m-%d}" if moment else ""
