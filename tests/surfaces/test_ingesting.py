"""Files on the command line: what was read, what was as before, what is gone, and what could not be read."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest

from recollect import AsyncMemory, Memory
from recollect.domain.answers.upkeep import Progress
from tests.surfaces.shell import Shell

GUIDE = "# Guide\n\nRead this.\n\n## Releases\n\nWe deploy with make release. <private>4711</private>\n"


@pytest.fixture
def documents(shell: Shell) -> Shell:
    """A shell in a folder with a few documents in `docs`."""
    folder = shell.folder / "docs"
    folder.mkdir()
    (folder / "guide.md").write_text(GUIDE)
    (folder / "letter.txt").write_text("The cellar is damp.")
    return shell


def test_what_was_read_is_counted_and_what_was_taken_out_is_named(documents: Shell) -> None:
    ended = documents.run("ingest", "docs")

    assert ended.code == 0
    assert re.fullmatch(r"It took [\d,.]+ s: [\d,]+ passages a second\.\n", ended.err)
    assert ended.out == ("2 files were read into 3 passages.\nTaken out before anything was kept: 1 private.\n")


def test_a_second_run_tells_only_what_has_changed(documents: Shell) -> None:
    documents.ok("ingest", "docs")
    assert documents.run("ingest", "docs").out == "No file was new or changed; 2 were as before.\n"

    (documents.folder / "docs" / "letter.txt").write_text("The cellar is dry.")
    assert documents.run("ingest", "docs").out == "1 file was read into 1 passage; 1 was as before.\n"

    (documents.folder / "docs" / "letter.txt").unlink()
    assert documents.run("ingest", "docs").out == (
        "No file was new or changed; 1 was as before; 1 is no longer there.\n"
    )
    assert "cellar" not in documents.run("search", "cellar").out


def test_files_that_cannot_be_read_are_named_and_the_rest_goes_on(documents: Shell) -> None:
    (documents.folder / "docs" / "picture.bin").write_bytes(bytes(range(256)))
    (documents.folder / "docs" / "away.md").symlink_to("/etc/hostname")
    ended = documents.run("ingest", "docs")

    assert ended.code == 1
    assert ended.out.startswith("2 files were read into 3 passages.\n")
    assert re.search(r"^picture\.bin: .+\.$", ended.out, re.MULTILINE)
    assert re.search(r"^away\.md: .+\.$", ended.out, re.MULTILINE)
    assert ended.out.endswith("\n2 files were not read.\n")

    told = documents.run("ingest", "docs", "--json")
    assert told.code == 1
    assert {each["path"] for each in told.json["failures"]} == {"picture.bin", "away.md"}


def test_a_place_that_is_not_there_is_an_error(documents: Shell) -> None:
    ended = documents.run("ingest", "elsewhere", "--json")

    assert (ended.code, ended.error["code"]) == (3, "file_not_found")


def test_patterns_leave_files_out(documents: Shell) -> None:
    assert documents.ok("ingest", "docs", "--ignore", "*.txt", "--ignore", "*.log")["read"] == 1


def test_a_rehearsal_takes_nothing_in(documents: Shell) -> None:
    ended = documents.run("ingest", "docs", "--dry-run")

    assert ended.code == 0
    assert re.search(r"^  keep passage \w{26} word for word: “The cellar is damp\.”$", ended.out, re.MULTILINE)
    assert "note that the file guide.md was read" in ended.out
    assert "2 files would be read into 3 passages." in ended.out
    assert "nothing was written" in ended.err
    assert documents.ok("status")["spaces"] == []


def test_a_passage_is_found_with_its_place_in_the_file(documents: Shell) -> None:
    documents.ok("ingest", "docs", "--space", "team")
    shown = documents.run("search", "how do we deploy", "--space", "team").out

    assert re.match(r"1  guide\.md > Guide > Releases: .*\n   \w{26}  passage  \d{4}-\d\d-\d\d  score ", shown)


def test_a_person_who_waits_is_told_what_is_read_and_the_line_is_gone_afterwards(documents: Shell) -> None:
    shown = documents.on_screen("ingest", "docs").out

    assert shown.startswith("Reading docs …\r\x1b[K")
    assert "Reading" not in documents.run("ingest", "docs").err


def test_a_program_that_waits_is_told_file_by_file(tmp_path: Path) -> None:
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "guide.md").write_text(GUIDE)
    (folder / "letter.txt").write_text("The cellar is damp.")
    heard, awaited = list[Progress](), list[Progress]()
    with Memory(store=":memory:", home=tmp_path / "home") as memory:
        taken = memory.telling(heard.append).ingest(str(folder))

    async def again() -> None:
        async with AsyncMemory(store=":memory:", home=tmp_path / "home") as memory:
            await memory.telling(awaited.append).ingest(str(folder))

    asyncio.run(again())
    assert [(each.step, each.done, each.total, each.unit) for each in heard] == [
        ("guide.md", 0, 2, "files"),
        ("letter.txt", 1, 2, "files"),
        ("docs", 2, 2, "files"),
    ]
    assert awaited == heard
    assert taken.seconds > 0


def test_a_long_file_says_how_many_of_its_passages_are_written(tmp_path: Path) -> None:
    (tmp_path / "book.md").write_text("\n\n".join(f"# Part {number}\n\nWord {number}." for number in range(450)))
    heard = list[Progress]()
    with Memory(store=":memory:", home=tmp_path / "home") as memory:
        taken = memory.telling(heard.append).ingest(str(tmp_path / "book.md"))

    assert taken.passages > 200
    assert [each.step for each in heard][1:-1] == [
        f"book.md, {done:,} of {taken.passages:,} passages" for done in range(200, taken.passages, 200)
    ]
