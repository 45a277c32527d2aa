"""Pure: the parts of the index of entities in which those of a type stand, and those that speak for it or against it.

A type is told by votes of many notes, so a range holds every entity of the type and perhaps some of others; the notes
decide, unless all parts of an entity speak for one type. Entities of which nobody has said more have no range of their
own: they are among all subjects.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from recollect.attributes.catalogue import catalogue, names_with
from recollect.attributes.records import About, Flag
from recollect.domain.graph.entity import EntityType
from recollect.domain.graph.mentions import TYPE, Role, TypeVotes, entity_key
from recollect.domain.readings import PROJECT, USER
from recollect.graph.derivation import IDENTITY

_RELATION = "relation:"  # how subjects begin that are named by whose they are
_VALUES = frozenset({Role.OBJECT, Role.TARGET})
_SUBJECT = frozenset({Role.SUBJECT})
_NONE = frozenset({""})  # the attribute of projects, tags and files
_BY_ROLE = {EntityType.PROJECT: Role.PROJECT, EntityType.TAG: Role.TAG, EntityType.FILE: Role.FILE}


class KeyRange(NamedTuple):
    """Keys that stand in one of some parts, for one of some attributes (of any without), and begin so."""

    roles: frozenset[Role]
    attributes: frozenset[str] = frozenset()
    beginning: str = ""


@cache
def ranges_of(type: str | None) -> tuple[KeyRange, ...]:
    """The ranges that together hold every entity of a type; of any type without one."""
    return tuple(_any() if type is None else _of(type))


@cache
def votes_of(type: str) -> TypeVotes | None:
    """The parts that speak for a type and against it; `None` for one that no attribute speaks for."""
    is_person = type == EntityType.PERSON
    of_people = frozenset(each.name for each in catalogue() if each.about is About.PERSON)
    naming = {each.name: each.entity_type for each in catalogue() if each.entity_type}
    silent = frozenset({TYPE, *IDENTITY, *names_with(Flag.PROPER_NAME)})
    by_value = frozenset(name for name, named in naming.items() if named == type) - silent
    if not by_value and not is_person:
        return None
    return TypeVotes(
        kind=entity_key(type) if is_person else "",
        by_subject=of_people - silent if is_person else frozenset(),
        by_value=by_value,
        subject_against=frozenset({TYPE, *IDENTITY, *(() if is_person else of_people)}),
        value_against=frozenset({*IDENTITY, *(name for name, named in naming.items() if named != type)}),
    )


def _any() -> Iterator[KeyRange]:
    yield KeyRange(frozenset({Role.SUBJECT, Role.TARGET, *_BY_ROLE.values()}))
    yield KeyRange(frozenset({Role.OBJECT}), frozenset(each.name for each in catalogue() if each.entity_type))


def _of(type: str) -> Iterator[KeyRange]:
    yield KeyRange(frozenset({Role.KIND}), frozenset({entity_key(type)}))
    yield KeyRange(frozenset({Role.SUBJECT, *_VALUES}), IDENTITY)  # merged under a name that says nothing of the type
    naming = frozenset(each.name for each in catalogue() if each.entity_type == type)
    if naming:
        yield KeyRange(_VALUES, naming)
    if type in _BY_ROLE:
        yield KeyRange(frozenset({_BY_ROLE[EntityType(type)]}), _NONE)
    if type == EntityType.PERSON:
        yield KeyRange(_SUBJECT, frozenset(each.name for each in catalogue() if each.about is About.PERSON))
        yield KeyRange(_SUBJECT, beginning=USER)
        yield KeyRange(_SUBJECT, beginning=_RELATION)
    elif type == EntityType.PROJECT:
        yield KeyRange(_SUBJECT, beginning=PROJECT)
    elif type == EntityType.THING:
        yield KeyRange(frozenset({Role.SUBJECT, Role.TARGET}))
