"""Notes as a graph of entities, observations and relations, and the lines of the reference server's file.

This is the shape of the reference knowledge-graph memory server. Every note about a subject takes part, however it came
in: its subject is an entity and its text an observation. What only the graph says (of which type an entity is, which
two are related) is a note too, with a tag that tells it apart.

Its records have neither ids nor times. The id of a note is made of the words of its record, so that the same file can
be taken in twice, and what was forgotten since stays forgotten.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeAlias

from recollect.domain.answers.recollections import ImportFailure, ImportReport
from recollect.domain.clock import encode_id
from recollect.domain.dataclass import dataclass
from recollect.domain.errors import Erased, RecollectError
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


def lines_of(graph: KnowledgeGraph) -> str:
    """A graph as the lines of that server's file: entities first, each record on a line of its own."""
    records: list[dict[str, Any]] = [
        {"type": "entity", "name": node.name, "entityType": node.type, "observations": list(node.observations)}
        for node in graph.nodes
    ]
    records += [
        {"type": "relation", "from": edge.source, "to": edge.target, "relationType": edge.kind} for edge in graph.edges
    ]
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


_TYPES = ("entity", "relation")
_PERHAPS = re.compile(r'"type"\s*:\s*"(?:entity|relation)"')
_CHANCE_BITS = 80  # of an id; the others are a time, and these records have none

TakeIn: TypeAlias = Callable[[dict[str, Any], str], bool]
Numbered: TypeAlias = list[tuple[int, dict[str, Any]]]


def parted(lines: Sequence[str], first_line: int) -> tuple[list[str], Numbered]:
    """Our own lines, each in its place, and the records of a graph with the numbers of their lines."""
    own: list[str] = []
    graph: Numbered = []
    for number, line in enumerate(lines, start=first_line):
        record = _record(line) if _PERHAPS.search(line) else None
        if record is not None:
            graph.append((number, record))
        own.append(line if record is None else "")  # an empty line counts, so that the numbers stay right
    return own, graph


def import_graph(records: Numbered, take_in: TakeIn) -> ImportReport:
    """Take records in, note by note. A broken one is reported, and the others still come in."""
    imported = unchanged = erased = 0
    failures: list[ImportFailure] = []
    for number, record in records:
        try:
            notes = list(fields_in(record))
        except ValueError as problem:
            failures.append(ImportFailure(number, "invalid_record", f"This record is not whole: {problem}."))
            continue
        for fields in notes:
            try:
                if take_in(fields, _id_of(fields)):
                    imported += 1
                else:
                    unchanged += 1
            except Erased:
                erased += 1
            except RecollectError as problem:
                if problem.retryable:
                    raise
                failures.append(ImportFailure(number, problem.code, problem.message))
    return ImportReport(imported, unchanged, erased, tuple(failures))


def merged(one: ImportReport, other: ImportReport) -> ImportReport:
    """Both reports as one."""
    return ImportReport(
        one.imported + other.imported,
        one.unchanged + other.unchanged,
        one.erased + other.erased,
        tuple(sorted((*one.failures, *other.failures), key=lambda failure: failure.line)),
    )


def _record(line: str) -> dict[str, Any] | None:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) and found.get("type") in _TYPES else None


def _id_of(fields: dict[str, Any]) -> str:
    words = json.dumps(fields, sort_keys=True).encode("utf-8", "surrogatepass")
    return encode_id(int.from_bytes(hashlib.sha256(words).digest(), "big") >> (256 - _CHANCE_BITS))
