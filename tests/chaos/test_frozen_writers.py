"""A writer is frozen while it holds the write lock. The others are told in time, and nothing of theirs is half-done."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from recollect import Memory
from tests.chaos.children import Child, Fact
from tests.chaos.soundness import complaints, fingerprint

pytestmark = pytest.mark.chaos

WRITES = 5
PATIENCE = 0.2  # seconds that the others wait for the lock, each of three times


def test_a_frozen_writer_makes_the_others_busy_and_costs_nothing(tmp_path: Path) -> None:
    with Memory(home=tmp_path) as memory:
        note = memory.save("the first note")
        before = fingerprint(memory)

        with Child("held_writer", tmp_path) as frozen, Child("impatient", tmp_path, note.id, PATIENCE) as other:
            assert frozen.next() == {"holding": True}
            frozen.signal(signal.SIGSTOP)

            refused, read = tried(other)
            assert {fact.get("code") for fact in refused} == {"busy"}
            assert all(fact["retryable"] for fact in refused)
            assert read == {"reads": "the first note", "finds": 1}
            assert fingerprint(memory) == before

            frozen.signal(signal.SIGCONT)
            frozen.tell("go on")
            late = frozen.next()["note"]
            done, _ = tried(other)
            assert [fact for fact in done if "code" in fact] == []

        assert memory.get(late).text == "a save that took its time"
        assert len(memory.search("one of many").hits) == 1
        assert complaints(memory) == []


def tried(other: Child) -> tuple[list[Fact], Fact]:
    """Have the other try everything once; what came of the writes, and what it could read."""
    other.tell("try")
    return [other.next() for _ in range(WRITES)], other.next()
