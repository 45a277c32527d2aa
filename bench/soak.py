"""What is left after a long time: how a server's memory develops under mixed load, and what many shims leave behind."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from typing import Any

from bench import shims
from bench.card import Row, Table
from bench.load import NOT_INSTALLED, Ask, Server, ask_all, asking, fill, is_installed, served, slope
from bench.measuring import say
from bench.places import Places

SIZE = 10_000  # notes

_LENGTH = {True: 60.0, False: 600.0}  # seconds of mixed load, by whether it has to be quick
_STARTS = {True: 50, False: 1_000}  # of the shim
_CLIENTS = 8
_SETTLED = 1 / 3  # of the soak after which the memory counts: caches are full by then
_NAME = "soaked"


def run(places: Places, *, size: int, quick: bool, seed: int, embedding: str) -> list[Table]:
    """A table of the server's memory, and one of shims."""
    if not is_installed():
        return [Table("soak", (), skipped=NOT_INSTALLED)]
    say(f"soak: filling a store with {size:,} notes")
    fill(places, _NAME, size, seed, embedding)
    with served(places, _NAME, embedding) as server:
        say(f"soak: {_STARTS[quick]:,} starts of the shim")
        started = shims.run(server, _STARTS[quick], seed)
        say(f"soak: mixed load for {_LENGTH[quick]:.0f} seconds")
        soaked = _soak(server, asking(server.space, seed)["mixed"], _LENGTH[quick], size)
    return [Table("soak", [soaked]), started]


def figures(tables: Sequence[Table]) -> dict[str, Any]:
    """For programs."""
    return {
        table.title: {name: value for name, value in row.items() if name != table.title}
        for table in tables
        for row in table.rows
    }


def _soak(server: Server, ask: Ask, length: float, size: int) -> Row:
    seen: list[tuple[float, float]] = []
    over = threading.Event()
    began, busy, at_first = time.monotonic(), server.processor_seconds(), server.resident_mb()

    def watch() -> None:
        while not over.wait(0.5):
            seen.append((time.monotonic() - began, server.resident_mb()))

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        _, statuses = ask_all(server, ask, _CLIENTS, lambda _: time.monotonic() - began < length)
    finally:
        over.set()
        watcher.join()
    requests, spent = sum(statuses.values()), server.processor_seconds() - busy
    settled = [(at, mb) for at, mb in seen if at >= _SETTLED * length]
    growth = slope(settled)
    return {
        "soak": f"7 searches, 2 messages, 1 list; {_CLIENTS} clients",
        "notes": size,
        "seconds": length,
        "requests": requests,
        "failed": requests - statuses[200],
        "start_mb": at_first,
        "settled_mb": settled[0][1],
        "end_mb": settled[-1][1],
        "growth_mb_per_10_min": 600 * growth,
        "growth_mb_per_100k": 100_000 * growth * length / requests,
        "cpu_ms_each": 1000 * spent / requests,
    }
