"""A memory on each kind of store, with a provider on this machine that reads and settles."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from recollect import Memory
from tests.support.clock import SteadyClock
from tests.support.model_server import ModelServer, model_server


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with model_server() as running:
        yield running


@pytest.fixture
def configured(server: ModelServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RECOLLECT_PROVIDER_URL", f"{server.url}/v1")
    monkeypatch.setenv("RECOLLECT_PROVIDER_MODEL", "small")
    monkeypatch.setenv("RECOLLECT_TASKS", "read=custom settle=custom")


@pytest.fixture
def reading(configured: None, store_address: str, tmp_path: Path, clock: SteadyClock) -> Iterator[Memory]:
    with Memory(store=store_address, home=tmp_path / "home", principal="tester", clock=clock) as memory:
        yield memory


@pytest.fixture
def light(configured: None, tmp_path: Path, clock: SteadyClock) -> Iterator[Memory]:
    """The same in memory alone, for what does not depend on the store."""
    with Memory(store=":memory:", home=tmp_path / "home", principal="tester", clock=clock) as memory:
        yield memory
