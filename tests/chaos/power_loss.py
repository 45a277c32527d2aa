"""Every state in which a power loss could have left a program's work, and a judge who opens them.

The program says after each step what memory holds by then; every such line is a promise. A state is good if a new
process can open it, finds it sound, and it holds exactly what was promised last, or that and the one step which was
under way.
"""

from __future__ import annotations

import contextlib
import random
import shutil
from collections.abc import Container, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import TypeAlias

import apsw

from recollect import InvalidInput, Memory, RecollectError
from tests.chaos.children import Fact
from tests.chaos.disks import Disk, Image, lay_out
from tests.chaos.effort import FULL, SEED, quick_folder, sampled
from tests.chaos.programs.every_write import PIECEMEAL
from tests.chaos.soundness import complaints, fingerprint, record_marks
from tests.chaos.tracing import Call, traced

MOMENTS = 12  # at least, of the calls that change the disk between one promise and the next

Key: TypeAlias = tuple[int, int, str]


@dataclass(frozen=True, slots=True)
class CrashState:
    """How a disk may look when the power goes after a number of calls, and what had been promised by then."""

    after: int
    promised: int
    story: str
    image: Image

    @property
    def key(self) -> Key:
        return self.after, self.promised, self.story

    def __str__(self) -> str:
        return f"after call {self.after}, {self.promised} steps promised: {self.story}"


@dataclass(frozen=True, slots=True)
class Exploration:
    """What the program did, how many states that could have left, and what is wrong with which of those opened."""

    steps: list[str]
    calls: int
    states: int
    opened: int
    bad: list[str]

    def __str__(self) -> str:
        return (
            f"{len(self.steps)} steps, {self.calls} calls, {self.states} states,"
            f" {self.opened} opened (seed {SEED}), {len(self.bad)} bad"
        )


def explore(root: Path, size: int, *how: str) -> Exploration:
    """Run `every_write` under strace in a folder, and open what power losses would have left of its work."""
    log = root.with_name("trace")
    with quick_folder() as scratch:
        before = scratch / "before"
        shutil.copytree(root, before)
        calls, steps = traced(root, log, "every_write", root, *how)
        assert sum(call.says for call in calls) == len(steps)

        points = some_moments(Disk(root, before), calls, size)
        keys = [state.key for state in distinct(crash_states(Disk(root, before), calls, points))]
        chosen = spread(keys, size)
        points = {after for after, _, _ in chosen}
        judge = Judge(steps, scratch / "disk")
        bad = [
            f"{state} ({objection})"
            for state in crash_states(Disk(root, before), calls, points)
            if state.key in chosen
            for objection in judge.objections(state)
        ]
    return Exploration([step["step"] for step in steps], len(calls), len(keys), len(chosen), bad)


def moments(disk: Disk, calls: list[Call]) -> Iterator[tuple[int, int]]:
    """Have the disk perform each call; the number of each that changed it or is a promise, and the promises so far."""
    promised = 0
    for number, call in enumerate(calls):
        if call.says:
            promised += 1
        elif not disk.perform(call):
            continue
        yield number, promised


def some_moments(disk: Disk, calls: list[Call], size: int) -> set[int]:
    """Every promise, and a few of the calls before the next one; all of them with RECOLLECT_CHAOS=full.

    To draw up how the disk may look after each call takes much longer than to open the states that are chosen.
    """
    steps = [[number for number, _ in step] for _, step in groupby(moments(disk, calls), key=itemgetter(1))]
    each = max(MOMENTS, size // len(steps))
    return {number for step in steps for number in (*step[:1], *sampled(step[1:], each))}


def crash_states(disk: Disk, calls: list[Call], after: Container[int]) -> Iterator[CrashState]:
    """How the disk may look after each of the given calls."""
    for number, promised in moments(disk, calls):
        if number in after:
            for story, image in disk.images(random.Random(f"{SEED}:{number}")):
                yield CrashState(number, promised, story, image)


def distinct(states: Iterator[CrashState]) -> Iterator[CrashState]:
    """Only states that differ from all before them in what is there or in what had been promised."""
    seen = set()
    for state in states:
        # The -shm file is made anew by whoever opens a database first; what is in it makes no difference.
        files = tuple((path, content) for path, content in state.image.items() if not path.endswith("-shm"))
        look = hash((state.promised, files))
        if look not in seen:
            seen.add(look)
            yield state


def spread(keys: Sequence[Key], size: int) -> set[Key]:
    """First of every step every story, then whatever else, always the same; all of it with RECOLLECT_CHAOS=full."""
    shuffled = random.Random(SEED).sample(keys, len(keys))
    first = {key[1:]: key for key in shuffled}
    ordered = [*first.values(), *(key for key in shuffled if first[key[1:]] != key)]
    return set(ordered if FULL else ordered[:size])


@dataclass(frozen=True, slots=True)
class Look:
    """A memory, looked at whole: what is wrong with it, and what it holds."""

    complaints: list[str]
    holds: str
    records: list[str]


class Judge:
    """Opens crash states as a new process would, and says what is wrong with them."""

    def __init__(self, steps: list[Fact], disk: Path) -> None:
        self._steps = steps
        self._disk = disk
        self._restored: set[int] = set()  # copies that were found to be good, by their bytes
        self._looked: dict[int, Look] = {}  # by everything that is on the disk once the database was opened

    def objections(self, state: CrashState) -> Iterator[str]:
        shutil.rmtree(self._disk, ignore_errors=True)
        lay_out(state.image, self._disk)
        try:
            with Memory(home=self._disk / "data" / "recollect") as memory:
                look = self._look(state, memory)
                yield from look.complaints
                yield from self._lost(state, look)
                yield from self._lost_copies(state, memory)
                note = memory.save("life goes on")
                if memory.get(note.id) != note:
                    yield "what is saved now is not there"
        except RecollectError as problem:
            yield f"{type(problem).__name__}: {problem}"

    def _look(self, state: CrashState, memory: Memory) -> Look:
        """A look at everything in a memory. Many states differ only in what a database leaves out when it is opened."""
        database = Path(memory.settings.store)
        with closing(apsw.Connection(str(database))) as opened:
            pages = opened.serialize("main")
        others = ((path, content) for path, content in state.image.items() if database.name not in path)
        there = hash((pages, *others))
        if there not in self._looked:
            self._looked[there] = Look(complaints(memory), fingerprint(memory), record_marks(memory))
        return self._looked[there]

    def _lost(self, state: CrashState, look: Look) -> Iterator[str]:
        """It holds what the last promise said, or what the step under way would have said."""
        promised, under_way = (self._steps[max(state.promised - 1, 0) : state.promised + 1] * 2)[:2]
        holds = look.holds
        if holds in (promised["holds"], under_way["holds"]):
            return
        if under_way["step"] in PIECEMEAL and set(promised["records"]) <= set(look.records):
            return
        as_after = [step["step"] for step in self._steps if step["holds"] == holds]
        yield f"lost `{promised['step']}`: it holds what it held after {as_after or 'no step at all'}"

    def _lost_copies(self, state: CrashState, memory: Memory) -> Iterator[str]:
        """A copy that was promised can be restored; one that was being made is complete or can be made again."""
        for number, step in enumerate(self._steps[: state.promised + 1]):
            verb, _, name = step["step"].partition(" ")
            if verb != "backup":
                continue
            copy = self._disk / "copies" / "daily" / name
            if number == state.promised:
                with contextlib.suppress(InvalidInput):  # it is there already
                    memory.backup(str(copy))
            look = hash((number, *(state.image.get(f"copies/daily/{name}{end}") for end in ("", ".json"))))
            if look in self._restored and number < state.promised:
                continue
            with Memory(store=":memory:") as other:
                other.restore(str(copy))
                if record_marks(other) != step["records"]:
                    yield f"lost `{step['step']}`: the copy holds something else"
            self._restored.add(look)
