"""A backup is read by the version before, or refused by it; one of a single space never becomes its whole store."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from recollect import Memory
from recollect.backups.manifests import manifest_bytes, manifest_parsed
from recollect.codecs.plain import manifest_read, manifest_text
from recollect.domain.answers.upkeep import Backup, Stored
from recollect.domain.dataclass import replace

NAME = "recollect-20261117T120000.000000Z-desk-abcdefgh"
STORED = Stored(NAME, "desk", "0" * 64, 10)
WHOLE = Backup(
    path=f"/copies/{NAME}.db.gz",
    manifest=f"/copies/{NAME}.json",
    sha256="1" * 64,
    size_bytes=20,
    schema=33,
    notes=2,
    changes={"alice": 2},
    made_at=datetime(2026, 11, 17, 12, tzinfo=UTC),
    stored=STORED,
)


@pytest.mark.parametrize(("space", "expected"), [(None, 1), ("alice", 2)], ids=["whole", "one-space"])
def test_a_backup_of_one_space_has_a_format_that_the_version_before_refuses(space: str | None, expected: int) -> None:
    backup = replace(WHOLE, space=space)
    content = manifest_bytes(backup, STORED)
    assert json.loads(content)["format"] == expected
    assert manifest_parsed(NAME, content, "/copies") == backup


def test_a_format_of_later_versions_is_not_read() -> None:
    said = json.loads(manifest_bytes(WHOLE, STORED)) | {"format": 3}
    assert manifest_parsed(NAME, json.dumps(said).encode(), "/copies") is None


def test_the_manifest_of_a_whole_copy_has_no_key_that_the_version_before_does_not_know() -> None:
    plain = replace(WHOLE, stored=None)
    of_space = replace(plain, space="alice")
    assert "space" not in json.loads(manifest_text(plain))
    assert (manifest_read(manifest_text(plain)), manifest_read(manifest_text(of_space))) == (plain, of_space)


def test_a_timer_of_one_space_is_of_a_kind_that_a_worker_of_the_version_before_leaves_alone(tmp_path: Path) -> None:
    with Memory(home=tmp_path / "home", targets={"nightly": str(tmp_path / "copies")}) as memory:
        memory.save("Alice prefers tea", space="alice")
        memory.backup(target="nightly", every="1d")
        memory.backup(target="nightly", every="1d", space="alice")
        kinds = {each.name: each.kind for each in memory.timers(whole_store=True) if "backup" in each.name}
        assert kinds == {"backup:nightly": "backup", "backup_space:alice/nightly": "backup_space"}
