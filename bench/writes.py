"""How many notes can be written in a second, each of them safe on the disk when it is acknowledged.

The yardstick is SQLite itself: one bare row per transaction, with the same promise of durability, in the same
folder, taken in turns with our saves. What a save does beyond that is an index of words, versions, a change log
and an audit chain; the ratio is their price.
"""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Sequence
from contextlib import closing
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Barrier
from pathlib import Path
from typing import TypeVar

import apsw

from bench import corpus
from bench.card import Row, Table, ratio
from bench.measuring import median, say, spread, times
from bench.places import BATCH, Places, take_in
from recollect import Busy, Memory, Settings
from recollect.domain.dataclass import dataclass

T = TypeVar("T")

_TURN = 50  # saves, then as many bare rows, and so on
_WRITERS = 4
_PATIENCE = 300.0  # seconds until a writer that says nothing counts as lost


@dataclass(frozen=True, slots=True)
class Effort:
    """How much is written."""

    saves: int
    imports: int


FULL = Effort(saves=2_000, imports=5_000)
QUICK = Effort(saves=400, imports=1_000)


def run(places: Places, *, effort: Effort, seed: int) -> list[Table]:
    texts = corpus.texts(effort.saves, seed=seed)
    say(f"writes: {effort.saves:,} saves by one process")
    saves, bare = _alone(places, texts)
    say(f"writes: {effort.saves:,} saves by {_WRITERS} processes")
    together = _together(places, texts)
    say(f"writes: an import of {effort.imports:,} notes")
    imported = _imported(places, effort.imports, seed)

    alone = _row("save, one process", saves)
    rows = [alone, together, imported]
    ratios = [
        ratio(f"writes per second, {_WRITERS} processes to one", together, alone, "per_second"),
        ratio("writes per second, import to save", imported, alone, "per_second"),
    ]
    if bare:
        rows.insert(0, _row("bare row, SQLite alone", bare))
        price = [sum(ours) / sum(theirs) for ours, theirs in zip(_turns(saves), _turns(bare), strict=True)]
        ratios.insert(0, {"ratio": "time of a save to a bare row, median of turns", "times": median(price)})
    return [Table("writes", rows), Table("ratios", ratios)]


def _alone(places: Places, texts: Sequence[str]) -> tuple[list[float], list[float]]:
    """The times of saves and of bare rows, in turns; there are no bare rows where the store is a server."""
    with closing(places.open("alone")) as memory:
        memory.save("The first note makes the space.")
        if places.server is not None:
            return times(memory.save, texts), []
        saves: list[float] = []
        bare: list[float] = []
        with closing(_bare_table(places.folder / "bare.db")) as table:

            def insert(text: str) -> None:
                table.execute("INSERT INTO bare (text) VALUES (?)", (text,))

            for turn in _turns(texts):
                saves += times(memory.save, turn)
                bare += times(insert, turn)
        return saves, bare


def _bare_table(path: Path) -> apsw.Connection:
    connection = apsw.Connection(str(path))
    connection.pragma("journal_mode", "wal")
    connection.pragma("synchronous", "full")
    connection.execute("CREATE TABLE bare (id INTEGER PRIMARY KEY, text TEXT NOT NULL)")
    return connection


def _turns(items: Sequence[T]) -> list[Sequence[T]]:
    return [items[start : start + _TURN] for start in range(0, len(items), _TURN)]


def _imported(places: Places, size: int, seed: int) -> Row:
    lines = corpus.lines(corpus.entries(size, seed=seed), space=places.settings("import").space)
    with closing(places.open("import")) as memory:
        seconds = take_in(memory, lines)
    return {"writes": f"import, {BATCH:,} at a time", "per_second": len(lines) / seconds}


def _row(name: str, seconds: Sequence[float]) -> Row:
    return {"writes": name, "per_second": len(seconds) / sum(seconds), **spread(seconds)}


# --- several processes, one space -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Report:
    begin: float
    finish: float
    seconds: list[float]
    busy: int  # how often the store said to come back later


def _together(places: Places, texts: Sequence[str]) -> Row:
    """The rate is that of all of them, from the first beginning to the last end."""
    settings = places.settings("together")
    with closing(Memory(settings=settings)) as memory:
        memory.save("The first note makes the space.")
    context = multiprocessing.get_context("spawn")
    start = context.Barrier(_WRITERS)
    ends: list[Connection] = []
    for number in range(_WRITERS):
        here, there = context.Pipe(duplex=False)
        share = texts[number::_WRITERS]
        context.Process(target=_writer, args=(settings, share, start, there), daemon=True).start()
        ends.append(here)
    reports = [_heard(end) for end in ends]

    lasted = max(report.finish for report in reports) - min(report.begin for report in reports)
    row = _row(f"save, {_WRITERS} processes", [each for report in reports for each in report.seconds])
    return row | {"per_second": len(texts) / lasted, "busy": sum(report.busy for report in reports)}


def _heard(end: Connection) -> _Report:
    if not end.poll(_PATIENCE):
        raise RuntimeError(f"A writer did not report within {_PATIENCE:.0f} seconds.")
    report = end.recv()
    assert isinstance(report, _Report)
    return report


def _writer(settings: Settings, texts: Sequence[str], start: Barrier, end: Connection) -> None:
    seconds, busy = [], 0
    with closing(Memory(settings=settings)) as memory:
        start.wait(_PATIENCE)
        begin = time.monotonic()
        for text in texts:
            started = time.perf_counter()
            while not _saved(memory, text):
                busy += 1
            seconds.append(time.perf_counter() - started)
        end.send(_Report(begin, time.monotonic(), seconds, busy))


def _saved(memory: Memory, text: str) -> bool:
    try:
        memory.save(text)
    except Busy:
        return False
    return True
