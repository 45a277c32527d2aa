"""The scores of the knowledge-update benchmark, each a share of questions in percent, and how sure it is.

What was found is a list of messages, best first. A score that is marked low is better when it is lower.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any

from bench.figures import percentile
from recollect.domain.answers.recollections import Coverage
from recollect.domain.dataclass import dataclass

STALE_ABOVE, STALE_IN_5, TRAP_ABOVE = "stale above (low)", "stale in top 5 (low)", "trap above (low)"
HISTORY, MULTI = "history R@5", "multi R@5"
NOTHING_KNOWN, WRONGLY_NOTHING = "absent told none", "known told none (low)"

# In the order in which they are shown, with the aims for raw text.
TARGETS: dict[str, float | None] = {
    "current@1": 70,
    "stable@1": 70,
    "retracted@1": 75,
    "as_of@1": 60,
    "when_changed@1": None,
    STALE_ABOVE: None,
    STALE_IN_5: 5,
    TRAP_ABOVE: 15,
    HISTORY: None,
    MULTI: 72,
    NOTHING_KNOWN: None,
    WRONGLY_NOTHING: 1,
}
FIRST = ("current", "stable", "retracted", "as_of", "when_changed")  # questions with one right place: the first

_TOP = 5
DRAWS = 2_000  # questions are drawn anew this often for an interval


@dataclass(frozen=True, slots=True)
class Answer:
    """A question of a world, and the messages that were found for it, best first.

    Of an `absent` question nothing was ever told, and `none` is the right thing to say.
    """

    query: Mapping[str, Any]
    found: tuple[str, ...]
    coverage: Coverage | None = None  # how much was said to be known; `None` of a way that says nothing of it


@dataclass(frozen=True, slots=True)
class Share:
    """A share in percent, where it lies with 95 % certainty, and of how many questions."""

    percent: float
    low: float
    high: float
    questions: int


def scored(answer: Answer) -> dict[str, float]:
    """What one answer adds to which scores: from 0 to 1."""
    query, found = answer.query, answer.found
    gold, kind = set(query["gold"]), query["type"]
    place = place_of(gold, found)
    scores: dict[str, float] = {}
    if kind in FIRST:
        scores[f"{kind}@1"] = float(place == 0)
    if kind in ("history", "multi"):
        scores[f"{kind} R@5"] = len(gold & set(found[:_TOP])) / len(gold)
    if kind == "current":
        above, stale, traps = found[:place], set(query["stale"]), set(query["traps"])
        scores[STALE_ABOVE] = float(not stale.isdisjoint(above))
        scores[STALE_IN_5] = float(not stale.isdisjoint(found[:_TOP]))
        scores[TRAP_ABOVE] = float(not traps.isdisjoint(above))
    if answer.coverage is not None:
        name = NOTHING_KNOWN if kind == "absent" else WRONGLY_NOTHING
        scores[name] = float(answer.coverage is Coverage.NONE)
    return scores


def place_of(gold: set[str], found: Sequence[str]) -> int | None:
    """The place of the first right message, from 0 on; `None` if there is none, and then everything is above it."""
    return next((place for place, message in enumerate(found) if message in gold), None)


def shares(answers: Iterable[Answer], *, seed: int = 1, draws: int = DRAWS) -> dict[str, Share]:
    """Every score over all questions that count for it, with an interval from drawing them anew that often."""
    tallies: dict[str, list[float]] = defaultdict(list)
    for answer in answers:
        for name, value in scored(answer).items():
            tallies[name].append(value)
    return {name: _share(tallies[name], draws, Random(f"{seed}/{name}")) for name in TARGETS if name in tallies}


def _share(values: Sequence[float], draws: int, rng: Random) -> Share:
    drawn = [sum(rng.choices(values, k=len(values))) for _ in range(draws)]
    low, high = (percentile(drawn, edge) * 100 / len(values) for edge in (0.025, 0.975))
    return Share(100 * sum(values) / len(values), low, high, len(values))
