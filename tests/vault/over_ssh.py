"""Two laptops and a server, each in a network of its own, with a real ssh between them and a cable that can be pulled.

A plain run of pytest does not find it: it needs root, `ip netns` and an ssh server, which `make machines` sees to.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.vault.machines import bare_remote, files_with

pytestmark = pytest.mark.timeout(600)

SSHD = "/usr/sbin/sshd"  # it must be called by its whole path, because it starts itself again
PORT = 2222  # in a network of its own, where nobody else is
LIMIT = 120  # seconds for one command


def run(*words: str, check: bool = True, **more: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(words, check=check, capture_output=True, text=True, timeout=LIMIT, **more)


@dataclass(frozen=True, slots=True)
class Laptop:
    """A machine in a network namespace, with a home of its own and one cable to the server."""

    name: str
    namespace: str
    address: str  # of the server, as this machine sees it
    folder: Path
    remote: Path

    def recollect(self, *words: str) -> subprocess.CompletedProcess[str]:
        ssh = f"ssh -F none -i {shlex.quote(str(self.folder / 'key'))} -o BatchMode=yes -o ConnectTimeout=5"
        known = f"-o StrictHostKeyChecking=accept-new -o UserKnownHostsFile={self.folder / f'known-{self.name}'}"
        kept = {name: value for name, value in os.environ.items() if name in ("PATH", "PYTHONPATH", "LANG")}
        environment = {
            **kept,
            "HOME": str(self.folder / self.name),
            "RECOLLECT_HOME": str(self.folder / self.name / "memory"),
            "GIT_SSH_COMMAND": f"{ssh} {known}",
        }
        inside = ("ip", "netns", "exec", self.namespace)
        return run(
            *inside, sys.executable, "-m", "recollect", *words, "--json", check=False, env=environment, cwd=self.folder
        )

    def ok(self, *words: str) -> Any:
        done = self.recollect(*words)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    def join(self) -> Any:
        address = f"ssh://root@{self.address}:{PORT}{self.remote}"
        return self.ok("init", "--yes", "--no-mcp", "--no-hooks", "--remote", address, "--machine-id", self.name)

    def cable(self, state: str) -> None:
        run("ip", "-n", self.namespace, "link", "set", "cable", state)


@pytest.fixture
def laptops(tmp_path: Path) -> Iterator[tuple[Laptop, Laptop]]:
    with ExitStack() as lives:
        server = namespace(lives, "server")
        remote = bare_remote(tmp_path / "memory.git")
        run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(tmp_path / "key"))
        run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(tmp_path / "host-key"))
        made = []
        for number, name in enumerate(("thinkpad", "desktop"), start=1):
            (tmp_path / name).mkdir()
            own = namespace(lives, name)
            end = f"to-{name}"[:15]
            run("ip", "-n", own, "link", "add", "cable", "type", "veth", "peer", "name", end, "netns", server)
            for where, device, host in ((own, "cable", 2), (server, end, 1)):
                run("ip", "-n", where, "address", "add", f"10.77.{number}.{host}/24", "dev", device)
                run("ip", "-n", where, "link", "set", device, "up")
            made.append(Laptop(name, own, f"10.77.{number}.1", tmp_path, remote))
        lives.enter_context(ssh_server(server, tmp_path))
        yield made[0], made[1]


def namespace(lives: ExitStack, name: str) -> str:
    full = f"recollect-{os.getpid()}-{name}"
    run("ip", "netns", "add", full)
    lives.callback(run, "ip", "netns", "delete", full)
    run("ip", "-n", full, "link", "set", "lo", "up")
    return full


def ssh_server(inside: str, folder: Path) -> Any:
    Path("/run/sshd").mkdir(exist_ok=True)
    settings = folder / "sshd_config"
    settings.write_text(
        f"Port {PORT}\nHostKey {folder}/host-key\nAuthorizedKeysFile {folder}/key.pub\nPidFile none\n"
        "PermitRootLogin prohibit-password\nPasswordAuthentication no\nUsePAM no\nStrictModes no\n"
    )
    process = subprocess.Popen(
        ["ip", "netns", "exec", inside, SSHD, "-D", "-e", "-f", str(settings)], stderr=subprocess.PIPE, text=True
    )
    assert process.stderr is not None
    for line in process.stderr:
        if "listening on" in line:
            break
    lives = ExitStack()
    lives.enter_context(process)
    lives.callback(process.terminate)
    return lives


def test_two_laptops_meet_on_a_server_over_ssh(laptops: tuple[Laptop, Laptop]) -> None:
    here, there = laptops
    note = here.ok("save", "Alice prefers tea", "--tag", "drink")
    assert here.join()["vault"]["sent"] == [note["id"]]
    assert there.join()["vault"]["received"] == [note["id"]]
    [file] = files_with(there.folder / there.name / "memory" / "vault", note["id"])
    file.write_text(file.read_text() + "and oolong on Sundays\n")
    here.ok("update", note["id"], "--tag", "drink", "--tag", "alice")
    for laptop in (here, there, here):
        laptop.ok("sync")
    assert [each.ok("get", note["id"])["text"] for each in laptops] == ["Alice prefers tea\nand oolong on Sundays"] * 2
    assert there.ok("get", note["id"])["tags"] == ["alice", "drink"]
    assert {each["name"] for each in here.ok("machines")["machines"]} == {"thinkpad", "desktop"}


def test_a_pulled_cable_is_said_and_what_was_written_meanwhile_goes_later(laptops: tuple[Laptop, Laptop]) -> None:
    here, there = laptops
    here.join()
    there.join()
    here.cable("down")
    note = here.ok("save", "written on the train")
    refused = here.recollect("sync")
    assert refused.returncode != 0
    assert json.loads(refused.stderr)["error"]["code"] == "remote_unreachable"
    here.cable("up")
    assert here.ok("sync")["remote"].startswith("ssh://")
    assert there.ok("sync")["received"] == [note["id"]]


def test_a_key_that_is_not_known_there_is_said_before_anything_is_written(laptops: tuple[Laptop, Laptop]) -> None:
    here, _ = laptops
    run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(here.folder / "another"))
    (here.folder / "another").replace(here.folder / "key")
    address = f"ssh://root@{here.address}:{PORT}{here.remote}"
    refused = here.recollect("init", "--yes", "--no-mcp", "--no-hooks", "--remote", address)
    assert json.loads(refused.stderr)["error"]["code"] == "remote_unreachable"
    assert "Permission denied" in json.loads(refused.stderr)["error"]["message"]
    assert not (here.folder / here.name / "memory").exists()
