"""Who is speaking, about which space, and with which tools; and the one way in which a tool calls a verb.

A connection can only narrow what its token may do: named with a space it is bound to that space, as a token can be.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

from recollect.domain.access import AccessScope, AccessToken
from recollect.domain.choices import choice
from recollect.domain.dataclass import dataclass, replace
from recollect.domain.errors import InvalidInput
from recollect.domain.origin import Caller, Channel
from recollect.domain.scopes import checked_space
from recollect.memory import Memory
from recollect.surfaces.catalogue.arguments import arguments_in_body, require_all
from recollect.surfaces.catalogue.routes import VERSION, Route, all_routes
from recollect.surfaces.reception.guard import require_right
from recollect.verbs.acting import no_space

# What may stand after `?`: `space` binds a connection to one, `default` only says which is meant when none is named.
_OPTIONS = ("space", "default", "toolset", "profile")


class Toolset(StrEnum):
    """Which tools a connection has."""

    CORE = "core"  # eight, for every day
    FULL = "full"  # every verb
    SERVER_MEMORY = "server-memory"  # those of the reference knowledge-graph server


@dataclass(frozen=True, slots=True)
class Visitor:
    """Somebody who was let in. `token` says how far they may go, and is never wider than the one they showed.

    `space` is meant when none is named.
    """

    memory: Memory
    token: AccessToken
    space: str
    toolset: Toolset

    def do(self, verb: str, given: Mapping[str, Any] | None = None) -> Any:
        """Call a verb as this visitor, if they may, with arguments that have the right shapes."""
        rest = {name: value for name, value in (given or {}).items() if name != "space"}
        route, space = self._way(verb, (given or {}).get("space"))
        require_right(self.token, route, space)
        arguments = arguments_in_body(route, rest)
        require_all(route, arguments)
        if space is not None:
            arguments["space"] = space
        return getattr(self.memory, route.operation.method)(**arguments)

    def require(self, verb: str) -> None:
        """The refusal that calling a verb would end in, whatever it was called with."""
        require_right(self.token, _routes_of(verb)[0], self.space)

    def may(self, verb: str) -> bool:
        """Whether a verb is within reach at all."""
        route = _routes_of(verb)[0]
        return self.token.reaches(route.scope) and not (route.everywhere and self.token.space is not None)

    def _way(self, verb: str, named: Any) -> tuple[Route, str | None]:
        """Where a verb leads: to a space, or to what is above them. The same answer for not yours and not there."""
        if named is not None and not isinstance(named, str):
            raise InvalidInput("`space` must be text.", code="invalid_field")
        routes = _routes_of(verb)
        if len(routes) > 1 and named is None and self.token.space is None:
            return routes[1], None  # a verb that means every space when none is named
        if not routes[0].in_space:
            if named is not None:
                raise InvalidInput(f"`{verb}` is not about one space.", code="unknown_field", hint="Leave out `space`.")
            return routes[0], None
        space = checked_space(self.space if named is None else named)
        if not self.token.covers(space):
            raise no_space(space)
        return routes[0], space


def visitor_of(memory: Memory, token: AccessToken | None, query: Mapping[str, str]) -> Visitor:
    """Who asks, from the token they showed (`None` in open mode) and from what stands after `?` in the address."""
    shown = token or AccessToken(
        "", memory.settings.principal, AccessScope.ADMIN, None, datetime.min.replace(tzinfo=UTC)
    )
    unknown = sorted(set(query) - set(_OPTIONS))
    if unknown:
        hint = f"There are: {', '.join(_OPTIONS)}."
        raise InvalidInput(f"There is no option `{unknown[0][:60]}` here.", code="unknown_field", hint=hint)
    space = query.get("space")
    if space is not None:
        if not shown.covers(checked_space(space)):
            raise no_space(space)
        shown = replace(shown, space=space)
    toolset = choice(Toolset, query.get("profile") or query.get("toolset") or Toolset.CORE.value, field="toolset")
    usual = shown.space or checked_space(query.get("default") or memory.settings.space)
    caller = Caller(Channel.MCP, shown.name, reads_only=not shown.reaches(AccessScope.WRITE))
    return Visitor(memory.acting_as(caller), shown, usual, toolset)


def _routes_of(verb: str) -> list[Route]:
    """The route of a verb in a space and the one outside, as far as there are such."""
    name = verb.replace(".", "/")
    paths = (f"/{VERSION}/spaces/{{space}}/{name}", f"/{VERSION}/{name}")
    return [all_routes()[path] for path in paths if path in all_routes()]
