"""A file is as it was or as it shall be, and nothing of the attempt is left beside it."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path
from typing import Any

import pytest

from recollect import disk


def test_a_file_gets_its_content_its_mode_and_a_synced_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[bool] = []
    really = os.fsync

    def fsync(descriptor: int) -> None:
        synced.append(stat.S_ISDIR(os.fstat(descriptor).st_mode))
        really(descriptor)

    monkeypatch.setattr(os, "fsync", fsync)
    place = tmp_path / "note.md"
    disk.write_whole(place, b"first")
    disk.write_whole(place, b"second", mode=0o644)
    assert (place.read_bytes(), stat.S_IMODE(place.stat().st_mode)) == (b"second", 0o644)
    assert synced == [False, True, False, True], "the bytes first, then the name"


def test_what_nobody_chose_a_mode_for_is_for_its_owner_only(tmp_path: Path) -> None:
    disk.write_whole(tmp_path / "secret", b"x")
    assert stat.S_IMODE((tmp_path / "secret").stat().st_mode) == 0o600


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_write_that_fails_leaves_the_file_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    place = tmp_path / "note.md"
    disk.write_whole(place, b"as it was")

    def fails(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, step, fails)
    with pytest.raises(OSError, match="No space left"):
        disk.write_whole(place, b"as it shall be")
    assert [(file.name, file.read_bytes()) for file in tmp_path.iterdir()] == [("note.md", b"as it was")]


def test_a_draft_that_is_somebody_elses_link_is_not_followed(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_bytes(b"theirs")
    (tmp_path / f".note.md.{os.getpid()}.draft").symlink_to(victim)
    with pytest.raises(OSError, match="symbolic links"):
        disk.write_whole(tmp_path / "note.md", b"ours")
    assert victim.read_bytes() == b"theirs"


@pytest.mark.parametrize("at_once", [True, False])
def test_many_drafts_are_synced_where_no_file_system_can_be_synced_at_once_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at_once: bool
) -> None:
    synced: list[int] = []
    really = os.fsync

    def fsync(descriptor: int) -> None:
        synced.append(os.fstat(descriptor).st_ino)
        really(descriptor)

    monkeypatch.setattr(os, "fsync", fsync)
    if not at_once:
        monkeypatch.setattr("sys.platform", "darwin")
    drafts = [str(tmp_path / f".{number}.draft") for number in range(3)]
    inodes = [disk.write_draft(each, b"x", sync=False).st_ino for each in drafts]
    assert synced == []
    disk.sync_files(tmp_path, drafts)
    assert synced == (inodes if not at_once or sys.platform != "linux" else [])
