"""An older database is brought up to date once, with everything in it; a newer one is left as it is."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from recollect import Filter, Memory
from recollect.domain.changes import AuditEntry, Change, ChangeKind, Idempotency, audit_digest
from recollect.domain.clock import format_time
from recollect.domain.errors import Refused
from recollect.domain.notes import Kind, Note
from recollect.domain.origin import Authority
from recollect.domain.scopes import Scope
from recollect.domain.selections import Selection
from recollect.recall.export import audit_report
from recollect.stores.database import Database, Transaction
from recollect.stores.filters import sql_upkeep
from recollect.stores.migrations import migrate, migrations
from recollect.stores.opening import open_store
from recollect.stores.postgres.database import PostgresDatabase
from recollect.stores.record_edits import insert_leaves, insert_mentions
from recollect.stores.sql_store import SqlStore
from recollect.stores.sqlite.database import SqliteDatabase
from tests.support.clock import SteadyClock
from tests.support.postgres import Server
from tests.support.writing import TESTER, at, edited, saved

NEWEST = migrations("sqlite")[-1].number


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def database(request: pytest.FixtureRequest, tmp_path: Path, clock: SteadyClock) -> Iterator[Database]:
    """An empty database, without any table."""
    if request.param == "sqlite":
        with closing(SqliteDatabase(str(tmp_path / "memory.db"), clock=clock, busy_timeout=5)) as opened:
            yield opened
        return
    server: Server = request.getfixturevalue("postgres_server")
    with server.database(migrated=False) as address, closing(PostgresDatabase(address, busy_timeout=5)) as remote:
        yield remote


def _ledger(database: Database) -> list[int]:
    with database.migrating() as transaction:
        return [number for number, _ in transaction.rows("migrations")]


def test_migrations_are_numbered_without_gaps_on_either_database() -> None:
    """A dialect may have nothing to do at some number, but what it has comes in order and ends at the same one."""
    numbers = {dialect: [step.number for step in migrations(dialect)] for dialect in ("sqlite", "postgres")}
    assert all(found == sorted(set(found)) for found in numbers.values())
    assert sorted({number for found in numbers.values() for number in found}) == list(range(1, NEWEST + 1))
    assert {found[-1] for found in numbers.values()} == {NEWEST}


def test_a_new_database_gets_every_migration_once(database: Database, clock: SteadyClock) -> None:
    assert migrate(database, clock.now()) == NEWEST
    done = _ledger(database)
    assert done == [step.number for step in migrations(database.dialect)]

    assert migrate(database, clock.now()) == NEWEST
    assert _ledger(database) == done


def test_a_migration_that_fails_leaves_the_database_as_it_was(database: Database, clock: SteadyClock) -> None:
    steps = migrations(database.dialect)
    migrate(database, clock.now(), steps[:2])
    broken = replace(
        steps[-1], number=77, scripts=("CREATE TABLE half_done (x INTEGER); SELECT nonsense FROM nowhere",)
    )

    with pytest.raises(Exception, match="nowhere"):
        migrate(database, clock.now(), [*steps[:2], broken])

    assert _ledger(database) == [step.number for step in steps[:2]]
    with database.migrating() as transaction:
        assert not database.has_table(transaction, "half_done")


@pytest.mark.parametrize("schema", range(1, NEWEST))
def test_a_database_of_every_earlier_schema_keeps_what_is_in_it(
    database: Database, clock: SteadyClock, schema: int
) -> None:
    steps = [step for step in migrations(database.dialect) if step.number <= schema]
    migrate(database, clock.now(), steps)
    with database.migrating() as transaction:
        entry = _write_by_hand(transaction, with_words=schema >= 2)
        if schema >= 16:  # from then on it is written with the note
            insert_leaves(transaction, NOTE)
        if schema >= 35:
            insert_mentions(transaction, NOTE)

    store = SqlStore(database, migrate(database, clock.now()))

    space = store.space("alice")
    assert space is not None and (space.description, space.seq) == ("Alice's own", 2)
    assert store.log.changes_after("alice", 0, limit=10) == [
        Change(1, ChangeKind.SPACE_OPENED, "alice", 0),
        Change(2, ChangeKind.WRITTEN, NOTE.id, 1),
    ]
    assert store.log.audit("alice", after=0, limit=10) == [entry]
    assert audit_report(store.log, "alice", newest=10).whole
    assert [stone.note_id for stone in store.log.tombstones("alice", after="", limit=10)] == ["gone"]
    assert store.replay("alice", Idempotency("key", "fingerprint")) is not None
    if schema >= 2:
        assert store.note("alice", NOTE.id) == NOTE
        assert [match.note for match in store.matching("alice", ["tea"], Selection(), limit=10)] == [NOTE]
        by_metadata = Selection(where=Filter({"metadata.a": 1}).condition)
        assert list(store.notes("alice", by_metadata, before=None, limit=10)) == [NOTE]
    newer = saved(store, clock, "Written after the migration")
    assert edited(store, clock, newer, pinned=True).version == 2
    assert all(check.ok for check in store.upkeep.check())


def test_one_damaged_note_keeps_no_older_database_closed(
    database: Database, clock: SteadyClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sql_upkeep, "_MOST_VERSIONS", 1)
    migrate(database, clock.now(), [step for step in migrations(database.dialect) if step.number < 35])
    with database.migrating() as transaction:
        _write_by_hand(transaction, with_words=True)
        for version in (2, 3):
            transaction.script(
                "INSERT INTO note (space, id, version, text_version, kind, state, confidence, importance, pinned,"
                " channel, principal, authority, recorded_at, updated_at, replaced_at, supersedes, derived_from,"
                f" subject, metadata) SELECT space, id, {version}, 1, kind, state, confidence, importance, pinned,"
                " channel, principal, authority, recorded_at, updated_at, updated_at, supersedes, derived_from,"
                f" 'Ann {version}', '{'{' if version == 2 else '{}'}' FROM note WHERE version = 1"
            )

    SqlStore(database, migrate(database, clock.now()))

    with database.reading("alice") as transaction:
        named = transaction.query("SELECT key FROM note_entity WHERE space = 'alice' ORDER BY key")
    assert named == [("ann 3",), ("drink",)]


def told_before_messages_had_a_scope(database: Database, clock: SteadyClock) -> None:
    """Two messages in a database of schema 12, in sessions with and without a scope."""
    migrate(database, clock.now(), [step for step in migrations(database.dialect) if step.number <= 12])
    moment = format_time(NOTE.updated_at)
    with database.migrating() as transaction:
        if database.dialect == "postgres":
            transaction.script("SELECT set_config('recollect.space', 'alice', true)")
        for session, scope in (("s1", "'ana', NULL, 'shopx', 'laptop'"), ("s2", "NULL, NULL, NULL, NULL")):
            transaction.script(
                "INSERT INTO session (space, id, started_at, scope_user, scope_agent, scope_project, scope_machine,"
                f" channel, principal) VALUES ('alice', '{session}', '{moment}', {scope}, 'library', 'tester')"
            )
            transaction.script(
                "INSERT INTO observation (space, id, session_id, position, kind, observed_at, recorded_at, channel,"
                f" principal) VALUES ('alice', 'said-{session}', '{session}', 1, 'message', '{moment}', '{moment}',"
                " 'library', 'tester')"
            )
            transaction.script(
                "INSERT INTO observation_text (space, observation_id, text)"
                f" VALUES ('alice', 'said-{session}', 'The till opens with a key.')"
            )


def test_messages_of_an_older_database_have_the_scope_of_their_session(database: Database, clock: SteadyClock) -> None:
    told_before_messages_had_a_scope(database, clock)

    store = SqlStore(database, migrate(database, clock.now()))

    said = store.archive.those("alice", ["said-s1", "said-s2"])
    assert said["said-s1"].scope == Scope(user="ana", project="shopx", machine="laptop")
    assert said["said-s2"].scope == Scope()
    assert store.archive.ids("alice", Scope(project="shopx")) == ["said-s1"]
    # Nobody was asked whether they may be sent to a model.
    assert [each.read_to for each in store.archive.export_sessions("alice", after="", limit=9)] == [1, 1]


def test_tokens_of_an_older_database_have_the_rights_they_had(database: Database, clock: SteadyClock) -> None:
    migrate(database, clock.now(), [step for step in migrations(database.dialect) if step.number < 17])
    moment = format_time(clock.now())
    with database.migrating() as transaction:
        if database.dialect == "postgres":
            transaction.script("SELECT set_config('recollect.space', '*', true)")
        for scope in ("read", "write", "admin"):
            transaction.script(
                "INSERT INTO access_token (id, name, scope, created_at, digest)"
                f" VALUES ('{scope}', '{scope}', '{scope}', '{moment}', '')"
            )

    store = SqlStore(database, migrate(database, clock.now()))

    rights = {token.id: (token.scope, sorted(token.scopes)) for token in store.tokens.every()}
    assert rights == {
        "read": ("read", ["read"]),
        "write": ("write", ["read", "write"]),
        "admin": ("admin", ["admin", "read", "write"]),
    }


def test_work_for_the_whole_store_leaves_the_default_space(database: Database, clock: SteadyClock) -> None:
    migrate(database, clock.now(), [step for step in migrations(database.dialect) if step.number < 24])
    moment = format_time(clock.now())
    with database.migrating() as transaction:
        if database.dialect == "postgres":
            transaction.script("SELECT set_config('recollect.space', 'default', true)")
        for seq, kind in enumerate(("reindex", "ingest", "backup"), start=1):
            transaction.script(
                "INSERT INTO job (space, id, seq, kind, payload, lane, priority, stage, due_at, attempts,"
                " max_attempts, generation, done, total, created_at, channel, principal)"
                f" VALUES ('default', '{kind}', {seq}, '{kind}', '{{}}', '', 0, 'waiting', '{moment}', 0,"
                f" 5, 0, 0, 0, '{moment}', 'cli', 'alice')"
            )
        for kind in ("backup", "upkeep"):
            transaction.script(
                "INSERT INTO job_timer (space, name, kind, payload, every_seconds, next_at, channel, principal)"
                f" VALUES ('default', '{kind}', '{kind}', '{{}}', 86400, '{moment}', 'cli', 'alice')"
            )

    store = SqlStore(database, migrate(database, clock.now()))

    def kinds(space: str) -> list[str]:
        return [job.kind for job in store.jobs.jobs(space, stages=(), before=None, limit=9)]

    assert (kinds("default"), kinds("@store")) == (["ingest"], ["backup", "reindex"])
    assert [timer.kind for timer in store.jobs.timers("default")] == ["upkeep"]
    assert [timer.kind for timer in store.jobs.timers("@store")] == ["backup"]


def test_two_that_open_an_old_database_migrate_it_once(tmp_path: Path, clock: SteadyClock) -> None:
    path = str(tmp_path / "memory.db")
    with closing(SqliteDatabase(path, clock=clock, busy_timeout=5)) as old:
        migrate(old, clock.now(), migrations("sqlite")[:1])
        with (
            closing(open_store(path, clock=clock, busy_timeout=5)) as first,
            closing(open_store(path, clock=clock, busy_timeout=5)) as second,
        ):
            note = saved(first, clock)
            assert second.note("alice", note.id) == note
        assert _ledger(old) == [step.number for step in migrations("sqlite")]


def _newer(database: Database, clock: SteadyClock) -> None:
    migrate(database, clock.now())
    with database.migrating() as transaction:
        transaction.rows("insert_migration", number=NEWEST + 1, name="from_the_future", at="2030")
        transaction.script("CREATE TABLE of_the_future (x INTEGER)")


def test_a_database_of_a_newer_version_is_refused(database: Database, clock: SteadyClock) -> None:
    _newer(database, clock)

    with pytest.raises(Refused, match=f"schema {NEWEST + 1}; this version knows {NEWEST}") as refusal:
        migrate(database, clock.now())

    assert refusal.value.code == "newer_database"
    assert "Update Recollect" in refusal.value.hint
    assert _ledger(database)[-1] == NEWEST + 1


def test_a_newer_database_file_is_left_as_it_is_byte_for_byte(tmp_path: Path, clock: SteadyClock) -> None:
    path = tmp_path / "memory.db"
    with closing(SqliteDatabase(str(path), clock=clock, busy_timeout=5)) as database:
        _newer(database, clock)
    before = _bytes_in(tmp_path)
    assert list(before) == ["memory.db"]

    for _ in range(2):
        with pytest.raises(Refused):
            Memory(store=str(path), home=tmp_path)

    assert _bytes_in(tmp_path) == before


NOTE = Note(
    id="01HZZZZZZZZZZZZZZZZZZZZZZZ",
    space="alice",
    version=1,
    kind=Kind.SEMANTIC,
    text="Alice prefers tea",
    title="Drinks",
    tags=("drink",),
    recorded_at=at("2025-01-01"),
    updated_at=at("2025-01-01"),
    origin=TESTER,
    authority=Authority.FACT,
    metadata={"a": 1},
)


def _write_by_hand(transaction: Transaction, *, with_words: bool) -> AuditEntry:
    """One row in every table, as the first version of Recollect wrote them."""
    moment = format_time(NOTE.updated_at)
    entry = AuditEntry(1, NOTE.updated_at, "save", "library", "tester", "[]", "")
    entry = replace(entry, digest=audit_digest("", entry))
    statements = [
        f"INSERT INTO space (name, description, created_at, deleted_at, seq, audit_seq, audit_head)"
        f" VALUES ('alice', 'Alice''s own', '{moment}', NULL, 2, 1, '{entry.digest}')",
        f"INSERT INTO audit (space, seq, at, reason, channel, principal, summary, digest)"
        f" VALUES ('alice', 1, '{moment}', 'save', 'library', 'tester', '[]', '{entry.digest}')",
        "INSERT INTO change_log (space, seq, kind, record_id, version) VALUES ('alice', 1, 'space-opened', 'alice', 0)",
        f"INSERT INTO change_log (space, seq, kind, record_id, version) VALUES ('alice', 2, 'written', '{NOTE.id}', 1)",
        f"INSERT INTO tombstone (space, note_id, erased_at) VALUES ('alice', 'gone', '{moment}')",
        f"INSERT INTO idempotency (space, key, fingerprint, receipt, at)"
        f" VALUES ('alice', 'key', 'fingerprint', '[[2,\"written\",\"{NOTE.id}\",1]]', '{moment}')",
    ]
    if with_words:
        statements += [
            f"INSERT INTO note_text (space, note_id, version, title, text, tags)"
            f" VALUES ('alice', '{NOTE.id}', 1, 'Drinks', 'Alice prefers tea', ' drink ')",
            f"INSERT INTO note (space, id, version, text_version, kind, state, confidence, importance, pinned, channel,"
            f" principal, authority, recorded_at, updated_at, supersedes, derived_from, metadata)"
            f" VALUES ('alice', '{NOTE.id}', 1, 1, 'semantic', 'active', 1.0, 0.5, 0, 'library',"
            f" 'tester', 'fact', '{moment}', '{moment}', '[]', '[]', '{{\"a\":1}}')",
        ]
    for statement in statements:
        transaction.script(statement)
    return entry


def _bytes_in(folder: Path) -> dict[str, str]:
    """Called when nothing is open: opening a database file drops the locks of whoever holds it in this process."""
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in sorted(folder.iterdir())}
