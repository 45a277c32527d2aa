"""How likely records answer a question, by a model that reads both, for an answer and not for the order of hits.

A fact counts as the message that it was read from: its words are ours, and say less, and the model was taught messages.
Where there is no message to read, its word on the fact does not count.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from recollect.domain.answers.recollections import Coverage, Hit
from recollect.domain.dataclass import replace
from recollect.domain.meanings import Relevance
from recollect.recall.cited.changed_since import is_read
from recollect.recall.people import with_kin_named
from recollect.recall.pipeline import Search
from recollect.recall.weights import WEIGHTS, Weights


def read_for_answer(search: Search, relevance: Relevance | None, weights: Weights = WEIGHTS) -> Search:
    """A search with the likelihood of each of the first hits, and of the messages that facts among them come from.

    A question about "my sister" is also read with her name, if notes tell it. Something is known if one of them is
    rather sure to answer, though the facts as we word them were not.
    """
    if relevance is None or not search.likely:
        return search
    notes = [hit for hit in search.ranked if hit.note is not None and is_read(hit.note)]
    told = [hit for hit in notes[: weights.answer.considered] if hit.said is not None]
    found = relevance.answers(search.question.text, [hit.sentence for hit in told])
    ours = {hit.id for hit in notes}
    likely = {key: each for key, each in search.likely.items() if key not in ours}
    _take(likely, told, found)
    named = with_kin_named(search.question.text, [each.note for each in search.candidates if each.note is not None])
    if named != search.question.text:
        first = [
            hit for hit in search.ranked[: weights.answer.considered] if hit.said is not None or hit.id not in ours
        ]
        _take(likely, first, relevance.answers(named, [hit.sentence or hit.text for hit in first]))
    return replace(search, likely=likely, coverage=_coverage(search.coverage, likely, weights))


def _take(likely: dict[str, float], hits: Sequence[Hit], found: Sequence[float | None]) -> None:
    """Take over how likely hits answer, each also for the message it comes from; the higher of two counts."""
    for hit, each in zip(hits, found, strict=True):
        for key in (hit.id, hit.said.id if hit.said is not None else hit.id) if each is not None else ():
            likely[key] = max(each or 0.0, likely.get(key, 0.0))


def taken_back_likelihoods(search: Search, relevance: Relevance | None) -> dict[str, float]:
    """How likely messages answered that were taken back, where a model reads them and read the hits too."""
    gone = search.taken_back
    if relevance is None or not gone or not search.likely:
        return {}
    found = relevance.answers(search.question.text, [each.text for each in gone])
    return {said.id: each for said, each in zip(gone, found, strict=True) if each is not None}


def _coverage(known: Coverage, likely: Mapping[str, float], weights: Weights) -> Coverage:
    is_answered = max(likely.values(), default=0.0) >= weights.coverage.surely_answered
    return Coverage.PARTIAL if known is Coverage.NONE and is_answered else known
