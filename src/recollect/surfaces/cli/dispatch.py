"""A request goes to the module that does it; a verb goes to the memory of the person who typed it."""

from __future__ import annotations

from recollect.domain.errors import StoreFailure
from recollect.settings import Settings, load_settings
from recollect.surfaces.cli.own_memory import open_memory
from recollect.surfaces.cli.parsing import Request
from recollect.surfaces.cli.screens.render import Screen, screen
from recollect.surfaces.cli.terminal import Terminal
from recollect.surfaces.cli.verb_call import carry_out, only_reads, read


def run(request: Request, terminal: Terminal) -> Screen:
    """Do what a command line asks for."""
    match request.command.spelled:
        case "config":
            from recollect.surfaces.cli.local import configuration

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
        case "dashboard":
            from recollect.surfaces.cli.local import dashboard

            return dashboard(request, terminal)
        case "worker":
            from recollect.surfaces.cli.serve import worker

            return worker(request)
        case "top":
            from recollect.surfaces.cli.screens.top import top

            return top(request, terminal)
        case "mcp":
            from recollect.surfaces.mcp.stdio import Options
            from recollect.surfaces.mcp.stdio import run as forward

            return Screen(exit_code=forward(Options(**request.arguments, home=request.home), explained=True) or 0)
        case "hooks drain" | "capture":
            from recollect.surfaces.cli.notices import noticing

            return noticing(request)
        case "tokens create" | "tokens list" | "tokens rotate" | "tokens revoke" | "tokens link":
            from recollect.surfaces.cli.serve import tokens

            return tokens(request, terminal)
        case "accounts create" | "accounts list" | "accounts link" | "accounts remove":
            from recollect.surfaces.cli.accounts import accounts

            return accounts(request, terminal)
        case spelled if spelled.startswith("anda "):
            from recollect.surfaces.cli.anda_client import anda

            return anda(request)
        case "bench":
            from recollect.surfaces.cli.local import bench

            return bench(request)
        case "init":
            from recollect.surfaces.cli.init import init

            return init(request, terminal)
        case "project":
            from recollect.surfaces.cli.local import project

            return project(request, terminal)
        case "spaces move":
            from recollect.surfaces.cli.local import move

            return move(request)
        case "store check" | "store grants":
            from recollect.surfaces.cli.local import store

            return store(request, terminal)
        case "rescue":
            from recollect.surfaces.cli.local import rescue

            return rescue(request)
        case "demo":
            from recollect.surfaces.cli.screens.demo import tour

            return tour(terminal)
        case _:
            settings, _ = load_settings({"store": request.store, "home": request.home})
            if only_reads(request):
                return read(request, settings, terminal)
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
    from recollect.surfaces.cli.init import with_agents
    from recollect.verbs.upkeep import diagnosis_of

    return screen(request, with_agents(diagnosis_of(problem), settings), terminal)
