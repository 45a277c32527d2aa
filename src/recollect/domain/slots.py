"""Slots: small named texts that are always in context, of one project or of all.

Some labels have a meaning from the start. Their slots are there before anything is written into them: empty, with a
limit and a place. A slot of a project stands in front of one of the same label that is for all projects.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, datetime

from recollect.domain.dataclass import dataclass
from recollect.domain.errors import InvalidInput, TooLarge
from recollect.domain.origin import Authority, Origin
from recollect.domain.values import Value

DEFAULT_LIMIT = 2000  # characters
LARGEST_LIMIT = 20_000  # characters: a slot is a few paragraphs; a page is a note
MOST_SLOTS = 64  # of one project, and of all projects together with it
MOST_PINNED = 16  # seen at once: each must have room in every block

_LABEL = re.compile(r"[a-z][a-z0-9_]{0,39}")
_NEVER = datetime(1, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True, repr=False)
class Slot(Value):
    """A small named text that is always in context. `project` is `None` for one that is for all projects.

    `limit` is in characters. One that was never written has version 0 and no id.
    """

    id: str
    space: str
    label: str
    text: str
    version: int
    updated_at: datetime
    project: str | None = None
    limit: int = DEFAULT_LIMIT
    description: str = ""
    pinned: bool = True
    origin: Origin = Origin()
    authority: Authority = Authority.QUOTED


@dataclass(frozen=True, slots=True)
class Purpose:
    """The meaning that a label has from the start."""

    label: str
    limit: int
    of_project: bool
    pinned: bool
    description: str


PURPOSES = {
    purpose.label: purpose
    for purpose in (
        Purpose("persona", 1000, False, True, "who the agent is and how it speaks"),
        Purpose("user_preferences", 2000, False, True, "how the person likes things done, everywhere"),
        Purpose("tool_guidelines", 1500, False, True, "which tools to use, and how"),
        Purpose("project_context", 3000, True, True, "what the project is, in a few sentences"),
        Purpose("guidance", 1500, True, True, "what to mind in this project"),
        Purpose("pending_items", 2000, True, True, "what is still to be done"),
        Purpose("session_patterns", 1500, True, False, "what keeps coming back from session to session"),
        Purpose("self_notes", 1500, True, False, "what the agent wants to remember for itself"),
    )
}


def checked_label(label: str) -> str:
    """The label, or a clear error."""
    if not isinstance(label, str) or not _LABEL.fullmatch(label):
        shown = label if isinstance(label, str) and len(label) <= 60 else repr(label)[:60]
        raise InvalidInput(
            f"`{shown}` cannot be the label of a slot.",
            code="invalid_label",
            hint="Use 1 to 40 lower-case letters, digits and _, starting with a letter, as in `project_context`.",
        )
    return label


def checked_slot(slot: Slot) -> Slot:
    """The slot, if its text is within its limit and its limit within ours."""
    checked_label(slot.label)
    if isinstance(slot.limit, bool) or not isinstance(slot.limit, int) or not 1 <= slot.limit <= LARGEST_LIMIT:
        raise InvalidInput(
            f"A slot holds 1 to {LARGEST_LIMIT:,} characters; its limit cannot be {slot.limit!r}.",
            code="invalid_number",
        )
    if len(slot.text) > slot.limit:
        raise TooLarge(
            f"The slot `{slot.label}` holds {slot.limit:,} characters; this would be {len(slot.text):,}.",
            code="slot_full",
            hint="Shorten it, replace what is there, or give the slot a larger size.",
        )
    return slot


def empty_slot(space: str, label: str, project: str | None) -> Slot:
    """A slot nobody has written into yet, as its label means it."""
    purpose = PURPOSES.get(label)
    if purpose is None:
        return Slot("", space, label, "", 0, _NEVER, project)
    return Slot("", space, label, "", 0, _NEVER, project, purpose.limit, purpose.description, purpose.pinned)


def with_defaults(slots: Iterable[Slot], space: str, project: str | None) -> list[Slot]:
    """Some slots and those that are there from the start, by label; those for all projects first."""
    found = list(slots)
    there = {(slot.project, slot.label) for slot in found}
    for purpose in PURPOSES.values():
        place = project if purpose.of_project else None
        if (place is not None or not purpose.of_project) and (place, purpose.label) not in there:
            found.append(empty_slot(space, purpose.label, place))
    return sorted(found, key=lambda slot: (slot.project or "", slot.label))


def in_view(slots: Iterable[Slot], project: str | None) -> list[Slot]:
    """The slots a project sees, by label: its own, and those for all that none of its own stands in front of."""
    by_label: dict[str, Slot] = {}
    for slot in sorted(slots, key=lambda slot: slot.project is not None):
        if slot.project in (None, project):
            by_label[slot.label] = slot
    return [by_label[label] for label in sorted(by_label)]
