"""Pure: a lesson that is said becomes a note, or makes the note that says it already stronger."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from recollect.domain.changes import WriteNote
from recollect.domain.desk import FIRST_CONFIDENCE, confidence_at, reinforcements_of, strengthened, subject_of
from recollect.domain.handles.lifetimes import end_of_life, later_end
from recollect.domain.handles.trigger import with_triggers
from recollect.domain.notes import Kind, Note, checked_note, revised
from recollect.domain.origin import lowest, rank
from recollect.domain.trust.claims import ENGINE_KEYS
from recollect.remember.decisions import Occasion, save


def added(occasion: Occasion, fields: Mapping[str, Any], parents: Sequence[Note]) -> tuple[WriteNote, ...]:
    """A new lesson."""
    own = {"confidence": FIRST_CONFIDENCE, **fields, "kind": Kind.LESSON, "subject": subject_of(fields["text"])}
    return save(occasion, {**own, "metadata": {**fields.get("metadata", {}), "reinforcements": 0}}, parents)


def reinforced(
    occasion: Occasion,
    note: Note,
    *,
    said: bool,
    ttl: timedelta | None = None,
    when: Sequence[str] | None = None,
    metadata: Mapping[str, Any] | None = None,
) -> tuple[WriteNote, ...]:
    """The lesson, once more confirmed, with other triggers and metadata if some are given, kept as long as either
    telling asks for.

    A caller who `said` its very words vouches for them as for words of their own.
    """
    own = occasion.caller.authority(None)
    longer = said and rank(own) >= rank(note.authority)
    added_to = {name: value for name, value in (metadata or {}).items() if name not in ENGINE_KEYS} if longer else {}
    meant = {**note.metadata, **added_to}
    if when is not None and longer:
        meant = with_triggers(meant, when)
    vouched = own if said and lowest([note.authority, own]) == note.authority else note.authority
    stronger = revised(
        note,
        occasion.at,
        confidence=strengthened(confidence_at(note, occasion.at)),
        last_seen_at=occasion.at,
        origin=occasion.caller.origin(note.origin.source) if vouched is not note.authority else note.origin,
        authority=vouched,
        erase_at=later_end(note.erase_at, end_of_life(occasion.at, ttl)) if longer else note.erase_at,
        metadata={**meant, "reinforcements": reinforcements_of(note) + 1},
    )
    return (WriteNote(checked_note(stronger)),)
