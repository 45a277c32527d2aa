"""How likely records answer a question, by a model that reads both, for an answer and not for the order of hits.

A fact counts as the message that it was read from: its words are ours, and say less, and the model was taught messages.
Where there is no message to read, its word on the fact does not count.
"""

from __future__ import annotations

from collections.abc import Mapping

from recollect.domain.answers.recollections import Coverage
from recollect.domain.dataclass import replace
from recollect.domain.meanings import Relevance
from recollect.recall.cited.changed_since import is_read
from recollect.recall.pipeline import Search
from recollect.recall.weights import WEIGHTS, Weights


def read_for_answer(search: Search, relevance: Relevance | None, weights: Weights = WEIGHTS) -> Search:
    """A search with the likelihood of each of the first hits, and of the messages that facts among them come from.

    Something is known if one of them is rather sure to answer, though the facts as we word them were not.
    """
    if relevance is None or not search.likely:
        return search
    notes = [hit for hit in search.ranked if hit.note is not None and is_read(hit.note)]
    told = [hit for hit in notes[: weights.answer.considered] if hit.said is not None]
    found = relevance.answers(search.question.text, [hit.sentence for hit in told])
    ours = {hit.id for hit in notes}
    likely = {key: each for key, each in search.likely.items() if key not in ours}
    for hit, each in zip(told, found, strict=True):
        if each is not None and hit.said is not None:
            likely[hit.id] = each
            likely[hit.said.id] = max(each, likely.get(hit.said.id, 0.0))
    return replace(search, likely=likely, coverage=_coverage(search.coverage, likely, weights))


def taken_back_likelihoods(search: Search, relevance: Relevance | None) -> dict[str, float]:
    """How likely messages answered that were taken back, where a model reads them and read the hits too."""
    gone = search.taken_back
    if relevance is None or not gone or not search.likely:
        return {}
    found = relevance.answers(search.question.text, [each.text for each in gone])
    return {said.id: each for said, each in zip(gone, found, strict=True) if each is not None}


def _coverage(known: Coverage, likely: Mapping[str, float], weights: Weights) -> Coverage:
    is_answered = max(likely.values(), default=0.0) >= weights.coverage.answered
    return Coverage.PARTIAL if known is Coverage.NONE and is_answered else known
