"""The whole story of a query: understand it, gather candidates, rank them, keep the best."""

from __future__ import annotations

from recollect.domain.ports import Store
from recollect.domain.recollections import Recollection, Selection
from recollect.recall.rank import coverage, rank
from recollect.recall.words import asked_words

_CANDIDATES = 300  # more than anyone reads, few enough to rank in milliseconds


def recollect(store: Store, space: str, query: str, selection: Selection, *, limit: int) -> Recollection:
    """What memory has to say to a query."""
    asked = asked_words(query)
    matches = store.matching(space, asked, selection, limit=_CANDIDATES)
    hits = tuple(rank(asked, matches)[:limit])
    return Recollection(query, hits, coverage(asked, hits))
