"""While a newer version migrates a shared database, processes of the version before go on as if nothing happened."""

from __future__ import annotations

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Event

import psycopg
import pytest

from recollect import Memory
from recollect.domain.errors import Refused
from recollect.stores.migrations import Migration, migrate, migrations
from recollect.stores.postgres.database import PostgresDatabase
from tests.support.clock import SteadyClock
from tests.support.postgres import Server

# Steps from here on add and take nothing away, except those that are named here with the version that may do so.
FIRST_THAT_EXPANDS = 33
CONTRACTING: dict[int, str] = {}

NEWER = (
    Migration(
        9001,
        "expand_moods",
        ("ALTER TABLE note ADD COLUMN mood TEXT; CREATE TABLE mood (space TEXT NOT NULL, id TEXT NOT NULL);",),
    ),
    Migration(
        9002,
        "expand_mood_index",
        ("CREATE INDEX CONCURRENTLY IF NOT EXISTS note_mood ON recollect.note (space, mood)",),
        concurrent=True,
    ),
)


@pytest.fixture
def address(postgres_server: Server) -> Iterator[str]:
    with postgres_server.database(migrated=False) as fresh:
        yield fresh


@pytest.mark.postgres
def test_nobody_fails_while_a_newer_version_migrates(address: str, tmp_path: Path, clock: SteadyClock) -> None:
    with Memory(store=address, home=tmp_path) as ours, closing(PostgresDatabase(address, busy_timeout=10)) as theirs:
        ours.save("Before", space="alice")
        stop = Event()

        def ask(name: int) -> int:
            asked = 0
            while not stop.is_set() or not asked:
                note = ours.save(f"Note {asked} of {name}", space="alice")
                ours.pin(note.id, space="alice")
                assert ours.search(f"note {asked}", space="alice").hits
                asked += 1
            return asked

        with ThreadPoolExecutor(3) as pool:
            asking = [pool.submit(ask, name) for name in range(3)]
            try:
                assert migrate(theirs, clock.now(), (*migrations("postgres"), *NEWER)) == 9002
            finally:
                stop.set()
            assert min(each.result() for each in asking) > 0
        assert index_is_valid(address)
    with Memory(store=address, home=tmp_path) as again:  # begun after the migration, and still of the version before
        assert again.save("After", space="alice").version == 1


@pytest.mark.postgres
def test_an_index_that_was_interrupted_is_built_anew_by_the_next(address: str, clock: SteadyClock) -> None:
    steps = (*migrations("postgres"), *NEWER)
    with closing(PostgresDatabase(address, busy_timeout=10)) as database:
        migrate(database, clock.now(), steps[:-1])
        with psycopg.connect(address, autocommit=True) as owner:
            owner.execute("CREATE INDEX note_mood ON recollect.note (space)")
            owner.execute("UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'recollect.note_mood'::regclass")
        assert not index_is_valid(address)
        migrate(database, clock.now(), steps)
        assert index_is_valid(address)


@pytest.mark.postgres
def test_a_store_opens_while_another_process_builds_its_index(address: str, clock: SteadyClock) -> None:
    steps = (*migrations("postgres"), *NEWER)
    with closing(PostgresDatabase(address, busy_timeout=10)) as database:
        migrate(database, clock.now(), steps[:-1])
        with psycopg.connect(address) as building:
            building.execute("SELECT pg_advisory_xact_lock(7205759406)")
            assert migrate(database, clock.now(), steps) == 9002
        with psycopg.connect(address, autocommit=True) as owner:
            assert owner.execute("SELECT max(number) FROM recollect.migration").fetchone() == (9001,)
        migrate(database, clock.now(), steps)
        assert index_is_valid(address)


@pytest.mark.postgres
def test_a_step_that_promises_nothing_keeps_the_version_before_out(address: str, clock: SteadyClock) -> None:
    with closing(PostgresDatabase(address, busy_timeout=10)) as database:
        migrate(database, clock.now(), (*migrations("postgres"), NEWER[0], Migration(9003, "contract_moods", ("",))))
        with pytest.raises(Refused) as refused:
            migrate(database, clock.now())
        assert refused.value.code == "newer_database"


@pytest.mark.parametrize("dialect", ["sqlite", "postgres"])
def test_steps_add_and_take_nothing_away(dialect: str) -> None:
    takes = re.compile(r"\b(DROP|RENAME|SET NOT NULL|ALTER COLUMN \w+ (SET DATA )?TYPE)\b", re.IGNORECASE)
    for step in migrations(dialect):
        if step.number >= FIRST_THAT_EXPANDS and step.number not in CONTRACTING:
            said = re.sub(r"--.*", "", "\n".join(step.scripts))
            assert not takes.search(said), f"{step.number} takes something from processes of the version before"


def index_is_valid(address: str) -> bool:
    with psycopg.connect(address) as connection:
        row = connection.execute(
            "SELECT indisvalid AND indnatts = 2 FROM pg_index WHERE indexrelid = to_regclass('recollect.note_mood')"
        ).fetchone()
    return row == (True,)
