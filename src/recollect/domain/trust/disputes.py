"""Proposals: notes that contradict one of a higher authority, and wait for a person.

A proposal has the state `disputed` and names, in its metadata, the note it contradicts and what it would do to it. The
other note is not touched: it holds until somebody who may change it settles the matter.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Any

from recollect.domain.clock import just_after
from recollect.domain.dataclass import dataclass
from recollect.domain.notes import Note, State, revised
from recollect.domain.trust.support import is_unsupported

DISPUTES = "disputes"  # the key of the metadata under which a proposal names what it contradicts


class Decision(StrEnum):
    """The decision on something that waits in review."""

    ACCEPT = "accept"
    REJECT = "reject"


@dataclass(frozen=True, slots=True)
class Dispute:
    """The note a proposal contradicts, the verb it stands for, and the fields that verb would change."""

    note_id: str
    verb: str
    fields: tuple[str, ...] = ()


def dispute_of(note: Note) -> Dispute | None:
    """The dispute of a proposal; `None` for any other note. Metadata is anybody's to write, so it is checked."""
    found = note.metadata.get(DISPUTES)
    if note.state is not State.DISPUTED or not isinstance(found, Mapping):
        return None
    note_id, verb, fields = found.get("note"), found.get("verb"), found.get("fields", ())
    if not isinstance(note_id, str) or not isinstance(verb, str) or not isinstance(fields, list | tuple):
        return None
    return Dispute(note_id, verb, tuple(each for each in fields if isinstance(each, str)))


def effect_of(dispute: Dispute) -> str:
    """The change that accepting a proposal makes, in words."""
    verb = dispute.verb if dispute.verb in ("update", "retract") else "supersede"
    return f"Accepting it would {verb} note {dispute.note_id}."


def is_unsettled(note: Note) -> bool:
    """Whether a note is part of a contradiction that nobody has settled, and that time has not ended."""
    return note.state is State.DISPUTED and (note.valid_until is None or dispute_of(note) is not None)


def with_dispute(metadata: Mapping[str, Any], note_id: str, verb: str, fields: Sequence[str] = ()) -> dict[str, Any]:
    """The metadata of a proposal."""
    return {**metadata, DISPUTES: {"note": note_id, "verb": verb, **({"fields": list(fields)} if fields else {})}}


def without_dispute(metadata: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in metadata.items() if name != DISPUTES}


def settled(note: Note, at: datetime) -> Note:
    """A proposal whose word another note has taken over. It held for the smallest time there is."""
    end = None if note.valid_from is None else just_after(note.valid_from)
    review = note.review if is_unsupported(note) else None
    return revised(note, at, state=State.SUPERSEDED, retired_at=at, valid_until=end or at, review=review)


def why_disputed(higher: Note) -> str:
    """The words under which a proposal waits in `review`."""
    return f"It contradicts {higher.id}, which has the authority `{higher.authority.value}`: settle it."
