"""`python -m bench.filters [POSTGRES-URL]`: pages of 100,000 notes, with filters and without, in one run.

Each filter is timed in turn with the plain list; SQLite by the time of the processor, so that a busy machine changes
nothing. The ratio of the medians is told, and the run fails if one is above three.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Any

from recollect import Memory
from recollect.domain.changes import Changes, WriteNote
from recollect.domain.clock import SystemClock
from recollect.domain.notes import Kind, Note
from recollect.domain.origin import Channel, Origin
from recollect.domain.scopes import Scope
from recollect.stores.opening import open_store

MANY = 100_000
PAGE = 50
ROUNDS = 40
MOST = 3.0  # times the plain list
_AT_A_TIME = 2_000
_KINDS = tuple(Kind)

FILTERS: dict[str, dict[str, Any]] = {
    "several kinds": {"kind": ["lesson", "pattern"]},
    "a rare kind and another": {"kind": ["lesson", "procedural"]},
    "several tags, common": {"tag": ["blue", "red"]},
    "a rare tag": {"tag": "rare"},
    "several subjects": {"subject": ["person:1", "person:2", "person:3"]},
    "a user, of a hundred": {"user": "u7"},
    "created in the last month": {"created": {"max_age": "30d"}},
    "created in a month, long ago": {"created": {"since": "{old}", "until": "{newer}"}},
    "metadata, one of ten thousand": {"metadata.ticket": 77},
    "metadata, any of three": {"metadata.ticket": [77, 78, 79]},
    "metadata, half of all": {"metadata.team": "ops"},
    "metadata, a range": {"metadata.ticket": {"gte": 9_990}},
    "metadata, not": {"metadata.team": {"ne": "ops"}},
    "metadata, kind and time": {"metadata.team": "ops", "kind": ["lesson", "semantic"], "created": {"max_age": "900d"}},
    "or, with a rare part": {"or": [{"metadata.team": "ops"}, {"tag": "rare"}]},
}  # fmt: skip


def main(arguments: list[str]) -> int:
    """Make the notes, time the lists, and say whether each filter is within its bound."""
    with tempfile.TemporaryDirectory() as folder:
        address = arguments[0] if arguments else str(Path(folder) / "memory.db")
        filled(address)
        with Memory(store=address, home=folder, embedding="off") as memory:
            return told(memory)


def filled(address: str) -> None:
    """A hundred thousand notes over ten years, the newest now."""
    clock = SystemClock()
    store = open_store(address, clock=clock, busy_timeout=30)
    now = clock.now()
    for start in range(0, MANY, _AT_A_TIME):
        notes = [
            _note(clock, number, now - timedelta(days=3650 * (MANY - number) / MANY))
            for number in range(start, start + _AT_A_TIME)
        ]
        store.apply(Changes("default", "bench", now, Origin(Channel.LIBRARY, "bench"), tuple(map(WriteNote, notes))))
    if store.kind == "postgres":
        with store._database.migrating() as transaction:
            transaction.script("ANALYZE note; ANALYZE note_text; ANALYZE note_metadata")
    store.close()


def _note(clock: SystemClock, number: int, moment: Any) -> Note:
    return Note(
        id=clock.new_id(),
        space="default",
        version=1,
        kind=_KINDS[1 + number // 20 % 4] if number % 20 == 0 else Kind.SEMANTIC,
        text=f"note {number}",
        recorded_at=moment,
        updated_at=moment,
        subject=f"person:{number % 5000}" if number % 2 else "user",
        tags=("rare",) if number % 2000 == 0 else (("blue", "red", "green")[number % 3],),
        scope=Scope(user=f"u{number % 100}"),
        origin=Origin(Channel.LIBRARY, "bench"),
        metadata={"ticket": number % 10_000, "team": "ops" if number % 2 else "dev"},
    )


def told(memory: Memory) -> int:
    """Print the ratio of each filter; 1 if one is above the bound."""
    worst, clock = 0.0, process_time if memory.status().store == "sqlite" else perf_counter
    print(f"{MANY:,} notes, a page of {PAGE}, {memory.status().store}")
    for name, written in FILTERS.items():
        filtered = partial(memory.list, limit=PAGE, where=_dated(memory, written))
        found = len(filtered())
        before, after = timed(clock, partial(memory.list, limit=PAGE), filtered)
        worst = max(worst, after / before)
        print(f"{name:30} {found:3} notes {before * 1000:7.2f} ms plain {after * 1000:7.2f} ms {after / before:6.2f}x")
    print(f"worst {worst:.2f}x, at most {MOST:.0f}x")
    return int(worst > MOST)


def _dated(memory: Memory, where: dict[str, Any]) -> dict[str, Any]:
    """The filter with a month five years ago where it asks for one."""
    if where.get("created", {}).get("since") != "{old}":
        return where
    newest = memory.list(limit=1)[0].recorded_at
    return {"created": {"since": newest - timedelta(days=1830), "until": newest - timedelta(days=1800)}}


def timed(
    clock: Callable[[], float], plain: Callable[[], object], filtered: Callable[[], object]
) -> tuple[float, float]:
    """The medians of two calls, made in turn."""
    seconds: tuple[list[float], list[float]] = ([], [])
    for _ in range(ROUNDS):
        for call, taken in zip((plain, filtered), seconds, strict=True):
            begun = clock()
            call()
            taken.append(clock() - begun)
    return median(seconds[0]), median(seconds[1])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
