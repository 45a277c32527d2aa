"""A machine that edits the notes all machines share, makes new ones, and syncs after each round.

Some edits are made in memory and some in the files. Each leaves a word of its own, which is said once the edit is
acknowledged: saved, or written to the file.
"""

from __future__ import annotations

import sys
from pathlib import Path

from recollect import Memory, RecollectError
from tests.chaos.programs.saying import hear, say
from tests.vault.machines import files_with


def main(number: str, home: str, remote: str, first: str, rounds: str) -> None:
    with Memory(home=home, principal=f"machine-{number}") as memory:
        folder = Path(memory.open_vault(remote=remote).folder)
        notes = [note.id for note in memory.list(limit=1000, tag="shared").items]
        say(ready=True)
        hear()
        for turn in range(int(first), int(first) + int(rounds)):
            say(turn=turn)
            for place, note_id in enumerate(notes):
                word = f"m{number}t{turn}n{place}"
                if place % 5 == int(number):
                    edit_file(folder, note_id, word)
                else:
                    edit(memory, note_id, word, number, place)
                say(edited=note_id, word=word)
            fresh = memory.save(f"new m{number}t{turn}")
            say(saved=fresh.id)
            say(syncing=turn)
            try:
                memory.sync()
                say(synced=turn)
            except RecollectError as problem:
                say(failed=problem.code, message=problem.message)
    say(done=True)


def edit(memory: Memory, note_id: str, word: str, number: str, place: int) -> None:
    """Every third edit is of a title; the others add a line where this machine adds its lines, or where all do."""
    note = memory.get(note_id)
    if place % 3 == 0:
        memory.update(note_id, title=word)
        return
    lines = note.text.split("\n")
    lines.insert(lines.index(f"of {number}") + 1 if place % 3 == 1 else len(lines), word)
    memory.update(note_id, text="\n".join(lines))


def edit_file(folder: Path, note_id: str, word: str) -> None:
    """As an editor does that saves a draft and renames it."""
    [path] = files_with(folder / "memory", note_id)
    draft = path.with_suffix(".draft")
    draft.write_text(path.read_text() + f"{word}\n")
    draft.rename(path)


if __name__ == "__main__":
    main(*sys.argv[1:])
