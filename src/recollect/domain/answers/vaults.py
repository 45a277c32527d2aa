"""Answers about a vault: what came in and went out, what a person should look at, and how it came to be."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import ClassVar

from recollect.domain.dataclass import dataclass
from recollect.domain.links.statement_link import StatementRelation
from recollect.domain.values import Series, Value


class Pages(StrEnum):
    """How a page that a person wrote is known again: by where it is, or by a line with the id of its note."""

    BESIDE = "beside"
    MARKED = "marked"


@dataclass(frozen=True, slots=True)
class Problem:
    """Something in a vault that a person has to look at: a file by its path, or a note by its id."""

    path: str
    code: str
    message: str


@dataclass(frozen=True, slots=True, repr=False)
class VaultReport(Value):
    """The result of a look at the folder. `held` are files that vanished in a way that looks like an accident, and
    `left_out` what was not looked at on purpose, with the reason."""

    folder: str
    machine: str
    taken_in: tuple[str, ...]
    retracted: tuple[str, ...]
    written: int
    removed: int
    held: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()
    left_out: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True, repr=False)
class SyncReport(Value):
    """The result of a sync: the notes that came in, went out and were erased. Without a remote nothing leaves."""

    machine: str
    remote: str | None
    received: tuple[str, ...]
    sent: tuple[str, ...]
    erased: tuple[str, ...]
    head: str | None
    held: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()
    left_out: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True, repr=False)
class DoubtfulChange(Value):
    """A newer message or note that may take the place of an older one: the judge is not sure, or facts disagree."""

    older_id: str
    older: str
    newer_id: str
    newer: str
    relation: StatementRelation
    score: float


@dataclass(frozen=True, slots=True, repr=False)
class Review(Series[Problem]):
    """Problems for a person, most pressing first: held deletions, secrets, malformed files, notes that clashed.

    `doubts` are changes in doubt, if they were asked for, up to fifty of them.
    """

    items: tuple[Problem, ...]
    doubts: tuple[DoubtfulChange, ...] = ()


@dataclass(frozen=True, slots=True)
class Revision:
    """One commit of one machine: when, and which notes it wrote, changed or took away."""

    id: str
    machine: str
    at: datetime
    written: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    erased: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, repr=False)
class Log(Series[Revision]):
    """Revisions, newest first. `machine` is what this machine is called in them."""

    _held: ClassVar[str] = "revisions"
    revisions: tuple[Revision, ...]
    machine: str = ""


@dataclass(frozen=True, slots=True, repr=False)
class Difference(Series[str]):
    """How the file of a note changed, as lines that begin with `+`, `-` or a blank."""

    _held: ClassVar[str] = "lines"
    note_id: str
    before: str
    after: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True, repr=False)
class RevisionDetail(Series[Difference]):
    """One revision with what it changed in each note."""

    _held: ClassVar[str] = "differences"
    revision: Revision
    differences: tuple[Difference, ...]


@dataclass(frozen=True, slots=True)
class BlamedLine:
    """One line of a note's file, and the version that brought it: when, in whose name, through which door."""

    text: str
    version: int
    at: datetime
    principal: str
    channel: str


@dataclass(frozen=True, slots=True, repr=False)
class Blame(Series[BlamedLine]):
    """The author of each line of a note as it is now."""

    _held: ClassVar[str] = "lines"
    note_id: str
    lines: tuple[BlamedLine, ...]


@dataclass(frozen=True, slots=True)
class Machine:
    """A machine that shares this memory: when it was last heard of, and how many revisions and notes are its own."""

    name: str
    is_this: bool
    last_seen: datetime
    revisions: int
    notes: int


@dataclass(frozen=True, slots=True, repr=False)
class Machines(Series[Machine]):
    """All machines, the one heard of last first."""

    _held: ClassVar[str] = "machines"
    machines: tuple[Machine, ...]


@dataclass(frozen=True, slots=True, repr=False)
class Reverted(Value):
    """Notes that were set back to what they said before a revision. `problems` has every other one, with the reason:
    `forgotten`, `already_set_back`, `changed_since`, `authority_too_low`, another error's code, or `not_reverted` for a
    malformed file."""

    revision: str
    note_ids: tuple[str, ...]
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True, repr=False)
class Maintained(Value):
    """Notes that were written anew; if it was not `applied`, those that would be."""

    applied: bool
    note_ids: tuple[str, ...]
