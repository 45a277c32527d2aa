"""Records of a damaged database, as an export has them.

The damaged file is only read. Its rows are sorted into tables by the tree they hang on, or by their shape where the
tree is broken, and become records if the store's own readers accept them. Erased records stay erased.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeAlias

import apsw

from recollect.codecs.plain import (
    EXPORT_FORMAT,
    EXPORT_HEADER,
    action_from_plain,
    note_from_plain,
    observation_from_plain,
    session_from_plain,
    slot_from_plain,
)
from recollect.domain.answers.recollections import LostRecord, Rescue
from recollect.domain.changes import ChangeKind
from recollect.domain.dataclass import dataclass, field
from recollect.domain.errors import Damaged, InvalidInput, NotFound, RecollectError, Refused, StoreFailure
from recollect.domain.text import FORBIDDEN
from recollect.domain.values import to_plain
from recollect.stores.database import ACTION_COLUMNS, NOTE_COLUMNS, OBSERVATION_COLUMNS, SESSION_COLUMNS, SLOT_COLUMNS
from recollect.stores.migrations import migrations
from recollect.stores.records import (
    action_from_row,
    note_from_row,
    observation_from_row,
    session_from_row,
    slot_from_row,
)
from recollect.stores.sqlite.page_rows import DatabasePages, SortedRows, pages_of, sorted_rows

Told: TypeAlias = dict[str, Any]  # a row by the names of its columns
Record: TypeAlias = dict[str, Any]

_BACKUP = "Restore the newest backup with `recollect restore FILE`."
_HOLES = re.compile(f"(?:{FORBIDDEN.pattern}|\ufffd)+")

# The records that each kind of change speaks of.
_LOGGED = {
    ChangeKind.WRITTEN: "note",
    ChangeKind.ADOPTED: "note",
    ChangeKind.SESSION_OPENED: "session",
    ChangeKind.OBSERVED: "observation",
    ChangeKind.SLOT_WRITTEN: "slot",
    ChangeKind.ACTION_WRITTEN: "action",
}
# An import checks its records with these, so that whatever is rescued can be imported.
_IMPORTED: dict[str, Callable[[Record], object]] = {
    "note": note_from_plain,
    "session": session_from_plain,
    "observation": observation_from_plain,
    "slot": slot_from_plain,
    "action": action_from_plain,
}
_VERSIONED = ("note",)  # of the others only the newest version is kept


def rescue(path: Path, write: Callable[[Record], None]) -> Rescue:
    """Hand every record that can be read to `write`, in the order of an export, and say what could not be."""
    pages = _pages(path)
    found = sorted_rows(pages)
    _require_known_schema(found)
    for name, older in _kept_rows(path, pages.size):
        # These are from older pages than the file: they only fill its gaps.
        found.rows[name] = {**older, **found.rows[name]}
    salvage = _Salvage(found)
    records = list(salvage.records())
    if not records:
        raise Damaged(f"Nothing could be got out of {path}.", code="nothing_rescued", hint=_BACKUP)
    write({"type": EXPORT_HEADER, "format": EXPORT_FORMAT})
    for record in records:
        write(record)
    return Rescue(
        path=str(path),
        records=dict(Counter(record["type"] for record in records if record["type"] != "space")),
        lost=tuple(salvage.lost()),
        mended=tuple(salvage.mended),
        unreadable_rows=found.unreadable,
        unknown_changes=_unknown_changes(found),
    )


def _unknown_changes(found: SortedRows) -> dict[str, int]:
    logged = Counter(row["space"] for row in found.rows["change_log"].values())
    made = {row["name"]: row["seq"] for row in found.rows["space"].values() if row["deleted_at"] is None}
    return {space: seq - logged[space] for space, seq in sorted(made.items()) if seq > logged[space]}


def _pages(path: Path) -> DatabasePages:
    if not path.exists():
        raise NotFound(f"There is no file {path}.", code="file_not_found")
    if not path.is_file():
        raise InvalidInput(f"{path} is not a file.", code="not_a_file", hint="Name the file of a database.")
    try:
        return pages_of(path, Path(f"{path}-wal"))
    except (OSError, apsw.Error) as problem:
        raise StoreFailure(
            f"{path} cannot be read: {problem}.", code="not_readable", hint="Check who owns it, and the disk."
        ) from problem


def _kept_rows(path: Path, page_size: int) -> Iterator[tuple[str, dict[Any, Told]]]:
    """Rows in a damaged log that was put aside, of tables whose rows are never deleted but by erasing."""
    log = Path(f"{path}-unread-log")
    if log.is_file():
        older = sorted_rows(pages_of(None, log, page_size=page_size))
        for name in ("session", "observation", "observation_text", "note", "note_text"):
            yield name, older.rows[name]


def _require_known_schema(found: SortedRows) -> None:
    known = migrations("sqlite")[-1].number
    # A damaged number is not believed: there are never gaps.
    numbers = {row["number"] for row in found.rows["migration"].values()}
    done = next(number for number in range(1, len(numbers) + 2) if number not in numbers) - 1
    if done > known:
        raise Refused(
            f"The database is from a newer version of Recollect (schema {done}; this version knows {known}).",
            code="newer_database",
            hint="Update Recollect, and rescue it then.",
        )


@dataclass(slots=True)
class _Salvage:
    """Rows become records, and it is kept in mind which did not."""

    found: SortedRows
    mended: list[LostRecord] = field(default_factory=list)
    _saved: set[tuple[str, str, str, int]] = field(default_factory=set)
    _known: dict[tuple[str, str, str, int], str] = field(default_factory=dict)  # lost unless saved, and why
    _erased: set[tuple[str, str]] = field(default_factory=set)
    _deleted: set[str] = field(default_factory=set)

    def records(self) -> Iterator[Record]:
        rows = self.found.rows
        self._erased = {(row["space"], row["note_id"]) for row in rows["tombstone"].values()}
        self._erased |= {
            (row["space"], row["record_id"]) for row in rows["change_log"].values() if row["kind"] == ChangeKind.ERASED
        }
        self._deleted = {row["name"] for row in rows["space"].values() if row["deleted_at"] is not None}
        self._note_what_was_logged()
        described = {row["name"]: row["description"] for row in rows["space"].values() if row["deleted_at"] is None}
        by_space: dict[str, list[Record]] = {name: [] for name in described}
        for record in self._all():
            by_space.setdefault(record["space"], []).append(record)
        for space, inside in sorted(by_space.items()):
            yield {"type": "space", "name": space, "description": described.get(space, "")}
            yield from inside

    def lost(self) -> Iterator[LostRecord]:
        for (kind, space, record_id, version), why in sorted(self._known.items()):
            gone = (space, record_id) in self._erased or space in self._deleted
            if (kind, space, record_id, version) not in self._saved and not gone:
                yield LostRecord(kind, space, record_id, version, why)

    def _all(self) -> Iterator[Record]:
        rows = self.found.rows
        for row in sorted(rows["tombstone"].values(), key=lambda row: (row["space"], row["note_id"])):
            if row["space"] not in self._deleted:
                yield {
                    "type": "tombstone",
                    "space": row["space"],
                    "note_id": row["note_id"],
                    "erased_at": row["erased_at"],
                }
        yield from self._of("session", SESSION_COLUMNS, session_from_row)
        yield from self._of("observation", OBSERVATION_COLUMNS, observation_from_row, words="observation_text")
        yield from self._files()
        yield from self._of("note", NOTE_COLUMNS, note_from_row, words="note_text")
        yield from self._of("slot", SLOT_COLUMNS, slot_from_row)
        yield from self._of("action", ACTION_COLUMNS, action_from_row)

    def _files(self) -> Iterator[Record]:
        """The files whose bytes are those of their digest. Messages say which ones there were."""
        for (space, digest), row in sorted(self.found.rows["attachment"].items()):
            if space not in self._deleted and hashlib.sha256(row["content"]).hexdigest() == digest:
                yield {"type": "attachment", "space": space, "digest": digest, "data": to_plain(row["content"])}

    def _of(self, kind: str, columns: str, read: Callable[[Any], Any], words: str | None = None) -> Iterator[Record]:
        """The records of one kind. Words that stand in a table of their own are joined."""
        names = [name.strip().rpartition(".")[2] for name in columns.split(",")]
        for _, row in sorted(self.found.rows[kind].items()):
            space, record_id = row["space"], row["id"]
            version = row["version"] if kind in _VERSIONED else 0
            label = (kind, space, record_id, version)
            if (space, record_id) in self._erased or space in self._deleted:
                continue
            self._known.setdefault(label, "its row is damaged")
            told, holed = row, False
            if words is not None:
                key = (space, record_id, row["text_version"]) if kind == "note" else (space, record_id)
                spoken = self.found.rows[words].get(key)
                if spoken is None and (broken := self.found.damaged[words].get(key)) is not None:
                    spoken, holed = _with_holes(broken), True
                elif spoken is not None and FORBIDDEN.search(spoken["text"]):
                    spoken, holed = _with_holes(spoken), True
                if spoken is None:
                    self._known[label] = "its words are lost"
                    continue
                told = {**spoken, **row}
            try:
                record = {"type": kind, "space": space, **to_plain(read(tuple(told[name] for name in names)))}
                _IMPORTED[kind](record)
            except RecollectError as problem:
                self._known[label] = problem.message
                continue
            self._saved.add(label)
            if holed:
                self.mended.append(LostRecord(kind, space, record_id, version, "its text has holes, marked \ufffd"))
            yield record

    def _note_what_was_logged(self) -> None:
        """Every record that the change log, or a table of words, knows of."""
        rows = self.found.rows
        for row in rows["change_log"].values():
            kind = _LOGGED.get(row["kind"])
            if kind is not None:
                version = row["version"] if kind in _VERSIONED else 0
                self._known[kind, row["space"], row["record_id"], version] = "its row is lost"
        for space, note_id, version in rows["note_text"]:
            self._known.setdefault(("note", space, note_id, version), "its row is lost")
        for space, observation_id in rows["observation_text"]:
            self._known.setdefault(("observation", space, observation_id, 0), "its row is lost")
        for kind in ("note", "session", "observation", "slot", "action"):
            for key in self.found.damaged[kind]:
                label = (kind, key[0], key[1], key[2] if kind in _VERSIONED else 0)
                self._known.setdefault(label, "a text in its row is damaged")


def _with_holes(row: Told) -> Told:
    """A row whose texts show where something is missing."""
    return {name: _HOLES.sub("\ufffd", value) if isinstance(value, str) else value for name, value in row.items()}
