"""A backup is restored again and again while others forget notes that are in it. What was forgotten stays forgotten."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest

from recollect import Busy, Erased, Memory
from tests.chaos.children import crowd, listen, start_together
from tests.chaos.conftest import Figures
from tests.chaos.soundness import complaints

pytestmark = pytest.mark.chaos

FORGETTERS = 3
NOTES = 150
ROUNDS = 20  # each waits three times for the lock


def test_no_restore_brings_back_what_others_forget_meanwhile(tmp_path: Path, figures: Figures) -> None:
    copy = str(tmp_path / "copy.db")
    with Memory(home=tmp_path) as memory:
        for number in range(NOTES):
            memory.save(f"note {number}")
        memory.backup(copy)

        restored = refused = 0
        with crowd(FORGETTERS, "forgetter", tmp_path, FORGETTERS) as forgetters:
            start_together(forgetters)
            while not listen(forgetters, until=lambda: all(child.ended for child in forgetters), seconds=0.01):
                try:
                    memory.restore(copy)
                    restored += 1
                except Busy as problem:
                    # On a loaded machine others may have the lock for longer than a restore waits; it can be retried.
                    assert problem.retryable
                    refused += 1
            forgotten = [fact["forgotten"] for child in forgetters for fact in child.finish()]

        restored += restore_patiently(memory, copy)
        figures(f"{restored} restores ({refused} had to be tried again) while {len(forgotten)} notes were forgotten")
        assert len(forgotten) == NOTES
        assert [note_id for note_id in forgotten if not is_gone(memory, note_id)] == []
        assert complaints(memory) == []


def restore_patiently(memory: Memory, copy: str) -> int:
    """One restore, tried again as often as somebody would who was told that it is busy."""
    for _ in range(ROUNDS - 1):
        with suppress(Busy):
            memory.restore(copy)
            return 1
    memory.restore(copy)
    return 1


def is_gone(memory: Memory, note_id: str) -> bool:
    try:
        memory.get(note_id)
    except Erased:
        return True
    return False
