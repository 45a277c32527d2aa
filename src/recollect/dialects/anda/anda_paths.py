"""The HTTP paths of Anda Brain: each is a verb of ours, in its envelope and with its scopes.

A path says exactly which right it takes: a token that may write may not read. A space that is not there is 400.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

from recollect.dialects.anda import anda_records as formats
from recollect.dialects.anda.anda_credentials import (
    ENVIRONMENT,
    NAME,
    SCOPES,
    admit,
    anda_settings,
    free_name,
    origins_allowed,
    secret_in,
    space_of,
    token_id_of,
)
from recollect.dialects.anda.anda_operations import (
    conversation_in,
    conversations_in,
    executed,
    formed,
    maintained,
    person,
    recalled,
)
from recollect.dialects.arguments import text
from recollect.dialects.negotiated_bodies import BodyAnswer, fields_of, spoken
from recollect.dialects.shapes import moment_of
from recollect.dialects.table import ANY, Asked, Dialect, DialectPath, KeyRing, Reply, SpaceRule
from recollect.dialects.text_tables import PathRow, path_rows
from recollect.dialects.tool import Doer
from recollect.domain.access import AccessScope
from recollect.domain.errors import Conflict, InvalidInput, NotFound, RecollectError
from recollect.version import __version__

KIP_SPOKEN = "1.0-RC9"

_MOST_TOKENS = 100  # of a space
_UNCHANGED = (429, 500, 503, 504)  # statuses that the old server does not have, and whose meaning clients should see


def _there(asked: Asked) -> KeyRing:
    """The tokens of the store, after the space of a path was found to be there."""
    if asked.keys is None:
        raise AssertionError("the server gives every line the tokens")
    if "space" in asked.parts and not asked.keys.is_there(asked.space):
        raise NotFound(f"space not found: {asked.space}", code="space_not_found")
    return asked.keys


# -- the three modes, and what is beside them --------------------------------------------------------------------------


def formation(doer: Doer, asked: Asked, body: Any) -> BodyAnswer:
    _there(asked)
    found = formed(doer, {"messages": body} if isinstance(body, str | list) else body)
    return BodyAnswer(formats.queued(found), text=f"Conversation {found.id} is queued.\n")


def recall(doer: Doer, asked: Asked, body: Any) -> BodyAnswer:
    _there(asked)
    told = recalled(doer, {"query": body} if isinstance(body, str) else body)
    return BodyAnswer(told, text=told["content"] + "\n")


def maintenance(doer: Doer, asked: Asked, body: Any) -> BodyAnswer:
    _there(asked)
    found = maintained(doer, body)
    return BodyAnswer(formats.queued(found), text=f"Maintenance {found.id} is queued.\n")


def kip(doer: Doer, asked: Asked, body: Any) -> BodyAnswer:
    _there(asked)
    return BodyAnswer(executed(doer, body), bare=True)


def user(doer: Doer, asked: Asked, body: Any) -> BodyAnswer:
    _there(asked)
    return BodyAnswer(person(doer, body))


def info(doer: Doer, asked: Asked, _: Any) -> BodyAnswer:
    _there(asked)
    return BodyAnswer(formats.space_info(doer.do("brain.show")))


def formation_status(doer: Doer, asked: Asked, _: Any) -> BodyAnswer:
    _there(asked)
    return BodyAnswer(formats.formation_status(doer.do("brain.show")))


# -- conversations -----------------------------------------------------------------------------------------------------


def conversations(doer: Doer, asked: Asked, _: Any) -> BodyAnswer:
    _there(asked)
    return BodyAnswer(*conversations_in(doer, asked.query))


def conversation(doer: Doer, asked: Asked, _: Any) -> BodyAnswer:
    _there(asked)
    return BodyAnswer(conversation_in(doer, _named(asked, delta=False)))


def delta(doer: Doer, asked: Asked, _: Any) -> BodyAnswer:
    _there(asked)
    return BodyAnswer(conversation_in(doer, _named(asked, delta=True)))


def _named(asked: Asked, *, delta: bool) -> dict[str, Any]:
    return {**asked.query, "conversation_id": asked.parts["conversation"], "delta": delta}


# -- management --------------------------------------------------------------------------------------------------------


def space_tokens(doer: Doer, asked: Asked, _: Any) -> BodyAnswer:  # noqa: ARG001 - the signature of a line
    keys = _there(asked)
    live = [
        each for each in keys.tokens() if each.space == asked.space and each.dialect == NAME and not each.revoked_at
    ]
    return BodyAnswer([formats.space_token(each) for each in live])


def add_space_token(doer: Doer, asked: Asked, body: Any) -> BodyAnswer:
    keys, said = _there(asked), fields_of(body, "scope", "name", "expires_at")
    scopes = SCOPES.get(said.get("scope", "")) if isinstance(said.get("scope"), str) else None
    if scopes is None:
        raise InvalidInput("`scope` is `read`, `write` or `*`.", code="invalid_scope")
    if len(space_tokens(doer, asked, None).result) >= _MOST_TOKENS:
        raise Conflict(f"space token limit reached: {_MOST_TOKENS}", code="too_many_tokens", hint="Revoke some.")
    ends = said.get("expires_at")
    issued = keys.issue(
        scopes=sorted(each.value for each in scopes),
        space=asked.space,
        name=text(said, "name") or None,
        expires=None if ends is None else moment_of(ends, "expires_at", per_second=1000),
        dialect=NAME,
        # A capability is no token of the store, which others could end with.
        by=asked.token if asked.token is not None and asked.token.dialect == NAME else None,
    )
    return BodyAnswer(formats.space_token(issued.token, issued.secret))


def revoke_space_token(doer: Doer, asked: Asked, body: Any) -> BodyAnswer:  # noqa: ARG001
    keys, wanted = _there(asked), token_id_of(text(fields_of(body, "token"), "token"))
    found = next((each for each in keys.tokens() if each.id == wanted), None)
    if found is None or found.space != asked.space or found.dialect != NAME or found.revoked_at:
        return BodyAnswer(False)
    keys.revoke(found.id)
    return BodyAnswer(True)


def update_space(doer: Doer, asked: Asked, body: Any) -> BodyAnswer:
    _there(asked)
    said = dict(fields_of(body, "name", "description", "public"))
    if "name" in said:
        said["title"] = said.pop("name")
    doer.do("brain.change", said)
    return BodyAnswer(True)


def restart(doer: Doer, asked: Asked, body: Any) -> BodyAnswer:
    _there(asked)
    doer.do("brain.restart", {"conversation": fields_of(body, "conversation").get("conversation")})
    return BodyAnswer(True)


def byok(doer: Doer, asked: Asked, _: Any) -> BodyAnswer:
    _there(asked)
    kept = doer.do("provider-keys.list").items
    return BodyAnswer(formats.model_config(kept[0]) if kept else None)


def set_byok(doer: Doer, asked: Asked, body: Any) -> BodyAnswer:
    """Keep the key of a family's provider. Which model does what is a setting of the server."""
    _there(asked)
    said = {name: value for name, value in (body if isinstance(body, Mapping) else {}).items() if value is not None}
    family, secret = text(said, "family", "f"), text(said, "api_key", "ak")
    if said.get("disabled", said.get("d")):
        doer.do("provider-keys.remove", {"provider": family})
    else:
        doer.do("provider-keys.set", {"provider": family, "secret": secret})
    return BodyAnswer(True)


# -- administrators ----------------------------------------------------------------------------------------------------


def create_space(doer: Doer, asked: Asked, body: Any) -> BodyAnswer:
    keys, said = _there(asked), fields_of(body, "user", "space_id", "tier")
    space = free_name(text(said, "space_id"))
    if keys.is_there(space):
        raise Conflict(f"space already exists: {space}", code="space_exists")
    doer.do("spaces.create", {"name": space})
    owned = {"owner": text(said, "user"), "tier": said.get("tier", 0), "space": space}
    return BodyAnswer(formats.space_info(doer.do("brain.change", owned)))


def update_tier(doer: Doer, asked: Asked, body: Any) -> BodyAnswer:
    _there(asked)
    said = fields_of(body, "user", "space_id", "tier")
    if said.get("space_id") != asked.parts["space"]:
        raise InvalidInput("space_id in the path and in the body differ", code="invalid_field")
    return BodyAnswer(
        formats.tier_of(doer.do("brain.change", {"tier": said.get("tier"), "space": asked.parts["space"]}))
    )


# -- for everybody -----------------------------------------------------------------------------------------------------


def service(_: Doer, asked: Asked, __: Any) -> BodyAnswer:  # noqa: ARG001
    told = {"name": "anda_brain", "version": __version__, "sharding": anda_settings().shard, "kip": KIP_SPOKEN}
    return BodyAnswer({**told, "description": "Recollect, in the words of Anda Brain."}, bare=True)


def refusal(problem: RecollectError, status: int) -> Reply:
    """An error as that server tells it: 401, or 400 for whatever else is wrong with a request. It is always JSON."""
    if status in (401, 403):
        return Reply({"error": {"message": "authentication failed"}}, 401, {"WWW-Authenticate": "Bearer"})
    data = {"code": problem.code, **({"hint": problem.hint} if problem.hint else {})}
    told = {"message": problem.message, "data": data}
    return Reply({"error": told}, status if status in _UNCHANGED or status >= 500 else 400)


def _path(row: PathRow) -> DialectPath:
    right, *more = row.marks
    answer = row.call if right == "page" else spoken(row.call, raw_text="text" in more)
    if right in ("open", "page"):
        return DialectPath(row.method, row.path, row.verb, SpaceRule.TOKEN, answer, secret_in, open=True)
    whose, rights = space_of if "{space}" in row.path else SpaceRule.EVERY, frozenset({AccessScope(right)})
    return DialectPath(row.method, row.path, row.verb, whose, answer, secret_in, reads=(ANY,), rights=rights)


_MCP = DialectPath(
    "POST", "/mcp/{space}", "search", space_of, lambda *_: None, secret_in, rights=frozenset(), profile=NAME
)
_ROWS = path_rows(__package__ or "", sys.modules[__name__])
DIALECT = Dialect(
    NAME,
    (*map(_path, _ROWS), _MCP),
    admit=admit,
    refusal=refusal,
    environment=ENVIRONMENT,
    origins=origins_allowed,
)
