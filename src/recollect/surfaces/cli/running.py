"""A request is carried out: open the memory it means, ask if need be, call the verb, show the answer."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, Any

from recollect.domain.dataclass import replace
from recollect.domain.errors import InvalidInput, StoreFailure
from recollect.domain.origin import Caller, Channel
from recollect.domain.scopes import DEFAULT_SPACE, checked_space
from recollect.operations import Effect, Operation
from recollect.settings import Settings, load_settings
from recollect.surfaces.cli.exits import PROBLEMS_FOUND
from recollect.surfaces.cli.grammar import STANDARD
from recollect.surfaces.cli.parsing import Request
from recollect.surfaces.cli.render import Screen, rehearsal_screen, screen
from recollect.surfaces.cli.terminal import Terminal, inert
from recollect.surfaces.hosts.names import SOURCES

if TYPE_CHECKING:
    from recollect.engine import Engine
    from recollect.memory import Memory
    from recollect.verbs.acting import Acting

_WITH_A_SCREEN = ("doctor", "export", "backup")  # verbs that only read, for which `_called` has a way of its own


def run(request: Request, terminal: Terminal) -> Screen:
    """Do what a command line asks for."""
    match request.command.spelled:
        case "config":
            from recollect.surfaces.cli.configuration import configuration

            return configuration(request, terminal)
        case "completion":
            from recollect.surfaces.cli.completion import completion

            return completion(request.arguments["shell"])
        case "models list" | "models install" | "models verify":
            from recollect.surfaces.cli.models import models

            return models(request, terminal)
        case "serve":
            from recollect.surfaces.cli.serve import serve

            return serve(request, terminal)
        case "top":
            from recollect.surfaces.cli.top import top

            return top(request, terminal)
        case "mcp":
            from recollect.surfaces.mcp.stdio import Options
            from recollect.surfaces.mcp.stdio import run as forward

            return Screen(exit_code=forward(Options(**request.arguments, home=request.home), explained=True) or 0)
        case "hooks drain" | "capture":
            from recollect.surfaces.cli.noticing import noticing

            return noticing(request)
        case "tokens create" | "tokens list" | "tokens revoke":
            from recollect.surfaces.cli.tokens import tokens

            return tokens(request, terminal)
        case "bench":
            from recollect.surfaces.cli.bench import bench

            return bench(request)
        case "init":
            from recollect.surfaces.cli.connecting import init

            return init(request, terminal)
        case "project":
            from recollect.surfaces.cli.projects import project

            return project(request, terminal)
        case "rescue":
            from recollect.surfaces.cli.rescue import rescue

            return rescue(request)
        case "demo":
            from recollect.surfaces.cli.demo import tour

            return tour(terminal)
        case _:
            settings, _ = load_settings({"store": request.store, "home": request.home})
            if _only_reads(request):
                return _read(request, settings, terminal)
            try:
                memory = open_memory(settings)
            except StoreFailure as problem:
                if request.command.spelled != "doctor":
                    raise
                return _report_on(problem, settings, request, terminal)
            with memory:
                return carry_out(memory, request, terminal)


def _report_on(problem: StoreFailure, settings: Settings, request: Request, terminal: Terminal) -> Screen:
    """`doctor` on a store that cannot be opened."""
    from recollect.surfaces.cli.connecting import with_agents
    from recollect.verbs.upkeep import diagnosis_of

    return screen(request, with_agents(diagnosis_of(problem), settings), terminal)


def _only_reads(request: Request) -> bool:
    """Whether a verb needs neither a question to the person, nor any other verb, nor a word on how far it has come."""
    operation = request.command.operation
    return operation is not None and operation.effect is Effect.READ and operation.name not in _WITH_A_SCREEN


def _read(request: Request, settings: Settings, terminal: Terminal) -> Screen:
    """Call a verb of a chapter that is opened alone: to load all of them takes as long as most answers."""
    from importlib import import_module

    from recollect.assembly import assemble
    from recollect.verbs.acting import chapter_alone

    if request.command.home is None:
        raise AssertionError(f"`{request.command.spelled}` is not a verb")
    module, chapter = request.command.home
    _quiet_driver(settings)
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


def open_memory(settings: Settings) -> Memory:
    """The memory of whoever types."""
    from recollect.memory import Memory

    _quiet_driver(settings)
    return Memory(settings=settings, caller=Caller(Channel.CLI, settings.principal))


def _quiet_driver(settings: Settings) -> None:
    if "://" in settings.store:
        import logging

        # A driver logs every attempt it makes to reach a server; the error at the end says it once.
        logging.getLogger().addHandler(logging.NullHandler())


def carry_out(memory: Memory, request: Request, terminal: Terminal) -> Screen:
    """Call the verb that a request names."""
    if request.command.spelled == "import" and request.arguments.get("file") in SOURCES:
        from recollect.surfaces.cli.importing import import_source

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
        case "doctor":
            from recollect.surfaces.cli.connecting import with_agents

            return with_agents(memory.doctor(), memory.settings)
        case "backup" | "restore" | "ingest":
            from recollect.surfaces.cli.backing import watched

            doing = f"Reading {arguments['path']}" if operation.name == "ingest" else ""
            with watched(doing) as tell:
                return getattr(memory.telling(tell), operation.method)(**arguments)
        case _:
            return _answered(memory, operation, arguments)


def _answered(verbs: Acting, operation: Operation, arguments: dict[str, Any]) -> Any:
    """The answer of a verb that is called just as it was typed."""
    if STANDARD in (arguments.get("text"), arguments.get("messages")):
        _read_standard_input(arguments)
    return getattr(verbs, operation.method)(**arguments)


def _meant(request: Request) -> tuple[Operation, dict[str, Any]]:
    """The verb of a request, and what it is given; a folder that was named for a project stands for its project."""
    operation = request.command.operation
    if operation is None:
        raise AssertionError(f"`{request.command.spelled}` is not a verb")
    arguments = dict(request.arguments)
    if "project" in arguments:
        from recollect.surfaces.cli.projects import name_projects

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
