"""The same promises at every target: whole or not at all, checked before it is used, and nobody else's touched."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from recollect import Memory
from recollect.backups import bucket, git_remote
from recollect.domain.answers.upkeep import Backup, Progress
from recollect.domain.errors import Damaged, InvalidInput, NotFound
from tests.backups.places import Place, everything
from tests.support.together import at_once

# The client of the hub calls its own HTTP library in a way that this one no longer likes.
pytestmark = [
    pytest.mark.xdist_group("backups"),
    pytest.mark.filterwarnings("ignore:Use .content:DeprecationWarning"),
]


@contextmanager
def another_machine(folder: Path, name: str = "other") -> Iterator[Memory]:
    with Memory(home=folder / name, principal="tester") as opened:
        yield opened


def named(backup: Backup) -> str:
    assert backup.stored is not None
    return backup.stored.name


def test_a_backup_is_listed_and_restored_to_the_letter(memory: Memory, place: Place, tmp_path: Path) -> None:
    made = memory.backup(target=place.address)
    [listed] = memory.backups(target=place.address).backups

    assert listed == made
    assert (made.notes, made.changes, made.schema) == (2, {"alice": 3, "bob": 2}, memory.status().schema)
    with another_machine(tmp_path) as fresh:
        assert fresh.restore(target=place.address) == made
        assert everything(fresh) == everything(memory)


def test_a_backup_is_two_objects_and_leaves_nothing_behind(memory: Memory, place: Place, tmp_path: Path) -> None:
    made = memory.backup(target=place.address)
    memory.backups(target=place.address)
    memory.restore(target=place.address)

    assert place.names() == sorted([f"{named(made)}.db.gz", f"{named(made)}.json"])
    left = {file.name for file in (tmp_path / "home").iterdir()}
    assert {name for name in left if not name.startswith("recollect.db")} == {"backup-machine"}


def test_a_changed_copy_is_refused_and_nothing_happens(memory: Memory, place: Place) -> None:
    made = memory.backup(target=place.address)
    before, name = everything(memory), f"{named(made)}.db.gz"
    whole = place.content(name)
    for content in (
        whole[:-20] + bytes([whole[-20] ^ 1]) + whole[-19:],
        whole[: len(whole) // 2],
        whole + b"\0",
        b"",
    ):
        place.put(name, content)
        with pytest.raises(Damaged) as refusal:
            memory.restore(target=place.address)
        assert refusal.value.code == "backup_damaged"
        assert everything(memory) == before
    place.put(name, whole)
    memory.restore(target=place.address)


def test_a_copy_without_its_manifest_is_no_backup(memory: Memory, place: Place) -> None:
    made = memory.backup(target=place.address)
    place.drop(f"{named(made)}.json")

    held = memory.backups(target=place.address)
    assert (held.backups, held.unfinished, held.damaged) == ((), (named(made),), ())
    with pytest.raises(NotFound) as refusal:
        memory.restore(target=place.address)
    assert refusal.value.code == "backup_not_found"


def test_a_process_that_is_killed_while_it_sends_leaves_no_backup(memory: Memory, place: Place, tmp_path: Path) -> None:
    program = """
import os, signal, sys
from recollect import Memory

def killed(progress):
    if progress.step == "sending":
        os.kill(os.getpid(), signal.SIGKILL)

with Memory(home=sys.argv[1]) as memory:
    memory.telling(killed).backup(target=sys.argv[2])
"""
    ended = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "home"), place.address], check=False, timeout=120
    )
    assert ended.returncode == -signal.SIGKILL
    assert memory.backups(target=place.address).backups == ()

    made = memory.backup(target=place.address)
    assert memory.backups(target=place.address).backups == (made,)
    left = [file.name for file in (tmp_path / "home").iterdir() if file.name.startswith(".")]
    assert left == [], "what the killed process left is removed by the next one"


def test_only_so_many_of_this_machine_are_kept_and_nothing_else_is_touched(
    memory: Memory, place: Place, tmp_path: Path
) -> None:
    place.put("holiday.db.gz", b"not ours")
    place.put("notes.json", b"{}")
    with another_machine(tmp_path) as other:
        theirs = other.backup(target=place.address)
    first, second = memory.backup(target=place.address), memory.backup(target=place.address)
    third = memory.backup(target=place.address, keep=2)
    assert third.stored is not None
    assert third.stored.removed == (named(first),)

    held = memory.backups(target=place.address)
    assert {named(each) for each in held.backups} == {named(each) for each in (theirs, second, third)}
    assert named(first) not in "".join(place.names())
    assert {"holiday.db.gz", "notes.json"} <= set(place.names())


def test_two_machines_that_write_at_once_both_have_their_backup(memory: Memory, place: Place, tmp_path: Path) -> None:
    memory.backup(target=place.address)
    with another_machine(tmp_path, "one") as one, another_machine(tmp_path, "two") as two:
        one.save("One was here")
        two.save("Two was here")
        outcomes = at_once([lambda: one.backup(target=place.address), lambda: two.backup(target=place.address, keep=1)])
        assert [outcome.error for outcome in outcomes] == [None, None]

        assert len(memory.backups(target=place.address).backups) == 3
        one.restore(target=place.address)
        two.restore(target=place.address)
        assert [each.text for each in one.list().items] == ["One was here"]
        assert [each.text for each in two.list().items] == ["Two was here"]
        with another_machine(tmp_path, "three") as three, pytest.raises(InvalidInput) as refusal:
            three.restore(target=place.address)
        assert refusal.value.code == "which_backup"


def test_a_large_object_goes_in_parts_and_comes_back_the_same(
    place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bucket, "_PART", 5 << 20)  # the least that a bucket takes
    monkeypatch.setattr(git_remote, "_PART", 100_000)
    size = (11 << 20) + 17 if place.kind == "bucket" else 300_017
    content = random.Random(7).randbytes(size)
    (tmp_path / "large").write_bytes(content)
    told: list[int] = []

    place.target.put("large", tmp_path / "large", told.append)
    place.target.fetch("large", tmp_path / "again", told.append)

    assert (tmp_path / "again").read_bytes() == content
    assert told.count(size) >= 2
    assert max(told) == size


def test_whoever_waits_is_told_how_far_it_is(memory: Memory, place: Place) -> None:
    told: list[Progress] = []
    telling = memory.telling(told.append)
    telling.backup(target=place.address)
    telling.restore(target=place.address)

    assert list(dict.fromkeys(each.step for each in told)) == ["packing", "sending", "fetching", "unpacking"]
    assert {each.step for each in told if each.done == each.total} == {"packing", "sending", "fetching", "unpacking"}


def test_a_target_that_is_empty_or_not_there_yet_says_so(memory: Memory, place: Place) -> None:
    with pytest.raises(NotFound) as refusal:
        memory.restore(target=place.address)
    assert refusal.value.code in ("backup_not_found", "target_not_found")
