"""The vectors of a space in memory, following the change log.

Most are in a snapshot, which never changes; what was written since is beside it. Both are a cache that never trusts
itself: before every answer it is looked how far the space has come, and what has changed since is read. Whatever is
not there yet is found by words.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Collection, Iterable
from contextlib import suppress
from typing import Any

from recollect.domain.changes import ChangeKind
from recollect.domain.meanings import Embedder, Near, StoredVector, Vector, Vectors, damaged_vector
from recollect.domain.ports import ChangeLog, Store
from recollect.products import with_each
from recollect.recall.vectors import snapshots
from recollect.recall.vectors.snapshots import Snapshot, SnapshotMoment

_PAGE = 1000
_GROWTH = 1.5
_ID = "S26"  # how long an id is
# Rows that are compared one by one: of fewer, looking at the bits first takes longer. Half as many are worth a file.
_EXACT = 16_384
# Rows that are compared exactly, at least, and for each one that is asked for. Of 52,000 real sentences, 2000 have
# the 10 nearest and 99 in 100 of the 70 nearest.
_LEAST, _PER_ANSWER = 2000, 8
_MOST_SINCE = 4096  # rows beside the snapshot, before a new one is due


class VectorIndex:
    """All vectors of one model in one space."""

    def __init__(
        self,
        store: Store,
        log: ChangeLog,
        vectors: Vectors,
        space: str,
        embedder: Embedder,
        *,
        exact_up_to: int = _EXACT,
    ) -> None:
        self._store = store
        self._log = log
        self._vectors = vectors
        self._space = space
        self._model_id = embedder.model_id
        self._dimension = embedder.dimension
        self._exact_up_to = exact_up_to
        self._lock = threading.Lock()
        self._seq = -1
        self._base: Snapshot | None = None
        self._alive: Any = None  # of each row of the snapshot, whether it still stands for a text
        self._is_whole = True  # whether all of them do
        self._since = _Rows(self._dimension)

    def nearest(self, question: Vector, *, limit: int, among: Collection[str] | None = None) -> list[Near]:
        """The nearest texts, nearest first; of equals that of the older record."""
        import numpy as np

        asked = np.frombuffer(question, dtype="<f4")
        with self._lock:
            self._catch_up()
            ids, versions, likeness = self._in_base(asked, limit, among)
            if len(self._since):
                found = (ids, versions, likeness), self._since.compared(asked, among)
                ids, versions, likeness = map(np.concatenate, zip(*found, strict=True))
        best = _best(likeness, limit)
        # Sorted as tuples: an array of so few is sorted and spelled in four times the time.
        rows = sorted(zip((-likeness[best]).tolist(), ids[best].tolist(), versions[best].tolist(), strict=True))
        return [Near(record_id.decode(), version, -distance) for distance, record_id, version in rows]

    def catch_up(self) -> None:
        """Be as far as the space is; the first time this takes a while."""
        with self._lock:
            self._catch_up()

    @property
    def is_read(self) -> bool:
        """Whether it was read once; keeping up is quick from then on."""
        return self._seq >= 0

    @property
    def seq(self) -> int:
        """The number of the newest change it knows of."""
        return self._seq

    @property
    def held_bytes(self) -> int:
        """How much memory its vectors take; a mapped file takes none."""
        base = 0 if self._base is None or self._base.is_mapped else int(self._base.vectors.nbytes)
        return base + self._since.held_bytes

    @property
    def is_due(self) -> bool:
        """Whether so much was written since the last snapshot that another one is due."""
        beside, base = len(self._since), 0 if self._base is None else len(self._base)
        return beside > max(_MOST_SINCE, base // 8)

    def take_anew(self) -> None:
        """Take another snapshot. Questions are answered from the old one meanwhile."""
        base = self._taken()
        with self._lock:
            self._stand_on(base)
            self._catch_up()

    def _in_base(self, asked: Any, limit: int, among: Collection[str] | None) -> tuple[Any, Any, Any]:
        import numpy as np

        base, alive = self._base, self._alive
        if base is None:
            return np.empty(0, _ID), np.empty(0, "<i4"), np.empty(0, "<f4")
        if among is None and len(base) <= self._exact_up_to and self._is_whole:  # no row has to be left out
            likeness = with_each(base.vectors, asked)
            best = _best(likeness, limit)
            return base.ids[best], base.versions[best], likeness[best]
        if among is None:
            rows = np.flatnonzero(alive)
        else:
            rows = base.rows_of(among)
            rows = rows[alive[rows]]
        if len(rows) > self._exact_up_to:
            allowed = np.zeros(len(base), dtype=bool)
            allowed[rows] = True
            rows = base.worth_comparing(asked, allowed, least=max(_LEAST, _PER_ANSWER * limit))
        likeness = base.compared(asked, rows)
        best = _best(likeness, limit)
        rows = rows[best]
        return base.ids[rows], base.versions[rows], likeness[best]

    def _catch_up(self) -> None:
        """Read what has changed since the last look; everything, the first time and after a restore."""
        space = self._store.space(self._space)
        newest = space.seq if space else 0
        if newest == self._seq:
            return
        if self._seq < 0:
            self._stand_on(self._kept() or self._taken())
        elif newest < self._seq:
            self._stand_on(self._taken())  # the space is gone, or was made anew since
        while (changed := self._changed(newest)) is None:
            self._stand_on(self._taken())
        self._replace(changed)
        self._seq = max(self._seq, newest)

    def _changed(self, newest: int) -> set[str] | None:
        """The records that were changed since the last look; `None` if it has to start over."""
        changed: set[str] = set()
        while self._seq < newest and (page := self._log.changes_after(self._space, self._seq, limit=_PAGE)):
            if any(change.kind in _START_OVER for change in page):
                return None
            changed.update(change.record_id for change in page if change.kind in _TELLING)
            self._seq = page[-1].seq
        return changed

    def _replace(self, record_ids: set[str]) -> None:
        self._since.remove(record_ids)
        if self._base is not None:
            gone = self._base.rows_of(record_ids)
            self._alive[gone] = False
            self._is_whole = self._is_whole and not len(gone)
        for stored in self._vectors.of(self._space, self._model_id, sorted(record_ids)):
            self._since.add(stored)

    def _stand_on(self, base: Snapshot) -> None:
        import numpy as np

        self._base = base
        self._alive, self._is_whole = np.ones(len(base), dtype=bool), True
        self._since = _Rows(self._dimension)
        self._seq = base.moment.seq

    def _taken(self) -> Snapshot:
        """A snapshot of what the store has now, kept for the next process if it is worth that."""
        moment = self._now()
        taken = snapshots.taken(moment, self._vectors.every(self._space, self._model_id))
        cache = self._vectors.cache
        if cache is None or 2 * len(taken) <= self._exact_up_to:
            return taken
        with suppress(OSError):  # a full disk, or somebody erased something meanwhile: memory does as well
            cache.put(self._name, taken.pieces())
            # Looked at after it is in its place: whoever erases something takes away the files that are there then.
            if self._something_was_erased(moment.seq):
                cache.drop(self._name)
            else:
                return snapshots.read(cache.path(self._name)) or taken
        return taken

    def _kept(self) -> Snapshot | None:
        """The snapshot an earlier process left, if it is of this history and nothing in it was erased since."""
        cache = self._vectors.cache
        kept = snapshots.read(cache.path(self._name)) if cache else None
        if cache is None or kept is None:
            return None
        told, now = kept.moment, self._now()
        if (told.space, told.model_id, told.dimension) == (now.space, now.model_id, now.dimension):
            entry = self._log.audit(self._space, after=told.audit_seq - 1, limit=1)
            same = [(each.seq, each.digest) for each in entry] == [(told.audit_seq, told.audit_digest)]
            if same and told.seq <= now.seq and not self._something_was_erased(told.seq):
                return kept
        cache.drop(self._name)
        return None

    def _now(self) -> SnapshotMoment:
        space = self._store.space(self._space)
        audit_seq, audit_digest = self._log.audit_head(self._space)
        seq = space.seq if space else 0
        return SnapshotMoment(self._space, self._model_id, self._dimension, seq, audit_seq, audit_digest)

    def _something_was_erased(self, seq: int) -> bool:
        while page := self._log.changes_after(self._space, seq, limit=_PAGE):
            if any(change.kind is ChangeKind.ERASED or change.kind in _START_OVER for change in page):
                return True
            seq = page[-1].seq
        return False

    @property
    def _name(self) -> str:
        told = hashlib.sha256(f"{self._space}\n{self._model_id}".encode()).hexdigest()
        return f"{told[:32]}.vectors"


_TELLING = frozenset({ChangeKind.EMBEDDED, ChangeKind.ERASED})
_START_OVER = frozenset({ChangeKind.SPACE_RESTORED, ChangeKind.SPACE_DELETED})


class _Rows:
    """Vectors that come and go, as rows of one matrix that grows."""

    def __init__(self, dimension: int) -> None:
        self._dimension = dimension
        self._count = 0
        self._rows: dict[str, list[int]] = {}
        self._ids: Any = None
        self._versions: Any = None
        self._alive: Any = None
        self._matrix: Any = None

    def __len__(self) -> int:
        return self._count

    @property
    def held_bytes(self) -> int:
        return 0 if self._matrix is None else int(self._matrix.nbytes)

    def add(self, stored: StoredVector) -> None:
        import numpy as np

        row = self._count
        if self._matrix is None or row == len(self._matrix):
            size = max(256, int(row * _GROWTH))
            self._ids = _grown(self._ids, (size,), _ID)
            self._versions = _grown(self._versions, (size,), "<i4")
            self._alive = _grown(self._alive, (size,), "?")
            self._matrix = _grown(self._matrix, (size, self._dimension), "<f4")
        try:
            self._matrix[row] = np.frombuffer(stored.vector, dtype="<f4")
            self._ids[row], self._versions[row], self._alive[row] = stored.record_id.encode(), stored.version, True
        except (ValueError, OverflowError) as problem:
            raise damaged_vector(stored.record_id) from problem
        self._rows.setdefault(stored.record_id, []).append(row)
        self._count += 1

    def remove(self, record_ids: Iterable[str]) -> None:
        for record_id in record_ids:
            for row in self._rows.pop(record_id, ()):
                self._alive[row] = False
                self._matrix[row] = 0  # what is forgotten is not kept here either

    def compared(self, asked: Any, among: Collection[str] | None) -> tuple[Any, Any, Any]:
        """The ids, versions and likenesses of those that are there."""
        import numpy as np

        if among is None:
            rows = np.flatnonzero(self._alive[: self._count])
            likeness = with_each(self._matrix[: self._count], asked)[rows]
        else:
            rows = np.array([row for each in among for row in self._rows.get(each, ())], dtype=np.int64)
            likeness = with_each(self._matrix[rows], asked)
        return self._ids[rows], self._versions[rows], likeness


def _best(likeness: Any, limit: int) -> Any:
    """Where the nearest are, in no order."""
    import numpy as np

    return np.argpartition(-likeness, limit - 1)[:limit] if len(likeness) > limit else slice(None)


def _grown(array: Any, shape: tuple[int, ...], kind: str) -> Any:
    import numpy as np

    grown = np.zeros(shape, dtype=kind)
    if array is not None:
        grown[: len(array)] = array
    return grown
