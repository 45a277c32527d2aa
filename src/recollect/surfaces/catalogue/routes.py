"""Which path leads to which verb, and what it takes to go there: derived from the catalogue, and decided nowhere else.

A verb about one space stands below that space, every other one below the version. `GET` is for what only looks;
everything can be asked by `POST`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from recollect.domain.access import AccessScope
from recollect.domain.dataclass import dataclass
from recollect.memory import Memory
from recollect.operations import Effect, Operation, operations_of
from recollect.surfaces.catalogue.parameters import Parameter, parameters_of

VERSION = "v1"
INFO = f"/{VERSION}/info"
OPENAPI = f"/{VERSION}/openapi.json"
MCP = "/mcp"  # no route of a verb: what is asked for there stands in the body
HOOK = f"/{VERSION}/hook"  # no verb either: what an agent's hook tells
ALIVE, READY = "/livez", "/readyz"
METRICS = "/metrics"
LIVE = f"/{VERSION}/spaces/{{space}}/stream"

FILE = f"/{VERSION}/spaces/{{space}}/attachment"  # a verb, whose answer to `GET` is the file itself

TOKENS = f"/{VERSION}/tokens"
SESSION = f"/{VERSION}/session"  # a browser that is signed in
SIGN_IN = "/sign-in"  # the page that a link leads to
TO_ISSUER, FROM_ISSUER = f"{SIGN_IN}/issuer", f"{SIGN_IN}/issuer/back"  # to an issuer of identities, and back
WAYS_IN = f"{SIGN_IN}/ways"  # by which of them a person can come in here
SIGN_IN_PAGES = (SIGN_IN, TO_ISSUER, FROM_ISSUER, WAYS_IN)
DASHBOARD = "/ui/"  # the page of the dashboard is everywhere below; `/` leads there
# What is done with tokens, and by which method. None of it is a verb.
ABOUT_TOKENS = {
    TOKENS: ("GET", "POST"),
    f"{TOKENS}/rotate": ("POST",),
    f"{TOKENS}/revoke": ("POST",),
    f"{TOKENS}/link": ("POST",),
}
ABOUT_SESSION = {
    SESSION: ("GET", "POST"),
    f"{SESSION}/end": ("POST",),
    f"{SESSION}/end-everywhere": ("POST",),
    f"{SESSION}/password": ("POST",),
}

OPEN = (ALIVE, READY)  # for whoever watches the process; they say nothing about memory
FOR_ANY_TOKEN = (INFO, OPENAPI)

# Verbs about who is told of a space, what is paid for, which model serves, and that try other models of the machine,
# are for administrators, at every door.
_ADMINISTERED = ("webhooks.", "providers", "provider-keys.", "spend", "embeddings.", "eval.experiment", "brain.change")
# Without a space they mean every space, and not the default one.
_ACROSS = ("export", "import", "jobs.run", "backup", "restore")


@dataclass(frozen=True, slots=True)
class Route:
    """A verb at its path. `everywhere` asks for a token that is not bound to a space."""

    path: str
    operation: Operation
    parameters: tuple[Parameter, ...]
    methods: tuple[str, ...]
    scope: AccessScope
    everywhere: bool

    @property
    def function(self) -> Callable[..., Any]:
        found: Callable[..., Any] = getattr(Memory, self.operation.method)
        return found

    @property
    def takes(self) -> frozenset[str]:
        return frozenset(parameter.name for parameter in self.parameters)

    @property
    def in_space(self) -> bool:
        return "{space}" in self.path


@cache
def all_routes() -> dict[str, Route]:
    """Every route by its path."""
    found = [route for operation in operations_of(Memory).values() for route in _routes(operation)]
    return {route.path: route for route in found}


def route_at(path: str) -> tuple[Route, str | None] | None:
    """The route that a path leads to, and the space it names; `None` if it leads nowhere."""
    parts = path.split("/")
    if parts[:3] == ["", VERSION, "spaces"] and len(parts) > 4 and parts[3]:
        route = all_routes().get(f"/{VERSION}/spaces/{{space}}/{'/'.join(parts[4:])}")
        return (route, parts[3]) if route else None
    route = all_routes().get(path)
    return (route, None) if route and not route.in_space else None


def routes_of(verb: str) -> list[Route]:
    """The route of a verb in a space and the one outside, as far as there are such."""
    name = verb.replace(".", "/")
    paths = (f"/{VERSION}/spaces/{{space}}/{name}", f"/{VERSION}/{name}")
    return [all_routes()[path] for path in paths if path in all_routes()]


def is_dashboard(path: str) -> bool:
    """Whether a path is the dashboard's, which holds nothing of a memory and is for everybody."""
    return path == "/" or path.startswith(DASHBOARD)


def live_at(path: str) -> str | None:
    """The space whose live stream is at a path; `None` if none is there."""
    before, _, after = LIVE.partition("{space}")
    space = path.removeprefix(before).removesuffix(after)
    return space if space and "/" not in space and path == LIVE.format(space=space) else None


def _routes(operation: Operation) -> list[Route]:
    parameters = parameters_of(getattr(Memory, operation.method))
    own = tuple(parameter for parameter in parameters if parameter.name != "space")
    name = operation.name.replace(".", "/")
    paths = []
    if len(own) < len(parameters):
        paths.append(f"/{VERSION}/spaces/{{space}}/{name}")
    if len(own) == len(parameters) or operation.name in _ACROSS:
        paths.append(f"/{VERSION}/{name}")
    return [_route(path, operation, own) for path in paths]


def _route(path: str, operation: Operation, parameters: tuple[Parameter, ...]) -> Route:
    in_space = "{space}" in path
    # Such a verb reads or writes files of the machine that the server runs on, or beyond, which no space bounds.
    names_files = any(parameter.name in ("path", "remote", "target") for parameter in parameters)
    administered = operation.name.startswith(_ADMINISTERED)
    return Route(
        path=path,
        operation=operation,
        parameters=parameters,
        methods=("GET", "POST") if operation.effect is Effect.READ and not names_files else ("POST",),
        scope=AccessScope.ADMIN if names_files or administered else _scope(operation, in_space),
        everywhere=names_files or not in_space,
    )


def _scope(operation: Operation, in_space: bool) -> AccessScope:
    """The access scope of a verb. Agents forget single notes, so that is writing; to delete more takes an admin."""
    match operation.effect:
        case Effect.READ:
            return AccessScope.READ
        case Effect.WRITE:
            return AccessScope.WRITE if in_space else AccessScope.ADMIN
        case Effect.DESTROY:
            return AccessScope.WRITE if in_space and operation.for_agents else AccessScope.ADMIN
