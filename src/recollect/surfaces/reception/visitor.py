"""Somebody who was let in, how far their token goes, and how tools and dialects call a verb for them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from recollect.domain.access import AccessScope, AccessToken, up_to
from recollect.domain.dataclass import dataclass
from recollect.domain.errors import InvalidInput
from recollect.domain.origin import Caller
from recollect.domain.scopes import BOUND_BY, checked_space
from recollect.memory import Memory
from recollect.surfaces.catalogue.arguments import arguments_in_body, require_all
from recollect.surfaces.catalogue.routes import Route, routes_of
from recollect.surfaces.reception.problems import HttpProblem
from recollect.verbs.actor import no_space


def require_right(token: AccessToken, route: Route, space: str | None) -> None:
    """A token goes as far as a route, in this space; otherwise the refusal that every door gives."""
    if route.in_space and not token.covers(space):
        raise no_space(space or "")
    require_scope(token, route.scope, space, everywhere=route.everywhere)


def require_scope(
    token: AccessToken | None, scope: AccessScope, space: str | None, *, everywhere: bool = False
) -> None:
    """A token may do this much, in this space or in all of them; `None` is open mode, and may."""
    if token is None:
        return
    if space is not None and not token.covers(space):
        # The same answer whether the space is there or not.
        raise no_space(space)
    if everywhere and not token.covers(None):
        raise HttpProblem(
            403, "token_bound", "This token is for one space, and this is about all of them.", hint="Use another token."
        )
    if not token.reaches(scope):
        raise HttpProblem(
            403,
            "scope_too_small",
            f"This needs a token that may {scope.value}; this one may {token.scope}.",
            headers={"WWW-Authenticate": f'Bearer error="insufficient_scope", scope="{scope.value}"'},
        )


@dataclass(frozen=True, slots=True)
class Visitor:
    """Somebody who was let in. `token` says how far they may go, and is never wider than the one they showed.

    `space` is meant when none is named.
    """

    memory: Memory
    token: AccessToken
    space: str

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

    def make_space(self, *, tier: int) -> None:
        """Make the space that is meant, which whoever calls this was allowed to by the settings of the server.

        That takes a right to write there, to all of it.
        """
        self.require("brain.form")
        self.memory._open_brain(self.space, tier=tier)

    def require(self, verb: str) -> None:
        """The refusal that calling a verb would end in, whatever it was called with."""
        require_right(self.token, routes_of(verb)[0], self.space)

    def may(self, verb: str) -> bool:
        """Whether a verb is within reach at all."""
        route = routes_of(verb)[0]
        return self.token.reaches(route.scope) and not (route.everywhere and self.token.space is not None)

    def _way(self, verb: str, named: Any) -> tuple[Route, str | None]:
        """Where a verb leads: to a space, or to what is above them. The same answer for not yours and not there."""
        if named is not None and not isinstance(named, str):
            raise InvalidInput("`space` must be text.", code="invalid_field")
        routes = routes_of(verb)
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


def memory_of(memory: Memory, token: AccessToken | None, caller: Caller) -> Memory:
    """Memory in the name of somebody who was let in, as far as their token goes."""
    own = memory.acting_as(caller)
    if token is None or not token.is_bound:
        return own
    return own.bound_to(**{name: getattr(token.within, name) for name in BOUND_BY})


def without_texts(plain: Any) -> Any:
    """An answer to somebody who may not read: ids, numbers and truth values, and nothing that was ever said."""
    if isinstance(plain, dict):
        told = {
            name: value if name in ("id", "ids") or name.endswith(("_id", "_ids")) else without_texts(value)
            for name, value in plain.items()
            if name != "metadata"
        }
        return {name: value for name, value in told.items() if value not in (None, {}, [])}
    if isinstance(plain, list):
        return [told for each in plain if (told := without_texts(each)) not in (None, {}, [])]
    return None if isinstance(plain, str) else plain


def nobody() -> AccessToken:
    """Stands for the token of one who was asked for none: it may do nothing."""
    return AccessToken("", "nobody", frozenset(), None, datetime.min.replace(tzinfo=UTC))


def open_token(principal: str) -> AccessToken:
    """Stands for the token that nobody shows in open mode: it may do everything."""
    return AccessToken("", principal, up_to(AccessScope.ADMIN), None, datetime.min.replace(tzinfo=UTC))
