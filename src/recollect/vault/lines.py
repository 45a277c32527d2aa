"""Two texts that came from one, brought together line by line. Nothing that either side wrote is left out.

Where both changed the same lines, both are kept, in an order that depends on the lines alone and not on whose they
are. There are no markers: whoever reads the note reads what was written.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import Match, SequenceMatcher

from recollect.domain.dataclass import dataclass

MANY_LINES = 1000  # of a text


@dataclass(frozen=True, slots=True)
class MergedText:
    """The text of both, and whether they changed the same lines."""

    text: str
    clashed: bool


def merged_text(before: str, ours: str, theirs: str) -> MergedText:
    """Merge both sides line by line. Swapping them changes nothing."""
    if ours == theirs or before == theirs:
        return MergedText(ours, False)
    if before == ours:
        return MergedText(theirs, False)
    old, one, two = before.split("\n"), ours.split("\n"), theirs.split("\n")
    head = min(_common(old, one), _common(old, two))
    told = old[:head]
    old, one, two = old[head:], one[head:], two[head:]
    clashed = False
    place, in_one, in_two = 0, 0, 0
    for start, end, start_one, start_two in _unchanged_by_both(old, one, two):
        chunk, clash = _chunk(old[place:start], one[in_one:start_one], two[in_two:start_two])
        told += [*chunk, *old[start:end]]
        clashed |= clash
        place, in_one, in_two = end, start_one + end - start, start_two + end - start
    return MergedText("\n".join(told), clashed)


def _unchanged_by_both(
    old: Sequence[str], one: Sequence[str], two: Sequence[str]
) -> Iterator[tuple[int, int, int, int]]:
    """Runs of old lines that both sides still have: their start and end, and where each side has them."""
    kept_one, kept_two = _matching(old, one), _matching(old, two)
    a, b = next(kept_one, None), next(kept_two, None)
    while a and b:
        start, end = max(a.a, b.a), min(a.a + a.size, b.a + b.size)
        if start < end:
            yield start, end, a.b + start - a.a, b.b + start - b.a
        if a.a + a.size < b.a + b.size:
            a = next(kept_one, None)
        else:
            b = next(kept_two, None)
    yield len(old), len(old), len(one), len(two)


def _matching(old: Sequence[str], new: Sequence[str]) -> Iterator[Match]:
    """Runs that both have. In long texts lines that are everywhere count for nothing: comparing them takes for ever."""
    found = SequenceMatcher(None, old, new, autojunk=len(old) > MANY_LINES).get_matching_blocks()
    return (run for run in found if run.size)


def _chunk(old: Sequence[str], one: Sequence[str], two: Sequence[str]) -> tuple[list[str], bool]:
    """Lines between two unchanged runs, and whether both sides changed what was there."""
    if list(one) == list(two) or list(two) == list(old):
        return list(one), False
    if list(one) == list(old):
        return list(two), False
    if _within(one, two):
        return list(two), bool(old)
    if _within(two, one):
        return list(one), bool(old)
    head = _common(one, two)
    tail = _common(one[head:][::-1], two[head:][::-1])
    first, second = sorted((list(one[head : len(one) - tail]), list(two[head : len(two) - tail])))
    return [*one[:head], *first, *second, *one[len(one) - tail :]], bool(old)


def _within(some: Sequence[str], others: Sequence[str]) -> bool:
    """Whether some lines stand among others in the same order, so that keeping the others keeps them all."""
    rest = iter(others)
    return all(line in rest for line in some)


def _common(one: Sequence[str], two: Sequence[str]) -> int:
    shared = 0
    for left, right in zip(one, two, strict=False):
        if left != right:
            break
        shared += 1
    return shared
