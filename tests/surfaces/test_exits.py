"""How a command ends: one exit code for each class of error, and an error that can be read."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path

import pytest

from recollect import Busy, Damaged, Misconfigured, StorageFull, TooLarge, Unreachable, Unsupported
from recollect.domain.errors import RecollectError
from recollect.surfaces.cli.exits import EXIT_CODES, MEANINGS, Unexpected, exit_code
from tests.surfaces.shell import LIMIT, RECOLLECT, Shell

NOBODY = "01J9ZZZZZZZZZZZZZZZZZZZZZZ"


def classes(root: type[RecollectError]) -> list[type[RecollectError]]:
    return [root, *(found for child in root.__subclasses__() for found in classes(child))]


def test_every_class_of_error_has_an_exit_code_and_every_code_a_meaning() -> None:
    for kind in classes(RecollectError):
        # What another door refuses by itself never comes to the command line.
        of_another_door = kind.__module__.startswith("recollect.surfaces.reception")
        if kind not in (RecollectError, Unexpected) and not of_another_door:
            assert any(issubclass(kind, listed) for listed, _ in EXIT_CODES), kind.__name__
    assert {code for _, code in EXIT_CODES} <= set(MEANINGS)


@pytest.mark.parametrize(
    ("error", "code"),
    [(TooLarge, 2), (Misconfigured, 2), (Busy, 5), (Unreachable, 5), (StorageFull, 6), (Damaged, 6), (Unsupported, 7)],
)
def test_errors_that_are_hard_to_cause_have_their_code_too(error: type[RecollectError], code: int) -> None:
    assert exit_code(error()) == code


def test_each_class_of_error_ends_in_its_own_way(shell: Shell, tmp_path: Path) -> None:
    note = shell.ok("save", "x")["id"]
    gone = shell.ok("save", "y")["id"]
    shell.ok("forget", gone)
    newer = tmp_path / "not-a-database"
    newer.write_text("this is no database " * 500)

    for typed, exit_status, code in [
        (["list"], 0, None),
        (["bogus"], 2, "unknown_command"),
        (["save", "x", "--kind", "odd"], 2, "unknown_kind"),
        (["get", "not-an-id"], 2, "invalid_id"),
        (["list", "--store", "ftp://example.org"], 2, "unknown_store"),
        (["get", NOBODY], 3, "note_not_found"),
        (["list", "--space", "nobody"], 0, None),
        (["export", "--space", "nobody"], 3, "space_not_found"),
        (["import", "missing.jsonl"], 3, "file_not_found"),
        (["get", gone], 3, "erased"),
        (["update", note, "--text", "z", "--expected-version", "7"], 4, "stale_version"),
        (["list", "--store", str(newer)], 6, None),
        (["restore", "x", "--dry-run"], 7, "unsupported"),
    ]:
        ended = shell.run(*typed, "--json")
        assert ended.code == exit_status, (typed, ended)
        if exit_status:
            assert ended.out == ""
            assert set(ended.error) == {"code", "message", "hint", "retryable"}
            assert code is None or ended.error["code"] == code


def test_an_error_is_a_sentence_and_a_hint_for_people(shell: Shell) -> None:
    ended = shell.run("get", NOBODY)

    assert ended.out == ""
    assert ended.err.splitlines() == [
        f"error: There is no note {NOBODY} in `default`.",
        "hint:  `recollect list` shows the notes of a space; `--space` names another one.",
    ]


def test_an_error_cannot_drive_the_screen(shell: Shell) -> None:
    ended = shell.run("get", "\x1b[2J\u202e")

    assert "\\x1b[2j\\u202e" in ended.err.lower()
    assert "\x1b" not in ended.err


@pytest.mark.slow
def test_a_server_that_does_not_answer_is_worth_another_try(shell: Shell) -> None:
    pytest.importorskip("psycopg")
    ended = shell.run("list", "--json", "--store", "postgresql://nobody@127.0.0.1:1/none", RECOLLECT_BUSY_TIMEOUT="0.1")

    assert ended.code == 5
    assert ended.error["retryable"] is True


def test_a_reader_that_has_seen_enough_ends_it_silently(shell: Shell) -> None:
    for number in range(3):
        shell.ok("save", "-", stdin=f"{number} ".encode() + b"x" * 400_000)
    process = subprocess.Popen(
        [RECOLLECT, "list"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=shell.environment, cwd=shell.folder
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.read(10)
    process.stdout.close()
    complaint = process.stderr.read()
    process.stderr.close()

    assert process.wait(timeout=LIMIT) == 128 + signal.SIGPIPE
    assert complaint == b""


def test_a_full_disk_behind_the_output_is_an_error(shell: Shell) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full here")
    with Path("/dev/full").open("wb") as full:
        ended = subprocess.run(
            [RECOLLECT, "status"],
            check=False,
            stdout=full,
            stderr=subprocess.PIPE,
            env=shell.environment,
            timeout=LIMIT,
        )

    assert ended.returncode == 6
    assert ended.stderr.decode().startswith("error: The answer cannot be written: No space left")


def test_closed_streams_do_no_harm(shell: Shell) -> None:
    line = f'"{RECOLLECT}" save quietly <&- >&- 2>&-'
    assert subprocess.run(["sh", "-c", line], check=False, env=shell.environment, timeout=LIMIT).returncode == 0
    assert [note["text"] for note in shell.ok("list")["items"]] == ["quietly"]


def test_stopping_it_leaves_no_trace_on_the_screen_but_a_new_line(shell: Shell) -> None:
    process = subprocess.Popen(
        [RECOLLECT, "import"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=shell.environment,
        cwd=shell.folder,
        # Whoever runs the tests in the background has the signal ignored, and a child would inherit that.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
    )
    assert process.stdin is not None
    assert process.stderr is not None
    # More than a pipe holds: when this is written, it is reading.
    process.stdin.write(b"\n" * 1_000_000)
    process.send_signal(signal.SIGINT)
    complaint = process.stderr.read()
    process.communicate(timeout=LIMIT)

    assert process.returncode == 130
    assert complaint == b"\n"


def test_a_bug_is_reported_without_a_trace_unless_one_is_wanted(shell: Shell) -> None:
    # Python runs this file when it starts: the real program, with a bug in it.
    (shell.folder / "sitecustomize.py").write_text(
        "import functools\n"
        "from recollect.verbs.upkeep import UpkeepVerbs\n"
        "def fail(self): raise ZeroDivisionError('odd')\n"
        "UpkeepVerbs.status = functools.wraps(UpkeepVerbs.status)(fail)\n"
    )
    path = os.pathsep.join([str(shell.folder), os.environ.get("PYTHONPATH", "")])

    told = shell.run("status", "--json", PYTHONPATH=path)
    assert (told.code, told.error["code"]) == (70, "unexpected")
    assert "ZeroDivisionError: odd" in told.error["message"]
    assert "RECOLLECT_DEBUG=1" in told.error["hint"]

    traced = shell.run("status", PYTHONPATH=path, RECOLLECT_DEBUG="1")
    assert "Traceback" in traced.err
    assert traced.code == 70
