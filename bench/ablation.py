"""What each part of the ranking is worth: it is taken away, and the quality sets are asked again.

python -m bench.ablation --data PATH --embedding auto --models .models
python -m bench.ablation --data PATH --quick 2     2 conversations and worlds, 40 questions of each
python -m bench.ablation --data PATH --only steps  or `signs`, `notes`, `speech`, `breadth`
python -m bench.ablation --stories PATH            chat stories, beside the other sets or alone

Everything is told once. Then each question is asked with the weights as they are, and with each step of
`recall/steps.py`, each sign and each group of constants switched off in turn. Figures are points of difference: what is
lost without it is below 0. One question more or less is the smallest step a figure can take: see how many there were.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from bench.card import Row, Table
from bench.command import Command
from bench.material import Corpus, DataSet
from bench.measuring import say
from bench.playing import Part, Track, play_as
from bench.retelling import Found, retell_as
from bench.sets.finding import load
from bench.shares import STALE_IN_5, Answer, shares
from bench.stories import Asked, stories_of, story_files, tell_as
from bench.updates import shared_banks
from recollect import Memory, Settings
from recollect.domain.dataclass import names_of, replace
from recollect.recall.gather import Sources
from recollect.recall.steps import FOLLOWED
from recollect.recall.weights import WEIGHTS, SignWeights, Weights
from recollect.reflect.metrics import judged
from recollect.verbs.actor import Which

AS_IT_IS, QUESTIONS = "as it is", "questions"
ABSENT = "There is neither locomo*.json nor updates*.json there. Name the folder with `--data`, or `--stories`."
GROUPS = ("steps", "signs", "notes", "speech", "breadth")

_GATHERED = ("notes", "observations", "near", "looked_around")
_TITLE = "ablation: points of difference"
_QUESTIONS = 40  # of each conversation, when it is to be quick
_FOUND_AT = ("recall@10", "ndcg@10")
_TOLD_AT = ("current@1", "stable@1", "as_of@1", STALE_IN_5)


def variants(groups: Sequence[str] = GROUPS) -> dict[str, Weights]:
    """The weights as they are, and without each part, by what is missing."""
    found = {AS_IT_IS: WEIGHTS}
    if "steps" in groups:
        found |= {f"step: {step.name}": replace(WEIGHTS, off=frozenset({step.name})) for step in FOLLOWED}
    if "signs" in groups:
        for name in names_of(SignWeights):
            found[f"sign: {name}"] = replace(WEIGHTS, signs=replace(WEIGHTS.signs, **{name: 0.0}))
    if "notes" in groups:
        without: dict[str, float] = {"attribute": 0, "meant": 0, "somebody_else": 1}
        for name, value in without.items():
            found[f"note: {name}"] = replace(WEIGHTS, note=replace(WEIGHTS.note, **{name: value}))
    if "speech" in groups:
        alike = replace(WEIGHTS.speech, not_the_user=1.0, nobodys=1.0, whoever_asks=1.0, standing={})
        found["speech: whose word, and how meant"] = replace(WEIGHTS, speech=alike)
    if "breadth" in groups:
        for said, times in {"half": 0.5, "twice": 2}.items():
            many = {name: round(times * getattr(WEIGHTS.breadth, name)) for name in _GATHERED}
            closeness = replace(WEIGHTS.closeness, compared=round(times * WEIGHTS.closeness.compared))
            weights = replace(WEIGHTS, breadth=replace(WEIGHTS.breadth, **many), closeness=closeness)
            found[f"breadth: {said} as many candidates"] = weights
    return found


class WeighedMemory(Memory):
    """A view of a memory that ranks by other weights. Made by `views`."""

    _weights: Weights = WEIGHTS

    def _sources(self, space: str, which: Which, *, wanted: int = 0, without: Sequence[str] = ()) -> Sources:
        return replace(super()._sources(space, which, wanted=wanted, without=without), weights=self._weights)


def views(memory: Memory, weights: Mapping[str, Weights]) -> dict[str, Memory]:
    """The same memory, once for each of some weights."""
    made: dict[str, Memory] = {}
    for name, each in weights.items():
        view = memory._twin(WeighedMemory, memory._caller, None)
        view._weights = each
        made[name] = view
    return made


def run(
    data: Path | None,
    settings: Settings,
    *,
    stories: Sequence[Path] = (),
    quick: int | None = None,
    groups: Sequence[str] = GROUPS,
) -> list[Table]:
    """A table of points of difference, part by part."""
    weights = variants(groups)
    rows: dict[str, Row] = {name: {"without": name} for name in (QUESTIONS, *weights)}
    for given in load("locomo", data):
        _add(rows, "locomo", _retold(given, settings, weights, quick))
    for bank in shared_banks(data):
        _add(rows, bank.name, _played(bank.name, bank.worlds[:quick], settings, weights))
    if stories:
        _add(rows, "stories", _chatted(stories, settings, weights, quick))
    if len(rows[AS_IT_IS]) == 1:
        return [Table(_TITLE, [], ABSENT)]
    return [Table(_TITLE, list(rows.values()))]


def _retold(
    given: DataSet, settings: Settings, weights: Mapping[str, Weights], quick: int | None
) -> dict[str, dict[str, float]]:
    found: dict[str, list[Found]] = defaultdict(list)
    for corpus in given.corpora[:quick]:
        some = corpus.questions[: None if quick is None else _QUESTIONS]
        fewer = Corpus(corpus.name, corpus.items, [each for each in some if each.category not in given.apart])
        say(f"ablation: {corpus.name}, {len(fewer.questions)} questions, {len(weights)} times")
        for name, each in retell_as(given, fewer, settings, lambda memory: views(memory, weights)).items():
            found[name] += each
    means = {name: _means([judged(one.ids, one.question.gold) for one in each]) for name, each in found.items()}
    return means | {QUESTIONS: dict.fromkeys(_FOUND_AT, float(len(found[AS_IT_IS])))}


def _means(scores: Sequence[Mapping[str, float]]) -> dict[str, float]:
    return {name: 100 * sum(each[name] for each in scores) / max(1, len(scores)) for name in _FOUND_AT}


def _played(
    bank: str, worlds: Sequence[Mapping[str, Any]], settings: Settings, weights: Mapping[str, Weights]
) -> dict[str, dict[str, float]]:
    answers: dict[str, list[Answer]] = defaultdict(list)
    for number, world in enumerate(worlds, start=1):
        say(f"ablation: {bank}, world {number} of {len(worlds)}, {len(weights)} times")
        part = Part(world, Track.RAW, embedding=settings.embedding, models=settings.models)
        for name, each in play_as(part, lambda memory: views(memory, weights)).items():
            answers[name] += each
    told = {name: shares(each, draws=1) for name, each in answers.items()}
    figures = {name: {at: each[at].percent for at in _TOLD_AT if at in each} for name, each in told.items()}
    counts = {at: float(told[AS_IT_IS][at].questions) for at in figures[AS_IT_IS]}
    return figures | {QUESTIONS: counts}


def _chatted(
    places: Sequence[Path], settings: Settings, weights: Mapping[str, Weights], quick: int | None
) -> dict[str, dict[str, float]]:
    answers: dict[str, list[Asked]] = defaultdict(list)
    for file in story_files(places):
        some = stories_of(file)[:quick]
        say(f"ablation: {file.stem}, {len(some)} stories, {len(weights)} times")
        for story in some:
            told = tell_as(
                story, lambda memory: views(memory, weights), embedding=settings.embedding, models=settings.models
            )
            for name, each in told.items():
                answers[name] += each
    figures = {
        name: {
            "answered@1": 100 * sum(one.place == 0 for one in each) / max(1, len(each)),
            "answered@5": 100 * sum(one.place is not None for one in each) / max(1, len(each)),
            "stale above": 100 * sum(one.stale_above for one in each) / max(1, len(each)),
        }
        for name, each in answers.items()
    }
    return figures | {QUESTIONS: dict.fromkeys(figures[AS_IT_IS], float(len(answers[AS_IT_IS])))}


def _add(rows: Mapping[str, Row], of: str, figures: Mapping[str, Mapping[str, float]]) -> None:
    """The figures as they are in the first row, and in each other one what is gained or lost without a part."""
    as_it_is = figures.get(AS_IT_IS, {})
    for name, each in figures.items():
        for at, value in each.items():
            rows[name][f"{of} {at}"] = _shown(name, value, as_it_is[at])


def _shown(name: str, value: float, as_it_is: float) -> str:
    if name == QUESTIONS:
        return f"{value:.0f}"
    if name == AS_IT_IS:
        return f"{value:.1f}"
    difference = round(value - as_it_is, 1)
    return f"{difference:+.1f}" if difference else "0"


def main(arguments: Sequence[str] | None = None) -> int:
    command = Command("ablation", "The worth of each part of the ranking.")
    parser = command.parser
    parser.add_argument("--data", type=Path, metavar="PATH", help="the folder of the data sets")
    parser.add_argument("--stories", type=Path, nargs="*", default=[], metavar="PATH", help="files or folders")
    parser.add_argument(
        "--quick", type=int, metavar="N", help=f"N conversations and worlds, {_QUESTIONS} questions each"
    )
    parser.add_argument("--only", choices=GROUPS, action="append", help="only this sort of parts; may be repeated")
    asked = parser.parse_args(arguments)
    settings = Settings(home=Path("/nonexistent"), store=":memory:", embedding=asked.embedding, models=asked.models)
    tables = run(asked.data, settings, stories=asked.stories, quick=asked.quick, groups=asked.only or GROUPS)
    command.show(tables, arguments, asked.json)
    return 0


if __name__ == "__main__":
    sys.exit(main())
