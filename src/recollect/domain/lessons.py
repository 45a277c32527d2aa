"""Lessons: what was learned by doing. Said again they grow, week after week they fade, and unconfirmed they retire.

A lesson is a note of kind `lesson`. Its subject is the fingerprint of its words, so that it is known again.
"""

from __future__ import annotations

import re
from datetime import datetime

from recollect.domain.dataclass import dataclass
from recollect.domain.notes import Note
from recollect.domain.values import Value

FIRST_CONFIDENCE = 0.5  # of a lesson nobody has confirmed yet
GROWTH = 0.1  # of what is missing to certainty, each time it is said again
WEEKLY = 0.05  # that it fades in a week without being said: eight weeks from new to retired
LEAST = 0.05  # it never fades below
RETIRING = 0.1  # at or below which one that was never confirmed is retired
_ESSENTIAL = 0.9  # of importance: does not fade, as in `lifecycle`


@dataclass(frozen=True, slots=True, repr=False)
class Lesson(Value):
    """A lesson as it stands now: `confidence` is what is left of it, `reinforcements` how often it was said again."""

    note: Note
    confidence: float
    reinforcements: int


def subject_of(text: str) -> str:
    """The fingerprint of a lesson's words, whatever their case, blanks and final stop."""
    words = " ".join(text.casefold().split())
    words = re.sub(r"[.!…]+$", "", words)
    import hashlib

    return f"lesson:{hashlib.sha256(words.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"


def lesson_at(note: Note, at: datetime) -> Lesson:
    """How a lesson stands at a moment."""
    return Lesson(note, confidence_at(note, at), reinforcements_of(note))


def confidence_at(note: Note, at: datetime) -> float:
    """The confidence left in a lesson. It changes by the week, so that what is told does not flicker."""
    if note.pinned or note.importance >= _ESSENTIAL:
        return note.confidence
    weeks = max(0, (at - (note.last_seen_at or note.updated_at)).days // 7)
    return round(max(min(LEAST, note.confidence), note.confidence - WEEKLY * weeks), 6)


def strengthened(confidence: float) -> float:
    """The confidence after a lesson was said once more; it nears certainty and never reaches it."""
    return round(confidence + GROWTH * (1 - confidence), 6)


def is_retired(note: Note, at: datetime) -> bool:
    """Whether a lesson has faded without ever having been confirmed."""
    return reinforcements_of(note) == 0 and not note.pinned and confidence_at(note, at) <= RETIRING


def reinforcements_of(note: Note) -> int:
    """How often a lesson was said again."""
    told = note.metadata.get("reinforcements", 0)
    return told if isinstance(told, int) and not isinstance(told, bool) and told > 0 else 0
