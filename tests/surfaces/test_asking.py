"""Before something is gone for good, a person is asked; a program has to say that it means it."""

from __future__ import annotations

import pytest

from tests.surfaces.shell import Shell


@pytest.mark.parametrize("answer", [b"\n", b"n\n", b"what\n", b"\x04"])
def test_anything_but_yes_changes_nothing(shell: Shell, answer: bytes) -> None:
    note = shell.ok("save", "Alice prefers tea")["id"]
    ended = shell.on_screen("forget", note, typed=answer)

    assert ended.code == 1
    assert "“Alice prefers tea”" in ended.out
    assert "gone for good" in ended.out
    assert "Nothing was changed." in ended.out
    assert shell.ok("get", note)["text"] == "Alice prefers tea"


def test_yes_goes_on(shell: Shell) -> None:
    note = shell.ok("save", "Alice prefers tea")["id"]
    ended = shell.on_screen("forget", note, typed=b"y\n")

    assert ended.code == 0
    assert shell.run("get", note).code == 3


def test_who_says_yes_beforehand_is_not_asked(shell: Shell) -> None:
    note = shell.ok("save", "Alice prefers tea")["id"]
    ended = shell.on_screen("forget", note, "--yes")

    assert "Go on?" not in ended.out
    assert ended.code == 0


def test_a_program_may_forget_one_note_without_being_asked(shell: Shell) -> None:
    note = shell.ok("save", "Alice prefers tea")["id"]

    assert shell.run("forget", note).code == 0


def test_a_program_must_mean_it_to_take_away_more(shell: Shell) -> None:
    shell.ok("save", "x", "--space", "team")
    shell.ok("backup", "copy.db")
    for typed in (["spaces", "delete", "team"], ["restore", "copy.db"]):
        ended = shell.run(*typed, "--json")
        assert (ended.code, ended.error["code"]) == (2, "confirmation_needed")
        assert "--yes" in ended.error["hint"]
    assert shell.ok("status")["notes"] == 1

    shell.ok("restore", "copy.db", "--yes")
    shell.ok("spaces", "delete", "team", "--yes")
    assert shell.ok("status")["notes"] == 0


def test_a_restore_that_names_no_backup_is_told_so_and_not_asked(shell: Shell) -> None:
    assert shell.run("restore", "--json").error["hint"].startswith("`recollect restore FILE`")

    ended = shell.on_screen("restore")
    assert "Name the file of the backup" in ended.out
    assert "Go on?" not in ended.out


def test_a_person_is_told_what_a_space_holds_before_it_goes(shell: Shell) -> None:
    shell.ok("save", "x", "--space", "team")
    ended = shell.on_screen("spaces", "delete", "team", typed=b"yes\n")

    assert "The space `team` with its 1 note will be gone for good." in ended.out
    assert shell.ok("spaces")["items"] == []
