"""The answer to an act that is about to come: what is known about it, and why each of it is told."""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar

from recollect.domain.answers.contexts import Line
from recollect.domain.dataclass import dataclass
from recollect.domain.values import Series

REMINDER_BUDGET = 300  # tokens: three or four lines
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
