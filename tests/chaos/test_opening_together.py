"""Eight processes open one database at the same moment, an old one or one that is not there yet."""

from __future__ import annotations

import fcntl
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TypeAlias

import pytest

from recollect import Memory
from recollect.stores.migrations import migrations
from tests.chaos.children import Child, crowd
from tests.chaos.old_database import make_old, migrations_done, old_rows
from tests.support.postgres import Server

pytestmark = pytest.mark.chaos

PROCESSES = 8

Addresses: TypeAlias = Callable[[int], AbstractContextManager[str]]


@pytest.fixture(params=[pytest.param("sqlite"), pytest.param("postgres", marks=pytest.mark.postgres)])
def address_of(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[int, Addresses]:
    """Addresses of databases that are empty or not there, by number, and how many of them to try."""
    if request.param == "sqlite":

        @contextmanager
        def file(number: int) -> Iterator[str]:
            yield str(tmp_path / f"database-{number}" / "memory.db")

        return 15, file
    server: Server = request.getfixturevalue("postgres_server")
    return 3, lambda number: server.database(migrated=False)


def test_eight_processes_make_one_new_database(address_of: tuple[int, Addresses], tmp_path: Path) -> None:
    rounds, addresses = address_of
    with crowd(PROCESSES, "opener", tmp_path) as openers:
        are_ready(openers)
        for number in range(rounds):
            with addresses(number) as address:
                notes = opened_together(openers, address, tmp_path)
                check(address, notes, tmp_path)


@pytest.mark.parametrize("schema", [1, 2])
def test_eight_processes_migrate_one_old_database(
    address_of: tuple[int, Addresses], schema: int, tmp_path: Path
) -> None:
    rounds, addresses = address_of
    with crowd(PROCESSES, "opener", tmp_path) as openers:
        are_ready(openers)
        for number in range(rounds):
            with addresses(number) as address:
                make_old(address, schema)
                before = old_rows(address, schema)
                notes = opened_together(openers, address, tmp_path)
                assert old_rows(address, schema) == before
                check(address, notes, tmp_path)


def are_ready(openers: list[Child]) -> None:
    for opener in openers:
        assert opener.next() == {"ready": True}


def opened_together(openers: list[Child], address: str, home: Path) -> set[str]:
    """Have all of them open it at the same moment; every one must succeed. The notes they then wrote."""
    with (home / "gate").open("w") as gate:
        fcntl.flock(gate, fcntl.LOCK_EX)
        for opener in openers:
            opener.tell(address)
        for opener in openers:
            assert opener.next() == {"waiting": True}
    said = [opener.next() for opener in openers]
    assert [fact for fact in said if "failed" in fact] == []
    return {fact["note"] for fact in said}


def check(address: str, notes: set[str], home: Path) -> None:
    with Memory(store=address, home=home) as memory:
        assert migrations_done(address) == [step.number for step in migrations(memory.status().store)]
        assert {note.id for note in memory.list(space="new").items} == notes
        assert memory.doctor().healthy
