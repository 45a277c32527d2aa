"""Weights of the odds of a tie, fitted to what is known of made-up mistakes: `python -m bench.reminding.fitting`.

All sets are played, or those that are named, and the signs of every text before every act are kept: those of a mistake
that the act would repeat, and those of texts that are not about it. What was done since with all that was known, and
texts that an act follows, are left out. A logistic regression gives the weights. With `--left-out` each set is played
again with weights that were fitted to the other sets only; that takes twice as long.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, cast

import numpy as np

from bench.reminding.__main__ import SESSIONS
from bench.reminding.history import Doing, Mistake, history
from bench.reminding.replay import Outcome, replay
from recollect import Memory
from recollect.domain.observations import Observation
from recollect.recall.reminders import learned_odds, likely_ties
from recollect.recall.reminders.guidance import is_followed
from recollect.recall.reminders.learned_odds import WEIGHTS, Tie, signs_of
from recollect.recall.reminders.likely_ties import Advice
from recollect.recall.reminders.shared_terms import ActTerms, advises, terms_of

LENIENT = 2.0  # logarithm of how many unneeded lines a missed one is worth
_STEADY = 3.0  # keeps the weights of rare signs small
_WORDED = frozenset({"lesson", "note", "rule", "slot"})  # the others are told for certain
Signs = tuple[list[float], bool]


@dataclass
class Watched:
    """A memory that is asked before every act, and the signs that it weighs meanwhile."""

    memory: Memory
    mistakes: Mapping[str, Mistake]
    rows: list[Signs] = field(default_factory=list)
    doing: Doing | None = None
    ties: list[Tie] = field(default_factory=list)
    is_done: bool = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self.memory, name)

    def remind(self, **asked: Any) -> Any:
        self.doing = Doing(f"$ {asked['command']}" if "command" in asked else asked["files"][0])
        return self.memory.remind(**asked)

    def weighed(self, given: Sequence[Advice]) -> None:
        """Keep the signs of the texts whose odds were asked for."""
        asked = [each for each in given if each.is_guidance and each.repetition and each.likeness is not None]
        if self.doing is None or len(asked) != len(self.ties):
            return
        for each, tie in zip(asked, self.ties, strict=True):
            mistake = self.mistakes.get(each.text)
            is_repeated = mistake is not None and mistake.known in _WORDED and self.doing in mistake.acts
            if is_repeated or not (self.is_done or _is_about(mistake, self.doing) or _is_silent(each.text, self.doing)):
                self.rows.append((list(map(float, signs_of(tie).values())), is_repeated))


@cache
def _is_about(mistake: Mistake | None, doing: Doing) -> bool:
    return mistake is not None and mistake.is_about(doing)


@cache
def _is_silent(text: str, doing: Doing) -> bool:
    return advises(text, terms_of(doing.act)) or is_followed(text, doing.act)


@contextmanager
def watching(watched: Watched) -> Iterator[None]:
    """Hand the watched memory what is weighed."""
    odds, ties, was_done = learned_odds.odds, likely_ties.likely_ties, likely_ties.was_done

    def kept_odds(tie: Tie) -> float:
        watched.ties.append(tie)
        return odds(tie)

    def kept_ties(given: Sequence[Advice], terms: ActTerms, **more: bool) -> Mapping[int, str]:
        watched.ties.clear()
        found = ties(given, terms, **more)
        watched.weighed(given)
        return found

    def kept_done(act: Any, runs: Sequence[Observation]) -> Observation | None:
        found = was_done(act, runs)
        watched.is_done = found is not None
        return found

    parts: dict[str, Any] = {"odds": kept_odds, "likely_ties": kept_ties, "was_done": kept_done}
    for name, part in parts.items():
        setattr(likely_ties, name, part)
    try:
        yield
    finally:
        for name, part in {"odds": odds, "likely_ties": ties, "was_done": was_done}.items():
            setattr(likely_ties, name, part)


def played(file: Path) -> tuple[Outcome, list[Signs]]:
    """A set that is played, and the signs that were weighed."""
    with tempfile.TemporaryDirectory() as folder, Memory(home=folder) as memory:
        place = Path(folder) / "project"
        place.mkdir()
        told = history(SESSIONS, file=file)
        watched = Watched(memory, {each.text: each for each in told.mistakes if each.text})
        with watching(watched):
            outcome = replay(cast(Memory, watched), told, place)
    return outcome, watched.rows


def fitted(rows: Sequence[Signs]) -> tuple[float, dict[str, float]]:
    """The constant and the weights of a logistic regression, by Newton's method."""
    signs = np.array([each for each, _ in rows])
    repeated = np.array([each for _, each in rows], dtype=float)
    spread = signs.std(axis=0)
    spread[spread == 0] = 1.0
    scaled = np.column_stack([np.ones(len(signs)), signs / spread])
    keeping = np.diag([1e-6, *[_STEADY] * signs.shape[1]])
    weights = np.zeros(scaled.shape[1])
    for _ in range(15):
        chance = 1 / (1 + np.exp(-np.clip(scaled @ weights, -30, 30)))
        slope = scaled.T @ (repeated - chance) - keeping @ weights
        curve = (scaled * (chance * (1 - chance))[:, None]).T @ scaled + keeping
        weights += np.linalg.solve(curve, slope)
    return float(weights[0]), dict(zip(WEIGHTS, (weights[1:] / spread).tolist(), strict=True))


def main(words: list[str]) -> int:
    """Fit the weights, and print them."""
    files = [Path(each) for each in words if each.endswith(".toml")]
    files = files or sorted(Path(__file__).parent.glob("*.toml"))
    rows = {file: played(file)[1] for file in files}
    constant, weights = fitted([each for some in rows.values() for each in some])
    print(f"{'even':<24}{constant + LENIENT:>7.2f}")
    print(*(f"{name:<24}{weight:>7.2f}" for name, weight in weights.items()), sep="\n")
    for file in files if "--left-out" in words else ():
        constant, weights = fitted([each for other, some in rows.items() if other != file for each in some])
        learned_odds.WEIGHTS.update(weights)
        learned_odds._EVEN = constant + LENIENT  # type: ignore[misc]
        outcome, _ = played(file)
        print(f"{file.stem:<24}{outcome.share:>7.1%} told {outcome.alarms:>7.2f} false alarms a session", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
