"""The desk: slots that are always in context, lessons learned by doing, and actions that wait for each other.

Some labels have a meaning from the start. Their slots are there before anything is written into them: empty, with a
limit and a place. A slot of a project stands in front of one of the same label that is for all projects.

A lesson is a note of kind `lesson`. Its subject is the fingerprint of its words, so that it is known again.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from enum import StrEnum

from recollect.domain.dataclass import dataclass
from recollect.domain.errors import InvalidInput, TooLarge
from recollect.domain.notes import Note
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


MOST_DEPENDENCIES = 64
LARGEST_PRIORITY = 1000


class ActionStatus(StrEnum):
    """How far a work item has come."""

    OPEN = "open"
    ACTIVE = "active"
    BLOCKED = "blocked"  # by something that is not in the list
    DONE = "done"
    DROPPED = "dropped"


SETTLED = frozenset({ActionStatus.DONE, ActionStatus.DROPPED})
UNSETTLED = frozenset(ActionStatus) - SETTLED


@dataclass(frozen=True, slots=True, repr=False)
class Action(Value):
    """A work item. It can be started when everything in `depends_on` is settled; a higher priority comes first."""

    id: str
    space: str
    version: int
    text: str
    created_at: datetime
    updated_at: datetime
    status: ActionStatus = ActionStatus.OPEN
    priority: int = 0
    depends_on: tuple[str, ...] = ()
    project: str | None = None
    origin: Origin = Origin()
    authority: Authority = Authority.QUOTED


def checked_action(action: Action) -> Action:
    """The action, if it is sound by itself."""
    priority = action.priority
    if isinstance(priority, bool) or not isinstance(priority, int) or abs(priority) > LARGEST_PRIORITY:
        raise InvalidInput(
            f"`priority` is {priority!r}; it must be a whole number from -{LARGEST_PRIORITY} to {LARGEST_PRIORITY}.",
            code="invalid_number",
        )
    if len(action.depends_on) > MOST_DEPENDENCIES:
        raise TooLarge(
            f"`depends_on` has {len(action.depends_on)} ids; an action waits for at most {MOST_DEPENDENCIES}."
        )
    return action


def refuse_cycle(action: Action, others: Mapping[str, Action]) -> None:
    """Raise if an action would wait for itself, at any remove."""
    waiting, seen = list(action.depends_on), set[str]()
    while waiting:
        each = waiting.pop()
        if each == action.id:
            raise InvalidInput(
                f"Action {action.id} would wait for itself.",
                code="circular_dependency",
                hint="`recollect actions` shows what waits for what.",
            )
        if each not in seen and each in others:
            seen.add(each)
            waiting.extend(others[each].depends_on)


def frontier(actions: Iterable[Action], statuses: Mapping[str, ActionStatus]) -> list[Action]:
    """Actions that can be started now, by priority, then oldest first. A dependency that is gone holds nothing up."""
    ready = [action for action in actions if action.status in _STARTABLE and not waits_for(action, statuses)]
    return in_order(ready)


def waits_for(action: Action, statuses: Mapping[str, ActionStatus]) -> Sequence[str]:
    """The ids of what has to be settled first."""
    return [each for each in action.depends_on if statuses.get(each, ActionStatus.DONE) not in SETTLED]


def in_order(actions: Iterable[Action]) -> list[Action]:
    """By priority, then the oldest first."""
    return sorted(actions, key=lambda action: (-action.priority, action.created_at, action.id))


_STARTABLE = frozenset({ActionStatus.OPEN, ActionStatus.ACTIVE})
