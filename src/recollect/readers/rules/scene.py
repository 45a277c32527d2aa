"""The scene of a message while it is being read: its text, its times, who was met, and what was taken back.

A scene lives as long as one message. It is the only thing here that changes; everything read from it is a value.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from datetime import datetime, tzinfo
from typing import NamedTuple

from recollect.domain.dataclass import dataclass, field
from recollect.domain.periods import TimeMention
from recollect.language import tags
from recollect.readers.rules.english import cues
from recollect.readers.rules.syntax.clauses import Clause
from recollect.readers.rules.syntax.words import Word
from recollect.readers.rules.who import Company, Who


class Finding(NamedTuple):
    """The result of one reading of a clause, before it is known how it was meant.

    `effect` is "ended", "negated", "past", "event" or nothing; `many` overrides the catalogue when it is not `None`.
    `rule` names the rule that found it.
    """

    who: Who
    attribute: str
    value: str
    old: str = ""
    effect: str = ""
    confidence: float = 0.9
    many: bool | None = None
    wording: str = ""
    rule: str = ""


@dataclass(slots=True)
class Scene:
    """The state of the reading of one message."""

    text: str
    at: datetime
    zone: tzinfo
    company: Company
    times: tuple[TimeMention, ...] = ()
    corrects: bool = False
    wrong: str = ""
    topic: tuple[Who, str] | None = None
    ended: list[Finding] = field(default_factory=list)
    technology: str = ""
    sentence: tuple[int, int] = (0, 0)
    without: frozenset[str] = frozenset()  # rules that are left out, to measure what each is worth

    def times_in(self, start: int, end: int) -> list[TimeMention]:
        return [time for time in self.times if time.start < end and time.end > start]


def by_rule(rule: str, scene: Scene, read: Callable[..., Iterable[Finding]], *given: object) -> list[Finding]:
    """The findings of a rule, each with the rule's name; none if it is left out."""
    if rule in scene.without:
        return []
    return [finding if finding.rule else finding._replace(rule=rule) for finding in read(*given)]


_VAGUE = re.compile(cues.VAGUE, re.IGNORECASE)
SLOT = re.compile(cues.SLOT, re.IGNORECASE)
RECURRENCE = re.compile(cues.RECURRENCE, re.IGNORECASE)
WORK_TIME = re.compile(cues.WORK_TIME, re.IGNORECASE)


def with_times(words: list[Word], text: str, times: tuple[TimeMention, ...]) -> list[Word]:
    """The words, those inside a time phrase marked as such: they belong to no value."""
    spans = [(time.start, time.end) for time in times]
    if not cues.VAGUE_TRIGGERS.isdisjoint(word.low for word in words):
        spans.extend(match.span() for match in _VAGUE.finditer(text))
    if not spans:
        return words
    spans.sort()
    at = 0
    for place, word in enumerate(words):
        while at < len(spans) and spans[at][1] <= word.start:
            at += 1
        if at == len(spans):
            break
        if (
            spans[at][0] <= word.start
            and word.end <= spans[at][1]
            and not (word.tag & (tags.AUX | tags.SUBJECT) and word.text.islower())
        ):
            words[place] = word._replace(tag=word.tag & (tags.PUNCT | tags.CONJ) | tags.TIME)
    return words


def span_of(clause: Clause) -> tuple[int, int]:
    """Where a clause stands in the text, with what leads to it and what trails behind."""
    start = clause.lead[0].start if clause.lead else clause.words[0].start
    end = clause.words[-1].end
    if clause.tails and clause.tails[-1]:
        end = clause.tails[-1][-1].end
    return min(start, clause.words[0].start), end
