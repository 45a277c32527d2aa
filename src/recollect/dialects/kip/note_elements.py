"""Pure: notes as elements of KIP, and what a note needs so that its element can be read back.

A concept is an entity of the graph. One that KIP wrote has a head, the note that gives it its type, which also keeps
its metadata; each of its attributes is a note about the same subject. A proposition is a relation, and the note behind
it keeps its attributes and metadata. Elements that other verbs wrote have none of this and are read as they are.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from recollect.dialects.kip.nexus import CONCEPT_TYPE, PROPOSITION_TYPE, Concept, Proposition, concept_id
from recollect.domain.clock import format_time
from recollect.domain.dataclass import dataclass, field
from recollect.domain.graph.entity import Entity, EntityRelation
from recollect.domain.graph.mentions import ALIAS, ENTITY, RELATION, SAME_AS, TYPE, subject_key
from recollect.domain.notes import Note

KIP = "kip"  # the key of the metadata under which a note keeps what only KIP asks for
META_TYPES = (CONCEPT_TYPE, PROPOSITION_TYPE)
_RESERVED = (TYPE, ALIAS, SAME_AS)  # attributes that mean something else in the graph


def link_note(id: str) -> str:
    """The id of the note behind a proposition; empty if the id is none of a proposition."""
    mark, _, rest = id.partition(":")
    return rest.partition(":")[0] if mark == "P" else ""


def kept(note: Note) -> Mapping[str, Any]:
    """The part of a note's metadata that KIP wrote."""
    found = note.metadata.get(KIP)
    return found if isinstance(found, Mapping) else {}


def is_head(note: Note) -> bool:
    return note.attribute == TYPE and "name" in kept(note)


def attribute_key(note: Note) -> str | None:
    """The key of the attribute that a note gives its subject; `None` if it gives none."""
    if RELATION in note.tags or note.value is None or not note.attribute:
        return None
    key = kept(note).get("key")
    if isinstance(key, str):
        return key
    return None if note.attribute in _RESERVED else note.attribute


def attribute_value(note: Note) -> Any:
    """The value that a note gives an attribute."""
    if kept(note).get("json"):
        try:
            return json.loads(note.value or "")
        except ValueError:  # something was taken out of it
            pass
    return note.value


@dataclass(frozen=True, slots=True)
class ConceptNotes:
    """The notes of a concept that hold at a moment: its head, those of its attributes by key, and all about it."""

    subject: str  # as they spell whom they are about
    head: Note | None = None
    attributes: Mapping[str, tuple[Note, ...]] = field(default_factory=dict)
    about: tuple[Note, ...] = ()


def notes_of(entity: Entity, notes: Sequence[Note], moment: datetime) -> ConceptNotes:
    """Sort the notes that name an entity, which come newest first."""
    about = tuple(each for each in notes if subject_key(each) == entity.id and each.holds_at(moment))
    head = next((each for each in about if is_head(each)), None)
    attributes: dict[str, tuple[Note, ...]] = {}
    for each in about:
        key = attribute_key(each)
        if key is not None:
            attributes[key] = (*attributes.get(key, ()), each)
    subject = head.subject if head else next((each.subject for each in about), None)
    return ConceptNotes(subject or entity.name, head, attributes, about)


def concept_of(entity: Entity, notes: ConceptNotes) -> Concept:
    """An entity as a concept. An attribute that KIP did not write is there if the graph takes it for one."""
    attributes: dict[str, Any] = {}
    for key, backing in notes.attributes.items():
        own = [each for each in backing if "key" in kept(each)]
        if own:
            attributes[key] = attribute_value(own[0])
        elif key in entity.attributes:
            values = entity.attributes[key]
            attributes[key] = values[0] if len(values) == 1 else list(values)
    head = notes.head
    told = kept(head) if head else {}
    name = str(told.get("name") or entity.name)
    others = [each for each in entity.aliases if each != name and head is None]
    if others:
        attributes.setdefault("aliases", others)
    metadata = dict(told.get("metadata") or {})
    if head is None:
        metadata = {"created_at": _time(entity.first_seen), "observed_at": _time(entity.last_seen)}
    if told.get("merged_from"):
        metadata["_merged_from"] = list(told["merged_from"])
    metadata |= {
        "_version": told.get("version", 1),
        "_updated_at": _time(head.updated_at if head else entity.last_seen),
    }
    return Concept(concept_id(entity.type, name), entity.type, name, attributes, metadata)


def proposition_of(relation: EntityRelation, note: Note, subject: str, object: str) -> Proposition:
    """A relation as a proposition between two ids, with what the note behind it keeps."""
    told = kept(note)
    is_own = "link" in told
    id = f"P:{note.id}" if is_own else f"P:{note.id}:{relation.predicate}:{relation.object.id}"
    metadata = dict(told.get("metadata") or {})
    if not is_own:
        metadata = {
            "confidence": note.confidence,
            "source": note.origin.source or note.origin.channel.value,
            "valid_from": _time(relation.valid_from),
            "evidence": list(relation.evidence),
            **metadata,
        }
    metadata |= {"_version": told.get("version", 1), "_updated_at": _time(note.updated_at)}
    return Proposition(id, subject, relation.predicate, object, dict(told.get("attributes") or {}), metadata)


def head_fields(concept: Concept, subject: str) -> dict[str, Any]:
    """The fields of the note that gives a concept its type."""
    own = {key: value for key, value in concept.metadata.items() if not key.startswith("_")}
    told = {"name": concept.name, "version": concept.metadata.get("_version", 1), "metadata": own}
    if concept.metadata.get("_merged_from"):
        told["merged_from"] = list(concept.metadata["_merged_from"])
    return {
        "text": f"{concept.name} ({concept.type})",
        "subject": subject,
        "attribute": TYPE,
        "value": concept.type,
        "tags": (ENTITY,),
        "metadata": {KIP: told},
    }


def attribute_fields(concept: Concept, subject: str, key: str) -> dict[str, Any]:
    """The fields of the note that gives a concept an attribute. A value that is no plain text is kept as JSON."""
    value = concept.attributes[key]
    is_plain = isinstance(value, str) and value == value.strip() != "" and "\r" not in value
    text = str(value) if is_plain else json.dumps(value, ensure_ascii=False)
    return {
        "text": f"{concept.name}, {key.replace('_', ' ')}: {text}",
        "subject": subject,
        "attribute": f"{KIP}_{key}" if key in _RESERVED else key,
        "value": text,
        "metadata": {KIP: {"key": key} if is_plain else {"key": key, "json": True}},
    }


def link_fields(link: Proposition, subject: str, object: str) -> dict[str, Any]:
    """The fields of the note behind a proposition, its ends as the graph spells them."""
    own = {key: value for key, value in link.metadata.items() if not key.startswith("_")}
    told = {
        "link": True,
        "version": link.metadata.get("_version", 1),
        "attributes": dict(link.attributes),
        "metadata": own,
    }
    return {
        "text": f"{subject} {link.predicate.replace('_', ' ')} {object}",
        "subject": subject,
        "attribute": link.predicate,
        "value": object,
        "tags": (RELATION,),
        "metadata": {KIP: told},
    }


def _time(moment: datetime | None) -> str | None:
    return None if moment is None else format_time(moment)
