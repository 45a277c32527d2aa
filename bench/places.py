"""Where the benchmarks keep their stores: a file each in one folder, or a space each on one server.

They begin with nothing there. What a store holds already would be measured too, and nobody's notes are ever
mixed with made-up ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from bench.measuring import say, timed
from recollect import Memory, Settings
from recollect.domain.dataclass import dataclass
from recollect.domain.errors import InvalidInput

BATCH = 1_000  # lines per import; each is one transaction

_STEP = 25 * BATCH  # lines until the next word on how far it is


@dataclass(frozen=True, slots=True)
class Places:
    """Files in a folder, or spaces in the PostgreSQL database that `server` is the address of."""

    folder: Path
    server: str | None = None
    models: Path = Path("models")

    def settings(self, name: str, *, embedding: str = "off") -> Settings:
        """How to open the store of that name. Of the settings of whoever runs this, only the models play a part."""
        store = self.server or str(self.folder / f"{name}.db")
        return Settings(
            home=self.folder,
            store=store,
            space=f"bench-{name}",
            principal="bench",
            models=self.models,
            embedding=embedding,
        )

    def open(self, name: str, *, embedding: str = "off") -> Memory:
        return Memory(settings=self.settings(name, embedding=embedding))


def prepare(store: str | None, scratch: Path, models: Path) -> Places:
    """Places in `scratch`, in a folder of the caller's or on a server; `InvalidInput` if anything is there."""
    if store is None:
        return Places(scratch, models=models)
    if "://" in store:
        places = Places(scratch, server=store, models=models)
        with closing(places.open("empty")) as memory:
            if memory.status().spaces:
                raise InvalidInput("The database has spaces in it.", code="not_empty", hint=_NEEDED)
        return places
    folder = Path(store).expanduser().absolute()
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InvalidInput(f"{folder} is not an empty folder.", code="not_empty", hint=_NEEDED)
    folder.mkdir(parents=True, exist_ok=True)
    return Places(folder, models=models)


_NEEDED = "The benchmarks make their stores where nothing is: name an empty folder or database."


def take_in(memory: Memory, lines: Sequence[str]) -> float:
    """Import lines in batches; the seconds it took."""
    seconds = 0.0
    for start in range(0, len(lines), BATCH):
        if start and start % _STEP == 0:
            say(f"  {start:,} of {len(lines):,} lines")
        batch = lines[start : start + BATCH]
        took, report = timed(memory.import_, batch)
        assert report.imported == len(batch), report
        seconds += took
    return seconds
