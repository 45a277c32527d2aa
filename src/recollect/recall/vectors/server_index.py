"""The vectors of a space where the server of the store compares them: nothing of them is in this process.

It is asked as `VectorIndex` is. Being read means here that what other processes wrote has its place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from recollect.domain.meanings import Near, ServedVectors, Vector
    from recollect.domain.ports import Store

_DUE = 2000  # changes to a space, after which it may have become large


class ServerIndex:
    """All vectors of one model in one space, in the server."""

    held_bytes = 0

    def __init__(self, store: Store, served: ServedVectors, space: str) -> None:
        self._store = store
        self._served = served
        self._space = space
        self._seen = -1  # how far the space had come when it was made ready last

    def nearest(self, question: Vector, *, limit: int, among: Collection[str] | None = None) -> Sequence[Near]:
        """The nearest texts, nearest first; of equals that of the older record."""
        return self._served.nearest(self._space, question, limit=limit, among=among)

    def catch_up(self) -> None:
        """Make the space ready; the first time this may take a while."""
        seq = self.seq
        self._served.place(self._space)
        self._seen = seq

    take_anew = catch_up

    @property
    def is_read(self) -> bool:
        """Whether it was made ready once."""
        return self._seen >= 0

    @property
    def seq(self) -> int:
        """The number of the newest change it knows of, which is the newest there is."""
        space = self._store.space(self._space)
        return space.seq if space else 0

    @property
    def is_due(self) -> bool:
        """Whether so much was written that it should be made ready again."""
        return self.seq - self._seen > _DUE
