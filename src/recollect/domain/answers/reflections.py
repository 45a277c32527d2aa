"""Answers about reflection: the few notes that many observations come to, and what they were made from."""

from __future__ import annotations

from typing import ClassVar

from recollect.domain.answers.recollections import Usage
from recollect.domain.dataclass import dataclass, field
from recollect.domain.desk import Slot
from recollect.domain.notes import Kind
from recollect.domain.values import Series, Value

REFLECTION = "reflection"  # the tag and the source of notes that were made by reflecting
REFLECTED_CONFIDENCE = 0.6  # of such a note, until a person has looked at it


@dataclass(frozen=True, slots=True, repr=False)
class Insight(Value):
    """One thing that is worth keeping: its words, why it is, and the records that say it.

    `note_id` is the note that now says it, which waits in `review`; `None` if nothing was written.
    """

    text: str
    kind: Kind
    reason: str
    sources: tuple[str, ...]
    note_id: str | None = None


@dataclass(frozen=True, slots=True, repr=False)
class ReflectedPart(Value):
    """The insights from the sessions of one project, or of one user outside of projects.

    `observations` counts those that were read; `more` says that others wait for the next time. `dropped` counts
    sentences of a model that no record says. `fallback` is why a model gave nothing: then nothing was marked as read.
    """

    project: str | None
    user: str | None
    session_ids: tuple[str, ...]
    observations: int
    insights: tuple[Insight, ...]
    more: bool = False
    dropped: int = 0
    model: str = ""
    fallback: str = ""
    usage: Usage = field(default_factory=Usage)


@dataclass(frozen=True, slots=True, repr=False)
class Reflected(Series[ReflectedPart]):
    """The outcome of reflecting, part by part; if it was not `applied`, what would be written."""

    _held: ClassVar[str] = "parts"
    applied: bool
    parts: tuple[ReflectedPart, ...]


@dataclass(frozen=True, slots=True, repr=False)
class ReflectedSlots(Value):
    """The slots that a session filled, or would fill; `passed_over` are labels whose slot a person wrote."""

    applied: bool
    session_id: str
    slots: tuple[Slot, ...]
    passed_over: tuple[str, ...] = ()
