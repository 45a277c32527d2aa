"""The nine tools of the reference knowledge-graph memory server, by their names and shapes, on notes of ours.

Whoever used that server changes a command and keeps their habits. What they write can be searched, dated and traced
like everything else, and what was remembered through other doors is in their graph.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, TypeVar

from recollect.dialects.pages import every
from recollect.dialects.server_memory.graph import (
    ENTITY,
    RELATION,
    UNTYPED,
    Edge,
    KnowledgeGraph,
    Node,
    entity_fields,
    graph_of,
    lines_of,
    observation_fields,
    relation_fields,
)
from recollect.dialects.table import Asked, Dialect, DialectPath, Reply, SpaceRule
from recollect.dialects.text_tables import tools_in
from recollect.dialects.tool import Doer, Tool, ToolAnswer, Work
from recollect.domain.errors import InvalidInput, NotFound
from recollect.domain.notes import Note

T = TypeVar("T")

_ONE_BY_ONE = 50  # entities that are looked up by name; for more it is quicker to read everything once


def graph_in(doer: Doer) -> KnowledgeGraph:
    """The graph of everything in the caller's space that holds now."""
    return graph_of(_notes(doer))


def graph_about(doer: Doer, names: Iterable[str], *, related: bool = False) -> KnowledgeGraph:
    """The part of `graph_in` with these entities and relations from them, and with `related` those to them.
    Nothing else is read, unless there are many names."""
    wanted = {name for name in names if name.strip()}
    if len(wanted) > _ONE_BY_ONE:
        return graph_in(doer)
    found: dict[str, Note] = {}
    for name in sorted(wanted):
        try:
            found |= {note.id: note for note in _notes(doer, subject=name)}
        except InvalidInput:  # no entity can have such a name
            continue
    if related:
        found |= {note.id: note for note in _notes(doer, tag=RELATION)}
    return graph_of(found.values())


def plain_graph(graph: KnowledgeGraph) -> dict[str, Any]:
    """A graph as that server writes it."""
    return {"entities": [_plain_node(node) for node in graph.nodes], "relations": [_plain_edge(e) for e in graph.edges]}


@cache
def graph_tools() -> tuple[Tool, ...]:
    """All nine, in the order of that server, from `tools.json`. It ignores unknown fields, and so do we here."""
    return tools_in(__package__ or "", sys.modules[__name__], answered=lambda told, _: told)


# -- writing -----------------------------------------------------------------------------------------------------------


def _listing(name: str, make: Callable[[Doer, dict[str, Any]], list[dict[str, Any]]]) -> Work:
    """A tool that answers with a list: under its name for programs, bare in the text, as that server does."""

    def work(doer: Doer, arguments: dict[str, Any]) -> ToolAnswer:
        made = make(doer, arguments)
        return ToolAnswer({name: made}, _pretty(made))

    return work


def _create_entities(doer: Doer, arguments: dict[str, Any]) -> list[dict[str, Any]]:
    asked = [_entity(each) for each in _given(arguments, "entities", list)]
    known = {node.name: node for node in graph_about(doer, (node.name for node in asked)).nodes}
    # What only other doors have spoken of has no type yet, and gets one.
    new = [node for node in asked if node.name not in known or known[node.name].type == UNTYPED]
    for node in new:
        told = known[node.name].observations if node.name in known else ()
        doer.do("save", _sendable(entity_fields(node.name, node.type)))
        for text in node.observations:
            if text not in told:
                doer.do("save", observation_fields(node.name, text))
    return [_plain_node(node) for node in new]


def _create_relations(doer: Doer, arguments: dict[str, Any]) -> list[dict[str, Any]]:
    asked = [_relation(each) for each in _given(arguments, "relations", list)]
    there = graph_about(doer, (edge.source for edge in asked))
    known = {(edge.source, edge.kind, edge.target) for edge in there.edges}
    new = [edge for edge in asked if (edge.source, edge.kind, edge.target) not in known]
    for edge in new:
        doer.do("save", _sendable(relation_fields(edge.source, edge.kind, edge.target)))
    return [_plain_edge(edge) for edge in new]


def _add_observations(doer: Doer, arguments: dict[str, Any]) -> list[dict[str, Any]]:
    asked = [
        (_given(each, "entityName", str), _texts(each, "contents")) for each in _given(arguments, "observations", list)
    ]
    known = {node.name: node.observations for node in graph_about(doer, (name for name, _ in asked)).nodes}
    for name, _ in asked:
        if name not in known:
            raise NotFound(
                f"Entity with name {name[:200]} not found", code="entity_not_found", hint="`create_entities` makes it."
            )
    results = []
    for name, texts in asked:
        new = [text for text in dict.fromkeys(texts) if text not in known[name]]
        for text in new:
            doer.do("save", observation_fields(name, text))
        results.append({"entityName": name, "addedObservations": new})
    return results


# -- erasing -----------------------------------------------------------------------------------------------------------


def _deleting(what: str, doomed: Callable[[Doer, dict[str, Any]], Iterator[str]]) -> Work:
    def work(doer: Doer, arguments: dict[str, Any]) -> ToolAnswer:
        for note_id in dict.fromkeys(list(doomed(doer, arguments))):
            doer.do("forget", {"note_id": note_id})
        message = f"{what} deleted successfully"
        return ToolAnswer({"success": True, "message": message}, message)

    return work


def _delete_entities(doer: Doer, arguments: dict[str, Any]) -> Iterator[str]:
    names = set(_texts(arguments, "entityNames"))
    graph = graph_about(doer, names, related=True)
    for node in graph.nodes:
        if node.name in names:
            yield from node.note_ids
    for edge in graph.edges:
        if edge.source in names or edge.target in names:
            yield from edge.note_ids


def _delete_observations(doer: Doer, arguments: dict[str, Any]) -> Iterator[str]:
    for each in _given(arguments, "deletions", list):
        name, texts = _given(each, "entityName", str), set(_texts(each, "observations"))
        yield from (note.id for note in _notes(doer, subject=name) if note.text in texts and not _is_marked(note))


def _delete_relations(doer: Doer, arguments: dict[str, Any]) -> Iterator[str]:
    asked = {(edge.source, edge.kind, edge.target) for edge in map(_relation, _given(arguments, "relations", list))}
    for edge in graph_about(doer, (source for source, _, _ in asked)).edges:
        if (edge.source, edge.kind, edge.target) in asked:
            yield from edge.note_ids


# -- looking -----------------------------------------------------------------------------------------------------------


def _seeing(chosen: Callable[[Doer, dict[str, Any]], KnowledgeGraph]) -> Work:
    def work(doer: Doer, arguments: dict[str, Any]) -> ToolAnswer:
        plain = plain_graph(chosen(doer, arguments))
        return ToolAnswer(plain, _pretty(plain))

    return work


def _searched(doer: Doer, arguments: dict[str, Any]) -> KnowledgeGraph:
    """That server looks for the query anywhere within a text, which no index answers."""
    wanted = _given(arguments, "query", str).lower()
    graph = graph_in(doer)
    return _around(
        graph,
        {
            node.name
            for node in graph.nodes
            if any(wanted in text.lower() for text in (node.name, node.type, *node.observations))
        },
    )


def _opened(doer: Doer, arguments: dict[str, Any]) -> KnowledgeGraph:
    names = set(_texts(arguments, "names"))
    graph = graph_about(doer, names, related=True)
    return _around(graph, names & {node.name for node in graph.nodes})


def _around(graph: KnowledgeGraph, names: set[str]) -> KnowledgeGraph:
    """These entities, and every relation that begins or ends at one of them."""
    return KnowledgeGraph(
        tuple(node for node in graph.nodes if node.name in names),
        tuple(edge for edge in graph.edges if edge.source in names or edge.target in names),
    )


# -- reading what was sent ---------------------------------------------------------------------------------------------


def _entity(given: Any) -> Node:
    return Node(_given(given, "name", str), _given(given, "entityType", str), tuple(_texts(given, "observations")))


def _relation(given: Any) -> Edge:
    return Edge(_given(given, "from", str), _given(given, "relationType", str), _given(given, "to", str))


def _texts(given: Any, name: str) -> list[str]:
    found = _given(given, name, list)
    if not all(isinstance(each, str) for each in found):
        raise InvalidInput(f"`{name}` must be a list of texts.", code="invalid_field")
    return found


def _given(given: Any, name: str, kind: type[T]) -> T:
    if not isinstance(given, Mapping) or name not in given:
        raise InvalidInput(f"`{name}` is missing.", code="field_missing")
    found = given[name]
    if not isinstance(found, kind):
        raise InvalidInput(f"`{name}` must be a {'list' if kind is list else 'text'}.", code="invalid_field")
    return found


def _notes(doer: Doer, **which: str) -> list[Note]:
    """Every note that holds, of a space that may not be there yet."""
    try:
        return list(every(doer, "list", which))
    except NotFound:
        return []


def _is_marked(note: Note) -> bool:
    return ENTITY in note.tags or RELATION in note.tags


def _sendable(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: list(value) if isinstance(value, tuple) else value for name, value in fields.items()}


def _plain_node(node: Node) -> dict[str, Any]:
    return {"name": node.name, "entityType": node.type, "observations": list(node.observations)}


def _plain_edge(edge: Edge) -> dict[str, Any]:
    return {"from": edge.source, "to": edge.target, "relationType": edge.kind}


def _pretty(plain: Sequence[Any] | Mapping[str, Any]) -> str:
    return json.dumps(plain, ensure_ascii=False, indent=2)


# The functions that `tools.json` names.
create_entities = _listing("entities", _create_entities)
create_relations = _listing("relations", _create_relations)
add_observations = _listing("results", _add_observations)
delete_entities = _deleting("Entities", _delete_entities)
delete_observations = _deleting("Observations", _delete_observations)
delete_relations = _deleting("Relations", _delete_relations)
read_graph = _seeing(lambda doer, _: graph_in(doer))
search_nodes = _seeing(_searched)
open_nodes = _seeing(_opened)

_LINES = "application/x-ndjson"


def _file(doer: Doer, _: Asked) -> Any:
    return Reply(lines_of(graph_in(doer)), says=_LINES)


DIALECT = Dialect(
    "server-memory", (DialectPath("GET", "/server-memory/memory.jsonl", "list", SpaceRule.TOKEN, _file, says=_LINES),)
)
