"""Spaces of one store in two databases: every door sees one memory, and workers do the jobs of both."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import psycopg
import pytest

from recollect import Memory
from recollect.assembly import move_space
from recollect.domain.errors import Misconfigured, RecollectError
from recollect.domain.jobs.job import JobStage
from recollect.settings import Settings, load_settings
from tests.jobs.test_killed_runners import queue
from tests.support.postgres import Server

pytestmark = pytest.mark.postgres


@pytest.fixture
def databases(postgres_server: Server) -> Iterator[list[str]]:
    with ExitStack() as stack:
        yield [stack.enter_context(postgres_server.database()) for _ in range(2)]


def settings_of(databases: list[str], tmp_path: Path, **routes: str) -> Settings:
    given = {"store": databases[0], "home": tmp_path, "embedding": "hashed", "routes": routes}
    return load_settings(given)[0]


def notes_in(address: str) -> set[str]:
    with psycopg.connect(address) as connection:
        return {row[0] for row in connection.execute("SELECT DISTINCT space FROM recollect.note").fetchall()}


def test_each_space_stands_in_its_database_and_all_are_one_memory(databases: list[str], tmp_path: Path) -> None:
    with Memory(settings=settings_of(databases, tmp_path, alice=databases[1])) as memory:
        for space in ("alice", "bob"):
            memory.save(f"{space} drinks tea", space=space, idempotency_key="once")
            memory.add(f"{space} lives in Lisbon.", space=space)
            assert space in str(memory.search("tea", space=space).hits)
        assert [space.name for space in memory.spaces().items] == ["alice", "bob"]
        assert memory.describe_space("alice").notes >= 1
        assert all(check.ok for check in memory.measuring.checks())
        queue(memory, "upkeep", 1, "alice")
        memory.run_jobs(limit=50)
        assert [job.stage for job in memory.jobs(space="alice").items] == [JobStage.DONE]
        assert memory.timers(space="alice").items and memory.timers(space="bob").items
    assert (notes_in(databases[0]), notes_in(databases[1])) == ({"bob"}, {"alice"})


def test_a_space_is_backed_up_and_restored_in_the_database_that_it_is_routed_to(
    databases: list[str], tmp_path: Path
) -> None:
    with Memory(settings=settings_of(databases, tmp_path, alice=databases[1])) as memory:
        for space in ("alice", "bob"):
            memory.save(f"{space} drinks tea", space=space)
        memory.backup(tmp_path / "alice.db", space="alice")
        memory.save("alice drinks water", space="alice")
        memory.restore(tmp_path / "alice.db", space="alice")
        assert [note.text for note in memory.list(space="alice").items] == ["alice drinks tea"]
    assert (notes_in(databases[0]), notes_in(databases[1])) == ({"bob"}, {"alice"})


def test_a_space_is_moved_and_then_routed(databases: list[str], tmp_path: Path) -> None:
    plain, routed = settings_of(databases, tmp_path), settings_of(databases, tmp_path, alice=databases[1])
    with Memory(settings=plain) as memory:
        note = memory.save("Alice drinks tea", space="alice")
        memory.save("Bob drinks tea", space="bob")
    move_space(plain, "alice", databases[1])
    with Memory(settings=routed) as memory:
        assert memory.get(note.id, space="alice") == note
        assert [space.name for space in memory.spaces().items] == ["alice", "bob"]
        memory.save("Written after the move", space="alice")
    move_space(routed, "alice", databases[0])
    with Memory(settings=plain) as memory:
        assert len(memory.list(space="alice").items) == 2


def test_a_database_that_is_away_keeps_only_its_own_spaces_away(databases: list[str], tmp_path: Path) -> None:
    away = "postgresql://nobody@/none?host=/nowhere"
    with Memory(settings=settings_of(databases, tmp_path, alice=away)) as memory:
        memory.save("Bob drinks tea", space="bob")
        assert memory.search("tea", space="bob").hits
        with pytest.raises(RecollectError) as refused:
            memory.save("Alice drinks tea", space="alice")
        assert refused.value.code == "unreachable"
        memory.run_jobs(limit=5)


def test_routes_are_for_servers_and_their_passwords_are_not_shown(tmp_path: Path) -> None:
    given = {"store": ":memory:", "home": tmp_path, "routes": "alice=postgresql://me:hidden@db/memory"}
    settings, shown = load_settings(given)
    assert settings.routes == {"alice": "postgresql://me:hidden@db/memory"}
    assert "hidden" not in str(shown) and "hidden" not in repr(settings)
    with pytest.raises(Misconfigured, match="PostgreSQL"):
        Memory(settings=settings)
    with pytest.raises(Misconfigured, match="postgresql://"):
        load_settings({**given, "routes": {"alice": "/a/file"}})
