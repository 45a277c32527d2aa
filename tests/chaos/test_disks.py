"""The disk that the power-loss tests believe in: what survives, and what may not."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.chaos.disks import SECTOR, Disk, Image
from tests.chaos.tracing import Call, understood

ROOT = Path("/disk")


@pytest.fixture
def disk(tmp_path: Path) -> Disk:
    return Disk(ROOT, tmp_path)


def test_a_file_survives_for_sure_only_with_its_contents_and_its_name_synced(disk: Disk) -> None:
    perform(disk, made("a", 3), written(3, b"text"))
    assert lasting(disk) == {}
    perform(disk, Call("fdatasync", ("3",), 0))
    assert lasting(disk) == {}
    perform(disk, opened("", 4), Call("fsync", ("4",), 0))
    assert lasting(disk) == {"a": b"text"}


def test_a_new_folder_takes_what_is_in_it_along_until_the_folder_above_is_synced(disk: Disk) -> None:
    perform(disk, Call("mkdir", (path("b"), "0700"), 0), made("b/a", 3), opened("b", 4), Call("fsync", ("4",), 0))
    assert lasting(disk) == {}
    perform(disk, opened("", 5), Call("fsync", ("5",), 0))
    assert lasting(disk) == {"b": None, "b/a": b""}


def test_a_rename_that_was_not_synced_may_be_undone_but_is_never_half_done(disk: Disk) -> None:
    perform(
        disk, made("draft", 3), written(3, b"new"), Call("fsync", ("3",), 0), opened("", 4), Call("fsync", ("4",), 0)
    )
    perform(disk, Call("rename", (path("draft"), path("file")), 0))
    assert {tuple(image) for image in possible(disk)} == {("draft",), ("file",)}


def test_a_write_that_was_not_synced_may_arrive_in_part(disk: Disk) -> None:
    perform(disk, made("a", 3), opened("", 4), Call("fsync", ("4",), 0), written(3, b"x" * 3 * SECTOR))
    sizes = {len((image["a"] or b"").replace(b"\0", b"")) for image in possible(disk)}
    assert {0, SECTOR, 2 * SECTOR, 3 * SECTOR} <= sizes


def test_a_call_is_the_same_by_its_other_name_and_refused_where_its_path_is_not_whole() -> None:
    here = "AT_FDCWD<\\x2f>"
    assert understood(f'7 unlinkat({here}, "\\x2f\\x61", 0) = 0') == Call("unlink", (b"/a",), 0)
    assert understood(f'7 unlinkat({here}, "\\x2f\\x61", AT_REMOVEDIR) = 0') == Call("rmdir", (b"/a",), 0)
    assert understood(f'7 mkdirat({here}, "\\x2f\\x61", 0700) = 0') == Call("mkdir", (b"/a",), 0)
    renamed = f'7 renameat({here}, "\\x2f\\x61", {here}, "\\x2f\\x62") = 0'
    assert understood(renamed) == Call("rename", (b"/a", b"/b"), 0)
    with pytest.raises(AssertionError, match="not modelled"):
        understood('7 unlinkat(5<\\x2f>, "\\x61", 0) = 0')


def test_a_call_that_is_not_modelled_is_refused_and_a_failed_one_is_passed_over() -> None:
    assert understood('7 unlink("\\x2f\\x61") = -1 ENOENT (No such file or directory)') is None
    with pytest.raises(AssertionError, match="not modelled"):
        understood('7 renameat2(AT_FDCWD, "\\x2f\\x61", AT_FDCWD, "\\x2f\\x62", 0) = 0')
    with pytest.raises(AssertionError, match="cannot be read"):
        understood("7 fsync(3 <unfinished ...>")


def perform(disk: Disk, *calls: Call) -> None:
    for call in calls:
        disk.perform(call)


def possible(disk: Disk) -> list[Image]:
    return [image for _, image in disk.images(random.Random(1))]


def lasting(disk: Disk) -> Image:
    """What is there whatever happens."""
    first, *others = possible(disk)
    return {name: content for name, content in first.items() if all(other.get(name, 0) == content for other in others)}


def path(name: str) -> bytes:
    return str(ROOT / name).encode()


def made(name: str, descriptor: int) -> Call:
    return Call("openat", ("AT_FDCWD", path(name), "O_RDWR|O_CREAT", "0600"), descriptor)


def opened(name: str, descriptor: int) -> Call:
    return Call("openat", ("AT_FDCWD", path(name), "O_RDONLY"), descriptor)


def written(descriptor: int, data: bytes) -> Call:
    return Call("pwrite64", (str(descriptor), data, str(len(data)), "0"), len(data))
