"""The vectors of a space in memory, compared exactly, and following the change log.

It is a cache and never trusts itself: before every answer it looks how far the space has come, and reads what has
changed since. Whatever it does not have yet is found by words.
"""

from __future__ import annotations

import threading
from typing import Any

from recollect.domain.changes import ChangeKind
from recollect.domain.ports import Embedder, Near, Store, StoredVector, Vector, Vectors

_PAGE = 1000
_GROWTH = 1.5


class VectorIndex:
    """All vectors of one model in one space, as rows of one matrix."""

    def __init__(self, store: Store, vectors: Vectors, space: str, embedder: Embedder) -> None:
        self._store = store
        self._vectors = vectors
        self._space = space
        self._model_id = embedder.model_id
        self._dimension = embedder.dimension
        self._lock = threading.Lock()
        self._seq = -1
        self._keys: list[tuple[str, int] | None] = []
        self._rows: dict[str, dict[int, int]] = {}
        self._dead: list[int] = []  # rows whose text is gone
        self._matrix: Any = None

    def nearest(self, question: Vector, *, limit: int) -> list[Near]:
        """The nearest texts, nearest first."""
        import numpy as np

        with self._lock:
            self._catch_up()
            count = len(self._keys)
            if count == 0:
                return []
            likeness = self._matrix[:count] @ np.frombuffer(question, dtype=np.float32)
            likeness[self._dead] = -np.inf  # rows that stand for nothing take no place among the nearest
            best = np.argpartition(-likeness, min(limit, count) - 1)[:limit] if count > limit else np.arange(count)
            best = best[np.argsort(-likeness[best], kind="stable")]
            found = [(self._keys[int(row)], float(likeness[int(row)])) for row in best]
        return [Near(key[0], key[1], likeness) for key, likeness in found if key is not None]

    def _catch_up(self) -> None:
        """Read what has changed since the last look; everything, the first time and after a restore."""
        space = self._store.space(self._space)
        newest = space.seq if space else 0
        if newest == self._seq:
            return
        if self._seq >= 0:
            changed: set[str] = set()
            after = self._seq
            while changes := self._store.changes_after(self._space, after, limit=_PAGE):
                if any(change.kind in _START_OVER for change in changes):
                    break
                changed.update(change.record_id for change in changes if change.kind in _TELLING)
                after = changes[-1].seq
            else:
                self._replace(changed)
                self._seq = max(after, newest)
                return
        self._load()
        self._seq = newest

    def _load(self) -> None:
        self._keys, self._rows, self._dead, self._matrix = [], {}, [], None
        for stored in self._vectors.every(self._space, self._model_id):
            self._add(stored)

    def _replace(self, record_ids: set[str]) -> None:
        for record_id in record_ids:
            for row in self._rows.pop(record_id, {}).values():
                self._keys[row] = None
                self._dead.append(row)
        for stored in self._vectors.of(self._space, self._model_id, sorted(record_ids)):
            self._add(stored)

    def _add(self, stored: StoredVector) -> None:
        import numpy as np

        row = len(self._keys)
        if self._matrix is None or row == len(self._matrix):
            grown = np.zeros((max(256, int(row * _GROWTH)), self._dimension), dtype=np.float32)
            if self._matrix is not None:
                grown[:row] = self._matrix
            self._matrix = grown
        self._matrix[row] = np.frombuffer(stored.vector, dtype=np.float32)
        self._keys.append((stored.record_id, stored.version))
        self._rows.setdefault(stored.record_id, {})[stored.version] = row


_TELLING = frozenset({ChangeKind.EMBEDDED, ChangeKind.ERASED})
_START_OVER = frozenset({ChangeKind.SPACE_RESTORED, ChangeKind.SPACE_DELETED})


class VectorIndexes:
    """One index for each space that is asked in."""

    def __init__(self, store: Store, vectors: Vectors, embedder: Embedder) -> None:
        self._store = store
        self._vectors = vectors
        self._embedder = embedder
        self._lock = threading.Lock()
        self._indexes: dict[str, VectorIndex] = {}

    def nearest(self, space: str, question: str, *, limit: int) -> list[Near]:
        """See `Nearness.nearest`."""
        return self._index_of(space).nearest(self._embedder.query(question), limit=limit)

    def _index_of(self, space: str) -> VectorIndex:
        with self._lock:
            if space not in self._indexes:
                self._indexes[space] = VectorIndex(self._store, self._vectors, space, self._embedder)
            return self._indexes[space]
