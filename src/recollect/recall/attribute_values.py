"""Pure: where an attribute is asked for, its values that hold come first, and all of them together."""

from __future__ import annotations

from collections.abc import Sequence

from recollect.domain.answers.recollections import Hit
from recollect.domain.notes import Note
from recollect.domain.readings import is_denied
from recollect.recall.question import Question, Wants
from recollect.recall.words import words_of

HOLDS = "what holds first"
TOGETHER = "values together"


def what_holds_first(ranked: Sequence[Hit], question: Question) -> list[Hit]:
    """The hits; where the best one says what is no longer so, what still is of the same sort comes before it.

    Unless the question names what is over.
    """
    best = ranked[0].note if ranked else None
    if best is None or not best.attribute or not is_denied(best) or question.wants is Wants.THE_HISTORY:
        return list(ranked)
    if not frozenset(words_of(best.value or "")).isdisjoint(question.words):
        return list(ranked)
    filed = (best.subject, best.attribute)
    same = [hit for hit in ranked if hit.note and (hit.note.subject, hit.note.attribute) == filed]
    still = [hit for hit in same if hit.note and not is_denied(hit.note)]
    kept = {hit.id for hit in still}
    return [*still, *(hit for hit in ranked if hit.id not in kept)]


def with_siblings(ranked: Sequence[Hit], siblings: Sequence[Note]) -> list[Hit]:
    """The hits, and right behind the best one the other values of its attribute, in the order they had."""
    if not siblings:
        return list(ranked)
    best, rest = ranked[0], list(ranked[1:])
    known = {hit.id: hit for hit in rest}
    beside = [
        known.get(note.id)
        or Hit(note, best.score, (f"{TOGETHER}: beside “{best.text}”",), evidence=tuple(reversed(note.derived_from)))
        for note in siblings
    ]
    order = {hit.id: place for place, hit in enumerate(rest)}
    beside.sort(key=lambda hit: order.get(hit.id, len(order)))
    lifted = {hit.id for hit in beside}
    return [best, *beside, *(hit for hit in rest if hit.id not in lifted)]
