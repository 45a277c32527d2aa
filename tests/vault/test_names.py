"""Files that people can find: named once, the same everywhere, and possible on every system."""

from __future__ import annotations

import json
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from recollect import Memory
from recollect.vault.documents import parsed, with_fields
from recollect.vault.layout import is_safe_path, name_for, path_of
from tests.vault.machines import file_of, files_of, folder_of, in_step
from tests.vault.making import BY_HAND

FIRST = parsed(BY_HAND)


@given(st.text(st.characters(codec="utf-8"), max_size=300), st.text(st.characters(codec="utf-8"), max_size=80))
def test_whatever_a_note_says_every_system_can_have_its_file(text: str, title: str) -> None:
    document = with_fields(FIRST, {"title": title}, text)
    name = name_for(document)
    assert "/" not in name and is_safe_path(name) and len(name.encode()) <= 110
    assert name == name.lower() and name.endswith(f"-{FIRST.id[-4:].lower()}.md")
    assert is_safe_path(path_of(with_fields(document, {"vault_file": name})))


def test_names_are_cut_between_words() -> None:
    title = "The grid of the dashboard has to be wrapped in minmax, always and everywhere"
    assert name_for(with_fields(FIRST, {"title": title})).startswith("the-grid-of-the-dashboard-has-to-be-wrapped-in-")
    assert name_for(with_fields(FIRST, {"title": "CON"})).startswith("con-")
    assert name_for(with_fields(FIRST, {"title": "Größe über Maß"})).startswith("grosse-uber-mass-")
    assert name_for(with_fields(FIRST, {"title": "お茶"})).startswith("お茶-")


def test_paths_that_others_send_are_not_followed_out_of_the_folder() -> None:
    for path in (
        "../x.md",
        "a/../../x.md",
        "/etc/x.md",
        ".git/x.md",
        "a//x.md",
        "con.md",
        "a:b.md",
        "a\\b.md",
        "x.txt",
    ):
        assert not is_safe_path(path), path
    assert is_safe_path("Größe & Maß/2026-11-16 (copy).md")


def test_a_name_is_kept_whatever_becomes_of_the_note_and_is_the_same_everywhere(two: tuple[Memory, Memory]) -> None:
    here, there = two
    note = here.save("Alice lives in Boston")
    here.scan_vault()
    was = file_of(here, note.id).name
    here.update(note.id, text="Alice lives in Rome")
    in_step([here, there])
    there.update(note.id, title="Where she lives", kind="procedural")
    in_step([here, there])
    assert [file_of(memory, note.id).name for memory in two] == [was, was]
    assert {*files_of(here)} == {f"procedural/{was}"}
    (folder_of(here) / ".recollect" / "files.json").unlink()
    (folder_of(here) / ".recollect" / "names.json").unlink()
    in_step([here, there])
    assert [file_of(memory, note.id).name for memory in two] == [was, was]


def test_a_vault_of_the_release_before_keeps_its_names_and_is_not_renamed(memory: Memory) -> None:
    folder = Path(memory.open_vault().folder)
    settings = folder / ".recollect" / "vault.json"
    said = json.loads(settings.read_text())
    settings.write_text(json.dumps({name: said[name] for name in ("folder", "machine", "remote")}))
    note = memory.save("Alice prefers tea")
    memory.scan_vault()
    assert (folder / "memory" / "semantic" / f"{note.id}.md").exists()
    memory.open_vault()
    memory.update(note.id, text="Alice prefers oolong")
    memory.scan_vault()
    assert [path.name for path in (folder / "memory").rglob("*.md")] == [f"{note.id}.md"]
    memory.open_vault(str(folder), pages="beside")
    assert json.loads(settings.read_text())["names"] == "id"


def test_two_notes_that_begin_alike_have_two_files(memory: Memory) -> None:
    folder = Path(memory.open_vault().folder)
    notes = [memory.save(f"The same first words of a long enough text, number {number}") for number in range(20)]
    assert memory.scan_vault().written == len(notes)
    assert len(list((folder / "memory").rglob("*.md"))) == len(notes)
