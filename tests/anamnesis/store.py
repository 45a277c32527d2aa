"""A store that Anamnesis made is opened, edited and synced, and Anamnesis goes on with it.

A plain run of pytest does not find it: `make test-anamnesis` installs the package into an environment of its own and
names this file.
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from recollect import Memory
from tests.anamnesis import program
from tests.vault.machines import bare_remote, git

PYTHON = os.environ["RECOLLECT_ANAMNESIS"]  # of the package's environment; `make test-anamnesis` says where it is


def anamnesis(verb: str, *words: object) -> Any:
    """What the package says to one of the verbs of `program`."""
    done = subprocess.run(
        [PYTHON, program.__file__, verb, *map(str, words)], check=False, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def files_of(store: Path) -> dict[str, bytes]:
    return {path.relative_to(store).as_posix(): path.read_bytes() for path in sorted(store.rglob("*.md"))}


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A store that the package made, and that it shares with a remote of its own."""
    anamnesis("write", tmp_path / "anamnesis")
    assert anamnesis("sync", tmp_path / "anamnesis", bare_remote(tmp_path / "theirs.git"))["pushed"]
    return tmp_path / "anamnesis"


def by_title(notes: list[dict[str, Any]], title: str) -> dict[str, Any]:
    return next(note for note in notes if note["title"].startswith(title))


def test_a_store_opens_as_it_is_and_every_byte_stays(store: Path, tmp_path: Path) -> None:
    notes, before = anamnesis("read", store), files_of(store)
    with Memory(home=tmp_path / "home") as memory:
        opened = memory.open_vault(str(store))
        assert (set(opened.taken_in), opened.problems) == ({note["id"] for note in notes}, ())
        memory.sync()
        for said in notes:
            note = memory.get(said["id"])
            assert note.kind == said["type"]
            assert note.text == (said["body"] or said["title"])
            assert note.confidence == said["confidence"]
            assert note.recorded_at.isoformat() == said["created_at"]
            assert list(note.tags) == sorted(tag.lower() for tag in said["tags"])
            assert (note.scope.machine is not None) == (said["scope"] == "machine-local")
        assert memory.get(by_title(notes, "Database")["id"]).text.endswith("17.")
    assert files_of(store) == before
    assert anamnesis("read", store) == notes


def test_what_we_edit_write_and_sync_the_package_can_read(store: Path, tmp_path: Path) -> None:
    notes, before = anamnesis("read", store), files_of(store)
    deploy, happened = by_title(notes, "Deploy"), by_title(notes, "'Quoted'")
    ours = str(bare_remote(tmp_path / "ours.git"))
    with Memory(home=tmp_path / "home") as here, Memory(home=tmp_path / "other") as there:
        here.open_vault(str(store))
        here.sync(remote=ours)
        there.sync(remote=ours)
        here.update(deploy["id"], text="Run the migrations with a lock timeout.", tags=["deploy", "new"])
        there.update(happened["id"], title="The build broke")
        fresh = there.save("Zebras graze at night", title="Zebras", kind="lesson")
        for memory in (there, here, there, here):
            memory.sync()
        assert here.get(happened["id"]).title == "The build broke"
    found = {note["id"]: note for note in anamnesis("read", store)}
    assert found.keys() == {*(note["id"] for note in notes), fresh.id}
    assert found[deploy["id"]]["body"] == "Run the migrations with a lock timeout."
    assert sorted(found[deploy["id"]]["tags"]) == ["deploy", "new"]
    assert (found[happened["id"]]["title"], found[happened["id"]]["body"]) == ("The build broke", happened["body"])
    assert (found[fresh.id]["body"], found[fresh.id]["scope"]) == ("Zebras graze at night", "portable")
    assert anamnesis("search", store, "zebras") == [fresh.id]
    untouched = {path for path in before if deploy["id"] not in path and happened["id"] not in path}
    assert {path: files_of(store)[path] for path in untouched} == {path: before[path] for path in untouched}


def test_what_the_package_writes_afterwards_comes_in_and_its_own_sync_goes_on(store: Path, tmp_path: Path) -> None:
    deploy = by_title(anamnesis("read", store), "Deploy")
    ours = str(bare_remote(tmp_path / "ours.git"))
    with Memory(home=tmp_path / "home") as here, Memory(home=tmp_path / "other") as there:
        here.open_vault(str(store))
        here.update(deploy["id"], tags=["ours"])
        here.sync(remote=ours)
        edited, fresh = anamnesis("change", store, deploy["id"], "Edited by the package.")
        here.sync()
        there.sync(remote=ours)
        for memory in (here, there):
            assert memory.get(edited["id"]).text == "Edited by the package."
            assert memory.get(edited["id"]).tags == ("ours",)
            assert memory.get(fresh["id"]).title == "Rollback"
    synced = anamnesis("sync", store, tmp_path / "theirs.git")
    assert (synced["pushed"], synced["conflicted"]) == (True, False)
    sent = git("--git-dir", str(tmp_path / "theirs.git"), "ls-tree", "-r", "--name-only", "main").split()
    assert f"procedural/{fresh['id']}.md" in sent
    assert all(path.endswith(".md") for path in sent), "nothing of ours is among its files"
