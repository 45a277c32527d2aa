"""Several machines in one test: each with its own home, store and clock, and a real bare remote between them."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from recollect import Memory, RecollectError
from tests.support.clock import SteadyClock


def bare_remote(path: Path) -> Path:
    git("init", "--quiet", "--bare", str(path))
    return path


def git(*words: str) -> str:
    return subprocess.run(["git", *words], check=True, capture_output=True, text=True, timeout=60).stdout


@contextmanager
def machines(folder: Path, count: int, *, remote: Path | None = None) -> Iterator[list[Memory]]:
    """Machines that share a remote, each with a vault; their clocks are an hour apart."""
    address = str(remote or bare_remote(folder / "remote.git"))
    opened = []
    for number in range(count):
        clock = SteadyClock(f"2026-01-01T0{number}:00:00+00:00")
        memory = Memory(home=folder / f"machine-{number}", principal=f"user-{number}", clock=clock)
        memory.open_vault(remote=address)
        opened.append(memory)
    try:
        yield opened
    finally:
        for memory in opened:
            memory.close()


def refusal(memory: Memory) -> RecollectError:
    """Why a machine will not sync."""
    with pytest.raises(RecollectError) as caught:
        memory.sync()
    return caught.value


def folder_of(memory: Memory) -> Path:
    return memory.settings.home / "vault" / "default"


def files_of(memory: Memory) -> dict[str, bytes]:
    """Every file that other machines have too, by its path."""
    tree = folder_of(memory) / "memory"
    return {path.relative_to(tree).as_posix(): path.read_bytes() for path in sorted(tree.rglob("*.md"))}


def file_of(memory: Memory, note_id: str) -> Path:
    [found] = files_with(folder_of(memory), note_id)
    return found


def files_with(folder: Path, note_id: str) -> list[Path]:
    """The files of a note, whatever they are called: their front matter says whose they are."""
    line = f"id: {note_id}".encode()
    return [path for path in sorted(folder.rglob("*.md")) if line in path.read_bytes().splitlines()]


def in_step(memories: list[Memory], rounds: int = 2) -> None:
    """Sync every machine, as often as quiet rounds take; then all of them must have the same files."""
    for _ in range(rounds):
        for memory in memories:
            memory.sync()
    files = [files_of(memory) for memory in memories]
    assert all(each == files[0] for each in files), "the vaults are not the same"
    assert not any(b"<<<<<<<" in content or b">>>>>>>" in content for content in files[0].values())


def remote_bytes(remote: Path) -> bytes:
    """All that any ref of a remote leads to, as text."""
    heads = git("--git-dir", str(remote), "for-each-ref", "--format=%(refname)").split()
    return git("--git-dir", str(remote), "log", "-p", "--all").encode() if heads else b""
