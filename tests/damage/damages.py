"""Seeded ways to damage a database: what each does to the bytes of the file and of its log."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from recollect import Memory
from recollect.domain.clock import SystemClock

PAGE = 4096
FRAME = PAGE + 24
LONG = os.environ.get("RECOLLECT_DAMAGES", "")  # `full`: ten times as many


@dataclass(frozen=True, slots=True)
class Sound:
    """The files of a memory before anything happens to them, and the keys of all records in it."""

    database: bytes
    log: bytes
    keys: frozenset[tuple[str, str, int]]
    note_id: str


@dataclass(frozen=True, slots=True)
class Damage:
    """One thing that happens to a file. `silent` if nothing that is left of it can show that."""

    name: str
    inflict: Callable[[Path, Sound], None]
    silent: bool = False


def sound(folder: Path, *, crashed: bool) -> Sound:
    """A filled memory, as it lies there after it was closed, or as a killed process leaves it."""
    home = folder / ("crashed" if crashed else "closed")
    memory = Memory(home=home, embedding="off", clock=SystemClock())
    if crashed:
        memory.save("The first note")
        memory.close()
        memory = Memory(home=home, embedding="off", clock=SystemClock())
    memory.forget(memory.save("To be forgotten").id)
    notes = [memory.save(f"Parrot {number} likes {'seeds ' * (number * 11 % 400)}") for number in range(40)]
    memory.add(
        [
            {"role": "user", "content": f"My sister Ana lives in Oslo {'far ' * 1500}"},
            {"role": "user", "content": "Hello"},
        ]
    )
    memory.add_action("Feed the parrot")
    keys = frozenset(key_of(record) for record in exported(memory))
    copy = folder / "copy.db"
    for end in ("", "-wal"):
        if (home / f"recollect.db{end}").exists() and crashed:
            shutil.copy(home / f"recollect.db{end}", f"{copy}{end}")
    memory.close()
    if not crashed:
        shutil.copy(home / "recollect.db", copy)
    log = Path(f"{copy}-wal")
    return Sound(copy.read_bytes(), log.read_bytes() if crashed else b"", keys, notes[5].id)


def exported(memory: Memory) -> Iterator[dict[str, object]]:
    cursor = None
    while True:
        page = memory.export(cursor=cursor)
        yield from page.records
        if (cursor := page.next_cursor) is None:
            return


def key_of(record: dict[str, object]) -> tuple[str, str, int]:
    name = record.get("id") or record.get("note_id") or record.get("name") or ""
    return str(record["type"]), str(name), int(str(record.get("version") or 0))


def damages_of_a_file(count: int) -> Iterator[Damage]:
    """Damages to a database that was closed."""
    if LONG == "full":
        count *= 10
    for seed in range(count):
        kind = ("cut", "zeros", "flip", "flips", "noise", "header")[seed % 6]
        yield Damage(f"{kind}-{seed}", _on_bytes(kind, seed))
    yield Damage("first page zeroed", _on_bytes("first page", 0))
    yield Damage("all zeros", lambda path, sound: _write(path, bytes(len(sound.database))))
    yield Damage("empty", lambda path, _: _write(path, b""), silent=True)
    yield Damage("a text", lambda path, _: _write(path, b"Dear diary,\n" * 500))
    yield Damage("a folder", lambda path, _: path.mkdir())
    yield Damage("another program's database", _another_database)
    yield Damage("another database with migrations", _another_with_migrations)


def damages_of_a_log(count: int) -> Iterator[Damage]:
    """Damages to the log that a killed process leaves."""
    for seed in range(count if LONG != "full" else count * 10):
        kind = ("frame", "noise", "all noise", "log header", "log zeros")[seed % 5]
        yield Damage(f"{kind}-{seed}", _on_log(kind, seed))
    yield Damage("file emptied under its log", lambda path, sound: _write(path, b"", sound.log))


def _on_bytes(kind: str, seed: int) -> Callable[[Path, Sound], None]:
    def inflict(path: Path, sound: Sound) -> None:
        chance = random.Random(seed)
        content = bytearray(sound.database)
        size = len(content)
        match kind:
            case "cut":
                del content[chance.randrange(1, size) :]
            case "zeros":
                start = chance.randrange(size // PAGE) * PAGE
                length = min(PAGE * chance.randrange(1, 6), size - start)
                content[start : start + length] = bytes(length)
            case "flip":
                content[chance.randrange(size)] ^= 1 << chance.randrange(8)
            case "flips":
                for _ in range(chance.randrange(20, 200)):
                    content[chance.randrange(size)] ^= 1 << chance.randrange(8)
            case "noise":
                start = chance.randrange(size - 600)
                content[start : start + 600] = chance.randbytes(600)
            case "header":
                place = chance.randrange(100)
                length = min(100 - place, chance.randrange(1, 100))
                content[place : place + length] = chance.randbytes(length)
            case _:
                content[:PAGE] = bytes(PAGE)
        _write(path, bytes(content))

    return inflict


def _on_log(kind: str, seed: int) -> Callable[[Path, Sound], None]:
    def inflict(path: Path, sound: Sound) -> None:
        chance = random.Random(seed)
        log = bytearray(sound.log)
        frames = (len(log) - 32) // FRAME
        first = 32 + FRAME * chance.randrange(frames // 3)
        match kind:
            case "frame":
                place = first + 24 + chance.randrange(PAGE)
                log[place] ^= 1 << chance.randrange(8)
            case "noise":
                log[first + 24 : first + 24 + 500] = chance.randbytes(500)
            case "all noise":
                log[first:] = chance.randbytes(len(log) - first)
            case "log header":
                log[chance.randrange(4)] ^= 0xFF
            case _:
                log[first : first + FRAME] = bytes(FRAME)
        _write(path, sound.database, bytes(log))

    return inflict


def _write(path: Path, content: bytes, log: bytes = b"") -> None:
    path.write_bytes(content)
    if log:
        Path(f"{path}-wal").write_bytes(log)


def _another_database(path: Path, _: Sound) -> None:
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE recipe (name TEXT)")
    connection.commit()
    connection.close()


def _another_with_migrations(path: Path, _: Sound) -> None:
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE migration (id TEXT)")
    connection.execute("CREATE TABLE note (body TEXT)")
    connection.commit()
    connection.close()
