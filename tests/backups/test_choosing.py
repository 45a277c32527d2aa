"""Which backups may go, and which one is meant."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from recollect.backups.manifests import (
    abandoned,
    manifest_bytes,
    manifest_parsed,
    meant,
    name_read,
    new_name,
    superseded,
)
from recollect.domain.answers.upkeep import Backup, BackupList, Stored
from recollect.domain.errors import Damaged, InvalidInput, NotFound, RecollectError

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
DIGEST = "0" * 64


def a_backup(day: int, machine: str = "laptop") -> Backup:
    at = NOON + timedelta(days=day)
    stored = Stored(new_name(at, machine, "aaaaaaaa"), machine, DIGEST, 10)
    return Backup("s3://b/x", "s3://b/x.json", DIGEST, 100, 12, 3, {"alice": 3}, at, stored)


def name_of(backup: Backup) -> str:
    assert backup.stored is not None
    return backup.stored.name


def test_the_newest_few_of_this_machine_are_kept() -> None:
    own = [a_backup(day) for day in (3, 1, 2, 0)]
    others = [a_backup(day, "server") for day in range(9)]
    assert superseded([*own, *others], machine="laptop", keep=2) == (name_of(own[1]), name_of(own[3]))


@pytest.mark.parametrize("keep", [1, 0, -3])
def test_the_last_one_is_never_removed(keep: int) -> None:
    assert superseded([a_backup(0)], machine="laptop", keep=keep) == ()
    assert superseded([a_backup(0), a_backup(1)], machine="laptop", keep=keep) == (name_of(a_backup(0)),)


def test_only_own_uploads_that_nobody_can_still_be_sending_are_abandoned() -> None:
    old, fresh, theirs = a_backup(0), a_backup(9), a_backup(0, "server")
    unfinished = [name_of(old), name_of(fresh), name_of(theirs), "holiday-photos"]
    assert abandoned(unfinished, machine="laptop", at=NOON + timedelta(days=9, hours=1)) == (name_of(old),)


def test_the_newest_of_this_machine_is_meant() -> None:
    held = BackupList("s3://b", (a_backup(5, "server"), a_backup(2), a_backup(1)))
    assert meant(held, None, machine="laptop") == a_backup(2)


def test_a_new_machine_takes_the_newest_of_the_only_other() -> None:
    held = BackupList("s3://b", (a_backup(2), a_backup(1)))
    assert meant(held, None, machine="replacement") == a_backup(2)


OTHERWISE: list[tuple[BackupList, str | None, type[RecollectError], str]] = [
    (BackupList("s3://b", ()), None, NotFound, "backup_not_found"),
    (BackupList("s3://b", (), (name_of(a_backup(0)),)), None, NotFound, "backup_not_found"),
    (BackupList("s3://b", (a_backup(2, "one"), a_backup(1, "two"))), None, InvalidInput, "which_backup"),
    (BackupList("s3://b", (a_backup(1),), (), (name_of(a_backup(2)),)), None, Damaged, "backup_damaged"),
    (BackupList("s3://b", (), (), (name_of(a_backup(2)),)), None, Damaged, "backup_damaged"),
    (
        BackupList("s3://b", (a_backup(1),), (), (name_of(a_backup(2)),)),
        name_of(a_backup(2)),
        Damaged,
        "backup_damaged",
    ),
    (BackupList("s3://b", (a_backup(1),)), "recollect-of-yore", NotFound, "backup_not_found"),
]


@pytest.mark.parametrize(("held", "name", "kind", "code"), OTHERWISE)
def test_where_nothing_can_be_meant_it_says_why(
    held: BackupList, name: str | None, kind: type[RecollectError], code: str
) -> None:
    with pytest.raises(kind) as refusal:
        meant(held, name, machine="replacement")
    assert refusal.value.code == code


def test_an_older_damaged_one_stands_in_nobodys_way() -> None:
    held = BackupList("s3://b", (a_backup(2),), (), (name_of(a_backup(1)),))
    assert meant(held, None, machine="laptop") == a_backup(2)


def test_a_name_says_when_and_where_and_sorts_by_time() -> None:
    names = [new_name(NOON + timedelta(days=day), "my-laptop-6af1c2", "01J9ZZZZZZZZZZZZZZZZ7XKQ2M") for day in range(3)]
    assert names == sorted(names)
    known = name_read(names[0])
    assert known is not None
    assert (known.begun, known.machine) == (NOON, "my-laptop-6af1c2")
    assert [
        name_read(other) for other in ("", "x", "recollect-20269999T999999.000000Z-a-aaaaaaaa", "../etc/passwd")
    ] == [None] * 4


def test_a_manifest_is_read_as_it_was_written() -> None:
    backup = a_backup(0)
    assert backup.stored is not None
    told = manifest_bytes(backup, backup.stored)
    again = manifest_parsed(backup.stored.name, told, "s3://b")
    assert again is not None
    assert (again.changes, again.made_at, again.stored) == (backup.changes, backup.made_at, backup.stored)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'"format": 1', b'"format": 2'),
        (b'"packing": "gzip"', b'"packing": "zip"'),
        (b'"machine": "laptop"', b'"machine": "server"'),
        (b'"notes": 3', b'"notes": "3"'),
        (b'"notes": 3', b'"notes": -3'),
        (DIGEST.encode(), b"../../etc"),
        (b"aaaaaaaa", b"bbbbbbbb"),
        (b"{", b"["),
    ],
)
def test_a_manifest_that_says_something_else_is_none(old: bytes, new: bytes) -> None:
    backup = a_backup(0)
    assert backup.stored is not None
    told = manifest_bytes(backup, backup.stored)
    assert old in told
    assert manifest_parsed(backup.stored.name, told.replace(old, new), "s3://b") is None
