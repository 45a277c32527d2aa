"""Pure: why each hit is there: what found it, when it was true, and what was said around it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from recollect.domain.recollections import Explanation, Hit
from recollect.recall.block import dates_of
from recollect.recall.pipeline import Search
from recollect.recall.signals import signals_of
from recollect.recall.surroundings import Surroundings


def explain(search: Search, hits: Sequence[Hit], around: Mapping[str, Surroundings]) -> tuple[Explanation, ...]:
    """An explanation for each hit, in their order."""
    signals = signals_of(search.question, search.candidates, [hit.id for hit in hits])
    return tuple(
        Explanation(hit.id, signals[hit.id], _validity(hit), around[hit.id].turns() if hit.id in around else ())
        for hit in hits
    )


def _validity(hit: Hit) -> str:
    if hit.note is not None:
        return f"{hit.note.state.value}, {dates_of(hit.note)}"
    return f"said on {hit.observation.observed_at:%Y-%m-%d}" if hit.observation else ""
