"""Pure: the graph in formats that other programs read. Every text is escaped as its format wants it.

JSON has everything. GraphML is read by Gephi, yEd and networkx; Cypher by Neo4j and its relatives.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum

from recollect.domain.clock import format_time
from recollect.domain.graph.entity import Entity, EntityRelation, GraphExport
from recollect.domain.late import Late
from recollect.domain.values import to_plain

_NOT_IN_XML = Late("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_XML = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;"})
_CYPHER = str.maketrans({"\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "\t": "\\t"})
_KEYS = {
    "node": ("name", "type", "aliases", "attributes", "first_seen", "last_seen"),
    "edge": ("predicate", "valid_from", "valid_to", "current", "evidence"),
}


class GraphFormat(StrEnum):
    """A format of an exported graph."""

    JSON = "json"
    GRAPHML = "graphml"
    CYPHER = "cypher"


def exported(format: GraphFormat, entities: Sequence[Entity], relations: Sequence[EntityRelation]) -> GraphExport:
    """The whole graph as one text."""
    write: dict[GraphFormat, Callable[[Sequence[Entity], Sequence[EntityRelation]], Iterator[str]]] = {
        GraphFormat.JSON: _json,
        GraphFormat.GRAPHML: _graphml,
        GraphFormat.CYPHER: _cypher,
    }
    text = "\n".join(write[format](entities, relations))
    return GraphExport(format.value, len(entities), len(relations), text)


def _json(entities: Sequence[Entity], relations: Sequence[EntityRelation]) -> Iterator[str]:
    whole = {"entities": to_plain(list(entities)), "relations": to_plain(list(relations))}
    yield json.dumps(whole, ensure_ascii=False, indent=1)


def _graphml(entities: Sequence[Entity], relations: Sequence[EntityRelation]) -> Iterator[str]:
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">'
    for kind, names in _KEYS.items():
        for name in names:
            yield f' <key id="{kind}_{name}" for="{kind}" attr.name="{name}" attr.type="string"/>'
    yield ' <graph id="memory" edgedefault="directed">'
    for entity in entities:
        yield f'  <node id="{_xml(entity.id)}">{_data("node", _of_entity(entity))}</node>'
    for number, relation in enumerate(relations):
        ends = f'source="{_xml(relation.subject.id)}" target="{_xml(relation.object.id)}"'
        yield f'  <edge id="e{number}" {ends}>{_data("edge", _of_relation(relation))}</edge>'
    yield " </graph>"
    yield "</graphml>"


def _cypher(entities: Sequence[Entity], relations: Sequence[EntityRelation]) -> Iterator[str]:
    for entity in entities:
        told = ", ".join(f"n.{name} = {_quoted(value)}" for name, value in _of_entity(entity).items())
        yield f"MERGE (n:`Entity` {{id: {_quoted(entity.id)}}}) SET n:{_label(entity.type)}, {told};"
    for relation in relations:
        told = ", ".join(f"{name}: {_quoted(value)}" for name, value in _of_relation(relation).items())
        one, other = _quoted(relation.subject.id), _quoted(relation.object.id)
        yield (
            f"MATCH (a:`Entity` {{id: {one}}}), (b:`Entity` {{id: {other}}}) "
            f"CREATE (a)-[:{_label(relation.predicate)} {{{told}}}]->(b);"
        )


def _of_entity(entity: Entity) -> dict[str, str]:
    values = {
        "name": entity.name,
        "type": entity.type,
        "aliases": "; ".join(entity.aliases),
        "attributes": json.dumps(to_plain(entity.attributes), ensure_ascii=False) if entity.attributes else "",
        "first_seen": format_time(entity.first_seen) if entity.first_seen else "",
        "last_seen": format_time(entity.last_seen) if entity.last_seen else "",
    }
    return {name: value for name, value in values.items() if value}


def _of_relation(relation: EntityRelation) -> dict[str, str]:
    values = {
        "predicate": relation.predicate,
        "valid_from": format_time(relation.valid_from) if relation.valid_from else "",
        "valid_to": format_time(relation.valid_to) if relation.valid_to else "",
        "current": "true" if relation.current else "false",
        "evidence": " ".join(relation.evidence),
    }
    return {name: value for name, value in values.items() if value}


def _data(kind: str, values: dict[str, str]) -> str:
    return "".join(f'<data key="{kind}_{name}">{_xml(value)}</data>' for name, value in values.items())


def _xml(text: str) -> str:
    """A text as it may stand in XML; signs that no XML can hold are left out."""
    return _NOT_IN_XML.sub("", text).translate(_XML)


def _quoted(text: str) -> str:
    return f"'{text.translate(_CYPHER)}'"


def _label(text: str) -> str:
    """A name of a label or a type, in which a backtick is written twice and nothing else ends it."""
    return "`" + text.replace("\\", "\\\\").replace("`", "``") + "`"
