"""Pure: the relations that a note may state, by the names that the index has of it, without the note itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
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

    A relation leads from the subject of a note to its value, its project and its files. To these it leads from the
    project if the note has no subject; the index may have one of an earlier version, so both count.
    """
    subjects, projects = ({each.key for each in parts if each.role is role} for role in (Role.SUBJECT, Role.PROJECT))
    if key in subjects or key in projects:
        for other, role, attribute in parts:
            if other != key and may_be_entity(role, attribute) and (key in subjects or role in _HANGING):
                yield IndexStep(other, role is Role.OBJECT and attribute_named(attribute) is None)
    if any(may_be_entity(role, attribute) for other, role, attribute in parts if other == key):
        hangs = any(each.role in _HANGING for each in parts if each.key == key)
        yield from map(IndexStep, sorted((subjects | projects if hangs else subjects) - {key}))


@lru_cache(maxsize=4096)
def may_be_entity(role: Role, attribute: str) -> bool:
    """Whether the other end of a relation may have such a part in a note; see `derivation.names_entity`."""
    if role in _HANGING:
        return True
    if role not in _VALUES or attribute == TYPE or attribute in IDENTITY or flagged(attribute, Flag.PROPER_NAME):
        return False
    record = attribute_named(attribute)
    return role is Role.TARGET or record is None or bool(record.entity_type)
