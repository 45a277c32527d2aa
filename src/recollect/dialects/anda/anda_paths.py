"""The HTTP paths of Anda Brain: each is a verb of ours, in its envelope and with its scopes.

A path says exactly which right it takes: a token that may write may not read. A space that is not there is 400.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from recollect.dialects.anda import anda_records as formats
from recollect.dialects.anda.anda_bodies import AndaAnswer, fields_of, refusal, spoken
from recollect.dialects.anda.anda_credentials import (
    ENVIRONMENT,
    NAME,
    READS,
    SCOPES,
    WRITES,
    admit,
    anda_settings,
    free_name,
    secret_in,
    space_of,
    token_id_of,
)
from recollect.dialects.anda.anda_operations import executed, formed, maintained, person, recalled
from recollect.dialects.table import ANY, Asked, Dialect, DialectPath, KeyRing, Reply, SpaceRule
from recollect.dialects.tool import Doer
from recollect.domain.access import AccessScope
from recollect.domain.brains.brain import BrainConversation
from recollect.domain.errors import Conflict, InvalidInput, NotFound
from recollect.version import __version__

KIP_SPOKEN = "1.0-RC9"

_MOST_TOKENS = 100  # of a space
_USUAL_PAGE, _LARGEST_PAGE = 10, 100


def _there(asked: Asked) -> KeyRing:
    """The tokens of the store, after the space of a path was found to be there."""
    if asked.keys is None:
        raise AssertionError("the server gives every line the tokens")
    if "space" in asked.parts and not asked.keys.is_there(asked.space):
        raise NotFound(f"space not found: {asked.space}", code="space_not_found")
    return asked.keys


# -- the three modes, and what is beside them --------------------------------------------------------------------------


def _formation(doer: Doer, asked: Asked, body: Any) -> AndaAnswer:
    _there(asked)
    found = formed(doer, {"messages": body} if isinstance(body, str | list) else body)
    return AndaAnswer(formats.queued(found), text=f"Conversation {found.id} is queued.\n")


def _recall(doer: Doer, asked: Asked, body: Any) -> AndaAnswer:
    _there(asked)
    told = recalled(doer, {"query": body} if isinstance(body, str) else body)
    return AndaAnswer(told, text=told["content"] + "\n")


def _maintenance(doer: Doer, asked: Asked, body: Any) -> AndaAnswer:
    _there(asked)
    found = maintained(doer, body)
    return AndaAnswer(formats.queued(found), text=f"Maintenance {found.id} is queued.\n")


def _kip(doer: Doer, asked: Asked, body: Any) -> AndaAnswer:
    _there(asked)
    return AndaAnswer(executed(doer, body), bare=True)


def _user(doer: Doer, asked: Asked, body: Any) -> AndaAnswer:
    _there(asked)
    return AndaAnswer(person(doer, body))


def _info(doer: Doer, asked: Asked, _: Any) -> AndaAnswer:
    _there(asked)
    return AndaAnswer(formats.space_info(doer.do("brain.show")))


def _formation_status(doer: Doer, asked: Asked, _: Any) -> AndaAnswer:
    _there(asked)
    return AndaAnswer(formats.formation_status(doer.do("brain.show")))


# -- conversations -----------------------------------------------------------------------------------------------------


def _conversations(doer: Doer, asked: Asked, _: Any) -> AndaAnswer:
    _there(asked)
    limit = max(1, min(_LARGEST_PAGE, _whole(asked.query.get("limit"), "limit", _USUAL_PAGE)))
    cursor = asked.query.get("cursor")
    before = {} if not cursor else {"cursor": str(formats.number_in(cursor))}
    page = doer.do("brain.conversations", {"collection": _collection(asked), "limit": limit, **before})
    more = formats.cursor_of(page.items[-1].id) if len(page.items) == limit else None
    return AndaAnswer([formats.conversation_of(each) for each in page.items], more)


def _conversation(doer: Doer, asked: Asked, _: Any) -> AndaAnswer:
    return AndaAnswer(formats.conversation_of(_one(doer, asked)))


def _delta(doer: Doer, asked: Asked, _: Any) -> AndaAnswer:
    offsets = [_whole(asked.query.get(name), name, 0) for name in ("messages_offset", "artifacts_offset")]
    return AndaAnswer(formats.delta_of(_one(doer, asked), *offsets))


def _one(doer: Doer, asked: Asked) -> BrainConversation:
    _there(asked)
    number = _whole(asked.parts["conversation"], "conversation", 0)
    found: BrainConversation = doer.do(
        "brain.conversations", {"conversation": number, "collection": _collection(asked)}
    ).items[0]
    return found


def _collection(asked: Asked) -> str:
    return asked.query.get("collection") or "formation"


def _whole(said: str | None, name: str, default: int) -> int:
    if not said:
        return default
    if not said.isascii() or not said.isdigit() or len(said) > 18:
        raise InvalidInput(f"`{name}` must be a whole number.", code="invalid_number")
    return int(said)


# -- management --------------------------------------------------------------------------------------------------------


def _space_tokens(doer: Doer, asked: Asked, _: Any) -> AndaAnswer:  # noqa: ARG001 - the signature of a line
    keys = _there(asked)
    live = [
        each for each in keys.tokens() if each.space == asked.space and each.dialect == NAME and not each.revoked_at
    ]
    return AndaAnswer([formats.space_token(each) for each in live])


def _add_space_token(doer: Doer, asked: Asked, body: Any) -> AndaAnswer:
    keys, said = _there(asked), fields_of(body, "scope", "name", "expires_at")
    scopes = SCOPES.get(said.get("scope", "")) if isinstance(said.get("scope"), str) else None
    if scopes is None:
        raise InvalidInput("`scope` is `read`, `write` or `*`.", code="invalid_scope")
    if len(_space_tokens(doer, asked, None).result) >= _MOST_TOKENS:
        raise Conflict(f"space token limit reached: {_MOST_TOKENS}", code="too_many_tokens", hint="Revoke some.")
    ends = said.get("expires_at")
    issued = keys.issue(
        scopes=sorted(each.value for each in scopes),
        space=asked.space,
        name=_text(said, "name") or None,
        expires=None if ends is None else formats.moment_in(ends),
        dialect=NAME,
        # A capability is no token of the store, which others could end with.
        by=asked.token if asked.token is not None and asked.token.dialect == NAME else None,
    )
    return AndaAnswer(formats.space_token(issued.token, issued.secret))


def _revoke_space_token(doer: Doer, asked: Asked, body: Any) -> AndaAnswer:  # noqa: ARG001
    keys, wanted = _there(asked), token_id_of(_text(fields_of(body, "token"), "token"))
    found = next((each for each in keys.tokens() if each.id == wanted), None)
    if found is None or found.space != asked.space or found.dialect != NAME or found.revoked_at:
        return AndaAnswer(False)
    keys.revoke(found.id)
    return AndaAnswer(True)


def _update_space(doer: Doer, asked: Asked, body: Any) -> AndaAnswer:
    _there(asked)
    said = dict(fields_of(body, "name", "description", "public"))
    if "name" in said:
        said["title"] = said.pop("name")
    doer.do("brain.change", said)
    return AndaAnswer(True)


def _restart(doer: Doer, asked: Asked, body: Any) -> AndaAnswer:
    _there(asked)
    doer.do("brain.restart", {"conversation": fields_of(body, "conversation").get("conversation")})
    return AndaAnswer(True)


def _byok(doer: Doer, asked: Asked, _: Any) -> AndaAnswer:
    _there(asked)
    kept = doer.do("provider-keys.list").items
    return AndaAnswer(formats.model_config(kept[0]) if kept else None)


def _set_byok(doer: Doer, asked: Asked, body: Any) -> AndaAnswer:
    """Keep the key of a family's provider. Which model does what is a setting of the server."""
    _there(asked)
    said = {name: value for name, value in (body if isinstance(body, Mapping) else {}).items() if value is not None}
    family, secret = _text(said, "family", "f"), _text(said, "api_key", "ak")
    if said.get("disabled", said.get("d")):
        doer.do("provider-keys.remove", {"provider": family})
    else:
        doer.do("provider-keys.set", {"provider": family, "secret": secret})
    return AndaAnswer(True)


def _text(said: Mapping[str, Any], *names: str) -> str:
    found = next((said[name] for name in names if name in said), "")
    if not isinstance(found, str):
        raise InvalidInput(f"`{names[0]}` must be text.", code="invalid_field")
    return found


# -- administrators ----------------------------------------------------------------------------------------------------


def _create_space(doer: Doer, asked: Asked, body: Any) -> AndaAnswer:
    keys, said = _there(asked), fields_of(body, "user", "space_id", "tier")
    space = free_name(_text(said, "space_id"))
    if keys.is_there(space):
        raise Conflict(f"space already exists: {space}", code="space_exists")
    doer.do("spaces.create", {"name": space})
    owned = {"owner": _text(said, "user"), "tier": said.get("tier", 0), "space": space}
    return AndaAnswer(formats.space_info(doer.do("brain.change", owned)))


def _update_tier(doer: Doer, asked: Asked, body: Any) -> AndaAnswer:
    _there(asked)
    said = fields_of(body, "user", "space_id", "tier")
    if said.get("space_id") != asked.parts["space"]:
        raise InvalidInput("space_id in the path and in the body differ", code="invalid_field")
    return AndaAnswer(
        formats.tier_of(doer.do("brain.change", {"tier": said.get("tier"), "space": asked.parts["space"]}))
    )


# -- for everybody -----------------------------------------------------------------------------------------------------


def _service(_: Doer, asked: Asked, __: Any) -> AndaAnswer:  # noqa: ARG001
    told = {"name": "anda_brain", "version": __version__, "sharding": anda_settings().shard, "kip": KIP_SPOKEN}
    return AndaAnswer({**told, "description": "Recollect, in the words of Anda Brain."}, bare=True)


def _skill(_: Doer, __: Asked) -> Reply:
    return Reply((Path(__file__).parent / "SKILL.md").read_text(encoding="utf-8"), says="text/markdown; charset=utf-8")


def _line(method: str, path: str, verb: str, answer: Any, rights: frozenset[AccessScope]) -> DialectPath:
    whose = space_of if "{space}" in path else SpaceRule.EVERY
    return DialectPath(method, path, verb, whose, answer, secret_in, reads=(ANY,), rights=rights)


def _in_space(method: str, end: str, verb: str, answer: Any, rights: frozenset[AccessScope]) -> DialectPath:
    return _line(method, f"/v1/{{space}}/{end}", verb, answer, rights)


_ADMIN = frozenset({AccessScope.ADMIN})
_LINES = (
    _in_space("POST", "formation", "brain.form", spoken(_formation, raw_text=True), WRITES),
    _in_space("POST", "recall", "brain.recall", spoken(_recall, raw_text=True), READS),
    _in_space("POST", "maintenance", "brain.maintain", spoken(_maintenance), WRITES),
    _in_space("POST", "execute_kip_readonly", "search", spoken(_kip), READS),
    _in_space("POST", "get_or_init_user", "save", spoken(_user), WRITES),
    _in_space("GET", "info", "brain.show", spoken(_info), READS),
    _in_space("GET", "status", "brain.show", spoken(_info), READS),
    _in_space("GET", "formation_status", "brain.show", spoken(_formation_status), READS),
    _in_space("GET", "conversations", "brain.conversations", spoken(_conversations), READS),
    _in_space("GET", "conversations/{conversation}", "brain.conversations", spoken(_conversation), READS),
    _in_space("GET", "conversations/{conversation}/delta", "brain.conversations", spoken(_delta), READS),
    _in_space("GET", "management/space_tokens", "brain.change", spoken(_space_tokens), WRITES),
    _in_space("POST", "management/add_space_token", "brain.change", spoken(_add_space_token), WRITES),
    _in_space("POST", "management/revoke_space_token", "brain.change", spoken(_revoke_space_token), WRITES),
    _in_space("PATCH", "management/update_space", "brain.change", spoken(_update_space), WRITES),
    _in_space("PATCH", "management/restart_formation", "brain.restart", spoken(_restart), WRITES),
    _in_space("GET", "management/space_byok", "provider-keys.list", spoken(_byok), WRITES),
    _in_space("PATCH", "management/space_byok", "provider-keys.set", spoken(_set_byok), WRITES),
    _in_space("PATCH", "management/update_byok", "provider-keys.set", spoken(_set_byok), WRITES),
    _line("POST", "/admin/create_space", "spaces.create", spoken(_create_space), _ADMIN),
    _line("POST", "/admin/{space}/update_space_tier", "brain.change", spoken(_update_tier), _ADMIN),
    DialectPath("GET", "/info", "search", SpaceRule.TOKEN, spoken(_service), secret_in, open=True),
    DialectPath("GET", "/SKILL.md", "search", SpaceRule.TOKEN, _skill, secret_in, open=True),
    DialectPath(
        "POST", "/mcp/{space}", "search", space_of, lambda *_: None, secret_in, rights=frozenset(), profile=NAME
    ),
)

DIALECT = Dialect(NAME, _LINES, admit=admit, refusal=refusal, environment=ENVIRONMENT)
