"""A place of every kind that takes backups: a folder, a bare repository, a bucket, a dataset repository."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from recollect import Memory
from tests.backups.places import Place
from tests.support.bucket_server import ACCESS, BucketServer, running_bucket_server
from tests.support.hub import TOKEN, StandInHub, running_hub


@pytest.fixture(scope="session")
def bucket_server() -> Iterator[BucketServer]:
    with running_bucket_server() as server:
        yield server


@pytest.fixture
def hub() -> Iterator[StandInHub]:
    with running_hub() as running:
        yield running


@pytest.fixture(autouse=True)
def surroundings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Nothing of whoever runs the tests: no credentials, no configuration of theirs."""
    for name in ("AWS_PROFILE", "AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_S3", "AWS_SESSION_TOKEN", "HF_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    for name, value in ACCESS.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("AWS_CONFIG_FILE", str(tmp_path / "no-config"))
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(tmp_path / "no-credentials"))
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("HF_TOKEN", TOKEN)


@pytest.fixture(params=["folder", "git", "bucket", "hub"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    """An empty target of each kind."""
    match request.param:
        case "folder":
            return Place("folder", str(tmp_path / "target"), tmp_path)
        case "git":
            bare = tmp_path / "target.git"
            subprocess.run(["git", "init", "--bare", "--quiet", str(bare)], check=True)
            return Place("git", f"git+file://{bare}", tmp_path)
        case "bucket":
            server: BucketServer = request.getfixturevalue("bucket_server")
            bucket = f"bucket-{abs(hash(tmp_path)):x}"[:40]
            server.make(bucket)
            return Place("bucket", f"s3://{bucket}/memory/daily?endpoint={server.endpoint}", tmp_path)
        case _:
            hub: StandInHub = request.getfixturevalue("hub")
            return Place("hub", f"hf://datasets/alice/memory/daily?endpoint={hub.endpoint}", tmp_path)


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    """A memory with something in it."""
    with Memory(home=tmp_path / "home", principal="tester") as opened:
        note = opened.save("Alice prefers tea", space="alice", tags=["drink"])
        opened.update(note.id, text="Alice prefers coffee", space="alice")
        opened.save("Bob prefers beer", space="bob")
        yield opened
