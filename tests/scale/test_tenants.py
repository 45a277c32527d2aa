"""A hundred tenants on three connections that others use as well, and keyed requests in three copies that die."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from itertools import cycle, pairwise
from pathlib import Path

import psycopg
import psycopg_pool
import pytest

from recollect import Memory
from recollect.domain.errors import NotFound
from recollect.stores.database import Row
from recollect.stores.postgres.database import PostgresDatabase
from recollect.stores.postgres.roles import MEMBER
from tests.chaos.children import PATIENCE, crowd, listen
from tests.chaos.effort import FULL, LIMIT
from tests.support.postgres import Server

pytestmark = pytest.mark.postgres

TENANTS = [f"tenant-{number}" for number in range(100)]
REQUESTS, COPIES, DEATHS = (1000, 3, 40) if FULL else (40, 3, 1)

Pool = psycopg_pool.ConnectionPool[psycopg.Connection[Row]]


@pytest.fixture
def address(postgres_server: Server) -> Iterator[str]:
    with postgres_server.database() as made:
        yield made


@contextmanager
def dirty_pools(address: str) -> Iterator[list[Pool]]:
    """Three connections on which somebody else has left what a plain SET leaves."""
    options = {"autocommit": True, "prepare_threshold": None}
    with ExitStack() as stack:
        pools: list[Pool] = [
            stack.enter_context(psycopg_pool.ConnectionPool(address, kwargs=options, min_size=1, max_size=1, open=True))
            for _ in range(3)
        ]
        for number, pool in enumerate(pools):
            with pool.connection() as connection:
                connection.execute(f"SET recollect.space = 'tenant-{number}'".encode())
                connection.execute(b"SET recollect.\"user\" = 'somebody'; SET search_path = pg_catalog")
        yield pools


def test_a_hundred_tenants_on_three_dirty_connections_see_only_their_own(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Memory(store=address, home=tmp_path) as memory, dirty_pools(address) as pools:
        lanes = cycle(pools)
        monkeypatch.setattr(PostgresDatabase, "_connections", lambda _: next(lanes))

        def visit(tenant: str) -> str:
            note = memory.save(f"The word of {tenant} is kumquat", space=tenant, idempotency_key="same")
            found = memory.search("kumquat word", space=tenant).hits
            assert len(found) == 1 and f"of {tenant} is" in str(found)
            assert [each.id for each in memory.list(space=tenant).items] == [note.id]
            return note.id

        with ThreadPoolExecutor(8) as pool:
            ids = dict(zip(TENANTS, pool.map(visit, TENANTS), strict=True))
        for tenant, other in pairwise(TENANTS[:11]):
            with pytest.raises(NotFound):
                memory.get(ids[other], space=tenant)
        monkeypatch.undo()  # the pool is closed by whoever opened it
    with psycopg.connect(address, autocommit=True) as direct:
        direct.execute(f"SET ROLE {MEMBER}".encode())
        assert direct.execute("SELECT count(*) FROM recollect.note").fetchone() == (0,)
        direct.execute("SET recollect.space = 'tenant-7'")
        assert direct.execute("SELECT DISTINCT space FROM recollect.note_text").fetchall() == [("tenant-7",)]
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            direct.execute("UPDATE recollect.note SET space = 'tenant-8'")


@pytest.mark.chaos
@LIMIT
def test_requests_in_three_copies_that_die_before_the_answer_are_done_once(address: str, tmp_path: Path) -> None:
    seed = secrets.randbits(32)
    with Memory(store=address, home=tmp_path) as memory:
        memory.save("There before", space="keyed")
        with crowd(COPIES, "keyed_copies", address, tmp_path, REQUESTS, DEATHS, seed) as copies:
            listen(copies, until=lambda: all(copy.ended for copy in copies), seconds=(30 if FULL else 1) * PATIENCE)
            outcomes = Counter(str(fact) for copy in copies for fact in copy.finish())
        # A request that another copy has made by then is answered without a commit, and nobody dies of it.
        assert outcomes["{'done': True}"] == COPIES and outcomes["{'ended': -9}"] > 0, (seed, outcomes)
        assert outcomes["{'ended': -9}"] + outcomes["{'ended': 0}"] == COPIES * (DEATHS + 1), (seed, outcomes)
        space = memory.describe_space("keyed")
        assert (space.notes, space.versions) == (REQUESTS + 1, REQUESTS + 1)
        assert memory.audit(space="keyed").whole
