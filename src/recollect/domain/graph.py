"""Who and what there is, and how they hang together.

A relation is backed by the notes that say so: it holds when, and only when, one of them does.
"""

from __future__ import annotations

from recollect.domain.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Entity:
    """A node: somebody or something with a name of a type."""

    space: str
    type: str
    name: str
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Relation:
    """A directed link between two entities, and the notes that say so."""

    space: str
    source: Entity
    kind: str
    target: Entity
    note_ids: tuple[str, ...]
