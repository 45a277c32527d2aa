"""The disk is full or fails at the n-th write, sync or truncation. The error says so, and nothing is half-done."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

import pytest

from recollect import Memory
from recollect.operations import Effect, operations_of
from tests.chaos.children import PATIENCE, Child, Fact, crowd
from tests.chaos.conftest import Figures
from tests.chaos.effort import LIMIT, SEED, quick_folder, sampled
from tests.chaos.failing_disk import Fault
from tests.chaos.programs.on_a_failing_disk import steps
from tests.chaos.soundness import complaints, note_mark, store_of

pytestmark = [pytest.mark.chaos, LIMIT]

SAMPLE = 12  # of the moments for each kind of fault; all of them with RECOLLECT_CHAOS=full
IN_A_LIFE = 4  # faults of one kind, far from each other: a life takes half a second, whatever fails in it

KINDS = [
    ("write", "full", True),
    ("write", "failed", False),
    ("sync", "failed", False),
    ("truncate", "failed", False),
    ("read", "failed", False),
    ("delete", "failed", False),
    ("open", "failed", False),
    ("open a file", "failed", False),
    ("name a file", "failed", False),
    ("name a file", "full", True),
    ("remove a file", "failed", False),
]


def test_a_disk_that_fails_at_any_moment_costs_an_error_and_nothing_else(figures: Figures) -> None:
    writing = {verb.name for verb in operations_of(Memory).values() if verb.effect is not Effect.READ}
    # What git does is tried in test_interrupted_syncs.py. Keys and models want a provider, which this program has not.
    apart = {name for name in writing if name.startswith(("sync", "revert", "provider-keys.", "embeddings."))}
    assert {name.partition(" ")[0] for name, _ in steps(Path(), Path())} >= {*writing - apart, "backup"}

    with quick_folder() as folder, crowd(2, "on_a_failing_disk", folder) as children:
        sound = lived(children, [[], []])
        assert [(life["errors"], life["wrong"]) for life in sound] == [([], []), ([], [])]
        faults = [
            each for call, error, lasting in KINDS for each in shared_out(call, error, lasting, sound[0]["calls"][call])
        ]
        lives = lived(children, faults)
        # Of two faults in one step only the first comes about; the others have lives of their own.
        late = [[Fault(**fault)] for life in lives for fault in life["left"]]
        lives += lived(children, late)

    planned, failed = sum(map(len, faults)), sum(life["failed"] for life in lives)
    errors = sum(len(life["errors"]) for life in lives)
    figures(f"{len(lives)} lives (seed {SEED}): the disk failed {failed} times, {errors} errors were raised")
    wrong = [
        f"{', '.join(map(str, each))}: {one}"
        for each, life in zip(faults + late, lives, strict=True)
        for one in life["wrong"]
    ]
    assert not wrong, "\n".join(wrong)
    assert failed > 0.9 * planned  # a life may make fewer calls than the first one, but not many


def shared_out(call: str, error: str, lasting: bool, calls: int) -> list[list[Fault]]:
    """The faults of one kind, at some of so many calls, shared out among lives."""
    faults = [Fault(call, error, moment, lasting) for moment in sampled(range(1, calls + 1), SAMPLE)]
    lives = -(-len(faults) // IN_A_LIFE)
    return [faults[number::lives] for number in range(lives)]


def lived(children: list[Child], faults: Sequence[Sequence[Fault]]) -> list[Fact]:
    """Have the children live one life for each list of faults, side by side, and look at what they left."""
    lives: list[Fact] = []
    for start in range(0, len(faults), len(children)):
        batch = list(zip(children, faults[start : start + len(children)], strict=False))
        for child, some in batch:
            child.tell(json.dumps([asdict(fault) for fault in some]))
        for child, _ in batch:
            life = child.next()
            with Memory(home=life["home"]) as memory:
                life["wrong"] += complaints(memory)
                if not memory.search("coffee").hits:
                    life["wrong"].append("another process finds nothing")
            shutil.rmtree(life["home"])
            lives.append(life)
    return lives


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A real file system of eight megabytes."""
    if os.geteuid() != 0:
        pytest.skip("only root can mount a file system")
    folder = tmp_path / "small"
    folder.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", folder], check=True, timeout=PATIENCE)
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True, timeout=PATIENCE)


def test_a_full_disk_is_said_to_be_full_and_is_used_again_when_there_is_room(
    small_disk: Path, figures: Figures
) -> None:
    ballast = small_disk / "ballast"
    ballast.write_bytes(bytes(5_000_000))
    with Child("filler", small_disk / "home", small_disk / "copy.db") as filler:
        said = until(filler, "wrong")
        ballast.unlink()
        filler.tell("there is room")
        said += until(filler, "wrong")

    assert [fact["retryable"] for fact in said if "full" in fact] == [True]
    tried = {fact["verb"]: fact["error"] for fact in said if "error" in fact}
    figures(f"{sum('acknowledged' in fact for fact in said)} notes acknowledged; when full: {tried}")
    assert [fact for fact in said if "raw" in fact or fact.get("wrong")] == []
    assert set(tried.values()) == {"storage_full"}
    with Memory(home=small_disk / "home") as memory:
        assert complaints(memory) == []
        for fact in said:
            if "acknowledged" in fact:
                there = store_of(memory).version("default", *fact["acknowledged"])
                assert there is not None
                assert note_mark(there) == fact["mark"]


def until(child: Child, key: str) -> list[Fact]:
    """What it says, up to and with the first thing of a kind."""
    said = [child.next()]
    while key not in said[-1]:
        said.append(child.next())
    return said
