"""Commands about the accounts of people who sign in to a shared server."""

from __future__ import annotations

from pathlib import Path

from recollect.settings import load_settings
from recollect.surfaces.cli.own_memory import open_memory
from recollect.surfaces.cli.parsing import Request
from recollect.surfaces.cli.screens.render import Screen
from recollect.surfaces.cli.terminal import Terminal, inert, json_text, table
from recollect.surfaces.resident.process import running
from recollect.verbs.rights.accounts import shown_account

_WITHIN = "Open it within ten minutes. It signs one browser in, once, where a password can be chosen."


def accounts(request: Request, terminal: Terminal) -> Screen:
    """Do what a command about accounts asks for."""
    settings, _ = load_settings({"store": request.store, "home": request.home})
    with open_memory(settings) as memory:
        found = memory.access.accounts
        match request.command.words[-1]:
            case "create":
                account, secret = found.create(**request.arguments)
                return _linked(account.name, secret, request, settings.home)
            case "link":
                name = request.arguments["name"]
                return _linked(name, found.link(name), request, settings.home)
            case "remove":
                removed = found.remove(request.arguments["name"])
                if request.json:
                    return Screen((json_text({"removed": removed.name}),))
                return Screen((inert(f"The account {removed.name} opens nothing any more."),))
            case _:
                told = [shown_account(account, token) for account, token in found.every()]
        if request.json:
            return Screen((json_text({"items": told}),))
        if not told:
            return Screen((), ("There are no accounts. `recollect accounts create NAME` makes one.",))
        rows = [
            [
                each["name"],
                each["scope"],
                each["space"] or "(all)",
                "yes" if each["has_password"] else "not yet",
                each["identity"] or "",
            ]
            for each in told
        ]
        return Screen(tuple(table(["name", "scope", "space", "password", "identity"], rows, terminal)))


def _linked(name: str, secret: str, request: Request, home: Path) -> Screen:
    """The link of an account. Its secret stands after `#`, which no browser sends and no server logs."""
    server = running(home)
    url = f"{server.url if server else 'http://127.0.0.1:7077'}/sign-in#{secret}"
    if request.json:
        return Screen((json_text({"name": name, "url": url}),))
    return Screen((url,), (_WITHIN,))
