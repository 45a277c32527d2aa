"""A database as the first migrations left it, with something in every table of that time.

It is written with SQL of its own, because the statements of the product follow the newest schema.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime

from recollect.domain.changes import AuditEntry, audit_digest
from recollect.domain.clock import SystemClock, format_time
from recollect.stores.database import Database, Row, Transaction, Value
from recollect.stores.migrations import migrate, migrations
from recollect.stores.postgres.database import PostgresDatabase
from recollect.stores.sqlite.database import SqliteDatabase

SPACE = "old"
NOTES = 40

_THEN = datetime(2026, 1, 1, tzinfo=UTC)

# Every table of the first two schemas, and its columns.
TABLES = {
    "space": "name description created_at deleted_at seq audit_seq audit_head",
    "note": "space id version text_version kind subject attribute value scope_user scope_agent scope_project"
    " scope_session scope_machine state confidence importance pinned channel principal session source authority"
    " recorded_at updated_at replaced_at valid_from valid_until occurred_at expires_at retired_at last_seen_at"
    " verified_at supersedes derived_from metadata",
    "note_link": "space note_id relation target_id",
    "tombstone": "space note_id erased_at",
    "change_log": "space seq kind record_id version",
    "audit": "space seq at reason channel principal summary digest",
    "idempotency": "space key fingerprint receipt at",
    "note_text": "space note_id version title text tags",
}
SINCE = {"note_text": 2}  # the others are there since the first


def connected(address: str) -> Database:
    """The database at an address, as it is: nothing is migrated."""
    if address.startswith("postgresql://"):
        return PostgresDatabase(address, busy_timeout=10)
    return SqliteDatabase(address, clock=SystemClock(), busy_timeout=10)


def make_old(address: str, schema: int) -> None:
    """Run only the migrations up to a schema, 1 or 2, and fill what they made."""
    database = connected(address)
    try:
        migrate(database, _THEN, migrations(database.dialect)[:schema])
        with database.moving(SPACE) as transaction:  # nobody asked then which store serves it
            _fill(transaction, schema)
    finally:
        database.close()


def old_rows(address: str, schema: int) -> dict[str, list[Row]]:
    """What is in the tables of that time, in the columns they had."""
    database = connected(address)
    try:
        with database.reading(SPACE) as transaction:
            return {
                table: sorted(
                    transaction.query(
                        f"SELECT {', '.join(columns.split())} FROM {table}"
                        f" WHERE {'name' if table == 'space' else 'space'} = :space",
                        space=SPACE,
                    ),
                    key=repr,
                )
                for table, columns in TABLES.items()
                if schema >= SINCE.get(table, 1)
            }
    finally:
        database.close()


def migrations_done(address: str) -> list[int]:
    """The numbers of the migrations that were run, as often as they were."""
    database = connected(address)
    try:
        with database.reading(None) as transaction:
            return [number for number, _ in transaction.rows("migrations")]
    finally:
        database.close()


def _fill(transaction: Transaction, schema: int) -> None:
    at, ids = format_time(_THEN), [f"01{number:024d}" for number in range(NOTES)]
    head = ""
    for number, note_id in enumerate(ids, start=1):
        summary = json.dumps([["written", note_id, 1]], separators=(",", ":"))
        entry = AuditEntry(number, _THEN, "save", "library", "someone", summary, digest="")
        head = audit_digest(head, entry)
        _add(
            transaction, "note", space=SPACE, id=note_id, version=1, text_version=1, kind="semantic", state="active",
            confidence=1.0, importance=0.5, pinned=0, channel="library", principal="someone", authority="fact",
            recorded_at=at, updated_at=at, supersedes=json.dumps(ids[:1] if number == 2 else []), derived_from="[]",
            metadata=json.dumps({"number": number}),
        )  # fmt: skip
        if schema >= SINCE["note_text"]:
            _add(transaction, "note_text", space=SPACE, note_id=note_id, version=1, text=f"old note {number}", tags="")
        _add(transaction, "change_log", space=SPACE, seq=number, kind="written", record_id=note_id, version=1)
        _add(
            transaction, "audit", space=SPACE, seq=number, at=at, reason="save", channel="library", principal="someone",
            summary=summary, digest=head,
        )  # fmt: skip
    _add(transaction, "note_link", space=SPACE, note_id=ids[1], relation="supersedes", target_id=ids[0])
    _add(transaction, "tombstone", space=SPACE, note_id=f"00{0:024d}", erased_at=at)
    _add(transaction, "idempotency", space=SPACE, key="one", fingerprint="f", receipt="[]", at=at)
    _add(
        transaction, "space", name=SPACE, description="from before", created_at=at, deleted_at=None, seq=NOTES,
        audit_seq=NOTES, audit_head=head,
    )  # fmt: skip


def _add(transaction: Transaction, table: str, **values: Value) -> None:
    names = TABLES[table].split()
    assert set(values) <= set(names)
    given = {name: values.get(name) for name in names}
    transaction.query(
        f"INSERT INTO {table} ({', '.join(names)}) VALUES ({', '.join(f':{name}' for name in names)})", **given
    )
