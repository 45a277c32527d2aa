"""The answer to an act that is about to come: what is known about it, and why each of it is told."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from enum import StrEnum
from typing import ClassVar, Protocol

from recollect.domain.answers.contexts import Line
from recollect.domain.dataclass import dataclass
from recollect.domain.values import Series

REMINDED_DAYS = 30  # for which it is remembered what a session was told


class ReminderReason(StrEnum):
    """The tie between a record and an act, the surest first."""

    TRIGGER = "trigger"  # the note says when it wants to be told
    ANCHOR = "anchor"  # the note is fastened to a file that is touched
    RULE = "rule"  # an instruction, or a line of a slot, names it
    LESSON = "lesson"  # a lesson names it
    NOTE = "note"  # another note says what to do about it
    FAILURE = "failure"  # it failed before, and something else worked


@dataclass(frozen=True, slots=True)
class Reminded:
    """One line that is told, and why. `named` is the trigger, the file, the command or the step that it is tied by."""

    reason: ReminderReason
    named: str
    line: Line


@dataclass(frozen=True, slots=True, repr=False)
class Reminder(Series[Reminded]):
    """The lines that are told before an act. Usually there are none, and `block` is empty.

    `block` is ready for a context and never takes more than `budget` tokens. `known` counts what fits and was told in
    this session before.
    """

    _held: ClassVar[str] = "lines"
    block: str
    lines: tuple[Reminded, ...]
    tokens: int
    budget: int
    known: int = 0


class Reminders(Protocol):
    """The records that sessions were told before an act, kept for a while beside memory and never part of it."""

    def told(self, space: str, session: str) -> frozenset[str]:
        """The ids of what a session was told."""
        ...

    def claim(self, space: str, session: str, record_ids: Collection[str], at: datetime) -> frozenset[str]:
        """Write down that a session is told some records, and return those that nobody told it before.

        It waits for nobody: `Busy` when somebody is writing, any other `StoreFailure` where nothing can be written.
        """
        ...

    def begin_anew(self, space: str, session: str) -> None:
        """Forget what a session was told: its context was cut."""
        ...

    def expire(self, space: str, *, before: datetime) -> None:
        """Forget what sessions were told before a moment."""
        ...
