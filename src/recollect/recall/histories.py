"""Pure: the versions of a chain of notes as one history, and what of it was true at a moment."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from itertools import groupby

from recollect.domain.notes import Note
from recollect.domain.recollections import History, Step


def history_of(
    versions: Sequence[Note], *, begun_by: datetime | None = None, known_at: datetime | None = None
) -> History:
    """Steps in the order in which they were true; what does not say since when goes by its recording."""
    known = [note for note in versions if known_at is None or note.updated_at <= known_at]
    known.sort(key=lambda note: (note.id, note.version))
    chains = [tuple(group) for _, group in groupby(known, key=lambda note: note.id)]
    steps = [Step(chain[-1], chain) for chain in chains if begun_by is None or _since(chain[-1]) <= begun_by]
    return History(tuple(sorted(steps, key=lambda step: (_since(step.note), step.note.id))))


def true_at(versions: Sequence[Note], moment: datetime, *, known_at: datetime | None = None) -> Note | None:
    """The note of a chain that was true at a moment; of several the one that began last."""
    steps = history_of(versions, known_at=known_at).steps
    return next((step.note for step in reversed(steps) if step.note.holds_at(moment)), None)


def _since(note: Note) -> datetime:
    return note.valid_from or note.occurred_at or note.recorded_at
