"""Eight processes read, add one and write back, five hundred times each. Not one addition may be lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from recollect import Memory, Note
from tests.chaos.children import Fact, crowd, start_together
from tests.chaos.conftest import Figures
from tests.chaos.soundness import complaints, store_of

pytestmark = pytest.mark.chaos

PROCESSES = 8
ROUNDS = 500


def test_eight_processes_count_to_four_thousand_in_one_note(tmp_path: Path, figures: Figures) -> None:
    with Memory(home=tmp_path) as memory:
        note = memory.save("a counter", metadata={"count": 0})

    said = counted(tmp_path, "shared", note)

    figures(f"{PROCESSES * ROUNDS} additions, {sum(fact['conflicts'] for fact in said)} conflicts, 0 busy")
    with Memory(home=tmp_path) as memory:
        versions = store_of(memory).versions(note.space, [note.id])
        assert [version.metadata["count"] for version in versions] == list(range(PROCESSES * ROUNDS + 1))
        assert complaints(memory) == []


def test_eight_processes_count_in_a_note_each_without_naming_versions(tmp_path: Path) -> None:
    with Memory(home=tmp_path) as memory:
        notes = [memory.save(f"counter {number}", metadata={"count": 0}) for number in range(PROCESSES)]

    said = counted(tmp_path, "own", *notes)

    assert sum(fact["conflicts"] for fact in said) == 0
    with Memory(home=tmp_path) as memory:
        assert [memory.get(note.id).metadata["count"] for note in notes] == [ROUNDS] * PROCESSES
        assert complaints(memory) == []


def counted(home: Path, mode: str, *notes: Note) -> list[Fact]:
    """Let all count at once, and return what each said at its end; none may have met an error."""
    with crowd(PROCESSES, "counter", home, ROUNDS, mode, *(note.id for note in notes)) as children:
        start_together(children)
        said = [fact for child in children for fact in child.finish()]
    assert [fact for fact in said if "failed" in fact] == []
    return said
