"""Somebody who waits only a little for the lock, tries every way of writing, and then reads."""

from __future__ import annotations

import sys
from collections.abc import Callable

from recollect import Memory, RecollectError
from tests.chaos.programs.saying import hear, say


def main(home: str, note_id: str, patience: str) -> None:
    with Memory(home=home, busy_timeout=float(patience)) as memory:
        verbs: dict[str, Callable[[], object]] = {
            "save": lambda: memory.save("one of many", idempotency_key="impatient"),
            "update": lambda: memory.update(note_id, text="corrected"),
            "pin": lambda: memory.pin(note_id),
            "supersede": lambda: memory.supersede(note_id, "replaced", idempotency_key="replacement"),
            "create_space": lambda: memory.create_space("another"),
        }
        while hear():
            for name, verb in verbs.items():
                try:
                    verb()
                    say(verb=name)
                except RecollectError as problem:
                    say(verb=name, **problem.as_dict())
            say(reads=memory.get(note_id).text, finds=len(memory.search("first").hits))


if __name__ == "__main__":
    main(*sys.argv[1:])
