"""Facts of Mémoire from notes and messages of ours: its categories, its slots, its four temporal states.

Pure. An id is a UUID with the same bits as ours. A message from which no fact was read counts as a fact of the category
`conversation`, so that nothing that was said is out of reach.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Any

from recollect.attributes.catalogue import attribute_named, catalogue, flagged
from recollect.attributes.lifecycle import ESSENTIAL
from recollect.attributes.records import About, AttributeRelation, Flag
from recollect.domain.clock import format_time, uuid_of
from recollect.domain.notes import Note, State
from recollect.domain.observations import Observation, Standing

PREVIEW = 100  # characters of a message beside its fact
_SURE = 0.5  # confidence in a message that nothing was read from


class Category(StrEnum):
    """The category of a fact."""

    BIOGRAPHICAL = "biographical"
    WORK_CONTEXT = "work_context"
    RELATIONSHIP = "relationship"
    USER_PREFERENCE = "user_preference"
    LEARNING = "learning"
    CONVERSATION = "conversation"  # ours: a message, word for word


class TemporalState(StrEnum):
    """The time in which a fact holds."""

    CURRENT = "current"
    PAST = "past"
    FUTURE = "future"
    RECURRING = "recurring"


_FLAGS = {
    Flag.LEARNING: Category.LEARNING,
    Flag.WORK: Category.WORK_CONTEXT,
    Flag.TASTE: Category.USER_PREFERENCE,
}
_SLOTS = {
    "skills": "skill", "friends": "friend", "colleagues": "colleague", "goals": "goal", "hobbies": "hobby",
    "diet": "food", "usual_drink": "food", "habits": "lifestyle", "partner": "partner",
}  # fmt: skip


def category_of(attribute: str | None) -> Category:
    """The category of facts of an attribute."""
    known = attribute_named(attribute) if attribute else None
    for flag, category in _FLAGS.items():
        if flagged(attribute, flag):
            return category
    if known is not None and known.relation is not None:
        return Category.RELATIONSHIP
    if known is not None and known.about is About.PROJECT:
        return Category.WORK_CONTEXT
    return Category.BIOGRAPHICAL


def slot_of(attribute: str | None) -> str | None:
    """The slot of an attribute: its word for it, or else ours."""
    known = attribute_named(attribute) if attribute else None
    if attribute in _SLOTS:
        return _SLOTS[attribute]
    if known is not None and known.relation is AttributeRelation.FAMILY:
        return "family"
    return attribute


def of_categories(wanted: Iterable[str]) -> dict[str, Any]:
    """A filter for the notes of some categories. What has no category of its own is biographical."""
    parts: list[dict[str, Any]] = []
    for category in dict.fromkeys(wanted):
        if category == Category.BIOGRAPHICAL:
            others = [each.name for each in catalogue() if category_of(each.name) is not Category.BIOGRAPHICAL]
            parts.append({"not": {"attribute": others}})
        else:
            names = [each.name for each in catalogue() if category_of(each.name) == category]
            parts.append({"attribute": names or ["\u2205"]})  # of a category that nobody knows there are none
    return {"or": parts}


def temporal_state(note: Note, at: datetime) -> TemporalState:
    """The time in which a note holds, seen from a moment."""
    if note.state in (State.SUPERSEDED, State.EXPIRED) or (note.valid_until is not None and note.valid_until <= at):
        return TemporalState.PAST
    if (note.valid_from is not None and note.valid_from > at) or flagged(note.attribute, Flag.TO_COME):
        return TemporalState.FUTURE
    return TemporalState.RECURRING if _recurs(note) else TemporalState.CURRENT


def _recurs(note: Note) -> bool:
    from recollect.readers.rules.scene import RECURRENCE

    said = note.metadata.get("said")
    quote = said.get("quote") if isinstance(said, Mapping) else None
    return flagged(note.attribute, Flag.RECURRING) or any(
        RECURRENCE.search(text) for text in (note.text, quote) if isinstance(text, str)
    )


def fact_of(note: Note, at: datetime) -> dict[str, Any]:
    """A note as a fact."""
    return {
        "id": uuid_of(note.id),
        "category": category_of(note.attribute).value,
        "content": note.text,
        "confidence": note.confidence,
        "temporal_state": temporal_state(note, at).value,
        "slot_hint": slot_of(note.attribute),
        "is_essential": is_essential(note),
        "created_at": format_time(note.recorded_at),
        "source_message_id": uuid_of(note.derived_from[0]) if note.derived_from else None,
    }


def message_fact(said: Observation) -> dict[str, Any]:
    """A message as a fact."""
    past = said.standing is Standing.LONG_AGO
    return {
        "id": uuid_of(said.id),
        "category": Category.CONVERSATION.value,
        "content": said.text,
        "confidence": _SURE,
        "temporal_state": (TemporalState.PAST if past else TemporalState.CURRENT).value,
        "slot_hint": None,
        "is_essential": False,
        "created_at": format_time(said.observed_at),
        "source_message_id": uuid_of(said.id),
    }


def is_essential(note: Note) -> bool:
    """Whether a fact belongs to what is always at hand."""
    return note.pinned or note.importance >= ESSENTIAL


def message_of(said: Observation) -> dict[str, Any]:
    """A message as the history of a session has it."""
    return {
        "id": uuid_of(said.id),
        "session_id": said.session_id,
        "role": said.role or "user",
        "content": said.text,
        "timestamp": format_time(said.observed_at),
    }


def source_of(fact_id: str, said: Observation) -> dict[str, Any]:
    """The message that a fact was read from."""
    told = message_of(said)
    return {
        "fact_id": fact_id,
        "source_message_id": told.pop("id"),
        **told,
        "content_preview": said.text if len(said.text) <= PREVIEW else f"{said.text[:PREVIEW]}…",
    }


def timeline_of(notes: Sequence[Note], slot: str | None, at: datetime, *, historical: bool) -> dict[str, Any]:
    """Facts in the order in which they were true, and the one that holds now."""
    replaced_by = {old: uuid_of(note.id) for note in notes for old in note.supersedes}
    told = [
        {
            "fact_id": fact["id"],
            **{name: fact[name] for name in ("content", "category", "confidence", "temporal_state", "slot_hint")},
            "valid_from": format_time(note.valid_from or note.recorded_at),
            "valid_until": format_time(note.valid_until) if note.valid_until else None,
            "replaced_by_id": replaced_by.get(note.id),
            "is_current": fact["temporal_state"] != TemporalState.PAST,
        }
        for note in sorted(notes, key=lambda note: (note.valid_from or note.recorded_at, note.id))
        if slot is None or slot in (slot_of(note.attribute), note.attribute)
        for fact in (fact_of(note, at),)
    ]
    current = [each for each in told if each["is_current"] and each["temporal_state"] != TemporalState.FUTURE]
    return {
        "slot_hint": slot,
        "current_fact": current[-1] if current else None,
        "history": told if historical else [each for each in told if each["is_current"]],
    }
