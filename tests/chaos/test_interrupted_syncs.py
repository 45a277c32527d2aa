"""A sync is cut off at each step it takes, one after the other; and machines do whatever comes to mind, in any order.

After every cut somebody goes on editing before the next sync, which has to tell those edits from what the cut left.
"""

from __future__ import annotations

import random
from contextlib import suppress

import pytest

from recollect import Memory, State
from tests.chaos.conftest import Figures
from tests.chaos.effort import FULL, LIMIT, SEED, quick_folder, sampled
from tests.chaos.scissors import STEPS, Cut, Scissors
from tests.vault.machines import file_of, files_of, files_with, folder_of, in_step, machines

pytestmark = [pytest.mark.chaos, LIMIT]

CUTS = 9


def test_a_sync_that_is_cut_off_at_any_step_is_repaired_by_the_next(figures: Figures) -> None:
    cuts = 0
    with quick_folder() as folder, machines(folder, 2) as (here, there):
        notes = [here.save(f"note {number}\nof one\nof two\nlast", metadata={"count": 0}) for number in range(3)]
        in_step([here, there])
        words: list[str] = []
        for step in sampled(range(STEPS), CUTS):
            for memory, who in ((here, "one"), (there, "two")):
                for note in notes:
                    words.append(f"{who}-{step}-")
                    add_line(memory, note.id, f"of {who}", words[-1])
            there.sync()
            with Scissors(step) as scissors:
                try:
                    here.sync()
                except Cut:
                    cuts += 1
            assert scissors.left < STEPS
            words.append(f"after-{step}-")
            add_line(here, notes[0].id, "last", words[-1])
            here.update(notes[1].id, metadata={"count": here.get(notes[1].id).metadata["count"] + 1})
            file = file_of(here, notes[2].id)
            words.append(f"file-{step}-")
            file.write_text(file.read_text() + f"{words[-1]}\n")
            in_step([here, there])
        told = "\n".join(content.decode() for content in files_of(there).values())
        assert [word for word in words if word not in told] == []
        assert [told.count(word) for word in set(words) if told.count(word) > 3] == [], "nothing is there twice"
        assert there.get(notes[1].id).metadata["count"] == len(sampled(range(STEPS), CUTS))
    figures(f"{cuts} syncs cut off, {len(words)} edits, none lost")
    assert cuts > 5


@pytest.mark.parametrize("crowd", [2, 3, 4] if FULL else [3])
def test_whatever_machines_do_in_any_order_nothing_is_lost(figures: Figures, crowd: int) -> None:
    """A random walk: write, edit fields and lines in memory or in the file, delete, move, cut off, wrong clocks."""
    chance = random.Random(SEED + crowd)
    steps = 600 if FULL else 40
    with quick_folder() as folder, machines(folder, crowd) as all_of_them:
        for number in range(4):
            all_of_them[0].save(f"note {number}\n" + "\n".join(f"of {each}" for each in range(crowd)))
        in_step(all_of_them)
        words: list[str] = []
        for step in range(steps):
            number = chance.randrange(crowd)
            do_something(chance, all_of_them[number], number, f"w{step}x", words)
        in_step(all_of_them, rounds=4)
        histories = "".join(str(memory.export(limit=1000).records) for memory in all_of_them)
        assert [word for word in words if word not in histories] == []
        figures(f"{crowd} machines, {steps} steps, {len(words)} edits, {len(files_of(all_of_them[0]))} notes")


def do_something(chance: random.Random, memory: Memory, number: int, word: str, words: list[str]) -> None:
    # Whatever the clock says: after it went back, what was just written is not true yet.
    notes = [note.id for note in memory.list(limit=100, state="any").items if note.state is State.ACTIVE]
    note_id = chance.choice(notes)
    match chance.choice(["save", "field", "line", "file", "file", "delete", "clock", "cut", "sync", "sync", "kind"]):
        case "save":
            memory.save(f"{word}\nof {number}")
        case "field":
            memory.update(note_id, title=word)
        case "line":
            add_line(memory, note_id, f"of {number}", word)
        case "file":
            found = files_with(folder_of(memory) / "memory", note_id)
            if not found:
                return
            found[0].write_text(found[0].read_text() + f"{word}\n")
            memory.scan_vault()
        case "delete":
            if len(notes) > 6:
                memory.retract(note_id)
            return
        case "clock":
            memory._engine.clock.advance(days=chance.choice([-1, 1]))  # type: ignore[attr-defined]
            return
        case "kind":
            memory.update(note_id, kind=chance.choice(["semantic", "procedural", "lesson"]), tags=[word])
        case "cut":
            with Scissors(chance.randrange(STEPS)), suppress(Cut):
                memory.sync()
            return
        case _:
            memory.sync()
            return
    words.append(word)


def add_line(memory: Memory, note_id: str, below: str, word: str) -> None:
    lines = memory.get(note_id).text.split("\n")
    lines.insert(lines.index(below) + 1 if below in lines else len(lines), word)
    memory.update(note_id, text="\n".join(lines))
