"""What a target may be called, and what nobody may make us reach."""

from __future__ import annotations

from pathlib import Path

import pytest

from recollect.backups.addresses import (
    Address,
    BucketAddress,
    FolderAddress,
    GitAddress,
    HubAddress,
    parsed,
    resolved,
)
from recollect.domain.errors import InvalidInput, NotFound

MEANT: list[tuple[str, Address]] = [
    ("/mnt/disk/memory", FolderAddress(Path("/mnt/disk/memory"))),
    ("file:///mnt/my%20disk", FolderAddress(Path("/mnt/my disk"))),
    ("git+ssh://git@host/memory.git", GitAddress("ssh://git@host/memory.git")),
    ("git+me@host:memory.git", GitAddress("me@host:memory.git")),
    ("git+file:///srv/memory.git", GitAddress("file:///srv/memory.git")),
    ("git+/srv/memory.git", GitAddress("/srv/memory.git")),
    ("s3://bucket", BucketAddress("bucket", "")),
    ("s3://bucket/a/b/", BucketAddress("bucket", "a/b")),
    (
        "s3://bucket/a?endpoint=https://minio.example:9000&region=eu-central-1",
        BucketAddress("bucket", "a", "https://minio.example:9000", "eu-central-1"),
    ),
    ("hf://datasets/alice/memory", HubAddress("alice/memory", "")),
    ("hf://datasets/alice/memory/laptop", HubAddress("alice/memory", "laptop")),
]

NONSENSE = [
    "", "ftp://host/x", "s3://", "s3:///folder", "s3://buc ket/x", "s3://bucket/../x?y=1", "s3://bucket?endpoint=file:///x",
    "s3://bucket?endpoint=http://me:secret@host", "s3://bucket?endpoint=http://a&endpoint=http://b", "s3://bucket?key=secret",
    "hf://alice/memory", "hf://datasets/alice", "hf://datasets/alice/memory?token=secret", "hf://datasets/../memory",
]  # fmt: skip


@pytest.mark.parametrize(("written", "meant"), MEANT)
def test_an_address_says_what_it_is(written: str, meant: Address) -> None:
    assert parsed(written) == meant


@pytest.mark.parametrize("written", NONSENSE)
def test_what_is_no_address_is_refused_without_repeating_secrets(written: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        parsed(written)
    assert refusal.value.code == "unknown_target"
    assert "secret" not in str(refusal.value)


@pytest.mark.parametrize("written", ["git+ext::sh -c touch% /tmp/x", "git+-upload-pack=x", "git+--output=/x"])
def test_a_remote_that_could_run_a_command_is_refused(written: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        parsed(written)
    assert refusal.value.code == "invalid_remote"


def test_a_password_in_an_address_is_not_shown() -> None:
    assert parsed("git+https://me:secret@host/memory.git").shown == "git+https://host/memory.git"


def test_a_name_from_the_settings_is_what_it_stands_for() -> None:
    targets = {"nightly": "s3://bucket/memory"}
    assert resolved("nightly", targets, only_by_name=False) == BucketAddress("bucket", "memory")
    assert resolved("nightly", targets, only_by_name=True) == BucketAddress("bucket", "memory")


def test_a_bare_word_that_is_no_name_does_not_become_a_folder() -> None:
    with pytest.raises(NotFound) as refusal:
        resolved("nighlty", {"nightly": "/x"}, only_by_name=False)
    assert refusal.value.code == "target_not_configured"


@pytest.mark.parametrize("written", [address for address, _ in MEANT])
def test_from_elsewhere_a_target_can_only_be_named(written: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        resolved(written, {"nightly": "/x"}, only_by_name=True)
    assert refusal.value.code == "target_not_configured"
