"""Pure: the relations that a note may state, by the names that the index has of it, without the note itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from recollect.attributes.catalogue import attribute_named, flagged
from recollect.attributes.records import Flag
from recollect.domain.graph.mentions import TYPE, NamedPart, Role
from recollect.graph.derivation import IDENTITY

_VALUES = (Role.OBJECT, Role.TARGET)
_HANGING = (Role.PROJECT, Role.FILE)


class IndexStep(NamedTuple):
    """The other end of a relation that a note may state. `needs_subject` says that some note must be about it."""

    key: str
    needs_subject: bool = False


def steps_among(key: str, notes: Mapping[str, Sequence[NamedPart]]) -> Iterator[tuple[str, IndexStep]]:
    """The other ends of relations that notes may state of an entity, each after the id of its note."""
    for note_id, parts in notes.items():
        yield from ((note_id, step) for step in steps_of(key, parts))


def steps_of(key: str, parts: Sequence[NamedPart]) -> Iterator[IndexStep]:
    """The other ends of relations that a note may state of an entity, given all parts of the note.

    A relation leads from the subject of a note to its value, and from whom it is about to its project and its files.
    """
    subjects = {each.key for each in parts if each.role is Role.SUBJECT}
    holders = subjects or {each.key for each in parts if each.role is Role.PROJECT}
    mine = [each for each in parts if each.key == key]
    if key in holders:
        others = (each for each in parts if each.key != key)
        yield from (
            IndexStep(each.key, _is_open(each)) for each in others if each.role in _HANGING or _may_be_entity(each)
        )
    elif any(each.role in _HANGING or _may_be_entity(each) for each in mine):
        yield from map(IndexStep, sorted(holders))


def _may_be_entity(part: NamedPart) -> bool:
    """Whether the value of an attribute may be an entity; see `derivation.names_entity`."""
    name = part.attribute
    if part.role not in _VALUES or name == TYPE or name in IDENTITY or flagged(name, Flag.PROPER_NAME):
        return False
    record = attribute_named(name)
    return part.role is Role.TARGET or record is None or bool(record.entity_type)


def _is_open(part: NamedPart) -> bool:
    """Whether nothing but notes about it makes a value an entity."""
    return part.role is Role.OBJECT and attribute_named(part.attribute) is None
