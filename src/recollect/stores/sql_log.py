"""The change log, the audit chain and what else is read in order, from any SQL database."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from recollect.domain.changes import AuditEntry, Change, ChangeKind, Tombstone
from recollect.domain.notes import Note
from recollect.stores.damaged_rows import reads
from recollect.stores.database import Database, Row
from recollect.stores.records import notes_from_rows


class SqlLog:
    """The history of each space in an SQL database: changes, audit entries, versions and tombstones."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def changes_after(self, space: str, seq: int, *, limit: int) -> Sequence[Change]:
        rows = self._read(space, "changes_after", seq=seq, limit=limit)
        return [_change(row) for row in rows]

    def audit(self, space: str, *, after: int, limit: int) -> Sequence[AuditEntry]:
        rows = self._read(space, "audit_after", seq=after, limit=limit)
        return [_audit_entry(row) for row in rows]

    def audit_head(self, space: str) -> tuple[int, str]:
        found = self._read(space, "audit_head")
        return (found[0][0], found[0][1]) if found else (0, "")

    def export(self, space: str, *, after: tuple[str, int], limit: int) -> Sequence[Note]:
        note_id, version = after
        return notes_from_rows(self._read(space, "export_versions", id=note_id, version=version, limit=limit))

    def tombstones(self, space: str, *, after: str, limit: int) -> Sequence[Tombstone]:
        rows = self._read(space, "tombstones", after=after, limit=limit)
        return [_tombstone(row) for row in rows]

    def tombstone(self, space: str, note_id: str) -> Tombstone | None:
        found = self._read(space, "tombstone", id=note_id)
        return _tombstone((note_id, *found[0])) if found else None

    def _read(self, space: str, statement: str, **values: str | int) -> list[Row]:
        with self._database.reading(space) as transaction:
            return transaction.rows(statement, space=space, **values)


@reads("tombstone", ("id",))
def _tombstone(row: Row) -> Tombstone:
    note_id, erased_at = row
    return Tombstone(note_id, datetime.fromisoformat(erased_at))


@reads("change_log", ("seq", "kind", "record_id", "version"), named_by=2)
def _change(row: Row) -> Change:
    seq, kind, record, version = row
    return Change(seq, ChangeKind(kind), record, version)


@reads("audit", ("seq",), named_by=1)
def _audit_entry(row: Row) -> AuditEntry:
    seq, at, *rest = row
    return AuditEntry(seq, datetime.fromisoformat(at), *rest)
