"""Entities and relations as values. They are read from notes and never kept: only notes are written."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import ClassVar

from recollect.domain.dataclass import dataclass, field
from recollect.domain.values import Series, Value


class EntityType(StrEnum):
    """The types that are told without being written down. A note with the attribute `type` may name any other."""

    PERSON = "Person"
    ORGANIZATION = "Organization"
    PLACE = "Place"
    PROJECT = "Project"
    PRODUCT = "Product"  # tools, languages, services
    ANIMAL = "Animal"
    FILE = "File"
    TAG = "Tag"
    THING = "Thing"  # anything of which nobody has said more


@dataclass(frozen=True, slots=True)
class EntityName:
    """An entity as one end of a relation: `id` finds it again, `name` is how people spell it."""

    id: str
    name: str
    type: str = EntityType.THING


@dataclass(frozen=True, slots=True, repr=False)
class Entity(Value):
    """Somebody or something that notes are about.

    `id` is the folded name (`alice smith`); the same spelling is the same entity, and names that were merged share the
    id of the first. `attributes` are its current values that are no entities themselves, newest first. `note_ids` are
    the newest notes about it; `partial` says that there are more than were read.
    """

    id: str
    name: str
    type: str = EntityType.THING
    aliases: tuple[str, ...] = ()
    attributes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    first_seen: datetime | None = None
    last_seen: datetime | None = None
    note_ids: tuple[str, ...] = ()
    partial: bool = False

    @property
    def ref(self) -> EntityName:
        return EntityName(self.id, self.name, self.type)


@dataclass(frozen=True, slots=True, repr=False)
class EntityRelation(Value):
    """One entity stands to another in some way, as long as the notes behind it say so.

    `id` is the id of its first note, `predicate` the attribute of its notes. `evidence` are the ids of all notes that
    say so, oldest first. `valid_to` is `None` while it holds. `current` is told for the moment that was asked about.
    `review` says why somebody should look at it, if every note behind it waits for that.
    """

    id: str
    subject: EntityName
    predicate: str
    object: EntityName
    evidence: tuple[str, ...]
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    current: bool = True
    review: str | None = None


@dataclass(frozen=True, slots=True, repr=False)
class Neighbourhood(Series[EntityRelation]):
    """An entity with its relations: those that hold first, newest first. `similar` may be the same by another name."""

    _held: ClassVar[str] = "relations"
    entity: Entity
    relations: tuple[EntityRelation, ...] = ()
    similar: tuple[EntityName, ...] = ()


@dataclass(frozen=True, slots=True, repr=False)
class GraphPath(Series[EntityRelation]):
    """The relations that lead from one entity to another, and the entities on the way, both ends included."""

    _held: ClassVar[str] = "relations"
    entities: tuple[EntityName, ...]
    relations: tuple[EntityRelation, ...]


@dataclass(frozen=True, slots=True, repr=False)
class Subgraph(Series[EntityRelation]):
    """Entities and the relations between them.

    `tokens` is what the relations cost as lines; `whole` says that none was left out.
    """

    _held: ClassVar[str] = "relations"
    entities: tuple[EntityName, ...]
    relations: tuple[EntityRelation, ...]
    tokens: int = 0
    whole: bool = True


@dataclass(frozen=True, slots=True)
class TimelineEntry:
    """A note about an entity with its time; `current` is told for the moment that was asked about."""

    since: datetime | None
    until: datetime | None
    text: str
    note_id: str
    current: bool


@dataclass(frozen=True, slots=True, repr=False)
class EntityTimeline(Series[TimelineEntry]):
    """Everything that is told of an entity, from the earliest on."""

    _held: ClassVar[str] = "entries"
    entity: EntityName
    entries: tuple[TimelineEntry, ...]


@dataclass(frozen=True, slots=True)
class RankedEntity:
    """An entity and how central it is, from 0 to 1."""

    entity: EntityName
    score: float


@dataclass(frozen=True, slots=True, repr=False)
class Centrality(Series[RankedEntity]):
    """The most central of all entities, the first of them first."""

    _held: ClassVar[str] = "entities"
    entities: tuple[RankedEntity, ...]
    among: int


@dataclass(frozen=True, slots=True, repr=False)
class Communities(Series[tuple[EntityName, ...]]):
    """Groups of entities that have more to do with each other than with others, the largest first."""

    _held: ClassVar[str] = "groups"
    groups: tuple[tuple[EntityName, ...], ...]
    among: int


@dataclass(frozen=True, slots=True, repr=False)
class GraphExport(Value):
    """The graph in a format that other programs read."""

    format: str
    entities: int
    relations: int
    text: str
