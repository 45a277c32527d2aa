"""While a server runs, an edited file is in search a moment later, and a saved note is a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from recollect import Memory
from recollect.domain.answers.vaults import VaultReport
from recollect.surfaces.server.vault_watch import Watch, watching
from tests.vault.machines import files_with

PATIENCE = 240.0  # seconds; a look takes some milliseconds, but the machine may be busy


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    return Memory(home=tmp_path / "home", principal="alice")


def test_an_edited_file_is_found_and_a_new_note_is_written_without_being_asked(memory: Memory) -> None:
    note = memory.save("Alice prefers tea")
    folder = Path(memory.open_vault().folder)
    [file] = files_with(folder, note.id)
    with watching(memory, every=0.01) as watch:
        file.write_text(file.read_text().replace("prefers tea\n", "prefers oolong\n"))
        other = memory.save("Bob prefers coffee")
        assert watch.wait(2, seconds=PATIENCE)
    assert [hit.id for hit in memory.search("oolong").hits] == [note.id]
    assert memory.get(note.id).origin.channel == "vault-edit"
    assert files_with(folder, other.id)
    memory.close()


def test_a_look_that_fails_is_tried_again(memory: Memory, caplog: pytest.LogCaptureFixture) -> None:
    note = memory.save("Alice prefers tea")
    folder = Path(memory.open_vault().folder)
    settings = folder / ".recollect" / "vault.json"
    said = settings.read_text()
    with watching(memory, every=0.01) as watch:
        settings.write_text("{")
        assert watch.wait(2, seconds=PATIENCE)
        settings.write_text(said)
        memory.update(note.id, text="Alice prefers oolong")
        assert watch.wait(2, seconds=PATIENCE)
    assert "could not be looked at" in caplog.text
    [file] = files_with(folder, note.id)
    assert file.read_text().endswith("oolong\n")
    memory.close()


def test_a_change_during_a_look_is_seen_by_the_next(memory: Memory) -> None:
    note = memory.save("Alice prefers tea")
    folder = Path(memory.open_vault().folder)
    watch = Watch(memory)
    watch.look_at("default")
    whole = Memory.scan_vault

    def interrupted(self: Memory, *, space: str) -> VaultReport:
        report = whole(self, space=space)
        self.update(note.id, text="Alice prefers oolong")
        return report

    memory.update(note.id, text="Alice prefers green tea")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Memory, "scan_vault", interrupted)
        watch.look_at("default")
    watch.look_at("default")
    [file] = files_with(folder, note.id)
    assert file.read_text().endswith("oolong\n")
    memory.close()


def test_a_vault_in_step_is_not_scanned_again(memory: Memory) -> None:
    memory.save("Alice prefers tea")
    memory.open_vault()
    watch = Watch(memory)
    for _ in range(3):
        watch.look_at("default")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Memory, "scan_vault", lambda *_, **__: pytest.fail("it was scanned"))
        watch.look_at("default")
    memory.close()


def test_without_a_vault_there_is_nothing_to_watch(memory: Memory) -> None:
    with watching(memory, every=0.01) as watch:
        assert watch.wait(2, seconds=PATIENCE)
    memory.close()
