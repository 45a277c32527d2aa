"""Which sets there are: below a path, known by how their files and folders are called, and one that needs no data."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from bench.material import DataSet
from bench.sets import beam, code, lifebench, locomo, longmemeval, realmem
from recollect.domain.dataclass import dataclass
from recollect.domain.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class Source:
    """What a set is called by on the disk, if it lies there, and who reads it."""

    pattern: str | None
    load: Callable[[list[Path]], list[DataSet]]


SOURCES = {
    "locomo": Source(locomo.FILES, locomo.load),
    "realmem": Source(realmem.FOLDER, lambda found: realmem.load(found[0])),
    "beam": Source(beam.FOLDER, lambda found: beam.load(found[0])),
    "lifebench": Source(lifebench.FOLDER, lambda found: lifebench.load(found[0])),
    "longmemeval": Source(longmemeval.FILES, longmemeval.load),
    "code": Source(None, lambda _: code.load()),
}


def load(name: str, data: Path | None) -> list[DataSet]:
    """The set of that name below a path, perhaps in several forms; nothing if it is not there or asks nothing."""
    source = SOURCES[name]
    if source.pattern is None:
        return source.load([])
    found = [] if data is None else sorted(data.glob(source.pattern))
    if not found:
        return []
    try:
        read = source.load(found)
    except (AttributeError, IndexError, KeyError, OSError, TypeError, ValueError) as problem:
        raise InvalidInput(
            f"{found[0]} cannot be read as the set `{name}`: {type(problem).__name__}: {problem}.",
            code="data_unreadable",
            hint="Its files must be as they are published; or leave the set out with `--sets`.",
        ) from problem
    return [each for each in read if any(corpus.questions for corpus in each.corpora)]
