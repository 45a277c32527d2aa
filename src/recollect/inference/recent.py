"""The cache that every embedder has: a text that comes again is not turned into a vector again.

Vectors are kept by a digest of the text; the texts themselves are not kept.
"""

from __future__ import annotations

import hashlib
import threading
from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Callable, Sequence

from recollect.domain.meanings import Vector

_KEPT = 8_000_000  # bytes of vectors
_MANY = 8  # texts from which it is worth to begin threads


def digest_of(text: str) -> bytes:
    """The key under which a text is remembered."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


class RecentVectors:
    """A memory of vectors that forgets the one that was not asked for the longest."""

    def __init__(self, most: int = _KEPT) -> None:
        """`most` is in bytes of vectors."""
        self._most = most
        self._lock = threading.Lock()
        self._vectors: OrderedDict[bytes, Vector] = OrderedDict()
        self._size = 0

    def of(self, text: str, embed: Callable[[str], Vector]) -> Vector:
        """The vector of a text, made only if it is not remembered."""
        key = digest_of(text)
        with self._lock:
            known = self._vectors.get(key)
            if known is not None:
                self._vectors.move_to_end(key)
                return known
        vector = embed(text)
        with self._lock:
            self._size += len(vector) - len(self._vectors.pop(key, b""))
            self._vectors[key] = vector
            while self._size > self._most:
                self._size -= len(self._vectors.popitem(last=False)[1])
        return vector


class TextsIntoVectors(ABC):
    """Turns texts into vectors, each once for as long as it is remembered."""

    def __init__(self, *, query_prefix: str = "", threads: int = 1) -> None:
        """Many texts are shared out among `threads`, which helps where the interpreter is not needed meanwhile."""
        self._query_prefix = query_prefix
        self._threads = threads
        self._recent = RecentVectors()

    def passages(self, texts: Sequence[str]) -> list[Vector]:
        """Vectors of things to be found."""
        if self._threads == 1 or len(texts) < _MANY:
            return [self._passage(text) for text in texts]
        from concurrent.futures import ThreadPoolExecutor

        with ThreadPoolExecutor(self._threads, "recollect texts") as threads:
            return list(threads.map(self._passage, texts))

    def query(self, text: str) -> Vector:
        """The vector of a question."""
        return self.passages([self._query_prefix + text])[0]

    def _passage(self, text: str) -> Vector:
        return self._recent.of(text, self._vector)

    @abstractmethod
    def _vector(self, text: str) -> Vector: ...
