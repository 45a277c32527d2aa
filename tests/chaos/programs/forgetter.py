"""Forgets one note after the other, and says of each that it is gone."""

from __future__ import annotations

import sys
from contextlib import suppress

from recollect import Busy, Memory
from tests.chaos.programs.saying import hear, say

_ROUNDS = 100  # each waits three times for the lock


def forget_patiently(memory: Memory, note_id: str) -> None:
    """Try again when told that others were faster, as the error says."""
    for _ in range(_ROUNDS - 1):
        with suppress(Busy):
            memory.forget(note_id)
            return
    memory.forget(note_id)


def main(number: str, home: str, crowd: str) -> None:
    with Memory(home=home) as memory:
        notes = [note.id for note in memory.list(limit=1000).items][int(number) :: int(crowd)]
        say(ready=True)
        hear()
        for note_id in notes:
            forget_patiently(memory, note_id)
            say(forgotten=note_id)


if __name__ == "__main__":
    main(*sys.argv[1:])
