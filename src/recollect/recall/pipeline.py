"""The whole story of a query: understand it, gather candidates, rank them, and say how much of it is known."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, tzinfo
from time import perf_counter

from recollect.domain.dataclass import dataclass, replace
from recollect.domain.recollections import Candidate, Coverage, Hit
from recollect.domain.selections import Selection
from recollect.recall.coverage import Scale, coverage, signs_of
from recollect.recall.disputes import contested, higher_first
from recollect.recall.gather import Sources, gather, respelled, siblings_of
from recollect.recall.kinship import acquainted
from recollect.recall.late_interaction import closest_first
from recollect.recall.passages import latest_figures_first
from recollect.recall.question import Question, understand
from recollect.recall.rank import rank, what_holds_first, with_siblings
from recollect.recall.statement_links import newest_first


@dataclass(frozen=True, slots=True)
class Search:
    """A question and everything that was found for it. `took` is in milliseconds, by step."""

    question: Question
    selection: Selection  # as it was asked for, with the time that the question itself names
    candidates: tuple[Candidate, ...]
    ranked: tuple[Hit, ...]
    coverage: Coverage
    took: Mapping[str, float]


def search(
    sources: Sources,
    query: str,
    selection: Selection,
    *,
    now: datetime,
    zone: tzinfo,
    follow: bool,
    dated: bool,
    scale: Scale | None = None,
) -> Search:
    """Everything memory has to say to a query.

    `dated` says that the caller named the time; otherwise the time in the question counts. Without `follow` the
    selection is taken as it stands, and nothing is looked for along the chains of notes. `scale` is that of the model
    that measures likeness.
    """
    watch = _Watch()
    question = understand(query, now=now, zone=zone)
    if dated:
        question = replace(question, window=None, timed=True)  # a time that was set is a limit, not a hint
    elif follow and question.moment is not None:
        selection = replace(selection, valid_at=question.moment)
    if follow:
        question = acquainted(sources, question, selection)
    watch.lap("understand")
    candidates = gather(sources, question, selection, follow=follow)
    if follow and (mended := respelled(sources, question, candidates, selection)) is not None:
        question = mended
        candidates = gather(sources, question, selection, follow=follow)
    question = replace(question, meant=sources.meant, people=sources.people)
    watch.lap("gather")
    ranked = rank(question, candidates, at=now)
    wordings = None
    if follow:
        ranked, wordings = closest_first(ranked, candidates, sources)
    if follow and scale is not None:  # what is near enough to be linked is known for models with a scale only
        ranked = newest_first(ranked, question, wordings.between if wordings else None)
    if follow:
        ranked = what_holds_first(latest_figures_first(ranked, question), question)
        ranked = with_siblings(ranked, siblings_of(sources, question, ranked, selection))
    named = contested(ranked)
    holding = sources.store.current(sources.space, named) if named and follow else {}
    moment = selection.valid_at or now
    ranked = higher_first(ranked, {each.id: each for each in holding.values() if each.holds_at(moment)})
    watch.lap("rank")
    known = coverage(signs_of(question, candidates, ranked, space=sources.space), scale)
    watch.lap("cover")
    return Search(question, selection, tuple(candidates), tuple(ranked), known, watch.laps)


class _Watch:
    """How long each step takes."""

    def __init__(self) -> None:
        self.laps: dict[str, float] = {}
        self._last = perf_counter()

    def lap(self, step: str) -> None:
        now = perf_counter()
        self.laps[step] = round((now - self._last) * 1000, 3)
        self._last = now
