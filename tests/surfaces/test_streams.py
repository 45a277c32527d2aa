"""Files and pipes: texts from standard input, exports that go out whole, imports that come in line by line."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from recollect import Memory
from tests.surfaces.shell import Shell


@pytest.fixture
def exported(shell: Shell) -> list[str]:
    """The lines of an export with a few notes in two spaces."""
    with Memory(home=shell.home, principal="tester") as memory:
        note = memory.save("Alice lives in Austin", space="alice")
        memory.update(note.id, text="Alice lives in Austin, Texas", space="alice")
        for number in range(3):
            memory.save(f"note {number}")
    return shell.run("export").out.splitlines()


def test_a_text_comes_from_standard_input(shell: Shell) -> None:
    saved = shell.ok("save", "-", stdin="first line\nzweite Zeile: über\n".encode())
    assert saved["text"] == "first line\nzweite Zeile: über"

    assert shell.ok("update", saved["id"], "--text", "-", stdin=b"another\r\n")["text"] == "another"
    assert shell.ok("supersede", saved["id"], "-", stdin=b"\xef\xbb\xbfwith a mark")["text"] == "with a mark"


@pytest.mark.parametrize(
    ("stdin", "code"),
    [
        (b"", "empty_text"),
        (b"\n\n", "empty_text"),
        (b"caf\xe9", "invalid_text"),
        (b"nul \x00", "invalid_text"),
        (b"escape \x1b[2J", "invalid_text"),
        (b"x" * 5_000_000, "too_large"),
    ],
)
def test_a_text_that_cannot_be_kept_is_refused(shell: Shell, stdin: bytes, code: str) -> None:
    ended = shell.run("save", "-", "--json", stdin=stdin)

    assert ended.code == 2
    assert ended.error["code"] == code
    assert shell.ok("status")["notes"] == 0


def test_words_that_are_not_utf_8_are_refused(shell: Shell) -> None:
    ended = shell.run("save", b"caf\xe9", "--json")

    assert (ended.code, ended.error["code"]) == (2, "invalid_text")


def test_an_export_is_one_record_a_line_and_comes_back_whole(shell: Shell, exported: list[str]) -> None:
    kinds = [json.loads(line)["type"] for line in exported]
    assert kinds == ["recollect-export", "space", "note", "note", "space", "note", "note", "note"]

    (shell.folder / "all.jsonl").write_text("\n".join(exported))
    report = shell.ok("import", "all.jsonl", "--trust", "--home", "other")
    assert (report["imported"], report["unchanged"], report["failures"]) == (5, 0, [])
    assert shell.run("export", "--home", "other").out.splitlines() == exported


def test_an_export_of_one_space_holds_that_space(shell: Shell, exported: list[str]) -> None:
    lines = [json.loads(line) for line in shell.run("export", "--space", "alice").out.splitlines()]

    assert {line.get("space", "alice") for line in lines} == {"alice"}
    assert len(lines) == 4


def test_an_export_of_more_than_a_page_holds_everything(shell: Shell) -> None:
    note = shell.ok("save", "note")
    # An import is the quick way to many notes.
    lines = [
        json.dumps({"type": "note", **note, "id": f"01J9{number:022}", "text": f"note {number}"})
        for number in range(1200)
    ]
    assert shell.ok("import", stdin="\n".join(lines).encode())["imported"] == 1200

    assert len(shell.run("export").out.splitlines()) == 1 + 1 + 1201


def test_an_export_to_a_file_is_for_its_owner_only_and_there_when_it_is_whole(
    shell: Shell, exported: list[str]
) -> None:
    target = shell.folder / "all.jsonl"
    target.write_text("what was there before")
    target.chmod(0o644)
    told = shell.ok("export", "--output", "all.jsonl")

    assert told == {"path": "all.jsonl", "records": len(exported)}
    assert target.read_text().splitlines() == exported
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    assert [each.name for each in shell.folder.iterdir() if "draft" in each.name] == []


def test_an_export_that_fails_leaves_what_was_there(shell: Shell) -> None:
    target = shell.folder / "all.jsonl"
    target.write_text("what was there before")
    ended = shell.run("export", "--output", "all.jsonl", "--space", "nobody")

    assert ended.code == 3
    assert target.read_text() == "what was there before"
    assert [each.name for each in shell.folder.iterdir() if "draft" in each.name] == []


@pytest.mark.parametrize(
    ("target", "code", "exit_status"),
    [("/dev/null", "not_a_file", 2), (".", "not_a_file", 2), ("missing/all.jsonl", "not_writable", 6)],
)
def test_an_export_replaces_only_plain_files(shell: Shell, target: str, code: str, exit_status: int) -> None:
    ended = shell.run("export", "--output", target, "--json")

    assert (ended.code, ended.error["code"]) == (exit_status, code)
    assert Path("/dev/null").is_char_device()


def test_an_import_reports_broken_lines_by_number_and_takes_the_rest(shell: Shell, exported: list[str]) -> None:
    broken = [*exported[:3], "{not json", exported[3], "[1]", '{"type": "riddle"}', *exported[4:]]
    lines = "\n".join(broken).encode()
    report = shell.run("import", "--json", "--home", "other", stdin=lines)

    assert report.code == 1
    assert [(each["line"], each["code"]) for each in report.json["failures"]] == [
        (4, "invalid_json"),
        (6, "invalid_json"),
        (7, "unknown_type"),
    ]
    assert report.json["imported"] == 5

    again = shell.run("import", "--json", "--home", "other", stdin=lines)
    assert again.json["imported"] == 0
    corrected = shell.ok("import", "--home", "other", stdin="\n".join(exported).encode())
    assert (corrected["imported"], corrected["failures"]) == (0, [])


def test_lines_that_are_not_utf_8_are_reported_by_number_and_the_rest_is_taken(
    shell: Shell, exported: list[str]
) -> None:
    raw = [line.encode() for line in exported]
    file = shell.folder / "mixed.jsonl"
    file.write_bytes(b"\n".join([*raw[:2], b'{"type": "note", "text": "caf\xe9"}', *raw[2:]]))
    report = shell.run("import", "mixed.jsonl", "--home", "other")

    assert report.code == 1
    assert "5 records were imported" in report.out
    assert "line 3: The line is not UTF-8: byte 30 is 0xe9." in report.out


def test_numbers_of_lines_go_on_from_batch_to_batch(shell: Shell) -> None:
    lines = [b""] * 1000
    lines[0] = b"\xef\xbb\xbf"  # a mark that some editors put before everything
    lines[449] = b"\xff"
    lines[450] = b"{"
    report = shell.run("import", "--json", stdin=b"\n".join(lines))

    assert [each["line"] for each in report.json["failures"]] == [450, 451]


def test_an_import_into_a_named_space_goes_there(shell: Shell, exported: list[str]) -> None:
    shell.ok("import", "--space", "copy", "--home", "other", stdin="\n".join(exported).encode())

    assert [space["name"] for space in shell.ok("spaces", "--home", "other")["items"]] == ["copy"]


def test_an_import_without_a_file_on_a_screen_asks_for_one(shell: Shell) -> None:
    ended = shell.on_screen("import")

    assert ended.code == 2
    assert "recollect import FILE" in ended.out


def test_a_folder_cannot_be_imported(shell: Shell) -> None:
    ended = shell.run("import", ".", "--json")

    assert (ended.code, ended.error["code"]) == (2, "file_unreadable")
