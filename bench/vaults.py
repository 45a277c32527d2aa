"""How long a vault takes: files written and read, and two machines brought in step through a repository on this disk.

Each machine is a space with a vault of its own. What is measured is whole: a sync looks at every file, asks the remote,
merges, writes to memory and to files, and pushes. A remote that is far away adds its own time twice.

`cpu_of_git` is the processor's time as a multiple of what git needs beside it in the same run: to clone the repository,
for a machine that receives everything; to look at the files of the clone and ask the remote, where nothing changed.
"""

from __future__ import annotations

import resource
import subprocess
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from shutil import which
from typing import Any, ParamSpec, TypeAlias, TypeVar

from bench import corpus
from bench.card import Row, Table
from bench.figures import percentile
from bench.measuring import median, say, timed
from bench.places import Places, take_in
from recollect import Memory

P = ParamSpec("P")
T = TypeVar("T")

FULL_SIZES, QUICK_SIZES = (1_000, 10_000, 50_000), (1_000,)
RUNS, QUICK_RUNS = 10, 3  # of what is done again and again

_TITLE = "vault"
_OF_GIT = "cpu_of_git"
_SURE = 2.1  # seconds after which a file that was written counts as settled

Taken: TypeAlias = tuple[float, float]  # seconds, and those of the processor, git's included


def run(places: Places, *, sizes: Sequence[int], runs: int, seed: int) -> list[Table]:
    """One table: what is done once with all notes, and what is done with one of them."""
    if which("git") is None:
        return [Table(_TITLE, (), skipped="Git is not installed.")]
    return [Table(_TITLE, [row for size in sizes for row in _measured(places, size, runs, seed)])]


def figures(tables: Sequence[Table]) -> dict[str, Any]:
    """By size and deed, for programs."""
    found: dict[str, Any] = {}
    for row in (row for table in tables for row in table.rows):
        figure = {name: value for name, value in row.items() if name.endswith("_ms") or name == _OF_GIT}
        found.setdefault(str(row["notes"]), {})[str(row[_TITLE])] = figure
    return found


def _measured(places: Places, size: int, runs: int, seed: int) -> list[Row]:
    rows: list[Row] = []

    def note(what: str, taken: Sequence[Taken], git: float | None = None) -> None:
        walls = [wall for wall, _ in taken]
        say(f"vault, {size:,} notes: {what}: {median(walls) * 1000:,.0f} ms")
        spread = {"p50_ms": median(walls) * 1000, "p95_ms": percentile(walls, 0.95) * 1000}
        busy = {"cpu_p50_ms": median([busy for _, busy in taken]) * 1000}
        beside = {_OF_GIT: busy["cpu_p50_ms"] / (git * 1000) if git else None}
        rows.append({_TITLE: what, "notes": size, "runs": len(taken), **spread, **busy, **beside})

    remote = places.folder / f"vault-{size}.git"
    subprocess.run(["git", "init", "--quiet", "--bare", str(remote)], check=True)
    names = (f"vault-{size}-here", f"vault-{size}-there")
    say(f"vault: filling a store with {size:,} notes")
    with closing(places.open(names[0])) as here, closing(places.open(names[1])) as there:
        take_in(here, corpus.lines(corpus.entries(size, seed=seed), space=places.settings(names[0]).space))
        note("write all files", [_taken(here.open_vault)[0]])
        note("look at all files, nothing changed", [_taken(here.scan_vault)[0] for _ in range(runs)])
        note("first sync, all notes sent", [_taken(here.sync, remote=str(remote))[0]])
        received = _taken(there.sync, remote=str(remote))[0]
        clone = places.folder / f"vault-{size}-clone"
        note("first sync, all notes received", [received], git=_taken(_clone, remote, clone)[0][1])
        here.sync()
        time.sleep(_SURE)
        here.sync()
        looks = [_taken(_look, clone)[0][1] for _ in range(runs)]
        note("sync, nothing changed", [_taken(here.sync)[0] for _ in range(runs)], git=median(looks))
        saved = [here.save(f"Made while it was measured, number {number}").id for number in range(runs)]
        here.sync()
        note("a note is saved, its file is there", [_until_a_file(here, number) for number in range(runs)])
        note("a file is edited, memory has it", [_until_memory(here, each) for each in saved])
        sent, arrived = zip(*(_sent_and_received(here, there, number) for number in range(runs)), strict=True)
        note("sync, one note sent", sent)
        note("sync, one note received", arrived)
    return rows


def _until_a_file(memory: Memory, number: int) -> Taken:
    """From a note in memory to its file. While the server runs it looks once a second, which comes on top."""
    saved = memory.save(f"Written to a file while it was measured, number {number}")
    taken, report = _taken(memory.scan_vault)
    _require(lambda: _file(report.folder, saved.id).exists())
    return taken


def _until_memory(memory: Memory, note_id: str) -> Taken:
    path = _file(memory.scan_vault().folder, note_id)
    path.write_bytes(path.read_bytes() + b"Edited by hand.\n")
    taken, report = _taken(memory.scan_vault)
    _require(lambda: note_id in report.taken_in)
    return taken


def _sent_and_received(here: Memory, there: Memory, number: int) -> tuple[Taken, Taken]:
    saved = here.save(f"Sent while it was measured, number {number}")
    sent, _ = _taken(here.sync)
    received, report = _taken(there.sync)
    _require(lambda: saved.id in report.received)
    return sent, received


def _taken(act: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> tuple[Taken, T]:
    before = _processor_seconds()
    wall, answer = timed(act, *args, **kwargs)
    return (wall, _processor_seconds() - before), answer


def _processor_seconds() -> float:
    """Of this process, and of those it has started and waited for."""
    ours, theirs = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return ours.ru_utime + ours.ru_stime + theirs.ru_utime + theirs.ru_stime


def _clone(remote: Path, into: Path) -> None:
    """What git does for a second machine: fetch everything, and write all files.

    Told to, for on the same disk it would only link to the objects that are there, which no second machine can.
    """
    heads = _git("--git-dir", str(remote), "for-each-ref", "--format=%(refname:short)").split()
    _git("clone", "--quiet", "--no-local", "--branch", heads[0], str(remote), str(into))


def _look(clone: Path) -> None:
    """What git does to see that nothing changed: look at every file, and ask the remote for its refs."""
    _git("-C", str(clone), "status", "--porcelain")
    _git("-C", str(clone), "ls-remote", "--quiet", "origin")


def _git(*words: str) -> str:
    return subprocess.run(["git", *words], check=True, capture_output=True, text=True).stdout


def _file(folder: str, note_id: str) -> Path:
    """The file of a note, whose name ends with the last letters of its id."""
    found = (Path(folder) / "memory" / "semantic").glob(f"*-{note_id[-4:].lower()}.md")
    return next(each for each in found if note_id in each.read_text(encoding="utf-8"))


def _require(holds: Callable[[], bool]) -> None:
    if not holds():
        raise RuntimeError("What was measured did not happen.")
