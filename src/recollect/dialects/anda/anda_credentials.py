"""Credentials of Anda Brain: signed capabilities (CWT), space tokens (`ST…`), and spaces that everybody may read.

Scopes are exact: a token that may write may not read. A capability names one space or all of them; paths about the
management of a space take one that may write there, and paths of administrators one of a manager for all spaces.
"""

from __future__ import annotations

import re
from functools import lru_cache

from recollect.codecs.cwt import VerifyingKey, keys_in
from recollect.dialects.credentials import BEGINNING, capability
from recollect.dialects.table import DialectPath, Headers, Keys, Knock
from recollect.domain.access import AccessScope, AccessToken, up_to
from recollect.domain.brain import LARGEST_TIER
from recollect.domain.dataclass import dataclass, replace
from recollect.domain.errors import InvalidInput, Misconfigured
from recollect.domain.scopes import checked_space
from recollect.settings import foreign_variables

NAME = "anda"
PREFIX = "ST"
ENVIRONMENT = ("ED25519_PUBKEYS", "MANAGERS", "SHARDING_IDX")
_LONGEST = 100  # digits of a number; Python refuses to read some thousands
_MAKING = ("MCP_HTTP_AUTO_CREATE", "MCP_AUTO_CREATE")  # with `_SPACE`, whether; with `_TIER`, of which tier
_ORIGINS = "CORS_ORIGINS"
READS, WRITES = frozenset({AccessScope.READ}), frozenset({AccessScope.WRITE})
SCOPES = {"read": READS, "write": WRITES, "*": READS | WRITES}
# First parts of paths that are ours or of other dialects, and so are no spaces here.
RESERVED = frozenset(
    {"users", "sessions", "ingest", "recall", "history", "conscious", "facts", "timeline"}
    | {"spaces", "tokens", "session", "info", "hook", "status", "openapi.json"}
)

_SPACE_TOKEN = re.compile(r"(?:ST)?(rcl_([0-9A-Z]{26})(?:_[a-z2-7]{52}[0-9a-f]{8})?)")


@dataclass(frozen=True, slots=True)
class AndaSettings:
    """Settings that the variables of the old server hold: who may sign, who are managers, which shard this is."""

    keys: tuple[VerifyingKey, ...]
    managers: frozenset[str]
    shard: int


def anda_settings() -> AndaSettings:
    """The settings as they are now."""
    given = foreign_variables(ENVIRONMENT)
    return _settings(*(given.get(name, "") for name in ENVIRONMENT))


@lru_cache(4)
def _settings(keys: str, managers: str, shard: str) -> AndaSettings:
    if shard and not (shard.isascii() and shard.isdigit() and len(shard) <= _LONGEST):
        raise Misconfigured("SHARDING_IDX is no whole number.", code="invalid_shard", hint="Leave it out for shard 0.")
    names = frozenset(each.strip() for each in managers.split(",") if each.strip())
    return AndaSettings(keys_in(keys), names, int(shard or 0))


def tier_of_new_spaces() -> int | None:
    """The tier of a space that MCP makes when something is first told to it; `None` if it makes none.

    The old server has variables of one meaning for HTTP and for standard input; here either counts.
    """
    names = [f"{each}_{part}" for each in _MAKING for part in ("SPACE", "TIER")]
    given = foreign_variables(names)
    for each in _MAKING:
        if given.get(f"{each}_SPACE", "").strip().lower() in ("1", "true", "yes", "on"):
            tier = given.get(f"{each}_TIER", "1").strip()
            if not (tier.isascii() and tier.isdigit() and len(tier) <= _LONGEST and int(tier) <= LARGEST_TIER):
                raise Misconfigured(f"{each}_TIER is no tier from 0 to {LARGEST_TIER}.", code="invalid_number")
            return int(tier)
    return None


def origins_allowed() -> dict[str, str]:
    """The origins of pages that may ask, divided by commas, each with the name of the variable. Others use that name
    too: it counts beside public keys."""
    given = foreign_variables((ENVIRONMENT[0], _ORIGINS))
    named = given.get(_ORIGINS, "") if ENVIRONMENT[0] in given else ""
    return {each.strip().rstrip("/"): _ORIGINS for each in named.split(",") if each.strip()}


def secret_in(headers: Headers) -> str | None:
    """The secret of `Authorization`, with the word `Bearer` before it or without."""
    said = headers.get("authorization", ())
    if not said:
        return None
    first, _, rest = said[0].strip().partition(" ")
    return (rest.strip() if first.lower() == "bearer" else said[0].strip()) if len(said) == 1 else ""


def admit(knock: Knock, path: DialectPath, keys: Keys) -> AccessToken | None:
    """The token of a request, if it goes exactly as far as the path; `None` is refused."""
    space, secret = knock.parts.get("space"), secret_in(knock.headers)
    needed = READS if path.rights is None else path.rights
    if not secret:
        return _guest(space, keys) if needed == READS and space is not None else None
    settings = anda_settings()
    kept = _SPACE_TOKEN.fullmatch(secret)
    managed, administered = "/management/" in path.path, path.path.startswith("/admin/")
    if kept is not None:
        token = keys.admit(kept[1], NAME)
        if token is None or administered or (managed and (token.is_bound or not token.reaches(AccessScope.ADMIN))):
            return None
    else:
        token = capability(secret, settings.keys, SCOPES, keys.now())
        if token is None:
            return None
        if administered and not (token.space is None and token.name in settings.managers):
            return None
        if administered or managed:
            # Whoever may manage a space may do there what its administrators may, and nothing elsewhere.
            if not (administered or needed <= token.scopes):
                return None
            token = replace(token, scopes=up_to(AccessScope.ADMIN), space=token.space or (space if managed else None))
    is_enough = administered or (needed <= token.scopes and (space is None or token.covers(space)))
    return token if is_enough and (path.profile == "" or token.scopes & SCOPES["*"]) else None


def _guest(space: str, keys: Keys) -> AccessToken | None:
    """Somebody without a token, who may read a space that is public."""
    try:
        return AccessToken("", "public", READS, space, BEGINNING) if keys.is_public(space) else None
    except InvalidInput:
        return None


def space_of(knock: Knock) -> str | None:
    """The space of a path, after the request was found to be for this shard, and the name to be free for spaces."""
    said = knock.header("shard-id") or knock.header("x-shard")
    here = anda_settings().shard
    if said and not (said.isascii() and said.isdigit() and len(said) < 10 and int(said) == here):
        raise InvalidInput(f"invalid shard: {said[:20]}; this server is shard {here}.", code="other_shard")
    space = knock.parts.get("space")
    return None if space is None else free_name(space)


def free_name(space: str) -> str:
    """A name that a space can have here."""
    if space in RESERVED:
        raise InvalidInput(f"`{space}` is no name for a space: it is a path of its own.", code="reserved_name")
    return checked_space(space)


def token_id_of(secret: str) -> str:
    """The id of a space token, by the whole of it or by its beginning, as lists show it."""
    kept = _SPACE_TOKEN.fullmatch(secret) if secret.startswith(PREFIX) else None
    if kept is None:
        raise InvalidInput("invalid space token", code="invalid_token", hint=f"It begins with `{PREFIX}`.")
    return kept[2]
