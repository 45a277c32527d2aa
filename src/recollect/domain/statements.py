"""Statements: something said, taken apart into who, which attribute, which value, and in what way it was meant.

A statement is a candidate for memory, not yet a note. It carries the words it was taken from, so that whatever
becomes of it can be traced back.
"""

from __future__ import annotations

from enum import StrEnum

from recollect.domain.dataclass import dataclass
from recollect.domain.notes import Note
from recollect.domain.periods import Period

USER = "user"  # the subject of whoever is speaking
PROJECT = "project"  # the subject of what "we" build, when it is not named
UNRESOLVED = "?"  # the attribute of a value that stands in for another one (`replaces`), which only memory can place


class Polarity(StrEnum):
    """Whether something holds, does not, or has stopped."""

    AFFIRMED = "affirmed"
    NEGATED = "negated"  # "I don't eat meat", "never"
    ENDED = "ended"  # "no longer", "I quit", "we stopped using"


def is_denied(note: Note) -> bool:
    """Whether a note says what is not so, or is no longer."""
    return bool(note.metadata.get("said", {}).get("polarity", Polarity.AFFIRMED.value) != Polarity.AFFIRMED.value)


class Modality(StrEnum):
    """How a sentence was meant. Only what is asserted can become true."""

    ASSERTED = "asserted"
    PLANNED = "planned"
    WISHED = "wished"
    SUPPOSED = "supposed"  # hypotheticals, maybes, conditions
    ASKED = "asked"


class Tense(StrEnum):
    """When it is said to hold, seen from the moment of speaking."""

    PAST = "past"  # "used to", "back in 2016"
    PRESENT = "present"
    FUTURE = "future"  # "starting in May"


@dataclass(frozen=True, slots=True)
class Statement:
    """One thing said about one subject.

    `subject` is `user`, `person:ana`, `relation:sister`, `project` or `thing:billing` (without "service" and the like).
    `attribute` is a name of the catalogue or, in the open, the thing's own words in lower case and in the singular.
    `text` is a sentence that stands by itself, in the third person, with absolute dates; `quote` the words said, which
    stand from `start` to `end` in the text that was read. `read_by` names each reader, with its rule, that read it.
    """

    subject: str
    attribute: str
    value: str
    text: str
    quote: str
    many: bool = False  # whether several values hold side by side
    polarity: Polarity = Polarity.AFFIRMED
    modality: Modality = Modality.ASSERTED
    tense: Tense = Tense.PRESENT
    since: Period | None = None
    until: Period | None = None
    occurred: Period | None = None
    corrects: bool = False  # "correction:", "sorry, I meant": what was said before was never true
    replaces: str | None = None  # an old value that was named: "switched from X to Y"
    confidence: float = 0.9
    start: int = 0
    end: int = 0
    read_by: tuple[str, ...] = ()
