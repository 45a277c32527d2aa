"""Pure: how a note fades when nobody mentions it again, and when it is over.

Fading can end in `expired`; it never deletes anything and moves nothing in a search. What is pinned or essential does
not fade at all.
"""

from __future__ import annotations

from datetime import datetime

from recollect.attributes.catalogue import attribute_named
from recollect.domain.desk import is_retired
from recollect.domain.notes import Kind, Note, State

# Days after which half of what can fade has faded.
HALF_LIFE_DAYS = {
    Kind.SEMANTIC: 365.0,
    Kind.EPISODIC: 120.0,
    Kind.PROCEDURAL: 540.0,
    Kind.LESSON: 180.0,
    Kind.PATTERN: 240.0,
}
FADED = 0.05  # of belief: a year and a half of silence on an episode, four years on a fact
ESSENTIAL = 0.9  # notes of at least this importance do not fade


def strength(note: Note, at: datetime) -> float:
    """The belief left in a note that nobody has mentioned since, from its confidence down to nothing."""
    if note.pinned or note.importance >= ESSENTIAL:
        return note.confidence
    return note.confidence * _half_lives_gone(note, at)


def has_faded(note: Note, at: datetime) -> bool:
    """Whether so little is left of a note that it should no longer be shown as if it held."""
    if note.kind is Kind.LESSON:
        return note.state is State.ACTIVE and is_retired(note, at)
    return note.state is State.ACTIVE and strength(note, at) < FADED


def _half_lives_gone(note: Note, at: datetime) -> float:
    seen = note.last_seen_at or note.updated_at
    days = max(0.0, (at - seen).total_seconds() / 86_400)
    known = attribute_named(note.attribute) if note.attribute else None
    half_life = HALF_LIFE_DAYS[note.kind] if known is None or known.fresh_days is None else float(known.fresh_days)
    return float(0.5 ** (days / half_life))


def is_over(note: Note, at: datetime) -> bool:
    """Whether a note has reached the end it was given."""
    return note.expires_at is not None and note.expires_at <= at
