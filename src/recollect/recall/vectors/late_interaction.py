"""The best hits are compared with the question word by word.

A vector of a whole text says what it is about, and blurs what it says. Here every word of the question looks for the
word of the text that is nearest to it in its context, and the mean of those is how close the two are. That costs too
much to be done with all texts, so it is done with those that came out best, and moves them among each other.
"""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import accumulate
from typing import Any

from recollect.domain.answers.recollections import Candidate, Hit
from recollect.domain.meanings import Embedder, StoredVector, Vectors, damaged_vector
from recollect.products import with_all
from recollect.recall.gather import Sources
from recollect.recall.weights import WEIGHTS, ClosenessWeights

NAME = "word by word"

_ANY_VERSION = 2**31


class WordByWord:
    """See `Closeness`: from the vectors of the pieces of texts that the store has."""

    def __init__(self, vectors: Vectors, pieces: Embedder) -> None:
        self._vectors = vectors
        self._pieces = pieces
        self._begun = False

    def prepare(self) -> None:
        """See `Closeness.prepare`. Loading the model takes a tenth of a second, beside other things that wait."""
        if not self._begun:
            self._begun = True
            # No daemon: a process that ends while a model is being loaded waits that long, and ends well.
            threading.Thread(target=self._load, name="recollect words").start()

    def _load(self) -> None:
        with suppress(Exception):  # whoever asks is told
            self._pieces.query("")

    def to(self, question: str, space: str, versions: Mapping[str, int]) -> dict[str, float]:
        """See `Closeness.to`."""
        return closeness_to(question, self._texts(space, versions), self._pieces)

    def _texts(self, space: str, versions: Mapping[str, int]) -> dict[str, bytes]:
        """Of each record the vectors of the newest words it had at its version."""
        newest: dict[str, StoredVector] = {}
        for stored in self._vectors.of(space, self._pieces.model_id, list(versions)):
            known = newest.get(stored.record_id)
            is_newer = known is None or known.version < stored.version
            if stored.vector and is_newer and stored.version <= versions[stored.record_id]:
                newest[stored.record_id] = stored
        return {record_id: stored.vector for record_id, stored in newest.items()}


def closeness_to(question: str, texts: Mapping[str, bytes], pieces: Embedder) -> dict[str, float]:
    """Of each text, given as the vectors of its pieces, how close it is: 1 if every word of the question is there, in
    the same sense.
    """
    import numpy as np

    if not texts:
        return {}
    asked = pieces.query(question)
    if not asked:
        return dict.fromkeys(texts, 0.0)
    starts = list(accumulate((len(text) // pieces.dimension for text in texts.values()), initial=0))[:-1]
    rows = _numbers(b"".join(texts.values()), pieces.dimension)
    words = _numbers(asked, pieces.dimension)
    # The lengths are divided out of the few products and not out of all numbers.
    near = with_all(rows, words / _lengths(words)) / _lengths(rows)
    closeness = np.maximum.reduceat(near, starts, axis=0).mean(axis=1)
    return {record_id: round(each, 4) for record_id, each in zip(texts, closeness.tolist(), strict=True)}


def _numbers(vectors: bytes, dimension: int) -> Any:
    import numpy as np

    if len(vectors) % dimension:
        raise damaged_vector()
    return np.frombuffer(vectors, dtype=np.int8).reshape(-1, dimension).astype("<f4")


def _lengths(rows: Any) -> Any:
    """The length of each row, below each other."""
    import numpy as np

    return np.maximum(np.sqrt(np.einsum("ij,ij->i", rows, rows)), 1e-12)[:, None]


def closest_first(ranked: Sequence[Hit], candidates: Sequence[Candidate], sources: Sources, about: str) -> list[Hit]:
    """The hits, the best of them in the order that comparing their words with the question gives them. `about` is what
    they are compared with.
    """
    weights = sources.weights.closeness
    best, rest = ranked[: weights.compared], ranked[weights.compared :]
    if sources.closeness is None or not about or len(best) < 2:
        return list(ranked)
    others = _found_by(best, candidates)
    versions = dict.fromkeys((key for keys in others.values() for key in keys), _ANY_VERSION)
    for hit in best:
        versions[hit.id] = hit.note.version if hit.note is not None else _ANY_VERSION
    closeness = sources.closeness.to(about, sources.space, versions)
    of_hits = [
        max(closeness.get(hit.id, 0.0), *(closeness.get(key, 0.0) for key in keys))
        if (keys := others.get(hit.id))
        else closeness.get(hit.id, 0.0)
        for hit in best
    ]
    return [*weighed(best, of_hits, weights), *rest]


def weighed(
    hits: Sequence[Hit], closeness: Sequence[float], weights: ClosenessWeights = WEIGHTS.closeness
) -> list[Hit]:
    """Hits with what their closeness adds to their scores, best first. Where it was not measured they keep their place
    among those that are neither close nor far.
    """
    known = sorted(each for each in closeness if each)
    if len(known) < 2:
        return list(hits)
    far, near = known[int(weights.farthest * len(known))], known[-1]
    span = (near - far) or 1.0
    middle = sum(known) / len(known)
    moved = [
        hit.as_close_as(
            each,
            score=round(hit.score + weights.worth * max(0.0, ((each or middle) - far) / span), 6),
            why=(*hit.why, f"{NAME}: {each:.2f}") if each else hit.why,
        )
        for hit, each in zip(hits, closeness, strict=True)
    ]
    return sorted(moved, key=lambda hit: -hit.score)


def _found_by(hits: Sequence[Hit], candidates: Sequence[Candidate]) -> dict[str, set[str]]:
    """Of each hit that other records led to, those records: their words are its own as well."""
    wanted = {hit.id for hit in hits}
    found: defaultdict[str, set[str]] = defaultdict(set)
    for candidate in candidates:
        by = candidate.found_by
        if by and (key := candidate.key) != by and key in wanted:
            found[key].add(by)
    return found
