"""The plain ways every figure stands beside, with none of our code in them: BM25, and BM25 fused with cosine.

They are as strong as the literature's. BM25 is an FTS5 table with Porter's stemmer, asked for any of the question's
words; what was said stands in it with the name of its speaker. The fusion is the usual reciprocal rank with k = 60, of
that and of the cosine of the same model's vectors; names of speakers are left out of the question that is embedded,
since a vector spends itself on them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import closing
from datetime import UTC, datetime
from typing import Any

import apsw

from bench.material import Item
from recollect.domain.meanings import Embedder, Vector

BM25, RRF = "bm25", "rrf60"

_K = 60
_ARM = 200  # places of each arm that are fused
_WORD = re.compile(r"\w+")
_NEVER = datetime.min.replace(tzinfo=UTC)  # BM25 knows no time


class Plain:
    """Items in the order they were told, found by words and, with a model, by meaning."""

    def __init__(self, embedder: Embedder | None) -> None:
        self._items: list[Item] = []
        self._embedder = embedder
        self._vectors: list[Vector] = []
        self._matrix: Any = None
        self._table = apsw.Connection(":memory:")
        self._speakers: set[str] = set()
        self._table.execute("CREATE VIRTUAL TABLE item USING fts5(words, tokenize = 'porter unicode61')")

    def tell(self, items: Sequence[Item], vectors: Sequence[Vector]) -> None:
        """Take items in; there are vectors only if there is a model."""
        start = len(self._items)
        self._items += items
        self._vectors += vectors
        self._speakers.update(word for item in items for word in _WORD.findall((item.speaker or "").lower()))
        rows = [(start + place, _spoken(item)) for place, item in enumerate(items, start=1)]
        self._table.executemany("INSERT INTO item (rowid, words) VALUES (?, ?)", rows)

    def ask(self, question: str, *, limit: int) -> dict[str, list[Item]]:
        """What each way finds, best first."""
        by_words = self._by_words(question)
        found = {BM25: by_words[:limit]}
        if self._embedder is not None and self._items:
            found[RRF] = fused([by_words, self._by_meaning(self._embedder.query(self._unnamed(question)))])[:limit]
        return {way: [self._items[place] for place in places] for way, places in found.items()}

    def close(self) -> None:
        self._table.close()

    def _unnamed(self, question: str) -> str:
        """A question without the names of those who speak; as it is, if nothing else would be left."""
        left = " ".join(each for each in question.split() if not self._speakers.issuperset(_names_in(each)))
        return left if _WORD.search(left) else question

    def _by_words(self, question: str) -> list[int]:
        words = " OR ".join(f'"{word}"' for word in dict.fromkeys(_WORD.findall(question.lower())))
        if not words:
            return []
        asked = "SELECT rowid FROM item WHERE item MATCH ? ORDER BY rank LIMIT ?"
        return [int(str(row[0])) - 1 for row in self._table.execute(asked, (words, _ARM))]

    def _by_meaning(self, question: Vector) -> list[int]:
        import numpy as np

        if self._matrix is None or len(self._matrix) != len(self._vectors):
            self._matrix = np.stack([np.frombuffer(vector, dtype=np.float32) for vector in self._vectors])
        likeness = self._matrix @ np.frombuffer(question, dtype=np.float32)
        return [int(place) for place in np.argsort(-likeness, kind="stable")[:_ARM]]


def by_words(texts: Mapping[str, str], questions: Sequence[str], *, limit: int) -> list[list[str]]:
    """For each question the ids of texts that BM25 finds, best first."""
    with closing(Plain(None)) as plain:
        plain.tell([Item(name, text, _NEVER) for name, text in texts.items()], ())
        return [[item.id for item in plain.ask(each, limit=limit)[BM25]] for each in questions]


def _spoken(item: Item) -> str:
    return f"{item.speaker}: {item.words}" if item.speaker else item.words


def _names_in(piece: str) -> list[str]:
    """The words in a piece of a question, without the ending of a possessive."""
    return _WORD.findall(re.sub(r"['’]s\b", "", piece.lower())) or [piece]


def fused(arms: Sequence[Sequence[int]]) -> list[int]:
    """Rankings as one, by the sum of 1 / (60 + place); of equals the one that was told first."""
    scores: dict[int, float] = {}
    for arm in arms:
        for place, item in enumerate(arm, start=1):
            scores[item] = scores.get(item, 0.0) + 1 / (_K + place)
    return sorted(scores, key=lambda item: (-scores[item], item))
