"""Figures about a running memory, for whoever watches it: cheap to take, and nothing of what is remembered in them.

They are no verb: they speak of a process and its files, and mean something only when they are taken again and again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from recollect.domain.dataclass import dataclass, field
from recollect.domain.recollections import Coverage, Hit, Usage
from recollect.engine import Engine

HITS, ANSWERS, MODEL = "hits", "answers", "model"  # what is tallied, each with labels of its own

# How the reasons of a hit begin, and the channel each speaks of. The rest of a reason are words of the question.
_CHANNELS = {
    "words": "words",
    "meaning": "meaning",
    "attribute": "attribute",
    "found by what was said": "said",
    "found by an earlier wording": "chain",
    "of the time asked about": "time",
}


@dataclass(frozen=True, slots=True)
class Measures:
    """Bytes are `None` where there is no such file; `index_behind` counts changes that no search has caught up with."""

    spaces: int
    store_bytes: int | None
    wal_bytes: int | None
    index_behind: int
    verdicts: dict[str, int] = field(default_factory=dict)  # what became of candidates in all spaces, by reason


class Measuring:
    """Takes the measures of one memory."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def tally(self) -> dict[tuple[str, ...], int]:
        """`(HITS, channel)`, `(ANSWERS, verb, coverage)` and `(MODEL, "calls" | "tokens")`, since the process began."""
        return self._engine.tally.counts()

    def measures(self) -> Measures:
        engine = self._engine
        spaces = engine.store.spaces()
        verdicts: Counter[str] = Counter()
        for space in spaces:
            verdicts.update(engine.archive.verdicts(space.name))
        return Measures(
            spaces=len(spaces),
            store_bytes=engine.upkeep.size(),
            wal_bytes=_wal_bytes(engine.store.location) if engine.store.kind == "sqlite" else None,
            index_behind=engine.nearness.behind() if engine.nearness else 0,
            verdicts=dict(verdicts),
        )


def tally_answer(engine: Engine, verb: str, hits: Iterable[Hit], coverage: Coverage, usage: Usage) -> None:
    """Something was asked and answered with these hits, through whichever door."""
    counts: Counter[tuple[str, ...]] = Counter({(ANSWERS, verb, coverage.value): 1})
    for hit in hits:
        channels = {_CHANNELS.get(reason.partition(":")[0]) for reason in hit.why}
        counts.update((HITS, channel) for channel in channels if channel is not None)
    counts[MODEL, "calls"] = usage.model_calls
    counts[MODEL, "tokens"] = usage.model_tokens
    engine.tally.add(counts)


def _wal_bytes(location: str) -> int | None:
    # Its size is asked for and it is never opened: closing it would let go of SQLite's locks.
    try:
        return Path(f"{location}-wal").stat().st_size
    except OSError:
        return None
