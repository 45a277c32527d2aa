"""In a vault the files of messages lie beside the pages that were read from them, with links, and go when they go."""

from __future__ import annotations

from pathlib import Path

import pytest

from recollect import Memory
from recollect.vault.attached_files import with_links, without_links
from tests.support.small_files import PNG, picture
from tests.vault.machines import files_with, folder_of, git, machines

SAID = "I moved to Berlin last week."


@pytest.fixture
def folder(memory: Memory) -> Path:
    return Path(memory.open_vault().folder)


def _told(memory: Memory, name: str = "flat [1].png", seed: str = "") -> tuple[str, str]:
    """The message and the note of a picture."""
    kept = memory.add(SAID, attachments=[picture(name, seed=seed)])
    assert kept.learned[0].note is not None
    return kept.observation_ids[0], kept.learned[0].note.id


def _attached(folder: Path) -> list[Path]:
    return sorted((folder / "attachments").glob("*")) if (folder / "attachments").exists() else []


def test_a_page_links_to_the_files_of_its_message(memory: Memory, folder: Path) -> None:
    _, note_id = _told(memory)
    memory.scan_vault()
    [file] = _attached(folder)
    assert (file.read_bytes(), file.name[16:]) == (PNG, "-flat _1_.png")
    [page] = files_with(folder, note_id)
    assert f'attachments:\n- "[[attachments/{file.name}]]"\n---\n' in page.read_text()
    report = memory.scan_vault()
    assert (report.written, report.taken_in, report.problems) == (0, (), ())
    assert memory.get(note_id).version == 1


def test_an_edit_of_the_page_is_taken_in_without_the_links(memory: Memory, folder: Path) -> None:
    _, note_id = _told(memory)
    memory.scan_vault()
    [page] = files_with(folder, note_id)
    page.write_text(page.read_text().rstrip("\n") + ", near the canal\n")
    assert memory.scan_vault().taken_in == (note_id,)
    note = memory.get(note_id)
    assert note.text.endswith("near the canal")
    assert "attachments" not in repr(note.metadata)
    assert "[[attachments/" in page.read_text()
    page.write_text(without_links(page.read_bytes()).decode())
    memory.scan_vault()
    assert memory.get(note_id).version == note.version
    assert "[[attachments/" in page.read_text(), "a link that was removed comes back"


def test_forgetting_takes_the_file_out_of_the_folder_at_once(memory: Memory, folder: Path) -> None:
    message, note_id = _told(memory)
    memory.scan_vault()
    memory.forget(message)
    assert not _attached(folder)
    memory.scan_vault()
    [page] = files_with(folder, note_id)
    assert "attachments" not in page.read_text()


def test_forgetting_a_note_takes_its_page_and_its_file(memory: Memory, folder: Path) -> None:
    _, note_id = _told(memory)
    assert memory.add("I work at Acme.", attachments=[picture("desk.png", seed="desk")]).learned
    memory.scan_vault()
    memory.forget(note_id)
    assert [file.name[17:] for file in _attached(folder)] == ["desk.png"]
    assert not files_with(folder, note_id)


def test_a_file_that_somebody_changed_is_left_alone(memory: Memory, folder: Path) -> None:
    message, _ = _told(memory)
    memory.scan_vault()
    [file] = _attached(folder)
    file.write_bytes(b"mine now")
    memory.scan_vault()
    memory.forget(message)
    assert file.read_bytes() == b"mine now"


def test_a_link_in_place_of_the_folder_leads_nowhere(memory: Memory, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (folder / "attachments").symlink_to(tmp_path / "elsewhere")
    _told(memory)
    memory.scan_vault()
    assert not list((tmp_path / "elsewhere").iterdir())


def test_other_machines_and_the_history_have_neither_files_nor_links(tmp_path: Path) -> None:
    with machines(tmp_path, 2) as (here, there):
        _, note_id = _told(here)
        here.sync()
        there.sync()
        here.sync()
        assert _attached(folder_of(here)) and not _attached(folder_of(there))
        [page] = files_with(folder_of(there), note_id)
        assert "attachments" not in page.read_text()
        assert there.get(note_id).text == here.get(note_id).text
        there.update(note_id, text="Ana lives in Bremen")
        there.sync()
        here.sync()
        [page] = files_with(folder_of(here), note_id)
        assert "Bremen" in page.read_text() and "[[attachments/" in page.read_text()
        listed = git("--git-dir", str(tmp_path / "remote.git"), "log", "--all", "-p")
        assert "attachments" not in listed


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_links_come_and_go_without_a_trace(newline: str) -> None:
    bare = "---\nid: X\ntitle: a\n---\nattachments:\n- none\n".replace("\n", newline).encode()
    linked = with_links(bare, [f"attachments/{'0' * 16}-a b.png", f"attachments/{'1' * 16}-c.pdf"])
    assert linked.count(b"[[attachments/") == 2
    assert without_links(linked) == bare
    assert without_links(bare) == bare
    own = b'---\nattachments:\n- "[[attachments/mine.png]]"\n---\ntext\n'
    assert with_links(own, [f"attachments/{'0' * 16}-a.png"]) == own == without_links(own)


def test_forgetting_in_one_part_leaves_the_files_of_the_others(memory: Memory, folder: Path) -> None:
    memory.add(SAID, attachments=[picture("bob.png", seed="bob")], user="bob")
    bound = memory.bound_to(user="ana")
    said = bound.add(SAID, attachments=[picture("ana.png", seed="ana")])
    memory.scan_vault()
    assert len(_attached(folder)) == 2
    bound.forget(said.observation_ids[0], cascade=True)
    assert [file.name[17:] for file in _attached(folder)] == ["bob.png"]
