"""Answers about the store itself: its copies and where they stand, and the checks of the doctor."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from enum import StrEnum
from typing import ClassVar, TypeAlias

from recollect.domain.answers.recollections import Usage
from recollect.domain.dataclass import dataclass, field
from recollect.domain.errors import RecollectError
from recollect.domain.values import Series, Value


@dataclass(frozen=True, slots=True)
class Stored:
    """How a backup stands at a target: under which name, by which machine, and packed into how many bytes.

    `removed` names the older backups that had to go for it.
    """

    name: str
    machine: str
    packed_sha256: str
    packed_bytes: int
    removed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, repr=False)
class Backup(Value):
    """A backup and what is in it; the same facts stand in the manifest beside it.

    `sha256` and `size_bytes` are of the copy itself. `stored` is `None` for a plain file on this machine, `space` for a
    copy of the whole store.
    """

    path: str
    manifest: str
    sha256: str
    size_bytes: int
    schema: int
    notes: int
    changes: dict[str, int]
    made_at: datetime
    stored: Stored | None = None
    space: str | None = None


@dataclass(frozen=True, slots=True, repr=False)
class BackupList(Series[Backup]):
    """The backups that a target holds, newest first.

    `unfinished` are copies without a manifest: an upload that broke off, or one that is under way. `damaged` are names
    whose manifest cannot be read, or whose copy is not there as the manifest says.
    """

    _held: ClassVar[str] = "backups"
    target: str
    backups: tuple[Backup, ...]
    unfinished: tuple[str, ...] = ()
    damaged: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Progress:
    """How far something long has come; `done` and `total` are counted in `unit`."""

    step: str
    done: int
    total: int
    unit: str = "bytes"


Tell: TypeAlias = Callable[[Progress], None]


@dataclass(frozen=True, slots=True)
class Check:
    """One thing the doctor looked at."""

    name: str
    ok: bool
    detail: str
    hint: str = ""
    code: str = ""  # of what is wrong; empty if nothing is, or it has none

    @classmethod
    def failed(cls, name: str, problem: RecollectError) -> Check:
        """Return a failed check with the message, the hint and the code of an error."""
        return cls(name, False, problem.message, problem.hint, problem.code)


@dataclass(frozen=True, slots=True, repr=False)
class Diagnosis(Series[Check]):
    """The findings of the doctor."""

    _held: ClassVar[str] = "checks"
    healthy: bool
    checks: tuple[Check, ...]


class MaintenanceScope(StrEnum):
    """How thoroughly a space is put in order; each has the phases of the one before it, and more."""

    DAYDREAM = "daydream"
    QUICK = "quick"
    FULL = "full"


class Phase(StrEnum):
    """One step of maintenance."""

    EXPIRE = "expire"  # mark what is over or has faded, erase what is due
    CONSOLIDATE = "consolidate"  # let one note take over from others that say the same
    REDERIVE = "rederive"  # look again at notes whose sources changed
    PROMOTE = "promote"  # keep from fading what proved itself again and again
    EMBED = "embed"  # make the vectors that texts lack
    JUDGE = "judge"  # link the statements that wait for it
    REFLECT = "reflect"  # distil what happened into notes for review
    CRYSTALLIZE = "crystallize"  # make one note of the sessions of a project that ended long ago


_QUICK = (Phase.EXPIRE, Phase.CONSOLIDATE, Phase.REDERIVE, Phase.PROMOTE, Phase.EMBED, Phase.JUDGE)
PHASES = {
    MaintenanceScope.DAYDREAM: (Phase.EXPIRE,),
    MaintenanceScope.QUICK: _QUICK,
    MaintenanceScope.FULL: (*_QUICK, Phase.REFLECT, Phase.CRYSTALLIZE),
}


@dataclass(frozen=True, slots=True)
class PhaseReport:
    """The outcome of one phase: how many records it changed or made, and which notes."""

    phase: Phase
    changed: int
    note_ids: tuple[str, ...] = ()
    detail: str = ""
    usage: Usage = field(default_factory=Usage)


@dataclass(frozen=True, slots=True, repr=False)
class MaintenanceReport(Series[PhaseReport]):
    """The outcome of maintenance, phase by phase. `resumed` are phases that an earlier try had finished.

    Without phases it was only queued: job `job_id` waits for a runner, or for the one that is under way.
    """

    _held: ClassVar[str] = "phases"
    space: str
    scope: MaintenanceScope
    job_id: str
    phases: tuple[PhaseReport, ...] = ()
    resumed: tuple[Phase, ...] = ()
    usage: Usage = field(default_factory=Usage)
