"""`python -m bench.graph.never_known [FILE…]`: whether any sign tells a near neighbour from a record that answers.

The cases of `bench.graph.cascade` are told and asked twice: as it is, and as if nothing were known. Of each question of
which a record would be quoted the signs are taken that are at hand: how likely the best record answers, how far ahead
of the next it is, how much of that is lost at most, and how it varies, if one word of the question is left out, how
near it is in meaning and word by word, and which of the asked words and names it has. A logistic regression is fitted
to tell which of them were never known, and tried on each file with the others alone. Printed are how well each sign
tells them apart by itself (a half is chance), and for the fit how many more answers would be right and how many fewer,
if it silenced so many questions that have an answer. All cases of the repository were seen before.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.graph.cascade.__main__ import DOUBTFUL, NEVER, answered, judged, told
from recollect import Memory
from recollect.domain.answers.recollections import Coverage
from recollect.domain.dataclass import replace
from recollect.domain.meanings import Relevance
from recollect.language.english.small_words import STOP_WORDS
from recollect.recall.cited import likelihoods
from recollect.recall.cited.extractive import asked_stems
from recollect.recall.coverage import asked_in, names_in, share
from recollect.recall.pipeline import Search
from recollect.recall.weights import WEIGHTS, Weights
from recollect.recall.words import words_of

FOLDER = Path(__file__).with_name("cascade")
SIGNS = ("likely", "ahead", "least without a word", "varies by word", "meaning", "word by word", "words", "names")
LOST = (0.02, 0.05, 0.1)  # of the questions that a record answers
_RIDGE = 1.0
_QUOTED = 0.3  # how likely the best record is from which something would be quoted

Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Sample:
    """A question of which something is quoted: its signs, and whether the answer is right as it is, and if silent."""

    file: str
    signs: tuple[float, ...]
    never: bool
    right: bool
    right_if_silent: bool


def main(arguments: Sequence[str]) -> int:
    """Take the signs of all cases, fit, and print how far they lead; 1 if no fit is worth having."""
    files = [Path(each) for each in arguments] or sorted(FOLDER.glob("*.jsonl"))
    samples = [each for file in files for each in _samples(file)]
    never = np.array([each.never for each in samples])
    signs = np.array([each.signs for each in samples])
    scaled = (signs - signs.mean(0)) / np.maximum(signs.std(0), 1e-9)
    print(
        f"{len(samples)} questions of which something would be quoted, {never.sum()} of them on something never known"
    )
    for number, name in enumerate(SIGNS):
        print(f"  {name:24}{_apart(scaled[:, number], never):>6.2f}")
    scores = np.zeros(len(samples))
    for file in {each.file for each in samples}:
        mine = np.array([each.file == file for each in samples])
        if not mine.all():
            scores[mine] = _with_one(scaled[mine]) @ _fitted(scaled[~mine], ~never[~mine])
    print(f"  {'all, other files':24}{_apart(scores, never):>6.2f}")
    best = max(_told(samples, scores, never, lost) for lost in LOST)
    weights = _fitted(scaled, ~never)
    print("weights:", ", ".join(f"{name} {weight:+.2f}" for name, weight in zip(SIGNS, weights, strict=False)))
    return int(best <= 0)


def _told(samples: Sequence[Sample], scores: Numbers, never: NDArray[np.bool_], lost: float) -> int:
    """Print what silence below a share of the answerable questions brings, and return how many more are right."""
    below = scores < np.quantile(scores[~never], lost)
    changed = [each for each, is_below in zip(samples, below, strict=True) if is_below]
    won = sum(each.right_if_silent and not each.right for each in changed)
    gone = sum(each.right and not each.right_if_silent for each in changed)
    print(f"silent on {lost:.0%} of those with an answer: {won} more right, {gone} fewer")
    return won - gone


def _samples(file: Path) -> Iterator[Sample]:
    """The questions of a file that somebody may be told something on; doubtful ones tell nothing here."""
    for line in file.read_text("utf-8").splitlines():
        case = json.loads(line)
        if case["right"]["state"] == DOUBTFUL:
            continue
        with told(case, {}) as (memory, ids):
            signs = _signs(memory, case)
            if signs is None:
                continue
            right = not judged(case, answered(memory, case["ask"], ids))[1]
            with _nothing_known():
                silent = not judged(case, answered(memory, case["ask"], ids))[1]
        yield Sample(file.stem, signs, case["right"]["state"] == NEVER, right, silent)


def _signs(memory: Memory, case: Mapping[str, Any]) -> tuple[float, ...] | None:
    """The signs of the record that is likeliest to answer; `None` if no model read any, or none would be quoted."""
    relevance, question = memory._engine.relevance, case["ask"]
    sources = memory._sources(memory._readable(None), {}, wanted=20)
    search: Search = likelihoods.read_for_answer(memory._search(sources, question, {}), relevance)
    read = sorted((hit for hit in search.ranked if hit.id in search.likely), key=lambda hit: -search.likely[hit.id])
    if relevance is None or not read or search.likely[read[0].id] < _QUOTED:
        return None
    best, text = read[0], read[0].sentence or read[0].text
    likely = _log_odds(search.likely[best.id])
    others = [_log_odds(search.likely[hit.id]) for hit in read[1:]]
    words = question.split()
    left_out = [
        _log_odds(relevance.answers(" ".join(words[:place] + words[place + 1 :]), [text])[0] or 0.0) - likely
        for place, word in enumerate(words)
        if any(each not in STOP_WORDS for each in words_of(word))
    ] or [0.0]
    asked, names = asked_stems(search), names_in(question)
    met = len(names.intersection(words_of(text))) / len(names) if names else 1.0
    return (
        likely,
        likely - max(others, default=_log_odds(0.0)),
        min(left_out),
        float(np.std(left_out)),
        best.likeness,
        best.closeness,
        share(asked, asked_in(asked, text, search.question.stem)),
        met,
    )


@contextmanager
def _nothing_known() -> Iterator[None]:
    """Answers as if nothing were known, whatever was found: an end and what was taken back are still told."""
    read = likelihoods.read_for_answer

    def unknown(search: Search, relevance: Relevance | None, weights: Weights = WEIGHTS) -> Search:
        return replace(read(search, relevance, weights), coverage=Coverage.NONE)

    likelihoods.read_for_answer = unknown
    try:
        yield
    finally:
        likelihoods.read_for_answer = read


def _fitted(signs: Numbers, answers: NDArray[np.bool_]) -> Numbers:
    """The weights of a logistic regression, the last of them by itself, by Newton's method."""
    given, weights = _with_one(signs), np.zeros(signs.shape[1] + 1)
    ridge = _RIDGE * np.diag([*np.ones(signs.shape[1]), 1e-6])
    for _ in range(30):
        odds = 1 / (1 + np.exp(-given @ weights))
        slope = given.T @ (odds - answers) + ridge @ weights
        weights -= np.linalg.solve((given * (odds * (1 - odds))[:, None]).T @ given + ridge, slope)
    return weights


def _with_one(signs: Numbers) -> Numbers:
    return np.column_stack([signs, np.ones(len(signs))])


def _apart(scores: Numbers, never: NDArray[np.bool_]) -> float:
    """How often a question with an answer has a higher score than one without."""
    above = scores[~never][:, None] - scores[never][None]
    return float((above > 0).mean() + (above == 0).mean() / 2) if above.size else 0.5


def _log_odds(likely: float) -> float:
    kept = min(max(likely, 1e-4), 1 - 1e-4)
    return float(np.log(kept / (1 - kept)))


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
