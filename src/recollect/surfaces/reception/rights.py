"""How far a token goes: the refusals that every door of the server gives alike."""

from __future__ import annotations

from recollect.domain.access import AccessScope, AccessToken
from recollect.surfaces.catalogue.routes import Route
from recollect.surfaces.reception.problems import Problem
from recollect.verbs.acting import no_space


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
        raise Problem(
            403, "token_bound", "This token is for one space, and this is about all of them.", hint="Use another token."
        )
    if not token.reaches(scope):
        raise Problem(
            403,
            "scope_too_small",
            f"This needs a token that may {scope.value}; this one may {token.scope.value}.",
            headers={"WWW-Authenticate": f'Bearer error="insufficient_scope", scope="{scope.value}"'},
        )
