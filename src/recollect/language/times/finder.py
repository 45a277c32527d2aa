"""Time phrases in a text, and the cues around each: past or ahead, going on or over.

Everything is read from the moment the text was written, in the place of whoever wrote it. What is found stands in the
order of the text and does not overlap; of several readings at a place the longest counts. The precision of a period
is the unit that was named, while the period itself may be a part of one ("early June") or several ("a few days ago").

A phrase without a year leans to the past or to the future. The nearest cue in its sentence decides ("was", "will"),
the words around it failing that ("since" looks back, "by" ahead), and the past when nothing does.

The nearest cue before the phrase counts, in its own sentence; without one, the first after it. Cues are found once
for a text, and only when something asks.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from datetime import UTC, datetime, tzinfo
from functools import cached_property
from typing import Any

from recollect.domain.periods import Period, TimeMention, TimeRelation
from recollect.language.times.calendar import Here, Lean, here_at
from recollect.language.times.english import ENGLISH
from recollect.language.times.grammar import Grammar, Language, Matching, Needs, PhraseMatch, grammar_of
from recollect.language.times.meanings import leans, read
from recollect.language.times.tokens import Token, tokens


class Hints:
    """The cues of one text. Places are those of its tokens."""

    def __init__(self, text: str, found: list[Token], matching: Matching) -> None:
        self._text = text
        self._tokens = found
        self._matching = matching

    def before(self, place: int) -> Lean | None:
        """The lean of the nearest cue before a place, if it is in the same sentence."""
        cues = self._cues
        nearest = bisect_left(cues, (place, "")) - 1
        if nearest < 0 or self._sentences[cues[nearest][0]] != self._sentences[place]:
            return None
        return cues[nearest][1]

    def around(self, first: int, end: int) -> Lean | None:
        """The lean of the nearest cue before a phrase, or else of the first one after it, in the same sentence."""
        lean = self.before(first)
        if lean is not None or end >= len(self._tokens):
            return lean
        cues = self._cues
        next_one = bisect_left(cues, (end, ""))
        if next_one == len(cues) or self._sentences[cues[next_one][0]] != self._sentences[first]:
            return None
        return cues[next_one][1]

    def states(self, place: int) -> bool:
        """Whether something "is" what follows: "the meeting is on Friday", "it's Friday"."""
        return place > 0 and "copula" in self._tokens[place - 1].classes

    def goes_on(self, first: int, end: int) -> bool:
        """Whether the sentence says that something still goes on. True as well if the phrase is all of it."""
        lasting, sentence = self._lasting, self._sentences[first]
        after = bisect_left(lasting, (first, False))
        for place, goes_on in lasting[max(after - 1, 0) : after + 1]:
            if self._sentences[place] == sentence:
                return goes_on
        begins = first == 0 or self._sentences[first - 1] != sentence
        ends = end == len(self._tokens) or "stop" in self._tokens[end].classes
        return begins and ends

    @cached_property
    def _cues(self) -> list[tuple[int, Lean]]:
        return self._values("CUE")

    @cached_property
    def _lasting(self) -> list[tuple[int, bool]]:
        return self._values("LASTING")

    def _values(self, phrase: str) -> list[tuple[int, Any]]:
        found = []
        place = 0
        while place < len(self._tokens):
            matches = self._matching.all(phrase, place)
            if matches:
                found.append((place, matches[0].rule.value))
            place = matches[0].end if matches else place + 1
        return found

    @cached_property
    def _sentences(self) -> list[int]:
        """For each token, the number of its sentence."""
        numbers = []
        number = 0
        end = 0
        for token in self._tokens:
            if "\n" in self._text[end : token.start]:
                number += 1
            numbers.append(number)
            number += "stop" in token.classes
            end = token.end
        return numbers


LONGEST_LEAD = 8  # tokens before the first that tells of time: "for a little more than a couple of years"

_DIGIT = re.compile(r"[0-9]")
_WORD = re.compile(r"[^\W\d_]+")


def find_times(
    text: str, *, at: datetime, zone: tzinfo = UTC, lean: Lean | None = None, language: Language = ENGLISH
) -> tuple[TimeMention, ...]:
    """Every time phrase in a text written at `at`. `lean` decides where the text would have to hint."""
    if not _may_have_times(text, language):
        return ()
    try:
        here = here_at(at, zone).leaning(lean)
    except (OverflowError, ValueError):
        return ()  # the first and last days of the calendar have no local date everywhere
    return _found(text, here, grammar_of(language))


def resolve(
    phrase: str, *, at: datetime, zone: tzinfo = UTC, lean: Lean | None = None, language: Language = ENGLISH
) -> Period | None:
    """The time one phrase means, or None if it is not, as a whole, a time. Needs no preposition: "March", "2019"."""
    grammar = grammar_of(language)
    found = tokens(phrase.strip().rstrip(".?!,"), grammar.vocabulary)
    matching = Matching(grammar, found)
    try:
        here = here_at(at, zone).leaning(lean)
    except (OverflowError, ValueError):
        return None
    for match in matching.all("TOP", 0) + matching.all("ALONE", 0):
        if match.end == len(found):
            period = _period(match, here.leaning(match.rule.lean or lean or match.rule.default))
            if period is not None:
                return period
    return None


def _may_have_times(text: str, language: Language) -> bool:
    """Cheap, and right about most texts: without a digit or a word for a time there is none."""
    return bool(_DIGIT.search(text)) or not language.triggers.isdisjoint(_WORD.findall(text.lower()))


def _found(text: str, here: Here, grammar: Grammar) -> tuple[TimeMention, ...]:
    found = tokens(text, grammar.vocabulary)
    matching = Matching(grammar, found)
    hints = Hints(text, found, matching)
    habit = grammar.language.never_after
    mentions: list[TimeMention] = []
    at = 0
    for telling in (place for place, token in enumerate(found) if token.telling):
        at = max(at, telling - LONGEST_LEAD)
        while at <= telling:
            passed = matching.all("NOT", at)
            skip = passed[0].end if passed else at + 1
            matches = [] if at and habit in found[at - 1].classes else matching.all("TOP", at)
            for match in matches:
                if passed and match.end <= skip:
                    break
                reading = _read(at, match, here, hints)
                if reading is not None:
                    start, end = found[at].start, found[match.end - 1].end
                    mentions.append(TimeMention(start, end, text[start:end], *reading))
                    skip = match.end
                    break
            at = skip
    return tuple(mentions)


def _read(first: int, match: PhraseMatch, here: Here, hints: Hints) -> tuple[Period, TimeRelation] | None:
    rule = match.rule
    if rule.needs is not None and not _given(rule.needs, first, match.end, here, hints):
        return None
    period = _period(match, here.leaning(_leaning(first, match, here, hints)))
    if period is None:
        return None
    if rule.if_ahead is not None and period.start > here.at:
        return (period, rule.if_ahead)
    return (period, rule.relation)


def _leaning(first: int, match: PhraseMatch, here: Here, hints: Hints) -> Lean | None:
    """Which way a phrase without a year leans. What is said to be on Friday is ahead, or today if today is Friday."""
    rule = match.rule
    if rule.lean or here.lean or not leans(match):
        return rule.lean or here.lean
    if not hints.states(first):
        return hints.around(first, match.end) or rule.default
    present = _period(match, here)
    return None if present is not None and present.covers(here.at) else "future"


def _given(needs: Needs, first: int, end: int, here: Here, hints: Hints) -> bool:
    """Whether the sentence says what a phrase needs to count as a time."""
    match needs:
        case "not past":
            return here.lean == "future" or hints.before(first) != "past"
        case "a hint":
            return here.lean is not None or hints.around(first, end) is not None
        case "still going on":
            return hints.goes_on(first, end)


def _period(match: PhraseMatch, here: Here) -> Period | None:
    """The period that a match means; None also for days that do not exist and years that cannot be kept."""
    try:
        period = read(here, match)
    except (ValueError, OverflowError, IndexError):
        return None
    return period if period is not None and period.start < period.end else None
