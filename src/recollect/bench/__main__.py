"""`python -m recollect.bench`: run the benchmarks and print the card.

python -m recollect.bench                                   the full card, a few minutes
python -m recollect.bench --quick                           1,000 and 10,000 notes, under half a minute
python -m recollect.bench search --sizes 1000,50000         one benchmark, other sizes
python -m recollect.bench --store postgresql:///empty       on a server instead of in files
python -m recollect.bench --json card.json                  the same figures for programs
"""

from __future__ import annotations

import argparse
import re
import shlex
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from recollect import RecollectError, __version__
from recollect.bench import cold_start, search, writes
from recollect.bench.card import Card, Table, as_json, as_text, gathered
from recollect.bench.corpus import ASKABLE
from recollect.bench.machine import facts
from recollect.bench.places import Places, prepare
from recollect.domain.clock import SystemClock

_FULL_SIZES, _QUICK_SIZES = (1_000, 10_000, 100_000), (1_000, 10_000)


def main(arguments: Sequence[str] | None = None) -> int:
    asked = _parser().parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="recollect-bench-") as scratch:
        try:
            places = prepare(asked.store, Path(scratch))
        except (ValueError, RecollectError) as problem:
            print(problem, file=sys.stderr)
            return 2
        card = Card(
            recollect=__version__,
            date=SystemClock().now().isoformat(timespec="seconds"),
            command=_command(sys.argv[1:] if arguments is None else arguments),
            machine=facts(places),
            tables=gathered(_measured(places, asked)),
        )
    if asked.json != "-":
        print(as_text(card), end="")
    if asked.json == "-":
        print(as_json(card), end="")
    elif asked.json:
        Path(asked.json).write_text(as_json(card), encoding="utf-8")
    return 0


def _measured(places: Places, asked: argparse.Namespace) -> list[Table]:
    sizes = asked.sizes or (_QUICK_SIZES if asked.quick else _FULL_SIZES)
    tables: list[Table] = []
    if asked.benchmark in ("writes", "all"):
        tables += writes.run(places, effort=writes.QUICK if asked.quick else writes.FULL, seed=asked.seed)
    if asked.benchmark in ("search", "all"):
        effort = search.QUICK if asked.quick else search.FULL
        tables += search.run(places, sizes=sizes, effort=effort, seed=asked.seed)
    if asked.benchmark in ("cold-start", "all"):
        starts = cold_start.QUICK if asked.quick else cold_start.FULL
        tables += cold_start.run(places, starts=starts, seed=asked.seed)
    return tables


def _command(arguments: Sequence[str]) -> str:
    """What was run, without any password: a card is made to be shown."""
    shown = [re.sub(r"(://[^:@/]*):.*@", r"\1:***@", argument) for argument in arguments]
    return " ".join(["python -m recollect.bench", *map(shlex.quote, shown)])


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m recollect.bench", description="Run the benchmarks and print the card."
    )
    parser.add_argument(
        "benchmark", nargs="?", default="all", choices=("writes", "search", "cold-start", "all"), help="default: all"
    )
    parser.add_argument("--sizes", type=_sizes, metavar="N,N", help="notes in the stores; default: 1000,10000,100000")
    parser.add_argument("--quick", action="store_true", help="1,000 and 10,000 notes, and fewer of everything")
    parser.add_argument(
        "--store",
        metavar="PATH|URL",
        help="an empty folder, or an empty PostgreSQL database; default: a temporary folder",
    )
    parser.add_argument("--json", metavar="FILE", help="write the figures as JSON too; `-` prints them instead")
    parser.add_argument("--seed", type=int, default=1, help="of notes and questions; default: 1")
    return parser


def _sizes(text: str) -> tuple[int, ...]:
    try:
        sizes = tuple(sorted({int(size.replace("_", "")) for size in text.split(",")}))
    except ValueError:
        raise argparse.ArgumentTypeError(f"`{text}` is not a list of whole numbers.") from None
    if sizes[0] < ASKABLE:
        raise argparse.ArgumentTypeError(f"The questions are about {ASKABLE:,} notes; a store needs them all.")
    return sizes


if __name__ == "__main__":
    sys.exit(main())
