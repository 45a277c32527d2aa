"""Triggers: when a note wants to be told, by the file, the command or the step that is about to come.

A trigger is spelled `file:src/db/*.py`, `command:git push` or `before:release`. It stands in the note's metadata, so it
is filtered, exported and written into files as the rest of the note is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Any

from recollect.domain.dataclass import dataclass
from recollect.domain.errors import InvalidInput, TooLarge
from recollect.domain.notes import Note

WHEN = "when"  # the key of a note's metadata
MOST_TRIGGERS = 16  # of one note
_LONGEST = 300  # characters of one pattern


class TriggerKind(StrEnum):
    """The kind of act that a trigger waits for."""

    FILE = "file"  # a file that is changed; a pattern as in .gitignore, below any folder
    COMMAND = "command"  # a command that begins with these words
    BEFORE = "before"  # a step such as commit, push, merge, release, deploy


@dataclass(frozen=True, slots=True)
class Trigger:
    """One condition under which a note is told."""

    kind: TriggerKind
    pattern: str

    @property
    def spelled(self) -> str:
        return f"{self.kind.value}:{self.pattern}"


def parsed_trigger(spelled: object) -> Trigger:
    """A trigger from its spelling, or a clear error."""
    kind, colon, pattern = spelled.strip().partition(":") if isinstance(spelled, str) else ("", "", "")
    pattern = " ".join(pattern.split())
    if not colon or kind not in set(TriggerKind) or not 0 < len(pattern) <= _LONGEST or not pattern.isprintable():
        raise InvalidInput(
            f"`{str(spelled)[:60]}` does not say when to tell a note.",
            code="invalid_when",
            hint="Write file:src/db/*.py, command:git push or before:release.",
        )
    return Trigger(TriggerKind(kind), pattern)


def checked_triggers(given: Sequence[str]) -> tuple[str, ...]:
    """The spellings of some triggers, each once, or a clear error."""
    if isinstance(given, str):
        given = (given,)
    if not isinstance(given, Sequence):
        raise InvalidInput("`when` must be a list of texts.", code="invalid_when")
    found = tuple(dict.fromkeys(parsed_trigger(each).spelled for each in given))
    if len(found) > MOST_TRIGGERS:
        raise TooLarge(f"`when` has {len(found)} conditions; a note has at most {MOST_TRIGGERS}.")
    return found


def triggers_of(note: Note) -> tuple[Trigger, ...]:
    """The triggers of a note. A value that somebody else keeps under the same key is passed over."""
    told = note.metadata.get(WHEN)
    found = []
    for each in told[:MOST_TRIGGERS] if isinstance(told, list | tuple) else ():
        try:
            found.append(parsed_trigger(each))
        except InvalidInput:
            continue
    return tuple(found)


def with_triggers(metadata: Mapping[str, Any], spelled: Iterable[str]) -> dict[str, Any]:
    """Metadata with these triggers in the place of those before; with none, without the key."""
    kept = list(spelled)
    rest = {name: value for name, value in metadata.items() if name != WHEN}
    return {**rest, WHEN: kept} if kept else rest
