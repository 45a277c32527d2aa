"""Behind a transaction pooler the next transaction may be on another connection, and others use this one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, closing
from itertools import cycle
from pathlib import Path

import psycopg
import psycopg_pool
import pytest

from recollect import Memory
from recollect.domain.changes import EraseNote, WriteNote
from recollect.domain.clock import due_in
from recollect.domain.errors import Busy, NotFound, Unsupported
from recollect.domain.selections import Selection
from recollect.operations import operations_of
from recollect.stores.database import Row
from recollect.stores.migrations import migrate
from recollect.stores.postgres.database import PostgresDatabase
from recollect.stores.sql_store import SqlStore
from tests.chaos.programs.verb_by_verb import examples_of
from tests.support.clock import SteadyClock
from tests.support.postgres import Server
from tests.support.writing import a_note, changes, edited, saved

pytestmark = pytest.mark.postgres

Pool = psycopg_pool.ConnectionPool[psycopg.Connection[Row]]


class BehindPooler(PostgresDatabase):
    """A database whose every transaction goes over the next of a few connections that others use as well."""

    lanes: Iterator[Pool] | None = None

    def _connections(self) -> Pool:
        return super()._connections() if self.lanes is None else next(self.lanes)


@pytest.fixture
def address(postgres_server: Server) -> Iterator[str]:
    with postgres_server.database(migrated=False) as fresh:
        yield fresh


@pytest.fixture
def pools(address: str) -> Iterator[list[Pool]]:
    """Three connections, as a pooler would hold them open."""
    options = {"autocommit": True, "prepare_threshold": None}
    with ExitStack() as stack:
        yield [
            stack.enter_context(psycopg_pool.ConnectionPool(address, kwargs=options, min_size=1, max_size=1, open=True))
            for _ in range(3)
        ]


def _callers(address: str, pools: list[Pool], count: int) -> Iterator[SqlStore]:
    lanes = cycle(pools)
    for _ in range(count):
        database = BehindPooler(address, busy_timeout=5)
        database.lanes = lanes
        yield SqlStore(database, migrate(database, SteadyClock().now()))


def test_everything_works_over_changing_connections(address: str, pools: list[Pool], clock: SteadyClock) -> None:
    alice, bob = _callers(address, pools, 2)
    for number in range(4):
        hers = saved(alice, clock, f"Tea number {number}", space="alice")
        his = saved(bob, clock, f"Beer number {number}", space="bob")
        hers = edited(alice, clock, hers, text=f"Better tea number {number}")
        assert alice.note("alice", hers.id) == hers
        assert bob.note("bob", his.id) == his
        assert alice.note("alice", his.id) is None
        bob.apply(changes(clock, EraseNote(his.id), space="bob"))
    alice.apply(changes(clock, WriteNote(a_note(clock)), key="k"))
    assert alice.apply(changes(clock, WriteNote(a_note(clock)), key="k")).replayed

    assert len(alice.notes("alice", Selection(), before=None, limit=100)) == 5
    assert len(alice.matching("alice", ["tea", "beer"], Selection(), limit=100)) > 0
    assert bob.notes("bob", Selection(), before=None, limit=100) == []
    assert [space.name for space in bob.spaces()] == ["alice", "bob"]
    for store in (alice, bob):
        store.close()


def test_every_verb_works_over_changing_connections(
    address: str, pools: list[Pool], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lanes = cycle(pools)
    with Memory(store=address, home=tmp_path) as memory:
        monkeypatch.setattr(PostgresDatabase, "_connections", lambda _: next(lanes))
        examples = examples_of(memory, tmp_path)
        without = set()
        for verb in operations_of(Memory):
            try:
                examples[verb]()
            except (Unsupported, OSError, NotFound):  # examples that are about the file of the store
                without.add(verb)
        monkeypatch.undo()  # the pool is closed by whoever opened it
    assert without <= {"anchor", "backup", "backups", "restore"}


def test_a_statement_that_takes_too_long_is_given_up_with_a_code(address: str, clock: SteadyClock) -> None:
    with closing(PostgresDatabase(address, busy_timeout=5)) as patient:
        migrate(patient, clock.now())
    with closing(PostgresDatabase(address, busy_timeout=5, statement_timeout=0.05)) as database:
        with pytest.raises(Busy) as slow, database.reading("alice") as transaction:
            transaction.query("SELECT pg_sleep(30)")
        assert slow.value.code == "too_slow"
        with pytest.raises(Busy) as slow, due_in(0.0), database.writing("alice") as transaction:
            transaction.query("SELECT pg_sleep(30)")
        assert slow.value.code == "too_slow"
        with database.migrating() as transaction:  # takes as long as it takes
            transaction.query("SELECT pg_sleep(0.2)")


def test_nothing_is_left_on_a_connection(address: str, pools: list[Pool], clock: SteadyClock) -> None:
    [store] = _callers(address, pools, 1)
    for _ in range(6):
        saved(store, clock, "A secret")
        store.matching("alice", ["secret"], Selection(), limit=10)
        store.upkeep.clean_residue()
    store.close()

    for pool in pools:
        with pool.connection() as connection:
            assert connection.execute(
                "SELECT coalesce(current_setting('recollect.space', true), ''), current_user = session_user,"
                " current_setting('statement_timeout'), current_setting('lock_timeout'),"
                " (SELECT count(*) FROM pg_prepared_statements),"
                " (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory')"
            ).fetchone() == ("", True, "0", "0", 0, 0)
