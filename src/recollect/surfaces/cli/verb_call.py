"""The verb of a request is called: asked about first if need be, and its answer shown."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, Any

from recollect.domain.dataclass import replace
from recollect.domain.errors import InvalidInput
from recollect.domain.origin import Caller, Channel
from recollect.domain.scopes import DEFAULT_SPACE, checked_space
from recollect.operations import Effect, Operation
from recollect.settings import Settings
from recollect.surfaces.cli.commands import STANDARD
from recollect.surfaces.cli.exits import PROBLEMS_FOUND
from recollect.surfaces.cli.own_memory import quiet_driver
from recollect.surfaces.cli.parsing import Request
from recollect.surfaces.cli.screens.render import Screen, rehearsal_screen, screen
from recollect.surfaces.cli.terminal import Terminal, inert

if TYPE_CHECKING:
    from recollect.engine import Engine
    from recollect.memory import Memory
    from recollect.verbs.actor import Acting

_WITH_A_SCREEN = (
    "attachment",
    "doctor",
    "export",
    "backup",
)  # verbs that only read, for which `_called` has a way of its own


def only_reads(request: Request) -> bool:
    """Whether a verb needs neither a question to the person, nor any other verb, nor a word on how far it has come."""
    operation = request.command.operation
    return operation is not None and operation.effect is Effect.READ and operation.name not in _WITH_A_SCREEN


def read(request: Request, settings: Settings, terminal: Terminal) -> Screen:
    """Call a verb of a chapter that is opened alone: to load all of them takes as long as most answers."""
    from importlib import import_module

    from recollect.assembly import assemble
    from recollect.verbs.actor import chapter_alone

    if request.command.home is None:
        raise AssertionError(f"`{request.command.spelled}` is not a verb")
    module, chapter = request.command.home
    quiet_driver(settings)
    with closing(assemble(settings)) as engine:
        kind: type[Acting] = getattr(import_module(module), chapter)
        verbs = chapter_alone(kind, engine, Caller(Channel.CLI, settings.principal))
        answer = _answered(verbs, *_meant(request))
        shown = screen(request, answer, terminal)
        return replace(shown, asides=(*shown.asides, *_doubts(engine, request, answer)))


def _doubts(engine: Engine, request: Request, answer: Any) -> tuple[str, ...]:
    """Beside an empty answer: that the space it was asked of is not there, for it may be misspelled."""
    space = request.arguments.get("space")
    if answer or space is None or request.json or space == DEFAULT_SPACE:
        return ()
    if engine.store.space(checked_space(space)) is not None:
        return ()
    return (inert(f"There is no space `{space}` yet. `recollect spaces list` shows those there are."),)


def carry_out(memory: Memory, request: Request, terminal: Terminal) -> Screen:
    """Call the verb that a request names."""
    from recollect.surfaces.hosts.names import SOURCES

    if request.command.spelled == "import" and request.arguments.get("file") in SOURCES:
        from recollect.surfaces.cli.imports import import_source

        return import_source(memory, request, terminal)
    from recollect.surfaces.cli.asking import agreed

    if not agreed(memory, request):
        return Screen((), ("Nothing was changed.",), PROBLEMS_FOUND)
    if request.dry_run:
        rehearsal = memory.dry_run()
        return rehearsal_screen(request, _called(rehearsal, request), rehearsal.changes, terminal)
    answer = _called(memory, request)
    return answer if isinstance(answer, Screen) else screen(request, answer, terminal)


def _called(memory: Memory, request: Request) -> Any:
    operation, arguments = _meant(request)
    match operation.name:
        case "import":
            return _import(memory, **arguments)
        case "export":
            return _export(memory, as_json=request.json, **arguments)
        case "attachment":
            from recollect.surfaces.cli.streams import hand_out

            output = arguments.pop("output", None)
            return hand_out(memory.attachment(**arguments), output, as_json=request.json)
        case "doctor":
            from recollect.surfaces.cli.init import with_agents

            return with_agents(memory.doctor(), memory.settings)
        case "backup" | "restore" | "ingest":
            from recollect.surfaces.cli.screens.copies import watched

            doing = f"Reading {arguments['path']}" if operation.name == "ingest" else ""
            with watched(doing) as tell:
                return getattr(memory.telling(tell), operation.method)(**arguments)
        case _:
            return _answered(memory, operation, arguments)


def _answered(verbs: Acting, operation: Operation, arguments: dict[str, Any]) -> Any:
    """The answer of a verb that is called just as it was typed."""
    if STANDARD in (arguments.get("text"), arguments.get("messages")):
        _read_standard_input(arguments)
    if operation.name == "provider-keys.set":
        from recollect.surfaces.cli.streams import secret_typed

        arguments["secret"] = secret_typed()
    if "attachments" in arguments:
        from recollect.surfaces.cli.streams import files_named

        arguments["attachments"] = files_named(arguments["attachments"])
    return getattr(verbs, operation.method)(**arguments)


def _meant(request: Request) -> tuple[Operation, dict[str, Any]]:
    """The verb of a request, and what it is given; a folder that was named for a project stands for its project."""
    operation = request.command.operation
    if operation is None:
        raise AssertionError(f"`{request.command.spelled}` is not a verb")
    arguments = dict(request.arguments)
    if "project" in arguments:
        from recollect.surfaces.cli.local import name_projects

        name_projects(operation.name, arguments)
    return operation, arguments


def _import(
    memory: Memory,
    *,
    file: str | None = None,
    place: str | None = None,
    trust: bool = False,
    space: str | None = None,
) -> Any:
    import sys

    from recollect.surfaces.cli.streams import import_from
    from recollect.surfaces.cli.terminal import is_screen

    if place is not None:
        from recollect.surfaces.hosts.names import SOURCES

        raise InvalidInput(
            f"`{file}` is not another memory that is known here.",
            code="unknown_source",
            hint=f"It can be: {', '.join(SOURCES)}.",
        )
    if file is None and is_screen(sys.stdin):
        raise InvalidInput("No file was named.", code="usage", hint="`recollect import FILE` reads an export.")
    return import_from(memory, file or STANDARD, trust=trust, space=space)


def _export(memory: Memory, *, as_json: bool, output: str | None = None, space: str | None = None) -> Screen:
    """An export is lines of JSON for everybody; only what became of a file is told in the reader's own way."""
    import sys

    from recollect.surfaces.cli.streams import export_to, writing_whole
    from recollect.surfaces.cli.terminal import json_text

    if output is None or output == STANDARD:
        export_to(sys.stdout.write, memory, space=space)
        return Screen()
    with writing_whole(output) as write:
        count = export_to(write, memory, space=space)
    if as_json:
        return Screen((json_text({"path": output, "records": count}),))
    return Screen((), (inert(f"{count:,} records were written to {output}."),))


def _read_standard_input(arguments: dict[str, Any]) -> None:
    """Put what is piped in where `-` stands."""
    from recollect.surfaces.cli.streams import said_on_stdin, text_from_stdin

    if arguments.get("text") == STANDARD:
        arguments["text"] = text_from_stdin()
    if arguments.get("messages") == STANDARD:
        arguments["messages"] = said_on_stdin()
