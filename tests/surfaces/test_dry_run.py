"""`--dry-run`: every check is made, what would be written is shown, and nothing is."""

from __future__ import annotations

import re

import pytest

from tests.surfaces.shell import Shell


def test_what_would_be_written_is_shown_for_people(shell: Shell) -> None:
    note = shell.ok("save", "Alice lives in Austin", "--valid-from", "2024-01-01")["id"]
    before = shell.run("export").out

    saved = shell.run("save", "Alice prefers tea", "--dry-run")
    assert re.fullmatch(
        r"save in `default`\n  write note \w{26} \(semantic, active\): “Alice prefers tea”\n", saved.out
    )
    assert "nothing was written" in saved.err

    moved = shell.run("supersede", note, "Alice lives in Boston", "--dry-run")
    assert f"write version 2 of note {note} (semantic, superseded)" in moved.out
    assert "“Alice lives in Boston”" in moved.out

    assert f"erase note {note}, for good" in shell.run("forget", note, "--dry-run").out
    assert "erase the space and everything in it" in shell.run("spaces", "delete", "default", "--dry-run").out
    assert (
        "open the space: “what we share”"
        in shell.run("spaces", "create", "team", "--description", "what we share", "--dry-run").out
    )
    assert shell.run("export").out == before


def test_what_would_be_written_is_there_for_programs(shell: Shell) -> None:
    note = shell.ok("save", "Alice lives in Austin", "--valid-from", "2024-01-01")["id"]
    told = shell.ok("supersede", note, "Alice lives in Boston", "--dry-run")

    [changes] = told["changes"]
    assert (changes["space"], changes["reason"]) == ("default", "supersede")
    assert changes["origin"]["channel"] == "cli"
    assert [edit["edit"] for edit in changes["edits"]] == ["WriteNote", "WriteNote"]
    assert [edit["note"]["version"] for edit in changes["edits"]] == [2, 1]
    assert told["result"]["text"] == "Alice lives in Boston"
    assert shell.ok("get", note)["version"] == 1


def test_an_import_can_be_rehearsed_with_its_failures(shell: Shell) -> None:
    shell.ok("save", "x")
    lines = shell.run("export").out.encode() + b"{broken\n"
    ended = shell.run("import", "--dry-run", "--home", "other", stdin=lines)

    assert ended.code == 1
    assert "take in version 1 of note" in ended.out
    assert "line 4: " in ended.out
    assert shell.ok("status", "--home", "other")["notes"] == 0


@pytest.mark.parametrize(
    ("typed", "exit_status"),
    [
        (["update", "ID", "--text", "z", "--expected-version", "9"], 4),
        (["update", "01J9ZZZZZZZZZZZZZZZZZZZZZZ", "--text", "z"], 3),
        (["save", ""], 2),
    ],
)
def test_what_would_fail_fails_the_same_way(shell: Shell, typed: list[str], exit_status: int) -> None:
    note = shell.ok("save", "x")["id"]
    typed = [note if word == "ID" else word for word in typed]
    rehearsed, real = shell.run(*typed, "--dry-run", "--json"), shell.run(*typed, "--json")

    assert rehearsed == real
    assert real.code == exit_status
