"""`recollect init` and `recollect doctor`, as they are typed."""

from __future__ import annotations

import json
from pathlib import Path

from tests.surfaces.hosts.settings_files import FILES
from tests.surfaces.shell import RECOLLECT, Shell
from tests.vault.machines import bare_remote, files_with, git


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
    summary = shell.run("init", "--print")
    assert summary.code == 0
    assert summary.out.startswith("Found: Claude Code, Codex, Gemini CLI, OpenCode, OpenClaw, Cursor.")
    assert "changed  +" in summary.out
    assert "~/.claude/settings.json" in summary.out
    assert "`recollect init --undo` puts every file back" in summary.out
    assert len(summary.out.splitlines()) <= 40, "the lines themselves are shown when they are asked for"
    assert "hook Stop" not in summary.out
    shown = shell.run("init", "--print", "--diff")
    assert shown.out.startswith(summary.out)
    assert f'+            "command": "{RECOLLECT} hook Stop --agent claude-code' in shown.out
    assert shell.run("init", "--json").error["code"] == "confirmation_needed"
    refused = shell.on_screen("init", typed=b"n\n")
    assert "Nothing was changed." in refused.out
    looked = shell.on_screen("init", typed=b"d\nn\n")
    assert "hook Stop --agent claude-code" in looked.out
    assert "Nothing was changed." in looked.out
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


def vault_file(shell: Shell) -> Path:
    return shell.home / "vault" / "default" / ".recollect" / "vault.json"


def test_a_remote_named_at_init_is_shown_joined_and_kept_for_later_syncs(shell: Shell) -> None:
    remote = bare_remote(shell.folder / "memory.git")
    words = ("init", "--remote", "./memory.git", "--machine-id", "thinkpad")
    shown = shell.run(*words, "--print", "--diff")
    assert '+  "machine": "thinkpad"' in shown.out
    assert f"Then it is brought in step with {remote}, where no other machine is yet." in shown.out
    assert not shell.home.exists(), "only shown"
    note = shell.ok("save", "Alice prefers tea")
    joined = shell.ok(*words, "--yes")
    assert joined["vault"]["sent"] == [note["id"]]
    assert git("--git-dir", str(remote), "for-each-ref", "--format=%(refname)").split() == ["refs/heads/m-thinkpad"]
    written = vault_file(shell).read_bytes()
    again = shell.ok(*words)
    assert not any(each["changes"] for each in again["files"])
    assert vault_file(shell).read_bytes() == written
    assert shell.ok("sync", cwd=shell.home)["remote"] == str(remote), "a path means the same from every folder"


def test_the_second_machine_is_told_who_is_there_and_has_the_notes(shell: Shell) -> None:
    remote = str(bare_remote(shell.folder / "memory.git"))
    shell.ok("save", "Alice prefers tea")
    shell.ok("init", "--remote", remote, "--machine-id", "thinkpad", "--yes")
    other = str(shell.folder / "other-home")
    words = ("init", "--remote", remote, "--home", other, "--machine-id")
    assert "in step with" in (shown := shell.run(*words, "desktop", "--print").out)
    assert "with thinkpad." in shown
    assert len(shell.ok(*words, "desktop", "--yes")["vault"]["received"]) == 1
    assert [note["text"] for note in shell.ok("list", "--home", other)["items"]] == ["Alice prefers tea"]


def test_a_remote_that_does_not_answer_is_said_before_any_file_is_written(shell: Shell) -> None:
    before = files_of(with_agents(shell))
    refused = shell.run("init", "--remote", "/nowhere/memory.git", "--yes", "--json").error
    assert (refused["code"], "Nothing was written." in refused["message"]) == ("remote_unreachable", True)
    assert files_of(shell) == before
    assert not shell.home.exists()


def test_offline_a_remote_can_be_named_and_it_can_be_taken_away(shell: Shell) -> None:
    remote = shell.folder / "memory.git"
    joined = shell.ok("init", "--remote", str(remote), "--machine-id", "thinkpad", "--no-sync", "--yes")
    assert joined["vault"]["machine"] == "thinkpad"
    bare_remote(remote)
    assert shell.ok("sync")["remote"] == str(remote)
    shell.ok("init", "--local-only", "--yes")
    assert shell.ok("sync")["remote"] is None


def test_undo_takes_the_remote_back_and_leaves_files_and_notes(shell: Shell) -> None:
    remote = str(bare_remote(shell.folder / "memory.git"))
    note = shell.ok("save", "Alice prefers tea")
    shell.ok("vault", "open")
    before = vault_file(shell).read_bytes()
    shell.ok("init", "--remote", remote, "--yes")
    assert shell.run("init", "--undo", "--yes").code == 0
    assert vault_file(shell).read_bytes() == before, "the vault was there before, without a remote"
    vault_file(shell).unlink()
    shell.ok("init", "--remote", remote, "--yes")
    assert "The vault is closed." in shell.run("init", "--undo", "--yes").err
    assert not vault_file(shell).exists()
    assert files_with(shell.home / "vault/default/memory/semantic", note["id"])
    assert shell.ok("get", note["id"])["text"] == "Alice prefers tea"


def test_undo_leaves_a_remote_alone_that_was_named_since(shell: Shell) -> None:
    first, second = (str(bare_remote(shell.folder / name)) for name in ("first.git", "second.git"))
    shell.ok("init", "--remote", first, "--yes")
    shell.ok("sync", "--remote", second)
    shell.ok("init", "--undo", "--yes")
    assert json.loads(vault_file(shell).read_text())["remote"] == second
