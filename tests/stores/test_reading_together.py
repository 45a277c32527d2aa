"""Several reads at one moment, whatever others write meanwhile."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from recollect import Memory
from recollect.domain.selections import Selection
from recollect.stores.sqlite.database import IN_MEMORY


def test_what_is_read_together_is_of_one_moment(memory: Memory) -> None:
    kept = memory.save("The office is in Lyon.")
    store = memory._engine.store

    with ThreadPoolExecutor(1) as another:
        with store.reading("default"):
            assert set(store.current("default", [kept.id])) == {kept.id}
            writing = another.submit(memory.save, "The office is in Turin.")
            if store.location != IN_MEMORY:  # there a writer waits for those who read
                writing.result()
            found = store.matching("default", ["office"], Selection(), limit=10)
            assert [match.note.id for match in found] == [kept.id]
            assert store.notes("default", Selection(), before=None, limit=10) == [kept]
        later = writing.result()

    assert set(store.current("default", [kept.id, later.id])) == {kept.id, later.id}


def test_another_space_can_be_read_meanwhile(memory: Memory) -> None:
    here, there = memory.save("The office is in Lyon."), memory.save("The office is in Turin.", space="other")
    store = memory._engine.store

    with store.reading("default"), store.reading("other"):
        assert set(store.current("other", [here.id, there.id])) == {there.id}
        assert set(store.current("default", [here.id, there.id])) == {here.id}


def test_a_reading_that_fails_leaves_nothing_open(memory: Memory) -> None:
    memory.save("The office is in Lyon.")
    store = memory._engine.store

    with pytest.raises(LookupError), store.reading("default"), store.reading("default"):
        raise LookupError

    memory.save("The office is in Turin.")
    assert len(memory.search("office").hits) == 2


def test_an_answer_has_as_many_hits_as_were_asked_for(memory: Memory) -> None:
    for number in range(130):
        memory.save(f"Parcel {number} was sent to the harbour.")

    assert len(memory.search("Which parcels were sent to the harbour?", limit=125).hits) == 125
