"""A message as a reader understands it: its statements, how it was meant, and the sentences passed over.

A reading is made once per message and handed on: keeping stores its standing, the gate picks what may become a fact,
and reconciling files it. A `Reader` is pure: it stores nothing and knows nothing of memory.

A statement is a candidate for memory, not yet a note. It carries the words it was taken from, so that whatever
becomes of it can be traced back.
"""

from __future__ import annotations

from datetime import UTC, tzinfo
from enum import StrEnum
from typing import Protocol

from recollect.domain.dataclass import dataclass
from recollect.domain.notes import Note
from recollect.domain.observations import Message, Standing
from recollect.domain.periods import Period

USER = "user"  # the subject of whoever is speaking
PROJECT = "project"  # the subject of what "we" build, when it is not named
UNRESOLVED = "?"  # the attribute of a value that stands in for another one (`replaces`), which only memory can place


def subjects_named(name: str) -> tuple[str, ...]:
    """The subjects that may be meant by a name as people write it, likeliest first: as it stands, a person, a thing."""
    bare = name.strip().lower()
    return (name,) if ":" in name or name in (USER, PROJECT) else (name, f"person:{bare}", f"thing:{bare}")


class Polarity(StrEnum):
    """Whether something holds, does not, or has stopped."""

    AFFIRMED = "affirmed"
    NEGATED = "negated"  # "I don't eat meat", "never"
    ENDED = "ended"  # "no longer", "I quit", "we stopped using"


def is_denied(note: Note) -> bool:
    """Whether a note says what is not so, or is no longer."""
    return bool(note.metadata.get("said", {}).get("polarity", Polarity.AFFIRMED.value) != Polarity.AFFIRMED.value)


def readers_of(note: Note) -> tuple[str, ...]:
    """The rules, or the model and its prompt, by which a note was read from a message; empty for what was not read."""
    said = note.metadata.get("said")
    found = said.get("read_by", ()) if isinstance(said, dict) else ()
    return tuple(map(str, found)) if isinstance(found, list) else ()


class Modality(StrEnum):
    """How a sentence was meant. Only what is asserted can become true."""

    ASSERTED = "asserted"
    PLANNED = "planned"
    WISHED = "wished"
    SUPPOSED = "supposed"  # hypotheticals, maybes, conditions
    ASKED = "asked"
    DOUBTED = "doubted"  # read as asserted, and a judge takes it for something else


class Tense(StrEnum):
    """When it is said to hold, seen from the moment of speaking."""

    PAST = "past"  # "used to", "back in 2016"
    PRESENT = "present"
    FUTURE = "future"  # "starting in May"


@dataclass(frozen=True, slots=True)
class Statement:
    """One thing said about one subject.

    `subject` is `user`, `person:ana`, `relation:sister`, `project` or `thing:billing` (without "service" and the like).
    `attribute` is a name of the catalogue, the favourite of some sort, a version of a technology, or `?`.
    `text` is a sentence that stands by itself, in the third person, with absolute dates; `quote` the words said, which
    stand from `start` to `end` in the text that was read. `read_by` names each reader, with its rule, that read it.
    What is `presupposed` holds however the sentence is meant: "could my sister Ana come?" has a sister called Ana.
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
    up_to_now: bool = False  # "since May", "for two years": it held all the time until it was said
    corrects: bool = False  # "correction:", "sorry, I meant": what was said before was never true
    replaces: str | None = None  # an old value that was named: "switched from X to Y"
    confidence: float = 0.9
    presupposed: bool = False
    start: int = 0
    end: int = 0
    read_by: tuple[str, ...] = ()


class Reason(StrEnum):
    """Why a sentence or a statement becomes no fact."""

    NOT_DURABLE = "not_durable"
    NOT_SELF_CONTAINED = "not_self_contained"
    NOT_UNDERSTOOD = "not_understood"  # worth reading, and no rule reads it
    OTHER_LANGUAGE = "other_language"  # the reader does not know it
    QUESTION = "question"
    CHATTER = "chatter"
    HYPOTHETICAL = "hypothetical"
    DOUBTED = "doubted"  # a judge takes the sentence for a plan, a game, somebody else's affair
    ECHO = "echo"
    DUPLICATE = "duplicate"


@dataclass(frozen=True, slots=True)
class Skipped:
    """A sentence from which nothing is taken: where it stands in the text, and why."""

    start: int
    end: int
    reason: Reason


@dataclass(frozen=True, slots=True)
class Reading:
    """The statements of a message in the order they were made, believed or not, each with its span.

    `standing` is `None` if the reader does not tell, as for everything that no person said.
    """

    statements: tuple[Statement, ...] = ()
    standing: Standing | None = None
    passed_over: tuple[Skipped, ...] = ()


@dataclass(frozen=True, slots=True)
class ReadingContext:
    """The circumstances of a message that its own words do not tell."""

    zone: tzinfo = UTC
    known_names: frozenset[str] = frozenset()


class Reader(Protocol):
    """Reads statements from messages."""

    @property
    def name(self) -> str:
        """The name by which the settings choose it, and by which statements say who read them."""
        ...

    def read(self, message: Message, context: ReadingContext) -> Reading:
        """Everything a message says. It takes time in proportion to the length of the text."""
        ...
