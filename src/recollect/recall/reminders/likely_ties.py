"""Pure: texts that are likely about an act, though they name neither its file nor its command nor its step.

Four signs are added up: names that both have, words that both have and few texts do, how much more alike a text is to
the act than other texts are, and how far the act repeats what was done before the text was learned. A text whose acts
are known and are others counts for less. Of guidance whose acts are known, fitted odds count as well. Models differ in
what their numbers mean, so a likeness counts by how far it stands out among the likenesses of all texts, and only where
there are enough of them.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import fmean, pstdev
from typing import Final

from recollect.domain.dataclass import dataclass
from recollect.domain.observations import Observation, ObservationKind
from recollect.recall.reminders.act import STEP_WORDS, Act, spelled_path
from recollect.recall.reminders.learned_odds import Tie, odds
from recollect.recall.reminders.prior_acts import Repetition
from recollect.recall.reminders.shared_terms import ActTerms, SharedTerms, advises, shared_terms, stems_of
from recollect.recall.reminders.shell_line import BROAD
from recollect.recall.words import stem

MOST_LIKELY = 2  # texts that are told for one act
_LEAST_COMPARED = 8  # texts, for a likeness to stand out among them
# Set by hand, with acts of `bench/reminding` in view: what each sign is worth, and how much is enough.
_LIKENESS, _RARE, _NAME, _ADVICE, _ENOUGH = 1.2, 0.46, 3.4, 2.5, 5.2
_NAME_SEEN, _ADVICE_SEEN, _ENOUGH_SEEN = 1.9, 1.2, 4.7  # where it is known what was done before a text was learned
_RARE_ALONE, _NAME_ALONE, _ADVICE_ALONE, _ENOUGH_ALONE = 0.9, 3.0, 2.0, 5.6  # where no likeness is known
_BY_LIKENESS_ALONE = 1.8  # more for a text without a term of the act, where nobody knows what was done before it
_REPEATED, _UNREMARKABLE = 3.0, 2.2  # of a likeness to an earlier act, above so many standard deviations
_REPEATED_ALONE, _MANY_TERMS = 9.0, 0.5  # of terms that an earlier act shares above that share, without a likeness
_SAME_STEP, _SAME_FILE, _SAME_PROGRAM, _ANOTHER_ACT = 1.2, 1.0, 1.5, 2.0
_UNRELATED, _ORDINARY = 4.0, 1.0  # of a text without a term of the act, that is no more alike to it than that
_PLAIN = 2.0  # of a note that says nothing of what to do
_BY_HAND = 1.5  # more that the signs have to be worth where odds are known
_POINTS = 2.0  # of one step of the odds
# What a score has to reach, moved from where all of the above put it. `python -m bench.reminding.cut_off` chooses it.
CUT_OFF: Final = 0.0
_BESIDE_CERTAIN = 3.0  # more than enough, where something else is certain
_NOT_THE_BEST = 1.0  # less than the best, and told with it
_MOST_RARE, _MOST_NAMES = 12.0, 2
_UNSEEN = 50  # texts that are taken to be there as well: in a small memory every word is rare
_EVERYDAY = frozenset(map(stem, (*BROAD, *STEP_WORDS)))  # words of every session are worth half


@dataclass(frozen=True, slots=True)
class Advice:
    """A text that may be about an act. `is_guidance` is known of lessons and instructions."""

    text: str
    is_guidance: bool
    likeness: float | None = None
    repetition: Repetition | None = None  # `None` if nobody knows what was done before it
    is_plain: bool = False  # it says nothing of what to do


def likely_ties(given: Sequence[Advice], terms: ActTerms, *, certain: bool = False) -> Mapping[int, str]:
    """The places of the texts that are likely about an act, and what says most of each; the best two.

    `certain` says that some other text is told for certain.
    """
    many = Counter(each for advice in given for each in stems_of(advice.text))
    outstanding = _outstanding([advice.likeness for advice in given])
    nearest = _nearest(given)
    enough = CUT_OFF + (_BESIDE_CERTAIN if certain else 0.0)
    scores = list[tuple[float, int, str]]()
    for place, advice in enumerate(given):
        shared = shared_terms(advice.text, terms)
        rarity = {each: _rarity(each, many[each], len(given)) for each in shared.stems}
        rare = min(_MOST_RARE, sum(rarity.values()))
        score, repeated = _weighed(advice, shared, rare, outstanding[place], nearest)
        if score >= enough and not advises(advice.text, terms):
            best = max(rarity, key=lambda each: (rarity[each], each), default="")
            named = next(iter(shared.names), "") or terms.stems.get(best, "likeness")
            done = advice.repetition.done if advice.repetition and repeated > 0 else ""
            scores.append((score, place, f"learned after `{done}`" if done else named))
    told = sorted(scores, key=lambda each: (-each[0], each[1]))[:MOST_LIKELY]
    return {place: term for score, place, term in told if score >= told[0][0] - _NOT_THE_BEST}


def _nearest(given: Sequence[Advice]) -> tuple[float, float]:
    """The likeness of the earlier act that is most like an act, and the share of terms of the one that shares most."""
    known = [advice.repetition for advice in given if advice.repetition is not None]
    return max((each.likeness or 0.0 for each in known), default=0.0), max((each.share for each in known), default=0.0)


def _weighed(
    advice: Advice, shared: SharedTerms, rare: float, outstanding: float | None, nearest: tuple[float, float]
) -> tuple[float, float]:
    """How much speaks for a text, and how much of that is what was done before it."""
    done, is_unrelated = advice.repetition, _is_unrelated(shared, outstanding)
    repeated = _repeated(done, has_likeness=outstanding is not None) - _UNRELATED * (done is not None and is_unrelated)
    score = repeated + _score(advice, shared, rare, outstanding) - _PLAIN * advice.is_plain
    if not advice.is_guidance or done is None or outstanding is None:
        return score, repeated
    near = (done.likeness or 0.0) >= nearest[0], done.share >= nearest[1]
    tie = Tie(outstanding, rare, _names(shared), is_unrelated, done, *near)
    return max(score - _BY_HAND, _POINTS * odds(tie)), repeated


def _repeated(repetition: Repetition | None, *, has_likeness: bool) -> float:
    """The worth of what was done before a text was learned; less than nothing if that was another act."""
    if repetition is None:
        return 0.0
    worth = 0.0 if repetition.is_rule else -_ANOTHER_ACT
    worth += _SAME_STEP * repetition.same_step + _SAME_FILE * repetition.same_file
    worth += _SAME_PROGRAM * repetition.same_program
    if repetition.likeness is not None:
        return worth + _REPEATED * max(0.0, repetition.likeness - _UNREMARKABLE)
    if has_likeness or not repetition.is_spoken_of:
        return worth
    return worth + _REPEATED_ALONE * max(0.0, repetition.terms - _MANY_TERMS)


def _is_unrelated(shared: SharedTerms, outstanding: float | None) -> bool:
    """Whether nothing but the acts before a text ties it to an act. Most of those were only done meanwhile."""
    return not shared.stems and not shared.names and outstanding is not None and outstanding < _ORDINARY


def was_done(act: Act, runs: Sequence[Observation]) -> Observation | None:
    """The last time that exactly this was done, unless it failed then. It was done with all that was known."""
    typed, files = " ".join(act.line.split()), set(act.files)
    tried = [
        each
        for each in runs
        if each.kind in (ObservationKind.TOOL_USE, ObservationKind.TOOL_FAILURE)
        and (each.title == typed if typed else bool(files) and files <= set(map(spelled_path, each.files)))
    ]
    last = max(tried, key=lambda each: (each.observed_at, each.id), default=None)
    return None if last is None or last.kind is ObservationKind.TOOL_FAILURE else last


def _score(advice: Advice, shared: SharedTerms, rare: float, outstanding: float | None) -> float:
    names = _names(shared)
    if outstanding is None:
        return _RARE_ALONE * rare + _NAME_ALONE * names + _ADVICE_ALONE * advice.is_guidance - _ENOUGH_ALONE
    name, advises, enough = (
        (_NAME, _ADVICE, _ENOUGH) if advice.repetition is None else (_NAME_SEEN, _ADVICE_SEEN, _ENOUGH_SEEN)
    )
    if advice.repetition is None and not rare and not names:
        enough += _BY_LIKENESS_ALONE
    return _LIKENESS * outstanding + _RARE * rare + name * names + advises * advice.is_guidance - enough


def _names(shared: SharedTerms) -> int:
    return min(_MOST_NAMES, sum(not stems_of(each) <= _EVERYDAY for each in shared.names))


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
