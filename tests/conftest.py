"""Stores and memories for every test: in memory, in a file, and on a real PostgreSQL."""

from __future__ import annotations

import base64
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from recollect import Memory
from recollect.settings import PROVIDER_VARIABLES
from recollect.stores.opening import open_store
from recollect.stores.sql_store import SqlStore
from tests.support.clock import SteadyClock
from tests.support.migrated import migrated_file, migrated_in_memory
from tests.support.postgres import Server, running_server

# How long an example takes says nothing about whether it is right, least of all on a busy machine.
settings.register_profile("calm", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("calm")

# Words alone decide in the tests, except where a test asks for a model: loading one takes longer than most tests.
os.environ.setdefault("RECOLLECT_EMBEDDING", "off")
os.environ.setdefault("RECOLLECT_JUDGE", "off")
# Nor does any make a key in the home of whoever runs it.
os.environ.setdefault("RECOLLECT_SEALING_KEY", base64.b64encode(bytes(32)).decode())
# A key of whoever runs the tests is not spent by them.
for each in PROVIDER_VARIABLES:
    os.environ.pop(each, None)
os.environ.setdefault("RECOLLECT_RERANKER", "off")

STORES = ["sqlite-memory", "sqlite-file", pytest.param("postgres", marks=pytest.mark.postgres)]


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[Server]:
    """One server for the whole run of this process. Where it must be there, its absence is a failure."""
    try:
        with running_server() as server:
            yield server
    except ImportError as problem:
        if "postgres" in os.environ.get("RECOLLECT_REQUIRE_STORES", ""):
            raise
        pytest.skip(f"no PostgreSQL here: {problem}")


@pytest.fixture(scope="session", autouse=True)
def _memory_is_migrated() -> Iterator[None]:
    with migrated_in_memory():
        yield


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return migrated_file(tmp_path_factory.mktemp("template") / "memory.db")


@pytest.fixture
def clock() -> SteadyClock:
    return SteadyClock()


@pytest.fixture(params=STORES)
def store_address(request: pytest.FixtureRequest, tmp_path: Path, sqlite_template: Path) -> Iterator[str]:
    """The address of an empty store, for each kind there is."""
    if request.param == "postgres":
        server: Server = request.getfixturevalue("postgres_server")
        with server.database() as address:
            yield address
    elif request.param == "sqlite-file":
        yield str(shutil.copy(sqlite_template, tmp_path / "memory.db"))
    else:
        yield ":memory:"


@pytest.fixture
def store(store_address: str, clock: SteadyClock) -> Iterator[SqlStore]:
    opened = open_store(store_address, clock=clock, busy_timeout=5)
    yield opened
    opened.close()


@pytest.fixture
def memory(store_address: str, clock: SteadyClock, tmp_path: Path) -> Iterator[Memory]:
    """A memory on each kind of store, with a clock that the test moves."""
    with Memory(store=store_address, home=tmp_path / "home", principal="tester", clock=clock) as opened:
        yield opened
