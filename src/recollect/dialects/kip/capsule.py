"""EXPORT: elements as an UPSERT command that makes them anew on any graph that has their types."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from recollect.dialects.kip.errors import EXHAUSTED, KipError
from recollect.dialects.kip.nexus import Concept, Nexus, NexusElement, Proposition, authored
from recollect.dialects.kip.token_stream import MOST_CHARACTERS


def capsule_of(elements: Iterable[NexusElement], nexus: Nexus) -> dict[str, Any]:
    """The command, and how many concepts and propositions it holds. Links come after whatever they join."""
    listed = {each.id: each for each in elements}
    concepts = [each for each in listed.values() if isinstance(each, Concept)]
    links = _in_order([each for each in listed.values() if isinstance(each, Proposition)])
    handles = {each.id: f"?c{number}" for number, each in enumerate(concepts, start=1)}
    handles |= {each.id: f"?p{number}" for number, each in enumerate(links, start=1)}
    blocks = [_concept_block(each, handles) for each in concepts]
    blocks += [_link_block(each, handles, nexus) for each in links]
    text = "UPSERT {\n" + "\n".join(blocks) + "\n}" if blocks else ""
    if len(text) > MOST_CHARACTERS:
        raise KipError(EXHAUSTED, f"The capsule has {len(text):,} characters; at most {MOST_CHARACTERS:,} are written.")
    return {"capsule": text, "concepts": len(concepts), "propositions": len(links)}


def _in_order(links: list[Proposition]) -> list[Proposition]:
    """Links such that one that is an end of another comes before it."""
    left, found = {each.id: each for each in links}, dict[str, Proposition]()
    while left:
        ready = [each for each in left.values() if each.subject not in left and each.object not in left]
        for each in ready or list(left.values()):
            found[each.id] = left.pop(each.id)
    return list(found.values())


def _concept_block(concept: Concept, handles: Mapping[str, str]) -> str:
    identity = _json({"type": concept.type, "name": concept.name})
    return f"CONCEPT {handles[concept.id]} {{ {identity}{_attributes(concept)} }}{_metadata(concept)}"


def _link_block(link: Proposition, handles: Mapping[str, str], nexus: Nexus) -> str:
    return f"PROPOSITION {handles[link.id]} {{ {_triple(link, handles, nexus)}{_attributes(link)} }}{_metadata(link)}"


def _triple(link: Proposition, handles: Mapping[str, str], nexus: Nexus) -> str:
    ends = [_end(each, handles, nexus) for each in (link.subject, link.object)]
    return f"({ends[0]}, {_json(link.predicate)}, {ends[1]})"


def _end(id: str, handles: Mapping[str, str], nexus: Nexus) -> str:
    """An end: by its handle if it is exported too, otherwise as something that has to be there already."""
    if id in handles:
        return handles[id]
    found = nexus.element(id)
    if isinstance(found, Concept):
        return _json({"type": found.type, "name": found.name})
    return _triple(found, handles, nexus) if found is not None else _json({"id": id})


def _attributes(element: NexusElement) -> str:
    return f" SET ATTRIBUTES {_json(dict(element.attributes))}" if element.attributes else ""


def _metadata(element: NexusElement) -> str:
    own = authored(element)
    return f" WITH METADATA {_json(own)}" if own else ""


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
