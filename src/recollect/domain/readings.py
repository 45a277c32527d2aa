"""A message as a reader understands it: statements, how the message was meant, and the sentences passed over.

A reading is made once per message and handed on: keeping stores its standing, the gate picks what may become a fact,
and reconciling files it. A `Reader` is pure: it stores nothing and knows nothing of memory.
"""

from __future__ import annotations

from datetime import UTC, tzinfo
from enum import StrEnum
from typing import Protocol

from recollect.domain.dataclass import dataclass
from recollect.domain.messages import Message
from recollect.domain.observations import Standing
from recollect.domain.statements import Statement


class Reason(StrEnum):
    """Why a sentence or a statement becomes no fact."""

    NOT_DURABLE = "not_durable"
    NOT_SELF_CONTAINED = "not_self_contained"
    NOT_UNDERSTOOD = "not_understood"  # worth reading, and no rule reads it
    QUESTION = "question"
    CHATTER = "chatter"
    HYPOTHETICAL = "hypothetical"
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
