"""Answers about sessions: what was observed, a session in short or replayed, and the notes that many of them come to.

Happenings in a space, for those who watch it: rows of the change log with the records they are about.
"""

from __future__ import annotations

from datetime import datetime
from typing import ClassVar

from recollect.domain.answers.recollections import Learned, Usage
from recollect.domain.changes import ChangeKind
from recollect.domain.dataclass import dataclass, field
from recollect.domain.desk import Slot
from recollect.domain.jobs.job import Job
from recollect.domain.notes import Kind, Note
from recollect.domain.observations import Activity, Observation, ObservationKind, Session
from recollect.domain.values import Series, Value


@dataclass(frozen=True, slots=True, repr=False)
class Observed(Value):
    """The outcome of an event that a hook saw. `folded` counts what made room for it; only prompts are learned from."""

    session_id: str
    observation_id: str
    kind: ObservationKind
    activity: Activity | None = None
    files: tuple[str, ...] = ()
    redacted: dict[str, int] = field(default_factory=dict)
    folded: int = 0
    learned: tuple[Learned, ...] = ()


@dataclass(frozen=True, slots=True)
class Counted:
    """Something and how often it came up."""

    name: str
    times: int


@dataclass(frozen=True, slots=True, repr=False)
class SessionDigest(Value):
    """A session in short. `ask` is what the person wanted; `open_ends` what was left undone."""

    session: Session
    ask: str
    prompts: int
    files: tuple[Counted, ...]
    commands: tuple[Counted, ...]
    failures: int
    outcome: str
    open_ends: tuple[str, ...]
    observations: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Beat:
    """One moment of a replay. `offset` is in milliseconds from the start, `pause` since the moment before."""

    offset: int
    pause: int
    observation: Observation


@dataclass(frozen=True, slots=True, repr=False)
class Replay(Series[Beat]):
    """A session, moment by moment. Hand `next_cursor` back to go on; `None` means this was the last."""

    _held: ClassVar[str] = "beats"
    session: Session
    beats: tuple[Beat, ...]
    duration: int
    next_cursor: str | None = None


@dataclass(frozen=True, slots=True, repr=False)
class Timeline(Series[Observation]):
    """The observations around a moment, oldest first. `found` is the one that named the moment, if one did."""

    at: datetime
    before: tuple[Observation, ...]
    found: Observation | None
    after: tuple[Observation, ...]

    def _series(self) -> tuple[Observation, ...]:
        return (*self.before, *((self.found,) if self.found else ()), *self.after)


@dataclass(frozen=True, slots=True, repr=False)
class ProjectProfile(Value):
    """The summary of a project, the most frequent first in each list."""

    project: str
    sessions: int
    notes: int
    concepts: tuple[Counted, ...]
    files: tuple[Counted, ...]
    commands: tuple[Counted, ...]
    conventions: tuple[str, ...]
    errors: tuple[Counted, ...]
    since: datetime | None = None


@dataclass(frozen=True, slots=True, repr=False)
class Crystal(Value):
    """The note that now stands for some sessions; `None` if there were too few that ended long enough ago."""

    note: Note | None
    session_ids: tuple[str, ...]


def crystal_subject(project: str | None) -> str:
    """The subject of the notes that stand for many sessions of a project."""
    return f"crystal:{project or ''}"


@dataclass(frozen=True, slots=True)
class Happening:
    """One change. Its record is there as that change left it, unless it was erased since or the change has none.

    A job is there as it is now: how far it has come is not kept for each change.
    """

    seq: int
    kind: ChangeKind
    record_id: str
    version: int
    note: Note | None = None
    observation: Observation | None = None
    job: Job | None = None


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
    sentences of a model that no record says. `fallback` is why a model gave nothing: if it may give
    something the next time, nothing was marked as read.
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
    usage: Usage = field(default_factory=Usage)


@dataclass(frozen=True, slots=True, repr=False)
class ReflectedSlots(Value):
    """The slots that a session filled, or would fill; `passed_over` are labels whose slot a person wrote."""

    applied: bool
    session_id: str
    slots: tuple[Slot, ...]
    passed_over: tuple[str, ...] = ()
