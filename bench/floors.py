"""What a search costs at least, measured beside it: one query of the text index and one product with every vector.

The floor is what anybody would write who has a full-text index and a matrix: any of the words, the ten best by BM25;
the ten nearest by one product. With the model, the question is embedded once as well. The search and its floor take
turns on the same store with the same questions, in processor time, so that the ratio holds on a busy machine.

Reading the best hits beside the question is a choice of its own, which no floor has: it is measured against the same
search without it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from time import process_time
from typing import Any

from bench import corpus
from bench.ablation import views
from bench.card import Row
from bench.measuring import median
from recollect import Memory
from recollect.domain.dataclass import replace
from recollect.domain.meanings import Embedder, Vector, Vectors
from recollect.products import with_each
from recollect.recall.evidence.answers import NAME
from recollect.recall.weights import WEIGHTS
from recollect.stores.sql_store import SqlStore
from recollect.stores.sqlite.database import SqliteDatabase

WITH_MODELS, VECTORS_KNOWN = "search with models to its floor", "search with vectors known to its floor"
READING = "search that reads the best hits beside the question, to one that does not"

_HITS = 10
_WORD = re.compile(r"\w+")
_BY_WORDS = """SELECT note_text.note_id, note_text.text
FROM note_words JOIN note_text ON note_text.doc = note_words.rowid
WHERE note_words MATCH :terms ORDER BY rank LIMIT :limit"""


def beside(memory: Memory, size: int, questions: int, seed: int) -> list[Row]:
    """Rows of a search with models and one with vectors known, each to its floor, and of one that reads its best hits
    beside the question; none without such a floor.
    """
    engine = memory._engine
    database = engine.store._database if isinstance(engine.store, SqlStore) else None
    if engine.embedder is None or not isinstance(database, SqliteDatabase):
        return []
    floor = _Floor(database, _matrix(engine.vectors, engine.settings.space, engine.embedder), engine.embedder)
    asked = [each.text for each in corpus.pointed_questions(corpus.ASKABLE + questions, seed=seed)[-questions:]]
    unread = views(memory, {"": replace(WEIGHTS, off=frozenset({NAME}))})[""]
    floor.embed_and_ask(asked[0])  # not counted: it opens the connection and loads the model
    memory.search(asked[0], limit=_HITS)
    with_models, known, read = [], [], []
    for question in asked[1:]:
        with_models.append((_busy(floor.embed_and_ask, question), _busy(unread.search, question, limit=_HITS)))
        known.append((_busy(floor.ask, question), _busy(unread.search, question, limit=_HITS)))
        read.append((known[-1][1], _busy(memory.search, question, limit=_HITS)))
    rows = [_row(WITH_MODELS, size, with_models), _row(VECTORS_KNOWN, size, known)]
    return rows if engine.relevance is None else [*rows, _row(READING, size, read)]


class _Floor:
    """A full-text index and a matrix, and nothing around them."""

    def __init__(self, database: SqliteDatabase, matrix: Any, embedder: Embedder) -> None:
        self._database, self._matrix, self._embedder = database, matrix, embedder
        self._vector: Vector = b""

    def embed_and_ask(self, question: str) -> None:
        # A full stop more than what is searched: the search would find the vector of the very same words in its cache.
        self._vector = self._embedder.query(f"{question}.")
        self.ask(question)

    def ask(self, question: str) -> None:
        """With the last vector that was made: which one it is makes no difference."""
        import numpy as np

        terms = " OR ".join(f'"{word}"' for word in _WORD.findall(question))
        with self._database.reading(None) as transaction:
            transaction.query(_BY_WORDS, terms=terms, limit=_HITS)
        np.argpartition(-with_each(self._matrix, np.frombuffer(self._vector, dtype="<f4")), _HITS)[:_HITS]


def _matrix(vectors: Vectors, space: str, embedder: Embedder) -> Any:
    import numpy as np

    stored = b"".join(each.vector for each in vectors.every(space, embedder.model_id))
    return np.frombuffer(stored, dtype="<f4").reshape(-1, embedder.dimension)


def _busy(act: Callable[..., object], *args: Any, **kwargs: Any) -> float:
    begin = process_time()
    act(*args, **kwargs)
    return process_time() - begin


def _row(what: str, size: int, taken: Sequence[tuple[float, float]]) -> Row:
    floor, search = (median(each) for each in zip(*taken, strict=True))
    figures = {"floor_cpu_p50_ms": floor * 1000, "cpu_p50_ms": search * 1000}
    return {"ratio": f"{what}, {size:,} notes", "times": search / floor, **figures}
