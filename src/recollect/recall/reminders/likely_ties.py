"""Pure: texts that are likely about an act, though they name neither its file nor its command nor its step.

Three signs are added up: names that both have, words that both have and few texts do, and how much more alike a text
is to the act than other texts are. Models differ in what their numbers mean, so a likeness counts by how far it stands
out among the likenesses of all texts, and only where there are enough of them.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import fmean, pstdev

from recollect.domain.dataclass import dataclass
from recollect.domain.observations import Observation, ObservationKind
from recollect.recall.reminders.act import STEP_WORDS, Act, spelled_path
from recollect.recall.reminders.shared_terms import ActTerms, SharedTerms, advises, shared_terms, stems_of
from recollect.recall.reminders.shell_line import BROAD
from recollect.recall.words import stem

MOST_LIKELY = 2  # texts that are told for one act
_LEAST_COMPARED = 8  # texts, for a likeness to stand out among them
# Fitted to the acts of `bench/reminding` that had been seen: what each sign is worth, and how much is enough.
_LIKENESS, _RARE, _NAME, _ADVICE, _ENOUGH = 1.2, 0.46, 3.4, 1.7, 5.2
_RARE_ALONE, _NAME_ALONE, _ADVICE_ALONE, _ENOUGH_ALONE = 0.9, 3.0, 2.0, 5.6  # where no likeness is known
_MOST_RARE, _MOST_NAMES = 12.0, 2
_UNSEEN = 50  # texts that are taken to be there as well: in a small memory every word is rare
_EVERYDAY = frozenset(map(stem, (*BROAD, *STEP_WORDS)))  # words of every session are worth half


@dataclass(frozen=True, slots=True)
class Advice:
    """A text that may be about an act. `is_guidance` is known of lessons and instructions."""

    text: str
    is_guidance: bool
    likeness: float | None = None


def likely_ties(given: Sequence[Advice], terms: ActTerms) -> Mapping[int, str]:
    """The places of the texts that are likely about an act, and the term that says most of each; the best two."""
    many = Counter(each for advice in given for each in stems_of(advice.text))
    outstanding = _outstanding([advice.likeness for advice in given])
    scores = list[tuple[float, int, str]]()
    for place, advice in enumerate(given):
        shared = shared_terms(advice.text, terms)
        rarity = {each: _rarity(each, many[each], len(given)) for each in shared.stems}
        score = _score(advice, shared, min(_MOST_RARE, sum(rarity.values())), outstanding[place])
        if score >= 0 and not advises(advice.text, terms):
            best = max(rarity, key=lambda each: (rarity[each], each), default="")
            scores.append((score, place, next(iter(shared.names), "") or terms.stems.get(best, "likeness")))
    return {place: term for _, place, term in sorted(scores, key=lambda each: (-each[0], each[1]))[:MOST_LIKELY]}


def was_done(act: Act, runs: Sequence[Observation]) -> Observation | None:
    """The last time that exactly this was done, and not as a failure. Then it was done with all that was known."""
    typed, files = " ".join(act.line.split()), set(act.files)
    done = [
        each
        for each in runs
        if each.kind is ObservationKind.TOOL_USE
        and (each.title == typed if typed else bool(files) and files <= set(map(spelled_path, each.files)))
    ]
    return max(done, key=lambda each: (each.observed_at, each.id), default=None)


def _score(advice: Advice, shared: SharedTerms, rare: float, outstanding: float | None) -> float:
    names = min(_MOST_NAMES, sum(not stems_of(each) <= _EVERYDAY for each in shared.names))
    if outstanding is None:
        return _RARE_ALONE * rare + _NAME_ALONE * names + _ADVICE_ALONE * advice.is_guidance - _ENOUGH_ALONE
    return _LIKENESS * outstanding + _RARE * rare + _NAME * names + _ADVICE * advice.is_guidance - _ENOUGH


def _rarity(root: str, many: int, texts: int) -> float:
    return math.log((texts + _UNSEEN) / (many + 1)) * (0.5 if root in _EVERYDAY else 1.0)


def _outstanding(likenesses: Sequence[float | None]) -> list[float | None]:
    """Of each likeness by how many standard deviations it is above the mean; `None` where that says nothing."""
    known = [each for each in likenesses if each is not None]
    spread = pstdev(known) if len(known) >= _LEAST_COMPARED else 0.0
    if not spread:
        return [None] * len(likenesses)
    mean = fmean(known)
    return [None if each is None else (each - mean) / spread for each in likenesses]
