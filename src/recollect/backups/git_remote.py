"""Any git remote as a target: each object is a ref of its own below `refs/recollect/backups`.

A ref moves in one step, so an object is there whole or not at all; two machines never write the same one; and nothing
else of the remote is read or written. Objects are cut into parts, since hosts refuse large files.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from recollect.backups.addresses import GitAddress
from recollect.backups.targets import (
    MOST_MANIFEST_BYTES,
    Item,
    Moved,
    failed,
    full,
    not_there,
    object_not_there,
    refused,
    unreachable,
)
from recollect.domain.errors import RecollectError, Unsupported
from recollect.vault.git import surroundings

if TYPE_CHECKING:
    from io import BufferedReader
    from subprocess import Popen

_REFS = "refs/recollect/backups/"
_PART = 32 << 20  # bytes; the lowest limit of a well-known host is 50 MB for one file
_CHUNK = 1 << 20
_PERCENT = re.compile(rb"(?:Writing|Receiving) objects: +(\d+)%")
# Packed already, so nothing is packed or compared again; what does not answer for a minute is given up.
_SETTINGS = {
    "core.bigFileThreshold": "1m",
    "core.compression": "0",
    "core.hooksPath": os.devnull,
    "gc.auto": "0",
    "http.lowSpeedLimit": "1000",
    "http.lowSpeedTime": "60",
}
_WHO = {
    name: value
    for role in ("AUTHOR", "COMMITTER")
    for name, value in ((f"GIT_{role}_NAME", "recollect"), (f"GIT_{role}_EMAIL", "recollect@localhost"))
}
_SSH = "ssh -o BatchMode=yes -o ConnectTimeout=20 -o ServerAliveInterval=15 -o ServerAliveCountMax=4"

_SAID: tuple[tuple[tuple[str, ...], str], ...] = (
    (("no space left", "disk quota", "quota exceeded", "over its data quota"), "full"),
    (
        (
            "permission denied", "authentication failed", "could not read username", "could not read password",
            "access denied", "insufficient permission", "read-only", "declined", "returned error: 403",
            "publickey", "host key verification failed", "unable to create temporary object", "denied to",
        ),
        "refused",
    ),
    (("not found", "does not appear to be a git repository", "does not exist", "no such file"), "missing"),
    (
        (
            "could not resolve", "unable to access", "failed to connect", "timed out", "connection", "hung up",
            "no route to host", "could not read from remote repository", "early eof",
        ),
        "unreachable",
    ),
)  # fmt: skip


class GitRemote:
    """Refs of a git remote, through a repository of our own that is thrown away."""

    def __init__(self, address: GitAddress, scratch: Path) -> None:
        self.shown = address.shown
        self._remote = address.remote
        self._path = scratch / "repository.git"
        self._run("init", "--bare", "--quiet", "--template=", str(self._path), inside=False)

    def items(self) -> Sequence[Item]:
        told = self._run("ls-remote", "--refs", "--", self._remote, f"{_REFS}*")
        return [Item(line.split(b"\t")[1].decode().removeprefix(_REFS), None) for line in told.splitlines()]

    def read(self, names: Collection[str]) -> dict[str, bytes]:
        if not names:
            return {}
        self._fetch([f"+{_REFS}{name}:{_REFS}{name}" for name in names])
        found: dict[str, bytes] = {}
        for name in names:
            parts = self._parts(name)
            small = sum(size for _, size in parts) <= MOST_MANIFEST_BYTES
            found[name] = b"".join(self._run("cat-file", "blob", part) for part, _ in parts) if small else b""
        return found

    def put(self, name: str, file: Path, moved: Moved) -> None:
        blobs: list[str] = []
        with file.open("rb") as reader:
            while part := reader.read(_PART):
                blobs.append(self._run("hash-object", "-w", "--stdin", stdin=part).decode().strip())
        listed = "".join(f"100644 blob {blob}\t{number:05}\n" for number, blob in enumerate(blobs))
        tree = self._run("mktree", stdin=listed.encode()).decode().strip()
        commit = self._run("commit-tree", tree, "-m", name).decode().strip()
        size = file.stat().st_size
        self._run(
            "push", "--progress", "--no-verify", "--", self._remote, f"{commit}:{_REFS}{name}",
            percent=lambda share: moved(size * share // 100),
        )  # fmt: skip
        moved(size)

    def fetch(self, name: str, into: Path, moved: Moved) -> None:
        if name not in {item.name for item in self.items()}:
            raise object_not_there(self.shown, name)
        self._fetch([f"+{_REFS}{name}:{_REFS}{name}"])
        done = 0
        with into.open("xb") as writer:
            for part, size in self._parts(name):
                writer.write(self._run("cat-file", "blob", part))
                done += size
                moved(done)

    def remove(self, names: Collection[str]) -> None:
        there = {item.name for item in self.items()}
        gone = [f":{_REFS}{name}" for name in names if name in there]
        if gone:
            self._run("push", "--no-verify", "--quiet", "--", self._remote, *gone)

    def _fetch(self, refs: Sequence[str]) -> None:
        self._run("fetch", "--no-tags", "--no-write-fetch-head", "--quiet", "--", self._remote, *refs)

    def _parts(self, name: str) -> list[tuple[str, int]]:
        """The parts of an object that was fetched, in their order, with their sizes."""
        listed = self._run("ls-tree", "-l", "-z", f"{_REFS}{name}").decode().split("\0")
        cut = sorted((line.partition("\t")[2], line.split()) for line in listed if line)
        return [(words[2], int(words[3])) for _, words in cut if words[1] == "blob"]

    def _run(
        self,
        *words: str,
        stdin: bytes = b"",
        inside: bool = True,
        percent: Moved | None = None,
    ) -> bytes:
        import subprocess
        from threading import Thread

        settings = [word for name, value in _SETTINGS.items() for word in ("-c", f"{name}={value}")]
        where = ["--git-dir", str(self._path)] if inside else []
        try:
            process = subprocess.Popen(  # noqa: S603
                ["git", *settings, *where, *words],  # noqa: S607
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env={**surroundings(_SSH), **_WHO},
            )
        except FileNotFoundError:
            raise Unsupported("Git is not installed.", hint="Install git; a git target needs it.") from None
        said = bytearray()
        listening = Thread(target=_heard, args=(process.stderr, said, percent), daemon=True)
        with process:
            listening.start()
            try:
                told = _exchanged(process, stdin)
            except BaseException:
                process.kill()
                raise
            finally:
                listening.join()
        if process.returncode:
            raise self._failure(words[0], said.decode("utf-8", "replace"))
        return told

    def _failure(self, command: str, said: str) -> RecollectError:
        lowered = said.lower()
        kind = next((kind for signs, kind in _SAID if any(sign in lowered for sign in signs)), "")
        match kind:
            case "full":
                return full(self.shown)
            case "refused":
                return refused(self.shown)
            case "missing":
                return not_there(f"git repository {self.shown}", "Make it first, with `git init --bare`.")
            case "unreachable":
                return unreachable(self.shown)
            case _:
                return failed(self.shown, f"git ended `{command}` with an error")


def _exchanged(process: Popen[bytes], stdin: bytes) -> bytes:
    """Give a process its input and take its output; its messages are listened to beside this."""
    if process.stdin is None or process.stdout is None:
        raise AssertionError("git is started with pipes")
    with suppress(BrokenPipeError):
        process.stdin.write(stdin)
        process.stdin.close()
    return process.stdout.read()


def _heard(messages: BufferedReader, said: bytearray, percent: Moved | None) -> None:
    while chunk := messages.read1(_CHUNK):
        said += chunk
        found = _PERCENT.findall(chunk)
        if found and percent is not None:
            with suppress(Exception):  # whoever watches may fail; git must not wait for it
                percent(int(found[-1]))
