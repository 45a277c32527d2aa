"""FactConsolidation: numbered facts of which the later one wins, and questions that have one answer.

python -m bench.facts --data PATH                  the lists below a path
python -m bench.facts --data PATH --misses         the questions whose first hit lacks the answer, too

The facts are added one by one, in their order, a minute apart. A question is answered at 1 if the text of the first
hit has the answer in it, and at 5 if one of the first five has. Beside it stands BM25 over the same facts.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from datetime import UTC, datetime, timedelta
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Any

from bench.baselines import by_words
from bench.card import Row, Table
from bench.command import Command
from bench.figures import percentile
from bench.measuring import say, timed
from bench.playing import WorldClock, fresh_memory
from bench.shares import DRAWS
from bench.updates import PLACE
from recollect.domain.dataclass import dataclass

FILES = "factconsolidation*.json"
ABSENT = f"There is no {FILES} there. Name the folder with `--data` or {PLACE}."
TARGET = 95  # percent of answers in the first hit

_BEGIN = datetime(2026, 1, 1, tzinfo=UTC)
_APART = timedelta(minutes=1)
_NUMBERED = re.compile(r"^\d+\.\s+(.*\S)", re.MULTILINE)
_TOP = 5
_SPACE = "facts"


@dataclass(frozen=True, slots=True)
class FactList:
    """Facts in their order, and questions, each with the spellings of its answer."""

    name: str
    facts: Sequence[str]
    questions: Sequence[tuple[str, Sequence[str]]]


@dataclass(frozen=True, slots=True)
class Asked:
    """The questions of a list: the texts found for each. Times are in seconds."""

    found: Sequence[Sequence[str]]
    told_in: float
    asked_in: float


def run(
    data: Path | None,
    *,
    seed: int = 7,
    embedding: str = "off",
    models: Path = Path("models"),
    workers: int = 2,
    misses: bool = False,
) -> list[Table]:
    lists = fact_lists(data)
    if not lists:
        return [Table("facts", [], ABSENT)]
    rows: list[Row] = []
    missed: list[Row] = []
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        pending = [(each, pool.submit(remembered, each, embedding, models)) for each in lists]
        for each, future in pending:
            by_words, ours = by_words_only(each), future.result()
            say(f"facts: {each.name}: {len(each.facts):,} facts told, {len(each.questions)} questions asked")
            rows += [_row(each, "words only (BM25 over all facts)", by_words, seed), _row(each, "memory", ours, seed)]
            missed += _misses(each, ours)
    tables = [Table("facts", rows)]
    return [*tables, Table("facts: misses", missed, "Every first hit has the answer.")] if misses else tables


def fact_lists(data: Path | None) -> list[FactList]:
    """Every list of every file of the set below a folder, or of one file. Without a path the variable says where."""
    if data is None:
        data = Path(os.environ[PLACE]) if os.environ.get(PLACE) else None
    files = [] if data is None else [data] if data.is_file() else sorted(data.glob(FILES))
    entries = [entry for file in files for entry in json.loads(file.read_text(encoding="utf-8"))]
    return [_fact_list(number, entry) for number, entry in enumerate(entries)]


def by_words_only(given: FactList) -> Asked:
    texts = {str(number): fact for number, fact in enumerate(given.facts)}
    asked_in, found = timed(by_words, texts, [question for question, _ in given.questions], limit=_TOP)
    return Asked([[texts[number] for number in each] for each in found], 0.0, asked_in)


def remembered(given: FactList, embedding: str, models: Path) -> Asked:
    """Tell a fresh memory the facts and ask it the questions."""
    clock = WorldClock()
    with closing(fresh_memory(clock, _SPACE, embedding, models)) as memory:

        def tell() -> None:
            for number, fact in enumerate(given.facts):
                clock.moment = _BEGIN + number * _APART
                memory.add(fact, at=clock.moment, space=_SPACE)

        def ask() -> list[list[str]]:
            clock.moment += _APART
            return [
                [hit.text for hit in memory.search(question, limit=_TOP, space=_SPACE).hits]
                for question, _ in given.questions
            ]

        told_in, _ = timed(tell)
        asked_in, found = timed(ask)
        return Asked(found, told_in, asked_in)


def is_answered(texts: Sequence[str], answers: Sequence[str]) -> bool:
    """Whether an answer stands in one of the texts, in any case."""
    return any(answer.casefold() in text.casefold() for text in texts for answer in answers)


def _row(given: FactList, method: str, asked: Asked, seed: int) -> Row:
    row: Row = {"facts": f"{given.name}, {method}", "questions": len(given.questions)}
    for top in (1, _TOP):
        right = [
            is_answered(texts[:top], answers) for texts, (_, answers) in zip(asked.found, given.questions, strict=True)
        ]
        low, high = _interval(right, Random(f"{seed}/{top}"))
        row |= {f"answer@{top}_%": 100 * sum(right) / len(right), f"answer@{top}_low": low, f"answer@{top}_high": high}
    row["target@1_%"] = TARGET
    if asked.told_in:  # no time that a clock could tell
        row["facts_per_second"] = len(given.facts) / asked.told_in
    row["question_ms"] = 1000 * asked.asked_in / len(given.questions)
    return row


def _interval(right: Sequence[bool], rng: Random) -> tuple[float, float]:
    drawn = [100 * sum(rng.choices(right, k=len(right))) / len(right) for _ in range(DRAWS)]
    return percentile(drawn, 0.025), percentile(drawn, 0.975)


def _misses(given: FactList, asked: Asked) -> list[Row]:
    return [
        {"missed": question, "answer": answers[0], "first_hit": texts[0] if texts else "", "in": given.name}
        for texts, (question, answers) in zip(asked.found, given.questions, strict=True)
        if not is_answered(texts[:1], answers)
    ]


def _fact_list(number: int, entry: Mapping[str, Any]) -> FactList:
    ids = entry.get("metadata", {}).get("qa_pair_ids") or [f"list_{number}_no"]
    name = re.sub(r"^factconsolidation_|_no\d*$", "", ids[0])
    questions = [(question, answers) for question, answers in zip(entry["questions"], entry["answers"], strict=True)]
    return FactList(name, _NUMBERED.findall(entry["context"]), questions)


def main(arguments: Sequence[str] | None = None) -> int:
    command = Command("facts", "Numbered facts, the later one wins.")
    parser = command.parser
    parser.add_argument("--data", type=Path, metavar="PATH", help=f"a folder or a file; default: {PLACE}")
    parser.add_argument("--seed", type=int, default=7, help="of the intervals; default: 7")
    parser.add_argument("--workers", type=int, default=2, metavar="N", help="processes; default: 2")
    parser.add_argument("--misses", action="store_true", help="list the questions whose first hit lacks the answer")
    asked = parser.parse_args(arguments)
    tables = run(
        asked.data,
        seed=asked.seed,
        embedding=asked.embedding,
        models=asked.models,
        workers=asked.workers,
        misses=asked.misses,
    )
    command.show(tables, arguments, asked.json)
    return 0


if __name__ == "__main__":
    sys.exit(main())
