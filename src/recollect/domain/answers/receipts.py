"""Recall receipts: what was asked, what was found, and what became of each; and the answers to "why" and "why not".

A receipt holds ids, versions and scores, never a text of memory: what is forgotten must not live on in it. What was
asked is kept without its secrets, and only until something in the space is forgotten.
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Any

from recollect.domain.answers.recollections import Coverage, Hit
from recollect.domain.dataclass import dataclass, field
from recollect.domain.links.statement_link import StatementLink
from recollect.domain.values import Value

MOST_RECEIPTS = 1000  # kept for each space; older ones make room
RECEIPT_DAYS = 30  # after which a receipt is dropped
MOST_CANDIDATES = 50  # listed in a receipt, best first; beyond those that were asked for, more are only counted


class Fate(StrEnum):
    """The fate of a record that was found: shown, or why not."""

    SHOWN = "shown"
    DUPLICATE = "duplicate"  # something better says the same
    BUDGET = "budget"  # there was no room left for it
    LIMIT = "limit"  # more was found than was asked for
    LOWER_SCORE = "lower score"  # too far below the best to mean anything
    NOT_RANKED = "not ranked"  # only the database's own stemming found it, and none of our channels
    NOT_VALID_THEN = "not valid then"  # it was not true at the asked time
    NOTHING_KNOWN = "nothing known"  # too little was found to answer with


@dataclass(frozen=True, slots=True)
class Found:
    """A candidate as a receipt has it. `signals` are the raw scores of the channels that found it, by their names."""

    id: str
    version: int  # of a note; 0 for something that was said
    score: float
    fate: Fate
    signals: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, repr=False)
class RecallReceipt(Value):
    """The record of one search. `asked` is what was asked for besides the query; `took` is in milliseconds, by step.

    `query` is `None` once something in the space was forgotten. `candidates` counts all that were found, `found`
    lists the best of them.
    """

    id: str
    at: datetime
    verb: str
    query: str | None
    asked: dict[str, Any]
    coverage: Coverage
    candidates: int
    found: tuple[Found, ...]
    tokens: int = 0
    took: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Answered:
    """Something that was answered: its text as it was then, or nothing and why it cannot be shown.

    `read_by` names the rules, or the model and the version of its prompt, that read it from a message.
    """

    id: str
    version: int
    text: str
    gone: str = ""
    read_by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, repr=False)
class Why(Value):
    """A past answer, and the same question asked again of memory as it was then.

    `again` is empty when the query was forgotten, and `same` is then false. `links` are those that a model
    judged of what was answered, as they are now.
    """

    receipt: RecallReceipt
    answered: tuple[Answered, ...]
    again: tuple[Hit, ...] = ()
    same: bool = False
    links: tuple[StatementLink, ...] = ()


class SearchStep(StrEnum):
    """Where a note was lost on its way into an answer."""

    NOT_HERE = "not here"
    ERASED = "erased"
    OUT_OF_SCOPE = "out of scope"
    SUPERSEDED = "superseded"
    NOT_VALID_THEN = "not valid then"
    NOT_FOUND = "not found"
    BELOW_LIMIT = "below the limit"
    LOWER_SCORE = "lower score"
    NOTHING_KNOWN = "nothing known"
    DUPLICATE = "duplicate"
    BUDGET = "budget"
    NOT_LOST = "not lost"


@dataclass(frozen=True, slots=True, repr=False)
class WhyNot(Value):
    """Which step lost a note. `place` is where it was ranked, from 1; `instead` the id of what stands for it."""

    note_id: str
    query: str
    step: SearchStep
    reason: str
    place: int | None = None
    instead: str | None = None
    signals: dict[str, float] = field(default_factory=dict)
