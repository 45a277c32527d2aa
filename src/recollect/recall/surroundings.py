"""The messages around a hit: the words a note was read from, the turns beside it, and windows of neighbours.

A turn of a talk is seldom whole by itself: "Two hours, with a pause." answers a question on the drive to the lake only
beside the turn before it. So each is also weighed together with its neighbours, as far as they are among the
candidates. A long text stands for itself; the shorter it is, the more of its neighbours belong to it.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import NamedTuple

from recollect.domain.answers.recollections import Hit, Turn
from recollect.domain.dataclass import dataclass, replace
from recollect.domain.observations import Observation
from recollect.domain.selections import Selection
from recollect.recall.evidence.messages import beside
from recollect.recall.evidence.standing import taken_back_among
from recollect.recall.gather import Sources, was_told_in
from recollect.recall.weights import WEIGHTS, MatchWeights

_SHOWN = 20  # hits, where no number is asked for
_LOOKED_FOR = 3  # messages of a note, newest first: some may be forgotten


@dataclass(frozen=True, slots=True)
class Surroundings:
    """A message, and the turns right before and after it; `None` where there is none."""

    said: Observation
    before: Observation | None = None
    after: Observation | None = None

    def in_order(self) -> list[Observation]:
        return [turn for turn in (self.before, self.said, self.after) if turn is not None]

    def turns(self) -> tuple[Turn, ...]:
        """The same, for whoever wants to read it."""
        placed = (("before", self.before), ("said", self.said), ("after", self.after))
        return tuple(
            Turn(turn.id, place, turn.observed_at, turn.speaker or turn.role or "", turn.text)
            for place, turn in placed
            if turn is not None
        )


def surroundings_of(sources: Sources, hits: Sequence[Hit], selection: Selection) -> dict[str, Surroundings]:
    """By the id of each hit that was said or read from something said. Of a note's evidence the newest counts.

    What was said or written down after the time that is asked for, or in another scope, stays out of it, and so does
    what was taken back.
    """
    newest = {
        hit.id: hit.said.id if hit.said else hit.evidence[0] for hit in hits if hit.observation is None and hit.evidence
    }
    told = sources.archive.those(sources.space, list(newest.values()))
    told = {
        said_id: each for said_id, each in told.items() if was_told_in(each, replace(selection.scope, session=None))
    }
    said = {hit.id: each for hit in hits if (each := hit.observation or told.get(newest.get(hit.id, "")))}
    near = sources.archive.around(sources.space, [each.id for each in said.values()], reach=1)
    stand = _standing(sources, (*said.values(), *near), selection)
    placed = {
        (turn.session_id, turn.position): turn for turn in near if turn.id in stand and _was_there(turn, selection)
    }
    return {
        hit_id: Surroundings(
            each,
            placed.get((each.session_id, each.position - 1)),
            placed.get((each.session_id, each.position + 1)),
        )
        for hit_id, each in said.items()
        if each.id in stand
    }


def with_sentences(sources: Sources, ranked: Sequence[Hit], selection: Selection) -> list[Hit]:
    """The hits; of the best, each note that was read from something said has its sentence beside it."""
    best, rest = ranked[: sources.at_least(_SHOWN)], ranked[sources.at_least(_SHOWN) :]
    lacking = [said_id for hit in best if hit.said is None for said_id in hit.evidence[:_LOOKED_FOR]]
    told = sources.archive.those(sources.space, lacking) if lacking else {}
    told = {said_id: said for said_id, said in told.items() if _was_there(said, selection)}
    there = _standing(sources, told.values(), selection)
    most = sources.breadth.short
    shown = [
        hit if hit.said or said is None else beside(hit, said, most)
        for hit in best
        for said in (next((there[each] for each in hit.evidence[:_LOOKED_FOR] if each in there), None),)
    ]
    return [*shown, *rest]


def _standing(sources: Sources, said: Iterable[Observation], selection: Selection) -> dict[str, Observation]:
    """Messages by their ids, without those that had been taken back by the time that is asked for."""
    messages = {each.id: each for each in said}
    gone = taken_back_among(
        sources.store, sources.archive, sources.space, messages.values(), known_at=selection.known_at
    )
    return {said_id: each for said_id, each in messages.items() if said_id not in gone}


def _was_there(turn: Observation, selection: Selection) -> bool:
    then, known, now = selection.valid_at, selection.known_at, selection.kept_at
    if now is not None and turn.erase_at is not None and turn.erase_at <= now:
        return False
    # The session a note is found by need not be the one in which it was said last.
    if not was_told_in(turn, replace(selection.scope, session=None)):
        return False
    return (then is None or turn.observed_at <= then) and (known is None or turn.recorded_at <= known)


_ALONE = (1.0,)


class TurnPlace(NamedTuple):
    """Where something stands: in which session, and as which one of it. A tuple, since each is looked up often."""

    session: Hashable
    position: int


class Window(NamedTuple):
    """Numbers of the texts that belong together, and what each counts for. A tuple: a search has hundreds."""

    members: tuple[int, ...]
    shares: tuple[float, ...]


def windows_of(
    places: Sequence[TurnPlace | None], lengths: Sequence[int], weights: MatchWeights = WEIGHTS.match
) -> list[Window]:
    """The window of each text, by its number. What stands nowhere, or is alone, is its own window."""
    standing: dict[tuple[Hashable, int], int] = {}
    for number, place in enumerate(places):
        if place is not None:
            standing.setdefault(place, number)
    # The neighbours, nearest first, and what each counts for.
    steps = [(way * away, weights.fades**away) for away in range(1, weights.reach + 1) for way in (-1, 1)]
    return [_window(number, place, standing, lengths, steps, weights.window) for number, place in enumerate(places)]


def _window(
    number: int,
    place: TurnPlace | None,
    standing: Mapping[tuple[Hashable, int], int],
    lengths: Sequence[int],
    steps: Sequence[tuple[int, float]],
    most_words: int,
) -> Window:
    if place is None:
        return Window((number,), _ALONE)
    members, shares, words = [number], [1.0], lengths[number]
    session, position = place
    for away, share in steps:
        other = standing.get((session, position + away))
        if other is not None and words + lengths[other] <= most_words:
            members.append(other)
            shares.append(share)
            words += lengths[other]
    return Window(tuple(members), tuple(shares))
