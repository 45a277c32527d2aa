"""A store as the published package of Anamnesis left it (0.1.3), written by `tests/anamnesis/program.py`.

`make test-anamnesis` asks the package itself.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from recollect import Memory
from tests.anamnesis.program import NOTES
from tests.vault.machines import bare_remote

STORE = Path(__file__).with_name("anamnesis_store")
KEYS = [
    "id", "type", "title", "project", "machine_id", "scope", "user_id", "workspace_id", "prov_source", "confidence",
    "prov_model", "prov_session", "supersedes", "created_at", "updated_at", "tags",
]  # fmt: skip


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return Path(shutil.copytree(STORE, tmp_path / "anamnesis"))


def files_of(store: Path) -> dict[str, bytes]:
    return {path.relative_to(store).as_posix(): path.read_bytes() for path in sorted(store.rglob("*.md"))}


def test_a_store_opens_with_all_that_was_said_and_keeps_every_byte(memory: Memory, store: Path) -> None:
    opened = memory.open_vault(str(store))
    assert (len(opened.taken_in), opened.problems) == (len(NOTES) + 1, ())
    notes = {note.title or note.text: note for note in memory.list(limit=100, state="any").items}
    for said in NOTES[1:]:
        note = notes[said["title"]]
        assert (note.kind, note.text) == (said["type"], said["body"] or said["title"])
        assert note.tags == tuple(sorted(tag.lower() for tag in said.get("tags", ())))
        assert (note.confidence, note.scope.project) == (said.get("confidence", 1.0), said.get("project"))
        assert (note.scope.machine is not None) == (said.get("scope") == "machine-local")
    chain = memory.history(notes["Database"].id).steps
    assert [step.note.text[-3:] for step in chain] == ["16.", "17."], "what took over from it is known"
    assert [hit.id for hit in memory.search("migrations").hits][:1] == [notes[NOTES[1]["title"]].id]
    memory.scan_vault()
    assert files_of(store) == files_of(STORE)


def test_an_edit_changes_one_file_and_the_other_machine_has_them_all(store: Path, tmp_path: Path) -> None:
    remote = str(bare_remote(tmp_path / "remote.git"))
    with Memory(home=tmp_path / "home") as here, Memory(home=tmp_path / "other") as there:
        here.open_vault(str(store))
        [deploy] = [note for note in here.list(limit=100).items if note.kind == "procedural"]
        here.update(deploy.id, text="Run the migrations with a lock timeout.")
        here.sync(remote=remote)
        there.sync(remote=remote)
        assert there.get(deploy.id).text == "Run the migrations with a lock timeout."
        assert len(files_of(tmp_path / "other" / "vault" / "default")) == len(NOTES), "the local one stayed"
    before, after = files_of(STORE), files_of(store)
    assert [path for path in after if after[path] != before[path]] == [f"memory/procedural/{deploy.id}.md"]
    for path in (f"memory/procedural/{deploy.id}.md", *before):
        front = after[path].decode().split("---\n")[1]
        keys = [line.partition(":")[0] for line in front.splitlines() if line[0] not in " -"]
        ours_or_theirs = [key for key in keys if key in KEYS]
        assert ours_or_theirs == [key for key in KEYS if key in keys]
        assert keys[: len(ours_or_theirs)] == ours_or_theirs, "what it does not know follows what it knows"
