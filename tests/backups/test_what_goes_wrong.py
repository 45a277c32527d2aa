"""Wrong names, wrong credentials, no network, no library: a clear code, nothing half done, and no secret told."""

from __future__ import annotations

import errno
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from recollect import Memory
from recollect.backups.targets import disk_failure
from recollect.domain.errors import Busy, Misconfigured, RecollectError, StoreFailure, Unreachable, Unsupported
from tests.backups.places import everything
from tests.support.bucket_server import BucketServer
from tests.support.hub import TOKEN, Repository, StandInHub
from tests.support.postgres import Server

pytestmark = [
    pytest.mark.xdist_group("backups"),
    pytest.mark.filterwarnings("ignore:Use .content:DeprecationWarning"),
]

SECRETS = ("not-a-secret", "s3cr3t", TOKEN, "hf_wrong")


def refused_everywhere(memory: Memory, address: str) -> set[str]:
    """The codes of the errors of every verb; nothing happened, and none of them tells a secret."""
    before = everything(memory)
    codes = set()
    for attempt in (
        lambda: memory.backup(target=address, keep=1),
        lambda: memory.backups(target=address),
        lambda: memory.restore(target=address),
    ):
        with pytest.raises(RecollectError) as refusal:
            attempt()
        codes.add(refusal.value.code)
        told = f"{refusal.value} {refusal.value.hint} {refusal.value.__cause__} {refusal.value.as_dict()}"
        assert not [secret for secret in SECRETS if secret in told]
    assert everything(memory) == before
    return codes


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


@contextmanager
def asking_for_a_password() -> Iterator[str]:
    """A host of git repositories that knows nobody."""

    class Requests(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(401)
            self.send_header("WWW-Authenticate", 'Basic realm="git"')
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Requests)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


# -- the wrong place --


def test_a_disk_that_is_not_mounted_is_missed_and_not_filled(memory: Memory, tmp_path: Path) -> None:
    assert refused_everywhere(memory, str(tmp_path / "stick" / "backups")) == {"target_not_found"}
    assert not (tmp_path / "stick").exists()


def test_a_file_is_no_folder(memory: Memory, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    assert refused_everywhere(memory, str(tmp_path / "file")) == {"target_not_found"}


def test_a_repository_that_is_not_there_is_not_made(memory: Memory, tmp_path: Path) -> None:
    assert refused_everywhere(memory, f"git+file://{tmp_path}/nowhere.git") == {"target_not_found"}


def test_a_bucket_that_is_not_there_is_not_made(memory: Memory, bucket_server: BucketServer) -> None:
    assert refused_everywhere(memory, f"s3://no-such-bucket?endpoint={bucket_server.endpoint}") == {"target_not_found"}


def test_a_dataset_is_made_private_and_only_by_a_backup(memory: Memory, hub: StandInHub) -> None:
    address = f"hf://datasets/alice/memory?endpoint={hub.endpoint}"
    for attempt in (memory.backups, memory.restore):
        with pytest.raises(RecollectError) as refusal:
            attempt(target=address)
        assert refusal.value.code == "target_not_found"
    assert hub.repositories == {}

    memory.backup(target=address)
    assert hub.repositories["alice/memory"].private


def test_a_dataset_that_everybody_can_read_is_refused(memory: Memory, hub: StandInHub) -> None:
    hub.repositories["alice/open"] = Repository(private=False)
    assert refused_everywhere(memory, f"hf://datasets/alice/open?endpoint={hub.endpoint}") == {"target_public"}
    assert hub.repositories["alice/open"].files == {}


# -- the wrong credentials --


def test_a_git_host_that_does_not_know_us_refuses(memory: Memory) -> None:
    with asking_for_a_password() as host:
        assert refused_everywhere(memory, f"git+http://me:s3cr3t@{host}/memory.git") == {"target_refused"}
        assert refused_everywhere(memory, f"git+http://{host}/memory.git") == {"target_refused"}


def test_a_remote_that_takes_nothing_keeps_what_it_has(memory: Memory, tmp_path: Path) -> None:
    bare = tmp_path / "memory.git"
    subprocess.run(["git", "init", "--bare", "--quiet", str(bare)], check=True)
    (bare / "hooks").mkdir(exist_ok=True)
    hook = bare / "hooks" / "pre-receive"
    hook.write_text("#!/bin/sh\necho 'you may only read' >&2\nexit 1\n")
    hook.chmod(0o755)

    with pytest.raises(StoreFailure) as refusal:
        memory.backup(target=f"git+{bare}")
    assert refusal.value.code == "target_refused"
    assert memory.backups(target=f"git+{bare}").backups == ()


def test_a_bucket_that_does_not_know_the_key_refuses(memory: Memory, bucket_server: BucketServer) -> None:
    bucket_server.make("locked")
    bucket_server.believe_nobody()
    try:
        assert refused_everywhere(memory, f"s3://locked?endpoint={bucket_server.endpoint}") == {"target_refused"}
    finally:
        bucket_server.believe_everybody()


def test_without_a_key_there_is_no_bucket(
    memory: Memory, bucket_server: BucketServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.delenv(name)
    assert refused_everywhere(memory, f"s3://bucket?endpoint={bucket_server.endpoint}") == {"credentials_missing"}


def test_a_profile_that_is_not_there_is_a_setting_that_is_wrong(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_PROFILE", "nobody")
    with pytest.raises(Misconfigured) as refusal:
        memory.backups(target="s3://bucket")
    assert refusal.value.code == "target_misconfigured"


def test_a_hub_that_does_not_know_the_token_refuses(
    memory: Memory, hub: StandInHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = f"hf://datasets/alice/memory?endpoint={hub.endpoint}"
    monkeypatch.setenv("HF_TOKEN", "hf_wrong")
    assert refused_everywhere(memory, address) == {"target_refused"}
    assert hub.repositories == {}


def test_the_token_stays_out_of_the_database_and_of_the_home(memory: Memory, hub: StandInHub, tmp_path: Path) -> None:
    address = f"hf://datasets/alice/memory?endpoint={hub.endpoint}"
    memory.backup(target=address)
    memory.restore(target=address)
    memory.close()
    assert [
        file for file in (tmp_path / "home").rglob("*") if file.is_file() and TOKEN.encode() in file.read_bytes()
    ] == []


# -- nobody there --


@pytest.mark.parametrize(
    "address", ["git+http://{}/memory.git", "s3://bucket?endpoint=http://{}", "hf://datasets/a/b?endpoint=http://{}"]
)
def test_a_target_that_does_not_answer_can_be_tried_again(memory: Memory, address: str) -> None:
    with pytest.raises(Unreachable) as refusal:
        memory.backups(target=address.format(f"127.0.0.1:{free_port()}"))
    assert (refusal.value.code, refusal.value.retryable) == ("target_unreachable", True)


# -- others --


def test_a_commit_that_came_too_late_is_made_again(memory: Memory, hub: StandInHub) -> None:
    hub.moved_on = 3
    address = f"hf://datasets/alice/memory?endpoint={hub.endpoint}"
    made = memory.backup(target=address)
    assert memory.backups(target=address).backups == (made,)


def test_who_never_gets_a_turn_is_told_so(memory: Memory, hub: StandInHub) -> None:
    hub.moved_on = 100
    with pytest.raises(Busy) as refusal:
        memory.backup(target=f"hf://datasets/alice/memory?endpoint={hub.endpoint}")
    assert (refusal.value.code, refusal.value.retryable) == ("target_busy", True)
    hub.moved_on = 0
    assert memory.backups(target=f"hf://datasets/alice/memory?endpoint={hub.endpoint}").backups == ()


def test_other_branches_of_a_remote_are_left_alone(memory: Memory, tmp_path: Path) -> None:
    bare = tmp_path / "memory.git"
    git = ["git", "--git-dir", str(bare)]
    subprocess.run(["git", "init", "--bare", "--quiet", str(bare)], check=True)
    tree = subprocess.run([*git, "mktree"], input=b"", capture_output=True, check=True).stdout.decode().strip()
    who = ["-c", "user.name=a", "-c", "user.email=a@b"]
    made = subprocess.run([*git, *who, "commit-tree", tree, "-m", "x"], capture_output=True, check=True).stdout.decode()
    subprocess.run([*git, "update-ref", "refs/heads/main", made.strip()], check=True)

    for _ in range(2):
        memory.backup(target=f"git+{bare}", keep=1)

    refs = subprocess.run(
        [*git, "for-each-ref", "--format=%(refname)"], capture_output=True, check=True
    ).stdout.decode()
    assert len(refs.split()) == 3
    assert [ref for ref in refs.split() if not ref.startswith("refs/recollect/backups/")] == ["refs/heads/main"]


# -- what is not there --


@pytest.mark.parametrize(
    ("library", "address", "extra"), [("boto3", "s3://bucket", "s3"), ("huggingface_hub", "hf://datasets/a/b", "hf")]
)
def test_without_its_library_a_target_says_what_to_install(
    memory: Memory, library: str, address: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(Unsupported) as refusal:
        memory.backup(target=address)
    assert refusal.value.code == "extra_missing"
    assert f"recollect[{extra}]" in refusal.value.hint


@pytest.mark.postgres
def test_a_server_is_backed_up_with_its_own_tools(postgres_server: Server, tmp_path: Path) -> None:
    with postgres_server.database() as address, Memory(store=address, home=tmp_path / "home") as remote:
        for attempt in (remote.backup, remote.restore):
            with pytest.raises(Unsupported):
                attempt(target=str(tmp_path / "target"))


@pytest.mark.parametrize(
    ("number", "code"),
    [
        (errno.ENOSPC, "storage_full"),
        (errno.EDQUOT, "storage_full"),
        (errno.EACCES, "target_refused"),
        (errno.EROFS, "target_refused"),
        (errno.EIO, "target_failure"),
    ],
)
def test_what_a_disk_says_is_told_by_its_code(number: int, code: str) -> None:
    assert disk_failure(OSError(number, "it said so"), "/mnt/disk").code == code


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({}, "Name a file"),
        ({"path": "x", "target": "./x"}, "not to both"),
        ({"path": "x", "keep": 3}, "`keep` and `every` are for targets"),
        ({"target": "./x", "keep": 0}, "always kept"),
    ],
)
def test_a_backup_goes_to_one_place(memory: Memory, given: dict[str, object], words: str) -> None:
    with pytest.raises(RecollectError, match=words):
        memory.backup(**given)  # type: ignore[arg-type]
