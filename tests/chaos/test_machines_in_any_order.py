"""Two to four machines do what comes to Hypothesis's mind, in any order, and then fall quiet.

Every edit leaves a word of its own. It counts as acknowledged once memory or the file has it, and must then be in the
note on every machine or in its history. What nobody touched keeps every byte.
"""

from __future__ import annotations

from contextlib import ExitStack, suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule, run_state_machine_as_test

from recollect import Memory, Note, State, Unreachable
from recollect.vault.documents import Malformed, parsed
from recollect.vault.merge import merged
from tests.chaos.effort import FULL, LIMIT, quick_folder
from tests.chaos.scissors import STEPS, Cut, Scissors
from tests.chaos.test_syncing_machines import history
from tests.vault.machines import bare_remote, files_of, files_with, folder_of, in_step, machines

pytestmark = [pytest.mark.chaos, LIMIT]

FEWEST = 8  # notes that stay: so many that one that vanishes is no accident
KINDS = ("semantic", "procedural", "lesson", "episodic")

someone = st.integers(0, 3)  # a machine, as far as there are so many
something = st.integers(0, 99)  # a note, likewise


class Machines(RuleBasedStateMachine):
    """Machines with stores, vaults and clocks of their own, and a real bare repository between them."""

    def __init__(self) -> None:
        super().__init__()
        self.lives = ExitStack()
        self.words: list[str] = []
        self.touched: set[str] = set()
        self.quiet: dict[str, bytes] = {}

    @initialize(crowd=st.integers(2, 4))
    def begin(self, crowd: int) -> None:
        self.folder = self.lives.enter_context(quick_folder())
        self.remote = bare_remote(self.folder / "remote.git")
        self.memories = self.lives.enter_context(machines(self.folder, crowd, remote=self.remote))
        for number in range(FEWEST):
            self.memories[0].save(f"note {number}\n" + "\n".join(f"of {each}" for each in range(crowd)))
        self.fall_quiet()

    def teardown(self) -> None:
        try:
            if hasattr(self, "memories"):
                self.fall_quiet()
        finally:
            self.lives.close()

    # -- what people do --

    @rule(who=someone)
    def write(self, who: int) -> None:
        self.touched.add(self.memory(who).save(f"{self.word()}\nof {who}").id)

    @rule(who=someone, which=something)
    def edit_a_field(self, who: int, which: int) -> None:
        self.memory(who).update(self.note(who, which).id, title=self.word())

    @rule(who=someone, which=something)
    def edit_the_body(self, who: int, which: int) -> None:
        note = self.note(who, which)
        lines = note.text.split("\n")
        mark = f"of {who % len(self.memories)}"
        lines.insert(lines.index(mark) + 1 if mark in lines else len(lines), self.word())
        self.memory(who).update(note.id, text="\n".join(lines))

    @rule(who=someone, which=something)
    def edit_the_file(self, who: int, which: int) -> None:
        """Nobody looks at it yet; whatever comes next finds it."""
        note = self.note(who, which)
        for path in files_with(folder_of(self.memory(who)) / "memory", note.id):
            with suppress(Malformed):
                parsed(path.read_bytes())
                path.write_bytes(path.read_bytes() + f"{self.word()}\n".encode())

    @rule(who=someone, which=something, kind=st.sampled_from(KINDS))
    def move(self, who: int, which: int, kind: str) -> None:
        """To the folder of another kind."""
        self.memory(who).update(self.note(who, which).id, kind=kind, tags=[self.word()])

    @rule(who=someone, which=something)
    def keep_to_this_machine(self, who: int, which: int) -> None:
        """The file is moved to the tree that never leaves."""
        self.memory(who).scan_vault()
        if len(self.notes(who)) > FEWEST:
            note, folder = self.note(who, which), folder_of(self.memory(who))
            for path in files_with(folder / "memory", note.id):
                target = folder / "local" / path.relative_to(folder / "memory")
                target.parent.mkdir(parents=True, exist_ok=True)
                path.rename(target)
            self.memory(who).scan_vault()

    @rule(who=someone, which=something)
    def delete(self, who: int, which: int) -> None:
        if len(self.notes(who)) > FEWEST:
            self.memory(who).retract(self.note(who, which).id)

    @rule(who=someone, which=something)
    def delete_the_file(self, who: int, which: int) -> None:
        self.memory(who).scan_vault()
        if len(self.notes(who)) > FEWEST:
            note = self.note(who, which)
            for path in files_with(folder_of(self.memory(who)) / "memory", note.id):
                path.unlink()
            self.memory(who).scan_vault()

    # -- what machines do --

    @rule(who=someone)
    def sync(self, who: int) -> None:
        if self.is_online:
            self.memory(who).sync()
        else:
            with pytest.raises(Unreachable):
                self.memory(who).sync()

    @rule(who=someone, step=st.integers(0, STEPS - 1))
    def kill(self, who: int, step: int) -> None:
        """In the middle of a sync, wherever it is by then."""
        with Scissors(step), suppress(Cut, Unreachable):
            self.memory(who).sync()

    @rule()
    def lose_or_find_the_network(self) -> None:
        away = self.folder / "away.git"
        if self.is_online:
            self.remote.rename(away)
        else:
            away.rename(self.remote)

    @rule(who=someone, days=st.sampled_from([-1, 1]))
    def change_the_clock(self, who: int, days: int) -> None:
        self.memory(who)._engine.clock.advance(days=days)  # type: ignore[attr-defined]

    @rule(who=someone)
    def back_up(self, who: int) -> None:
        copy = self.copy_of(who)
        copy.unlink(missing_ok=True)
        self.memory(who).backup(str(copy))

    @precondition(lambda self: any(self.copy_of(who).exists() for who in range(4)))
    @rule(who=someone)
    def restore(self, who: int) -> None:
        """What was synced until then is in the history of this machine, even if nobody could be reached."""
        if self.copy_of(who).exists():
            with suppress(Unreachable):
                self.memory(who).sync()
            self.memory(who).restore(str(self.copy_of(who)))

    @rule()
    def fall_quiet(self) -> None:
        """Two rounds in which nobody edits: all have the same, with every word, and nothing else was touched."""
        if not self.is_online:
            self.lose_or_find_the_network()
        self.check_that_sides_do_not_matter()
        in_step(self.memories, rounds=2)
        files = files_of(self.memories[0])
        told = "".join(content.decode() for content in files.values())
        missing = [word for word in self.words if word not in told]
        if missing:
            histories = "".join(history(memory) for memory in self.memories)
            assert [word for word in missing if word not in histories] == [], "acknowledged edits are gone"
        untouched = {path: content for path, content in self.quiet.items() if path[-29:-3] not in self.touched}
        assert {path: files.get(path) for path in untouched} == untouched, "a file was changed that nobody edited"
        self.quiet, self.touched = files, set()
        again = [memory.sync() for memory in self.memories]
        assert [(each.sent, each.received) for each in again] == [((), ())] * len(again), (
            "a quiet round changed something"
        )
        assert files_of(self.memories[0]) == files

    def check_that_sides_do_not_matter(self) -> None:
        """The files as they are now, merged by hand: the same from either side, and nothing new if done again."""
        first, second = (files_of(memory) for memory in self.memories[:2])
        for path in first.keys() & second.keys():
            try:
                one, two = parsed(first[path]), parsed(second[path])
                base = parsed(self.quiet[path]) if path in self.quiet else None
            except Malformed:
                continue
            both = merged(base, one, two)
            assert both == merged(base, two, one)
            assert both == merged(one, one, both) == merged(two, both, two)

    # -- who and what is meant --

    def memory(self, who: int) -> Memory:
        return self.memories[who % len(self.memories)]

    def notes(self, who: int) -> list[Note]:
        # Whatever the clock says: after it went back, what was just written is not true yet.
        found = self.memory(who).list(limit=1000, state="any").items
        return sorted((note for note in found if note.state is State.ACTIVE), key=lambda note: note.id)

    def note(self, who: int, which: int) -> Note:
        """One that is going to be touched."""
        notes = self.notes(who)
        chosen = notes[which % len(notes)]
        self.touched.add(chosen.id)
        return chosen

    def word(self) -> str:
        self.words.append(f"w{len(self.words)}x")
        return self.words[-1]

    @property
    def is_online(self) -> bool:
        return self.remote.exists()

    def copy_of(self, who: int) -> Path:
        return self.folder / f"copy-{who % len(self.memories)}.db"


def test_whatever_machines_do_no_edit_is_lost_and_all_end_the_same() -> None:
    run_state_machine_as_test(
        Machines,
        settings=settings(
            max_examples=150 if FULL else 3,
            stateful_step_count=40 if FULL else 15,
            derandomize=not FULL,
            print_blob=True,
            deadline=None,
            database=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
