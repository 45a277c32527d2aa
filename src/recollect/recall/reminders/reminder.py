"""Pure: the few lines that are told before an act, the surest ties first, within a budget."""

from __future__ import annotations

from collections.abc import Sequence

from recollect.domain.answers.contexts import Line
from recollect.domain.answers.reminders import Reminded, ReminderReason
from recollect.domain.dataclass import dataclass
from recollect.domain.notes import Note
from recollect.language.token_count import count_tokens
from recollect.recall.block import beginning, cost_of, dates_of, origin_of, shown_origin
from recollect.recall.fence import fenced, frame, seen
from recollect.recall.reminders.failures import PastFailure

MOST_LINES = 4  # more would be a briefing
_LEAST = 24  # tokens: what the beginning of a line takes, with its date and origin

_ORDER = tuple(ReminderReason)


@dataclass(frozen=True, slots=True)
class PackedReminder:
    """A block, the lines in it, and what it takes."""

    block: str
    lines: tuple[Reminded, ...]
    tokens: int


def told_note(note: Note, reason: ReminderReason, named: str) -> Reminded:
    """A note as it is told."""
    text = f"{note.title}: {note.text}" if note.title else note.text
    line = Line(note.id, note.version, dates_of(note), shown_origin(origin_of(note)), seen(text))
    return Reminded(reason, named, line)


def told_failure(found: PastFailure) -> Reminded:
    """A past failure as it is told: the two commands, and no output of either."""
    failed, worked = found.failed.title or "", found.worked.title or ""
    often = f" in {found.sessions} sessions" if found.sessions > 1 else ""
    text = f"`{failed}` failed{often}; `{worked}` worked after it."
    line = Line(found.failed.id, 0, f"{found.worked.observed_at:%Y-%m-%d}", "observed", seen(text))
    return Reminded(ReminderReason.FAILURE, failed, line)


def packed(found: Sequence[Reminded], *, budget: int, delimiter: str) -> PackedReminder:
    """The block of what has room. Each record is told once, for its surest reason."""
    room = budget - count_tokens(frame(delimiter))
    kept: dict[str, Reminded] = {}
    for each in sorted(found, key=lambda each: _ORDER.index(each.reason)):
        if each.line.id in kept or len(kept) == MOST_LINES or room < _LEAST:
            continue
        line = each.line if cost_of(each.line) <= room else beginning(each.line, room)
        if line is not None:
            room -= cost_of(line)
            kept[line.id] = Reminded(each.reason, each.named, line)
    block = fenced([each.line for each in kept.values()], delimiter)
    return PackedReminder(block, tuple(kept.values()), count_tokens(block) if block else 0)
