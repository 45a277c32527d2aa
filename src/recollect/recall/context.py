"""Pure: the context an agent begins with, within an exact budget, the same for the same memory.

Pinned slots come first and are always there: where they alone are too much, each is cut to an equal share, and a budget
that has no room even for their beginnings is refused. Then instructions, conventions of the project, facts, lessons,
open actions and the last sessions: each section has a share first, and then takes what the others left. Nothing here
looks at what is not trusted: whoever gathers the material has seen to that.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from recollect.attributes.catalogue import attribute_named
from recollect.attributes.records import About
from recollect.domain.answers.contexts import MOST_CHARACTERS, Context, Line, Section, Told
from recollect.domain.dataclass import dataclass, replace
from recollect.domain.desk import Action, ActionStatus, Lesson, Slot, waits_for
from recollect.domain.errors import InvalidInput
from recollect.domain.graph.mentions import Freshness, anchors_of
from recollect.domain.notes import Note
from recollect.domain.observations import Session
from recollect.domain.origin import Authority, Origin
from recollect.domain.readings import PROJECT
from recollect.language.token_count import count_tokens
from recollect.recall.block import beginning, cost_of, dates_of, mark_of, origin_of, shown_origin
from recollect.recall.fence import fenced, frame, record, seen

NEAR = 1.5  # how much more a lesson of this very project counts than one for all
_ANY_DELIMITER = "0" * 10  # no delimiter of that length takes more tokens: digits count one by one
_LEAST_TEXT = 8  # tokens of a pinned slot's text that are always shown
_LONGEST_SHARE = 4  # no other line takes more than this part of the room
_SHORTEST = 25  # tokens: a date, an origin and a few words; with less room than that nothing is tried
_LEAST_LINE = 40  # tokens a long line is cut down to, if it must
_DEAREST = ", unverifiable"  # the longest mark; room for it is kept before it is known

# The share of the room after the slots that a section may take before the others had their turn.
_SHARES = {
    Section.INSTRUCTION: 0.4,
    Section.CONVENTION: 0.25,
    Section.FACT: 0.3,
    Section.LESSON: 0.2,
    Section.ACTION: 0.15,
    Section.SESSION: 0.2,
}


@dataclass(frozen=True, slots=True)
class Material:
    """Everything that may be told, trusted and current. `sessions` come with what may be told of them."""

    slots: tuple[Slot, ...] = ()
    notes: tuple[Note, ...] = ()
    lessons: tuple[Lesson, ...] = ()
    actions: tuple[Action, ...] = ()
    statuses: Mapping[str, ActionStatus] | None = None  # of what the actions wait for
    sessions: tuple[tuple[Session, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Chosen:
    """The lines that will be told, before anything is marked; `anchored` are the notes among them to be checked."""

    lines: tuple[Told, ...]
    left_out: Mapping[str, int]
    anchored: tuple[Note, ...]


def choose(material: Material, *, project: str | None, budget: int) -> Chosen:
    """Which lines are told. Every cost is known beforehand, so what is chosen fits exactly."""
    room = _Room(budget - count_tokens(frame(_ANY_DELIMITER)), MOST_CHARACTERS - len(frame(_ANY_DELIMITER)))
    slots = [Told(Section.SLOT, _slot_line(slot)) for slot in material.slots if slot.pinned]
    slots = [told for told in slots if told.line.text.strip()]
    chosen = list(_slots_within(slots, room, budget))
    for told in chosen:
        room.take(told.line)
    offered = _each_once(_offers(material, project), {told.line.text for told in slots})
    notes = {note.id: note for note in material.notes} | {each.note.id: each.note for each in material.lessons}
    anchored = {note.id for note in notes.values() if anchors_of(note)}

    shares = {section: int(room.tokens * share) for section, share in _SHARES.items()}
    longest = max(_LEAST_LINE, room.tokens // _LONGEST_SHARE)
    kept: dict[int, Told] = {}
    for limited in (True, False):
        for place, told in enumerate(offered):
            if place in kept or (limited and shares[told.section] < _SHORTEST):
                continue
            if room.tokens < _SHORTEST:
                break
            line, cost = _fitting(told.line, longest, dear=told.line.id in anchored)
            if limited and cost > shares[told.section]:
                continue
            if room.has(line, cost):
                room.take(line, cost)
                shares[told.section] -= cost
                kept[place] = replace(told, line=line)
    chosen += [kept[place] for place in sorted(kept)]
    left_out = Counter(told.section.value for place, told in enumerate(offered) if place not in kept)
    shown = [told.line.id for told in chosen if told.line.id in anchored]
    return Chosen(tuple(chosen), dict(sorted(left_out.items())), tuple(notes[each] for each in dict.fromkeys(shown)))


def compose(
    chosen: Chosen,
    freshness: Mapping[str, Freshness],
    *,
    project: str | None,
    budget: int,
    delimiter: str,
    waiting: int = 0,
) -> Context:
    """The block of what was chosen, each anchored note with how fresh it was found to be."""
    lines = tuple(_marked(told, freshness.get(told.line.id)) for told in chosen.lines)
    block = fenced([told.line for told in lines], delimiter)
    return Context(project, block, lines, count_tokens(block), budget, dict(chosen.left_out), waiting)


# -- slots -------------------------------------------------------------------------------------------------------------


def _slots_within(slots: Sequence[Told], room: _Room, budget: int) -> Sequence[Told]:
    """All of them, whole or cut: each to what is left for it when the shorter ones have theirs."""
    bare = {told.line.id: replace(told.line, text="") for told in slots}
    tokens = room.tokens - sum(cost_of(line) + _LEAST_TEXT for line in bare.values())
    characters = room.characters - sum(len(record(line)) + 1 for line in bare.values())
    if tokens < 0 or characters < 0:
        needed = budget - tokens
        raise InvalidInput(
            f"`budget` is {budget:,} tokens; the {len(slots)} pinned slots alone need at least {needed:,}.",
            code="budget_too_small",
            hint=f"Give at least {needed:,}, or unpin a slot with `recollect slots set … --no-pinned`.",
        )
    cut: dict[str, Told] = {}
    by_size = sorted(slots, key=lambda told: (cost_of(told.line) - cost_of(bare[told.line.id]), told.line.id))
    for place, told in enumerate(by_size):
        left, own = len(by_size) - place, bare[told.line.id]
        least_tokens, least_length = cost_of(own) + _LEAST_TEXT, len(record(own)) + 1
        line = _within(told.line, least_tokens + tokens // left, least_length + characters // left)
        tokens -= max(0, cost_of(line) - least_tokens)
        characters -= max(0, len(record(line)) + 1 - least_length)
        cut[told.line.id] = replace(told, line=line)
    return [cut[told.line.id] for told in slots]


def _within(line: Line, tokens: int, characters: int) -> Line:
    """A line within both limits; of one that has no room for a word only the sign that there is more."""
    while len(record(line)) + 1 > characters and len(line.text) > 2:
        over = len(record(line)) + 1 - characters
        line = replace(
            line, text=line.text[: max(1, min(len(line.text) - over, len(line.text) - 2))].rstrip() + "…", cut=True
        )
    if cost_of(line) <= tokens:
        return line
    return beginning(line, tokens) or replace(line, text="…", cut=True)


def _slot_line(slot: Slot) -> Line:
    origin = shown_origin(f"slot {slot.label}, {_whose(slot.authority, slot.origin)}")
    return Line(slot.id, slot.version, f"{slot.updated_at:%Y-%m-%d}", origin, seen(slot.text))


# -- what else there is ------------------------------------------------------------------------------------------------


def _offers(material: Material, project: str | None) -> list[Told]:
    """Everything else, section by section, the most important first in each."""
    ordered = sorted(material.notes, key=lambda note: _rank(note, project))
    found = [Told(_section(note), _note_line(note)) for note in ordered]
    lessons = sorted(
        material.lessons, key=lambda each: (-each.confidence * _nearness(each.note, project), each.note.id)
    )
    found += [Told(Section.LESSON, _lesson_line(lesson)) for lesson in lessons]
    statuses = material.statuses or {}
    actions = sorted(
        material.actions,
        key=lambda each: (bool(waits_for(each, statuses)), -each.priority, each.created_at, each.id),
    )
    found += [Told(Section.ACTION, _action_line(action, statuses)) for action in actions]
    found += [Told(Section.SESSION, _session_line(session, text)) for session, text in material.sessions]
    return sorted(found, key=lambda told: _ORDER[told.section])


_ORDER = {section: place for place, section in enumerate(Section)}


def _section(note: Note) -> Section:
    if note.authority is Authority.INSTRUCTION:
        return Section.INSTRUCTION
    known = attribute_named(note.attribute) if note.attribute else None
    subject = (note.subject or "").partition(":")[0]
    if subject == PROJECT or (known is not None and known.about is About.PROJECT):
        return Section.CONVENTION
    return Section.FACT


def _rank(note: Note, project: str | None) -> tuple[object, ...]:
    """Pinned first, then of this very project, then by importance, then what was seen last. Not by the clock."""
    last = note.last_seen_at or note.updated_at
    nearer = project is not None and note.scope.project == project
    return (not note.pinned, not nearer, -note.importance, -last.timestamp(), note.id)


def _nearness(note: Note, project: str | None) -> float:
    return NEAR if project is not None and note.scope.project == project else 1.0


def _note_line(note: Note) -> Line:
    text = f"{note.title}: {note.text}" if note.title else note.text
    return Line(note.id, note.version, dates_of(note), shown_origin(origin_of(note)), seen(text))


def _lesson_line(lesson: Lesson) -> Line:
    note = lesson.note
    origin = f"{mark_of(note)}lesson {lesson.confidence:.2f} sure, {_whose(note.authority, note.origin)}"
    return Line(note.id, note.version, f"{note.recorded_at:%Y-%m-%d}", shown_origin(origin), seen(note.text))


def _action_line(action: Action, statuses: Mapping[str, ActionStatus]) -> Line:
    waiting = ", waits" if waits_for(action, statuses) else ""
    origin = f"action {action.status.value}{waiting}, {_whose(action.authority, action.origin)}"
    return Line(action.id, action.version, f"{action.created_at:%Y-%m-%d}", shown_origin(origin), seen(action.text))


def _session_line(session: Session, text: str) -> Line:
    by = f" of {session.scope.agent}" if session.scope.agent else ""
    return Line(session.id, 0, f"{session.started_at:%Y-%m-%d}", shown_origin(f"session{by}"), seen(text))


def _whose(authority: Authority, origin: Origin) -> str:
    return f"{authority.value} by {origin.principal}" if origin.principal else authority.value


def _each_once(offered: Sequence[Told], said: set[str]) -> list[Told]:
    """Without what says the same in the same words as something before it."""
    words = {" ".join(text.casefold().split()) for text in said}
    found = []
    for told in offered:
        own = " ".join(told.line.text.casefold().split())
        if own and own not in words:
            words.add(own)
            found.append(told)
    return found


def _marked(told: Told, freshness: Freshness | None) -> Told:
    if freshness is None:
        return told
    return Told(told.section, replace(told.line, origin=f"{told.line.origin}, {freshness.value}"), freshness)


# -- room --------------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Room:
    """The room left in a block, in tokens and in characters."""

    tokens: int
    characters: int

    def has(self, line: Line, cost: int) -> bool:
        return cost <= self.tokens and self._length(line) <= self.characters

    def take(self, line: Line, cost: int | None = None) -> None:
        self.tokens -= cost_of(line) if cost is None else cost
        self.characters -= self._length(line)

    @staticmethod
    def _length(line: Line) -> int:
        return len(record(line)) + 1 + len(_DEAREST)


def _cost(line: Line, *, dear: bool) -> int:
    """The tokens that a line takes; one that will be marked, with the longest mark."""
    return max(cost_of(line), cost_of(replace(line, origin=line.origin + _DEAREST))) if dear else cost_of(line)


def _fitting(line: Line, longest: int, *, dear: bool) -> tuple[Line, int]:
    """A line that is not too long, and what it takes."""
    cost = _cost(line, dear=dear)
    if cost <= longest:
        return line, cost
    shorter = beginning(line, longest - (cost - cost_of(line))) or line
    return shorter, _cost(shorter, dear=dear)
