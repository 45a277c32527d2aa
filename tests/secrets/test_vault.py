"""A secret that somebody writes into a file of the vault gets into no note, and into nothing that git keeps."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from recollect import InvalidInput, Memory
from tests.secrets.vendors import bytes_under, left_in, vendors


def test_a_secret_in_an_edited_file_is_taken_out_of_note_file_and_history(tmp_path: Path) -> None:
    remote = tmp_path / "remote.git"
    subprocess.run(["git", "init", "-q", "--bare", str(remote)], check=True)
    items = vendors()[:30]
    with Memory(home=tmp_path / "home") as memory:
        notes = [memory.save(f"Note {number} about tea.", project="p") for number in range(len(items))]
        memory.open_vault(str(tmp_path / "files"), remote=str(remote))
        for note, item in zip(notes, items, strict=True):
            [file] = [each for each in (tmp_path / "files").rglob("*.md") if note.id in each.read_text("utf-8")]
            told = file.read_text(encoding="utf-8").replace("about tea", f"about {item.text}")
            file.write_text(
                told.replace("\n---\n", f"\nmood: {min(item.kinds)} {item.text}\n---\n", 1), encoding="utf-8"
            )
        scanned = memory.scan_vault()
        assert len(scanned.taken_in) == len(items), scanned.problems
        memory.sync()
        assert all(item.secret not in memory.get(note.id).text for note, item in zip(notes, items, strict=True))
        assert memory.scan_vault().taken_in == (), "a file that was written anew is no edit"
    assert left_in(bytes_under(tmp_path), items) == []
    for repository in (remote, *(tmp_path / "home").rglob("repository.git")):
        read = ["git", "-C", str(repository), "cat-file", "--batch-all-objects", "--batch"]
        kept = subprocess.run(read, check=True, capture_output=True).stdout
        assert b"about" in kept
        assert left_in(kept, items) == []


def test_a_remote_with_a_password_in_its_address_is_not_kept(tmp_path: Path) -> None:
    with Memory(home=tmp_path) as memory, pytest.raises(InvalidInput) as refused:
        memory.open_vault(remote="https://me:hunter2hunter2@git.example.com/memory.git")
    assert refused.value.code == "secret_in_remote"
    assert b"hunter2" not in bytes_under(tmp_path)
