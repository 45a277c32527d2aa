"""A backup is restored again and again while others forget notes that are in it. What was forgotten stays forgotten."""

from __future__ import annotations

from pathlib import Path

import pytest

from recollect import Erased, Memory
from tests.chaos.children import crowd, listen, start_together
from tests.chaos.conftest import Figures
from tests.chaos.soundness import complaints

pytestmark = pytest.mark.chaos

FORGETTERS = 3
NOTES = 150


def test_no_restore_brings_back_what_others_forget_meanwhile(tmp_path: Path, figures: Figures) -> None:
    copy = str(tmp_path / "copy.db")
    with Memory(home=tmp_path) as memory:
        for number in range(NOTES):
            memory.save(f"note {number}")
        memory.backup(copy)

        restored = 0
        with crowd(FORGETTERS, "forgetter", tmp_path, FORGETTERS) as forgetters:
            start_together(forgetters)
            while not listen(forgetters, until=lambda: all(child.ended for child in forgetters), seconds=0.01):
                memory.restore(copy)
                restored += 1
            forgotten = [fact["forgotten"] for child in forgetters for fact in child.finish()]

        figures(f"{restored} restores while {len(forgotten)} notes were forgotten")
        assert len(forgotten) == NOTES
        assert [note_id for note_id in forgotten if not is_gone(memory, note_id)] == []
        assert complaints(memory) == []


def is_gone(memory: Memory, note_id: str) -> bool:
    try:
        memory.get(note_id)
    except Erased:
        return True
    return False
