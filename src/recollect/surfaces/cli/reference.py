"""The reference of the command line, as Markdown, from the catalogue itself.

    python -m recollect.surfaces.cli.reference > docs/reference/cli.md

A test fails when the page and the catalogue differ.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from itertools import groupby

from recollect.home import PREFIX
from recollect.settings import MEANINGS as SETTINGS
from recollect.surfaces.cli.commands import SHARED, Argument, Command, all_commands, short_meaning
from recollect.surfaces.cli.exits import EXIT_CODES, MEANINGS
from recollect.surfaces.cli.help import chapters, explained, heading, usage

_TITLE = """\
# The command line

<!-- Written by `python -m recollect.surfaces.cli.reference > docs/reference/cli.md`; changes here are lost. -->

Every verb of `Memory` is a command of the same name. `recollect help all` lists them, and `recollect COMMAND --help`
explains one. Options of many commands may stand before the command or after it.

Answers go to standard output, everything else to standard error. With `--json` the answer is one JSON value on one
line, and an error is `{"error": {"code", "message", "hint", "retryable"}}` on standard error. Programs should read
`code` and the exit code, never the sentence.

Colours are used on a terminal only, and not when `NO_COLOR` is set or `TERM` is `dumb`. Whatever in a memory could
drive a terminal (control, writing direction and invisible characters) is shown as an escape such as `\\u202e`.

Times are ISO 8601: `2026-03-01` is midnight, and a time without a zone is UTC.
"""

_DRY_RUN = """\
`--dry-run` makes every check and writes nothing. It shows what would be written, an edit a line; with `--json` it
answers `{"changes": […], "result": …}`.

`forget`, `restore` and `spaces delete` ask before they do anything, where there is a terminal to ask on. `--yes` goes
on without asking. Where nobody can be asked, `restore` and `spaces delete` need `--yes`.
"""


def reference() -> Iterator[str]:
    """The page, line by line."""
    commands = all_commands()
    yield _TITLE
    for chapter, members in groupby(commands, key=lambda command: command.chapter):
        yield f"- **{chapter}**: " + ", ".join(_link(command) for command in members)
    yield ""
    yield "## Options of many commands\n"
    yield from _table(SHARED)
    yield ""
    yield _DRY_RUN
    for command in commands:
        yield from _section(command)
    yield "## Exit codes\n"
    yield "| code | errors | meaning |"
    yield "|---|---|---|"
    for code, meaning in MEANINGS.items():
        errors = ", ".join(f"`{kind.__name__}`" for kind, number in EXIT_CODES if number == code)
        yield f"| {code} | {errors} | {meaning} |"
    yield ""
    yield "## Settings\n"
    yield "Arguments go before variables, variables before the file `recollect.toml` in the home folder, and the file"
    yield "before defaults. `recollect config` shows each value and where it came from.\n"
    yield "| setting | variable | meaning |"
    yield "|---|---|---|"
    yield from (f"| `{name}` | `{PREFIX}{name.upper()}` | {meaning} |" for name, meaning in SETTINGS.items())
    yield f"| | `{PREFIX}CONFIG` | another file to read instead of the one in the home folder |"
    yield f"| | `{PREFIX}DEBUG` | `1` shows where in the code an unexpected error happened |"


def _section(command: Command) -> Iterator[str]:
    yield f"## {command.spelled}\n"
    yield f"```\n{usage(command)}\n```\n"
    yield command.meaning[:1].upper() + command.meaning[1:].rstrip(".") + ".\n"
    shared: list[str] = []
    for _, arguments in chapters(command):
        if arguments[0] in SHARED:
            shared = [f"`{each.spelled}`" for each in arguments]
        else:
            yield from _table(arguments)
            yield ""
    if shared:
        yield f"Also: {', '.join(shared)}.\n"


def _table(arguments: Sequence[Argument]) -> Iterator[str]:
    yield "| | |"
    yield "|---|---|"
    yield from (f"| `{heading(each)}` | {explained(each)} |" for each in arguments)


def _link(command: Command) -> str:
    return f'[{command.spelled}](#{command.spelled.replace(" ", "-")} "{short_meaning(command)}")'


if __name__ == "__main__":
    sys.stdout.writelines(f"{line}\n" for line in reference())
