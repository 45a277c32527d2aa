"""Contexts: the lines an agent is told when it begins, by section, fenced as data, within a budget."""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar

from recollect.domain.anchors import Freshness
from recollect.domain.answers.briefings import Line
from recollect.domain.dataclass import dataclass, field
from recollect.domain.values import Series

MOST_CHARACTERS = 9000  # of a block; hosts of agents cut off at 10,000


class Section(StrEnum):
    """The sections of a context, in the order in which they are told."""

    SLOT = "slot"
    INSTRUCTION = "instruction"
    CONVENTION = "convention"
    FACT = "fact"
    LESSON = "lesson"
    ACTION = "action"
    SESSION = "session"


@dataclass(frozen=True, slots=True)
class Told:
    """One line of a context. `freshness` is `None` for what has no anchors."""

    section: Section
    line: Line
    freshness: Freshness | None = None


@dataclass(frozen=True, slots=True, repr=False)
class Context(Series[Told]):
    """The lines an agent is told when it begins to work on a project.

    `block` is ready to be put into its context: at most `budget` tokens and 9,000 characters, fence included; empty
    when there is nothing to tell. `left_out` counts what had no room, by section; `waiting` the pinned slots that only
    a model or a program wrote, which wait until somebody asks.
    """

    _held: ClassVar[str] = "lines"
    project: str | None
    block: str
    lines: tuple[Told, ...]
    tokens: int
    budget: int
    left_out: dict[str, int] = field(default_factory=dict)
    waiting: int = 0
