"""PostgreSQL itself keeps the jobs of spaces apart; whoever takes them in turn may look, and not write."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest

from recollect.domain.changes import SetTimer
from recollect.domain.jobs.job import Timer
from recollect.stores.opening import open_store
from recollect.stores.postgres.roles import MEMBER
from tests.jobs.making import queued
from tests.support.clock import SteadyClock
from tests.support.postgres import Server
from tests.support.writing import changes

pytestmark = pytest.mark.postgres

TABLES = ("job", "job_timer")


@pytest.fixture
def address(postgres_server: Server, clock: SteadyClock) -> Iterator[str]:
    """A database with a job and a timer in each of two spaces."""
    with postgres_server.database() as fresh:
        store = open_store(fresh, clock=clock, busy_timeout=5)
        for space in ("alice", "bob"):
            queued(store, clock, space=space)
            timer = Timer(space, "nightly", "sum", 3600, clock.now())
            store.apply(changes(clock, SetTimer(timer), space=space))
        store.close()
        yield fresh


def seen(address: str, space: str, sql: str) -> tuple[list[tuple[object, ...]], int]:
    with psycopg.connect(address, autocommit=True, options="-c search_path=recollect") as connection:
        connection.execute(f"SET ROLE {MEMBER}".encode())
        connection.execute("SELECT set_config('recollect.space', %s, false)", (space,))
        done = connection.execute(sql.encode())
        return (done.fetchall() if done.description else []), done.rowcount


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize(("space", "spaces"), [("alice", {"alice"}), ("carol", set()), ("*", {"alice", "bob"})])
def test_a_transaction_sees_the_rows_of_its_space(address: str, table: str, space: str, spaces: set[str]) -> None:
    assert {row[0] for row in seen(address, space, f"SELECT space FROM {table}")[0]} == spaces


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("space", ["*", "carol"])
def test_nothing_is_written_without_the_right_space(address: str, table: str, space: str) -> None:
    assert seen(address, space, f"UPDATE {table} SET payload = 'x'")[1] == 0
    assert seen(address, space, f"DELETE FROM {table}")[1] == 0
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        seen(address, "alice", f"UPDATE {table} SET space = 'bob'")
