"""Runners of jobs are killed again and again, and one is frozen past its lease. Every effect comes once, in order."""

from __future__ import annotations

import os
import random
import secrets
import signal
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from recollect import Memory
from recollect.domain.changes import ChangeKind, Changes, QueueJob, SetTimer
from recollect.domain.jobs.job import OPEN_STAGES, Job, JobStage, Timer
from recollect.domain.origin import Origin
from tests.chaos.children import PATIENCE, Child, crowd, listen, start_together
from tests.chaos.conftest import Figures, figures
from tests.chaos.effort import FULL, LIMIT, quick_folder
from tests.support.postgres import Server
from tests.support.raw import store_of

pytestmark = [pytest.mark.chaos, LIMIT]
__all__ = ["figures"]  # a fixture of the chaos tests

RUNNERS = 4
EFFECTS = 1000 if FULL else 120
MOST_KILLS = 10_000 if FULL else 12
KILL_EVERY = 0.5  # seconds
POISON = ["poison"] * 4 + ["deadly"]
SPACES = ("alpha", "beta", "gamma")
PROCESSES = 8


@pytest.fixture
def home() -> Iterator[Path]:
    with quick_folder() as folder:
        yield folder


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def address(request: pytest.FixtureRequest, home: Path) -> Iterator[str]:
    if request.param == "sqlite":
        yield str(home / "memory.db")
        return
    server: Server = request.getfixturevalue("postgres_server")
    with server.database() as url:
        yield url


@pytest.fixture
def memory(address: str, home: Path) -> Iterator[Memory]:
    with Memory(store=address, home=home) as opened:
        yield opened


def test_every_effect_comes_once_however_often_runners_are_killed(
    memory: Memory, address: str, home: Path, figures: Figures
) -> None:
    seed = secrets.randbits(32)
    chance = random.Random(seed)
    for number in range(EFFECTS):
        queue(memory, "effect", number, SPACES[number % len(SPACES)], lane="line" if number % 2 else "")
    for number, kind in enumerate(POISON):
        queue(memory, kind, number, SPACES[number % len(SPACES)], max_attempts=3)
    queue(memory, "effect", EFFECTS, "frozen")

    with Child("frozen_worker", address, home) as frozen:
        held = frozen.next()["holding"]
        frozen.signal(signal.SIGSTOP)
        with crowd(RUNNERS, "job_runner", address, home) as runners:
            kills = killed_until_done(memory, runners, chance)
        settled = store_of(memory).jobs.job("frozen", held)
        assert settled is not None and (settled.stage, settled.generation > 1) == (JobStage.DONE, True)
        frozen.signal(signal.SIGCONT)
        frozen.tell("go on")
        assert [frozen.next(), frozen.next()] == [{"refused": "lease_lost"}, {"outcome": "lost"}]

    figures(f"seed {seed}: {EFFECTS} jobs and {len(POISON)} poison on {len(SPACES)} spaces, {kills} kills")
    for space in SPACES:
        numbers = written_in(memory, space)
        assert sorted(numbers) == [each for each in range(EFFECTS) if SPACES[each % len(SPACES)] == space]
        in_line = [each for each in numbers if each % 2]
        assert in_line == sorted(in_line)
    assert written_in(memory, "frozen") == [EFFECTS]
    dead = [job for space in SPACES for job in jobs_of(memory, space, JobStage.DEAD)]
    assert sorted(job.kind for job in dead) == sorted(POISON)
    assert all(job.failure in ("ZeroDivisionError", "worker_lost") and job.detail for job in dead)
    assert memory.doctor().healthy


def test_a_timer_queues_one_job_however_many_processes_look_at_it(memory: Memory, address: str, home: Path) -> None:
    now = datetime.now(UTC)
    timer = Timer("alpha", "yearly", "effect", 366 * 86_400, now, {"number": 1})
    store_of(memory).apply(Changes("alpha", "test", now, Origin(), (SetTimer(timer),)))
    with crowd(PROCESSES, "timekeeper", address, home) as keepers:
        start_together(keepers)
        for keeper in keepers:
            assert keeper.finish()[-1] == {"done": True}
    assert written_in(memory, "alpha") == [1]
    assert [job.stage for job in jobs_of(memory, "alpha")] == [JobStage.DONE]


def queue(memory: Memory, kind: str, number: int, space: str, *, lane: str = "", max_attempts: int = 100) -> None:
    now, payload = datetime.now(UTC), {"number": number}
    job = Job(
        memory._engine.clock.new_id(), space, kind, now, now, payload=payload, lane=lane, max_attempts=max_attempts
    )
    store_of(memory).apply(Changes(space, "test", now, Origin(), (QueueJob(job),)))


def killed_until_done(memory: Memory, runners: list[Child], chance: random.Random, *, most: int = MOST_KILLS) -> int:
    """Kill one runner after the other until no job is open; another takes its place each time. How many were killed."""
    kills, deadline = 0, time.monotonic() + (10 if FULL else 2) * PATIENCE
    while open_jobs(memory):
        if time.monotonic() > deadline:
            raise chance.choice(runners).failure(f"left {open_jobs(memory)} jobs open")
        listen(runners, seconds=KILL_EVERY)
        if kills < most:
            lives = [fact["runner"] for fact in chance.choice(runners).heard if "runner" in fact]
            for life in lives[-1:]:
                try:
                    os.kill(life, signal.SIGKILL)
                    kills += 1
                except ProcessLookupError:
                    pass  # a deadly job was faster
    return kills


def open_jobs(memory: Memory) -> int:
    counts = store_of(memory).jobs.counts()
    return sum(many for (_, _, stage), many in counts.items() if JobStage(stage) in OPEN_STAGES)


def jobs_of(memory: Memory, space: str, *stages: JobStage) -> list[Job]:
    return list(store_of(memory).jobs.jobs(space, stages=stages, before=None, limit=10_000))


def written_in(memory: Memory, space: str) -> list[int]:
    """The numbers of the effects in a space, in the order of their commits."""
    store = store_of(memory)
    changes = store.log.changes_after(space, 0, limit=100_000)
    notes = [store.note(space, change.record_id) for change in changes if change.kind is ChangeKind.WRITTEN]
    return [int(note.text.removeprefix("effect ")) for note in notes if note is not None]
