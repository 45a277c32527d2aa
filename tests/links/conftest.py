"""A memory with a judge, on each kind of store."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from recollect import Memory
from tests.links.tiny_judge import TinyJudge, with_judge
from tests.support.clock import SteadyClock


@pytest.fixture
def judge() -> TinyJudge:
    return TinyJudge()


@pytest.fixture
def judging(store_address: str, tmp_path: Path, clock: SteadyClock, judge: TinyJudge) -> Iterator[Memory]:
    with Memory(store=store_address, home=tmp_path / "home", principal="tester", clock=clock) as memory:
        yield with_judge(memory, judge)
