"""`recollect tokens`: who may come in through the server. A secret is shown once, when its token is made."""

from __future__ import annotations

from typing import Any

from recollect.domain.access import AccessToken
from recollect.domain.clock import format_time
from recollect.domain.values import to_plain
from recollect.settings import load_settings
from recollect.surfaces.cli.own_memory import open_memory
from recollect.surfaces.cli.parsing import Request
from recollect.surfaces.cli.render import Screen
from recollect.surfaces.cli.tables import table
from recollect.surfaces.cli.terminal import Terminal, inert, json_text, wrap
from recollect.verbs.access import Access

_ONCE = "This is the only time it is shown. Send it as: Authorization: Bearer TOKEN"


def tokens(request: Request, terminal: Terminal) -> Screen:
    """Do what a command about tokens asks for."""
    settings, _ = load_settings({"store": request.store, "home": request.home})
    with open_memory(settings) as memory:
        access = memory.access
        match request.command.words[-1]:
            case "create":
                return _create(access, request, terminal)
            case "revoke":
                revoked = access.revoke(request.arguments["token_id"])
                if request.json:
                    return Screen((json_text(described(revoked)),))
                return Screen((inert(f"Token {revoked.id} ({revoked.name}) opens nothing any more."),))
            case _:
                return _list(access, request, terminal)


def described(token: AccessToken) -> dict[str, Any]:
    """A token without its digest, which is of no use to anybody who reads this."""
    return {name: value for name, value in to_plain(token).items() if name != "digest"}


def _create(access: Access, request: Request, terminal: Terminal) -> Screen:
    issued = access.issue(**request.arguments)
    if request.json:
        return Screen((json_text({**described(issued.token), "token": issued.secret}),))
    token = issued.token
    until = f"until {format_time(token.expires_at)}" if token.expires_at else "with no end"
    where = f"the space {token.space}" if token.space else "all spaces"
    told = [*wrap(inert(f"Token {token.id} may {token.scope.value} in {where}, {until}."), terminal.width), _ONCE]
    return Screen((issued.secret,), tuple(terminal.paint(line, "dim") for line in told))


def _list(access: Access, request: Request, terminal: Terminal) -> Screen:
    found = access.tokens()
    if request.json:
        return Screen((json_text({"items": [described(token) for token in found]}),))
    if not found:
        return Screen((), ("There are no tokens. `recollect tokens create` makes one.",))
    rows = [
        [
            token.id,
            token.scope.value,
            token.space or "(all)",
            "revoked" if token.revoked_at else _day(token.expires_at, "no end"),
            _day(token.last_used_at, "never"),
            token.name,
        ]
        for token in found
    ]
    return Screen(tuple(table(["id", "scope", "space", "ends", "last used", "name"], rows, terminal)))


def _day(moment: Any, otherwise: str) -> str:
    return otherwise if moment is None else format_time(moment)[:16] + "Z"
