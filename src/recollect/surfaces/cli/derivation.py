"""The commands, derived: one for each verb, from its signature, and those of `own_commands.txt` that are no verbs.

A parameter that a call may give without its name stands by its place here too, every other one is an option of
the same name. Where a verb needs another form on a command line, `_FORMS` says so and why.

    python -m recollect.surfaces.cli.derivation

writes the catalogue that `commands` reads: deriving it loads every verb, which a command line has no time for. A test
fails when the two differ.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from recollect.domain.access import AccessScope
from recollect.domain.dataclass import dataclass
from recollect.inference.models import DEFAULT, DEFAULTS, MODELS
from recollect.memory import Memory
from recollect.operations import Effect, Operation, Shape, meaning_of, operations_of
from recollect.surfaces.catalogue.parameters import Parameter, parameters_of
from recollect.surfaces.cli.commands import (
    CATALOGUE,
    DRY_RUN,
    HOME,
    JSON,
    SHARED,
    SPACE,
    STORE,
    YES,
    Argument,
    Command,
    option,
    written,
)
from recollect.surfaces.hooks.hosts import HOSTS
from recollect.surfaces.hosts.names import HOST_NAMES, SOURCES

_OWN = Path(__file__).with_name("own_commands.txt")
# `$name` in that file: the values an argument can have, or words in its meaning.
_VALUES = {"rights": tuple(each.value for each in AccessScope), "hosts": tuple(HOSTS), "models": tuple(MODELS)}
_WORDS = {"$defaults": " and ".join(DEFAULTS), "$default": DEFAULT, "$agents": ", ".join(HOST_NAMES)}
_WORD = re.compile(r"\$[a-z]+")
_WRITTEN = re.compile(r"(?P<spelled>\S+) (?:\[(?P<notes>[^]]*)] )?(?P<meaning>.+)")

_PLACES = {
    "note_id": "ID",
    "action_id": "ID",
    "job_id": "ID",
    "session_id": "SESSION",
    "other_id": "OTHER",
    "receipt_id": "RECEIPT",
    "messages": "TEXT",
    "webhook": "NAME",
    "model": "MODEL",
}
# The same place for backups, each time with the word that fits.
_SPELLED = {("backup", "target"): "--to", ("backups", "target"): "--at", ("restore", "target"): "--from"}
_ATTACH = "a file that came with it; a picture, a PDF or a text"
_FILE = Argument(
    "file",
    "FROM",
    Shape.TEXT,
    f"an export of ours, where - or nothing is standard input; or another memory: {', '.join(SOURCES)}",
    names_file=True,
)
_PLACE = Argument(
    "place", "PATH", Shape.TEXT, "the file or folder of that other memory, if not the usual", names_file=True
)
_OUTPUT = option("output", "write to this file, all of it or nothing, instead of standard output", names_file=True)


@dataclass(frozen=True, slots=True)
class _Form:
    """How a verb differs here: parameters that are not typed, what is typed instead, and what that does."""

    untyped: frozenset[str] = frozenset()
    instead: tuple[Argument, ...] = ()
    meaning: str = ""


# A shell has files and pipes: pages and cursors, lines and their numbers, are this door's own business.
_FORMS = {
    "attachment": _Form(
        instead=(_OUTPUT,),
        meaning="Hand out a file that came with a message, byte for byte, to standard output or a file.",
    ),
    "doctor": _Form(
        meaning="Look whether everything is sound: the database, the text index, the audit chain of every space, "
        "and how the coding agents of this machine are connected."
    ),
    "export": _Form(
        frozenset({"cursor", "limit"}),
        (_OUTPUT,),
        "Write everything out as lines of JSON, version by version. Without `--space` it is every space.",
    ),
    "provider-keys.set": _Form(
        frozenset({"secret"}),
        meaning="Give a space a key of its own for a provider: typed unseen, piped in, or from RECOLLECT_NEW_KEY.",
    ),
    "import": _Form(
        frozenset({"lines", "first_line"}),
        (_FILE, _PLACE),
        "Take an export or another memory in. Doing it twice changes nothing; what was forgotten stays forgotten.",
    ),
}


def derived_commands() -> tuple[Command, ...]:
    """Every command, chapter by chapter."""
    return (*(_command(operation) for operation in operations_of(Memory).values()), *_own_commands())


def main() -> None:
    CATALOGUE.write_text("".join(f"{line}\n" for line in map(written, derived_commands())), encoding="utf-8")


def _command(operation: Operation) -> Command:
    """A verb as it is typed."""
    function = getattr(Memory, operation.method)
    form = _FORMS.get(operation.name, _Form())
    by_place = _by_place(function)
    own = [
        _argument(parameter, operation.name, by_place=parameter.name in by_place)
        for parameter in parameters_of(function)
        if parameter.name not in form.untyped
    ]
    return Command(
        words=tuple(operation.name.split(".")),
        meaning=form.meaning or meaning_of(function),
        chapter=_chapter(operation),
        arguments=(*form.instead, *own, *_shared_by(operation)),
        operation=operation,
        home=(_home(operation).__module__, _home(operation).__name__),
    )


def _chapter(operation: Operation) -> str:
    """The chapter of the catalogue a verb stands in, by the opening words of the chapter's own description."""
    return (_home(operation).__doc__ or "").partition(":")[0]


def _home(operation: Operation) -> type:
    return next(each for each in Memory.__mro__ if operation.method in vars(each))


def _by_place(function: Callable[..., Any]) -> set[str]:
    """The parameters that a call may give without their names."""
    kinds = {name: parameter.kind for name, parameter in inspect.signature(function).parameters.items()}
    return {name for name, kind in kinds.items() if kind is inspect.Parameter.POSITIONAL_OR_KEYWORD}


def _argument(parameter: Parameter, verb: str, *, by_place: bool) -> Argument:
    if by_place:
        spelled = _PLACES.get(parameter.name, parameter.name.upper())
    elif parameter.name == SPACE.name:
        return SPACE
    else:
        spelled = _SPELLED.get((verb, parameter.name)) or f"--{_singular(parameter).replace('_', '-')}"
    return Argument(
        name=parameter.name,
        spelled=spelled,
        shape=parameter.shape,
        meaning=_meaning(parameter),
        required=parameter.required,
        default=parameter.default,
        choices=parameter.choices,
        names_file=parameter.name in ("path", "target", "attachments"),
    )


def _meaning(parameter: Parameter) -> str:
    if parameter.name == "messages":
        return "what was said, or messages as a JSON list of roles and contents; - reads it from standard input"
    if parameter.shape is Shape.FILES:
        return _ATTACH
    if parameter.name == "text":
        return f"{parameter.meaning}; - reads it from standard input"
    return parameter.meaning


def _singular(parameter: Parameter) -> str:
    """A list is given one by one, so its option is named for one."""
    if parameter.shape is Shape.FILES:
        return "attach"
    return parameter.name.removesuffix("s") if parameter.shape is Shape.TEXTS else parameter.name


def _shared_by(operation: Operation) -> Iterator[Argument]:
    yield from (JSON, STORE, HOME)
    if operation.effect is not Effect.READ:
        yield DRY_RUN
    yield YES


def _own_commands() -> Iterator[Command]:
    """The commands that are no verbs, from their file."""
    groups: dict[str, list[Argument]] = {}
    began: list[tuple[str, str, str, list[Argument]]] = []
    chapter, arguments = "", list[Argument]()
    for line in _OWN.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            chapter = line.strip("[]")
        elif line.startswith("@"):
            arguments = groups[line] = []
        elif line.startswith(" "):
            arguments += _written_arguments(line.strip(), groups)
        elif line and not line.startswith("#"):
            words, _, meaning = line.partition(": ")
            arguments = []
            began.append((words, meaning, chapter, arguments))
    for words, meaning, of, taken in began:
        yield Command(tuple(words.split()), meaning, of, tuple(taken))


def _written_arguments(line: str, groups: Mapping[str, list[Argument]]) -> list[Argument]:
    """A line below a command: the name of a group, options that many commands share, or one argument."""
    if line in groups:
        return groups[line]
    shared = {each.spelled: each for each in SHARED}
    if all(word in shared for word in line.split()):
        return [shared[word] for word in line.split()]
    found = _WRITTEN.fullmatch(line)
    if found is None:
        raise ValueError(f"no argument: {line}")
    spelled, meaning = found["spelled"], _WORD.sub(lambda name: _WORDS[name[0]], found["meaning"])
    told: dict[str, Any] = {"name": spelled.removeprefix("--").replace("-", "_").lower(), "shape": Shape.TEXT}
    for note in filter(None, (found["notes"] or "").split(", ")):
        match note.split(" "):
            case ["required"]:
                told["required"] = True
            case ["file"]:
                told["names_file"] = True
            case ["flag" | "yes" as usual]:
                told |= {"shape": Shape.TRUTH, "default": usual == "yes"}
            case ["as", name]:
                told["name"] = name
            case ["of", values]:
                told["choices"] = _VALUES[values[1:]] if values.startswith("$") else tuple(values.split("|"))
            case _:
                told["shape"] = Shape(note)
    return [Argument(spelled=spelled, meaning=meaning, **told)]


if __name__ == "__main__":
    main()
