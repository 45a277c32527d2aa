"""A sync that finds nothing changed only looks; one that could miss something does everything."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from recollect import Memory
from recollect.vault import git, rounds
from tests.vault.machines import file_of, folder_of, in_step


@pytest.fixture
def settled(two: tuple[Memory, Memory]) -> tuple[Memory, Memory]:
    """Two machines in step, whose files were written long enough ago."""
    here, there = two
    for number in range(3):
        here.save(f"note {number}")
    in_step([here, there])
    for memory in two:
        for path in folder_of(memory).rglob("*.md"):
            long_ago(path)
    in_step([here, there])
    return two


def long_ago(path: Path) -> None:
    os.utime(path, ns=(1_700_000_000_000_000_000, 1_700_000_000_000_000_000))


@pytest.fixture
def whole_rounds(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    done: list[object] = []
    whole = rounds._round

    def counted(*args: object) -> object:
        done.append(args)
        return whole(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(rounds, "_round", counted)
    return done


def test_where_nothing_changed_git_is_asked_once_for_the_refs_of_the_remote(
    settled: tuple[Memory, Memory], whole_rounds: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    run = git.GitRepository._run_bytes

    def heard(self: git.GitRepository, *words: str, **how: object) -> bytes:
        asked.append(words[0])
        return run(self, *words, **how)  # type: ignore[arg-type]

    monkeypatch.setattr(git.GitRepository, "_run_bytes", heard)
    assert settled[0].sync().head is not None
    assert (whole_rounds, asked) == ([], ["ls-remote"])


def save(here: Memory, there: Memory) -> None:
    here.save("something new")


def arrive(here: Memory, there: Memory) -> None:
    there.save("something new elsewhere")
    there.sync()


def edit(here: Memory, there: Memory) -> None:
    path = file_of(here, here.list().items[0].id)
    path.write_text(path.read_text() + "more\n")


def replace(here: Memory, there: Memory) -> None:
    """By another file of the same size and the same time."""
    path = file_of(here, here.list().items[0].id)
    other = path.with_suffix(".draft")
    other.write_text(path.read_text().replace("---\nnote", "---\nvote"))
    long_ago(other)
    other.replace(path)


def add(here: Memory, there: Memory) -> None:
    (folder_of(here) / "page.md").write_text("a page\n")
    long_ago(folder_of(here) / "page.md")


def delete(here: Memory, there: Memory) -> None:
    file_of(here, here.list().items[0].id).unlink()


def lose(here: Memory, there: Memory) -> None:
    """The list of files that we keep."""
    (folder_of(here) / ".recollect" / "files.json").unlink()


@pytest.mark.parametrize("change", [save, arrive, edit, replace, add, delete, lose])
def test_whatever_changed_is_found(
    settled: tuple[Memory, Memory], whole_rounds: list[object], change: Callable[[Memory, Memory], None]
) -> None:
    here, there = settled
    change(here, there)
    whole_rounds.clear()
    here.sync()
    assert len(whole_rounds) == 1
    in_step([here, there])


def test_problems_are_told_by_every_sync_until_they_are_gone(settled: tuple[Memory, Memory]) -> None:
    here, _ = settled
    bad = folder_of(here) / "bad.md"
    bad.write_bytes(b"\xff")
    long_ago(bad)
    assert [[problem.path for problem in here.sync().problems] for _ in range(3)] == [["bad.md"]] * 3
    bad.unlink()
    assert here.sync().problems == ()
