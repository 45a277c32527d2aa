"""Pure: the facts about somebody as fields and prose, and the versions of a chain of notes as one history."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from itertools import groupby

from recollect.attributes.lifecycle import ESSENTIAL
from recollect.domain.answers.recollections import History, Profile, ProfileField, Step
from recollect.domain.notes import Note
from recollect.domain.readings import is_denied
from recollect.domain.trust.disputes import dispute_of


def profile_of(subject: str, notes: Sequence[Note]) -> Profile:
    """Fields by name, the essential ones first; of each the values, newest first. Prose says the same in sentences, and
    also what is not so, or no longer: that is no value of anything. A proposal comes behind what it contradicts.
    """
    by_attribute: dict[str, list[Note]] = {}
    newest_first = sorted(notes, key=lambda note: (note.valid_from or note.recorded_at, note.id), reverse=True)
    for note in sorted(newest_first, key=lambda note: dispute_of(note) is not None):
        by_attribute.setdefault(note.attribute or "", []).append(note)
    ordered = sorted(by_attribute.items(), key=lambda item: (-max(note.importance for note in item[1]), item[0]))
    fields = tuple(
        ProfileField(
            attribute=attribute,
            values=tuple(note.value or note.text for note in so),
            since=so[0].valid_from,
            essential=any(note.importance >= ESSENTIAL for note in so),
            note_ids=tuple(note.id for note in so),
        )
        for attribute, held in ordered
        if attribute and (so := [note for note in held if not is_denied(note)])
    )
    prose = " ".join(_sentence(note.text) for _, held in ordered for note in held)
    return Profile(subject, fields, prose)


def _sentence(text: str) -> str:
    text = text.strip()
    return text if text.endswith((".", "!", "?")) else f"{text}."


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
