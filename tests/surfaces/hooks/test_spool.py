"""What hooks leave on disk: nothing acknowledged is lost, whoever writes and drains at the same time."""

from __future__ import annotations

import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from recollect.surfaces.hooks import spool


def drained(home: Path) -> list[bytes]:
    with spool.draining(home) as files:
        lines = [line for file in files for line in spool.lines_of(file)]
        for file in files:
            file.unlink()
    return lines


def test_lines_come_back_in_order_and_only_their_owner_can_read_them(tmp_path: Path) -> None:
    home = tmp_path / "home"
    assert all(spool.append(home, b"line %d" % number) for number in range(3))
    assert stat.S_IMODE((home / spool.FILE).stat().st_mode) == 0o600
    assert drained(home) == [b"line 0", b"line 1", b"line 2"]
    assert drained(home) == [] and spool.size(home) == 0


def test_what_is_written_while_others_drain_is_there_exactly_once(tmp_path: Path) -> None:
    found: list[bytes] = []
    with ThreadPoolExecutor(6) as pool:
        written = [pool.submit(spool.append, tmp_path, b"%d" % number) for number in range(300)]
        while not all(each.done() for each in written):
            found += drained(tmp_path)
    found += drained(tmp_path)
    kept = [b"%d" % number for number, each in enumerate(written) if each.result()]
    assert sorted(found) == sorted(kept)
    assert len(kept) == 300


def test_a_line_that_was_cut_off_spoils_no_other(tmp_path: Path) -> None:
    spool.append(tmp_path, b"before")
    with (tmp_path / spool.FILE).open("ab") as file:
        file.write(b'{"moment": "pro')
    spool.append(tmp_path, b"after")
    assert drained(tmp_path) == [b"before", b'{"moment": "pro', b"after"]


def test_the_spool_has_an_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spool, "MOST_BYTES", 1000)
    taken = [spool.append(tmp_path, b"x" * 100) for _ in range(20)]
    assert taken.count(True) < 10 and taken[-1] is False
    assert spool.size(tmp_path) <= 1000 + 102


def test_only_one_drains_at_a_time_and_what_it_leaves_is_there_for_the_next(tmp_path: Path) -> None:
    spool.append(tmp_path, b"first")
    with spool.draining(tmp_path) as files:
        spool.append(tmp_path, b"second")
        with spool.draining(tmp_path) as others:
            assert others == []
        assert [line for file in files for line in spool.lines_of(file)] == [b"first"]
    assert drained(tmp_path) == [b"first", b"second"]
