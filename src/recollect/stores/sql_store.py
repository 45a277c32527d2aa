"""The one store, written for any SQL database: every read, and the one write."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING

from recollect.domain.changes import AuditEntry, Change, ChangeKind, Changes, Idempotency, Receipt, Tombstone
from recollect.domain.clock import format_time
from recollect.domain.notes import Note
from recollect.domain.recollections import KEPT, Check, Match, Selection, SpaceSummary
from recollect.domain.scopes import Space
from recollect.stores.damaged_rows import reads
from recollect.stores.database import Database, Row, Search, Value
from recollect.stores.records import NOTE_WIDTH, note_from_row, notes_from_rows, time_from
from recollect.stores.selecting import among, conditions, found_by, in_pieces, known_by
from recollect.stores.statements import statements

if TYPE_CHECKING:
    from recollect.stores.sql_access import SqlAccessTokens
    from recollect.stores.sql_archive import SqlArchive
    from recollect.stores.sql_desk import SqlDesk
    from recollect.stores.sql_receipts import SqlReceipts
    from recollect.stores.sql_vectors import SqlVectors


class SqlStore:
    """Memory in an SQL database."""

    def __init__(self, database: Database, schema: int) -> None:
        self._database = database
        self._schema = schema
        self._statements = statements(database.dialect)

    # Each of these is loaded by the first verb that needs it; a short command needs few.

    @cached_property
    def archive(self) -> SqlArchive:
        from recollect.stores.sql_archive import SqlArchive

        return SqlArchive(self._database)

    @cached_property
    def desk(self) -> SqlDesk:
        from recollect.stores.sql_desk import SqlDesk

        return SqlDesk(self._database)

    @cached_property
    def vectors(self) -> SqlVectors:
        from recollect.stores.sql_vectors import SqlVectors

        return SqlVectors(self._database)

    @cached_property
    def receipts(self) -> SqlReceipts:
        from recollect.stores.sql_receipts import SqlReceipts

        return SqlReceipts(self._database)

    @cached_property
    def tokens(self) -> SqlAccessTokens:
        from recollect.stores.sql_access import SqlAccessTokens

        return SqlAccessTokens(self._database)

    @property
    def kind(self) -> str:
        return self._database.dialect

    @property
    def location(self) -> str:
        return self._database.location

    @property
    def schema(self) -> int:
        return self._schema

    def apply(self, changes: Changes, *, rehearse: bool = False) -> Receipt:
        from recollect.redaction.clean_records import clean_changes, refuse_secret
        from recollect.redaction.clean_text import holds_secret
        from recollect.stores.applying import apply

        if holds_secret(changes.space) and self.space(changes.space) is None:
            refuse_secret(changes.space, "space")
        clean = clean_changes(changes)
        with self._database.writing(changes.space, rehearse=rehearse) as transaction:
            return apply(transaction, clean)

    def replay(self, space: str, request: Idempotency) -> Receipt | None:
        from recollect.stores.applying import replay

        with self._database.reading(space) as transaction:
            return replay(transaction, space, request)

    @contextmanager
    def reading(self, space: str) -> Iterator[None]:
        with self._database.reading(space):
            yield

    def spaces(self) -> Sequence[Space]:
        with self._database.reading(None) as transaction:
            found = [_space(row) for row in transaction.rows("spaces")]
        # Ordered here because the two databases sort text differently.
        return sorted(found, key=lambda space: space.name)

    def space(self, name: str) -> Space | None:
        found = self._read(name, "space")
        return _space(found[0]) if found else None

    def summary(self, space: Space) -> SpaceSummary:
        states: Counter[str] = Counter()
        kinds: Counter[str] = Counter()
        with self._database.reading(space.name) as transaction:
            for state, kind, count in transaction.rows("count_notes", space=space.name):
                states[state] += count
                kinds[kind] += count
            [(versions,)] = transaction.rows("count_versions", space=space.name)
            [(erased,)] = transaction.rows("count_tombstones", space=space.name)
            quota = transaction.rows("quota", space=space.name)
        sessions, observations = self.archive.counts(space.name)
        verdicts = self.archive.verdicts(space.name)
        judged = sum(verdicts.values())
        return SpaceSummary(
            name=space.name,
            description=space.description,
            created_at=space.created_at,
            changes=space.seq,
            notes=states.total(),
            versions=versions,
            erased=erased,
            by_state=dict(sorted(states.items())),
            by_kind=dict(sorted(kinds.items())),
            sessions=sessions,
            observations=observations,
            verdicts=dict(sorted(verdicts.items())),
            max_notes=quota[0][0] if quota else None,
            max_messages=quota[0][1] if quota else None,
            junk_rate=round(1 - verdicts.get(KEPT, 0) / judged, 4) if judged else 0.0,
        )

    def note(self, space: str, note_id: str, *, known_at: datetime | None = None) -> Note | None:
        if known_at is None:
            found = self._read(space, "current_note", id=note_id)
        else:
            found = self._read(space, "note_known_at", id=note_id, known_at=format_time(known_at))
        return note_from_row(found[0]) if found else None

    def current(self, space: str, note_ids: Sequence[str]) -> dict[str, Note]:
        found: dict[str, Note] = {}
        with self._database.reading(space) as transaction:
            for some in in_pieces(note_ids):
                where, values = among(self._statements, "note.id", some)
                sql = f"{self._statements['notes']}{where}\nAND note.replaced_at IS NULL"
                rows = transaction.query(sql, space=space, **values)
                found.update((note.id, note) for note in notes_from_rows(rows))
        return found

    def version(self, space: str, note_id: str, version: int) -> Note | None:
        found = self._read(space, "note_version", id=note_id, version=version)
        return note_from_row(found[0]) if found else None

    def versions(self, space: str, note_ids: Sequence[str]) -> Sequence[Note]:
        with self._database.reading(space) as transaction:
            return [
                note_from_row(row)
                for note_id in sorted(set(note_ids))
                for row in transaction.rows("note_versions", space=space, id=note_id)
            ]

    def notes(self, space: str, selection: Selection, *, before: str | None, limit: int) -> Sequence[Note]:
        with self._database.reading(space) as transaction:
            tagged = self._database.tagged(transaction, selection.tag, space) if selection.tag else None
            sql, values = self.listing(selection, before=before, tagged=tagged)
            return notes_from_rows(transaction.query(sql, space=space, limit=limit, **values))

    def listing(
        self, selection: Selection, *, before: str | None, tagged: Search | None = None
    ) -> tuple[str, dict[str, Value]]:
        """The statement that lists notes newest first, and what it binds beside the space and the limit.

        `tagged` are those among which the ones with the tag are looked for; `None` for all.
        """
        where, values = conditions(selection)
        older, order = "AND note.id < :before", "ORDER BY note.id DESC"
        if tagged is not None:
            condition, older, order = (self._statements[name] for name in ("tagged", "tagged_before", "tagged_order"))
            where += f"\n{condition}"
            values |= tagged
        if before is not None:
            where += f"\n{older}"
            values["before"] = before
        notes = self._statements["notes"]
        if selection.known_at is not None:
            notes = notes.replace("FROM note ", f"FROM note {self._statements['by_times']} ")
        return f"{notes}{where}\n{order}\nLIMIT :limit", values

    def ids(self, space: str, selection: Selection) -> Sequence[str]:
        where, values = conditions(selection)
        # Only tags stand with the words; without them the words need not be read.
        statement = "selected_ids" if selection.tag is None else "selected_ids_by_tag"
        with self._database.reading(space) as transaction:
            rows = transaction.query(f"{self._statements[statement]}{where}", space=space, **values)
        return list(dict.fromkeys(row[0] for row in rows))

    def matching(
        self, space: str, words: Sequence[str], selection: Selection, *, limit: int, beginnings: bool = False
    ) -> Sequence[Match]:
        if not words:
            return []
        where, values = conditions(selection)
        order = self._statements["matching_order"]
        sql = f"{self._statements['matching']}{where}\n{order}\nLIMIT :limit"
        with self._database.reading(space) as transaction:
            rows = found_by(
                self._database,
                transaction,
                "note_words",
                words,
                sql,
                beginnings=beginnings,
                space=space,
                limit=limit,
                **values,
            )
        return [Match(note_from_row(row), row[NOTE_WIDTH]) for row in rows]

    def known_words(self, space: str, words: Sequence[str]) -> frozenset[str]:
        return known_by(self._database, "note_with", words, space=space)

    def chain(self, space: str, note_id: str) -> Sequence[str]:
        return self.chains(space, [note_id])[note_id]

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

    def export(self, space: str, *, after: tuple[str, int], limit: int) -> Sequence[Note]:
        note_id, version = after
        return notes_from_rows(self._read(space, "export_versions", id=note_id, version=version, limit=limit))

    def tombstones(self, space: str, *, after: str, limit: int) -> Sequence[Tombstone]:
        rows = self._read(space, "tombstones", after=after, limit=limit)
        return [_tombstone(row) for row in rows]

    def tombstone(self, space: str, note_id: str) -> Tombstone | None:
        found = self._read(space, "tombstone", id=note_id)
        return _tombstone((note_id, *found[0])) if found else None

    def changes_after(self, space: str, seq: int, *, limit: int) -> Sequence[Change]:
        rows = self._read(space, "changes_after", seq=seq, limit=limit)
        return [_change(row) for row in rows]

    def audit(self, space: str, *, after: int, limit: int) -> Sequence[AuditEntry]:
        rows = self._read(space, "audit_after", seq=after, limit=limit)
        return [_audit_entry(row) for row in rows]

    def audit_head(self, space: str) -> tuple[int, str]:
        found = self._read(space, "audit_head")
        return (found[0][0], found[0][1]) if found else (0, "")

    def clean_residue(self) -> str | None:
        return self._database.clean_residue()

    def check(self) -> Sequence[Check]:
        return self._database.check()

    def rebuild(self) -> None:
        self._database.rebuild()

    def size(self) -> int | None:
        return self._database.size()

    def close(self) -> None:
        self._database.close()

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


@reads("space", ("name", "description", "created_at", "seq"))
def _space(row: Row) -> Space:
    name, description, created_at, seq, deleted_at = row
    return Space(name, description, datetime.fromisoformat(created_at), seq, time_from(deleted_at))
