"""Pure: which channels found a record, and how strongly, in the raw measure of each."""

from __future__ import annotations

from collections.abc import Sequence

from recollect.domain.recollections import Candidate
from recollect.recall.coverage import asked_in, share
from recollect.recall.question import Question
from recollect.recall.words import stem

# How a candidate can be reached by something other than its own words; `reached` begins so, and goes on with texts of
# memory, which have no place among signals.
_WAYS = {"attribute": "attribute", "was": "chain", "found by what was said": "said"}


def signals_of(
    question: Question, candidates: Sequence[Candidate], wanted: Sequence[str]
) -> dict[str, dict[str, float]]:
    """For each of the wanted ids its channels: `words` a share of what was asked, `meaning` a likeness, others 1."""
    asked = list(dict.fromkeys(stem(word) for word in question.words))
    found: dict[str, dict[str, float]] = {record_id: {} for record_id in wanted}
    for candidate in candidates:
        signals = found.get(candidate.key)
        if signals is None:
            continue
        _raise(signals, "words", share(asked, asked_in(asked, _words(candidate))))
        _raise(signals, "meaning", candidate.likeness)
        if candidate.reached:
            _raise(signals, _WAYS.get(candidate.reached.partition(":")[0], "followed"), 1.0)
    return found


def _words(candidate: Candidate) -> str:
    note = candidate.note
    around = f"{note.title or ''} {' '.join(note.tags)} {note.text}" if note else ""
    return f"{around} {candidate.found_text}"


def _raise(signals: dict[str, float], channel: str, score: float) -> None:
    if score > signals.get(channel, 0.0):
        signals[channel] = round(score, 4)
