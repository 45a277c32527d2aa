"""The reference of the command line is what the catalogue says, and says all of it."""

from __future__ import annotations

from pathlib import Path

from recollect import Memory
from recollect.operations import operations_of
from recollect.surfaces.cli.commands import all_commands, command_for, short_meaning
from recollect.surfaces.cli.help import explanation
from recollect.surfaces.cli.overview import NEEDED
from recollect.surfaces.cli.reference import reference
from recollect.surfaces.cli.terminal import Terminal
from tests.surfaces.shell import Shell

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "cli.md"


def test_the_page_is_up_to_date() -> None:
    written = "".join(f"{line}\n" for line in reference())

    assert PAGE.read_text(encoding="utf-8") == written, (
        "run: python -m recollect.surfaces.cli.reference > docs/reference/cli.md"
    )


def test_every_verb_is_documented() -> None:
    page = PAGE.read_text(encoding="utf-8")

    for name in operations_of(Memory):
        assert f"\n## {name.replace('.', ' ')}\n" in page


def test_every_command_says_what_it_does_in_a_line() -> None:
    for command in all_commands():
        told = short_meaning(command)
        assert told, command.spelled
        assert told[0].islower(), command.spelled
        assert not told.endswith("."), command.spelled


def test_the_name_alone_shows_the_twelve_commands_that_people_need_and_where_the_rest_is(shell: Shell) -> None:
    shown = shell.run().out

    assert len(shown.splitlines()) <= 30
    assert max(map(len, shown.splitlines()[1:])) <= 80
    needed = [name for _, commands in NEEDED for name, _, _ in commands]
    assert len(needed) == 12
    for name in needed:
        assert f"  recollect {name} " in shown
        assert command_for((name,)).spelled == name
    assert "recollect help all" in shown
    assert shown == shell.run("--help").out == shell.run("help").out == shell.run("-h").out


def test_help_all_lists_every_command_and_help_explains_each(shell: Shell) -> None:
    listed = shell.run("help", "all").out
    names = {line.removeprefix("  ").partition("  ")[0] for line in listed.splitlines() if line.startswith("  ")}
    assert {command.spelled for command in all_commands()} <= names  # a long name has its words on the next line

    assert shell.run("spaces", "delete", "--help").out.startswith("recollect spaces delete NAME [options]\n")
    for command in all_commands():
        shown = "\n".join(explanation(command, Terminal(width=80)))
        assert shown.startswith(f"recollect {command.spelled}")
        for argument in command.arguments:
            assert argument.spelled in shown or argument.name == "yes", (command.spelled, argument.spelled)


def test_the_version_is_told(shell: Shell) -> None:
    from recollect import __version__

    for typed in ("--version", "-V"):
        assert shell.run(typed).out == f"recollect {__version__}\n"
