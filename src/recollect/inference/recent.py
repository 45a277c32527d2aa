"""Vectors of texts embedded lately, by a digest of the text: the texts themselves are not kept."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Callable

from recollect.domain.ports import Vector

_KEPT = 4096  # vectors, 6 MB of them


class RecentVectors:
    """A memory of vectors that forgets the one that was not asked for the longest."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._vectors: OrderedDict[bytes, Vector] = OrderedDict()

    def of(self, text: str, embed: Callable[[str], Vector]) -> Vector:
        """The vector of a text, made only if it is not remembered."""
        key = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
        with self._lock:
            known = self._vectors.get(key)
            if known is not None:
                self._vectors.move_to_end(key)
                return known
        vector = embed(text)
        with self._lock:
            self._vectors[key] = vector
            while len(self._vectors) > _KEPT:
                self._vectors.popitem(last=False)
        return vector
