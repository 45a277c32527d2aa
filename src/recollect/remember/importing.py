"""Lines of an export come back as notes: each version at its place, what is here already left alone.

A line that is broken is reported with its number and the others still come in, so that running the import again
brings only what is missing. A file can claim any origin: without `trust` the importer is the origin of everything, and
what a note claims is kept beside it. With it the file is believed, up to the authority the caller could give.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from itertools import groupby
from typing import Any, TypeAlias

from recollect.codecs.plain import (
    EXPORT_FORMAT,
    EXPORT_HEADER,
    action_from_plain,
    note_from_plain,
    observation_from_plain,
    session_from_plain,
    slot_from_plain,
)
from recollect.domain.changes import (
    AddObservation,
    AdoptAction,
    AdoptNote,
    AdoptSlot,
    ChangeKind,
    Changes,
    Edit,
    EraseNote,
    OpenSession,
    OpenSpace,
    Receipt,
)
from recollect.domain.clock import checked_id
from recollect.domain.dataclass import dataclass, replace
from recollect.domain.errors import Erased, InvalidInput, RecollectError
from recollect.domain.origin import Caller
from recollect.domain.recollections import ImportFailure, ImportReport
from recollect.domain.scopes import checked_space
from recollect.remember.import_screen import Screen

_TYPES = ("space", "note", "session", "observation", "slot", "action", "tombstone")

Apply: TypeAlias = Callable[[Changes], Receipt]


@dataclass(frozen=True, slots=True)
class _Line:
    number: int
    space: str
    edit: Edit


def import_lines(
    lines: Sequence[str], *, first_line: int, into: str | None, screen: Screen, apply: Apply
) -> ImportReport:
    """Take lines in, space by space, as few transactions as possible; `screen` says what of them may be."""
    read: list[_Line] = []
    failures: list[ImportFailure] = []
    for number, text in enumerate(lines, start=first_line):
        try:
            understood = _understood(text, into)
            if understood is not None:
                read.append(_Line(number, *understood))
        except RecollectError as problem:
            failures.append(ImportFailure(number, problem.code, problem.message))

    imported = unchanged = erased = 0
    for space, group in groupby(read, key=lambda line: line.space):
        for line, outcome in _outcomes(list(group), space, screen, apply):
            match outcome:
                case Erased():
                    erased += 1
                case RecollectError():
                    failures.append(ImportFailure(line.number, outcome.code, outcome.message))
                case _ if isinstance(line.edit, OpenSpace):
                    pass  # what holds the records is not one of them
                case True:
                    imported += 1
                case _:
                    unchanged += 1
    return ImportReport(imported, unchanged, erased, tuple(sorted(failures, key=lambda failure: failure.line)))


def _outcomes(
    lines: Sequence[_Line], space: str, screen: Screen, apply: Apply
) -> Iterator[tuple[_Line, bool | RecollectError]]:
    """The outcome of each line: taken in, here already, or why not."""
    wanted: list[_Line] = []
    for line, found in zip(lines, screen.screened(space, [line.edit for line in lines]), strict=True):
        if found is None or isinstance(found, RecollectError):
            yield line, found or False
        else:
            wanted.append(replace(line, edit=found))
    yield from _apply_all(wanted, space, screen.at, screen.caller, apply) if wanted else ()


def _apply_all(
    lines: Sequence[_Line], space: str, at: datetime, caller: Caller, apply: Apply
) -> list[tuple[_Line, bool | RecollectError]]:
    """All at once; if something stands in the way, in halves, until it is found."""
    try:
        receipt = apply(Changes(space, "import", at, caller.origin(), tuple(line.edit for line in lines)))
    except RecollectError as problem:
        if problem.retryable:
            raise
        if len(lines) == 1:
            return [(lines[0], problem)]
        middle = len(lines) // 2
        return [
            outcome
            for half in (lines[:middle], lines[middle:])
            for outcome in _apply_all(half, space, at, caller, apply)
        ]
    changed = {
        (change.record_id, change.version) for change in receipt.changes if change.kind is not ChangeKind.SPACE_OPENED
    }
    return [(line, _key(line.edit) in changed) for line in lines]


def _key(edit: Edit) -> tuple[str, int]:
    match edit:
        case AdoptNote(note):
            return note.id, note.version
        case EraseNote(note_id):
            return note_id, 0
        case OpenSession(session):
            return session.id, 0
        case AddObservation(observation):
            return observation.id, 0
        case AdoptSlot(slot):
            return slot.id, slot.version
        case AdoptAction(action):
            return action.id, action.version
        case _:
            return "", 0


def _understood(line: str, into: str | None) -> tuple[str, Edit] | None:
    """The space and the edit that a line asks for; `None` for the header and for empty lines."""
    if not line.strip():
        return None
    record = _record(line)
    kind = record.get("type")
    if kind == EXPORT_HEADER:
        if record.get("format") != EXPORT_FORMAT:
            raise InvalidInput(
                f"The export has format {record.get('format')!r}; this version reads format {EXPORT_FORMAT}.",
                code="unknown_format",
            )
        return None
    if kind not in _TYPES:
        raise InvalidInput(f"`{kind}` is not a type of record.", code="unknown_type")
    space = into or checked_space(record.get("space", record.get("name", "")))
    match kind:
        case "space":
            description = record.get("description", "")
            if not isinstance(description, str):
                raise InvalidInput("`description` must be text.", code="invalid_field")
            return space, OpenSpace(description, only_if_new=True)
        case "note":
            return space, AdoptNote(note_from_plain({**record, "space": space}))
        case "session":
            return space, OpenSession(session_from_plain({**record, "space": space}))
        case "observation":
            return space, AddObservation(observation_from_plain({**record, "space": space}))
        case "slot":
            return space, AdoptSlot(slot_from_plain({**record, "space": space}))
        case "action":
            return space, AdoptAction(action_from_plain({**record, "space": space}))
        case _:
            return space, EraseNote(checked_id(record.get("note_id", "")))


def _record(line: str) -> dict[str, Any]:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as problem:
        raise InvalidInput(f"This is not JSON: {problem}.", code="invalid_json") from None
    if not isinstance(record, dict):
        raise InvalidInput("A line must be a JSON object.", code="invalid_json")
    return record
