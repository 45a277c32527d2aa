"""A writer that goes on until it is killed: it saves, corrects, replaces, pins, takes back, forgets and searches.

It works in two spaces that it shares with its siblings, on whatever notes are there, and in one of its own,
where it must always find what it wrote.
"""

from __future__ import annotations

import os
import random
import sys
from typing import NoReturn

from recollect import Conflict, Erased, Memory, Note, NotFound, RecollectError
from tests.chaos.programs.saying import hear, say
from tests.chaos.soundness import note_mark

SHARED = ("alpha", "beta")
VERBS = ("save",) * 4 + ("update",) * 4 + ("supersede", "supersede", "pin", "unpin", "retract", "forget", "search")


def main(number: str, home: str) -> None:
    """Bear one writer after the other: a fork takes no time, where starting Python would take most of it."""
    while seed := hear():
        writer = os.fork()
        if writer == 0:
            say(writer=os.getpid())
            write(home, f"writer-{number}", random.Random(seed))
        _, status = os.waitpid(writer, 0)
        say(ended=os.waitstatus_to_exitcode(status))


def write(home: str, own: str, chance: random.Random) -> NoReturn:
    """Write until killed. Nothing was opened before the fork."""
    with Memory(home=home, principal=own) as memory:
        while True:
            space, verb = chance.choice((*SHARED, own)), chance.choice(VERBS)
            try:
                step(memory, chance, space, verb)
            except (Conflict, Erased, NotFound):
                pass  # a sibling was faster: it retracted, replaced or forgot the note
            except RecollectError as problem:
                say(failed=verb, code=problem.code, message=problem.message)


def step(memory: Memory, chance: random.Random, space: str, verb: str) -> None:
    """Do one thing and acknowledge it once it is done."""
    word = f"w{chance.getrandbits(64):x}"
    text = f"{word} " + " ".join(chance.choices(("tea", "coffee", "milk", "water"), k=chance.randrange(1, 400)))
    match verb:
        case "save":
            acknowledge(verb, memory.save(text, tags=[verb], metadata={"word": word}, space=space))
        case "search":
            look_up(memory, space)
        case _:
            notes = memory.list(space=space, limit=30).items
            if notes:
                change(memory, chance.choice(notes), verb, text)


def change(memory: Memory, note: Note, verb: str, text: str) -> None:
    match verb:
        case "update":
            acknowledge(verb, memory.update(note.id, text=text, space=note.space))
        case "supersede":
            acknowledge(verb, memory.supersede(note.id, text, space=note.space))
        case "pin":
            acknowledge(verb, memory.pin(note.id, space=note.space))
        case "unpin":
            acknowledge(verb, memory.unpin(note.id, space=note.space))
        case "retract":
            acknowledge(verb, memory.retract(note.id, reason="a mistake", space=note.space))
        case "forget":
            # Said before as well: if we are killed in between, nobody can know whether it was done.
            say(about_to_forget=[note.space, note.id])
            memory.forget(note.id, space=note.space)
            say(forgotten=[note.space, note.id])
        case _:
            raise AssertionError(f"{verb} is not known")


def acknowledge(verb: str, note: Note) -> None:
    say(acknowledged=verb, note=[note.space, note.id, note.version], mark=note_mark(note))


def look_up(memory: Memory, space: str) -> None:
    """In a space that nobody else writes to, the newest note is found by its first word."""
    for note in memory.list(space=space, limit=1).items:
        found = memory.search(note.text.split()[0], space=space).hits
        if space not in SHARED and note.id not in {hit.note.id for hit in found if hit.note is not None}:
            say(failed="search", code="not_found", message=f"{note.id} is not found by its own word.")


if __name__ == "__main__":
    main(*sys.argv[1:])
