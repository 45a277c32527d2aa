"""The messages around a hit: the words a note was read from, and the turn before and after them."""

from __future__ import annotations

from collections.abc import Sequence

from recollect.domain.dataclass import dataclass, replace
from recollect.domain.observations import Observation
from recollect.domain.recollections import Hit, Turn
from recollect.domain.selections import Selection
from recollect.recall.gather import Sources, was_told_in


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

    What was said or written down after the time that is asked for, or in another scope, stays out of it.
    """
    newest = {hit.id: hit.evidence[0] for hit in hits if hit.observation is None and hit.evidence}
    told = sources.archive.those(sources.space, list(newest.values()))
    told = {
        said_id: each for said_id, each in told.items() if was_told_in(each, replace(selection.scope, session=None))
    }
    said = {hit.id: each for hit in hits if (each := hit.observation or told.get(newest.get(hit.id, "")))}
    near = sources.archive.around(sources.space, [each.id for each in said.values()], reach=1)
    placed = {(turn.session_id, turn.position): turn for turn in near if _was_there(turn, selection)}
    return {
        hit_id: Surroundings(
            each,
            placed.get((each.session_id, each.position - 1)),
            placed.get((each.session_id, each.position + 1)),
        )
        for hit_id, each in said.items()
    }


def _was_there(turn: Observation, selection: Selection) -> bool:
    then, known = selection.valid_at, selection.known_at
    # The session a note is found by need not be the one in which it was said last.
    if not was_told_in(turn, replace(selection.scope, session=None)):
        return False
    return (then is None or turn.observed_at <= then) and (known is None or turn.recorded_at <= known)
