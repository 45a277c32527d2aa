"""Vectors are read in the background, so that a process that has just begun answers at once, by words.

The first question to a space begins the reading and waits for it, but not for long. One whose reading was not done in
time is answered by words; the next one finds it done.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Sequence

from recollect.domain.meanings import Embedder, Near, Vector, Vectors, embedder_for
from recollect.domain.ports import ChangeLog, Store
from recollect.recall.vectors.index import VectorIndex
from recollect.recall.vectors.server_index import ServerIndex

_PATIENCE = 5.0  # seconds a first question waits; half of one is enough, unless the machine is very busy
_SPACES = 128  # whose vectors stay in memory; a server may have thousands, and most of them are asleep
_LAST = 10.0  # seconds that closing waits for what was begun, so that the next process finds it done


class VectorIndexes:
    """One index for each space that is asked in: in the server if it has one, in this process if not."""

    def __init__(
        self, store: Store, log: ChangeLog, vectors: Vectors, embedder: Embedder, *, patience: float = _PATIENCE
    ) -> None:
        self._store = store
        self._log = log
        self._vectors = vectors
        self._embedder = embedder
        self._patience = patience
        self._lock = threading.Lock()
        self._loaded = threading.Event()  # the model, where the server compares
        self._served = vectors.served(embedder.model_id, embedder.dimension)
        self._indexes: dict[str, VectorIndex | ServerIndex] = {}
        self._working: dict[str, threading.Thread] = {}
        self._problems: dict[str, Exception] = {}

    def nearest(self, space: str, question: str, *, limit: int, among: Collection[str] | None = None) -> Sequence[Near]:
        """See `Nearness.nearest`."""
        return self._nearest(space, lambda: embedder_for(space, self._embedder).query(question), limit, among)

    def alike(self, space: str, text: str, *, limit: int, among: Collection[str] | None = None) -> Sequence[Near]:
        """See `Nearness.alike`."""
        return self._nearest(space, lambda: embedder_for(space, self._embedder).passages([text])[0], limit, among)

    def _nearest(
        self, space: str, vector: Callable[[], Vector], limit: int, among: Collection[str] | None
    ) -> Sequence[Near]:
        index = self._index_of(space)
        if not index.is_read and not self._read(space, index, seconds=self._patience):
            return []
        found = index.nearest(vector(), limit=limit, among=among)
        if index.is_due:
            self._begin(space, index.take_anew)
        return found

    def begin(self, space: str) -> None:
        """See `Nearness.begin`."""
        index = self._index_of(space)
        if not index.is_read:
            self._begin(space, self._reading(index))

    def wait(self, space: str) -> None:
        """Return once the vectors of a space were read and nothing is done in the background."""
        index = self._index_of(space)
        while not self._read(space, index, seconds=_LAST):
            pass
        if index.is_due:
            self._begin(space, index.take_anew)
        self._join(space, time.monotonic() + _LAST)

    def behind(self) -> int:
        """See `Nearness.behind`."""
        with self._lock:
            read = {space: index.seq for space, index in self._indexes.items() if index.is_read}
        newest = {space.name: space.seq for space in self._store.spaces()} if read else {}
        return sum(max(0, newest.get(space, 0) - seq) for space, seq in read.items())

    def held_bytes(self) -> int:
        """See `Nearness.held_bytes`."""
        with self._lock:
            return sum(index.held_bytes for index in self._indexes.values())

    def close(self) -> None:
        """See `Nearness.close`. What was begun is ended, so that the next process finds it done."""
        until = time.monotonic() + _LAST
        for space in list(self._working):
            self._join(space, until)

    def _read(self, space: str, index: VectorIndex | ServerIndex, *, seconds: float) -> bool:
        """Read a space for the first time; whether that was done within so many seconds."""
        self._begin(space, self._reading(index))
        self._join(space, time.monotonic() + seconds)
        problem = self._problems.pop(space, None)
        if problem is not None:
            raise problem
        return index.is_read

    def _reading(self, index: VectorIndex | ServerIndex) -> Callable[[], None]:
        def read() -> None:
            self._embedder.query("")  # loads the model
            index.catch_up()

        return read

    def _begin(self, space: str, work: Callable[[], None]) -> None:
        """Do something for a space in the background, unless something is done for it already."""

        def keeping_what_went_wrong() -> None:
            try:
                work()
            except Exception as problem:  # whoever asks is told
                self._problems[space] = problem

        with self._lock:
            if space not in self._working or not self._working[space].is_alive():
                self._problems.pop(space, None)
                thread = threading.Thread(target=keeping_what_went_wrong, name="recollect vectors", daemon=True)
                self._working[space] = thread
                thread.start()

    def _join(self, space: str, until: float) -> None:
        working = self._working.get(space)
        if working is not None:
            working.join(max(0.0, until - time.monotonic()))

    def _index_of(self, space: str) -> VectorIndex | ServerIndex:
        with self._lock:
            index = self._indexes.pop(space, None)
            if index is None and self._served is not None:
                index = ServerIndex(self._store, self._served, space, self._loaded)
            index = index or VectorIndex(self._store, self._log, self._vectors, space, self._embedder)
            self._indexes[space] = index  # the one asked last stands last
            while len(self._indexes) > _SPACES:
                self._indexes.pop(next(iter(self._indexes)))
            return index
