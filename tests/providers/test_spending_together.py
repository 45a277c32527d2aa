"""Processes that spend at the same time never pass a cap together, whatever the provider and the prices claim."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from recollect.domain.clock import SystemClock
from recollect.stores.opening import open_store
from tests.support.model_server import ModelServer, Says
from tests.support.postgres import Server
from tests.support.project import ROOT

PATIENCE = 300  # seconds
PROCESSES = 3
CAP = 3000


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    if request.param == "sqlite":
        yield str(tmp_path / "memory.db")
        return
    postgres: Server = request.getfixturevalue("postgres_server")
    with postgres.database() as url:
        yield url


def test_processes_together_never_pass_the_cap(address: str, server: ModelServer, tmp_path: Path) -> None:
    server.script = [Says(usage=(0, 0, 0))]  # it says that it did nothing, and is not believed
    with contextlib.closing(open_store(address, clock=SystemClock(), busy_timeout=60)) as store:
        command = [sys.executable, "-m", "tests.providers.spender", address, f"{server.url}/v1", str(CAP)]
        started = [
            subprocess.Popen(
                command, cwd=ROOT, stdout=subprocess.PIPE, text=True, env={**os.environ, "HOME": str(tmp_path)}
            )
            for _ in range(PROCESSES)
        ]
        answered = [json.loads(each.communicate(timeout=300)[0]) for each in started]
        [line] = store.spend.lines(since="2000-01-01", at=SystemClock().now())
    assert sum(answered) == line.calls == len(server.asked)
    most = line.tokens // line.calls  # every call counts with the most that it could have cost
    assert CAP - most < line.tokens <= CAP
    assert line.cost_usd == 0


def test_a_process_that_is_killed_in_a_call_leaves_it_counted(server: ModelServer, tmp_path: Path) -> None:
    server.script = [Says(hangs=True)]
    address = str(tmp_path / "memory.db")
    with contextlib.closing(open_store(address, clock=SystemClock(), busy_timeout=60)) as store:
        command = [sys.executable, "-m", "tests.providers.spender", address, f"{server.url}/v1", str(CAP)]
        killed = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL)
        assert server.came.wait(PATIENCE)
        killed.kill()
        killed.wait(PATIENCE)
        later = SystemClock().now() + timedelta(hours=1)
        [line] = store.spend.lines(since="2000-01-01", at=later)
    assert (line.calls, line.unsettled) == (1, 1)
    assert line.tokens > 100  # the most that it could have cost
