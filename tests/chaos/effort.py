"""How much is tried: a fixed sample on every run, everything with RECOLLECT_CHAOS=full."""

from __future__ import annotations

import os
import random
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import pytest

FULL = os.environ.get("RECOLLECT_CHAOS") == "full"
SEED = 20_261_019  # of what is sampled; what is truly random prints a seed of its own
LIMIT = pytest.mark.timeout(7200 if FULL else 900)  # seconds for one test, on a machine that is busy with other things

_ROOM = 1 << 28  # bytes; in a container there is often less

T = TypeVar("T")


def sampled(everything: Sequence[T], size: int) -> list[T]:
    """As many as are asked for, the same ones each time and in their order; all of them with RECOLLECT_CHAOS=full."""
    if FULL or size >= len(everything):
        return list(everything)
    places = random.Random(SEED).sample(range(len(everything)), size)
    return [everything[place] for place in sorted(places)]


@contextmanager
def quick_folder() -> Iterator[Path]:
    """A folder in memory where there is one: for tests that open thousands of stores and mean no real disk."""
    memory = Path("/dev/shm")
    roomy = memory.is_dir() and shutil.disk_usage(memory).free > _ROOM
    with tempfile.TemporaryDirectory(prefix="recollect-chaos-", dir=memory if roomy else None) as folder:
        yield Path(folder)
