"""`recollect init` and `recollect doctor`, as they are typed."""

from __future__ import annotations

import json
from pathlib import Path

from tests.surfaces.hosts.settings_files import FILES
from tests.surfaces.shell import RECOLLECT, Shell


def with_agents(shell: Shell) -> Shell:
    for name, text in FILES.items():
        (shell.folder / name).parent.mkdir(parents=True, exist_ok=True)
        (shell.folder / name).write_bytes(text.encode())
    return shell


def files_of(shell: Shell) -> dict[str, bytes]:
    return {
        str(path.relative_to(shell.folder)): path.read_bytes()
        for path in shell.folder.rglob("*")
        if path.is_file() and not path.is_relative_to(shell.home)
    }


def test_the_plan_is_shown_and_nothing_is_written_until_it_is_agreed_to(shell: Shell) -> None:
    before = files_of(with_agents(shell))
    shown = shell.run("init", "--print")
    assert shown.code == 0
    assert shown.out.startswith("Found: Claude Code, Codex, Gemini CLI, OpenCode, OpenClaw, Cursor.")
    assert f'+            "command": "{RECOLLECT} hook Stop --agent claude-code' in shown.out
    assert shell.run("init", "--json").error["code"] == "confirmation_needed"
    refused = shell.on_screen("init", typed=b"n\n")
    assert "Nothing was changed." in refused.out
    assert files_of(shell) == before


def test_it_is_written_found_sound_and_taken_back_to_the_byte(shell: Shell) -> None:
    before = files_of(with_agents(shell))
    written = shell.ok("init", "--yes")
    assert written["command"] == [RECOLLECT]
    hooks = json.loads((shell.folder / ".codex/hooks.json").read_text())["hooks"]
    # A host hands on few variables, so a home that is not the usual one is said each time.
    assert hooks["Stop"][1]["hooks"][0]["command"] == f"{RECOLLECT} hook Stop --agent codex --home {shell.home}"
    assert not any(each["changes"] for each in shell.ok("init", "--yes")["files"])
    checks = {each["name"]: each for each in shell.ok("doctor")["checks"]}
    assert checks["Claude Code"]["detail"] == "MCP connected, SKILL.md connected, hooks connected"
    shell.ok("init", "--undo", "--yes")
    assert files_of(shell) == before


def test_the_doctor_names_what_is_stale_and_how_to_put_it_right(shell: Shell) -> None:
    with_agents(shell)
    shell.ok("init", "--yes", "--agents", "claude-code,cursor")
    path = shell.folder / ".claude/settings.json"
    path.write_text(path.read_text().replace(RECOLLECT, "/gone/recollect"))
    (shell.folder / ".cursor/mcp.json").unlink()
    (shell.folder / ".codex/hooks.json").write_text("{")
    ended = shell.run("doctor", "--json")
    assert ended.code == 1
    checks = {each["name"]: (each["ok"], each["detail"], each["hint"]) for each in ended.json["checks"]}
    assert checks["Claude Code"] == (
        False,
        "MCP connected, SKILL.md connected, hooks out of date",
        "`recollect init --agents claude-code` puts it right.",
    )
    assert checks["Cursor"][:2] == (False, "MCP missing, SKILL.md connected, hooks connected")
    assert checks["Codex"][0] is False
    assert checks["Gemini CLI"] == (True, "is here and not connected", "`recollect init --agents gemini` connects it.")
    shell.ok("init", "--yes", "--agents", "claude-code,cursor")
    assert "/gone/recollect" not in path.read_text()


def test_what_cannot_be_is_refused_with_its_code(shell: Shell) -> None:
    with_agents(shell)
    assert shell.run("init", "--agents", "emacs", "--json").error["code"] == "unknown_agent"
    assert shell.run("init", "--command", "no-such-program", "--json").error["code"] == "command_not_found"
    assert shell.run("init", "--name", "a b", "--json").error["code"] == "invalid_name"
    (shell.folder / ".claude/settings.json").write_text("{")
    before = files_of(shell)
    ended = shell.run("init", "--yes", "--json")
    assert (ended.code, ended.error["code"]) == (2, "broken_settings")
    assert files_of(shell) == before


def test_hooks_can_go_to_a_server_that_always_runs(shell: Shell) -> None:
    with_agents(shell)
    refused = shell.run("init", "--yes", "--agents", "claude-code", "--http-hooks", "7077", "--json")
    assert refused.error["code"] == "invalid_address"
    shell.ok("init", "--yes", "--agents", "claude-code", "--http-hooks", "http://127.0.0.1:7077")
    assert "http://127.0.0.1:7077/v1/hook?agent=claude-code" in (shell.folder / ".claude/settings.json").read_text()
    checks = {each["name"]: each for each in shell.ok("doctor")["checks"]}
    assert checks["Claude Code"]["detail"] == "MCP connected, SKILL.md connected, hooks connected"


def test_a_folder_in_the_place_of_a_file_is_said_so(shell: Shell) -> None:
    with_agents(shell)
    (shell.folder / ".cursor/mcp.json").unlink()
    (shell.folder / ".cursor/mcp.json").mkdir()
    ended = shell.run("init", "--yes", "--json")
    assert ended.error["code"] == "settings_unreadable"
    assert "Nothing was changed" in ended.error["message"]


def test_with_an_environment_of_nothing_the_words_are_whole_paths(shell: Shell) -> None:
    with_agents(shell)
    told = shell.ok("init", "--print", RECOLLECT_HOME="", RECOLLECT_PRINCIPAL="", TERM="")
    assert all(Path(told["command"][0]).is_absolute() for _ in told["files"])
    assert not any("--home" in line for each in told["files"] for line in each["diff"])
