"""PostgreSQL itself keeps spaces apart: a statement that forgot its space sees nothing, whoever runs it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager

import psycopg
import psycopg.conninfo
import pytest

from recollect import Memory
from recollect.domain.answers.upkeep import Check
from recollect.domain.changes import EraseNote, WriteNote
from recollect.domain.errors import StoreFailure
from recollect.stores.migrations import migrate
from recollect.stores.opening import open_store
from recollect.stores.postgres.database import PostgresDatabase
from recollect.stores.postgres.roles import MEMBER
from recollect.stores.sql_store import SqlStore
from tests.stores.test_migrations import told_before_messages_had_a_scope
from tests.support.clock import SteadyClock
from tests.support.postgres import Server
from tests.support.raw import database_of
from tests.support.small_files import picture
from tests.support.writing import a_note, changes, saved

pytestmark = pytest.mark.postgres

OWNER = f"plain_owner_{os.getpid()}"

# The tables that `_fill` writes into. One that drops out would be looked at by no test.
FILLED = {
    *("space", "note", "note_text", "note_link", "note_metadata", "note_entity", "tombstone", "change_log", "audit"),
    *("idempotency", "session", "observation", "observation_text", "attachment", "attachment_reference"),
    "activity_day",
}


@pytest.fixture
def address(postgres_server: Server) -> Iterator[str]:
    with postgres_server.database() as fresh:
        yield fresh


def _fill(address: str, clock: SteadyClock) -> None:
    """Make two spaces of all sorts of records."""
    with closing(open_store(address, clock=clock, busy_timeout=5)) as store:
        for space in ("alice", "bob"):
            note = saved(
                store, clock, f"A secret of {space}", space=space, derived_from=(clock.new_id(),), metadata={"a": 1}
            )
            store.apply(changes(clock, WriteNote(a_note(clock, space=space, subject="tea")), space=space, key="k"))
            store.apply(changes(clock, EraseNote(saved(store, clock, space=space).id), space=space))
            assert store.note(space, note.id) == note
    with Memory(store=address, clock=clock) as memory:
        for space in ("alice", "bob"):
            memory.add(f"The kitchen of {space}", attachments=[picture(seed=space)], space=space)


def _tables(connection: psycopg.Connection) -> list[str]:
    """Every table whose rows belong to a space."""
    named = connection.execute(
        "SELECT table_name FROM information_schema.columns"
        " WHERE table_schema = 'recollect' AND column_name = 'space' ORDER BY table_name"
    )
    return ["space", *(table for (table,) in named)]


def _filled(address: str) -> list[str]:
    """The tables that have rows of both spaces, as somebody sees them who is not bound."""
    with _raw(address) as connection:
        filled = [table for table in _tables(connection) if _spaces_in(connection, table) == {"alice", "bob"}]
    assert set(filled) == FILLED
    return filled


def _spaces_in(connection: psycopg.Connection, table: str) -> set[str]:
    column = "name" if table == "space" else "space"
    return {space for (space,) in connection.execute(f"SELECT DISTINCT {column} FROM {table}".encode())}


@contextmanager
def _raw(address: str, *, role: str | None = None, space: str | None = None) -> Iterator[psycopg.Connection]:
    with psycopg.connect(address, autocommit=True, options="-c search_path=recollect") as connection:
        if role is not None:
            connection.execute(f"SET ROLE {role}".encode())
        if space is not None:
            connection.execute("SELECT set_config('recollect.space', %s, false)", (space,))
        yield connection


@pytest.mark.parametrize("space", [None, "", "carol", "alice%", "*"])
def test_without_the_right_space_there_are_no_rows(address: str, clock: SteadyClock, space: str | None) -> None:
    _fill(address, clock)
    tables = _filled(address)
    with _raw(address, role=MEMBER, space=space) as connection:
        seen = {table: found for table in tables if (found := _spaces_in(connection, table))}

    assert seen == ({"space": {"alice", "bob"}} if space == "*" else {})  # the list of spaces, and no other table


def test_with_a_space_there_are_the_rows_of_that_space_only(address: str, clock: SteadyClock) -> None:
    _fill(address, clock)
    tables = _filled(address)
    with _raw(address, role=MEMBER, space="alice") as connection:
        assert [table for table in tables if _spaces_in(connection, table) != {"alice"}] == []


def test_a_row_cannot_be_written_into_another_space(address: str, clock: SteadyClock) -> None:
    _fill(address, clock)
    with _raw(address, role=MEMBER, space="alice") as connection:
        for statement in (
            "INSERT INTO tombstone (space, note_id, erased_at) VALUES ('bob', 'x', 'y')",
            "UPDATE note SET space = 'bob'",
            "UPDATE space SET name = 'carol'",
        ):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(statement.encode())
        for statement in ("UPDATE note SET pinned = 1 WHERE space = 'bob'", "DELETE FROM note WHERE space = 'bob'"):
            assert connection.execute(statement.encode()).rowcount == 0


def test_the_list_of_spaces_can_be_read_and_not_written(address: str, clock: SteadyClock) -> None:
    _fill(address, clock)
    with _raw(address, role=MEMBER, space="*") as connection:
        assert connection.execute("UPDATE space SET description = 'x'").rowcount == 0
        assert connection.execute("DELETE FROM space").rowcount == 0


@pytest.mark.parametrize("statement", ["UPDATE audit SET reason = 'x'", "DELETE FROM audit", "TRUNCATE audit"])
def test_a_member_has_no_right_to_change_the_audit_log(address: str, clock: SteadyClock, statement: str) -> None:
    _fill(address, clock)
    with (
        _raw(address, role=MEMBER, space="alice") as connection,
        pytest.raises(psycopg.errors.InsufficientPrivilege),
    ):
        connection.execute(statement.encode())


def test_even_its_owner_cannot_empty_the_audit_log(address: str, clock: SteadyClock) -> None:
    _fill(address, clock)
    with _raw(address) as connection, pytest.raises(psycopg.errors.RaiseException, match="append-only"):
        connection.execute("TRUNCATE audit")


def test_a_superuser_is_demoted_in_every_transaction(address: str, clock: SteadyClock) -> None:
    _fill(address, clock)
    with closing(open_store(address, clock=clock, busy_timeout=5)) as store:
        database = database_of(store)
        for transaction_of in (database.reading, database.writing):
            with transaction_of("alice") as transaction:
                assert transaction.query("SELECT current_user::text") == [(MEMBER,)]
                assert transaction.query(
                    "SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = current_user"
                ) == [(False,)]
                assert transaction.query("SELECT DISTINCT space FROM note") == [("alice",)]


def test_a_statement_that_forgot_its_space_cannot_leak(address: str, clock: SteadyClock) -> None:
    _fill(address, clock)
    with closing(open_store(address, clock=clock, busy_timeout=5)) as store:
        with database_of(store).reading("alice") as transaction:
            assert transaction.query("SELECT text FROM note_text WHERE text LIKE '%secret%'") == [
                ("A secret of alice",)
            ]
        with pytest.raises(StoreFailure), database_of(store).writing("alice") as transaction:
            transaction.query("UPDATE note SET space = 'bob'")


def test_a_connection_goes_back_to_the_pool_as_it_came(address: str, clock: SteadyClock) -> None:
    with closing(open_store(address, clock=clock, busy_timeout=5)) as store:
        saved(store, clock, "A secret")
        with pytest.raises(StoreFailure), database_of(store).writing("alice") as transaction:
            transaction.query("SELECT 1 / 0")
        database = database_of(store)
        assert isinstance(database, PostgresDatabase)
        with database._connections().connection() as connection:
            row = connection.execute(
                "SELECT current_setting('recollect.space', true), current_user = session_user,"
                " current_setting('search_path'), current_setting('lock_timeout')"
            ).fetchone()
            assert row is not None
            assert row[0] in (None, "")
            assert row[1:] == (True, '"$user", public', "0")
            connection.execute(f"SET ROLE {MEMBER}".encode())
            assert connection.execute("SELECT * FROM recollect.note").fetchall() == []
            connection.execute("RESET ROLE")


@pytest.fixture
def owners_address(postgres_server: Server) -> Iterator[str]:
    """A database that belongs to an ordinary login, which also makes the tables."""
    with (
        postgres_server.database(migrated=False) as fresh,
        psycopg.connect(fresh, autocommit=True) as connection,
    ):
        connection.execute(f"CREATE ROLE {OWNER} LOGIN NOSUPERUSER".encode())
        name = psycopg.conninfo.conninfo_to_dict(fresh)["dbname"]
        connection.execute(f"ALTER DATABASE {name} OWNER TO {OWNER}".encode())
        try:
            yield psycopg.conninfo.make_conninfo(fresh, user=OWNER)
        finally:
            connection.execute(f"DROP OWNED BY {OWNER} CASCADE".encode())
            connection.execute(f"ALTER DATABASE {name} OWNER TO CURRENT_USER".encode())
            connection.execute(f"DROP ROLE {OWNER}".encode())


def _as_url(conninfo: str) -> str:
    parts = psycopg.conninfo.conninfo_to_dict(conninfo)
    return f"postgresql:///{parts['dbname']}?host={parts['host']}&user={parts['user']}" + (
        f"&port={parts['port']}" if parts.get("port") else ""
    )


def test_row_level_security_binds_the_owner_of_the_tables_too(owners_address: str, clock: SteadyClock) -> None:
    url = _as_url(owners_address)
    _fill(url, clock)

    with _raw(owners_address) as connection:
        owner = connection.execute(
            "SELECT DISTINCT tableowner FROM pg_tables WHERE schemaname = 'recollect'"
        ).fetchall()
        assert owner == [(OWNER,)]
        assert [table for table in _tables(connection) if _spaces_in(connection, table)] == []
    with _raw(owners_address, space="bob") as connection:
        assert connection.execute("SELECT DISTINCT space FROM note").fetchall() == [("bob",)]


def test_the_doctor_says_when_any_table_is_no_longer_bound(address: str, clock: SteadyClock) -> None:
    def isolation(store: SqlStore) -> Check:
        [check] = [check for check in store.upkeep.check() if check.name == "isolation"]
        return check

    with closing(open_store(address, clock=clock, busy_timeout=5)) as store, _raw(address) as connection:
        assert isolation(store).ok
        tables = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'recollect'").fetchall()
        for (table,) in tables:
            connection.execute(f"ALTER TABLE {table} NO FORCE ROW LEVEL SECURITY".encode())
            assert isolation(store).ok is (table == "migration"), table
            connection.execute(f"ALTER TABLE {table} FORCE ROW LEVEL SECURITY".encode())


def test_an_owner_who_is_bound_can_still_migrate_messages_of_every_space(
    owners_address: str, clock: SteadyClock
) -> None:
    with closing(PostgresDatabase(_as_url(owners_address), busy_timeout=5)) as database:
        told_before_messages_had_a_scope(database, clock)
        store = SqlStore(database, migrate(database, clock.now()))
        assert store.archive.those("alice", ["said-s1"])["said-s1"].scope.project == "shopx"
        assert all(check.ok for check in store.upkeep.check() if check.name == "isolation")
