"""Names that mean one entity: the notes that say so, and the fields of a new one."""

from __future__ import annotations

from typing import Any

from recollect.domain.errors import InvalidInput
from recollect.domain.graph.entity import Entity
from recollect.domain.graph.mentions import ALIAS, ENTITY, SAME_AS, entity_key, mentions_of
from recollect.domain.notes import Note
from recollect.domain.readings import USER
from recollect.graph.derivation import IDENTITY
from recollect.graph.memory_graph import MemoryGraph

_WORDS = {ALIAS: "{} is also called {}.", SAME_AS: "{} is the same as {}."}


def notes_joining(graph: MemoryGraph, entity: Entity, other: str) -> list[Note]:
    """The notes that say, and still do, that an entity is the same as what has another name."""
    key = entity_key(other)
    return [
        note
        for note in graph.notes_about(entity.id)
        if note.attribute in IDENTITY
        and note.holds_at(graph.moment)
        and any(each.key == key and each.attribute for each in mentions_of(note))
    ]


def fields_joining(entity: Entity, other: str | None, *, alias: bool) -> dict[str, Any]:
    """The fields of a note that says so: that it is also called so, or that two entities are the same."""
    if not other or not entity_key(other):
        raise InvalidInput("The other name is empty.", code="field_missing", hint="Say it by a name.")
    attribute = ALIAS if alias else SAME_AS
    kind, _, user = entity.id.partition(":")
    return {
        "text": _WORDS[attribute].format(entity.name, other),
        "subject": USER if kind == USER else entity.name,
        "user": (user or None) if kind == USER else None,
        "attribute": attribute,
        "value": other,
        "tags": (ENTITY,),
    }
