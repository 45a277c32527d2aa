"""Pure: the facts about somebody or something, as fields and as prose, those that hold now."""

from __future__ import annotations

from collections.abc import Sequence

from recollect.attributes.lifecycle import ESSENTIAL
from recollect.domain.notes import Note
from recollect.domain.recollections import Profile, ProfileField
from recollect.domain.statements import is_denied
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
