"""Pure: a message together with its neighbours.

A turn of a talk is seldom whole by itself: "Two hours, with a pause." answers a question on the drive to the lake only
beside the turn before it. So each is also weighed together with its neighbours, as far as they are among the
candidates. A long text stands for itself; the shorter it is, the more of its neighbours belong to it.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import NamedTuple

from recollect.recall.weights import WEIGHTS, MatchWeights

_ALONE = (1.0,)


class Place(NamedTuple):
    """Where something stands: in which session, and as which one of it. A tuple, since each is looked up often."""

    session: Hashable
    position: int


class Window(NamedTuple):
    """Numbers of the texts that belong together, and what each counts for. A tuple: a search has hundreds."""

    members: tuple[int, ...]
    shares: tuple[float, ...]


def windows_of(
    places: Sequence[Place | None], lengths: Sequence[int], weights: MatchWeights = WEIGHTS.match
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
    place: Place | None,
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
