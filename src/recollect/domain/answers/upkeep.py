"""Answers about the store itself: its copies and where they stand, and the checks of the doctor."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import ClassVar, TypeAlias

from recollect.domain.dataclass import dataclass
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

    `sha256` and `size_bytes` are of the copy itself. `stored` is `None` for a plain file on this machine.
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
