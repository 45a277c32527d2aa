"""Pure: the parts of the index of entities in which those of a type stand.

A type is told by votes of many notes, so a range holds every entity of the type and perhaps some of others; the notes
decide. Entities of which nobody has said more have no range of their own: they are among all subjects.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from recollect.attributes.catalogue import catalogue
from recollect.attributes.records import About
from recollect.domain.graph.entity import EntityType
from recollect.domain.graph.mentions import Role, entity_key
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
