"""Figures about a running memory, for whoever watches it: cheap to take, and nothing of what is remembered in them.

They are no verb: they speak of a process and its files, and mean something only when they are taken again and again.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from recollect.engine import Engine


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

    def measures(self) -> Measures:
        engine = self._engine
        spaces = engine.store.spaces()
        verdicts: Counter[str] = Counter()
        for space in spaces:
            verdicts.update(engine.archive.verdicts(space.name))
        return Measures(
            spaces=len(spaces),
            store_bytes=engine.store.size(),
            wal_bytes=_wal_bytes(engine.store.location) if engine.store.kind == "sqlite" else None,
            index_behind=engine.nearness.behind() if engine.nearness else 0,
            verdicts=dict(verdicts),
        )


def _wal_bytes(location: str) -> int | None:
    # Its size is asked for and it is never opened: closing it would let go of SQLite's locks.
    try:
        return Path(f"{location}-wal").stat().st_size
    except OSError:
        return None
