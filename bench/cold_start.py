"""How long the command takes before it does anything: every hook and every shell waits for it.

Each command is a fresh process. The interpreter alone is started in turns with it and subtracted: what is left
is our own time. The fastest run says most about it, because noise only ever adds; processor time says it even
on a machine that is busy with something else, and as a multiple of the interpreter alone it says it on any machine.

    python -m bench.cold_start
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from bench import corpus
from bench.card import Row, Table
from bench.measuring import median, say, timed
from bench.places import Places, take_in
from recollect import Settings

FULL, QUICK = 30, 12  # starts of each command

_NOTES = 1_000  # in the store that is listed
_PATIENCE = 60.0  # seconds for one command


def run(places: Places, *, starts: int, seed: int) -> list[Table]:
    commands = _commands()
    if commands is None:
        return [Table("cold start", (), skipped="The command line is not there yet: recollect.surfaces.cli.main.")]
    settings = places.settings("cold-start")
    with closing(places.open("cold-start")) as memory:
        take_in(memory, corpus.lines(corpus.entries(_NOTES, seed=seed), space=settings.space))
    environment = _environment(settings)

    say(f"cold start: {starts} starts of each of {len(commands)} commands, in turns")
    for command in commands.values():
        _started(command, environment)  # not counted: it compiles what it imports, as installing does
    taken: dict[str, list[_Start]] = {name: [] for name in commands}
    for _ in range(starts):
        for name, command in commands.items():
            taken[name].append(_started(command, environment))
    bare = next(iter(taken.values()))
    return [Table("cold start", [_row(name, each, bare) for name, each in taken.items()])]


class _Start(NamedTuple):
    """Seconds, of which those of the processor."""

    wall: float
    processor: float


def _row(name: str, starts: Sequence[_Start], bare: Sequence[_Start]) -> Row:
    wall, bare_wall = [start.wall for start in starts], [start.wall for start in bare]
    processor, bare_processor = (min(start.processor for start in each) for each in (starts, bare))
    return {
        "cold_start": name,
        "min_ms": min(wall) * 1000,
        "median_ms": median(wall) * 1000,
        "own_min_ms": (min(wall) - min(bare_wall)) * 1000,
        "own_median_ms": (median(wall) - median(bare_wall)) * 1000,
        "cpu_min_ms": processor * 1000,
        "own_cpu_min_ms": (processor - bare_processor) * 1000,
        "times_python": processor / bare_processor,
    }


def _commands() -> dict[str, list[str]] | None:
    """What is started, the interpreter alone first; `None` while there is no command line."""
    script = Path(sys.executable).with_name("recollect")
    if find_spec("recollect.surfaces.cli.main") is None or not script.exists():
        return None
    return {
        "python alone": [sys.executable, "-c", "pass"],
        "import recollect": [sys.executable, "-c", "import recollect"],
        "from recollect import Memory": [sys.executable, "-c", "from recollect import Memory"],
        "recollect --version": [str(script), "--version"],
        "recollect --help": [str(script), "--help"],
        f"recollect list, {_NOTES:,} notes": [str(script), "list"],
        "recollect list --json": [str(script), "list", "--json"],
    }


def _environment(settings: Settings) -> dict[str, str]:
    """The caller's, but for what would change the figures: where memory is, and whether Python keeps bytecode."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return kept | {
        "PYTHONPYCACHEPREFIX": str(settings.home / "bytecode"),
        "RECOLLECT_HOME": str(settings.home),
        "RECOLLECT_STORE": settings.store,
        "RECOLLECT_SPACE": settings.space,
    }


def _started(command: list[str], environment: Mapping[str, str]) -> _Start:
    before = _processor_seconds()
    wall, done = timed(
        subprocess.run, command, env=environment, capture_output=True, text=True, timeout=_PATIENCE, check=False
    )
    if done.returncode != 0:
        raise RuntimeError(f"`{' '.join(command)}` failed: {done.stderr.strip()}")
    return _Start(wall, _processor_seconds() - before)


def _processor_seconds() -> float:
    """Of all processes this one has started and waited for."""
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


def main() -> None:
    """This part alone, as a table on standard output."""
    with TemporaryDirectory(prefix="recollect-") as scratch:
        [table] = run(Places(Path(scratch)), starts=QUICK, seed=7)
    print("| | processor, ms | times Python alone |\n|---|---|---|")
    for row in table.rows:
        print(f"| {row['cold_start']} | {row['cpu_min_ms']:.0f} | {row['times_python']:.1f} |")


if __name__ == "__main__":
    main()
