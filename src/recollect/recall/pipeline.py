"""The whole story of a query: understand it, gather candidates, rank them, keep the best."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, tzinfo

from recollect.domain.recollections import Recollection, Selection
from recollect.recall.gather import Sources, gather, respelled, siblings_of
from recollect.recall.rank import coverage, rank, with_siblings
from recollect.recall.understand import understand


def recollect(
    sources: Sources,
    query: str,
    selection: Selection,
    *,
    now: datetime,
    zone: tzinfo,
    limit: int,
    follow: bool,
    dated: bool,
) -> Recollection:
    """What memory has to say to a query.

    `dated` says that the caller named the time; otherwise the time in the question counts. Without `follow` the
    selection is taken as it stands, and nothing is looked for along the chains of notes.
    """
    question = understand(query, now=now, zone=zone)
    if follow and not dated and question.moment is not None:
        selection = replace(selection, valid_at=question.moment)
    candidates = gather(sources, question, selection, follow=follow)
    if follow and (mended := respelled(sources, question, candidates, selection)) is not None:
        question = mended
        candidates = gather(sources, question, selection, follow=follow)
    ranked = rank(question, candidates, at=now)
    if follow:
        ranked = with_siblings(ranked, siblings_of(sources, question, ranked, selection))
    hits = tuple(ranked[:limit])
    return Recollection(query, hits, coverage(question.words, hits))
