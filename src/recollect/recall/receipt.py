"""Pure: why each hit is there and why something is not: channels, reasons, and a search as a receipt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from recollect.domain.answers.receipts import MOST_CANDIDATES, Fate, Found, RecallReceipt, SearchStep, WhyNot
from recollect.domain.answers.recollections import Candidate, Coverage, Explanation, Hit
from recollect.domain.dataclass import replace
from recollect.domain.notes import ONCE_TRUE, Note
from recollect.domain.observations import Observation
from recollect.domain.scopes import SCOPE_FIELDS
from recollect.domain.selections import Selection
from recollect.recall.block import dates_of
from recollect.recall.coverage import asked_in, share
from recollect.recall.pipeline import Search
from recollect.recall.question import Question
from recollect.recall.surroundings import Surroundings
from recollect.redaction.clean_records import without_secrets
from recollect.redaction.redactor import redact

# How a candidate can be reached by something other than its own words; `reached` begins so, and goes on with texts of
# memory, which have no place among signals.
_WAYS = {"attribute": "attribute", "was": "chain", "found by what was said": "said"}


def signals_of(
    question: Question, candidates: Sequence[Candidate], wanted: Sequence[str]
) -> dict[str, dict[str, float]]:
    """For each of the wanted ids its channels: `words` a share of what was asked, `meaning` a likeness, others 1."""
    asked = list(dict.fromkeys(map(question.stem, question.words)))
    found: dict[str, dict[str, float]] = {record_id: {} for record_id in wanted}
    for candidate in candidates:
        signals = found.get(candidate.key)
        if signals is None:
            continue
        _raise(signals, "words", share(asked, asked_in(asked, _words(candidate), question.stem)))
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


def fates_of(search: Search, limit: int) -> dict[str, Fate]:
    """The fate of each hit when the best are simply listed."""
    return {hit.id: Fate.SHOWN for hit in search.ranked[:limit]}


def receipt_of(
    search: Search,
    fates: Mapping[str, Fate],
    *,
    receipt_id: str,
    at: datetime,
    verb: str,
    asked: Mapping[str, Any],
    tokens: int = 0,
    took: Mapping[str, float],
) -> RecallReceipt:
    """Everything about a search that is worth keeping. Hits without a fate came after the limit."""
    ids = list(dict.fromkeys(candidate.key for candidate in search.candidates))
    ranked = [_found(hit, fates.get(hit.id, Fate.LIMIT)) for hit in search.ranked]
    placed = {found.id for found in ranked}
    with_a_note = {hit.said.id for hit in search.ranked if hit.said}
    weak = [
        Found(record_id, 0, 0.0, Fate.DUPLICATE if record_id in with_a_note else Fate.NOT_RANKED)
        for record_id in ids
        if record_id not in placed
    ]
    aside = [
        Found(note_id, version, 0.0, Fate.NOT_VALID_THEN)
        for note_id, (version, _) in search.set_aside.items()
        if note_id not in placed
    ]
    listed = [found for found in ranked if found.fate is not Fate.LIMIT]
    others = [found for found in ranked if found.fate is Fate.LIMIT] + aside + weak
    listed += others[: max(0, MOST_CANDIDATES - len(listed))]
    signals = signals_of(search.question, search.candidates, [found.id for found in listed])
    return RecallReceipt(
        id=receipt_id,
        at=at,
        verb=verb,
        query=redact(search.question.whole).text,
        asked={
            name: redact(value).text if isinstance(value, str) else without_secrets(value)
            for name, value in asked.items()
        },
        coverage=search.coverage,
        candidates=len({*ids, *search.set_aside}),
        found=tuple(Found(each.id, each.version, each.score, each.fate, signals[each.id]) for each in listed),
        tokens=tokens,
        took={**search.took, **took},
    )


def _found(hit: Hit, fate: Fate) -> Found:
    return Found(hit.id, hit.note.version if hit.note else 0, hit.score, fate)


# -- why not -----------------------------------------------------------------------------------------------------------


def left_out_by(record: Note | Observation, selection: Selection) -> str:
    """Which condition of a selection a note or a message does not meet; nothing if it meets all.

    Its time is another matter.
    """
    conditions = _met_by_note(record, selection) if isinstance(record, Note) else _met_by_message(record, selection)
    failed = [name for name, met in conditions if not met]
    return f"It does not have the {failed[0]} that was asked for." if failed else ""


def _met_by_message(said: Observation, selection: Selection) -> list[tuple[str, bool]]:
    """A message has no kind, subject, attribute, tag or pin; a selection that names one means notes."""
    scope = replace(said.scope, session=said.session_id)
    return [
        ("kind", not selection.kinds),
        ("subject", selection.subject is None),
        ("attribute", selection.attribute is None),
        ("tag", selection.tag is None),
        ("pinned", selection.pinned is None),
        *((name, getattr(selection.scope, name) in (None, getattr(scope, name))) for name in SCOPE_FIELDS),
        *_met_by_any(said, selection),
    ]


def _met_by_any(record: Note | Observation, selection: Selection) -> list[tuple[str, bool]]:
    """Each part of the filter that has to hold, named by its fields."""
    if selection.where is None:
        return []
    from recollect.domain.filters.admission import admits
    from recollect.domain.filters.conditions import AllOf, comparisons_in

    parts = selection.where.parts if isinstance(selection.where, AllOf) else (selection.where,)
    fields = [dict.fromkeys(each.field for each in comparisons_in(part)) for part in parts]
    return [(" or ".join(named), admits(part, record)) for part, named in zip(parts, fields, strict=True)]


def _met_by_note(note: Note, selection: Selection) -> list[tuple[str, bool]]:
    by_state = selection.states != ONCE_TRUE and selection.states
    return [
        ("kind", not selection.kinds or note.kind in selection.kinds),
        ("subject", selection.subject in (None, note.subject)),
        ("attribute", selection.attribute in (None, note.attribute)),
        ("tag", selection.tag is None or selection.tag in note.tags),
        ("pinned", selection.pinned in (None, note.pinned)),
        *(
            (name, getattr(selection.scope, name) in (None, getattr(note.scope, name)))
            for name in SCOPE_FIELDS
        ),
        ("state", not by_state or note.state in selection.states),
        *_met_by_any(note, selection),
    ]  # fmt: skip


def lost_among(search: Search, fates: Mapping[str, Fate], note_id: str, *, limit: int, budget: int) -> WhyNot | None:
    """The fate of a record that was ranked; `None` if it was not."""
    place = next((place for place, hit in enumerate(search.ranked, start=1) if hit.id == note_id), None)
    if place is None:
        return None
    step, reason = _step(search.coverage, fates.get(note_id), place, limit, budget)
    signals = signals_of(search.question, search.candidates, [note_id])[note_id]
    return WhyNot(note_id, search.question.whole, step, reason, place, signals=signals)


def _step(coverage: Coverage, fate: Fate | None, place: int, limit: int, budget: int) -> tuple[SearchStep, str]:
    if place > limit:
        return SearchStep.BELOW_LIMIT, f"It is ranked at place {place:,}, and the best {limit:,} were asked for."
    if coverage is Coverage.NONE:
        return (
            SearchStep.NOTHING_KNOWN,
            f"It is at place {place:,}, but too far from the question to count as an answer.",
        )
    if fate is Fate.LOWER_SCORE:
        return SearchStep.LOWER_SCORE, f"It is at place {place:,}, but too far below the best."
    if fate is Fate.DUPLICATE:
        return SearchStep.DUPLICATE, f"It is at place {place:,}, and something better says the same."
    if fate is Fate.BUDGET:
        return SearchStep.BUDGET, f"It is at place {place:,}, and does not fit into the {budget:,} tokens any more."
    return SearchStep.NOT_LOST, f"It is in the answer, at place {place:,}."


def out_of_time(note: Note, moment: datetime, chain: Sequence[Note]) -> tuple[SearchStep, str, str | None] | None:
    """Why a note does not count at a moment, and what counts instead; `None` if it does count."""
    if note.holds_at(moment):
        return None
    holding = [each for each in chain if each.id != note.id and each.holds_at(moment)]
    if holding:
        instead = max(holding, key=lambda each: (each.valid_from or each.recorded_at, each.id))
        return SearchStep.SUPERSEDED, f"Note {instead.id} of the same chain was true at the asked time.", instead.id
    if note.state not in ONCE_TRUE:
        return SearchStep.NOT_VALID_THEN, f"It is {note.state.value}.", None
    return SearchStep.NOT_VALID_THEN, "It was not true at the asked time.", None


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
