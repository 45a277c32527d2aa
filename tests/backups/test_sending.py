"""What is the same wherever a backup comes from: every byte is looked at before the store becomes it."""

from __future__ import annotations

import gzip
import hashlib
import json
import random
from pathlib import Path

import pytest

from recollect import Memory
from recollect.domain.answers.upkeep import Backup
from recollect.domain.errors import Damaged, Erased
from tests.backups.places import Place, everything


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """A folder: the cheapest of all targets."""
    return Place("folder", str(tmp_path / "target"), tmp_path)


def named(backup: Backup) -> str:
    assert backup.stored is not None
    return backup.stored.name


def test_what_was_forgotten_since_stays_forgotten(memory: Memory, place: Place) -> None:
    note = memory.save("A secret")
    memory.backup(target=place.address)
    memory.forget(note.id)
    memory.restore(target=place.address)

    with pytest.raises(Erased):
        memory.get(note.id)
    assert [each.text for each in memory.list(space="alice").items] == ["Alice prefers coffee"]


def test_a_copy_that_was_exchanged_together_with_its_manifest_is_still_looked_at(memory: Memory, place: Place) -> None:
    made = memory.backup(target=place.address)
    before = everything(memory)
    garbage = random.Random(7).randbytes(4096)
    packed = gzip.compress(garbage)
    said = json.loads(place.content(f"{named(made)}.json"))
    said |= {"sha256": hashlib.sha256(garbage).hexdigest(), "size_bytes": len(garbage)}
    said |= {"packed_sha256": hashlib.sha256(packed).hexdigest(), "packed_bytes": len(packed)}
    place.put(f"{named(made)}.json", json.dumps(said).encode())
    place.put(f"{named(made)}.db.gz", packed)

    with pytest.raises(Damaged):
        memory.restore(target=place.address)
    assert everything(memory) == before


def test_a_copy_that_unpacks_into_more_than_it_says_is_stopped(memory: Memory, place: Place) -> None:
    made = memory.backup(target=place.address)
    packed = gzip.compress(b"\0" * 3_000_000)
    said = json.loads(place.content(f"{named(made)}.json"))
    said |= {"size_bytes": 1000, "packed_sha256": hashlib.sha256(packed).hexdigest(), "packed_bytes": len(packed)}
    place.put(f"{named(made)}.json", json.dumps(said).encode())
    place.put(f"{named(made)}.db.gz", packed)

    with pytest.raises(Damaged, match="more than it says"):
        memory.restore(target=place.address)


def test_a_manifest_that_cannot_be_read_is_told_and_an_older_backup_can_be_named(memory: Memory, place: Place) -> None:
    older, newer = memory.backup(target=place.address), memory.backup(target=place.address)
    place.put(f"{named(newer)}.json", b"{}")

    held = memory.backups(target=place.address)
    assert (held.backups, held.damaged) == ((older,), (named(newer),))
    with pytest.raises(Damaged):
        memory.restore(target=place.address)
    assert memory.restore(target=place.address, backup=named(older)) == older


def test_a_damaged_backup_does_not_count_as_one_that_is_kept(memory: Memory, place: Place) -> None:
    good, spoilt = memory.backup(target=place.address), memory.backup(target=place.address)
    place.put(f"{named(spoilt)}.json", b"{}")
    memory.backup(target=place.address, keep=2)

    assert named(good) in {named(each) for each in memory.backups(target=place.address).backups}
