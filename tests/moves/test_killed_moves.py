"""Moves to and fro are killed again and again while others write. Each note that was acknowledged is there once.

Writers stop before the last moves, so that the exports of both stores can be compared byte for byte.
"""

from __future__ import annotations

import json
import os
import random
import secrets
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from time import monotonic

import pytest

from recollect import Memory
from recollect.domain.answers.recollections import ExportPage
from recollect.domain.errors import RecollectError
from recollect.domain.notes import Note
from recollect.domain.selections import Page
from recollect.domain.values import to_plain
from tests.chaos.effort import FULL, LIMIT
from tests.support.postgres import Server

pytestmark = [pytest.mark.chaos, pytest.mark.postgres, LIMIT]

KILLS = 60 if FULL else 3
WRITERS = 4 if FULL else 2
# Seconds between two notes of a writer. Every move compares all rows, so a long run of quick writers takes the square
# of its length: with 0.1 the moves of the last minutes had fifty times the rows of the first.
PAUSE = 0.5 if FULL else 0.1
NOTES = 200 if FULL else 50  # that are there before the move begins
MOST_WORDS = 9 if FULL else 5  # that a move says before it is killed: one that goes on says five


def test_nothing_is_lost_when_a_move_is_killed_under_load(postgres_server: Server, tmp_path: Path) -> None:
    seed, began = secrets.randbits(32), monotonic()
    chance = random.Random(seed)
    old, home = str(tmp_path / "old.db"), tmp_path / "home"
    with postgres_server.database() as new, Memory(store=old, home=home) as first:
        for number in range(NOTES):
            first.save(f"Note {number} of before", space="alice")
        stop = Event()
        with ThreadPoolExecutor(WRITERS) as pool:
            writers = [pool.submit(keep_writing, name, (old, new), home, stop) for name in range(WRITERS)]
            try:
                (source, target), kills, moves = (old, new), 0, 0
                while kills < KILLS or source == new:
                    if moved(source, target, home, chance.randint(1, MOST_WORDS) if kills < KILLS else None):
                        kills += 1
                    else:
                        source, target = target, source
                        moves += 1
            finally:
                stop.set()
            acknowledged = [note for writer in writers for note in writer.result()]
        assert not moved(old, new, home, None)
        told = f"{kills} kills, {moves} moves, {len(acknowledged)} notes acknowledged"
        sys.stdout.write(f"seed {seed}: {told} in {monotonic() - began:.0f} s\n")
        with Memory(store=new, home=home) as memory:
            texts = Counter(note.text for note in every_note(memory))
            assert [text for text in acknowledged if texts[text] != 1] == []
            assert memory.audit(space="alice").whole
            assert sum(texts.values()) >= NOTES + len(acknowledged)
            assert all(check.ok for check in memory.measuring.checks())
            there = exported(memory)
        assert not moved(new, old, home, None)
        assert exported(first) == there


def moved(old: str, new: str, home: Path, words: int | None) -> bool:
    """Run a move until it has said so many words, then kill it; whether it was killed before it had ended."""
    command = [sys.executable, "-m", "recollect", "spaces", "move", "alice", "--to", new, "--store", old]
    environment = {**os.environ, "RECOLLECT_HOME": str(home)}
    with subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=environment
    ) as child:
        assert child.stderr is not None
        said = []
        for line in child.stderr:
            said.append(line)
            if len(said) == words:
                child.kill()
        code = child.wait()
    assert code in (0, -9), "".join(said)
    return code != 0


def keep_writing(name: int, stores: tuple[str, str], home: Path, stop: Event) -> list[str]:
    """Save one note after another, each under a key of its own, in whichever of the stores takes it."""
    acknowledged: list[str] = []
    old, new = (Memory(store=each, home=home) for each in stores)
    with old, new:
        while not stop.wait(PAUSE):
            text = f"Note {len(acknowledged)} of writer {name}"
            for memory in (old, new):
                try:
                    memory.save(text, space="alice", idempotency_key=text)
                    acknowledged.append(text)
                    break
                except RecollectError as problem:
                    assert problem.code in ("space_moved", "busy"), problem
    return acknowledged


def exported(memory: Memory) -> bytes:
    """The export of the space, byte for byte."""
    lines: list[str] = []
    page: ExportPage | None = None
    while page is None or page.next_cursor:
        page = memory.export(space="alice", cursor=page.next_cursor if page else None)
        lines += (json.dumps(to_plain(record), ensure_ascii=False) for record in page.records)
    return "\n".join(lines).encode()


def every_note(memory: Memory) -> list[Note]:
    found: list[Note] = []
    page: Page[Note] | None = None
    while page is None or page.next_cursor:
        page = memory.list(space="alice", limit=500, cursor=page.next_cursor if page else None)
        found += page.items
    return found
