"""Which sets are below a path: they are known by how their files and folders are called."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from recollect.bench.material import DataSet
from recollect.bench.sets import beam, lifebench, locomo, longmemeval, realmem


@dataclass(frozen=True, slots=True)
class Source:
    """What a set is called by on the disk, and who reads it."""

    pattern: str
    load: Callable[[list[Path]], list[DataSet]]


SOURCES = {
    "locomo": Source(locomo.FILES, locomo.load),
    "realmem": Source(realmem.FOLDER, lambda found: realmem.load(found[0])),
    "beam": Source(beam.FOLDER, lambda found: beam.load(found[0])),
    "lifebench": Source(lifebench.FOLDER, lambda found: lifebench.load(found[0])),
    "longmemeval": Source(longmemeval.FILES, longmemeval.load),
}


def load(name: str, data: Path | None) -> list[DataSet]:
    """The set of that name below a path, perhaps in several forms; nothing if it is not there."""
    source = SOURCES[name]
    found = [] if data is None else sorted(data.glob(source.pattern))
    return source.load(found) if found else []
