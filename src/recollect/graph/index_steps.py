"""Pure: whether a note may state a relation of two entities, by their parts in the index, without the note itself."""

from __future__ import annotations

from enum import Enum
from functools import lru_cache

from recollect.attributes.catalogue import attribute_named, flagged
from recollect.attributes.records import Flag
from recollect.domain.graph.mentions import TYPE, Role
from recollect.graph.derivation import IDENTITY

_VALUES = (Role.OBJECT, Role.TARGET)
_HANGING = (Role.PROJECT, Role.FILE)


class Leads(Enum):
    """Whether a step leads from one part of a note to another; perhaps means if some note is about the other one."""

    NO = 0
    PERHAPS = 1
    YES = 2


@lru_cache(maxsize=16_384)
def leads(own: str, attribute: str, others: str, other_attribute: str) -> Leads:
    """Whether a relation may lead between two parts of a note, seen from the first.

    It leads from the subject of a note to its value, its project and its files. To these it leads from the project if
    the note has no subject; the index may have one of an earlier version, so both count.
    """
    role, other = Role(own), Role(others)
    hangs = role in _HANGING and other in _HANGING and Role.PROJECT in (role, other)
    if hangs or (other is Role.SUBJECT and may_be_entity(role, attribute)):
        return Leads.YES
    if role is not Role.SUBJECT or not may_be_entity(other, other_attribute):
        return Leads.NO
    return Leads.PERHAPS if other is Role.OBJECT and attribute_named(other_attribute) is None else Leads.YES


def may_be_entity(role: Role, attribute: str) -> bool:
    """Whether the other end of a relation may have such a part in a note; see `derivation.names_entity`."""
    if role in _HANGING:
        return True
    if role not in _VALUES or attribute == TYPE or attribute in IDENTITY or flagged(attribute, Flag.PROPER_NAME):
        return False
    record = attribute_named(attribute)
    return role is Role.TARGET or record is None or bool(record.entity_type)
