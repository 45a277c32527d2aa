"""Opens the memory it is told of, writes one note into it and closes it; again for each address it hears."""

from __future__ import annotations

import fcntl
import sys
from pathlib import Path

from recollect import Memory, RecollectError
from tests.chaos.programs.saying import hear, say


def main(number: str, home: str) -> None:
    say(ready=True)
    while address := hear():
        wait_at(Path(home, "gate"))
        try:
            with Memory(store=address, home=home) as memory:
                note = memory.save(f"a note of process {number}", space="new")
            say(note=note.id)
        except RecollectError as problem:
            say(failed=problem.code, message=problem.message)


def wait_at(gate: Path) -> None:
    """Wait until the test lets go of the gate: a lock wakes all who wait for it at the same moment."""
    with gate.open() as file:
        say(waiting=True)
        fcntl.flock(file, fcntl.LOCK_SH)


if __name__ == "__main__":
    main(*sys.argv[1:])
