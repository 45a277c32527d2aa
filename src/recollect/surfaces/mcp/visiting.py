"""Visitors who speak MCP: about which space, and with which tools.

A connection can only narrow what its token may do: named with a space it is bound to that space, as a token can be.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from recollect.domain.access import AccessScope, AccessToken
from recollect.domain.choices import choice
from recollect.domain.dataclass import dataclass, replace
from recollect.domain.errors import InvalidInput
from recollect.domain.origin import Caller, Channel
from recollect.domain.scopes import checked_space
from recollect.memory import Memory
from recollect.surfaces.reception.visitor import Visitor, open_token
from recollect.verbs.acting import no_space

# What may stand after `?`: `space` binds a connection to one, `default` only says which is meant when none is named.
_OPTIONS = ("space", "default", "toolset", "profile")


class Toolset(StrEnum):
    """Which tools a connection has."""

    CORE = "core"  # eight, for every day
    FULL = "full"  # every verb
    SERVER_MEMORY = "server-memory"  # those of the reference knowledge-graph server


@dataclass(frozen=True, slots=True)
class ToolVisitor(Visitor):
    """A visitor who speaks MCP, with a set of tools."""

    toolset: Toolset


def visitor_of(memory: Memory, token: AccessToken | None, query: Mapping[str, str]) -> ToolVisitor:
    """The visitor, from the token they showed (`None` in open mode) and from the query string of the address."""
    shown = token or open_token(memory.settings.principal)
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
    return ToolVisitor(memory.acting_as(caller), shown, usual, toolset)
