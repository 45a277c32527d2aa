"""The change log, the audit chain, how notes hang together, receipts and reminders, from any SQL database.

Receipts of searches, and what sessions were reminded of, are not memory: they have no row in the change log, are in no
export, and may be lost when the power fails. Keeping one never waits for another writer.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Any

from recollect.domain.answers.receipts import MOST_RECEIPTS, RECEIPT_DAYS, Fate, Found, RecallReceipt
from recollect.domain.answers.recollections import Coverage
from recollect.domain.changes import AuditEntry, Change, ChangeKind, Tombstone
from recollect.domain.clock import format_time
from recollect.domain.notes import Note
from recollect.domain.scopes import ANYWHERE, Scope
from recollect.domain.values import to_plain
from recollect.redaction.clean_records import without_secrets
from recollect.stores.bound.bound_database import part_of
from recollect.stores.damaged_rows import reads
from recollect.stores.database import Database, Row, SqlPart
from recollect.stores.records import note_from_row


class SqlLog(SqlPart):
    """The history of each space in an SQL database: changes, audit entries, versions and tombstones."""

    def changes_after(self, space: str, seq: int, *, limit: int) -> Sequence[Change]:
        rows = self._read(space, "changes_after", seq=seq, limit=limit)
        return [_change(row) for row in rows]

    def newest(self, space: str) -> int:
        [(seq,)] = self._read(space, "newest_change")
        return int(seq)

    def audit(self, space: str, *, after: int, limit: int) -> Sequence[AuditEntry]:
        rows = self._read(space, "audit_after", seq=after, limit=limit)
        return [_audit_entry(row) for row in rows]

    def audit_head(self, space: str) -> tuple[int, str]:
        found = self._read(space, "audit_head")
        return (found[0][0], found[0][1]) if found else (0, "")

    def export(self, space: str, *, after: tuple[str, int], limit: int) -> Sequence[Note]:
        note_id, version = after
        found = self._read(space, "export_versions", id=note_id, version=version, limit=limit)
        return list(map(note_from_row, found))

    def tombstones(self, space: str, *, after: str, limit: int) -> Sequence[Tombstone]:
        rows = self._read(space, "tombstones", after=after, limit=limit)
        return [_tombstone(row) for row in rows]

    def tombstone(self, space: str, note_id: str) -> Tombstone | None:
        found = self._read(space, "tombstone", id=note_id)
        return _tombstone((note_id, *found[0])) if found else None


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


class SqlLineage(SqlPart):
    """The links between notes in an SQL database."""

    def chains(self, space: str, note_ids: Sequence[str]) -> dict[str, Sequence[str]]:
        found: dict[str, list[str]] = {note_id: [] for note_id in note_ids}
        for start, note_id in self._read(space, "chains", ids=json.dumps(list(found))):
            found[start].append(note_id)
        return {start: sorted(chain) for start, chain in found.items()}

    def descendants(self, space: str, note_id: str) -> Sequence[str]:
        return sorted(row[0] for row in self._read(space, "descendants", id=note_id))

    def resting_on(self, space: str, record_ids: Sequence[str]) -> Sequence[str]:
        found: set[str] = set()
        for record_id in record_ids:
            if record_id not in found:  # what rests on it is among the rest already
                found.update(row[0] for row in self._read(space, "resting_on", id=record_id))
        return sorted(found)

    def links_to(self, space: str, note_id: str) -> Sequence[tuple[str, str]]:
        return sorted((row[0], row[1]) for row in self._read(space, "links_to", id=note_id))


_ASKED = ("query", "asked")  # what somebody said, kept apart from the rest so that it can be forgotten


class SqlReceipts:
    """Receipts in an SQL database."""

    def __init__(self, database: Database, within: Scope = ANYWHERE) -> None:
        self._database, self._part = database, part_of(within)

    def keep(self, space: str, receipt: RecallReceipt) -> None:
        plain: dict[str, Any] = to_plain(without_secrets(receipt))
        asked = {name: plain.pop(name) for name in _ASKED}
        body = {name: value for name, value in plain.items() if name not in ("id", "at")}
        oldest = format_time(receipt.at - timedelta(days=RECEIPT_DAYS))
        with self._database.jotting(space) as transaction:
            transaction.rows(
                "insert_receipt",
                space=space,
                id=receipt.id,
                at=format_time(receipt.at),
                asked=json.dumps(asked),
                body=json.dumps(body, separators=(",", ":")),
                bound=self._part,
            )
            transaction.rows("drop_old_receipts", space=space, oldest=oldest, most=MOST_RECEIPTS)

    def receipt(self, space: str, receipt_id: str) -> RecallReceipt | None:
        with self._database.reading(space) as transaction:
            found = transaction.rows("receipt", space=space, id=receipt_id)
        return _receipt(found[0]) if found else None

    def recent(self, space: str, *, limit: int) -> Sequence[RecallReceipt]:
        with self._database.reading(space) as transaction:
            return [_receipt(row) for row in transaction.rows("recent_receipts", space=space, limit=limit)]

    def expire(self, space: str, *, before: datetime) -> None:
        with self._database.writing(space) as transaction:
            transaction.rows("drop_old_receipts", space=space, oldest=format_time(before), most=MOST_RECEIPTS)


@reads("receipt", ("id",))
def _receipt(row: Row) -> RecallReceipt:
    receipt_id, at, asked, spelled = row
    body: dict[str, Any] = json.loads(spelled)
    body.update(json.loads(asked) if asked is not None else {"query": None, "asked": {}})
    body["coverage"] = Coverage(body["coverage"])
    body["found"] = tuple(Found(**{**each, "fate": Fate(each["fate"])}) for each in body["found"])
    return RecallReceipt(id=receipt_id, at=datetime.fromisoformat(at), **body)


class SqlReminders:
    """The records that each session was told before an act."""

    def __init__(self, database: Database, within: Scope = ANYWHERE) -> None:
        self._database, self._part = database, part_of(within)

    def told(self, space: str, session: str) -> frozenset[str]:
        with self._database.reading(space) as transaction:
            rows = transaction.rows("reminded", space=space, bound=self._part, session=session)
        return frozenset(str(record_id) for (record_id,) in rows)

    def claim(self, space: str, session: str, record_ids: Collection[str], at: datetime) -> frozenset[str]:
        key = {"space": space, "bound": self._part, "session": session, "at": format_time(at)}
        with self._database.jotting(space) as transaction:
            return frozenset(each for each in record_ids if transaction.rows("insert_reminded", **key, id=each))

    def begin_anew(self, space: str, session: str) -> None:
        with self._database.writing(space) as transaction:
            transaction.rows("drop_reminded", space=space, bound=self._part, session=session)

    def expire(self, space: str, *, before: datetime) -> None:
        with self._database.writing(space) as transaction:
            transaction.rows("drop_old_reminded", space=space, oldest=format_time(before))
