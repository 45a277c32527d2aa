"""Four writers are killed two hundred times. Nothing that was acknowledged may be missing afterwards."""

from __future__ import annotations

import os
import random
import secrets
import signal
from collections import Counter
from pathlib import Path

import pytest

from recollect import Memory
from tests.chaos.children import Child, Fact, crowd, listen
from tests.chaos.conftest import Figures
from tests.chaos.effort import FULL, LIMIT, quick_folder
from tests.chaos.soundness import complaints, note_mark, store_of

pytestmark = [pytest.mark.chaos, LIMIT]

WRITERS = 4
KILLS = 2000 if FULL else 200
LONGEST_REPRIEVE = 0.05  # seconds a victim may go on after it was seen writing: a few writes


def test_nothing_acknowledged_is_lost_when_writers_are_killed_again_and_again(figures: Figures) -> None:
    seed = secrets.randbits(32)
    with quick_folder() as home:
        journal = killing_spree(home, random.Random(seed))

        verbs = Counter(fact["acknowledged"] for fact in journal if "acknowledged" in fact)
        verbs["forget"] = sum("forgotten" in fact for fact in journal)
        figures(f"seed {seed}: {KILLS} kills, {verbs.total()} acknowledgements {dict(verbs)}")
        assert [fact for fact in journal if "failed" in fact] == []
        assert min(verbs[verb] for verb in ("save", "update", "supersede", "pin", "retract", "forget")) > 0

        with Memory(home=home) as memory:
            assert complaints(memory) == []
            assert lost(memory, journal) == []
            note = memory.save("and it still works", space="alpha")
            assert memory.get(note.id, space="alpha") == note


def killing_spree(home: Path, chance: random.Random) -> list[Fact]:
    """Let writers write, kill one after the other, and put another in its place; everything that they said."""
    journal: list[Fact] = []
    with crowd(WRITERS, "writer", home) as writers:
        for writer in writers:
            writer.tell(str(chance.getrandbits(64)))
        for _ in range(KILLS):
            victim = chance.choice(writers)
            hear_of(victim, writers)
            listen(writers, seconds=chance.uniform(0, LONGEST_REPRIEVE))
            journal += killed(victim)
            victim.tell(str(chance.getrandbits(64)))
        for writer in writers:
            hear_of(writer, writers)
            journal += killed(writer)
    return journal


def hear_of(writer: Child, writers: list[Child]) -> None:
    """Listen to all until the one that lives there now has acknowledged something; it must not end by itself."""

    def has_written() -> bool:
        if any("ended" in fact for fact in writer.heard):
            raise writer.failure("ended by itself")
        return any("acknowledged" in fact for fact in writer.heard)

    if not listen(writers, until=has_written):
        raise writer.failure("never began to write")


def killed(victim: Child) -> list[Fact]:
    """Kill the writer that lives now, and return everything it had said by then."""
    os.kill(victim.heard[0]["writer"], signal.SIGKILL)
    assert listen([victim], until=lambda: victim.heard[-1] == {"ended": -signal.SIGKILL})
    said, victim.heard = victim.heard, []
    return said


def lost(memory: Memory, journal: list[Fact]) -> list[str]:
    """Acknowledged versions that are not there as they were acknowledged, and forgotten notes that are."""
    store = store_of(memory)
    forgotten = {tuple(fact["forgotten"]) for fact in journal if "forgotten" in fact}
    perhaps_forgotten = {tuple(fact["about_to_forget"]) for fact in journal if "about_to_forget" in fact}
    found = [f"{note} was forgotten and is there" for note in forgotten if store.note(*note) is not None]
    for fact in journal:
        if "acknowledged" not in fact:
            continue
        space, note_id, version = fact["note"]
        there = store.version(space, note_id, version)
        if there is None:
            if (space, note_id) not in perhaps_forgotten:
                found.append(f"{fact} is not there")
        elif note_mark(there) != fact["mark"]:
            found.append(f"{fact} is there as something else: {there}")
    return found
