"""The whole story of a query: understand it, gather candidates, rank them, and say how much of it is known."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, tzinfo
from time import perf_counter

from recollect.domain.answers.recollections import Candidate, Coverage, Hit
from recollect.domain.dataclass import dataclass, field, replace
from recollect.domain.observations import Observation
from recollect.domain.selections import Selection
from recollect.language.world.words import likeliest
from recollect.recall.chains.entity_steps import Stepped, stepped
from recollect.recall.coverage import coverage, signs_of
from recollect.recall.gather import Gathered, Sources, acquainted, gather, respelled, selected
from recollect.recall.question import Question, understand
from recollect.recall.rank import rank
from recollect.recall.steps import AS_SELECTED, FOLLOWED, Inquiry, taken
from recollect.recall.surroundings import with_sentences


@dataclass(frozen=True, slots=True)
class Search:
    """A question and everything that was found for it. `took` is in milliseconds, by step."""

    question: Question
    selection: Selection  # as it was asked for, with the time that the question itself names
    candidates: tuple[Candidate, ...]
    set_aside: Mapping[str, tuple[int, str]]  # notes that did not hold then: the version, and what did instead
    ranked: tuple[Hit, ...]
    coverage: Coverage
    took: Mapping[str, float]
    likely: Mapping[str, float] = field(default_factory=dict)  # how likely hits answer, where a model read them
    taken_back: tuple[Observation, ...] = ()  # messages that would have been among them


def search(
    sources: Sources,
    query: str,
    selection: Selection,
    *,
    now: datetime,
    zone: tzinfo,
    follow: bool,
    dated: bool,
) -> Search:
    """Everything memory has to say to a query.

    `dated` says that the caller named the time; otherwise the time in the question counts. Without `follow` the
    selection is taken as it stands, and nothing is looked for along the chains of notes.
    """
    watch = _Watch()
    weights = sources.weights
    question = understand(query, now=now, zone=zone)
    if dated:
        question = replace(question, window=None, timed=True)  # a time that was set is a limit, not a hint
    elif follow and question.moment is not None:
        selection = replace(selection, valid_at=question.moment)
    watch.lap("understand")
    steps = (
        stepped(sources.entities, sources.space, query, selection) if follow and sources.entities else Stepped(query)
    )
    if steps.notes:
        asked_so = understand(steps.text, now=now, zone=zone)
        question = replace(asked_so, window=question.window, timed=question.timed)
    if follow and sources.meaning is not None and not likeliest(question.text).foreign:
        question = question.as_told(sources.meaning.kinds_of(question.about))
    found = _followed if follow else _as_selected
    question, gathered = found(sources, question, selection)
    gathered = _with_steps(gathered, steps)
    watch.lap("gather")
    ranked = rank(question, gathered.candidates, at=now, weights=weights)
    asked = Inquiry(sources, question, selection, gathered, now)
    ranked, asked = taken(FOLLOWED if follow else AS_SELECTED, ranked, asked)
    ranked = with_sentences(sources, ranked, selection)
    watch.lap("rank")
    signs = signs_of(question, gathered.candidates, ranked, space=sources.space, looked_at=weights.coverage.hits)
    known = coverage(replace(signs, answered=asked.answered, nothing=asked.nothing), sources.scale, weights.coverage)
    watch.lap("cover")
    return Search(
        question,
        selection,
        gathered.candidates,
        gathered.set_aside,
        tuple(ranked),
        known,
        watch.laps,
        asked.likely,
        gathered.taken_back,
    )


def _followed(sources: Sources, question: Question, selection: Selection) -> tuple[Question, Gathered]:
    """Candidates along the chains of notes, and the question with everything that is known of its words."""
    question = acquainted(sources, question, selection)
    gathered = gather(sources, question, selection)
    mended = respelled(sources, question, gathered.candidates, selection)
    if mended is not None:
        question, gathered = mended, gather(sources, mended, selection, gathered)
    return replace(question, meant=gathered.meant, people=gathered.people), gathered


def _with_steps(gathered: Gathered, steps: Stepped) -> Gathered:
    """The candidates, and the notes by which the question was led to whom it is about."""
    if not steps.notes:
        return gathered
    known = {each.key for each in gathered.candidates}
    found = [Candidate(note.text, note, reached="relation") for note in steps.notes if note.id not in known]
    return replace(gathered, candidates=(*gathered.candidates, *found)) if found else gathered


def _as_selected(sources: Sources, question: Question, selection: Selection) -> tuple[Question, Gathered]:
    return question, selected(sources, question, selection)


class _Watch:
    """How long each step takes."""

    def __init__(self) -> None:
        self.laps: dict[str, float] = {}
        self._last = perf_counter()

    def lap(self, step: str) -> None:
        now = perf_counter()
        self.laps[step] = round((now - self._last) * 1000, 3)
        self._last = now
