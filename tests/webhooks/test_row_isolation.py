"""PostgreSQL itself keeps the webhooks and the figures of spaces apart, also from a statement that forgot its space."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest

from recollect import Memory
from tests.jobs.test_row_isolation import seen
from tests.support.clock import SteadyClock
from tests.support.postgres import Server

pytestmark = pytest.mark.postgres

TABLES = ("webhook", "webhook_delivery", "activity_day", "note_use")


@pytest.fixture
def address(postgres_server: Server, clock: SteadyClock) -> Iterator[str]:
    """A database with a row in each table for each of two spaces."""
    with postgres_server.database() as fresh:
        with Memory(store=fresh, clock=clock) as memory:
            for space in ("alice", "bob"):
                memory.save("a fact", space=space)
                memory.add_webhook("ops", "https://127.0.0.1/", space=space)
                memory.test_webhook("ops", space=space)
                memory.search("fact", space=space)
        yield fresh


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize(("space", "spaces"), [("alice", {"alice"}), ("carol", set()), ("*", set())])
def test_a_transaction_sees_the_rows_of_its_space(address: str, table: str, space: str, spaces: set[str]) -> None:
    assert {row[0] for row in seen(address, space, f"SELECT space FROM {table}")[0]} == spaces


@pytest.mark.parametrize("table", TABLES)
def test_nothing_is_written_without_the_right_space(address: str, table: str) -> None:
    for space in ("*", "carol"):
        assert seen(address, space, f"DELETE FROM {table}")[1] == 0
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        seen(address, "alice", f"UPDATE {table} SET space = 'bob'")
