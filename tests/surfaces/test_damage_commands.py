"""Damage as people meet it: `recollect doctor` and `recollect rescue` on files of every kind."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from recollect import Memory
from tests.surfaces.shell import Shell


def _fill(shell: Shell, notes: int) -> None:
    with Memory(home=shell.home, embedding="off") as memory:
        for number in range(notes):
            memory.save(f"Parrot {number} likes seeds")


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:20_000])


def _zeroed(path: Path) -> None:
    path.write_bytes(bytes(path.stat().st_size))


def _flipped(path: Path) -> None:
    content = bytearray(path.read_bytes())
    for place in range(5000, len(content), 997):
        content[place] ^= 0x55
    path.write_bytes(bytes(content))


def _text(path: Path) -> None:
    path.write_text("Dear diary,\n" * 1000)


def _folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def _foreign(path: Path) -> None:
    path.unlink()
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE recipe (name TEXT)")
    connection.commit()
    connection.close()


def _newer(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("INSERT INTO migration VALUES (9999, 'tomorrow', '2099-01-01T00:00:00Z')")
    connection.commit()
    connection.close()


KINDS = {
    "truncated": _cut,
    "zeroed": _zeroed,
    "damaged": _flipped,
    "foreign_database": _text,
    "foreign_database, of another program": _foreign,
    "not_a_database": _folder,
    "newer_database": _newer,
}


@pytest.mark.parametrize("kind", KINDS)
def test_the_doctor_always_ends_with_a_report(shell: Shell, kind: str) -> None:
    _fill(shell, 3)
    KINDS[kind](shell.home / "recollect.db")

    done = shell.run("doctor", "--json")
    assert (done.code, done.err) == (1, "")
    assert not done.json["healthy"]
    [found] = [check for check in done.json["checks"] if check["name"] == "database"]
    assert not found["ok"]
    assert found["code"] == kind.partition(",")[0]
    assert found["hint"]
    assert "doctor" not in found["hint"], "whoever reads this has just run it"
    refused = shell.run("save", "One more", "--json")
    assert refused.code == 6
    assert refused.error["code"] in (kind.partition(",")[0], "damaged_record")


def test_the_command_writes_an_export_and_says_what_is_lost(shell: Shell) -> None:
    _fill(shell, 20)
    path = shell.home / "recollect.db"
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])

    done = shell.run("rescue", "out.jsonl", "--json")
    assert done.code in (0, 1), done.err
    report = done.json
    assert (report["output"], report["path"]) == ("out.jsonl", str(path))
    assert path.read_bytes() == content[: len(content) // 2]
    told = shell.run("rescue", "again.jsonl")
    assert "recollect import" in told.out
    into = shell.run("import", "out.jsonl", "--json", RECOLLECT_HOME=str(shell.folder / "new"))
    assert (into.code, into.json["failures"]) == (0, [])


def test_a_file_with_nothing_in_it_is_said_plainly(shell: Shell) -> None:
    (shell.folder / "empty.db").write_bytes(bytes(100_000))
    done = shell.run("rescue", "out.jsonl", "--from", "empty.db", "--json")

    assert (done.code, done.error["code"]) == (6, "nothing_rescued")
    assert not (shell.folder / "out.jsonl").exists()
