"""The derived parts can be compared with their source and made anew from it."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from recollect import Memory
from recollect.domain.selections import Selection
from recollect.stores.opening import open_store
from recollect.stores.sql_store import SqlStore
from tests.support.clock import SteadyClock
from tests.support.raw import store_of, tampering
from tests.support.writing import edited, saved

EVERYTHING = Selection()


def _complaints(store: SqlStore) -> list[str]:
    return [check.name for check in store.upkeep.check() if not check.ok]


def test_a_store_in_use_is_sound(store: SqlStore, clock: SteadyClock) -> None:
    note = saved(store, clock, "Alice prefers tea")
    edited(store, clock, note, text="Alice prefers coffee")
    assert _complaints(store) == []


def test_an_index_that_somebody_else_arranged_anew_is_sound(store: SqlStore, clock: SteadyClock) -> None:
    for number in range(3):
        saved(store, clock, f"Мой брат живёт в Осло, дом {number}")
    assert _complaints(store) == []
    with ThreadPoolExecutor(1) as somebody:
        somebody.submit(store.upkeep.rebuild).result()
    assert _complaints(store) == []


def test_rebuilding_changes_no_answer(store: SqlStore, clock: SteadyClock) -> None:
    for number in range(20):
        saved(store, clock, f"Parrot number {number}")
    before = store.matching("alice", ["parrot", "7"], EVERYTHING, limit=100)
    store.upkeep.rebuild()

    assert store.matching("alice", ["parrot", "7"], EVERYTHING, limit=100) == before
    assert _complaints(store) == []


def test_the_doctor_calls_a_sound_memory_healthy(memory: Memory) -> None:
    memory.save("Alice prefers tea", space="alice")
    diagnosis = memory.doctor()

    assert diagnosis.healthy
    assert all(check.detail for check in diagnosis.checks)
    assert "audit of alice" in [check.name for check in diagnosis.checks]


DAMAGES = {
    "an entry is missing": """
        INSERT INTO note_words (note_words, rowid, space, title, text, tags)
        SELECT 'delete', doc, space, title, text, tags FROM note_text WHERE doc = 1""",
    "an entry is too many": """
        INSERT INTO note_words (rowid, space, title, text, tags) VALUES (999, 'alice', '', 'a ghost', '')""",
    "an entry has other words": """
        INSERT INTO note_words (note_words, rowid, space, title, text, tags)
        SELECT 'delete', doc, space, title, text, tags FROM note_text WHERE doc = 1;
        INSERT INTO note_words (rowid, space, title, text, tags) VALUES (1, 'alice', '', 'something else', '')""",
    "everything is gone": "INSERT INTO note_words (note_words) VALUES ('delete-all')",
}


@pytest.fixture
def file_store(tmp_path: Path, clock: SteadyClock) -> Iterator[SqlStore]:
    with closing(open_store(str(tmp_path / "memory.db"), clock=clock, busy_timeout=5)) as opened:
        yield opened


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_text_index_is_found_and_healed(file_store: SqlStore, clock: SteadyClock, damage: str) -> None:
    notes = [saved(file_store, clock, f"Parrot number {number}") for number in range(3)]
    with tampering(file_store) as transaction:
        transaction.script(DAMAGES[damage])
    assert _complaints(file_store) == ["index of notes"]

    file_store.upkeep.rebuild()

    assert _complaints(file_store) == []
    found = file_store.matching("alice", ["parrot"], EVERYTHING, limit=10)
    assert {match.note.id for match in found} == {note.id for note in notes}


def test_reindexing_heals_and_only_looking_does_not(tmp_path: Path, clock: SteadyClock) -> None:
    with Memory(store=str(tmp_path / "memory.db"), home=tmp_path, clock=clock) as memory:
        memory.save("Alice prefers tea")
        with tampering(store_of(memory)) as transaction:
            transaction.script(DAMAGES["everything is gone"])

        assert not memory.reindex(check=True).healthy
        assert not memory.doctor().healthy
        assert memory.search("tea").hits == ()
        assert memory.reindex().healthy
        assert len(memory.search("tea").hits) == 1
