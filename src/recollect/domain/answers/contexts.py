"""Memory for a reader: contexts and briefings, fenced as data within a budget, and answers in cited sentences."""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar

from recollect.domain.answers.recollections import Coverage, Usage
from recollect.domain.dataclass import dataclass, field
from recollect.domain.graph.mentions import Freshness
from recollect.domain.values import Series

FENCE = "recollect"  # the tag around everything we put into somebody's context


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


class SentenceTime(StrEnum):
    """Whether a sentence holds, held once, or is contradicted."""

    CURRENT = "current"
    PAST = "past"
    DISPUTED = "disputed"


@dataclass(frozen=True, slots=True)
class Citation:
    """A record that an answer rests on. `number` is its mark in the text, from 1.

    `quote` are its words, as far as they count here. `date` is when it was true or said, in days; `origin` says how
    far its word goes and whose it is.
    """

    number: int
    id: str
    version: int  # of a note; 0 for something that was said
    date: str
    origin: str
    quote: str


@dataclass(frozen=True, slots=True)
class AnswerSentence:
    """One sentence of an answer, and the numbers of the citations that say it."""

    text: str
    citations: tuple[int, ...]
    time: SentenceTime = SentenceTime.CURRENT
    date: str = ""


@dataclass(frozen=True, slots=True, repr=False)
class CitedAnswer(Series[AnswerSentence]):
    """The answer to a question, from records of memory alone.

    `text` is ready to be read: the sentences that hold before those that are past, each with its date and the marks of
    its citations, and the gaps behind them. Without sentences nothing is known, and the answer is false.

    `model` is the model that worded it; without one the sentences are the words of the records. `fallback` says why a
    model that there is did not word it. `receipt` is the id to ask `why` with; `None` if none could be kept.
    """

    _held: ClassVar[str] = "sentences"
    question: str
    text: str
    sentences: tuple[AnswerSentence, ...]
    citations: tuple[Citation, ...]
    gaps: tuple[str, ...]
    coverage: Coverage
    model: str = ""
    fallback: str = ""
    receipt: str | None = None
    usage: Usage = field(default_factory=Usage)
