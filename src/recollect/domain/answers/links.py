"""How a note hangs together with others, seen from both ends."""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar

from recollect.domain.dataclass import dataclass
from recollect.domain.values import Series


class Relation(StrEnum):
    """The relation in which another record stands to a note."""

    SUPERSEDES = "supersedes"
    SUPERSEDED_BY = "superseded_by"
    DERIVED_FROM = "derived_from"
    SOURCE_OF = "source_of"
    DEPENDS_ON = "depends_on"
    NEEDED_BY = "needed_by"
    RELATED = "related"


# What a link of a note says of the note it leads to, as seen from there.
SEEN_FROM_THERE = {
    "supersedes": Relation.SUPERSEDED_BY,
    "derived_from": Relation.SOURCE_OF,
    "depends_on": Relation.NEEDED_BY,
    "related": Relation.RELATED,
}


@dataclass(frozen=True, slots=True)
class Link:
    """Another record and what it is to the note. `text` is empty for one that was forgotten."""

    relation: Relation
    id: str
    text: str


@dataclass(frozen=True, slots=True, repr=False)
class Links(Series[Link]):
    """Everything a note is linked with, by relation and then by id."""

    _held: ClassVar[str] = "links"
    note_id: str
    links: tuple[Link, ...]
