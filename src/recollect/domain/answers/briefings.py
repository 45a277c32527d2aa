"""Briefings: lines of memory for a prompt, with their dates and origins, fenced as data, within a budget."""

from __future__ import annotations

from typing import ClassVar

from recollect.domain.dataclass import dataclass, field
from recollect.domain.recollections import Coverage, Usage
from recollect.domain.values import Series

FENCE = "recollect"  # the tag around everything we put into somebody's context

DEFAULT_BUDGET = 1500  # tokens: some twenty lines, little enough to stand in every prompt
SMALLEST_BUDGET = 120  # tokens: the fence, and one short line in it


@dataclass(frozen=True, slots=True)
class Line:
    """One record of a briefing, as it is shown: without what cannot be seen, and perhaps only its beginning.

    `date` is a day, or a stretch of days, in UTC. `origin` says how far its word goes and whose it is. `beside` is
    the id of the record for whose sake it was added; nothing for one that answers by itself.
    """

    id: str
    version: int  # of a note; 0 for something that was said
    date: str
    origin: str
    text: str
    beside: str = ""
    cut: bool = False


@dataclass(frozen=True, slots=True, repr=False)
class Briefing(Series[Line]):
    """The lines of memory that answer a query, packed for a prompt.

    `block` is ready to be put there and never takes more than `budget` tokens, its fence included. When nothing is
    known it is empty and `skipped` says why. `receipt` is the id to ask `why` with; `None` if none could be kept.
    """

    _held: ClassVar[str] = "lines"
    query: str
    block: str
    lines: tuple[Line, ...]
    tokens: int
    budget: int
    coverage: Coverage
    skipped: str = ""
    receipt: str | None = None
    usage: Usage = field(default_factory=Usage)
