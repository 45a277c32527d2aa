"""Pure: notes as a graph of entities with observations and relations between them, and such records as notes.

This is the shape of the reference knowledge-graph memory server. Every note about a subject takes part, however it came
in: its subject is an entity and its text an observation. What only the graph says (of which type an entity is, which
two are related) is a note too, with a tag that tells it apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from recollect.domain.dataclass import dataclass
from recollect.domain.notes import Note

ENTITY, RELATION = "entity", "relation"  # tags
UNTYPED = "unknown"  # the type of an entity that nobody has given one
_TYPE = "type"


@dataclass(frozen=True, slots=True)
class Node:
    """An entity with what was observed of it, and the notes that say so."""

    name: str
    type: str
    observations: tuple[str, ...]
    note_ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Edge:
    """A relation in active voice: who, what, whom."""

    source: str
    kind: str
    target: str
    note_ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class KnowledgeGraph:
    """Entities and relations in the order in which they were first written down."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]


def graph_of(notes: Iterable[Note]) -> KnowledgeGraph:
    """The graph that notes make, whatever their order. What is said twice is in it once, with both notes."""
    types: dict[str, str] = {}
    said: dict[str, dict[str, None]] = {}
    backed: dict[str, list[str]] = {}
    edges: dict[tuple[str, str, str], list[str]] = {}
    for note in sorted(notes, key=lambda note: (note.recorded_at, note.id)):
        if not note.subject:
            continue
        if RELATION in note.tags and note.attribute and note.value:
            edges.setdefault((note.subject, note.attribute, note.value), []).append(note.id)
            continue
        said.setdefault(note.subject, {})
        backed.setdefault(note.subject, []).append(note.id)
        if ENTITY in note.tags and note.attribute == _TYPE:
            types[note.subject] = note.value or UNTYPED
        else:
            said[note.subject][note.text] = None
    nodes = (Node(name, types.get(name, UNTYPED), tuple(told), tuple(backed[name])) for name, told in said.items())
    return KnowledgeGraph(tuple(nodes), tuple(Edge(*triple, tuple(ids)) for triple, ids in edges.items()))


def entity_fields(name: str, type_: str) -> dict[str, Any]:
    """The fields of the note that gives an entity its type."""
    return {"text": f"{name} ({type_})", "subject": name, "attribute": _TYPE, "value": type_, "tags": (ENTITY,)}


def observation_fields(name: str, text: str) -> dict[str, Any]:
    """The fields of the note that holds one observation."""
    return {"text": text, "subject": name}


def relation_fields(source: str, kind: str, target: str) -> dict[str, Any]:
    """The fields of the note that relates two entities."""
    text = f"{source} {kind} {target}"
    return {"text": text, "subject": source, "attribute": kind, "value": target, "tags": (RELATION,)}


def fields_in(record: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The notes that one line of the server's file stands for; `ValueError` if it is not such a line."""
    match record:
        case {"type": "entity", "name": str(name), "entityType": str(type_), "observations": [*texts]}:
            if not all(isinstance(text, str) for text in texts):
                raise ValueError("an observation is not text")
            yield entity_fields(name, type_)
            yield from (observation_fields(name, text) for text in dict.fromkeys(texts))
        case {"type": "relation", "from": str(source), "to": str(target), "relationType": str(kind)}:
            yield relation_fields(source, kind, target)
        case _:
            raise ValueError("it is neither an entity nor a relation")
