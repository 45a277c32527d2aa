"""No verb may drop the locks on the database file; siblings that come and go must not take anything with them."""

from __future__ import annotations

from pathlib import Path

import pytest

from recollect import Memory, NotFound
from recollect.operations import operations_of
from tests.chaos.children import Child, Fact
from tests.chaos.conftest import Figures
from tests.chaos.soundness import complaints

pytestmark = pytest.mark.chaos

PROCESSES = 10
VISITS_EACH = 50


def test_no_verb_drops_the_locks_and_five_hundred_visits_lose_nothing(tmp_path: Path, figures: Figures) -> None:
    with Child("verb_by_verb", tmp_path) as resident:
        watched = until_done(resident)
        assert {fact["verb"] for fact in watched} >= set(operations_of(Memory))
        assert [fact["verb"] for fact in watched if fact.get("missing")] == [], "these verbs need an example"
        for fact in watched:
            assert {lock.split()[1] for lock in fact["before"]} == {"database", "-shm"}, fact
            assert set(fact["before"]) <= set(fact["after"]), f"`{fact['verb']}` dropped locks"

        written = []
        for _ in range(PROCESSES):
            with Child("visitor", tmp_path) as visitor:
                for _ in range(VISITS_EACH):
                    written += [one_more(visitor), one_more(resident)]

    assert [fact for fact in written if fact.get("deleted")] == []
    figures(f"{len(watched)} calls, {PROCESSES * VISITS_EACH} visits, {len(written)} notes acknowledged")
    with Memory(home=tmp_path) as memory:
        assert missing(memory, written) == []
        assert complaints(memory) == []


def test_the_lock_test_can_fail(tmp_path: Path) -> None:
    """Stray opens of its files in a process that holds the database: the locks vanish, and then so do its notes.

    SQLite 3.54 asks the -shm file's lock as well before it deletes a log, so it takes a stray open of both.
    """
    with Child("verb_by_verb", tmp_path, "", "-shm") as resident:
        database, shared_memory = until_done(resident)
        assert any("database" in lock for lock in database["before"])
        assert not any("database" in lock for lock in database["after"])
        assert not shared_memory["after"]

        with Child("visitor", tmp_path) as visitor:
            one_more(visitor)
        written = [one_more(resident), one_more(resident)]

    assert all(fact["deleted"] for fact in written)
    with Memory(home=tmp_path) as memory:
        assert missing(memory, written) == [fact["note"] for fact in written]


def until_done(resident: Child) -> list[Fact]:
    """What it says about each verb, until it has been through all of them."""
    watched: list[Fact] = []
    while "done" not in (fact := resident.next()):
        watched.append(fact)
    return watched


def one_more(child: Child) -> Fact:
    """Have it write one more note, and hear its acknowledgement."""
    child.tell("one more")
    return child.next()


def missing(memory: Memory, written: list[Fact]) -> list[str]:
    """The notes that were acknowledged and are not there."""
    found = []
    for fact in written:
        try:
            memory.get(fact["note"])
        except NotFound:
            found.append(fact["note"])
    return found
