"""Forgets one note after the other, and says of each that it is gone."""

from __future__ import annotations

import sys

from recollect import Memory
from tests.chaos.programs.saying import hear, say


def main(number: str, home: str, crowd: str) -> None:
    with Memory(home=home) as memory:
        notes = [note.id for note in memory.list(limit=1000).items][int(number) :: int(crowd)]
        say(ready=True)
        hear()
        for note_id in notes:
            memory.forget(note_id)
            say(forgotten=note_id)


if __name__ == "__main__":
    main(*sys.argv[1:])
