"""Counts in the metadata of a note: reads it, adds one, writes it back, many times.

With `shared` others count in the same note, so it names the version it read and begins again on a `Conflict`.
With `own` nobody else touches the note, and no version is named.
"""

from __future__ import annotations

import sys

from recollect import Conflict, Memory, RecollectError
from tests.chaos.programs.saying import hear, say


def main(number: str, home: str, rounds: str, mode: str, *note_ids: str) -> None:
    note_id = note_ids[int(number) % len(note_ids)]
    conflicts = 0
    with Memory(home=home, principal=f"counter-{number}") as memory:
        say(ready=True)
        hear()
        counted = 0
        while counted < int(rounds):
            try:
                note = memory.get(note_id)
                memory.update(
                    note_id,
                    metadata={"count": note.metadata["count"] + 1},
                    expected_version=note.version if mode == "shared" else None,
                )
                counted += 1
            except Conflict:
                conflicts += 1
            except RecollectError as problem:
                say(failed=problem.code, message=problem.message)
                counted += 1
    say(counted=counted, conflicts=conflicts)


if __name__ == "__main__":
    main(*sys.argv[1:])
