"""Fills a small disk, tries every way of writing on the full one, and goes on when it is told that there is room."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from typing import Any

from recollect import Memory, Note, RecollectError, StorageFull
from tests.chaos.programs.saying import hear, say
from tests.chaos.soundness import complaints, note_mark

LENGTH = 20_000  # characters of a note: several pages


def main(home: str, copy: str) -> None:
    chance = random.Random(7)
    with Memory(home=home) as memory:
        kept, doomed = memory.save("the first note"), memory.save("a note to forget")
        acknowledge(kept)
        memory.backup(copy)
        fill(memory, chance)
        for name, verb in verbs(memory, kept, doomed, copy, chance).items():
            attempt(name, verb)
        attempt("restore", lambda: memory.restore(copy))
        attempt("backup to a target", lambda: memory.backup(target=f"{copy}.target"))
        say(wrong=complaints(memory))
        hear()
        for name, verb in verbs(memory, kept, doomed, copy, chance).items():
            verb()
            say(done=name)
        acknowledge(memory.save(text_of(chance)))
        say(wrong=complaints(memory))


def fill(memory: Memory, chance: random.Random) -> None:
    """Save notes until there is no room left."""
    while True:
        try:
            acknowledge(memory.save(text_of(chance)))
        except StorageFull as problem:
            say(full=problem.code, retryable=problem.retryable)
            return


def verbs(memory: Memory, kept: Note, doomed: Note, copy: str, chance: random.Random) -> dict[str, Callable[[], Any]]:
    return {
        "save": lambda: acknowledge(memory.save(text_of(chance))),
        "update": lambda: acknowledge(memory.update(kept.id, text=text_of(chance))),
        "pin": lambda: acknowledge(memory.pin(kept.id)),
        "forget": lambda: memory.forget(doomed.id),
        "backup": lambda: memory.backup(f"{copy}.second"),
        "compact backup": lambda: memory.backup(f"{copy}.third", compact=True),
        "reindex": lambda: memory.reindex(),
    }


def attempt(name: str, verb: Callable[[], Any]) -> None:
    try:
        verb()
        say(done=name)
    except RecollectError as problem:
        say(error=problem.code, verb=name)
    except Exception as problem:
        say(raw=f"{type(problem).__module__}.{type(problem).__name__}", verb=name)


def acknowledge(note: Note) -> None:
    say(acknowledged=[note.id, note.version], mark=note_mark(note))


def text_of(chance: random.Random) -> str:
    return " ".join(f"{chance.getrandbits(40):x}" for _ in range(LENGTH // 11))


if __name__ == "__main__":
    main(*sys.argv[1:])
