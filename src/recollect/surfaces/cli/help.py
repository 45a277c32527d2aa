"""Help: every command in short, or one in full. Each line stands in the catalogue first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from recollect.operations import Shape
from recollect.surfaces.cli.commands import ASKED_FIRST, SHARED, YES, Argument, Command, all_commands, short_meaning
from recollect.surfaces.cli.terminal import Terminal, pad, width_of, wrap

_WIDEST_NAME = 28  # columns; a longer name puts its explanation on the next line
_SHORT = 62  # columns for what a command does, where all are listed: one line each on a usual screen
_WIDEST_PAGE = 100  # columns; longer lines are hard to read, and a pager has no width of its own

_MORE = "`recollect COMMAND --help` explains a command. `--json` answers any of them for programs."


def all_in_short(terminal: Terminal) -> Iterator[str]:
    """Every command, a line each."""
    terminal = _page(terminal)
    for chapter, commands in groupby(all_commands(), key=lambda command: command.chapter):
        yield terminal.paint(chapter, "bold")
        yield from _two_columns([(each.spelled, short_meaning(each, _SHORT)) for each in commands], terminal)
        yield ""
    yield from wrap(_MORE, terminal.width)


def explanation(command: Command, terminal: Terminal) -> Iterator[str]:
    """One command, with everything it takes."""
    terminal = _page(terminal)
    yield terminal.paint(usage(command), "bold")
    yield ""
    yield from wrap(command.meaning[:1].upper() + command.meaning[1:].rstrip(".") + ".", terminal.width)
    for title, arguments in chapters(command):
        yield ""
        yield terminal.paint(title, "bold")
        yield from _two_columns([(heading(each), explained(each)) for each in arguments], terminal)

    relatives = [each for each in all_commands() if len(each.words) > 1 and each.words[0] == command.words[0]]
    if relatives:
        yield ""
        yield terminal.paint(f"All about {command.words[0]}", "bold")
        yield from _two_columns([(each.spelled, short_meaning(each)) for each in relatives], terminal)


def usage(command: Command) -> str:
    """How a command is typed, in one line."""
    places = [
        argument.spelled if argument.required else f"[{argument.spelled}]"
        for argument in command.arguments
        if not argument.is_option
    ]
    needed = [f"{each.spelled} {each.value_name}" for each in command.arguments if each.is_option and each.required]
    options = ["[options]"] if any(argument.is_option for argument in command.arguments) else []
    return " ".join(["recollect", *command.words, *places, *needed, *options])


def chapters(command: Command) -> Iterator[tuple[str, list[Argument]]]:
    """The arguments of a command, under titles: by place, options of its own, options that many commands share."""
    asks = command.operation is not None and command.operation.name in ASKED_FIRST
    shared = [each for each in command.arguments if each in SHARED and (asks or each != YES)]
    own = [each for each in command.arguments if each not in SHARED]
    parts = (
        ("Arguments", [each for each in own if not each.is_option]),
        ("Options", [each for each in own if each.is_option]),
        ("Options of many commands", shared),
    )
    return ((title, arguments) for title, arguments in parts if arguments)


def heading(argument: Argument) -> str:
    """An argument as it is typed."""
    if argument.opposite:
        return f"{argument.spelled}, {argument.opposite}"
    return f"{argument.spelled} {argument.value_name}".rstrip()


def explained(argument: Argument) -> str:
    """The meaning of an argument, with its choices, its default, and whether it may be repeated."""
    meaning = argument.meaning
    if argument.choices and argument.choices[0] not in meaning:
        meaning += f": {', '.join(argument.choices)}"
    if argument.is_option and argument.shape in (Shape.TEXTS, Shape.FILES) and "several" not in meaning:
        meaning += "; give several for several"
    if argument.default:
        meaning += f" (default: {'yes' if argument.shape is Shape.TRUTH else argument.default})"
    return meaning


def _page(terminal: Terminal) -> Terminal:
    return Terminal(min(terminal.width or _WIDEST_PAGE, _WIDEST_PAGE), terminal.colour)


def _two_columns(pairs: Iterable[tuple[str, str]], terminal: Terminal) -> Iterator[str]:
    pairs = list(pairs)
    fitting = [width_of(name) for name, _ in pairs if width_of(name) <= _WIDEST_NAME]
    wide = max(fitting, default=_WIDEST_NAME)
    if any(width_of(name) > _WIDEST_NAME for name, _ in pairs):
        wide = _WIDEST_NAME
    margin = " " * (wide + 4)
    room = None if terminal.width is None else terminal.width - len(margin)
    for name, meaning in pairs:
        lines = list(wrap(meaning, room))
        if width_of(name) > wide:
            yield f"  {name}"
        else:
            yield f"  {pad(name, wide)}  {lines.pop(0)}".rstrip()
        yield from (margin + line for line in lines)
