"""A request goes to the module that does it; a verb goes to the memory of the person who typed it."""

from __future__ import annotations

from importlib import import_module

from recollect.domain.errors import StoreFailure
from recollect.settings import Settings, load_settings
from recollect.surfaces.cli.own_memory import open_memory
from recollect.surfaces.cli.parsing import Request
from recollect.surfaces.cli.screens.render import Screen, screen
from recollect.surfaces.cli.terminal import Terminal
from recollect.surfaces.cli.verb_call import carry_out, only_reads, read

# The function that does each command that is no verb, in a module of this folder, or all that begin with a word. It is
# loaded when it is called.
_OWN = {
    "accounts": "accounts.accounts",
    "anda": "anda_client.anda",
    "bench": "local.bench",
    "capture": "notices.noticing",
    "completion": "completion.completion",
    "config": "local.configuration",
    "dashboard": "local.dashboard",
    "demo": "screens.demo.tour",
    "hooks": "notices.noticing",
    "init": "init.init",
    "mcp": "dispatch.forwarded",
    "models": "models.models",
    "project": "local.project",
    "rescue": "local.rescue",
    "serve": "serve.serve",
    "spaces move": "local.move",
    "store": "local.store",
    "tokens": "serve.tokens",
    "top": "screens.top.top",
    "worker": "serve.worker",
}


def run(request: Request, terminal: Terminal) -> Screen:
    """Do what a command line asks for."""
    if request.command.operation is None:
        words = request.command.words
        module, _, function = (_OWN.get(request.command.spelled) or _OWN[words[0]]).rpartition(".")
        done: Screen = getattr(import_module(f"recollect.surfaces.cli.{module}"), function)(request, terminal)
        return done
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


def forwarded(request: Request, _terminal: Terminal) -> Screen:
    """`recollect mcp`, where it has something to say."""
    from recollect.surfaces.mcp.stdio import Options
    from recollect.surfaces.mcp.stdio import run as forward

    return Screen(exit_code=forward(Options(**request.arguments, home=request.home), explained=True) or 0)


def _report_on(problem: StoreFailure, settings: Settings, request: Request, terminal: Terminal) -> Screen:
    """`doctor` on a store that cannot be opened."""
    from recollect.surfaces.cli.init import with_agents
    from recollect.verbs.upkeep import diagnosis_of

    return screen(request, with_agents(diagnosis_of(problem), settings), terminal)
