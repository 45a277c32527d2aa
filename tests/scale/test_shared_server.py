"""A server that many tenants share: rows lie together by space, and a crowd waits for few connections."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Barrier

import psycopg
import pytest

from recollect import Memory
from recollect.domain.clock import SystemClock
from recollect.stores.moves.space_rows import space_tables
from recollect.stores.opening import open_store
from tests.support.postgres import Server

pytestmark = pytest.mark.postgres

# An index of words has the space among them; one of vectors is of one space alone.
WITH_THE_SPACE_INSIDE = ("gin", "hnsw")
CROWD, CONNECTIONS = 60, 8

FIRST_COLUMNS = """SELECT kept.relname, list.relname, way.amname, named.attname FROM pg_index AS key
JOIN pg_class AS list ON list.oid = key.indexrelid
JOIN pg_class AS kept ON kept.oid = key.indrelid
JOIN pg_am AS way ON way.oid = list.relam
LEFT JOIN pg_attribute AS named ON named.attrelid = kept.oid AND named.attnum = key.indkey[0]
WHERE kept.relnamespace = 'recollect'::regnamespace"""

CONNECTED = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend'"


def test_every_key_and_index_of_a_table_with_spaces_begins_with_the_space(postgres_server: Server) -> None:
    with postgres_server.database() as address:
        with closing(open_store(address, clock=SystemClock(), busy_timeout=5)) as store:
            of_spaces = {table.name for table in space_tables(store.database)}
        with psycopg.connect(address) as connection:
            indexes = connection.execute(FIRST_COLUMNS).fetchall()
    assert {table for table, *_ in indexes} >= of_spaces >= {"note", "note_text", "embedding", "audit", "job"}
    others = [
        (table, index)
        for table, index, way, first in indexes
        if table in of_spaces and first != "space" and way not in WITH_THE_SPACE_INSIDE
    ]
    assert others == []


def test_a_crowd_is_answered_over_few_connections(postgres_server: Server, tmp_path: Path) -> None:
    together = Barrier(CROWD)
    with postgres_server.database() as address, psycopg.connect(address, autocommit=True) as watching:
        others = set(watching.execute(CONNECTED).fetchall())
        with Memory(store=address, home=tmp_path, busy_timeout=60) as memory:
            memory.save("Alice prefers tea", space="alice")

            def ask(number: int) -> None:
                together.wait(60)
                memory.save(f"Note {number}", space="alice")

            with ThreadPoolExecutor(CROWD) as crowd:
                list(crowd.map(ask, range(CROWD)))
            made = set(watching.execute(CONNECTED).fetchall()) - others  # kept for a while after the last use
            assert len(memory.list(space="alice", limit=1000)) == CROWD + 1
    assert 1 <= len(made) <= CONNECTIONS
