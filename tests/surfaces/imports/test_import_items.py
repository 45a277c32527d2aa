"""Drawers of MemPalace and items of LangMem become notes, and what is none of them is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from recollect import Memory
from tests.surfaces.imports.item_exports import langmem, mempalace
from tests.surfaces.test_import_sources import dated, run


@pytest.mark.parametrize("pages", [False, True], ids=["lines", "pages"])
def test_drawers_of_mempalace_become_notes_of_their_wing(memory: Memory, tmp_path: Path, pages: bool) -> None:
    told = run(memory, "import", "mempalace", str(mempalace(tmp_path, pages=pages)))
    assert {each["message"] for each in told["audit"]["unread"]} == {"It has no text."}
    assert len(told["audit"]["unread"]) == (1 if pages else 2)
    [note] = memory.list().items
    assert note.text == "Prices are cached for an hour." + ("\n## A heading of its own" if pages else "")
    assert (note.scope.project, note.tags, dated(note)[:10]) == ("shop", ("pricing",), "2025-04-02")
    assert note.metadata["source_file"] == "notes/prices.md"
    assert "added_by" not in note.metadata


def test_items_of_langmem_become_notes_of_their_user_and_fields_become_lines(memory: Memory, tmp_path: Path) -> None:
    told = run(memory, "import", "langmem", str(langmem(tmp_path)))
    assert [(each["place"], each["message"]) for each in told["audit"]["unread"]] == [("memory 4", "It has no text.")]
    found = {note.text: (note.scope.user, note.tags, tuple(note.metadata["namespace"])) for note in memory.list().items}
    assert found == {
        "Ana prefers dark mode": ("ana", (), ("memories", "ana")),
        "Ship on Friday": (None, (), ("team",)),
        "subject: Ana\npredicate: works at\nobject: Globex": (None, ("triple",), ("team", "facts")),
    }
    assert {dated(note)[:10] for note in memory.list().items} == {"2025-02-03"}


def test_a_file_that_is_no_export_of_them_is_named(memory: Memory, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "list.json").write_text('{"notes": 3}')
    for name, place in (("mempalace", "empty"), ("langmem", "list.json")):
        [unread] = run(memory, "import", name, str(tmp_path / place))["audit"]["unread"]
        assert unread["place"].endswith(place)
