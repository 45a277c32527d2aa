"""Pure: the odds that guidance was learned from what an act repeats, by signs whose weights are fitted.

`python -m bench.reminding.fitting` fits the weights to made-up histories, and shows what they are worth for authors
that they were not fitted to. A weight is the change of the logarithm of the odds.
"""

from __future__ import annotations

from typing import Final

from recollect.domain.dataclass import dataclass
from recollect.recall.reminders.prior_acts import Repetition

_LEAST_ALIKE, _MOST_ALIKE = -1.0, 4.0  # standard deviations of a text's likeness that count
_REMARKABLE, _VERY, _THE_SAME = 2.2, 3.5, 6.2  # standard deviations of an earlier act's likeness
_SOME_TERMS = 0.2  # of an earlier act, for an act to repeat anything of it
_AT_ALL = 1.0  # standard deviations, for the nearest act to be near

WEIGHTS: Final = {
    "alike": 0.47,
    "rare": 0.15,
    "rule": 1.17,
    "rare in a rule": 0.09,
    "act alike": 1.41,
    "act very alike": -1.16,
    "step": 1.24,
    "file": 0.24,
    "program": 0.61,
    "unrelated": -1.57,
    "option": 2.34,
    "nearest act": 1.09,
    "most shared act": 1.89,
    "another act": -3.30,
    "names and another act": 1.46,
    "rare and another act": 0.39,
    "alike and another act": 1.27,
}
_OF_ANOTHER: Final = tuple(name for name in WEIGHTS if name.endswith("another act"))
_EVEN: Final = -4.84  # what all signs together have to make up for; one more than fitted, for fewer unneeded lines


@dataclass(frozen=True, slots=True)
class Tie:
    """The signs between a text and an act: shared words by their rarity, shared names, and what was done before it.

    `is_nearest` and `is_most_shared` are true if no other text has an earlier act that is more like this one, or shares
    more of its terms.
    """

    outstanding: float
    rare: float
    names: int
    is_unrelated: bool
    repetition: Repetition
    is_nearest: bool
    is_most_shared: bool


def signs_of(tie: Tie) -> dict[str, float]:
    """The signs that are weighed."""
    done = tie.repetition
    near = min(_THE_SAME, done.likeness or 0.0)
    alike = min(_MOST_ALIKE, max(_LEAST_ALIKE, tie.outstanding))
    another = near < _REMARKABLE and done.terms < _SOME_TERMS
    return {
        "alike": alike,
        "rare": tie.rare,
        "rule": done.is_rule,
        "rare in a rule": done.is_rule * tie.rare,
        "act alike": max(0.0, near - _REMARKABLE),
        "act very alike": max(0.0, near - _VERY),
        "step": done.same_step,
        "file": done.same_file,
        "program": done.same_program,
        "unrelated": tie.is_unrelated,
        "option": done.same_option,
        "nearest act": tie.is_nearest and near > _AT_ALL,
        "most shared act": tie.is_most_shared and done.share > 0,
        "another act": another,
        "names and another act": another * tie.names,
        "rare and another act": another * tie.rare,
        "alike and another act": another * alike,
    }


def odds(tie: Tie) -> float:
    """The logarithm of the odds that a text is worth telling before an act; above 0 it is."""
    worth = {name: WEIGHTS[name] * sign for name, sign in signs_of(tie).items()}
    against = sum(worth.pop(name) for name in _OF_ANOTHER)
    return _EVEN + sum(worth.values()) + min(0.0, against)  # that another act was done never speaks for a text
