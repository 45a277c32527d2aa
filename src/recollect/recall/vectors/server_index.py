"""The vectors of a space where the server of the store compares them: nothing of them is in this process.

It is asked as `VectorIndex` is, and answers from the first question on. Making a space ready, so that what other
processes wrote has its place and a large space its index, is done beside that; where it fails, answers are only slower.
"""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from threading import Event

    from recollect.domain.meanings import Near, ServedVectors, Vector
    from recollect.domain.ports import Store

_DUE = 2000  # changes to a space, after which it may have become large
_AGAIN = 600.0  # seconds after which it is looked at again: another process may have been building, or it went wrong

_log = logging.getLogger("recollect.vectors")


class ServerIndex:
    """All vectors of one model in one space, in the server."""

    held_bytes = 0

    def __init__(self, store: Store, served: ServedVectors, space: str, loaded: Event) -> None:
        self._store = store
        self._served = served
        self._space = space
        self._loaded = loaded  # of the model, for all spaces: there is nothing else to wait for
        self._seen: int | None = None  # how far the space had come when it was made ready last
        self._looked = 0.0  # when that was, by the monotonic clock

    def nearest(self, question: Vector, *, limit: int, among: Collection[str] | None = None) -> Sequence[Near]:
        """The nearest texts, nearest first; of equals that of the older record."""
        return self._served.nearest(self._space, question, limit=limit, among=among)

    def catch_up(self) -> None:
        """Nothing has to be read: the server has it."""
        self._loaded.set()

    @property
    def is_read(self) -> bool:
        """Whether it can answer, which takes the model and no more."""
        return self._loaded.is_set()

    def take_anew(self) -> None:
        """Make the space ready; the first time this may take a while. Nobody who asks hears of what goes wrong."""
        self._seen, self._looked = self.seq, time.monotonic()
        try:
            self._served.place(self._space)
        except Exception as problem:  # the server compares whole, as before
            _log.warning("a space could not be made ready for vector search: %s: %s", type(problem).__name__, problem)

    @property
    def seq(self) -> int:
        """The number of the newest change it knows of, which is the newest there is."""
        space = self._store.space(self._space)
        return space.seq if space else 0

    @property
    def is_due(self) -> bool:
        """Whether so much was written, or so much time is gone, that it should be made ready again."""
        if self._seen is None or time.monotonic() - self._looked > _AGAIN:
            return True
        return self.seq - self._seen > _DUE
