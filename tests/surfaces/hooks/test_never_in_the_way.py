"""`recollect hook` as a process, when everything goes wrong: it ends with 0 and in time, and loses nothing it took."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys

import pytest

from recollect.surfaces.hooks import spool
from tests.surfaces.hooks.telling import PATIENT, context_in, hook, payload
from tests.surfaces.http.test_serving import serving
from tests.surfaces.shell import LIMIT, RECOLLECT, Shell

PROMPT = payload("UserPromptSubmit", prompt="Please fix the login test", prompt_id="p1")


pytestmark = pytest.mark.usefixtures("no_server_starts")


def prompts_of(shell: Shell, session: str = "s1") -> list[str]:
    beats = shell.ok("replay", session)["beats"]
    return [beat["observation"]["text"] for beat in beats if beat["observation"]["kind"] == "prompt"]


def waiting(shell: Shell) -> list[dict[str, str]]:
    """What lies on disk."""
    file = shell.home / spool.FILE
    return [json.loads(line) for line in spool.lines_of(file)] if file.exists() else []


def test_a_hook_loads_the_standard_library_and_little_of_ours(shell: Shell) -> None:
    def loaded_by(program: str) -> set[str]:
        done = subprocess.run(
            [sys.executable, "-c", f"import sys; {program}; print(*sys.modules, sep='\\n', file=sys.stderr)"],
            input=json.dumps(PROMPT).encode(), capture_output=True, timeout=LIMIT, check=True, env=shell.environment,
        )  # fmt: skip
        return set(done.stderr.decode().split())

    bare = loaded_by("pass")
    words = ["hook", "UserPromptSubmit", "--agent", "claude-code"]
    command = f"from recollect.surfaces.cli.main import main; main({words})"
    left = loaded_by(command) - bare
    assert len(waiting(shell)) == 1
    with serving(shell):
        asked = loaded_by(command.replace("]", f", *{PATIENT}]")) - bare
        assert waiting(shell) == [], "the server took it"
    for new in (left, asked):
        assert {name.partition(".")[0] for name in new} - set(sys.stdlib_module_names) == {"recollect"}
        assert new.isdisjoint({"asyncio", "ssl", "http.client", "sqlite3", "argparse", "subprocess", "logging"})
        assert new.isdisjoint({"dataclasses", "inspect", "socket", "datetime", "threading", "secrets"}), "each is slow"
        assert new.isdisjoint({"recollect.memory", "recollect.surfaces.cli.commands", "recollect.verbs"})
    assert {name for name in asked if name.startswith("recollect.")} == {
        "recollect.version",
        "recollect.home",
        "recollect.locks",
        "recollect.domain",
        "recollect.domain.errors",
        "recollect.domain.instants",
        "recollect.surfaces",
        "recollect.surfaces.cli",
        "recollect.surfaces.cli.main",
        "recollect.surfaces.hooks",
        "recollect.surfaces.hooks.shim",
        "recollect.surfaces.resident",
        "recollect.surfaces.resident.process",
    }, "what a host says is read by the server, and only what lies on disk is read and cleaned here"
    assert asked.isdisjoint({"hashlib", "_hashlib"})


def test_without_a_server_a_hook_leaves_one_line_without_secrets_and_any_command_takes_it_in(shell: Shell) -> None:
    secret = "ghp_" + "a1B2" * 9
    hook(shell, "UserPromptSubmit", {**PROMPT, "cwd": str(shell.folder), "prompt": f"Use the token {secret} for it"})
    [line] = waiting(shell)
    assert secret not in json.dumps(line) and line["project"] == shell.folder.name
    taken = shell.ok("hooks", "drain")
    assert (taken["taken"], taken["unreadable"], taken["left"]) == (1, 0, False)
    [said] = prompts_of(shell)
    assert said.startswith("Use the token") and secret not in said
    [session] = shell.ok("sessions")["items"]
    assert session["scope"]["project"] == shell.folder.name and session["origin"]["channel"] == "hook"


def test_a_server_that_was_killed_costs_nothing_and_the_next_one_takes_it_in_once(shell: Shell) -> None:
    with serving(shell) as (process, _):
        hook(shell, "UserPromptSubmit", PROMPT, *PATIENT)
        process.send_signal(signal.SIGKILL)
        process.wait(LIMIT)
        second = {**PROMPT, "prompt_id": "p2", "prompt": "And the logout test"}
        hook(shell, "UserPromptSubmit", second)
        hook(shell, "UserPromptSubmit", second)  # told twice, as by a host that tries again
    assert len(waiting(shell)) == 2
    with serving(shell):
        hook(shell, "Stop", payload("Stop", last_assistant_message="Both are fixed"), *PATIENT)
        assert spool.size(shell.home) == 0, "what lay there is taken in before the next notice"
    assert prompts_of(shell) == ["Please fix the login test", "And the logout test"]


def test_a_server_that_stands_still_is_not_waited_for_and_does_it_only_once_when_it_goes_on(shell: Shell) -> None:
    with serving(shell) as (process, _):
        process.send_signal(signal.SIGSTOP)
        try:
            hook(shell, "UserPromptSubmit", PROMPT)
            assert len(waiting(shell)) == 1
        finally:
            process.send_signal(signal.SIGCONT)
        hook(shell, "Stop", payload("Stop", last_assistant_message="Fixed"))
    shell.run("hooks", "drain")
    assert prompts_of(shell) == ["Please fix the login test"]


def test_a_stranger_on_the_port_of_a_dead_server_hears_nothing(shell: Shell) -> None:
    with serving(shell) as (process, said):
        process.send_signal(signal.SIGKILL)
        process.wait(LIMIT)
    port = int(said["url"].rpartition(":")[2])
    with socket.create_server(("127.0.0.1", port)) as stranger:
        stranger.setblocking(False)
        hook(shell, "UserPromptSubmit", PROMPT)
        with pytest.raises(BlockingIOError):
            stranger.accept()
    assert len(waiting(shell)) == 1


def test_a_full_disk_and_a_home_that_cannot_be_written_to_are_nobodys_problem(shell: Shell) -> None:
    (shell.home / spool.FILE).symlink_to("/dev/full")
    hook(shell, "UserPromptSubmit", PROMPT)
    file = shell.folder / "file"
    file.write_text("not a folder")
    hook(shell, "UserPromptSubmit", PROMPT, RECOLLECT_HOME=str(file))
    hook(shell, "SessionStart", payload("SessionStart"), RECOLLECT_HOME="/proc/recollect")
    hook(shell, "UserPromptSubmit", PROMPT, RECOLLECT_CONFIG=str(shell.folder / "absent.toml"))


def test_a_broken_spool_loses_only_what_is_broken_and_keeps_it_aside(shell: Shell) -> None:
    hook(shell, "UserPromptSubmit", PROMPT)
    with (shell.home / spool.FILE).open("ab") as file:
        file.write(b"\x00\xff garbage\n" + b"[" * 100_000 + b"\n" + b'{"moment":"prompt","agent":1}\n')
    hook(shell, "UserPromptSubmit", {**PROMPT, "prompt_id": "p2", "prompt": "And the logout test"})
    taken = shell.ok("hooks", "drain")
    assert (taken["taken"], taken["unreadable"]) == (2, 3)
    assert prompts_of(shell) == ["Please fix the login test", "And the logout test"]
    assert b"garbage" in (shell.home / spool.BROKEN).read_bytes()


def test_the_doctor_says_what_waits_and_what_nobody_could_read(shell: Shell) -> None:
    def said() -> dict[str, tuple[bool, str, str]]:
        checks = json.loads(shell.run("doctor", "--json").out)["checks"]
        return {each["name"]: (each["ok"], each["detail"], each["hint"]) for each in checks if "hooks" in each["name"]}

    shell.ok("save", "Something")
    assert said() == {}
    hook(shell, "UserPromptSubmit", PROMPT)
    hook(shell, "UserPromptSubmit", {**PROMPT, "prompt_id": "p2"})
    with (shell.home / spool.FILE).open("ab") as file:
        file.write(b"garbage\n")
    ok, told, hint = said()["hooks"]
    assert ok and told == "3 lines wait to be taken in" and "`recollect hooks drain`" in hint
    shell.ok("hooks", "drain")
    [(name, (ok, told, hint))] = said().items()
    assert (name, ok, told) == ("hooks put aside", False, "1 line could not be read")
    assert str(shell.home / spool.BROKEN) in hint


@pytest.mark.parametrize(
    "garbage",
    [b"", b"\xff\xfe\x00", b'{"session_id": "s1"', b"[" * 200_000, b'{"session_id": 5, "prompt": []}', b"null"],
)
def test_garbage_is_passed_over(shell: Shell, garbage: bytes) -> None:
    assert hook(shell, "UserPromptSubmit", garbage).out == ""
    assert waiting(shell) == []


def test_a_closed_input_an_unknown_agent_and_unknown_options_are_no_error(shell: Shell) -> None:
    closed = subprocess.run(
        ["/bin/sh", "-c", f"exec '{RECOLLECT}' hook Stop --agent claude-code <&- >&-"],
        env=shell.environment, timeout=LIMIT, check=False, capture_output=True,
    )  # fmt: skip
    assert closed.returncode == 0
    assert shell.run("hook").code == 0
    assert shell.run("hook", "Stop", "--agent", "emacs", stdin=b"{}").code == 0
    newer = shell.run(
        "hook", "UserPromptSubmit", "--agent", "claude-code", "--new-option", stdin=json.dumps(PROMPT).encode()
    )
    assert newer.code == 0 and len(waiting(shell)) == 1


def test_options_before_the_command_make_it_no_other_command(shell: Shell) -> None:
    around = ["--json", "--home", str(shell.home), "hook", "UserPromptSubmit"]
    for words in (around, [*around, "--agent", "nobody"], [*around, "--agent", "claude-code"]):
        done = subprocess.run(
            [RECOLLECT, *words], input=json.dumps(PROMPT).encode(), capture_output=True, timeout=LIMIT, check=False,
            env=shell.environment,
        )  # fmt: skip
        assert (done.returncode, done.stdout) == (0, b""), done.stderr
    assert len(waiting(shell)) == 1


def test_an_input_that_never_ends_is_not_read_forever(shell: Shell) -> None:
    ours, theirs = os.pipe()
    try:
        process = subprocess.Popen(
            [RECOLLECT, "hook", "Stop", "--agent", "claude-code"], stdin=ours, env=shell.environment
        )
        assert process.wait(LIMIT) == 0
    finally:
        os.close(ours)
        os.close(theirs)


def test_a_session_that_begins_is_told_what_is_known(shell: Shell) -> None:
    shell.ok("save", "The login test needs a running redis", "--project", str(shell.folder))
    with serving(shell):
        begun = hook(shell, "SessionStart", payload("SessionStart", cwd=str(shell.folder), source="startup"), *PATIENT)
        assert "running redis" in context_in(begun)
        told = hook(shell, "UserPromptSubmit", {**PROMPT, "cwd": str(shell.folder)}, *PATIENT)
        assert told.out == "", "what it was told already is not told again"
        other = {**PROMPT, "session_id": "s2", "cwd": str(shell.folder), "prompt": "Does the login test need redis?"}
        assert "running redis" in context_in(hook(shell, "UserPromptSubmit", other, *PATIENT))


def test_a_session_that_begins_waits_for_a_server_that_somebody_else_is_starting(shell: Shell) -> None:
    """As an agent does it that starts our MCP server and calls our hook at once."""
    shell.ok("save", "The tests need redis", "--pinned")
    said = shell.folder / "said.json"
    said.write_text(json.dumps(payload("SessionStart")))
    with said.open() as file, subprocess.Popen(
        [RECOLLECT, "hook", "SessionStart", "--agent", "codex", "--patience", "120"],  # a whole server starts meanwhile
        stdin=file, stdout=subprocess.PIPE, text=True, env=shell.environment,
    ) as begins, serving(shell):  # fmt: skip
        told, _ = begins.communicate(timeout=LIMIT)
    assert "The tests need redis" in told and begins.returncode == 0


def test_a_session_that_was_not_told_at_its_start_is_told_with_its_first_prompt(shell: Shell) -> None:
    shell.ok("save", "The login test needs a running redis", "--project", str(shell.folder))
    begun = payload("SessionStart", cwd=str(shell.folder), source="startup")
    (shell.home / "start.locked").write_text("it ended")
    assert hook(shell, "SessionStart", begun).out == ""
    with serving(shell):
        told = hook(shell, "UserPromptSubmit", {**PROMPT, "cwd": str(shell.folder)}, *PATIENT)
        assert "running redis" in context_in(told)
