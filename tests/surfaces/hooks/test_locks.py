"""One lock for every system. The branch for Windows runs here on a stand-in; Windows itself has not run it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType

import pytest

from recollect import locks
from recollect.surfaces.hooks import spool
from tests.surfaces.hooks import byte_locks

on_windows = pytest.param(byte_locks, marks=pytest.mark.skipif(not byte_locks.AVAILABLE, reason="no such locks here"))


@pytest.fixture(params=[None, on_windows], ids=["here", "windows"])
def take(request: pytest.FixtureRequest) -> Callable[..., bool]:
    system: ModuleType | None = request.param
    if system is None:
        return locks.take_lock
    return lambda descriptor, *, shared=False: locks.lock_bytes(system, descriptor, shared=shared)


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Callable[[], int]]:
    descriptors: list[int] = []

    def opening() -> int:
        descriptors.append(os.open(tmp_path / "file", os.O_CREAT | os.O_RDWR | os.O_APPEND, 0o600))
        return descriptors[-1]

    yield opening
    for each in descriptors:
        os.close(each)


def test_an_exclusive_lock_keeps_everybody_out_until_it_is_closed(
    take: Callable[..., bool], opened: Callable[[], int], tmp_path: Path
) -> None:
    holder = os.open(tmp_path / "file", os.O_CREAT | os.O_RDWR, 0o600)
    assert take(holder)
    assert not take(opened())
    assert not take(opened(), shared=True)
    os.close(holder)
    assert take(opened())


def test_many_share_a_lock_and_keep_out_only_whom_they_must(
    take: Callable[..., bool], opened: Callable[[], int]
) -> None:
    assert all(take(opened(), shared=True) for _ in range(10))
    assert not take(opened())


def test_taking_a_lock_neither_moves_nor_lengthens_a_file(take: Callable[..., bool], opened: Callable[[], int]) -> None:
    descriptor = opened()
    os.write(descriptor, b"seven")
    os.lseek(descriptor, 2, os.SEEK_SET)
    assert take(descriptor, shared=True)
    assert os.lseek(descriptor, 0, os.SEEK_CUR) == 2
    assert os.fstat(descriptor).st_size == 5


@pytest.mark.skipif(not byte_locks.AVAILABLE, reason="no such locks here")
def test_no_line_is_lost_between_those_who_write_and_one_who_drains_on_windows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        spool, "take_lock", lambda descriptor, *, shared: locks.lock_bytes(byte_locks, descriptor, shared=shared)
    )
    monkeypatch.setattr(spool, "_OPEN_FILES_STAY", True)
    written: list[bytes] = []

    def write(number: int) -> None:
        line = b"line %d" % number
        if spool.append(tmp_path, line):
            written.append(line)

    found: list[bytes] = []
    with ThreadPoolExecutor(4) as pool:
        for number in range(200):
            pool.submit(write, number)
            if number % 10 == 0:
                found += drained(tmp_path)
    found += drained(tmp_path)
    assert sorted(found) == sorted(written) and written


def drained(home: Path) -> list[bytes]:
    with spool.draining(home) as files:
        lines = [line for file in files for line in spool.lines_of(file)]
        for file in files:
            file.unlink()
    return lines
