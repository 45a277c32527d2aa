"""Parse what was typed into a request: a command and its arguments, each in the type the verb takes.

Options that commands share may stand before the command or after it. Texts become numbers, times and objects
here, with an error that names the option; whether a value makes sense is the verb's own question.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from recollect.domain.dataclass import dataclass
from recollect.domain.errors import InvalidInput
from recollect.operations import Shape
from recollect.surfaces.cli.commands import SHARED, SPACE, Argument, Command, all_words, command_for, unknown_command

_SHARED = frozenset(option.spelled for option in SHARED)


@dataclass(frozen=True, slots=True)
class Request:
    """A command and what was said with it. `arguments` holds only what was given, so that defaults stay the verb's."""

    command: Command
    arguments: dict[str, Any]
    json: bool = False
    dry_run: bool = False
    yes: bool = False
    store: str | None = None
    home: str | None = None

    @property
    def in_space(self) -> str:
        """The option that names the space, as it would be typed again; nothing if none was named."""
        space = self.arguments.get("space")
        return f" --space {space}" if space else ""


@dataclass(frozen=True, slots=True)
class Help:
    """Somebody wants a command explained; without a command, the first screen, or `everything` in short."""

    command: Command | None
    everything: bool = False


def parse(argv: Sequence[str]) -> Request | Help:
    """The request in a command line; raises `InvalidInput` where there is none to be found."""
    words, rest = split(argv)
    asks_for_help = any(option in ("-h", "--help") for option in _before_separator(rest))
    if not words:
        if rest and not asks_for_help:
            raise InvalidInput("No command was given.", code="usage", hint="`recollect help all` lists the commands.")
        return Help(None)
    command = command_for(words)
    if asks_for_help:
        return Help(command)
    if words == ("help",):
        named = tuple(word for word in rest if not word.startswith("-"))
        return Help(None, everything=True) if named == ("all",) else Help(command_for(named) if named else None)
    given = _given(command, rest)
    return Request(
        command=command,
        json=bool(given.pop("json", False)),
        dry_run=bool(given.pop("dry_run", False)),
        yes=bool(given.pop("yes", False)),
        store=given.pop("store", None),
        home=given.pop("home", None),
        arguments=given,
    )


def split(argv: Sequence[str]) -> tuple[tuple[str, ...], list[str]]:
    """The words of the command, and everything that stands around them."""
    first = next_word(argv, 0)
    if first is None:
        return (), list(argv)
    known = set(all_words())
    words: tuple[str, ...] = (argv[first],)
    rest = [*argv[:first], *argv[first + 1 :]]
    while any(len(each) > len(words) and each[: len(words)] == words for each in known):
        following = next_word(rest, first)
        if following is None or any(option not in _SHARED for option in _options(rest[first:following])):
            return words, rest  # what follows an option of the command itself is its value: `slots --project .`
        words, first = (*words, rest.pop(following)), following
        if not any(each[: len(words)] == words for each in known):
            raise unknown_command(words)
    if words not in known:
        raise unknown_command(words)
    return words, rest


def next_word(argv: Sequence[str], start: int) -> int | None:
    """The place of the first word that is neither a shared option nor the value of one."""
    valued = {option.spelled for option in SHARED if option.shape is not Shape.TRUTH}
    place = start
    while place < len(argv):
        if not argv[place].startswith("-"):
            return place
        place += 2 if argv[place] in valued else 1
    return None


def wants_json(argv: Sequence[str]) -> bool:
    """Whether answers should be JSON, even where the rest of the line is not understood."""
    return "--json" in _before_separator(argv)


def messages_or_text(said: str) -> str | list[dict[str, Any]]:
    """Return the messages if the text is a JSON list of objects, and otherwise the text itself."""
    if not said.lstrip().startswith("["):
        return said
    try:
        found = json.loads(said)
    except (ValueError, RecursionError):
        return said
    return found if all(isinstance(each, dict) for each in found) else said


def _before_separator(argv: Sequence[str]) -> Sequence[str]:
    return argv[: argv.index("--")] if "--" in argv else argv


def _options(argv: Sequence[str]) -> Iterator[str]:
    return (word.partition("=")[0] for word in argv if word.startswith("-"))


def _given(command: Command, rest: Sequence[str]) -> dict[str, Any]:
    """The values given, by the name of the argument. An option that is given twice counts as it was given last."""
    said, places = _sorted_out(command, rest)
    for argument in command.arguments:
        if argument.is_option:
            if argument.required and argument.name not in said:
                raise _usage(command, f"`recollect {command.spelled}` needs `{argument.spelled}`.")
            continue
        taken = len(places) if argument.shape is Shape.TEXTS else 1
        if places:
            said[argument.name] = places if argument.shape is Shape.TEXTS else places[0]
        elif argument.required:
            raise _usage(command, f"`recollect {command.spelled}` needs {argument.spelled}.")
        places = places[taken:]
    if places:
        raise InvalidInput(
            f"`recollect {command.spelled}` does not know what to do with `{_shown(places[0])}`.",
            code="usage",
            hint="Put quotes around a text of several words." if _takes_a_text(command) else _see_help(command),
        )
    return {
        argument.name: _READERS[argument.shape](said[argument.name], argument)
        for argument in command.arguments
        if argument.name in said
    }


def _takes_a_text(command: Command) -> bool:
    return any(not each.is_option and each.shape in (Shape.TEXT, Shape.MESSAGES) for each in command.arguments)


def _sorted_out(command: Command, rest: Sequence[str]) -> tuple[dict[str, Any], list[str]]:
    """Options with their values, and what stands by its place. After `--` everything does."""
    options = {argument.spelled: argument for argument in command.arguments if argument.is_option}
    opposites = {argument.opposite: argument for argument in options.values() if argument.opposite}
    said: dict[str, Any] = {}
    places: list[str] = []
    words = iter(rest)
    for word in words:
        spelled, equals, value = word.partition("=")
        if word == "--":
            places.extend(words)
        elif not _is_option(word):
            places.append(word)
        elif spelled in opposites and not equals:
            said[opposites[spelled].name] = False
        elif spelled not in options:
            raise _unknown_option(command, spelled)
        elif options[spelled].shape is Shape.TRUTH:
            if equals:
                raise _usage(command, f"`{spelled}` takes no value.")
            said[options[spelled].name] = True
        else:
            found = value if equals else next(words, None)
            if found is None or (not equals and found in options):
                raise _usage(command, f"`{spelled}` needs a value.")
            if options[spelled].shape in (Shape.TEXTS, Shape.FILES):
                said.setdefault(options[spelled].name, []).append(found)
            else:
                said[options[spelled].name] = found
    return said, places


def _is_option(word: str) -> bool:
    """Whether a word is meant as an option. One dash, or a space in the name, and it is a text."""
    return word.startswith("--") and not any(letter.isspace() for letter in word.partition("=")[0])


def _unknown_option(command: Command, option: str) -> InvalidInput:
    from recollect.domain.suggestions import meant_by

    meant = meant_by(option, [argument.spelled for argument in command.arguments])
    hint = f"Did you mean `{meant[0]}`?" if meant else _see_help(command)
    if option == SPACE.spelled:
        hint = f"`recollect {command.spelled}` is not about one space."
    return InvalidInput(f"`recollect {command.spelled}` has no option `{_shown(option)}`.", code="usage", hint=hint)


def _usage(command: Command, message: str) -> InvalidInput:
    return InvalidInput(message, code="usage", hint=_see_help(command))


def _see_help(command: Command) -> str:
    return f"`recollect {command.spelled} --help` shows what it takes."


def _whole(text: str, argument: Argument) -> int:
    try:
        return int(text)
    except ValueError:
        raise InvalidInput(
            f"`{argument.spelled}` is `{_shown(text)}`; it must be a whole number.", code="invalid_number"
        ) from None


def _number(text: str, argument: Argument) -> float:
    try:
        return float(text)
    except ValueError:
        raise InvalidInput(
            f"`{argument.spelled}` is `{_shown(text)}`; it must be a number.", code="invalid_number"
        ) from None


def _object(text: str, argument: Argument) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        is_filter = argument.name == "where"
        key = "metadata.ticket" if is_filter else "ticket"
        raise InvalidInput(
            f"`{argument.spelled}` is not a JSON object: `{_shown(text)}`.",
            code="invalid_filter" if is_filter else "invalid_metadata",
            hint=f"Write it like '{{\"{key}\": 12}}', in single quotes.",
        )
    return found


def _as_it_is(value: Any, _: Argument) -> Any:
    return value


_READERS: dict[Shape, Callable[[Any, Argument], Any]] = {
    Shape.TEXT: _as_it_is,
    Shape.TEXTS: _as_it_is,
    Shape.MOMENT: _as_it_is,
    Shape.TRUTH: _as_it_is,
    Shape.WHOLE: _whole,
    Shape.NUMBER: _number,
    Shape.OBJECT: _object,
    Shape.FILES: _as_it_is,  # their names; they are read when the verb is called
    Shape.MESSAGES: lambda said, _: messages_or_text(said),
}


def _shown(text: str) -> str:
    return text if len(text) <= 60 else text[:57] + "…"
