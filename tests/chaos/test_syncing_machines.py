"""Machines that edit the same notes and sync as they go, killed in the middle of it: no edit is lost, all end the same.

Machines are processes with homes of their own, and a real bare repository is between them. Edits are counted by the
word each leaves: it must be in the merged note, or in a version or a revision of it.
"""

from __future__ import annotations

import os
import random
import secrets
import signal
from contextlib import ExitStack
from pathlib import Path

import pytest

from recollect import Memory
from recollect.vault.documents import parsed
from tests.chaos.children import Child, Fact, listen, start_together
from tests.chaos.conftest import Figures
from tests.chaos.effort import FULL, LIMIT, quick_folder
from tests.vault.machines import bare_remote, files_of, files_with, folder_of, git

pytestmark = [pytest.mark.chaos, LIMIT]

NOTES = 50 if FULL else 8
ROUNDS = 20 if FULL else 3
KILLS = 22 if FULL else 4
LONGEST = 3600.0 if FULL else 200.0  # seconds for all rounds of all machines
LONGEST_REPRIEVE = 0.6  # seconds a machine may go on after it began to sync: about as long as a sync takes


@pytest.mark.parametrize("crowd", [2, 3, 4] if FULL else [3])
def test_no_edit_is_lost_when_machines_edit_the_same_notes(figures: Figures, crowd: int) -> None:
    with quick_folder() as folder:
        remote = prepared(folder, crowd)
        journal = [fact for said in together(folder, remote, crowd) for fact in said]
        check(figures, folder, crowd, journal, "")


@pytest.mark.parametrize("crowd", [2, 3, 4] if FULL else [2])
def test_no_edit_is_lost_when_machines_are_killed_while_they_sync(figures: Figures, crowd: int) -> None:
    seed = secrets.randbits(32)
    with quick_folder() as folder:
        remote = prepared(folder, crowd)
        journal = killing_spree(folder, remote, crowd, random.Random(seed))
        check(figures, folder, crowd, journal, f", seed {seed}, {KILLS} kills")


def prepared(folder: Path, crowd: int) -> Path:
    """A remote, and machines that all have the same notes."""
    remote = bare_remote(folder / "remote.git")
    with Memory(home=folder / "machine-0") as first:
        marks = "\n".join(f"of {number}" for number in range(crowd))
        for number in range(NOTES):
            first.save(f"note {number}\n{marks}\nlast", tags=["shared"])
        first.open_vault()
        first.sync(remote=str(remote))
    for number in range(1, crowd):
        with Memory(home=folder / f"machine-{number}") as memory:
            memory.sync(remote=str(remote))
    return remote


def together(folder: Path, remote: Path, crowd: int) -> list[list[Fact]]:
    """All machines at once, each for all its rounds."""
    with ExitStack() as lives:
        children = [
            lives.enter_context(Child("syncer", number, folder / f"machine-{number}", remote, 0, ROUNDS))
            for number in range(crowd)
        ]
        start_together(children)
        assert listen(children, until=lambda: all(child.ended for child in children), seconds=LONGEST)
        return [child.finish() for child in children]


def killing_spree(folder: Path, remote: Path, crowd: int, chance: random.Random) -> list[Fact]:
    """One machine after the other is killed with everything it started, and begins again."""
    journal: list[Fact] = []
    begun = [0] * crowd
    for kill in range(KILLS):
        number = kill % crowd
        with Child("syncer", number, folder / f"machine-{number}", remote, begun[number], 2) as victim:
            assert victim.next() == {"ready": True}
            victim.tell("go")
            assert listen([victim], until=lambda heard=victim.heard: any("syncing" in fact for fact in heard))  # type: ignore[misc]
            listen([victim], seconds=chance.uniform(0, LONGEST_REPRIEVE))
            os.killpg(victim.pid, signal.SIGKILL)
            listen([victim], until=lambda child=victim: child.ended)  # type: ignore[misc]
            journal += victim.heard
        begun[number] += 2
    return journal


def check(figures: Figures, folder: Path, crowd: int, journal: list[Fact], how: str) -> None:
    memories = [Memory(home=folder / f"machine-{number}") for number in range(crowd)]
    for _ in range(2 if crowd == 2 else 3):
        for memory in memories:
            memory.sync()
    words = [(fact["edited"], fact["word"]) for fact in journal if "edited" in fact]
    saved = [fact["saved"] for fact in journal if "saved" in fact]
    failed = [fact for fact in journal if "failed" in fact]
    figures(f"{crowd} machines: {len(words)} edits and {len(saved)} new notes, {len(failed)} blocked rounds{how}")

    vaults = [files_of(memory) for memory in memories]
    assert all(vault == vaults[0] for vault in vaults), "the vaults are not the same, byte for byte"
    assert not any(b"<<<<<<<" in content for content in vaults[0].values())
    assert failed == []
    assert [note_id for note_id in saved if any(not has(memory, note_id) for memory in memories)] == []
    histories = "".join(history(memory) for memory in memories)
    current = {parsed(content).id: content.decode() for content in vaults[0].values()}
    gone = [(note_id, word) for note_id, word in words if word not in current[note_id] and word not in histories]
    assert gone == []
    for memory in memories:
        assert memory.doctor().healthy
        memory.close()


def has(memory: Memory, note_id: str) -> bool:
    return bool(files_with(folder_of(memory) / "memory", note_id))


def history(memory: Memory) -> str:
    """Everything any version or revision of any note ever said, on one machine."""
    repository = folder_of(memory) / ".recollect" / "repository.git"
    versions = (record for page in pages(memory) for record in page)
    return "\n".join(map(str, versions)) + git("--git-dir", str(repository), "log", "-p", "--all", "-m")


def pages(memory: Memory) -> list[tuple[dict[str, object], ...]]:
    found = [memory.export(limit=1000)]
    while found[-1].next_cursor:
        found.append(memory.export(cursor=found[-1].next_cursor, limit=1000))
    return [page.records for page in found]
