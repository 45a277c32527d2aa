"""A sibling that opens the memory, writes one note and leaves, once for each line it hears."""

from __future__ import annotations

import sys

from recollect import Memory
from tests.chaos.programs.saying import hear, say


def main(home: str) -> None:
    while hear():
        with Memory(home=home) as memory:
            note = memory.save("a note of a visitor")
        say(note=note.id)


if __name__ == "__main__":
    main(*sys.argv[1:])
