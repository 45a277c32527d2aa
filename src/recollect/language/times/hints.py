"""Cues in the sentence around a time phrase: whether it looks back or ahead, whether something goes on.

The nearest cue before the phrase counts, in its own sentence; without one, the first after it. Cues are found once
for a text, and only when something asks.
"""

from __future__ import annotations

from bisect import bisect_left
from functools import cached_property
from typing import Any

from recollect.language.times.grammar import Matching
from recollect.language.times.reckoning import Lean
from recollect.language.times.tokens import Token


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
