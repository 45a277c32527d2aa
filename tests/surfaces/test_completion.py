"""Completion: the scripts are sound, and complete what there is."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from recollect.surfaces.cli.commands import all_commands
from tests.surfaces.shell import LIMIT, Shell

ASK_BASH = """
source ./script
while read -ra COMP_WORDS; do
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); COMPREPLY=()
    _recollect
    echo "${COMPREPLY[@]}"
done
"""


def completed_by_bash(shell: Shell, *lines: str) -> list[list[str]]:
    """What bash offers at the end of each line, the last word still being typed."""
    (shell.folder / "script").write_text(shell.run("completion", "bash").out)
    ended = subprocess.run(
        ["bash", "--norc", "-c", ASK_BASH],
        input="".join(f"{line}\n" for line in lines),
        check=True,
        capture_output=True,
        text=True,
        env=shell.environment,
        cwd=shell.folder,
        timeout=LIMIT,
    )
    assert ended.stderr == ""
    return [line.split() for line in ended.stdout.splitlines()]


def test_bash_completes_commands_options_and_values(shell: Shell) -> None:
    (shell.folder / "all.jsonl").touch()
    expected = {
        "recollect supe": ["supersede"],
        "recollect --json hist": ["history"],
        "recollect --js": ["--json"],
        "recollect --space alice li": ["list"],
        "recollect spaces de": ["describe", "delete"],
        "recollect spaces delete --y": ["--yes"],
        "recollect save text --ki": ["--kind"],
        "recollect save --kind proc": ["procedural"],
        "recollect list --no": ["--no-pinned"],
        "recollect completion z": ["zsh"],
        "recollect import all": ["all.jsonl"],
        "recollect export --output all": ["all.jsonl"],
        "recollect add text --no-e": ["--no-extract"],
        "recollect learn --polarity en": ["ended"],
        "recollect ingest all": ["all.jsonl"],
        "recollect models ins": ["install"],
        "recollect models install arc": ["arctic-embed-s"],
        "recollect models install --from all": ["all.jsonl"],
    }

    assert dict(zip(expected, completed_by_bash(shell, *expected), strict=True)) == expected


def test_bash_knows_every_command_and_every_option(shell: Shell) -> None:
    commands = all_commands()
    words = completed_by_bash(shell, *(f"recollect {command.spelled}" for command in commands))
    options = completed_by_bash(shell, *(f"recollect {command.spelled} --" for command in commands))

    for command, offered, accepted in zip(commands, words, options, strict=True):
        assert command.words[-1] in offered
        assert {argument.spelled for argument in command.arguments if argument.is_option} <= set(accepted)


@pytest.mark.parametrize("name", ["bash", "zsh", "fish"])
def test_a_script_names_every_command_and_is_sound(shell: Shell, name: str) -> None:
    script = shell.run("completion", name).out

    for command in all_commands():
        assert command.words[-1] in script
        for argument in command.arguments:
            assert not argument.is_option or argument.spelled.removeprefix("--") in script
    if shutil.which(name):  # not every machine has every shell
        subprocess.run([name, "-n"], input=script, text=True, check=True, capture_output=True, timeout=LIMIT)


def test_another_shell_is_refused(shell: Shell) -> None:
    ended = shell.run("completion", "tcsh")

    assert ended.code == 2
    assert "bash, zsh and fish" in ended.err
