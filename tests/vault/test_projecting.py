"""Memory and its folder of files, in step both ways, on every store."""

from __future__ import annotations

from pathlib import Path

import pytest

from recollect import Memory, NotFound
from recollect.domain.answers.vaults import VaultReport
from recollect.domain.errors import StorageFull
from tests.vault.machines import files_with
from tests.vault.making import ANAMNESIS, BY_HAND

MINE = "01J9Z8YPM7Q3X2V4WT6B5N0KGD"
MANY = 32  # files from which on they are synced together


@pytest.fixture
def folder(memory: Memory) -> Path:
    return Path(memory.open_vault().folder)


def file_of(folder: Path, note_id: str) -> Path:
    [found] = files_with(folder, note_id)
    return found


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def codes(report: VaultReport) -> set[str]:
    return {problem.code for problem in report.problems}


def test_every_note_becomes_a_file_and_every_change_follows(memory: Memory, folder: Path) -> None:
    note = memory.save("Alice prefers tea", title="Drinks", tags=["drink"], kind="procedural")
    local = memory.save("only here", machine="thinkpad")
    assert memory.scan_vault().written == 2
    assert file_of(folder, note.id) == folder / "memory" / "procedural" / f"drinks-{note.id[-4:].lower()}.md"
    assert file_of(folder, local.id) == folder / "local" / "semantic" / f"only-here-{local.id[-4:].lower()}.md"
    memory.update(note.id, text="Alice prefers coffee")
    memory.retract(local.id)
    memory.scan_vault()
    assert file_of(folder, note.id).read_text().endswith("---\nAlice prefers coffee\n")
    assert not files_with(folder, local.id)


def test_an_edited_file_is_a_new_version_and_is_found(memory: Memory, folder: Path) -> None:
    note = memory.save("Alice prefers tea")
    memory.scan_vault()
    edit(file_of(folder, note.id), "---\nAlice prefers tea", "# by hand\n---\nAlice prefers oolong")
    assert memory.scan_vault().taken_in == (note.id,)
    now = memory.get(note.id)
    assert (now.version, now.text, now.origin.channel) == (2, "Alice prefers oolong", "vault-edit")
    assert [hit.id for hit in memory.search("oolong").hits] == [note.id]
    assert "# by hand\n" in file_of(folder, note.id).read_text()
    settled = memory.scan_vault()
    assert (settled.taken_in, settled.written) == ((), 0)


def test_an_edit_of_the_file_and_one_in_memory_are_both_kept(memory: Memory, folder: Path) -> None:
    note = memory.save("one\ntwo\nthree", tags=["a"])
    memory.scan_vault()
    edit(file_of(folder, note.id), "three\n", "three, from the file\n")
    memory.update(note.id, text="one, from memory\ntwo\nthree", tags=["a", "b"])
    memory.scan_vault()
    now = memory.get(note.id)
    assert (now.text, now.tags) == ("one, from memory\ntwo\nthree, from the file", ("a", "b"))


def test_a_file_of_anamnesis_comes_in_as_it_is_and_keeps_every_byte(memory: Memory, tmp_path: Path) -> None:
    store = tmp_path / "anamnesis"
    for tree, content in (
        ("memory", ANAMNESIS),
        ("local", BY_HAND.replace(b"tags:", b"updated_at: 2026-01-01\ncreated_at: 2026-01-01\ntags:")),
    ):
        (store / tree / "procedural").mkdir(parents=True)
        (store / tree / "procedural" / f"{tree}.md").write_bytes(content)
    assert len(memory.open_vault(str(store)).taken_in) == 2
    memory.scan_vault()
    assert (store / "memory" / "procedural" / "memory.md").read_bytes() == ANAMNESIS
    note = memory.get("01J9ZB0C4F8H2K6M3P9R7S5T1W")
    assert (note.scope.project, note.authority, note.confidence) == ("github.com/alice/anamnesis", "quoted", 0.8)
    assert memory.get(MINE).scope.machine is not None, "the tree decides that it stays here"


def test_a_new_file_with_next_to_nothing_in_it_is_a_note(memory: Memory, folder: Path) -> None:
    path = folder / "memory" / "semantic" / f"{MINE}.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("---\ntitle: Tea\ntype: semantic\n---\nAlice prefers tea\n")
    assert memory.scan_vault().taken_in == (MINE,)
    assert memory.get(MINE).title == "Tea"
    assert f"id: {MINE}\n" in path.read_text()


def test_a_deleted_file_retracts_its_note_unless_that_was_edited(memory: Memory, folder: Path) -> None:
    gone, edited = memory.save("gone"), memory.save("edited")
    for number in range(10):
        memory.save(f"another {number}")
    memory.scan_vault()
    file_of(folder, gone.id).unlink()
    file_of(folder, edited.id).unlink()
    memory.update(edited.id, text="edited in memory")
    assert memory.scan_vault().retracted == (gone.id,)
    assert memory.get(gone.id).state == "retracted"
    assert file_of(folder, edited.id).read_text().endswith("edited in memory\n")


@pytest.mark.parametrize("answer", ["accept", "put_back"])
def test_many_files_that_vanish_at_once_are_held_for_review(memory: Memory, folder: Path, answer: str) -> None:
    notes = [memory.save(f"note {number}") for number in range(12)]
    memory.scan_vault()
    for note in notes[:5]:
        file_of(folder, note.id).unlink()
    held = memory.scan_vault()
    assert (len(held.held), held.retracted) == (5, ())
    assert [item.code for item in memory.review().items] == ["held_deletion"] * 5
    decided = memory.scan_vault(accept=answer == "accept", put_back=answer == "put_back")
    assert len(decided.retracted) == (5 if answer == "accept" else 0)
    assert len(list(folder.rglob("*.md"))) == (7 if answer == "accept" else 12)
    assert memory.review().items == ()


def test_a_folder_that_is_not_there_is_no_deletion(memory: Memory, folder: Path) -> None:
    note = memory.save("still here")
    memory.scan_vault()
    (folder / "memory").rename(folder.parent / "elsewhere")
    assert memory.scan_vault().held == (f"memory/semantic/still-here-{note.id[-4:].lower()}.md",)
    (folder.parent / "elsewhere").rename(folder / "memory")
    assert memory.scan_vault().held == ()
    assert memory.get(note.id).state == "active"


def test_files_that_cannot_be_notes_are_named_and_left_alone(memory: Memory, folder: Path) -> None:
    place = folder / "memory" / "semantic"
    place.mkdir(parents=True, exist_ok=True)
    odd = {
        "control.md": b"a page with \x00 in it",
        "binary.md": b"---\nid: x\n---\n\xff",
        "large.md": b"---\nid: x\n---\n" + b"a" * 10_000_000,
        "conflict.md": b"---\n<<<<<<< HEAD\nid: x\n---\n",
        "broken.md": b"---\nid: 01J9Z8YPM7Q3X2V4WT6B5N0KGE\nno key\n---\ntext\n",
    }
    for name, content in odd.items():
        (place / name).write_bytes(content)
    (place / ".hidden.md").write_bytes(b"")
    (place / "notes.txt").write_bytes(b"")
    good = memory.save("a good one")
    (place / f"{MINE}.md").write_bytes(BY_HAND.replace(b"\n", b"\r\n"))
    report = memory.scan_vault()
    assert {problem.path.rpartition("/")[2] for problem in report.problems} == set(odd)
    assert codes(report) == {"malformed"}
    assert report.taken_in == (MINE,)
    assert file_of(folder, good.id).exists()
    assert {name: (place / name).read_bytes() for name in odd} == odd
    assert {item.code for item in memory.review().items} == {"malformed"}


def test_links_are_not_followed_and_names_that_differ_in_case_are_named(memory: Memory, folder: Path) -> None:
    outside = folder.parent / "outside"
    outside.mkdir()
    (outside / "secret.md").write_bytes(BY_HAND)
    (folder / "memory" / "linked").symlink_to(outside)
    (folder / "memory" / "one.md").symlink_to(outside / "secret.md")
    (folder / "memory" / "Two.md").write_bytes(BY_HAND)
    (folder / "memory" / "two.md").write_bytes(BY_HAND)
    report = memory.scan_vault()
    assert codes(report) == {"symlink", "name_clash"}
    assert report.taken_in == ()


def test_two_files_of_one_note_are_one_note_and_one_problem(memory: Memory, folder: Path) -> None:
    note = memory.save("Alice prefers tea")
    memory.scan_vault()
    copy = folder / "memory" / "semantic" / "copy.md"
    copy.write_text(file_of(folder, note.id).read_text().replace("tea", "coffee"))
    report = memory.scan_vault()
    assert (codes(report), report.taken_in, memory.get(note.id).text) == ({"malformed"}, (), "Alice prefers tea")


def test_a_file_moved_to_the_other_tree_stays_on_this_machine_from_then_on(memory: Memory, folder: Path) -> None:
    note = memory.save("Alice prefers tea")
    memory.scan_vault()
    path = file_of(folder, note.id)
    (folder / "local" / "semantic").mkdir(parents=True)
    path.rename(folder / "local" / "semantic" / path.name)
    memory.scan_vault()
    assert memory.get(note.id).scope.machine is not None
    assert file_of(folder, note.id).parent.parent.name == "local"
    assert memory.get(note.id).state == "active"


def test_a_forgotten_note_has_no_file_and_none_brings_it_back(memory: Memory, folder: Path) -> None:
    note = memory.save("Alice prefers tea")
    memory.scan_vault()
    content = file_of(folder, note.id).read_bytes()
    memory.forget(note.id)
    memory.scan_vault()
    assert not files_with(folder, note.id)
    (folder / "memory" / "semantic" / "again.md").write_bytes(content)
    report = memory.scan_vault()
    assert (report.taken_in, codes(report)) == ((), {"malformed"})


def test_a_file_that_changes_while_we_write_is_left_alone(memory: Memory, folder: Path) -> None:
    note = memory.save("Alice prefers tea")
    memory.scan_vault()
    path = file_of(folder, note.id)
    path.write_bytes(b"somebody is typing")
    memory.update(note.id, text="Alice prefers coffee")
    memory.scan_vault()
    assert path.read_bytes() == b"somebody is typing"


def test_after_a_crash_a_file_that_equals_an_older_version_is_no_edit(memory: Memory, folder: Path) -> None:
    note = memory.save("Alice prefers tea")
    memory.scan_vault()
    memory.update(note.id, text="Alice prefers coffee")
    (folder / ".recollect" / "files.json").unlink()
    assert memory.scan_vault().taken_in == ()
    assert memory.get(note.id).text == "Alice prefers coffee"
    assert file_of(folder, note.id).read_text().endswith("coffee\n")


def test_memory_can_be_made_anew_from_the_files_alone(memory: Memory, folder: Path, tmp_path: Path) -> None:
    note = memory.save(
        "Alice prefers tea", subject="alice", attribute="drink", value="tea", tags=["drink"], pinned=True
    )
    local = memory.save("only here", machine="thinkpad")
    memory.scan_vault()
    before = {path: path.read_bytes() for path in folder.rglob("*.md")}
    with Memory(store=str(tmp_path / "another.db"), home=tmp_path / "home") as other:
        assert other.reindex(from_vault=True).healthy
        again = other.get(note.id)
        assert (again.text, again.value, again.tags, again.pinned) == (note.text, "tea", ("drink",), True)
        assert (again.recorded_at, again.authority, other.get(local.id).scope.machine) == (
            note.recorded_at,
            note.authority,
            "thinkpad",
        )
    assert {path: path.read_bytes() for path in folder.rglob("*.md")} == before


def test_a_lost_database_never_empties_the_folder(memory: Memory, folder: Path, tmp_path: Path) -> None:
    for number in range(3):
        memory.save(f"note {number}")
    memory.scan_vault()
    with Memory(store=str(tmp_path / "another.db"), home=tmp_path / "home") as other:
        assert len(other.scan_vault().taken_in) == 3
    assert len(list(folder.rglob("*.md"))) == 3


def test_without_a_vault_there_is_nothing_to_scan(memory: Memory) -> None:
    with pytest.raises(NotFound, match="has no vault"):
        memory.scan_vault()
    assert memory.review().items == ()


def test_a_rehearsed_scan_touches_no_file(memory: Memory, folder: Path) -> None:
    note = memory.save("Alice prefers tea")
    memory.scan_vault()
    edit(file_of(folder, note.id), "tea\n", "oolong\n")
    rehearsal = memory.dry_run()
    before = file_of(folder, note.id).stat()
    assert rehearsal.scan_vault().taken_in == (note.id,)
    assert len(rehearsal.changes) == 1
    assert memory.get(note.id).version == 1
    assert file_of(folder, note.id).stat().st_mtime_ns == before.st_mtime_ns


def test_files_of_a_space_are_its_own(memory: Memory) -> None:
    memory.save("for the team", space="team")
    memory.save("for me")
    team, mine = memory.open_vault(space="team"), memory.open_vault()
    assert (team.written, mine.written) == (1, 1)
    assert team.folder != mine.folder


def test_many_files_at_once_leave_alone_what_a_person_puts_in_their_way(
    memory: Memory, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    notes = [memory.save(f"Thing {number} is on the shelf") for number in range(2 * MANY)]
    theirs = folder / "memory" / "semantic" / f"thing-0-is-on-the-shelf-{notes[0].id[-4:].lower()}.md"

    def sync_files(*_: object) -> None:
        theirs.write_text("mine, written while the others were synced\n")

    monkeypatch.setattr("recollect.vault.folder.sync_files", sync_files)
    report = memory.scan_vault()
    assert report.written == len(notes) - 1
    assert theirs.read_text() == "mine, written while the others were synced\n"
    assert not list(folder.rglob(".*.draft"))
    assert all(files_with(folder, note.id) for note in notes[1:])


def test_many_files_that_cannot_be_synced_are_not_there_at_all(
    memory: Memory, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(MANY):
        memory.save(f"Thing {number} is on the shelf")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("recollect.vault.folder.sync_files", full)
        with pytest.raises(StorageFull):
            memory.scan_vault()
    assert not [file for file in (folder / "memory").rglob("*") if file.is_file()]
    assert memory.scan_vault().written == MANY


def test_a_draft_that_a_killed_process_left_is_written_over(memory: Memory, folder: Path) -> None:
    note = memory.save("Alice prefers tea")
    left = folder / "memory" / "semantic" / f".alice-prefers-tea-{note.id[-4:].lower()}.md.draft"
    left.parent.mkdir(parents=True)
    left.write_text("half")
    memory.scan_vault()
    assert "Alice prefers tea" in file_of(folder, note.id).read_text()
    assert not left.exists()
